//! From a state to the rules whose guards hold in it, without looking at all rules.
//!
//! *Chunks*, for small networks: the state's bits are cut into runs of whole fields; a table gives
//! for each value of a run the set of rules it does not refuse, and the sets are intersected.
//! *Drivers*, for large components: every rule is driven by its most selective guard, and each
//! local state lists the rules that it drives and admits; their other guards are then tested.

use super::NONE;
use super::admitted::Admitted;
use super::candidates::Candidates;
use super::layout::{Field, Layout};
use super::rule::{Code, Guard, RuleCode};

/// Chunk tables are used up to this many rules.
const MOST_CHUNK_RULES: usize = 512;
/// Bytes of one chunk's table; several of them should stay in the first-level cache.
const CHUNK_BYTES: usize = 8 << 10;
/// Words that are loaded per state at most, before driver lists look better.
const MOST_CHUNK_WORDS: usize = 64;

/// Candidates that are copied at once: most lists have no more.
const RUN: usize = 8;
/// Candidates that are tested together.
const TOGETHER: usize = 256;

/// Finds the rules that can fire.
#[derive(Debug)]
pub(crate) enum Finder {
    /// Intersected sets of rules.
    Chunks(Chunks),
    /// Lists by local state.
    Drivers(Drivers),
}

/// Tables for runs of bits.
#[derive(Debug)]
pub(crate) struct Chunks {
    /// The run, and where its table starts.
    runs: Vec<(Field, usize)>,
    /// Rows of `width` words.
    rows: Vec<u64>,
    width: usize,
    /// All rules, a bit each.
    all: Vec<u64>,
}

/// Lists of driven rules.
#[derive(Debug, Default)]
pub(crate) struct Drivers {
    /// The components that drive rules, and where their states start in `lists`.
    components: Vec<(Field, u32)>,
    /// For each state where its list lies in `entries`; states with the same list share it.
    lists: Vec<(u32, u32)>,
    /// The lists, and as much as may be read beyond the end of one.
    entries: Vec<u32>,
    /// The guards of each rule beyond the driving one.
    candidates: Candidates,
    /// Rules without guards.
    always: Vec<u32>,
}

impl Finder {
    /// Chooses and builds the index.
    pub(super) fn new(rules: &[RuleCode], code: &Code, layout: &Layout, counts: &[u32]) -> Self {
        match Chunks::new(rules, code, layout, counts) {
            Some(chunks) => Self::Chunks(chunks),
            None => Self::Drivers(Drivers::new(rules, code, layout, counts)),
        }
    }

    /// Adds the rules whose guards hold.
    #[inline(always)]
    pub(super) fn find<const N: usize>(
        &self,
        code: &Code,
        state: &[u64; N],
        enabled: &mut Vec<u32>,
    ) {
        match self {
            Self::Chunks(chunks) => chunks.find(state, enabled),
            Self::Drivers(drivers) => drivers.find(code, state, enabled),
        }
    }
}

