//! Hand-built processes, each claim with its verdict, its counterexample and its counts.

use csp_checker::{Evidence, FailuresModel, Model, TraceModel, check, options::NoObserver};
use csp_lts::Network;

use crate::process::{
    MODELS, counts, deadlock_free, decide, deterministic, divergence_free, events, first,
    has_trace, holds, options, process, refines, spelt,
};

/// P = a -> b -> P
fn p() -> Network {
    process("0a1 1b0")
}

/// Q = a -> b -> Q [] c -> STOP
fn q() -> Network {
    process("0a1 1b0 0c2")
}

/// R = (a -> b -> R) |~| (c -> STOP)
fn r() -> Network {
    process("0_1 0_2 1a3 3b0 2c4")
}

fn div() -> Network {
    process("0_0")
}

fn stop() -> Network {
    process("")
}

/// TE = (u -> STOP) [] SKIP
fn te() -> Network {
    process("0u1 0!2")
}

/// TE ; SKIP
fn te_then_skip() -> Network {
    process("0u1 0_2 2!3")
}

#[test]
fn the_introductory_self_test() {
    use Model::{Failures, FailuresDivergences, Traces};
    let claims = [
        (p(), q(), Traces, false),
        (q(), p(), Traces, true),
        (q(), p(), Failures, false),
        (r(), p(), Failures, true),
        (r(), q(), Failures, true),
        (q(), r(), Failures, false),
        (q(), r(), Traces, true),
        (div(), r(), FailuresDivergences, true),
        (p(), div(), Failures, true),
        (p(), div(), FailuresDivergences, false),
        (stop(), div(), Failures, true),
        (div(), stop(), Failures, false),
    ];
    for (specification, implementation, model, expected) in claims {
        let outcome = decide(&refines(&specification, &implementation, model));
        assert_eq!(holds(&outcome), expected, "{model:?} {outcome:?}");
    }
    let fd = FailuresModel::FailuresDivergences;
    assert!(holds(&decide(&deterministic(&q(), fd))));
    assert!(!holds(&decide(&deterministic(&r(), fd))));
    assert!(holds(&decide(&deadlock_free(&p(), fd))));
    assert!(!holds(&decide(&deadlock_free(&r(), fd))));
}

#[test]
fn an_event_that_is_not_allowed() {
    let outcome = decide(&refines(&p(), &q(), Model::Traces));
    let counterexample = first(&outcome);
    assert_eq!(spelt(&counterexample.steps), "c");
    assert_eq!(
        counterexample.evidence,
        Evidence::Trace {
            allowed: events("a")
        }
    );
    assert_eq!(counts(&outcome), (1, 0, 1));
    // The way is counted with τ: R reaches c by the shorter of its two silent choices.
    let outcome = decide(&refines(&p(), &r(), Model::Traces));
    assert_eq!(spelt(&first(&outcome).steps), "_c");
}

#[test]
fn a_refusal_shows_the_offer_and_what_was_required() {
    let outcome = decide(&refines(&q(), &r(), Model::Failures));
    let counterexample = first(&outcome);
    assert_eq!(spelt(&counterexample.steps), "_");
    assert_eq!(
        counterexample.evidence,
        Evidence::Refusal {
            offered: events("a"),
            acceptances: vec![events("ac")],
        }
    );
    assert_eq!(counts(&outcome), (3, 2, 2));
}

#[test]
fn a_divergence_shows_its_loop() {
    let process = process("0a1 1_2 2_3 3_2");
    for claim in [
        divergence_free(&process),
        deadlock_free(&process, FailuresModel::FailuresDivergences),
        deterministic(&process, FailuresModel::FailuresDivergences),
        refines(&p(), &process, Model::FailuresDivergences),
        refines(&p(), &process, Model::RevivalsDivergences),
        refines(&p(), &process, Model::RefusalTestingDivergences),
        has_trace(&process, TraceModel::FailuresDivergences, "ab"),
    ] {
        let outcome = decide(&claim);
        let counterexample = first(&outcome);
        assert_eq!(spelt(&counterexample.steps), "a_", "{claim:?}");
        let Evidence::Divergence { cycle } = &counterexample.evidence else {
            panic!("a divergence, not {:?}", counterexample.evidence);
        };
        assert_eq!(spelt(cycle), "__");
    }
    assert!(holds(&decide(&deadlock_free(
        &process,
        FailuresModel::Failures
    ))));
    assert!(holds(&decide(&refines(&p(), &process, Model::Failures))));
    assert!(holds(&decide(&divergence_free(&r()))));
}

#[test]
fn a_deadlock_is_found_by_the_shortest_way() {
    let outcome = decide(&deadlock_free(&r(), FailuresModel::Failures));
    let counterexample = first(&outcome);
    assert_eq!(spelt(&counterexample.steps), "_c");
    assert_eq!(counterexample.evidence, Evidence::Deadlock);
    assert_eq!(counts(&outcome), (5, 4, 3));
    let outcome = decide(&deadlock_free(&p(), FailuresModel::Failures));
    assert!(holds(&outcome));
    assert_eq!(counts(&outcome), (2, 2, 2));
}

