//! Candidates for symmetries: parts that nothing tells apart, by colour refinement.
//!
//! Components, local states, relations, rules, results and nodes are coloured; a part gets a new colour
//! from the colours around it until no colour splits any more. To map one component to another, the two
//! are told from all others, each in a colouring of its own, and both colourings are refined; as long as
//! some colour is left to several parts, one of them is told from the others in the same way, on both
//! sides, trying first to leave everything where it is, so that exchanges of two are found where there are
//! any. Where it is known what becomes of events, they are coloured accordingly to begin with. The search is
//! bounded: what is not found is not used. (McKay 1981; Darga, Sakallah, Markov 2008.)

use std::ops::Range;

use ahash::AHashSet;
use csp_lts::EventId;

use super::automorphism::Automorphism;
use super::shape::Shape;
use crate::judge::{Judge, Stepped};

/// Steps of refinement that a search for symmetries may take.
const MOST_WORK: u64 = 200_000_000;
/// No part.
const NONE: u32 = u32::MAX;

/// Where the colours of each kind of part begin.
pub(super) struct Places {
    states: Vec<u32>,
    relations: Vec<u32>,
    pub(super) rules: u32,
    pub(super) events: u32,
    nodes: u32,
    all: u32,
}

impl Places {
    fn of(shape: &Shape, judged: bool) -> Self {
        let mut next = count(shape.sizes.len());
        let mut take = |length: u32| {
            next += length;
            next - length
        };
        Self {
            states: shape.sizes.iter().map(|size| take(*size)).collect(),
            relations: shape
                .relations
                .iter()
                .map(|r| take(count(r.len())))
                .collect(),
            rules: take(count(shape.rules.len())),
            events: take(count(shape.events.len())),
            nodes: take(match &shape.steps {
                Some(steps) if judged => count(steps.len()),
                _ => 0,
            }),
            all: take(0),
        }
    }

    pub(super) fn components(&self) -> Range<u32> {
        0..count(self.states.len())
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("parts of networks are numbered by u32")
}

fn mix(kind: u64, a: u64, b: u64) -> u64 {
    let mut x = kind.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ a.rotate_left(17);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ b;
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Which parts are mapped to one another: a forest, and the number of its first part.
struct Orbits(Vec<u32>, u32);

impl Orbits {
    fn root(&self, mut part: u32) -> u32 {
        while self.0[(part - self.1) as usize] != part {
            part = self.0[(part - self.1) as usize];
        }
        part
    }

    fn join(&mut self, a: u32, b: u32) {
        let [a, b] = [a, b].map(|part| self.root(part));
        self.0[(a.max(b) - self.1) as usize] = a.min(b);
    }
}

/// Looks for symmetries of one network.
pub(super) struct Colours<'a> {
    shape: &'a Shape,
    judge: Option<&'a dyn Judge>,
    pub(super) places: Places,
    work: u64,
}

impl<'a> Colours<'a> {
    /// Without a judge, of the network alone.
    pub(super) fn new(shape: &'a Shape, judge: Option<&'a dyn Judge>) -> Self {
        Self {
            shape,
            judge,
            places: Places::of(shape, judge.is_some()),
            work: 0,
        }
    }

    /// The first colours where events are mapped to others, and rules, if they are told apart by their
    /// names, with them: before and after. `None` if an event would go to one that does not occur.
    pub(super) fn mapped(
        &self,
        image: &dyn Fn(EventId) -> EventId,
        named: bool,
    ) -> Option<(Vec<u64>, Vec<u64>)> {
        let (shape, places) = (self.shape, &self.places);
        let (mut left, mut right) = (self.first(), self.first());
        for (at, event) in (places.events..).zip(&shape.events) {
            let there = count(shape.events.binary_search(&image(*event)).ok()?);
            let colour = mix(41, u64::from(event.0), 0);
            left[at as usize] = colour;
            right[(places.events + there) as usize] = colour;
        }
        for (at, event) in (places.rules..).zip(&shape.revealed).filter(|_| named) {
            left[at as usize] = mix(42, u64::from(image(*event).0), 0);
            right[at as usize] = mix(42, u64::from(event.0), 0);
        }
        Some((left, right))
    }

    /// A symmetry that maps events to others in a given way: by the names that rules have before hiding,
    /// too, if there is one.
    pub(super) fn mapping(&mut self, image: &dyn Fn(EventId) -> EventId) -> Option<Automorphism> {
        [true, false].into_iter().find_map(|named| {
            let (left, right) = self.mapped(image, named)?;
            self.extend(left, right, (NONE, NONE), 2)
        })
    }

