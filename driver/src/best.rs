//! The highest score of a game: one number for each position instead of positions multiplied by scores.
//!
//! A model says what its events are worth (`--@ score: (PAIRS, MOST)`, a set of pairs of an event and its
//! points, and a score that no play exceeds). A score never goes below 0, so what a move makes of a score `x`
//! is `max(a, x + b)`: a higher score before a move is never worse after it, and of each position only the
//! highest score that it was reached with has to be kept. A position is gone on from again when a higher one
//! is found (label correcting; Bertsekas, "Network Optimization", 1998, ch. 2). Scores are bounded by `MOST`,
//! so this ends, also where moves can be repeated.
//!
//! Positions from which no play can exceed the best score so far ([`Potential`]) are not gone on from. Of the
//! others every second step takes the one with the highest such bound, so that the highest bound of all that
//! wait comes down, and the others the one with the highest score, so that the best score goes up; a play that
//! wins, if a search finds one in a part of the time, is where this begins. When a limit is reached, the best
//! score and the highest bound of what waits are bounds of the highest score.

mod potential;

use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;

use csp_checker::directed::{Strategy, seek};
use csp_checker::reference::{Simulator, State};
use csp_checker::{Limit, Observer, Progress};
use csp_games::model::Shown;
use csp_host::clock::Moment;
use csp_lts::{EventId, Network};
use serde::{Deserialize, Serialize};

use crate::compression::reason;
use crate::explore::chase_loop;
use crate::pragma::Pragmas;
use crate::reach::Rules;
use crate::referee::Start;
use crate::report::SCHEMA;
use crate::script::{CheckSettings, Script};
use crate::solve::{Method, SolveSettings};
use potential::Potential;

/// How long a play that wins is searched for at first, four times, if there is no limit.
const FIRST_WIN: Duration = Duration::from_secs(40);

/// The highest score of a game, or bounds of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// The script.
    pub file: String,
    /// A play has this score.
    pub lower: i64,
    /// No play has more.
    pub upper: i64,
    /// The best score that was found of a play that ends in a win.
    pub won: Option<i64>,
    /// All positions were gone on from: no play that wins has more than `won`.
    pub complete: bool,
    /// Why the bounds differ.
    pub limit: Option<String>,
    /// Positions that were reached.
    pub positions: usize,
    /// How often a position was gone on from, repetitions counted.
    pub expanded: u64,
    /// The moves of a play with the score `lower`, in words where the game has them.
    pub play: Vec<String>,
    /// The play was judged by the referee of this game, whose score is the same.
    pub referee: Option<String>,
}

/// What a move makes of a score: `max(a, x + b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Earns {
    a: i64,
    b: i64,
}

impl Earns {
    const NOTHING: Self = Self { a: i64::MIN, b: 0 };

    /// After some more points, never below 0.
    fn then(self, points: i64) -> Self {
        Self {
            a: self.a.saturating_add(points).max(0),
            b: self.b + points,
        }
    }

    fn of(self, score: i64) -> i64 {
        self.a.max(score + self.b)
    }
}

/// A move of a position that was gone on from.
struct Edge {
    earns: Earns,
    target: u32,
}

struct Board {
    score: i64,
    /// The label with that score.
    label: u32,
    edges: Option<Box<[Edge]>>,
    wins: bool,
    /// It is to be gone on from with its score.
    waits: bool,
}

/// A position with a score that it was reached with, and the label before it. Labels are never changed, so
/// that the way back from each is a play, also where a play comes to a position twice.
struct Label {
    board: u32,
    before: Option<u32>,
}

struct Search<'a> {
    network: &'a Network,
    simulator: Simulator<'a>,
    rules: Rules,
    points: &'a HashMap<EventId, i64>,
    is_goal: &'a dyn Fn(EventId) -> bool,
    index: HashMap<State, u32>,
    states: Vec<State>,
    boards: Vec<Board>,
    labels: Vec<Label>,
    /// The bound, the score and the position: what waits, and some that does no more.
    by_bound: BinaryHeap<(i64, i64, u32)>,
    /// The score, the bound and the position.
    by_score: BinaryHeap<(i64, i64, u32)>,
    waiting: u64,
    potential: Option<Potential>,
    /// The score that the model says no play exceeds.
    most: i64,
    /// The best score so far.
    best: i64,
    expanded: u64,
}

