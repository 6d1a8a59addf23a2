//! The parts put together, and what of them is seen.

use std::fmt::Write;

use super::writer::{OwnedPart, Writer};

impl Writer<'_> {
    /// The network and what of it is seen.
    pub(super) fn game(&mut self) {
        self.heading("The game");
        let mut names = Vec::new();
        let parts = std::mem::take(&mut self.parts);
        for (channel, _) in &self.opening {
            let _ = writeln!(self.out, "{channel}");
        }
        for (
            i,
            OwnedPart {
                generator,
                process,
                events,
            },
        ) in parts.iter().enumerate()
        {
            let name = format!("Part{}", i + 1);
            if generator.is_empty() {
                let _ = writeln!(
                    self.out,
                    "{name} = {process}\npart{}Events = {events}",
                    i + 1
                );
            } else {
                let (variable, set) = generator.split_once(" : ").unwrap_or(("c", "Card"));
                let _ = writeln!(
                    self.out,
                    "{name} = || {generator} @ [{events}] {process}\npart{}Events = Union({{ {events} | {variable} <- {set} }})",
                    i + 1
                );
            }
            names.push(i + 1);
        }
        let mut system = String::from("Part1");
        let mut events = String::from("part1Events");
        for i in names.iter().skip(1) {
            system = format!("({system})\n  [ {events} || part{i}Events ] Part{i}");
            events = format!("union({events}, part{i}Events)");
        }
        let _ = writeln!(self.out, "System =\n  {system}\n\nallEvents = {events}");
        let mut hidden = std::mem::take(&mut self.bookkeeping);
        if !self.reasons.is_empty() {
            hidden.push("Union({ sentHome(c, why) | c <- playing, why <- Reason })".to_owned());
        }
        if hidden.is_empty() {
            self.line("Game = System");
            self.line("choices = diff(allEvents, {done})");
        } else {
            self.line("-- What happens by itself, at once and before the next choice.");
            let _ = writeln!(self.out, "byItself = Union({{{}}})", hidden.join(", "));
            self.line("transparent chase");
            self.line("Game = chase(System \\ byItself)");
            self.line("choices = diff(diff(allEvents, byItself), {done})");
        }
        if self.options.undealt {
            let opening: Vec<&str> = self.opening.iter().map(|o| o.1.as_str()).collect();
            let opening = opening.join("\n  ^ ");
            self.line("-- What the parts are told at the start.");
            let _ = writeln!(self.out, "opening =\n    {opening}");
        }
        self.line("");
    }
}
