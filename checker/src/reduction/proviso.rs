//! Against putting events off for ever: an order of local states that every cycle goes back in.
//!
//! The local states of each component are numbered so that few moves by silent rules lead from a number
//! to one that is not larger (depth-first, in reverse order of leaving). A cycle of silent steps that
//! changes something moves some component around, and that component *returns* on the way. A step that
//! need not change anything is a cycle by itself, and counts as a return. So if all that shows events is
//! taken up wherever a step can return, no cycle of a reduced graph puts it off. This needs no store, no
//! stack and no queue, and so suits any order of search (Kurshan, Levin, Minea, Peled, Yenigün 1998).
//!
//! A component of which every silent move comes with a sure move of another that is watched need not be
//! watched.
//!
//! Where states are replaced by others that symmetries map them to, what comes round is a cycle of images of
//! steps. So an image of a move that returns counts as a return, too.

use ahash::AHashSet;
use csp_lts::{EventId, Network, Rule, StateId};

use super::automorphism::Automorphism;
use super::interference::{Flags, Interference, RETURNS};
use crate::machine::{Local, Plan};

/// Marks in the tables the moves by silent rules that lead back.
pub(super) fn mark(
    tables: &mut Interference,
    network: &Network,
    plan: &Plan,
    symmetries: &[Automorphism],
    is_silent: impl Fn(u32) -> bool,
) {
    let locals = &plan.locals.components;
    let live = (network.rules.iter().zip(&plan.locals.live)).filter(|(_, live)| **live);
    let silent: Vec<(u32, &Rule)> = (0..)
        .zip(live.map(|(rule, _)| rule))
        .filter(|(number, _)| is_silent(*number))
        .collect();
    let mut moves: Vec<Vec<(u32, u32)>> = vec![Vec::new(); locals.len()];
    let mut seen: Vec<Vec<bool>> = (locals.iter())
        .map(|local| vec![false; local.classes.len()])
        .collect();
    for (_, rule) in &silent {
        for (component, event) in &rule.participants {
            let at = component.0 as usize;
            let class = locals[at].class(*event) as usize;
            if !std::mem::replace(&mut seen[at][class], true) {
                each_move(&locals[at], *event, |from, to| moves[at].push((from, to)));
            }
        }
        for (component, state) in &rule.resets {
            let at = component.0 as usize;
            each_reset(&locals[at], *state, |from, to| moves[at].push((from, to)));
        }
    }
    let watched = watched(tables, locals, &is_silent);
    let left: Vec<Vec<u32>> = (locals.iter().zip(&network.components).zip(&mut moves))
        .map(|((local, component), moves)| {
            left(local.states.len(), local.dense(component.initial), moves)
        })
        .collect();
    let returning = |at: usize, (from, to): (u32, u32)| {
        watched[at] && left[at][from as usize] <= left[at][to as usize]
    };
    let images = images_of_returns(symmetries, &moves, returning);
    for (number, rule) in silent {
        for touch in tables.touches(number).to_vec() {
            let at = touch.component as usize;
            let local = &locals[at];
            let column = tables.column_of(touch, local.states.len());
            let mark = |from: u32, to: u32| {
                if returning(at, (from, to)) || images.contains(&(touch.component, from, to)) {
                    column[from as usize] |= RETURNS;
                }
            };
            let mut participants = rule.participants.iter();
            let mut resets = rule.resets.iter();
            if let Some((_, event)) = participants.find(|(c, _)| c.0 == touch.component) {
                each_move(local, *event, mark);
            } else if let Some((_, state)) = resets.find(|(c, _)| c.0 == touch.component) {
                each_reset(local, *state, mark);
            }
        }
    }
}

/// The moves that symmetries map a return to: component, where from and where to.
fn images_of_returns(
    symmetries: &[Automorphism],
    moves: &[Vec<(u32, u32)>],
    returning: impl Fn(usize, (u32, u32)) -> bool,
) -> AHashSet<(u32, u32, u32)> {
    let mut images = AHashSet::new();
    if symmetries.is_empty() {
        return images;
    }
    let mut open = Vec::new();
    for (component, moves) in (0..).zip(moves) {
        let returns = moves
            .iter()
            .filter(|(from, to)| returning(component as usize, (*from, *to)));
        open.extend(returns.map(|(from, to)| (component, *from, *to)));
    }
    while let Some((component, from, to)) = open.pop() {
        for symmetry in symmetries {
            let states = &symmetry.states[component as usize];
            let there = symmetry.components[component as usize];
            let image = (there, states[from as usize], states[to as usize]);
            if images.insert(image) {
                open.push(image);
            }
        }
    }
    images
}

/// Calls back with the moves on an event that change the local state.
fn each_move(local: &Local, event: EventId, mut f: impl FnMut(u32, u32)) {
    local.each_move(local.class(event), |from, to| {
        if from != to {
            f(from, to);
        }
    });
}

/// The same for a reset.
fn each_reset(local: &Local, state: StateId, mut f: impl FnMut(u32, u32)) {
    let to = local.dense(state);
    let states = (0..).take(local.states.len());
    states
        .filter(|from| *from != to)
        .for_each(|from| f(from, to));
}

/// The components whose returns count.
fn watched(tables: &Interference, locals: &[Local], is_silent: &impl Fn(u32) -> bool) -> Vec<bool> {
    let mut moving: Vec<Vec<u32>> = vec![Vec::new(); locals.len()];
    let mut sure: Vec<Vec<u32>> = Vec::new();
    for rule in 0..tables.rules() {
        sure.push(Vec::new());
        if !is_silent(rule) {
            continue;
        }
        for touch in tables.touches(rule) {
            let at = touch.component as usize;
            let states = (0..).take(locals[at].states.len());
            let mut flags = states.map(|x| tables.flags(*touch, x));
            if flags.clone().any(Flags::moves) {
                moving[at].push(rule);
            }
            if flags.all(|flags| flags.forbids() || flags.surely_moves()) {
                sure[rule as usize].push(touch.component);
            }
        }
    }
    let mut watched = vec![true; locals.len()];
    // Small components first: they are what others share.
    let mut order: Vec<usize> = (0..locals.len()).collect();
    order.sort_by_key(|component| locals[*component].states.len());
    for component in order {
        let covered = |rule: &u32| {
            let mut others = sure[*rule as usize].iter().map(|c| *c as usize);
            others.any(|other| other != component && watched[other])
        };
        if moving[component].iter().all(covered) {
            watched[component] = false;
        }
    }
    watched
}

/// Numbers local states in the order in which a depth-first search leaves them: a move that leads on
/// leads to a smaller number.
fn left(states: usize, initial: u32, moves: &mut Vec<(u32, u32)>) -> Vec<u32> {
    moves.sort_unstable();
    moves.dedup();
    let from = |state: u32| {
        let start = moves.partition_point(|(source, _)| *source < state);
        let own = move |(source, _): &&(u32, u32)| *source == state;
        moves[start..].iter().take_while(own)
    };
    let (mut entered, mut left) = (vec![false; states], vec![0; states]);
    let mut next = 0;
    for root in [initial].into_iter().chain((0..).take(states)) {
        let mut stack = Vec::new();
        if !std::mem::replace(&mut entered[root as usize], true) {
            stack.push((root, from(root)));
        }
        while let Some((state, targets)) = stack.last_mut() {
            let new = |(_, target): &&(u32, u32)| !entered[*target as usize];
            if let Some((_, target)) = targets.find(new) {
                entered[*target as usize] = true;
                stack.push((*target, from(*target)));
            } else {
                left[*state as usize] = next;
                next += 1;
                stack.pop();
            }
        }
    }
    left
}
