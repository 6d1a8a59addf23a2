//! Random terms over all operators.
//!
//! A name that is being defined may occur only where it is guarded and in *tail* position, where
//! nothing is left to do once it takes over: then the process is regular. Names of groups that are
//! complete may occur anywhere, also under hiding and in parallel.

use super::pairs::Pairing;
use super::{Case, all_claims};
use crate::claim::Claim;
use crate::events::{Event, Events, MOST_EVENTS};
use crate::random::Random;
use crate::term::{
    Binary, Compression, Constant, Definitions, Links, Many, Priority, Renaming, TOCK, Term, Unary,
    Watchdog,
};

/// How often each operator is taken, in the order of [`Scope::term`].
const WEIGHTS: [usize; 21] = [
    30, 5, 8, 3, 7, 12, 9, 4, 7, 5, 5, 3, 3, 5, 8, 4, 3, 4, 4, 3, 2,
];

/// What a random term may mention.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The first n events.
    pub events: u8,
    /// Complete names: usable anywhere.
    pub complete: Vec<usize>,
    /// Names that are being defined.
    pub open: Vec<usize>,
    /// How often compressions are applied, in a hundred.
    pub compressions: usize,
    /// How often a constant is DIV, in a hundred.
    pub divergence: usize,
    /// How often an order of priority is put on a term, in a hundred.
    pub priority: usize,
    /// The term stands in a Timed section, where processes may wait and are not linked, and the only
    /// order of priority is that of time.
    pub timed: bool,
}

/// Where a term stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Names that are being defined may take over here.
    tail: bool,
    /// And a visible event has come before.
    guarded: bool,
}

impl Place {
    const CLOSED: Self = Self {
        tail: false,
        guarded: false,
    };
}

impl Scope {
    /// The first n events, and nothing else.
    #[must_use]
    pub fn plain(events: u8) -> Self {
        Self {
            events,
            complete: Vec::new(),
            open: Vec::new(),
            compressions: 0,
            divergence: 4,
            priority: 0,
            timed: false,
        }
    }

    /// A closed term of about this size.
    pub fn closed(&self, random: &mut Random, size: usize) -> Term {
        self.term(random, size, Place::CLOSED)
    }

    /// The body of a definition, of about this size.
    pub fn body(&self, random: &mut Random, size: usize) -> Term {
        let start = Place {
            tail: true,
            guarded: false,
        };
        self.term(random, size, start)
    }

    /// Any event.
    pub fn event(&self, random: &mut Random) -> Event {
        Event(u8::try_from(random.below(usize::from(self.events))).expect("few events"))
    }

    /// Any set of events.
    pub fn set(&self, random: &mut Random) -> Events {
        let bits = random.below(1 << self.events);
        Events(u8::try_from(bits).expect("few events"))
    }

    /// A renaming that does something to at least one event, if there are two.
    pub fn renaming(&self, random: &mut Random) -> Renaming {
        let mut renaming = Renaming::identity();
        for _ in 0..=random.below(2) {
            let from = self.event(random);
            let image = self.set(random);
            if !image.is_empty() {
                renaming.0[usize::from(from.0)] = image;
            }
        }
        renaming
    }

    /// One or two links.
    pub fn links(&self, random: &mut Random) -> Links {
        let mut links = Links([None; MOST_EVENTS as usize]);
        for _ in 0..=random.below(2) {
            let (left, right) = (self.event(random), self.event(random));
            if !links.left().has(left) && !links.right().has(right) {
                links.0[usize::from(left.0)] = Some(right);
            }
        }
        links
    }

    /// An order of priority: of two or three classes, or a partial one.
    pub fn order(&self, random: &mut Random) -> Priority {
        let mut classes = [0; MOST_EVENTS as usize];
        let mut above = [Events::NONE; MOST_EVENTS as usize];
        let by_classes = random.percent(70);
        for event in 0..usize::from(self.events) {
            classes[event] = u8::try_from(random.weighted(&[2, 3, 4, 2])).expect("few classes");
            // An event is below some of those before it, so that none is below itself.
            let before = Events::first(u8::try_from(event).expect("few events"));
            above[event] = self.set(random).and(self.set(random)).and(before);
        }
        if by_classes {
            return Priority::of_classes(classes);
        }
        Priority::of_order(self.set(random).and(self.set(random)), above)
    }

