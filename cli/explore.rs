//! `explore`: step through a process in the terminal.

pub(crate) mod prompt;

use std::fmt::Write;
use std::path::Path;

use csp_driver::escape;
use csp_driver::explore::{Explorer, Option as Choice};

use crate::args::ExploreArguments;
use crate::cards::CardStyle;
use crate::counterexample::wrapped;
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;
use crate::text::counted;
use prompt::Prompt;

const HELP: &str = "  NUMBER or EVENT   do it              u [N], undo      take back N steps
  until EVENT       go on to it        redo [N]         do them again
  why EVENT         who refuses it     go N             to step N; 0 is the start
  r [N [SEED]]      N random steps     /TEXT            only events or parts with TEXT; / shows all
  s                 states of parts    branches, branch N   other ways tried from here
  t                 the trace so far   mark NAME        remember this state
  h                 hide or show the   back NAME        go to it; marks lists them
                    names of hidden    w FILE           write the trace
                    events             q, Ctrl-D        quit
  An empty line shows where we are again. Tab completes commands and events; arrows go through earlier lines.
";

pub(crate) fn run(options: &ExploreArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let look = options.look.inspection()?;
    let mut script = language::load_within(&options.script, &options.look.limits()?, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let progress = ProgressLine::new("compiling", true, terminal);
    let (found, trace) = match (&options.process, &options.select) {
        (Some(process), None) => (script.explorer(process, &look, &progress), None),
        (None, Some(pattern)) if options.trace.is_some() => {
            let explorer = script.explorer_of_implementation(pattern, &look, &progress);
            (explorer, None)
        }
        (None, Some(pattern)) => script.explorer_of_assertion(pattern, &look, &progress),
        _ => match script.explorer_of_game(&look, &progress) {
            Some(found) => (found, None),
            None => {
                let message = "name a process, or an assertion with --assert";
                return Err(Failure::Message(message.to_owned()));
            }
        },
    };
    let mut explorer = match found {
        Ok(explorer) => explorer,
        Err(problem) => {
            terminal.show(&problem.diagnostics, script.sources());
            if let Some(limit) = problem.limit {
                return Err(Failure::Message(limit));
            }
            return Ok(2);
        }
    };
    if let Some(text) = trace {
        explorer.replay(&text).map_err(Failure::Message)?;
    }
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
        reveal: true,
        filter: String::new(),
        seed: 1,
        width: terminal.width,
        style: CardStyle {
            colour: terminal.colour,
            ascii: terminal.ascii,
            open: false,
        },
    };
    terminal.print_painted(&session.screen())?;
    let mut prompt = Prompt::new()?;
    while let Some(line) = prompt.line(&session.words())? {
        match session.command(line.trim()) {
            Reply::Quit => break,
            Reply::Say(text) => terminal.print(&text)?,
            Reply::Moved => terminal.print_painted(&session.screen())?,
        }
        if output::closed() {
            break;
        }
        if interrupt::requested() {
            return Ok(130);
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
    filter: String,
    seed: u64,
    width: usize,
    style: CardStyle,
}

impl Session {
    /// What can be typed now, for completion.
    fn words(&self) -> Vec<String> {
        let commands = [
            "undo", "redo", "until ", "why ", "go ", "branches", "branch ", "mark ", "marks",
            "back ", "quit", "help",
        ];
        let mut words: Vec<String> = commands.iter().map(|w| (*w).to_owned()).collect();
        for option in self.explorer.options() {
            words.push(option.revealed);
        }
        for event in self.explorer.alphabet().into_iter().take(2_000) {
            words.push(format!("why {event}"));
            words.push(format!("until {event}"));
        }
        words.sort();
        words.dedup();
        words
    }

    fn command(&mut self, line: &str) -> Reply {
        if let Some(text) = line.strip_prefix('/') {
            text.trim().clone_into(&mut self.filter);
            return Reply::Moved;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let count = || rest.parse().unwrap_or(1);
        let say = |text: String| Reply::Say(format!("  {text}\n"));
        match word {
            "q" | "quit" => return Reply::Quit,
            "" => {}
            "?" | "help" => return Reply::Say(HELP.to_owned()),
            "u" | "undo" => {
                for undone in 0..count() {
                    if !self.explorer.undo() && undone == 0 {
                        return say("this is the start".to_owned());
                    }
                }
            }
            "redo" => {
                for done in 0..count() {
                    if !self.explorer.redo() && done == 0 {
                        return say("nothing has been undone".to_owned());
                    }
                }
            }
            "h" => self.reveal = !self.reveal,
            "0" => while self.explorer.undo() {},
            "go" => match rest.parse() {
                Ok(step) if self.explorer.jump(step) => {}
                _ => {
                    let length = self.explorer.length();
                    return say(format!("go 0 to go {length}"));
                }
            },
            "t" => {
                let trace = self.explorer.trace(self.reveal).join(", ");
                return Reply::Say(wrapped(&format!("<{trace}>"), 2, self.width));
            }
            "s" => return Reply::Say(self.states()),
            "why" if !rest.is_empty() => {
                let why = self.explorer.why_not(rest);
                return Reply::Say(wrapped(&why, 2, self.width));
            }
            "until" if !rest.is_empty() => {
                if let Err(reason) = self.explorer.run_until(rest, &interrupt::requested) {
                    return say(reason);
                }
            }
            "branches" => return Reply::Say(numbered(&self.explorer.branches())),
            "branch" => {
                let place = rest.parse::<usize>().unwrap_or(0);
                if place == 0 || !self.explorer.branch(place - 1) {
                    return say("there is no such branch; `branches` lists them".to_owned());
                }
            }
            "mark" if !rest.is_empty() => {
                self.explorer.bookmark(rest);
                return say(format!("{rest} is step {}", self.explorer.depth()));
            }
            "marks" => {
                let marks = self.explorer.bookmarks().into_iter();
                let marks = marks.map(|(name, step)| format!("  {name}  step {step}\n"));
                return Reply::Say(marks.collect());
            }
            "back" => {
                if !self.explorer.visit(rest) {
                    return say("there is no such mark; `marks` lists them".to_owned());
                }
            }
            "w" if !rest.is_empty() => {
                let written = output::write(Some(Path::new(rest)), &self.explorer.saved());
                return say(match written {
                    Err(Failure::Message(reason)) => reason,
                    _ => format!("written to {rest}"),
                });
            }
            "r" => {
                let mut numbers = rest.split_whitespace();
                let steps = numbers.next().and_then(|n| n.parse().ok()).unwrap_or(1);
                if let Some(seed) = numbers.next().and_then(|n| n.parse().ok()) {
                    self.seed = seed;
                }
                self.random(steps);
            }
            _ => return self.choose(line),
        }
        Reply::Moved
    }

    /// Does an option, by its number or by the name of its event.
    fn choose(&mut self, line: &str) -> Reply {
        let options = self.explorer.options();
        if let Ok(number) = line.parse::<usize>() {
            if (1..=options.len()).contains(&number) {
                self.explorer.choose(number - 1);
                return Reply::Moved;
            }
            let last = options.len();
            return Reply::Say(format!(
                "  there is no option {number}; the last is {last}\n"
            ));
        }
        let is_it = |o: &Choice| o.event == line || o.revealed == line;
        let places: Vec<usize> = (0..options.len()).filter(|i| is_it(&options[*i])).collect();
        match places[..] {
            [only] => {
                self.explorer.choose(only);
                Reply::Moved
            }
            [] if self.explorer.alphabet().iter().any(|event| event == line) => {
                let why = self.explorer.why_not(line);
                Reply::Say(wrapped(&why, 2, self.width))
            }
            [] => Reply::Say(format!("  '{line}' is not a choice; ? for help\n")),
            _ => {
                let numbers: Vec<String> = places.iter().map(|i| (i + 1).to_string()).collect();
                let numbers = numbers.join(", ");
                Reply::Say(format!("  several ways do {line}: {numbers}\n"))
            }
        }
    }

    /// Steps chosen by a small generator: the same seed gives the same walk.
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

    fn states(&self) -> String {
        let states = self.explorer.states();
        let shown = |label: &str| self.filter.is_empty() || label.contains(&self.filter);
        let mut out = String::new();
        for part in states.iter().filter(|part| shown(&part.label)) {
            let mark = if part.moved { "*" } else { " " };
            let text = part.text();
            let line = part.state.span.as_ref();
            let line = line.map_or_else(String::new, |s| format!("  (line {})", s.line));
            let _ = writeln!(out, "  {mark} {text}{line}");
        }
        out
    }

    /// The position of the game, if one is played.
    fn board(&self) -> String {
        match self.explorer.board() {
            None => String::new(),
            Some(Err(why)) => {
                let why = format!("(no position: {})", escape::line(&why));
                wrapped(&why, 2, self.width)
            }
            Some(Ok(board)) => {
                let mut out = self.style.position(&board.position);
                if let Some(score) = board.score {
                    let _ = writeln!(out, "score {score}");
                }
                if board.won {
                    let _ = writeln!(out, "{} is won", board.game);
                }
                out.push('\n');
                out
            }
        }
    }

    fn screen(&self) -> String {
        let depth = self.explorer.depth();
        let length = self.explorer.length();
        let mut out = self.board();
        let _ = write!(out, "after {}", counted(depth as u64, "step"));
        if length > depth {
            let _ = write!(out, " of {length}");
        }
        out.push('\n');
        let options = self.explorer.options();
        if let Some(why) = self.explorer.dead_end() {
            out.push_str("  nothing is possible any more\n");
            out.push_str(&wrapped(&escape::line(&why), 2, self.width));
        }
        // What comes from the script is escaped here: cards have colours, which nothing else may have.
        let name = |option: &Choice| {
            if self.reveal && option.event != option.revealed {
                format!("({})", escape::line(&option.revealed))
            } else {
                escape::line(&option.event).into_owned()
            }
        };
        let names: Vec<String> = options.iter().map(name).collect();
        let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        let width = width.min(self.width / 2);
        let mut left_out = 0;
        for (i, option) in options.iter().enumerate() {
            if !self.is_wanted(option) {
                left_out += 1;
                continue;
            }
            let name = &names[i];
            // A move is told in the words of the game, anything else by who takes part.
            let beside = match &option.words {
                Some(words) => self.style.words(words),
                None if self.reveal => escape::line(&option.who.join(", ")).into_owned(),
                None => String::new(),
            };
            let row = format!("  {:>3}  {name:width$}  {beside}", i + 1);
            let _ = writeln!(out, "{}", row.trim_end());
        }
        if left_out > 0 {
            let filter = escape::line(&self.filter);
            let _ = writeln!(out, "  ({left_out} without '{filter}'; / shows all)");
        }
        out
    }

    fn is_wanted(&self, option: &Choice) -> bool {
        let names = [&option.event, &option.revealed].into_iter();
        let mut names = names.chain(&option.who).chain(&option.words);
        names.any(|name| name.contains(&self.filter))
    }
}

fn numbered(names: &[String]) -> String {
    if names.is_empty() {
        return "  nothing has been tried from here\n".to_owned();
    }
    let rows = names.iter().enumerate();
    rows.map(|(i, name)| format!("  {:>3}  {name}\n", i + 1))
        .collect()
}
