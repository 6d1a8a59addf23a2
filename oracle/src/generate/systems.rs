//! Random transition systems, written as mutually recursive definitions.
//!
//! A state is the external choice of its transitions, and τ is the event `d`, which is hidden from
//! outside: so the product explores exactly the system that was drawn.

use super::{Case, all_claims};
use crate::events::{Event, Events};
use crate::random::Random;
use crate::system::{Label, System};
use crate::term::{Binary, Definitions, Term, Unary};

/// The event that stands for τ.
const SILENT: Event = Event(3);

/// What kind of systems to draw.
#[derive(Clone, Copy, Debug)]
struct Kind {
    states: usize,
    events: usize,
    /// How often a transition is τ, in a hundred.
    silent: usize,
    /// How often a transition is ✓, in a hundred.
    tick: usize,
    /// Transitions for each state, on average, in tenths.
    density: usize,
}

fn draw(random: &mut Random, kind: Kind) -> System {
    // The last state has no transitions, and is where ✓ leads.
    let end = kind.states;
    let mut transitions = vec![Vec::new(); kind.states + 1];
    let count = (kind.states * kind.density).div_ceil(10);
    for _ in 0..count {
        let from = random.below(kind.states);
        transitions[from].push(transition(random, kind, end));
    }
    tidy(&mut transitions);
    System { transitions }
}

fn transition(random: &mut Random, kind: Kind, end: usize) -> (Label, usize) {
    let to = random.below(kind.states);
    if random.percent(kind.silent) {
        (Label::Tau, to)
    } else if random.percent(kind.tick) {
        (Label::Event(Event::TICK), end)
    } else {
        let event = u8::try_from(random.below(kind.events)).expect("few events");
        (Label::Event(Event(event)), to)
    }
}

fn tidy(transitions: &mut [Vec<(Label, usize)>]) {
    for own in transitions {
        own.sort_unstable();
        own.dedup();
    }
}

/// A system that has to do with the given one.
fn relative(random: &mut Random, kind: Kind, system: &System) -> System {
    let mut new = system.clone();
    let end = new.transitions.len() - 1;
    match random.below(4) {
        // More transitions: more behaviour, mostly.
        0 => {
            for _ in 0..=random.below(2) {
                let from = random.below(end);
                let extra = transition(random, kind, end);
                new.transitions[from].push(extra);
            }
        }
        // Fewer.
        1 => {
            let from = random.below(end);
            new.transitions[from].pop();
        }
        // One leads elsewhere.
        2 => {
            let from = random.below(end);
            if let Some(last) = new.transitions[from].last_mut()
                && last.0 != Label::Event(Event::TICK)
            {
                last.1 = random.below(end);
            }
        }
        // τ to another state: more nondeterminism, which every stable behaviour survives.
        _ => {
            let (from, to) = (random.below(end), random.below(end));
            new.transitions[from].push((Label::Tau, to));
        }
    }
    tidy(&mut new.transitions);
    new
}

/// The definitions of a system's states; the first is the start.
pub fn define(definitions: &mut Definitions, system: &System) -> Term {
    let first = definitions.bodies.len();
    for own in &system.transitions {
        let branch = |(label, to): &(Label, usize)| match *label {
            Label::Event(Event::TICK) => Term::SKIP,
            Label::Tau => Term::unary(Unary::Prefix(SILENT), Term::Name(first + to)),
            Label::Event(event) => Term::unary(Unary::Prefix(event), Term::Name(first + to)),
        };
        let body = own
            .iter()
            .map(branch)
            .reduce(|all, next| Term::binary(Binary::External, all, next));
        definitions.bodies.push(body.unwrap_or(Term::STOP));
    }
    Term::unary(Unary::Hide(Events::one(SILENT)), Term::Name(first))
}

/// Claims about a pair of systems.
pub fn claims_of(
    case: &mut Case,
    random: &mut Random,
    specification: &System,
    implementation: &System,
) {
    let s = define(&mut case.definitions, specification);
    let i = define(&mut case.definitions, implementation);
    for claim in all_claims(random, 2, &s, &i) {
        case.claims.push(claim);
        case.systems
            .push(Some((Some(specification.clone()), implementation.clone())));
    }
}

/// An empty case.
#[must_use]
pub fn no_claims() -> Case {
    Case {
        definitions: Definitions {
            events: SILENT.0 + 1,
            bodies: Vec::new(),
        },
        claims: Vec::new(),
        systems: Vec::new(),
        silence_over: None,
        timed: None,
    }
}

/// A case of this kind.
#[must_use]
pub fn case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let kind = Kind {
        states: 1 + random.below(6),
        events: 1 + random.below(3),
        silent: *random.pick(&[0, 10, 25, 40]),
        tick: *random.pick(&[0, 10, 20]),
        density: 10 + random.below(20),
    };
    let mut case = no_claims();
    for _ in 0..3 {
        let implementation = draw(&mut random, kind);
        let specification = match random.below(8) {
            0 => implementation.clone(),
            1 | 2 => draw(&mut random, kind),
            _ => {
                let mut relative_of = relative(&mut random, kind, &implementation);
                if random.percent(30) {
                    relative_of = relative(&mut random, kind, &relative_of);
                }
                relative_of
            }
        };
        if random.percent(50) {
            claims_of(&mut case, &mut random, &specification, &implementation);
        } else {
            claims_of(&mut case, &mut random, &implementation, &specification);
        }
    }
    case
}
