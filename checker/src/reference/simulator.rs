//! One network, stepped on plain vectors of local states.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use csp_lts::{ComponentId, EventId, Network, RuleId, StateId};

use crate::outcome::Step;

/// A state of a network: one local state for each component.
pub type State = Vec<StateId>;

/// Chasing came back to a state it had left: the name of the chased process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChaseLoop(pub String);

/// One transition of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The rule that fired.
    pub rule: RuleId,
    /// The rule's step, and then those that were chased.
    pub steps: Vec<Step>,
    /// The state that is reached.
    pub state: State,
}

/// States that are looked at between two questions whether to stop.
const ASK_EVERY: usize = 1 << 10;

/// Steps a network.
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    network: &'a Network,
    /// The chased rules, in the order in which they are tried.
    chased: Vec<RuleId>,
    is_chased: Vec<bool>,
    /// For each component, the chased rules whose first participant it is: their event, and their
    /// position in `chased`.
    led: Vec<Vec<(EventId, u32)>>,
    /// Those of them that a local state offers the event of, once it was met.
    offered: RefCell<HashMap<(usize, StateId), Vec<u32>>>,
    /// The positions of chased rules without participants.
    free: Vec<u32>,
}

impl<'a> Simulator<'a> {
    /// A simulator of the network.
    #[must_use]
    pub fn new(network: &'a Network) -> Self {
        let chased: Vec<RuleId> = network
            .chases
            .iter()
            .flat_map(|c| c.rules.iter().copied())
            .collect();
        let mut is_chased = vec![false; network.rules.len()];
        for rule in &chased {
            is_chased[rule.0 as usize] = true;
        }
        let mut led = vec![Vec::new(); network.components.len()];
        let mut free = Vec::new();
        for (position, rule) in (0..).zip(&chased) {
            match network.rules[rule.0 as usize].participants.first() {
                Some(&(component, event)) => led[component.0 as usize].push((event, position)),
                None => free.push(position),
            }
        }
        Self {
            network,
            chased,
            is_chased,
            led,
            offered: RefCell::default(),
            free,
        }
    }

    /// The network that is stepped.
    #[must_use]
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// Where the network starts once nothing can be chased any more, and the chased steps.
    pub fn initial(&self) -> Result<(State, Vec<Step>), ChaseLoop> {
        let mut state = self.network.components.iter().map(|c| c.initial).collect();
        let steps = self.chase(&mut state)?;
        Ok((state, steps))
    }

    /// The rules that can be fired as ordinary steps, in their order.
    #[must_use]
    pub fn enabled(&self, state: &[StateId]) -> Vec<RuleId> {
        (0..u32::try_from(self.network.rules.len()).expect("rules are numbered by u32"))
            .map(RuleId)
            .filter(|rule| !self.is_chased[rule.0 as usize] && self.can_fire(state, *rule))
            .collect()
    }

    /// Whether every participant has its transition and no blocking probe holds.
    #[must_use]
    pub fn can_fire(&self, state: &[StateId], rule: RuleId) -> bool {
        let rule = &self.network.rules[rule.0 as usize];
        self.all_offered(state, &rule.participants) && !self.blocked(state, rule.blocked_by)
    }

    fn blocked(&self, state: &[StateId], blocker: Option<u32>) -> bool {
        blocker.is_some_and(|b| {
            self.network.blockers[b as usize].iter().any(|&p| {
                let probe = &self.network.probes[p as usize];
                self.all_offered(state, &probe.offers) && !self.blocked(state, probe.blocked_by)
            })
        })
    }

    fn all_offered(&self, state: &[StateId], offers: &[(ComponentId, EventId)]) -> bool {
        offers.iter().all(|&(component, event)| {
            let lts = &self.network.components[component.0 as usize].lts;
            lts.edges(state[component.0 as usize])
                .iter()
                .any(|edge| lts.label(edge).contains(event))
        })
    }

