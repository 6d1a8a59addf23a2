//! A network compiled for stepping: packed states, rules reduced to guards and effects, and an index
//! from a state to the rules that can fire in it.
//!
//! For every rule and participant, over the reachable local states: one that always offers and
//! always loops is dropped; one that always offers is only an effect; one that always loops is only
//! a guard. What is left is found by one of two [`Finder`]s and fired by a few writes. Sources:
//! Goldsmith, "Operational semantics for fun and profit" (supercombinators); the mask
//! representation of FDR2.

pub(crate) mod acceptance;
mod admitted;
mod arranged;
mod candidates;
mod chase;
mod determined;
mod finder;
mod fire;
mod joint;
mod layout;
mod linear;
mod local;
mod plain;
mod rank;
mod rule;
#[cfg(test)]
mod samples;
mod sparse;

use ahash::AHashMap;
use csp_lts::{EventId, Network, RuleId, StateId};

pub(crate) use acceptance::Acceptances;
use acceptance::Overlooked;
pub(crate) use arranged::Arranged;
pub(crate) use chase::{Chaser, Endless};
pub(crate) use determined::Determined;
pub(crate) use finder::Finder;
pub(crate) use joint::{Cells, Joints, RUN};
pub(crate) use layout::{Field, Layout, MOST_WORDS};
pub(crate) use linear::Linear;
pub(crate) use local::{Local, Locals};
use plain::MOST_PLAIN;
pub(crate) use plain::Plain;
pub(crate) use rank::Ranking;
use rule::{Code, Held, RuleCode};

/// Marks the absence of a number.
pub(crate) const NONE: u32 = u32::MAX;

/// Whether rules and components can be numbered, at most this many of each; the error is a sentence
/// for the user.
fn fits(network: &Network, most: usize) -> Result<(), String> {
    let counts = [
        (network.rules.len(), "rules"),
        (network.components.len(), "components"),
    ];
    match counts.iter().find(|(count, _)| *count > most) {
        None => Ok(()),
        Some((count, what)) => Err(format!(
            "the network has {count} {what}, and at most {most} can be numbered"
        )),
    }
}

/// A network reduced to what can happen, before the width of its states is fixed.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) layout: Layout,
    pub(crate) locals: Locals,
    /// Rules that are never followed.
    ending: Vec<bool>,
    /// What spans the differences made by steps, if a state is one word.
    span: Vec<u64>,
    overlooked: Option<Overlooked>,
    determined: Option<Determined>,
    /// Rules are compiled one by one, so that those of the machine are the live ones of the network.
    pub(crate) one_by_one: bool,
}

impl Plan {
    /// Analyses a network whose states are to have at least this many words, for a property with this
    /// many nodes and events after which it does not matter what happens; the error is a sentence
    /// for the user.
    pub(crate) fn new(
        network: &Network,
        nodes: u32,
        ends: impl Fn(EventId) -> bool,
        least_words: usize,
    ) -> Result<Self, String> {
        fits(network, NONE as usize)?;
        let mut known: AHashMap<EventId, bool> = AHashMap::new();
        let mut ending: Vec<bool> = network
            .rules
            .iter()
            .map(|rule| {
                let event = rule.result;
                event != EventId::TAU && *known.entry(event).or_insert_with(|| ends(event))
            })
            .collect();
        for rule in network.chases.iter().flat_map(|chase| chase.rules.iter()) {
            ending[rule.0 as usize] = false;
        }
        let locals = Locals::of(network, &ending);
        let counts: Vec<u64> = locals
            .components
            .iter()
            .map(|local| local.states.len() as u64)
            .collect();
        let Some(layout) = Layout::new(&counts, u64::from(nodes.max(1)), least_words) else {
            return Err(format!(
                "a state of the network needs more than {} bits",
                64 * MOST_WORDS
            ));
        };
        let (span, determined) = if layout.words == 1 {
            let determined = Determined::new(network, &locals, &ending, &layout);
            let span = linear::span(network, &locals, &ending, &layout);
            (span, determined)
        } else {
            (Vec::new(), None)
        };
        Ok(Self {
            determined,
            layout,
            locals,
            ending,
            span,
            overlooked: None,
            one_by_one: false,
        })
    }

