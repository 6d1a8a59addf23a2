//! From a violation back to the initial state, without parents in memory.
//!
//! The states of each ply are known: from the seed's log, from the tags in the store, or from lists
//! kept where the tags run out. Going back one ply means to search the states of the ply
//! before and to take the smallest one that leads to the state at hand. States that differ from it
//! in more bits than a step can change are skipped, which leaves next to nothing to expand. Chasing
//! can change any number of bits, but seldom changes many: first those states are looked at that
//! differ in no more bits than a step without chasing can change, then those from which a few chased
//! rules can lead there, and only if there is none, all. So a trace costs about as much as decoding
//! every state once or twice, and reading the tags of the store as often for each ply. Counted in
//! instructions that is a twentieth of the search of philosophers, and an eighth of one of FreeCell,
//! where steps are chased. The path is then replayed on the network itself.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ahash::AHashMap;

use super::finds::{Find, Kind};
use super::team::Team;
use super::visit::{Context, Worker};
use super::{Fault, Violation};
use crate::outcome::{Limit, Step};
use crate::reference::{Simulator, State};

/// Where the states of earlier plys can be had.
pub(crate) trait Archive<const N: usize>: Sync {
    /// What a worker needs to read it.
    type Reader: Send;

    /// Ready to read.
    fn reader(&self) -> Self::Reader;

    /// Into how many pieces a ply is cut.
    fn pieces(&self, ply: u64) -> usize;

    /// Calls back with the states of one piece of a ply.
    fn read(&self, ply: u64, piece: usize, reader: &mut Self::Reader, f: &mut dyn FnMut(&[u64; N]));
}

/// Finds a shortest way to each violation, as long as there is time.
pub(crate) fn rebuild<const N: usize>(
    context: &Context<'_, N>,
    team: &Team,
    archive: &impl Archive<N>,
    finds: &[Find<N>],
) -> Result<Vec<Violation>, Limit> {
    let mut paths: Vec<Vec<[u64; N]>> = finds.iter().map(|find| vec![find.state]).collect();
    let last = finds.iter().map(|find| find.ply).max().unwrap_or(0);
    for earlier in (0..last).rev() {
        if let Some(limit) = context.control.is_late() {
            return Err(limit);
        }
        let mut later: Vec<&mut Vec<[u64; N]>> = paths
            .iter_mut()
            .zip(finds)
            .filter(|(_, find)| find.ply > earlier)
            .map(|(path, _)| path)
            .collect();
        let targets: Vec<[u64; N]> = later.iter().map(|path| path[path.len() - 1]).collect();
        let parents = parents(context, team, archive, earlier, &targets);
        for (path, parent) in later.iter_mut().zip(parents) {
            path.push(parent.expect("every state of a ply has a predecessor in the ply before"));
        }
    }
    let replay = |(find, mut path): (&Find<N>, Vec<_>)| {
        path.reverse();
        replay(context, find, &path)
    };
    finds.iter().zip(paths).map(replay).collect()
}

/// States of a τ cycle that are looked at between two looks at the clock.
const ASK_EVERY: usize = 1 << 10;

/// How many chased rules are thought of at first, and then.
const FEW_CHASED: [u32; 2] = [0, 2];

/// For each target a state of a ply that leads to it: the smallest of those that differ from it in
/// few bits, or else the smallest of all.
fn parents<const N: usize>(
    context: &Context<'_, N>,
    team: &Team,
    archive: &impl Archive<N>,
    ply: u64,
    targets: &[[u64; N]],
) -> Vec<Option<[u64; N]>> {
    let mut parents = vec![None; targets.len()];
    let near = FEW_CHASED.map(|few| context.machine.most_changed_bits(few));
    // A state may differ from what it stands for in any number of bits.
    let near = near
        .into_iter()
        .filter(|_| context.representatives.is_none());
    for most in near.chain([u32::MAX]) {
        let open: Vec<usize> = (0..targets.len())
            .filter(|at| parents[*at].is_none())
            .collect();
        if open.is_empty() {
            break;
        }
        let targets: Vec<[u64; N]> = open.iter().map(|at| targets[*at]).collect();
        let found = parents_within(context, team, archive, ply, &targets, most);
        for (at, parent) in open.into_iter().zip(found) {
            parents[at] = parent;
        }
    }
    parents
}

