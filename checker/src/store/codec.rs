//! Exact 64-bit keys for packed states.

use super::account::{Account, Full};
use crate::machine::{Joints, Linear, Machine, RUN, Ranking};

/// Gives states keys and finds them again.
pub(crate) trait Codec<const N: usize>: Send + Sync {
    /// What one worker remembers of the state that it decoded last.
    type Memory: Send;

    /// Whether many states should be decoded and encoded together.
    const BATCHES: bool = false;

    /// Nothing remembered yet.
    fn memory(&self, account: &Account) -> Result<Self::Memory, Full>;

    /// Whether it should grow before many more states are encoded.
    fn wants_room(&self) -> bool {
        false
    }

    /// Grows.
    fn make_room(&mut self, _: &Account) -> Result<(), Full> {
        Ok(())
    }

    /// Decodes keys to states, which are remembered as parents by their index.
    fn decode_many(&self, _: &[u64], _: &mut Self::Memory) {
        unreachable!("only for codecs that batch");
    }

    /// A state decoded last.
    fn decoded(_: &Self::Memory, _: usize) -> [u64; N] {
        unreachable!("only for codecs that batch");
    }

    /// Remembers a child of a state decoded last; how many there are now.
    fn add_child(&self, _: &mut Self::Memory, _: usize, _: &[u64; N]) -> usize {
        unreachable!("only for codecs that batch");
    }

    /// Calls back with the keys of the children remembered, and forgets them.
    fn encode_many(
        &self,
        _: &mut Self::Memory,
        _: &Account,
        _: impl FnMut(u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        unreachable!("only for codecs that batch");
    }

    /// The state of a key, which is remembered as the parent of what is encoded next.
    fn decode(&self, key: u64, memory: &mut Self::Memory) -> [u64; N];

    /// The key of a state that a rule led to from the state decoded last.
    fn encode(
        &self,
        rule: u32,
        state: &[u64; N],
        memory: &mut Self::Memory,
        account: &Account,
    ) -> Result<u64, Full>;

    /// By what each tabulated move changes a key.
    fn changes(&self) -> &[u64] {
        unreachable!("only for codecs that do not batch");
    }

    /// A key changed by a move.
    fn changed(_key: u64, _change: u64) -> u64 {
        unreachable!("only for codecs that do not batch");
    }

    /// The key of any state.
    fn encode_any(
        &self,
        state: &[u64; N],
        memory: &mut Self::Memory,
        account: &Account,
    ) -> Result<u64, Full>;
}

/// One word is its own key.
#[derive(Debug)]
pub(crate) struct Packed {
    /// By what each move flips it, as far as moves are tabulated.
    changes: Vec<u64>,
}

impl Packed {
    /// The packed states of a machine.
    pub(crate) fn new(machine: &Machine<1>) -> Self {
        Self {
            changes: changes(machine, |[from], [to]| from ^ to),
        }
    }
}

/// The changes of keys that moves make, if any are tabulated; then as much as a run may be read beyond
/// its end.
fn changes<const N: usize>(
    machine: &Machine<N>,
    change: impl Fn([u64; N], [u64; N]) -> u64,
) -> Vec<u64> {
    let moves = machine.joints.iter().flat_map(Joints::moves);
    let changes = moves.map(|(from, to)| change(from, to));
    changes.chain([0; RUN]).collect()
}

impl Codec<1> for Packed {
    type Memory = ();

    fn memory(&self, _: &Account) -> Result<(), Full> {
        Ok(())
    }

    #[inline(always)]
    fn decode(&self, key: u64, (): &mut ()) -> [u64; 1] {
        [key]
    }

    #[inline(always)]
    fn encode(&self, _: u32, state: &[u64; 1], (): &mut (), _: &Account) -> Result<u64, Full> {
        Ok(state[0])
    }

    fn changes(&self) -> &[u64] {
        &self.changes
    }

