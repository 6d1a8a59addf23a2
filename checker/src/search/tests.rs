//! The engine against the plain search, on random networks, in every way it can be made to work.

use std::sync::Arc;

use csp_lts::{
    Chase, Component, ComponentId, EventId, EventSet, LtsBuilder, Network, Probe, Rule, RuleId,
    StateId,
};

mod overlooking;
mod reduced;

use super::*;
use crate::judge::{Avoids, Judged, Offers, Stepped};
use crate::options::NoObserver;
use crate::reference::explore;

/// A small generator of numbers (splitmix).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

const LOCAL_EVENTS: u32 = 6;

fn random_component(dice: &mut Dice, name: usize) -> Component {
    let states = 1 + dice.below(5);
    let mut builder = LtsBuilder::new();
    for _ in 0..states {
        let edges: Vec<_> = (0..dice.below(5))
            .map(|_| {
                let label: EventSet = (0..LOCAL_EVENTS)
                    .filter(|_| dice.chance(35))
                    .map(EventId)
                    .collect();
                (Arc::new(label), StateId(dice.below(states) as u32))
            })
            .collect();
        builder.state(edges);
    }
    Component {
        name: format!("C{name}"),
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(dice.below(states) as u32),
    }
}

fn offers(dice: &mut Dice, components: usize, most: usize) -> Box<[(ComponentId, EventId)]> {
    let mut chosen: Vec<u32> = (0..1 + dice.below(most))
        .map(|_| dice.below(components) as u32)
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
        .into_iter()
        .map(|c| {
            (
                ComponentId(c),
                EventId(dice.below(LOCAL_EVENTS as usize) as u32),
            )
        })
        .collect()
}

fn random_network(dice: &mut Dice) -> Network {
    let count = 1 + dice.below(6);
    let components: Vec<Component> = (0..count).map(|i| random_component(dice, i)).collect();
    let mut network = Network {
        components,
        ..Network::default()
    };
    let blockers = if dice.chance(30) { 3 } else { 0 };
    for blocker in 0..blockers {
        let mut set = Vec::new();
        for _ in 0..dice.below(3) {
            set.push(network.probes.len() as u32);
            // Only later blockers refer to earlier ones.
            let blocked_by = (blocker > 0 && dice.chance(40)).then(|| dice.below(blocker) as u32);
            network.probes.push(Probe {
                offers: offers(dice, count, 2),
                blocked_by,
            });
        }
        network.blockers.push(set.into());
    }
    let silent = [10, 40, 80][dice.below(3)];
    for _ in 0..1 + dice.below(14) {
        let participants = offers(dice, count, 3);
        let mut resets: Vec<(ComponentId, StateId)> = Vec::new();
        for component in 0..count as u32 {
            let free = participants.iter().all(|(c, _)| c.0 != component);
            if free && dice.chance(8) {
                let states = network.components[component as usize].lts.state_count();
                resets.push((ComponentId(component), StateId(dice.below(states) as u32)));
            }
        }
        let result = if dice.chance(silent) {
            EventId::TAU
        } else {
            EventId([1, 3, 4, 5, 6][dice.below(5)])
        };
        network.rules.push(Rule {
            result,
            revealed: EventId(7),
            participants,
            resets: resets.into(),
            blocked_by: (blockers > 0 && dice.chance(30)).then(|| dice.below(blockers) as u32),
        });
    }
    if dice.chance(30) {
        for name in ["inner", "outer"] {
            let rules: Vec<RuleId> = (0..network.rules.len() as u32)
                .map(RuleId)
                .filter(|r| network.rules[r.0 as usize].result == EventId::TAU)
                .filter(|r| network.chases.iter().all(|c: &Chase| !c.rules.contains(r)))
                .filter(|_| dice.chance(25))
                .collect();
            network.chases.push(Chase {
                name: name.to_owned(),
                rules: rules.into(),
            });
        }
    }
    network
}

