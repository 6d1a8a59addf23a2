//! Why a network is not symmetric: the part that nothing corresponds to.
//!
//! If the network alone has the symmetry, the property breaks it. Otherwise colours are refined once at a time:
//! what first has no counterpart is nearest to the cause.

use ahash::AHashMap;
use csp_lts::{EventId, Network};

use super::colours::Colours;
use super::shape::Shape;
use crate::outcome::Asymmetry;

/// The most rounds of refinement; a cause is near.
const MOST_ROUNDS: usize = 64;

/// Why events cannot be mapped to others in a given way.
pub(super) fn of_mapping(
    network: &Network,
    shape: &Shape,
    image: &dyn Fn(EventId) -> EventId,
) -> Asymmetry {
    let known = |event: &EventId| shape.events.binary_search(event).is_ok();
    let missing = shape.events.iter().find(|event| !known(&image(**event)));
    if let Some(event) = missing {
        return Asymmetry::Missing(*event, image(*event));
    }
    let mut colours = Colours::new(shape, None);
    if colours.mapping(image).is_some() {
        let moved = shape.events.iter().find(|event| image(**event) != **event);
        return Asymmetry::Property(moved.map(|event| (*event, image(*event))));
    }
    let Some((mut left, mut right)) = colours.mapped(image, true) else {
        return Asymmetry::Components(Vec::new(), Vec::new());
    };
    for _ in 0..MOST_ROUNDS {
        let rules = colours.places.rules..colours.places.events;
        let mut unmatched = unmatched(&left, &right, rules);
        // Preferably a rule that the exchange is about.
        let revealed = |rule: &u32| shape.revealed[(rule - colours.places.rules) as usize];
        unmatched.sort_by_key(|rule| image(revealed(rule)) == revealed(rule));
        if let Some(rule) = unmatched.first() {
            let form = &shape.rules[(rule - colours.places.rules) as usize];
            return Asymmetry::Rule {
                event: revealed(rule),
                image: image(revealed(rule)),
                components: names(network, form.asks.iter().map(|(component, _)| *component)),
            };
        }
        let odd = self::unmatched(&left, &right, colours.places.components());
        if !odd.is_empty() {
            return Asymmetry::Components(names(network, odd), Vec::new());
        }
        (left, right) = (colours.round(&left), colours.round(&right));
    }
    Asymmetry::Components(Vec::new(), Vec::new())
}

/// Why nothing can be exchanged at all.
pub(super) fn of_network(network: &Network, shape: &Shape) -> Asymmetry {
    let mut colours = Colours::new(shape, None);
    if let Some(found) = colours.symmetries().first() {
        let mut rules = (0..).zip(&found.rules).map(|(from, to): (usize, _)| {
            let result = |rule: usize| shape.events[shape.rules[rule].result as usize];
            (result(from), result(*to as usize))
        });
        return Asymmetry::Property(rules.find(|(event, image)| event != image));
    }
    let mut now = colours.first();
    let classes = |colours: &[u64], parts: &[u32]| {
        let mut classes: AHashMap<u64, Vec<u32>> = AHashMap::new();
        for part in parts {
            classes
                .entry(colours[*part as usize])
                .or_default()
                .push(*part);
        }
        let mut classes: Vec<Vec<u32>> = classes.into_values().collect();
        classes.sort_by_key(|class| (std::cmp::Reverse(class.len()), class[0]));
        classes
    };
    let all: Vec<u32> = colours.places.components().collect();
    // The components that were alike so far, the largest class of them.
    let mut alike = classes(&now, &all).swap_remove(0);
    for _ in 0..MOST_ROUNDS {
        if alike.len() < 2 {
            break;
        }
        let parts = classes(&now, &alike);
        if let [first, others @ ..] = &parts[..]
            && !others.is_empty()
        {
            let odd = others.iter().flatten().copied();
            let like = first.iter().copied();
            return Asymmetry::Components(names(network, odd), names(network, like));
        }
        alike = parts.into_iter().next().unwrap_or_default();
        now = colours.round(&now);
    }
    Asymmetry::Components(Vec::new(), Vec::new())
}

fn names(network: &Network, components: impl IntoIterator<Item = u32>) -> Vec<String> {
    let components = components.into_iter();
    components
        .map(|component| network.components[component as usize].name.clone())
        .collect()
}

/// The parts whose colour occurs on the left more often than on the right.
fn unmatched(left: &[u64], right: &[u64], parts: std::ops::Range<u32>) -> Vec<u32> {
    let mut counts: AHashMap<u64, i64> = AHashMap::new();
    for part in parts.clone() {
        *counts.entry(right[part as usize]).or_default() += 1;
    }
    let mut left = parts.map(|part| (part, left[part as usize]));
    let mut found = Vec::new();
    for (part, colour) in &mut left {
        let count = counts.entry(colour).or_default();
        *count -= 1;
        if *count < 0 {
            found.push(part);
        }
    }
    found
}
