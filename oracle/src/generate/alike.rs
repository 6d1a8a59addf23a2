//! Random networks of components that are alike, or that hardly meet: what reductions live by. Two or three
//! copies of a component, as they are or with two events exchanged, interleaved or sharing a few events; often
//! beside a group of another kind; mostly with some events hidden.

use super::Case;
use super::networks::component;
use super::terms::{Scope, claims_about};
use crate::events::Events;
use crate::random::Random;
use crate::term::{Binary, Definitions, Many, Renaming, Term, Unary};

/// Few events: each with a chance of a third.
fn few(random: &mut Random, events: u8) -> Events {
    let chosen = (0..events).filter(|_| random.percent(33));
    Events(chosen.fold(0, |bits, event| bits | 1 << event))
}

/// Copies of a component, put together.
fn copies(random: &mut Random, scope: &Scope, base: usize, count: usize) -> Term {
    let mut exchange = Renaming::identity();
    let (a, b) = (scope.event(random), scope.event(random));
    for (from, to) in [(a, b), (b, a)] {
        exchange.0[usize::from(from.0)] = Events(1 << to.0);
    }
    let mirrors = random.percent(40);
    let copy = |at: usize| match at % 2 == 1 && mirrors {
        true => Term::unary(Unary::Rename(exchange), Term::Name(base)),
        false => Term::Name(base),
    };
    let arguments: Vec<Term> = (0..count).map(copy).collect();
    let operator = match random.below(3) {
        0 => Many::Interleave,
        _ => Many::Parallel(few(random, scope.events)),
    };
    let together = Term::Many(operator, arguments);
    match random.percent(30) {
        true => Term::unary(Unary::Hide(few(random, scope.events)), together),
        false => together,
    }
}

/// A case of this kind.
#[must_use]
pub fn case(seed: u64) -> Case {
    let mut random = Random::new(seed ^ 0xA11C);
    let events = 2 + u8::try_from(random.below(3)).expect("few events");
    let mut definitions = Definitions {
        events,
        bodies: Vec::new(),
    };
    let mut scope = Scope {
        divergence: 1,
        ..Scope::plain(events)
    };
    let bases: Vec<usize> = (0..1 + random.below(2))
        .map(|_| component(&mut random, &mut definitions, &mut scope))
        .collect();
    let mut claims = Vec::new();
    for _ in 0..2 {
        let mut all: Option<Term> = None;
        for base in &bases {
            let count = if bases.len() == 1 {
                2 + random.below(2)
            } else {
                2
            };
            let group = copies(&mut random, &scope, *base, count);
            all = Some(match all {
                Some(before) if random.percent(50) => {
                    Term::binary(Binary::Interleave, before, group)
                }
                Some(before) => {
                    let shared = few(&mut random, events);
                    Term::binary(Binary::Parallel(shared), before, group)
                }
                None => group,
            });
        }
        let mut start = all.expect("there is a group");
        if random.percent(60) {
            start = Term::unary(Unary::Hide(scope.set(&mut random)), start);
        }
        claims.extend(claims_about(&mut random, &mut definitions, &scope, start));
    }
    Case {
        definitions,
        systems: vec![None; claims.len()],
        claims,
        silence_over: None,
        timed: None,
    }
}
