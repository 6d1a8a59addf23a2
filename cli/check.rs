//! `check`: decide assertions and report.

mod sheet;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use csp_driver::report::{AssertionReport, Report};
use csp_driver::{
    Audience, CheckSettings, Diagnostic, Observer, Reductions, Script, Sources, escape, format,
};

use crate::args::{CheckArguments, LimitArguments, ReportFormat, ScriptArguments, Termination};
use crate::interrupt;
use crate::language;
use crate::loading::Limits;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;
use crate::quantity;
use crate::text;

use sheet::Sheet;

pub(crate) fn run(options: &CheckArguments, terminal: &Terminal) -> Result<u8, Failure> {
    if options.brackets {
        return brackets(options, terminal);
    }
    let files = std::iter::once(&options.script.file).chain(&options.more);
    let mut paths: Vec<PathBuf> = files.cloned().collect();
    for path in options.output.iter().chain(&options.save_trace) {
        output::refuse_input(path, &paths)?;
    }
    let last = paths.pop().unwrap_or_default();
    let mut sheet = Sheet::new(options, terminal);
    for file in paths {
        let code = deals(options, file, &mut sheet, terminal)?;
        if code == 130 {
            return sheet.finish().map(|_| 130);
        }
    }
    deals(options, last, &mut sheet, terminal)?;
    sheet.finish()
}

/// One script, with each of its deals.
fn deals(
    options: &CheckArguments,
    file: PathBuf,
    sheet: &mut Sheet<'_>,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let mut arguments = options.script.clone();
    arguments.file = file;
    let Some(numbers) = arguments.deal.clone().filter(|d| d.contains("..")) else {
        return one(options, &arguments, sheet, terminal);
    };
    let mut worst = 0;
    let numbers = range(&numbers)?;
    let last = *numbers.end();
    for deal in numbers {
        arguments.deal = Some(deal.to_string());
        if sheet.format == ReportFormat::Text {
            sheet.show(format!("deal {deal}\n"));
        }
        worst = worse(worst, one(options, &arguments, sheet, terminal)?);
        if interrupt::requested() {
            if deal < last {
                let next = deal + 1;
                terminal.note(&format!("csp: deals {next}..{last} were not reached\n"));
            }
            return Ok(130);
        }
    }
    Ok(worst)
}

/// Of two exit codes the one to report: 2 before 1 before 3 before 0.
pub(crate) fn worse(a: u8, b: u8) -> u8 {
    let rank = |code: u8| [0, 3, 1, 2].iter().position(|c| *c == code).unwrap_or(4);
    if rank(a) >= rank(b) { a } else { b }
}

/// `3..9`, both ends included.
pub(crate) fn range(text: &str) -> Result<RangeInclusive<i64>, Failure> {
    let wrong = || Failure::Message(format!("'{text}' is not a range of deals such as 1..20"));
    // One deal is a range of one.
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let (from, to): (i64, i64) = (
        from.parse().map_err(|_| wrong())?,
        to.parse().map_err(|_| wrong())?,
    );
    if from > to {
        let why = format!("the range {text} is backwards: write {to}..{from}");
        return Err(Failure::Message(why));
    }
    Ok(from..=to)
}

fn one(
    options: &CheckArguments,
    arguments: &ScriptArguments,
    sheet: &mut Sheet<'_>,
    terminal: &Terminal,
) -> Result<u8, Failure> {
    let mut settings = settings(&options.limits, &options.select)?;
    let limits = Limits {
        timeout: settings.timeout,
        memory: settings.memory,
    };
    let mut script = language::load_within(arguments, &limits, terminal)?;
    settings.open_compressed = options.open;
    let report = check(
        &mut script,
        &settings,
        options.quiet,
        terminal,
        |news| match (sheet.format, news) {
            (ReportFormat::Text, News::Printed(value)) => {
                sheet.show(format!("{}\n", escape::line(value)));
            }
            (ReportFormat::Text, News::Decided(assertion)) => {
                let piece = text::assertion(assertion, &sheet.text);
                sheet.show(piece);
            }
            (ReportFormat::Jsonl, News::Decided(assertion)) => {
                sheet.show(format::json::assertion_line(assertion));
            }
            _ => {}
        },
    )?;
    let code = if interrupt::requested() {
        130
    } else if options.expect {
        report.exit_code_against_expectations()
    } else {
        report.exit_code()
    };
    match sheet.format {
        ReportFormat::Text if !report.assertions.is_empty() => {
            let piece = text::summary(&report, &sheet.text);
            sheet.show(piece);
        }
        ReportFormat::Text if !script.has_errors() => {
            terminal.note("csp: the script has no assertions\n");
        }
        ReportFormat::Jsonl => sheet.show(format::json::last_line(&report, code)),
        ReportFormat::Fdr => sheet.show(format::fdr::text(
            &report,
            format::fdr::FdrOptions::default(),
        )),
        _ => {}
    }
    sheet.keep(report, code);
    Ok(code)
}

