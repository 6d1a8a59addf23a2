//! Permutations of components, local states, events and nodes under which nothing changes.
//!
//! However a candidate was found, it is used only after it has been checked here by the definition: it
//! maps each component to one of as many states, initial states to initial states, relations to
//! relations, rules to rules as often as they occur, τ and ✓ to themselves, and the nodes of the property
//! to nodes that judge in the same way. Such permutations map paths of the network to paths, and
//! violations to violations; since they leave the initial state as it is, what they map a reachable state
//! to is reachable, at the same depth.

use ahash::AHashMap;
use csp_lts::EventId;

use super::shape::{Form, Shape, number};
use crate::judge::{Judge, Node};

/// A permutation of a network and a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Automorphism {
    /// Where each component goes.
    pub(super) components: Vec<u32>,
    /// Where each of its local states goes.
    pub(super) states: Vec<Vec<u32>>,
    /// Where each node goes; nothing if all stay, for there may be any number of them.
    pub(super) nodes: Vec<Node>,
    /// A rule that each rule goes to.
    pub(super) rules: Vec<u32>,
}

impl Automorphism {
    /// Checks a permutation of components, local states and results; without a judge, of the network
    /// alone.
    pub(super) fn verify(
        shape: &Shape,
        judge: Option<&dyn Judge>,
        components: Vec<u32>,
        states: Vec<Vec<u32>>,
        events: &[u32],
    ) -> Option<Self> {
        let sound = is_permutation(&components)
            && is_permutation(events)
            && (states.iter().enumerate()).all(|(component, states)| {
                let image = components[component] as usize;
                is_permutation(states)
                    && number(states.len()) == shape.sizes[component]
                    && shape.sizes[component] == shape.sizes[image]
                    && states[shape.initial[component] as usize] == shape.initial[image]
            });
        if !sound {
            return None;
        }
        let rules = rule_images(shape, &components, &states, events)?;
        let nodes = match judge {
            Some(judge) => node_images(shape, judge, events)?,
            None => Vec::new(),
        };
        if !is_permutation(&nodes) {
            return None;
        }
        Some(Self {
            components,
            states,
            nodes,
            rules,
        })
    }

    /// First this one, then another.
    pub(super) fn then(&self, other: &Self) -> Self {
        let after = |first: &[u32], second: &[u32]| -> Vec<u32> {
            first.iter().map(|image| second[*image as usize]).collect()
        };
        let states = self.states.iter().zip(&self.components);
        Self {
            components: after(&self.components, &other.components),
            states: states
                .map(|(states, image)| after(states, &other.states[*image as usize]))
                .collect(),
            nodes: match (&self.nodes[..], &other.nodes[..]) {
                ([], nodes) | (nodes, []) => nodes.to_vec(),
                (first, second) => after(first, second),
            },
            rules: after(&self.rules, &other.rules),
        }
    }

    /// What undoes it.
    pub(super) fn inverse(&self) -> Self {
        let back = |images: &[u32]| {
            let mut back = vec![0; images.len()];
            for (at, image) in (0..).zip(images) {
                back[*image as usize] = at;
            }
            back
        };
        let mut states = vec![Vec::new(); self.states.len()];
        for (component, own) in self.components.iter().zip(&self.states) {
            states[*component as usize] = back(own);
        }
        Self {
            components: back(&self.components),
            states,
            nodes: back(&self.nodes),
            rules: back(&self.rules),
        }
    }

    /// Whether it moves nothing that states are made of.
    pub(super) fn is_identity(&self) -> bool {
        let same = |images: &[u32]| (0..).zip(images).all(|(at, image)| at == *image);
        same(&self.components) && same(&self.nodes) && self.states.iter().all(|s| same(s))
    }
}

fn is_permutation(images: &[u32]) -> bool {
    let mut met = vec![false; images.len()];
    images.iter().all(|image| {
        let met = met.get_mut(*image as usize);
        met.is_some_and(|met| !std::mem::replace(met, true))
    })
}

