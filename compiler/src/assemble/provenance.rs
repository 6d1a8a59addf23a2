//! Where the components of a network come from: the tree of operators and components above them.
//!
//! Two copies of one process are two parts, because a part is a place in the operator tree, not a
//! process. Parts are listed in preorder, so a parent comes before its operands. The table is made while
//! the tree is walked and costs a few words for each operator; the network itself knows nothing of it.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{ComponentId, EventId};

use crate::process::{Compression, ProcessId};

/// What the components of a network come from.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The operators and components, each after its parent.
    pub parts: Vec<Part>,
    /// More about each component, in the order of the network.
    pub components: Vec<Origin>,
}

/// An operator or a component at its place in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The operator that it is an operand of, by its place in the list.
    pub parent: Option<u32>,
    /// The process.
    pub process: ProcessId,
    /// What has become of it.
    pub role: Role,
}

/// What has become of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Rules over the components below; how scripts write the operator.
    Operator(&'static str),
    /// A component whose states are listed.
    Component(ComponentId),
    /// A component that a compression has made of this operand.
    Compressed(ComponentId, Compression, ProcessId),
    /// A component that says which operands of the operator above are live; scripts do not mention it.
    Controller(ComponentId),
}

impl Role {
    /// The component, if it is one.
    #[must_use]
    pub fn component(&self) -> Option<ComponentId> {
        match self {
            Self::Operator(_) => None,
            Self::Component(component)
            | Self::Compressed(component, ..)
            | Self::Controller(component) => Some(*component),
        }
    }
}

/// What is known of one component besides its transition system.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The process that each state is, if that was to be kept; a state beyond the last is terminated or
    /// off.
    pub states: Option<Arc<[ProcessId]>>,
    /// Events that exist only inside the network, and those that they stand for.
    pub stand_ins: AHashMap<EventId, EventId>,
}

impl Origin {
    /// The event of the process that an event of the component stands for.
    #[must_use]
    pub fn own_event(&self, event: EventId) -> EventId {
        self.stand_ins.get(&event).copied().unwrap_or(event)
    }
}
