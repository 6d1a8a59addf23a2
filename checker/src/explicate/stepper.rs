//! Successors of network states for one thread, without looking at rules that cannot fire.
//!
//! Every rule is driven by one of its participants, the one that offers its event in the smallest
//! share of its states. Expanding a state walks the events that the components offer, and for each
//! the rules it drives; the other participants are then looked up by binary search.

use ahash::{AHashMap, AHashSet};
use csp_lts::{ComponentId, EventId, Network, RuleId};

use crate::reference::ChaseLoop;

/// Steps one network.
pub(crate) struct Stepper<'a> {
    network: &'a Network,
    components: Vec<Moves>,
    /// For each rule, its participants with their events as the components number them; `None` if
    /// a participant never offers its event.
    participants: Vec<Option<Vec<(usize, u32)>>>,
    /// For each probe, the same.
    probes: Vec<Option<Vec<(usize, u32)>>>,
    /// Rules in which nobody takes part.
    always: Vec<RuleId>,
    chased: Vec<RuleId>,
}

/// Vectors that are used again for every state.
#[derive(Default)]
pub(crate) struct Scratch {
    enabled: Vec<RuleId>,
    next: Vec<u32>,
}

/// The local transitions of one component on events that some rule or probe asks for.
#[derive(Default)]
struct Moves {
    events: AHashMap<EventId, u32>,
    /// For each state, its range of `entries`.
    offsets: Vec<u32>,
    /// Local event and range of `targets`, ascending for each state.
    entries: Vec<(u32, u32, u32)>,
    targets: Vec<u32>,
    /// For each local event, the rules that it drives.
    driven: Vec<Vec<RuleId>>,
    /// For each local event, in how many states it is offered.
    popularity: Vec<u32>,
}

impl Moves {
    fn number(&mut self, event: EventId) {
        let fresh = u32::try_from(self.events.len()).expect("no more than events");
        self.events.entry(event).or_insert(fresh);
    }

    fn tabulate(&mut self, lts: &csp_lts::Lts) {
        let mut wanted: Vec<(EventId, u32)> = self.events.iter().map(|(e, n)| (*e, *n)).collect();
        wanted.sort_unstable();
        self.popularity = vec![0; wanted.len()];
        self.driven = vec![Vec::new(); wanted.len()];
        let mut local: Vec<(u32, u32)> = Vec::new();
        for state in lts.states() {
            local.clear();
            for edge in lts.edges(state) {
                for &(from, to) in lts.label(edge).ranges() {
                    let start = wanted.partition_point(|(e, _)| e.0 < from);
                    let inside = wanted[start..].iter().take_while(|(e, _)| e.0 < to);
                    local.extend(inside.map(|(_, n)| (*n, edge.target.0)));
                }
            }
            local.sort_unstable();
            local.dedup();
            self.offsets.push(index(self.entries.len()));
            for same in local.chunk_by(|a, b| a.0 == b.0) {
                let start = index(self.targets.len());
                self.targets.extend(same.iter().map(|m| m.1));
                self.popularity[same[0].0 as usize] += 1;
                self.entries
                    .push((same[0].0, start, index(self.targets.len())));
            }
        }
        self.offsets.push(index(self.entries.len()));
    }

    fn offered(&self, state: u32) -> &[(u32, u32, u32)] {
        &self.entries
            [self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize]
    }

    /// Where a local event leads; nowhere if it is not offered.
    fn targets(&self, state: u32, event: u32) -> &[u32] {
        let offered = self.offered(state);
        match offered.binary_search_by_key(&event, |e| e.0) {
            Ok(at) => &self.targets[offered[at].1 as usize..offered[at].2 as usize],
            Err(_) => &[],
        }
    }
}

fn index(n: usize) -> u32 {
    u32::try_from(n).expect("the transitions of a component are numbered by u32")
}

impl<'a> Stepper<'a> {
    /// Prepares to step the network.
    pub(crate) fn new(network: &'a Network) -> Self {
        let mut components: Vec<Moves> = Vec::new();
        components.resize_with(network.components.len(), Moves::default);
        let asked = network.rules.iter().map(|r| &r.participants);
        for offers in asked.chain(network.probes.iter().map(|p| &p.offers)) {
            for (component, event) in offers {
                components[component.0 as usize].number(*event);
            }
        }
        for (moves, component) in components.iter_mut().zip(&network.components) {
            moves.tabulate(&component.lts);
        }
        let mut stepper = Self {
            network,
            participants: Vec::new(),
            probes: Vec::new(),
            components,
            always: Vec::new(),
            chased: Vec::new(),
        };
        stepper.participants = network
            .rules
            .iter()
            .map(|r| stepper.resolve(&r.participants))
            .collect();
        stepper.probes = network
            .probes
            .iter()
            .map(|p| stepper.resolve(&p.offers))
            .collect();
        stepper.chased = network
            .chases
            .iter()
            .flat_map(|c| c.rules.to_vec())
            .collect();
        stepper.choose_drivers();
        stepper
    }

