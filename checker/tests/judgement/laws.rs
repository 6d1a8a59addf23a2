//! Laws that hold between claims, on random processes.

use csp_checker::options::NoObserver;
use csp_checker::{FailuresModel, Model, check};
use csp_lts::Network;

use crate::definitions::{TAU, Tiny};
use crate::process::{
    MODELS, deadlock_free, deterministic, divergence_free, holds, options, refines,
};
use crate::random::{Random, network, pair, tiny};

fn refined(specification: &Network, implementation: &Network, model: Model, signal: bool) -> bool {
    let claim = refines(specification, implementation, model);
    holds(&check(&claim, &options(signal), &NoObserver))
}

#[test]
fn refinement_is_reflexive() {
    let mut random = Random::new(11);
    for _ in 0..300 {
        let process = network(&tiny(&mut random));
        for model in MODELS {
            for signal in [false, true] {
                assert!(refined(&process, &process, model, signal), "{model:?}");
            }
        }
    }
}

#[test]
fn refinement_is_transitive() {
    let mut random = Random::new(12);
    let mut chains = 0;
    for _ in 0..40 {
        let all: Vec<Network> = (0..4).map(|_| network(&tiny(&mut random))).collect();
        for model in MODELS {
            let below: Vec<Vec<bool>> = all
                .iter()
                .map(|s| all.iter().map(|i| refined(s, i, model, false)).collect())
                .collect();
            for a in 0..4 {
                for b in 0..4 {
                    for c in 0..4 {
                        chains += usize::from(a != b && b != c && below[a][b] && below[b][c]);
                        assert!(!(below[a][b] && below[b][c]) || below[a][c], "{model:?}");
                    }
                }
            }
        }
    }
    assert!(chains > 300, "{chains} chains");
}

#[test]
fn finer_models_refine_less() {
    use Model::{
        Failures, FailuresDivergences, RefusalTesting, RefusalTestingDivergences, Revivals,
        RevivalsDivergences, Traces,
    };
    let finer = [
        (Failures, Traces),
        (Revivals, Failures),
        (RefusalTesting, Revivals),
        (RevivalsDivergences, FailuresDivergences),
        (RefusalTestingDivergences, RevivalsDivergences),
    ];
    let mut random = Random::new(13);
    let mut separated = [0; 5];
    for _ in 0..3000 {
        let (s, i) = pair(&mut random);
        let (s, i) = (network(&s), network(&i));
        let signal = random.below(2) == 0;
        for (at, (fine, coarse)) in finer.into_iter().enumerate() {
            let (fine, coarse) = (
                refined(&s, &i, fine, signal),
                refined(&s, &i, coarse, signal),
            );
            assert!(coarse || !fine);
            separated[at] += usize::from(coarse && !fine);
        }
    }
    assert!(separated.iter().all(|n| *n > 5), "{separated:?}");
}

/// P ||| RUN is not needed: CHAOS is refined by everything in F, and by all that does not diverge in FD.
#[test]
fn chaos_is_refined_by_everything_that_does_not_diverge() {
    let chaos = Tiny {
        states: 3,
        transitions: vec![(0, 2, 0), (0, 3, 0), (0, TAU, 1), (0, TAU, 2), (2, 1, 1)],
    };
    let chaos = network(&chaos);
    let mut random = Random::new(14);
    for _ in 0..500 {
        let process = network(&tiny(&mut random));
        assert!(refined(&chaos, &process, Model::Failures, false));
        let free = holds(&check(
            &divergence_free(&process),
            &options(false),
            &NoObserver,
        ));
        assert_eq!(
            refined(&chaos, &process, Model::FailuresDivergences, false),
            free
        );
    }
}

/// A deterministic process is refined by nothing but itself in FD, and deadlock freedom is inherited.
#[test]
fn properties_are_inherited_by_refinements() {
    let fd = FailuresModel::FailuresDivergences;
    let mut random = Random::new(15);
    let mut inherited = 0;
    for _ in 0..1500 {
        let (s, i) = pair(&mut random);
        let (s, i) = (network(&s), network(&i));
        if !refined(&s, &i, Model::FailuresDivergences, false) {
            continue;
        }
        let ask = |claim| holds(&check(&claim, &options(false), &NoObserver));
        if ask(deadlock_free(&s, fd)) {
            assert!(ask(deadlock_free(&i, fd)));
            inherited += 1;
        }
        if ask(deterministic(&s, fd)) {
            assert!(ask(deterministic(&i, fd)));
            assert!(refined(&i, &s, Model::FailuresDivergences, false));
            inherited += 1;
        }
    }
    assert!(inherited > 50, "{inherited}");
}
