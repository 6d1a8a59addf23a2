//! `repl`: ask a script about its values, types and processes.

use csp_driver::{Inspection, Script};

use crate::args::ReplArguments;
use crate::counterexample::wrapped;
use crate::explore::prompt::Prompt;
use crate::interrupt;
use crate::language;
use crate::output::{Failure, Terminal};
use crate::progress::ProgressLine;
use crate::text::counted;

const HELP: &str = "  EXPRESSION          its value
  :type EXPRESSION    its type
  :alphabet PROCESS   the events it may do
  :states PROCESS     how many states and transitions it has
  :names              what the script defines, with types
  :quit               leave
";

/// States that are counted before giving up.
const MOST_STATES: u64 = 1_000_000;

pub(crate) fn run(options: &ReplArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let mut script = language::load(&options.script, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let commands = [
        ":type ",
        ":alphabet ",
        ":states ",
        ":names",
        ":quit",
        ":help",
    ];
    let mut words: Vec<String> = commands.iter().map(|w| (*w).to_owned()).collect();
    for (name, _) in script.types() {
        words.push(name.to_owned());
        words.push(format!(":type {name}"));
        words.push(format!(":alphabet {name}"));
        words.push(format!(":states {name}"));
    }
    words.sort();
    words.dedup();
    let mut prompt = Prompt::new()?;
    while let Some(line) = prompt.line(&words)? {
        let line = line.trim();
        if matches!(line, ":q" | ":quit") {
            break;
        }
        if !line.is_empty() {
            let answer = answer(&mut script, line, terminal);
            terminal.print(&answer)?;
        }
        if interrupt::requested() {
            return Ok(130);
        }
    }
    Ok(0)
}

/// What to say to a line; what is wrong with it is shown at once.
fn answer(script: &mut Script, line: &str, terminal: &Terminal) -> String {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let quiet = ProgressLine::new("compiling", true, terminal);
    match word {
        ":help" | ":h" | "?" => HELP.to_owned(),
        ":names" => {
            let names = script
                .types()
                .map(|(name, of)| format!("  {name} :: {of}\n"));
            names.collect()
        }
        ":type" | ":t" => match script.type_of(rest) {
            Ok(found) => format!("  {found}\n"),
            Err(wrong) => {
                terminal.show(&wrong, script.sources());
                String::new()
            }
        },
        ":alphabet" => match script.explorer(rest, &Inspection::default(), &quiet) {
            Ok(explorer) => {
                let events = explorer.alphabet().join(", ");
                wrapped(&format!("{{{events}}}"), 2, terminal.width)
            }
            Err(problem) => {
                terminal.show(&problem.diagnostics, script.sources());
                problem
                    .limit
                    .map_or_else(String::new, |l| format!("  {l}\n"))
            }
        },
        ":states" => match script.explicit(rest, MOST_STATES, &Inspection::default(), &quiet) {
            Ok(graph) => {
                let (states, transitions) = (graph.lts.state_count(), graph.lts.transition_count());
                let states = counted(states as u64, "state");
                let transitions = counted(transitions as u64, "transition");
                format!("  {states}, {transitions}\n")
            }
            Err(problem) => {
                terminal.show(&problem.diagnostics, script.sources());
                problem
                    .limit
                    .map_or_else(String::new, |l| format!("  {l}\n"))
            }
        },
        _ if word.starts_with(':') => format!("  '{word}' is no command; :help lists them\n"),
        _ => match script.evaluate(line, None) {
            Ok(value) => format!("{value}\n"),
            Err(wrong) => {
                terminal.show(&wrong, script.sources());
                String::new()
            }
        },
    }
}
