//! Hiding, projection and renaming of rules.
//!
//! The components stay as they are, so copies of a process that differ by renaming share their
//! leaves. A renaming that gives two events of a leaf the same name is applied to the leaf instead:
//! otherwise a synchronisation of many such leaves would have a rule for each combination.

use std::sync::Arc;

use ahash::AHashSet;
use csp_lts::{EventId, EventSet, Lts, LtsBuilder, StateId};

use super::Outcome;
use super::node::Node;
use super::tree::Builder;
use crate::leaf::Leaf;
use crate::process::{ProcessId, Relation};

impl Builder<'_> {
    /// Hides the events that are in the set, or those that are not.
    pub(super) fn hide(
        &mut self,
        operand: ProcessId,
        set: &EventSet,
        inside: bool,
    ) -> Outcome<Node> {
        let mut node = self.node(operand)?;
        for (event, fragment) in std::mem::take(&mut node.visible) {
            if set.contains(event) == inside {
                node.silent.push(fragment.revealing(event));
            } else {
                node.visible.push((event, fragment));
            }
        }
        Ok(node)
    }

    pub(super) fn rename(&mut self, operand: ProcessId, relation: &Relation) -> Outcome<Node> {
        if self.is_leaf(operand) {
            return self.rename_leaf(operand, relation);
        }
        let node = self.node(operand)?;
        Ok(renamed(node, relation))
    }

    /// Whether the node of the process is going to be the process's own leaf.
    fn is_leaf(&mut self, process: ProcessId) -> bool {
        use crate::process::Process;
        let shape = self.shape(process);
        if shape.network {
            return false;
        }
        match self.processes.head(process).as_deref() {
            Err(_)
            | Ok(
                Process::Hide(..)
                | Process::Project(..)
                | Process::Rename(..)
                | Process::Compress(..),
            ) => false,
            Ok(Process::Parallel(..) | Process::Alphabetised(_) | Process::Prioritise(..)) => {
                !shape.compressed
            }
            Ok(_) => true,
        }
    }

    fn rename_leaf(&mut self, operand: ProcessId, relation: &Relation) -> Outcome<Node> {
        let site = self.site();
        let leaf = self.compiler.leaf(self.processes, operand, site)?;
        let mut images = AHashSet::new();
        let distinct = leaf
            .alphabet
            .iter()
            .all(|event| self::images(relation, event).all(|image| images.insert(image)));
        if distinct {
            let node = self.node_of_leaf(operand, leaf);
            return Ok(renamed(node, relation));
        }
        let lts = self.compiler.share(renamed_system(&leaf.lts, relation));
        Ok(self.node_of_leaf(operand, Leaf::new(lts).with_states(leaf.states)))
    }
}

fn renamed(mut node: Node, relation: &Relation) -> Node {
    let mut visible = Vec::with_capacity(node.visible.len());
    for (event, fragment) in std::mem::take(&mut node.visible) {
        let mut images = images(relation, event).peekable();
        while let Some(image) = images.next() {
            if images.peek().is_none() {
                visible.push((image, fragment));
                break;
            }
            visible.push((image, fragment.clone()));
        }
    }
    node.visible = visible;
    node
}

fn renamed_system(lts: &Lts, relation: &Relation) -> Lts {
    let mut builder = LtsBuilder::new();
    for state in lts.states() {
        let edges: Vec<(Arc<EventSet>, StateId)> = lts
            .edges(state)
            .iter()
            .map(|edge| {
                let label = lts.label(edge).iter();
                let label: EventSet = label.flat_map(|event| images(relation, event)).collect();
                (Arc::new(label), edge.target)
            })
            .collect();
        builder.state(edges);
    }
    builder.finish(lts.initial())
}

/// What the event is called after the renaming: everything it is related to, or itself.
fn images(relation: &Relation, event: EventId) -> impl Iterator<Item = EventId> + '_ {
    let first = relation.partition_point(|pair| pair.0 < event);
    let pairs = relation[first..]
        .iter()
        .take_while(move |pair| pair.0 == event);
    let stays = relation.get(first).is_none_or(|pair| pair.0 != event);
    pairs
        .map(|pair| pair.1)
        .chain(std::iter::once(event).filter(move |_| stays))
}
