//! The lines that a player types, and what comes back.

use std::fmt::Write;
use std::path::Path;

use csp_driver::Observer;
use csp_driver::play::{
    ForcedReport, LampReport, Limits, OfferReport, RefusalReport, RunReport, Table,
};

use super::load;
use crate::cards::CardStyle;
use crate::output::Failure;

pub(super) const HELP: &str = "Moves
  NUMBER                 an offer of the list          EVENT      as the model writes it
  34  3a  ah  w5  w5-2   from and to by short names    draw, d    turn cards of the stock
  5D 6C   5D h   5D      a card, and where it goes     d2-d4      a jump      a1=8  a digit
  Move:DEST:SOURCE       one card to a pile            Move:DEST:SOURCE:AMOUNT   several
  Turn:DP                the stock
The game
  board, b     the position            moves, m     what is offered, with events
  undo, u [N]  take moves back         redo, r [N]  make them again
  restart      back to the deal        log          the moves so far
  branches     what else was tried     go N         to position N
  score        the score               why MOVE     who refuses it, and why
  save FILE, load FILE                 help, ?      quit, q
Help
  lamp         can this still be won?  hint         a move that wins
  solve        the rest of a win       follow [N]   make N moves of it, or all
";

/// What a command comes to.
pub(super) enum Reply {
    Quit,
    Say(String),
    Moved(String),
    Refused(String),
}

/// A player at a table.
pub(super) struct Seat {
    pub(super) table: Table,
    pub(super) style: CardStyle,
    pub(super) limits: Limits,
}

impl Seat {
    /// The position, with what can be done.
    pub(super) fn board(&self) -> String {
        let report = self.table.report();
        let mut out = self.style.position(&report.position);
        let _ = write!(out, "\nmove {}", report.number);
        if let Some(score) = report.score {
            let _ = write!(out, ", score {score}");
        }
        match report.offers.len() {
            _ if report.won => {}
            0 => out.push_str(", nothing is possible any more"),
            n => {
                let _ = write!(out, ", {n} possible: ");
                let texts = report.offers.iter().enumerate();
                let texts = texts.map(|(i, o)| format!("{} {}", i + 1, self.style.words(&o.text)));
                out.push_str(&texts.collect::<Vec<_>>().join("; "));
            }
        }
        out.push('\n');
        if report.won {
            out.push_str(&self.ending());
        }
        out
    }

    /// What the lamp says, with its light.
    pub(super) fn light(&self) -> String {
        let lamp = self.table.lamp();
        let (light, colour) = match lamp.state.as_str() {
            "won" => ("●", "32"),
            "lost" => ("●", "31"),
            _ => ("○", "33"),
        };
        let light = if self.style.ascii { "*" } else { light };
        format!("{} {}", self.style.painted(light, colour), lamp.sentence)
    }

    /// What is said of a game that is won.
    pub(super) fn ending(&self) -> String {
        match self.table.score() {
            Some(score) => format!("the game is won: {score} points\n"),
            None => "the game is won\n".to_owned(),
        }
    }

