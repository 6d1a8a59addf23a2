//! Games played from standard input.

use super::bad_input::{fails_with, temporary};
use super::run::{csp, csp_with};

const SHORT: [&str; 8] = [
    "play",
    "models/freecell.csp",
    "-D",
    "RANKS=5",
    "-D",
    "COLUMNS=4",
    "-D",
    "CELLS=1",
];

fn short(deal: &str, lines: &[&str]) -> (i32, String) {
    let ran = csp_with(&[&SHORT[..], &["--deal", deal]].concat(), lines);
    assert_eq!(ran.stderr, "");
    (ran.code, ran.stdout)
}

#[test]
fn a_game_is_followed_to_its_win_and_saved_on_the_way() {
    let file = temporary("game.json", b"");
    let file = file.to_string_lossy().into_owned();
    let save = format!("save {file}");
    let (code, out) = short("55", &["lamp", "follow 3", &save, "follow"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("can still be won:"), "{out}");
    assert!(out.ends_with("the game is won\n"), "{out}");
    let load = [&SHORT[..], &["--deal", "55", "--load", &file]].concat();
    let ran = csp_with(&load, &["undo 3", "undo", "redo 3", "follow"]);
    // One undo too many is refused, and the game goes on.
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("\nmove 3,"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("  this is the deal\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.ends_with("the game is won\n"), "{}", ran.stdout);
    let other = [&SHORT[..], &["--deal", "54", "--load", &file]].concat();
    fails_with(&other, 2, "it is a game of another deal");
}

#[test]
fn the_lamp_says_since_when_a_game_is_lost() {
    // Deal 11982 cannot be won at all.
    let ran = csp_with(
        &["play", "models/freecell.csp", "--deal", "11982"],
        &["1", "1", "lamp"],
    );
    let lost = "lost from the deal on: every play was tried";
    assert!(ran.stdout.contains(lost), "{}", ran.stdout);
    // Thirteen jumps solve the triangle.
    let ran = csp_with(
        &["play", "models/peg-triangle.csp"],
        &["follow 11", "lamp", "u 11", "m"],
    );
    assert!(
        ran.stdout.contains("can still be won: 2 more moves known"),
        "{}",
        ran.stdout
    );
}

#[test]
fn refused_moves_say_why_and_by_whom() {
    let ran = csp_with(
        &["play", "models/klondike.csp", "--deal", "1"],
        &[
            "3h",
            "Move:TP1:DP",
            "Move:FPS:TP3",
            "Move:TP1:TP2",
            "Move:TP9:TP2",
            "Move:TP2:TP5:2",
            "Turn:TP7",
            "home.card.Clubs.2.Chosen",
            "jump.1.2",
            "2H",
            "nonsense",
        ],
    );
    assert_eq!(ran.code, 1);
    let said: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|l| l.starts_with("  no:"))
        .collect();
    let expected = [
        "  no: 7♠ is not the next of its suit",
        "  no: WP is empty",
        "  no: 7♠ is not the next of its suit",
        "  no: 5♣ does not go on K♠",
        "  no: there is no pile TP9: they are DP WP FPC FPD FPH FPS TP1 TP2 TP3 TP4 TP5 TP6 TP7",
        "  no: 8♥ is face down",
        "  no: TP7 has a card that is face up; the next one turns by itself",
        "  no: 2♣ is not the next of its suit",
        "  no: no process of this game knows such an event",
        "  no: 2♥ is face down",
        "  no: that is not a command; help lists them",
    ];
    assert_eq!(said, expected);
    let refuser = "home.card.Spades.7.Chosen is refused by Foundation(Spades, 0)";
    assert!(ran.stdout.contains(refuser), "{}", ran.stdout);
}

#[test]
fn the_commands_of_the_petri_net_play_klondike() {
    let ran = csp_with(
        &["play", "models/klondike.csp", "--deal", "1"],
        &[
            "Move:TP2:TP5",
            "Turn:DP",
            "log",
            "branches",
            "undo",
            "restart",
            "52",
            "draw",
            "score",
        ],
    );
    let log = "   1  52     4♦ onto 5♣    toColumn.card.Diamonds.4.card.Clubs.5\n";
    assert_eq!(ran.stdout.matches(log).count(), 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("   2  draw   draw K♦    draw\n"));
    assert!(ran.stdout.ends_with("  score 5\n"), "{}", ran.stdout);
}

#[test]
fn pegs_and_digits_are_played_too() {
    let ran = csp_with(&["play", "models/peg.csp"], &["b2-d4", "d2-d4", "b"]);
    assert!(
        ran.stdout.contains("  no: that is not possible now\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("2     o.o\n3   ooo.ooo\n4   ooooooo\n"),
        "{}",
        ran.stdout
    );
    let ran = csp_with(&["play", "models/sudoku.csp"], &["g8=3", "u", "follow"]);
    assert!(ran.stdout.contains("guess.(7, 6).3\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("the game is won\n"), "{}", ran.stdout);
}

#[test]
fn what_is_no_game_is_said_to_be_none() {
    fails_with(
        &["play", "tarock"],
        2,
        "'tarock' is neither a file nor a game",
    );
    fails_with(
        &["play", "examples/10-farmer.csp"],
        2,
        "is not a game: no assertion has a `--@ game:` line",
    );
}

/// Games are in the program: any folder will do, also one without models.
#[test]
fn games_are_played_from_any_folder() {
    let folder = std::env::temp_dir().join(format!("csp-any-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_csp"))
        .args(["play", "klondike", "-D", "RANKS=3", "-D", "COLUMNS=3"])
        .current_dir(&folder)
        .env("NO_COLOR", "1")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the command starts");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("FPC"), "{text}");
}

/// A run that `solve` writes as one move is one command of `play`, and leads to the same position.
#[test]
fn a_run_is_one_move_in_solve_and_play() {
    let deal = ["models/freecell.csp", "--deal", "617"];
    let solved = csp(&[&["solve"], &deal[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&solved.stdout).expect("JSON");
    let run = &report["runs"][0];
    let number = |key: &str| usize::try_from(run[key].as_u64().expect("a number")).expect("small");
    let (first, moves) = (number("number") - 1, number("moves"));
    let chosen = report["moves"].as_array().expect("moves");
    let events: Vec<&str> = chosen
        .iter()
        .filter(|m| m["forced"] == false)
        .filter_map(|m| m["event"].as_str())
        .collect();
    let notation = run["notation"].as_str().expect("a command");
    let played = |commands: &[&str]| {
        let ran = csp_with(
            &[&["play"], &deal[..]].concat(),
            &[commands, &["board"]].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.stdout);
        let board = ran.stdout.rfind("\nmove ").expect("a board");
        let above = ran.stdout[..board].rfind("FPC").expect("foundations");
        ran.stdout[above..].to_owned()
    };
    let one_by_one = played(&events[..first + moves]);
    let at_once = played(&[&events[..first], &[notation]].concat());
    assert_eq!(one_by_one, at_once);
    let text = csp(&[&["solve"], &deal[..]].concat()).stdout;
    assert!(text.contains(&format!("  {notation}  ")), "{text}");
}

#[test]
fn golf_is_played_and_refuses_in_its_words() {
    let short = [
        "play",
        "golf",
        "-D",
        "RANKS=4",
        "-D",
        "COLUMNS=3",
        "-D",
        "DEPTH=3",
    ];
    let won = csp_with(&short, &["follow"]);
    assert!(won.stdout.ends_with("the game is won\n"), "{}", won.stdout);
    let refused = csp_with(&short, &["12"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.contains("no: cards go to the hole only"),
        "{}",
        refused.stdout
    );
    // The described game of the same family, and a pile that gives nothing back.
    let described = csp_with(&["play", "models/games/golf-wrap.toml"], &["h1"]);
    assert!(described.stdout.contains("no: "), "{}", described.stdout);
}