impl Chunks {
    /// `None` if the tables would be too large or too many.
    fn new(rules: &[RuleCode], code: &Code, layout: &Layout, counts: &[u32]) -> Option<Self> {
        if rules.len() > MOST_CHUNK_RULES {
            return None;
        }
        let width = rules.len().div_ceil(64).max(1);
        let mut guards: Vec<Vec<(usize, Guard)>> = vec![Vec::new(); counts.len()];
        for (index, rule) in rules.iter().enumerate() {
            for guard in code.guards(rule) {
                guards[guard.component as usize].push((index, *guard));
            }
        }
        let mut runs: Vec<(Field, usize, Vec<usize>)> = Vec::new();
        let mut total = 0;
        for (component, field) in layout.components.iter().enumerate() {
            if guards[component].is_empty() {
                continue;
            }
            // Fields go down from the top of a word, so a run grows at its low end.
            if let Some((run, _, members)) = runs.last_mut()
                && run.word == field.word
            {
                let bits = run.shift + run.bits() - field.shift;
                if bits < 32 && (width << bits) * 8 <= CHUNK_BYTES {
                    *run = Field {
                        word: run.word,
                        shift: field.shift,
                        mask: (1 << bits) - 1,
                    };
                    members.push(component);
                    continue;
                }
            }
            runs.push((*field, 0, vec![component]));
        }
        for (run, start, _) in &mut runs {
            if (width << run.bits()) * 8 > 4 * CHUNK_BYTES {
                return None;
            }
            *start = total;
            total += width << run.bits();
        }
        if runs.len() * width > MOST_CHUNK_WORDS {
            return None;
        }
        let mut all = vec![0; width];
        for rule in 0..rules.len() {
            all[rule / 64] |= 1 << (rule % 64);
        }
        let mut rows = vec![0; total];
        for (run, start, members) in &runs {
            for value in 0..=run.mask {
                let row = &mut rows[start + value as usize * width..][..width];
                row.copy_from_slice(&all);
                for component in members {
                    let field = layout.components[*component];
                    let local = (value >> (field.shift - run.shift) & field.mask) as u32;
                    if local >= counts[*component] {
                        continue;
                    }
                    for (rule, guard) in &guards[*component] {
                        if !code.admits(guard, local) {
                            row[rule / 64] &= !(1 << (rule % 64));
                        }
                    }
                }
            }
        }
        Some(Self {
            runs: runs
                .into_iter()
                .map(|(run, start, _)| (run, start))
                .collect(),
            rows,
            width,
            all,
        })
    }

    #[inline(always)]
    fn find<const N: usize>(&self, state: &[u64; N], enabled: &mut Vec<u32>) {
        match self.width {
            1 => self.intersect::<N, 1>(state, enabled),
            2 => self.intersect::<N, 2>(state, enabled),
            _ => self.intersect_wide(state, enabled),
        }
    }

    /// How many words a set of rules has.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The rules that can fire as a set of `W` words, which must be the width.
    #[inline(always)]
    pub(super) fn set<const N: usize, const W: usize>(&self, state: &[u64; N]) -> [u64; W] {
        let mut set = [u64::MAX; W];
        for (run, start) in &self.runs {
            let row = &self.rows[start + run.get(state) as usize * W..][..W];
            for (word, admitted) in set.iter_mut().zip(row) {
                *word &= admitted;
            }
        }
        // Without any run nothing has bounded the set yet.
        for (word, all) in set.iter_mut().zip(&self.all) {
            *word &= all;
        }
        set
    }

    #[inline(always)]
    fn intersect<const N: usize, const W: usize>(&self, state: &[u64; N], enabled: &mut Vec<u32>) {
        let set = self.set::<N, W>(state);
        for (base, word) in (0u32..).step_by(64).zip(set) {
            push_bits(base, word, enabled);
        }
    }

    fn intersect_wide<const N: usize>(&self, state: &[u64; N], enabled: &mut Vec<u32>) {
        let mut set = [0u64; MOST_CHUNK_RULES / 64];
        let set = &mut set[..self.width];
        set.copy_from_slice(&self.all);
        for (run, start) in &self.runs {
            let row = &self.rows[start + run.get(state) as usize * self.width..][..self.width];
            for (word, admitted) in set.iter_mut().zip(row) {
                *word &= admitted;
            }
        }
        for (base, word) in (0u32..).step_by(64).zip(set) {
            push_bits(base, *word, enabled);
        }
    }
}

#[inline(always)]
fn push_bits(base: u32, mut word: u64, enabled: &mut Vec<u32>) {
    while word != 0 {
        enabled.push(base + word.trailing_zeros());
        word &= word - 1;
    }
}