    /// Leaves out the acceptance steps that need not be followed: see [`acceptance`].
    pub(crate) fn overlook_acceptance_steps(&mut self, network: &Network) {
        self.overlooked = Overlooked::of(network, &self.locals, &self.ending);
    }
}

/// A compiled network whose states are packed into `N` words.
#[derive(Debug)]
pub(crate) struct Machine<const N: usize> {
    pub(crate) layout: Layout,
    /// See [`Linear`].
    pub(crate) span: Vec<u64>,
    pub(crate) determined: Option<Determined>,
    /// For each component the local states by dense number.
    states: Vec<Vec<StateId>>,
    dense_initial: Vec<u32>,
    code: Code,
    /// The rules that can be fired as ordinary steps, in the order of the network.
    pub(crate) rules: Vec<RuleCode>,
    pub(crate) finder: Finder,
    pub(crate) chaser: Option<Chaser>,
    /// Some ordinary rule is silent.
    pub(crate) has_tau: bool,
    /// Some rule can be blocked.
    has_blockers: bool,
    /// The short form, if there is one.
    pub(crate) plain: Option<Plain<N>>,
    /// Its moves, once it pays to tabulate them.
    pub(crate) joints: Option<Joints<N>>,
    /// The acceptance steps that are not followed, if there are any.
    pub(crate) acceptances: Option<Acceptances>,
}

impl<const N: usize> Machine<N> {
    /// Compiles a network; the error is a sentence for the user.
    pub(crate) fn new(network: &Network, plan: Plan) -> Result<Self, String> {
        let Plan {
            layout,
            locals,
            ending,
            span,
            overlooked,
            determined,
            one_by_one,
        } = plan;
        assert_eq!(layout.words, N, "the plan says how many words there are");
        let mut code = Code::new(network, &layout, &locals)?;
        let mut chased = vec![false; network.rules.len()];
        let mut order = Vec::new();
        for rule in network.chases.iter().flat_map(|chase| chase.rules.iter()) {
            if !std::mem::replace(&mut chased[rule.0 as usize], true) {
                order.push(*rule);
            }
        }
        let mut rules = Vec::new();
        for (id, live) in (0..).map(RuleId).zip(&locals.live) {
            if *live && !chased[id.0 as usize] {
                let follow = !ending[id.0 as usize];
                rules.push(code.rule(network, id, follow, &layout, &locals));
            }
        }
        // With a few more rules, all of them may do nothing but mask and flip words.
        let simple = network.chases.is_empty() && overlooked.is_none() && !one_by_one;
        if simple
            && rules.len() <= MOST_PLAIN
            && rules.iter().all(|rule| rule.blocked_by == NONE)
            && rules.iter().any(Code::has_columns)
            && let Some(cases) = Code::cases(network, &ending, &layout, &locals, MOST_PLAIN)
        {
            (code, rules) = cases;
        }
        let acceptances = overlooked.map(|overlooked| {
            let ids = rules.iter().map(|rule: &RuleCode| rule.id);
            Acceptances::new(network, &locals, &layout, &overlooked, ids)
        });
        if let Some(acceptances) = &acceptances {
            code.overlook(&mut rules, acceptances);
        }
        let chased: Vec<RuleCode> = order
            .into_iter()
            .filter(|id| locals.live[id.0 as usize])
            .map(|id| code.rule(network, id, true, &layout, &locals))
            .collect();
        let dense_initial = network
            .components
            .iter()
            .zip(&locals.components)
            .map(|(component, local)| local.dense(component.initial))
            .collect();
        let counts: Vec<u32> = locals
            .components
            .iter()
            .map(|l| u32::try_from(l.states.len()).expect("states are numbered by u32"))
            .collect();
        let finder = Finder::new(&rules, &code, &layout, &counts);
        let chaser =
            (!chased.is_empty()).then(|| Chaser::new(network, chased, &code, &layout, &counts));
        let mut machine = Self {
            has_tau: rules.iter().any(|r| r.result == EventId::TAU),
            has_blockers: rules.iter().any(|r| r.blocked_by != NONE),
            states: locals.components.into_iter().map(|l| l.states).collect(),
            layout,
            span,
            determined,
            dense_initial,
            code,
            rules,
            finder,
            chaser,
            plain: None,
            joints: None,
            acceptances,
        };
        machine.plain = machine.plain();
        Ok(machine)
    }

