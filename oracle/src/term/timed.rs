//! What a Timed section stands for: its definitions rewritten to ones without time, by the table of
//! discrete timed CSP, where each event takes a number of `tock`s.
//!
//! | in the section | stands for |
//! |---|---|
//! | STOP | T = tock → T |
//! | SKIP | T = tock → T □ SKIP |
//! | WAIT(n) | tock → … → tock → SKIP in its timed form, with n tocks |
//! | a → P | T = tock → T □ a → tock → … → tock → P, with as many tocks as a takes |
//! | x:A → P, P □ Q and □ over a list | the timed prefixes, the arguments, joined by \[+tock+\] |
//! | P ⦀ Q | ∥ on tock |
//! | ∥, \[A‖B\], \[+A+\], /+A+\ | the same, with tock added to the sets |
//! | P △ Q | /+tock+\ |
//! | timed_priority(P) | P with τ and ✓ before tock |
//! | nothing in a list | SKIP in its timed form for `;`, and STOP for all others |
//! | everything else | itself |

use super::{Binary, Constant, Definitions, Many, Priority, Term, Unary};
use crate::events::{Event, Events, MOST_EVENTS};

/// The event that marks the passing of time.
pub const TOCK: Event = Event(MOST_EVENTS - 1);

/// How many tocks each event takes.
pub type Durations = [u8; MOST_EVENTS as usize];

impl Definitions {
    /// The definitions of a Timed section, rewritten; names keep their numbers.
    #[must_use]
    pub fn timed(&self, durations: Durations) -> Self {
        let mut rewriting = Rewriting {
            bodies: self.bodies.clone(),
            durations,
        };
        for (name, body) in self.bodies.iter().enumerate() {
            rewriting.bodies[name] = rewriting.term(body);
        }
        Self {
            events: self.events,
            bodies: rewriting.bodies,
        }
    }
}

/// The bodies so far: those of the section, then those of processes that wait.
struct Rewriting {
    bodies: Vec<Term>,
    durations: Durations,
}

impl Rewriting {
    /// Time may pass until the process goes on.
    fn waiting(&mut self, process: Term) -> Term {
        let own = Term::Name(self.bodies.len());
        let wait = Term::unary(Unary::Prefix(TOCK), own.clone());
        self.bodies
            .push(Term::binary(Binary::External, wait, process));
        own
    }

    fn stop() -> Term {
        Term::Constant(Constant::Run(Events::one(TOCK)))
    }

    fn prefix(&mut self, event: Event, after: &Term) -> Term {
        let takes_time = later(self.durations[usize::from(event.0)], after.clone());
        self.waiting(Term::unary(Unary::Prefix(event), takes_time))
    }

    fn prefixes(&mut self, events: Events, after: &Term) -> Vec<Term> {
        events.iter().map(|e| self.prefix(e, after)).collect()
    }

    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Constant(Constant::Stop) => Self::stop(),
            Term::Constant(Constant::Skip) => self.waiting(Term::SKIP),
            Term::Constant(Constant::Wait(time)) => later(*time, self.waiting(Term::SKIP)),
            Term::Constant(_) | Term::Name(_) => term.clone(),
            Term::Unary(op, p) => {
                let p = self.term(p);
                match *op {
                    Unary::Prefix(event) => self.prefix(event, &p),
                    Unary::Offer(events) => {
                        let each = self.prefixes(events, &p);
                        Self::all(Many::SyncExternal(with_tock(Events::NONE)), each)
                    }
                    Unary::Select(events) => Self::all(Many::Internal, self.prefixes(events, &p)),
                    Unary::TimedPriority => {
                        let order = Priority::silence_over(Events::one(TOCK));
                        Term::unary(Unary::Prioritise(order), p)
                    }
                    other => Term::unary(other, p),
                }
            }
            Term::Binary(op, p, q) => Term::binary(binary(*op), self.term(p), self.term(q)),
            Term::Many(Many::Sequence, all) if all.is_empty() => self.waiting(Term::SKIP),
            Term::Many(op, all) => {
                let all = all.iter().map(|p| self.term(p)).collect();
                Self::all(many(op), all)
            }
        }
    }

    fn all(operator: Many, arguments: Vec<Term>) -> Term {
        if arguments.is_empty() {
            return Self::stop();
        }
        Term::Many(operator, arguments)
    }
}

/// A process after this many tocks.
fn later(time: u8, process: Term) -> Term {
    (0..time).fold(process, |p, _| Term::unary(Unary::Prefix(TOCK), p))
}

fn with_tock(events: Events) -> Events {
    events.or(Events::one(TOCK))
}

fn binary(operator: Binary) -> Binary {
    match operator {
        Binary::External => Binary::SyncExternal(with_tock(Events::NONE)),
        Binary::Interleave => Binary::Parallel(with_tock(Events::NONE)),
        Binary::Interrupt => Binary::SyncInterrupt(with_tock(Events::NONE)),
        Binary::SyncExternal(a) => Binary::SyncExternal(with_tock(a)),
        Binary::SyncInterrupt(a) => Binary::SyncInterrupt(with_tock(a)),
        Binary::Parallel(a) => Binary::Parallel(with_tock(a)),
        Binary::Alphabetised(a, b) => Binary::Alphabetised(with_tock(a), with_tock(b)),
        other => other,
    }
}

fn many(operator: &Many) -> Many {
    match operator {
        Many::External => Many::SyncExternal(with_tock(Events::NONE)),
        Many::Interleave => Many::Parallel(with_tock(Events::NONE)),
        Many::SyncExternal(a) => Many::SyncExternal(with_tock(*a)),
        Many::Parallel(a) => Many::Parallel(with_tock(*a)),
        Many::Alphabetised(sets) => {
            Many::Alphabetised(sets.iter().map(|a| with_tock(*a)).collect())
        }
        other => other.clone(),
    }
}
