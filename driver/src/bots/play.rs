//! A bot over the deals of a script.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Mutex;

use csp_checker::directed::{Opened, Position, Strategy as Search};
use csp_games::petri::Dice;
use csp_games::referee::Referee;
use csp_lts::{EventSet, EventTable};

use super::blind::{self, BlindDeck};
use super::game::BotGame;
use super::strategy::Bot;
use super::{BotReport, GameReport, INTERRUPTED, Watch, WinnableReport};
use crate::cancel::CancelToken;
use crate::redeal::{Dealer, Redeal};
use crate::script::Script;
use crate::solve::{Method, SolveSettings};
use crate::survey::{self, Row, Source, Summary, SurveyError, SurveySettings};

/// How many moves a game may have if nobody says.
const MOVES: u64 = 1_000;

/// What a bot is to play.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// The script.
    pub file: PathBuf,
    /// `NAME=EXPR`, without the deal.
    pub defines: Vec<String>,
    /// The player.
    pub bot: Bot,
    /// The deals; none if the script has no numbered ones.
    pub deals: Option<RangeInclusive<i64>>,
    /// What the blind bot is dealt.
    pub deck: BlindDeck,
    /// What its chances are drawn with.
    pub seed: u64,
    /// Moves, or commands of the blind bot, that a game may have.
    pub limit: Option<u64>,
    /// Which assertion is about the game, and limits for compiling it.
    pub solve: SolveSettings,
    /// Whether to find out, within the limits of `solve`, which of the deals can be won.
    pub winnable: bool,
    /// Deals that are solved at a time.
    pub threads: usize,
    /// Whether to stop.
    pub interrupted: CancelToken,
}

/// Plays all deals; `shown` is told of every position.
///
/// # Errors
///
/// A sentence: the script has no game, cannot be compiled, or the bot cannot play it.
pub fn play(
    settings: &BotSettings,
    mut shown: Option<&mut Watch<'_>>,
) -> Result<BotReport, String> {
    let mut games = Vec::new();
    if let Bot::Blind(blind) = &settings.bot {
        let mut blind = *blind;
        blind.commands = settings.limit.unwrap_or(blind.commands);
        let deals = settings.deals.clone().unwrap_or(1..=1);
        for deal in deals {
            stop(settings)?;
            let shown = shown.as_deref_mut();
            games.push(blind::play(
                &blind,
                settings.deck,
                deal,
                settings.seed,
                shown,
            )?);
        }
    } else {
        match &settings.deals {
            None => games.push(compiled(settings, None, shown)?),
            Some(deals) => dealt(settings, deals, &mut games, &mut shown)?,
        }
    }
    let file = settings.file.display().to_string();
    let mut report = BotReport::new(&file, settings.bot.name(), settings.seed, games);
    let is_dealt = !matches!(
        (&settings.bot, settings.deck),
        (Bot::Blind(_), BlindDeck::Sorted)
    );
    if settings.winnable && is_dealt {
        report.winnable = winnable(settings)?;
    }
    Ok(report)
}

fn stop(settings: &BotSettings) -> Result<(), String> {
    if settings.interrupted.is_cancelled() {
        return Err(INTERRUPTED.to_owned());
    }
    Ok(())
}

/// All deals on one network, where the script can be dealt; else each is compiled.
fn dealt(
    settings: &BotSettings,
    deals: &RangeInclusive<i64>,
    games: &mut Vec<GameReport>,
    shown: &mut Option<&mut Watch<'_>>,
) -> Result<(), String> {
    let once = if deals.start() == deals.end() {
        None
    } else {
        let (file, defines, cancel) = (&settings.file, &settings.defines, &settings.interrupted);
        Redeal::new(file, defines, *deals.start(), &searching(settings), cancel).ok()
    };
    let Some(redeal) = once else {
        for deal in deals.clone() {
            stop(settings)?;
            games.push(compiled(settings, Some(deal), shown.as_deref_mut())?);
        }
        return Ok(());
    };
    let mut dealer = Dealer::new(&redeal, &settings.interrupted)?;
    let game = BotGame::new(redeal.opened(), redeal.events(), redeal.goal());
    for deal in deals.clone() {
        stop(settings)?;
        let position = dealer.deal(deal)?;
        let names = dealer.events(deal)?;
        let opening: Option<Vec<_>> = names.iter().map(|name| redeal.event(name)).collect();
        let opening = opening.ok_or_else(|| format!("deal {deal} cannot be dealt by events"))?;
        let start = dealer.start()?;
        let mut referee = start.map(|start| start.seat()).transpose()?;
        if let Some(referee) = &mut referee {
            game.begin(referee.as_mut(), &opening)?;
        }
        let shown = shown.as_deref_mut();
        games.push(one(settings, &game, deal, position, referee, shown)?);
    }
    Ok(())
}

