//! Breadth-first search of a network on a hash map: one thread, no packing, every parent kept.

use std::collections::{BTreeMap, HashMap};

use csp_lts::{EventId, Network};

use super::simulator::{ChaseLoop, Simulator, State};
use crate::judge::{Judge, Judged, Node, Offers, Stepped};
use crate::options::Options;
use crate::outcome::{Limit, Statistics, Step};
use crate::search::{Fault, Found, Violation};

/// A node of the property and a state of the implementation, ordered as violations are chosen.
type Pair = (State, Node);

/// What makes two violations of one ply different.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    State(Vec<EventId>, bool),
    Divergence,
    Event(EventId),
}

/// Searches the network as [`crate::search::search`] does. Of the limits it knows only
/// [`Options::max_states`].
pub fn explore(network: &Network, judge: &dyn Judge, options: &Options) -> Found {
    let mut exploration = Exploration {
        simulator: Simulator::new(network),
        judge,
        parents: HashMap::new(),
        plys: Vec::new(),
        found: BTreeMap::new(),
        endless: None,
        statistics: Statistics {
            store: "reference",
            ..Statistics::default()
        },
    };
    match exploration.run(options) {
        Ok((violations, limit)) => Found {
            violations,
            limit,
            statistics: exploration.statistics,
        },
        Err(ChaseLoop(name)) => Found {
            violations: Vec::new(),
            limit: Some(Limit::Unsupported(crate::search::chase_never_ends(&name))),
            statistics: exploration.statistics,
        },
    }
}

struct Exploration<'a> {
    simulator: Simulator<'a>,
    judge: &'a dyn Judge,
    /// For every pair its ply, and the smallest pair of the ply before that leads to it, with the
    /// first way in which it does.
    parents: HashMap<Pair, (usize, Way)>,
    plys: Vec<Vec<Pair>>,
    /// The smallest violation of each kind: whether it is an event, where, and what.
    found: BTreeMap<Kind, What>,
    /// A chase that has no end.
    endless: Option<ChaseLoop>,
    statistics: Statistics,
}

/// The pair before and the steps from it; none for the initial pair.
type Way = Option<(Pair, Vec<Step>)>;

/// A violation: its ply, whether it is an event (a step further on), where, the last step, the fault.
type What = (usize, bool, Pair, Vec<Step>, Fault);

