//! Sets in canonical form: two sets are equal exactly if they look alike.
//!
//! Integers without gaps are a range; complete events are ranges of event numbers; other finite
//! sets are sorted arrays. Infinite sets are descriptions; what can be done with them symbolically
//! is done, and the rest is the caller's error to report.

use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use csp_lts::{EventId, EventSet};
use smallvec::SmallVec;

use super::sharing;
use super::value::{Value, cached, hash_all, mix, total_weight};
use crate::hir::GlobalId;

/// A set of values of one type.
#[derive(Debug)]
pub struct Set {
    kind: SetKind,
    weight: u32,
    hash: Cell<u64>,
}

/// The forms of a set.
#[derive(Debug)]
pub enum SetKind {
    /// Ascending, without duplicates; neither integers without gaps nor events only. Also `{}`.
    Elements(Box<[Value]>),
    /// The integers from the first to the second.
    Range(i64, i64),
    /// At least one event, and nothing but events.
    Events(Arc<EventSet>),
    /// Described, not listed.
    Symbolic(Symbolic),
}

/// Sets that are infinite or too large to list.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbolic {
    /// `Int`.
    Integers,
    /// `{n ..}`.
    From(i64),
    /// `Char`.
    Characters,
    /// `Proc`.
    Processes,
    /// `Seq(S)`.
    Sequences(Value),
    /// `Set(S)`.
    Subsets(Value),
    /// `(S, T)` in a type expression.
    Tuples(Box<[Value]>),
    /// `S.T` in a type expression.
    Dots(Box<[Value]>),
    /// A constructor with a set for each field.
    Tagged(GlobalId, Box<[Value]>),
    /// `Map(K, V)`.
    Maps(Value, Value),
    /// A recursive datatype.
    Datatype(GlobalId),
    /// In one of these.
    Union(Box<[Value]>),
}

/// Listing more elements than this is refused.
pub const LARGEST: u64 = 1 << 25;

/// A field with more values than this is not numbered beforehand, and a product with more rows is
/// not listed.
pub const MOST_ROWS: u64 = 1 << 22;

/// Subsets of a set with more elements than this are not listed.
const MOST_FOR_SUBSETS: u64 = 18;

impl Set {
    fn new(kind: SetKind) -> Self {
        let weight = match &kind {
            SetKind::Elements(elements) => total_weight(elements),
            _ => 1,
        };
        Self {
            kind,
            weight,
            hash: Cell::new(0),
        }
    }

