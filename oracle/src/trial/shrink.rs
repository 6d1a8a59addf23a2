//! Small scripts from large ones: a claim that fails to agree is cut down as long as it still does.

use super::compare::{Compared, compare};
use super::product::Setup;
use crate::claim::Claim;
use crate::events::Events;
use crate::generate::Case;
use crate::generate::dress::Dress;
use crate::term::{Binary, Constant, Many, Term, Unary};

/// The smallest case that could be found on which product and judges still disagree.
#[must_use]
pub fn shrink(case: &Case, dress: Dress, setup: Setup) -> Case {
    let mut best = case.clone();
    best.systems.clear();
    if !disagrees(&best, dress, setup) {
        return case.clone();
    }
    while let Some(smaller) = candidates(&best)
        .into_iter()
        .find(|c| disagrees(c, dress, setup))
    {
        best = smaller;
    }
    best
}

fn disagrees(case: &Case, dress: Dress, setup: Setup) -> bool {
    is_guarded(case)
        && compare(case, dress, setup)
            .iter()
            .any(|c| matches!(c, Compared::Disagree(_)))
}

/// Cases that differ by one small step, the boldest first.
fn candidates(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (i, body) in case.definitions.bodies.iter().enumerate() {
        for smaller in smaller(body) {
            let mut new = case.clone();
            new.definitions.bodies[i] = smaller;
            all.push(new);
        }
    }
    for (i, claim) in case.claims.iter().enumerate() {
        for smaller in smaller_claims(claim, &case.definitions.bodies) {
            let mut new = case.clone();
            new.claims[i] = smaller;
            all.push(new);
        }
    }
    all.retain(names_its_section);
    all
}

/// Whether the claims name processes of the Timed section, if there is one: what takes time means nothing
/// outside.
fn names_its_section(case: &Case) -> bool {
    let is_name = |term: &Term| matches!(term, Term::Name(_));
    case.timed.is_none()
        || case
            .claims
            .iter()
            .all(|c| is_name(c.process()) && c.specification().is_none_or(is_name))
}

fn smaller_claims(claim: &Claim, bodies: &[Term]) -> Vec<Claim> {
    let mut all = Vec::new();
    let mut replace = |term: &Term, with: &dyn Fn(Term) -> Claim| {
        all.extend(smaller(term).into_iter().map(with));
        if let Term::Name(n) = term {
            // A name may give way to what it stands for if it is not recursive.
            let body = &bodies[*n];
            if !body.any(&mut |t| t == term) {
                all.push(with(body.clone()));
            }
        }
    };
    match claim.clone() {
        Claim::Refines {
            specification,
            implementation,
            model,
        } => {
            replace(&specification, &|specification| Claim::Refines {
                specification,
                implementation: implementation.clone(),
                model,
            });
            replace(&implementation, &|implementation| Claim::Refines {
                specification: specification.clone(),
                implementation,
                model,
            });
        }
        Claim::DeadlockFree { process, strict } => {
            replace(&process, &|process| Claim::DeadlockFree { process, strict });
        }
        Claim::DivergenceFree { process } => {
            replace(&process, &|process| Claim::DivergenceFree { process });
        }
        Claim::Deterministic { process, strict } => {
            replace(&process, &|process| Claim::Deterministic {
                process,
                strict,
            });
        }
        Claim::HasTrace {
            process,
            model,
            trace,
        } => {
            replace(&process, &|process| Claim::HasTrace {
                process,
                model,
                trace: trace.clone(),
            });
            for n in 0..trace.len() {
                let mut trace = trace.clone();
                trace.remove(n);
                all.push(Claim::HasTrace {
                    process: process.clone(),
                    model,
                    trace,
                });
            }
        }
    }
    all
}