    fn constant(&self, random: &mut Random, place: Place) -> Term {
        if place.tail && place.guarded && !self.open.is_empty() && random.percent(55) {
            return Term::Name(*random.pick(&self.open));
        }
        if !self.complete.is_empty() && random.percent(40) {
            return Term::Name(*random.pick(&self.complete));
        }
        if random.percent(self.divergence) {
            return Term::DIV;
        }
        if self.timed && random.percent(25) {
            let time = u8::try_from(random.below(4)).expect("a short time");
            return Term::Constant(Constant::Wait(time));
        }
        Term::Constant(match random.weighted(&[4, 4, 1, 1]) {
            0 => Constant::Stop,
            1 => Constant::Skip,
            2 => Constant::Run(self.set(random)),
            _ => Constant::Chaos(self.set(random)),
        })
    }

    fn term(&self, random: &mut Random, size: usize, place: Place) -> Term {
        if size <= 1 {
            return self.constant(random, place);
        }
        if random.percent(self.compressions) {
            let compression = *random.pick(&Compression::ALL);
            let argument = self.term(random, size - 1, Place::CLOSED);
            return Term::unary(Unary::Compress(compression), argument);
        }
        if random.percent(self.priority) {
            return self.wrap(random, size, |s, r| match s.timed {
                true => Unary::TimedPriority,
                false => Unary::Prioritise(s.order(r)),
            });
        }
        let choice = self.in_choice(place);
        match random.weighted(&WEIGHTS) {
            0 => self.prefix(random, size, place, |s, r| Unary::Prefix(s.event(r))),
            1 => self.prefix(random, size, choice, |s, r| Unary::Offer(s.set(r))),
            2 => self.wrap(random, size, |s, r| Unary::Hide(s.set(r))),
            3 => self.wrap(random, size, |s, r| Unary::Project(s.set(r))),
            4 => self.wrap(random, size, |s, r| Unary::Rename(s.renaming(r))),
            5 => self.join(random, size, Binary::External, choice, choice),
            6 => self.join(random, size, Binary::Internal, place, place),
            7 => self.join(random, size, Binary::Sliding, place, place),
            8 => self.join(random, size, Binary::Sequence, Place::CLOSED, place),
            9 => self.join(random, size, Binary::Interrupt, Place::CLOSED, choice),
            10 => {
                let guarded = Place {
                    guarded: true,
                    ..place
                };
                let operator = Binary::Exception(self.set(random));
                self.join(random, size, operator, Place::CLOSED, guarded)
            }
            17 => self.many(random, size, place),
            18 => self.prefix(random, size, place, |s, r| {
                Unary::Select(s.set(r).or(Events::one(s.event(r))))
            }),
            19 => self.wrap(random, size, |_, _| Unary::Loop),
            // The product wants watchdogs outside recursion.
            20 if self.open.is_empty() => self.wrap(random, size, |s, r| {
                let kind = *r.pick(&[Watchdog::Traces, Watchdog::Failures]);
                Unary::Watch(kind, s.set(r), s.event(r))
            }),
            kind => {
                let operator = match kind {
                    11 => Binary::SyncExternal(self.set(random)),
                    12 => Binary::SyncInterrupt(self.set(random)),
                    13 => Binary::Interleave,
                    14 => Binary::Parallel(self.set(random)),
                    15 => Binary::Alphabetised(self.set(random), self.set(random)),
                    _ if self.timed => Binary::Interleave,
                    _ => Binary::Linked(self.links(random)),
                };
                self.join(random, size, operator, Place::CLOSED, Place::CLOSED)
            }
        }
    }

    /// The place of a term in a choice. What marks time does not resolve it, so that nothing may take
    /// over there after such an event.
    fn in_choice(&self, place: Place) -> Place {
        if self.timed && Events::first(self.events).has(TOCK) {
            Place::CLOSED
        } else {
            place
        }
    }

