//! What is dealt by events is what is compiled for the deal: the same positions, moves and answers.

use csp_driver::redeal::{Dealer, Redeal};
use csp_driver::solve::{Method, SolveSettings};
use csp_driver::survey::{Row, Source, SurveySettings, survey};
use csp_driver::{CancelToken, CheckSettings, Script, on_deep_stack};

fn settings() -> SolveSettings {
    SolveSettings {
        check: CheckSettings::default(),
        goal: None,
        method: Method::Greedy,
        improve: None,
        boards: false,
    }
}

fn model(name: &str) -> String {
    format!("{}/../models/{name}.csp", env!("CARGO_MANIFEST_DIR"))
}

fn defines(pairs: &[&str]) -> Vec<String> {
    pairs.iter().map(|p| (*p).to_owned()).collect()
}

/// How many positions of each are gone through, breadth first.
const POSITIONS: usize = 2000;

/// Short packs, and how many deals of each.
const SHORT: [(&str, &[&str], usize); 6] = [
    ("freecell", &["RANKS=3", "COLUMNS=3", "CELLS=1"], 6),
    ("king-albert", &["RANKS=3", "COLUMNS=4"], 6),
    ("klondike", &["RANKS=3", "COLUMNS=3", "DRAW=1"], 6),
    ("klondike", &["RANKS=3", "COLUMNS=4", "DRAW=3"], 6),
    (
        "klondike",
        &["RANKS=4", "COLUMNS=3", "DRAW=3", "PASSES=2"],
        4,
    ),
    ("montana", &["RANKS=3"], 3),
];

#[test]
fn positions_of_short_packs_agree() {
    on_deep_stack(|| {
        for (name, pairs, deals) in SHORT {
            let cancel = CancelToken::new();
            let deals = 1..=i64::try_from(deals).expect("few");
            let solve = settings();
            let redeal = Redeal::new(model(name).as_ref(), &defines(pairs), 1, &solve, &cancel);
            let redeal = redeal.unwrap_or_else(|why| panic!("{name}: {why}"));
            for deal in deals {
                let compared = redeal.compare(deal, POSITIONS, &cancel);
                assert!(
                    compared.is_ok(),
                    "{name} {pairs:?} deal {deal}: {compared:?}"
                );
            }
        }
    });
}

#[test]
fn whole_packs_agree_where_they_start_and_in_what_is_answered() {
    for (name, pairs, deals) in [
        ("freecell", &["CELLS=4"][..], 1..=4),
        ("king-albert", &[], 66..=69),
    ] {
        let survey_settings = SurveySettings {
            source: Source::Script(model(name).into()),
            defines: defines(pairs),
            deals: deals.clone(),
            threads: 1,
            solve: settings(),
            interrupted: CancelToken::new(),
        };
        let rows = std::sync::Mutex::new(Vec::<Row>::new());
        let finished = |row: &Row| rows.lock().expect("one thread").push(row.clone());
        survey(&survey_settings, &|_| false, &finished).expect("no mistakes");
        for row in rows.into_inner().expect("one thread") {
            let mut pairs = defines(pairs);
            pairs.push(format!("DEAL={}", row.deal));
            on_deep_stack(|| {
                let mut script = Script::load(model(name), &pairs).expect("readable");
                let (report, _) = script.solve(&settings(), &CancelToken::new());
                assert_eq!(report.answer, row.answer, "{name} {}", row.deal);
            });
        }
    }
}

#[test]
fn what_does_not_fit_is_compiled_for_each_deal() {
    on_deep_stack(|| {
        let cancel = CancelToken::new();
        let redeal = |name: &str, pairs: &[&str]| {
            Redeal::new(
                model(name).as_ref(),
                &defines(pairs),
                1,
                &settings(),
                &cancel,
            )
        };
        let why = redeal("peg-triangle", &[]).err().expect("it has no deals");
        assert!(why.contains("OPENING"), "{why}");
        let one = redeal("freecell", &["RANKS=2", "COLUMNS=2"]).expect("it can be dealt");
        let mut dealer = Dealer::new(&one, &cancel).expect("it has an opening");
        assert!(dealer.deal(2).is_ok());
        let why = dealer.deal(0).expect_err("there is no such deal");
        assert!(why.contains("FreeCell deals run from 1"), "{why}");
    });
}