/// For each rule one that it goes to, if all rules go to rules that occur as often.
fn rule_images(
    shape: &Shape,
    components: &[u32],
    states: &[Vec<u32>],
    events: &[u32],
) -> Option<Vec<u32>> {
    let image = |component: u32, state: u32| {
        let states = &states[component as usize];
        states.get(state as usize).copied().unwrap_or(state)
    };
    let mut relations: Vec<Vec<u32>> = Vec::new();
    for (component, own) in shape.relations.iter().enumerate() {
        let others = &shape.relations[components[component] as usize];
        let known: AHashMap<&[(u32, u32)], u32> =
            others.iter().map(Vec::as_slice).zip(0..).collect();
        let component = number(component);
        let images = own.iter().map(|moves| {
            let moved = moves.iter();
            let moved = moved.map(|(x, y)| (image(component, *x), image(component, *y)));
            let mut moved: Vec<(u32, u32)> = moved.collect();
            moved.sort_unstable();
            known.get(moved.as_slice()).copied()
        });
        relations.push(images.collect::<Option<_>>()?);
    }
    let mut places: AHashMap<&Form, Vec<u32>> = AHashMap::new();
    for (at, rule) in (0..).zip(&shape.rules) {
        places.entry(rule).or_default().push(at);
    }
    let mut images = Vec::with_capacity(shape.rules.len());
    for rule in &shape.rules {
        let place = |component: u32| components[component as usize];
        let asks = rule.asks.iter();
        let mut asks: Vec<_> = asks
            .map(|(c, relation)| (place(*c), relations[*c as usize][*relation as usize]))
            .collect();
        let resets = rule.resets.iter();
        let mut resets: Vec<_> = resets.map(|(c, x)| (place(*c), image(*c, *x))).collect();
        asks.sort_unstable();
        resets.sort_unstable();
        let moved = Form {
            result: events[rule.result as usize],
            asks,
            resets,
        };
        let found = places.get(&moved)?;
        if found.len() != places[rule].len() {
            return None;
        }
        images.push(found[0]);
    }
    Some(images)
}

