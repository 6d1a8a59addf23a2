//! Specifications and implementations that have something to do with one another.
//!
//! Two random processes hardly ever refine one another. So one side is usually derived from the
//! other: by adding nondeterminism to the specification somewhere inside (operators are monotonic, so
//! then refinement holds in every model), by resolving it in the implementation, by rewriting with
//! laws, or by a small change that may or may not matter.

use super::terms::Scope;
use crate::random::Random;
use crate::term::{Binary, Constant, Term, Unary};

/// A specification with an implementation.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The left side of a refinement.
    pub specification: Term,
    /// The right side.
    pub implementation: Term,
}

/// How the one side is made from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The specification may choose something else somewhere.
    Widened,
    /// The implementation has one internal choice fewer.
    Resolved,
    /// Both mean the same by a law.
    Rewritten,
    /// One place differs.
    Changed,
    /// The specification may do anything, but without end.
    Chaotic,
    /// The sides have nothing to do with one another.
    Unrelated,
}

impl Pairing {
    /// Any of them; those under which refinement is sure to hold are chosen a little less often than
    /// not, since the others may hold by chance.
    pub fn choose(random: &mut Random) -> Self {
        match random.weighted(&[16, 10, 8, 40, 4, 22]) {
            0 => Self::Widened,
            1 => Self::Resolved,
            2 => Self::Rewritten,
            3 => Self::Changed,
            4 => Self::Chaotic,
            _ => Self::Unrelated,
        }
    }

    /// Makes a pair that has to do with the given term.
    pub fn pair(self, random: &mut Random, scope: &Scope, term: Term) -> Pair {
        let other = match self {
            Self::Widened => {
                let size = 1 + random.below(4);
                let alternative = scope.closed(random, size);
                edit(random, &term, &mut |_, t| widen(t, &alternative))
            }
            Self::Resolved => {
                let resolved = edit_where(random, &term, is_internal, &mut |r, t| {
                    t.arguments()[r.below(2)].clone()
                });
                return Pair {
                    specification: term,
                    implementation: resolved,
                };
            }
            Self::Rewritten => edit(random, &term, &mut rewrite),
            Self::Changed => edit(random, &term, &mut |r, t| change(r, scope, t)),
            Self::Chaotic => {
                let all = crate::events::Events::first(scope.events);
                let chaos = Term::Constant(Constant::Chaos(all));
                Term::binary(Binary::Internal, chaos, Term::SKIP)
            }
            Self::Unrelated => {
                let size = 1 + random.below(8);
                scope.closed(random, size)
            }
        };
        if self == Self::Changed && random.percent(50) {
            return Pair {
                specification: term,
                implementation: other,
            };
        }
        Pair {
            specification: other,
            implementation: term,
        }
    }
}

fn is_internal(term: &Term) -> bool {
    matches!(term, Term::Binary(Binary::Internal, ..))
}

fn widen(term: &Term, alternative: &Term) -> Term {
    Term::binary(Binary::Internal, term.clone(), alternative.clone())
}

/// Edits one place of a term, each as likely.
fn edit(
    random: &mut Random,
    term: &Term,
    change: &mut dyn FnMut(&mut Random, &Term) -> Term,
) -> Term {
    edit_where(random, term, |_| true, change)
}

/// Edits one of the places that fit; the term stays as it is if there are none.
fn edit_where(
    random: &mut Random,
    term: &Term,
    fits: fn(&Term) -> bool,
    change: &mut dyn FnMut(&mut Random, &Term) -> Term,
) -> Term {
    let mut count = 0;
    term.any(&mut |t| {
        count += usize::from(fits(t));
        false
    });
    if count == 0 {
        return term.clone();
    }
    let mut left = random.below(count);
    edit_nth(random, term, fits, &mut left, change).unwrap_or_else(|| term.clone())
}

fn edit_nth(
    random: &mut Random,
    term: &Term,
    fits: fn(&Term) -> bool,
    left: &mut usize,
    change: &mut dyn FnMut(&mut Random, &Term) -> Term,
) -> Option<Term> {
    if fits(term) {
        if *left == 0 {
            return Some(change(random, term));
        }
        *left -= 1;
    }
    for (i, argument) in term.arguments().into_iter().enumerate() {
        if let Some(new) = edit_nth(random, argument, fits, left, change) {
            return Some(term.with_argument(i, new));
        }
    }
    None
}

/// The same process, written otherwise; the laws hold in every model.
fn rewrite(random: &mut Random, term: &Term) -> Term {
    match (random.below(4), term) {
        (
            0,
            Term::Binary(op @ (Binary::External | Binary::Internal | Binary::Interleave), p, q),
        ) => Term::Binary(*op, q.clone(), p.clone()),
        (0, Term::Binary(op @ (Binary::Parallel(_) | Binary::SyncExternal(_)), p, q)) => {
            Term::Binary(*op, q.clone(), p.clone())
        }
        (1, _) => Term::binary(Binary::External, term.clone(), Term::STOP),
        (2, _) => Term::binary(Binary::Sliding, Term::STOP, term.clone()),
        _ => Term::binary(Binary::Internal, term.clone(), term.clone()),
    }
}

/// One operator, event or part exchanged.
fn change(random: &mut Random, scope: &Scope, term: &Term) -> Term {
    match (random.below(4), term) {
        (0, Term::Unary(Unary::Prefix(_), p)) => {
            Term::Unary(Unary::Prefix(scope.event(random)), p.clone())
        }
        (0 | 1, Term::Unary(Unary::Hide(_), p)) => {
            Term::Unary(Unary::Hide(scope.set(random)), p.clone())
        }
        (0 | 1, Term::Unary(Unary::Rename(_), p)) => {
            Term::Unary(Unary::Rename(scope.renaming(random)), p.clone())
        }
        (0 | 1, Term::Binary(_, p, q)) => {
            let operators = [
                Binary::External,
                Binary::Internal,
                Binary::Sliding,
                Binary::Interleave,
                Binary::Interrupt,
                Binary::Parallel(scope.set(random)),
                Binary::SyncExternal(scope.set(random)),
                Binary::Exception(scope.set(random)),
                Binary::Sequence,
            ];
            Term::Binary(*random.pick(&operators), p.clone(), q.clone())
        }
        (2, _) => {
            let size = 1 + random.below(3);
            scope.closed(random, size)
        }
        _ => {
            let arguments = term.arguments();
            if arguments.is_empty() {
                scope.closed(random, 1)
            } else {
                (*random.pick(&arguments)).clone()
            }
        }
    }
}
