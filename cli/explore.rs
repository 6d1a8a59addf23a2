//! `explore`: step through a process in the terminal.

use std::fmt::Write;
use std::io::BufRead;
use std::path::Path;

use csp_driver::explore::{Explorer, Option as Choice};

use crate::args::ExploreArguments;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;

const HELP: &str = "  NUMBER   do that event          u        undo
  r [N]    N random steps         h        show or hide the names of hidden events
  t        the trace so far       s        the states of the components
  w FILE   write the trace        0        back to the start
  q        quit                   ?        this help
";

pub(crate) fn run(options: &ExploreArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let mut script = language::load(&options.script, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let mut explorer = match script.explorer(
        &options.process,
        &ProgressLine::new("compiling", true, terminal),
    ) {
        Ok(explorer) => explorer,
        Err(problem) => {
            terminal.show(&problem.diagnostics, script.sources());
            return Ok(2);
        }
    };
    if let Some(path) = &options.trace {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|e| Failure::Message(format!("cannot read {shown}: {e}")))?;
        let ends_as_said = explorer
            .replay(&text)
            .map_err(|reason| Failure::Message(format!("{shown}: {reason}")))?;
        if !ends_as_said {
            terminal.note(&format!(
                "csp: {shown}: this can be done, but it does not end as the file says\n"
            ));
        }
    }
    let mut session = Session {
        explorer,
        reveal: false,
        seed: 1,
    };
    terminal.print(&session.screen())?;
    for line in std::io::stdin().lock().lines() {
        let line =
            line.map_err(|e| Failure::Message(format!("cannot read standard input: {e}")))?;
        match session.command(line.trim()) {
            Reply::Quit => break,
            Reply::Say(text) => terminal.print(&text)?,
            Reply::Moved => terminal.print(&session.screen())?,
        }
        if output::closed() {
            break;
        }
    }
    Ok(0)
}

enum Reply {
    Quit,
    Say(String),
    Moved,
}

struct Session {
    explorer: Explorer,
    reveal: bool,
    seed: u64,
}

impl Session {
    fn command(&mut self, line: &str) -> Reply {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "q" | "quit" => return Reply::Quit,
            "" | "?" | "help" => return Reply::Say(HELP.to_owned()),
            "u" | "undo" => {
                if !self.explorer.undo() {
                    return Reply::Say("  this is the start\n".to_owned());
                }
            }
            "h" => self.reveal = !self.reveal,
            "0" => while self.explorer.undo() {},
            "t" => {
                return Reply::Say(format!(
                    "  <{}>\n",
                    self.explorer.trace(self.reveal).join(", ")
                ));
            }
            "s" => {
                let mut out = String::new();
                for (name, state) in self.explorer.states() {
                    let _ = writeln!(out, "  {name}: state {state}");
                }
                return Reply::Say(out);
            }
            "w" if !rest.is_empty() => {
                let written = output::write(Some(Path::new(rest)), &self.explorer.saved());
                return Reply::Say(match written {
                    Err(Failure::Message(reason)) => format!("  {reason}\n"),
                    _ => format!("  written to {rest}\n"),
                });
            }
            "r" => self.random(rest.parse().unwrap_or(1)),
            number => match number.parse::<usize>() {
                Ok(n) if (1..=self.explorer.options().len()).contains(&n) => {
                    self.explorer.choose(n - 1)
                }
                _ => return Reply::Say(format!("  '{line}' is not a choice; ? for help\n")),
            },
        }
        Reply::Moved
    }

    /// Steps chosen by a small generator: the same session gives the same walk.
    fn random(&mut self, steps: usize) {
        for _ in 0..steps {
            let count = self.explorer.options().len();
            if count == 0 {
                return;
            }
            self.seed = self
                .seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.explorer.choose((self.seed >> 33) as usize % count);
        }
    }

    fn screen(&self) -> String {
        let depth = self.explorer.depth();
        let mut out = format!("after {depth} step{}\n", if depth == 1 { "" } else { "s" });
        let options = self.explorer.options();
        if options.is_empty() {
            out.push_str("  nothing is possible any more\n");
        }
        for (
            i,
            Choice {
                event,
                revealed,
                who,
            },
        ) in options.iter().enumerate()
        {
            let name = if self.reveal && event != revealed {
                format!("({revealed})")
            } else {
                event.clone()
            };
            let who = if self.reveal {
                who.join(", ")
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "{}",
                format!("  {:>3}  {name}  {who}", i + 1).trim_end()
            );
        }
        out
    }
}
