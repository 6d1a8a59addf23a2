//! Many deals played without seeing what is hidden, several at a time.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use csp_player::Settings;

use super::{Hidden, HiddenRow, Stepper, hidden, play_deal};
use crate::CheckSettings;
use crate::cancel::CancelToken;
use crate::redeal::{Dealer, Redeal};
use crate::solve::{Method, SolveSettings};
use crate::stack::on_deep_stacks;

/// What is played.
#[derive(Clone, Debug)]
pub struct HiddenSurvey {
    /// The script.
    pub file: PathBuf,
    /// `NAME=EXPR`, without the deal.
    pub defines: Vec<String>,
    /// The deals.
    pub deals: RangeInclusive<i64>,
    /// How to play.
    pub settings: Settings,
    /// Whether to stop.
    pub interrupted: CancelToken,
}

/// Compiles a model that hides something; the error is a sentence.
pub fn open(
    file: &Path,
    defines: &[String],
    deal: i64,
    cancel: &CancelToken,
) -> Result<(Redeal, Hidden), String> {
    let solve = SolveSettings {
        check: CheckSettings::default(),
        goal: None,
        method: Method::Greedy,
        improve: None,
        boards: false,
    };
    let redeal = Redeal::new(file, defines, deal, &solve, cancel)?;
    let hidden = hidden(&mut Dealer::new(&redeal, cancel)?)?;
    Ok((redeal, hidden))
}

/// Plays the deals that `known` does not say are done, and tells `finished` of each. The error is a
/// sentence.
pub fn survey(
    asked: &HiddenSurvey,
    known: &(dyn Fn(i64) -> bool + Sync),
    finished: &(dyn Fn(&HiddenRow) + Sync),
) -> Result<(), String> {
    let cancel = &asked.interrupted;
    let first = *asked.deals.start();
    let (redeal, hidden) = open(&asked.file, &asked.defines, first, cancel)?;
    let next = AtomicI64::new(first);
    let stopped = AtomicBool::new(false);
    let trouble: Mutex<Option<String>> = Mutex::new(None);
    let fail = |why: String| {
        stopped.store(true, Ordering::Relaxed);
        if let Ok(mut first) = trouble.lock() {
            first.get_or_insert(why);
        }
    };
    let work = || {
        let mut dealer = match Dealer::new(&redeal, cancel) {
            Ok(dealer) => dealer,
            Err(why) => return fail(why),
        };
        let stepper = Stepper::new(&redeal);
        while !stopped.load(Ordering::Relaxed) && !cancel.is_cancelled() {
            let deal = next.fetch_add(1, Ordering::Relaxed);
            if !asked.deals.contains(&deal) {
                return;
            }
            if known(deal) {
                continue;
            }
            let facts = dealer.events(deal);
            let row = facts.and_then(|facts| {
                play_deal(
                    &redeal,
                    &hidden,
                    &stepper,
                    deal,
                    &facts,
                    &asked.settings,
                    cancel,
                )
            });
            match row {
                // What was interrupted is to be played again.
                Ok(_) if cancel.is_cancelled() => return,
                Ok(row) => finished(&row),
                Err(why) => return fail(format!("deal {deal}: {why}")),
            }
        }
    };
    let games = asked.settings.max_concurrent_games;
    on_deep_stacks(games, work).map_err(|none| none.to_string())?;
    trouble.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// For each move that can be made in a deal after some events, its name, the share of guesses that stay
/// winnable, and how many were tried; the error is a sentence.
pub fn hint(asked: &HiddenSurvey, after: &[String]) -> Result<Vec<(String, f64, u64)>, String> {
    let cancel = &asked.interrupted;
    let deal = *asked.deals.start();
    let (redeal, hidden) = open(&asked.file, &asked.defines, deal, cancel)?;
    let facts = Dealer::new(&redeal, cancel)?.events(deal)?;
    let stepper = Stepper::new(&redeal);
    let mut table = super::HiddenTable::new(&redeal, &hidden, &stepper, &facts)?;
    for name in after {
        let event = redeal.event(name);
        let event = event.ok_or_else(|| format!("there is no event {name}"))?;
        if !csp_player::Table::play(&mut table, &event) {
            return Err(format!("{name} is not possible there"));
        }
    }
    let view = csp_player::Table::view(&table);
    let mut values = csp_player::hint(view, &asked.settings);
    values.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let name = |event| redeal.events().name(event);
    let values = values.into_iter();
    Ok(values
        .map(|(event, share, tried)| (name(event), share, tried))
        .collect())
}
