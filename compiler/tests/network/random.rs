//! Random terms over all operators: exploring the network gives the same behaviour as exploring the
//! term.

use std::sync::Arc;

use csp_compiler::assemble::{CompileOptions, Compiler, LeafCompression};
use csp_compiler::leaf::{Explored, explore as explore_term};
use csp_compiler::operators::{Operational, Termination};
use csp_compiler::process::{BufferKind, Compression, Priority, Process, ProcessId, Processes};
use csp_compiler::reduce::reduce;
use csp_lts::{EventSet, Lts};

use crate::explorer::{Tabulate, bisimilar, explore, transition_count};
use crate::table::{Table, event, relation, set};

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.next() >> 33) as u32 % bound
    }

    fn events(&mut self) -> Arc<EventSet> {
        let bits = self.below(16);
        let events: Vec<u32> = (0..4).filter(|i| bits >> i & 1 == 1).collect();
        set(&events)
    }

    fn some_events(&mut self) -> Arc<EventSet> {
        let events = self.events();
        if events.is_empty() {
            set(&[self.below(4)])
        } else {
            events
        }
    }

    fn pairs(&mut self) -> Vec<(u32, u32)> {
        (0..1 + self.below(3))
            .map(|_| (self.below(4), self.below(4)))
            .collect()
    }
}

/// A random process of bounded depth; `names` may be referred to after an event.
pub(crate) fn term(
    table: &mut Table,
    random: &mut Random,
    depth: u32,
    names: &[ProcessId],
) -> ProcessId {
    if depth == 0 {
        return atom(table, random);
    }
    let mut sub = |table: &mut Table, random: &mut Random| {
        let less = 1 + random.below(2);
        term(table, random, depth.saturating_sub(less), names)
    };
    let head = match random.below(24) {
        0..=2 => {
            let events = random.some_events();
            let then = if !names.is_empty() && random.below(3) == 0 {
                names[random.below(names.len() as u32) as usize]
            } else {
                sub(table, random)
            };
            Process::Prefix(Box::new([(events, then)]))
        }
        3 => {
            let (a, b) = (random.some_events(), random.some_events());
            let branches = [(a, sub(table, random)), (b, sub(table, random))];
            Process::Prefix(Box::new(branches))
        }
        4 | 5 => Process::External(operands(table, random, &mut sub)),
        6 => Process::Internal(operands(table, random, &mut sub)),
        7 => Process::Sliding(sub(table, random), sub(table, random)),
        8 | 9 => Process::Sequence(sub(table, random), sub(table, random)),
        10 => Process::Interrupt(sub(table, random), sub(table, random)),
        11 => {
            let set = random.events();
            Process::Exception(sub(table, random), set, sub(table, random))
        }
        12 => {
            let set = random.events();
            Process::SyncExternal(set, operands(table, random, &mut sub))
        }
        13 => {
            let set = random.events();
            Process::SyncInterrupt(sub(table, random), set, sub(table, random))
        }
        14..=16 => {
            let set = random.events();
            Process::Parallel(set, operands(table, random, &mut sub))
        }
        17 => {
            let members = operands(table, random, &mut sub);
            let members = members.iter().map(|&m| (random.some_events(), m));
            Process::Alphabetised(members.collect())
        }
        18 => {
            let links = relation(&random.pairs());
            Process::Linked(sub(table, random), links, sub(table, random))
        }
        19 => {
            let set = random.events();
            Process::Hide(sub(table, random), set)
        }
        20 => {
            let set = random.events();
            Process::Project(sub(table, random), set)
        }
        21 => {
            let relation = relation(&random.pairs());
            Process::Rename(sub(table, random), relation)
        }
        22 => {
            let priority = Arc::new(priority(random));
            Process::Prioritise(sub(table, random), priority)
        }
        _ if random.below(2) == 0 => Process::Loop(sub(table, random)),
        _ => Process::Compress(Compression::Explicate, sub(table, random)),
    };
    table.intern(head)
}

