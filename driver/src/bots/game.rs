//! A game that a bot plays: a position of the process, and the referee beside it.

use std::collections::{HashMap, HashSet};

use csp_checker::directed::{Opened, Position};
use csp_checker::reference::Simulator;
use csp_games::petri::Dice;
use csp_games::referee::Referee;
use csp_lts::{EventId, EventSet, EventTable, RuleId, StateId};

use super::choice::{Outlook, choose, done};
use super::strategy::Bot;
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
            let outlooks = Outlooks {
                game: self,
                offered: &offered,
                met: &met,
                state: &state,
                referee: referee.as_deref(),
            };
            let chosen = choose(bot, &outlooks, &last, dice)?;
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
}

/// What a bot may know of the moves of a position.
struct Outlooks<'a> {
    game: &'a BotGame<'a>,
    offered: &'a [(EventId, Position)],
    met: &'a HashSet<Vec<StateId>>,
    state: &'a [StateId],
    referee: Option<&'a (dyn Referee + Send)>,
}

impl Outlook for Outlooks<'_> {
    fn events(&self) -> Vec<String> {
        let name = |(event, _): &(EventId, Position)| self.game.events.name(*event);
        self.offered.iter().map(name).collect()
    }

    fn is_new(&self, index: usize) -> bool {
        let after = self.game.opened.state(&self.offered[index].1);
        !self.met.contains(&after)
    }

    fn wins(&self, index: usize) -> bool {
        self.game.opened.is_won(&self.offered[index].1)
    }

    fn choices(&self, index: usize) -> usize {
        let next = self.game.opened.moves(&self.offered[index].1);
        next.map_or(0, |moves| moves.len())
    }

    fn done(&self, index: usize) -> Result<i64, String> {
        let referee = self.referee;
        let referee = referee.ok_or("the greedy bot needs a game with a referee")?;
        let mut copy = referee.copied();
        let event = self.offered[index].0;
        self.game.judge(copy.as_mut(), self.state, event)?;
        Ok(done(&copy.position()))
    }
}
