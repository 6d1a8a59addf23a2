//! The models by their definitions, on tiny systems and up to a bound on the length of traces.
//!
//! Nothing here is shared with the checker: behaviours are enumerated into plain sets, with every
//! refusal, and compared by inclusion. Divergence-strict closure is applied when comparing.

use std::collections::BTreeSet;

use csp_checker::Model;

/// Transitions `(from, event, to)`. Event 0 is τ, 1 is ✓, visible events are 2 and up to `EVENTS`.
#[derive(Clone, Debug)]
pub(crate) struct Tiny {
    pub(crate) states: usize,
    pub(crate) transitions: Vec<(usize, u8, usize)>,
}

pub(crate) const TAU: u8 = 0;
pub(crate) const TICK: u8 = 1;
/// One past the last event.
pub(crate) const EVENTS: u8 = 4;

/// A refusal as a set of bits, by event number; bit 0 is never set.
type Refusal = u8;

/// One observation: an event, or what was refused before the next one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seen {
    Event(u8),
    /// • or a refusal.
    Refused(Option<Refusal>),
    /// For revivals: refused, and then this was done.
    Revived(Refusal, u8),
}

pub(crate) type Behaviour = Vec<Seen>;

/// Adds what is seen of a state after a trace.
type Observe<'a> = dyn Fn(&Tiny, usize, &Behaviour, &mut BTreeSet<Behaviour>) + 'a;

/// What a model sees of a process.
pub(crate) struct Meaning {
    pub(crate) behaviours: BTreeSet<Behaviour>,
    pub(crate) divergences: BTreeSet<Behaviour>,
}

impl Tiny {
    fn after(&self, state: usize, event: u8) -> BTreeSet<usize> {
        let own = self
            .transitions
            .iter()
            .filter(|t| t.0 == state && t.1 == event);
        own.map(|t| t.2).collect()
    }

    /// Everything that τ leads to, the state itself included.
    pub(crate) fn closure(&self, state: usize) -> BTreeSet<usize> {
        let mut all = BTreeSet::from([state]);
        for _ in 0..self.states {
            let more: Vec<usize> = all.iter().flat_map(|&s| self.after(s, TAU)).collect();
            all.extend(more);
        }
        all
    }

    pub(crate) fn offers(&self, state: usize) -> Refusal {
        (TICK..EVENTS)
            .filter(|&e| !self.after(state, e).is_empty())
            .fold(0, |bits, e| bits | 1 << e)
    }

    pub(crate) fn stable(&self, state: usize) -> bool {
        self.after(state, TAU).is_empty()
    }

    /// As many τ in a row as there are states, and one more.
    pub(crate) fn diverges(&self, state: usize) -> bool {
        let mut at = BTreeSet::from([state]);
        for _ in 0..=self.states {
            at = at.iter().flat_map(|&s| self.after(s, TAU)).collect();
        }
        !at.is_empty()
    }

    /// All sets that a state can refuse. With ✓ a signal: what the books define (a state that can
    /// do ✓ refuses anything but ✓; another must be stable).
    pub(crate) fn refusals(&self, state: usize, signal: bool) -> Vec<Refusal> {
        let all = (0..1u16 << EVENTS).map(|b| b as u8).filter(|b| b & 1 == 0);
        let offers = self.offers(state);
        if signal && offers & 1 << TICK != 0 {
            return all.filter(|x| x & 1 << TICK == 0).collect();
        }
        if !self.stable(state) {
            return Vec::new();
        }
        all.filter(|x| x & offers == 0).collect()
    }

    /// `P ; SKIP` as a system: ✓ is decided on silently.
    pub(crate) fn then_skip(&self) -> Self {
        let mut new = self.clone();
        for state in 0..self.states {
            if self.after(state, TICK).is_empty() {
                continue;
            }
            let skip = new.states;
            new.states += 1;
            for t in &mut new.transitions {
                if t.0 == state && t.1 == TICK {
                    t.0 = skip;
                }
            }
            new.transitions.push((state, TAU, skip));
        }
        new
    }

