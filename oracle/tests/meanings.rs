//! What the judges say about processes whose meaning is known from the books or worked out by hand.

use csp_oracle::claim::{Claim, Model};
use csp_oracle::denote::{Meanings, Termination};
use csp_oracle::events::{Event, Events};
use csp_oracle::term::{Binary, Constant, Definitions, Priority, TOCK, Term, Unary, Watchdog};
use csp_oracle::verdict::Verdict;

fn prefix(event: u8, then: Term) -> Term {
    Term::unary(Unary::Prefix(Event(event)), then)
}

fn judge(definitions: &Definitions, claim: &Claim) -> Verdict {
    let mut meanings = Meanings::new(definitions, 1_000);
    meanings.judge(claim).expect("small")
}

fn refines(bodies: &[Term], specification: &Term, model: Model, implementation: &Term) -> Verdict {
    let definitions = Definitions {
        events: 3,
        bodies: bodies.to_vec(),
    };
    let claim = Claim::Refines {
        specification: specification.clone(),
        implementation: implementation.clone(),
        model,
    };
    judge(&definitions, &claim)
}

/// P = a -> b -> P, Q = a -> b -> Q [] c -> STOP, R = (a -> b -> R) |~| (c -> STOP).
#[test]
fn the_introduction_of_the_checker() {
    let round = |n| prefix(0, prefix(1, Term::Name(n)));
    let bodies = [
        round(0),
        Term::binary(Binary::External, round(1), prefix(2, Term::STOP)),
        Term::binary(Binary::Internal, round(2), prefix(2, Term::STOP)),
    ];
    let [p, q, r] = [0, 1, 2].map(Term::Name);
    let holds = |s: &Term, m, i: &Term| refines(&bodies, s, m, i);
    assert_eq!(holds(&p, Model::T, &q), Verdict::Fails(1));
    assert_eq!(holds(&q, Model::T, &p), Verdict::Holds);
    assert_eq!(holds(&q, Model::F, &p), Verdict::Fails(0));
    assert_eq!(holds(&r, Model::F, &p), Verdict::Holds);
    assert_eq!(holds(&r, Model::F, &q), Verdict::Holds);
    assert_eq!(holds(&q, Model::F, &r), Verdict::Fails(0));
    assert_eq!(holds(&q, Model::T, &r), Verdict::Holds);
    assert_eq!(holds(&Term::DIV, Model::FD, &r), Verdict::Holds);
    assert_eq!(holds(&p, Model::F, &Term::DIV), Verdict::Holds);
    assert_eq!(holds(&p, Model::FD, &Term::DIV), Verdict::Fails(0));
}

/// TE = (up -> STOP) [] SKIP: with ✓ an event, `TE ; SKIP` may refuse `up` and TE may not.
#[test]
fn tick_is_an_event_that_can_be_refused() {
    let te = Term::binary(Binary::External, prefix(0, Term::STOP), Term::SKIP);
    let settled = Term::binary(Binary::Sequence, te.clone(), Term::SKIP);
    assert_eq!(refines(&[], &te, Model::FD, &settled), Verdict::Fails(0));
    assert_eq!(refines(&[], &settled, Model::FD, &te), Verdict::Holds);
}

/// (SKIP [] b -> STOP) ||| (a -> SKIP): the left waits for the right, and offers b as long as it waits. In
/// the books' reading it may decide to end, and refuse b.
#[test]
fn who_waits_to_terminate_goes_on_offering() {
    let waits = Term::binary(Binary::External, Term::SKIP, prefix(1, Term::STOP));
    let both = Term::binary(Binary::Interleave, waits.clone(), prefix(0, Term::SKIP));
    let expected = Term::binary(
        Binary::External,
        prefix(0, waits),
        prefix(1, prefix(0, Term::STOP)),
    );
    let definitions = Definitions {
        events: 3,
        bodies: Vec::new(),
    };
    for model in [Model::T, Model::FD, Model::VD, Model::RD] {
        let claim = Claim::Refines {
            specification: expected.clone(),
            implementation: both.clone(),
            model,
        };
        assert_eq!(judge(&definitions, &claim), Verdict::Holds, "{model}");
        let mut books = Meanings::new(&definitions, 1_000).reading(Termination::Books);
        let verdict = books.judge(&claim).expect("small");
        assert_eq!(verdict.holds(), model == Model::T, "{model}");
    }
}

/// In the books' reading a terminated process is not deadlocked.
#[test]
fn the_end_is_a_deadlock_or_not() {
    let definitions = Definitions {
        events: 1,
        bodies: Vec::new(),
    };
    let ends = Term::binary(Binary::Interleave, Term::SKIP, prefix(0, Term::SKIP));
    let claim = Claim::DeadlockFree {
        process: ends,
        strict: true,
    };
    assert_eq!(judge(&definitions, &claim), Verdict::Fails(2));
    let mut books = Meanings::new(&definitions, 1_000).reading(Termination::Books);
    assert_eq!(books.judge(&claim), Ok(Verdict::Holds));
}

