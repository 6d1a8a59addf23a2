//! Counterexamples are followed back to the network as compiled from the script.
//!
//! A search runs on a network whose leaves are compressed and which is then reduced. Its
//! counterexample is replayed twice: on the network before reduction, by the rules that the reduced ones
//! came from, and on the network whose leaves are as listed, where each part goes to a state that is
//! bisimilar to the one it had. Every step is made by the plain simulator, so a fault of the reduction or
//! of the compression of leaves is found here, whatever the search believed.
//! Source: the definition of a rule (`lts/src/network.rs`).

use std::collections::HashMap;

use csp_checker::budget::Budget;
use csp_checker::compress::correspondence;
use csp_checker::reference::{Simulator, State};
use csp_checker::{Counterexample, Evidence, Limit, Step};
use csp_compiler::reduce::WayBack;
use csp_lts::{ComponentId, EventId, Network, Rule, RuleId, StateId};

/// Why a counterexample cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfollowed {
    /// A step cannot be made: something is wrong in this program.
    Fault(String),
    /// A limit was reached, or the networks cannot be compared.
    Unknown(String),
}

impl From<Limit> for Unfollowed {
    fn from(limit: Limit) -> Self {
        Self::Unknown(crate::compression::reason(&limit))
    }
}

type Followed<T> = Result<T, Unfollowed>;

/// How often a cycle may be repeated until it comes back to a state of larger components.
const ROUNDS: usize = 10_000;

/// Follows steps of one network on another.
trait Follow {
    /// The simulator of the other network.
    fn simulator(&self) -> &Simulator<'_>;

    /// The step of the other network that corresponds to a step.
    fn step(&mut self, state: &State, step: &Step) -> Followed<Step>;

    /// Whether the other network chases as this one does. If not, steps that are chased are followed one by one:
    /// which of several is taken depends on the order of states, and any of them is a behaviour of `chase`.
    fn chases_alike(&self) -> bool;
}

/// A behaviour: steps, and where they lead.
struct Walk {
    steps: Vec<Step>,
    end: State,
}

fn cannot(step: usize) -> Unfollowed {
    Unfollowed::Fault(format!(
        "step {} of the counterexample cannot be made there",
        step + 1
    ))
}

/// Follows steps from a state. What is chased happens by itself, except after an event at fault, where it
/// is no longer part of the behaviour.
fn walk(
    follow: &mut dyn Follow,
    start: State,
    steps: &[Step],
    ends_with_event: bool,
) -> Followed<Walk> {
    let mut walk = Walk {
        steps: Vec::with_capacity(steps.len()),
        end: start,
    };
    let alike = follow.chases_alike();
    for (at, step) in steps.iter().enumerate() {
        if step.chased && alike {
            continue;
        }
        let found = follow.step(&walk.end, step)?;
        let simulator = follow.simulator();
        if !simulator.can_fire(&walk.end, found.rule) {
            return Err(cannot(at));
        }
        let results = simulator.fire(&walk.end, found.rule).into_iter();
        let mut matching = results.filter(|(fired, _)| *fired == found);
        let (mut fired, next) = matching.next().ok_or_else(|| cannot(at))?;
        fired.chased = step.chased;
        walk.steps.push(fired);
        walk.end = next;
        if alike && !(ends_with_event && at + 1 == steps.len()) {
            let chased = simulator.chase(&mut walk.end);
            walk.steps.extend(chased.map_err(|_| cannot(at))?);
        }
    }
    Ok(walk)
}

/// A counterexample on another network than the one it was found on.
pub(crate) struct Behaviour {
    pub(crate) counterexample: Counterexample,
    /// Where its steps lead.
    pub(crate) end: State,
    /// Determinism: where the steps of the second behaviour lead.
    pub(crate) other_end: Option<State>,
}

