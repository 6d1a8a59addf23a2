//! Finite process terms over at most four events: the oracle's own syntax.
//!
//! A term is a constant, a name, or an operator applied to terms. Recursion is by name and
//! *guarded*: every name stands under a prefix, or under the second argument of an operator whose
//! first has to do something before. Whether it is regular as well (the state cannot grow) is up to
//! whoever makes the terms.

mod print;
mod priority;
mod timed;

use crate::events::{Event, Events, MOST_EVENTS};

pub use priority::Priority;
pub use timed::{Durations, TOCK};

/// A process without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// `STOP`.
    Stop,
    /// `SKIP`.
    Skip,
    /// `DIV`.
    Div,
    /// `RUN(A)`.
    Run(Events),
    /// `CHAOS(A)`.
    Chaos(Events),
    /// `WAIT(n)`, in Timed sections alone.
    Wait(u8),
}

/// What each visible event is renamed to; an event that is not renamed goes to itself alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renaming(pub [Events; MOST_EVENTS as usize]);

impl Renaming {
    /// Leaves every event as it is.
    #[must_use]
    pub fn identity() -> Self {
        Self(std::array::from_fn(|i| Events(1 << i)))
    }

    /// What an event becomes; ✓ is never renamed.
    #[must_use]
    pub fn image(&self, event: Event) -> Events {
        if event == Event::TICK {
            Events::TICK
        } else {
            self.0[usize::from(event.0)]
        }
    }

    /// What any of the events becomes.
    #[must_use]
    pub fn image_of(&self, events: Events) -> Events {
        events
            .iter()
            .fold(Events::NONE, |all, e| all.or(self.image(e)))
    }
}

/// Which events of the left are linked with which of the right, at most once on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Links(pub [Option<Event>; MOST_EVENTS as usize]);

impl Links {
    /// The pairs.
    pub fn iter(&self) -> impl Iterator<Item = (Event, Event)> + '_ {
        (0..MOST_EVENTS)
            .map(Event)
            .filter_map(|l| self.0[usize::from(l.0)].map(|r| (l, r)))
    }

    /// The linked events of the left.
    #[must_use]
    pub fn left(&self) -> Events {
        self.iter().map(|p| p.0).collect()
    }

    /// The same links between other events: a bijection.
    #[must_use]
    pub fn permuted(&self, to: &[Event; MOST_EVENTS as usize]) -> Self {
        let mut new = Self([None; MOST_EVENTS as usize]);
        for (l, r) in self.iter() {
            new.0[usize::from(to[usize::from(l.0)].0)] = Some(to[usize::from(r.0)]);
        }
        new
    }

    /// The linked events of the right.
    #[must_use]
    pub fn right(&self) -> Events {
        self.iter().map(|p| p.1).collect()
    }
}

/// Functions that promise to leave the meaning as it is, in the model of the assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Compression {
    Explicate,
    Sbisim,
    Dbisim,
    Wbisim,
    TauLoopFactor,
    Diamond,
    Normal,
    LazyNorm,
    LazyEnumerate,
    ModelCompress,
}

impl Compression {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Explicate,
        Self::Sbisim,
        Self::Dbisim,
        Self::Wbisim,
        Self::TauLoopFactor,
        Self::Diamond,
        Self::Normal,
        Self::LazyNorm,
        Self::LazyEnumerate,
        Self::ModelCompress,
    ];

    /// The name in scripts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicate => "explicate",
            Self::Sbisim => "sbisim",
            Self::Dbisim => "dbisim",
            Self::Wbisim => "wbisim",
            Self::TauLoopFactor => "tau_loop_factor",
            Self::Diamond => "diamond",
            Self::Normal => "normal",
            Self::LazyNorm => "lazynorm",
            Self::LazyEnumerate => "lazyenumerate",
            Self::ModelCompress => "model_compress",
        }
    }
}

/// What a watchdog watches. Its argument is a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Watchdog {
    /// Traces: it allows every event of the alphabet as long as the specification allows what has
    /// happened (and ✓ where the specification may terminate), and then does `bad` and stops.
    Traces,
    /// Stable failures: it may also offer, at any point, a smallest set of events of the alphabet that
    /// the specification cannot refuse as a whole, and do τ for ever once one is accepted. It never
    /// terminates, and is stable only in such tests and after an event too many.
    Failures,
}