    /// `{}`.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(SetKind::Elements(Box::default()))
    }

    /// The set of these canonical values.
    #[must_use]
    pub fn from_values(mut values: Vec<Value>) -> Self {
        put_in_order(&mut values);
        Self::from_sorted(values)
    }

    fn from_sorted(values: Vec<Value>) -> Self {
        match (values.first(), values.last()) {
            (Some(Value::Int(first)), Some(Value::Int(last)))
                if last.wrapping_sub(*first) == values.len() as i64 - 1 =>
            {
                Self::new(SetKind::Range(*first, *last))
            }
            (Some(Value::Event(_)), Some(Value::Event(_))) => Self::from_events(
                values
                    .iter()
                    .filter_map(|v| match v {
                        Value::Event(event) => Some(*event),
                        _ => None,
                    })
                    .collect(),
            ),
            _ => Self::new(SetKind::Elements(values.into())),
        }
    }

    /// `{from .. to}`.
    #[must_use]
    pub fn range(from: i64, to: i64) -> Self {
        if from > to {
            Self::empty()
        } else {
            Self::new(SetKind::Range(from, to))
        }
    }

    /// A set of events.
    #[must_use]
    pub fn from_events(events: EventSet) -> Self {
        Self::from_shared_events(Arc::new(events))
    }

    /// A set of events.
    #[must_use]
    pub fn from_shared_events(events: Arc<EventSet>) -> Self {
        if events.is_empty() {
            Self::empty()
        } else {
            Self::new(SetKind::Events(events))
        }
    }

    /// A described set.
    #[must_use]
    pub fn symbolic(symbolic: Symbolic) -> Self {
        Self::new(SetKind::Symbolic(symbolic))
    }

    /// Its form.
    #[must_use]
    pub fn kind(&self) -> &SetKind {
        &self.kind
    }

    /// `{}`; described sets are never empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.kind, SetKind::Elements(e) if e.is_empty())
    }

    /// The number of elements of a listed set.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        match &self.kind {
            SetKind::Elements(elements) => Some(elements.len() as u64),
            SetKind::Range(from, to) => Some(to.abs_diff(*from).saturating_add(1)),
            SetKind::Events(events) => Some(events.len() as u64),
            SetKind::Symbolic(_) => None,
        }
    }

    /// The elements of a listed set, ascending.
    #[must_use]
    pub fn iter(&self) -> Option<Box<dyn Iterator<Item = Value> + '_>> {
        match &self.kind {
            SetKind::Elements(elements) => Some(Box::new(elements.iter().cloned())),
            SetKind::Range(from, to) => Some(Box::new((*from..=*to).map(Value::Int))),
            SetKind::Events(events) => Some(Box::new(events.iter().map(Value::Event))),
            SetKind::Symbolic(_) => None,
        }
    }

    /// Membership in a listed set.
    #[must_use]
    pub fn lists(&self, value: &Value) -> Option<bool> {
        Some(match (&self.kind, value) {
            (SetKind::Elements(elements), _) => elements.binary_search(value).is_ok(),
            (SetKind::Range(from, to), Value::Int(i)) => from <= i && i <= to,
            (SetKind::Events(events), Value::Event(event)) => events.contains(*event),
            (SetKind::Range(..) | SetKind::Events(_), _) => false,
            (SetKind::Symbolic(_), _) => return None,
        })
    }

    /// In either, both listed.
    #[must_use]
    pub fn union(&self, other: &Self) -> Option<Self> {
        match (&self.kind, &other.kind) {
            (SetKind::Events(a), SetKind::Events(b)) => Some(Self::from_events(a.union(b))),
            (SetKind::Range(a, b), SetKind::Range(c, d))
                if a.saturating_sub(1) <= *d && c.saturating_sub(1) <= *b =>
            {
                Some(Self::range(*a.min(c), *b.max(d)))
            }
            _ => {
                if self.len()?.saturating_add(other.len()?) > LARGEST {
                    return None;
                }
                let (mut left, mut right) = (self.iter()?.peekable(), other.iter()?.peekable());
                let mut out = Vec::new();
                loop {
                    let next = match (left.peek(), right.peek()) {
                        (Some(a), Some(b)) => match a.cmp(b) {
                            Ordering::Less => left.next(),
                            Ordering::Greater => right.next(),
                            Ordering::Equal => {
                                right.next();
                                left.next()
                            }
                        },
                        (Some(_), None) => left.next(),
                        (None, _) => right.next(),
                    };
                    match next {
                        Some(value) => out.push(value),
                        None => return Some(Self::from_sorted(out)),
                    }
                }
            }
        }
    }

    /// In both, both listed.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        match (&self.kind, &other.kind) {
            (SetKind::Events(a), SetKind::Events(b)) => Some(Self::from_events(a.intersection(b))),
            (SetKind::Range(a, b), SetKind::Range(c, d)) => Some(Self::range(*a.max(c), *b.min(d))),
            _ => {
                let (small, large) = if self.len()? <= other.len()? {
                    (self, other)
                } else {
                    (other, self)
                };
                Some(Self::from_sorted(
                    small
                        .iter()?
                        .filter(|v| large.lists(v) == Some(true))
                        .collect(),
                ))
            }
        }
    }

    /// In this but not in the other, both listed.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Self> {
        match (&self.kind, &other.kind) {
            (SetKind::Events(a), SetKind::Events(b)) => Some(Self::from_events(a.difference(b))),
            (SetKind::Range(a, b), SetKind::Range(c, d)) if c <= a || b <= d => {
                if c > b || d < a {
                    Some(Self::range(*a, *b))
                } else if c <= a {
                    Some(Self::range(
                        d.saturating_add(1),
                        if d < b { *b } else { i64::MIN },
                    ))
                } else {
                    Some(Self::range(*a, c - 1))
                }
            }
            _ => {
                other.len()?;
                if self.len()? > LARGEST {
                    return None;
                }
                Some(Self::from_sorted(
                    self.iter()?
                        .filter(|v| other.lists(v) == Some(false))
                        .collect(),
                ))
            }
        }
    }

    /// Every element of this listed set is in the other listed one.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> Option<bool> {
        match (&self.kind, &other.kind) {
            (SetKind::Events(a), SetKind::Events(b)) => Some(a.is_subset(b)),
            (SetKind::Range(a, b), SetKind::Range(c, d)) => Some(c <= a && b <= d),
            _ => {
                if self.len()? > other.len()? {
                    return Some(false);
                }
                Some(self.iter()?.all(|v| other.lists(&v) == Some(true)))
            }
        }
    }

    pub(crate) fn structural_hash(&self) -> u64 {
        cached(&self.hash, || match &self.kind {
            SetKind::Elements(elements) => hash_all(21, elements),
            SetKind::Range(from, to) => mix(mix(22, *from as u64), *to as u64),
            SetKind::Events(events) => events.ranges().iter().fold(23, |hash, (from, to)| {
                mix(hash, u64::from(*from) << 32 | u64::from(*to))
            }),
            SetKind::Symbolic(symbolic) => mix(24, symbolic.structural_hash()),
        })
    }

    /// As [`Value::weight`].
    pub(crate) fn weight(&self) -> u32 {
        self.weight
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (&self.kind, &other.kind) {
            _ if std::ptr::eq(self, other) => Ordering::Equal,
            (SetKind::Range(a, b), SetKind::Range(c, d)) => (a, b).cmp(&(c, d)),
            (SetKind::Events(a), SetKind::Events(b)) => a.cmp(b),
            (SetKind::Symbolic(a), SetKind::Symbolic(b)) => a.cmp(b),
            (SetKind::Elements(a), SetKind::Elements(b)) => {
                sharing::compare(self, other, (self.weight, other.weight), || a.cmp(b))
            }
            _ => match (self.iter(), other.iter()) {
                (Some(a), Some(b)) => a.cmp(b),
                (a, b) => a.is_none().cmp(&b.is_none()),
            },
        }
    }
}