impl Drivers {
    fn new(rules: &[RuleCode], code: &Code, layout: &Layout, counts: &[u32]) -> Self {
        let mut drivers = Self::default();
        let mut driven: Vec<Vec<(u32, Guard)>> = vec![Vec::new(); counts.len()];
        for (index, rule) in (0u32..).zip(rules) {
            let tests = match code.guards(rule) {
                [] => {
                    drivers.always.push(index);
                    &[]
                }
                [driver, ..] => {
                    driven[driver.component as usize].push((index, *driver));
                    &code.tests(rule)[1..]
                }
            };
            drivers.candidates.push(tests);
        }
        for (component, driven) in driven.iter().enumerate() {
            if driven.is_empty() {
                continue;
            }
            let field = layout.components[component];
            drivers.components.push((field, length(&drivers.lists)));
            let admitted = Admitted::new(driven, code, counts[component]);
            let lists: Vec<(u32, u32)> = admitted
                .sets
                .iter()
                .map(|set| {
                    let from = length(&drivers.entries);
                    drivers.entries.extend_from_slice(set);
                    (from, length(&drivers.entries))
                })
                .collect();
            let of_states = admitted.set_of.iter().map(|set| lists[*set as usize]);
            drivers.lists.extend(of_states);
        }
        assert!(drivers.lists.len() < NONE as usize, "indexed by u32");
        drivers.entries.extend([0; RUN]);
        drivers
    }

    /// Candidates are gathered before they are tested: how many a component has cannot be predicted,
    /// nor which of them pass.
    #[inline(always)]
    fn find<const N: usize>(&self, code: &Code, state: &[u64; N], enabled: &mut Vec<u32>) {
        enabled.extend_from_slice(&self.always);
        let mut candidates = [0; TOGETHER + RUN];
        let mut count = 0;
        for (field, base) in &self.components {
            let (from, to) = self.lists[(base + field.get(state)) as usize];
            let mut rest = &self.entries[from as usize..];
            let mut left = (to - from) as usize;
            loop {
                let run = rest.first_chunk::<RUN>().expect("there is more than lists");
                *candidates[count..]
                    .first_chunk_mut()
                    .expect("there is room") = *run;
                count += left.min(RUN);
                if count > TOGETHER - RUN {
                    self.test(code, state, &mut candidates[..count], enabled);
                    count = 0;
                }
                if left <= RUN {
                    break;
                }
                (rest, left) = (&rest[RUN..], left - RUN);
            }
        }
        self.test(code, state, &mut candidates[..count], enabled);
    }

    /// Adds the candidates that can fire.
    #[inline(always)]
    fn test<const N: usize>(
        &self,
        code: &Code,
        state: &[u64; N],
        candidates: &mut [u32],
        enabled: &mut Vec<u32>,
    ) {
        let mut left = 0;
        for at in 0..candidates.len() {
            let rule = candidates[at];
            candidates[left] = rule;
            left += usize::from(self.candidates.may_hold(code, rule, state));
        }
        let rules = candidates[..left].iter();
        enabled.extend(rules.filter(|rule| self.candidates.others_hold(code, **rule, state)));
    }
}

fn length<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("the tables of a network are indexed by u32")
}

#[cfg(test)]
mod tests {
    use super::super::local::Local;
    use super::super::samples::random;
    use super::super::{Machine, Plan};
    use super::*;

    #[test]
    fn driver_lists_lead_to_the_rules_whose_guards_hold() {
        for seed in 0..60 {
            let network = random(seed);
            let mut plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
            if seed % 2 == 1 {
                let locals = plan.locals.components.iter_mut();
                locals.for_each(Local::make_sparse);
            }
            let machine = Machine::<1>::new(&network, plan).expect("it is small");
            let counts: Vec<u32> = machine.states.iter().map(|states| length(states)).collect();
            let drivers = Drivers::new(&machine.rules, &machine.code, &machine.layout, &counts);
            for number in 0..counts.iter().product::<u32>().min(2000) {
                let (mut state, mut rest) = ([0], number);
                for (field, count) in machine.layout.components.iter().zip(&counts) {
                    field.set(&mut state, rest % count);
                    rest /= count;
                }
                let mut found = Vec::new();
                drivers.find(&machine.code, &state, &mut found);
                found.sort_unstable();
                let rules = (0..).zip(&machine.rules);
                let expected = rules.filter(|(_, rule)| machine.code.can_fire(rule, &state));
                let expected: Vec<u32> = expected.map(|(rule, _)| rule).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
