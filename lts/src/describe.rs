//! Networks in words, for people who want to see what a process was compiled to.

use std::fmt::Write as _;

use crate::event::EventId;
use crate::network::{ComponentId, Network, Rule};

/// How many components, rules and participants are listed before the rest is only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abbreviation {
    /// Components.
    pub components: usize,
    /// Rules.
    pub rules: usize,
    /// Participants and resets of one rule.
    pub participants: usize,
}

impl Default for Abbreviation {
    fn default() -> Self {
        Self {
            components: 100,
            rules: 200,
            participants: 8,
        }
    }
}

/// The components with their sizes and the rules with their participants, sorted by result.
pub fn describe_network(
    network: &Network,
    limits: Abbreviation,
    mut name: impl FnMut(EventId) -> String,
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} components", network.components.len());
    for (id, component) in (0..).zip(network.components.iter().take(limits.components)) {
        let lts = &component.lts;
        let _ = writeln!(
            text,
            "  c{id} {}: {} states, {} edges, starts in {}",
            component.name,
            lts.state_count(),
            lts.edge_count(),
            component.initial.0
        );
    }
    rest(&mut text, network.components.len(), limits.components);
    let _ = writeln!(text, "{} rules", network.rules.len());
    let mut rules: Vec<(usize, &Rule)> = network.rules.iter().enumerate().collect();
    rules.sort_by_key(|(id, rule)| (rule.result, rule.revealed, *id));
    for (_, rule) in rules.iter().take(limits.rules) {
        describe_rule(&mut text, rule, limits.participants, &mut name);
    }
    rest(&mut text, rules.len(), limits.rules);
    for chase in &network.chases {
        let count = chase.rules.len();
        let _ = writeln!(text, "chase of {}: {count} rules", chase.name);
    }
    text
}

fn rest(text: &mut String, count: usize, listed: usize) {
    if count > listed {
        let _ = writeln!(text, "  … and {} more", count - listed);
    }
}

fn describe_rule(
    text: &mut String,
    rule: &Rule,
    listed: usize,
    name: &mut impl FnMut(EventId) -> String,
) {
    let _ = write!(text, "  {}", name(rule.result));
    if rule.revealed != rule.result {
        let _ = write!(text, " ({})", name(rule.revealed));
    }
    text.push_str(" <-");
    for (i, &(ComponentId(component), event)) in rule.participants.iter().enumerate() {
        if i == listed {
            let _ = write!(text, " … {} more", rule.participants.len() - listed);
            break;
        }
        let _ = write!(text, " c{component}:{}", name(event));
    }
    if !rule.resets.is_empty() {
        let _ = write!(text, "; puts");
        for (i, (ComponentId(component), state)) in rule.resets.iter().enumerate() {
            if i == listed {
                let _ = write!(text, " … {} more", rule.resets.len() - listed);
                break;
            }
            let _ = write!(text, " c{component}={}", state.0);
        }
    }
    if let Some(blocker) = rule.blocked_by {
        let _ = write!(text, "; blocked by b{blocker}");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::event_set::EventSet;
    use crate::lts::{LtsBuilder, StateId};

    #[test]
    fn long_networks_are_abbreviated() {
        let mut builder = LtsBuilder::new();
        builder.state([(Arc::new(EventSet::range(3, 6)), StateId(0))]);
        let lts = Arc::new(builder.finish(StateId(0)));
        let network = Network::of_lts("P", lts);
        let limits = Abbreviation {
            rules: 2,
            ..Abbreviation::default()
        };
        let text = describe_network(&network, limits, |event| format!("e{}", event.0));
        let expected = "1 components\n  c0 P: 1 states, 1 edges, starts in 0\n3 rules\n  \
                        e3 <- c0:e3\n  e4 <- c0:e4\n  … and 1 more\n";
        assert_eq!(text, expected);
    }
}
