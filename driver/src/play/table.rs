//! The table: a tree of positions and the one that is looked at.

use std::sync::Arc;

use csp_checker::reference::{Simulator, State, Successor};
use csp_games::referee::Referee;

use super::lamp::{Known, Question};
use super::offer;
use super::open::Process;
use super::report::{
    BranchReport, ForcedReport, LineReport, OfferReport, RefusalReport, TableReport,
};
use crate::explore::chase_loop;
use crate::report::SCHEMA;

/// A game under way. Moves that were taken back are kept: the positions are a tree.
pub struct Table {
    pub(super) process: Arc<Process>,
    pub(super) nodes: Vec<Node>,
    pub(super) now: usize,
    /// What happened by itself before the first move.
    opening: Vec<ForcedReport>,
    /// What the process does next, and how each of it is told.
    next: Vec<Successor>,
    offers: Vec<OfferReport>,
    won: bool,
}

/// A position that was reached.
pub(super) struct Node {
    pub(super) state: State,
    pub(super) referee: Box<dyn Referee + Send>,
    pub(super) parent: Option<usize>,
    /// The moves that were tried from here, in the order in which they were.
    pub(super) children: Vec<usize>,
    /// The one that was tried last: what `redo` does.
    pub(super) latest: Option<usize>,
    /// The move by which it was reached.
    pub(super) done: Option<OfferReport>,
    pub(super) known: Known,
}

impl Table {
    pub(super) fn new(process: Arc<Process>) -> Result<Self, String> {
        let simulator = Simulator::new(&process.network);
        let (state, steps) = simulator.initial().map_err(|e| chase_loop(&e.0))?;
        let mut referee = process.referee()?;
        let opening = offer::follow(&process, referee.as_mut(), &steps)?;
        let root = Node {
            state,
            referee,
            parent: None,
            children: Vec::new(),
            latest: None,
            done: None,
            known: Known::Nothing,
        };
        let mut table = Self {
            process,
            nodes: vec![root],
            now: 0,
            opening,
            next: Vec::new(),
            offers: Vec::new(),
            won: false,
        };
        table.look()?;
        Ok(table)
    }

    /// A table with these positions, at the same one.
    pub(super) fn with_nodes(&self, nodes: Vec<Node>) -> Self {
        Self {
            process: Arc::clone(&self.process),
            nodes,
            now: self.now,
            opening: self.opening.clone(),
            next: self.next.clone(),
            offers: self.offers.clone(),
            won: self.won,
        }
    }

    pub(super) fn node(&self) -> &Node {
        &self.nodes[self.now]
    }

    /// Asks the process what it offers. The event by which it says that the game is won is no move.
    fn look(&mut self) -> Result<(), String> {
        let node = &self.nodes[self.now];
        let simulator = Simulator::new(&self.process.network);
        let next = simulator.successors(&node.state);
        let next = next.map_err(|e| chase_loop(&e.0))?;
        let is_goal = |s: &Successor| self.process.goal.contains(s.steps[0].event);
        self.won = next.iter().any(is_goal);
        if self.won && !node.referee.is_won() {
            return Err(
                "the process says that the game is won, and its referee does not".to_owned(),
            );
        }
        self.next = next.into_iter().filter(|s| !is_goal(s)).collect();
        let position = node.referee.position();
        let offers = self.next.iter().map(|successor| {
            offer::told(&self.process, node.referee.as_ref(), &position, successor)
        });
        self.offers = offers.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// What the process does next, one for each offer.
    pub(super) fn next(&self) -> &[Successor] {
        &self.next
    }

    /// The moves that the process offers now.
    #[must_use]
    pub fn offers(&self) -> &[OfferReport] {
        &self.offers
    }

    /// The game is won.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.won
    }

    /// How many moves were chosen to come here.
    #[must_use]
    pub fn number(&self) -> usize {
        self.path().len() - 1
    }

