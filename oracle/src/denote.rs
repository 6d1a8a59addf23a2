//! What processes mean, by definition, computed operator by operator from the syntax.
//!
//! The meaning of a process P is the set of its behaviours. It is kept as a set is best kept when
//! it is infinite and regular: by its *residuals*. The residual `P/s` is what P means after the trace
//! s. Of every residual four things are known:
//!
//! * its **initials** I(P), the events (and ✓) with which some trace begins (`traces`);
//! * its **stable offers** O(P): for each stable state that P can reach without a visible event, the
//!   set of events that state offers (`failures`). A refusal is a set that misses some offer;
//! * whether it **diverges** at once, D(P) (`divergences`);
//! * the residuals after an event, `P/a` (`traces`), and after an observation, `P↾R`: what P means
//!   once it has been seen to be stable and to offer exactly R (`refusals`).
//!
//! The clauses in those files say what each is for an operator, in terms of what it is for the
//! arguments; every one of them distributes over internal choice, which is the union of meanings and
//! written ⊔. So a residual of `P [|A|] Q` is a union of terms `P/s [|A|] Q/t`, and a process has
//! finitely many residuals if its arguments have. There are no states and no transitions here, and
//! τ does not occur: what it brings about is in the unions and the offers.
//!
//! Traces, failures, revivals and refusal tests of a process are read off by walking its residuals;
//! see [`crate::verdict`].
//!
//! *Termination.* ✓ is an event that can be refused like any other. After it comes Ω, which does
//! nothing. In a parallel composition ✓ is one more event that both sides do together. In `P ; Q` the ✓
//! of P happens silently. The books' reading is kept beside it ([`Termination::Books`]).

mod divergences;
mod failures;
mod refusals;
mod traces;

use std::rc::Rc;

use crate::events::{Event, Events, Family, MOST_EVENTS};
use crate::hash::Map;
use crate::term::{
    Binary, Constant, Definitions, Links, Many, Priority, Renaming, Term, Unary, Watchdog,
};

/// What ✓ means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// An event, which can be refused and which the sides of a parallel composition do together.
    #[default]
    Event,
    /// As in the books. The sides of a parallel composition terminate apart, silently, and the whole can
    /// do ✓ when both have. What is judged is `P ; SKIP` instead of P, which makes of ✓ a signal, and
    /// Ω is not a deadlock.
    Books,
}

/// Why some terms cannot be met here.
const UNTIMED: &str = "what Timed sections alone have is rewritten first";

/// A meaning, by its place in a [`Meanings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Residual(u32);

/// There are more residuals than the table may hold: the process is not regular, or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A meaning as an operator applied to meanings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Stop,
    /// After ✓. It means the same as STOP, except that in the books' reading a parallel composition of
    /// it may end, and that it is not a deadlock.
    Omega,
    Skip,
    Div,
    Run(Events),
    Chaos(Events),
    /// Offers the events and becomes the same whichever happens.
    Offer(Events, Residual),
    /// The union of at least two meanings, ascending.
    Union(Rc<[Residual]>),
    External(Residual, Residual),
    SyncExternal(Events, Residual, Residual),
    Sliding(Residual, Residual),
    Sequence(Residual, Residual),
    Interrupt(Residual, Residual),
    SyncInterrupt(Events, Residual, Residual),
    Exception(Events, Residual, Residual),
    Parallel(Sharing, Residual, Residual),
    Linked(Links, Residual, Residual),
    Hide(Events, Residual),
    Rename(Renaming, Residual),
    Prioritise(Priority, Residual),
    Loop(Residual),
    Watch(Watchdog, Events, Event, Residual),
    Name(usize),
}

/// Which events the two sides of a parallel composition do together, and which each may do alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Sharing {
    together: Events,
    left: Events,
    right: Events,
}

impl Sharing {
    /// What the composition offers when the sides offer these, but for ✓.
    fn offer(self, left: Events, right: Events) -> Events {
        let together = left.and(right).and(self.together);
        together.or(left.and(self.left)).or(right.and(self.right))
    }
}

/// What has been found out about a residual.
#[derive(Clone, Debug, Default)]
struct Known {
    initials: Option<Events>,
    offers: Option<Family>,
    diverges: Option<bool>,
    after: [Option<Residual>; MOST_EVENTS as usize],
    /// For hiding and linking: what the silent events lead to.
    silent: Option<Silent>,
}

/// The residuals of the arguments that hidden events lead to, and whether they can go on for ever.
#[derive(Clone, Debug)]
struct Silent {
    reached: Rc<[(Residual, Residual)]>,
    endless: bool,
}