impl Symbolic {
    fn structural_hash(&self) -> u64 {
        match self {
            Self::Integers => 1,
            Self::From(n) => mix(2, *n as u64),
            Self::Characters => 3,
            Self::Processes => 4,
            Self::Sequences(base) => mix(5, base.structural_hash()),
            Self::Subsets(base) => mix(6, base.structural_hash()),
            Self::Tuples(parts) => hash_all(7, parts),
            Self::Dots(parts) => hash_all(8, parts),
            Self::Tagged(tag, parts) => hash_all(mix(9, u64::from(tag.0)), parts),
            Self::Maps(keys, values) => {
                mix(mix(10, keys.structural_hash()), values.structural_hash())
            }
            Self::Datatype(id) => mix(11, u64::from(id.0)),
            Self::Union(parts) => hash_all(12, parts),
        }
    }
}

/// Each value once, ascending.
pub(super) fn put_in_order(values: &mut Vec<Value>) {
    if !values.is_sorted() && !put_close_integers_in_order(values) {
        values.sort_unstable();
    }
    values.dedup();
}

/// Integers that lie close together are marked in a bitmap and read off, which is quicker than sorting
/// (`sieve` in `benches/evaluator.csp`).
fn put_close_integers_in_order(values: &mut Vec<Value>) -> bool {
    /// Bits for each value.
    const CLOSE: usize = 32;
    let (mut least, mut greatest) = (i64::MAX, i64::MIN);
    for value in values.iter() {
        let Value::Int(i) = value else { return false };
        (least, greatest) = (least.min(*i), greatest.max(*i));
    }
    let span = greatest.abs_diff(least);
    if span >= (CLOSE * values.len()) as u64 {
        return false;
    }
    let mut marks = vec![0_u64; span as usize / 64 + 1];
    for value in values.drain(..) {
        if let Value::Int(i) = value {
            let place = i.abs_diff(least) as usize;
            marks[place / 64] |= 1 << (place % 64);
        }
    }
    for (i, mut word) in marks.into_iter().enumerate() {
        while word != 0 {
            let place = i * 64 + word.trailing_zeros() as usize;
            values.push(Value::Int(least + place as i64));
            word &= word - 1;
        }
    }
    true
}

