//! Random networks: two to four small recursive components, put together by the operators that
//! synchronise, under hiding and renaming, and by operators that switch components on and off.

use super::Case;
use super::terms::{Scope, claims_about};
use crate::random::Random;
use crate::term::{Binary, Compression, Definitions, Many, Term, Unary};

/// A component: mostly prefixes and choices, recursive in itself.
pub(super) fn component(
    random: &mut Random,
    definitions: &mut Definitions,
    scope: &mut Scope,
) -> usize {
    let name = definitions.bodies.len();
    let count = 1 + random.below(2);
    for own in 0..count {
        let next = name + random.below(count);
        let mut body: Option<Term> = None;
        for _ in 0..=random.below(3) {
            let mut branch = match random.below(8) {
                0 => Term::SKIP,
                1 => Term::STOP,
                _ => Term::Name(next),
            };
            for _ in 0..=random.below(2) {
                branch = Term::unary(Unary::Prefix(scope.event(random)), branch);
            }
            let choice = *random.pick(&[
                Binary::External,
                Binary::External,
                Binary::Internal,
                Binary::Sliding,
            ]);
            body = Some(match body {
                Some(before) => Term::binary(choice, before, branch),
                None => branch,
            });
        }
        definitions.bodies.push(body.expect("there is a branch"));
        assert_eq!(definitions.bodies.len(), name + own + 1);
    }
    scope.complete.extend(name..name + count);
    name
}

/// A network of the components between two places of the list.
fn network(random: &mut Random, scope: &Scope, components: &[usize]) -> Term {
    let together = match components {
        [one] => Term::Name(*one),
        _ if random.percent(25) => {
            let arguments = components.iter().map(|c| Term::Name(*c)).collect();
            let operator = match random.below(5) {
                0 => Many::Interleave,
                4 => Many::Linked(scope.links(random)),
                1 => Many::Parallel(scope.set(random)),
                _ => Many::Alphabetised(components.iter().map(|_| scope.set(random)).collect()),
            };
            Term::Many(operator, arguments)
        }
        _ => {
            let middle = 1 + random.below(components.len() - 1);
            let (left, right) = components.split_at(middle);
            let left = network(random, scope, left);
            let right = network(random, scope, right);
            let operator = match random.weighted(&[2, 5, 5, 2, 1, 1, 1, 1, 1, 1, 1]) {
                0 => Binary::Interleave,
                1 => Binary::Parallel(scope.set(random)),
                2 => Binary::Alphabetised(scope.set(random), scope.set(random)),
                3 => Binary::Linked(scope.links(random)),
                4 => Binary::Sequence,
                5 => Binary::Interrupt,
                6 => Binary::Exception(scope.set(random)),
                7 => Binary::External,
                8 => Binary::Sliding,
                9 => Binary::SyncExternal(scope.set(random)),
                _ => Binary::SyncInterrupt(scope.set(random)),
            };
            Term::binary(operator, left, right)
        }
    };
    match random.below(6) {
        0 => Term::unary(Unary::Hide(scope.set(random)), together),
        1 => Term::unary(Unary::Rename(scope.renaming(random)), together),
        2 if random.percent(30) => Term::unary(Unary::Project(scope.set(random)), together),
        3 if scope.compressions > 0 => {
            let compression = *random.pick(&Compression::ALL);
            Term::unary(Unary::Compress(compression), together)
        }
        4 if scope.priority > 0 => Term::unary(Unary::Prioritise(scope.order(random)), together),
        _ => together,
    }
}

/// A case of this kind; with orders of priority so often, in a hundred.
#[must_use]
pub fn case(seed: u64, priority: usize) -> Case {
    let mut random = Random::new(seed);
    let events = 2 + u8::try_from(random.below(3)).expect("few events");
    let mut definitions = Definitions {
        events,
        bodies: Vec::new(),
    };
    let mut scope = Scope {
        compressions: if random.percent(15) { 10 } else { 0 },
        divergence: 1,
        priority,
        ..Scope::plain(events)
    };
    let count = 2 + random.below(3);
    let components: Vec<usize> = (0..count)
        .map(|_| component(&mut random, &mut definitions, &mut scope))
        .collect();
    let mut claims = Vec::new();
    for _ in 0..2 {
        let start = network(&mut random, &scope, &components);
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
