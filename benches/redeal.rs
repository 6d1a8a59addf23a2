//! What another deal costs once a model is compiled for all of them.
//!
//!     cargo bench --bench redeal
//!
//! For each bundled game that can be dealt: the time to compile it once, and the time of one deal more:
//! evaluating its cards and performing them as events. The middle of a hundred deals, and the least.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::time::Instant;

use csp_driver::redeal::{Dealer, Redeal};
use csp_driver::solve::{Method, SolveSettings};
use csp_driver::{CancelToken, CheckSettings, on_deep_stack};

const GAMES: [(&str, &[&str]); 6] = [
    ("freecell", &[]),
    ("king-albert", &[]),
    ("klondike", &["DRAW=1"]),
    ("klondike", &["DRAW=3"]),
    ("montana", &[]),
    ("golf", &[]),
];

fn main() {
    on_deep_stack(|| {
        println!(
            "{:<24} {:>10} {:>12} {:>12}",
            "game", "once, s", "deal, ms", "least, ms"
        );
        for (name, pairs) in GAMES {
            if let Err(why) = measure(name, pairs) {
                println!("{name:<24} {why}");
            }
        }
    });
}

fn measure(name: &str, pairs: &[&str]) -> Result<(), String> {
    let file = format!("{}/models/{name}.csp", env!("CARGO_MANIFEST_DIR"));
    let defines: Vec<String> = pairs.iter().map(|p| (*p).to_owned()).collect();
    let settings = SolveSettings {
        check: CheckSettings::default(),
        goal: None,
        method: Method::Greedy,
        improve: None,
        boards: false,
    };
    let cancel = CancelToken::new();
    let begun = Instant::now();
    let redeal = Redeal::new(file.as_ref(), &defines, 1, &settings, &cancel)?;
    let once = begun.elapsed().as_secs_f64();
    let mut dealer = Dealer::new(&redeal, &cancel)?;
    let mut times = Vec::new();
    for deal in 1..=100 {
        let begun = Instant::now();
        dealer.deal(deal)?;
        times.push(1e3 * begun.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let title = format!("{name} {}", pairs.join(" "));
    println!(
        "{title:<24} {once:>10.2} {:>12.2} {:>12.2}",
        times[50], times[0]
    );
    Ok(())
}
