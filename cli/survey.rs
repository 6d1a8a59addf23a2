//! `survey`: many deals, a row for each, and the share that can be won.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write as _};
use std::path::Path;
use std::sync::Mutex;

use csp_driver::CheckSettings;
use csp_driver::solve::SolveSettings;
use csp_driver::survey::{self, HEADING, Row, Source, Summary, SurveyError, SurveySettings};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::SurveyArguments;
use crate::games;
use crate::interrupt;
use crate::output::{self, Failure, Terminal};
use crate::text::{counted, grouped, seconds};
use crate::{check, solve};

pub(crate) fn run(options: &SurveyArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let deals = check::range(options.deals.as_deref().unwrap_or_default())?;
    let known = options
        .output
        .as_deref()
        .map_or_else(|| Ok(Vec::new()), read)?;
    let known: HashMap<i64, Row> = known.into_iter().map(|row| (row.deal, row)).collect();
    let settings = settings(options, deals.clone(), terminal)?;
    let published = match &settings.source {
        Source::Game(game) => game.rules.published.clone(),
        Source::Script(_) => None,
    };
    let file = options
        .output
        .as_deref()
        .map(|path| open(path, options.json));
    let writer = Writer {
        file: file.transpose()?.map(Mutex::new),
        json: options.json,
        rows: Mutex::new(
            known
                .values()
                .filter(|r| deals.contains(&r.deal))
                .cloned()
                .collect(),
        ),
        failure: Mutex::new(None),
        bar: bar(
            options,
            terminal,
            deals.end().abs_diff(*deals.start()).saturating_add(1),
        ),
    };
    writer
        .bar
        .set_position(writer.rows.lock().map_or(0, |rows| rows.len() as u64));
    if writer.file.is_none() && !options.json {
        output::print(&format!("{HEADING}\n"))?;
    }
    let done = survey::survey(&settings, &|deal| known.contains_key(&deal), &|row| {
        writer.finished(row)
    });
    writer.bar.finish_and_clear();
    if let Some(failure) = writer.failure.into_inner().ok().flatten() {
        return Err(failure);
    }
    done.map_err(|error| match error {
        SurveyError::File(error) => error.into(),
        SurveyError::Threads(none) => Failure::Message(none.to_string()),
        SurveyError::Deal { deal, reason } => Failure::Message(format!("deal {deal}: {reason}")),
    })?;
    let rows = writer.rows.into_inner().unwrap_or_default();
    output::print(&summary(&rows, options))?;
    if let Some(published) = published.filter(|_| !options.json) {
        let mark = if options.output.is_some() { "" } else { "# " };
        let (rate, by) = (published.rate, published.by);
        output::print(&format!("{mark}published: {rate} % ({by})\n"))?;
    }
    let interrupted = interrupt::requested() && !output::closed();
    Ok(if interrupted { 130 } else { 0 })
}

/// A script or a described game.
fn source(options: &SurveyArguments, terminal: &Terminal) -> Result<Source, Failure> {
    let file = &options.file;
    match games::named(file, options.numbering, terminal)? {
        Some(_) if !options.defines.is_empty() => {
            let message = "a description has no constants to replace; another one can extend it";
            Err(Failure::Message(message.to_owned()))
        }
        Some(game) => Ok(Source::Game(game)),
        None if options.numbering.is_some() => {
            let message = "--numbering is for games by name and for descriptions: a survey of a script takes its own deals";
            Err(Failure::Message(message.to_owned()))
        }
        None => Ok(Source::Script(file.clone())),
    }
}

fn settings(
    options: &SurveyArguments,
    deals: std::ops::RangeInclusive<i64>,
    terminal: &Terminal,
) -> Result<SurveySettings, Failure> {
    let threads = check::threads(options.threads)?;
    let memory = options.memory.as_deref().map(check::size).transpose()?;
    let memory = memory.or_else(csp_driver::available_memory);
    let source = source(options, terminal)?;
    Ok(SurveySettings {
        source,
        defines: options.defines.clone(),
        deals,
        threads,
        solve: SolveSettings {
            check: CheckSettings {
                // Deals run side by side, each on one thread.
                threads: 1,
                max_states: options.max_states,
                timeout: options.timeout,
                memory: memory.map(|bytes| bytes / threads as u64),
                ..CheckSettings::default()
            },
            goal: None,
            method: solve::method(options.search),
            improve: None,
            boards: false,
        },
        interrupted: interrupt::token(),
    })
}

