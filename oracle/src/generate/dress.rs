//! The same script in other clothes: events as values of channels, choices of events as inputs,
//! definitions as clauses of one function, assertions denied. The product must see no difference;
//! its front end and its tables of events do.

use super::Case;
use crate::events::Event;

/// How a script is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Dress {
    /// What the events are called.
    pub events: Names,
    /// `P(0) = …` instead of `P0 = …`.
    pub clauses: bool,
    /// `e?x:{0,1} -> …` instead of `[] x:{e.0,e.1} @ x -> …`, and `e$x` for `|~|`, if there is one channel.
    pub inputs: bool,
    /// `assert not …`.
    pub denied: bool,
}

/// What the events of a script are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Names {
    /// `a`, `b`, `c`, `d`.
    #[default]
    Plain,
    /// `e.0`, `e.1`, `e.2`, `e.3`.
    OneChannel,
    /// `l.0`, `r.0`, `l.1`, `r.1`: neighbours are apart.
    TwoChannels,
    /// `a`, `b`, `c`, `tock`.
    Tock,
}

impl Names {
    fn name(self, event: Event) -> &'static str {
        let place = usize::from(event.0);
        match self {
            Self::Plain => event.name(),
            Self::OneChannel => ["e.0", "e.1", "e.2", "e.3", "✓"][place],
            Self::TwoChannels => ["l.0", "r.0", "l.1", "r.1", "✓"][place],
            Self::Tock => ["a", "b", "c", "tock", "✓"][place],
        }
    }

    fn declaration(self, count: usize) -> Option<String> {
        match self {
            Self::Plain => None,
            Self::Tock => Some("channel a, b, c, tock".to_owned()),
            Self::OneChannel => Some(format!("channel e : {{0..{}}}", count - 1)),
            Self::TwoChannels if count == 1 => Some("channel l : {0..0}".to_owned()),
            Self::TwoChannels => Some(format!(
                "channel l : {{0..{}}}\nchannel r : {{0..{}}}",
                (count - 1) / 2,
                count / 2 - 1
            )),
        }
    }
}

impl Dress {
    /// A way to write the script of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        Self {
            events: match seed % 5 {
                1 => Names::OneChannel,
                3 => Names::TwoChannels,
                _ => Names::Plain,
            },
            clauses: seed % 3 == 1,
            inputs: seed % 2 == 1,
            denied: seed % 7 == 2,
        }
    }

    /// A way to write the script of a case: events of a Timed section keep their names.
    #[must_use]
    pub fn of_case(case: &Case, seed: u64) -> Self {
        let mut dress = Self::of(seed);
        if case.timed.is_some() {
            dress.events = Names::Plain;
        }
        dress
    }

    /// Writes a script otherwise.
    #[must_use]
    pub fn dress(self, script: &str) -> String {
        script.lines().map(|line| self.line(line) + "\n").collect()
    }

    fn line(self, line: &str) -> String {
        if let Some(list) = line.strip_prefix("channel ") {
            let declaration = self.events.declaration(list.split(',').count());
            return declaration.unwrap_or_else(|| line.to_owned());
        }
        let line = &self.with_inputs(&self.with_denial(line));
        let mut text = String::with_capacity(line.len());
        let mut word = String::new();
        for c in line.chars().chain(['\n']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            text += &self.word(&word);
            word.clear();
            if c != '\n' {
                text.push(c);
            }
        }
        text
    }

    fn with_denial(self, line: &str) -> String {
        match (self.denied, line.strip_prefix("assert ")) {
            (true, Some(claim)) => format!("assert not {claim}"),
            (true, None) if line == "--@ expect: pass" => "--@ expect: fail".to_owned(),
            (true, None) if line == "--@ expect: fail" => "--@ expect: pass".to_owned(),
            _ => line.to_owned(),
        }
    }

    fn with_inputs(self, line: &str) -> String {
        if !self.inputs || self.events != Names::OneChannel {
            return line.to_owned();
        }
        let inputs = with_fields(line, "[] x:{", "e?x");
        with_fields(&inputs, "|~| x:{", "e$x")
    }

    fn word(self, word: &str) -> String {
        match (Event::named(word), word.strip_prefix('P')) {
            (Some(event), _) => self.events.name(event).to_owned(),
            (None, Some(number)) if self.clauses && number.parse::<usize>().is_ok() => {
                format!("P({number})")
            }
            _ => word.to_owned(),
        }
    }
}

/// Choices that begin so, written as prefixes with a field.
fn with_fields(line: &str, choice: &str, field: &str) -> String {
    let mut parts = line.split(choice);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (set, rest) = part.split_once("} @ x ->").expect("a choice of events");
        let events = set.split(',').filter_map(Event::named);
        let values: Vec<String> = events.map(|e| e.0.to_string()).collect();
        text += &format!("{field}:{{{}}} ->{rest}", values.join(","));
    }
    text
}

/// The event with this name in some dress.
#[must_use]
pub fn undressed(name: &str) -> Option<Event> {
    let names = [
        Names::Plain,
        Names::OneChannel,
        Names::TwoChannels,
        Names::Tock,
    ];
    let events = (0..=crate::events::MOST_EVENTS).map(Event);
    let mut pairs = events.flat_map(|e| names.map(|n| (e, n)));
    pairs.find(|(e, n)| n.name(*e) == name).map(|p| p.0)
}

#[cfg(test)]
mod tests {
    use super::{Dress, Names, undressed};
    use crate::events::Event;

    #[test]
    fn words_change_and_nothing_else() {
        let dress = Dress {
            events: Names::OneChannel,
            clauses: true,
            inputs: true,
            denied: true,
        };
        let script = "channel a, b\nP0 = (a -> ([] x:{a,b} @ x -> (P10[[a <- b]])))\nP1 = (|~| x:{b} @ x -> STOP)\nassert P0 :[has trace [T]]: <a,b>\n";
        let dressed = "channel e : {0..1}\nP(0) = (e.0 -> (e?x:{0,1} -> (P(10)[[e.0 <- e.1]])))\nP(1) = (e$x:{1} -> STOP)\nassert not P(0) :[has trace [T]]: <e.0,e.1>\n";
        assert_eq!(dress.dress(script), dressed);
        assert_eq!(undressed("r.1"), Some(Event(3)));
    }
}
