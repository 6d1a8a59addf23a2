//! Symmetric states are stored once: every state is replaced by a representative of its orbit.
//!
//! Of a small group all elements are listed, and the representative is the smallest image, which is the
//! same for all states of an orbit. Of a large one only exchanges are known, and what they are conjugate to
//! (of neighbours, so that any two are exchanged); a state is exchanged as long as that makes it smaller. Where components can be exchanged at will and nothing else refers to them,
//! that sorts them; otherwise an orbit may have a few representatives, which costs states and nothing
//! else, since every one of them is a state of the orbit.

use ahash::AHashSet;
use csp_lts::Network;

use super::asymmetry;
use super::automorphism::Automorphism;
use super::colours::Colours;
use super::images::Images;
use super::shape::Shape;
use crate::judge::Judge;
use crate::machine::{Field, Layout, Plan};
use crate::options::Options;
use crate::outcome::{Asymmetry, Group, Limit};

/// The most elements of a group that are listed.
const MOST_LISTED: usize = 64;
/// The most exchanges of a large group: of any two of 24.
const MOST_EXCHANGES: usize = 276;

/// The symmetries of a network and a property, before the width of states is fixed.
#[derive(Debug)]
pub(crate) struct Symmetries {
    elements: Vec<Automorphism>,
    /// They are all but the identity.
    all: bool,
    /// If there are none, what is in the way.
    broken: Option<Asymmetry>,
}

impl Symmetries {
    /// Looks for symmetries, or takes those that are declared, each of which is checked; rules are taken
    /// one by one. If what is declared does not hold, says which declaration and why.
    pub(crate) fn of(
        network: &Network,
        plan: &Plan,
        judge: &dyn Judge,
        options: &Options,
    ) -> Result<Self, Limit> {
        let shape = Shape::of(network, plan, judge);
        let mut found = Vec::new();
        for exchange in &options.exchanges {
            let image = |event| exchange.image(event);
            match Colours::new(&shape, Some(judge)).mapping(&image) {
                Some(symmetry) => found.push(symmetry),
                None => {
                    let why = asymmetry::of_mapping(network, &shape, &image);
                    return Err(Limit::Asymmetric(exchange.what.clone(), why));
                }
            }
        }
        if options.reductions.symmetry {
            found.extend(Colours::new(&shape, Some(judge)).symmetries());
        }
        found.retain(|symmetry| !symmetry.is_identity());
        let (elements, all) = match listed(&found) {
            Some(elements) => (elements, true),
            None => (conjugates(found), false),
        };
        let broken = elements
            .is_empty()
            .then(|| asymmetry::of_network(network, &shape));
        Ok(Self {
            elements,
            all,
            broken,
        })
    }

    /// Symmetries of which all others are made.
    pub(super) fn elements(&self) -> &[Automorphism] {
        &self.elements
    }

    /// Nothing can be exchanged.
    pub(crate) fn are_none(&self) -> bool {
        self.elements.is_empty()
    }

    /// What is told of them.
    pub(crate) fn group(&self) -> Group {
        Group {
            elements: self.all.then_some(self.elements.len() as u64 + 1),
            exchanges: self.elements.len() as u64,
            broken: self.broken.clone(),
        }
    }
}

/// All elements of the group of some symmetries but the identity, if they are few.
fn listed(generators: &[Automorphism]) -> Option<Vec<Automorphism>> {
    let mut elements: Vec<Automorphism> = Vec::new();
    let mut known: AHashSet<Automorphism> = AHashSet::new();
    let mut add = |element: Automorphism, elements: &mut Vec<Automorphism>| {
        // Rules that occur twice have several images; states have one.
        let key = Automorphism {
            rules: Vec::new(),
            ..element.clone()
        };
        if !element.is_identity() && known.insert(key) {
            elements.push(element);
        }
    };
    for generator in generators {
        add(generator.clone(), &mut elements);
    }
    let mut at = 0;
    while at < elements.len() {
        for generator in generators {
            add(elements[at].then(generator), &mut elements);
            if elements.len() >= MOST_LISTED {
                return None;
            }
        }
        at += 1;
    }
    Some(elements)
}

/// Symmetries and what they are conjugate to by one another, if these are few: exchanges of neighbours give
/// those of any two.
fn conjugates(generators: Vec<Automorphism>) -> Vec<Automorphism> {
    // Rules that occur twice have several images; states have one.
    let key = |element: &Automorphism| Automorphism {
        rules: Vec::new(),
        ..element.clone()
    };
    let mut elements = generators.clone();
    let mut known: AHashSet<Automorphism> = elements.iter().map(key).collect();
    let mut at = 0;
    while at < elements.len() {
        for by in &generators {
            let back = by.inverse();
            let conjugate = back.then(&elements[at]).then(by);
            if known.insert(key(&conjugate)) {
                elements.push(conjugate);
            }
            if elements.len() > MOST_EXCHANGES {
                return generators;
            }
        }
        at += 1;
    }
    elements
}

/// Finds representatives of packed states.
#[derive(Debug)]
pub(crate) struct Representatives {
    elements: Vec<Moves>,
    symmetries: Symmetries,
}

/// What a symmetry does to the fields of a state that it does not leave as they are.
#[derive(Debug)]
struct Moves(Vec<(Field, Field, Vec<u32>)>);

impl Moves {
    fn of(symmetry: &Automorphism, layout: &Layout) -> Self {
        let same = |images: &[u32]| (0..).zip(images).all(|(at, image)| at == *image);
        let components = (0..).zip(symmetry.components.iter().zip(&symmetry.states));
        let moved = components.filter(|(at, (to, states))| at != *to || !same(states));
        let mut moves: Vec<(Field, Field, Vec<u32>)> = moved
            .map(|(at, (to, states)): (u32, _)| {
                let [from, to] = [at, *to].map(|c| layout.components[c as usize]);
                (from, to, states.clone())
            })
            .collect();
        if !same(&symmetry.nodes) {
            moves.push((layout.node, layout.node, symmetry.nodes.clone()));
        }
        Self(moves)
    }

    #[inline(always)]
    fn image<const N: usize>(&self, state: &[u64; N]) -> [u64; N] {
        let mut image = *state;
        for (from, to, images) in &self.0 {
            to.set(&mut image, images[from.get(state) as usize]);
        }
        image
    }
}

impl Representatives {
    /// For states that are packed like this.
    pub(crate) fn new(symmetries: Symmetries, layout: &Layout) -> Self {
        let elements = symmetries.elements.iter();
        Self {
            elements: elements.map(|e| Moves::of(e, layout)).collect(),
            symmetries,
        }
    }

    /// The short way for states of one word, if rules only keep and flip bits, and some of them lead on.
    pub(crate) fn images(
        &self,
        layout: &Layout,
        rules: &[(u64, u64)],
        usual: [u64; 2],
    ) -> Option<Images> {
        let Symmetries { elements, all, .. } = &self.symmetries;
        all.then(|| Images::new(elements, layout, rules, usual))?
    }

    /// Replaces a state by a representative of its orbit.
    pub(crate) fn replace<const N: usize>(&self, state: &mut [u64; N]) {
        if self.symmetries.all {
            let images = self.elements.iter().map(|element| element.image(state));
            if let Some(least) = images.min()
                && least < *state
            {
                *state = least;
            }
            return;
        }
        let (mut at, mut tried) = (0, 0);
        while tried < self.elements.len() {
            let image = self.elements[at].image(state);
            tried += 1;
            if image < *state {
                *state = image;
                tried = 0;
            }
            at = (at + 1) % self.elements.len();
        }
    }
}
