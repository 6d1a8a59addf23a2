//! Counts of a search, ply by ply, and whether it goes on.

use super::control::Control;
use crate::outcome::{Limit, Statistics};

/// What has been covered so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// States of each ply; the last may not have been expanded yet.
    pub(crate) ply_sizes: Vec<u64>,
    /// Plys expanded, and all their children stored if there is a next ply.
    pub(crate) plys: u64,
    /// Transitions seen.
    pub(crate) transitions: u64,
}

impl Tally {
    /// States stored.
    pub(crate) fn states(&self) -> u64 {
        self.ply_sizes.iter().sum()
    }

    /// Counts a ply's children; whether there is a next ply to expand.
    ///
    /// If enough has been found, nobody will look at the children, and how many of them were stored
    /// before it was found is chance: the ply counts as expanded and they do not count.
    pub(crate) fn end_ply(
        &mut self,
        control: &Control<'_>,
        children: u64,
        enough_found: bool,
    ) -> bool {
        if enough_found {
            self.plys += u64::from(!control.is_stopped());
            return false;
        }
        // What was stored beyond the limit before anybody noticed does not count.
        let room = control.most_states - self.states().min(control.most_states);
        if children.min(room) > 0 {
            self.ply_sizes.push(children.min(room));
        }
        let ended = control.is_closed() || control.is_stopped();
        if !ended {
            self.plys += 1;
        }
        !ended && children > 0
    }

    /// Whether what was found is to be reported: not if the model is ill-formed.
    pub(crate) fn reports(control: &Control<'_>) -> bool {
        !matches!(control.limit(), Some(Limit::Unsupported(_)))
    }

    /// The limit to report: none if the ply was looked through and enough was found.
    pub(crate) fn limit(control: &Control<'_>, enough_found: bool) -> Option<Limit> {
        control
            .limit()
            .filter(|_| !enough_found || control.is_stopped())
    }

    /// The report.
    pub(crate) fn statistics(self, control: &Control<'_>, store: &'static str) -> Statistics {
        let states = self.states();
        Statistics {
            states,
            transitions: self.transitions,
            plys: self.plys,
            ply_sizes: self.ply_sizes,
            peak_memory: control.account.peak(),
            bytes_per_state: control.account.taken() as f64 / states.max(1) as f64,
            store,
        }
    }
}
