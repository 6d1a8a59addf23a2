//! Games with hidden cards: a model that says what is hidden, played by one who does not see it.
//!
//! `--@ hidden: SET` names triples of an item, a fact of the opening about it, and the event that
//! reveals that fact. A fact of the deal is known if no triple names it or once its event has happened.
//! What looks the same is the same events with other items in the places that are unknown: a guess is
//! such a deal, drawn with equal chances, on which everything that happened so far can happen again and
//! shows the same.

mod survey;

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use csp_checker::directed::Position;
use csp_checker::reference::Simulator;
use csp_checker::{NoObserver, Options};
use csp_games::model::Shown;
use csp_host::clock::Moment;
use csp_lts::{EventId, RuleId, StateId};
use csp_player::{Effort, End, Line, Played, Random, Settings, Table, View, play};
use serde::{Deserialize, Serialize};

pub use survey::{HiddenSurvey, hint, open, survey};

use crate::cancel::CancelToken;
use crate::redeal::{Dealer, Redeal, within};

/// How many deals are drawn for a guess before it is given up.
const MOST_DRAWN: usize = 1000;

/// What a model says is hidden.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    /// For each fact by its name, the item in it and the event that reveals it.
    facts: HashMap<String, (String, String)>,
}

impl Hidden {
    /// Reads the printed value of the set that `--@ hidden:` names.
    pub fn parse(shown: &str) -> Result<Self, String> {
        let wrong = || "`hidden` is to be a set of triples (item, fact, event)".to_owned();
        let value = Shown::parse(shown).map_err(|_| wrong())?;
        let mut facts = HashMap::new();
        for triple in value.items().map_err(|_| wrong())? {
            let [Shown::Atom(item), Shown::Atom(fact), Shown::Atom(event)] =
                triple.items().map_err(|_| wrong())?
            else {
                return Err(wrong());
            };
            if !fact.contains(item.as_str()) {
                return Err(format!(
                    "the fact {fact} does not have its item {item} in it"
                ));
            }
            facts.insert(fact.clone(), (item.clone(), event.clone()));
        }
        if facts.is_empty() {
            return Err("the model says that nothing is hidden".to_owned());
        }
        Ok(Self { facts })
    }
}

/// A place of the deal, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// This fact.
    Known(EventId),
    /// A fact with an item between these texts.
    Unknown(String, String),
}

/// What can be seen of a game. It has no way to what is hidden.
pub struct Seen<'a, 'n> {
    redeal: &'a Redeal,
    hidden: &'a Hidden,
    /// Steps of the network with all that happens by itself.
    stepper: &'a Stepper<'n>,
    places: Vec<Place>,
    /// The items of the unknown places, in the order of their names.
    items: Vec<String>,
    /// The moves that were made, and everything that happened.
    moves: Vec<EventId>,
    trace: Vec<EventId>,
}

/// A state in which nothing is hidden.
#[derive(Clone, Debug)]
pub struct Guess {
    position: Position,
    state: Vec<StateId>,
    /// What happened by the last move.
    shown: Vec<EventId>,
    /// The items that are hidden in this guess, by the event that reveals them.
    secret: Arc<HashMap<String, String>>,
}

impl PartialEq for Guess {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl Eq for Guess {}

impl Hash for Guess {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

/// Steps a network on the plain simulator. Threads take turns.
pub struct Stepper<'a> {
    simulator: Mutex<Simulator<'a>>,
    rules: HashMap<EventId, Vec<RuleId>>,
}

impl<'a> Stepper<'a> {
    /// A stepper of a network that is dealt.
    #[must_use]
    pub fn new(redeal: &'a Redeal) -> Self {
        let network = redeal.opened().network();
        let chased: HashSet<RuleId> = network
            .chases
            .iter()
            .flat_map(|chase| chase.rules.iter().copied())
            .collect();
        let mut rules: HashMap<EventId, Vec<RuleId>> = HashMap::new();
        for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
            if !chased.contains(&id) {
                rules.entry(rule.revealed).or_default().push(id);
            }
        }
        Self {
            simulator: Mutex::new(Simulator::new(network)),
            rules,
        }
    }

