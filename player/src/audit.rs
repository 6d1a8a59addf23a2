//! The audit: a player that does not peek decides alike where what it can see is alike.
//!
//! The same game is played twice with the same settings, once with other hidden facts. Up to the first
//! move that reveals something the two must make the same moves.

use crate::settings::Settings;
use crate::{Effort, Table, View, play};

/// Where two games parted although what could be seen was the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference<M> {
    /// How many moves were the same.
    pub after: usize,
    /// What was played in the one and in the other; None if that game ended here.
    pub moves: (Option<M>, Option<M>),
}

/// Plays two tables that differ only in what is hidden up to the first reveal; the first difference.
pub fn audit<T: Table>(
    tables: (&mut T, &mut T),
    settings: &Settings,
) -> Option<Difference<<T::View as View>::Move>> {
    let one = until_reveal(tables.0, settings);
    let other = until_reveal(tables.1, settings);
    // Either may end earlier because the true state was lost: that decides nothing.
    let common = one.len().min(other.len());
    let after = (0..common).find(|at| one[*at] != other[*at])?;
    Some(Difference {
        after,
        moves: (one.get(after).cloned(), other.get(after).cloned()),
    })
}

fn until_reveal<T: Table>(table: &mut T, settings: &Settings) -> Vec<<T::View as View>::Move> {
    let mut audited = Audited {
        start: table.view().unknown(),
        table,
    };
    play(&mut audited, settings, &mut |_| true).moves
}

/// A table that makes no further move once something was revealed.
struct Audited<'a, T> {
    table: &'a mut T,
    start: usize,
}

impl<T: Table> Table for Audited<'_, T> {
    type View = T::View;

    fn view(&self) -> &T::View {
        self.table.view()
    }

    fn play(&mut self, chosen: &<T::View as View>::Move) -> bool {
        self.table.view().unknown() == self.start && self.table.play(chosen)
    }

    fn is_won(&self) -> bool {
        self.table.is_won()
    }

    fn is_lost(&self, effort: Effort) -> bool {
        self.table.is_lost(effort)
    }
}
