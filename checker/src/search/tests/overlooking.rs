//! Searches that overlook acceptance steps against searches that follow them and the plain search.

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::*;
use crate::reference::Simulator;

/// An event on which components only loop, for guards.
const LOOP: EventId = EventId(5);

/// A component some of whose states have acceptance steps.
fn component(dice: &mut Dice, name: usize) -> Component {
    let states = 1 + dice.below(4);
    let mut rows: Vec<Vec<(EventId, usize)>> = Vec::new();
    for state in 0..states {
        let mut row: Vec<(EventId, usize)> = (0..dice.below(5))
            .map(|_| {
                (
                    EventId([0, 1, 3, 3, 4, 4][dice.below(6)]),
                    dice.below(states),
                )
            })
            .collect();
        if dice.chance(60) {
            row.push((LOOP, state));
        }
        rows.push(row);
    }
    for state in 0..states {
        for _ in 0..[0, 0, 1, 2, 3][dice.below(5)] {
            // Now and then one that is not quite an acceptance step.
            let (keep, spoil) = (20 + dice.next() % 70, dice.chance(5));
            let mut accepted: Vec<(EventId, usize)> = rows[state].clone();
            accepted.retain(|(event, _)| *event != EventId::TAU && dice.chance(keep));
            if spoil {
                accepted.push((EventId(dice.below(5) as u32), dice.below(states)));
            }
            let fresh = rows.len();
            rows[state].push((EventId::TAU, fresh));
            rows.push(accepted);
        }
    }
    let mut builder = LtsBuilder::new();
    for row in &rows {
        let edge = |(event, target): &(EventId, usize)| {
            let label = Arc::new(EventSet::single(*event));
            (label, StateId(*target as u32))
        };
        builder.state(row.iter().map(edge));
    }
    Component {
        name: format!("C{name}"),
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(dice.below(rows.len()) as u32),
    }
}

fn network(dice: &mut Dice) -> Network {
    let mut network = random_network(dice);
    // Resets lead to states that are there.
    for (number, component) in network.components.iter_mut().enumerate() {
        *component = self::component(dice, number);
    }
    for rule in &mut network.rules {
        for (component, state) in &mut rule.resets {
            let count = network.components[component.0 as usize].lts.state_count();
            state.0 %= count as u32;
        }
    }
    let count = network.components.len();
    for component in (0..count as u32).map(ComponentId) {
        if dice.chance(15) {
            continue;
        }
        for _ in 0..1 + dice.below(2) {
            let mut participants = vec![(component, EventId::TAU)];
            let guard = ComponentId(dice.below(count) as u32);
            if guard != component && dice.chance(30) {
                participants.push((guard, LOOP));
            }
            participants.sort_unstable();
            network.rules.push(Rule {
                result: EventId::TAU,
                revealed: EventId::TAU,
                participants: participants.into(),
                resets: Box::default(),
                blocked_by: None,
            });
        }
    }
    network
}

type Accepted = BTreeSet<(Node, Vec<EventId>)>;
type Done = BTreeSet<(Node, EventId)>;

/// Sees what stable states accept, and writes down what it is shown.
struct Witness {
    random: RandomJudge,
    /// Of 200 acceptances this many are violations, or events so often required.
    refused: u64,
    sight: Sight,
    looks: bool,
    accepted: Mutex<Accepted>,
    done: Mutex<Done>,
}

impl Witness {
    fn new(dice: &mut Dice, silent: bool) -> Self {
        let mut random = RandomJudge::new(dice);
        if silent || dice.chance(50) {
            random.divergence = 0;
        }
        if silent {
            random.strict = 0;
        }
        Self {
            random,
            refused: if silent { 0 } else { [0, 5, 40][dice.below(3)] },
            sight: if silent || dice.chance(50) {
                Sight::Acceptances
            } else {
                Sight::Refusals
            },
            looks: silent || dice.chance(80),
            accepted: Mutex::default(),
            done: Mutex::default(),
        }
    }

    fn seen(&self) -> (Accepted, Done) {
        let accepted = std::mem::take(&mut *self.accepted.lock().expect("no worker has panicked"));
        let done = std::mem::take(&mut *self.done.lock().expect("no worker has panicked"));
        (accepted, done)
    }
}

impl Judge for Witness {
    fn initial(&self) -> Node {
        self.random.initial()
    }

    fn nodes(&self) -> u32 {
        self.random.nodes()
    }

    fn judges_states(&self) -> bool {
        self.looks
    }

    fn is_whole(&self) -> bool {
        self.random.is_whole()
    }

    fn forbids_divergence(&self, node: Node) -> bool {
        self.random.forbids_divergence(node)
    }

    fn state(&self, node: Node, offers: Offers<'_>) -> Judged {
        if offers.tau {
            return Judged::Fine;
        }
        let mut accepted = self.accepted.lock().expect("no worker has panicked");
        accepted.insert((node, offers.events.to_vec()));
        let refused = if self.sight == Sight::Acceptances {
            let fold = |what, event: &EventId| what * 31 + u64::from(event.0);
            let what = offers.events.iter().fold(u64::from(node), fold);
            self.random.roll(what).next() % 200 < self.refused
        } else {
            // One of two sets has to be offered.
            (0..2).all(|set| {
                (1..7).map(EventId).any(|event| {
                    let what = u64::from(node) * 16 + set * 8 + u64::from(event.0);
                    let required = self.random.roll(what).next() % 200 < 2 * self.refused;
                    required && !offers.events.contains(&event)
                })
            })
        };
        if refused {
            Judged::Violation
        } else {
            Judged::Fine
        }
    }

