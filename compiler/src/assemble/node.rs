//! Rules under construction.
//!
//! Every operator of the network's tree yields a [`Node`]: what its subtree can do, as fragments
//! of rules over the components of the subtree. The root's fragments become the rules.
//!
//! A node has an *on* configuration, in which it starts, and an *off* configuration, in which none
//! of its fragments can fire. Off is also where every ✓ leads: a terminated node and one that has
//! been switched off are the same state, so that equal futures have equal states. All components
//! of [`Node::done`] offer Ω exactly in the off configuration.

use std::ops::Range;

use csp_lts::{ComponentId, EventId, StateId};
use smallvec::SmallVec;

/// Where to put a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Put {
    /// Into this state.
    State(StateId),
    /// Where it offers nothing but Ω.
    Off,
}

/// Who moves in a rule, and what is switched on and off by it.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    /// Only of silent fragments: the event before it was hidden.
    pub(super) revealed: EventId,
    pub(super) participants: SmallVec<[(ComponentId, EventId); 2]>,
    /// Each component once, none of them a participant.
    pub(super) resets: Vec<(ComponentId, Put)>,
    /// Index of a set of probes.
    pub(super) blocked_by: Option<u32>,
}

impl Fragment {
    /// Nobody moves yet.
    pub(super) fn none() -> Self {
        Self {
            revealed: EventId::TAU,
            participants: SmallVec::new(),
            resets: Vec::new(),
            blocked_by: None,
        }
    }

    /// One component moves.
    pub(super) fn single(component: ComponentId, event: EventId) -> Self {
        let mut fragment = Self::none();
        fragment.participants.push((component, event));
        fragment
    }

    /// The same as a silent step that shows this when asked.
    pub(super) fn revealing(mut self, event: EventId) -> Self {
        self.revealed = event;
        self
    }
}

/// What a subtree can do.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// By visible event, in no particular order.
    pub(super) visible: Vec<(EventId, Fragment)>,
    pub(super) silent: Vec<Fragment>,
    pub(super) ticks: Vec<Fragment>,
    /// The components of the subtree.
    pub(super) components: Range<u32>,
    /// The configuration in which it starts, each component once.
    pub(super) on: Vec<(ComponentId, Put)>,
    /// Offer Ω together if and only if the node has terminated or is off.
    pub(super) done: Vec<ComponentId>,
    /// It is Ω itself: terminated from the start, as only members that terminate apart can be.
    pub(super) finished: bool,
}

impl Node {
    /// Whether it can ever terminate.
    pub(super) fn can_tick(&self) -> bool {
        !self.ticks.is_empty()
    }

    /// Whether a composition can wait for its termination.
    pub(super) fn can_finish(&self) -> bool {
        self.finished || self.can_tick()
    }

    /// The configuration in which nothing of it can fire.
    pub(super) fn off(&self) -> Vec<(ComponentId, Put)> {
        self.components
            .clone()
            .map(|c| (ComponentId(c), Put::Off))
            .collect()
    }

    /// Takes over what the other node can do, side by side.
    pub(super) fn absorb(&mut self, mut other: Self) {
        append(&mut self.visible, &mut other.visible);
        append(&mut self.silent, &mut other.silent);
        append(&mut self.ticks, &mut other.ticks);
        append(&mut self.on, &mut other.on);
        append(&mut self.done, &mut other.done);
        self.components = if self.components.is_empty() {
            other.components
        } else if other.components.is_empty() {
            self.components.clone()
        } else {
            self.components.start.min(other.components.start)
                ..self.components.end.max(other.components.end)
        };
    }
}

/// Moves the shorter list, so that a long chain of operators costs no more than a balanced tree.
pub(super) fn append<T>(list: &mut Vec<T>, other: &mut Vec<T>) {
    if list.len() < other.len() {
        std::mem::swap(list, other);
    }
    list.append(other);
}
