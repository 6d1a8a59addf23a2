//! Bisimulations by the definition: split until nothing splits, over relations written out in full.

use std::collections::{BTreeMap, BTreeSet};

use csp_lts::{EventId, Lts, StateId};

use crate::judge::{States, closure, diverges};

/// How an event may be surrounded by τ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matching {
    Strong,
    Delay,
    Weak,
}

/// The number of classes among the states that can be reached.
pub(crate) fn classes(lts: &Lts, matching: Matching) -> usize {
    let reachable = reachable(lts);
    let moves: BTreeMap<StateId, BTreeSet<(EventId, StateId)>> = (reachable.iter())
        .map(|&s| (s, moves(lts, s, matching)))
        .collect();
    let mut class: BTreeMap<StateId, usize> = (reachable.iter())
        .map(|&s| {
            let divergent = diverges(lts, &States::from([s]));
            (s, usize::from(matching != Matching::Strong && divergent))
        })
        .collect();
    loop {
        let mut numbers: BTreeMap<(usize, BTreeSet<(EventId, usize)>), usize> = BTreeMap::new();
        let mut next = BTreeMap::new();
        for &state in &reachable {
            let signature = moves[&state].iter().map(|&(e, t)| (e, class[&t])).collect();
            let fresh = numbers.len();
            let number = *numbers.entry((class[&state], signature)).or_insert(fresh);
            next.insert(state, number);
        }
        let before = class.values().collect::<BTreeSet<_>>().len();
        class = next;
        if numbers.len() == before {
            return before;
        }
    }
}

fn moves(lts: &Lts, state: StateId, matching: Matching) -> BTreeSet<(EventId, StateId)> {
    if matching == Matching::Strong {
        return lts.transitions(state).collect();
    }
    let before = closure(lts, &States::from([state]));
    let mut moves: BTreeSet<_> = before.iter().map(|&t| (EventId::TAU, t)).collect();
    for &inner in &before {
        for (event, target) in lts.transitions(inner).filter(|t| t.0 != EventId::TAU) {
            let ends = match matching {
                Matching::Weak => closure(lts, &States::from([target])),
                _ => States::from([target]),
            };
            moves.extend(ends.into_iter().map(|t| (event, t)));
        }
    }
    moves
}

/// The states that can be reached.
pub(crate) fn reachable(lts: &Lts) -> States {
    let mut reached = States::from([lts.initial()]);
    let mut waiting = vec![lts.initial()];
    while let Some(state) = waiting.pop() {
        for (_, target) in lts.transitions(state) {
            if reached.insert(target) {
                waiting.push(target);
            }
        }
    }
    reached
}
