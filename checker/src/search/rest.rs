//! Judging the stable states in which a state can come to rest by acceptance steps.
//!
//! [`crate::machine::acceptance`] says why they need not be stored. A stable rest has taken an
//! acceptance step in every component that can take one, so the rests are the products of these
//! choices. They are made component by component. As soon as the choices decide of a rule whether it
//! can still fire, it is looked at: a τ that can leaves no stable rest, and an event that can is
//! offered in all that are to come. If refusals are all that counts and what is certainly offered is
//! enough, nothing more has to be chosen. Rests are met in ascending order.

use csp_lts::EventId;

use super::finds::Kind;
use super::visit::{Context, Worker, ascending};
use crate::judge::{Judged, Offers, Sight};
use crate::machine::{Acceptances, Machine};

/// Choices between two looks at the clock.
const POLL_EVERY: u32 = 1 << 12;

/// What a worker needs to look at rests.
#[derive(Debug, Default)]
pub(super) struct Resting {
    /// The components that choose, ascending, as indices of the leaves.
    leaves: Vec<usize>,
    /// The rules that the choices can disable, by the level of the last that can.
    rules: Vec<(usize, u32)>,
    /// The choices made so far.
    levels: Vec<Level>,
    /// The events that are certainly offered.
    certain: Vec<EventId>,
    /// The same as they are shown.
    events: Vec<EventId>,
    choices: u32,
}

/// The choice of one component.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Which of its acceptances is next.
    next: usize,
    /// How many events were certain before.
    certain: usize,
    /// Where the rules that it decides start.
    rules: usize,
}

impl Resting {
    /// Finds out which components have to choose, and what does not depend on it, from the rules that
    /// can fire; whether there can be a stable rest.
    fn prepare<const N: usize>(
        &mut self,
        machine: &Machine<N>,
        acceptances: &Acceptances,
        state: &[u64; N],
        enabled: &[u32],
    ) -> bool {
        self.leaves.clear();
        self.rules.clear();
        self.certain.clear();
        for leaf in enabled.iter().filter_map(|r| acceptances.leaf_of(*r)) {
            let known = &acceptances.leaves[leaf];
            if known.accepted(known.field.get(state)).is_empty() {
                return false;
            }
            self.leaves.push(leaf);
        }
        if self.leaves.is_empty() {
            return false;
        }
        // Leaves are numbered in the order of their components.
        self.leaves.sort_unstable();
        self.leaves.dedup();
        for rule in enabled
            .iter()
            .filter(|r| acceptances.leaf_of(**r).is_none())
        {
            let level = |component| {
                let leaf = acceptances.leaf_at(component)?;
                self.leaves.binary_search(&leaf).ok()
            };
            let event = machine.rules[*rule as usize].result;
            match machine.guarding(*rule).filter_map(level).max() {
                Some(last) => self.rules.push((last, *rule)),
                None if event == EventId::TAU => return false,
                None => self.certain.push(event),
            }
        }
        self.rules.sort_unstable();
        true
    }

    /// Makes room for the choice of the next component.
    fn descend(&mut self, rules: usize) {
        self.levels.push(Level {
            next: 0,
            certain: self.certain.len(),
            rules,
        });
    }

    /// Looks at the rules that the last choice decides: where they end, if none of them is a τ that
    /// can fire.
    fn decide<const N: usize>(&mut self, machine: &Machine<N>, rest: &[u64; N]) -> Option<usize> {
        let depth = self.levels.len() - 1;
        let from = self.levels[depth].rules;
        let rules = self.rules[from..].iter().take_while(|r| r.0 == depth);
        let mut to = from;
        for (_, rule) in rules {
            to += 1;
            if machine.can_fire(*rule, rest) {
                match machine.rules[*rule as usize].result {
                    EventId::TAU => return None,
                    event => self.certain.push(event),
                }
            }
        }
        Some(to)
    }

    /// The events that are certainly offered, as a stable state would.
    fn offers(&mut self) -> Offers<'_> {
        self.events.clear();
        self.events.extend_from_slice(&self.certain);
        ascending(&mut self.events);
        Offers {
            events: &self.events,
            tau: false,
        }
    }
}

impl<const N: usize> Context<'_, N> {
    /// Judges the stable rests of a state whose rules are in the worker. Not inlined, so that searches
    /// without rests are as fast as they were.
    #[cold]
    #[inline(never)]
    pub(super) fn judge_rests(
        &self,
        acceptances: &Acceptances,
        state: &[u64; N],
        worker: &mut Worker<N>,
    ) {
        let Worker {
            enabled,
            resting,
            finds,
            ..
        } = worker;
        if !resting.prepare(&self.machine, acceptances, state, enabled) {
            return;
        }
        let (node, refusals) = (self.node(state), self.judge.sees() == Sight::Refusals);
        let violates = |resting: &mut Resting| {
            let judged = self.judge.state(node, resting.offers());
            judged == Judged::Violation
        };
        if refusals && !violates(resting) {
            return;
        }
        let mut rest = *state;
        resting.levels.clear();
        resting.descend(0);
        while let Some(depth) = resting.levels.len().checked_sub(1) {
            let level = &mut resting.levels[depth];
            let leaf = &acceptances.leaves[resting.leaves[depth]];
            let accepted = leaf.accepted(leaf.field.get(state)).get(level.next);
            let Some(accepted) = accepted else {
                resting.levels.pop();
                continue;
            };
            level.next += 1;
            resting.certain.truncate(level.certain);
            leaf.field.set(&mut rest, *accepted);
            resting.choices = resting.choices.wrapping_add(1);
            if resting.choices.is_multiple_of(POLL_EVERY) {
                self.control.poll();
                if self.control.is_stopped() {
                    return;
                }
            }
            let Some(decided) = resting.decide(&self.machine, &rest) else {
                continue;
            };
            let complete = depth + 1 == resting.leaves.len();
            if (complete || refusals) && !violates(resting) {
                continue;
            }
            if !complete {
                resting.descend(decided);
                continue;
            }
            let kind = Kind::State(resting.offers().events.to_vec(), false);
            self.note_rest(finds, kind, state, &rest);
            if finds.wants_one() {
                // The first is the smallest.
                return;
            }
        }
    }
}
