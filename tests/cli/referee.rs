//! No play of a game is shown that its referee has not passed, whatever found it.

use super::bad_input::{fails_with, temporary};
use super::run::csp;

/// A script that says it is about pegs, with a process for the play.
fn pegs(play: &str) -> String {
    format!(
        "datatype Lattice = Square | Triangular\n\
         datatype Direction = Left | Right\n\
         LATTICE = Square\n\
         START = <\"oo.\">\n\
         GOAL = <\"..o\">\n\
         channel jump : {{0..2}}.{{0..0}}.Direction\n\
         channel done\n\
         P = {play}\n\
         --@ game: peg\n\
         assert STOP [T= P \\ {{| jump |}}\n"
    )
}

#[test]
fn plays_that_break_the_rules_are_errors() {
    let cases = [
        ("jump.1.0.Left -> done -> STOP", "rejects jump.1.0.Left"),
        (
            "jump.0.0.Right -> jump.0.0.Right -> done -> STOP",
            "there is no peg at a1",
        ),
        ("done -> STOP", "the game is not won"),
    ];
    for (play, message) in cases {
        let path = temporary("cheat.csp", pegs(play).as_bytes());
        let file = path.to_string_lossy();
        for way in [
            &["check", &file][..],
            &["check", &file, "--json"],
            &["check", &file, "--format", "fdr"],
            &["solve", &file],
            &["solve", &file, "--shortest"],
            &["solve", &file, "--search", "a-star", "--json"],
        ] {
            fails_with(way, 2, message);
            fails_with(way, 2, "E0603");
            let shown = csp(way).stdout;
            let play = ["does done", "revealed", "chosen moves", "a1-c1"];
            assert!(!play.iter().any(|p| shown.contains(p)), "{way:?}: {shown}");
        }
        // Whoever reads FDR's output takes another exit code than 0 for a crash.
        let ran = csp(&["refines", &file]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("Result: Error"), "{}", ran.stdout);
        assert!(ran.stderr.contains("E0603"), "{}", ran.stderr);
        std::fs::remove_file(path).expect("it was written");
    }
    let path = temporary(
        "fair.csp",
        pegs("jump.0.0.Right -> done -> STOP").as_bytes(),
    );
    let file = path.to_string_lossy();
    let ran = csp(&["check", &file]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("judged by the rules of peg"),
        "{}",
        ran.stdout
    );
    let ran = csp(&["solve", &file]);
    assert!(ran.stdout.contains("  1  a1-c1\n"), "{}", ran.stdout);
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn starts_that_are_none_are_errors() {
    let text = pegs("jump.0.0.Right -> done -> STOP");
    let shape = text.replace("GOAL = <\"..o\">", "GOAL = <\"..\">");
    let path = temporary("shape.csp", shape.as_bytes());
    let file = path.to_string_lossy();
    fails_with(&["check", &file], 2, "has not the shape");
    fails_with(&["solve", &file], 2, "has not the shape");
    std::fs::remove_file(path).expect("it was written");
    let nothing = text.replace("GOAL = <\"..o\">", "");
    let path = temporary("nothing.csp", nothing.as_bytes());
    let file = path.to_string_lossy();
    fails_with(&["check", &file], 2, "nothing called `GOAL`");
    fails_with(&["solve", &file], 2, "nothing called `GOAL`");
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn a_range_of_deals_is_judged_deal_by_deal() {
    let short = ["-D", "RANKS=4", "-D", "COLUMNS=4", "-D", "CELLS=1"];
    let range = [
        &["check", "models/freecell.csp", "--deal", "1..4"],
        &short[..],
    ]
    .concat();
    let ran = csp(&range);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for deal in 1..=4 {
        assert!(
            ran.stdout.contains(&format!("deal {deal}\n")),
            "{}",
            ran.stdout
        );
    }
    let won = ran.stdout.matches("fails: the deal can be won").count();
    let judged = ran
        .stdout
        .matches("judged by the rules of freecell")
        .count();
    assert_eq!(won, judged);
    assert!(won > 0);
}
