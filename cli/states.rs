//! What `live` and `bounds` have in common: a script, a process, limits, and a report of all its states.

use csp_driver::{CheckSettings, Observer, Problem, Script};

use crate::args::StatesArguments;
use crate::check;
use crate::interrupt;
use crate::language;
use crate::loading::Limits;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;

/// How a report is asked for.
type Ask<R> = fn(&mut Script, &str, &CheckSettings, &dyn Observer) -> Result<R, Problem>;

/// A report and how it is shown.
pub(crate) struct Answer<R> {
    pub(crate) ask: Ask<R>,
    pub(crate) text: fn(&R) -> String,
    pub(crate) json: fn(&R) -> serde_json::Result<String>,
    /// Not all states were reached.
    pub(crate) is_limited: fn(&R) -> bool,
}

/// Loads the script, asks, and shows the answer; the exit code.
pub(crate) fn run<R>(
    options: &StatesArguments,
    terminal: &Terminal,
    answer: &Answer<R>,
) -> Result<u8, Failure> {
    let memory = options.memory.as_deref().map(check::size).transpose()?;
    let limits = Limits {
        timeout: options.timeout,
        memory,
    };
    let mut script = language::load_within(&options.script, &limits, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let settings = CheckSettings {
        max_states: Some(options.max_states),
        timeout: options.timeout,
        memory,
        ..CheckSettings::default()
    };
    let line = ProgressLine::new("exploring", options.quiet, terminal);
    let result = (answer.ask)(&mut script, &options.process, &settings, &line);
    line.finish();
    let report = match result {
        Ok(report) => report,
        Err(problem) => {
            terminal.show(&problem.diagnostics, script.sources());
            let Some(limit) = problem.limit else {
                return Ok(2);
            };
            terminal.error(&limit);
            return Ok(if interrupt::requested() { 130 } else { 3 });
        }
    };
    if options.json {
        let text = (answer.json)(&report);
        output::print(&(text.map_err(|e| Failure::Message(e.to_string()))? + "\n"))?;
    } else {
        terminal.print(&(answer.text)(&report))?;
    }
    Ok(if interrupt::requested() {
        130
    } else if (answer.is_limited)(&report) {
        3
    } else {
        0
    })
}