/// The counterexample as a behaviour of the other network.
fn followed(follow: &mut dyn Follow, counterexample: &Counterexample) -> Followed<Behaviour> {
    let (start, opening) = if follow.chases_alike() {
        let initial = follow.simulator().initial();
        initial.map_err(|_| Unfollowed::Fault("chasing does not end at the start".to_owned()))?
    } else {
        let components = follow.simulator().network().components.iter();
        (components.map(|c| c.initial).collect(), Vec::new())
    };
    let ends_with_event = matches!(
        counterexample.evidence,
        Evidence::Trace { .. } | Evidence::Nondeterminism { .. } | Evidence::RefusalTrace { .. }
    );
    let mut first = walk(
        follow,
        start.clone(),
        &counterexample.steps,
        ends_with_event,
    )?;
    first.steps.splice(0..0, opening.iter().cloned());
    let mut evidence = counterexample.evidence.clone();
    let mut other_end = None;
    match &mut evidence {
        Evidence::Divergence { cycle } => {
            let (before, repeated) = repeat(follow, &first.end, cycle)?;
            first.steps.extend(before.steps);
            first.end = before.end;
            *cycle = repeated;
        }
        Evidence::Nondeterminism { other, .. } => {
            let second = walk(follow, start, other, false)?;
            *other = opening.iter().cloned().chain(second.steps).collect();
            other_end = Some(second.end);
        }
        _ => {}
    }
    let found = Behaviour {
        counterexample: Counterexample {
            steps: first.steps,
            evidence,
        },
        end: first.end,
        other_end,
    };
    confirm(follow.simulator(), &found)?;
    Ok(found)
}

/// Repeats a cycle until a state comes again: what happens before that, and the cycle from there.
fn repeat(follow: &mut dyn Follow, start: &State, cycle: &[Step]) -> Followed<(Walk, Vec<Step>)> {
    let mut rounds: Vec<Walk> = Vec::new();
    let mut seen: HashMap<State, usize> = HashMap::new();
    let mut now = start.clone();
    loop {
        if let Some(first) = seen.insert(now.clone(), rounds.len()) {
            let repeated = rounds.split_off(first);
            let before = rounds.into_iter().flat_map(|round| round.steps);
            let before = Walk {
                steps: before.collect(),
                end: now,
            };
            let cycle = repeated.into_iter().flat_map(|round| round.steps);
            return Ok((before, cycle.collect()));
        }
        if rounds.len() == ROUNDS {
            let why = format!("the cycle of the divergence was repeated {ROUNDS} times");
            return Err(Unfollowed::Unknown(why));
        }
        let round = walk(follow, now, cycle, false)?;
        now = round.end.clone();
        rounds.push(round);
    }
}

/// From a reduced network to the one before reduction.
struct Unreduced<'a> {
    simulator: Simulator<'a>,
    back: &'a WayBack,
}

impl Follow for Unreduced<'_> {
    fn simulator(&self) -> &Simulator<'_> {
        &self.simulator
    }

    fn chases_alike(&self) -> bool {
        true
    }

    fn step(&mut self, state: &State, step: &Step) -> Followed<Step> {
        let rule = self.back.rules[step.rule.0 as usize];
        let body = &self.simulator.network().rules[rule.0 as usize];
        let mut moved: HashMap<ComponentId, (StateId, StateId)> = HashMap::new();
        for (component, _, before, after) in &step.moves {
            let place = component.0 as usize;
            let states = &self.back.states[place];
            let (before, after) = (states[before.0 as usize], states[after.0 as usize]);
            moved.insert(self.back.components[place], (before, after));
        }
        // Who is left out of a reduced rule offers its event always, and stays where it is.
        let moves = body.participants.iter().map(|&(component, event)| {
            let here = state[component.0 as usize];
            let (before, after) = moved.get(&component).copied().unwrap_or((here, here));
            (component, event, before, after)
        });
        Ok(Step {
            event: step.event,
            revealed: step.revealed,
            rule,
            chased: false,
            moves: moves.collect(),
        })
    }
}

