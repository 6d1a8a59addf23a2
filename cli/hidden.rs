//! `survey --hidden` and `hint`: deals played by one who does not see what is hidden.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use csp_driver::hidden::{self, HiddenRow, HiddenSurvey};
use csp_driver::survey::wilson;
use csp_player::Settings;

use crate::args::{HintArguments, SurveyArguments};
use crate::output::{self, Failure};
use crate::text::{counted, grouped, seconds};
use crate::{check, interrupt};

const HEADING: &str = "deal,end,moves,decisions,runs,seconds";

/// Plays the deals of a survey.
pub(crate) fn survey(options: &SurveyArguments) -> Result<u8, Failure> {
    let mut settings = settings(options.settings.as_deref(), &options.set)?;
    let deals = match &options.deals {
        Some(deals) => check::range(deals)?,
        None if settings.forever => settings.dealseed..=i64::MAX,
        None => settings.dealseed..=settings.dealseed,
    };
    if options.threads.is_some() {
        settings.max_concurrent_games = check::threads(options.threads)?;
    }
    let asked = HiddenSurvey {
        file: options.file.clone(),
        defines: options.defines.clone(),
        deals: deals.clone(),
        settings,
        interrupted: interrupt::token(),
    };
    let known = options
        .output
        .as_deref()
        .map_or_else(|| Ok(Vec::new()), read)?;
    let known: HashMap<i64, HiddenRow> = known.into_iter().map(|row| (row.deal, row)).collect();
    let own = known.values().filter(|row| deals.contains(&row.deal));
    let rows: Mutex<Vec<HiddenRow>> = Mutex::new(own.cloned().collect());
    let failure: Mutex<Option<Failure>> = Mutex::new(None);
    let told = |row: &HiddenRow| {
        let written = write(options, &line(row, options.json));
        if let (Err(wrong), Ok(mut slot)) = (written, failure.lock()) {
            slot.get_or_insert(wrong);
        }
        if let Ok(mut rows) = rows.lock() {
            rows.push(row.clone());
        }
    };
    if options.output.is_none() && !options.json {
        output::print(&format!("{HEADING}\n"))?;
    }
    let played = hidden::survey(&asked, &|deal| known.contains_key(&deal), &told);
    if let Some(failure) = failure.into_inner().ok().flatten() {
        return Err(failure);
    }
    played.map_err(Failure::Message)?;
    let rows = rows.into_inner().unwrap_or_default();
    output::print(&summary(&rows, options.json))?;
    Ok(if interrupt::requested() { 130 } else { 0 })
}

/// Says what each move is worth.
pub(crate) fn hint(options: &HintArguments) -> Result<u8, Failure> {
    let asked = HiddenSurvey {
        file: options.file.clone().into(),
        defines: options.defines.clone(),
        deals: options.deal..=options.deal,
        settings: settings(options.settings.as_deref(), &options.set)?,
        interrupted: interrupt::token(),
    };
    let values = hidden::hint(&asked, &options.after).map_err(Failure::Message)?;
    let mut out = String::new();
    for (event, share, tried) in &values {
        let _ = if options.json {
            let value = serde_json::json!({"event": event, "winnable": share, "guesses": tried});
            writeln!(out, "{value}")
        } else {
            writeln!(out, "{:5.1} % of {tried:4}  {event}", 100.0 * share)
        };
    }
    if values.is_empty() {
        out.push_str("no move can be made\n");
    }
    output::print(&out)?;
    Ok(0)
}

/// The settings of a file, and those that were given one by one.
fn settings(file: Option<&Path>, one_by_one: &[String]) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(path) = file {
        let wrong = |why: String| Failure::Message(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
        settings = Settings::parse(&text).map_err(wrong)?;
    }
    for setting in one_by_one {
        let parts = setting.split_once('=');
        let (name, value) = parts
            .ok_or_else(|| Failure::Message(format!("--set '{setting}' should be NAME=VALUE")))?;
        let set = settings.set(name, value);
        set.map_err(|why| Failure::Message(format!("--set: {why}")))?;
    }
    Ok(settings)
}

fn line(row: &HiddenRow, json: bool) -> String {
    if json {
        return serde_json::to_string(row).unwrap_or_default() + "\n";
    }
    format!(
        "{},{},{},{},{},{:.3}\n",
        row.deal, row.end, row.moves, row.decisions, row.runs, row.seconds
    )
}

fn write(options: &SurveyArguments, line: &str) -> Result<(), Failure> {
    let Some(path) = &options.output else {
        return output::print(line);
    };
    let wrong =
        |e: std::io::Error| Failure::Message(format!("cannot write {}: {e}", path.display()));
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(wrong)
}

/// The rows that a file has already; what follows the last end of a line is played again.
fn read(path: &Path) -> Result<Vec<HiddenRow>, Failure> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let wrong = |why: String| Failure::Message(format!("{}: {why}", path.display()));
    let mut text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let whole = text.rfind('\n').map_or(0, |last| last + 1);
    if whole < text.len() {
        text.truncate(whole);
        std::fs::write(path, &text).map_err(|e| wrong(e.to_string()))?;
    }
    let lines = text.lines().filter(|l| !l.is_empty() && *l != HEADING);
    lines
        .map(|line| {
            let not_a_row = || {
                wrong(format!(
                    "'{line}' is not a row of a survey with hidden cards"
                ))
            };
            if line.starts_with('{') {
                return serde_json::from_str(line).map_err(|_| not_a_row());
            }
            let fields: Vec<&str> = line.split(',').collect();
            let [deal, end, moves, decisions, runs, seconds] = fields.as_slice() else {
                return Err(not_a_row());
            };
            let row = || {
                Some(HiddenRow {
                    deal: deal.parse().ok()?,
                    end: (*end).to_owned(),
                    moves: moves.parse().ok()?,
                    decisions: decisions.parse().ok()?,
                    runs: runs.parse().ok()?,
                    seconds: seconds.parse().ok()?,
                })
            };
            row().ok_or_else(not_a_row)
        })
        .collect()
}

fn summary(rows: &[HiddenRow], json: bool) -> String {
    let won = rows.iter().filter(|row| row.end == "won").count() as u64;
    let all = rows.len() as u64;
    let (lower, upper) = wilson(won, all - won);
    let time: f64 = rows.iter().map(|row| row.seconds).sum();
    let rate = 100.0 * won as f64 / all.max(1) as f64;
    if json {
        let sum = serde_json::json!({
            "games": all, "won": won, "rate": rate,
            "lower": 100.0 * lower, "upper": 100.0 * upper, "seconds": time,
        });
        return format!("{sum}\n");
    }
    format!(
        "# {}: {} won without seeing what is hidden\n\
         # {rate:.2} %; 95 % interval {:.2} to {:.2}\n# {} in all, {} a game\n",
        counted(all, "game"),
        grouped(won),
        100.0 * lower,
        100.0 * upper,
        seconds(time),
        seconds(time / all.max(1) as f64),
    )
}