impl Exploration<'_> {
    fn run(&mut self, options: &Options) -> Result<(Vec<Violation>, Option<Limit>), ChaseLoop> {
        let most = options.max_states.unwrap_or(u64::MAX).max(1);
        let (state, opening) = self.simulator.initial()?;
        let initial = (state, self.judge.initial());
        self.parents.insert(initial.clone(), (0, None));
        self.plys.push(vec![initial]);
        self.statistics.states = 1;
        self.statistics.ply_sizes.push(1);
        loop {
            let ply = self.plys.len() - 1;
            let mut frontier = self.plys[ply].clone();
            frontier.sort_unstable();
            let mut next = Vec::new();
            let mut full = false;
            let before = self.statistics.transitions;
            for pair in frontier {
                for child in self.visit(ply, &pair) {
                    full |= next.len() as u64 + self.statistics.states == most;
                    if full {
                        self.parents.remove(&child);
                    } else {
                        next.push(child);
                    }
                }
            }
            let wanted = options.counterexamples.max(1);
            if self.found.len() >= wanted {
                self.statistics.plys += 1;
                self.statistics.transitions = before;
                return Ok((self.violations(&opening, wanted), None));
            }
            if let Some(endless) = self.endless.take() {
                return Err(endless);
            }
            self.statistics.states += next.len() as u64;
            if !next.is_empty() {
                self.statistics.ply_sizes.push(next.len() as u64);
            }
            if !full {
                self.statistics.plys += 1;
            }
            if full || next.is_empty() {
                let limit = full.then_some(Limit::States(most));
                return Ok((self.violations(&opening, wanted), limit));
            }
            self.plys.push(next);
        }
    }

    /// Judges and expands one pair; the pairs that were not known.
    fn visit(&mut self, ply: usize, pair: &Pair) -> Vec<Pair> {
        let rules = &self.simulator.network().rules;
        let event = |rule: csp_lts::RuleId| rules[rule.0 as usize].result;
        let mut seen = pair.1;
        if self.judge.judges_states() {
            let enabled = self.simulator.enabled(&pair.0);
            let mut events: Vec<EventId> = enabled.into_iter().map(event).collect();
            events.sort_unstable();
            events.dedup();
            let tau = events.first() == Some(&EventId::TAU);
            events.retain(|e| *e != EventId::TAU);
            let offers = Offers {
                events: &events,
                tau,
            };
            match self.judge.state(pair.1, offers) {
                Judged::Fine => {}
                Judged::Seen(node) => seen = node,
                Judged::Done => return Vec::new(),
                Judged::Violation => {
                    self.note(
                        Kind::State(events, tau),
                        (ply, false, pair.clone(), vec![], Fault::State),
                    );
                    return Vec::new();
                }
            }
        }
        if self.judge.forbids_divergence(pair.1)
            && let Some(cycle) = self.simulator.silent_cycle(&pair.0)
        {
            self.note(
                Kind::Divergence,
                (
                    ply,
                    false,
                    pair.clone(),
                    vec![],
                    Fault::Divergence { cycle },
                ),
            );
            return Vec::new();
        }
        let mut fresh = Vec::new();
        for rule in self.simulator.enabled(&pair.0) {
            let event = event(rule);
            let stepped = if event == EventId::TAU {
                Stepped::To(pair.1)
            } else {
                self.judge.step(seen, event)
            };
            for (step, mut state) in self.simulator.fire(&pair.0, rule) {
                self.statistics.transitions += 1;
                match stepped {
                    Stepped::To(node) => {
                        let chased = match self.simulator.chase(&mut state) {
                            Ok(chased) => chased,
                            Err(endless) => {
                                self.endless.get_or_insert(endless);
                                continue;
                            }
                        };
                        let child = (state, node);
                        if !self.parents.contains_key(&child) {
                            let steps = std::iter::once(step).chain(chased).collect();
                            let way = Some((pair.clone(), steps));
                            self.parents.insert(child.clone(), (ply + 1, way));
                            fresh.push(child);
                        }
                    }
                    Stepped::Done => {}
                    Stepped::Violation => {
                        let what = (ply, true, pair.clone(), vec![step], Fault::Event);
                        self.note(Kind::Event(event), what);
                    }
                }
            }
        }
        fresh
    }

    /// Keeps the first of each kind; pairs are visited in ascending order.
    fn note(&mut self, kind: Kind, what: What) {
        self.found.entry(kind).or_insert(what);
    }

    fn violations(&self, opening: &[Step], most: usize) -> Vec<Violation> {
        let mut all: Vec<_> = self.found.values().cloned().collect();
        all.sort_by(|a, b| {
            let rule = |steps: &[Step]| steps.first().map(|s| s.rule);
            (a.0, a.1, &a.2, rule(&a.3)).cmp(&(b.0, b.1, &b.2, rule(&b.3)))
        });
        all.truncate(most);
        all.into_iter()
            .map(|(_, _, pair, last, fault)| {
                let mut steps = vec![last];
                let mut at = &pair;
                while let Some((_, Some((parent, way)))) = self.parents.get(at) {
                    steps.push(way.clone());
                    at = parent;
                }
                steps.push(opening.to_vec());
                steps.reverse();
                Violation {
                    steps: steps.concat(),
                    node: pair.1,
                    fault,
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventSet, LtsBuilder, StateId};

    use super::*;

    struct Never(EventId);

    impl Judge for Never {
        fn initial(&self) -> Node {
            0
        }
        fn nodes(&self) -> u32 {
            1
        }
        fn judges_states(&self) -> bool {
            false
        }
        fn forbids_divergence(&self, _: Node) -> bool {
            true
        }
        fn state(&self, _: Node, _: Offers<'_>) -> Judged {
            Judged::Fine
        }
        fn step(&self, _: Node, event: EventId) -> Stepped {
            if event == self.0 {
                Stepped::Violation
            } else {
                Stepped::To(0)
            }
        }
    }

    fn machine(edges: &[&[(u32, u32)]]) -> Network {
        let mut builder = LtsBuilder::new();
        for state in edges {
            builder.state(
                state
                    .iter()
                    .map(|&(e, t)| (Arc::new(EventSet::single(EventId(e))), StateId(t))),
            );
        }
        Network::of_lts("P", Arc::new(builder.finish(StateId(0))))
    }

    #[test]
    fn the_shortest_way_to_a_forbidden_event() {
        let network = machine(&[&[(3, 1), (4, 2)], &[(5, 2)], &[(6, 0)]]);
        let found = explore(&network, &Never(EventId(6)), &Options::default());
        let events: Vec<u32> = found.violations[0]
            .steps
            .iter()
            .map(|s| s.event.0)
            .collect();
        assert_eq!(events, [4, 6]);
        assert_eq!(found.statistics.states, 3);
        assert_eq!(found.statistics.transitions, 2);
    }

    #[test]
    fn a_silent_cycle_is_entered_by_the_shortest_way() {
        let network = machine(&[&[(0, 1)], &[(0, 2)], &[(0, 1)]]);
        let found = explore(&network, &Never(EventId(9)), &Options::default());
        assert_eq!(found.violations[0].steps.len(), 1);
        let Fault::Divergence { cycle } = &found.violations[0].fault else {
            panic!("a divergence");
        };
        assert_eq!(cycle.len(), 2);
    }

    #[test]
    fn a_long_search_for_a_cycle_can_be_stopped() {
        let silent: Vec<[(u32, u32); 1]> = (1..=3000).map(|next| [(0, next)]).collect();
        let mut edges: Vec<&[(u32, u32)]> = silent.iter().map(|edge| &edge[..]).collect();
        edges.push(&[]);
        let network = machine(&edges);
        let simulator = Simulator::new(&network);
        let (initial, _) = simulator.initial().expect("nothing is chased");
        assert_eq!(simulator.silent_cycle(&initial), None);
        let stopped = simulator.silent_cycle_until(&initial, || Some("late"));
        assert_eq!(stopped, Err("late"));
    }

    #[test]
    fn the_number_of_states_is_a_limit() {
        let network = machine(&[&[(3, 1)], &[(3, 2)], &[(3, 0)]]);
        let options = Options {
            max_states: Some(2),
            ..Options::default()
        };
        let found = explore(&network, &Never(EventId(9)), &options);
        assert_eq!(found.limit, Some(Limit::States(2)));
        assert_eq!(found.statistics.states, 2);
        let enough = Options {
            max_states: Some(3),
            ..Options::default()
        };
        assert_eq!(explore(&network, &Never(EventId(9)), &enough).limit, None);
    }
}