    fn prefix(
        &self,
        random: &mut Random,
        size: usize,
        place: Place,
        operator: impl Fn(&Self, &mut Random) -> Unary,
    ) -> Term {
        let operator = operator(self, random);
        let after = Place {
            guarded: true,
            ..place
        };
        Term::unary(operator, self.term(random, size - 1, after))
    }

    fn wrap(
        &self,
        random: &mut Random,
        size: usize,
        operator: impl Fn(&Self, &mut Random) -> Unary,
    ) -> Term {
        let operator = operator(self, random);
        Term::unary(operator, self.term(random, size - 1, Place::CLOSED))
    }

    fn join(
        &self,
        random: &mut Random,
        size: usize,
        operator: Binary,
        left: Place,
        right: Place,
    ) -> Term {
        let first = 1 + random.below((size - 1).max(1));
        let left = self.term(random, first, left);
        let right = self.term(random, (size - 1).saturating_sub(first).max(1), right);
        Term::binary(operator, left, right)
    }

    fn many(&self, random: &mut Random, size: usize, place: Place) -> Term {
        let count = if random.percent(8) {
            0
        } else {
            2 + random.below(2)
        };
        let operator = match random.below(8) {
            0 => Many::External,
            1 if count > 0 => Many::Internal,
            2 => Many::Sequence,
            3 => Many::Parallel(self.set(random)),
            4 => Many::SyncExternal(self.set(random)),
            7 if count > 0 && !self.timed => Many::Linked(self.links(random)),
            5 => Many::Alphabetised((0..count).map(|_| self.set(random)).collect()),
            _ => Many::Interleave,
        };
        let inner = match operator {
            Many::External => self.in_choice(place),
            Many::Internal => place,
            _ => Place::CLOSED,
        };
        let each = ((size - 1) / count.max(1)).max(1);
        let arguments = (0..count).map(|_| self.term(random, each, inner)).collect();
        Term::Many(operator, arguments)
    }
}

/// Definitions in one or two groups, each recursive in itself.
pub fn definitions(random: &mut Random, mut scope: Scope) -> (Definitions, Scope) {
    let mut definitions = Definitions {
        events: scope.events,
        bodies: Vec::new(),
    };
    for _ in 0..=random.below(2) {
        let first = definitions.bodies.len();
        let count = 1 + random.below(2);
        scope.open = (first..first + count).collect();
        for _ in 0..count {
            let size = 3 + random.below(6);
            definitions.bodies.push(scope.body(random, size));
        }
        scope.complete.append(&mut scope.open);
    }
    (definitions, scope)
}

/// Pairs a term with another, gives both a name, and claims everything about the two.
pub(super) fn claims_about(
    random: &mut Random,
    definitions: &mut Definitions,
    scope: &Scope,
    start: Term,
) -> Vec<Claim> {
    let pair = Pairing::choose(random).pair(random, scope, start);
    let specification = definitions.bodies.len();
    definitions.bodies.push(pair.specification);
    definitions.bodies.push(pair.implementation);
    all_claims(
        random,
        scope.events,
        &Term::Name(specification),
        &Term::Name(specification + 1),
    )
}

/// A case of this kind; with orders of priority so often, in a hundred.
#[must_use]
pub fn case(seed: u64, priority: usize) -> Case {
    let mut random = Random::new(seed);
    let events = 1 + u8::try_from(random.weighted(&[1, 6, 3])).expect("few events");
    let compressions = if random.percent(20) { 8 } else { 0 };
    let scope = Scope {
        compressions,
        priority,
        ..Scope::plain(events)
    };
    case_in(&mut random, scope)
}

/// Definitions in a scope, and claims about terms over them.
pub(super) fn case_in(random: &mut Random, scope: Scope) -> Case {
    let (mut definitions, scope) = definitions(random, scope);
    let mut claims = Vec::new();
    for _ in 0..3 {
        let size = 3 + random.below(8);
        let start = scope.closed(random, size);
        claims.extend(claims_about(random, &mut definitions, &scope, start));
    }
    Case {
        definitions,
        systems: vec![None; claims.len()],
        claims,
        silence_over: None,
        timed: None,
    }
}
