//! Rules cut into cases that do nothing but mask and flip words.
//!
//! What a participant does on an event may be neither one exclusive-or nor one constant, but it is
//! a few of them, each in some of its states. A case of a rule is a choice of one for each
//! participant; no two cases of a rule can fire in the same state, so they stand for it in every
//! respect.

use std::cmp::Reverse;

use ahash::AHashMap;
use csp_lts::{ComponentId, Network, RuleId};

use super::super::layout::Layout;
use super::super::local::{Local, Locals};
use super::{Code, Flip, Guard, RuleCode, Run, number, write};

/// What a participant does in some of its states.
struct Way {
    /// The states, a bit each, and how many there are.
    states: Vec<u64>,
    offering: u32,
    effect: Effect,
}

/// A state is overwritten by a value, or else flipped by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Effect {
    overwrites: bool,
    value: u32,
}

impl Code {
    /// The live rules as at most this many cases, those marked as ending without effects; `None` if
    /// there were more, or if some rule branches.
    pub(in super::super) fn cases(
        network: &Network,
        ending: &[bool],
        layout: &Layout,
        locals: &Locals,
        most: usize,
    ) -> Option<(Self, Vec<RuleCode>)> {
        let mut code = Self::new(network, layout, locals).ok()?;
        let mut cases = Vec::new();
        for (id, _) in (0..).map(RuleId).zip(&locals.live).filter(|(_, l)| **l) {
            let follow = !ending[id.0 as usize];
            let whole = code.rule(network, id, follow, layout, locals);
            if !whole.branches.is_empty() {
                return None;
            }
            if whole.columns.is_empty() {
                cases.push(whole);
            } else {
                code.cut(network, &whole, layout, locals, most, &mut cases)?;
            }
            if cases.len() > most {
                return None;
            }
        }
        Some((code, cases))
    }

    /// Adds the cases of a rule that is followed.
    fn cut(
        &mut self,
        network: &Network,
        whole: &RuleCode,
        layout: &Layout,
        locals: &Locals,
        most: usize,
        cases: &mut Vec<RuleCode>,
    ) -> Option<()> {
        let rule = &network.rules[whole.id.0 as usize];
        let mut resets = Vec::new();
        for (component, state) in &rule.resets {
            let local = &locals.components[component.0 as usize];
            if local.states.len() > 1 {
                let field = layout.components[component.0 as usize];
                write(&mut resets, field, true, local.dense(*state));
            }
        }
        let mut participants: Vec<(ComponentId, Vec<Way>)> = Vec::new();
        let mut count = 1;
        for (component, event) in &rule.participants {
            let local = &locals.components[component.0 as usize];
            let ways = ways(local, local.class(*event), most)?;
            count *= ways.len();
            if count > most {
                return None;
            }
            participants.push((*component, ways));
        }
        for case in 0..count {
            let mut rest = case;
            let chosen = participants.iter().map(|(component, ways)| {
                let way = &ways[rest % ways.len()];
                rest /= ways.len();
                (*component, way)
            });
            let case = self.case(whole, chosen, resets.clone(), layout, locals);
            cases.push(case);
        }
        Some(())
    }

    /// The case of a rule in which participants move in certain ways.
    fn case<'a>(
        &mut self,
        whole: &RuleCode,
        chosen: impl Iterator<Item = (ComponentId, &'a Way)>,
        mut words: Vec<Flip>,
        layout: &Layout,
        locals: &Locals,
    ) -> RuleCode {
        let start = [self.guards.len(), self.flips.len()].map(number);
        for (component, way) in chosen {
            let field = layout.components[component.0 as usize];
            let states = locals.components[component.0 as usize].states.len();
            if (way.offering as usize) < states {
                let table = number(self.bits.len());
                self.bits.extend_from_slice(&way.states);
                self.guards.push(Guard {
                    field,
                    component: component.0,
                    table,
                    offering: way.offering,
                });
                self.tests
                    .push(self.test(&self.guards[self.guards.len() - 1]));
            }
            let Effect { overwrites, value } = way.effect;
            if overwrites || value != 0 {
                write(&mut words, field, overwrites, value);
            }
        }
        self.flips.append(&mut words);
        let run = |from: u32, to: usize| Run {
            from,
            to: number(to),
        };
        RuleCode {
            guards: run(start[0], self.guards.len()),
            flips: run(start[1], self.flips.len()),
            columns: Run::default(),
            ..whole.clone()
        }
    }
}