    /// The score, if the game has one.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.node().referee.score()
    }

    /// The positions from the start to here.
    pub(super) fn path(&self) -> Vec<usize> {
        let mut path = vec![self.now];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// Makes one of the moves, by its place in [`Table::offers`].
    ///
    /// # Errors
    ///
    /// The model and its referee do not agree, or chasing never ends: the model is wrong.
    pub fn choose(&mut self, index: usize) -> Result<(), String> {
        let tried = self.node().children.iter().copied();
        let event = &self.offers[index].event;
        let is_same = |child: &usize| {
            let done = self.nodes[*child].done.as_ref();
            done.is_some_and(|done| done.event == *event)
        };
        let known = tried.into_iter().find(is_same);
        let child = match known {
            Some(child) => child,
            None => self.grow(index)?,
        };
        self.nodes[self.now].latest = Some(child);
        self.now = child;
        self.look()
    }

    /// Adds the position after a move.
    fn grow(&mut self, index: usize) -> Result<usize, String> {
        let successor = self.next[index].clone();
        let done = self.offers[index].clone();
        let mut referee = self.node().referee.copied();
        offer::follow(&self.process, referee.as_mut(), &successor.steps)?;
        let known = self.node().known.after(&done.event);
        let child = self.nodes.len();
        self.nodes.push(Node {
            state: successor.state,
            referee,
            parent: Some(self.now),
            children: Vec::new(),
            latest: None,
            done: Some(done),
            known,
        });
        self.nodes[self.now].children.push(child);
        Ok(child)
    }

    /// Makes the move of an event.
    pub fn play(&mut self, event: &str) -> Result<(), RefusalReport> {
        match self.offers.iter().position(|offer| offer.event == event) {
            Some(index) => self
                .choose(index)
                .map_err(|why| RefusalReport::plain(event, why)),
            None => Err(self.why_not(event)),
        }
    }

    /// Takes the last move back; false at the start.
    pub fn undo(&mut self) -> bool {
        self.node().parent.is_some_and(|parent| self.go(parent))
    }

    /// Makes the move again that was taken back last; false if there is none.
    pub fn redo(&mut self) -> bool {
        self.node().latest.is_some_and(|child| self.go(child))
    }

    /// Back to the deal.
    pub fn restart(&mut self) {
        self.go(0);
    }

    /// Looks at a position that was reached before; false if there is none of that number.
    pub fn go(&mut self, node: usize) -> bool {
        if node >= self.nodes.len() {
            return false;
        }
        self.now = node;
        // What `redo` does from the positions before is the way to this one.
        let path = self.path();
        for pair in path.windows(2) {
            self.nodes[pair[0]].latest = Some(pair[1]);
        }
        self.look()
            .expect("the position was looked at when it was reached");
        true
    }

    /// What is asked about the position: can it be won?
    #[must_use]
    pub fn question(&self) -> Question {
        self.question_of(self.now)
    }

    pub(super) fn question_of(&self, node: usize) -> Question {
        Question {
            process: Arc::clone(&self.process),
            node,
            state: self.nodes[node].state.clone(),
        }
    }

    /// Everything that a drawing needs.
    #[must_use]
    pub fn report(&self) -> TableReport {
        let path = self.path();
        let line = path[1..].iter().enumerate();
        let mut ahead = Vec::new();
        let mut at = self.now;
        while let Some(next) = self.nodes[at].latest {
            ahead.push(self.line(next, path.len() + ahead.len()));
            at = next;
        }
        TableReport {
            schema: SCHEMA,
            game: self.process.start.name().to_owned(),
            file: self.process.file.clone(),
            number: path.len() - 1,
            position: offer::position(&self.node().referee.position()),
            layout: self.process.start.layout(),
            bots: self.bots(),
            offers: self.offers.clone(),
            opening: self.opening.clone(),
            line: line.map(|(i, node)| self.line(*node, i + 1)).collect(),
            ahead,
            runs: self.runs(),
            branches: self.branches(),
            won: self.won,
            stuck: !self.won && self.offers.is_empty(),
            score: self.score(),
            lamp: self.lamp(),
        }
    }

    fn line(&self, node: usize, number: usize) -> LineReport {
        let done = self.nodes[node].done.clone();
        LineReport {
            node: Some(node),
            number,
            done: done.expect("only the start was not reached by a move"),
        }
    }

    fn branches(&self) -> Vec<BranchReport> {
        let depth = |mut node: usize| {
            let mut depth = 0;
            while let Some(parent) = self.nodes[node].parent {
                node = parent;
                depth += 1;
            }
            depth
        };
        let text = |node: usize| {
            let done = self.nodes[node].done.as_ref();
            done.map_or_else(String::new, |done| done.text.clone())
        };
        let several = self.nodes.iter().enumerate();
        several
            .filter(|(_, node)| node.children.len() > 1)
            .map(|(i, node)| BranchReport {
                node: i,
                number: depth(i),
                ways: node.children.iter().map(|c| (*c, text(*c))).collect(),
            })
            .collect()
    }

    /// The position as text that can be read again, in the notation of the game.
    #[must_use]
    pub fn drawn(&self) -> String {
        self.node().referee.draw()
    }
}
