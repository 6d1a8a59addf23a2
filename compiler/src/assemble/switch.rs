//! Operators that switch running networks off and on.
//!
//! An operand that is off offers nothing, so its rules need no further guard, and the rules of the
//! one that has taken over may put the others off again and again without harm. Only `[>` needs a
//! controller: whether the choice is still open cannot be seen from its operands.

use std::sync::Arc;

use csp_lts::{ComponentId, EventId, EventSet, LtsBuilder, StateId};

use super::Outcome;
use super::node::{Fragment, Node, Put, append};
use super::parallel::MANY_RULES;
use super::tree::Builder;
use crate::leaf::Leaf;
use crate::process::{Process, ProcessId};

/// How many rules an event may have before the process is rather listed.
const FEW_RULES: usize = 64;

impl Builder<'_> {
    /// A process in which a network is live from the start.
    pub(super) fn switch(&mut self, process: ProcessId, head: &Process) -> Outcome<Node> {
        match head {
            Process::External(operands) => self.external(operands),
            Process::Sliding(left, right) => self.sliding(*left, *right),
            Process::Interrupt(left, right) => {
                self.interrupt(process, *left, &EventSet::empty(), *right)
            }
            Process::SyncInterrupt(left, set, right) => self.interrupt(process, *left, set, *right),
            Process::Exception(left, set, right) => self.exception(*left, set, *right),
            Process::SyncExternal(set, operands) => self.sync_external(process, set, operands),
            _ => self.skeleton(process, false),
        }
    }

    fn external(&mut self, operands: &[ProcessId]) -> Outcome<Node> {
        // What has no network inside is one leaf.
        let (networks, leaves): (Vec<ProcessId>, Vec<ProcessId>) = operands
            .iter()
            .partition(|&&operand| self.shape(operand).network);
        let mut nodes = Vec::with_capacity(networks.len() + 1);
        for operand in networks {
            nodes.push(self.node(operand)?);
        }
        if !leaves.is_empty() {
            let rest = Process::External(leaves.into());
            let rest = self.processes.intern(rest);
            nodes.push(self.leaf_node(rest)?);
        }
        self.resolve(&mut nodes);
        Ok(together(nodes))
    }

    /// Makes every visible event and ✓ of each node switch the others off.
    fn resolve(&mut self, nodes: &mut [Node]) {
        let off: Vec<Vec<(ComponentId, Put)>> = nodes.iter().map(Node::off).collect();
        for (i, node) in nodes.iter_mut().enumerate() {
            let others = off.iter().enumerate().filter(|(j, _)| *j != i);
            let others: Vec<_> = others.flat_map(|(_, off)| off.iter().copied()).collect();
            for fragment in resolving(node) {
                self.drafts.put_all(fragment, &others);
            }
        }
    }

    fn sliding(&mut self, left: ProcessId, right: ProcessId) -> Outcome<Node> {
        let mut left = self.node(left)?;
        let mut right = self.node(right)?;
        let slide = EventId::FIRST;
        let mut builder = LtsBuilder::new();
        let closed = StateId(1);
        builder.state([(Arc::new(EventSet::single(slide)), closed)]);
        builder.state([(Arc::new(EventSet::single(EventId::OMEGA)), closed)]);
        let lts = self.compiler.share(builder.finish(StateId(0)));
        let controller = self.add_controller("[>".to_owned(), Leaf::new(lts));
        for fragment in resolving(&mut left) {
            self.drafts.put(fragment, controller, Put::State(closed));
        }
        let mut give_up = Fragment::single(controller, slide);
        self.drafts.put_all(&mut give_up, &left.off());
        self.drafts.put_all(&mut give_up, &right.on);
        left.silent.push(give_up);
        right.on = right.off();
        let mut whole = together(vec![left, right]);
        whole.components.end = controller.0 + 1;
        whole.on.push((controller, Put::State(StateId(0))));
        Ok(whole)
    }

    /// `/+A+\`; `/\` if the set is empty.
    fn interrupt(
        &mut self,
        process: ProcessId,
        left: ProcessId,
        set: &EventSet,
        right: ProcessId,
    ) -> Outcome<Node> {
        let mut nodes = vec![self.node(left)?, self.node(right)?];
        let offers = split(&mut nodes, set);
        let (left_off, right_off) = (nodes[0].off(), nodes[1].off());
        for fragment in &mut nodes[0].ticks {
            self.drafts.put_all(fragment, &right_off);
        }
        for fragment in resolving(&mut nodes[1]) {
            self.drafts.put_all(fragment, &left_off);
        }
        let guard = self.guard(&nodes[0]);
        let mut visible = Vec::new();
        for (event, operand, fragment) in &offers {
            if *operand == 1 {
                visible.push((*event, guarded(fragment, &guard)));
            }
        }
        let most = self.most_rules();
        let mut joint = self.join(process, offers, most, |_| 2)?;
        let mut whole = together(nodes);
        append(&mut whole.visible, &mut visible);
        append(&mut whole.visible, &mut joint);
        Ok(whole)
    }

    fn exception(&mut self, left: ProcessId, set: &EventSet, right: ProcessId) -> Outcome<Node> {
        let mut left = self.node(left)?;
        let mut right = self.node(right)?;
        let off = left.off();
        for (event, fragment) in &mut left.visible {
            if set.contains(*event) {
                self.drafts.put_all(fragment, &off);
                self.drafts.put_all(fragment, &right.on);
            }
        }
        right.on = right.off();
        Ok(together(vec![left, right]))
    }

    fn sync_external(
        &mut self,
        process: ProcessId,
        set: &EventSet,
        operands: &[ProcessId],
    ) -> Outcome<Node> {
        if let [only] = operands {
            return self.node(*only);
        }
        let mut nodes = Vec::with_capacity(operands.len());
        for operand in operands {
            nodes.push(self.node(*operand)?);
        }
        let offers = split(&mut nodes, set);
        self.resolve(&mut nodes);
        // Once the choice is resolved, the one that is left does events of the set alone; any
        // other operand is off then, and none is before.
        let guards: Vec<Vec<ComponentId>> = nodes.iter().map(|node| self.guard(node)).collect();
        let mut visible = Vec::new();
        for (event, operand, fragment) in &offers {
            let other = (*operand as usize + 1) % guards.len();
            visible.push((*event, guarded(fragment, &guards[other])));
        }
        let needed = nodes.len();
        let most = self.most_rules();
        let mut joint = self.join(process, offers, most, |_| needed)?;
        let mut whole = together(nodes);
        append(&mut whole.visible, &mut visible);
        append(&mut whole.visible, &mut joint);
        Ok(whole)
    }

    /// How many rules an event may have that operands do together or alone: of choices inside choices
    /// any set of networks may be left, with a rule of its own.
    fn most_rules(&self) -> usize {
        if self.needs_many_rules {
            MANY_RULES
        } else {
            FEW_RULES
        }
    }

    fn guard(&mut self, node: &Node) -> Vec<ComponentId> {
        self.drafts.watch(&node.done);
        node.done.clone()
    }
}

/// The fragments that resolve a choice.
fn resolving(node: &mut Node) -> impl Iterator<Item = &mut Fragment> {
    let visible = node.visible.iter_mut().map(|(_, fragment)| fragment);
    visible.chain(&mut node.ticks)
}

fn guarded(fragment: &Fragment, guard: &[ComponentId]) -> Fragment {
    let mut fragment = fragment.clone();
    let offers = guard.iter().map(|&component| (component, EventId::OMEGA));
    fragment.participants.extend(offers);
    fragment
}

/// Takes the fragments for events of the set out of the nodes.
fn split(nodes: &mut [Node], set: &EventSet) -> Vec<super::parallel::Offer> {
    let mut offers = Vec::new();
    if set.is_empty() {
        return offers;
    }
    for (i, node) in (0..).zip(nodes) {
        for (event, fragment) in std::mem::take(&mut node.visible) {
            if set.contains(event) {
                offers.push((event, i, fragment));
            } else {
                node.visible.push((event, fragment));
            }
        }
    }
    offers
}

fn together(nodes: Vec<Node>) -> Node {
    let mut whole = Node::default();
    for node in nodes {
        whole.absorb(node);
    }
    whole
}