impl Search<'_> {
    fn board(&mut self, state: State) -> u32 {
        if let Some(known) = self.index.get(&state) {
            return *known;
        }
        let fresh = u32::try_from(self.states.len()).expect("positions are numbered by u32");
        self.index.insert(state.clone(), fresh);
        self.states.push(state);
        self.boards.push(Board {
            score: i64::MIN,
            label: 0,
            edges: None,
            wins: false,
            waits: false,
        });
        fresh
    }

    /// The moves of a position, found when it is first gone on from.
    fn expand(&mut self, at: u32) -> Result<(), String> {
        let state = self.states[at as usize].clone();
        let mut edges = Vec::new();
        for rule in self.rules.enabled(&self.simulator, &state) {
            let body = &self.network.rules[rule.0 as usize];
            if (self.is_goal)(body.result) {
                self.boards[at as usize].wins = true;
                continue;
            }
            let event = body.revealed;
            for (_, mut next) in self.simulator.fire(&state, rule) {
                let chased = self.simulator.chase(&mut next);
                let chased = chased.map_err(|e| chase_loop(&e.0))?;
                let events = std::iter::once(event).chain(chased.iter().map(|s| s.revealed));
                let points = events.filter_map(|event| self.points.get(&event));
                let earns = points.fold(Earns::NOTHING, |earns, n| earns.then(*n));
                let target = self.board(next);
                edges.push(Edge { earns, target });
            }
        }
        self.boards[at as usize].edges = Some(edges.into());
        Ok(())
    }

    /// A position was reached with a score that is higher than before.
    fn reach(&mut self, at: u32, score: i64, before: Option<u32>) -> Result<(), String> {
        if score > self.most {
            let most = self.most;
            return Err(format!(
                "a play has {score} points, more than the {most} that the model allows for"
            ));
        }
        let label = u32::try_from(self.labels.len()).map_err(|_| "too many labels")?;
        self.labels.push(Label { board: at, before });
        let bound = self.bound(at, score);
        let board = &mut self.boards[at as usize];
        board.score = score;
        board.label = label;
        if !board.waits {
            board.waits = true;
            self.waiting += 1;
        }
        self.best = self.best.max(score);
        self.by_bound.push((bound, score, at));
        self.by_score.push((score, bound, at));
        Ok(())
    }

    /// No play that goes on from here ends with more.
    fn bound(&self, at: u32, score: i64) -> i64 {
        let bound = |p: &Potential| p.most(&self.states[at as usize], score);
        self.potential
            .as_ref()
            .map_or(self.most, bound)
            .min(self.most)
    }

    /// The highest bound of what waits; what does not wait any more is taken off.
    fn upper(&mut self) -> i64 {
        while let Some(&(bound, score, at)) = self.by_bound.peek() {
            let board = &self.boards[at as usize];
            if board.waits && board.score == score && bound > self.best {
                return bound;
            }
            self.by_bound.pop();
        }
        self.best
    }

    /// Goes on from a position; false if none is left that could lead to more than the best score.
    fn step(&mut self) -> Result<bool, String> {
        if self.upper() <= self.best {
            return Ok(false);
        }
        let chosen = if self.expanded.is_multiple_of(2) {
            self.by_bound.pop().map(|(_, score, at)| (score, at))
        } else {
            self.next_by_score()
        };
        let Some((score, at)) = chosen else {
            // What has the highest bound waits: it is taken in the next step.
            self.expanded += 1;
            return Ok(true);
        };
        self.go_on(at, score)?;
        Ok(true)
    }

    /// The position with the highest score among those that could lead to more than the best.
    fn next_by_score(&mut self) -> Option<(i64, u32)> {
        while let Some((score, bound, at)) = self.by_score.pop() {
            let board = &self.boards[at as usize];
            if board.waits && board.score == score && bound > self.best {
                return Some((score, at));
            }
        }
        None
    }

    fn go_on(&mut self, at: u32, score: i64) -> Result<(), String> {
        self.expanded += 1;
        self.boards[at as usize].waits = false;
        self.waiting -= 1;
        if self.boards[at as usize].edges.is_none() {
            self.expand(at)?;
        }
        let edges = self.boards[at as usize].edges.take().unwrap_or_default();
        let here = self.boards[at as usize].label;
        for edge in &edges {
            let reached = edge.earns.of(score);
            if reached > self.boards[edge.target as usize].score {
                self.reach(edge.target, reached, Some(here))?;
            }
        }
        self.boards[at as usize].edges = Some(edges);
        Ok(())
    }

    /// Goes along a play that wins, so that its score is a lower bound.
    fn follow(&mut self, root: u32, play: &[csp_checker::Step]) -> Result<(), String> {
        let mut at = root;
        for step in play.iter().filter(|s| !s.chased) {
            let state = self.states[at as usize].clone();
            let next = self.simulator.successors(&state);
            let next = next.map_err(|e| chase_loop(&e.0))?;
            let same = next.into_iter().find(|s| s.steps[0].rule == step.rule);
            let Some(same) = same.filter(|_| !(self.is_goal)(step.event)) else {
                return Ok(());
            };
            let score = self.boards[at as usize].score;
            self.go_on_once(at, score)?;
            at = self.board(same.state);
        }
        Ok(())
    }

    /// Goes on from a position that waits.
    fn go_on_once(&mut self, at: u32, score: i64) -> Result<(), String> {
        if self.boards[at as usize].waits {
            self.go_on(at, score)?;
        }
        Ok(())
    }

    /// About how many bytes have been taken.
    fn bytes(&self) -> u64 {
        let state = self.states.first().map_or(0, Vec::len) * 4 + 64;
        let boards = self.states.len() * (2 * state + size_of::<Board>() + 8 * size_of::<Edge>());
        let heaps = (self.by_bound.len() + self.by_score.len()) * size_of::<(i64, i64, u32)>();
        (boards + heaps + self.labels.len() * size_of::<Label>()) as u64
    }
}

