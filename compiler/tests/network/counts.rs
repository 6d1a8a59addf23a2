//! Exact numbers: states and transitions of terms, and of networks compiled from them.

use csp_compiler::assemble::{CompileOptions, Compiler};
use csp_compiler::operators::Termination;
use csp_compiler::process::{BufferKind, Compression, Priority, Process, ProcessId, Processes};
use csp_compiler::reduce::reduce;
use csp_lts::{EventId, EventSet, LtsBuilder, Network, StateId};
use std::sync::Arc;

use crate::explorer::{Tabulate, bisimilar, explore, transition_count};
use crate::table::{Table, event, relation, set};

/// Without small leaves, so that controllers are put to the test.
fn options() -> CompileOptions {
    CompileOptions {
        small_leaf: 0,
        leaf_states: 10_000,
        nesting: 200,
        ..CompileOptions::default()
    }
}

fn compile(table: &mut Table, process: ProcessId) -> Network {
    Compiler::new(options())
        .compile(table, process, &Tabulate)
        .expect("the process compiles")
}

/// The states and transitions of the term by its semantics, which those of the network must equal.
fn counts(table: &mut Table, process: ProcessId) -> (usize, usize) {
    let lts = Compiler::new(options())
        .tabulate(table, process)
        .expect("the process is finite");
    let network = compile(table, process);
    let explored = explore(&network, 10_000).expect("the network is small");
    assert!(bisimilar(&lts, &explored));
    let term = (lts.state_count(), transition_count(&lts));
    let compiled = (explored.state_count(), transition_count(&explored));
    assert_eq!(term, compiled);
    term
}

fn code(table: &mut Table, process: ProcessId) -> &'static str {
    Compiler::new(options())
        .compile(table, process, &Tabulate)
        .expect_err("the process is in error")
        .code
}

#[test]
fn primitive_processes() {
    let mut t = Table::default();
    let mut count = |head: Process| {
        let process = t.intern(head);
        counts(&mut t, process)
    };
    assert_eq!(count(Process::Stop), (1, 0));
    assert_eq!(count(Process::Skip), (2, 1));
    assert_eq!(count(Process::Div), (1, 1));
    assert_eq!(count(Process::Run(set(&[0, 1]))), (1, 2));
    assert_eq!(count(Process::Chaos(set(&[0, 1]))), (3, 4));
    assert_eq!(count(Process::Chaos(set(&[]))), (2, 1));
    let pairs = relation(&[(0, 2), (1, 3)]);
    let mut buffer = |kind, capacity| {
        count(Process::Buffer(
            kind,
            capacity,
            Arc::clone(&pairs),
            Box::default(),
        ))
    };
    // 1 + 2 + 4 contents; inputs from 3 of them, outputs from 6.
    assert_eq!(buffer(BufferKind::Plain, 2), (7, 12));
    assert_eq!(buffer(BufferKind::Weak(event(4)), 2), (8, 16));
    assert_eq!(
        buffer(BufferKind::Signal(event(4), event(5)), 2),
        (7, 12 + 4 + 1)
    );
}

#[test]
fn sequential_operators() {
    let mut t = Table::default();
    let (stop, skip) = (t.stop(), t.skip());
    let a = t.prefix(&[0], stop);
    let b = t.prefix(&[1], skip);
    let external = t.external(&[a, b]);
    assert_eq!(counts(&mut t, external), (4, 3));
    let internal = t.internal(&[a, b]);
    assert_eq!(counts(&mut t, internal), (6, 5));
    let sliding = t.intern(Process::Sliding(a, b));
    assert_eq!(counts(&mut t, sliding), (5, 4));
    let sequence = t.sequence(b, a);
    assert_eq!(counts(&mut t, sequence), (4, 3));
    let interrupt = t.intern(Process::Interrupt(a, b));
    assert_eq!(counts(&mut t, interrupt), (4, 4));
    let exception = t.intern(Process::Exception(b, set(&[1]), a));
    assert_eq!(counts(&mut t, exception), (3, 2));
    let shared = t.intern(Process::SyncExternal(set(&[0]), [a, a].into()));
    assert_eq!(counts(&mut t, shared), (2, 1));
    let repeat = t.intern(Process::Loop(b));
    assert_eq!(counts(&mut t, repeat), (2, 2));
}

