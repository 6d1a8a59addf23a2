//! One case: what the product answers, and what the judges say to that.

use super::product::{Answer, Setup, answers};
use crate::claim::{Claim, Counterexample};
use crate::denote::{Meanings, Termination, TooLarge};
use crate::generate::Case;
use crate::generate::dress::Dress;
use crate::system::{Steps, System};
use crate::term::{Binary, Constant, Definitions, Many, Term, Unary};
use crate::verdict::Verdict;

/// What became of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Product and judges agree that it holds or fails.
    Agree {
        /// It holds.
        holds: bool,
        /// It fails, and the counterexample was compared with a shortest one.
        shortest: bool,
        /// A reduction left something out.
        reduced: bool,
    },
    /// It was too large for one of them.
    Skipped(Skipped),
    /// They do not agree; why, in words.
    Disagree(String),
}

/// Why a claim was not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The judge has too many residuals.
    Oracle,
    /// The product reached a limit.
    Product,
    /// The product took too long.
    GivenUp,
}

/// Residuals after which the judge gives up.
const MOST_RESIDUALS: usize = 4_000;

/// Runs a case and compares all of its claims.
#[must_use]
pub fn compare(case: &Case, dress: Dress, setup: Setup) -> Vec<Compared> {
    let given = answers(&dress.dress(&case.script()), setup);
    if given.len() != case.claims.len() {
        let said = format!("the product answers {given:?}");
        return vec![Compared::Disagree(said); case.claims.len()];
    }
    let meant = case.meant();
    let termination = if setup.textbook {
        Termination::Books
    } else {
        Termination::Event
    };
    let mut meanings = Meanings::new(&meant, MOST_RESIDUALS).reading(termination);
    let mut results = Vec::with_capacity(given.len());
    for (i, answer) in given.iter().enumerate() {
        let systems = case.systems.get(i).and_then(Option::as_ref);
        let claim = case.judged(i);
        let answer = match (dress.denied, answer) {
            (true, Answer::Denied(inner)) => inner,
            (false, Answer::Denied(_)) | (true, Answer::Holds(_) | Answer::Fails(..)) => {
                let why = "`not` is seen where there is none, or is not seen";
                results.push(Compared::Disagree(why.to_owned()));
                continue;
            }
            (_, answer) => answer,
        };
        let shortest = !setup.reductions.partial_order;
        let reading = (termination, shortest);
        let result = judge(&mut meanings, &meant, reading, &claim, systems, answer);
        if result == Err(TooLarge) {
            meanings = Meanings::new(&meant, MOST_RESIDUALS).reading(termination);
        }
        results.push(result.unwrap_or(Compared::Skipped(Skipped::Oracle)));
    }
    results
}

fn judge(
    meanings: &mut Meanings<'_>,
    definitions: &Definitions,
    (termination, in_order): (Termination, bool),
    claim: &Claim,
    systems: Option<&(Option<System>, System)>,
    answer: &Answer,
) -> Result<Compared, TooLarge> {
    let (holds, counterexamples, counts) = match answer {
        Answer::Holds(counts) => (true, &[][..], counts),
        Answer::Fails(counterexamples, counts) => (false, &counterexamples[..], counts),
        Answer::Inconclusive(_) | Answer::Denied(_) => {
            return Ok(Compared::Skipped(Skipped::Product));
        }
        Answer::GivenUp => return Ok(Compared::Skipped(Skipped::GivenUp)),
        Answer::Error(why) => return Ok(Compared::Disagree(format!("refused: {why}"))),
        Answer::Panic(why) => return Ok(Compared::Disagree(format!("panic: {why}"))),
    };
    let verdict = meanings.judge(claim)?;
    if verdict.holds() != holds {
        return Ok(Compared::Disagree(format!(
            "the product says {}, the definitions say {verdict:?}; {counterexamples:?}",
            if holds { "Holds" } else { "Fails" }
        )));
    }
    if !holds && counterexamples.is_empty() {
        return Ok(Compared::Disagree(
            "a failure without a counterexample".to_owned(),
        ));
    }
    for counterexample in counterexamples {
        if let Some(complaint) = meanings.examine(claim, counterexample)? {
            return Ok(Compared::Disagree(format!(
                "{complaint}: {counterexample:?}"
            )));
        }
    }
    if !in_order {
        return Ok(Compared::Agree {
            holds,
            shortest: false,
            reduced: counts.reduced,
        });
    }
    let silent = may_be_silent(definitions, termination, claim.process());
    let mut shortest = false;
    if let (Verdict::Fails(length), [first, ..]) = (verdict, counterexamples) {
        match visible_length(claim, first, length, silent) {
            Ok(compared) => shortest = compared,
            Err(complaint) => return Ok(Compared::Disagree(complaint)),
        }
    }
    if let Some((specification, implementation)) = systems {
        let steps = implementation.judge(claim, specification.as_ref());
        match against_systems(steps, counterexamples.first()) {
            Ok(compared) => shortest |= compared,
            Err(complaint) => return Ok(Compared::Disagree(complaint)),
        }
    }
    Ok(Compared::Agree {
        holds,
        shortest,
        reduced: counts.reduced,
    })
}

