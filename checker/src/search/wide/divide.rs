//! Few partitions while they are small, many when they are large.
//!
//! Every ply goes round all partitions, which takes long where it brings few states to each; but a
//! partition that is too large for a cache takes longer to merge with many. So a search begins with
//! few partitions and divides them once, between two plys.

use std::sync::{Mutex, PoisonError};

use super::{Hand, Wide};
use crate::store::{Codec, Full, Router, Store};

impl<const N: usize, C: Codec<N>, S: Store> Wide<'_, N, C, S> {
    /// Whether partitions have become too large to be worked on in a cache, and there is room to
    /// divide them.
    pub(super) fn is_coarse(&self, states: u64, ply: u64) -> bool {
        let account = &self.context.control.account;
        let (states_each, ply_each) = self.tuning.large;
        let partitions = self.shards.len() as u64;
        let large = states >= partitions * states_each && ply >= partitions * ply_each;
        large && account.taken() < account.limit() / 2 && self.store.finer().is_some()
    }

    /// Divides all partitions.
    pub(super) fn divide(&mut self, hands: &mut [Hand<N, C, S>]) -> Result<(), Full> {
        let account = &self.context.control.account;
        let (store, finer) = (&self.store, self.store.finer().expect("asked before"));
        for hand in &mut *hands {
            let router = Router::new(finer.partitions(), account)?;
            std::mem::replace(&mut hand.router, router).release(account);
        }
        let shards = std::mem::take(&mut self.shards).into_iter();
        let mut tasks: Vec<_> = shards.map(|shard| (Some(shard), Ok(Vec::new()))).collect();
        let share = tasks.len().div_ceil(hands.len());
        let chunks = tasks.chunks_mut(share).zip((0..).step_by(share));
        let mut chunks: Vec<_> = chunks.collect();
        self.team.run(&mut chunks, |(chunk, first)| {
            for (number, (shard, divided)) in (*first..).zip(chunk.iter_mut()) {
                let shard = shard.take().expect("divided once");
                let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
                *divided = shard.divide(number, store, &finer, account);
            }
        });
        for (_, divided) in tasks {
            self.shards.extend(divided?.into_iter().map(Mutex::new));
        }
        self.store = finer;
        Ok(())
    }
}
