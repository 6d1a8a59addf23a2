//! What the headers of the models and `models/README.md` say to expect.

use std::collections::BTreeSet;

use serde_json::Value;

use super::run::csp;

fn json(arguments: &[&str], code: i32) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["--json", "--quiet"]);
    let ran = csp(&all);
    assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

fn check(arguments: &[&str], code: i32) -> Vec<Value> {
    let report = json(&[&["check"], arguments].concat(), code);
    report["assertions"].as_array().expect("a list").clone()
}

fn solve(arguments: &[&str], code: i32) -> Value {
    json(&[&["solve"], arguments].concat(), code)
}

fn events(report: &Value) -> Vec<&str> {
    let moves = report["moves"].as_array().expect("a list").iter();
    moves
        .map(|line| line["event"].as_str().expect("a name"))
        .collect()
}

const FREECELL: &str = "models/freecell.csp";

#[test]
fn the_impossible_deals_of_the_first_million() {
    let deals = [
        ("11982", 61_643),
        ("146692", 8_603),
        ("186216", 16_606),
        ("455889", 11_806),
        ("495505", 27_688),
        ("512118", 22_482),
        ("517776", 67_016),
        ("781948", 4_381),
    ];
    for (deal, states) in deals {
        let report = solve(&[FREECELL, "--deal", deal], 1);
        assert_eq!(report["answer"], "unsolvable", "deal {deal}");
        assert_eq!(report["states"], states, "deal {deal}");
    }
}

#[test]
fn a_player_who_peeks_is_told_by_determinism() {
    let rows = check(&["models/no-peek.csp"], 1);
    assert_eq!(rows[0]["verdict"], "pass");
    assert_eq!(rows[0]["states"], 14);
    assert_eq!(rows[1]["verdict"], "fail");
    assert_eq!(rows[1]["states"], 4);
}

#[test]
fn what_another_cell_or_another_order_changes() {
    let report = solve(&[FREECELL, "--deal", "11982", "-D", "CELLS=5"], 0);
    assert_eq!(report["referee"], "freecell");
    let board = "models/boards/11982-swapped.txt";
    let report = solve(&[FREECELL, "--board", board], 0);
    assert_eq!(report["referee"], "freecell");
    let report = solve(&[FREECELL, "--deal", "617", "-D", "CELLS=3"], 1);
    assert_eq!(report["states"], 13_582);
    let report = solve(&[FREECELL, "--deal", "1", "-D", "CELLS=2"], 1);
    assert_eq!(report["states"], 70_882);
}

#[test]
fn the_swapped_board_is_the_deal_but_for_two_cards() {
    let dealt = csp(&["deal", "freecell", "11982"]).stdout;
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/models/boards/11982-swapped.txt"
    );
    let swapped = std::fs::read_to_string(path).expect("readable");
    assert_eq!(dealt.replace("7D 8D", "8D 7D"), swapped);
    assert_ne!(dealt, swapped);
}

#[test]
fn names_for_columns_and_cells_cost_states() {
    let model = "models/freecell-named.csp";
    let short = ["-D", "RANKS=6", "-D", "COLUMNS=3", "-D", "CELLS=3"];
    // Nearly 3! times as many: the cells can be in any order, and columns are seldom empty.
    for (deal, mobile, named) in [("2", 306, 1_801), ("4", 158, 872), ("5", 91, 512)] {
        let both = check(&[&[model, "--deal", deal], &short[..]].concat(), 0);
        let counted = [&both[0]["states"], &both[1]["states"]];
        assert_eq!(counted, [mobile, named], "deal {deal}");
        assert_eq!(both[0]["plys"], both[1]["plys"], "deal {deal}");
    }
    // A deal that can be won is won in the same number of moves.
    let both = check(&[&[model, "--deal", "3"], &short[..]].concat(), 1);
    assert_eq!(both[0]["plys"], both[1]["plys"]);
    assert_eq!(both[1]["referee"], "freecell");
}

/// The grid that a puzzle is filled to by a play.
fn filled(puzzle: &[&str], play: &Value) -> Vec<Vec<u32>> {
    let row = |row: &&str| row.chars().map(|c| c.to_digit(10).unwrap_or(0)).collect();
    let mut grid: Vec<Vec<u32>> = puzzle.iter().map(row).collect();
    for event in events(play) {
        let Some(("guess" | "forced", place)) = event.split_once('.') else {
            continue;
        };
        let numbers: Vec<u32> = place
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|n| n.parse().ok())
            .collect();
        let cell = &mut grid[numbers[0] as usize][numbers[1] as usize];
        assert_eq!(*cell, 0, "{event} fills a cell that is filled");
        *cell = numbers[2];
    }
    grid
}