impl Watchdog {
    /// The name in scripts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Traces => "trace_watchdog",
            Self::Failures => "failure_watchdog",
        }
    }
}

/// An operator with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `a -> P`.
    Prefix(Event),
    /// `[] x:A @ x -> P`.
    Offer(Events),
    /// `|~| x:A @ x -> P`, of at least one event: `c$x:A -> P`.
    Select(Events),
    /// `loop(P)`.
    Loop,
    /// `trace_watchdog(P, A, bad)` or `failure_watchdog(P, A, bad)`.
    Watch(Watchdog, Events, Event),
    /// `P \ A`.
    Hide(Events),
    /// `P |\ A`.
    Project(Events),
    /// `P[[a <- b, …]]`.
    Rename(Renaming),
    /// `normal(P)` and its like.
    Compress(Compression),
    /// `prioritise(P, <A, B, …>)` or `prioritisepo(P, …)`.
    Prioritise(Priority),
    /// `timed_priority(P)`, in Timed sections alone.
    TimedPriority,
}

/// An operator with two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `P [] Q`.
    External,
    /// `P |~| Q`.
    Internal,
    /// `P [> Q`.
    Sliding,
    /// `P ; Q`.
    Sequence,
    /// `P /\ Q`.
    Interrupt,
    /// `P [|A|> Q`.
    Exception(Events),
    /// `P [+A+] Q`.
    SyncExternal(Events),
    /// `P /+A+\ Q`.
    SyncInterrupt(Events),
    /// `P ||| Q`.
    Interleave,
    /// `P [|A|] Q`.
    Parallel(Events),
    /// `P [A||B] Q`.
    Alphabetised(Events, Events),
    /// `P [a <-> b, …] Q`.
    Linked(Links),
}

/// A replicated operator, applied to a list of arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Many {
    /// `[] i @ P(i)`.
    External,
    /// `|~| i @ P(i)`; at least one.
    Internal,
    /// `; i @ P(i)`.
    Sequence,
    /// `||| i @ P(i)`.
    Interleave,
    /// `[|A|] i @ P(i)`.
    Parallel(Events),
    /// `[+A+] i @ P(i)`.
    SyncExternal(Events),
    /// `|| i @ [A(i)] P(i)`: one alphabet for each argument.
    Alphabetised(Vec<Events>),
    /// `[a <-> b, …] i @ P(i)`: each with the next; at least one.
    Linked(Links),
}

/// A process term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A process without arguments.
    Constant(Constant),
    /// The process defined under this number.
    Name(usize),
    /// One argument.
    Unary(Unary, Box<Term>),
    /// Two arguments.
    Binary(Binary, Box<Term>, Box<Term>),
    /// Any number of arguments.
    Many(Many, Vec<Term>),
}

impl Term {
    /// `STOP`.
    pub const STOP: Self = Self::Constant(Constant::Stop);
    /// `SKIP`.
    pub const SKIP: Self = Self::Constant(Constant::Skip);
    /// `DIV`.
    pub const DIV: Self = Self::Constant(Constant::Div);

    /// An operator applied to one term.
    #[must_use]
    pub fn unary(operator: Unary, argument: Self) -> Self {
        Self::Unary(operator, Box::new(argument))
    }

    /// An operator applied to two terms.
    #[must_use]
    pub fn binary(operator: Binary, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Number of constants, names and operators.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.arguments().iter().map(|t| t.size()).sum::<usize>()
    }

    /// The immediate parts.
    #[must_use]
    pub fn arguments(&self) -> Vec<&Self> {
        match self {
            Self::Constant(_) | Self::Name(_) => Vec::new(),
            Self::Unary(_, p) => vec![p],
            Self::Binary(_, p, q) => vec![p, q],
            Self::Many(_, ps) => ps.iter().collect(),
        }
    }

    /// The same operator with one of its arguments replaced.
    #[must_use]
    pub fn with_argument(&self, index: usize, new: Self) -> Self {
        let mut copy = self.clone();
        match &mut copy {
            Self::Constant(_) | Self::Name(_) => {}
            Self::Unary(_, p) => **p = new,
            Self::Binary(_, p, q) => **(if index == 0 { p } else { q }) = new,
            Self::Many(_, ps) => ps[index] = new,
        }
        copy
    }

