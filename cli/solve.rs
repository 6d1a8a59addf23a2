//! `solve`: a play, or the proof that there is none.

use std::fmt::Write;
use std::time::Duration;

use csp_driver::best::BestReport;
use csp_driver::solve::{Answer, FewestReport, Method, SolveReport, SolveSettings, TriedReport};
use csp_driver::{Script, escape};

use crate::args::{PlayNotation, SearchMethod, SolveArguments};
use crate::check;
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;
use crate::text::{counted, grouped, seconds};

/// Values that are tried for `--fewest` before giving up.
const MOST_TRIED: i64 = 52;

pub(crate) fn run(options: &SolveArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let Some(deals) = options.script.deal.as_deref().filter(|d| d.contains("..")) else {
        return single(options, terminal);
    };
    let mut worst = 0;
    for deal in check::range(deals)? {
        let mut one = options.clone();
        one.script.deal = Some(deal.to_string());
        if !options.json {
            terminal.print(&format!("deal {deal}\n"))?;
        }
        worst = check::worse(worst, single(&one, terminal)?);
        if interrupt::requested() {
            return Ok(130);
        }
    }
    Ok(worst)
}

/// One deal.
fn single(options: &SolveArguments, terminal: &Terminal) -> Result<u8, Failure> {
    if options.best_score {
        return best_score(options, terminal);
    }
    match &options.fewest {
        Some(constant) => fewest(options, constant, terminal),
        None => {
            let (report, code) = one(options, &[], terminal)?;
            show(options, &report, terminal)?;
            save(options, &report, terminal)?;
            Ok(code)
        }
    }
}

/// Saves the chosen moves: what is forced happens by itself when they are replayed.
fn save(
    options: &SolveArguments,
    report: &SolveReport,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(path) = &options.save_trace else {
        return Ok(());
    };
    output::refuse_input(path, std::slice::from_ref(&options.script.file))?;
    if report.moves.is_empty() {
        terminal.note("csp: there is no play to save\n");
        return Ok(());
    }
    let chosen = report.moves.iter().filter(|line| !line.forced);
    let lines: Vec<_> = chosen.map(|line| escape::line(&line.event)).collect();
    output::write(Some(path), &(lines.join("\n") + "\n"))
}

pub(crate) fn method(search: SearchMethod) -> Method {
    match search {
        SearchMethod::Greedy => Method::Greedy,
        SearchMethod::AStar => Method::AStar,
        SearchMethod::BreadthFirst => Method::BreadthFirst,
    }
}

/// The time to shorten a play.
fn improve(seconds: Option<f64>) -> Result<Option<Duration>, Failure> {
    let wrong = |_| Failure::Message("--improve takes a number of seconds".to_owned());
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    time.map_err(wrong)
}

/// One search, with further definitions; the report and the exit code.
fn one(
    options: &SolveArguments,
    defines: &[String],
    terminal: &Terminal,
) -> Result<(SolveReport, u8), Failure> {
    let mut arguments = options.script.clone();
    arguments.defines.extend_from_slice(defines);
    let mut script = language::load(&arguments, terminal)?;
    if script.has_errors() {
        return Err(Failure::Told);
    }
    let settings = SolveSettings {
        check: check::settings(&options.limits, &options.select)?,
        goal: options.goal.clone(),
        method: if options.shortest {
            Method::BreadthFirst
        } else {
            method(options.search)
        },
        improve: improve(options.improve)?,
        boards: options.show_boards,
    };
    let report = search(&mut script, &settings, options.quiet, terminal);
    if report.answer == Answer::Error {
        if report.diagnostics.is_empty()
            && let Some(reason) = &report.reason
        {
            terminal.error(reason);
        }
        if !interrupt::requested() {
            return Err(Failure::Told);
        }
    }
    let code = if interrupt::requested() {
        130
    } else {
        report.answer.exit_code()
    };
    Ok((report, code))
}

fn search(
    script: &mut Script,
    settings: &SolveSettings,
    quiet: bool,
    terminal: &Terminal,
) -> SolveReport {
    let line = ProgressLine::new("compiling", quiet, terminal);
    let (report, diagnostics) = script.solve(settings, &line);
    line.finish();
    terminal.show(&diagnostics, script.sources());
    report
}

/// The highest score, or bounds of it.
fn best_score(options: &SolveArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let mut script = language::load(&options.script, terminal)?;
    if script.has_errors() {
        return Err(Failure::Told);
    }
    let settings = check::settings(&options.limits, &options.select)?;
    let line = ProgressLine::new("scoring", options.quiet, terminal);
    let report = script.best_score(&settings, &line);
    line.finish();
    let report = report.map_err(Failure::Message)?;
    if options.json {
        let text = serde_json::to_string_pretty(&report);
        output::print(&(text.map_err(|e| Failure::Message(e.to_string()))? + "\n"))?;
    } else {
        terminal.print(&best(&report))?;
    }
    Ok(if interrupt::requested() {
        130
    } else if report.limit.is_some() {
        3
    } else {
        0
    })
}

