//! Counts the positions of peg solitaire, as a network of two-state holes.
//!
//!     cargo run --release -p csp-checker --example peg -- english 2
//!
//! Boards: `english` (187,636,299 states, 1,487,175,000 transitions), `5x5` (1,183,924 and
//! 7,912,256), or any `WxH` with its centre empty. The second argument is the number of threads.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for the terminal"
)]

use std::sync::Arc;
use std::time::Instant;

use csp_checker::Options;
use csp_checker::judge::Avoids;
use csp_checker::options::NoObserver;
use csp_checker::search::search;
use csp_lts::{Component, ComponentId, EventId, EventSet, LtsBuilder, Network, Rule, StateId};

/// A hole is full (0) or empty (1); it can be left, jumped over, filled, or be part of a solution.
fn hole(full: bool, last: bool, name: String) -> Component {
    const LEAVE: EventId = EventId(10);
    const FILL: EventId = EventId(11);
    const SOLVED: EventId = EventId(12);
    let label = |e: EventId| Arc::new(EventSet::single(e));
    let mut builder = LtsBuilder::new();
    let mut occupied = vec![(label(LEAVE), StateId(1))];
    let mut vacant = vec![(label(FILL), StateId(0))];
    if last {
        occupied.push((label(SOLVED), StateId(0)));
    } else {
        vacant.push((label(SOLVED), StateId(1)));
    }
    builder.state(occupied);
    builder.state(vacant);
    Component {
        name,
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(u32::from(!full)),
    }
}

fn board(cells: &[(i32, i32)], empty: (i32, i32)) -> Network {
    let id = |at: (i32, i32)| {
        let index = cells.iter().position(|c| *c == at)?;
        Some(ComponentId(u32::try_from(index).unwrap()))
    };
    let mut network = Network {
        components: cells
            .iter()
            .map(|c| hole(*c != empty, *c == empty, format!("{c:?}")))
            .collect(),
        ..Network::default()
    };
    let mut event = 4;
    for &(x, y) in cells {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let over = id((x + dx, y + dy));
            let to = id((x + 2 * dx, y + 2 * dy));
            let (Some(from), Some(over), Some(to)) = (id((x, y)), over, to) else {
                continue;
            };
            let mut participants =
                vec![(from, EventId(10)), (over, EventId(10)), (to, EventId(11))];
            participants.sort_unstable();
            network.rules.push(Rule {
                result: EventId::TAU,
                revealed: EventId(event),
                participants: participants.into(),
                resets: Box::default(),
                blocked_by: None,
            });
            event += 1;
        }
    }
    let everyone = (0..u32::try_from(cells.len()).unwrap()).map(|c| (ComponentId(c), EventId(12)));
    network.rules.push(Rule {
        result: EventId(3),
        revealed: EventId(3),
        participants: everyone.collect(),
        resets: Box::default(),
        blocked_by: None,
    });
    network
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let name = arguments.get(1).map_or("5x5", String::as_str);
    let threads: usize = arguments.get(2).map_or(2, |t| t.parse().unwrap());
    let (cells, empty): (Vec<(i32, i32)>, (i32, i32)) = if name == "english" {
        let all = (0..7).flat_map(|y| (0..7).map(move |x| (x, y)));
        let arm = |c: i32| (2..=4).contains(&c);
        (all.filter(|(x, y)| arm(*x) || arm(*y)).collect(), (3, 3))
    } else {
        let (width, height) = name.split_once('x').unwrap();
        let (width, height): (i32, i32) = (width.parse().unwrap(), height.parse().unwrap());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        (cells.collect(), (width / 2, height / 2))
    };
    let network = board(&cells, empty);
    let options = Options {
        threads,
        ..Options::default()
    };
    let start = Instant::now();
    // The last event says that the board is solved.
    let solved = Avoids(EventSet::single(EventId(3)));
    let found = search(&network, &solved, &options, &NoObserver);
    let seconds = start.elapsed().as_secs_f64();
    let statistics = &found.statistics;
    println!(
        "{name} threads={threads} store={} states={} transitions={} plys={} solved={} seconds={seconds:.3} \
         Mstates/s={:.2} bytes/state={:.2} peak bytes/state={:.2}",
        statistics.store,
        statistics.states,
        statistics.transitions,
        statistics.plys,
        found.violations.first().map_or(0, |v| v.steps.len()),
        statistics.states as f64 / seconds / 1e6,
        statistics.bytes_per_state,
        statistics.peak_memory as f64 / statistics.states as f64,
    );
}
