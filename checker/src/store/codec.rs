//! Exact 64-bit keys for packed states.

use std::ops::Range;

use super::account::{Account, Full};
use crate::machine::{Joints, Linear, Machine, Ranking};

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

    /// Adds the keys of the states that a run of tabulated moves leads to from the state decoded last.
    #[inline(always)]
    fn encode_moves(
        &self,
        joints: &Joints<N>,
        moves: Range<usize>,
        state: &[u64; N],
        memory: &mut Self::Memory,
        keys: &mut Vec<u64>,
        account: &Account,
    ) -> Result<(), Full> {
        let mut result = Ok(());
        joints.targets(moves, state, |rule, child| {
            match self.encode(rule, child, memory, account) {
                Ok(key) => keys.push(key),
                Err(full) => result = Err(full),
            }
        });
        result
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
pub(crate) struct Packed;

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
    moves: Vec<u64>,
}

impl Named {
    /// The names of a machine's states.
    pub(crate) fn new(machine: &Machine<1>, linear: Linear) -> Self {
        let moves = machine.joints.iter().flat_map(Joints::moves);
        let moves = moves.map(|([from], [to])| linear.difference(from ^ to));
        let moves = moves.collect();
        let rules = u32::try_from(machine.rules.len()).expect("rules are numbered by u32");
        // What is chased, and the node of the property, add to what a rule does.
        let alone = machine.chaser.is_none() && machine.layout.node.mask == 0;
        let flips = (0..rules).map(|rule| {
            let flip = machine.flip(rule).filter(|_| alone)?;
            Some(linear.difference(flip))
        });
        let flips = flips.collect();
        Self {
            linear,
            flips,
            moves,
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

    #[inline(always)]
    fn encode_moves(
        &self,
        _: &Joints<1>,
        moves: Range<usize>,
        _: &[u64; 1],
        memory: &mut u64,
        keys: &mut Vec<u64>,
        _: &Account,
    ) -> Result<(), Full> {
        let name = *memory;
        keys.extend(self.moves[moves].iter().map(|flip| name ^ flip));
        Ok(())
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
    adds: Vec<u64>,
}

impl Ranked {
    /// The ranks of a machine's states.
    pub(crate) fn new<const N: usize>(machine: &Machine<N>, ranking: Ranking) -> Self {
        let moves = machine.joints.iter().flat_map(Joints::moves);
        let adds = moves.map(|(from, to)| ranking.rank(&to).wrapping_sub(ranking.rank(&from)));
        Self {
            adds: adds.collect(),
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

    #[inline(always)]
    fn encode_moves(
        &self,
        _: &Joints<N>,
        moves: Range<usize>,
        _: &[u64; N],
        memory: &mut u64,
        keys: &mut Vec<u64>,
        _: &Account,
    ) -> Result<(), Full> {
        let rank = *memory;
        keys.extend(self.adds[moves].iter().map(|add| rank.wrapping_add(*add)));
        Ok(())
    }

    fn encode_any(&self, state: &[u64; N], _: &mut u64, _: &Account) -> Result<u64, Full> {
        Ok(self.ranking.rank(state))
    }
}
