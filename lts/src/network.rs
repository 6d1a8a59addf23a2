//! Networks: small transition systems that move together by rules (Goldsmith's supercombinators).
//!
//! A state of a network is one local state for each component. A *rule* names, for each component
//! that takes part, a local event; it can fire if every participant has a transition on its event,
//! and then all of them move together, whatever the others do. Operators whose set of live
//! arguments changes (`;`, `[]`, `/\` …) are expressed with small *controller* components that take
//! part in the rules, and with *resets*, which put components that are switched off or on into a
//! fixed state. Departs: FDR keeps a separate rule table ("format") for each set of live arguments;
//! controllers give the same state space with one table.
//!
//! Two further things are not plain rules. *Priority*: a rule may be blocked by probes, which are
//! conjunctions of local offers. *Chase*: after every step the listed τ rules are followed, silently
//! and first rule first, until none can fire; only what is then reached is a state.

use std::sync::Arc;

use crate::event::EventId;
use crate::lts::{Lts, StateId};

/// A component of one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

/// A rule of one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);

/// A transition system at its place in a network.
#[derive(Clone, Debug)]
pub struct Component {
    /// What to call it in reports, as the script does: `Card(Hearts.3)`.
    pub name: String,
    /// Its behaviour; shared between components and networks.
    pub lts: Arc<Lts>,
    /// Where it starts (not necessarily [`Lts::initial`]).
    pub initial: StateId,
}

/// One way in which components move together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule {
    /// What the network as a whole is seen to do: a visible event, ✓ or τ.
    pub result: EventId,
    /// The event by its name before hiding; equal to `result` if it is not hidden, and τ for a
    /// component's own τ.
    pub revealed: EventId,
    /// Who takes part and on which local event; ascending, each component once. Any transition of
    /// a participant on its event may be taken, so one rule can have several successors.
    pub participants: Box<[(ComponentId, EventId)]>,
    /// Components that are put into a fixed state; ascending, none of them a participant.
    pub resets: Box<[(ComponentId, StateId)]>,
    /// Index into [`Network::blockers`]: the rule cannot fire while one of those probes holds.
    pub blocked_by: Option<u32>,
}

/// A condition on a state: every listed component offers its local event, and the probe itself is
/// not blocked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Probe {
    /// What must be offered.
    pub offers: Box<[(ComponentId, EventId)]>,
    /// As for rules (nested priority).
    pub blocked_by: Option<u32>,
}

/// Rules that are followed at once, silently, before a state counts as reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chase {
    /// The process that is chased, for reports (a τ loop in it is the user's error).
    pub name: String,
    /// The τ rules, tried in this order. They are listed in [`Network::rules`] too, and are never
    /// fired as ordinary steps.
    pub rules: Box<[RuleId]>,
}

/// Components and the rules by which they move.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The components, indexed by [`ComponentId`].
    pub components: Vec<Component>,
    /// The rules, indexed by [`RuleId`].
    pub rules: Vec<Rule>,
    /// The probes that `blockers` refers to.
    pub probes: Vec<Probe>,
    /// Sets of probes, by index, that rules are blocked by.
    pub blockers: Vec<Box<[u32]>>,
    /// Chases, inner before outer; each is run to its end before the next, from the first again
    /// after every step.
    pub chases: Vec<Chase>,
}

impl Network {
    /// The network of one transition system that does what it does.
    #[must_use]
    pub fn of_lts(name: impl Into<String>, lts: Arc<Lts>) -> Self {
        let component = ComponentId(0);
        let rules = lts
            .alphabet()
            .iter()
            .filter(|e| *e != EventId::OMEGA)
            .map(|event| Rule {
                result: event,
                revealed: event,
                participants: Box::new([(component, event)]),
                resets: Box::default(),
                blocked_by: None,
            })
            .collect();
        let initial = lts.initial();
        Self {
            components: vec![Component {
                name: name.into(),
                lts,
                initial,
            }],
            rules,
            ..Self::default()
        }
    }
}