/// For each target the smallest state of a ply that leads to it and differs in this many bits at most.
fn parents_within<const N: usize>(
    context: &Context<'_, N>,
    team: &Team,
    archive: &impl Archive<N>,
    ply: u64,
    targets: &[[u64; N]],
    most: u32,
) -> Vec<Option<[u64; N]>> {
    let pieces = archive.pieces(ply);
    let next = AtomicUsize::new(0);
    let mut hands: Vec<_> = (0..team.size().min(pieces))
        .map(|_| {
            (
                context.worker(),
                archive.reader(),
                vec![None; targets.len()],
            )
        })
        .collect();
    team.run(&mut hands, |(worker, reader, best)| {
        loop {
            let piece = next.fetch_add(1, Relaxed);
            if piece >= pieces {
                return;
            }
            archive.read(ply, piece, reader, &mut |state| {
                if targets.iter().any(|target| distance(state, target) <= most) {
                    improve(context, worker, state, targets, most, best);
                }
            });
        }
    });
    let mut parents = vec![None; targets.len()];
    for (_, _, best) in hands {
        for (parent, candidate) in parents.iter_mut().zip(best) {
            *parent = match (*parent, candidate) {
                (Some(a), Some(b)) => Some(if a < b { a } else { b }),
                (a, b) => a.or(b),
            };
        }
    }
    parents
}

#[inline(always)]
fn distance<const N: usize>(a: &[u64; N], b: &[u64; N]) -> u32 {
    a.iter().zip(b).map(|(x, y)| (x ^ y).count_ones()).sum()
}

fn improve<const N: usize>(
    context: &Context<'_, N>,
    worker: &mut Worker<N>,
    state: &[u64; N],
    targets: &[[u64; N]],
    most: u32,
    best: &mut [Option<[u64; N]>],
) {
    if best.iter().all(|b| b.is_some_and(|b| b <= *state)) {
        return;
    }
    context.look_at(state, worker, &mut |_, child| {
        for (target, best) in targets.iter().zip(best.iter_mut()) {
            let near = child == target && distance(state, target) <= most;
            if near && best.is_none_or(|b| *state < b) {
                *best = Some(*state);
            }
        }
    });
}

/// Steps the network itself along a path, and on to where it comes to rest.
fn replay<const N: usize>(
    context: &Context<'_, N>,
    find: &Find<N>,
    path: &[[u64; N]],
) -> Result<Violation, Limit> {
    let simulator = Simulator::new(context.network);
    let (mut state, mut steps) = simulator
        .initial()
        .expect("the engine has chased the initial state too");
    let mut find = find.clone();
    if context.representatives.is_some() {
        let end = follow_images(context, &simulator, path, &mut state, &mut steps);
        if matches!(find.kind, Kind::Event(_)) {
            let forbidden = context.forbidden_step(&end);
            find.rule = forbidden.expect("what is forbidden of a state is forbidden of its images");
        }
        (find.state, find.rest) = (end, end);
    } else {
        follow(context, &simulator, path, &mut state, &mut steps);
    }
    let find = &find;
    let fault = match find.kind {
        Kind::State(..) => {
            come_to_rest(context, &simulator, find, &mut state, &mut steps);
            Fault::State
        }
        Kind::Divergence => Fault::Divergence {
            cycle: match (&context.machine.acceptances, &context.stubborn) {
                (None, None) => {
                    simulator.silent_cycle_until(&state, || context.control.is_late())?
                }
                _ => silent_cycle(context, &simulator, &find.state)?,
            }
            .expect("a state that the engine finds on a τ cycle is on one"),
        },
        Kind::Event(_) => {
            let id = context.machine.rules[find.rule as usize].id;
            assert!(
                simulator.can_fire(&state, id),
                "a violation of the engine can be replayed on the network"
            );
            steps.push(simulator.fire(&state, id).swap_remove(0).0);
            Fault::Event
        }
    };
    Ok(Violation {
        steps,
        node: context.node(&find.state),
        fault,
    })
}

/// Steps the network from each state of a path to the next.
fn follow<const N: usize>(
    context: &Context<'_, N>,
    simulator: &Simulator<'_>,
    path: &[[u64; N]],
    state: &mut State,
    steps: &mut Vec<Step>,
) {
    for pair in path.windows(2) {
        let target = context.machine.unpack(&pair[1]);
        let rules = context.rules_between(&pair[0], &pair[1]);
        take(context, simulator, rules, target, state, steps);
    }
}

