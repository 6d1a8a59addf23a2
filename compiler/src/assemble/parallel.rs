//! Rules of processes side by side.
//!
//! A synchronised event needs one fragment from each member concerned, in every combination. The
//! members of one operator are taken all at once, so the work is linear in the participations.
//! So does ✓, which needs all of them. Where members terminate apart, silently, and all of them can, a
//! controller of two states makes the ✓ of the whole happen once.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, LtsBuilder, StateId};

use super::node::{Fragment, Node, Put, append};
use super::tree::Builder;
use super::{Outcome, messages};
use crate::leaf::Leaf;
use crate::operators::Termination;
use crate::process::{ProcessId, Relation};

/// How many rules one event may have.
pub(super) const MANY_RULES: usize = 1_000_000;

/// How many rules are made between two looks at whether to stop.
const POLL: usize = 10_000;

/// A fragment for an event, and which operand it comes from.
pub(super) type Offer = (EventId, u32, Fragment);

impl Builder<'_> {
    fn members(&mut self, members: impl Iterator<Item = ProcessId>) -> Outcome<Vec<Node>> {
        members.map(|member| self.node(member)).collect()
    }

    pub(super) fn parallel(
        &mut self,
        process: ProcessId,
        set: &EventSet,
        members: &[ProcessId],
    ) -> Outcome<Node> {
        let mut nodes = self.members(members.iter().copied())?;
        let mut offers = Vec::new();
        if !set.is_empty() {
            for (i, node) in (0..).zip(&mut nodes) {
                let visible = std::mem::take(&mut node.visible);
                for (event, fragment) in visible {
                    if set.contains(event) {
                        offers.push((event, i, fragment));
                    } else {
                        node.visible.push((event, fragment));
                    }
                }
            }
        }
        let needed = nodes.len();
        let mut joint = self.join(process, offers, MANY_RULES, |_| needed)?;
        let mut whole = self.side_by_side(process, nodes)?;
        append(&mut whole.visible, &mut joint);
        Ok(whole)
    }

    pub(super) fn alphabetised(
        &mut self,
        process: ProcessId,
        members: &[(Arc<EventSet>, ProcessId)],
    ) -> Outcome<Node> {
        let mut nodes = self.members(members.iter().map(|m| m.1))?;
        let mut offers = Vec::new();
        for ((i, node), (alphabet, _)) in (0..).zip(&mut nodes).zip(members) {
            for (event, fragment) in std::mem::take(&mut node.visible) {
                if alphabet.contains(event) {
                    offers.push((event, i, fragment));
                }
            }
        }
        let coverage = coverage(members);
        let mut joint = self.join(process, offers, MANY_RULES, |event| {
            let after = coverage.partition_point(|step| step.0 <= event.0);
            after.checked_sub(1).map_or(0, |i| coverage[i].1)
        })?;
        let mut whole = self.side_by_side(process, nodes)?;
        append(&mut whole.visible, &mut joint);
        Ok(whole)
    }

    pub(super) fn linked(
        &mut self,
        process: ProcessId,
        left: ProcessId,
        links: &Relation,
        right: ProcessId,
    ) -> Outcome<Node> {
        let mut nodes = self.members([left, right].into_iter())?;
        let lefts: EventSet = links.iter().map(|pair| pair.0).collect();
        let rights: EventSet = links.iter().map(|pair| pair.1).collect();
        let senders = take(&mut nodes[0], &lefts);
        let receivers = take(&mut nodes[1], &rights);
        let mut silent = Vec::new();
        for (sent, received) in links.iter() {
            let (Some(senders), Some(receivers)) = (senders.get(sent), receivers.get(received))
            else {
                continue;
            };
            if silent.len() + senders.len() * receivers.len() > MANY_RULES {
                return Err(messages::too_large(self.processes, process, "rules"));
            }
            for sender in senders {
                for receiver in receivers {
                    let mut both = sender.clone();
                    self.extend(&mut both, receiver);
                    silent.push(both.revealing(*sent));
                }
            }
        }
        let mut whole = self.side_by_side(process, nodes)?;
        append(&mut whole.silent, &mut silent);
        Ok(whole)
    }

    /// The members without synchronisation, and their termination.
    fn side_by_side(&mut self, process: ProcessId, nodes: Vec<Node>) -> Outcome<Node> {
        match self.compiler.options.termination {
            Termination::Together => self.ending_together(process, nodes),
            Termination::Apart => Ok(self.ending_apart(nodes)),
        }
    }

    /// Every ✓ switches its member off, so that all of them are off together, and any one shows it.
    fn ending_together(&mut self, process: ProcessId, mut nodes: Vec<Node>) -> Outcome<Node> {
        let mut offers = Vec::new();
        for (i, node) in (0..).zip(&mut nodes) {
            let ticks = node.ticks.drain(..);
            offers.extend(ticks.map(|fragment| (EventId::TICK, i, fragment)));
        }
        let needed = nodes.len();
        let ticks = self.join(process, offers, MANY_RULES, |_| needed)?;
        let mut whole = Node::default();
        let done = nodes.first().map(|node| node.done.clone());
        for node in nodes {
            whole.absorb(node);
        }
        whole.ticks = ticks.into_iter().map(|(_, fragment)| fragment).collect();
        whole.done = done.unwrap_or_default();
        Ok(whole)
    }

    /// Members terminate silently, and the whole once all of them have.
    fn ending_apart(&mut self, mut nodes: Vec<Node>) -> Node {
        let all = nodes.iter().all(Node::can_finish);
        let waiting = nodes.iter().find(|node| !node.can_finish());
        let mut done = waiting.map_or(Vec::new(), |node| node.done.clone());
        let mut whole = Node::default();
        for node in &mut nodes {
            append(&mut node.silent, &mut node.ticks);
        }
        for node in nodes {
            whole.absorb(node);
        }
        if all {
            let controller = self.terminator();
            let component = controller.done[0];
            let mut tick = Fragment::single(component, EventId::TICK);
            let finished = whole.done.drain(..);
            tick.participants
                .extend(finished.map(|component| (component, EventId::OMEGA)));
            let watched: Vec<_> = tick.participants.iter().map(|p| p.0).collect();
            self.drafts.watch(&watched);
            whole.absorb(controller);
            whole.ticks.push(tick);
            done = vec![component];
        }
        whole.done = done;
        whole
    }

    /// A controller that performs ✓ once.
    fn terminator(&mut self) -> Node {
        let mut builder = LtsBuilder::new();
        let tick = Arc::new(EventSet::single(EventId::TICK));
        let omega = Arc::new(EventSet::single(EventId::OMEGA));
        builder.state([(tick, StateId(1))]);
        builder.state([(omega, StateId(1))]);
        let lts = self.compiler.share(builder.finish(StateId(0)));
        let component = self.add_controller("✓".to_owned(), Leaf::new(lts));
        Node {
            components: component.0..component.0 + 1,
            on: vec![(component, Put::State(StateId(0)))],
            done: vec![component],
            ..Node::default()
        }
    }

    /// The rules in which every operand concerned has one part. An event happens only if fragments
    /// of as many operands as it needs are there, and may not have more rules than this many.
    pub(super) fn join(
        &mut self,
        process: ProcessId,
        mut offers: Vec<Offer>,
        most: usize,
        needed: impl Fn(EventId) -> usize,
    ) -> Outcome<Vec<(EventId, Fragment)>> {
        offers.sort_by_key(|offer| (offer.0, offer.1));
        let mut joint = Vec::new();
        for (i, group) in offers.chunk_by(|a, b| a.0 == b.0).enumerate() {
            if i % POLL == POLL - 1 {
                self.processes.poll(process)?;
            }
            let operands = group.chunk_by(|a, b| a.1 == b.1);
            if operands.clone().count() != needed(group[0].0) {
                continue;
            }
            let mut partial: Vec<Fragment> = Vec::new();
            for (i, choices) in operands.enumerate() {
                if i == 0 {
                    partial.extend(choices.iter().map(|offer| offer.2.clone()));
                } else if let [(_, _, only)] = choices {
                    for fragment in &mut partial {
                        self.extend(fragment, only);
                    }
                } else {
                    partial = self.combinations(process, &partial, choices, most)?;
                }
            }
            if partial.len() + group.len() > most {
                return Err(messages::too_large(self.processes, process, "rules"));
            }
            joint.extend(partial.into_iter().map(|fragment| (group[0].0, fragment)));
        }
        Ok(joint)
    }

    fn combinations(
        &mut self,
        process: ProcessId,
        partial: &[Fragment],
        choices: &[Offer],
        most: usize,
    ) -> Outcome<Vec<Fragment>> {
        if partial.len() * choices.len() > most {
            return Err(messages::too_large(self.processes, process, "rules"));
        }
        if partial.len() * choices.len() > POLL {
            self.processes.poll(process)?;
        }
        let mut longer = Vec::with_capacity(partial.len() * choices.len());
        for fragment in partial {
            for (_, _, choice) in choices {
                let mut both = fragment.clone();
                self.extend(&mut both, choice);
                longer.push(both);
            }
        }
        Ok(longer)
    }

    /// Makes the fragment include what the other does; they have no component in common.
    pub(super) fn extend(&mut self, fragment: &mut Fragment, other: &Fragment) {
        fragment.participants.extend_from_slice(&other.participants);
        fragment.resets.extend_from_slice(&other.resets);
        fragment.blocked_by = self.either(fragment.blocked_by, other.blocked_by);
    }
}

