//! The violations met so far: the first of each kind, in an order that does not depend on threads.

use csp_lts::EventId;

/// What makes two violations different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A state that offers these events, and τ or not.
    State(Vec<EventId>, bool),
    /// A state on a τ cycle.
    Divergence,
    /// An event.
    Event(EventId),
}

/// One violation.
#[derive(Clone, Debug)]
pub(crate) struct Find<const N: usize> {
    pub(crate) kind: Kind,
    /// The ply of the state.
    pub(crate) ply: u64,
    pub(crate) state: [u64; N],
    /// What is at fault if not the state itself: where acceptance steps lead from it.
    pub(crate) rest: [u64; N],
    /// For events, the rule as numbered by the machine.
    pub(crate) rule: u32,
}

impl<const N: usize> Find<N> {
    /// Earlier plys first; in a ply states come before those they come to rest in, and before events,
    /// which are a step further on.
    fn order(&self) -> (u64, u8, [&[u64; N]; 2], u32) {
        let after = match self.kind {
            Kind::Event(_) => 2,
            _ => u8::from(self.rest != self.state),
        };
        (self.ply, after, [&self.state, &self.rest], self.rule)
    }
}

/// The smallest violations of different kinds, as many as are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Finds<const N: usize> {
    most: usize,
    /// The ply under way.
    pub(crate) ply: u64,
    finds: Vec<Find<N>>,
}

impl<const N: usize> Finds<N> {
    /// None yet.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            ply: 0,
            finds: Vec::new(),
        }
    }

    /// Adds a violation.
    pub(crate) fn note(&mut self, kind: Kind, state: &[u64; N], rest: &[u64; N], rule: u32) {
        self.add(Find {
            kind,
            ply: self.ply,
            state: *state,
            rest: *rest,
            rule,
        });
    }

    /// Adds a violation of a state of the next ply.
    pub(crate) fn foresee(&mut self, kind: Kind, state: &[u64; N], rule: u32) {
        self.add(Find {
            kind,
            ply: self.ply + 1,
            state: *state,
            rest: *state,
            rule,
        });
    }

    /// Drops what has been seen of the next ply.
    pub(crate) fn forget_ahead(&mut self) {
        let ply = self.ply;
        self.finds.retain(|find| find.ply <= ply);
    }

    fn add(&mut self, find: Find<N>) {
        if let Some(known) = self.finds.iter_mut().find(|f| f.kind == find.kind) {
            if find.order() < known.order() {
                *known = find;
            }
        } else {
            self.finds.push(find);
        }
        self.finds.sort_by(|a, b| a.order().cmp(&b.order()));
        self.finds.truncate(self.most);
    }

    /// Adds what another worker has found.
    pub(crate) fn absorb(&mut self, other: &mut Self) {
        for find in other.finds.drain(..) {
            self.add(find);
        }
    }

    /// No more than one is wanted.
    pub(crate) fn wants_one(&self) -> bool {
        self.most == 1
    }

    /// As many as are wanted.
    pub(crate) fn are_enough(&self) -> bool {
        self.finds.len() >= self.most
    }

    /// Whether some lie in the next ply.
    pub(crate) fn are_ahead(&self) -> bool {
        self.finds.last().is_some_and(|find| find.ply > self.ply)
    }

    /// In order.
    pub(crate) fn finds(&self) -> &[Find<N>] {
        &self.finds
    }
}