fn best(report: &BestReport) -> String {
    let mut out = String::new();
    let width = report.play.len().to_string().len().max(3);
    for (i, what) in report.play.iter().enumerate() {
        let _ = writeln!(out, "{:width$}  {what}", i + 1);
    }
    let positions = counted(report.positions as u64, "position");
    match &report.limit {
        None => {
            let _ = writeln!(
                out,
                "the highest score is {}; {positions}, gone on from {}",
                report.lower,
                counted(report.expanded, "time")
            );
        }
        Some(limit) => {
            let (lower, upper) = (report.lower, report.upper);
            let _ = writeln!(
                out,
                "the highest score is from {lower} to {upper}: {limit} after {positions}"
            );
        }
    }
    match report.won {
        Some(score) if report.complete => {
            let _ = writeln!(out, "the highest score of a play that wins is {score}");
        }
        Some(score) => {
            let _ = writeln!(out, "a play that wins has {score}");
        }
        None if report.complete => out.push_str("no play wins\n"),
        None => {}
    }
    if let Some(game) = &report.referee {
        let _ = writeln!(out, "the play was judged by the rules of {game}");
    }
    out
}

/// Tries the values of a constant upwards.
fn fewest(options: &SolveArguments, constant: &str, terminal: &Terminal) -> Result<u8, Failure> {
    let mut undecided = false;
    let mut tried = Vec::new();
    for value in 0..=MOST_TRIED {
        let (mut report, code) = one(options, &[format!("{constant}={value}")], terminal)?;
        if code == 130 {
            return Ok(130);
        }
        tried.push(TriedReport {
            value,
            answer: report.answer,
            states: report.states,
        });
        if !options.json {
            let states = counted(report.states, "state");
            terminal.print(&match report.answer {
                Answer::Solved if undecided => {
                    format!("{constant} = {value}: solved; smaller values are not all decided\n")
                }
                Answer::Solved => format!("{constant} = {value}: solved, and this is the least\n"),
                Answer::Unsolvable => {
                    format!("{constant} = {value}: proved unsolvable after {states}\n")
                }
                _ => {
                    let reason = report.reason.clone().unwrap_or_default();
                    format!("{constant} = {value}: gave up, {reason}\n")
                }
            })?;
        }
        undecided |= report.answer == Answer::Unknown;
        let solved = report.answer == Answer::Solved;
        if solved || (options.json && value == MOST_TRIED) {
            report.fewest = Some(FewestReport {
                constant: constant.to_owned(),
                tried: std::mem::take(&mut tried),
            });
            show(options, &report, terminal)?;
        }
        if solved {
            return Ok(if undecided { 3 } else { 0 });
        }
    }
    terminal.note(&format!(
        "csp: no play with {constant} up to {MOST_TRIED}\n"
    ));
    Ok(if undecided { 3 } else { 1 })
}

fn show(
    options: &SolveArguments,
    report: &SolveReport,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if options.json {
        return output::print(&csp_driver::format::json::play(report));
    }
    terminal.print(&text(options, report)?)
}

fn text(options: &SolveArguments, report: &SolveReport) -> Result<String, Failure> {
    let mut out = String::new();
    let headline = match report.answer {
        Answer::Solved => "solved",
        Answer::Unsolvable => "proved unsolvable",
        Answer::Unknown | Answer::Error => "gave up",
    };
    let _ = write!(out, "{headline}");
    for words in report.meaning.iter().chain(&report.reason) {
        let _ = write!(out, ": {words}");
    }
    out.push('\n');
    if report.answer == Answer::Solved {
        match options.notation {
            PlayNotation::Moves => moves(&mut out, options, report),
            PlayNotation::Standard => {
                out.push_str(report.notation.as_deref().ok_or_else(|| {
                    let only = "only plays of FreeCell, with nine columns and seven cells at most, \
                                have a standard notation";
                    Failure::Message(only.to_owned())
                })?)
            }
        }
        let _ = write!(out, "{}", counted(report.chosen as u64, "chosen move"));
        if report.forced > 0 {
            let _ = write!(out, ", {} forced", grouped(report.forced as u64));
        }
        out.push_str(if report.shortest {
            "; no play has fewer chosen moves\n"
        } else {
            "; not necessarily the fewest\n"
        });
        if let Some(game) = &report.referee {
            let _ = writeln!(out, "the play was judged by the rules of {game}");
        }
    }
    let _ = writeln!(
        out,
        "{} in {} (compiled in {})",
        counted(report.states, "state"),
        seconds(report.seconds),
        seconds(report.compile_seconds)
    );
    Ok(out)
}

fn moves(out: &mut String, options: &SolveArguments, report: &SolveReport) {
    let width = report.chosen.to_string().len().max(3);
    let mut number = 0;
    // The last move of the run that is being written, which is one line.
    let mut run_ends = 0;
    for (i, line) in report.moves.iter().enumerate() {
        let what = line.text.as_deref().unwrap_or(&line.event);
        let run = report.runs.iter().find(|r| r.number == number + 1);
        if let Some(run) = run.filter(|_| !line.forced && !options.show_boards) {
            run_ends = number + run.moves;
            let text = &run.text;
            let _ = writeln!(out, "{:width$}  {}  {text}", number + 1, run.notation);
        }
        if line.forced {
            let _ = writeln!(out, "{:width$}    {what}", "");
        } else {
            number += 1;
            if number > run_ends {
                let _ = writeln!(out, "{number:width$}  {what}");
            }
        }
        // One drawing for a chosen move and all that follows from it.
        let next = report.moves.get(i + 1);
        if options.show_boards && next.is_none_or(|m| !m.forced) {
            for row in line.board.iter().flat_map(|b| b.lines()) {
                let _ = writeln!(out, "{:width$}      {row}", "");
            }
        }
    }
}
