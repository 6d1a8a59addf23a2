//! Described games: every bundled game, its model beside its referee.

use std::sync::Arc;

use csp_driver::deal::Numbering;
use csp_driver::described::{DescribedGame, bundle, compare, smallest};
use csp_driver::redeal::Redeal;
use csp_driver::report::VerdictReport;
use csp_driver::solve::{Method, SolveSettings};
use csp_driver::{CancelToken, CheckSettings, Script, on_deep_stack};

/// Pairs of a state and a position that are compared for each game.
const MOST: usize = 400;
/// Descriptions that are put together at random; about one in six is right.
const RANDOM: usize = 500;

/// Model and referee have the same traces, on the two smallest packs that make sense, for every game.
#[test]
fn model_and_referee_agree() {
    let wrong = on_deep_stack(|| {
        let mut wrong = Vec::new();
        for game in bundle::all() {
            for (fewest, deal) in [(2, 1), (2, 2), (3, 1)] {
                let start = smallest(game, fewest, deal);
                if let Err(why) = start.and_then(|start| compare(&start, MOST)) {
                    wrong.push(format!(
                        "{} ({fewest} ranks, deal {deal}): {why}",
                        game.name
                    ));
                    break;
                }
            }
        }
        wrong
    });
    assert!(
        wrong.is_empty(),
        "{} games\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is compiled once and told a deal has the positions and moves of what is compiled for that deal, for every
/// game. Games whose foundations begin with the first card of the pack have a network for each of these; those that cannot
/// be told a deal by events say so, and surveys compile each of their deals.
#[test]
fn games_compiled_once_are_dealt_as_games_compiled_for_the_deal() {
    let wrong = on_deep_stack(|| {
        let mut wrong = Vec::new();
        let (settings, cancel) = (solving(), CancelToken::new());
        for game in bundle::all() {
            let Ok(short) = smallest(game, 2, 1).map(|start| Arc::clone(start.rules())) else {
                continue;
            };
            let first = short
                .foundations
                .as_ref()
                .is_some_and(|f| f.base == csp_rules::description::Base::First);
            let dealt = DescribedGame::new(short, Some(Numbering::Ours));
            let redeal = Redeal::described(&dealt, 1, &settings, &cancel);
            let agreed = redeal.and_then(|redeal| {
                let mut compared = 0;
                for deal in 2..=4 {
                    compared += redeal.compare(deal, MOST, &cancel)?;
                }
                Ok(compared)
            });
            let known = |why: &str| {
                (first && why.ends_with("has another outline"))
                    || why.ends_with("are compiled for each deal")
                    || (game.name == "archway-wpi" && why.ends_with("nothing is dealt yet"))
            };
            if let Err(why) = agreed
                && !known(&why)
            {
                wrong.push(format!("{}: {why}", game.name));
            }
        }
        wrong
    });
    assert!(
        wrong.is_empty(),
        "{} games\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn solving() -> SolveSettings {
    SolveSettings {
        check: CheckSettings::default(),
        goal: None,
        method: Method::Greedy,
        improve: None,
        boards: false,
    }
}

/// Looser and stricter game, and whether the stricter refines the looser and the other way round.
const REFINEMENTS: &[(&str, &str, bool, bool)] = &[
    ("golf-wrap", "golf", true, false),
    ("golf-wpi", "golf-no-wrap", true, false),
    ("worm-hole", "black-hole", true, false),
    ("flake-wpi", "flake", true, false),
    ("fan-cavendish", "la-belle-lucie", true, false),
    ("fan-easy", "fan-cavendish", true, false),
    ("fan-wpi", "fan-cavendish", true, false),
    ("fan-free-pile", "fan-cavendish", true, false),
    ("super-flower-garden", "la-belle-lucie", true, false),
    ("stronghold", "streets-and-alleys", true, false),
    ("siegecraft", "beleaguered-castle", true, false),
    ("two-cell", "one-cell", true, false),
    ("eight-off-any-card-spaces", "eight-off", true, false),
    ("freecell-wpi", "free-cell", true, false),
    ("free-cell", "bakers-game", false, false),
    ("spanish-patience", "castles-of-spain", true, false),
    ("klondike", "klondike-no-worrying-back", true, false),
    ("alaska", "russian", true, false),
    ("yukon", "russian", false, false),
    ("baby", "spiderette", true, false),
    (
        "canfield-auto-reserve-then-waste",
        "canfield-strict",
        true,
        false,
    ),
    ("gaps-one-deal", "gaps-basic-variant", true, false),
];

/// Whether every play of the stricter game is one of the looser, with short packs.
fn within(looser: &str, stricter: &str, ranks: u8) -> Result<bool, String> {
    let game = |name: &str| {
        let rules = bundle::find(name).ok_or_else(|| format!("{name} is not bundled"))?;
        Ok::<_, String>(DescribedGame::new(Arc::clone(rules), Some(Numbering::Ours)))
    };
    let text = csp_driver::described::within(&game(looser)?, &game(stricter)?, ranks, 1)?;
    let nothing = &mut |path: &str| Err(path.to_owned());
    let mut script = Script::from_text("both", text, nothing, &[]).map_err(|e| e.reason)?;
    if let Some(first) = script.diagnostics().first() {
        return Err(first.message.clone());
    }
    let settings = CheckSettings {
        max_states: Some(200_000),
        ..CheckSettings::default()
    };
    let (report, _) = script.check(0, &settings, &CancelToken::new());
    match report.verdict {
        VerdictReport::Pass => Ok(true),
        VerdictReport::Fail => Ok(false),
        _ => Err(report.reason.unwrap_or_default()),
    }
}

/// Stricter games refine looser ones; where they do not, or not the other way round, there is a counterexample.
#[test]
fn stricter_games_refine_looser_ones() {
    let wrong = on_deep_stack(|| {
        let mut wrong = Vec::new();
        for (looser, stricter, down, up) in REFINEMENTS {
            for (a, b, expected) in [(looser, stricter, down), (stricter, looser, up)] {
                // Two ranks are not always enough to show a difference.
                let mut found = within(a, b, 2);
                for ranks in 3..=4 {
                    if found == Ok(true) && !expected {
                        found = within(a, b, ranks);
                    }
                }
                if found.as_ref() != Ok(expected) {
                    wrong.push(format!("{a} [T= {b}: {found:?}"));
                }
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A description that nobody thought of, as text.
fn random_game(random: &mut Random) -> String {
    let mut text = String::new();
    let ranks = random.of(&["2", "2", "3"]);
    let decks = random.of(&["1", "1", "1", "2"]);
    text += &format!("[pack]\nranks = {ranks}\ndecks = {decks}\n[tableau]\n");
    let mut key = |text: &mut String, key: &str, values: &[&str]| {
        let value = random.of(values);
        if !value.is_empty() {
            *text += &format!("{key} = {value}\n");
        }
    };
    const BUILDS: &[&str] = &[
        "\"down alternating\"",
        "\"down in suit\"",
        "\"down any suit\"",
        "\"down any suit wrapping\"",
        "\"up or down in suit\"",
        "\"same rank\"",
        "\"not same suit and not same rank\"",
        "\"nothing\"",
    ];
    key(&mut text, "columns", &["2", "3", "4"]);
    key(&mut text, "build", BUILDS);
    key(
        &mut text,
        "spaces",
        &["", "\"none\"", "\"kings\"", "\"not aces\""],
    );
    key(
        &mut text,
        "moves",
        &["", "\"one\"", "\"run\"", "\"whole\"", "\"all\""],
    );
    key(
        &mut text,
        "run",
        &[
            "",
            "",
            "\"down in suit\"",
            "[\"same rank\", \"down any suit\"]",
        ],
    );
    key(&mut text, "face", &["", "", "\"last\"", "[1, 1]"]);
    key(&mut text, "limit", &["", "", "", "3"]);
    key(
        &mut text,
        "refill",
        &[
            "",
            "",
            "",
            "\"reserve\"",
            "\"reserve then waste\"",
            "\"waste then stock\"",
        ],
    );
    text += "[stock]\n";
    key(&mut text, "cards", &["2", "3", "4"]);
    key(
        &mut text,
        "to",
        &["", "\"columns\"", "\"waste\"", "\"hole\""],
    );
    key(&mut text, "turn", &["", "2"]);
    key(&mut text, "redeals", &["", "", "1", "\"unlimited\""]);
    key(&mut text, "full", &["", "", "true"]);
    let mut section = |text: &mut String, options: &[&str]| *text += random.of(options);
    section(
        &mut text,
        &[
            "",
            "",
            "[reserve]\ncards = 2\n",
            "[reserve]\ncards = 2\nstacked = true\n",
        ],
    );
    section(
        &mut text,
        &[
            "",
            "",
            "[cells]\ncount = 1\n",
            "[cells]\ncount = 2\nfilled = 1\n",
        ],
    );
    section(
        &mut text,
        &[
            "[foundations]\n",
            "[foundations]\nback = true\n",
            "[foundations]\nstart = \"all\"\n",
            "[foundations]\nbase = \"first\"\nstart = \"one\"\n",
            "[foundations]\ncomplete = true\n",
            "[foundations]\norder = \"alternating\"\n",
            "[hole]\nwrap = false\n",
            "[hole]\nstart = \"empty\"\n",
        ],
    );
    // Without a stock more of the rest goes together.
    if random.of(&["stock", "none"]) == "none"
        && let (Some(from), Some(to)) = (text.find("[stock]"), text.rfind("\n["))
    {
        let end = text[from + 1..].find("\n[").map_or(to, |at| from + 1 + at);
        text.replace_range(from..=end, "");
    }
    text
}

/// A generator that is the same everywhere.
struct Random(u64);

impl Random {
    fn of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        of[(self.0 >> 33) as usize % of.len()]
    }
}

/// Model and referee agree on games that were put together at random, too.
#[test]
fn random_games_have_models_that_agree() {
    let (wrong, compared) = on_deep_stack(|| {
        let (mut wrong, mut compared) = (Vec::new(), 0);
        let mut random = Random(23);
        for _ in 0..RANDOM {
            let text = random_game(&mut random);
            let reading =
                csp_rules::read("random", "random", &text, &mut |name| Err(name.to_owned()));
            let Some(rules) = reading.description.map(Arc::new) else {
                continue;
            };
            compared += 1;
            let start = DescribedGame::new(rules, None).deal(1);
            if let Err(why) = start.and_then(|start| compare(&start, 150)) {
                wrong.push(format!("{why}\n{text}"));
            }
        }
        (wrong, compared)
    });
    assert!(
        wrong.is_empty(),
        "{} of {compared} games\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 40, "only {compared} descriptions were right");
}