    /// Symmetries that exchange components, or else local states, that are alike.
    pub(super) fn symmetries(&mut self) -> Vec<Automorphism> {
        let mut colours = self.first();
        if !self.refine(&mut colours) {
            return Vec::new();
        }
        let components = self.exchanges(&colours, self.places.components());
        if !components.is_empty() {
            return components;
        }
        let states =
            self.places.components().end..self.places.relations.first().copied().unwrap_or(0);
        self.exchanges(&colours, states)
    }

    /// Symmetries that join the parts of each colour: a part is mapped to the one before it, or else to one
    /// of each orbit so far.
    fn exchanges(&mut self, colours: &[u64], parts: Range<u32>) -> Vec<Automorphism> {
        let start = parts.start;
        let mut alike: Vec<(u64, u32)> = parts.map(|part| (colours[part as usize], part)).collect();
        alike.sort_unstable();
        let mut found: Vec<Automorphism> = Vec::new();
        let mut orbits = Orbits((start..).take(alike.len()).collect(), start);
        for cell in alike.chunk_by(|a, b| a.0 == b.0) {
            for (at, (_, to)) in cell.iter().enumerate().skip(1) {
                let earlier = cell[..at].iter().map(|(_, part)| *part).rev();
                let mut tried: Vec<u32> = Vec::new();
                for from in earlier {
                    let root = orbits.root(from);
                    if root == orbits.root(*to) {
                        break;
                    }
                    if tried.contains(&root) {
                        continue;
                    }
                    tried.push(root);
                    let (mut left, mut right) = (colours.to_vec(), colours.to_vec());
                    left[from as usize] = 1;
                    right[*to as usize] = 1;
                    if let Some(symmetry) = self.extend(left, right, (from, *to), 2) {
                        self.join(&symmetry, &mut orbits);
                        found.push(symmetry);
                        break;
                    }
                    if self.work > MOST_WORK {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// Joins what a symmetry maps to one another.
    fn join(&self, symmetry: &Automorphism, orbits: &mut Orbits) {
        for (component, image) in (0..).zip(&symmetry.components) {
            if orbits.1 == 0 {
                orbits.join(component, *image);
                continue;
            }
            let [own, there] = [component, *image].map(|c| self.places.states[c as usize]);
            for (state, image) in (own..).zip(&symmetry.states[component as usize]) {
                orbits.join(state, there + image);
            }
        }
    }

    /// A symmetry that maps one colouring to another.
    fn extend(
        &mut self,
        mut left: Vec<u64>,
        mut right: Vec<u64>,
        exchanged: (u32, u32),
        fresh: u64,
    ) -> Option<Automorphism> {
        if !self.refine(&mut left) || !self.refine(&mut right) {
            return None;
        }
        let sorted = |colours: &[u64]| {
            let mut sorted = colours.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let all = sorted(&left);
        if all != sorted(&right) {
            return None;
        }
        let shared = |colour: u64| {
            let at = all.partition_point(|c| *c < colour);
            all.get(at + 1) == Some(&colour)
        };
        let settled = |part: &u32| {
            let places = &self.places;
            let relations = places.relations.first().copied().unwrap_or(places.rules);
            (relations..places.events).contains(part)
        };
        let mut parts = (0..self.places.all).filter(|part| !settled(part));
        let Some(part) = parts.find(|part| shared(left[*part as usize])) else {
            return self.read(&left, &right);
        };
        let colour = left[part as usize];
        let first = if part == exchanged.1 {
            exchanged.0
        } else {
            part
        };
        let others = (0..self.places.all).filter(|other| *other != first);
        let images = [first].into_iter().chain(others);
        let images: Vec<u32> = images.filter(|i| right[*i as usize] == colour).collect();
        for image in images {
            let (mut left, mut right) = (left.clone(), right.clone());
            left[part as usize] = fresh;
            right[image as usize] = fresh;
            if let Some(found) = self.extend(left, right, exchanged, fresh + 1) {
                return Some(found);
            }
            if self.work > MOST_WORK {
                return None;
            }
        }
        None
    }

    /// Reads off where everything goes, and checks it.
    fn read(&self, left: &[u64], right: &[u64]) -> Option<Automorphism> {
        let places = &self.places;
        let mut by_colour: Vec<(u64, u32)> = right.iter().copied().zip(0..).collect();
        by_colour.sort_unstable();
        let image = |part: u32| {
            let colour = left[part as usize];
            let at = by_colour.partition_point(|(c, _)| *c < colour);
            by_colour.get(at).map(|(_, image)| *image)
        };
        let from = |start: u32, length: usize, base: u32| -> Option<Vec<u32>> {
            let parts = (start..).take(length);
            parts.map(|part| image(part)?.checked_sub(base)).collect()
        };
        let components = from(0, self.shape.sizes.len(), 0)?;
        let mut states = Vec::new();
        for (component, size) in self.shape.sizes.iter().enumerate() {
            let base = *places.states.get(*components.get(component)? as usize)?;
            states.push(from(places.states[component], *size as usize, base)?);
        }
        let events = from(places.events, self.shape.events.len(), places.events)?;
        Automorphism::verify(self.shape, self.judge, components, states, &events)
    }

    /// The colours before any refinement.
    pub(super) fn first(&self) -> Vec<u64> {
        let (shape, places) = (self.shape, &self.places);
        let mut colours = vec![10; places.all as usize];
        for (component, size) in shape.sizes.iter().enumerate() {
            colours[component] = mix(11, u64::from(*size), 0);
            colours[(places.states[component] + shape.initial[component]) as usize] = 12;
        }
        for (at, event) in (places.events..).zip(&shape.events) {
            let told_apart = self.judge.is_some() && shape.steps.is_none();
            let fixed = told_apart || [EventId::TAU, EventId::TICK].contains(event);
            colours[at as usize] = if fixed {
                mix(13, u64::from(event.0), 0)
            } else {
                14
            };
        }
        if places.nodes < places.all {
            colours[places.nodes as usize] = 15;
        }
        colours
    }

    /// Refines a colouring until no colour splits; whether there was time to.
    fn refine(&mut self, colours: &mut Vec<u64>) -> bool {
        let distinct = |colours: &[u64]| colours.iter().collect::<AHashSet<_>>().len();
        let mut before = distinct(colours);
        while self.work <= MOST_WORK {
            *colours = self.round(colours);
            let after = distinct(colours);
            if after == before {
                return true;
            }
            before = after;
        }
        false
    }

    /// Refines a colouring once.
    pub(super) fn round(&mut self, colours: &[u64]) -> Vec<u64> {
        let (shape, places) = (self.shape, &self.places);
        let mut sums = vec![0u64; colours.len()];
        let mut work = colours.len() as u64;
        let of = |part: u32| colours[part as usize];
        let mut add = |part: u32, kind: u64, a: u64, b: u64| {
            let sum = &mut sums[part as usize];
            *sum = sum.wrapping_add(mix(kind, a, b));
            work += 1;
        };
        for (component, relations) in (0..).zip(&shape.relations) {
            let own = places.states[component as usize];
            for state in own..own + shape.sizes[component as usize] {
                add(state, 21, of(component), 0);
                add(component, 22, of(state), 0);
            }
            for (relation, moves) in (places.relations[component as usize]..).zip(relations) {
                add(relation, 23, of(component), 0);
                for (x, y) in moves {
                    let from = own + x;
                    let beyond = *y == u32::MAX;
                    let there = if beyond { 0 } else { of(own + y) };
                    add(from, 24, of(relation), there);
                    add(relation, 25, of(from), there);
                    if !beyond {
                        add(own + y, 26, of(relation), of(from));
                    }
                }
            }
        }
        for (rule, form) in (places.rules..).zip(&shape.rules) {
            let event = places.events + form.result;
            add(rule, 27, of(event), 0);
            add(event, 28, of(rule), 0);
            for (component, relation) in &form.asks {
                let relation = places.relations[*component as usize] + relation;
                add(rule, 29, of(relation), 0);
                add(relation, 30, of(rule), 0);
            }
            for (component, state) in form.resets.iter().filter(|r| r.1 != u32::MAX) {
                let state = places.states[*component as usize] + state;
                add(rule, 31, of(state), 0);
                add(state, 32, of(rule), 0);
            }
        }
        let nodes = (places.nodes..places.all).zip(shape.steps.iter().flatten());
        for (node, steps) in nodes {
            for (event, step) in (places.events..).zip(steps) {
                let there = match step {
                    Stepped::To(to) => of(places.nodes + to),
                    Stepped::Done => 1,
                    Stepped::Violation => 2,
                };
                add(node, 33, of(event), there);
                add(event, 34, of(node), there);
                if let Stepped::To(to) = step {
                    add(places.nodes + to, 35, of(event), of(node));
                }
            }
        }
        self.work += work;
        let colours = colours.iter().zip(sums);
        colours.map(|(colour, sum)| mix(20, *colour, sum)).collect()
    }
}