/// The meanings of the processes of one script.
pub struct Meanings<'a> {
    definitions: &'a Definitions,
    termination: Termination,
    shapes: Vec<Shape>,
    known: Vec<Known>,
    index: Map<Shape, Residual>,
    /// What has been seen once it was seen to offer so much.
    observed: Map<(Residual, Events), Residual>,
    named: Vec<Option<Residual>>,
    most: usize,
}

impl<'a> Meanings<'a> {
    /// No meanings yet; there may be at most this many.
    #[must_use]
    pub fn new(definitions: &'a Definitions, most: usize) -> Self {
        Self {
            definitions,
            termination: Termination::default(),
            shapes: Vec::new(),
            known: Vec::new(),
            index: Map::default(),
            observed: Map::default(),
            named: vec![None; definitions.bodies.len()],
            most,
        }
    }

    /// The same with another reading of ✓.
    #[must_use]
    pub fn reading(self, termination: Termination) -> Self {
        Self {
            termination,
            ..self
        }
    }

    /// The meaning of a term that a claim is about.
    pub(crate) fn judged(&mut self, term: &Term) -> Result<Residual, TooLarge> {
        let meaning = self.meaning(term)?;
        match self.termination {
            Termination::Event => Ok(meaning),
            Termination::Books => {
                let skip = self.make(Shape::Skip)?;
                self.make(Shape::Sequence(meaning, skip))
            }
        }
    }

    /// Whether the process can be stuck at the start, before it does anything.
    pub(crate) fn deadlocks(&mut self, process: Residual) -> Result<bool, TooLarge> {
        let ended = self.termination == Termination::Books && self.is_omega(process);
        Ok(!ended && self.offers(process)?.has(Events::NONE))
    }

    /// Every visible event of the script.
    #[must_use]
    pub fn alphabet(&self) -> Events {
        self.definitions.alphabet()
    }

    fn shape(&self, residual: Residual) -> Shape {
        self.shapes[residual.0 as usize].clone()
    }

    fn is_omega(&self, residual: Residual) -> bool {
        self.shapes[residual.0 as usize] == Shape::Omega
    }

    fn make(&mut self, shape: Shape) -> Result<Residual, TooLarge> {
        if let Some(&known) = self.index.get(&shape) {
            return Ok(known);
        }
        if self.shapes.len() >= self.most {
            return Err(TooLarge);
        }
        let new =
            Residual(u32::try_from(self.shapes.len()).expect("residuals are numbered by u32"));
        self.shapes.push(shape.clone());
        self.known.push(Known::default());
        self.index.insert(shape, new);
        Ok(new)
    }

