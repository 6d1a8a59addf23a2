//! Everything up to a size: all terms over two events, and all pairs of tiny transition systems.

use crate::events::{Event, Events};
use crate::system::{Label, System};
use crate::term::{Binary, Constant, Links, Renaming, Term, Unary};

/// All terms with exactly this many constants and operators, over the events a and b. Sets of events
/// are {a}, {b} and {a,b} where they matter; there is one renaming that swaps, one that merges and
/// one that is one-to-many.
#[must_use]
pub fn terms(size: usize) -> Vec<Term> {
    let mut by_size: Vec<Vec<Term>> = vec![Vec::new(), constants()];
    for n in 2..=size {
        let mut all = Vec::new();
        for operator in unary_operators() {
            for argument in &by_size[n - 1] {
                all.push(Term::unary(operator, argument.clone()));
            }
        }
        for left in 1..n - 1 {
            for operator in binary_operators() {
                for p in &by_size[left] {
                    for q in &by_size[n - 1 - left] {
                        all.push(Term::binary(operator, p.clone(), q.clone()));
                    }
                }
            }
        }
        by_size.push(all);
    }
    by_size.swap_remove(size)
}

fn constants() -> Vec<Term> {
    let both = Events(3);
    vec![
        Term::STOP,
        Term::SKIP,
        Term::DIV,
        Term::Constant(Constant::Run(both)),
        Term::Constant(Constant::Chaos(both)),
    ]
}

fn unary_operators() -> Vec<Unary> {
    let mut swap = Renaming::identity();
    swap.0[0] = Events(2);
    swap.0[1] = Events(1);
    let mut merge = Renaming::identity();
    merge.0[0] = Events(2);
    let mut split = Renaming::identity();
    split.0[0] = Events(3);
    vec![
        Unary::Prefix(Event(0)),
        Unary::Prefix(Event(1)),
        Unary::Offer(Events(3)),
        Unary::Hide(Events(1)),
        Unary::Hide(Events(3)),
        Unary::Rename(swap),
        Unary::Rename(merge),
        Unary::Rename(split),
    ]
}

fn binary_operators() -> Vec<Binary> {
    let (a, both) = (Events(1), Events(3));
    vec![
        Binary::External,
        Binary::Internal,
        Binary::Sliding,
        Binary::Sequence,
        Binary::Interrupt,
        Binary::Exception(a),
        Binary::SyncExternal(a),
        Binary::SyncInterrupt(a),
        Binary::Interleave,
        Binary::Parallel(a),
        Binary::Parallel(both),
        Binary::Alphabetised(a, both),
        Binary::Linked(Links([Some(Event(1)), None, None, None])),
    ]
}

/// All systems with exactly this many states over this many events and τ, in which any set of
/// transitions may be there. The state after them, without transitions, is where ✓ would lead.
#[must_use]
pub fn systems(states: usize, events: u8) -> Vec<System> {
    let mut labels = vec![Label::Tau];
    labels.extend((0..events).map(|e| Label::Event(Event(e))));
    let places: Vec<(usize, Label, usize)> = (0..states)
        .flat_map(|from| {
            labels
                .iter()
                .flat_map(move |&label| (0..states).map(move |to| (from, label, to)))
        })
        .collect();
    (0..1u64 << places.len())
        .map(|bits| {
            let mut transitions = vec![Vec::new(); states];
            for (i, &(from, label, to)) in places.iter().enumerate() {
                if bits & 1 << i != 0 {
                    transitions[from].push((label, to));
                }
            }
            System { transitions }
        })
        .collect()
}

/// The systems of [`systems`] in which every state can be reached, and of those that differ only in
/// the numbering of states just one.
#[must_use]
pub fn distinct_systems(states: usize, events: u8) -> Vec<System> {
    let mut all = systems(states, events);
    all.retain(|s| is_reachable(s) && is_least(s));
    all
}

fn is_reachable(system: &System) -> bool {
    let mut reached = vec![0];
    let mut next = 0;
    while next < reached.len() {
        for &(_, to) in &system.transitions[reached[next]] {
            if !reached.contains(&to) {
                reached.push(to);
            }
        }
        next += 1;
    }
    reached.len() == system.transitions.len()
}

/// Whether no other numbering of the states after the first gives a smaller system. There are at
/// most three states, so only the last two can change places.
fn is_least(system: &System) -> bool {
    if system.transitions.len() < 3 {
        return true;
    }
    let swapped = |s: usize| [0, 2, 1][s];
    let mut other = vec![Vec::new(); 3];
    for (from, own) in system.transitions.iter().enumerate() {
        other[swapped(from)] = own.iter().map(|&(l, to)| (l, swapped(to))).collect();
        other[swapped(from)].sort_unstable();
    }
    let mut own = system.transitions.clone();
    own.iter_mut().for_each(|o| o.sort_unstable());
    own <= other
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts() {
        let terms: Vec<usize> = (1..=3).map(|n| super::terms(n).len()).collect();
        assert_eq!(terms, [5, 40, 8 * 40 + 13 * 25]);
        assert_eq!(super::systems(2, 1).len(), 1 << 8);
    }
}
