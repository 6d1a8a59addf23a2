//! Thousands of random tiny processes: the checker must agree with the definitions.
//!
//! Definitions are bounded, so a violation that needs a longer trace is only counted; where the
//! checker finds one within the bound, the definitions must show it too, and where it finds none,
//! neither may they.

use csp_checker::{
    Evidence, FailuresModel, Model, Outcome, TraceModel, Verdict, check, options::NoObserver,
};
use csp_lts::{EventId, Network};

use crate::definitions::{EVENTS, Seen, TAU, TICK, Tiny, refines as by_definition};
use crate::process::{
    deadlock_free, deterministic, divergence_free, from_transitions, has_trace, holds, name,
    options, refines,
};

/// A small generator with a fixed seed (Marsaglia's xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }
}

/// A process of up to four states; nothing follows ✓.
pub(crate) fn tiny(random: &mut Random) -> Tiny {
    let states = 1 + random.below(4);
    let mut transitions = Vec::new();
    for _ in 0..random.below(3 * states) {
        let event = match random.below(8) {
            0..=2 => TAU,
            3 => TICK,
            n => 2 + (n % 2) as u8,
        };
        let target = if event == TICK {
            states
        } else {
            random.below(states)
        };
        transitions.push((random.below(states), event, target));
    }
    Tiny {
        states: states + 1,
        transitions,
    }
}

/// A process without loops: six states, each leading only to later ones.
fn layered(random: &mut Random) -> Tiny {
    let mut transitions = Vec::new();
    for from in 0..5 {
        for _ in 0..1 + random.below(3) {
            let event = [TAU, 2, 3][random.below(3)];
            transitions.push((from, event, from + 1 + random.below(5 - from)));
        }
    }
    Tiny {
        states: 6,
        transitions,
    }
}

/// The process without a few of its transitions, which often refines it.
pub(crate) fn thinned(random: &mut Random, whole: &Tiny) -> Tiny {
    let mut part = whole.clone();
    for _ in 0..1 + random.below(3) {
        if !part.transitions.is_empty() {
            let at = random.below(part.transitions.len());
            part.transitions.remove(at);
        }
    }
    part
}

/// Two processes, as often as not related.
pub(crate) fn pair(random: &mut Random) -> (Tiny, Tiny) {
    let specification = match random.below(3) {
        0 => layered(random),
        _ => tiny(random),
    };
    let implementation = match random.below(3) {
        0 => tiny(random),
        _ => thinned(random, &specification),
    };
    (specification, implementation)
}

pub(crate) fn network(tiny: &Tiny) -> Network {
    let event = |e: u8| match e {
        TAU => EventId::TAU,
        TICK => EventId::TICK,
        other => EventId(EventId::FIRST.0 + u32::from(other) - 2),
    };
    let all: Vec<(u32, EventId, u32)> = tiny
        .transitions
        .iter()
        .map(|t| (t.0 as u32, event(t.1), t.2 as u32))
        .collect();
    from_transitions(tiny.states as u32, &all)
}

/// How many visible events the first counterexample has; `None` if the claim holds.
fn trace_length(outcome: &Outcome) -> Option<usize> {
    match &outcome.verdict {
        Verdict::Fails(all) => {
            let other = match &all[0].evidence {
                Evidence::Nondeterminism { .. } => all[0].trace().len() - 1,
                _ => all[0].trace().len(),
            };
            Some(other)
        }
        _ => {
            assert!(holds(outcome));
            None
        }
    }
}

fn agree(seed: u64, rounds: usize, models: &[Model], bound: usize) {
    let mut random = Random::new(seed);
    let (mut held, mut failed, mut beyond) = (0, 0, 0);
    for _ in 0..rounds {
        let (s, i) = pair(&mut random);
        let signal = random.below(2) == 0;
        for &model in models {
            let claim = refines(&network(&s), &network(&i), model);
            let outcome = check(&claim, &options(signal), &NoObserver);
            let expected = by_definition(
                &s.meaning(model, signal, bound),
                &i.meaning(model, signal, bound),
                model.is_divergence_strict(),
            );
            match trace_length(&outcome) {
                Some(length) if length > bound => beyond += 1,
                verdict => {
                    assert_eq!(
                        verdict.is_none(),
                        expected,
                        "{model:?} signal {signal}\n{s:?}\n{i:?}\n{outcome:?}"
                    );
                    *(if expected { &mut held } else { &mut failed }) += 1;
                }
            }
        }
    }
    assert!(
        held > rounds / 4 && failed > rounds / 4 && beyond < rounds / 20,
        "{held} {failed} {beyond}"
    );
}

#[test]
fn traces_failures_and_divergences_agree_with_the_definitions() {
    use Model::{Failures, FailuresDivergences, Traces};
    agree(1, 800, &[Traces, Failures, FailuresDivergences], 5);
}