/// The counterexample of a reduced network on the network before reduction, where it must be possible.
pub(crate) fn unreduced(
    network: &Network,
    back: &WayBack,
    counterexample: &Counterexample,
) -> Followed<Behaviour> {
    let mut follow = Unreduced {
        simulator: Simulator::new(network),
        back,
    };
    followed(&mut follow, counterexample)
}

/// What a rule does, whatever it resets: its event, the event by its name before hiding, and who takes part.
type Shape<'a> = (EventId, EventId, &'a [(ComponentId, EventId)]);

/// Who moved, as in [`Step::moves`].
type Moves = Vec<(ComponentId, EventId, StateId, StateId)>;

/// From a network of compressed leaves to the network of leaves as listed.
struct Listed<'a> {
    compressed: &'a Network,
    simulator: Simulator<'a>,
    rules: HashMap<Shape<'a>, Vec<RuleId>>,
    /// By component, for each state as listed the compressed one; made when needed. None: the same.
    states: HashMap<ComponentId, Option<Vec<Option<StateId>>>>,
    budget: &'a Budget<'a>,
}

impl<'a> Listed<'a> {
    fn new(
        compressed: &'a Network,
        listed: &'a Network,
        steps: &[&Step],
        budget: &'a Budget<'a>,
    ) -> Followed<Self> {
        let sizes = [compressed, listed].map(|network| network.components.len());
        let names = compressed.components.iter().zip(&listed.components);
        if sizes[0] != sizes[1] || names.clone().any(|(a, b)| a.name != b.name) {
            let why = "without compression of leaves the parts are different ones";
            return Err(Unfollowed::Unknown(why.to_owned()));
        }
        let wanted: std::collections::HashSet<(EventId, EventId)> =
            steps.iter().map(|s| (s.event, s.revealed)).collect();
        let mut rules: HashMap<_, Vec<RuleId>> = HashMap::new();
        for (id, rule) in (0..).map(RuleId).zip(&listed.rules) {
            if wanted.contains(&(rule.result, rule.revealed)) {
                let key = (rule.result, rule.revealed, &*rule.participants);
                rules.entry(key).or_default().push(id);
            }
        }
        Ok(Self {
            compressed,
            simulator: Simulator::new(listed),
            rules,
            states: HashMap::new(),
            budget,
        })
    }

    /// The compressed state of a component that a state as listed is bisimilar to.
    fn image(&mut self, component: ComponentId, state: StateId) -> Followed<Option<StateId>> {
        if !self.states.contains_key(&component) {
            let place = component.0 as usize;
            let listed = &self.simulator.network().components[place].lts;
            let compressed = &self.compressed.components[place].lts;
            let map = if listed == compressed {
                None
            } else {
                Some(correspondence(listed, compressed, self.budget)?)
            };
            self.states.insert(component, map);
        }
        Ok(match &self.states[&component] {
            None => Some(state),
            Some(map) => map[state.0 as usize],
        })
    }

    /// The moves of a rule that lead where the step leads, if there are any.
    fn moves(&mut self, rule: &Rule, state: &State, step: &Step) -> Followed<Option<Moves>> {
        let before = &self.compressed.rules[step.rule.0 as usize];
        let (places, others) = (before.resets.len(), rule.resets.len());
        if places != others {
            return Ok(None);
        }
        for (wanted, found) in before.resets.iter().zip(&rule.resets) {
            if wanted.0 != found.0 || self.image(found.0, found.1)? != Some(wanted.1) {
                return Ok(None);
            }
        }
        let mut moves = Vec::with_capacity(step.moves.len());
        for &(component, event, _, after) in &step.moves {
            let here = state[component.0 as usize];
            let network = self.simulator.network();
            let lts = &network.components[component.0 as usize].lts;
            let edges = lts.edges(here).iter();
            let edges = edges.filter(|edge| lts.label(edge).contains(event));
            let mut targets: Vec<StateId> = edges.map(|edge| edge.target).collect();
            targets.sort_unstable();
            let mut found = None;
            for target in targets {
                if self.image(component, target)? == Some(after) {
                    found = Some(target);
                    break;
                }
            }
            let Some(target) = found else {
                return Ok(None);
            };
            moves.push((component, event, here, target));
        }
        Ok(Some(moves))
    }
}

