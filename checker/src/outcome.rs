//! What a check comes to: a verdict with evidence, and what was covered.

#![allow(
    missing_docs,
    reason = "the sentence above a variant says what its fields are"
)]

use csp_lts::{ComponentId, EventId, RuleId, StateId};

/// The outcome of one check.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was decided.
    pub verdict: Verdict,
    /// What was covered.
    pub statistics: Statistics,
    /// Set if a limit ended the search: for a claim that fails, before all the counterexamples that
    /// were asked for had been looked for.
    pub limit: Option<Limit>,
}

/// What was decided.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The property holds of every reachable state.
    Holds,
    /// It does not, and these are the shortest ways to see it: at least one, each replayed.
    Fails(Vec<Counterexample>),
    /// A limit was reached first.
    Inconclusive(Limit),
}

/// Why a check ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `max_states` states were stored.
    States(u64),
    /// The time was up.
    Time,
    /// The next step would have taken more memory than allowed (bytes).
    Memory(u64),
    /// The user interrupted.
    Interrupted,
    /// The normal form of the specification has more than this many nodes.
    NormalForm(u64),
    /// The model is too large for the engine or ill-formed for this check; says why.
    Unsupported(String),
    /// A reduction that was asked for is not known to be sound here; says why.
    Irreducible(String),
    /// A symmetry that was declared does not hold: what would be exchanged, and what is in the way.
    Asymmetric(String, Asymmetry),
}

/// What keeps a network from being symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asymmetry {
    /// The property tells apart what the network does not: two events, if it is about any.
    Property(Option<(EventId, EventId)>),
    /// The network can do an event, but not the one that it would go to.
    Missing(EventId, EventId),
    /// A rule has no counterpart.
    Rule {
        /// Its event, by the name before hiding.
        event: EventId,
        /// What the counterpart would be called.
        image: EventId,
        /// Who takes part in it.
        components: Vec<String>,
    },
    /// Components have no counterpart; and those that they would have to be like, if some are alike. Nothing
    /// if no two are.
    Components(Vec<String>, Vec<String>),
}

/// What was covered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct pairs of specification node and implementation state: if enough violations were
    /// found, those up to and including the ply in which they were; if a limit was reached, those
    /// stored by then.
    pub states: u64,
    /// Transitions out of the states looked at; if enough violations were found, out of those of the
    /// plys before.
    pub transitions: u64,
    /// Breadth-first plys completed: their states were all looked at.
    pub plys: u64,
    /// States of each ply.
    pub ply_sizes: Vec<u64>,
    /// Bytes at the peak, all told.
    pub peak_memory: u64,
    /// Bytes per state kept in the store at the end.
    pub bytes_per_state: f64,
    /// The store that was chosen, by name.
    pub store: &'static str,
    /// What partial-order reduction left of the rules that could fire, if it was asked for.
    pub partial_order: Option<Followed>,
    /// The symmetries that were used, if symmetry reduction was asked for.
    pub symmetry: Option<Group>,
}

/// The symmetries of a network and a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// How many there are with the identity, if all were listed.
    pub elements: Option<u64>,
    /// Those that were used.
    pub exchanges: u64,
    /// If there are none, what is in the way.
    pub broken: Option<Asymmetry>,
}

/// How many of the rules that could fire in the states of a search were followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Rules that could fire, added up over all states.
    pub enabled: u64,
    /// Those that were followed.
    pub followed: u64,
    /// Too little was gained in the beginning, so the search was done without.
    pub given_up: bool,
}

impl Followed {
    /// Adds what others have followed.
    pub(crate) fn add(&mut self, other: Self) {
        self.enabled += other.enabled;
        self.followed += other.followed;
    }

    /// Whether next to nothing was left out, as far as can be told: not by the first few states.
    pub(crate) fn is_idle(self) -> bool {
        self.enabled >= 1 << 12 && (self.enabled - self.followed) * 64 < self.enabled
    }
}

/// A behaviour that the property forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// From the initial state to the violation; shortest, counting τ but not what is chased nor
    /// acceptance steps (`machine/acceptance.rs`).
    pub steps: Vec<Step>,
    /// What is wrong there.
    pub evidence: Evidence,
}

impl Counterexample {
    /// The visible events.
    #[must_use]
    pub fn trace(&self) -> Vec<EventId> {
        self.steps
            .iter()
            .map(|s| s.event)
            .filter(|e| *e != EventId::TAU)
            .collect()
    }
}

/// What is wrong at the end of the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The last step's event is not allowed by the specification.
    Trace { allowed: Vec<EventId> },
    /// The state refuses too much: it offers `offered`, and the specification requires one of
    /// `acceptances` to be offered in full.
    Refusal {
        offered: Vec<EventId>,
        acceptances: Vec<Vec<EventId>>,
    },
    /// τ can go on for ever: the loop, which starts and ends at the same state.
    Divergence { cycle: Vec<Step> },
    /// Nothing is possible any more.
    Deadlock,
    /// After the same trace, `event` was done in `steps` (its last visible event) and is refused
    /// at the end of `other`, where only `offered` is possible.
    Nondeterminism {
        event: EventId,
        other: Vec<Step>,
        offered: Vec<EventId>,
    },
    /// Revivals: the stable state offers `offered`, and with it `event`; the specification can offer
    /// that event stably only if one of `acceptances` is offered in full (if there is one at all).
    Revival {
        event: EventId,
        offered: Vec<EventId>,
        acceptances: Vec<Vec<EventId>>,
    },
    /// Refusal testing: `observed` says, for each visible event of the steps, what was offered by the
    /// stable state in which it was done (`None`: it was done from an unstable one). After all but
    /// the last event, and having seen the last offer, the specification allows only `allowed`. If
    /// there is one more observation than events, that last offer itself is what is not allowed.
    RefusalTrace {
        observed: Vec<Option<Vec<EventId>>>,
        allowed: Vec<EventId>,
    },
    /// `has trace`: only this many of the events could be done.
    MissingTrace { done: usize },
}

/// One step of the implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The event as seen from outside.
    pub event: EventId,
    /// The event by its name before hiding.
    pub revealed: EventId,
    /// The rule that fired.
    pub rule: RuleId,
    /// Taken silently by `chase`: not counted.
    pub chased: bool,
    /// Who moved: component, its local event, state before and after.
    pub moves: Vec<(ComponentId, EventId, StateId, StateId)>,
}