#[test]
fn revivals_agree_with_the_definitions() {
    agree(2, 800, &[Model::Revivals, Model::RevivalsDivergences], 5);
}

#[test]
fn refusal_testing_agrees_with_the_definitions() {
    use Model::{RefusalTesting, RefusalTestingDivergences};
    agree(3, 300, &[RefusalTesting, RefusalTestingDivergences], 3);
}

fn reachable(p: &Tiny) -> Vec<usize> {
    let mut all = vec![0];
    let mut next = 0;
    while next < all.len() {
        for t in &p.transitions {
            if t.0 == all[next] && !all.contains(&t.2) {
                all.push(t.2);
            }
        }
        next += 1;
    }
    all
}

#[test]
fn deadlock_and_divergence_agree_with_the_definitions() {
    let mut random = Random::new(5);
    for _ in 0..3000 {
        let p = tiny(&mut random);
        let signal = random.below(2) == 0;
        let states = reachable(&p);
        let terminated = |s: usize| signal && s == p.states - 1;
        let deadlock = states
            .iter()
            .any(|&s| p.stable(s) && p.offers(s) == 0 && !terminated(s));
        let divergence = states.iter().any(|&s| p.diverges(s));
        let ask = |claim| holds(&check(&claim, &options(signal), &NoObserver));
        let process = network(&p);
        let (f, fd) = (FailuresModel::Failures, FailuresModel::FailuresDivergences);
        assert_eq!(ask(deadlock_free(&process, f)), !deadlock, "{p:?}");
        assert_eq!(
            ask(deadlock_free(&process, fd)),
            !deadlock && !divergence,
            "{p:?}"
        );
        assert_eq!(ask(divergence_free(&process)), !divergence, "{p:?}");
    }
}

#[test]
fn determinism_agrees_with_the_definition() {
    let mut random = Random::new(6);
    let (bound, mut verdicts) = (3, [0; 2]);
    for _ in 0..2000 {
        let p = tiny(&mut random);
        let signal = random.below(2) == 0;
        let meaning = p.meaning(Model::Failures, signal, bound + 1);
        let torn = meaning.behaviours.iter().any(|b| match b.last() {
            Some(Seen::Event(a)) => {
                let mut refused = b.clone();
                *refused.last_mut().unwrap() = Seen::Refused(Some(1 << a));
                meaning.behaviours.contains(&refused)
            }
            _ => false,
        });
        let diverges = reachable(&p).iter().any(|&s| p.diverges(s));
        for (model, expected) in [
            (FailuresModel::Failures, !torn),
            (FailuresModel::FailuresDivergences, !torn && !diverges),
        ] {
            let outcome = check(
                &deterministic(&network(&p), model),
                &options(signal),
                &NoObserver,
            );
            if trace_length(&outcome).is_none_or(|n| n <= bound) {
                assert_eq!(
                    holds(&outcome),
                    expected,
                    "{model:?} {signal}\n{p:?}\n{outcome:?}"
                );
                verdicts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(verdicts[0] > 500 && verdicts[1] > 500, "{verdicts:?}");
}

#[test]
fn has_trace_agrees_with_the_definition() {
    let mut random = Random::new(7);
    let mut verdicts = [0; 2];
    for _ in 0..4000 {
        let p = tiny(&mut random);
        let signal = random.below(2) == 0;
        let trace: Vec<u8> = (0..random.below(4))
            .map(|_| 2 + random.below(usize::from(EVENTS) - 2) as u8)
            .collect();
        let spelling: String = trace
            .iter()
            .map(|e| name(EventId(u32::from(*e) + 1)))
            .collect();
        let seen: Vec<Seen> = trace.iter().map(|e| Seen::Event(*e)).collect();
        let meaning = p.meaning(Model::FailuresDivergences, signal, 4);
        let can = meaning.behaviours.contains(&seen);
        let refused = (0..trace.len()).any(|n| {
            let refusal = Seen::Refused(Some(1 << trace[n]));
            meaning
                .behaviours
                .contains(&[&seen[..n], &[refusal]].concat())
        });
        let diverges = (0..trace.len()).any(|n| meaning.divergences.contains(&seen[..n]));
        for (model, expected) in [
            (TraceModel::Traces, can),
            (TraceModel::Failures, can && !refused),
            (
                TraceModel::FailuresDivergences,
                can && !refused && !diverges,
            ),
        ] {
            let claim = has_trace(&network(&p), model, &spelling);
            let outcome = check(&claim, &options(signal), &NoObserver);
            assert_eq!(
                holds(&outcome),
                expected,
                "{model:?} {signal} {trace:?}\n{p:?}\n{outcome:?}"
            );
            verdicts[usize::from(expected)] += 1;
        }
    }
    assert!(verdicts[0] > 1000 && verdicts[1] > 1000, "{verdicts:?}");
}
