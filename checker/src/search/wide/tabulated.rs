//! Expansion by tables of moves, some states at a time.
//!
//! First the cells of all states are found, then children are made, then they are routed: each of these
//! loops is short enough for all that it needs to stay in registers, and nothing waits for anything.
//! Children are made a few at once, needed or not, because the processor cannot predict how many moves a state
//! has.

use super::{Hand, Wide};
use crate::machine::{Cells, Joints, RUN};
use crate::search::visit::Worker;
use crate::store::{Account, Codec, Full, Repeats, Router, Store};

/// The most states that are expanded together.
const TOGETHER: usize = 32;
/// The most children of the states that are expanded together, unless one state has more.
const MOST_CHILDREN: usize = 1 << 10;

/// Batches between two looks at the clock.
const POLL_EVERY: usize = 16;

const BEYOND: &str = "there is room for a run beyond the end";

/// States that are expanded together, and their children.
#[derive(Debug)]
pub(super) struct Batch<const N: usize> {
    /// How many states it may have.
    size: usize,
    parents: Vec<u64>,
    states: Vec<[u64; N]>,
    /// The cells of each state.
    cells: Vec<Cells>,
    /// Room for all children and a run more.
    children: Vec<u64>,
    repeats: Repeats,
}

impl<const N: usize> Batch<N> {
    /// Gives back all memory.
    pub(super) fn release(self, account: &Account) {
        account.give(self.children.len() * 8);
        self.repeats.release(account);
    }
}

impl<const N: usize, C: Codec<N>, S: Store> Wide<'_, N, C, S> {
    /// Room for states that are expanded together, if moves are tabulated and the codec does not go
    /// its own way.
    pub(super) fn batch(&self) -> Result<Option<Batch<N>>, Full> {
        let Some(joints) = self.context.machine.joints.as_ref().filter(|_| !C::BATCHES) else {
            return Ok(None);
        };
        let account = &self.context.control.account;
        let most = joints.most_moves();
        let size = (MOST_CHILDREN / most.max(1)).clamp(1, TOGETHER);
        let children = size * most + RUN;
        account.take(children * 8)?;
        Ok(Some(Batch {
            size,
            parents: Vec::with_capacity(size),
            states: Vec::with_capacity(size),
            cells: Vec::with_capacity(size * joints.banks()),
            children: vec![0; children],
            repeats: Repeats::new(account)?,
        }))
    }

    /// As [`Wide::expand`], for machines that tabulate moves.
    pub(super) fn expand_tabulated(
        &self,
        joints: &Joints<N>,
        number: usize,
        entries: &[S::Entry],
        from: usize,
        hand: &mut Hand<N, C, S>,
    ) -> usize {
        let control = &self.context.control;
        let size = hand.batch.as_ref().expect("moves are tabulated").size;
        for (chunk, entries) in entries[from..].chunks(size).enumerate() {
            if hand.leads() && chunk % POLL_EVERY == 0 {
                control.poll();
            }
            if control.is_stopped() {
                return from + chunk * size;
            }
            let Hand {
                worker,
                memory,
                router,
                batch: Some(batch),
                ..
            } = &mut *hand
            else {
                unreachable!("moves are tabulated");
            };
            batch.parents.clear();
            batch.states.clear();
            for entry in entries {
                let key = self.store.join(number, *entry);
                batch.parents.push(key);
                batch.states.push(self.codec.decode(key, memory));
            }
            if control.is_closed() {
                self.count_moves(joints, batch, worker);
                continue;
            }
            let made = self.add_children(joints, batch, worker);
            let left = batch.repeats.leave_out(&mut batch.children[..made]);
            if let Err(full) = self.route_all(&batch.children[..left], router) {
                control.out_of_memory(full);
            }
        }
        entries.len()
    }

    /// Sends keys to their partitions. A function of its own, as [`Wide::add_children`] is.
    #[inline(never)]
    fn route_all(&self, keys: &[u64], router: &mut Router<S::Entry>) -> Result<(), Full> {
        keys.iter().try_for_each(|key| self.route(*key, router))
    }

    /// Judges the states of a batch whose children nobody wants.
    fn count_moves(&self, joints: &Joints<N>, batch: &Batch<N>, worker: &mut Worker<N>) {
        for state in &batch.states {
            let (mut followed, mut count) = (0, 0);
            joints.locate(state, |cells| {
                for cell in cells.numbers().iter().map(|cell| joints.cell(*cell)) {
                    followed += cell.followed().len();
                    count += cell.count();
                }
            });
            (self.context).visited(joints, state, (followed, count), worker);
        }
    }

    /// Makes the children of the states of a batch; how many there are. A function of its own, because
    /// the variables of its caller would take the registers that it needs.
    #[inline(never)]
    fn add_children(
        &self,
        joints: &Joints<N>,
        batch: &mut Batch<N>,
        worker: &mut Worker<N>,
    ) -> usize {
        let Batch {
            parents,
            states,
            cells,
            children,
            ..
        } = batch;
        cells.clear();
        for state in states.iter() {
            joints.locate(state, |found| cells.push(found));
        }
        let (changes, children) = (self.codec.changes(), &mut children[..]);
        let mut made = 0;
        let cells = cells.chunks_exact(joints.banks());
        for ((key, state), cells) in parents.iter().zip(states.iter()).zip(cells) {
            let (before, mut count) = (made, 0);
            for cell in cells.iter().flat_map(Cells::numbers) {
                let cell = joints.cell(*cell);
                count += cell.count();
                let moves = cell.followed();
                let end = made + moves.len();
                let mut from = moves.start;
                loop {
                    let run = *changes[from..].first_chunk::<RUN>().expect(BEYOND);
                    *children[made..].first_chunk_mut().expect(BEYOND) =
                        run.map(|change| C::changed(*key, change));
                    made += RUN;
                    from += RUN;
                    if made >= end {
                        break;
                    }
                }
                made = end;
            }
            (self.context).visited(joints, state, (made - before, count), worker);
        }
        made
    }
}