#[test]
fn termination_is_synchronised() {
    let mut t = Table::default();
    let skip = t.skip();
    // ✓ of both in one step, to Ω.
    let two = t.parallel(&[], &[skip, skip]);
    assert_eq!(counts(&mut t, two), (2, 1));
    let nested = t.parallel(&[], &[two, skip]);
    assert_eq!(counts(&mut t, nested), (2, 1));
    let three = t.parallel(&[], &[skip, skip, skip]);
    assert_eq!(counts(&mut t, three), (2, 1));
    let many = t.parallel(&[], &[skip; 19]);
    assert_eq!(counts(&mut t, many), (2, 1));
    let none = t.parallel(&[], &[]);
    assert_eq!(counts(&mut t, none), (2, 1));
    let stop = t.stop();
    let stuck = t.parallel(&[], &[skip, stop]);
    assert_eq!(counts(&mut t, stuck), (1, 0));
    // Who could terminate waits, and offers b all the while; ✓ needs the other to have done a.
    let b = t.prefix(&[1], stop);
    let waiting = t.external(&[skip, b]);
    let a = t.prefix(&[0], skip);
    let both = t.parallel(&[], &[waiting, a]);
    assert_eq!(counts(&mut t, both), (5, 5));
    // No controller is needed, and one member is what it is alone.
    assert_eq!(compile(&mut t, two).components.len(), 2);
    let one = t.parallel(&[0], &[waiting]);
    assert_eq!(counts(&mut t, one), (3, 2));
    let linked = t.intern(Process::Linked(waiting, relation(&[(1, 0)]), a));
    // The link, after which neither side ends the whole; the second could not end before.
    assert_eq!(counts(&mut t, linked), (2, 1));
}

#[test]
fn members_can_terminate_apart() {
    let mut t = Table::default();
    let apart = CompileOptions {
        termination: Termination::Apart,
        ..options()
    };
    let count = |t: &mut Table, process: ProcessId| {
        let lts = Compiler::new(apart)
            .tabulate(t, process)
            .expect("the process is finite");
        let network = Compiler::new(apart)
            .compile(t, process, &Tabulate)
            .expect("the process compiles");
        let explored = explore(&network, 10_000).expect("the network is small");
        assert!(bisimilar(&lts, &explored));
        assert_eq!(lts.state_count(), explored.state_count());
        let components = network.components.len();
        (lts.state_count(), transition_count(&lts), components)
    };
    let skip = t.skip();
    // τ τ ✓ in either order: four states of the pair, and Ω. A controller does the ✓.
    let two = t.parallel(&[], &[skip, skip]);
    assert_eq!(count(&mut t, two), (5, 5, 3));
    let nested = t.parallel(&[], &[two, skip]);
    assert_eq!(count(&mut t, nested), (11, 16, 5));
    let three = t.parallel(&[], &[skip, skip, skip]);
    assert_eq!(count(&mut t, three), (9, 13, 4));
    let none = t.parallel(&[], &[]);
    assert_eq!(count(&mut t, none), (2, 1, 1));
    let stop = t.stop();
    // No controller where the whole cannot terminate.
    let stuck = t.parallel(&[], &[skip, stop]);
    assert_eq!(count(&mut t, stuck), (2, 1, 2));
}

#[test]
fn parallel_operators() {
    let mut t = Table::default();
    let ab = t.cycle("AB", &[0, 1]);
    let bc = t.cycle("BC", &[1, 2]);
    let free = t.parallel(&[], &[ab, bc]);
    assert_eq!(counts(&mut t, free), (4, 8));
    let shared = t.parallel(&[1], &[ab, bc]);
    assert_eq!(counts(&mut t, shared), (4, 5));
    let alphabets = Process::Alphabetised(Box::new([(set(&[0, 1]), ab), (set(&[1, 2]), bc)]));
    let alphabetised = t.intern(alphabets);
    assert_eq!(counts(&mut t, alphabetised), (4, 5));
    let narrow = Process::Alphabetised(Box::new([(set(&[0]), ab), (set(&[1, 2]), bc)]));
    let narrow = t.intern(narrow);
    assert_eq!(counts(&mut t, narrow), (4, 6));
    let linked = t.intern(Process::Linked(ab, relation(&[(1, 1)]), bc));
    assert_eq!(counts(&mut t, linked), (4, 5));
    let hidden = t.hide(shared, &[1]);
    assert_eq!(counts(&mut t, hidden), (4, 5));
    let projected = t.intern(Process::Project(shared, set(&[1])));
    assert_eq!(counts(&mut t, projected), (4, 5));
    let doubled = t.rename(shared, &[(0, 0), (0, 3)]);
    assert_eq!(counts(&mut t, doubled), (4, 7));
}

#[test]
fn hidden_events_are_revealed_by_the_name_they_had() {
    let mut t = Table::default();
    let ab = t.cycle("AB", &[0, 1]);
    let pair = t.parallel(&[0, 1], &[ab, ab]);
    let renamed = t.rename(pair, &[(1, 5)]);
    let hidden = t.hide(renamed, &[5]);
    let again = t.rename(hidden, &[(5, 6)]);
    let network = compile(&mut t, again);
    let mut seen: Vec<(EventId, EventId)> = network
        .rules
        .iter()
        .map(|r| (r.result, r.revealed))
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, [(EventId::TAU, event(5)), (event(0), event(0))]);
}

