//! Components under construction.
//!
//! While rules are made, a component may turn out to need more than its transition system has: a
//! state in which it is off, and *redirected* events, which lead to a fixed state instead of where
//! the event leads (a rule cannot reset its own participants). Both are collected here; in the end
//! a variant of the transition system is made, and shared between components that need the same.

use std::sync::Arc;

use ahash::{AHashMap, RandomState};
use csp_lts::{Component, ComponentId, EventId, EventSet, Lts, LtsBuilder, StateId};
use indexmap::IndexSet;

use super::node::{Fragment, Put};
use super::provenance::Origin;
use crate::leaf::Leaf;

/// A component whose variant is not settled yet.
#[derive(Debug)]
struct Draft {
    name: String,
    leaf: Leaf,
    needs_off: bool,
    /// The event and where it shall lead; the new event is the first unused one plus the index.
    redirected: IndexSet<(EventId, Put), RandomState>,
    /// Events that are made up, and those that they stand for.
    stand_ins: AHashMap<EventId, EventId>,
}

impl Draft {
    fn first_unused(&self) -> u32 {
        let last = self.leaf.alphabet.ranges().last();
        last.map_or(0, |range| range.1).max(EventId::FIRST.0)
    }

    fn state(&self, put: Put) -> StateId {
        match put {
            Put::State(state) => state,
            Put::Off => self.leaf.omega.unwrap_or_else(|| {
                let count = self.leaf.lts.state_count();
                StateId(u32::try_from(count).expect("states are numbered by u32"))
            }),
        }
    }

    /// The event of the transition system that a redirected event stands for.
    fn original(&self, event: EventId) -> EventId {
        event
            .0
            .checked_sub(self.first_unused())
            .and_then(|i| self.redirected.get_index(i as usize))
            .map_or(event, |redirect| redirect.0)
    }
}

/// What a variant is made of.
type Recipe = (bool, Vec<(EventId, StateId)>);

/// Variants already made, by the address of what they vary, which is kept with them.
pub(super) type Variants = AHashMap<(*const Lts, Recipe), (Arc<Lts>, Arc<Lts>)>;

/// The components of one network under construction.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    list: Vec<Draft>,
}

impl Drafts {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets all but the first n.
    pub(super) fn truncate(&mut self, components: usize) {
        self.list.truncate(components);
    }

    pub(super) fn add(&mut self, name: String, leaf: Leaf) -> ComponentId {
        let id = u32::try_from(self.list.len()).expect("components are numbered by u32");
        self.list.push(Draft {
            name,
            leaf,
            needs_off: false,
            redirected: IndexSet::default(),
            stand_ins: AHashMap::new(),
        });
        ComponentId(id)
    }

    /// Notes what the made-up events of a component stand for.
    pub(super) fn stand_for(
        &mut self,
        component: ComponentId,
        pairs: impl Iterator<Item = (EventId, EventId)>,
    ) {
        self.draft(component).stand_ins.extend(pairs);
    }

    /// What is known of each component besides its transition system.
    pub(super) fn origins(&self) -> Vec<Origin> {
        let origin = |draft: &Draft| {
            let mut stand_ins = draft.stand_ins.clone();
            for (new, (event, _)) in (draft.first_unused()..).zip(&draft.redirected) {
                let own = draft.stand_ins.get(event).unwrap_or(event);
                stand_ins.insert(EventId(new), *own);
            }
            Origin {
                states: draft.leaf.states.clone(),
                stand_ins,
            }
        };
        self.list.iter().map(origin).collect()
    }

    fn draft(&mut self, component: ComponentId) -> &mut Draft {
        &mut self.list[component.0 as usize]
    }

    /// Makes sure that the component can be asked whether it is off.
    pub(super) fn watch(&mut self, components: &[ComponentId]) {
        for component in components {
            self.draft(*component).needs_off = true;
        }
    }

    /// Makes the rule put a component somewhere, whatever it did to it before.
    pub(super) fn put(&mut self, fragment: &mut Fragment, component: ComponentId, put: Put) {
        let draft = self.draft(component);
        draft.needs_off |= put == Put::Off;
        let part = |part: &&mut (ComponentId, EventId)| part.0 == component;
        if let Some(participant) = fragment.participants.iter_mut().find(part) {
            let event = draft.original(participant.1);
            participant.1 = redirect(draft, event, put);
        } else if let Some(reset) = fragment.resets.iter_mut().find(|r| r.0 == component) {
            reset.1 = put;
        } else {
            fragment.resets.push((component, put));
        }
    }

