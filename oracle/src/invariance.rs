//! What must not change an answer: threads, the treatment of leaves, the order of components, the
//! names of events, and partial-order reduction.

use csp_compiler::assemble::LeafCompression;

use crate::claim::{Claim, Evidence};
use crate::events::{Event, MOST_EVENTS};
use crate::generate::Case;
use crate::random::Random;
use crate::run::Source;
use crate::term::{Binary, Term};
use crate::trial::product::{Answer, Setup, answers};

/// What is compared of two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    /// The verdict alone.
    Verdict,
    /// The counts too if it holds, and else how many steps the counterexample has. (Of states that are
    /// as far away as the first violation, more or fewer may have been seen; and a lack of determinism
    /// may be seen as an event too many or as one too few, after different steps.)
    Shape,
    /// Everything.
    All,
}

/// The part of an answer that is compared; nothing if there was a limit.
fn part(answer: &Answer, compare: Compare) -> Option<String> {
    let (verdict, counterexample, counts) = match answer {
        Answer::Holds(counts) => ("holds", None, *counts),
        Answer::Fails(counterexamples, counts) => ("fails", counterexamples.first(), *counts),
        Answer::Inconclusive(_) | Answer::GivenUp | Answer::Denied(_) => return None,
        Answer::Error(why) | Answer::Panic(why) => return Some(why.clone()),
    };
    Some(match (compare, counterexample) {
        (Compare::Verdict, _) => verdict.to_owned(),
        (Compare::Shape, None) => format!("{verdict} {counts:?}"),
        (Compare::Shape, Some(c)) => format!("{verdict} {}", c.steps),
        (Compare::All, _) => format!("{verdict} {counts:?} {counterexample:?}"),
    })
}

/// Whether an answer shows a divergence. The way into the cycle may be longer than the way to where it
/// can be foreseen, and something else may be seen as soon as that.
fn shows_divergence(answer: &Answer) -> bool {
    match answer {
        Answer::Fails(counterexamples, _) => counterexamples
            .first()
            .is_some_and(|c| matches!(c.evidence, Evidence::Divergence)),
        _ => false,
    }
}

/// Every way in which one seed's answers differ though they should not.
#[must_use]
pub fn differences(source: Source, seed: u64) -> Vec<String> {
    let case = source.case(seed);
    let script = case.script();
    let usual = answers(&script, Setup::default());
    let mut found = Vec::new();
    let mut expect = |what: &str, given: &[Answer], compare: Compare| {
        for (i, answer) in given.iter().enumerate() {
            let claim = &case.claims[i];
            let divergent = shows_divergence(answer) || shows_divergence(&usual[i]);
            let compare = match (compare, claim, answer) {
                (Compare::Shape, Claim::Deterministic { .. }, Answer::Fails(..)) => {
                    Compare::Verdict
                }
                (Compare::Shape, ..) if divergent => Compare::Verdict,
                _ => compare,
            };
            let (was, is) = (part(&usual[i], compare), part(answer, compare));
            if was.is_some() && is.is_some() && was != is {
                found.push(format!(
                    "{source:?} seed {seed}, {what}: {was:?}, then {is:?}\n{claim}"
                ));
            }
        }
    };
    let plain = Setup::default();
    for threads in [2, 3, 8] {
        let given = answers(&script, Setup { threads, ..plain });
        expect(&format!("{threads} threads"), &given, Compare::All);
    }
    for leaves in [LeafCompression::Sbisim, LeafCompression::Wbisim] {
        let given = answers(&script, Setup { leaves, ..plain });
        expect(&format!("{leaves:?}"), &given, Compare::Verdict);
    }
    let setup = Setup {
        small_leaf: Some(0),
        ..plain
    };
    expect("networks", &answers(&script, setup), Compare::Verdict);
    let setup = Setup {
        reduced: false,
        ..plain
    };
    expect("no reduction", &answers(&script, setup), Compare::Verdict);
    let given = answers(&reordered(&case).script(), plain);
    expect("order of components", &given, Compare::Shape);
    let given = answers(&renamed(&case, seed).script(), plain);
    expect("names of events", &given, Compare::Shape);
    for option in ["", " [precise]", " [fast]"] {
        let reduced = script.replace('\n', &format!(" :[partial order reduce{option}]\n"));
        let script = only_assertions(&script, &reduced);
        expect("partial order", &answers(&script, plain), Compare::Verdict);
    }
    let books = Setup {
        textbook: true,
        ..plain
    };
    let signals = answers(&script, books);
    let settled = answers(&settled(&case).script(), books);
    for (i, claim) in case.claims.iter().enumerate() {
        let (was, is) = (
            part(&signals[i], Compare::Verdict),
            part(&settled[i], Compare::Verdict),
        );
        if was.is_some() && is.is_some() && was != is {
            found.push(format!(
                "{source:?} seed {seed}, ✓ a signal: {was:?}, and settled: {is:?}\n{claim}"
            ));
        }
    }
    found
}

