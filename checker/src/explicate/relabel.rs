//! Networks of one component: the same system under other labels.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Lts, LtsBuilder, Network, StateId};

use crate::budget::Budget;
use crate::outcome::Limit;

/// The explicit system of a network that has one component, no priorities and no chase; `None` for
/// other networks. States are numbered breadth-first by edge; with the state of the component for each.
pub(super) fn relabel(
    network: &Network,
    budget: &Budget<'_>,
) -> Result<Option<(Lts, Vec<StateId>)>, Limit> {
    let [component] = &network.components[..] else {
        return Ok(None);
    };
    let plain = network.chases.is_empty()
        && network
            .rules
            .iter()
            .all(|r| r.blocked_by.is_none() && r.participants.len() == 1 && r.resets.is_empty());
    if !plain {
        return Ok(None);
    }
    let lts = &component.lts;
    let labels = relabelled(network, lts);
    let mut number: AHashMap<StateId, StateId> = AHashMap::from([(component.initial, StateId(0))]);
    let mut order = vec![component.initial];
    let mut builder = LtsBuilder::new();
    let mut next = 0;
    while next < order.len() {
        let mut edges = Vec::new();
        for edge in lts.edges(order[next]) {
            let label = &labels[edge.label as usize];
            if label.is_empty() {
                continue;
            }
            let fresh = StateId(u32::try_from(order.len()).expect("no more than before"));
            let target = *number.entry(edge.target).or_insert(fresh);
            if target == fresh {
                order.push(edge.target);
            }
            edges.push((Arc::clone(label), target));
        }
        builder.state(edges);
        next += 1;
        budget.spend(order.len() as u64, order.len() as u64 * 24)?;
    }
    Ok(Some((builder.finish(StateId(0)), order)))
}

/// For each label of the component, the events that are seen instead.
fn relabelled(network: &Network, lts: &Lts) -> Vec<Arc<EventSet>> {
    let kept: EventSet = network
        .rules
        .iter()
        .filter(|r| r.result == r.participants[0].1)
        .map(|r| r.result)
        .collect();
    let mut renamed: Vec<(EventId, EventId)> = network
        .rules
        .iter()
        .map(|r| (r.participants[0].1, r.result))
        .filter(|(local, result)| local != result)
        .collect();
    renamed.sort_unstable();
    lts.labels()
        .iter()
        .map(|label| {
            let mut ranges = label.intersection(&kept).ranges().to_vec();
            for &(from, to) in label.ranges() {
                let start = renamed.partition_point(|(local, _)| local.0 < from);
                let images = renamed[start..]
                    .iter()
                    .take_while(|(local, _)| local.0 < to);
                ranges.extend(images.map(|(_, result)| (result.0, result.0 + 1)));
            }
            Arc::new(EventSet::from_ranges(ranges))
        })
        .collect()
}