impl Follow for Listed<'_> {
    fn simulator(&self) -> &Simulator<'_> {
        &self.simulator
    }

    fn chases_alike(&self) -> bool {
        self.simulator.network().chases.is_empty()
    }

    fn step(&mut self, state: &State, step: &Step) -> Followed<Step> {
        let participants: Vec<(ComponentId, EventId)> =
            step.moves.iter().map(|m| (m.0, m.1)).collect();
        let key = (step.event, step.revealed, &*participants);
        let candidates = self.rules.get(&key).cloned().unwrap_or_default();
        let network = self.simulator.network();
        for rule in candidates {
            if !self.simulator.can_fire(state, rule) {
                continue;
            }
            if let Some(moves) = self.moves(&network.rules[rule.0 as usize], state, step)? {
                return Ok(Step {
                    rule,
                    chased: false,
                    moves,
                    ..step.clone()
                });
            }
        }
        Err(Unfollowed::Fault(
            "a step of the counterexample has no counterpart there".to_owned(),
        ))
    }
}

/// The counterexample of a network of compressed leaves on the network of leaves as listed.
pub(crate) fn listed(
    compressed: &Network,
    listed: &Network,
    counterexample: &Counterexample,
    budget: &Budget<'_>,
) -> Followed<Behaviour> {
    let more = match &counterexample.evidence {
        Evidence::Divergence { cycle } => cycle.as_slice(),
        Evidence::Nondeterminism { other, .. } => other.as_slice(),
        _ => &[],
    };
    let steps: Vec<&Step> = counterexample.steps.iter().chain(more).collect();
    let mut follow = Listed::new(compressed, listed, &steps, budget)?;
    // Where components are switched off and on the networks may differ by more than their leaves: then nothing
    // follows from a failure. Nor does it where what is chased has more than one way to go.
    let comparable = listed.chases.is_empty() && listed.rules.iter().all(|r| r.resets.is_empty());
    followed(&mut follow, counterexample).map_err(|why| match why {
        Unfollowed::Fault(why) if !comparable => Unfollowed::Unknown(why),
        why => why,
    })
}

