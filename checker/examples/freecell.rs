//! Searches a deal of FreeCell, as a network of card processes built by hand.
//!
//!     cargo run --release -p csp-checker --example freecell -- 11982 4 2
//!
//! The arguments are the number of the deal, of cells and of threads. Cards that can do no harm at
//! home go there by themselves (chase), so that states are canonical positions: 61,643 for deal 11982
//! with four cells, where there is no win; 73,671,731 up to the win of deal 617.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for the terminal"
)]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use csp_checker::Options;
use csp_checker::judge::Avoids;
use csp_checker::options::NoObserver;
use csp_checker::search::search;
use csp_lts::{
    Chase, Component, ComponentId, EventId, EventSet, LtsBuilder, Network, Rule, RuleId, StateId,
};

/// A card: four times its rank (ace is 0) plus its suit; suits 0 and 1 are black.
type Card = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Event {
    ToStack(bool, Card, Card),
    ToTable(bool, Card),
    ToCell(Card),
    Freed(Card),
    Home(bool, Card, u32),
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Local {
    /// What it lies on, and what lies on it.
    Stacked(Option<Card>, Option<Card>),
    /// About to leave the table free; then in a cell, at home, or on a card.
    ToCell,
    ToHome,
    ToCard(Card),
    Cell,
    Home,
    Count(u32),
}

fn red(card: Card) -> bool {
    card % 4 > 1
}

fn hosts(card: Card) -> Vec<Card> {
    let next = (card / 4 + 1) * 4;
    let hosts = (next..next + 4).filter(|d| red(*d) != red(card));
    hosts.filter(|d| *d < 52).collect()
}

fn guests(card: Card) -> Vec<Card> {
    (0..52).filter(|x| hosts(*x).contains(&card)).collect()
}

/// Deals as the Microsoft program numbers them.
fn deal(number: u64) -> Vec<Vec<Card>> {
    let mut deck: Vec<u32> = (0..52).collect();
    let mut columns = vec![Vec::new(); 8];
    let mut seed = number;
    for at in 0..52 {
        seed = (seed * 214_013 + 2_531_011) & 0x7fff_ffff;
        let chosen = usize::try_from(seed >> 16).unwrap() % deck.len();
        let card = deck.swap_remove(chosen);
        let suit = [0, 2, 3, 1][(card % 4) as usize];
        columns[at % 8].push(card / 4 * 4 + suit);
    }
    columns
}

/// Explores one process from its transition function.
fn process(
    name: String,
    start: Local,
    moves: impl Fn(Local) -> Vec<(Event, Local)>,
    number: &mut impl FnMut(Event) -> EventId,
    offers: &mut BTreeMap<Event, Vec<ComponentId>>,
    id: ComponentId,
) -> Component {
    let mut known = HashMap::from([(start, 0u32)]);
    let mut order = vec![start];
    let mut builder = LtsBuilder::new();
    let mut at = 0;
    while at < order.len() {
        let mut by_target: BTreeMap<u32, Vec<EventId>> = BTreeMap::new();
        for (event, target) in moves(order[at]) {
            let next = u32::try_from(known.len()).unwrap();
            let target = *known.entry(target).or_insert_with(|| {
                order.push(target);
                next
            });
            let who = offers.entry(event).or_default();
            if who.last() != Some(&id) {
                who.push(id);
            }
            by_target.entry(target).or_default().push(number(event));
        }
        builder.state(by_target.into_iter().map(|(target, events)| {
            let label: EventSet = events.into_iter().collect();
            (Arc::new(label), StateId(target))
        }));
        at += 1;
    }
    Component {
        name,
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(0),
    }
}

/// The moves by which a card leaves a column, except onto one.
fn leaves(x: Card, except: Card) -> Vec<Event> {
    let mut all = vec![Event::ToCell(x), Event::ToTable(false, x)];
    all.extend((0..3).map(|why| Event::Home(false, x, why)));
    let others = hosts(x).into_iter().filter(|d| *d != except);
    all.extend(others.map(|d| Event::ToStack(false, x, d)));
    all
}

fn card_moves(card: Card, coverers: &[Card], local: Local) -> Vec<(Event, Local)> {
    let mut all = Vec::new();
    let mut near = None;
    match local {
        Local::Stacked(under, None) => {
            let vacate = |waiting, then| if under.is_none() { waiting } else { then };
            for why in 0..3 {
                all.push((
                    Event::Home(false, card, why),
                    vacate(Local::ToHome, Local::Home),
                ));
            }
            all.push((Event::ToCell(card), vacate(Local::ToCell, Local::Cell)));
            for d in hosts(card) {
                let then = vacate(Local::ToCard(d), Local::Stacked(Some(d), None));
                all.push((Event::ToStack(false, card, d), then));
            }
            if under.is_some() {
                all.push((Event::ToTable(false, card), Local::Stacked(None, None)));
            }
            for x in guests(card) {
                for cell in [false, true] {
                    all.push((
                        Event::ToStack(cell, x, card),
                        Local::Stacked(under, Some(x)),
                    ));
                }
            }
        }
        Local::Stacked(under, Some(x)) => {
            near = Some(x);
            let then = Local::Stacked(under, None);
            all.extend(leaves(x, card).into_iter().map(|event| (event, then)));
        }
        Local::ToCell => return vec![(Event::Freed(card), Local::Cell)],
        Local::ToHome => return vec![(Event::Freed(card), Local::Home)],
        Local::ToCard(d) => {
            return vec![(Event::Freed(card), Local::Stacked(Some(d), None))];
        }
        Local::Cell => {
            for why in 0..3 {
                all.push((Event::Home(true, card, why), Local::Home));
            }
            for d in hosts(card) {
                all.push((Event::ToStack(true, card, d), Local::Stacked(Some(d), None)));
            }
            all.push((Event::ToTable(true, card), Local::Stacked(None, None)));
        }
        Local::Home | Local::Count(_) => {}
    }
    for x in coverers.iter().filter(|x| near != Some(**x)) {
        all.extend(leaves(*x, card).into_iter().map(|event| (event, local)));
    }
    all
}

fn cell_moves(cells: u32, local: Local) -> Vec<(Event, Local)> {
    let Local::Count(free) = local else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for card in 0..52 {
        if free > 0 {
            all.push((Event::ToCell(card), Local::Count(free - 1)));
        }
        if free < cells {
            let then = Local::Count(free + 1);
            all.extend((0..3).map(|why| (Event::Home(true, card, why), then)));
            all.extend(
                hosts(card)
                    .into_iter()
                    .map(|d| (Event::ToStack(true, card, d), then)),
            );
            all.push((Event::ToTable(true, card), then));
        }
    }
    all
}

fn column_moves(local: Local) -> Vec<(Event, Local)> {
    let Local::Count(empty) = local else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for card in 0..52 {
        if empty > 0 {
            all.push((Event::ToTable(false, card), Local::Count(empty - 1)));
            all.push((Event::ToTable(true, card), Local::Count(empty - 1)));
        }
        if empty < 8 {
            all.push((Event::Freed(card), Local::Count(empty + 1)));
        }
    }
    all
}

fn suit_moves(suit: u32, local: Local) -> Vec<(Event, Local)> {
    let Local::Count(home) = local else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for card in 0..52 {
        let rank = card / 4 + 1;
        let next = card % 4 == suit && rank == home + 1;
        for why in 0..3 {
            let asked = match why {
                1 => red(card) != (suit > 1),
                2 => card % 4 != suit,
                _ => false,
            };
            let behind = if red(card) == (suit > 1) { 3 } else { why };
            let witness = asked && home + behind >= rank;
            for cell in [false, true] {
                if next {
                    all.push((Event::Home(cell, card, why), Local::Count(home + 1)));
                } else if witness {
                    all.push((Event::Home(cell, card, why), local));
                }
            }
        }
    }
    if home == 13 {
        all.push((Event::Done, Local::Count(14)));
    }
    all
}

fn game(number: u64, cells: u32) -> Network {
    let columns = deal(number);
    let mut numbers: HashMap<Event, EventId> = HashMap::new();
    let mut give = |event: Event| {
        let next = EventId(u32::try_from(numbers.len()).unwrap() + 10);
        *numbers.entry(event).or_insert(next)
    };
    let done = give(Event::Done);
    let mut who = BTreeMap::new();
    let mut components = Vec::new();
    let id = |index: usize| ComponentId(u32::try_from(index).unwrap());
    // Cards of one column side by side: they change together.
    for column in &columns {
        for (height, card) in column.iter().enumerate() {
            let under = height.checked_sub(1).map(|h| column[h]);
            let above = column.get(height + 1).copied();
            let mut coverers = guests(*card);
            coverers.extend(above.filter(|a| !coverers.contains(a)));
            let start = Local::Stacked(under, above);
            let moves = |local| card_moves(*card, &coverers, local);
            let place = id(components.len());
            let name = format!("Card({card})");
            components.push(process(name, start, moves, &mut give, &mut who, place));
        }
    }
    for suit in 0..4 {
        let moves = |local| suit_moves(suit, local);
        let place = id(components.len());
        let name = format!("Suit({suit})");
        components.push(process(
            name,
            Local::Count(0),
            moves,
            &mut give,
            &mut who,
            place,
        ));
    }
    let free = Local::Count(cells);
    let (place, name) = (id(components.len()), "Cells".to_owned());
    let moves = |local| cell_moves(cells, local);
    components.push(process(name, free, moves, &mut give, &mut who, place));
    let (place, name) = (id(components.len()), "Columns".to_owned());
    components.push(process(
        name,
        Local::Count(0),
        column_moves,
        &mut give,
        &mut who,
        place,
    ));
    let mut network = Network {
        components,
        ..Network::default()
    };
    let mut forced = Vec::new();
    for (event, who) in &who {
        // Whoever knows the event takes part in it.
        let local = numbers[event];
        let rule = RuleId(u32::try_from(network.rules.len()).unwrap());
        if matches!(event, Event::Freed(_) | Event::Home(_, _, 1 | 2)) {
            forced.push(rule);
        }
        network.rules.push(Rule {
            result: if local == done { done } else { EventId::TAU },
            revealed: local,
            participants: who.iter().map(|component| (*component, local)).collect(),
            resets: Box::default(),
            blocked_by: None,
        });
    }
    network.chases.push(Chase {
        name: "Game".to_owned(),
        rules: forced.into(),
    });
    network
}

fn main() {
    let argument = |at: usize, default: u64| {
        std::env::args()
            .nth(at)
            .map_or(default, |text| text.parse().unwrap())
    };
    let (number, cells, threads) = (argument(1, 11_982), argument(2, 4), argument(3, 2));
    let most = argument(4, u64::MAX);
    let network = game(number, u32::try_from(cells).unwrap());
    let options = Options {
        threads: usize::try_from(threads).unwrap(),
        max_states: Some(most),
        ..Options::default()
    };
    let start = Instant::now();
    let done = Avoids(EventSet::single(EventId(10)));
    let found = search(&network, &done, &options, &NoObserver);
    let seconds = start.elapsed().as_secs_f64();
    let statistics = &found.statistics;
    let chosen = |steps: &[csp_checker::Step]| steps.iter().filter(|s| !s.chased).count();
    println!(
        "deal={number} cells={cells} threads={threads} rules={} store={} states={} transitions={} plys={} \
         won={:?} limit={:?} seconds={seconds:.3} Mstates/s={:.2} bytes/state={:.2} peak bytes/state={:.2}",
        network.rules.len(),
        statistics.store,
        statistics.states,
        statistics.transitions,
        statistics.plys,
        found.violations.first().map(|v| chosen(&v.steps)),
        found.limit,
        statistics.states as f64 / seconds / 1e6,
        statistics.bytes_per_state,
        statistics.peak_memory as f64 / statistics.states as f64,
    );
    println!("plys: {:?}", statistics.ply_sizes);
}