    fn resolve(&self, offers: &[(ComponentId, EventId)]) -> Option<Vec<(usize, u32)>> {
        offers
            .iter()
            .map(|(component, event)| {
                let moves = &self.components[component.0 as usize];
                let local = moves.events[event];
                (moves.popularity[local as usize] > 0).then_some((component.0 as usize, local))
            })
            .collect()
    }

    fn choose_drivers(&mut self) {
        let chased: AHashSet<RuleId> = self.chased.iter().copied().collect();
        for (rule, participants) in (0..).map(RuleId).zip(&self.participants) {
            let Some(participants) = participants else {
                continue;
            };
            if chased.contains(&rule) {
                continue;
            }
            let share = |&&(component, event): &&(usize, u32)| {
                let moves = &self.components[component];
                let states = moves.offsets.len() as u64 - 1;
                u64::from(moves.popularity[event as usize]) * 1_000_000 / states
            };
            match participants.iter().min_by_key(share) {
                Some(&(component, event)) => {
                    self.components[component].driven[event as usize].push(rule);
                }
                None => self.always.push(rule),
            }
        }
    }

    /// The initial state, chased.
    pub(crate) fn initial(&self) -> Result<Vec<u32>, ChaseLoop> {
        let mut state = self
            .network
            .components
            .iter()
            .map(|c| c.initial.0)
            .collect();
        self.chase(&mut state)?;
        Ok(state)
    }

    /// Calls back for every transition, in the order of the rules.
    pub(crate) fn successors(
        &self,
        state: &[u32],
        scratch: &mut Scratch,
        mut found: impl FnMut(EventId, &[u32]),
    ) -> Result<(), ChaseLoop> {
        let Scratch { enabled, next } = scratch;
        enabled.clear();
        enabled.extend(self.always.iter().filter(|r| self.can_fire(state, **r)));
        for (moves, &local) in self.components.iter().zip(state) {
            for &(event, _, _) in moves.offered(local) {
                let driven = moves.driven[event as usize].iter();
                enabled.extend(driven.filter(|r| self.can_fire(state, **r)));
            }
        }
        enabled.sort_unstable();
        for &rule in &*enabled {
            let event = self.network.rules[rule.0 as usize].result;
            let mut failure = None;
            self.fire(state, rule, next, &mut |next| {
                if self.chased.is_empty() {
                    found(event, next);
                    return;
                }
                let mut next = next.to_vec();
                match self.chase(&mut next) {
                    Ok(()) => found(event, &next),
                    Err(error) => failure = Some(error),
                }
            });
            if let Some(error) = failure {
                return Err(error);
            }
        }
        Ok(())
    }

    fn all_offered(&self, state: &[u32], offers: Option<&Vec<(usize, u32)>>) -> bool {
        offers.is_some_and(|offers| {
            offers.iter().all(|&(component, event)| {
                !self.components[component]
                    .targets(state[component], event)
                    .is_empty()
            })
        })
    }

    fn can_fire(&self, state: &[u32], rule: RuleId) -> bool {
        self.all_offered(state, self.participants[rule.0 as usize].as_ref())
            && !self.blocked(state, self.network.rules[rule.0 as usize].blocked_by)
    }

    fn blocked(&self, state: &[u32], blocker: Option<u32>) -> bool {
        blocker.is_some_and(|b| {
            self.network.blockers[b as usize].iter().any(|&p| {
                self.all_offered(state, self.probes[p as usize].as_ref())
                    && !self.blocked(state, self.network.probes[p as usize].blocked_by)
            })
        })
    }

    /// Fires a rule that can fire: one result for each choice of targets, the last participant's
    /// choice varying fastest.
    fn fire(
        &self,
        state: &[u32],
        rule: RuleId,
        next: &mut Vec<u32>,
        found: &mut dyn FnMut(&[u32]),
    ) {
        next.clear();
        next.extend_from_slice(state);
        for &(component, fixed) in &self.network.rules[rule.0 as usize].resets {
            next[component.0 as usize] = fixed.0;
        }
        let participants = self.participants[rule.0 as usize]
            .as_ref()
            .expect("a rule that can fire has its participants");
        self.choose(state, participants, next, found);
    }

    fn choose(
        &self,
        state: &[u32],
        participants: &[(usize, u32)],
        next: &mut [u32],
        found: &mut dyn FnMut(&[u32]),
    ) {
        let Some((&(component, event), rest)) = participants.split_first() else {
            found(next);
            return;
        };
        for &target in self.components[component].targets(state[component], event) {
            next[component] = target;
            self.choose(state, rest, next, found);
        }
    }

    fn chase(&self, state: &mut Vec<u32>) -> Result<(), ChaseLoop> {
        let mut seen = AHashSet::new();
        while let Some(&rule) = self.chased.iter().find(|r| self.can_fire(state, **r)) {
            if !seen.insert(state.clone()) {
                let culprit = self.network.chases.iter().find(|c| c.rules.contains(&rule));
                return Err(ChaseLoop(
                    culprit.map_or_else(String::new, |c| c.name.clone()),
                ));
            }
            let mut first = None;
            self.fire(state, rule, &mut Vec::new(), &mut |next| {
                first.get_or_insert_with(|| next.to_vec());
            });
            *state = first.expect("a rule that can fire leads somewhere");
        }
        Ok(())
    }
}
