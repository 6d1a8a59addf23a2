//! The seam between the search, which knows networks and stores, and the properties, which know
//! what may not happen.
//!
//! The search visits pairs of a *node* of the property (a node of a normalised specification, or 0)
//! and a state of the implementation, ply by ply. For every state it calls [`Judge::state`], and for
//! every transition [`Judge::step`]. Both are pure: the search may call them from any thread, in any
//! order, and again when it rebuilds a path.

use csp_lts::{EventId, EventSet};

use crate::reduction::Keeps;

/// A node of the property.
pub type Node = u32;

/// What a transition means for the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// Allowed, and leads to this node.
    To(Node),
    /// Allowed, and nothing that follows can violate the property.
    Done,
    /// The event is not allowed here.
    Violation,
}

/// What the implementation offers in one state.
#[derive(Clone, Copy, Debug)]
pub struct Offers<'a> {
    /// The visible events and ✓, ascending, without duplicates.
    pub events: &'a [EventId],
    /// τ is possible: the state is unstable.
    pub tau: bool,
}

/// What a state means for the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Go on to its transitions.
    Fine,
    /// The same, but they are judged from this node, which knows what the state offers. τ leaves the
    /// node of the state as it is.
    Seen(Node),
    /// Nothing from here on can violate the property.
    Done,
    /// The state itself is the violation (a refusal, a deadlock …).
    Violation,
}

/// How much of a state a property sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Anything.
    All,
    /// What it accepts, if anything (see [`crate::termination`]): states of the same acceptance are
    /// judged alike at the same node, those without one are no violations, and none is
    /// [`Judged::Seen`].
    Acceptances,
    /// The same, and a state that accepts more than one that is no violation is none either.
    Refusals,
}

/// A property, as the search sees it.
pub trait Judge: Sync {
    /// The node of the initial state.
    fn initial(&self) -> Node;

    /// One more than the largest node that can occur; 1 costs nothing per state.
    fn nodes(&self) -> u32;

    /// Whether [`Judge::state`] wants to see offers; if not it is not called.
    fn judges_states(&self) -> bool;

    /// Whether states from which τ can go on for ever are violations at this node.
    fn forbids_divergence(&self, node: Node) -> bool;

    /// Judges a state.
    fn state(&self, node: Node, offers: Offers<'_>) -> Judged;

    /// What [`Judge::state`] sees of a state. Unless it is all, acceptance steps are not followed.
    fn sees(&self) -> Sight {
        Sight::All
    }

    /// Judges a transition. τ is never passed: it leaves the node as it is.
    fn step(&self, node: Node, event: EventId) -> Stepped;

    /// Whether a state that offers something, be it τ, is always [`Judged::Fine`]; then only states
    /// without transitions are judged.
    fn accepts_any_offer(&self) -> bool {
        false
    }

    /// Whether every node can be asked about from the start, not only those that have been reached.
    fn is_whole(&self) -> bool {
        self.nodes() == 1
    }

    /// Whether [`Judge::forbids_divergence`] can be true of some node. Saying `true`
    /// for nothing costs time only.
    fn minds_divergence(&self) -> bool {
        self.nodes() > 1 || self.forbids_divergence(0)
    }

    /// What partial-order reduction has to keep for this property, if it is known to be sound for it.
    fn keeps(&self) -> Option<Keeps> {
        None
    }

    /// The node that judges as each node does if every event of some is replaced by its image, if there
    /// are such nodes.
    fn mirrored(
        &self,
        _events: &[EventId],
        _image: &dyn Fn(EventId) -> EventId,
    ) -> Option<Vec<Node>> {
        None
    }

    /// Whether the event leads on from no node at all, so that states after it are never visited.
    /// It costs nothing to say `false`; saying `true` makes states smaller.
    fn ends(&self, event: EventId) -> bool {
        self.nodes() == 1 && !matches!(self.step(0, event), Stepped::To(_))
    }
}

/// Forbids some events and nothing else. With none to forbid, a search lists all states.
#[derive(Clone, Debug, Default)]
pub struct Avoids(pub EventSet);

impl Judge for Avoids {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        1
    }

    fn judges_states(&self) -> bool {
        false
    }

    fn forbids_divergence(&self, _: Node) -> bool {
        false
    }

    fn state(&self, _: Node, _: Offers<'_>) -> Judged {
        Judged::Fine
    }

    fn step(&self, _: Node, event: EventId) -> Stepped {
        if self.0.contains(event) {
            Stepped::Violation
        } else {
            Stepped::To(0)
        }
    }
}