    fn sees(&self) -> Sight {
        self.sight
    }

    fn step(&self, node: Node, event: EventId) -> Stepped {
        let mut done = self.done.lock().expect("no worker has panicked");
        done.insert((node, event));
        self.random.step(node, event)
    }

    fn ends(&self, event: EventId) -> bool {
        self.random.ends(event)
    }
}

/// Checks by the plain simulator that a violation is one.
fn confirm(network: &Network, judge: &Witness, violation: &Violation, what: &str) {
    let simulator = Simulator::new(network);
    let (mut state, opening) = simulator.initial().expect("it has been chased before");
    let mut node = judge.initial();
    let last = violation.steps.len() - usize::from(violation.fault == Fault::Event);
    assert_eq!(violation.steps[..opening.len()], opening, "{what}");
    let mut go = |step: &Step| {
        assert!(simulator.can_fire(&state, step.rule), "{what}");
        let (_, next) = simulator
            .fire(&state, step.rule)
            .into_iter()
            .find(|(fired, _)| fired.moves == step.moves)
            .expect("the moves are possible");
        state = next;
        if step.event != EventId::TAU {
            match judge.random.step(node, step.event) {
                Stepped::To(next) => node = next,
                other => assert_eq!(other, Stepped::Violation, "{what}"),
            }
        }
    };
    violation.steps[opening.len()..last]
        .iter()
        .for_each(&mut go);
    if let Fault::Divergence { cycle } = &violation.fault {
        cycle.iter().for_each(&mut go);
        assert!(!cycle.is_empty() && cycle.iter().all(|s| s.event == EventId::TAU));
    }
    assert_eq!(violation.node, node, "{what}");
    match &violation.fault {
        Fault::Event => {
            let event = violation.steps[last].event;
            assert!(simulator.can_fire(&state, violation.steps[last].rule));
            assert_eq!(judge.random.step(node, event), Stepped::Violation, "{what}");
        }
        Fault::State => {
            let enabled = simulator.enabled(&state);
            let mut events: Vec<EventId> = enabled
                .into_iter()
                .map(|rule| network.rules[rule.0 as usize].result)
                .collect();
            events.sort_unstable();
            events.dedup();
            let tau = events.first() == Some(&EventId::TAU);
            assert!(!tau, "{what}");
            let events = &events[..];
            let judged = judge.state(node, Offers { events, tau });
            assert_eq!(judged, Judged::Violation, "{what}");
        }
        Fault::Divergence { .. } => assert!(judge.forbids_divergence(node), "{what}"),
    }
}

/// The same acceptances and events are met at the same nodes, from fewer states; the same is found
/// with every store and any number of threads; and something is found if and only if it is there.
#[test]
fn rests_are_judged_and_not_stored() {
    let mut met = [0usize; 6];
    for seed in 0..2000u64 {
        let mut dice = Dice(0x00ac_ce97 + seed);
        let network = network(&mut dice);
        let judge = Witness::new(&mut dice, seed % 2 == 0);
        let options = Options {
            counterexamples: 1 + dice.below(3),
            ..Options::default()
        };
        let expected = explore(&network, &judge, &options);
        let (wanted, _) = judge.seen();
        if expected.limit.is_some() {
            continue;
        }
        let mut first: Option<Found> = None;
        for (index, (threads, tuning)) in tunings().into_iter().enumerate() {
            if index > 2 && index as u64 % 4 != seed % 4 {
                continue;
            }
            let options = Options {
                threads,
                ..options.clone()
            };
            let what = format!("seed {seed}, tuning {index}");
            let followed = Tuning {
                overlook: false,
                ..tuning.clone()
            };
            let found = search_with(&network, &judge, &options, &NoObserver, &followed);
            alike(&network, &found, &expected, &what);
            let (_, done) = judge.seen();
            let found = search_with(&network, &judge, &options, &NoObserver, &tuning);
            let seen = judge.seen();
            assert_eq!(found.limit, None, "{what}");
            let holds = expected.violations.is_empty();
            assert_eq!(found.violations.is_empty(), holds, "{what}");
            if holds && judge.sight == Sight::Acceptances {
                assert_eq!(seen.0, wanted, "{what}");
            }
            if holds {
                // Not so the plys: a state that is a rest of one may be reached later than that one.
                let (few, many) = (found.statistics.states, expected.statistics.states);
                assert!(few <= many, "{what}");
            }
            if seed % 2 == 0 {
                assert_eq!(seen.1, done, "{what}");
            }
            for violation in &found.violations {
                confirm(&network, &judge, violation, &what);
            }
            same(&found, first.get_or_insert(found.clone()), &what);
        }
        let found = first.expect("there are tunings");
        met[match found.violations.first().map(|v| &v.fault) {
            None => usize::from(found.statistics.states < expected.statistics.states),
            Some(Fault::Event) => 2,
            Some(Fault::Divergence { .. }) => 3,
            Some(Fault::State) => 4 + usize::from(found.violations != expected.violations),
        }] += 1;
    }
    assert!(met.iter().all(|count| *count > 10), "{met:?}");
}