/// The ways in which a component moves on the events of a class that does not branch; `None` if
/// there are more than this many.
fn ways(local: &Local, class: u32, most: usize) -> Option<Vec<Way>> {
    let mut moves: Vec<(u32, u32)> = Vec::new();
    local.each_move(class, |source, target| moves.push((source, target)));
    let mut ways = Vec::new();
    while !moves.is_empty() {
        if ways.len() == most {
            return None;
        }
        let mut covered: AHashMap<Effect, u32> = AHashMap::new();
        for (from, to) in &moves {
            for effect in [(false, from ^ to), (true, *to)] {
                let (overwrites, value) = effect;
                *covered.entry(Effect { overwrites, value }).or_default() += 1;
            }
        }
        let most_covered = covered.into_iter().max_by_key(|(e, c)| (*c, Reverse(*e)));
        let (effect, offering) = most_covered.expect("there is a move");
        let mut states = vec![0; local.states.len().div_ceil(64)];
        moves.retain(|(from, to)| {
            let result = if effect.overwrites { 0 } else { *from } ^ effect.value;
            if result == *to {
                states[*from as usize / 64] |= 1 << (from % 64);
            }
            result != *to
        });
        ways.push(Way {
            states,
            offering,
            effect,
        });
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use csp_lts::{Network, StateId};

    use super::super::super::samples::{component, rule};
    use super::super::super::{Machine, Plan};
    use super::*;

    /// Components that move as listed, each by itself, and the first two together, which resets the
    /// third.
    fn movers(moves: [&[u32]; 3]) -> Network {
        let component = |moves: &[u32]| {
            let edges: Vec<_> = moves.iter().map(|target| [(3, *target)]).collect();
            component(&edges.iter().map(|edge| &edge[..]).collect::<Vec<_>>())
        };
        Network {
            components: moves.map(component).to_vec(),
            rules: vec![
                rule(3, &[(0, 3), (1, 3)], &[(2, 1)]),
                rule(3, &[(0, 3)], &[]),
                rule(3, &[(1, 3)], &[]),
                rule(3, &[(2, 3)], &[]),
            ],
            ..Network::default()
        }
    }

    #[test]
    fn cases_do_what_the_rule_does() {
        // In the first component two states lead to one.
        let targets: [&[u32]; 3] = [&[1, 2, 3, 4, 2], &[1, 2, 0], &[1, 2, 0]];
        let network = movers(targets);
        let plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
        let machine = Machine::<1>::new(&network, plan).expect("it is small");
        assert!(machine.plain.is_some());
        assert!(machine.rules.len() > network.rules.len());
        let fields = machine.layout.components.clone();
        let mut enabled = Vec::new();
        let sizes = machine.state_counts();
        for number in 0..sizes.iter().product::<usize>() {
            let mut state = [0];
            let mut rest = number;
            for (field, size) in fields.iter().zip(&sizes) {
                field.set(&mut state, u32::try_from(rest % size).expect("small"));
                rest /= size;
            }
            let from = machine.unpack(&state);
            let to = |component: usize| StateId(targets[component][from[component].0 as usize]);
            machine.enabled(&state, &mut enabled);
            let mut found: Vec<(RuleId, Vec<StateId>)> = Vec::new();
            for rule in &enabled {
                machine.fire(&state, *rule, |child| {
                    found.push((machine.rules[*rule as usize].id, machine.unpack(child)));
                });
            }
            found.sort_unstable();
            let expected = vec![
                (RuleId(0), vec![to(0), to(1), StateId(1)]),
                (RuleId(1), vec![to(0), from[1], from[2]]),
                (RuleId(2), vec![from[0], to(1), from[2]]),
                (RuleId(3), vec![from[0], from[1], to(2)]),
            ];
            assert_eq!(found, expected);
        }
    }
}