/// Shows how the definitions and assertions of a script were read, with every bracket.
fn brackets(options: &CheckArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let mut worst = 0;
    for file in std::iter::once(&options.script.file).chain(&options.more) {
        let mut arguments = options.script.clone();
        arguments.file.clone_from(file);
        let script = language::load(&arguments, terminal)?;
        if script.has_errors() {
            worst = 2;
        } else {
            output::write(options.output.as_deref(), &script.brackets())?;
        }
    }
    Ok(worst)
}

/// What a run has to say as it goes.
pub(crate) enum News<'a> {
    /// The value of a `print` statement.
    Printed(&'a str),
    /// An assertion and what it came to.
    Decided(&'a AssertionReport),
}

/// Checks the selected assertions one after another, with a progress line.
pub(crate) fn check(
    script: &mut Script,
    settings: &CheckSettings,
    quiet: bool,
    terminal: &Terminal,
    tell: impl FnMut(News<'_>),
) -> Result<Report, Failure> {
    let mut audience = OnTerminal {
        quiet,
        terminal,
        tell,
    };
    script
        .run(settings, &mut audience)
        .map_err(Failure::Message)
}

/// Shows what is wrong and how far it has come on the terminal, and passes on the rest.
struct OnTerminal<'a, T> {
    quiet: bool,
    terminal: &'a Terminal,
    tell: T,
}

impl<T: FnMut(News<'_>)> Audience for OnTerminal<'_, T> {
    fn wrong(&mut self, diagnostics: &[Diagnostic], sources: &Sources) {
        self.terminal.show(diagnostics, sources);
    }

    fn printed(&mut self, value: &str) {
        (self.tell)(News::Printed(value));
    }

    fn begins(&mut self, assertion: &str) -> Box<dyn Observer + '_> {
        let what = format!("compiling {assertion}");
        Box::new(ProgressLine::new(&what, self.quiet, self.terminal))
    }

    fn decided(&mut self, assertion: &AssertionReport) {
        (self.tell)(News::Decided(assertion));
    }
}

/// How many threads to use: one for each core if nothing is said.
pub(crate) fn threads(wanted: Option<usize>) -> Result<usize, Failure> {
    match wanted {
        Some(0) => Err(Failure::Message("--threads must be at least 1".to_owned())),
        Some(n) => Ok(n),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

pub(crate) fn settings(
    limits: &LimitArguments,
    select: &[String],
) -> Result<CheckSettings, Failure> {
    Ok(CheckSettings {
        threads: threads(limits.threads)?,
        max_states: limits.max_states,
        timeout: limits.timeout,
        memory: limits.memory.as_deref().map(size).transpose()?,
        counterexamples: limits.counterexamples.max(1),
        textbook_termination: limits.termination == Termination::Textbook,
        reductions: Reductions {
            partial_order: limits.por,
            symmetry: limits.symmetry,
        },
        leaf_compression: limits.leaf_compression.into(),
        max_leaf_states: limits.max_leaf_states,
        store: limits.store.map(Into::into),
        select: select.to_vec(),
        ..CheckSettings::default()
    })
}

/// `500M`, `8G`, or bytes.
pub(crate) fn size(text: &str) -> Result<u64, Failure> {
    quantity::bytes(text).map_err(Failure::Message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_code_wins() {
        assert_eq!(
            [worse(1, 3), worse(3, 0), worse(1, 2), worse(0, 0)],
            [1, 3, 2, 0]
        );
    }
}
