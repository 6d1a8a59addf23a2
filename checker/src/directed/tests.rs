use std::sync::Arc;

use csp_lts::{Component, ComponentId, EventId, EventSet, LtsBuilder, StateId};

use super::*;
use crate::options::NoObserver;

const STEP: u32 = 3;
const GOAL: u32 = 20;

/// A counter from 0 to `top` that can be stepped up by `STEP + i` and down by the same, and offers
/// the goal at the top.
fn counter(i: u32, top: u32) -> Component {
    let single = |e: u32| Arc::new(EventSet::single(EventId(e)));
    let mut builder = LtsBuilder::new();
    for n in 0..=top {
        let mut edges = Vec::new();
        if n < top {
            edges.push((single(STEP + i), StateId(n + 1)));
        } else {
            edges.push((single(GOAL), StateId(n)));
        }
        if n > 0 {
            edges.push((single(STEP + i), StateId(n - 1)));
        }
        builder.state(edges);
    }
    Component {
        name: format!("Counter({i})"),
        lts: Arc::new(builder.finish(StateId(0))),
        initial: StateId(0),
    }
}

fn rule(event: u32, participants: Vec<(u32, u32)>) -> Rule {
    Rule {
        result: EventId(event),
        revealed: EventId(event),
        participants: participants
            .into_iter()
            .map(|(c, e)| (ComponentId(c), EventId(e)))
            .collect(),
        resets: Box::default(),
        blocked_by: None,
    }
}

/// Counters that step on their own, or two by two, and reach the goal together.
fn counters(count: u32, top: u32, in_pairs: bool) -> Network {
    let together = if in_pairs { 2 } else { 1 };
    let mut rules: Vec<Rule> = (0..count)
        .step_by(together)
        .map(|i| {
            let both = i..i + u32::try_from(together).expect("one or two");
            rule(STEP + i, both.map(|c| (c, STEP + c)).collect())
        })
        .collect();
    rules.push(rule(GOAL, (0..count).map(|c| (c, GOAL)).collect()));
    Network {
        components: (0..count).map(|i| counter(i, top)).collect(),
        rules,
        ..Network::default()
    }
}

fn sought(network: &Network, strategy: Strategy, options: &Options) -> Sought {
    seek(
        network,
        &|rule| rule.result == EventId(GOAL),
        strategy,
        None,
        options,
        &NoObserver,
    )
}

#[test]
fn the_goal_is_found_without_seeing_everything() {
    let network = counters(6, 9, false);
    let found = sought(&network, Strategy::Greedy, &Options::default());
    let play = found.play.expect("a play");
    assert_eq!(play.last().map(|s| s.event), Some(EventId(GOAL)));
    assert!(play.len() >= 55, "{} steps", play.len());
    assert!(found.statistics.states < 10_000, "of a million");
}

#[test]
fn the_lower_bound_leads_to_a_shortest_play() {
    for in_pairs in [false, true] {
        let network = counters(4, 5, in_pairs);
        let found = sought(&network, Strategy::Shortest, &Options::default());
        let steps = if in_pairs { 10 } else { 20 };
        assert_eq!(found.play.expect("a play").len(), steps + 1);
        assert_eq!(found.statistics.plys, steps as u64 + 1);
    }
}

#[test]
fn an_empty_queue_proves_that_there_is_no_play() {
    let mut network = counters(3, 4, false);
    // One more participant, which never offers the goal in a state that it can reach.
    let mut never = counter(3, 4);
    never.lts = counter(9, 4).lts;
    network.components.push(never);
    network.rules.last_mut().expect("the goal").participants =
        (0..4).map(|c| (ComponentId(c), EventId(GOAL))).collect();
    for strategy in [Strategy::Greedy, Strategy::Shortest] {
        let found = sought(&network, strategy, &Options::default());
        assert!(found.play.is_none() && found.limit.is_none());
    }
}

#[test]
fn limits_end_in_a_limit() {
    let network = counters(6, 9, false);
    let options = Options {
        max_states: Some(20),
        ..Options::default()
    };
    let found = sought(&network, Strategy::Greedy, &options);
    assert!(found.play.is_none());
    assert_eq!(found.limit, Some(Limit::States(20)));
    let options = Options {
        memory: Some(10),
        ..Options::default()
    };
    let found = sought(&network, Strategy::Greedy, &options);
    assert_eq!(found.limit, Some(Limit::Memory(10)));
}

#[test]
fn positions_are_where_events_lead() {
    let network = counters(4, 3, false);
    let goal = |rule: &Rule| rule.result == EventId(GOAL);
    let opened = Opened::new(network.clone(), &goal, Strategy::Greedy).expect("small");
    let initial = opened.initial().expect("nothing is chased");
    let step = |i: u32| EventId(STEP + i);
    let one = opened.after(&initial, &[step(0)]);
    // A counter in the middle can step up and down on the same event.
    let one = one.expect("from 0 there is one way");
    assert_eq!(opened.after(&one, &[step(0)]), None);
    assert_eq!(opened.after(&one, &[EventId(GOAL)]), None);
    assert_eq!(opened.state(&one)[..2], [StateId(1), StateId(0)]);
    let found = opened.seek(&one, None, &Options::default(), &NoObserver);
    let play = found.play.expect("a play");
    let at_once = sought(&network, Strategy::Greedy, &Options::default());
    assert!(play.len() < at_once.play.expect("a play").len() + 2);
    let shorter = Some(Duration::from_secs(60));
    let found = opened.seek(&one, shorter, &Options::default(), &NoObserver);
    assert_eq!(found.play.map(|p| p.len()), Some(4 * 3 - 1 + 1));
}

#[test]
fn networks_agree_with_themselves_and_not_with_others() {
    let goal = |rule: &Rule| rule.result == EventId(GOAL);
    // Each counter goes up once.
    let opened =
        |top| Opened::new(counters(3, top, false), &goal, Strategy::Greedy).expect("it is small");
    let (small, large) = (opened(1), opened(2));
    let start = |of: &Opened| of.initial().expect("nothing is chased");
    let same = small.agree(&start(&small), &opened(1), &start(&small), &Some, 1000);
    assert_eq!(same, Ok(8));
    let other = small.agree(&start(&small), &large, &start(&large), &Some, 1000);
    assert!(other.is_err());
}