/// What a state offers, τ and ✓ among it, ascending.
pub(crate) fn offered(simulator: &Simulator<'_>, state: &State) -> Vec<EventId> {
    let rules = &simulator.network().rules;
    let enabled = simulator.enabled(state).into_iter();
    let mut events: Vec<EventId> = enabled.map(|r| rules[r.0 as usize].result).collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// Whether the end is what the counterexample says of the implementation.
fn confirm(simulator: &Simulator<'_>, found: &Behaviour) -> Followed<()> {
    let offers = |state: &State, said: &[EventId]| {
        let events = offered(simulator, state);
        // As a signal, ✓ takes all other choices away.
        events == said || (said == [EventId::TICK] && events.contains(&EventId::TICK))
    };
    let is_so = match &found.counterexample.evidence {
        Evidence::Deadlock => offers(&found.end, &[]),
        Evidence::Refusal { offered: said, .. } | Evidence::Revival { offered: said, .. } => {
            offers(&found.end, said)
        }
        Evidence::Nondeterminism { offered: said, .. } => found
            .other_end
            .as_ref()
            .is_some_and(|end| offers(end, said)),
        Evidence::Divergence { cycle } => !cycle.is_empty(),
        _ => true,
    };
    if is_so {
        return Ok(());
    }
    let why = "the state at the end does not offer what the counterexample says";
    Err(Unfollowed::Fault(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_checker::{Claim, FailuresModel, Model, NoObserver, Options, Verdict, check};
    use csp_compiler::reduce::reduce_with_way_back;
    use csp_lts::{Component, EventSet, LtsBuilder};

    use super::*;

    const A: EventId = EventId(3);
    const B: EventId = EventId(4);
    const C: EventId = EventId(5);

    /// Two machines that do `a` together, and then one does `b` and the other `c`.
    fn network() -> Network {
        let machine = |name: &str, then: EventId| {
            let on = |event| Arc::new(EventSet::single(event));
            let mut builder = LtsBuilder::new();
            builder.state([(on(A), StateId(1))]);
            builder.state([(on(then), StateId(0))]);
            Component {
                name: name.to_owned(),
                lts: Arc::new(builder.finish(StateId(0))),
                initial: StateId(0),
            }
        };
        let rule = |event, who: &[u32]| Rule {
            result: event,
            revealed: event,
            participants: who.iter().map(|c| (ComponentId(*c), event)).collect(),
            resets: Box::default(),
            blocked_by: None,
        };
        Network {
            components: vec![machine("P", B), machine("Q", C)],
            rules: vec![rule(A, &[0, 1]), rule(B, &[0]), rule(C, &[1])],
            ..Network::default()
        }
    }

    fn found(claim: &Claim) -> Counterexample {
        let outcome = check(claim, &Options::default(), &NoObserver);
        let Verdict::Fails(mut found) = outcome.verdict else {
            panic!("the fault shows");
        };
        found.remove(0)
    }

    #[test]
    fn a_rule_that_reduction_should_have_kept_is_missed() {
        let network = network();
        let (mut reduced, mut back) = reduce_with_way_back(&network);
        reduced.rules.pop();
        back.rules.pop();
        let deadlock = found(&Claim::DeadlockFree {
            process: reduced,
            model: FailuresModel::Failures,
        });
        let followed = unreduced(&network, &back, &deadlock);
        assert!(matches!(followed.err(), Some(Unfollowed::Fault(_))));
    }

    #[test]
    fn a_participant_that_reduction_should_have_kept_is_missed() {
        let network = network();
        let (mut reduced, back) = reduce_with_way_back(&network);
        reduced.rules[0].participants = Box::new([(ComponentId(0), A)]);
        let trace = found(&Claim::Refines {
            specification: network.clone(),
            implementation: reduced,
            model: Model::Traces,
        });
        assert_eq!(trace.trace(), [A, B, A]);
        let followed = unreduced(&network, &back, &trace);
        assert!(matches!(followed.err(), Some(Unfollowed::Fault(_))));
    }

    #[test]
    fn a_true_counterexample_is_followed_through_reduction_and_compression() {
        // The first machine twice as large as it needs to be.
        let mut listed = network();
        let on = |event| Arc::new(EventSet::single(event));
        let mut builder = LtsBuilder::new();
        for (event, next) in [(A, 1), (B, 2), (A, 3), (B, 0)] {
            builder.state([(on(event), StateId(next))]);
        }
        listed.components[0].lts = Arc::new(builder.finish(StateId(0)));
        let network = network();
        let (reduced, back) = reduce_with_way_back(&network);
        let mut stop = LtsBuilder::new();
        for (event, next) in [(A, 1), (B, 2), (C, 3), (A, 4)] {
            stop.state([(on(event), StateId(next))]);
        }
        stop.state([(on(C), StateId(4))]);
        let trace = found(&Claim::Refines {
            specification: Network::of_lts("S", Arc::new(stop.finish(StateId(0)))),
            implementation: reduced,
            model: Model::Traces,
        });
        let first = unreduced(&network, &back, &trace).map_err(|_| "followed");
        let first = first.expect("it is a behaviour before reduction");
        let options = Options::default();
        let budget = Budget::new(&options, &NoObserver);
        let second = super::listed(&network, &listed, &first.counterexample, &budget);
        let second = second
            .map_err(|_| "followed")
            .expect("and before compression");
        assert_eq!(second.counterexample.trace(), trace.trace());
    }
}
