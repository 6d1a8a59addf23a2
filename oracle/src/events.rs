//! Events and sets of them, as bits.
//!
//! The oracle knows at most four visible events and ✓, so a set of events is one byte and a set of
//! sets of events is one 32-bit word.

use std::fmt;

/// A visible event, numbered from 0, or [`Event::TICK`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event(pub u8);

/// The most visible events a script of the oracle can have.
pub const MOST_EVENTS: u8 = 4;

impl Event {
    /// Termination.
    pub const TICK: Self = Self(MOST_EVENTS);

    /// The name in scripts; ✓ has none, and is shown as itself.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["a", "b", "c", "d", "✓"][usize::from(self.0)]
    }

    /// The event with this name, if it is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        (0..=MOST_EVENTS).map(Self).find(|e| e.name() == name)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of visible events and ✓.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Events(pub u8);

impl Events {
    /// No event.
    pub const NONE: Self = Self(0);

    /// ✓ alone.
    pub const TICK: Self = Self(1 << MOST_EVENTS);

    /// The first n visible events.
    #[must_use]
    pub fn first(count: u8) -> Self {
        Self((1 << count) - 1)
    }

    /// One event.
    #[must_use]
    pub fn one(event: Event) -> Self {
        Self(1 << event.0)
    }

    /// Whether the event is in the set.
    #[must_use]
    pub fn has(self, event: Event) -> bool {
        self.0 & 1 << event.0 != 0
    }

    /// Whether ✓ is in the set.
    #[must_use]
    pub fn has_tick(self) -> bool {
        self.has(Event::TICK)
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether everything in it is also in the other.
    #[must_use]
    pub fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// What is in either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in this one alone.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// How many there are.
    #[must_use]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The members, ascending, ✓ last.
    pub fn iter(self) -> impl Iterator<Item = Event> {
        (0..=MOST_EVENTS).map(Event).filter(move |e| self.has(*e))
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        events
            .into_iter()
            .fold(Self::NONE, |all, e| all.or(Self::one(e)))
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A set of sets of events: one bit for each of the 32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Family(pub u32);

impl Family {
    /// No set at all.
    pub const NONE: Self = Self(0);

    /// One set.
    #[must_use]
    pub fn one(set: Events) -> Self {
        Self(1 << set.0)
    }

    /// Whether the set is a member.
    #[must_use]
    pub fn has(self, set: Events) -> bool {
        self.0 & 1 << set.0 != 0
    }

    /// Members of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members.
    pub fn iter(self) -> impl Iterator<Item = Events> {
        (0..32).map(Events).filter(move |s| self.has(*s))
    }

    /// The image under a function that may reject members.
    #[must_use]
    pub fn map(self, mut image: impl FnMut(Events) -> Option<Events>) -> Self {
        self.iter().filter_map(&mut image).collect()
    }

    /// The images of all pairs under a function that may reject them.
    #[must_use]
    pub fn pairs(
        self,
        other: Self,
        mut image: impl FnMut(Events, Events) -> Option<Events>,
    ) -> Self {
        let mut all = Self::NONE;
        for x in self.iter() {
            for y in other.iter() {
                if let Some(set) = image(x, y) {
                    all = all.or(Self::one(set));
                }
            }
        }
        all
    }

    /// The members that have no other member inside them.
    #[must_use]
    pub fn minimal(self) -> Self {
        self.iter()
            .filter(|&x| !self.iter().any(|y| y != x && y.is_within(x)))
            .collect()
    }
}

impl FromIterator<Events> for Family {
    fn from_iter<I: IntoIterator<Item = Events>>(sets: I) -> Self {
        sets.into_iter()
            .fold(Self::NONE, |all, s| all.or(Self::one(s)))
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
