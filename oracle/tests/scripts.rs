//! The scripts of the corpus come out as they say, in every way in which the product can be set up.

use std::fs;

use csp_compiler::assemble::LeafCompression;
use csp_oracle::trial::product::{Answer, Setup, verdicts};

fn expected(script: &str) -> Vec<bool> {
    let lines = script
        .lines()
        .filter_map(|l| l.strip_prefix("--@ expect: "));
    lines.map(|verdict| verdict == "pass").collect()
}

fn setup(leaves: LeafCompression, small_leaf: Option<usize>, reduced: bool) -> Setup {
    Setup {
        leaves,
        small_leaf,
        reduced,
        ..Setup::default()
    }
}

/// Every script of a folder, in every setup; how many assertions were decided, and not.
fn all_as_expected(folder: &str, setups: &[Setup]) -> (usize, usize) {
    let path = format!("{}/../{folder}", env!("CARGO_MANIFEST_DIR"));
    let (mut decided, mut limits) = (0, 0);
    for entry in fs::read_dir(path).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let script = fs::read_to_string(&path).expect("it can be read");
        let expected = expected(&script);
        for &setup in setups {
            let given = verdicts(&script, setup);
            assert_eq!(given.len(), expected.len(), "{}: {given:?}", path.display());
            for (given, expected) in given.into_iter().zip(&expected) {
                match given {
                    Ok(given) => {
                        assert_eq!(given, *expected, "{}, {setup:?}", path.display());
                        decided += 1;
                    }
                    Err(Answer::Inconclusive(_)) => limits += 1,
                    Err(other) => panic!("{}, {setup:?}: {other:?}", path.display()),
                }
            }
        }
    }
    (decided, limits)
}

#[test]
fn regressions_are_answered_alike_in_every_setup() {
    let leaves = [
        LeafCompression::None,
        LeafCompression::Sbisim,
        LeafCompression::Wbisim,
    ];
    let forms = [(None, true), (Some(0), true), (Some(0), false)];
    let with = |l: LeafCompression| forms.map(|(small, reduced)| setup(l, small, reduced));
    let (decided, limits) = all_as_expected("tests/corpus/regressions", &leaves.map(with).concat());
    assert!(decided > 0 && limits == 0);
}

#[test]
fn refinements_and_properties_are_answered_alike_in_unlike_setups() {
    let setups = [
        Setup::default(),
        setup(LeafCompression::Wbisim, Some(0), false),
    ];
    for folder in ["tests/corpus/refine", "tests/corpus/properties"] {
        let (decided, limits) = all_as_expected(folder, &setups);
        assert!(limits * 50 < decided, "{folder}: {limits} of {decided}");
    }
}
