//! Following chased rules in place.
//!
//! Every stored state is one in which nothing can be chased, so after a step only rules can have
//! become possible that some changed component admits now and did not admit before: they are listed
//! for each pair of what its local states admit. A chase that never ends is noticed by Brent's method, without memory.

use ahash::AHashMap;
use csp_lts::{Network, RuleId};

use super::NONE;
use super::admitted::Admitted;
use super::candidates::Candidates;
use super::layout::{Field, Layout};
use super::rule::{Code, Guard, Held, RuleCode, number};

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
    components: Vec<Watched>,
    /// For each local state of each component the number of the set of rules that it admits.
    sets: Vec<u32>,
    /// For each pair of sets where the rules that only the second has start in `entries`.
    pairs: Vec<u32>,
    entries: Vec<u32>,
    /// The guards of each rule.
    candidates: Candidates,
    /// Rules that must always be tried: those without guards, and those that can be unblocked.
    eager: Vec<u32>,
}

/// A component that may guard chased rules.
#[derive(Clone, Copy, Debug)]
struct Watched {
    field: Field,
    /// Where its states start in `sets`.
    sets: u32,
    /// Where its pairs start in `pairs`.
    pairs: u32,
    /// How many sets of rules its states admit; 1 if it guards nothing.
    count: u32,
    /// How many sets are told apart as the one before; all count as one if they are too many.
    before: u32,
}

/// The most sets of a component for which all pairs are listed.
const MOST_SETS: u32 = 64;

impl Chaser {
    pub(super) fn new(
        network: &Network,
        rules: Vec<RuleCode>,
        code: &Code,
        layout: &Layout,
        counts: &[u32],
    ) -> Self {
        let mut guarded: Vec<Vec<(u32, Guard)>> = vec![Vec::new(); layout.components.len()];
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
        let mut chaser = Self {
            rules: Vec::new(),
            owners: Vec::new(),
            components: Vec::new(),
            sets: Vec::new(),
            pairs: Vec::new(),
            entries: Vec::new(),
            candidates: Candidates::default(),
            eager,
        };
        for (component, guarded) in guarded.iter().enumerate() {
            let field = layout.components[component];
            chaser.watch(field, &Admitted::new(guarded, code, counts[component]));
        }
        // A rule belongs to the first chase that lists it.
        let mut owners: AHashMap<RuleId, usize> = AHashMap::new();
        for (owner, chase) in network.chases.iter().enumerate() {
            for rule in &chase.rules {
                owners.entry(*rule).or_insert(owner);
            }
        }
        chaser.owners = rules.iter().map(|rule| owners[&rule.id]).collect();
        chaser.rules = rules;
        chaser.list_candidates(code);
        chaser
    }

    fn list_candidates(&mut self, code: &Code) {
        self.candidates = Candidates::default();
        for rule in &self.rules {
            self.candidates.push(code.tests(rule));
        }
    }

    /// Orders the guards of the rules as [`Code::reorder`] says.
    pub(super) fn reorder(&mut self, code: &mut Code, held: &mut Held) {
        for rule in &self.rules {
            code.reorder(rule, held);
        }
        self.list_candidates(code);
    }

    /// The chased rules.
    pub(super) fn rules(&self) -> &[RuleCode] {
        &self.rules
    }

    /// Lists what a component's states admit.
    fn watch(&mut self, field: Field, Admitted { set_of, sets }: &Admitted) {
        let count = number(sets.len());
        let before = if count <= MOST_SETS { count } else { 1 };
        self.components.push(Watched {
            field,
            sets: number(self.sets.len()),
            pairs: number(self.pairs.len()),
            count,
            before,
        });
        self.sets.extend_from_slice(set_of);
        for before in 0..before as usize {
            let known: &[u32] = if count <= MOST_SETS {
                &sets[before]
            } else {
                &[]
            };
            for after in sets {
                self.pairs.push(number(self.entries.len()));
                let news = after.iter().filter(|r| known.binary_search(r).is_err());
                self.entries.extend(news);
            }
        }
        self.pairs.push(number(self.entries.len()));
    }

    /// The first chased rule that can fire, if none could fire in the state before.
    #[inline(always)]
    fn first<const N: usize>(
        &self,
        code: &Code,
        before: &[u64; N],
        state: &[u64; N],
        dirty: &[u32],
    ) -> u32 {
        let mut best = NONE;
        for &component in dirty {
            let watched = &self.components[component as usize];
            if watched.count == 1 {
                continue;
            }
            let set = |s: &[u64; N]| self.sets[(watched.sets + watched.field.get(s)) as usize];
            let (old, new) = (set(before), set(state));
            if old == new {
                continue;
            }
            let old = if watched.before == 1 { 0 } else { old };
            let pair = (watched.pairs + old * watched.count + new) as usize;
            let (from, to) = (self.pairs[pair] as usize, self.pairs[pair + 1] as usize);
            // What can be blocked is eager.
            let mut news = self.entries[from..to].iter().take_while(|r| **r < best);
            let better = news.find(|rule| self.candidates.hold(code, **rule, state));
            best = better.copied().unwrap_or(best);
        }
        if self.eager.is_empty() {
            best
        } else {
            self.first_eager(code, state, best)
        }
    }

    /// The first chased rule that can fire.
    fn first_of_all<const N: usize>(&self, code: &Code, state: &[u64; N]) -> u32 {
        let found = self
            .rules
            .iter()
            .position(|rule| code.can_fire(rule, state));
        found.map_or(NONE, |rule| u32::try_from(rule).expect("numbered by u32"))
    }

    /// The first eager rule that comes before `best` and can fire, or `best`.
    fn first_eager<const N: usize>(&self, code: &Code, state: &[u64; N], best: u32) -> u32 {
        let mut before = self.eager.iter().take_while(|rule| **rule < best);
        before
            .find(|rule| code.can_fire(&self.rules[**rule as usize], state))
            .copied()
            .unwrap_or(best)
    }

    /// Follows chased rules until none can fire, after a step from a state in which none could fire
    /// that touched some components; `dirty` is room for their list.
    #[inline(always)]
    pub(super) fn after<const N: usize>(
        &self,
        code: &Code,
        before: &[u64; N],
        state: &mut [u64; N],
        touched: &[u32],
        dirty: &mut Vec<u32>,
    ) -> Result<(), Endless> {
        let rule = self.first(code, before, state, touched);
        if rule == NONE {
            return Ok(());
        }
        dirty.clear();
        dirty.extend_from_slice(touched);
        self.follow(code, rule, Some(before), state, dirty)
    }

    /// Follows chased rules until none can fire, from a state of which nothing is known.
    pub(super) fn settle<const N: usize>(
        &self,
        code: &Code,
        state: &mut [u64; N],
    ) -> Result<(), Endless> {
        let rule = self.first_of_all(code, state);
        self.follow(code, rule, None, state, &mut Vec::new())
    }

    /// Fires a rule and those that can be fired after it. If nothing could be chased in the state
    /// before, `dirty` are the components that have changed since.
    fn follow<const N: usize>(
        &self,
        code: &Code,
        mut rule: u32,
        before: Option<&[u64; N]>,
        state: &mut [u64; N],
        dirty: &mut Vec<u32>,
    ) -> Result<(), Endless> {
        let mut mark = *state;
        let (mut steps, mut power) = (0u64, 1u64);
        while rule != NONE {
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
            rule = match before {
                Some(before) => self.first(code, before, state, dirty),
                None => self.first_of_all(code, state),
            };
        }
        Ok(())
    }
}
