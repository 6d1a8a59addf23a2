//! The generators of `models/lib/deals.csp` and of the games crate agree.

use csp_driver::{Script, on_deep_stack};
use csp_games::deal::{microsoft, park_miller};
use csp_games::model::Shown;

fn packs(model: &str, function: &str, numbers: &[u64]) -> Vec<Vec<csp_games::Card>> {
    on_deep_stack(|| {
        let file = format!("{}/../models/{model}", env!("CARGO_MANIFEST_DIR"));
        let mut script = Script::load(&file, &[]).expect("readable");
        let list: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let expression = format!("< {function}(n) | n <- <{}> >", list.join(", "));
        let shown = script.evaluate(&expression, None).expect("deals");
        let value = Shown::parse(&shown).expect("a sequence");
        let packs = value.items().expect("packs").iter();
        packs.map(|pack| pack.cards().expect("cards")).collect()
    })
}

/// Numbers from all parts of a range.
fn numbers(last: u64, edges: &[u64]) -> Vec<u64> {
    let mut numbers: Vec<u64> = (1..=60).collect();
    numbers.extend((1..=60).map(|i| last / 61 * i + i * i));
    numbers.extend_from_slice(edges);
    numbers.push(last);
    numbers
}

#[test]
fn microsoft_numbers() {
    let edges = [11982, 1 << 31, (1 << 31) - 1, 1 << 32, (1 << 32) - 1];
    let numbers = numbers(microsoft::LAST, &edges);
    for (number, pack) in numbers
        .iter()
        .zip(packs("freecell.csp", "microsoft", &numbers))
    {
        assert_eq!(Some(pack), microsoft::deal(*number, 13), "deal {number}");
    }
}

#[test]
fn our_own_numbers() {
    let numbers = numbers(csp_games::deal::layout::LAST_OF_OURS, &[0, 65536]);
    for (number, pack) in numbers
        .iter()
        .zip(packs("montana.csp", "shuffled", &numbers))
    {
        assert_eq!(pack, park_miller::deal(*number, 13), "deal {number}");
    }
}