    /// The meaning of the process in a model, up to so many events.
    pub(crate) fn meaning(&self, model: Model, signal: bool, bound: usize) -> Meaning {
        let mut meaning = Meaning {
            behaviours: BTreeSet::new(),
            divergences: BTreeSet::new(),
        };
        match model {
            Model::Traces | Model::Failures | Model::FailuresDivergences => {
                let failures = model != Model::Traces;
                self.record(
                    0,
                    &mut Vec::new(),
                    bound,
                    &mut meaning,
                    &|p, s, trace, out| {
                        out.insert(trace.clone());
                        for x in p.refusals(s, signal).into_iter().filter(|_| failures) {
                            out.insert([&trace[..], &[Seen::Refused(Some(x))]].concat());
                        }
                    },
                );
            }
            Model::Revivals | Model::RevivalsDivergences => {
                let process = if signal {
                    self.then_skip()
                } else {
                    self.clone()
                };
                process.record(
                    0,
                    &mut Vec::new(),
                    bound,
                    &mut meaning,
                    &|p, s, trace, out| {
                        out.insert(trace.clone());
                        let offers = p.offers(s);
                        for x in p.refusals(s, false) {
                            if offers == 0 {
                                out.insert([&trace[..], &[Seen::Refused(None)]].concat());
                            }
                            for a in (TICK..EVENTS).filter(|a| offers & 1 << a != 0) {
                                out.insert([&trace[..], &[Seen::Revived(x, a)]].concat());
                            }
                        }
                    },
                );
            }
            Model::RefusalTesting | Model::RefusalTestingDivergences => {
                let process = if signal {
                    self.then_skip()
                } else {
                    self.clone()
                };
                process.refusal_traces(0, &mut Vec::new(), bound, &mut meaning);
            }
        }
        meaning
    }

    fn record(
        &self,
        state: usize,
        trace: &mut Behaviour,
        left: usize,
        meaning: &mut Meaning,
        observe: &Observe<'_>,
    ) {
        for s in self.closure(state) {
            observe(self, s, trace, &mut meaning.behaviours);
            if self.diverges(s) {
                meaning.divergences.insert(trace.clone());
            }
            for &(_, event, to) in self.transitions.iter().filter(|t| t.0 == s && t.1 != TAU) {
                if left > 0 {
                    trace.push(Seen::Event(event));
                    self.record(to, trace, left - 1, meaning, observe);
                    trace.pop();
                }
            }
        }
    }

    fn refusal_traces(
        &self,
        state: usize,
        seen: &mut Behaviour,
        left: usize,
        meaning: &mut Meaning,
    ) {
        for s in self.closure(state) {
            if self.diverges(s) {
                meaning.divergences.insert(seen.clone());
            }
            let refusals = self.refusals(s, false).into_iter().map(Some);
            for x in std::iter::once(None).chain(refusals) {
                seen.push(Seen::Refused(x));
                meaning.behaviours.insert(seen.clone());
                for &(_, event, to) in self.transitions.iter().filter(|t| t.0 == s && t.1 != TAU) {
                    if left > 0 {
                        seen.push(Seen::Event(event));
                        self.refusal_traces(to, seen, left - 1, meaning);
                        seen.pop();
                    }
                }
                seen.pop();
            }
        }
    }
}

/// Whether all that the implementation does is allowed, as far as the bound shows.
pub(crate) fn refines(specification: &Meaning, implementation: &Meaning, strict: bool) -> bool {
    let forgiven = |b: &Behaviour| {
        strict && (0..=b.len()).any(|n| specification.divergences.contains(&b[..n]))
    };
    let behaviours = implementation
        .behaviours
        .iter()
        .all(|b| specification.behaviours.contains(b) || forgiven(b));
    behaviours && (!strict || implementation.divergences.iter().all(forgiven))
}