fn atom(table: &mut Table, random: &mut Random) -> ProcessId {
    let head = match random.below(12) {
        0 => Process::Stop,
        1..=3 => Process::Skip,
        4 => Process::Div,
        5 => Process::Run(random.some_events()),
        6 => Process::Chaos(random.events()),
        7 => {
            let kind = match random.below(3) {
                0 => BufferKind::Plain,
                1 => BufferKind::Weak(event(2)),
                _ => BufferKind::Signal(event(2), event(3)),
            };
            Process::Buffer(
                kind,
                1 + random.below(2),
                relation(&[(0, 1)]),
                Box::default(),
            )
        }
        _ => {
            let then = if random.below(2) == 0 {
                table.skip()
            } else {
                table.stop()
            };
            Process::Prefix(Box::new([(random.some_events(), then)]))
        }
    };
    table.intern(head)
}

fn operands(
    table: &mut Table,
    random: &mut Random,
    sub: &mut dyn FnMut(&mut Table, &mut Random) -> ProcessId,
) -> Box<[ProcessId]> {
    let count = [1, 2, 2, 2, 3][random.below(5) as usize];
    (0..count).map(|_| sub(table, random)).collect()
}

fn priority(random: &mut Random) -> Priority {
    let (high, low) = (random.below(4), random.below(3) + 1);
    let low = (high + low) % 4;
    let class = |n: u32| EventSet::single(event(n));
    Priority {
        classes: vec![(class(high), vec![]), (class(low), vec![0])],
        below_tau: EventSet::clone(&random.events()),
    }
}

/// A random process with recursion through prefixes.
pub(crate) fn process(table: &mut Table, random: &mut Random, depth: u32) -> ProcessId {
    let names: Vec<ProcessId> = (0..random.below(3))
        .map(|i| table.declare(&format!("N{i}")))
        .collect();
    for &name in &names {
        let body = term(table, random, depth - 1, &names);
        let events = random.some_events();
        let guarded = table.intern(Process::Prefix(Box::new([(events, body)])));
        table.define(name, guarded);
    }
    term(table, random, depth, &names)
}

/// A random process of operators that switch networks off and on; `names` may be referred to where
/// something has happened before.
fn switching(table: &mut Table, random: &mut Random, depth: u32, names: &[ProcessId]) -> ProcessId {
    let name = |random: &mut Random| names[random.below(names.len() as u32) as usize];
    if depth == 0 {
        let then = name(random);
        return table.intern(Process::Prefix(Box::new([(random.some_events(), then)])));
    }
    let mut sub = |table: &mut Table, random: &mut Random| {
        let less = 1 + random.below(2);
        switching(table, random, depth.saturating_sub(less), names)
    };
    let head = match random.below(12) {
        0 => Process::External(operands(table, random, &mut sub)),
        1 => Process::SyncExternal(random.events(), operands(table, random, &mut sub)),
        2 => Process::Internal(operands(table, random, &mut sub)),
        3 => Process::Sliding(sub(table, random), name(random)),
        4 | 5 => Process::Interrupt(sub(table, random), sub(table, random)),
        6 => {
            let set = random.events();
            Process::SyncInterrupt(sub(table, random), set, sub(table, random))
        }
        7 => Process::Exception(sub(table, random), random.some_events(), name(random)),
        8 => Process::Sequence(sub(table, random), name(random)),
        9 => Process::Sequence(sub(table, random), sub(table, random)),
        _ => {
            let set = random.events();
            let mut member = |table: &mut Table, random: &mut Random| term(table, random, 1, &[]);
            Process::Parallel(set, operands(table, random, &mut member))
        }
    };
    table.intern(head)
}

/// A random process that switches networks off and on and comes round to itself.
fn round(table: &mut Table, random: &mut Random, depth: u32) -> ProcessId {
    let names: Vec<ProcessId> = (0..=random.below(3))
        .map(|i| table.declare(&format!("N{i}")))
        .collect();
    for &name in &names {
        let body = switching(table, random, depth, &names);
        table.define(name, body);
    }
    names[0]
}

fn options(small_leaf: usize) -> CompileOptions {
    CompileOptions {
        leaf_states: 2_000,
        small_leaf,
        nesting: 100,
        ..CompileOptions::default()
    }
}

/// As the books have it.
fn apart() -> CompileOptions {
    CompileOptions {
        termination: Termination::Apart,
        ..options(0)
    }
}

/// Compiles and compares; gives the number of states and of components if it is small enough.
fn compare(seed: u64, depth: u32, options: CompileOptions) -> Option<(usize, usize)> {
    let mut table = Table::default();
    let mut random = Random::new(seed);
    let root = process(&mut table, &mut random, depth);
    let (_, states, components) = compare_one(seed, &mut table, root, options)?;
    Some((states, components))
}