    /// The state after an event, and everything that happened.
    fn step(&self, state: &[StateId], event: EventId) -> Option<(Vec<StateId>, Vec<EventId>)> {
        let simulator = self.simulator.lock().ok()?;
        let mut rules = self.rules.get(&event)?.iter();
        let rule = rules.find(|rule| simulator.can_fire(state, **rule))?;
        let (_, mut next) = simulator.fire(state, *rule).swap_remove(0);
        let chased = simulator.chase(&mut next).ok()?;
        let mut shown = vec![event];
        shown.extend(chased.iter().map(|step| step.revealed));
        Some((next, shown))
    }

    fn initial(&self) -> Option<Vec<StateId>> {
        let simulator = self.simulator.lock().ok()?;
        simulator.initial().ok().map(|(state, _)| state)
    }
}

impl Seen<'_, '_> {
    /// The guess that a deal is, if everything that happened can happen on it.
    fn guess_of(&self, opening: &[EventId]) -> Option<Guess> {
        let opened = self.redeal.opened();
        let initial = opened.initial().ok()?;
        let dealt = opened.after(&initial, opening)?;
        let position = opened.after(&dealt, &self.moves)?;
        let mut state = opened.state(&dealt);
        let mut trace = Vec::with_capacity(self.trace.len());
        for event in &self.moves {
            let (next, shown) = self.stepper.step(&state, *event)?;
            trace.extend(shown);
            state = next;
        }
        (trace == self.trace).then_some(Guess {
            position,
            state,
            shown: Vec::new(),
            secret: Arc::new(self.secret_of(opening)),
        })
    }

    /// What is hidden in a deal: the items of the unknown places, by the event that reveals them.
    fn secret_of(&self, opening: &[EventId]) -> HashMap<String, String> {
        let events = self.redeal.events();
        let unknown = self.places.iter().zip(opening);
        let unknown = unknown.filter(|(place, _)| matches!(place, Place::Unknown(..)));
        let facts = unknown.filter_map(|(_, fact)| self.hidden.facts.get(&events.name(*fact)));
        facts
            .map(|(item, event)| (event.clone(), item.clone()))
            .collect()
    }

    /// What a player sees of the move that led to a guess: the events, and the items that those of them
    /// reveal which reveal something.
    #[must_use]
    pub fn seen(&self, guess: &Guess) -> Vec<(String, Option<String>)> {
        let names = guess.shown.iter().map(|e| self.redeal.events().name(*e));
        let seen = names.map(|name| {
            let item = guess.secret.get(&name).cloned();
            (name, item)
        });
        seen.collect()
    }

    /// A deal with the items in this order in the unknown places.
    fn deal_of(&self, items: &[String]) -> Option<Vec<EventId>> {
        let mut items = items.iter();
        let places = self.places.iter().map(|place| match place {
            Place::Known(event) => Some(*event),
            Place::Unknown(before, after) => {
                let fact = format!("{before}{}{after}", items.next()?);
                self.hidden.facts.get(&fact)?;
                self.redeal.event(&fact)
            }
        });
        places.collect()
    }

    /// Every guess, for short packs.
    #[must_use]
    pub fn all_guesses(&self) -> Vec<Guess> {
        let mut guesses = Vec::new();
        let mut items = self.items.clone();
        permutations(&mut items, 0, &mut |items| {
            let deal = self.deal_of(items);
            guesses.extend(deal.and_then(|deal| self.guess_of(&deal)));
        });
        guesses
    }
}

fn permutations(items: &mut [String], from: usize, each: &mut dyn FnMut(&[String])) {
    if from + 1 >= items.len() {
        each(items);
        return;
    }
    for at in from..items.len() {
        items.swap(from, at);
        permutations(items, from + 1, each);
        items.swap(from, at);
    }
}

impl View for Seen<'_, '_> {
    type Move = EventId;
    type Guess = Guess;

    fn guess(&self, random: &mut Random) -> Option<Guess> {
        let mut items = self.items.clone();
        for _ in 0..MOST_DRAWN {
            random.shuffle(&mut items);
            let guess = self.deal_of(&items).and_then(|deal| self.guess_of(&deal));
            if guess.is_some() {
                return guess;
            }
        }
        None
    }