/// A property drawn at random, but pure.
struct RandomJudge {
    seed: u64,
    nodes: u32,
    states: bool,
    divergence: u64,
    strict: u64,
}

impl RandomJudge {
    fn new(dice: &mut Dice) -> Self {
        Self {
            seed: dice.next(),
            nodes: [1, 1, 2, 3, 5][dice.below(5)],
            states: dice.chance(50),
            divergence: dice.below(3) as u64,
            strict: [0, 5, 20][dice.below(3)],
        }
    }

    fn roll(&self, what: u64) -> Dice {
        Dice(self.seed ^ what.wrapping_mul(0x1234_5678_9abc_def1))
    }
}

impl Judge for RandomJudge {
    fn initial(&self) -> Node {
        self.nodes - 1
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn judges_states(&self) -> bool {
        self.states
    }

    fn forbids_divergence(&self, node: Node) -> bool {
        match self.divergence {
            0 => false,
            1 => true,
            _ => node.is_multiple_of(2),
        }
    }

    fn state(&self, node: Node, offers: Offers<'_>) -> Judged {
        assert!(offers.events.windows(2).all(|w| w[0] < w[1]));
        let mut what = u64::from(node) * 2 + u64::from(offers.tau);
        for event in offers.events {
            what = what * 31 + u64::from(event.0);
        }
        let mut dice = self.roll(what);
        match dice.next() % 200 {
            n if n < self.strict => Judged::Violation,
            n if n < self.strict + 3 => Judged::Done,
            n if n.is_multiple_of(3) => Judged::Seen(dice.next() as u32 % self.nodes),
            _ => Judged::Fine,
        }
    }

    fn step(&self, node: Node, event: EventId) -> Stepped {
        assert!(event != EventId::TAU);
        let mut dice = self.roll(1000 + u64::from(node) * 100 + u64::from(event.0));
        match dice.next() % 100 {
            n if n < self.strict => Stepped::Violation,
            n if n < self.strict + 3 => Stepped::Done,
            _ => Stepped::To(dice.below(self.nodes as usize) as u32),
        }
    }

    fn ends(&self, event: EventId) -> bool {
        (0..self.nodes).all(|node| !matches!(self.step(node, event), Stepped::To(_)))
    }
}

/// Ways in which the engine can be made to work.
fn tunings() -> Vec<(usize, Tuning)> {
    let tiny = Tuning {
        seed_states: 2,
        narrow: 0,
        partition_bits: (2, 2),
        routed_bytes: (0, usize::MAX),
        bitmap_bits: 0,
        tree_slots: 1,
        ..Tuning::default()
    };
    let collide = Tuning {
        hash_mask: 0,
        ..tiny.clone()
    };
    vec![
        (1, Tuning::default()),
        (1, tiny.clone()),
        (3, collide.clone()),
        (
            2,
            Tuning {
                bitmap_bits: 32,
                ..tiny.clone()
            },
        ),
        (
            8,
            Tuning {
                bitmap_bits: 32,
                narrow: 5,
                routed_bytes: (1 << 20, usize::MAX),
                ..tiny.clone()
            },
        ),
        (
            2,
            Tuning {
                long_entries: true,
                narrow: 3,
                seed_states: 5,
                unlisted: u64::MAX,
                ..tiny.clone()
            },
        ),
        (
            1,
            Tuning {
                narrow: u64::MAX,
                tag_bits: 1,
                partition_bits: (1, 1),
                ..tiny.clone()
            },
        ),
        (
            2,
            Tuning {
                least_words: 2,
                ..tiny.clone()
            },
        ),
        (
            2,
            Tuning {
                least_words: 2,
                long_entries: true,
                ..collide.clone()
            },
        ),
        (
            2,
            Tuning {
                least_words: 2,
                rank: false,
                unlisted: u64::MAX,
                ..tiny.clone()
            },
        ),
        (
            3,
            Tuning {
                least_words: 4,
                narrow: 4,
                partition_bits: (1, 1),
                ..tiny.clone()
            },
        ),
        (
            8,
            Tuning {
                least_words: 8,
                ..collide
            },
        ),
        // Moves are tabulated; partitions are divided early or late.
        (
            2,
            Tuning {
                plain: false,
                partition_bits: (0, 3),
                large: (1, 1),
                unlisted: u64::MAX,
                ..tiny.clone()
            },
        ),
        (
            1,
            Tuning {
                plain: false,
                bitmap_bits: 32,
                narrow: 3,
                ..tiny.clone()
            },
        ),
        (
            3,
            Tuning {
                plain: false,
                least_words: 2,
                partition_bits: (1, 4),
                large: (4, 2),
                tag_bits: 1,
                ..tiny.clone()
            },
        ),
        (
            2,
            Tuning {
                plain: false,
                least_words: 2,
                rank: false,
                partition_bits: (1, 2),
                large: (3, 0),
                ..tiny.clone()
            },
        ),
        (
            1,
            Tuning {
                plain: false,
                least_words: 4,
                unlisted: 0,
                ..tiny.clone()
            },
        ),
        (
            1,
            Tuning {
                least_words: 16,
                routed_bytes: (1 << 20, usize::MAX),
                ..tiny
            },
        ),
    ]
}

/// The same but for the choice between ways of the same number of plys, where steps are chased.
fn alike(network: &Network, found: &Found, expected: &Found, what: &str) {
    let plys = |violation: &Violation| violation.steps.iter().filter(|s| !s.chased).count();
    let mut expected = expected.clone();
    if !network.chases.is_empty() && found.violations.len() == expected.violations.len() {
        for (violation, other) in found.violations.iter().zip(&mut expected.violations) {
            assert_eq!(plys(violation), plys(other), "{what}");
            other.steps.clone_from(&violation.steps);
        }
    }
    same(found, &expected, what);
}

fn same(found: &Found, expected: &Found, what: &str) {
    if matches!(expected.limit, Some(Limit::Unsupported(_))) {
        assert!(matches!(found.limit, Some(Limit::Unsupported(_))), "{what}");
        return;
    }
    assert_eq!(found.limit, expected.limit, "{what}");
    assert_eq!(found.violations, expected.violations, "{what}");
    let counts = |s: &Statistics| (s.states, s.transitions, s.plys, s.ply_sizes.clone());
    let (got, wanted) = (counts(&found.statistics), counts(&expected.statistics));
    assert_eq!(got, wanted, "{what}");
}

fn compare(seeds: std::ops::Range<u64>) {
    let tunings = tunings();
    let mut kinds = [0usize; 6];
    for seed in seeds {
        let mut dice = Dice(seed);
        let network = random_network(&mut dice);
        let judge = RandomJudge::new(&mut dice);
        let options = Options {
            max_states: dice.chance(20).then(|| 1 + dice.next() % 30),
            counterexamples: 1 + dice.below(3),
            ..Options::default()
        };
        let expected = explore(&network, &judge, &options);
        kinds[match (
            &expected.limit,
            expected.violations.first().map(|v| &v.fault),
        ) {
            (Some(Limit::States(_)), _) => 0,
            (Some(_), _) => 1,
            (None, Some(Fault::Event)) => 2,
            (None, Some(Fault::State)) => 3,
            (None, Some(Fault::Divergence { .. })) => 4,
            (None, None) => 5,
        }] += 1;
        let mut first: Option<Found> = None;
        for (index, (threads, tuning)) in tunings.iter().enumerate() {
            let options = Options {
                threads: *threads,
                ..options.clone()
            };
            let found = search_with(&network, &judge, &options, &NoObserver, tuning);
            let what = format!("seed {seed}, tuning {index}");
            alike(&network, &found, &expected, &what);
            same(&found, first.get_or_insert(found.clone()), &what);
        }
    }
    // Every kind of outcome has been met.
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

#[test]
fn agrees_with_the_plain_search_first_half() {
    compare(0..1500);
}

#[test]
fn agrees_with_the_plain_search_second_half() {
    compare(10_000..11_500);
}

/// Components that toggle by themselves: two to the power of their number states.
fn toggles(count: u32) -> Network {
    let mut builder = LtsBuilder::new();
    let label = Arc::new(EventSet::single(EventId(3)));
    builder.state([(Arc::clone(&label), StateId(1))]);
    builder.state([(label, StateId(0))]);
    let lts = Arc::new(builder.finish(StateId(0)));
    Network {
        components: (0..count)
            .map(|i| Component {
                name: format!("T{i}"),
                lts: Arc::clone(&lts),
                initial: StateId(0),
            })
            .collect(),
        rules: (0..count)
            .map(|i| Rule {
                result: EventId(3 + i),
                revealed: EventId(3 + i),
                participants: Box::new([(ComponentId(i), EventId(3))]),
                resets: Box::default(),
                blocked_by: None,
            })
            .collect(),
        ..Network::default()
    }
}

/// Anything goes.
fn lenient() -> RandomJudge {
    RandomJudge {
        seed: 0,
        nodes: 1,
        states: false,
        divergence: 0,
        strict: 0,
    }
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn wide_plys_are_counted_with_every_store() {
    let network = toggles(13);
    let sizes: Vec<u64> = (0..=13).map(|k| binomial(13, k)).collect();
    for (threads, tuning) in tunings() {
        let options = Options {
            threads,
            ..Options::default()
        };
        let found = search_with(&network, &Avoids::default(), &options, &NoObserver, &tuning);
        assert_eq!(found.statistics.ply_sizes, sizes);
        assert_eq!(found.statistics.transitions, 13 << 13);
        assert_eq!((found.limit, found.statistics.plys), (None, 14));
    }
}

/// Forbids one event, and counts how often it is asked about others.
struct Counting(EventId, std::sync::atomic::AtomicU64);

impl Judge for Counting {
    fn initial(&self) -> Node {
        0
    }

    fn nodes(&self) -> u32 {
        2
    }

    fn is_whole(&self) -> bool {
        true
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

    fn step(&self, node: Node, event: EventId) -> Stepped {
        if event == self.0 {
            return Stepped::Violation;
        }
        self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Stepped::To(node)
    }
}

#[test]
fn the_ply_of_a_foreseen_violation_is_not_expanded() {
    const LAST: u64 = 5;
    let mut network = toggles(13);
    // The forbidden event needs the first few components to be switched on.
    let mut builder = LtsBuilder::new();
    let label = |event| Arc::new(EventSet::single(EventId(event)));
    builder.state([(label(3), StateId(1))]);
    builder.state([(label(3), StateId(0)), (label(4), StateId(1))]);
    let lts = Arc::new(builder.finish(StateId(0)));
    for component in &mut network.components {
        component.lts = Arc::clone(&lts);
    }
    network.rules.push(Rule {
        result: EventId(40),
        revealed: EventId(40),
        participants: (0..LAST as u32)
            .map(|i| (ComponentId(i), EventId(4)))
            .collect(),
        resets: Box::default(),
        blocked_by: None,
    });
    let sizes: Vec<u64> = (0..=LAST).map(|k| binomial(13, k)).collect();
    let transitions = 13 * sizes[..LAST as usize].iter().sum::<u64>();
    for (threads, tuning) in tunings() {
        let options = Options {
            threads,
            ..Options::default()
        };
        let judge = Counting(EventId(40), 0.into());
        let found = search_with(&network, &judge, &options, &NoObserver, &tuning);
        assert_eq!(found.statistics.ply_sizes, sizes);
        assert_eq!(found.statistics.transitions, transitions);
        assert_eq!((found.limit, found.statistics.plys), (None, LAST + 1));
        assert_eq!(found.violations[0].steps.len() as u64, LAST + 1);
        // The last ply would ask as often as it has transitions; the evidence asks a little.
        let last = 13 * sizes[LAST as usize];
        assert!(judge.1.into_inner() < transitions + last / 2);
    }
}

#[test]
fn memory_is_never_exceeded_and_nothing_is_made_up() {
    let network = toggles(12);
    let mut outcomes = [0; 2];
    for (threads, tuning) in tunings() {
        for memory in (0..24).map(|i| (3000u64 << (i / 2)) | (i % 2 * (1000 << (i / 2)))) {
            let options = Options {
                threads,
                memory: Some(memory),
                ..Options::default()
            };
            let found = search_with(&network, &Avoids::default(), &options, &NoObserver, &tuning);
            let statistics = &found.statistics;
            assert!(statistics.peak_memory <= memory);
            for (ply, size) in statistics.ply_sizes.iter().enumerate() {
                let all = binomial(12, ply as u64);
                let complete = (ply as u64) < statistics.plys;
                assert!(
                    *size == all || !complete && *size < all,
                    "{ply} {statistics:?}"
                );
            }
            match found.limit {
                None => {
                    assert_eq!((statistics.states, statistics.plys), (4096, 13));
                    outcomes[0] += 1;
                }
                Some(limit) => {
                    assert_eq!(limit, Limit::Memory(memory));
                    outcomes[1] += 1;
                }
            }
        }
    }
    assert!(outcomes[0] > 20 && outcomes[1] > 20, "{outcomes:?}");
}

#[test]
fn no_time_means_no_verdict() {
    let options = Options {
        timeout: Some(std::time::Duration::ZERO),
        ..Options::default()
    };
    let found = search(&toggles(4), &lenient(), &options, &NoObserver);
    assert_eq!(found.limit, Some(Limit::Time));
    assert_eq!(found.statistics.plys, 0);
}

/// Wants to stop as soon as it is asked, which is about a tenth of a second after the start.
struct Impatient;

impl crate::options::Observer for Impatient {
    fn progress(&self, _: &crate::options::Progress) {}

    fn interrupted(&self) -> bool {
        true
    }
}

/// Far too many states for a tenth of a second, so the search is stopped in the middle of a ply.
#[test]
fn an_interrupt_leaves_whole_plys_and_no_verdict() {
    let network = toggles(28);
    for (threads, bitmap_bits) in [(1, 0), (2, 0), (3, 32), (8, 0)] {
        let options = Options {
            threads,
            memory: Some(1 << 30),
            ..Options::default()
        };
        let tuning = Tuning {
            bitmap_bits,
            ..Tuning::default()
        };
        let found = search_with(&network, &Avoids::default(), &options, &Impatient, &tuning);
        assert_eq!(found.limit, Some(Limit::Interrupted));
        assert!(found.violations.is_empty());
        let statistics = &found.statistics;
        assert!(statistics.states < 1 << 28);
        for (ply, size) in statistics.ply_sizes.iter().enumerate() {
            let all = binomial(28, ply as u64);
            let complete = (ply as u64) < statistics.plys;
            assert!(
                *size == all || !complete && *size < all,
                "{ply} {statistics:?}"
            );
        }
    }
}

#[test]
fn too_many_bits_are_refused() {
    // Some of them end at once and take no bit.
    let network = toggles(100 * MOST_WORDS as u32);
    let found = search(&network, &lenient(), &Options::default(), &NoObserver);
    assert!(matches!(found.limit, Some(Limit::Unsupported(_))));
}

#[test]
fn states_of_a_kilobyte_stay_within_the_memory_limit() {
    let options = Options {
        memory: Some(100 << 20),
        ..Options::default()
    };
    let found = search(&toggles(8192), &lenient(), &options, &NoObserver);
    assert!(matches!(found.limit, Some(Limit::Memory(_))));
    assert!(found.statistics.peak_memory <= 100 << 20);
}