/// Directed searches can start anywhere.
fn searching(settings: &BotSettings) -> SolveSettings {
    SolveSettings {
        method: Method::Greedy,
        ..settings.solve.clone()
    }
}

/// One deal, compiled for itself.
fn compiled(
    settings: &BotSettings,
    deal: Option<i64>,
    shown: Option<&mut Watch<'_>>,
) -> Result<GameReport, String> {
    let mut defines = settings.defines.clone();
    defines.extend(deal.map(|deal| format!("DEAL={deal}")));
    let mut script = Script::load(&settings.file, &defines).map_err(|error| error.reason)?;
    script.on_interrupt(settings.interrupted.clone());
    if script.has_errors() {
        let first = script.diagnostics().first();
        return Err(first.map_or_else(String::new, |d| d.message.clone()));
    }
    let mut found = script.game(&settings.solve, &settings.interrupted)?;
    let game = BotGame::new(&found.opened, &found.events, &found.goal);
    game.begin(found.referee.as_mut(), &[])?;
    let position = found.opened.initial()?;
    let deal = deal.unwrap_or(0);
    one(settings, &game, deal, position, Some(found.referee), shown)
}

fn one(
    settings: &BotSettings,
    game: &BotGame<'_>,
    deal: i64,
    position: Position,
    referee: Option<Box<dyn Referee + Send>>,
    shown: Option<&mut Watch<'_>>,
) -> Result<GameReport, String> {
    let limit = match &settings.bot {
        Bot::Weights(strategy) => settings.limit.or(strategy.moves),
        _ => settings.limit,
    };
    let mut dice = Dice::new(settings.seed, deal.unsigned_abs());
    let how = (deal, limit.unwrap_or(MOVES));
    game.play(&settings.bot, how, position, referee, &mut dice, shown)
}

/// A game compiled for one deal.
struct Compiled {
    opened: Opened,
    events: EventTable,
    goal: EventSet,
    referee: Box<dyn Referee + Send>,
}

impl Script {
    /// The first selected assertion about a game, ready to be played.
    fn game(&mut self, settings: &SolveSettings, cancel: &CancelToken) -> Result<Compiled, String> {
        let assertion = self.to_solve(settings)?;
        let wrong = |d: Vec<csp_grammar::Diagnostic>| {
            d.first().map_or_else(String::new, |d| d.message.clone())
        };
        let start = self
            .start(&assertion, settings.check.timeout)
            .map_err(wrong)?;
        let start = start.ok_or_else(|| {
            let file = &self.file;
            format!("{file} is not a game: its first assertion has no `--@ game:` line")
        })?;
        let prepared = self.prepare(settings, cancel);
        let prepared = prepared.map_err(|trouble| trouble.sentence())?;
        let is_goal = |rule: &csp_lts::Rule| prepared.goal.contains(rule.result);
        let opened = Opened::new(prepared.network.clone(), &is_goal, Search::Greedy)?;
        Ok(Compiled {
            opened,
            events: prepared.events,
            goal: prepared.goal,
            referee: start.seat()?,
        })
    }
}

/// Solves the same deals with all cards known.
fn winnable(settings: &BotSettings) -> Result<Option<WinnableReport>, String> {
    let Some(deals) = settings.deals.clone() else {
        return Ok(None);
    };
    let survey = SurveySettings {
        source: Source::Script(settings.file.clone()),
        defines: settings.defines.clone(),
        deals,
        threads: settings.threads,
        solve: searching(settings),
        interrupted: settings.interrupted.clone(),
    };
    let rows: Mutex<Vec<Row>> = Mutex::new(Vec::new());
    let finished = |row: &Row| {
        if let Ok(mut rows) = rows.lock() {
            rows.push(row.clone());
        }
    };
    survey::survey(&survey, &|_| false, &finished).map_err(|error| match error {
        SurveyError::File(error) => error.reason,
        SurveyError::Threads(none) => none.to_string(),
        SurveyError::Deal { deal, reason } => format!("deal {deal}: {reason}"),
    })?;
    stop(settings)?;
    let summary = Summary::of(&rows.into_inner().unwrap_or_default());
    Ok(Some(WinnableReport {
        solved: summary.solved,
        unsolvable: summary.unsolvable,
        unknown: summary.unknown,
        lower: summary.lower,
        upper: summary.upper,
    }))
}