/// All ways to take one value from each listed set, the last varying fastest, so that the result is
/// ascending; `None` if a set is not listed or there are too many. Looks round at every row.
pub fn product<E>(
    sets: &[Rc<Set>],
    mut look: impl FnMut() -> Result<(), E>,
) -> Result<Option<Vec<Row>>, E> {
    let count = sets.iter().try_fold(1u64, |n, set| {
        n.checked_mul(set.len()?).filter(|&n| n <= MOST_ROWS)
    });
    if count.is_none() {
        return Ok(None);
    }
    let mut rows = vec![Row::new()];
    for set in sets {
        let mut next = Vec::new();
        for row in &rows {
            for value in set.iter().into_iter().flatten() {
                look()?;
                let mut longer = row.clone();
                longer.push(value);
                next.push(longer);
            }
        }
        rows = next;
    }
    Ok(Some(rows))
}

/// One value from each set of a product.
pub type Row = SmallVec<[Value; 2]>;

/// All subsets of a listed set that is small enough. Looks round at every subset.
pub fn subsets<E>(set: &Set, mut look: impl FnMut() -> Result<(), E>) -> Result<Option<Set>, E> {
    let (Some(count), Some(elements)) = (set.len(), set.iter()) else {
        return Ok(None);
    };
    if count > MOST_FOR_SUBSETS {
        return Ok(None);
    }
    let elements: Vec<Value> = elements.collect();
    let mut all = Vec::new();
    for bits in 0u32..1 << count {
        look()?;
        let chosen = elements
            .iter()
            .enumerate()
            .filter(|(i, _)| bits >> i & 1 == 1)
            .map(|(_, v)| v.clone());
        all.push(Value::set(Set::from_sorted(chosen.collect())));
    }
    Ok(Some(Set::from_values(all)))
}

/// The events of a set of events.
impl From<EventId> for Set {
    fn from(event: EventId) -> Self {
        Self::from_events(EventSet::single(event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> Set {
        Set::from_values(values.iter().copied().map(Value::Int).collect())
    }

    #[test]
    fn ranges_and_lists_of_integers_agree() {
        let sets: Vec<Vec<i64>> = (0..64)
            .map(|bits| (0..6).filter(|i| bits >> i & 1 == 1).collect())
            .collect();
        for a in &sets {
            for b in &sets {
                let (x, y) = (ints(a), ints(b));
                let keep = |f: &dyn Fn(&i64) -> bool| {
                    Value::set(ints(&(0..6).filter(f).collect::<Vec<_>>()))
                };
                let (in_a, in_b) = (|i: &i64| a.contains(i), |i: &i64| b.contains(i));
                let set = |s: Option<Set>| Value::set(s.expect("listed"));
                assert_eq!(set(x.union(&y)), keep(&|i| in_a(i) || in_b(i)));
                assert_eq!(set(x.intersection(&y)), keep(&|i| in_a(i) && in_b(i)));
                assert_eq!(set(x.difference(&y)), keep(&|i| in_a(i) && !in_b(i)));
                assert_eq!(x.is_subset(&y), Some(a.iter().all(in_b)));
                assert_eq!(Value::set(x) == Value::set(y), a == b);
            }
        }
    }

    #[test]
    fn sets_of_sets_are_canonical() {
        let all = subsets(&ints(&[1, 2, 3]), || Ok::<(), ()>(()));
        assert_eq!(all.map(|s| s.and_then(|s| s.len())), Ok(Some(8)));
    }

    #[test]
    fn long_lists_can_be_stopped() {
        let mut left = 1000;
        let mut look = || {
            left -= 1;
            if left == 0 { Err(()) } else { Ok(()) }
        };
        let large = Rc::new(Set::range(1, 1000));
        assert!(product(&[Rc::clone(&large), large], &mut look).is_err());
        left = 1000;
        let mut look = || {
            left -= 1;
            if left == 0 { Err(()) } else { Ok(()) }
        };
        assert!(subsets(&Set::range(1, 12), &mut look).is_err());
    }
}
