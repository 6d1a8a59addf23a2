//! Many deals of one model, several at a time, and what share of them can be won.
//!
//! A row for each deal, in the order in which deals are finished; rows that are there already are not
//! done again. The share comes with Wilson's interval (z = 1.96), and deals that were not decided
//! count once as lost, for the lower end, and once as won, for the upper.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde::Serialize;

use crate::cancel::CancelToken;
use crate::described::DescribedGame;
use crate::files::FileError;
use crate::redeal::{Dealer, Redeal};
use crate::script::Script;
use crate::solve::{Answer, SolveReport, SolveSettings};
use crate::stack::{NoThread, on_deep_stacks, try_on_deep_stack};

/// What one deal came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The deal.
    pub deal: i64,
    /// What was found.
    pub answer: Answer,
    /// States visited.
    pub states: u64,
    /// Chosen moves of the play; 0 without one.
    pub moves: usize,
    /// Moves that happened by themselves.
    pub forced: usize,
    /// Time, compilation included.
    pub seconds: f64,
}

/// The first line of a file of rows.
pub const HEADING: &str = "deal,answer,states,moves,forced,seconds";

impl Row {
    /// A line of comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        format!(
            "{},{},{},{},{},{:.3}",
            self.deal,
            self.answer.word(),
            self.states,
            self.moves,
            self.forced,
            self.seconds
        )
    }

    /// A line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("rows have only string keys")
    }

    /// Reads a line that [`Row::csv`] or [`Row::json`] has written.
    pub fn parse(line: &str) -> Result<Self, String> {
        let wrong = || format!("'{line}' is not a row of a survey");
        let answer = |word: &str| {
            [Answer::Solved, Answer::Unsolvable, Answer::Unknown]
                .into_iter()
                .find(|a| a.word() == word)
        };
        if line.starts_with('{') {
            let value: serde_json::Value = serde_json::from_str(line).map_err(|_| wrong())?;
            let number = |name: &str| value[name].as_u64().ok_or_else(wrong);
            let count = |name: &str| usize::try_from(number(name)?).map_err(|_| wrong());
            return Ok(Self {
                deal: value["deal"].as_i64().ok_or_else(wrong)?,
                answer: value["answer"]
                    .as_str()
                    .and_then(answer)
                    .ok_or_else(wrong)?,
                states: number("states")?,
                moves: count("moves")?,
                forced: count("forced")?,
                seconds: value["seconds"].as_f64().ok_or_else(wrong)?,
            });
        }
        let fields: Vec<&str> = line.split(',').collect();
        let [deal, word, states, moves, forced, seconds] = fields.as_slice() else {
            return Err(wrong());
        };
        Ok(Self {
            deal: deal.parse().map_err(|_| wrong())?,
            answer: answer(word).ok_or_else(wrong)?,
            states: states.parse().map_err(|_| wrong())?,
            moves: moves.parse().map_err(|_| wrong())?,
            forced: forced.parse().map_err(|_| wrong())?,
            seconds: seconds.parse().map_err(|_| wrong())?,
        })
    }
}

/// Where deals come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A script with a constant `DEAL`.
    Script(PathBuf),
    /// A described game.
    Game(DescribedGame),
}

/// What to survey.
#[derive(Clone, Debug)]
pub struct SurveySettings {
    /// What is dealt.
    pub source: Source,
    /// `NAME=EXPR`, without the deal; for scripts.
    pub defines: Vec<String>,
    /// The deals.
    pub deals: RangeInclusive<i64>,
    /// Deals at a time.
    pub threads: usize,
    /// Limits for each deal.
    pub solve: SolveSettings,
    /// Whether to stop.
    pub interrupted: CancelToken,
}

/// Why a survey ended early.
#[derive(Clone, Debug)]
pub enum SurveyError {
    /// A file could not be read.
    File(FileError),
    /// The script is wrong, or its deal.
    Deal {
        /// The deal.
        deal: i64,
        /// What is wrong.
        reason: String,
    },
    /// No thread could be started.
    Threads(NoThread),
}

/// Solves the deals that `known` does not say are done, and tells `finished` of each.
pub fn survey(
    settings: &SurveySettings,
    known: &(dyn Fn(i64) -> bool + Sync),
    finished: &(dyn Fn(&Row) + Sync),
) -> Result<(), SurveyError> {
    let next = AtomicI64::new(*settings.deals.start());
    let stopped = AtomicBool::new(false);
    let trouble: Mutex<Option<SurveyError>> = Mutex::new(None);
    let left = settings
        .deals
        .clone()
        .filter(|deal| !known(*deal))
        .take(FEW);
    let left: Vec<i64> = left.collect();
    let redeal = if left.len() == FEW {
        try_on_deep_stack(|| compile_once(settings, left[0])).map_err(SurveyError::Threads)?
    } else {
        None
    };
    let work = || {
        let mut dealer = redeal
            .as_ref()
            .and_then(|redeal| Dealer::new(redeal, &settings.interrupted).ok());
        while !stopped.load(Ordering::Relaxed) && !settings.interrupted.is_cancelled() {
            let deal = next.fetch_add(1, Ordering::Relaxed);
            if !settings.deals.contains(&deal) {
                return;
            }
            if known(deal) {
                continue;
            }
            match solve(settings, deal, redeal.as_ref().zip(dealer.as_mut())) {
                // What was interrupted is to be done again.
                Ok(row) if row.answer == Answer::Unknown && settings.interrupted.is_cancelled() => {
                    return;
                }
                Ok(row) => finished(&row),
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = trouble.lock() {
                        first.get_or_insert(error);
                    }
                    return;
                }
            }
        }
    };
    on_deep_stacks(settings.threads, work).map_err(SurveyError::Threads)?;
    trouble.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// So few deals are not worth a network for all of them.