    #[inline(always)]
    fn changed(key: u64, change: u64) -> u64 {
        key ^ change
    }

    fn encode_any(&self, state: &[u64; 1], (): &mut (), _: &Account) -> Result<u64, Full> {
        Ok(state[0])
    }
}

/// One word is named as [`Linear`] says.
#[derive(Debug)]
pub(crate) struct Named {
    linear: Linear,
    /// By what each rule flips the name, if all rules do only that.
    flips: Option<Vec<u64>>,
    /// By what each move flips it, as far as moves are tabulated.
    changes: Vec<u64>,
}

impl Named {
    /// The names of a machine's states, which are what rules lead to, or are put in its place.
    pub(crate) fn new(machine: &Machine<1>, linear: Linear, by_rule: bool) -> Self {
        let changes = changes(machine, |[from], [to]| linear.difference(from ^ to));
        let rules = u32::try_from(machine.rules.len()).expect("rules are numbered by u32");
        // What is chased, and the node of the property, add to what a rule does.
        let alone = by_rule && machine.chaser.is_none() && machine.layout.node.mask == 0;
        let flips = (0..rules).map(|rule| {
            let flip = machine.flip(rule).filter(|_| alone)?;
            Some(linear.difference(flip))
        });
        let flips = flips.collect();
        Self {
            linear,
            flips,
            changes,
        }
    }
}

impl Codec<1> for Named {
    /// The key decoded last.
    type Memory = u64;

    fn memory(&self, _: &Account) -> Result<u64, Full> {
        Ok(0)
    }

    #[inline(always)]
    fn decode(&self, key: u64, memory: &mut u64) -> [u64; 1] {
        *memory = key;
        [self.linear.state(key)]
    }

    #[inline(always)]
    fn encode(
        &self,
        rule: u32,
        state: &[u64; 1],
        memory: &mut u64,
        _: &Account,
    ) -> Result<u64, Full> {
        Ok(match &self.flips {
            Some(flips) => *memory ^ flips[rule as usize],
            None => self.linear.name(state[0]),
        })
    }

    fn changes(&self) -> &[u64] {
        &self.changes
    }

    #[inline(always)]
    fn changed(key: u64, change: u64) -> u64 {
        key ^ change
    }

    fn encode_any(&self, state: &[u64; 1], _: &mut u64, _: &Account) -> Result<u64, Full> {
        Ok(self.linear.name(state[0]))
    }
}

/// States are numbered as [`Ranking`] says.
#[derive(Debug)]
pub(crate) struct Ranked {
    ranking: Ranking,
    /// What each move adds to the rank, as far as moves are tabulated.
    changes: Vec<u64>,
}

impl Ranked {
    /// The ranks of a machine's states.
    pub(crate) fn new<const N: usize>(machine: &Machine<N>, ranking: Ranking) -> Self {
        let add = |from, to| ranking.rank(&to).wrapping_sub(ranking.rank(&from));
        Self {
            changes: changes(machine, add),
            ranking,
        }
    }
}

impl<const N: usize> Codec<N> for Ranked {
    /// The key decoded last.
    type Memory = u64;

    fn memory(&self, _: &Account) -> Result<u64, Full> {
        Ok(0)
    }

    #[inline(always)]
    fn decode(&self, key: u64, memory: &mut u64) -> [u64; N] {
        *memory = key;
        self.ranking.state(key)
    }

    #[inline(always)]
    fn encode(&self, _: u32, state: &[u64; N], _: &mut u64, _: &Account) -> Result<u64, Full> {
        Ok(self.ranking.rank(state))
    }

    fn changes(&self) -> &[u64] {
        &self.changes
    }

    #[inline(always)]
    fn changed(key: u64, change: u64) -> u64 {
        key.wrapping_add(change)
    }

    fn encode_any(&self, state: &[u64; N], _: &mut u64, _: &Account) -> Result<u64, Full> {
        Ok(self.ranking.rank(state))
    }
}