    fn targets(&self, state: &[StateId], component: ComponentId, event: EventId) -> Vec<StateId> {
        let lts = &self.network.components[component.0 as usize].lts;
        let mut targets: Vec<StateId> = lts
            .edges(state[component.0 as usize])
            .iter()
            .filter(|edge| lts.label(edge).contains(event))
            .map(|edge| edge.target)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// What firing a rule that can fire comes to before anything is chased: the step and the state
    /// for each choice of the participants' targets, the last participant's choice varying fastest.
    #[must_use]
    pub fn fire(&self, state: &[StateId], rule: RuleId) -> Vec<(Step, State)> {
        let body = &self.network.rules[rule.0 as usize];
        let mut results = vec![(
            Step {
                event: body.result,
                revealed: body.revealed,
                rule,
                chased: false,
                moves: Vec::with_capacity(body.participants.len()),
            },
            state.to_vec(),
        )];
        for &(component, event) in &body.participants {
            let before = state[component.0 as usize];
            let targets = self.targets(state, component, event);
            results = results
                .into_iter()
                .flat_map(|(step, next)| {
                    targets.iter().map(move |&target| {
                        let (mut step, mut next) = (step.clone(), next.clone());
                        step.moves.push((component, event, before, target));
                        next[component.0 as usize] = target;
                        (step, next)
                    })
                })
                .collect();
        }
        for (_, next) in &mut results {
            for &(component, fixed) in &body.resets {
                next[component.0 as usize] = fixed;
            }
        }
        results
    }

    /// The first chased rule that can fire.
    fn first_chased(&self, state: &[StateId]) -> Option<RuleId> {
        let mut offered = self.offered.borrow_mut();
        let mut candidates = self.free.clone();
        for (component, led) in self
            .led
            .iter()
            .enumerate()
            .filter(|(_, led)| !led.is_empty())
        {
            let local = state[component];
            candidates.extend_from_slice(offered.entry((component, local)).or_insert_with(|| {
                let lts = &self.network.components[component].lts;
                let offers = |event| {
                    let mut edges = lts.edges(local).iter();
                    edges.any(|edge| lts.label(edge).contains(event))
                };
                let possible = led.iter().filter(|(event, _)| offers(*event));
                possible.map(|(_, position)| *position).collect()
            }));
        }
        candidates.sort_unstable();
        let mut rules = candidates.iter().map(|p| self.chased[*p as usize]);
        rules.find(|rule| self.can_fire(state, *rule))
    }

    /// Follows the chased rules until none can fire.
    pub fn chase(&self, state: &mut State) -> Result<Vec<Step>, ChaseLoop> {
        let mut steps = Vec::new();
        let mut seen = HashSet::new();
        while let Some(rule) = self.first_chased(state) {
            if !seen.insert(state.clone()) {
                let culprit = self.network.chases.iter().find(|c| c.rules.contains(&rule));
                return Err(ChaseLoop(
                    culprit.map_or_else(String::new, |c| c.name.clone()),
                ));
            }
            let (step, next) = self.fire(state, rule).swap_remove(0);
            steps.push(Step {
                chased: true,
                ..step
            });
            *state = next;
        }
        Ok(steps)
    }

    /// The transitions of a state: in the order of the rules, and for each rule in the order of
    /// [`Simulator::fire`].
    pub fn successors(&self, state: &[StateId]) -> Result<Vec<Successor>, ChaseLoop> {
        let mut all = Vec::new();
        for rule in self.enabled(state) {
            for (step, mut next) in self.fire(state, rule) {
                let chased = self.chase(&mut next)?;
                let mut steps = vec![step];
                steps.extend(chased);
                all.push(Successor {
                    rule,
                    steps,
                    state: next,
                });
            }
        }
        Ok(all)
    }

    /// The transitions on τ, as [`Simulator::successors`]. Those after which chasing never ends are
    /// left out: they count when the search follows them.
    #[must_use]
    pub fn silent_successors(&self, state: &[StateId]) -> Vec<Successor> {
        let mut all = Vec::new();
        for rule in self.enabled(state) {
            if self.network.rules[rule.0 as usize].result != EventId::TAU {
                continue;
            }
            for (step, mut next) in self.fire(state, rule) {
                if let Ok(chased) = self.chase(&mut next) {
                    all.push(Successor {
                        rule,
                        steps: std::iter::once(step).chain(chased).collect(),
                        state: next,
                    });
                }
            }
        }
        all
    }

    /// A shortest τ cycle through the state, if there is one.
    #[must_use]
    pub fn silent_cycle(&self, state: &State) -> Option<Vec<Step>> {
        let found = self.silent_cycle_until(state, || None::<Infallible>);
        found.unwrap_or_else(|never| match never {})
    }

    /// As [`Simulator::silent_cycle`], as long as there is no reason to stop, which is asked for now and then.
    pub fn silent_cycle_until<R>(
        &self,
        state: &State,
        stop: impl Fn() -> Option<R>,
    ) -> Result<Option<Vec<Step>>, R> {
        let mut reached: Vec<(State, usize, Vec<Step>)> = vec![(state.clone(), 0, Vec::new())];
        let mut seen: HashSet<State> = HashSet::from([state.clone()]);
        let mut at = 0;
        while at < reached.len() {
            if at % ASK_EVERY == ASK_EVERY - 1
                && let Some(reason) = stop()
            {
                return Err(reason);
            }
            for successor in self.silent_successors(&reached[at].0.clone()) {
                if &successor.state == state {
                    let mut path = vec![successor.steps];
                    let mut back = at;
                    while back != 0 {
                        path.push(reached[back].2.clone());
                        back = reached[back].1;
                    }
                    path.reverse();
                    return Ok(Some(path.concat()));
                }
                if seen.insert(successor.state.clone()) {
                    reached.push((successor.state, at, successor.steps));
                }
            }
            at += 1;
        }
        Ok(None)
    }
}