    /// Whether the predicate is true of the term or of any part of it (names are not followed).
    pub fn any(&self, predicate: &mut dyn FnMut(&Self) -> bool) -> bool {
        predicate(self) || self.arguments().iter().any(|t| t.any(predicate))
    }

    /// Every name exchanged for another term.
    #[must_use]
    pub fn with_names(&self, to: &dyn Fn(usize) -> Self) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Name(n) => to(*n),
            Self::Unary(op, p) => Self::unary(*op, p.with_names(to)),
            Self::Binary(op, p, q) => Self::binary(*op, p.with_names(to), q.with_names(to)),
            Self::Many(op, ps) => {
                Self::Many(op.clone(), ps.iter().map(|p| p.with_names(to)).collect())
            }
        }
    }

    /// The names in it, each once, in order of first occurrence.
    pub fn names(&self, found: &mut Vec<usize>) {
        self.any(&mut |t| {
            if let Self::Name(n) = t
                && !found.contains(n)
            {
                found.push(*n);
            }
            false
        });
    }

    /// Every event of the terms exchanged for another: a bijection on the visible events.
    #[must_use]
    pub fn permuted(&self, to: &[Event; MOST_EVENTS as usize]) -> Self {
        let event = |e: Event| to[usize::from(e.0)];
        let events = |s: Events| s.iter().map(event).collect::<Events>();
        match self {
            Self::Constant(c) => Self::Constant(match *c {
                Constant::Run(s) => Constant::Run(events(s)),
                Constant::Chaos(s) => Constant::Chaos(events(s)),
                other => other,
            }),
            Self::Name(n) => Self::Name(*n),
            Self::Unary(op, p) => {
                let op = match *op {
                    Unary::Prefix(e) => Unary::Prefix(event(e)),
                    Unary::Offer(s) => Unary::Offer(events(s)),
                    Unary::Select(s) => Unary::Select(events(s)),
                    Unary::Loop => Unary::Loop,
                    Unary::Watch(kind, s, bad) => Unary::Watch(kind, events(s), event(bad)),
                    Unary::Hide(s) => Unary::Hide(events(s)),
                    Unary::Project(s) => Unary::Project(events(s)),
                    Unary::Rename(r) => {
                        let mut new = Renaming::identity();
                        for e in (0..MOST_EVENTS).map(Event) {
                            new.0[usize::from(event(e).0)] = events(r.image(e));
                        }
                        Unary::Rename(new)
                    }
                    Unary::Compress(c) => Unary::Compress(c),
                    Unary::TimedPriority => Unary::TimedPriority,
                    Unary::Prioritise(order) => Unary::Prioritise(order.permuted(to)),
                };
                Self::unary(op, p.permuted(to))
            }
            Self::Binary(op, p, q) => {
                let op = match *op {
                    Binary::Exception(s) => Binary::Exception(events(s)),
                    Binary::SyncExternal(s) => Binary::SyncExternal(events(s)),
                    Binary::SyncInterrupt(s) => Binary::SyncInterrupt(events(s)),
                    Binary::Parallel(s) => Binary::Parallel(events(s)),
                    Binary::Alphabetised(s, t) => Binary::Alphabetised(events(s), events(t)),
                    Binary::Linked(l) => Binary::Linked(l.permuted(to)),
                    other => other,
                };
                Self::binary(op, p.permuted(to), q.permuted(to))
            }
            Self::Many(op, ps) => {
                let op = match op {
                    Many::Parallel(s) => Many::Parallel(events(*s)),
                    Many::SyncExternal(s) => Many::SyncExternal(events(*s)),
                    Many::Alphabetised(all) => {
                        Many::Alphabetised(all.iter().map(|s| events(*s)).collect())
                    }
                    Many::Linked(l) => Many::Linked(l.permuted(to)),
                    other => other.clone(),
                };
                Self::Many(op, ps.iter().map(|p| p.permuted(to)).collect())
            }
        }
    }
}

/// Named terms, and how many events there are in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definitions {
    /// The visible events are the first n.
    pub events: u8,
    /// What each name stands for.
    pub bodies: Vec<Term>,
}

impl Definitions {
    /// Every visible event.
    #[must_use]
    pub fn alphabet(&self) -> Events {
        Events::first(self.events)
    }
}