/// Every row, column and box has every digit.
fn is_sudoku(grid: &[Vec<u32>], side: usize) -> bool {
    let size = side * side;
    let all: Vec<u32> = (1..=size as u32).collect();
    let has_all = |cells: &mut dyn Iterator<Item = (usize, usize)>| {
        let mut digits: Vec<u32> = cells.map(|(r, c)| grid[r][c]).collect();
        digits.sort_unstable();
        digits == all
    };
    (0..size).all(|i| {
        let (top, left) = (i / side * side, i % side * side);
        has_all(&mut (0..size).map(|j| (i, j)))
            && has_all(&mut (0..size).map(|j| (j, i)))
            && has_all(&mut (0..size).map(|j| (top + j / side, left + j % side)))
    })
}

#[test]
fn sudoku_is_solved() {
    let model = "models/sudoku.csp";
    let hard = [
        "8........",
        "..36.....",
        ".7..9.2..",
        ".5...7...",
        "....457..",
        "...1...3.",
        "..1....68",
        "..85...1.",
        ".9....4..",
    ];
    let grid = filled(&hard, &solve(&[model], 0));
    assert!(is_sudoku(&grid, 3), "{grid:?}");
    let report = &check(&[model], 1)[0];
    assert_eq!(report["states"], 3_604);
    let small = ["1...", "..3.", ".2..", "...4"];
    let drawn = r#"PUZZLE=<"1...", "..3.", ".2..", "...4">"#;
    let grid = filled(&small, &solve(&[model, "-D", "BOX=2", "-D", drawn], 0));
    assert!(is_sudoku(&grid, 2), "{grid:?}");
    for (puzzle, code) in [
        (r#"PUZZLE=<"11..", "....", "....", "....">"#, 1),
        (r#"PUZZLE=<"1234", "3412", "2143", "432.">"#, 0),
        (r#"PUZZLE=<"1234", "3412", "2143", "4321">"#, 0),
        (r#"PUZZLE=<"1234", "3412", "2143", "4322">"#, 1),
        (r#"PUZZLE=<"12.3", "....", "..4.", "....">"#, 1),
    ] {
        solve(&[model, "-D", "BOX=2", "-D", puzzle], code);
    }
}

#[test]
fn the_english_board_is_solved_in_31_jumps() {
    let report = solve(&["models/peg.csp"], 0);
    assert_eq!(
        (&report["chosen"], &report["referee"]),
        (&31.into(), &"peg".into())
    );
}

/// The triangle with a sign in one hole and another in all others; holes are counted by rows from 1.
fn triangle(name: &str, hole: usize, sign: char, others: char) -> String {
    let mut number = 0;
    let rows = (0..5).map(|row| {
        let holes = (0..=row).map(|_| {
            number += 1;
            if number == hole { sign } else { others }.to_string()
        });
        let holes = holes.collect::<Vec<_>>().join(" ");
        format!("\"{holes:^9}\"")
    });
    format!("{name}=<{}>", rows.collect::<Vec<_>>().join(", "))
}

#[test]
fn triangles_have_the_published_figures() {
    // The vacancy, all positions and dead ends, the holes a single peg can end in, and the fewest
    // moves to one.
    #[allow(clippy::type_complexity, reason = "a table of figures")]
    let figures: [(usize, u64, usize, &[usize], usize, usize); 4] = [
        (1, 3_016, 122, &[1, 7, 10, 13], 1, 10),
        (2, 2_377, 117, &[2, 6, 11, 14], 6, 10),
        (4, 4_237, 142, &[3, 4, 9, 12, 15], 4, 9),
        (5, 1_651, 89, &[13], 13, 11),
    ];
    let model = "models/peg-triangle.csp";
    for (vacancy, positions, stuck, ends, end, moves) in figures {
        let start = triangle("START", vacancy, '.', 'o');
        let report = &check(&[model, "--assert", "2", "-D", &start], 0)[0];
        assert_eq!(report["states"], positions, "vacancy {vacancy}");
        let board = "Board [| {done} |] STOP";
        let graph = csp(&["graph", model, board, "-D", &start]).stdout;
        let moving: BTreeSet<&str> = graph
            .lines()
            .skip(1)
            .filter_map(|transition| transition.split(',').next())
            .collect();
        let all = usize::try_from(positions).expect("few");
        assert_eq!(all - moving.len(), stuck, "vacancy {vacancy}");
        for hole in 1..=15 {
            let goal = triangle("GOAL", hole, 'o', '.');
            let code = i32::from(!ends.contains(&hole));
            let arguments = [model, "-D", &start, "-D", &goal];
            let report = solve(&arguments, code);
            if code == 0 {
                assert_eq!(
                    (&report["chosen"], &report["referee"]),
                    (&13.into(), &"peg".into())
                );
            }
        }
        let goal = triangle("GOAL", end, 'o', '.');
        for (moves, code) in [(moves - 1, 1), (moves, 0)] {
            let moves = format!("MOVES={moves}");
            solve(&[model, "-D", &start, "-D", &goal, "-D", &moves], code);
        }
    }
}

#[test]
fn the_highest_scores_of_klondike() {
    let short: &[&str] = &["models/klondike-score.csp", "--counterexamples", "200"];
    let whole = "--deal 23 -D DRAW=3 -D RANKS=13 -D COLUMNS=7 -D PASSES=0";
    let whole: Vec<&str> = short.iter().copied().chain(whole.split(' ')).collect();
    for (arguments, states, count, highest) in [(short, 246_779, 34, 165), (&whole, 89_734, 18, 85)]
    {
        let report = &check(arguments, 1)[0];
        assert_eq!(report["states"], states);
        assert_eq!(report["referee"], "klondike");
        let plays = report["counterexamples"].as_array().expect("a list");
        let last = |play: &Value| play["trace"].as_array().and_then(|t| t.last().cloned());
        let score = |event: Value| event.as_str()?.strip_prefix("score.")?.parse::<u32>().ok();
        let scores = plays.iter().filter_map(|p| last(p).and_then(score));
        let scores: Vec<u32> = scores.collect();
        assert_eq!((scores.len(), scores.iter().max()), (count, Some(&highest)));
    }
}

#[test]
fn short_packs_have_the_states_that_headers_state() {
    let cases: [(&[&str], i32, u64); 5] = [
        (
            &[
                "models/golf.csp",
                "-D",
                "RANKS=4",
                "-D",
                "COLUMNS=3",
                "-D",
                "DEPTH=3",
            ],
            1,
            436,
        ),
        (
            &["models/klondike.csp", "-D", "RANKS=6", "-D", "COLUMNS=5"],
            1,
            10_701,
        ),
        (&["models/montana.csp", "-D", "RANKS=5"], 1, 13_695),
        (&["models/king-albert.csp", "--deal", "68"], 0, 210),
        (&["models/king-albert.csp", "--deal", "10"], 0, 2),
    ];
    for (arguments, code, states) in cases {
        let report = &check(arguments, code)[0];
        assert_eq!(report["states"], states, "{arguments:?}");
    }
}

#[test]
fn philosophers_have_the_states_that_headers_state() {
    let states = |file: &str| -> Vec<u64> {
        let assertions = check(&[file, "--expect"], 0);
        assertions
            .iter()
            .filter_map(|a| a["states"].as_u64())
            .collect()
    };
    assert_eq!(
        states("models/philosophers.csp"),
        [1_873, 7_035, 7_035, 7_035]
    );
    assert_eq!(states("models/philosophers-by-parts.csp"), [3, 7]);
}

/// Verdict, states, transitions and plys of each assertion of a model.
fn counts(model: &str, code: i32) -> Vec<(String, u64, u64, u64)> {
    let assertions = check(&[model], code);
    let counted = assertions.iter().map(|assertion| {
        let number = |key: &str| assertion[key].as_u64().expect("a count");
        let verdict = assertion["verdict"].as_str().expect("a word");
        (
            verdict.to_owned(),
            number("states"),
            number("transitions"),
            number("plys"),
        )
    });
    counted.collect()
}

fn is(verdict: &str, states: u64, transitions: u64, plys: u64) -> (String, u64, u64, u64) {
    (verdict.to_owned(), states, transitions, plys)
}

/// Each card in one place, no card destroyed, player and bot apart, no deadlock, the same plays as the cards
/// both ways; without the token a run is destroyed, and two kings race for one empty pile.
#[test]
fn klondike_as_modules() {
    let model = "models/klondike-modules.csp";
    assert_eq!(
        counts(model, 1),
        [
            is("pass", 852_149, 1_895_531, 98),
            is("pass", 852_149, 1_895_531, 98),
            is("pass", 852_149, 1_895_531, 98),
            is("pass", 852_149, 1_895_531, 98),
            is("pass", 855_459, 1_899_933, 98),
            is("pass", 1_262, 5_257, 16),
            is("fail", 62_990, 216_119, 14),
            is("fail", 507_642, 1_676_992, 23),
        ]
    );
}

/// The hurried game refines the game: here it is lost though the game can be won.
#[test]
fn freecell_in_a_hurry() {
    assert_eq!(
        counts("models/freecell-optimistic.csp", 1),
        [
            is("pass", 50, 97, 10),
            is("fail", 312, 867, 15),
            is("pass", 45, 72, 10)
        ]
    );
}

/// Suits in place of cards: the same states as the model with cards.
#[test]
fn freecell_by_suits_and_by_columns() {
    assert_eq!(
        counts("models/freecell-suits.csp", 0),
        [is("pass", 61_643, 220_154, 37)]
    );
    assert_eq!(
        counts("models/freecell-columns.csp", 1),
        [is("fail", 32_239, 125_655, 33)]
    );
}

#[test]
fn montana_with_mobile_cards() {
    assert_eq!(
        counts("models/montana-mobile.csp", 1),
        [is("fail", 732, 1_559, 7), is("pass", 9_969, 29_081, 19)]
    );
}

/// The identity, in both directions.
#[test]
fn mobility_is_an_identity() {
    assert_eq!(
        counts("models/mobility.csp", 0),
        [is("pass", 14, 21, 6), is("pass", 14, 21, 6)]
    );
}
