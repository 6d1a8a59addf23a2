//! The quick profile of the oracle: a share of everything that the long run does.
//!
//! The numbers of seeds are smaller without optimisation, where everything is slower.

use csp_checker::Reductions;
use csp_oracle::generate::exhaustive;
use csp_oracle::run::{Run, Source};
use csp_oracle::trial::tally::Tally;
use csp_oracle::{campaign, invariance, scope};

/// How much more to do if the code is optimised.
const MORE: u64 = if cfg!(debug_assertions) { 1 } else { 10 };

/// Panics with the scripts if there was any disagreement.
fn expect_agreement(tally: &Tally) {
    assert!(
        tally.disagreements.is_empty() && tally.total().disagree == 0,
        "{}\n{}",
        tally.table(),
        tally.disagreements.join("\n")
    );
}

#[test]
fn random_programs_are_judged_alike() {
    let run = Run {
        checks: 5_000 * MORE,
        ..Run::default()
    };
    let (tally, _) = run.run();
    expect_agreement(&tally);
    let all = tally.total();
    let compared = all.hold + all.fail;
    assert!(
        all.hold * 100 > compared * 35 && all.hold * 100 < compared * 65,
        "about half of the claims hold:\n{}",
        tally.table()
    );
    assert!(
        (all.skipped_by_oracle + all.skipped_by_product) * 50 < compared,
        "few claims are skipped:\n{}",
        tally.table()
    );
}

#[test]
fn reduced_searches_are_judged_alike() {
    for (partial_order, symmetry) in [(false, true), (true, false), (true, true)] {
        let reductions = Reductions {
            partial_order,
            symmetry,
        };
        let run = Run {
            checks: 1_000 * MORE,
            reductions,
            ..Run::default()
        };
        let (tally, _) = run.run();
        expect_agreement(&tally);
        assert!(
            tally.reduced * 5 > tally.checks(),
            "a fifth of the searches leave something out:\n{}",
            tally.table()
        );
    }
}

#[test]
fn laws_hold_and_non_laws_do_not() {
    let outcome = campaign::laws(0, 10 * MORE, 1, Reductions::default());
    assert!(outcome.broken.is_empty(), "{outcome}");
    if !cfg!(debug_assertions) {
        assert!(!outcome.is_wrong(), "{outcome}");
    }
}

#[test]
fn all_small_terms_are_judged_alike() {
    let tally = scope::terms(2, 2, 1, 1);
    expect_agreement(&tally);
    // 45 terms, all pairs in seven models, and eight properties each.
    assert_eq!(tally.checks(), 45 * 45 * 7 + 45 * 8);
}

#[test]
fn all_small_systems_are_judged_alike() {
    let stride = if cfg!(debug_assertions) { 131 } else { 7 };
    let tally = scope::system_pairs(&exhaustive::systems(2, 1), stride, 1);
    expect_agreement(&tally);
    let pairs = (256usize * 256).div_ceil(stride);
    assert_eq!(
        tally.checks(),
        u64::try_from(pairs * 7).expect("a small number")
    );
}

#[test]
fn answers_do_not_depend_on_what_does_not_matter() {
    for source in Source::ALL {
        for seed in 0..3 * MORE {
            let found = invariance::differences(source, seed);
            assert!(found.is_empty(), "{}", found.join("\n"));
        }
    }
}

/// The judges stand on their own: no word of the product in them.
#[test]
fn the_judges_share_nothing_with_the_product() {
    let sources = [
        include_str!("../src/claim.rs"),
        include_str!("../src/denote.rs"),
        include_str!("../src/denote/divergences.rs"),
        include_str!("../src/denote/failures.rs"),
        include_str!("../src/denote/refusals.rs"),
        include_str!("../src/denote/traces.rs"),
        include_str!("../src/events.rs"),
        include_str!("../src/hash.rs"),
        include_str!("../src/system.rs"),
        include_str!("../src/term.rs"),
        include_str!("../src/term/priority.rs"),
        include_str!("../src/term/timed.rs"),
        include_str!("../src/verdict.rs"),
        include_str!("../src/verdict/evidence.rs"),
    ];
    for source in sources {
        for line in source.lines() {
            assert!(!line.contains("csp_"), "a judge uses the product: {line}");
        }
    }
}
