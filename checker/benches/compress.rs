//! The bisimulations against `merc_reduction`, on the same graphs in one run.
//!
//!     cargo bench -p csp-checker --features compare-merc --bench compress [-- 6] [alone] [torus …]
//!
//! The number is the largest power of ten of transitions to go to (4 to 7; 6 if not given); `alone`
//! leaves the other side out; other words choose graphs whose names have them.
//! Both sides are timed from an explicit machine to an explicit quotient. The numbers of classes
//! must agree, or the run fails.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark prints its table"
)]

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use csp_checker::budget::Budget;
use csp_checker::compress::{dbisim, sbisim, wbisim};
use csp_checker::{Limit, NoObserver, Options};
use csp_lts::{Edge, EventId, EventSet, Lts, LtsBuilder, StateId};
use merc_lts::{LTS, LabelIndex, LabelledTransitionSystem, StateIndex};
use merc_reduction::{Equivalence, reduce_lts};
use merc_utilities::Timing;

/// A graph to be reduced: for each state its (event number, target); event 0 is τ.
struct Workload {
    name: &'static str,
    events: u32,
    rows: Vec<Vec<(u32, u32)>>,
}

/// How much to do.
#[derive(Clone, Copy)]
struct Extent {
    /// The largest power of ten of transitions.
    most: u32,
    /// Their weak bisimulation takes time in the product of states and transitions, so it is left
    /// out above this many transitions.
    weak_edges: usize,
    /// Their branching bisimulation needs many minutes above this many.
    branching_edges: usize,
    /// Whether to run theirs at all.
    theirs: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let extent = Extent {
        most: (arguments.iter())
            .find_map(|argument| argument.parse().ok())
            .unwrap_or(6),
        weak_edges: 20_000,
        branching_edges: 2_000_000,
        theirs: !arguments.iter().any(|argument| argument == "alone"),
    };
    println!("times in seconds of processor; ratio = theirs / ours\n");
    println!(
        "{:<14} {:>9} {:>10} {:<18} {:>9} {:>9} {:>9} {:>7}",
        "graph", "states", "edges", "reduction", "classes", "ours", "theirs", "ratio"
    );
    let chosen = |name: &str| {
        let mut names = arguments
            .iter()
            .filter(|a| a.parse::<u32>().is_err() && *a != "alone" && !a.starts_with('-'));
        names.clone().next().is_none() || names.any(|part| name.contains(&part[..]))
    };
    for power in 4..=extent.most {
        let edges = 10u32.pow(power);
        for make in [
            random,
            sparse,
            chain,
            tree,
            cube,
            torus,
            silent_torus,
            hidden_cube,
            hubs,
        ] {
            let workload = make(edges);
            if chosen(workload.name) {
                compare(&workload, extent);
            }
        }
    }
}

fn compare(workload: &Workload, extent: Extent) {
    let ours = ours(workload);
    let theirs = theirs(workload);
    let edges = ours.edge_count();
    let silent = (workload.rows.iter().flatten()).any(|&(event, _)| event == 0);
    type Reduction = fn(&Lts, &Budget<'_>) -> Result<Lts, Limit>;
    type Row = (&'static str, Reduction, Equivalence, bool);
    let options = Options::default();
    let rows: [Row; 3] = [
        ("strong", sbisim, Equivalence::StrongBisim, true),
        (
            "weak",
            wbisim,
            Equivalence::WeakBisimDivergencePreserving,
            edges <= extent.weak_edges,
        ),
        (
            "delay : branching",
            dbisim,
            Equivalence::BranchingBisimDivergencePreserving,
            edges <= extent.branching_edges,
        ),
    ];
    for (reduction, reduce, equivalence, run_theirs) in rows {
        let strong = equivalence == Equivalence::StrongBisim;
        if !strong && !silent {
            continue;
        }
        let (classes, our_time) = timed(|| {
            let budget = Budget::new(&options, &NoObserver);
            let quotient = reduce(&ours, &budget).expect("there is no limit");
            quotient.state_count()
        });
        print!(
            "{:<14} {:>9} {:>10} {reduction:<18} {classes:>9} {our_time:>9.3}",
            workload.name,
            ours.state_count(),
            ours.edge_count(),
        );
        if run_theirs && extent.theirs {
            let copy = theirs.clone();
            let (their_classes, their_time) =
                timed(|| reduce_lts(copy, equivalence, true, &Timing::new()).num_of_states());
            print!(" {their_time:>9.3} {:>7.2}", their_time / our_time);
            if classes != their_classes {
                print!("  (theirs has {their_classes} classes)");
            }
            assert!(!strong || classes == their_classes, "the classes agree");
        }
        println!();
    }
}

fn timed(work: impl FnOnce() -> usize) -> (usize, f64) {
    let start = seconds();
    let classes = work();
    (classes, seconds() - start)
}

/// Seconds that the processor has given to this thread, which other work on the machine does not
/// disturb much; seconds since some moment where the system does not say.
fn seconds() -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let elapsed = || START.get_or_init(Instant::now).elapsed().as_secs_f64();
    nanoseconds.map_or_else(elapsed, |nanoseconds| nanoseconds / 1e9)
}

static START: OnceLock<Instant> = OnceLock::new();

fn ours(workload: &Workload) -> Lts {
    let mut builder = LtsBuilder::new();
    let labels: Vec<u32> = (0..workload.events)
        .map(|event| {
            let event = if event == 0 {
                0
            } else {
                event + EventId::FIRST.0
            };
            builder.label(Arc::new(EventSet::single(EventId(event))))
        })
        .collect();
    for row in &workload.rows {
        builder.row(row.iter().map(|&(event, target)| Edge {
            label: labels[event as usize],
            target: StateId(target),
        }));
    }
    builder.finish(StateId(0))
}

fn theirs(workload: &Workload) -> LabelledTransitionSystem<String> {
    let labels = (0..workload.events)
        .map(|event| {
            if event == 0 {
                "τ".to_owned()
            } else {
                format!("a{event}")
            }
        })
        .collect();
    let rows = &workload.rows;
    LabelledTransitionSystem::with_successors(StateIndex::new(0), rows.len(), labels, |state| {
        rows[state.value()].iter().map(|&(event, target)| {
            (
                LabelIndex::new(event as usize),
                StateIndex::new(target as usize),
            )
        })
    })
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((z ^ z >> 31) % u64::from(bound)).expect("below a u32")
    }
}