/// Steps the network from its initial state along states that the states of a path stand for; the last.
fn follow_images<const N: usize>(
    context: &Context<'_, N>,
    simulator: &Simulator<'_>,
    path: &[[u64; N]],
    state: &mut State,
    steps: &mut Vec<Step>,
) -> [u64; N] {
    let mut at = path[0];
    for standing in &path[1..] {
        let (rule, next) = context
            .step_towards(&at, standing)
            .expect("an image of a state goes on as the state does");
        let target = context.machine.unpack(&next);
        take(context, simulator, [rule], target, state, steps);
        at = next;
    }
    at
}

/// Steps the network to a state by the first of the rules that leads there.
fn take<const N: usize>(
    context: &Context<'_, N>,
    simulator: &Simulator<'_>,
    rules: impl IntoIterator<Item = u32>,
    target: State,
    state: &mut State,
    steps: &mut Vec<Step>,
) {
    let way = rules
        .into_iter()
        .filter(|rule| {
            let id = context.machine.rules[*rule as usize].id;
            simulator.can_fire(state, id)
        })
        .find_map(|rule| way(simulator, context, state, rule, &target))
        .expect("a step of the engine can be replayed on the network");
    steps.extend(way);
    *state = target;
}

/// Takes the acceptance steps to what is at fault.
fn come_to_rest<const N: usize>(
    context: &Context<'_, N>,
    simulator: &Simulator<'_>,
    find: &Find<N>,
    state: &mut State,
    steps: &mut Vec<Step>,
) {
    let Some(acceptances) = &context.machine.acceptances else {
        return;
    };
    let rest = context.machine.unpack(&find.rest);
    for (index, leaf) in acceptances.leaves.iter().enumerate() {
        let component = leaf.component as usize;
        if state[component] == rest[component] {
            continue;
        }
        let mut target = state.clone();
        target[component] = rest[component];
        let rules = acceptances.rules_of(index);
        take(context, simulator, rules, target, state, steps);
    }
}

/// A shortest τ cycle through a state that takes no acceptance steps, so that it is found without
/// looking at all the ways in which the state can come to rest.
fn silent_cycle<const N: usize>(
    context: &Context<'_, N>,
    simulator: &Simulator<'_>,
    start: &[u64; N],
) -> Result<Option<Vec<Step>>, Limit> {
    let mut worker = context.worker();
    let Some(silence) = &context.silence else {
        return Ok(None);
    };
    let rules = silence.rules();
    let mut before: AHashMap<[u64; N], [u64; N]> = AHashMap::new();
    let mut reached = vec![*start];
    let mut at = 0;
    while !before.contains_key(start) {
        let Some(&state) = reached.get(at) else {
            return Ok(None);
        };
        if at % ASK_EVERY == ASK_EVERY - 1
            && let Some(limit) = context.control.is_late()
        {
            return Err(limit);
        }
        context.silent(&state, &mut worker, rules, |next| {
            before.entry(next).or_insert_with(|| {
                reached.push(next);
                state
            });
        });
        at += 1;
    }
    let mut around = vec![*start];
    while around.len() == 1 || around[around.len() - 1] != *start {
        around.push(before[&around[around.len() - 1]]);
    }
    around.reverse();
    let hops = around.windows(2).map(|pair| {
        let [from, to] = [0, 1].map(|end| context.machine.unpack(&pair[end]));
        let successors = simulator.silent_successors(&from).into_iter();
        let hop = successors.into_iter().find(|next| next.state == to);
        hop.expect("a step of the engine can be replayed on the network")
            .steps
    });
    Ok(Some(hops.flatten().collect()))
}

/// The steps by which a rule leads to a target, what is chased included.
fn way<const N: usize>(
    simulator: &Simulator<'_>,
    context: &Context<'_, N>,
    state: &[csp_lts::StateId],
    rule: u32,
    target: &[csp_lts::StateId],
) -> Option<Vec<Step>> {
    let id = context.machine.rules[rule as usize].id;
    simulator
        .fire(state, id)
        .into_iter()
        .find_map(|(step, mut next)| {
            let chased = simulator.chase(&mut next).ok()?;
            (next == target).then(|| std::iter::once(step).chain(chased).collect())
        })
}