#[test]
fn copies_share_their_leaves() {
    let mut t = Table::default();
    let ab = t.cycle("AB", &[0, 1]);
    let renamed = t.rename(ab, &[(0, 2), (1, 3)]);
    let cd = t.cycle("CD", &[0, 1]);
    let all = t.parallel(&[], &[ab, renamed, cd]);
    let network = compile(&mut t, all);
    let first = &network.components[0].lts;
    assert!(
        network
            .components
            .iter()
            .all(|c| Arc::ptr_eq(&c.lts, first))
    );
    let names: Vec<&str> = network.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["AB", "AB", "CD"]);
}

#[test]
fn networks_are_switched_on_and_off() {
    let mut t = Table::default();
    let skip = t.skip();
    let (a, b) = (t.prefix(&[0], skip), t.prefix(&[1], skip));
    let pair = t.parallel(&[], &[a, b]);
    // Either has done its event or not, and Ω.
    assert_eq!(counts(&mut t, pair), (5, 5));
    let c = t.prefix(&[2], skip);
    let choice = t.external(&[pair, c]);
    assert_eq!(counts(&mut t, choice), (6, 7));
    let both = t.external(&[pair, pair]);
    // The first a or b resolves the choice; the two copies have different states.
    let network = compile(&mut t, both);
    assert_eq!(network.components.len(), 4);
    let later = t.sequence(pair, c);
    assert_eq!(counts(&mut t, later), (7, 7));
    let restarted = t.declare("R");
    let body = t.sequence(pair, restarted);
    t.define(restarted, body);
    assert_eq!(counts(&mut t, restarted), (4, 5));
    // Two leaves and the controller that waits; the recursion restarts them.
    assert_eq!(compile(&mut t, restarted).components.len(), 3);
    let repeat = t.intern(Process::Loop(pair));
    assert_eq!(counts(&mut t, repeat), (4, 5));
    let interrupted = t.intern(Process::Interrupt(pair, c));
    assert_eq!(counts(&mut t, interrupted), (6, 10));
    let handled = t.intern(Process::Exception(pair, set(&[0]), c));
    let network = compile(&mut t, handled);
    assert_eq!(explore(&network, 100).map(|l| l.state_count()), Some(5));
}

#[test]
fn compressed_and_chased_networks() {
    let mut t = Table::default();
    let ab = t.cycle("AB", &[0, 1]);
    let bc = t.cycle("BC", &[1, 2]);
    let shared = t.parallel(&[1], &[ab, bc]);
    let hidden = t.hide(shared, &[1]);
    let chase = t.intern(Process::Compress(Compression::Chase, hidden));
    let network = compile(&mut t, chase);
    let explored = explore(&network, 100).expect("it is small");
    assert_eq!(
        (explored.state_count(), transition_count(&explored)),
        (3, 4)
    );
    let listed = t.intern(Process::Compress(Compression::Normal, shared));
    let network = compile(&mut t, listed);
    assert_eq!(network.components.len(), 1);
    assert_eq!(network.components[0].lts.state_count(), 4);
    let urgent = Priority {
        classes: vec![],
        below_tau: EventSet::clone(&set(&[2])),
    };
    let urgent = t.intern(Process::Prioritise(hidden, Arc::new(urgent)));
    assert_eq!(counts(&mut t, urgent), (4, 5));
}

#[test]
fn runaway_recursion_is_reported() {
    let mut t = Table::default();
    let stop = t.stop();
    let a = t.prefix(&[0], stop);
    let unguarded = t.declare("P");
    let body = t.external(&[unguarded, a]);
    t.define(unguarded, body);
    assert_eq!(code(&mut t, unguarded), "E0521");
    let wide = t.declare("W");
    let pair = t.parallel(&[], &[wide, wide]);
    let body = t.prefix(&[0], pair);
    t.define(wide, body);
    assert_eq!(code(&mut t, wide), "E0522");
    let deep = t.declare("D");
    let pair = t.parallel(&[], &[deep, stop]);
    let body = t.prefix(&[0], pair);
    t.define(deep, body);
    assert_eq!(code(&mut t, deep), "E0522");
    let chased = t.intern(Process::Div);
    let chased = t.intern(Process::Compress(Compression::Chase, chased));
    assert_eq!(code(&mut t, chased), "E0524");
}

/// There is always a component whose state is the state of the network.
#[test]
fn a_network_that_does_nothing_keeps_a_component() {
    let mut builder = LtsBuilder::new();
    builder.state([]);
    let stop = Arc::new(builder.finish(StateId(0)));
    let network = Network::of_lts("STOP", stop);
    let reduced = reduce(&network);
    assert_eq!((reduced.components.len(), reduced.rules.len()), (1, 0));
}
