//! Compressed sparse rows: for each of many small lists, numbered from 0, its items side by side.

/// Lists of items, numbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// No lists yet.
    pub(super) fn new() -> Self {
        Self::with_capacity(0, 0)
    }

    /// No lists yet, with room for as many lists and items as are foreseen.
    pub(super) fn with_capacity(rows: usize, items: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self {
            offsets,
            items: Vec::with_capacity(items),
        }
    }

    /// Adds an item to the list being built.
    pub(super) fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Ends the list being built.
    pub(super) fn end_row(&mut self) {
        self.offsets
            .push(u32::try_from(self.items.len()).expect("edges are numbered by u32"));
    }

    /// How many lists.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// All items of all lists, in order.
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// One list.
    pub(super) fn row(&self, row: u32) -> &[T] {
        let row = row as usize;
        &self.items[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// All lists with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[T])> {
        (0..number(self.len())).map(|row| (row, self.row(row)))
    }

    /// For each of `count` targets the items of `turn(row, item) = (target, turned)`, ordered by row:
    /// the edges seen from where they lead.
    pub(super) fn reversed<U: Copy + Default>(
        &self,
        count: usize,
        turn: impl Fn(u32, T) -> (u32, U),
    ) -> Rows<U> {
        let mut offsets = vec![0u32; count + 1];
        for (row, items) in self.iter() {
            for &item in items {
                offsets[turn(row, item).0 as usize + 1] += 1;
            }
        }
        for i in 0..count {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut turned = vec![U::default(); self.items.len()];
        for (row, items) in self.iter() {
            for &item in items {
                let (target, value) = turn(row, item);
                let place = &mut next[target as usize];
                turned[*place as usize] = value;
                *place += 1;
            }
        }
        Rows {
            offsets,
            items: turned,
        }
    }
}

/// A count or index as the `u32` that numbers states, blocks and labels.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).expect("states and edges are numbered by u32")
}
