//! Searching while the game goes on: a copy of the table is judged elsewhere, and what was found out is
//! brought back.
//!
//! Positions are numbered in the order in which they were reached and never renumbered, so what is known
//! of a position of the copy is known of the position with the same number, as long as the table was not
//! replaced by a saved game ([`Table::load`]).

use std::time::Duration;

use csp_checker::Observer;

use super::lamp::{Answered, Known, Limits, Question};
use super::table::{Node, Table};

impl Table {
    /// The same game, to be judged or played apart.
    #[must_use]
    pub fn copied(&self) -> Self {
        let copy = |node: &Node| Node {
            state: node.state.clone(),
            referee: node.referee.copied(),
            parent: node.parent,
            children: node.children.clone(),
            latest: node.latest,
            done: node.done.clone(),
            known: node.known.clone(),
        };
        self.with_nodes(self.nodes.iter().map(copy).collect())
    }

    /// Takes over what is known of the positions of a copy.
    pub fn learn_from(&mut self, copy: &Self) {
        for (own, other) in self.nodes.iter_mut().zip(&copy.nodes) {
            let better = match (&own.known, &other.known) {
                (_, Known::Nothing) => false,
                (Known::Won(own, _), Known::Won(other, _)) => other.len() < own.len(),
                (Known::Nothing | Known::Undecided(..), _) => true,
                _ => false,
            };
            if better {
                own.known = other.known.clone();
            }
        }
    }
}

impl Question {
    /// Searches for a shorter way to win than the first one, for as long as this.
    #[must_use]
    pub fn improved(&self, time: Duration, limits: &Limits, observer: &dyn Observer) -> Answered {
        self.search(Some(time), limits, observer)
    }
}