    /// Puts the guards that fail most often in a sample of states first.
    pub(crate) fn learn(&mut self, sample: &[[u64; N]]) {
        let counts: Vec<u32> = self
            .states
            .iter()
            .map(|states| u32::try_from(states.len()).expect("states are numbered by u32"))
            .collect();
        let mut seen: Vec<Vec<u32>> = counts.iter().map(|c| vec![0; *c as usize]).collect();
        for state in sample {
            for (field, seen) in self.layout.components.iter().zip(&mut seen) {
                seen[field.get(state) as usize] += 1;
            }
        }
        let mut held = Held::new(seen);
        for rule in &self.rules {
            self.code.reorder(rule, &mut held);
        }
        if let Some(chaser) = &mut self.chaser {
            chaser.reorder(&mut self.code, &mut held);
        }
        if let Finder::Drivers(_) = &self.finder {
            self.finder = Finder::new(&self.rules, &self.code, &self.layout, &counts);
        }
    }

    /// The initial state before anything is chased, at node 0.
    pub(crate) fn start(&self) -> [u64; N] {
        let mut state = [0; N];
        for (field, value) in self.layout.components.iter().zip(&self.dense_initial) {
            field.set(&mut state, *value);
        }
        state
    }

    /// The local states of a packed state.
    pub(crate) fn unpack(&self, state: &[u64; N]) -> Vec<StateId> {
        self.layout
            .components
            .iter()
            .zip(&self.states)
            .map(|(field, states)| states[field.get(state) as usize])
            .collect()
    }

    /// How many local states each component has.
    pub(crate) fn state_counts(&self) -> Vec<usize> {
        self.states.iter().map(Vec::len).collect()
    }

    /// Fills `enabled` with the ordinary rules that can fire, in any order.
    #[inline(always)]
    pub(crate) fn enabled(&self, state: &[u64; N], enabled: &mut Vec<u32>) {
        enabled.clear();
        self.finder.find(&self.code, state, enabled);
        if self.has_blockers {
            enabled.retain(|rule| {
                let blocker = self.rules[*rule as usize].blocked_by;
                blocker == NONE || !self.code.blocked(state, blocker)
            });
        }
    }

    /// Whether an ordinary rule can fire.
    #[inline(always)]
    pub(crate) fn can_fire(&self, rule: u32, state: &[u64; N]) -> bool {
        self.code.can_fire(&self.rules[rule as usize], state)
    }

    /// The components on which it depends whether an ordinary rule can fire, priorities aside.
    pub(crate) fn guarding(&self, rule: u32) -> impl Iterator<Item = u32> {
        let guards = self.code.guards(&self.rules[rule as usize]).iter();
        guards.map(|guard| guard.component)
    }

    /// Calls back with every state that firing an enabled rule can lead to, before chasing.
    #[inline(always)]
    pub(crate) fn fire(&self, state: &[u64; N], rule: u32, f: impl FnMut(&mut [u64; N])) {
        self.code.fire(&self.rules[rule as usize], state, f);
    }

    /// How many bits of a state a step can change at most, if no more than this many rules are chased.
    pub(crate) fn most_changed_bits(&self, most_chased: u32) -> u32 {
        let bits = |rule: &RuleCode| -> u32 {
            let touched = self.code.touched(rule).iter();
            touched
                .map(|c| self.layout.components[*c as usize].bits())
                .sum()
        };
        let most = self.rules.iter().map(bits).max().unwrap_or(0);
        let chased = self.chaser.as_ref().map_or(0, |chaser| {
            chaser.rules().iter().map(bits).max().unwrap_or(0)
        });
        most + most_chased * chased + self.layout.node.bits()
    }

    /// The constant by which a rule flips a one-word state, if that is all it ever does.
    pub(crate) fn flip(&self, rule: u32) -> Option<u64> {
        match self.code.only_flips(&self.rules[rule as usize])? {
            [] => Some(0),
            [flip] if N == 1 && flip.keep == u64::MAX => Some(flip.flip),
            _ => None,
        }
    }

