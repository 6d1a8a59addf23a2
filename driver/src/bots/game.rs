//! A game that a bot plays: a position of the process, and the referee beside it.

use std::collections::{HashMap, HashSet};

use csp_checker::directed::{Opened, Position};
use csp_checker::reference::Simulator;
use csp_games::petri::Dice;
use csp_games::referee::Referee;
use csp_games::table::{self, PileKind};
use csp_lts::{EventId, EventSet, EventTable, RuleId, StateId};

use super::strategy::{Bot, Guard, Strategy, is_of};
use super::{End, GameReport, INTERRUPTED, Watch};
use crate::play::PositionReport;

/// What is shown of a game after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The number of the move; 0 is the deal.
    pub number: u64,
    /// The move in words, or its event.
    pub text: String,
    /// The position.
    pub position: PositionReport,
    /// The score, if the game has one.
    pub score: Option<i32>,
}

/// The process of a game, ready to be played from any position.
pub(super) struct BotGame<'a> {
    pub(super) opened: &'a Opened,
    pub(super) events: &'a EventTable,
    pub(super) goal: &'a EventSet,
    simulator: Simulator<'a>,
    rules: HashMap<EventId, Vec<RuleId>>,
}

impl<'a> BotGame<'a> {
    pub(super) fn new(opened: &'a Opened, events: &'a EventTable, goal: &'a EventSet) -> Self {
        let network = opened.network();
        let mut chased = HashSet::new();
        for chase in &network.chases {
            chased.extend(chase.rules.iter().copied());
        }
        let mut rules: HashMap<EventId, Vec<RuleId>> = HashMap::new();
        for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
            if !chased.contains(&id) {
                rules.entry(rule.revealed).or_default().push(id);
            }
        }
        Self {
            opened,
            events,
            goal,
            simulator: Simulator::new(network),
            rules,
        }
    }

    /// Everything that happens with an event in a state: itself, and what follows by itself.
    fn follow(&self, state: &[StateId], event: EventId) -> Option<Vec<EventId>> {
        let mut rules = self.rules.get(&event)?.iter();
        let rule = rules.find(|rule| self.simulator.can_fire(state, **rule))?;
        let (_, mut next) = self.simulator.fire(state, *rule).into_iter().next()?;
        let chased = self.simulator.chase(&mut next).ok()?;
        let mut all = vec![event];
        all.extend(chased.iter().map(|step| step.revealed));
        Some(all)
    }

    /// What happens by itself after these events, from the very beginning.
    fn forced_after(&self, events: &[EventId]) -> Option<Vec<EventId>> {
        let (mut state, mut chased) = self.simulator.initial().ok()?;
        for event in events {
            let mut rules = self.rules.get(event)?.iter();
            let rule = rules.find(|rule| self.simulator.can_fire(&state, **rule))?;
            let (_, mut next) = self.simulator.fire(&state, *rule).into_iter().next()?;
            chased = self.simulator.chase(&mut next).ok()?;
            state = next;
        }
        Some(chased.iter().map(|step| step.revealed).collect())
    }

    /// Has a referee follow what happens by itself before the first move.
    pub(super) fn begin(
        &self,
        referee: &mut dyn Referee,
        opening: &[EventId],
    ) -> Result<(), String> {
        let forced = self.forced_after(opening);
        for event in forced.ok_or("the deal cannot be followed")? {
            let name = self.events.name(event);
            let said = referee.play_event(&name);
            said.map_err(|why| format!("the referee rejects {name}: {why}"))?;
        }
        Ok(())
    }

    /// Has a referee follow a move; the first words that it has for it.
    fn judge(
        &self,
        referee: &mut dyn Referee,
        state: &[StateId],
        event: EventId,
    ) -> Result<String, String> {
        let name = self.events.name(event);
        let all = self
            .follow(state, event)
            .ok_or_else(|| format!("{name} cannot be followed"))?;
        let mut words = None;
        for event in all {
            let name = self.events.name(event);
            let said = referee.play_event(&name);
            let said = said.map_err(|why| format!("the referee rejects {name}: {why}"))?;
            words = words.or(said);
        }
        Ok(words.unwrap_or(name))
    }

    /// Plays a game from a position to its end. `shown` is told of every position and says whether to go on.
    pub(super) fn play(
        &self,
        bot: &Bot,
        (deal, limit): (i64, u64),
        mut position: Position,
        mut referee: Option<Box<dyn Referee + Send>>,
        dice: &mut Dice,
        mut shown: Option<&mut Watch<'_>>,
    ) -> Result<GameReport, String> {
        let mut met: HashSet<Vec<StateId>> = HashSet::new();
        let mut last = String::new();
        let (mut moves, mut text) = (0, String::new());
        let end = loop {
            let state = self.opened.state(&position);
            met.insert(state.clone());
            if let (Some(referee), Some(shown)) = (&referee, &mut shown) {
                let now = Shown {
                    number: moves,
                    text: std::mem::take(&mut text),
                    position: crate::play::told_position(&referee.position()),
                    score: referee.score(),
                };
                if !shown(&now) {
                    return Err(INTERRUPTED.to_owned());
                }
            }
            if self.opened.is_won(&position) {
                break End::Won;
            }
            let offered = self.opened.moves(&position).ok_or_else(|| {
                "a move of this game leads to several positions: bots cannot play it".to_owned()
            })?;
            let offered: Vec<(EventId, Position)> = offered
                .into_iter()
                .filter(|(event, _)| !self.goal.contains(*event))
                .collect();
            if offered.is_empty() {
                break End::Stuck;
            }
            if moves >= limit {
                break End::Limit;
            }
            let chosen = match bot {
                Bot::Weights(strategy) => self.by_weights(strategy, &offered, &met, &last, dice),
                Bot::Greedy => self.greedy(&offered, &met, &state, referee.as_deref(), dice)?,
                Bot::Blind(_) => unreachable!("it has a table of its own"),
            };
            let Some(chosen) = chosen else {
                break End::Passed;
            };
            let (event, next) = &offered[chosen];
            last = self.events.name(*event);
            if let Some(referee) = &mut referee {
                text = self.judge(referee.as_mut(), &state, *event)?;
            }
            position = next.clone();
            moves += 1;
        };
        Ok(GameReport {
            deal,
            end,
            moves,
            commands: None,
            score: referee.as_ref().and_then(|r| r.score()),
        })
    }

    /// The place of a move by its weight; none if all weights are 0.
    fn by_weights(
        &self,
        strategy: &Strategy,
        offered: &[(EventId, Position)],
        met: &HashSet<Vec<StateId>>,
        last: &str,
        dice: &mut Dice,
    ) -> Option<usize> {
        let holds = |guard: &Guard, after: &Position| match guard {
            Guard::New => !met.contains(&self.opened.state(after)),
            Guard::Wins => self.opened.is_won(after),
            Guard::More => {
                let next = self.opened.moves(after).map_or(0, |moves| moves.len());
                next > offered.len()
            }
            Guard::After(channel) => is_of(last, channel),
        };
        let weight = |(event, after): &(EventId, Position)| {
            let name = self.events.name(*event);
            let mut rules = strategy.rules.iter();
            let rule = rules.find(|rule| {
                rule.is_about(&name)
                    && (rule.when.iter()).all(|(guard, wanted)| holds(guard, after) == *wanted)
            });
            rule.map_or(0.0, |rule| rule.weight)
        };
        let weights: Vec<f64> = offered.iter().map(weight).collect();
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
    fn greedy(
        &self,
        offered: &[(EventId, Position)],
        met: &HashSet<Vec<StateId>>,
        state: &[StateId],
        referee: Option<&(dyn Referee + Send)>,
        dice: &mut Dice,
    ) -> Result<Option<usize>, String> {
        let referee = referee.ok_or("the greedy bot needs a game with a referee")?;
        let mut best: (i64, Vec<usize>) = (i64::MIN, Vec::new());
        for (i, (event, after)) in offered.iter().enumerate() {
            if met.contains(&self.opened.state(after)) {
                continue;
            }
            let mut copy = referee.copied();
            self.judge(copy.as_mut(), state, *event)?;
            let done = done(&copy.position());
            if done > best.0 {
                best = (done, vec![i]);
            } else if done == best.0 {
                best.1.push(i);
            }
        }
        let equal = &best.1;
        Ok((!equal.is_empty()).then(|| equal[dice.below(equal.len())]))
    }
}

/// How much is done in a position, whatever the game: a card at home counts four, one that can be seen one, one
/// that follows its left neighbour in a row two; a peg that is gone and a digit that is written one.
fn done(position: &table::Position) -> i64 {
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