const FEW: usize = 4;

/// The network for all deals, if the script can be dealt.
fn compile_once(settings: &SurveySettings, deal: i64) -> Option<Redeal> {
    let (defines, cancel) = (&settings.defines, &settings.interrupted);
    match &settings.source {
        Source::Script(file) => Redeal::new(file, defines, deal, &settings.solve, cancel).ok(),
        Source::Game(game) => Redeal::described(game, deal, &settings.solve, cancel).ok(),
    }
}

fn solve(
    settings: &SurveySettings,
    deal: i64,
    dealt: Option<(&Redeal, &mut Dealer)>,
) -> Result<Row, SurveyError> {
    let report = match dealt {
        Some((redeal, dealer)) => redeal.solve(dealer, deal, &settings.interrupted).ok(),
        None => None,
    };
    // What cannot be dealt by events is compiled, and what is wrong with it said.
    let report = match report.filter(|report| report.answer != Answer::Error) {
        Some(report) => report,
        None => compile_and_solve(settings, deal)?,
    };
    Ok(Row {
        deal,
        answer: report.answer,
        states: report.states,
        moves: report.chosen,
        forced: report.forced,
        seconds: report.seconds + report.compile_seconds,
    })
}

fn compile_and_solve(settings: &SurveySettings, deal: i64) -> Result<SolveReport, SurveyError> {
    let wrong = |reason: String| SurveyError::Deal { deal, reason };
    let script = match &settings.source {
        Source::Script(file) => {
            let mut defines = settings.defines.clone();
            defines.push(format!("DEAL={deal}"));
            Script::load(file, &defines)
        }
        Source::Game(game) => {
            let number = u64::try_from(deal);
            let number = number.map_err(|_| wrong("deals are counted from 0".to_owned()))?;
            game.script(number)
        }
    };
    let mut script = script.map_err(SurveyError::File)?;
    script.on_interrupt(settings.interrupted.clone());
    if script.has_errors() {
        let first = script.diagnostics().first();
        return Err(wrong(first.map_or_else(String::new, |d| d.message.clone())));
    }
    let (report, _) = script.solve(&settings.solve, &settings.interrupted);
    if report.answer == Answer::Error {
        return Err(wrong(report.reason.unwrap_or_default()));
    }
    Ok(report)
}

/// What the rows say together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Deals with a play.
    pub solved: u64,
    /// Deals without.
    pub unsolvable: u64,
    /// Deals that were not decided.
    pub unknown: u64,
    /// The share of solved deals among those decided, in per cent.
    pub rate: f64,
    /// The lower end of Wilson's interval with the unknown deals lost, in per cent.
    pub lower: f64,
    /// The upper end with the unknown deals won, in per cent.
    pub upper: f64,
    /// Time over all deals.
    pub seconds: f64,
    /// States over all deals.
    pub states: u64,
}

impl Summary {
    /// Sums up rows.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let count = |answer| rows.iter().filter(|r| r.answer == answer).count() as u64;
        let solved = count(Answer::Solved);
        let unsolvable = count(Answer::Unsolvable);
        let unknown = count(Answer::Unknown);
        Self {
            solved,
            unsolvable,
            unknown,
            rate: 100.0 * solved as f64 / (solved + unsolvable).max(1) as f64,
            lower: 100.0 * wilson(solved, unsolvable + unknown).0,
            upper: 100.0 * wilson(solved + unknown, unsolvable).1,
            seconds: rows.iter().map(|r| r.seconds).sum(),
            states: rows.iter().map(|r| r.states).sum(),
        }
    }
}

/// Wilson's interval for these numbers of wins and losses, z = 1.96.
#[must_use]
pub fn wilson(wins: u64, losses: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (w, l) = (wins as f64, losses as f64);
    let n = w + l;
    if n == 0.0 {
        return (0.0, 1.0);
    }
    let centre = (w + Z * Z / 2.0) / (n + Z * Z);
    let half = Z / (n + Z * Z) * (w * l / n + Z * Z / 4.0).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(deal: i64, answer: Answer) -> Row {
        Row {
            deal,
            answer,
            states: 10,
            moves: 3,
            forced: 1,
            seconds: 0.25,
        }
    }

    #[test]
    fn the_interval_is_wilsons() {
        // Published: 72 of 100 gives 62.5 to 79.9, 63 of 100 gives 53.2 to 71.8.
        let (lower, upper) = wilson(72, 28);
        assert_eq!(format!("{lower:.3} {upper:.3}"), "0.625 0.799");
        let (lower, upper) = wilson(63, 37);
        assert_eq!(format!("{lower:.3} {upper:.3}"), "0.532 0.718");
    }

    #[test]
    fn unknown_deals_count_both_ways() {
        let mut rows: Vec<Row> = (0..70).map(|i| row(i, Answer::Solved)).collect();
        rows.extend((70..98).map(|i| row(i, Answer::Unsolvable)));
        rows.extend((98..100).map(|i| row(i, Answer::Unknown)));
        let summary = Summary::of(&rows);
        assert_eq!(
            (summary.solved, summary.unsolvable, summary.unknown),
            (70, 28, 2)
        );
        assert_eq!(summary.lower, 100.0 * wilson(70, 30).0);
        assert_eq!(summary.upper, 100.0 * wilson(72, 28).1);
    }

    #[test]
    fn rows_are_read_back() {
        let row = row(-3, Answer::Unsolvable);
        assert_eq!(Row::parse(&row.csv()), Ok(row.clone()));
        assert_eq!(Row::parse(&row.json()), Ok(row));
        assert!(Row::parse("1,perhaps,1,1,1,1").is_err());
    }
}
