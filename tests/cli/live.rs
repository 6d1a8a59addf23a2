//! Liveness of events and traps of parts: facts that can be checked by hand.

use serde_json::Value;

use super::run::csp;

fn live(file: &str, process: &str, code: i32) -> Value {
    let ran = csp(&["live", file, process, "--json", "--quiet"]);
    assert_eq!(ran.code, code, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// The names of the events of a level.
fn level(report: &Value, level: &str) -> Vec<String> {
    let events = report["events"].as_array().expect("a list").iter();
    events
        .filter(|event| event["level"] == level)
        .map(|event| event["event"].as_str().expect("a name").to_owned())
        .collect()
}

/// With one left-handed philosopher everybody can always eat again; without, the table can deadlock,
/// so nothing is possible from everywhere.
#[test]
fn philosophers() {
    let report = live("models/philosophers.csp", "Asymmetric", 0);
    assert_eq!(report["states"], 7_035);
    assert_eq!(level(&report, "L4").len(), 35);
    assert_eq!(report["dead_ends"], 0);
    let report = live("models/philosophers.csp", "Symmetric", 0);
    assert_eq!(report["dead_ends"], 1);
    assert_eq!(level(&report, "L4"), Vec::<String>::new());
    assert_eq!(level(&report, "L3").len(), 35);
}

/// Pegs only become fewer: no jump is possible for ever, and the corner jumps into the corner of the
/// vacancy are possible once.
#[test]
fn pegs_run_out() {
    let report = live("models/peg-triangle.csp", "Board [| {done} |] STOP", 0);
    assert_eq!(report["states"], 4_237);
    assert_eq!(report["dead_ends"], 142);
    assert_eq!(level(&report, "L3"), Vec::<String>::new());
    assert_eq!(level(&report, "L1").len(), 36);
}

/// c takes both to a place from where Q stops; a, b and d go round as long as that did not happen.
#[test]
fn a_part_that_stops_is_in_a_trap() {
    let report = live("models/mobility.csp", "Fixed", 0);
    assert_eq!(level(&report, "L1"), ["c"]);
    assert_eq!(level(&report, "L3"), ["a", "b", "d"]);
    let traps = report["traps"].as_array().expect("a list");
    assert_eq!(traps.len(), 1);
    assert_eq!(traps[0]["part"], "Q");
    assert_eq!(traps[0]["inside"], 1);
    assert_eq!(traps[0]["does"], serde_json::json!([]));
}

/// The net's own claims, on a short pack with the player alone: dealing never happens again, cards are
/// never destroyed, and the dealer enters a trap; the stock can be turned again from everywhere or is
/// empty, so that it is not live in the strongest sense.
#[test]
fn the_modules_of_klondike() {
    let report = live("models/klondike-modules.csp", "Governed({Player})", 0);
    let dealing = level(&report, "L1");
    assert!(dealing.contains(&"dealt".to_owned()), "{dealing:?}");
    assert!(
        dealing.contains(&"deal.2.card.Clubs.2".to_owned()),
        "{dealing:?}"
    );
    let dead = level(&report, "L0");
    assert!(
        dead.iter().any(|e| e.starts_with("cardsDestroyed.Player")),
        "{dead:?}"
    );
    assert!(
        dead.iter().any(|e| e.starts_with("spoils.Player")),
        "{dead:?}"
    );
    let traps = report["traps"].as_array().expect("a list");
    assert!(
        traps.iter().any(|trap| trap["part"] == "Opened"),
        "{traps:?}"
    );
}

#[test]
fn a_limit_claims_nothing_that_was_not_seen() {
    let ran = csp(&["live", "models/peg.csp", "Board", "--max-states", "1000"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stdout.contains("stopped at the limit of 1000 states"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("L0  was not seen"), "{}", ran.stdout);
}
