//! Scripts that were once answered wrongly, in every way in which the product can be set up.

use csp_compiler::assemble::LeafCompression;
use csp_oracle::trial::product::{Answer, Setup, answers};

fn expected(script: &str) -> Vec<bool> {
    let lines = script
        .lines()
        .filter_map(|l| l.strip_prefix("--@ expect: "));
    lines.map(|verdict| verdict == "pass").collect()
}

#[test]
fn regressions_are_answered_alike_in_every_setup() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/regressions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let script = std::fs::read_to_string(&path).expect("it can be read");
        count += 1;
        for leaves in [
            LeafCompression::None,
            LeafCompression::Sbisim,
            LeafCompression::Wbisim,
        ] {
            for (small_leaf, reduced) in [(None, true), (Some(0), true), (Some(0), false)] {
                let setup = Setup {
                    leaves,
                    small_leaf,
                    reduced,
                    ..Setup::default()
                };
                let given = answers(&script, setup);
                let held: Vec<bool> = given
                    .iter()
                    .map(|a| match a {
                        Answer::Holds(_) => true,
                        Answer::Fails(..) => false,
                        Answer::Denied(inner) => matches!(**inner, Answer::Fails(..)),
                        other => panic!("{}, {setup:?}: {other:?}", path.display()),
                    })
                    .collect();
                assert_eq!(held, expected(&script), "{}, {setup:?}", path.display());
            }
        }
    }
    assert!(count >= 1, "there are regressions");
}