fn node_images(shape: &Shape, judge: &dyn Judge, events: &[u32]) -> Option<Vec<Node>> {
    if (0..).zip(events).all(|(at, image)| at == *image) {
        return Some(Vec::new());
    }
    let fixed = [EventId::TAU, EventId::TICK].iter().all(|fixed| {
        let at = shape.events.binary_search(fixed);
        at.is_err() || at.is_ok_and(|at| events[at] as usize == at)
    });
    let image = |event: EventId| match shape.events.binary_search(&event) {
        Ok(at) => shape.events[events[at] as usize],
        Err(_) => event,
    };
    judge.mirrored(&shape.events, &image).filter(|_| fixed)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{Component, ComponentId, EventSet, LtsBuilder, Network, Rule, StateId};

    use super::*;
    use crate::judge::Avoids;
    use crate::machine::Plan;

    /// So many components with an event each, of which the last may have a rule more.
    fn network(count: u32, odd: bool) -> Network {
        let mut builder = LtsBuilder::new();
        let label = |event| Arc::new(EventSet::single(EventId(event)));
        builder.state([(label(3), StateId(1))]);
        builder.state([(label(4), StateId(0))]);
        let lts = Arc::new(builder.finish(StateId(0)));
        let rule = |component, local, result| Rule {
            result: EventId(result),
            revealed: EventId(result),
            participants: Box::new([(ComponentId(component), EventId(local))]),
            resets: Box::default(),
            blocked_by: None,
        };
        let ons = (0..count).map(|c| rule(c, 3, 10 + c));
        let offs = (0..count).map(|c| rule(c, 4, EventId::TAU.0));
        let more = odd.then(|| rule(count - 1, 3, EventId::TAU.0));
        Network {
            components: (0..count)
                .map(|c| Component {
                    name: format!("C{c}"),
                    lts: Arc::clone(&lts),
                    initial: StateId(0),
                })
                .collect(),
            rules: ons.chain(offs).chain(more).collect(),
            ..Network::default()
        }
    }

    fn shape(network: &Network, judge: &dyn Judge) -> Shape {
        let plan = Plan::new(network, 1, |_| false, 1).expect("it is small");
        Shape::of(network, &plan, judge)
    }

    /// Exchanges the last two of three components, and their events if asked.
    fn exchange(network: &Network, judge: &dyn Judge, events: bool) -> Option<Automorphism> {
        let shape = shape(network, judge);
        let mut images: Vec<u32> = (0..number(shape.events.len())).collect();
        if events {
            let last = images.len() - 1;
            images.swap(last - 1, last);
        }
        let states = vec![vec![0, 1]; 3];
        Automorphism::verify(&shape, Some(judge), vec![0, 2, 1], states, &images)
    }

    /// Forbids nothing, and treats all events alike.
    struct Alike;

    impl Judge for Alike {
        fn initial(&self) -> Node {
            0
        }

        fn nodes(&self) -> u32 {
            1
        }

        fn judges_states(&self) -> bool {
            false
        }

        fn forbids_divergence(&self, _: Node) -> bool {
            false
        }

        fn state(&self, _: Node, _: crate::judge::Offers<'_>) -> crate::judge::Judged {
            crate::judge::Judged::Fine
        }

        fn step(&self, _: Node, _: EventId) -> crate::judge::Stepped {
            crate::judge::Stepped::To(0)
        }

        fn mirrored(&self, _: &[EventId], _: &dyn Fn(EventId) -> EventId) -> Option<Vec<Node>> {
            Some(vec![0])
        }
    }

    #[test]
    fn what_is_no_symmetry_is_not_taken_for_one() {
        let even = network(3, false);
        assert!(exchange(&even, &Alike, true).is_some());
        // Events stay where they are though components do not.
        assert!(exchange(&even, &Alike, false).is_none());
        // One component does more.
        assert!(exchange(&network(3, true), &Alike, true).is_none());
        // The property tells events apart, or does not say.
        assert!(exchange(&even, &Avoids::default(), true).is_none());
        // The initial state does not stay.
        let mut begun = network(3, false);
        begun.components[2].initial = StateId(1);
        assert!(exchange(&begun, &Alike, true).is_none());
        // A rule occurs twice, its image once.
        let mut often = network(3, false);
        often.rules.push(often.rules[1].clone());
        assert!(exchange(&often, &Alike, true).is_none());
        // Local states go round, but moves do not.
        let turned = vec![vec![1, 0], vec![0, 1], vec![0, 1]];
        let mut anywhere = shape(&even, &Alike);
        anywhere.initial = vec![0; 3];
        let stays: Vec<u32> = (0..number(anywhere.events.len())).collect();
        let verify = |shape: &Shape, states: Vec<Vec<u32>>, events: &[u32]| {
            Automorphism::verify(shape, Some(&Alike), vec![0, 1, 2], states, events)
        };
        assert!(verify(&anywhere, turned, &stays).is_none());
        // τ stays what it is.
        let mut silent = network(2, false);
        silent.rules.truncate(2);
        silent.rules[1].result = EventId::TAU;
        let silent = shape(&silent, &Alike);
        let (exchanged, states) = (vec![1, 0], vec![vec![0, 1]; 2]);
        assert!(Automorphism::verify(&silent, Some(&Alike), exchanged, states, &[1, 0]).is_none());
        // Local states are confused.
        let shape = shape(&even, &Alike);
        let events: Vec<u32> = (0..number(shape.events.len())).collect();
        let confused = vec![vec![0, 0], vec![0, 1], vec![0, 1]];
        let stays = vec![0, 1, 2];
        assert!(Automorphism::verify(&shape, Some(&Alike), stays, confused, &events).is_none());
    }
}