    /// How many states firing an enabled rule leads to.
    pub(crate) fn choices(&self, state: &[u64; N], rule: u32) -> u64 {
        self.code.choices(&self.rules[rule as usize], state)
    }

    /// Chases after an ordinary rule has led from a chased state to this one.
    #[inline(always)]
    pub(crate) fn chase_after(
        &self,
        rule: u32,
        before: &[u64; N],
        state: &mut [u64; N],
        dirty: &mut Vec<u32>,
    ) -> Result<(), Endless> {
        let Some(chaser) = &self.chaser else {
            return Ok(());
        };
        let touched = self.code.touched(&self.rules[rule as usize]);
        chaser.after(&self.code, before, state, touched, dirty)
    }

    /// Chases from a state of which nothing is known.
    pub(crate) fn chase_all(&self, state: &mut [u64; N]) -> Result<(), Endless> {
        let Some(chaser) = &self.chaser else {
            return Ok(());
        };
        chaser.settle(&self.code, state)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventSet, LtsBuilder};

    use super::*;

    #[test]
    fn what_cannot_be_numbered_is_refused() {
        let mut builder = LtsBuilder::new();
        let loops = (3..6).map(|event| (Arc::new(EventSet::single(EventId(event))), StateId(0)));
        builder.state(loops);
        let network = Network::of_lts("P", Arc::new(builder.finish(StateId(0))));
        assert_eq!((network.rules.len(), network.components.len()), (3, 1));
        assert_eq!(fits(&network, 3), Ok(()));
        assert_eq!(
            fits(&network, 2),
            Err("the network has 3 rules, and at most 2 can be numbered".to_owned())
        );
        let network = Network {
            rules: Vec::new(),
            components: vec![network.components[0].clone(); 3],
            ..network
        };
        assert_eq!(
            fits(&network, 2),
            Err("the network has 3 components, and at most 2 can be numbered".to_owned())
        );
    }

    /// Where the rules of a network lead from a state, by the definition.
    fn steps(network: &Network, from: &[StateId]) -> Vec<(RuleId, Vec<StateId>)> {
        let mut steps = Vec::new();
        for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
            let mut children = vec![from.to_vec()];
            for (component, event) in &rule.participants {
                let component = component.0 as usize;
                let lts = &network.components[component].lts;
                let mut targets: Vec<StateId> = lts
                    .transitions(from[component])
                    .filter(|t| t.0 == *event)
                    .map(|t| t.1)
                    .collect();
                targets.sort_unstable();
                targets.dedup();
                let wider = children.iter().flat_map(|child| {
                    targets.iter().map(|target| {
                        let mut child = child.clone();
                        child[component] = *target;
                        child
                    })
                });
                children = wider.collect();
            }
            for (component, state) in &rule.resets {
                for child in &mut children {
                    child[component.0 as usize] = *state;
                }
            }
            steps.extend(children.into_iter().map(|child| (id, child)));
        }
        steps.sort_unstable();
        steps
    }

    #[test]
    fn steps_are_those_of_the_network_with_and_without_tables() {
        for seed in 0..60 {
            let network = samples::random(seed);
            let mut plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
            if seed % 2 == 1 {
                let locals = plan.locals.components.iter_mut();
                locals.for_each(local::Local::make_sparse);
            }
            let mut machine = Machine::<1>::new(&network, plan).expect("it is small");
            let (mut states, mut enabled) = (vec![machine.start()], Vec::new());
            let mut known = ahash::AHashSet::new();
            let mut at = 0;
            while at < states.len() && at < 300 {
                let state = states[at];
                at += 1;
                // Guards are reordered on the way.
                if at == 50 {
                    machine.learn(&states);
                }
                machine.enabled(&state, &mut enabled);
                let mut found = Vec::new();
                for rule in &enabled {
                    machine.fire(&state, *rule, |child| {
                        found.push((machine.rules[*rule as usize].id, machine.unpack(child)));
                        if known.insert(*child) {
                            states.push(*child);
                        }
                    });
                }
                found.sort_unstable();
                assert_eq!(found, steps(&network, &machine.unpack(&state)));
            }
        }
    }
}
