//! Which rules the states of a component admit.
//!
//! Only guards that hold are looked at, and rules that ask a component for the same count as one until
//! the sets of rules are written down; many states have the same.

use ahash::AHashMap;

use super::rule::{Code, Guard, number};

/// Sets of rules by local state.
#[derive(Debug)]
pub(super) struct Admitted {
    /// For each state the index of its set.
    pub(super) set_of: Vec<u32>,
    /// The sets, each ascending, in the order of the first states that have them.
    pub(super) sets: Vec<Vec<u32>>,
}

impl Admitted {
    /// What a component of this many states admits of some rules, given with what they ask of it.
    pub(super) fn new(guarded: &[(u32, Guard)], code: &Code, states: u32) -> Self {
        let mut groups: AHashMap<u32, usize> = AHashMap::new();
        let mut rules: Vec<Vec<u32>> = Vec::new();
        let mut admitted: Vec<Vec<u32>> = vec![Vec::new(); states as usize];
        for (rule, guard) in guarded {
            let group = *groups.entry(guard.table).or_insert_with(|| {
                let group = number(rules.len());
                rules.push(Vec::new());
                code.each_admitted(guard, states, |state| admitted[state as usize].push(group));
                group as usize
            });
            rules[group].push(*rule);
        }
        let mut known: AHashMap<Vec<u32>, u32> = AHashMap::new();
        let mut sets = Vec::new();
        let set_of = admitted.into_iter().map(|groups| {
            *known.entry(groups).or_insert_with_key(|groups| {
                let members = groups.iter().flat_map(|group| &rules[*group as usize]);
                let mut set: Vec<u32> = members.copied().collect();
                set.sort_unstable();
                sets.push(set);
                number(sets.len() - 1)
            })
        });
        Self {
            set_of: set_of.collect(),
            sets,
        }
    }
}

#[cfg(test)]
mod tests {
    use csp_lts::RuleId;

    use super::super::samples::random;
    use super::super::{Code, Plan};
    use super::*;

    #[test]
    fn states_admit_the_rules_whose_guards_hold() {
        let mut shared = false;
        for seed in 0..100 {
            let network = random(seed);
            let mut plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
            if seed % 2 == 1 {
                let locals = plan.locals.components.iter_mut();
                locals.for_each(super::super::local::Local::make_sparse);
            }
            let (layout, locals) = (&plan.layout, &plan.locals);
            let mut code = Code::new(&network, layout, locals).expect("nothing is blocked");
            let mut guarded = vec![Vec::new(); network.components.len()];
            for id in (0..number(network.rules.len())).filter(|id| locals.live[*id as usize]) {
                let rule = code.rule(&network, RuleId(id), true, layout, locals);
                for guard in code.guards(&rule) {
                    guarded[guard.component as usize].push((id, *guard));
                }
            }
            for (guarded, local) in guarded.iter().zip(&locals.components) {
                let states = number(local.states.len());
                let Admitted { set_of, sets } = Admitted::new(guarded, &code, states);
                let mut distinct: Vec<Vec<u32>> = Vec::new();
                for (state, set) in (0..states).zip(&set_of) {
                    let admitted = guarded.iter().filter(|(_, g)| code.admits(g, state));
                    let admitted: Vec<u32> = admitted.map(|(rule, _)| *rule).collect();
                    assert_eq!(sets[*set as usize], admitted);
                    if !distinct.contains(&admitted) {
                        distinct.push(admitted);
                    }
                }
                shared |= distinct.len() < set_of.len();
                assert_eq!(sets, distinct);
            }
        }
        assert!(shared);
    }
}