/// The numbers of states as listed and of the network, and the number of components.
fn compare_one(
    seed: u64,
    table: &mut Table,
    root: ProcessId,
    options: CompileOptions,
) -> Option<(usize, usize, usize)> {
    let mut operational = Operational::new(options.nesting, options.termination);
    let Ok(Explored::Complete(expected)) = explore_term(&mut operational, table, root, 400) else {
        return None;
    };
    let network = match Compiler::new(options).compile(table, root, &Tabulate) {
        Ok(network) => network,
        // A leaf on its own may be infinite where the whole is not.
        Err(error) if ["E0522", "E0523", "E0525"].contains(&error.code) => return None,
        Err(error) => panic!("seed {seed}: {error:?}"),
    };
    let explored = explore(&network, 4_000).unwrap_or_else(|| panic!("seed {seed} is large"));
    assert!(
        bisimilar(&expected, &explored),
        "seed {seed}: the network behaves differently"
    );
    let reduced = explore(&reduce(&network), 4_000).expect("no larger than before");
    let counts = |lts: &Lts| (lts.state_count(), transition_count(lts));
    assert_eq!(counts(&explored), counts(&reduced), "seed {seed} reduced");
    assert!(bisimilar(&explored, &reduced), "seed {seed} reduced");
    Some((
        expected.state_count(),
        explored.state_count(),
        network.components.len(),
    ))
}

fn compare_many(seeds: std::ops::Range<u64>, depth: u32, small_leaf: usize) -> (usize, usize) {
    compare_with(seeds, depth, options(small_leaf))
}

/// How many of the seeds were compared, and how many of those have more than one component.
fn compare_with(
    seeds: std::ops::Range<u64>,
    depth: u32,
    options: CompileOptions,
) -> (usize, usize) {
    let mut compared = 0;
    let mut networks = 0;
    for seed in seeds {
        if let Some((_, components)) = compare(seed, depth, options) {
            compared += 1;
            networks += usize::from(components > 1);
        }
    }
    (compared, networks)
}

#[test]
fn shallow_terms_agree() {
    let (compared, networks) = compare_many(0..3_000, 3, 0);
    assert_eq!((compared, networks), (3000, 1361));
}

#[test]
fn deep_terms_agree() {
    let (compared, networks) = compare_many(0..1_000, 5, 0);
    assert_eq!((compared, networks), (990, 673));
}

#[test]
fn small_leaves_change_nothing() {
    let (compared, networks) = compare_many(0..500, 4, 10);
    assert_eq!((compared, networks), (499, 200));
}

/// Networks that are started again are the same networks: there are hardly more states than listed.
#[test]
fn what_comes_round_agrees() {
    assert_eq!(rounds(2_000, options(0)), (671, 447, 6_658, 6_689));
}

/// Members that terminate by a τ each, as in the books.
#[test]
fn members_that_terminate_apart_agree() {
    let (compared, networks) = compare_with(0..1_000, 4, apart());
    assert_eq!((compared, networks), (995, 610));
    assert_eq!(rounds(500, apart()), (159, 111, 2_948, 2_963));
}

/// How many recursions were compared, how many of them have more than one component, and the states of
/// all of them as listed and of the networks.
fn rounds(seeds: u64, options: CompileOptions) -> (usize, usize, usize, usize) {
    let (mut compared, mut networks, mut listed, mut explored) = (0, 0, 0, 0);
    for seed in 0..seeds {
        let mut table = Table::default();
        let mut random = Random::new(seed);
        let root = round(&mut table, &mut random, 4);
        let found = compare_one(seed, &mut table, root, options);
        if let Some((expected, states, components)) = found {
            compared += 1;
            networks += usize::from(components > 1);
            listed += expected;
            explored += states;
        }
    }
    (compared, networks, listed, explored)
}

/// The compressor of the tests merges nothing, but what it gives back has no marks of termination.
#[test]
fn leaves_from_the_compressor_terminate() {
    let options = CompileOptions {
        leaf_compression: LeafCompression::Sbisim,
        ..options(0)
    };
    let (compared, networks) = compare_with(0..300, 4, options);
    assert_eq!((compared, networks), (299, 186));
}