    /// [`Self::put`] for a whole configuration.
    pub(super) fn put_all(&mut self, fragment: &mut Fragment, places: &[(ComponentId, Put)]) {
        if fragment.resets.is_empty() && fragment.participants.len() < 8 {
            fragment.resets.reserve_exact(places.len());
            for &(component, put) in places {
                if fragment.participants.iter().any(|p| p.0 == component) {
                    self.put(fragment, component, put);
                } else {
                    self.draft(component).needs_off |= put == Put::Off;
                    fragment.resets.push((component, put));
                }
            }
            return;
        }
        for &(component, put) in places {
            self.put(fragment, component, put);
        }
    }

    /// The state that a configuration puts a component into.
    pub(super) fn state(&self, component: ComponentId, put: Put) -> StateId {
        self.list[component.0 as usize].state(put)
    }

    /// The finished components, each starting where the configuration says.
    pub(super) fn finish(
        mut self,
        on: &[(ComponentId, Put)],
        variants: &mut Variants,
    ) -> Vec<Component> {
        let mut initial = vec![StateId(0); self.list.len()];
        for &(component, put) in on {
            self.draft(component).needs_off |= put == Put::Off;
            initial[component.0 as usize] = self.state(component, put);
        }
        self.list
            .into_iter()
            .zip(initial)
            .map(|(draft, initial)| Component {
                lts: variant(&draft, variants),
                name: draft.name,
                initial,
            })
            .collect()
    }
}

fn redirect(draft: &mut Draft, event: EventId, put: Put) -> EventId {
    let (place, _) = draft.redirected.insert_full((event, put));
    let place = u32::try_from(place).expect("events are numbered by u32");
    EventId(draft.first_unused() + place)
}

fn variant(draft: &Draft, variants: &mut Variants) -> Arc<Lts> {
    let lts = &draft.leaf.lts;
    let append_off = draft.needs_off && draft.leaf.omega.is_none();
    if !append_off && draft.redirected.is_empty() {
        return Arc::clone(lts);
    }
    let redirected = draft.redirected.iter();
    let redirected = redirected.map(|&(event, put)| (event, draft.state(put)));
    let recipe: Recipe = (append_off, redirected.collect());
    let (_, made) = variants
        .entry((Arc::as_ptr(lts), recipe.clone()))
        .or_insert_with(|| {
            let made = vary(lts, &recipe, draft.first_unused());
            (Arc::clone(lts), Arc::new(made))
        });
    Arc::clone(made)
}

fn vary(lts: &Lts, (append_off, redirected): &Recipe, first_unused: u32) -> Lts {
    let mut places: AHashMap<EventId, Vec<(u32, StateId)>> = AHashMap::new();
    for (new, (event, target)) in (first_unused..).zip(redirected) {
        places.entry(*event).or_default().push((new, *target));
    }
    let redirectable: EventSet = places.keys().copied().collect();
    let with_redirected = |mut edges: Vec<(Arc<EventSet>, StateId)>| {
        let mut added: Vec<(StateId, u32)> = Vec::new();
        for (label, _) in &edges {
            for event in label.intersection(&redirectable).iter() {
                added.extend(places[&event].iter().map(|&(new, target)| (target, new)));
            }
        }
        added.sort_unstable();
        for group in added.chunk_by(|a, b| a.0 == b.0) {
            let label: EventSet = group.iter().map(|a| EventId(a.1)).collect();
            edges.push((Arc::new(label), group[0].0));
        }
        edges
    };
    let mut builder = LtsBuilder::new();
    for state in lts.states() {
        let edges = lts.edges(state).iter();
        let edges = edges.map(|edge| (Arc::clone(lts.label(edge)), edge.target));
        builder.state(with_redirected(edges.collect()));
    }
    if *append_off {
        let off = u32::try_from(lts.state_count()).expect("states are numbered by u32");
        let omega = Arc::new(EventSet::single(EventId::OMEGA));
        builder.state(with_redirected(vec![(omega, StateId(off))]));
    }
    builder.finish(lts.initial())
}