    fn unknown(&self) -> usize {
        self.items.len()
    }

    fn moves(&self, guess: &Guess) -> Vec<EventId> {
        let moves = self.redeal.opened().moves(&guess.position);
        let moves = moves.unwrap_or_default().into_iter();
        let goal = |event: &EventId| self.redeal.is_goal(*event);
        moves.map(|(event, _)| event).filter(|e| !goal(e)).collect()
    }

    fn after(&self, guess: &Guess, chosen: &EventId) -> Option<(Guess, usize)> {
        let opened = self.redeal.opened();
        let position = opened.after(&guess.position, &[*chosen])?;
        let (state, shown) = self.stepper.step(&guess.state, *chosen)?;
        let events = self.redeal.events();
        let names: HashSet<String> = shown.iter().map(|event| events.name(*event)).collect();
        // An event that reveals may happen again; only what was not seen before counts.
        let seen: HashSet<String> = self.trace.iter().map(|event| events.name(*event)).collect();
        let reveals = self.hidden.facts.values().map(|(_, event)| event);
        let news: HashSet<&String> = reveals
            .filter(|event| names.contains(*event) && !seen.contains(*event))
            .collect();
        let guess = Guess {
            position,
            state,
            shown,
            secret: Arc::clone(&guess.secret),
        };
        Some((guess, news.len()))
    }

    fn is_won(&self, guess: &Guess) -> bool {
        self.redeal.opened().is_won(&guess.position)
    }

    fn solve(&self, guess: &Guess, effort: Effort) -> Line<EventId> {
        let opened = self.redeal.opened();
        let options = Options {
            timeout: effort.time,
            ..within(effort.nodes)
        };
        let sought = opened.seek(&guess.position, None, &options, &NoObserver);
        match (sought.play, sought.limit) {
            (Some(steps), _) => {
                let chosen = steps.iter().filter(|step| !step.chased);
                let moves = chosen.map(|step| step.revealed);
                Line::Won(moves.filter(|e| !self.redeal.is_goal(*e)).collect())
            }
            (None, None) => Line::Lost,
            (None, Some(_)) => Line::Unknown,
        }
    }
}

/// A game with everything that is true of it.
pub struct HiddenTable<'a, 'n> {
    seen: Seen<'a, 'n>,
    /// The facts of the unknown places with the events that reveal them: place, item, event.
    secret: Vec<(usize, String, String)>,
    /// The facts of all places, by name.
    deal: Vec<String>,
    truth: Guess,
}

impl<'a, 'n> HiddenTable<'a, 'n> {
    /// Deals a game by the names of its opening events.
    pub fn new(
        redeal: &'a Redeal,
        hidden: &'a Hidden,
        stepper: &'a Stepper<'n>,
        deal: &[String],
    ) -> Result<Self, String> {
        let wrong = || "the game cannot be dealt by events".to_owned();
        let mut places = Vec::new();
        let mut secret = Vec::new();
        for (at, fact) in deal.iter().enumerate() {
            match hidden.facts.get(fact) {
                None => places.push(Place::Known(redeal.event(fact).ok_or_else(wrong)?)),
                Some((item, event)) => {
                    let (before, after) = fact.split_once(item.as_str()).ok_or_else(wrong)?;
                    places.push(Place::Unknown(before.to_owned(), after.to_owned()));
                    secret.push((at, item.clone(), event.clone()));
                }
            }
        }
        let mut items: Vec<String> = secret.iter().map(|(_, item, _)| item.clone()).collect();
        items.sort_unstable();
        if items.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("an item is dealt twice".to_owned());
        }
        let events = deal.iter().map(|fact| redeal.event(fact));
        let events: Option<Vec<EventId>> = events.collect();
        let seen = Seen {
            redeal,
            hidden,
            stepper,
            places,
            items,
            moves: Vec::new(),
            trace: Vec::new(),
        };
        stepper.initial().ok_or_else(wrong)?;
        let truth = seen
            .guess_of(&events.ok_or_else(wrong)?)
            .ok_or_else(wrong)?;
        Ok(Self {
            seen,
            secret,
            deal: deal.to_vec(),
            truth,
        })
    }

    /// The same game with what is hidden in another order, for the audit.
    #[must_use]
    pub fn permuted(&self, random: &mut Random) -> Option<Vec<String>> {
        let mut items: Vec<&String> = self.secret.iter().map(|(_, item, _)| item).collect();
        random.shuffle(&mut items);
        let mut deal = self.deal.clone();
        for ((at, ..), item) in self.secret.iter().zip(items) {
            let Place::Unknown(before, after) = &self.seen.places[*at] else {
                return None;
            };
            deal[*at] = format!("{before}{item}{after}");
        }
        Some(deal)
    }

    /// Every deal that looks like this one, by the names of its facts; for short packs.
    #[must_use]
    pub fn all_deals(&self) -> Vec<Vec<String>> {
        let mut deals = Vec::new();
        permutations(&mut self.seen.items.clone(), 0, &mut |items| {
            let deal = self.seen.deal_of(items).unwrap_or_default();
            let names = deal
                .iter()
                .map(|event| self.seen.redeal.events().name(*event));
            deals.push(names.collect());
        });
        deals
    }

    /// What is true.
    #[must_use]
    pub fn truth(&self) -> &Guess {
        &self.truth
    }
}