impl Script {
    /// The highest score of the game of the first selected assertion that has a score; the error is a
    /// sentence.
    pub fn best_score(
        &mut self,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<BestReport, String> {
        let begun = Moment::now();
        let (index, declared) = self
            .select(&settings.select)?
            .into_iter()
            .find_map(|i| Some((i, Pragmas::of(&self.program.assertions[i]).score?)))
            .ok_or_else(|| format!("{}: no assertion has a `--@ score:` line", self.file))?;
        let assertion = self.program.assertions[index].clone();
        let first = |d: Vec<csp_grammar::Diagnostic>| {
            d.first().map_or_else(String::new, |d| d.message.clone())
        };
        let value = self.evaluate(&declared, settings.timeout).map_err(first)?;
        let (points, most) = pairs(&value)?;
        let start = self.start(&assertion, settings.timeout).map_err(first)?;
        let solving = SolveSettings {
            check: CheckSettings {
                select: vec![(index + 1).to_string()],
                ..settings.clone()
            },
            goal: None,
            method: Method::Greedy,
            improve: None,
            boards: false,
        };
        let prepared = self.prepare(&solving, observer);
        let prepared = prepared.map_err(|trouble| trouble.sentence())?;
        let network = &prepared.network;
        let mut worth = HashMap::new();
        for rule in &network.rules {
            if let Some(n) = points.get(&prepared.events.name(rule.revealed)) {
                worth.insert(rule.revealed, *n);
            }
        }
        let goal = |event| prepared.goal.contains(event);
        let mut search = Search {
            network,
            simulator: Simulator::new(network),
            rules: Rules::new(network),
            points: &worth,
            is_goal: &goal,
            index: HashMap::new(),
            states: Vec::new(),
            boards: Vec::new(),
            labels: Vec::new(),
            by_bound: BinaryHeap::new(),
            by_score: BinaryHeap::new(),
            waiting: 0,
            potential: Potential::new(network, &worth),
            most,
            best: 0,
            expanded: 0,
        };
        let (initial, _) = search.simulator.initial().map_err(|e| chase_loop(&e.0))?;
        let root = search.board(initial);
        search.reach(root, 0, None)?;
        let options = settings.options();
        let is_win = |rule: &csp_lts::Rule| prepared.goal.contains(rule.result);
        let first = csp_checker::Options {
            timeout: Some(options.timeout.unwrap_or(FIRST_WIN) / 4),
            memory: options.memory.map(|bytes| bytes / 4),
            max_states: Some(options.max_states.unwrap_or(u64::MAX)),
            ..options.clone()
        };
        let sought = seek(network, &is_win, Strategy::Greedy, None, &first, observer);
        if let Some(play) = sought.play {
            search.follow(root, &play)?;
        }
        let limit = loop {
            if search.expanded.is_multiple_of(256) {
                let positions = search.states.len() as u64;
                observer.progress(&Progress {
                    states: positions,
                    frontier: search.waiting,
                    memory: search.bytes(),
                    ..Progress::default()
                });
                let late = |limit| begun.elapsed() > limit;
                if observer.interrupted() {
                    break Some(Limit::Interrupted);
                } else if options.timeout.is_some_and(late) {
                    break Some(Limit::Time);
                } else if let Some(memory) = options.memory.filter(|m| search.bytes() > *m) {
                    break Some(Limit::Memory(memory));
                }
            }
            if !search.step()? {
                break None;
            }
            // Searches that end soon count: this limit holds after every step.
            let positions = search.states.len() as u64;
            if let Some(most) = options.max_states.filter(|n| positions > *n) {
                break Some(Limit::States(most));
            }
        };
        let scores = (0..).zip(&search.boards);
        let best = scores.max_by_key(|(_, board)| board.score);
        let (at, lower) = best.map_or((root, 0), |(at, board)| (at, board.score));
        let won = search.boards.iter().filter(|b| b.wins).map(|b| b.score);
        let won = won.max();
        let (play, referee) = search.play(at, lower, start.as_ref(), &prepared.events)?;
        Ok(BestReport {
            schema: SCHEMA,
            file: self.file.clone(),
            lower,
            upper: search.upper(),
            won,
            complete: limit.is_none() && search.waiting == 0,
            limit: limit.as_ref().map(reason),
            positions: search.states.len(),
            expanded: search.expanded,
            play,
            referee,
        })
    }
}

impl Search<'_> {
    /// The moves that lead to a position with its score, judged by the referee.
    fn play(
        &self,
        at: u32,
        score: i64,
        start: Option<&Start>,
        events: &csp_lts::EventTable,
    ) -> Result<(Vec<String>, Option<String>), String> {
        let mut path = vec![at];
        let mut label = self.boards[at as usize].label;
        while let Some(before) = self.labels[label as usize].before {
            path.push(self.labels[before as usize].board);
            label = before;
        }
        path.reverse();
        let mut referee = match start {
            Some(start) => Some(start.seat()?),
            None => None,
        };
        let mut play = Vec::new();
        for pair in path.windows(2) {
            let state = &self.states[pair[0] as usize];
            let next = self.simulator.successors(state);
            let next = next.map_err(|e| chase_loop(&e.0))?;
            let step = next
                .into_iter()
                .find(|s| s.state == self.states[pair[1] as usize]);
            let step = step.ok_or("a move of the best play is not possible")?;
            let mut told = None;
            for step in &step.steps {
                let name = events.name(step.revealed);
                if let Some(referee) = &mut referee {
                    let words = referee
                        .play_event(&name)
                        .map_err(|why| format!("the referee rejects {name}: {why}"))?;
                    told = told.or(words);
                }
            }
            play.push(told.unwrap_or_else(|| events.name(step.steps[0].revealed)));
        }
        let judged = referee.and_then(|referee| referee.score());
        match judged {
            Some(points) if i64::from(points) == score => {
                let name = start.map(|start| start.name().to_owned());
                Ok((play, name))
            }
            Some(points) => Err(format!(
                "the referee counts {points} points where the model counts {score}"
            )),
            None => Ok((play, None)),
        }
    }
}

