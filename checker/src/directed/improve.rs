//! Shortening a way that was found: from each state on it, what is near is searched breadth first for
//! a state further on that can be reached in fewer steps, or for the goal itself.
//!
//! Source: Nakhost and Müller, "Action elimination and plan neighborhood graph search" (2010).

use ahash::AHashMap;

use csp_host::clock::Moment;

use super::Arena;

/// States that are looked at from each state of the way, at first; twice as many each time nothing is
/// found.
const FIRST: usize = 250;
const MOST: usize = 1 << 18;

/// Shortens a way to a state in which a goal can be fired, until the deadline or until nothing is found
/// in the neighbourhood.
pub(crate) fn improve<const N: usize>(
    arena: &Arena<N>,
    mut way: Vec<[u64; N]>,
    deadline: Moment,
    interrupted: &dyn Fn() -> bool,
) -> Vec<[u64; N]> {
    let mut most = FIRST;
    while most <= MOST {
        let mut improved = false;
        let mut at = 0;
        while at + 1 < way.len() {
            if Moment::now() >= deadline || interrupted() {
                return way;
            }
            if let Some((detour, to)) = shortcut(arena, &way, at, most) {
                way.splice(at..=to, detour);
                improved = true;
            }
            at += 1;
        }
        if !improved {
            most *= 2;
        }
    }
    way
}

/// The states from one of a way to a later one in fewer steps, and which; the best that is found.
fn shortcut<const N: usize>(
    arena: &Arena<N>,
    way: &[[u64; N]],
    from: usize,
    most: usize,
) -> Option<(Vec<[u64; N]>, usize)> {
    let machine = &arena.machine;
    let last = way.len() - 1;
    let later = (from + 1..).zip(&way[from + 1..]);
    let later: AHashMap<&[u64; N], usize> = later.map(|(at, state)| (state, at)).collect();
    let mut seen: Vec<([u64; N], usize, usize)> = vec![(way[from], 0, 0)];
    let mut known: AHashMap<[u64; N], ()> = AHashMap::from([(way[from], ())]);
    // What is gained, the state that it ends in, and the place on the way.
    let mut best: Option<(usize, usize, usize)> = None;
    let (mut enabled, mut dirty) = (Vec::new(), Vec::new());
    let mut next = 0;
    while next < seen.len() && seen.len() < most {
        let (state, _, depth) = seen[next];
        machine.enabled(&state, &mut enabled);
        enabled.sort_unstable();
        let gain = (last - from).saturating_sub(depth);
        let won = enabled.iter().any(|rule| arena.is_goal[*rule as usize]);
        if won && gain > best.map_or(0, |b| b.0) {
            best = Some((gain, next, last));
        }
        for rule in &enabled {
            machine.fire(&state, *rule, |child| {
                let chased = machine.chase_after(*rule, &state, child, &mut dirty);
                if chased.is_err() || known.insert(*child, ()).is_some() {
                    return;
                }
                seen.push((*child, next, depth + 1));
                if let Some(at) = later.get(child) {
                    let gain = (at - from).saturating_sub(depth + 1);
                    if gain > best.map_or(0, |b| b.0) {
                        best = Some((gain, seen.len() - 1, *at));
                    }
                }
            });
        }
        next += 1;
    }
    let (_, mut at, to) = best?;
    let mut detour = vec![seen[at].0];
    while at != 0 {
        at = seen[at].1;
        detour.push(seen[at].0);
    }
    detour.reverse();
    Some((detour, to))
}