impl<'a, 'n> Table for HiddenTable<'a, 'n> {
    type View = Seen<'a, 'n>;

    fn view(&self) -> &Seen<'a, 'n> {
        &self.seen
    }

    fn play(&mut self, chosen: &EventId) -> bool {
        let Some((next, _)) = self.seen.after(&self.truth, chosen) else {
            return false;
        };
        self.seen.moves.push(*chosen);
        self.seen.trace.extend_from_slice(&next.shown);
        let events = self.seen.redeal.events();
        let names: HashSet<String> = next.shown.iter().map(|e| events.name(*e)).collect();
        let (seen, deal) = (&mut self.seen, &self.deal);
        self.secret.retain(|(at, item, event)| {
            let fact = seen.redeal.event(&deal[*at]);
            match fact.filter(|_| names.contains(event)) {
                None => true,
                Some(fact) => {
                    seen.places[*at] = Place::Known(fact);
                    seen.items.retain(|other| other != item);
                    false
                }
            }
        });
        self.truth = next;
        true
    }

    fn is_won(&self) -> bool {
        self.seen.is_won(&self.truth)
    }

    fn is_lost(&self, effort: Effort) -> bool {
        self.seen.solve(&self.truth, effort) == Line::Lost
    }
}

/// What one game came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HiddenRow {
    /// The deal.
    pub deal: i64,
    /// `won`, `lost` (the true state could not be won any more) or `gave up`.
    pub end: String,
    /// Moves that were made.
    pub moves: usize,
    /// Decisions for which the solver was asked.
    pub decisions: usize,
    /// How often it was asked.
    pub runs: u64,
    /// Time.
    pub seconds: f64,
}

/// The word for an end.
#[must_use]
pub fn word(end: End) -> &'static str {
    match end {
        End::Won => "won",
        End::Lost => "lost",
        End::GaveUp => "gave up",
    }
}

/// What a model hides, for a script that can be dealt.
pub fn hidden(dealer: &mut Dealer) -> Result<Hidden, String> {
    Hidden::parse(&dealer.hidden()?)
}

/// Plays one deal, given by the names of its opening events.
pub fn play_deal(
    redeal: &Redeal,
    hidden: &Hidden,
    stepper: &Stepper<'_>,
    deal: i64,
    facts: &[String],
    settings: &Settings,
    cancel: &CancelToken,
) -> Result<HiddenRow, String> {
    let begun = Moment::now();
    let mut table = HiddenTable::new(redeal, hidden, stepper, facts)?;
    let played: Played<EventId> = play(&mut table, settings, &mut |_| !cancel.is_cancelled());
    Ok(HiddenRow {
        deal,
        end: word(played.end).to_owned(),
        moves: played.moves.len(),
        decisions: played.decisions,
        runs: played.runs,
        seconds: begun.elapsed().as_secs_f64(),
    })
}
