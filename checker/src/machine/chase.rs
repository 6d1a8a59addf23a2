//! Following chased rules in place.
//!
//! Every stored state is one in which nothing can be chased, so after a step only rules that a
//! changed component admits can have become possible: each local state lists the chased rules that
//! it is a guard of. A chase that never ends is noticed by Brent's method, without memory.

use csp_lts::Network;

use super::NONE;
use super::layout::Layout;
use super::rule::{Code, RuleCode};

/// Chasing came back to a state it had left: the index of the chase in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endless(pub(crate) usize);

/// The chased rules and where to look for those that can fire.
#[derive(Debug)]
pub(crate) struct Chaser {
    /// In the order in which they are tried.
    rules: Vec<RuleCode>,
    /// The chase that each rule belongs to.
    owners: Vec<usize>,
    /// For each component where its states start in `starts`, or [`NONE`] if it guards nothing.
    bases: Vec<u32>,
    starts: Vec<u32>,
    entries: Vec<u32>,
    /// Rules that must always be tried: those without guards, and those that can be unblocked.
    eager: Vec<u32>,
}

impl Chaser {
    pub(super) fn new(
        network: &Network,
        rules: Vec<RuleCode>,
        code: &Code,
        layout: &Layout,
        counts: &[u32],
    ) -> Self {
        let mut guarded = vec![Vec::new(); layout.components.len()];
        let mut eager = Vec::new();
        for (index, rule) in (0u32..).zip(&rules) {
            if code.guards(rule).is_empty() || rule.blocked_by != NONE {
                eager.push(index);
                continue;
            }
            for guard in code.guards(rule) {
                guarded[guard.component as usize].push((index, *guard));
            }
        }
        let (mut bases, mut starts, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let number = |length: usize| u32::try_from(length).expect("indexed by u32");
        for (component, guarded) in guarded.iter().enumerate() {
            if guarded.is_empty() {
                bases.push(NONE);
                continue;
            }
            bases.push(number(starts.len()));
            for state in 0..counts[component] {
                starts.push(number(entries.len()));
                let admitted = guarded.iter().filter(|(_, g)| code.admits(g, state));
                entries.extend(admitted.map(|(rule, _)| *rule));
            }
            starts.push(number(entries.len()));
        }
        let owner = |rule: &RuleCode| {
            let owner = network
                .chases
                .iter()
                .position(|c| c.rules.contains(&rule.id));
            owner.expect("a chased rule belongs to a chase")
        };
        Self {
            owners: rules.iter().map(owner).collect(),
            rules,
            bases,
            starts,
            entries,
            eager,
        }
    }

    /// The first chased rule that can fire.
    #[inline(always)]
    fn first<const N: usize>(
        &self,
        code: &Code,
        layout: &Layout,
        state: &[u64; N],
        dirty: &[u32],
    ) -> u32 {
        let mut best = NONE;
        for &component in dirty {
            let base = self.bases[component as usize];
            if base != NONE {
                let at = (base + layout.components[component as usize].get(state)) as usize;
                let (from, to) = (self.starts[at] as usize, self.starts[at + 1] as usize);
                best = self.better(code, state, &self.entries[from..to], best);
            }
        }
        self.better(code, state, &self.eager, best)
    }

    /// The first of the candidates that comes before `best` and can fire, or `best`.
    #[inline(always)]
    fn better<const N: usize>(
        &self,
        code: &Code,
        state: &[u64; N],
        candidates: &[u32],
        best: u32,
    ) -> u32 {
        candidates
            .iter()
            .copied()
            .take_while(|rule| *rule < best)
            .find(|rule| code.can_fire(&self.rules[*rule as usize], state))
            .unwrap_or(best)
    }

    /// Follows chased rules until none can fire; `dirty` are the components that have changed
    /// since nothing could be chased.
    #[inline(always)]
    pub(super) fn run<const N: usize>(
        &self,
        code: &Code,
        layout: &Layout,
        state: &mut [u64; N],
        dirty: &mut Vec<u32>,
    ) -> Result<(), Endless> {
        let mut mark = *state;
        let (mut steps, mut power) = (0u64, 1u64);
        loop {
            let rule = self.first(code, layout, state, dirty);
            if rule == NONE {
                return Ok(());
            }
            let body = &self.rules[rule as usize];
            *state = code.fire_first(body, state);
            for component in code.touched(body) {
                if !dirty.contains(component) {
                    dirty.push(*component);
                }
            }
            if *state == mark {
                return Err(Endless(self.owners[rule as usize]));
            }
            steps += 1;
            if steps == power {
                mark = *state;
                power *= 2;
                steps = 0;
            }
        }
    }
}