#[test]
fn a_terminated_side_refuses_what_it_shares() {
    let blocked = Term::binary(
        Binary::Parallel(Events(1)),
        Term::SKIP,
        prefix(0, Term::SKIP),
    );
    assert_eq!(
        refines(&[], &Term::STOP, Model::RD, &blocked),
        Verdict::Holds
    );
    assert_eq!(
        refines(&[], &blocked, Model::RD, &Term::STOP),
        Verdict::Holds
    );
    let free = Term::binary(Binary::Interleave, Term::SKIP, prefix(0, Term::SKIP));
    let same = prefix(0, Term::SKIP);
    assert_eq!(refines(&[], &same, Model::RD, &free), Verdict::Holds);
    assert_eq!(refines(&[], &free, Model::RD, &same), Verdict::Holds);
}

#[test]
fn hiding_what_goes_on_for_ever_diverges() {
    let hidden = |then| {
        Term::unary(
            Unary::Hide(Events(1)),
            Term::binary(
                Binary::External,
                Term::Constant(Constant::Run(Events(1))),
                then,
            ),
        )
    };
    let bodies = [];
    let process = hidden(prefix(1, Term::STOP));
    let definitions = Definitions {
        events: 3,
        bodies: bodies.to_vec(),
    };
    let claim = Claim::DivergenceFree {
        process: process.clone(),
    };
    assert_eq!(judge(&definitions, &claim), Verdict::Fails(0));
    // In the stable models only the trace is left of it, and what comes after.
    let visible = Term::binary(Binary::Internal, Term::DIV, prefix(1, Term::STOP));
    assert_eq!(
        refines(&bodies, &visible, Model::F, &process),
        Verdict::Holds
    );
    assert_eq!(
        refines(&bodies, &process, Model::F, &visible),
        Verdict::Fails(0)
    );
}

/// Revivals and refusal tests tell apart what failures do not.
#[test]
fn the_models_form_a_hierarchy() {
    let (a, b) = (prefix(0, Term::STOP), prefix(1, Term::STOP));
    let sliding = Term::binary(Binary::Sliding, a.clone(), b.clone());
    let choice = Term::binary(
        Binary::Internal,
        Term::binary(Binary::External, a, b.clone()),
        b,
    );
    assert_eq!(refines(&[], &sliding, Model::F, &choice), Verdict::Holds);
    assert_eq!(refines(&[], &sliding, Model::V, &choice), Verdict::Fails(0));
    assert_eq!(refines(&[], &choice, Model::V, &sliding), Verdict::Holds);
    assert_eq!(refines(&[], &sliding, Model::R, &choice), Verdict::Fails(1));
    assert_eq!(refines(&[], &choice, Model::R, &sliding), Verdict::Holds);
}

/// With P = a -> P [] b -> (b -> P [] c -> STOP), a before b before c leaves only a; without a, b comes
/// before c and P never stops. In Q = (a -> Q) [> (b -> Q), τ comes before a only if a is below it.
#[test]
fn what_gives_way_is_never_done() {
    let ordered = |classes, p| Term::unary(Unary::Prioritise(Priority::of_classes(classes)), p);
    let then = Term::binary(
        Binary::External,
        prefix(1, Term::Name(0)),
        prefix(2, Term::STOP),
    );
    let bodies = [
        Term::binary(Binary::External, prefix(0, Term::Name(0)), prefix(1, then)),
        Term::binary(
            Binary::Sliding,
            prefix(0, Term::Name(1)),
            prefix(1, Term::Name(1)),
        ),
        prefix(1, Term::Name(2)),
    ];
    let [p, q, b] = [0, 1, 2].map(Term::Name);
    let only_a = ordered([1, 2, 3, 0], p.clone());
    let run_a = Term::Constant(Constant::Run(Events(1)));
    assert_eq!(refines(&bodies, &run_a, Model::RD, &only_a), Verdict::Holds);
    let definitions = Definitions {
        events: 3,
        bodies: bodies.to_vec(),
    };
    let deadlock_free = |process| Claim::DeadlockFree {
        process,
        strict: true,
    };
    let without_c = ordered([0, 1, 2, 0], p.clone());
    assert_eq!(
        judge(&definitions, &deadlock_free(without_c)),
        Verdict::Holds
    );
    assert_eq!(judge(&definitions, &deadlock_free(p)), Verdict::Fails(2));
    let level = ordered([1, 1, 2, 0], q.clone());
    let silence_first = ordered([2, 2, 3, 0], q.clone());
    for model in Model::ALL {
        assert_eq!(refines(&bodies, &q, model, &level), Verdict::Holds);
        assert_eq!(refines(&bodies, &level, model, &q), Verdict::Holds);
        assert_eq!(refines(&bodies, &b, model, &silence_first), Verdict::Holds);
        assert_eq!(refines(&bodies, &silence_first, model, &b), Verdict::Holds);
    }
    assert_eq!(refines(&bodies, &b, Model::T, &q), Verdict::Fails(1));
}