/// Events and their points, and the highest score there can be.
fn pairs(shown: &str) -> Result<(HashMap<String, i64>, i64), String> {
    let wrong = |why: String| format!("the `--@ score:` line: {why}");
    let value = Shown::parse(shown).map_err(wrong)?;
    let [pairs, most] = value.items().map_err(wrong)? else {
        return Err(wrong("it is not a pair of points and a bound".to_owned()));
    };
    let mut points = HashMap::new();
    for pair in pairs.items().map_err(wrong)? {
        match pair.items().map_err(wrong)? {
            [Shown::Atom(event), n] => {
                points.insert(event.clone(), n.number().map_err(wrong)?);
            }
            _ => return Err(wrong("it has something that is no pair".to_owned())),
        }
    }
    Ok((points, most.number().map_err(wrong)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_move_makes_of_a_score() {
        let back_and_home = Earns::NOTHING.then(-15).then(10);
        assert_eq!(back_and_home.of(100), 95);
        assert_eq!(back_and_home.of(5), 10);
        assert_eq!(Earns::NOTHING.of(7), 7);
    }

    #[test]
    fn pairs_are_read() {
        let (points, most) = pairs("({(home.card.Hearts.1, 10), (draw, 0)}, 165)").expect("pairs");
        assert_eq!((points["home.card.Hearts.1"], most), (10, 165));
        assert!(pairs("3").is_err());
    }
}