/// Takes the fragments for events of a set out of a node.
fn take(node: &mut Node, set: &EventSet) -> AHashMap<EventId, Vec<Fragment>> {
    let mut taken: AHashMap<EventId, Vec<Fragment>> = AHashMap::new();
    for (event, fragment) in std::mem::take(&mut node.visible) {
        if set.contains(event) {
            taken.entry(event).or_default().push(fragment);
        } else {
            node.visible.push((event, fragment));
        }
    }
    taken
}

/// In how many alphabets events are, as steps: from each number on, this many.
fn coverage(members: &[(Arc<EventSet>, ProcessId)]) -> Vec<(u32, usize)> {
    let mut starts: Vec<u32> = Vec::new();
    let mut ends: Vec<u32> = Vec::new();
    for (alphabet, _) in members {
        starts.extend(alphabet.ranges().iter().map(|range| range.0));
        ends.extend(alphabet.ranges().iter().map(|range| range.1));
    }
    starts.sort_unstable();
    ends.sort_unstable();
    let mut steps: Vec<(u32, usize)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while j < ends.len() {
        let at = starts.get(i).map_or(ends[j], |&start| start.min(ends[j]));
        while starts.get(i) == Some(&at) {
            i += 1;
        }
        while ends.get(j) == Some(&at) {
            j += 1;
        }
        steps.push((at, i - j));
    }
    steps
}
