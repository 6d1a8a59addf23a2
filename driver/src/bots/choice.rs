//! How a bot chooses among the moves that are offered: by weights, or the one after which most is done.
//!
//! Where the moves come from does not matter: a game that a bot plays alone, or one at the table.

use csp_games::petri::Dice;
use csp_games::table::{self, PileKind};

use super::strategy::{Bot, Guard, Strategy, is_of};

/// What a bot may know of the moves that are offered. They are numbered from 0.
pub(crate) trait Outlook {
    /// Their events.
    fn events(&self) -> Vec<String>;
    /// A move leads to a position that was not met in this game.
    fn is_new(&self, index: usize) -> bool;
    /// It wins.
    fn wins(&self, index: usize) -> bool;
    /// How many moves there are to choose from after it.
    fn choices(&self, index: usize) -> usize;
    /// How much is done after it: [`done`].
    fn done(&self, index: usize) -> Result<i64, String>;
}

/// The place of the move that a bot makes; none if it wants none of them. The blind bot does not choose.
pub(crate) fn choose(
    bot: &Bot,
    outlook: &dyn Outlook,
    last: &str,
    dice: &mut Dice,
) -> Result<Option<usize>, String> {
    match bot {
        Bot::Weights(strategy) => Ok(by_weights(strategy, outlook, last, dice)),
        Bot::Greedy => greedy(outlook, dice),
        Bot::Blind(_) => Ok(None),
    }
}

/// The place of a move by its weight; none if all weights are 0.
fn by_weights(
    strategy: &Strategy,
    outlook: &dyn Outlook,
    last: &str,
    dice: &mut Dice,
) -> Option<usize> {
    let events = outlook.events();
    let holds = |guard: &Guard, index: usize| match guard {
        Guard::New => outlook.is_new(index),
        Guard::Wins => outlook.wins(index),
        Guard::More => outlook.choices(index) > events.len(),
        Guard::After(channel) => is_of(last, channel),
    };
    let weight = |(index, event): (usize, &String)| {
        let mut rules = strategy.rules.iter();
        let rule = rules.find(|rule| {
            rule.is_about(event)
                && (rule.when.iter()).all(|(guard, wanted)| holds(guard, index) == *wanted)
        });
        rule.map_or(0.0, |rule| rule.weight)
    };
    let weights: Vec<f64> = events.iter().enumerate().map(weight).collect();
    if strategy.best {
        let most = weights.iter().copied().fold(0.0, f64::max);
        let best: Vec<usize> = (0..weights.len())
            .filter(|i| most > 0.0 && weights[*i] >= most)
            .collect();
        return (!best.is_empty()).then(|| best[dice.below(best.len())]);
    }
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return None;
    }
    let mut drawn = dice.fraction() * total;
    for (i, weight) in weights.iter().enumerate() {
        drawn -= weight;
        if drawn < 0.0 && *weight > 0.0 {
            return Some(i);
        }
    }
    weights.iter().rposition(|weight| *weight > 0.0)
}

/// The move after which most is done, among those to positions that were not met; by chance among equals.
fn greedy(outlook: &dyn Outlook, dice: &mut Dice) -> Result<Option<usize>, String> {
    let mut best: (i64, Vec<usize>) = (i64::MIN, Vec::new());
    for index in 0..outlook.events().len() {
        if !outlook.is_new(index) {
            continue;
        }
        let done = outlook.done(index)?;
        if done > best.0 {
            best = (done, vec![index]);
        } else if done == best.0 {
            best.1.push(index);
        }
    }
    let equal = &best.1;
    Ok((!equal.is_empty()).then(|| equal[dice.below(equal.len())]))
}

/// How much is done in a position, whatever the game: a card at home counts four, one that can be seen one, one
/// that follows its left neighbour in a row two; a peg that is gone and a digit that is written one.
pub(crate) fn done(position: &table::Position) -> i64 {
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    match position {
        table::Position::Cards(piles) => piles
            .iter()
            .map(|pile| match pile.kind {
                PileKind::Foundation => 4 * count(pile.places.len()),
                PileKind::Row => {
                    let pairs = pile.places.windows(2).filter(|pair| {
                        pair[0].card.zip(pair[1].card).is_some_and(|(left, right)| {
                            left.suit == right.suit && left.rank + 1 == right.rank
                        })
                    });
                    2 * count(pairs.count())
                }
                PileKind::Column => count(pile.places.iter().filter(|p| p.up).count()),
                _ => 0,
            })
            .sum(),
        table::Position::Pegs(holes) => {
            -count(holes.rows.iter().flatten().filter(|c| **c == 'o').count())
        }
        table::Position::Digits(digits) => {
            count(digits.rows.iter().flatten().filter(|d| **d > 0).count())
        }
    }
}
