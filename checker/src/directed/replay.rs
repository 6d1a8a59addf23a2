//! From a path of packed states to steps of the network, made by the plain simulator.

use csp_lts::{Network, RuleId};

use crate::machine::Machine;
use crate::outcome::Step;
use crate::reference::Simulator;

/// Steps the network along a path and fires a goal rule at its end. The path starts where `before`
/// leads, rules that have been fired already and are not part of the play. Panics if something cannot
/// be done, because then the search itself is wrong.
pub(crate) fn replay<const N: usize>(
    network: &Network,
    machine: &Machine<N>,
    before: &[RuleId],
    path: &[[u64; N]],
    goal: RuleId,
) -> Vec<Step> {
    let simulator = Simulator::new(network);
    let (mut state, mut steps) = simulator
        .initial()
        .expect("the engine has chased the initial state too");
    for rule in before {
        assert!(
            simulator.can_fire(&state, *rule),
            "what was fired before can be fired on the network"
        );
        state = simulator.fire(&state, *rule).swap_remove(0).1;
        simulator
            .chase(&mut state)
            .expect("the engine has chased this state too");
        steps.clear();
    }
    assert_eq!(
        path.first().map(|first| machine.unpack(first)).as_ref(),
        Some(&state),
        "a path starts where the network is"
    );
    let mut enabled = Vec::new();
    let mut dirty = Vec::new();
    for pair in path.windows(2) {
        let target = machine.unpack(&pair[1]);
        machine.enabled(&pair[0], &mut enabled);
        enabled.sort_unstable();
        enabled.retain(|rule| {
            let mut leads = false;
            machine.fire(&pair[0], *rule, |child| {
                leads |= machine
                    .chase_after(*rule, &pair[0], child, &mut dirty)
                    .is_ok()
                    && *child == pair[1];
            });
            leads
        });
        let way = enabled.iter().find_map(|rule| {
            let id = machine.rules[*rule as usize].id;
            if !simulator.can_fire(&state, id) {
                return None;
            }
            let fired = simulator.fire(&state, id).into_iter();
            fired
                .filter_map(|(step, mut next)| {
                    let chased = simulator.chase(&mut next).ok()?;
                    (next == target).then(|| std::iter::once(step).chain(chased).collect())
                })
                .next()
        });
        let way: Vec<Step> = way.expect("a step of the engine can be replayed on the network");
        steps.extend(way);
        state = target;
    }
    assert!(
        simulator.can_fire(&state, goal),
        "a goal of the engine can be replayed on the network"
    );
    steps.push(simulator.fire(&state, goal).swap_remove(0).0);
    steps
}