    pub(super) fn command(&mut self, line: &str, observer: &dyn Observer) -> Reply {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let times = if rest.is_empty() {
            Some(1)
        } else {
            rest.parse().ok()
        };
        match (word, rest, times) {
            ("q" | "quit" | "exit", "", _) => Reply::Quit,
            ("?" | "help", "", _) => Reply::Say(HELP.to_owned()),
            ("b" | "board", "", _) => Reply::Say(self.board()),
            ("m" | "moves", "", _) => Reply::Say(self.moves()),
            ("u" | "undo", _, Some(times)) => self.again(times, Table::undo, "this is the deal"),
            ("r" | "redo", _, Some(times)) => {
                self.again(times, Table::redo, "there is nothing to redo")
            }
            ("restart", "", _) => {
                self.table.restart();
                Reply::Moved(String::new())
            }
            ("go", _, Some(node)) if !rest.is_empty() => {
                if self.table.go(node) {
                    Reply::Moved(String::new())
                } else {
                    Reply::Refused(format!("  there is no position {node}\n"))
                }
            }
            ("log", "", _) => Reply::Say(self.log()),
            ("branches", "", _) => Reply::Say(self.branches()),
            ("score", "", _) => Reply::Say(match self.table.score() {
                Some(score) => format!("  score {score}\n"),
                None => "  this game has no score\n".to_owned(),
            }),
            ("why", _, _) if !rest.is_empty() => self.why(rest),
            ("save", _, _) if !rest.is_empty() => self.save(Path::new(rest)),
            ("load", _, _) if !rest.is_empty() => match load(&mut self.table, Path::new(rest)) {
                Ok(()) => Reply::Moved(format!("  loaded {rest}\n")),
                Err(Failure::Message(why)) => Reply::Refused(format!("  {why}\n")),
                Err(_) => Reply::Quit,
            },
            ("lamp", "", _) => {
                let lamp = self.judged(observer);
                Reply::Say(format!("  {}\n", lamp.sentence))
            }
            ("hint", "", _) => self.hint(observer),
            ("solve", "", _) => self.solve(observer),
            ("follow", _, times) => {
                self.follow(if rest.is_empty() { None } else { times }, observer)
            }
            _ => self.make(line),
        }
    }

    fn again(&mut self, times: usize, step: fn(&mut Table) -> bool, end: &str) -> Reply {
        let done = (0..times).take_while(|_| step(&mut self.table)).count();
        if done < times {
            let text = format!("  {end}\n");
            return if done == 0 {
                Reply::Refused(text)
            } else {
                Reply::Moved(text)
            };
        }
        Reply::Moved(String::new())
    }

    fn make(&mut self, line: &str) -> Reply {
        match self.table.command(line) {
            Ok(done) => Reply::Moved(self.told_all(&done)),
            Err(refusal) => Reply::Refused(self.refused(&refusal)),
        }
    }

    /// What was done last: a move, or the moves of a run below one line for them all.
    fn told_all(&self, done: &[OfferReport]) -> String {
        let first = self.table.number() + 1 - done.len();
        let runs = self.table.report().runs;
        let run = runs.iter().find(|run| run.number == first);
        let mut out = run.map_or_else(String::new, |run| self.run(run));
        for (i, offer) in done.iter().enumerate() {
            out.push_str(&self.told(first + i, offer));
        }
        out
    }

    fn run(&self, run: &RunReport) -> String {
        let text = self.style.words(&run.text);
        format!("      {:<6} {text}:\n", run.notation)
    }

    fn told(&self, number: usize, done: &OfferReport) -> String {
        let text = self.style.words(&done.text);
        let mut out = format!(
            "{number:>4}  {:<6} {text}    {}\n",
            done.notation, done.event
        );
        self.forced(&mut out, &done.forced);
        out
    }

    fn forced(&self, out: &mut String, forced: &[ForcedReport]) {
        for by_itself in forced {
            if let Some(text) = &by_itself.text {
                let text = self.style.words(text);
                let _ = writeln!(out, "{:13}{text}    {}", "", by_itself.event);
            }
        }
    }

    fn refused(&self, refusal: &RefusalReport) -> String {
        let reason = self.style.words(&refusal.reason);
        let mut out = format!("  no: {reason}\n");
        if let (Some(event), false) = (&refusal.event, refusal.refused_by.is_empty()) {
            let by = refusal.refused_by.join(", ");
            let _ = writeln!(out, "      {event} is refused by {by}");
        }
        out
    }

    fn moves(&self) -> String {
        let mut out = String::new();
        for (i, offer) in self.table.offers().iter().enumerate() {
            let text = self.style.words(&offer.text);
            let who = offer.who.join(", ");
            let _ = writeln!(
                out,
                "{:>4}  {:<6} {text}    {}",
                i + 1,
                offer.notation,
                offer.event
            );
            let _ = writeln!(out, "{:13}by {who}", "");
            self.forced(&mut out, &offer.forced);
        }
        if out.is_empty() {
            out.push_str("  nothing is possible\n");
        }
        out
    }

