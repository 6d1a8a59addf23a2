//! Plays that `solve` finds, and deals that it proves unsolvable.

use csp_games::board::Board;
use csp_games::deal::{microsoft, rounds};
use csp_games::referee::freecell::{Move, Referee};
use serde_json::Value;

use super::bad_input::{fails_with, temporary};
use super::run::csp;

fn solve(arguments: &[&str], code: i32) -> Value {
    let mut all = vec!["solve"];
    all.extend_from_slice(arguments);
    all.push("--json");
    let ran = csp(&all);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

/// A pack that is searched at once.
const SHORT: [&str; 6] = ["-D", "RANKS=5", "-D", "COLUMNS=5", "-D", "CELLS=2"];

fn short(deal: &str, more: &[&str], code: i32) -> Value {
    let mut all = vec!["models/freecell.csp", "--deal", deal];
    all.extend_from_slice(&SHORT);
    all.extend_from_slice(more);
    solve(&all, code)
}

#[test]
fn a_full_deal_is_won_by_the_rules() {
    let report = solve(&["models/freecell.csp", "--deal", "617"], 0);
    assert_eq!(report["answer"], "solved");
    assert_eq!(report["shortest"], false);
    let board = Board {
        columns: rounds(&microsoft::deal(617, 13).expect("in range"), 8),
        ..Board::default()
    };
    let mut referee = Referee::new(board, 4, 13);
    let moves = report["moves"].as_array().expect("a list");
    for line in moves {
        let event = line["event"].as_str().expect("a name");
        let m = Move::from_event(event).expect("a move");
        referee.play(m).expect("the play is legal");
    }
    assert!(referee.is_won());
    let counts = [&report["chosen"], &report["forced"]].map(|n| n.as_u64().expect("a number"));
    assert_eq!(counts[0] + counts[1], moves.len() as u64);
}

#[test]
fn the_impossible_deal_is_proved_to_be_so_after_all_its_states() {
    let report = solve(&["models/freecell.csp", "--deal", "11982"], 1);
    assert_eq!(report["answer"], "unsolvable");
    assert_eq!(report["states"], 61_643);
    assert_eq!(report["transitions"], 220_154);
}

#[test]
fn all_ways_to_search_agree_on_short_deals() {
    for deal in 1..=12 {
        let deal = deal.to_string();
        let shortest = csp(&{
            let mut all = vec!["solve", "models/freecell.csp", "--deal", &deal, "--json"];
            all.extend_from_slice(&SHORT);
            all.push("--shortest");
            all
        });
        let report: Value = serde_json::from_str(&shortest.stdout).expect("JSON");
        let greedy = short(&deal, &[], shortest.code);
        let a_star = short(&deal, &["--search", "a-star"], shortest.code);
        assert_eq!(greedy["answer"], report["answer"], "deal {deal}");
        assert_eq!(a_star["chosen"], report["chosen"], "deal {deal}");
        assert!(greedy["chosen"].as_u64() >= report["chosen"].as_u64());
        if shortest.code == 1 {
            assert_eq!(greedy["states"], report["states"], "deal {deal}");
        }
    }
}

#[test]
fn the_fewest_cells_are_found_by_proof() {
    let ran = csp(&[
        "solve",
        "models/freecell.csp",
        "--deal",
        "3",
        "-D",
        "RANKS=6",
        "-D",
        "COLUMNS=5",
        "--fewest",
        "CELLS",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|l| l.starts_with("CELLS"))
        .collect();
    let (last, before) = lines.split_last().expect("at least one value");
    assert!(last.ends_with("solved, and this is the least"), "{last}");
    assert!(
        before.iter().all(|l| l.contains("proved unsolvable")),
        "{before:?}"
    );
    assert!(!before.is_empty());
    let short = ["--deal", "3", "-D", "RANKS=6", "-D", "COLUMNS=5"];
    let fewest = ["models/freecell.csp", "--fewest", "CELLS"];
    let report = solve(&[&fewest[..], &short].concat(), 0);
    let tried = report["fewest"]["tried"].as_array().expect("a list");
    assert_eq!(tried.len(), lines.len());
    assert_eq!(tried[tried.len() - 1]["answer"], "solved");
    assert_eq!(tried[0]["answer"], "unsolvable");
}

#[test]
fn any_event_of_any_model_can_be_the_goal() {
    let script = "models/philosophers.csp";
    let report = solve(&[script, "--assert", "2", "--goal", "eats.3"], 0);
    let events: Vec<&str> = report["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| m["event"].as_str().expect("a name"))
        .collect();
    assert_eq!(events, ["sits.3", "takes.3.3", "takes.3.4"]);
    // The forks of the last assertion are hidden, and can be sought all the same.
    let report = solve(
        &[script, "--assert", "4", "--goal", "drops.1", "--shortest"],
        0,
    );
    assert_eq!(report["chosen"], 4);
    fails_with(&["solve", script, "--goal", "nowhere"], 2, "nowhere");
    fails_with(&["solve", script], 2, "--goal");
}

/// The towers of Hanoi: a peg holds a set of discs, and only its smallest one can move.
const HANOI: &str = "
DISCS = 4
datatype Peg = A | B | C
channel move : {1..DISCS}.Peg.Peg
channel done
smaller(d) = {1..d - 1}
Tower(p, discs) =
     ([] d : {1..DISCS}, q : diff(Peg, {p}) @ inter(discs, {1..d}) == {} & move.d.q.p -> Tower(p, union(discs, {d})))
  [] ([] d : discs, q : diff(Peg, {p}) @ inter(discs, smaller(d)) == {} & move.d.p.q -> Tower(p, diff(discs, {d})))
  [] (p == C and discs == {1..DISCS}) & done -> STOP
events(p) = union({ move.d.q.r | d <- {1..DISCS}, q <- Peg, r <- Peg, q != r, q == p or r == p }, { done | p == C })
Towers = || p : Peg @ [events(p)] Tower(p, if p == A then {1..DISCS} else {})
assert Towers :[divergence free]
";

#[test]
fn puzzles_that_are_no_games_of_ours() {
    let path = temporary("hanoi.csp", HANOI.as_bytes());
    let file = path.to_string_lossy().into_owned();
    for method in [&["--shortest"][..], &["--search", "a-star"], &[]] {
        for (discs, fewest) in [("1", 1), ("3", 7), ("5", 31)] {
            let discs = format!("DISCS={discs}");
            let all = [&[&file, "--goal", "done", "-D", &discs], method].concat();
            let report = solve(&all, 0);
            let chosen = report["chosen"].as_u64().expect("a number");
            assert_eq!(report["shortest"], !method.is_empty());
            assert_eq!(
                chosen == fewest,
                report["shortest"] == true || chosen == fewest
            );
            assert!(chosen >= fewest, "{all:?}");
        }
        // Never can a disc come to the peg where it is, and only a search of everything says so.
        let all = [&[&file, "--goal", "move.1.A.A"], method].concat();
        assert_eq!(solve(&all, 1)["answer"], "unsolvable");
    }
    let text = csp(&["solve", &file, "--goal", "done"]).stdout;
    assert!(text.contains("not necessarily the fewest"), "{text}");
    fails_with(
        &["solve", &file, "--goal", "move.5"],
        2,
        "cannot be field 1",
    );
    fails_with(&["solve", &file, "--goal", "3"], 2, "not an event");
    fails_with(&["solve", &file, "--goal", ""], 2, "names no event");
    std::fs::remove_file(path).expect("it was written");

    let report = solve(&["examples/10-farmer.csp", "--shortest"], 0);
    assert_eq!(report["chosen"], 7);
    assert_eq!(report["meaning"], "they can all get across");
}

#[test]
fn a_goal_that_is_chased_is_looked_for_as_a_choice() {
    let short = ["-D", "RANKS=4", "-D", "COLUMNS=3", "--goal", "freed"];
    let model = "models/freecell.csp";
    let greedy = solve(&[&[model], &short[..]].concat(), 0);
    let shortest = solve(&[&[model, "--shortest"], &short[..]].concat(), 0);
    assert_eq!(greedy["answer"], "solved");
    assert!(shortest["chosen"].as_u64() <= greedy["chosen"].as_u64());
    let never = ["-D", "RANKS=3", "-D", "COLUMNS=3", "-D", "CELLS=0"];
    let report = solve(&[&[model, "--goal", "stackToCell"], &never[..]].concat(), 1);
    assert_eq!(report["answer"], "unsolvable");
}

#[test]
fn goals_that_are_hidden_inside_a_component_are_not_called_unreachable() {
    let text = "transparent chase, sbisim\n\
                channel a, b, c\n\
                P = a -> b -> c -> P\n\
                assert STOP [T= (P \\ {a}) |~| (c -> STOP)\n\
                assert STOP [T= (P \\ {a}) ; STOP\n\
                assert STOP [T= sbisim(P \\ {a})\n\
                assert STOP [T= chase(P \\ {a}) \\ {c}\n\
                assert STOP [T= P \\ {a}\n";
    let path = temporary("hidden.csp", text.as_bytes());
    let file = path.to_string_lossy().into_owned();
    for method in [&[][..], &["--shortest"], &["--search", "a-star"]] {
        for assertion in ["1", "2", "3", "4", "5"] {
            let arguments = ["solve", &file, "--assert", assertion, "--goal", "a"];
            let ran = csp(&[&arguments, method].concat());
            assert!([0, 3].contains(&ran.code), "{assertion}: {}", ran.stdout);
        }
        let all = [&[&file, "--assert", "5", "--goal", "a"], method].concat();
        assert_eq!(solve(&all, 0)["answer"], "solved");
    }
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn notation_and_boards_are_written() {
    let mut all = vec!["solve", "models/freecell.csp", "--deal", "7"];
    all.extend_from_slice(&SHORT);
    let mut standard = all.clone();
    standard.extend(["--notation", "standard"]);
    let ran = csp(&standard);
    let line = ran.stdout.lines().nth(1).expect("a line of moves");
    assert!(line.split(' ').all(|m| m.len() >= 2), "{line}");
    all.push("--show-boards");
    let ran = csp(&all);
    assert!(
        ran.stdout.contains("Foundations: C-5 D-5 H-5 S-5"),
        "{}",
        ran.stdout
    );
}

#[test]
fn boards_are_read_and_their_cards_counted() {
    let board = "Freecells: 2H\n: AS 2C\n: AD\n: 2S AC\n: 2D AH\n";
    let path = temporary("board.txt", board.as_bytes());
    let name = path.to_string_lossy().into_owned();
    let model = "models/freecell.csp";
    let report = solve(&[model, "--board", &name, "-D", "RANKS=2"], 0);
    assert_eq!(report["answer"], "solved");
    let ran = csp(&["check", model, "--board", &name, "-D", "RANKS=2"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let doubled = temporary("doubled.txt", board.replace("AD", "AC").as_bytes());
    let doubled = doubled.to_string_lossy().into_owned();
    let short = ["-D", "RANKS=2"];
    let with = |file: &str, needle: &str| {
        fails_with(
            &["solve", model, "--board", file, short[0], short[1]],
            2,
            needle,
        );
    };
    with(&doubled, "AC is there twice");
    let missing = temporary("missing.txt", board.replace(" AC", "").as_bytes());
    with(&missing.to_string_lossy(), "missing: AC");
    with("no/such/board.txt", "cannot read no/such/board.txt");
    with("models/freecell.csp", "line 1: '--' is not a card");
    let board = "models/boards/11982-swapped.txt";
    for (other, needle) in [
        ("models/peg.csp", "peg does not start from a deal"),
        (
            "models/klondike.csp",
            "8 columns of klondike are dealt 36 cards, not 52",
        ),
        (
            "examples/01-vending-machine.csp",
            "does not start from a board",
        ),
    ] {
        fails_with(&["solve", other, "--board", board], 2, needle);
    }
    // Without -D RANKS=2 the pack is a full one, and the board has too few cards.
    fails_with(&["solve", model, "--board", &name], 2, "missing: 3C");
    for file in [name, doubled, missing.to_string_lossy().into_owned()] {
        std::fs::remove_file(file).expect("it was written");
    }
}

#[test]
fn numbers_that_are_no_deals_are_refused() {
    let model = "models/freecell.csp";
    fails_with(
        &["solve", model, "--deal", "0"],
        2,
        "run from 1 to 8589934591",
    );
    fails_with(
        &["solve", model, "--deal", "8589934592"],
        2,
        "run from 1 to",
    );
    fails_with(
        &["solve", model, "--deal", "first"],
        2,
        "not the number of a deal",
    );
    fails_with(&["check", model, "-D", "CELLS=-1"], 2, "fewer cells");
    fails_with(
        &["solve", "models/montana.csp", "--deal=-1"],
        2,
        "run from 0 to",
    );
    let klondike = "models/klondike.csp";
    for (arguments, message) in [
        (["solve", model, "-D", "CELLS=-1"], "fewer cells"),
        (["solve", model, "-D", "COLUMNS=0"], "one column at least"),
        (["solve", model, "-D", "RANKS=14"], "1 to 13 ranks"),
        (["solve", model, "-D", "RANKS=0"], "1 to 13 ranks"),
        (["solve", klondike, "-D", "DRAW=0"], "DRAW is 1 at least"),
        (["solve", klondike, "-D", "PASSES=-1"], "and PASSES 0"),
        (["solve", klondike, "-D", "COLUMNS=12"], "so many columns"),
        (
            ["solve", model, "--fewest", "NOSUCH"],
            "no constant `NOSUCH`",
        ),
        (
            ["solve", model, "--goal", "nowhere"],
            "nothing called `nowhere`",
        ),
        (
            ["check", "models/peg.csp", "--deal", "3"],
            "no constant `DEAL`",
        ),
    ] {
        fails_with(&arguments, 2, message);
    }
    fails_with(&["deal", "peg", "1"], 2, "no numbered deals");
    fails_with(&["deal", "freecell", "0"], 2, "out of range");
    fails_with(&["deal", "chess", "1"], 2, "neither a file nor a game");
    fails_with(
        &["deal", "montana", "1", "--numbering", "pysol"],
        2,
        "no pysol numbering",
    );
}

#[test]
fn limits_are_not_proofs() {
    let report = solve(
        &[
            "models/freecell.csp",
            "--deal",
            "11982",
            "--max-states",
            "100",
        ],
        3,
    );
    assert_eq!(report["answer"], "unknown");
    assert_eq!(report["reason"], "stopped at the limit of 100 states");
}

#[test]
fn deals_are_drawn() {
    let ran = csp(&["deal", "freecell", "11982"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.starts_with(": AH 3D KD JC 6C JD KC\n"),
        "{}",
        ran.stdout
    );
    let ran = csp(&["deal", "klondike", "1", "--numbering", "solvitaire"]);
    assert!(
        ran.stdout.contains("<6S> <8H> <5H> <8D> JH"),
        "{}",
        ran.stdout
    );
}
