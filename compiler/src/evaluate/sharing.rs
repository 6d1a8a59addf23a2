//! Comparing values that share parts.
//!
//! A value of forty levels, each a pair of the one below it, takes forty pairs of memory and 2^40 steps
//! to walk through. Values know their weight, which is the number of those steps; if both sides are
//! heavy, the pairs of parts that have been found equal are remembered while the comparison goes on, so
//! that none is compared twice. Light values, which are nearly all, pay for one look at the weights.

use std::cell::RefCell;
use std::cmp::Ordering;

use ahash::AHashSet;

/// What weighs less is compared part by part.
const HEAVY: u32 = 1 << 12;

thread_local! {
    /// The places of parts that are equal, during a comparison of heavy values.
    static EQUAL: RefCell<Option<AHashSet<(usize, usize)>>> = const { RefCell::new(None) };
}

/// Whether both weights are such that parts should be remembered. A comparison goes through both sides
/// in step, so it takes no longer than the lighter one.
#[inline]
pub(super) fn is_large(a: u32, b: u32) -> bool {
    a.min(b) >= HEAVY
}

/// The order of two composite values at these places, of these weights; `compare` goes through their
/// parts. The places are used while the comparison goes on, during which nothing is dropped.
#[inline]
pub(super) fn compare<T>(
    a: &T,
    b: &T,
    weights: (u32, u32),
    compare: impl FnOnce() -> Ordering,
) -> Ordering {
    if std::ptr::eq(a, b) {
        return Ordering::Equal;
    }
    if !is_large(weights.0, weights.1) {
        return compare();
    }
    remembered(
        (std::ptr::from_ref(a).addr(), std::ptr::from_ref(b).addr()),
        compare,
    )
}

#[inline(never)]
fn remembered(pair: (usize, usize), compare: impl FnOnce() -> Ordering) -> Ordering {
    let known = EQUAL.with_borrow(|equal| equal.as_ref().map(|equal| equal.contains(&pair)));
    match known {
        Some(true) => return Ordering::Equal,
        Some(false) => {}
        None => {
            // Places mean nothing after the comparison, however it ends.
            let _forget = Forget;
            EQUAL.set(Some(AHashSet::new()));
            return compare();
        }
    }
    let order = compare();
    if order == Ordering::Equal {
        EQUAL.with_borrow_mut(|equal| equal.as_mut().map(|equal| equal.insert(pair)));
    }
    order
}

/// Forgets what was found equal.
struct Forget;

impl Drop for Forget {
    fn drop(&mut self) {
        EQUAL.set(None);
    }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::super::value::Value;

    /// Pairs of pairs, this many levels deep.
    fn tower(levels: usize, mut value: Value) -> Value {
        for _ in 0..levels {
            value = Value::tuple(smallvec![value.clone(), value]);
        }
        value
    }

    #[test]
    fn towers_are_compared_level_by_level() {
        let (a, b) = (tower(60, Value::Int(1)), tower(60, Value::Int(1)));
        assert!(a == b && a.cmp(&b).is_eq());
        let c = tower(60, Value::Int(2));
        assert!(a != c && a < c && c > b);
        let lists = |n| tower(40, Value::sequence(vec![tower(20, Value::Int(n)); 3]));
        assert!(lists(1) == lists(1) && lists(1) < lists(2));
    }
}