#[test]
fn nondeterminism_shows_both_behaviours() {
    for model in [FailuresModel::Failures, FailuresModel::FailuresDivergences] {
        let outcome = decide(&deterministic(&r(), model));
        let counterexample = first(&outcome);
        let Evidence::Nondeterminism {
            event,
            other,
            offered,
        } = &counterexample.evidence
        else {
            panic!("nondeterminism, not {:?}", counterexample.evidence);
        };
        // R's representative is the first silent choice, which does a; the other refuses it.
        assert_eq!(spelt(&counterexample.steps), "_a");
        assert_eq!(*event, events("a")[0]);
        assert_eq!(spelt(other), "_");
        assert_eq!(*offered, events("c"));
    }
    // a -> b -> STOP [] a -> c -> STOP
    let outcome = decide(&deterministic(
        &process("0a1 0a2 1b3 2c3"),
        FailuresModel::FailuresDivergences,
    ));
    let counterexample = first(&outcome);
    assert_eq!(spelt(&counterexample.steps), "ab");
}

#[test]
fn determinism_in_f_ignores_divergence() {
    let (f, fd) = (FailuresModel::Failures, FailuresModel::FailuresDivergences);
    for (text, in_f) in [
        ("0_0", true),
        // DIV |~| a -> STOP
        ("0_1 0_2 1_1 2a3", true),
        // (b -> STOP [> DIV) |~| a -> STOP: b can be done and refused.
        ("0_1 0_2 1b3 1_4 4_4 2a3", false),
        // a -> STOP [> a -> STOP, with a τ loop in between
        ("0a1 0_2 2_0 2_3 3a1", true),
    ] {
        assert_eq!(
            holds(&decide(&deterministic(&process(text), f))),
            in_f,
            "{text}"
        );
        assert!(
            !holds(&decide(&deterministic(&process(text), fd))),
            "{text}"
        );
    }
}

#[test]
fn termination_is_an_event_or_a_signal() {
    let fd = Model::FailuresDivergences;
    let ask = |claim, signal| holds(&check(&claim, &options(signal), &NoObserver));
    for (model, event, signal) in [(Model::Traces, true, true), (fd, false, true)] {
        assert_eq!(ask(refines(&te(), &te_then_skip(), model), false), event);
        assert_eq!(ask(refines(&te(), &te_then_skip(), model), true), signal);
        assert!(ask(refines(&te_then_skip(), &te(), model), false));
        assert!(ask(refines(&te_then_skip(), &te(), model), true));
    }
    let skip = process("0!1");
    let free = |signal| ask(deadlock_free(&skip, FailuresModel::Failures), signal);
    assert!(!free(false) && free(true));
    assert!(!ask(deadlock_free(&stop(), FailuresModel::Failures), true));
    let deterministic = |signal| ask(deterministic(&te(), FailuresModel::Failures), signal);
    assert!(deterministic(false) && !deterministic(true));
    // The refusal that separates the two: TE insists on u.
    let outcome = decide(&refines(&te(), &te_then_skip(), Model::Failures));
    assert_eq!(spelt(&first(&outcome).steps), "_");
    assert_eq!(
        first(&outcome).evidence,
        Evidence::Refusal {
            offered: events("!"),
            acceptances: vec![events("!u")],
        }
    );
}

/// Roscoe's example: a -> STOP |~| STOP has the failures of (a -> STOP |~| STOP) with `a` also offered
/// before a silent deadlock, but not its revivals.
#[test]
fn revivals_separate_what_failures_confuse() {
    // a -> STOP [> STOP: `a` is done from an unstable state only.
    let sliding = process("0a1 0_2");
    // a -> STOP |~| STOP
    let internal = process("0_1 0_2 1a3");
    assert!(holds(&decide(&refines(
        &sliding,
        &internal,
        Model::Failures
    ))));
    let outcome = decide(&refines(&sliding, &internal, Model::Revivals));
    assert_eq!(spelt(&first(&outcome).steps), "_");
    assert_eq!(
        first(&outcome).evidence,
        Evidence::Revival {
            event: events("a")[0],
            offered: events("a"),
            acceptances: vec![],
        }
    );
    assert!(holds(&decide(&refines(
        &internal,
        &sliding,
        Model::Revivals
    ))));
    // CHAOS allows every stable offer, but only a and b together are a revival of this one.
    let both_or_none = process("0_1 0_2 1a3 1b3");
    let one = process("0a1");
    assert!(holds(&decide(&refines(
        &both_or_none,
        &one,
        Model::Failures
    ))));
    let outcome = decide(&refines(&both_or_none, &one, Model::Revivals));
    assert_eq!(
        first(&outcome).evidence,
        Evidence::Revival {
            event: events("a")[0],
            offered: events("a"),
            acceptances: vec![events("ab")],
        }
    );
}