/// P ; P ; …, which diverges if P can end at once.
#[test]
fn loops_begin_again() {
    let forever = |p| Term::unary(Unary::Loop, p);
    let round = [prefix(0, prefix(1, Term::Name(0)))];
    let loops = forever(prefix(0, prefix(1, Term::SKIP)));
    for model in Model::ALL {
        assert_eq!(refines(&round, &round[0], model, &loops), Verdict::Holds);
        assert_eq!(refines(&round, &loops, model, &round[0]), Verdict::Holds);
    }
    let endless = forever(Term::SKIP);
    assert_eq!(
        refines(&[], &Term::STOP, Model::F, &endless),
        Verdict::Holds
    );
    assert_eq!(
        refines(&[], &Term::STOP, Model::FD, &endless),
        Verdict::Fails(0)
    );
}

/// S = (a -> STOP) |~| (b -> STOP), watched on {a, b} with c to show what is wrong.
#[test]
fn watchdogs_show_what_leaves_a_specification() {
    let (a, b, c) = (Events(1), Events(2), Events(4));
    let specification = Term::binary(
        Binary::Internal,
        prefix(0, Term::STOP),
        prefix(1, Term::STOP),
    );
    let watch = |kind| Term::unary(Unary::Watch(kind, a.or(b), Event(2)), specification.clone());
    let together = |p: &Term, kind| Term::binary(Binary::Parallel(a.or(b)), p.clone(), watch(kind));
    let hidden = |p, events| Term::unary(Unary::Hide(events), p);
    let traces = |p: &Term| {
        let shown = hidden(together(p, Watchdog::Traces), a.or(b));
        refines(&[], &Term::STOP, Model::T, &shown)
    };
    let failures = |p: &Term| {
        let shown = hidden(together(p, Watchdog::Failures), a.or(b));
        refines(&[], &Term::DIV, Model::F, &shown)
    };
    let both = Term::Constant(Constant::Run(a.or(b)));
    assert_eq!(traces(&Term::STOP), Verdict::Holds);
    assert_eq!(traces(&specification), Verdict::Holds);
    assert_eq!(traces(&both), Verdict::Fails(1));
    assert_eq!(failures(&prefix(0, Term::STOP)), Verdict::Holds);
    assert_eq!(failures(&specification), Verdict::Holds);
    // It may refuse a and it may refuse b, but not both.
    assert_eq!(failures(&Term::STOP), Verdict::Fails(0));
    assert_eq!(
        failures(&Term::Constant(Constant::Chaos(c))),
        Verdict::Fails(0)
    );
}

/// a -> SKIP in a Timed section waits for a, takes one tock, and then waits to end.
#[test]
fn time_passes_in_timed_sections() {
    let section = Definitions {
        events: 4,
        bodies: vec![prefix(0, Term::SKIP), Term::STOP],
    };
    let definitions = section.timed([1; 4]);
    let can = |process, trace: &[u8]| Claim::HasTrace {
        process: Term::Name(process),
        model: Model::F,
        trace: trace.iter().map(|e| Event(*e)).collect(),
    };
    let tock = TOCK.0;
    let all = [&[tock, tock, 0, tock, tock][..], &[0, tock, tock]];
    for trace in all {
        assert_eq!(judge(&definitions, &can(0, trace)), Verdict::Holds);
    }
    assert_ne!(judge(&definitions, &can(0, &[0, 0])), Verdict::Holds);
    assert_eq!(judge(&definitions, &can(1, &[tock, tock])), Verdict::Holds);
    assert_ne!(judge(&definitions, &can(1, &[0])), Verdict::Holds);
}

/// Events may take no time or more; WAIT takes what it says; what is urgent goes before tock.
#[test]
fn time_passes_as_it_is_told() {
    let tock = TOCK.0;
    let hidden = Term::unary(Unary::Hide(Events(2)), prefix(1, Term::SKIP));
    let section = Definitions {
        events: 4,
        bodies: vec![
            prefix(0, prefix(1, Term::STOP)),
            Term::binary(
                Binary::Sequence,
                Term::Constant(Constant::Wait(2)),
                prefix(0, Term::STOP),
            ),
            hidden.clone(),
            Term::unary(Unary::TimedPriority, hidden),
        ],
    };
    let definitions = section.timed([2, 0, 1, 1]);
    let can = |process, trace: &[u8]| {
        let claim = Claim::HasTrace {
            process: Term::Name(process),
            model: Model::T,
            trace: trace.iter().map(|e| Event(*e)).collect(),
        };
        judge(&definitions, &claim) == Verdict::Holds
    };
    assert!(can(0, &[0, tock, tock, 1]) && !can(0, &[0, tock, 1]));
    assert!(can(1, &[tock, tock, 0]) && !can(1, &[tock, 0]));
    // The hidden event takes no time, and ✓ comes before tock as well once it is the only one.
    assert!(can(2, &[tock, tock]) && !can(3, &[tock]));
    assert!(can(3, &[Event::TICK.0]));
}