/// The rows that a file has already. A row that was being written when the program was killed is cut
/// off: its deal is done again.
fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    // What is not a file of its own, a pipe say, has no rows to go on from.
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let mut text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Message(format!("cannot read {}: {e}", path.display())))?;
    let whole = text.rfind('\n').map_or(0, |last| last + 1);
    if whole < text.len() {
        text.truncate(whole);
        std::fs::write(path, &text)
            .map_err(|e| Failure::Message(format!("cannot write {}: {e}", path.display())))?;
    }
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && *line != HEADING);
    lines
        .map(|line| {
            Row::parse(line).map_err(|e| Failure::Message(format!("{}: {e}", path.display())))
        })
        .collect()
}

fn open(path: &Path, json: bool) -> Result<File, Failure> {
    let wrong =
        |e: std::io::Error| Failure::Message(format!("cannot write {}: {e}", path.display()));
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(wrong)?;
    if !json && file.metadata().map_err(wrong)?.len() == 0 {
        writeln!(file, "{HEADING}").map_err(wrong)?;
    }
    Ok(file)
}

fn bar(options: &SurveyArguments, terminal: &Terminal, deals: u64) -> ProgressBar {
    if options.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} deals, {msg} {eta} left")
        .expect("a valid template");
    ProgressBar::new(deals).with_style(if terminal.ascii {
        style.progress_chars("=> ")
    } else {
        style
    })
}

/// Where rows go as deals are finished.
struct Writer {
    file: Option<Mutex<File>>,
    json: bool,
    rows: Mutex<Vec<Row>>,
    failure: Mutex<Option<Failure>>,
    bar: ProgressBar,
}

impl Writer {
    fn finished(&self, row: &Row) {
        let line = if self.json { row.json() } else { row.csv() } + "\n";
        let written = match &self.file {
            Some(file) => {
                let file = file.lock().map_err(|_| "another deal broke off".to_owned());
                let written =
                    file.and_then(|mut f| f.write_all(line.as_bytes()).map_err(|e| e.to_string()));
                written.map_err(|e| Failure::Message(format!("cannot write rows: {e}")))
            }
            // The bar may be on the same terminal.
            None => self.bar.suspend(|| output::print(&line)),
        };
        // Where rows go nowhere, there is no use in more of them.
        if output::closed() {
            interrupt::token().cancel();
        }
        if let (Err(failure), Ok(mut slot)) = (written, self.failure.lock()) {
            slot.get_or_insert(failure);
        }
        if let Ok(mut rows) = self.rows.lock() {
            rows.push(row.clone());
            let so_far = Summary::of(&rows);
            self.bar.set_message(format!("{} solved,", so_far.solved));
        }
        self.bar.inc(1);
    }
}

fn summary(rows: &[Row], options: &SurveyArguments) -> String {
    let sum = Summary::of(rows);
    if options.json {
        return csp_driver::format::json::summary(&sum);
    }
    // Rows on standard output are followed by what reads as a remark.
    let mark = if options.output.is_some() { "" } else { "# " };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{mark}{}: {} solved, {} unsolvable, {} unknown",
        counted(rows.len() as u64, "deal"),
        grouped(sum.solved),
        grouped(sum.unsolvable),
        grouped(sum.unknown),
    );
    let _ = writeln!(
        out,
        "{mark}{:.2} % of those decided; 95 % interval {:.2} to {:.2}, unknown deals counted both ways",
        sum.rate, sum.lower, sum.upper,
    );
    let _ = writeln!(
        out,
        "{mark}{}, {} in all, {} a deal",
        counted(sum.states, "state"),
        seconds(sum.seconds),
        seconds(sum.seconds / rows.len().max(1) as f64),
    );
    out
}