#[test]
fn refusal_testing_remembers_what_was_refused() {
    // (a -> b -> STOP) |~| (a -> c -> STOP [] d -> STOP): after refusing d, only b can follow a.
    let specification = process("0_1 0_2 1a3 3b9 2a4 2d9 4c9");
    // a -> c -> STOP, which refuses d first.
    let implementation = process("0a1 1c2");
    for model in [Model::Failures, Model::Revivals] {
        // The spec after a can be in either branch, so c may follow.
        let outcome = decide(&refines(&specification, &implementation, model));
        assert!(holds(&outcome), "{model:?} {outcome:?}");
    }
    let outcome = decide(&refines(
        &specification,
        &implementation,
        Model::RefusalTesting,
    ));
    assert_eq!(spelt(&first(&outcome).steps), "a");
    assert_eq!(
        first(&outcome).evidence,
        Evidence::RefusalTrace {
            observed: vec![Some(events("a")), Some(events("c"))],
            allowed: vec![],
        }
    );
    // With an unstable second state the event itself is at fault, not the refusal.
    let outcome = decide(&refines(
        &specification,
        &process("0a1 1c2 1_3 3b2"),
        Model::RefusalTesting,
    ));
    assert_eq!(spelt(&first(&outcome).steps), "ac");
    assert_eq!(
        first(&outcome).evidence,
        Evidence::RefusalTrace {
            observed: vec![Some(events("a")), None],
            allowed: events("b"),
        }
    );
    assert_eq!(counts(&outcome), (2, 1, 2));
}

#[test]
fn strict_models_forgive_everything_after_a_divergence() {
    // a -> DIV
    let specification = process("0a1 1_1");
    let implementation = process("0a1 1b0");
    for model in MODELS {
        let outcome = decide(&refines(&specification, &implementation, model));
        assert_eq!(holds(&outcome), model.is_divergence_strict(), "{model:?}");
    }
}

#[test]
fn having_a_trace_in_three_strengths() {
    use TraceModel::{Failures, FailuresDivergences, Traces};
    for (process_text, trace, t, f, fd) in [
        ("0a1 1b0", "abab", true, true, true),
        ("0a1 1b0", "", true, true, true),
        ("0a1 1b0", "abb", false, false, false),
        ("0_1 0_2 1a3 2b3", "a", true, false, false),
        ("0_0 0a1", "a", true, true, false),
        ("0_0", "a", false, false, false),
        ("0a1 1_1", "a", true, true, true),
        ("0a1 0!2", "a!", false, false, false),
        ("0!2", "!", true, true, true),
    ] {
        for (model, expected) in [(Traces, t), (Failures, f), (FailuresDivergences, fd)] {
            let outcome = decide(&has_trace(&process(process_text), model, trace));
            assert_eq!(
                holds(&outcome),
                expected,
                "{process_text} {trace} {model:?}"
            );
        }
    }
    let outcome = decide(&has_trace(&r(), Traces, "abac"));
    assert_eq!(spelt(&first(&outcome).steps), "_ab_a");
    assert_eq!(first(&outcome).evidence, Evidence::MissingTrace { done: 3 });
    let outcome = decide(&has_trace(&r(), Failures, "ab"));
    assert_eq!(spelt(&first(&outcome).steps), "_");
    assert_eq!(
        first(&outcome).evidence,
        Evidence::Refusal {
            offered: events("c"),
            acceptances: vec![events("a")],
        }
    );
}

#[test]
fn several_counterexamples_differ_in_what_is_wrong() {
    let claim = refines(&stop(), &process("0a1 0b1 0b2 0c1"), Model::Traces);
    let mut options = options(false);
    options.counterexamples = 2;
    let outcome = check(&claim, &options, &NoObserver);
    let csp_checker::Verdict::Fails(all) = &outcome.verdict else {
        panic!("STOP does nothing");
    };
    let spelled: Vec<String> = all.iter().map(|c| spelt(&c.steps)).collect();
    assert_eq!(spelled, ["a", "b"]);
}

#[test]
fn a_specification_of_one_node_adds_no_states() {
    // RUN({a, b}) in eight states
    let specification = process("0a1 1a2 2a3 3a4 4a5 5a6 6a7 7a0 0b0 1b0 2b0 3b0 4b0 5b0 6b0 7b0");
    for model in MODELS.into_iter().take(5) {
        let outcome = decide(&refines(
            &specification,
            &process("0a1 1b2 2a0 0b0 1a1 2b2"),
            model,
        ));
        assert!(holds(&outcome));
        assert_eq!(counts(&outcome), (3, 6, 3), "{model:?}");
    }
}