/// Takes the assertions from one text and all other lines from another.
fn only_assertions(lines: &str, assertions: &str) -> String {
    let pick = |(plain, changed): (&str, &str)| {
        let line = if plain.starts_with("assert") {
            changed
        } else {
            plain
        };
        format!("{line}\n")
    };
    lines.lines().zip(assertions.lines()).map(pick).collect()
}

/// The sides of every symmetric parallel operator exchanged.
fn reordered(case: &Case) -> Case {
    fn swapped(term: &Term) -> Term {
        let mut new = term.clone();
        for (i, argument) in term.arguments().into_iter().enumerate() {
            new = new.with_argument(i, swapped(argument));
        }
        match new {
            Term::Binary(op @ (Binary::Interleave | Binary::Parallel(_)), p, q) => {
                Term::Binary(op, q, p)
            }
            Term::Binary(Binary::Alphabetised(a, b), p, q) => {
                Term::Binary(Binary::Alphabetised(b, a), q, p)
            }
            other => other,
        }
    }
    everywhere(case, &swapped)
}

/// The events exchanged for one another.
fn renamed(case: &Case, seed: u64) -> Case {
    let mut random = Random::new(seed);
    // What marks time stays what it is.
    let count = usize::from(case.definitions.events) - usize::from(case.timed.is_some());
    let mut to: [Event; MOST_EVENTS as usize] =
        std::array::from_fn(|i| Event(u8::try_from(i).expect("few events")));
    for i in (1..count).rev() {
        to.swap(i, random.below(i + 1));
    }
    let mut new = everywhere(case, &|t| t.permuted(&to));
    new.timed = case.timed.map(|durations| {
        let mut new = durations;
        for (event, time) in to.iter().zip(durations) {
            new[usize::from(event.0)] = time;
        }
        new
    });
    let low = case.silence_over;
    new.silence_over = low.map(|s| s.iter().map(|e| to[usize::from(e.0)]).collect());
    for claim in &mut new.claims {
        if let Claim::HasTrace { trace, .. } = claim {
            for event in trace {
                *event = to[usize::from(event.0)];
            }
        }
    }
    new
}

/// Every process followed by SKIP, which changes nothing where ✓ is a signal.
fn settled(case: &Case) -> Case {
    let mut new = case.clone();
    let then_skip = |t: &Term| Term::binary(Binary::Sequence, t.clone(), Term::SKIP);
    new.claims = case
        .claims
        .iter()
        .map(|c| c.with_terms(&then_skip))
        .collect();
    new
}

fn everywhere(case: &Case, change: &dyn Fn(&Term) -> Term) -> Case {
    let mut new = case.clone();
    for body in &mut new.definitions.bodies {
        *body = change(body);
    }
    new.claims = case.claims.iter().map(|c| c.with_terms(change)).collect();
    new
}
