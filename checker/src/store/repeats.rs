//! Keys that were met lately.
//!
//! Many children are met again soon, by other ways. Those that a worker has routed a short while ago
//! it need not route again: they are known, or about to be. Nothing is approximated, because whole
//! keys are compared; only how many are left out is left to chance. Where few are met again, looking
//! costs more than it saves, so it is given up for a while.

use super::account::{Account, Full};

/// Keys that are remembered, as a power of two: they should fit a second-level cache.
const BITS: u32 = 17;
/// Looking pays if one key in this many is left out.
const PAYS: usize = 4;
/// How many times as many keys pass unseen, where it does not.
const PAUSE: usize = 64;

/// What one worker remembers.
#[derive(Debug)]
pub(crate) struct Repeats {
    /// The key met last of those that belong to a slot.
    slots: Vec<u64>,
    /// Whether there has been time to fill the slots.
    is_warm: bool,
    /// Keys looked at, and left out, since that was last asked.
    seen: usize,
    left_out: usize,
    /// Keys to let pass.
    pause: usize,
}

fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

impl Repeats {
    /// Nothing met yet.
    pub(crate) fn new(account: &Account) -> Result<Self, Full> {
        account.take(8 << BITS)?;
        let mut slots = vec![0; 1 << BITS];
        // Every slot holds a key that does not belong to it.
        slots[slot(0)] = 1;
        Ok(Self {
            slots,
            is_warm: false,
            seen: 0,
            left_out: 0,
            pause: 0,
        })
    }

    /// Gives back all memory.
    pub(crate) fn release(self, account: &Account) {
        account.give(self.slots.len() * 8);
    }

    /// Moves keys that were not met lately to the front; how many they are.
    #[inline(always)]
    pub(crate) fn leave_out(&mut self, keys: &mut [u64]) -> usize {
        if self.pause > 0 {
            self.pause = self.pause.saturating_sub(keys.len());
            return keys.len();
        }
        let mut left = 0;
        for at in 0..keys.len() {
            let key = keys[at];
            let met = std::mem::replace(&mut self.slots[slot(key)], key);
            keys[left] = key;
            left += usize::from(met != key);
        }
        self.seen += keys.len();
        self.left_out += keys.len() - left;
        if self.seen >= self.slots.len() {
            if self.is_warm && self.left_out * PAYS < self.seen {
                self.pause = self.slots.len() * PAUSE;
            }
            self.is_warm = self.pause == 0;
            (self.seen, self.left_out) = (0, 0);
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats() -> Repeats {
        Repeats::new(&Account::new(None)).expect("no limit")
    }

    #[test]
    fn a_key_is_left_out_only_if_it_was_met() {
        let mut repeats = repeats();
        let mut keys = [0, 1, 0, 2, u64::MAX, 2, 1];
        let left = repeats.leave_out(&mut keys);
        assert_eq!(keys[..left], [0, 1, 2, u64::MAX]);
        assert_eq!(repeats.leave_out(&mut [2, 3]), 1);
    }

    #[test]
    fn what_does_not_pay_is_given_up_for_a_while() {
        let mut repeats = repeats();
        let (filled, pause) = (1 << BITS, PAUSE << BITS);
        let mut fresh = 0..;
        let mut pass = |count: usize, repeats: &mut Repeats| {
            let mut keys: Vec<u64> = fresh.by_ref().take(count).collect();
            assert_eq!(repeats.leave_out(&mut keys), count);
        };
        pass(filled, &mut repeats);
        assert_eq!(repeats.pause, 0, "not before it is warm");
        pass(filled, &mut repeats);
        assert_eq!(repeats.pause, pause);
        pass(pause, &mut repeats);
        assert_eq!(repeats.pause, 0);
        // Every other key is met twice.
        for round in 0..8 {
            let mut keys: Vec<u64> = (0..filled as u64).map(|k| k / 2 + (round << 40)).collect();
            assert_eq!(repeats.leave_out(&mut keys), filled / 2);
        }
        assert_eq!(repeats.pause, 0);
    }
}
