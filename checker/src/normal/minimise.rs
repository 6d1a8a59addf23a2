//! Merges equivalent nodes: strong bisimulation of the deterministic system of nodes, starting from
//! the classes of nodes that look the same.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventSet, LtsBuilder, StateId};

use super::{NormalForm, NormalNode};
use crate::budget::Budget;
use crate::compress::refined;
use crate::judge::Node;
use crate::outcome::Limit;

/// The smallest normal form with the same meaning, numbered breadth-first by ascending event.
pub(crate) fn minimise(form: &NormalForm, budget: &Budget<'_>) -> Result<NormalForm, Limit> {
    let mut builder = LtsBuilder::new();
    let mut classes = Vec::with_capacity(form.nodes.len());
    let mut looks = AHashMap::new();
    for node in &form.nodes {
        builder.state(
            node.steps
                .iter()
                .map(|&(from, to, target)| (Arc::new(EventSet::range(from, to)), StateId(target))),
        );
        let fresh = u32::try_from(looks.len()).expect("no more classes than nodes");
        let look = (&node.acceptances, node.divergent);
        classes.push(*looks.entry(look).or_insert(fresh));
    }
    let blocks = refined(&builder.finish(StateId(0)), &classes, budget)?;
    Ok(quotient(form, &blocks))
}

fn quotient(form: &NormalForm, blocks: &[u32]) -> NormalForm {
    let mut number: AHashMap<u32, Node> = AHashMap::from([(blocks[0], 0)]);
    let mut representatives: Vec<usize> = vec![0];
    let mut nodes = Vec::new();
    while nodes.len() < representatives.len() {
        let node = &form.nodes[representatives[nodes.len()]];
        let mut steps: Vec<(u32, u32, Node)> = Vec::with_capacity(node.steps.len());
        for &(from, to, target) in &node.steps {
            let fresh = Node::try_from(representatives.len()).expect("fewer nodes than before");
            let target_number = *number.entry(blocks[target as usize]).or_insert(fresh);
            if target_number == fresh {
                representatives.push(target as usize);
            }
            match steps.last_mut() {
                Some(last) if last.1 == from && last.2 == target_number => last.1 = to,
                _ => steps.push((from, to, target_number)),
            }
        }
        nodes.push(NormalNode {
            steps: steps.into(),
            acceptances: node.acceptances.clone(),
            divergent: node.divergent,
        });
    }
    NormalForm { nodes }
}
