//! What could be reached if components never had to wait for one another to be in a state at the
//! same time: every local state that was once possible stays possible.
//!
//! That is more than what can really be reached, so a goal that is not possible even then is lost for
//! certain. Source: Bonet and Geffner, "Planning as heuristic search" (2001), the delete relaxation;
//! facts are local states here and actions are rules.

use csp_lts::Network;

use crate::machine::Locals;

/// The local moves of all components and the rules that want them, numbered throughout.
#[derive(Debug)]
pub(crate) struct Relaxed {
    /// Where the states of each component start.
    first: Vec<u32>,
    /// Where the moves of each state start in `moves`.
    from: Vec<u32>,
    /// What is offered (an offer is a class of events of one component), and the state it leads to.
    moves: Vec<(u32, u32)>,
    /// The rules that want each offer.
    wanted_by: Vec<Vec<u32>>,
    rules: Vec<Want>,
}

/// What a rule needs and does.
#[derive(Debug)]
struct Want {
    offers: Vec<u32>,
    resets: Vec<u32>,
    goal: bool,
}

impl Relaxed {
    /// Lists the moves of a network.
    pub(crate) fn new(network: &Network, locals: &Locals, goals: &[bool]) -> Self {
        let mut first = Vec::new();
        let mut classes = Vec::new();
        let (mut states, mut offers) = (0u32, 0u32);
        for local in &locals.components {
            first.push(states);
            classes.push(offers);
            states += number(local.states.len());
            offers += number(local.classes.len());
        }
        let mut wanted_by = vec![Vec::new(); offers as usize];
        let mut rules = Vec::new();
        for (index, rule) in network.rules.iter().enumerate() {
            if !locals.live[index] {
                continue;
            }
            let wanted = rule.participants.iter().map(|(component, event)| {
                let component = component.0 as usize;
                classes[component] + locals.components[component].class(*event)
            });
            let resets = rule.resets.iter().map(|(component, state)| {
                let component = component.0 as usize;
                first[component] + locals.components[component].dense(*state)
            });
            let want = Want {
                offers: wanted.collect(),
                resets: resets.collect(),
                goal: goals[index],
            };
            for offer in &want.offers {
                wanted_by[*offer as usize].push(number(rules.len()));
            }
            rules.push(want);
        }
        let mut all: Vec<(u32, u32, u32)> = Vec::new();
        for (component, local) in locals.components.iter().enumerate() {
            let count = number(local.states.len());
            for class in 0..number(local.classes.len()) {
                let offer = classes[component] + class;
                if wanted_by[offer as usize].is_empty() {
                    continue;
                }
                local.each_move(class, |source, target| {
                    // Targets beyond are those of goals.
                    let target = if target < count { target } else { source };
                    all.push((first[component] + source, offer, first[component] + target));
                });
            }
        }
        all.sort_unstable();
        let mut from = vec![0u32; states as usize + 1];
        for (source, ..) in &all {
            from[*source as usize + 1] += 1;
        }
        for at in 1..from.len() {
            from[at] += from[at - 1];
        }
        Self {
            first,
            from,
            moves: all.into_iter().map(|(_, offer, to)| (offer, to)).collect(),
            wanted_by,
            rules,
        }
    }

    /// Whether a goal is possible from a state, given by the dense local states of its components. If
    /// it is not, it cannot be reached at all.
    pub(crate) fn may_reach(&self, values: &[u32]) -> bool {
        let mut reached = vec![false; self.from.len()];
        let mut missing: Vec<u32> = self.rules.iter().map(|r| number(r.offers.len())).collect();
        let mut met = vec![false; self.wanted_by.len()];
        let mut fired = vec![false; self.wanted_by.len()];
        // Where offers lead that were met and not fired yet.
        let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); self.wanted_by.len()];
        let starts = self.first.iter().zip(values);
        let mut stack: Vec<u32> = starts.map(|(first, value)| first + value).collect();
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut reached[state as usize], true) {
                continue;
            }
            let range = self.from[state as usize] as usize..self.from[state as usize + 1] as usize;
            for &(offer, target) in &self.moves[range] {
                if fired[offer as usize] {
                    stack.push(target);
                    continue;
                }
                if target != state {
                    waiting[offer as usize].push(target);
                }
                if std::mem::replace(&mut met[offer as usize], true) {
                    continue;
                }
                for rule in &self.wanted_by[offer as usize] {
                    missing[*rule as usize] -= 1;
                    if missing[*rule as usize] > 0 {
                        continue;
                    }
                    let rule = &self.rules[*rule as usize];
                    if rule.goal {
                        return true;
                    }
                    stack.extend_from_slice(&rule.resets);
                    for offer in &rule.offers {
                        if !std::mem::replace(&mut fired[*offer as usize], true) {
                            stack.append(&mut waiting[*offer as usize]);
                        }
                    }
                }
            }
        }
        false
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("what a network has is numbered by u32")
}
