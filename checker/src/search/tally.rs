//! Counts of a search, ply by ply, and whether it goes on.

use super::control::Control;
use super::finds::Finds;
use crate::options::Ply;
use crate::outcome::{Followed, Limit, Statistics};

/// What has been covered so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// States of each ply; the last may not have been expanded yet.
    ply_sizes: Vec<u64>,
    /// Their sum: there may be as many plys as states.
    states: u64,
    /// Plys visited to their end, and all their children stored if there is a next ply.
    pub(crate) plys: u64,
    /// Transitions out of the plys that led to a next one.
    pub(crate) transitions: u64,
    /// What partial-order reduction left of the rules that could fire, if it is used.
    pub(crate) followed: Option<Followed>,
}

impl Tally {
    /// States stored.
    pub(crate) fn states(&self) -> u64 {
        self.states
    }

    /// States of the last ply.
    pub(crate) fn last_ply(&self) -> u64 {
        *self.ply_sizes.last().expect("there is a ply to expand")
    }

    /// Counts a ply of this many states.
    pub(crate) fn add_ply(&mut self, states: u64) {
        self.ply_sizes.push(states);
        self.states += states;
    }

    /// Counts a ply's children, and the transitions up to and with the ply; whether there is a next
    /// ply to expand.
    ///
    /// If enough has been found in the ply, nobody will look at the children, and how many of them
    /// were stored before it was found is chance: neither they count nor what leads to them. If enough
    /// has been found ahead, the next ply counts as visited.
    pub(crate) fn end_ply<const N: usize>(
        &mut self,
        control: &Control<'_>,
        children: u64,
        transitions: u64,
        finds: &mut Finds<N>,
    ) -> bool {
        control.tell_ply(&Ply {
            number: self.ply_sizes.len() as u64 - 1,
            size: self.last_ply(),
            states: self.states,
            transitions,
        });
        let ended = control.is_closed() || control.is_stopped();
        if ended {
            // The next ply is not complete.
            finds.forget_ahead();
        }
        let enough_found = finds.are_enough();
        if enough_found && !finds.are_ahead() {
            self.plys += u64::from(!control.is_stopped());
            return false;
        }
        self.transitions = transitions;
        // What was stored beyond the limit before anybody noticed does not count.
        let room = control.most_states.saturating_sub(self.states);
        if children.min(room) > 0 {
            self.add_ply(children.min(room));
        }
        if !ended {
            self.plys += 1 + u64::from(enough_found);
        }
        !ended && !enough_found && children > 0
    }

    /// Whether what was found is to be reported: not if it is too little and the model is ill-formed.
    pub(crate) fn reports<const N: usize>(control: &Control<'_>, finds: &Finds<N>) -> bool {
        let ill_formed = matches!(control.limit(), Some(Limit::Unsupported(_)));
        !finds.finds().is_empty() && (finds.are_enough() || !ill_formed)
    }

    /// The limit to report: none if the ply was visited to its end and enough was found.
    pub(crate) fn limit(control: &Control<'_>, enough_found: bool) -> Option<Limit> {
        control
            .limit()
            .filter(|_| !enough_found || control.is_stopped())
    }

    /// The report.
    pub(crate) fn statistics(self, control: &Control<'_>, store: &'static str) -> Statistics {
        let states = self.states;
        Statistics {
            states,
            transitions: self.transitions,
            plys: self.plys,
            ply_sizes: self.ply_sizes,
            peak_memory: control.account.peak(),
            bytes_per_state: control.account.taken() as f64 / states.max(1) as f64,
            store,
            partial_order: self.followed,
            symmetry: None,
        }
    }
}