    fn log(&self) -> String {
        let report = self.table.report();
        let mut out = String::new();
        self.forced(&mut out, &report.opening);
        for line in &report.line {
            let run = report.runs.iter().find(|run| run.number == line.number);
            out.push_str(&run.map_or_else(String::new, |run| self.run(run)));
            out.push_str(&self.told(line.number, &line.done));
        }
        if out.is_empty() {
            out.push_str("  no move was made\n");
        }
        out
    }

    fn branches(&self) -> String {
        let mut out = String::new();
        for branch in self.table.report().branches {
            let ways = branch.ways.iter();
            let ways = ways.map(|(node, text)| format!("{} (go {node})", self.style.words(text)));
            let ways: Vec<String> = ways.collect();
            let _ = writeln!(out, "  after move {}: {}", branch.number, ways.join(", "));
        }
        if out.is_empty() {
            out.push_str("  the game has no branches\n");
        }
        out
    }

    fn why(&mut self, line: &str) -> Reply {
        let before = self.table.number();
        match self.table.command(line) {
            Err(refusal) => Reply::Say(self.refused(&refusal)),
            Ok(done) => {
                debug_assert!(self.table.number() > before, "a move was made");
                let texts = done.iter().map(|offer| self.style.words(&offer.text));
                let text = texts.collect::<Vec<_>>().join("; ");
                for _ in &done {
                    self.table.undo();
                }
                Reply::Say(format!("  it can be done: {text}\n"))
            }
        }
    }

    fn save(&self, path: &Path) -> Reply {
        let text = serde_json::to_string_pretty(&self.table.saved());
        let written = text
            .map_err(|e| e.to_string())
            .and_then(|text| std::fs::write(path, text + "\n").map_err(|e| e.to_string()));
        match written {
            Ok(()) => Reply::Say(format!("  saved in {}\n", path.display())),
            Err(e) => Reply::Refused(format!("  cannot write {}: {e}\n", path.display())),
        }
    }

    /// What the lamp says after a search; a winning line without detours.
    fn judged(&mut self, observer: &dyn Observer) -> LampReport {
        self.table.judge(&self.limits, observer)
    }

    fn hint(&mut self, observer: &dyn Observer) -> Reply {
        let lamp = self.judged(observer);
        let first = lamp.line.first();
        let offer = first.and_then(|e| self.table.offers().iter().find(|o| o.event == *e));
        Reply::Say(match offer {
            Some(offer) => {
                let text = self.style.words(&offer.text);
                format!("  {text} ({}); {}\n", offer.notation, lamp.sentence)
            }
            None => format!("  {}\n", lamp.sentence),
        })
    }

    fn solve(&mut self, observer: &dyn Observer) -> Reply {
        let lamp = self.judged(observer);
        if lamp.line.is_empty() {
            return Reply::Say(format!("  {}\n", lamp.sentence));
        }
        let at = self.table.number();
        let mut out = String::new();
        let mut made = 0;
        for event in &lamp.line {
            match self.table.command(event) {
                Ok(done) => {
                    for offer in &done {
                        made += 1;
                        out.push_str(&self.told(at + made, offer));
                    }
                }
                Err(refusal) => return Reply::Refused(self.refused(&refusal)),
            }
        }
        for _ in 0..made {
            self.table.undo();
        }
        let _ = writeln!(out, "  {}; follow makes these moves", lamp.sentence);
        Reply::Say(out)
    }

    fn follow(&mut self, times: Option<usize>, observer: &dyn Observer) -> Reply {
        let lamp = self.judged(observer);
        if lamp.line.is_empty() {
            return Reply::Say(format!("  {}\n", lamp.sentence));
        }
        let mut out = String::new();
        for event in lamp.line.iter().take(times.unwrap_or(usize::MAX)) {
            match self.table.command(event) {
                Ok(done) => out.push_str(&self.told_all(&done)),
                Err(refusal) => return Reply::Refused(self.refused(&refusal)),
            }
        }
        Reply::Moved(out)
    }
}