/// Compares the number of visible events with the least that is needed. Counterexamples are shortest
/// counting τ, so the two are the same for certain only if the process never does τ.
fn visible_length(
    claim: &Claim,
    counterexample: &Counterexample,
    length: usize,
    silent: bool,
) -> Result<bool, String> {
    if matches!(claim, Claim::HasTrace { .. } | Claim::Deterministic { .. }) {
        return Ok(false);
    }
    let own = counterexample.trace.len();
    if own < length {
        return Err(format!("{length} events are needed: {counterexample:?}"));
    }
    if silent {
        return Ok(false);
    }
    if own > length || counterexample.steps != own {
        return Err(format!("{length} events are enough: {counterexample:?}"));
    }
    Ok(true)
}

fn against_systems(steps: Steps, counterexample: Option<&Counterexample>) -> Result<bool, String> {
    let (least, most) = match (steps, counterexample) {
        (Steps::Holds, None) => return Ok(false),
        (Steps::Fails(least, most), Some(_)) => (least, most),
        (Steps::Uncounted, Some(_)) => return Ok(false),
        _ => return Err(format!("by subsets of states the answer is {steps:?}")),
    };
    let counterexample = counterexample.expect("it was matched");
    if counterexample.steps < least || counterexample.steps > most {
        return Err(format!(
            "{least} steps are needed and {most} enough: {counterexample:?}"
        ));
    }
    Ok(true)
}

/// Whether the product may explore τ for this term: it has an operator that makes events silent, or, where
/// members terminate apart, a parallel one.
fn may_be_silent(definitions: &Definitions, termination: Termination, term: &Term) -> bool {
    let together = termination == Termination::Event;
    let mut names: Vec<usize> = Vec::new();
    let silent = |t: &Term, names: &mut Vec<usize>| {
        t.any(&mut |t| match t {
            Term::Name(n) => {
                if !names.contains(n) {
                    names.push(*n);
                }
                false
            }
            Term::Constant(c) => matches!(c, Constant::Div | Constant::Chaos(_)),
            Term::Unary(op, _) => matches!(
                op,
                Unary::Hide(_)
                    | Unary::Project(_)
                    | Unary::Compress(_)
                    | Unary::Select(_)
                    | Unary::Loop
                    | Unary::Watch(..)
            ),
            Term::Binary(op, ..) => match op {
                Binary::External
                | Binary::SyncExternal(_)
                | Binary::Interrupt
                | Binary::SyncInterrupt(_)
                | Binary::Exception(_) => false,
                Binary::Interleave | Binary::Parallel(_) | Binary::Alphabetised(..) => !together,
                _ => true,
            },
            Term::Many(op, _) => match op {
                Many::External | Many::SyncExternal(_) => false,
                Many::Interleave | Many::Parallel(_) | Many::Alphabetised(_) => !together,
                _ => true,
            },
        })
    };
    if silent(term, &mut names) {
        return true;
    }
    let mut next = 0;
    while next < names.len() {
        if silent(&definitions.bodies[names[next]], &mut names) {
            return true;
        }
        next += 1;
    }
    false
}
