//! Leaves of trees: tables of values of one to four words.

use super::account::{Account, Full};
use super::interner::{Interner, Recent};

/// The values of one leaf and their numbers.
#[derive(Debug)]
pub(super) enum Leaf {
    One(Interner<1>),
    Two(Interner<2>),
    Three(Interner<3>),
    Four(Interner<4>),
}

/// The numbers of some values of a leaf met lately.
#[derive(Debug)]
pub(super) enum Recents {
    One(Recent<1>),
    Two(Recent<2>),
    Three(Recent<3>),
    Four(Recent<4>),
}

/// The same for every width.
macro_rules! any {
    ($leaf:expr, $interner:ident => $body:expr) => {
        match $leaf {
            Leaf::One($interner) => $body,
            Leaf::Two($interner) => $body,
            Leaf::Three($interner) => $body,
            Leaf::Four($interner) => $body,
        }
    };
}

impl Leaf {
    /// Nothing interned yet.
    pub(super) fn new(
        words: usize,
        slots: usize,
        hash_mask: u64,
        account: &Account,
    ) -> Result<Self, Full> {
        Ok(match words {
            1 => Self::One(Interner::new(slots, hash_mask, account)?),
            2 => Self::Two(Interner::new(slots, hash_mask, account)?),
            3 => Self::Three(Interner::new(slots, hash_mask, account)?),
            4 => Self::Four(Interner::new(slots, hash_mask, account)?),
            _ => unreachable!("leaves have one to four words"),
        })
    }

    /// How many words a value has.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Three(_) => 3,
            Self::Four(_) => 4,
        }
    }

    /// What a worker remembers of it.
    pub(super) fn recent(&self) -> Recents {
        match self {
            Self::One(_) => Recents::One(Recent::new()),
            Self::Two(_) => Recents::Two(Recent::new()),
            Self::Three(_) => Recents::Three(Recent::new()),
            Self::Four(_) => Recents::Four(Recent::new()),
        }
    }

    /// The bytes of what a worker remembers.
    pub(super) fn recent_bytes(&self) -> usize {
        match self {
            Self::One(_) => Recent::<1>::BYTES,
            Self::Two(_) => Recent::<2>::BYTES,
            Self::Three(_) => Recent::<3>::BYTES,
            Self::Four(_) => Recent::<4>::BYTES,
        }
    }

    /// The numbers of some values, which lie side by side.
    pub(super) fn intern(
        &self,
        values: &[u64],
        numbers: &mut Vec<u32>,
        recent: &mut Recents,
        account: &Account,
    ) -> Result<(), Full> {
        match (self, recent) {
            (Self::One(leaf), Recents::One(recent)) => {
                leaf.intern(values, numbers, recent, account)
            }
            (Self::Two(leaf), Recents::Two(recent)) => {
                leaf.intern(values, numbers, recent, account)
            }
            (Self::Three(leaf), Recents::Three(recent)) => {
                leaf.intern(values, numbers, recent, account)
            }
            (Self::Four(leaf), Recents::Four(recent)) => {
                leaf.intern(values, numbers, recent, account)
            }
            _ => unreachable!("a worker remembers values of the leaf's width"),
        }
    }

    /// Adds the words of some values.
    pub(super) fn values(&self, numbers: impl Iterator<Item = u32>, words: &mut Vec<u64>) {
        any!(self, leaf => leaf.values(numbers, words));
    }

    /// Whether it is so full that it should grow.
    pub(super) fn wants_room(&self) -> bool {
        any!(self, leaf => leaf.wants_room())
    }

    /// Doubles the slots.
    pub(super) fn make_room(&mut self, account: &Account) -> Result<(), Full> {
        any!(self, leaf => leaf.make_room(account))
    }
}