    /// The union of meanings, if there is any.
    pub(crate) fn union(&mut self, parts: Vec<Residual>) -> Result<Option<Residual>, TooLarge> {
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.shapes[part.0 as usize] {
                Shape::Union(inner) => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(match all.len() {
            0 => None,
            1 => Some(all[0]),
            _ => Some(self.make(Shape::Union(all.into()))?),
        })
    }

    /// The body of a definition.
    fn body(&mut self, name: usize) -> Result<Residual, TooLarge> {
        if let Some(known) = self.named[name] {
            return Ok(known);
        }
        let definitions = self.definitions;
        let body = self.meaning(&definitions.bodies[name])?;
        self.named[name] = Some(body);
        Ok(body)
    }

    /// The meaning of a term.
    pub fn meaning(&mut self, term: &Term) -> Result<Residual, TooLarge> {
        let shape = match term {
            Term::Constant(c) => match *c {
                Constant::Stop => Shape::Stop,
                Constant::Skip => Shape::Skip,
                Constant::Div => Shape::Div,
                Constant::Run(a) => Shape::Run(a),
                Constant::Chaos(a) => Shape::Chaos(a),
                Constant::Wait(_) => unreachable!("{UNTIMED}"),
            },
            Term::Name(n) => Shape::Name(*n),
            Term::Unary(op, p) => {
                let p = self.meaning(p)?;
                match *op {
                    Unary::Prefix(e) => Shape::Offer(Events::one(e), p),
                    Unary::Offer(a) => Shape::Offer(a, p),
                    Unary::Select(a) => return self.selection(a, p),
                    Unary::Loop => Shape::Loop(p),
                    Unary::Watch(kind, a, bad) => Shape::Watch(kind, a, bad, p),
                    Unary::Hide(a) => Shape::Hide(a, p),
                    Unary::Project(a) => Shape::Hide(self.alphabet().without(a), p),
                    Unary::Rename(r) => Shape::Rename(r, p),
                    Unary::Compress(_) => return Ok(p),
                    Unary::Prioritise(order) => Shape::Prioritise(order, p),
                    Unary::TimedPriority => unreachable!("{UNTIMED}"),
                }
            }
            Term::Binary(op, p, q) => {
                let (p, q) = (self.meaning(p)?, self.meaning(q)?);
                return self.apply(*op, p, q);
            }
            Term::Many(op, arguments) => return self.fold(op, arguments),
        };
        self.make(shape)
    }

    /// The choice of one event, made silently, and then the process.
    fn selection(&mut self, events: Events, p: Residual) -> Result<Residual, TooLarge> {
        let mut ways = Vec::new();
        for event in events.iter() {
            ways.push(self.make(Shape::Offer(Events::one(event), p))?);
        }
        let all = self.union(ways)?;
        Ok(all.expect("there is an event to select"))
    }

    fn apply(&mut self, op: Binary, p: Residual, q: Residual) -> Result<Residual, TooLarge> {
        let shape = match op {
            Binary::Internal => {
                let both = self.union(vec![p, q])?;
                return Ok(both.expect("a union of two has members"));
            }
            Binary::External => Shape::External(p, q),
            Binary::Sliding => Shape::Sliding(p, q),
            Binary::Sequence => Shape::Sequence(p, q),
            Binary::Interrupt => Shape::Interrupt(p, q),
            Binary::Exception(a) => Shape::Exception(a, p, q),
            Binary::SyncExternal(a) => Shape::SyncExternal(a, p, q),
            Binary::SyncInterrupt(a) => Shape::SyncInterrupt(a, p, q),
            Binary::Interleave => self.parallel(Events::NONE, p, q),
            Binary::Parallel(a) => self.parallel(a, p, q),
            Binary::Alphabetised(a, b) => Shape::Parallel(
                Sharing {
                    together: a.and(b),
                    left: a.without(b),
                    right: b.without(a),
                },
                p,
                q,
            ),
            Binary::Linked(links) => Shape::Linked(links, p, q),
        };
        self.make(shape)
    }

    fn parallel(&self, together: Events, p: Residual, q: Residual) -> Shape {
        let alone = self.alphabet().without(together);
        let sharing = Sharing {
            together,
            left: alone,
            right: alone,
        };
        Shape::Parallel(sharing, p, q)
    }

    /// A replicated operator is its binary form applied from the left, or for links from the right.
    fn fold(&mut self, op: &Many, arguments: &[Term]) -> Result<Residual, TooLarge> {
        let Some((first, others)) = arguments.split_first() else {
            let neutral = match op {
                Many::External | Many::SyncExternal(_) => Shape::Stop,
                _ => Shape::Skip,
            };
            return self.make(neutral);
        };
        if let Many::Linked(links) = op {
            let (last, before) = arguments.split_last().expect("there is a first");
            let mut all = self.meaning(last)?;
            for argument in before.iter().rev() {
                let argument = self.meaning(argument)?;
                all = self.apply(Binary::Linked(*links), argument, all)?;
            }
            return Ok(all);
        }
        let mut all = self.meaning(first)?;
        let mut alphabet = match op {
            Many::Alphabetised(sets) => sets[0],
            _ => Events::NONE,
        };
        for (i, other) in others.iter().enumerate() {
            let next = self.meaning(other)?;
            let binary = match op {
                Many::External => Binary::External,
                Many::Internal => Binary::Internal,
                Many::Sequence => Binary::Sequence,
                Many::Interleave => Binary::Interleave,
                Many::Parallel(a) => Binary::Parallel(*a),
                Many::SyncExternal(a) => Binary::SyncExternal(*a),
                Many::Linked(links) => Binary::Linked(*links),
                Many::Alphabetised(sets) => {
                    let own = sets[i + 1];
                    let binary = Binary::Alphabetised(alphabet, own);
                    alphabet = alphabet.or(own);
                    binary
                }
            };
            all = self.apply(binary, all, next)?;
        }
        Ok(all)
    }

    /// What a trace leads to, if the process can do it.
    pub fn after_all(
        &mut self,
        start: Residual,
        trace: &[Event],
    ) -> Result<Option<Residual>, TooLarge> {
        let mut now = start;
        for &event in trace {
            match self.after(now, event)? {
                Some(next) => now = next,
                None => return Ok(None),
            }
        }
        Ok(Some(now))
    }
}