/// Terms that are smaller by one step anywhere.
fn smaller(term: &Term) -> Vec<Term> {
    let mut all: Vec<Term> = Vec::new();
    if term.size() > 1 {
        all.extend([Term::STOP, Term::SKIP]);
        all.extend(term.arguments().into_iter().cloned());
    } else if *term != Term::STOP {
        all.push(Term::STOP);
    }
    for (i, argument) in term.arguments().into_iter().enumerate() {
        all.extend(
            smaller(argument)
                .into_iter()
                .map(|a| term.with_argument(i, a)),
        );
    }
    let fewer = |set: Events| set.iter().map(move |e| set.without(Events::one(e)));
    match term {
        Term::Constant(Constant::Run(a)) => {
            all.extend(fewer(*a).map(|a| Term::Constant(Constant::Run(a))));
        }
        Term::Constant(Constant::Chaos(a)) => {
            all.extend(fewer(*a).map(|a| Term::Constant(Constant::Chaos(a))));
        }
        Term::Unary(Unary::Hide(a), p) => {
            all.extend(fewer(*a).map(|a| Term::Unary(Unary::Hide(a), p.clone())));
        }
        Term::Unary(Unary::Project(a), p) => {
            all.extend(fewer(*a).map(|a| Term::Unary(Unary::Project(a), p.clone())));
        }
        Term::Unary(Unary::Offer(a), p) if a.len() > 1 => {
            all.extend(fewer(*a).map(|a| Term::Unary(Unary::Offer(a), p.clone())));
        }
        Term::Unary(Unary::Select(a), p) if a.len() > 1 => {
            all.extend(fewer(*a).map(|a| Term::Unary(Unary::Select(a), p.clone())));
        }
        Term::Unary(Unary::Watch(kind, a, bad), p) => {
            let with = |a| Term::Unary(Unary::Watch(*kind, a, *bad), p.clone());
            all.extend(fewer(*a).map(with));
        }
        Term::Binary(Binary::Parallel(a), p, q) => {
            all.extend(fewer(*a).map(|a| Term::Binary(Binary::Parallel(a), p.clone(), q.clone())));
        }
        Term::Binary(Binary::SyncExternal(a), p, q) => {
            let with = |a| Term::Binary(Binary::SyncExternal(a), p.clone(), q.clone());
            all.extend(fewer(*a).map(with));
        }
        Term::Many(op, arguments)
            if arguments.len() > 2 && !matches!(op, Many::Alphabetised(_)) =>
        {
            for n in 0..arguments.len() {
                let mut arguments = arguments.clone();
                arguments.remove(n);
                all.push(Term::Many(op.clone(), arguments));
            }
        }
        _ => {}
    }
    all
}

/// Whether every recursion passes a prefix, so that the cut has not made it ill-founded.
fn is_guarded(case: &Case) -> bool {
    let bodies = &case.definitions.bodies;
    let mut needs: Vec<Vec<usize>> = bodies.iter().map(unguarded).collect();
    // Names that need nothing are taken away; what is left over is a cycle.
    let mut alive: Vec<usize> = (0..bodies.len()).collect();
    loop {
        let before = alive.len();
        alive.retain(|n| !needs[*n].is_empty());
        if alive.is_empty() {
            return true;
        }
        if alive.len() == before {
            return false;
        }
        for need in &mut needs {
            need.retain(|n| alive.contains(n));
        }
    }
}

/// The names that a term may begin with. What is hidden, linked or watched guards nothing.
fn unguarded(term: &Term) -> Vec<usize> {
    match term {
        Term::Name(n) => vec![*n],
        Term::Unary(Unary::Prefix(_) | Unary::Offer(_) | Unary::Select(_), _) => Vec::new(),
        Term::Unary(Unary::Hide(_) | Unary::Project(_) | Unary::Watch(..), p) => names(p),
        Term::Binary(Binary::Linked(_), p, q) => [names(p), names(q)].concat(),
        Term::Many(Many::Linked(_), ps) => ps.iter().flat_map(names).collect(),
        Term::Binary(Binary::Exception(_), p, _) => unguarded(p),
        other => other.arguments().into_iter().flat_map(unguarded).collect(),
    }
}

fn names(term: &Term) -> Vec<usize> {
    let mut all = Vec::new();
    term.any(&mut |t| {
        if let Term::Name(n) = t {
            all.push(*n);
        }
        false
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Source;

    #[test]
    fn what_takes_time_stays_in_its_section() {
        for seed in 0..20 {
            let smaller = candidates(&Source::Timed.case(seed));
            assert!(!smaller.is_empty(), "seed {seed}");
            for case in smaller.iter().filter(|case| is_guarded(case)) {
                // Working out what to expect would break down.
                assert!(case.expecting_script().contains("Timed"), "seed {seed}");
            }
        }
    }
}