fn workload(
    name: &'static str,
    events: u32,
    states: u32,
    mut row: impl FnMut(u32) -> Vec<(u32, u32)>,
) -> Workload {
    let rows = (0..states).map(|state| {
        let mut row = row(state);
        row.sort_unstable();
        row.dedup();
        row
    });
    Workload {
        name,
        events,
        rows: rows.collect(),
    }
}

/// Ten edges from every state, one of them to the next so that all are reached.
fn random(edges: u32) -> Workload {
    let (states, mut random) = (edges / 10, Random(1));
    workload("random", 11, states, |state| {
        let mut row: Vec<_> = (0..9)
            .map(|_| (1 + random.below(10), random.below(states)))
            .collect();
        row.push((1, (state + 1) % states));
        row
    })
}

/// Two edges from every state over two events, some of them τ: long tails of distinctions.
fn sparse(edges: u32) -> Workload {
    let (states, mut random) = (edges / 2, Random(2));
    workload("sparse with τ", 3, states, |state| {
        vec![
            (random.below(3), random.below(states)),
            (1, (state + 1) % states),
        ]
    })
}

/// One event again and again, and then no more: as many rounds as states.
fn chain(edges: u32) -> Workload {
    workload("chain", 2, edges, |state| {
        if state + 1 < edges {
            vec![(1, state + 1)]
        } else {
            vec![]
        }
    })
}

/// A binary tree whose levels are alike.
fn tree(edges: u32) -> Workload {
    workload("tree", 3, edges + 1, |state| {
        let child = |i: u32| 2 * state + i;
        (1..=2)
            .filter(|&i| child(i) <= edges)
            .map(|i| (i, child(i)))
            .collect()
    })
}

/// Switches that are turned on and off; which switch is not seen.
fn cube(edges: u32) -> Workload {
    let switches = (1u32..)
        .take_while(|&k| (1u64 << k) * u64::from(k) <= u64::from(edges))
        .last();
    let switches = switches.unwrap_or(1);
    workload("cube", 3, 1 << switches, |state| {
        (0..switches)
            .map(|i| (1 + (state >> i & 1), state ^ 1 << i))
            .collect()
    })
}

/// Three counters that go round; each has its event, and only passing zero tells where it is.
fn torus(edges: u32) -> Workload {
    let side = (1u32..)
        .take_while(|s| s.pow(3) * 3 <= edges)
        .last()
        .unwrap_or(1);
    workload("torus", 7, side.pow(3), |state| {
        (0..3).map(|axis| step(state, side, axis)).collect()
    })
}

/// The same with the steps of two counters hidden except where they pass zero.
fn silent_torus(edges: u32) -> Workload {
    let side = (1u32..)
        .take_while(|s| s.pow(3) * 3 <= edges)
        .last()
        .unwrap_or(1);
    workload("silent torus", 7, side.pow(3), |state| {
        (0..3)
            .map(|axis| {
                let (event, target) = step(state, side, axis);
                (if event <= 2 { 0 } else { event }, target)
            })
            .collect()
    })
}

fn step(state: u32, side: u32, axis: u32) -> (u32, u32) {
    let unit = side.pow(axis);
    let digit = state / unit % side;
    if digit + 1 < side {
        (axis + 1, state + unit)
    } else {
        (axis + 4, state - digit * unit)
    }
}

/// Switches that are turned on silently and once; the last one is seen.
fn hidden_cube(edges: u32) -> Workload {
    let switches = (1u32..)
        .take_while(|&k| (1u64 << k) * u64::from(k) <= 2 * u64::from(edges))
        .last();
    let switches = switches.unwrap_or(1);
    workload("hidden cube", 2, 1 << switches, |state| {
        (0..switches)
            .filter(|i| state >> i & 1 == 0)
            .map(|i| (u32::from(i == 0), state | 1 << i))
            .collect()
    })
}

/// Two hubs that lead to every state of a chain: the chain settles one state after the other, and
/// with it what the hubs lead to.
fn hubs(edges: u32) -> Workload {
    let states = edges / 3;
    workload("hubs", 3, states, |state| match state {
        0 => vec![(1, 1), (2, 2)],
        1 | 2 => (3..states).map(|target| (1, target)).collect(),
        _ if state + 1 < states => vec![(1, state + 1)],
        _ => vec![],
    })
}
