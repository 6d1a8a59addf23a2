//! Starts of games: what `deal` prints is read back, other numberings, ranges, and boards that are wrong.

use super::run::csp;

struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("csp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn printed(arguments: &[&str]) -> String {
    let ran = csp(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

const STARTS: [(&str, &str); 4] = [
    ("freecell", "(columns, held)"),
    ("king-albert", "(columns, held)"),
    ("klondike", "(columns, stock)"),
    ("montana", "dealt"),
];

#[test]
fn what_deal_prints_is_read_back() {
    let folder = Folder::new("boards");
    for (game, facts) in STARTS {
        let model = format!("models/{game}.csp");
        let board = folder.write(game, &printed(&["deal", game, "7"]));
        let numbered = printed(&["eval", &model, facts, "--deal", "7"]);
        let read = printed(&["eval", &model, facts, "--board", &board]);
        assert_eq!(numbered, read, "{game}");
    }
}

#[test]
fn numberings_of_others() {
    let folder = Folder::new("numberings");
    for (game, numbering) in [
        ("freecell", "pysol"),
        ("freecell", "old-pysol"),
        ("freecell", "solvitaire"),
        ("king-albert", "solvitaire"),
        ("klondike", "solvitaire"),
    ] {
        let facts = STARTS.iter().find(|(name, _)| *name == game);
        let (_, facts) = facts.expect("a game of cards");
        let model = format!("models/{game}.csp");
        let by = ["--numbering", numbering];
        let drawn = printed(&["deal", game, "40000", by[0], by[1]]);
        let board = folder.write("board.txt", &drawn);
        let numbered = printed(&["eval", &model, facts, "--deal", "40000", by[0], by[1]]);
        assert_eq!(
            numbered,
            printed(&["eval", &model, facts, "--board", &board])
        );
        assert_ne!(
            numbered,
            printed(&["eval", &model, facts, "--deal", "40000"])
        );
    }
    let ran = csp(&["deal", "montana", "1", "--numbering", "pysol"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("there is no pysol numbering for montana: it has ours"),
        "{}",
        ran.stderr
    );
}

/// Columns hang downwards, and every card is there.
#[test]
fn deals_are_drawn_downwards() {
    let drawn = printed(&["deal", "klondike", "4", "--drawn"]);
    let rows: Vec<&str> = drawn.lines().collect();
    assert!(rows[0].starts_with("s "), "{drawn}");
    let heading = rows
        .iter()
        .position(|r| r.starts_with("1 "))
        .expect("columns");
    let cards = |row: &str| row.split_whitespace().count();
    let counts: Vec<usize> = rows[heading + 1..].iter().map(|r| cards(r)).collect();
    assert_eq!(counts, [7, 6, 5, 4, 3, 2, 1], "{drawn}");
}

#[test]
fn solve_takes_a_range() {
    let ran = csp(&["solve", "models/freecell.csp", "--deal", "1..3", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for deal in 1..=3 {
        assert!(
            ran.stdout.contains(&format!("deal {deal}\nsolved")),
            "{}",
            ran.stdout
        );
    }
    let ran = csp(&["solve", "models/freecell.csp", "--deal", "3..1"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("the range 3..1 is backwards: write 1..3"),
        "{}",
        ran.stderr
    );
}

#[test]
fn wrong_boards_are_refused_with_a_sentence() {
    let folder = Folder::new("wrong-boards");
    let good = printed(&["deal", "klondike", "7"]);
    let card = good
        .split_whitespace()
        .find(|w| w.len() == 2 && !w.contains(':'))
        .expect("a card");
    let other = if card == "AS" { "2S" } else { "AS" };
    let cases = [
        (good.replace(card, other), format!("{other} is there twice")),
        (good.replacen(card, "", 1), format!("missing: {card}")),
        ("012".repeat(52), "is there twice".to_owned()),
        (
            "{\"tableau piles\": [[\"9X\"]]}".to_owned(),
            "'9X' is not a card".to_owned(),
        ),
    ];
    for (i, (text, sentence)) in cases.iter().enumerate() {
        let board = folder.write(&i.to_string(), text);
        for verb in ["solve", "play", "check"] {
            let script = if verb == "play" {
                "klondike"
            } else {
                "models/klondike.csp"
            };
            let ran = csp(&[verb, script, "--board", &board]);
            assert_eq!(ran.code, 2, "{verb} {i}: {}", ran.stdout);
            assert!(
                ran.stderr.contains(sentence.as_str()),
                "{verb} {i}: {}",
                ran.stderr
            );
        }
    }
}
