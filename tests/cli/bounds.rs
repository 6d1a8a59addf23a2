//! Bounds of the numbers of processes: facts that can be checked by hand.

use serde_json::Value;

use super::run::{csp, csp_with};

fn bounds(arguments: &[&str]) -> Value {
    let mut all = vec!["bounds"];
    all.extend(arguments);
    all.extend(["--json", "--quiet"]);
    let ran = csp(&all);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// Least and greatest value of a number of a part.
fn range(report: &Value, part: &str, number: &str) -> (i64, i64) {
    let (definition, parameter) = number.split_once('.').expect("definition and parameter");
    let parts = report["parts"].as_array().expect("a list").iter();
    let mut parts = parts.filter(|p| p["part"] == part);
    let part = parts.next().unwrap_or_else(|| panic!("no part {part}"));
    let mut numbers = part["numbers"].as_array().expect("a list").iter();
    let number = numbers
        .find(|n| n["definition"] == definition && n["parameter"] == parameter)
        .unwrap_or_else(|| panic!("no number {number}"));
    let value = |bound: &str| number[bound]["value"].as_i64().expect("a number");
    (value("least"), value("greatest"))
}

/// A buffer for three of two values: 1 + 2 + 4 + 8 contents, full after three inputs.
#[test]
fn a_buffer_is_full_with_what_it_has_room_for() {
    let report = bounds(&["examples/02-buffers.csp", "Buffer(3, <>)"]);
    assert_eq!(report["states"], 15);
    assert_eq!(range(&report, "Buffer(3, <>)", "Buffer.n"), (3, 3));
    assert_eq!(range(&report, "Buffer(3, <>)", "Buffer.s"), (0, 3));
    let full = &report["parts"][0]["numbers"][1]["greatest"];
    assert_eq!(full["states"], 8);
    assert_eq!(
        full["trace"],
        serde_json::json!(["left.0", "left.0", "left.0"])
    );
}

/// Two ranks in two columns: five cards in the stock, and every suit ends with two at home.
#[test]
fn a_short_klondike() {
    let report = bounds(&[
        "models/klondike.csp",
        "Game",
        "-D",
        "RANKS=2",
        "-D",
        "COLUMNS=2",
    ]);
    assert_eq!(
        range(&report, "Foundation(Hearts, 0)", "Foundation.n"),
        (0, 2)
    );
    assert_eq!(range(&report, "Hand(0, 1, 0)", "Hand.top"), (0, 0));
    assert_eq!(range(&report, "Columns(0)", "Columns.n").1, 2);
}

/// The Petri net's claims, module by module: the draw pile holds as many cards as the dealer has left, five
/// of the eight; a foundation holds a suit and no more.
#[test]
fn the_modules_of_klondike() {
    let model = "models/klondike-modules.csp";
    let report = bounds(&[model, "Module(DP)"]);
    let part = report["parts"][0]["part"].as_str().expect("a name");
    assert_eq!(range(&report, part, "DrawPile.down"), (0, 5));
    assert_eq!(range(&report, part, "DrawPile.up"), (0, 5));
    for suit in ["Clubs", "Diamonds", "Hearts", "Spades"] {
        let report = bounds(&[model, &format!("Module(FP.{suit})")]);
        let part = format!("FoundationPile({suit}, 0)");
        assert_eq!(range(&report, &part, "FoundationPile.n"), (0, 2));
    }
}

/// The hand of the triangle with its moves counted down: no play has more than thirteen jumps, so two of
/// fifteen moves are always left.
#[test]
fn moves_on_the_triangle_are_left_over() {
    let report = bounds(&[
        "models/peg-triangle.csp",
        "(Board [| {| jump |} |] Hand((-1, -1), MOVES)) [| {done} |] STOP",
    ]);
    let (least, greatest) = range(&report, "Hand((-1, -1), 15)", "Hand.left");
    assert_eq!(greatest, 15);
    assert!(least >= 2, "{least}");
}

/// The counter of a process that is another one's name in between is not lost.
#[test]
fn names_of_other_processes_count() {
    let script = "channel a : {0..2}
Receive(fits, Then) = [] r : {0..2} @ if fits(r) then a!r -> Then(r) else STOP
P(n) = Receive(\\ r @ n + r < 3, \\ r @ P(n + r))
";
    let ran = csp_with(
        &["bounds", "-", "P(0)", "--json", "--quiet"],
        &script.lines().collect::<Vec<_>>(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let part = report["parts"][0]["part"].as_str().expect("a name");
    assert_eq!(range(&report, part, "P.n"), (0, 2));
}

/// A counter that two parts share, an event without a partner, and a part that stops.
#[test]
fn a_script_of_its_own() {
    let script = "channel up, down, spare
Count(n) = n < 4 & up -> Count(n + 1) [] n > 0 & down -> Count(n - 1)
User(k) = k > 0 & up -> down -> User(k - 1) [] spare -> User(k)
System = Count(0) [| {up, down, spare} |] User(3)
";
    let ran = csp_with(
        &["bounds", "-", "System", "--json", "--quiet"],
        &script.lines().collect::<Vec<_>>(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    // The user takes one at a time.
    assert_eq!(range(&report, "Count(0)", "Count.n"), (0, 1));
    assert_eq!(range(&report, "User(3)", "User.k"), (0, 3));
    assert_eq!(report["never"], serde_json::json!(["spare"]));
}

#[test]
fn limits_and_mistakes() {
    let ran = csp(&["bounds", "models/peg.csp", "Board", "--max-states", "1000"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stdout
            .contains("the bounds are those of what was reached"),
        "{}",
        ran.stdout
    );
    let ran = csp(&["bounds", "models/peg.csp", "Board", "--timeout", "0.2"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let ran = csp(&["bounds", "models/peg.csp", "Nobody"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("Nobody"), "{}", ran.stderr);
}
