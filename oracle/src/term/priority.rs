//! Priority among events, as `prioritise` and `prioritisepo` have it.
//!
//! An order says which events are *low*, that is below τ and ✓, and for each low event which
//! events are above it. An event that is not low is blocked by nothing.

use std::fmt::{self, Display, Formatter};

use super::print::Set;
use crate::events::{Event, Events, MOST_EVENTS};

/// Which events give way to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Priority {
    /// The events below τ and ✓.
    low: Events,
    /// For each event those above it; none if it is not low. Transitive.
    above: [Events; MOST_EVENTS as usize],
    /// The class of each event, the first being 1, or 0 for those in none, if there are classes.
    classes: Option<[u8; MOST_EVENTS as usize]>,
}

impl Priority {
    /// `<A1, A2, …>`, given by the class of each event. The first class is level with τ and ✓.
    #[must_use]
    pub fn of_classes(classes: [u8; MOST_EVENTS as usize]) -> Self {
        let places = || classes.iter().zip((0..MOST_EVENTS).map(Event));
        let above = classes.map(|own| {
            let higher = places().filter(|(class, _)| **class > 0 && **class < own);
            higher.map(|p| p.1).collect()
        });
        Self {
            low: places().filter(|p| *p.0 > 1).map(|p| p.1).collect(),
            above,
            classes: Some(classes),
        }
    }

    /// A partial order, given by the events above each; made transitive. Every event that is below
    /// another is low, and so are the others that are said to be.
    #[must_use]
    pub fn of_order(low: Events, mut above: [Events; MOST_EVENTS as usize]) -> Self {
        for _ in 0..MOST_EVENTS {
            let before = above;
            for own in &mut above {
                *own = own
                    .iter()
                    .fold(*own, |all, e| all.or(before[usize::from(e.0)]));
            }
        }
        let below = (0..MOST_EVENTS)
            .map(Event)
            .filter(|e| !above[usize::from(e.0)].is_empty());
        Self {
            low: low.or(below.collect()),
            above,
            classes: None,
        }
    }

    /// τ and ✓ before the events of a set, and nothing else.
    #[must_use]
    pub fn silence_over(events: Events) -> Self {
        Self::of_order(events, [Events::NONE; MOST_EVENTS as usize])
    }

    /// The events that a stable state has to be asked about.
    #[must_use]
    pub fn low(&self) -> Events {
        self.low
    }

    /// What a stable state with this offer still offers.
    #[must_use]
    pub fn kept(&self, offer: Events) -> Events {
        let is_kept = |e: &Event| {
            *e == Event::TICK
                || !self.low.has(*e)
                || (!offer.has_tick() && self.above[usize::from(e.0)].and(offer).is_empty())
        };
        offer.iter().filter(is_kept).collect()
    }

    /// The same order on other events: a bijection.
    #[must_use]
    pub fn permuted(&self, to: &[Event; MOST_EVENTS as usize]) -> Self {
        let events = |s: Events| s.iter().map(|e| to[usize::from(e.0)]).collect::<Events>();
        let mut new = *self;
        new.low = events(self.low);
        for (from, target) in to.iter().enumerate() {
            new.above[usize::from(target.0)] = events(self.above[from]);
            if let (Some(new), Some(own)) = (&mut new.classes, &self.classes) {
                new[usize::from(target.0)] = own[from];
            }
        }
        new
    }

    /// The function that a script calls.
    #[must_use]
    pub fn function(&self) -> &'static str {
        if self.classes.is_some() {
            "prioritise"
        } else {
            "prioritisepo"
        }
    }
}

/// The arguments after the process.
impl Display for Priority {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(classes) = &self.classes {
            let last = classes.iter().copied().max().unwrap_or(0).max(1);
            let members = |class: u8| {
                let places = (0..MOST_EVENTS).map(Event);
                let own = places.filter(|e| classes[usize::from(e.0)] == class);
                Set(own.collect()).to_string()
            };
            let sets: Vec<String> = (1..=last).map(members).collect();
            return write!(f, "<{}>", sets.join(","));
        }
        let (mut pairs, mut high) = (Vec::new(), Events::NONE);
        for low in (0..MOST_EVENTS).map(Event) {
            for above in self.above[usize::from(low.0)].iter() {
                pairs.push(format!("({},{})", above.name(), low.name()));
                high = high.or(Events::one(above));
            }
        }
        let maximal = high.without(self.low);
        let all = self.low.or(maximal);
        write!(f, "{},{{{}}},{}", Set(all), pairs.join(","), Set(maximal))
    }
}

#[cfg(test)]
mod tests {
    use super::Priority;
    use crate::events::Events;

    #[test]
    fn classes_and_orders() {
        let classes = Priority::of_classes([1, 2, 0, 3]);
        assert_eq!(classes.to_string(), "<{a},{b},{d}>");
        // a blocks b and d; c is not concerned.
        assert_eq!(classes.kept(Events(0b1111)), Events(0b0101));
        assert_eq!(classes.kept(Events(0b1010)), Events(0b0010));
        assert_eq!(classes.kept(Events::TICK.or(Events(0b0010))), Events::TICK);
        let mut above = [Events::NONE; 4];
        above[1] = Events(0b0001);
        above[2] = Events(0b0010);
        let order = Priority::of_order(Events::NONE, above);
        assert_eq!(order.to_string(), "{a,b,c},{(a,b),(a,c),(b,c)},{a}");
        assert_eq!(order.kept(Events(0b0101)), Events(0b0001));
    }
}
