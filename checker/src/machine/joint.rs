//! What components that act together can do, by their joint state.
//!
//! The components on which a rule depends are few. Rules that depend on the same ones share a table:
//! for every joint state the moves that it allows, each with the bits that it flips. So nothing is
//! tested, and nothing is looked at but what can fire. Tables are small because local states count as
//! one where they do the same by the rules of a table: offer the same, and change in the same way.
//! Where a state lies in some tables is found side by side: what a local state adds to the numbers of
//! their cells is one row of small numbers.

use std::ops::Range;

use ahash::AHashMap;

use super::Machine;
use super::layout::Field;
use super::rule::{RuleCode, number};

/// The most joint states and moves of all tables together, as many as stay in a cache.
const MOST_TOTAL: usize = 1 << 18;
/// The most joint states of a table for rules that depend on different components: fewer tables are
/// looked up, as long as they are small.
const MOST_MERGED: usize = 1 << 13;
/// The most joint states of any table, and moves of any joint state.
const MOST_SMALL: usize = 1 << 16;
/// The most local states and rules that are compared.
const MOST_WORK: usize = 1 << 20;

/// Tables that are looked up side by side.
const LANES: usize = 8;
/// Children that are made at once: most tables have fewer moves for a state.
pub(crate) const RUN: usize = 4;

/// Tables of moves.
#[derive(Debug)]
pub(crate) struct Joints<const N: usize> {
    banks: Vec<Bank>,
    cells: Vec<Cell>,
    /// By move the rule, and what it flips.
    rules: Vec<u32>,
    flips: Vec<[u64; N]>,
    /// By move a state in which it is possible, as far as that depends on the components of its
    /// table.
    sources: Vec<[u64; N]>,
}

/// Tables that are looked up side by side.
#[derive(Debug)]
struct Bank {
    /// The first cell of each table.
    bases: [u32; LANES],
    /// How many there are.
    tables: usize,
    digits: Vec<Digit>,
}

/// The numbers of a state's cells in the tables of a bank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    numbers: [u32; LANES],
    tables: usize,
}

impl Cells {
    /// The numbers.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.tables]
    }
}

/// A component of some tables of a bank: where it lies, and for each of its states what it adds to the
/// numbers of the cells.
#[derive(Debug)]
struct Digit {
    field: Field,
    adds: Vec<[u16; LANES]>,
}

/// The moves that are possible in a joint state, from the first on: how many are followed, which come
/// first, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    from: u32,
    followed: u16,
    all: u16,
}

impl Cell {
    /// The numbers of the moves that are followed.
    #[inline(always)]
    pub(crate) fn followed(self) -> Range<usize> {
        self.from as usize..self.from as usize + self.followed as usize
    }

    /// How many moves there are.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        self.all as usize
    }
}

/// Rules that share a table.
#[derive(Clone, Debug)]
struct Group {
    members: Vec<Member>,
    rules: Vec<u32>,
}

/// A component that some rules of a group depend on.
#[derive(Clone, Debug)]
struct Member {
    component: u32,
    /// The class of each state, and a state of each class.
    classes: Vec<u32>,
    samples: Vec<u32>,
}

impl Member {
    /// Classes by what is the same of states.
    fn new<K: std::hash::Hash + Eq>(component: u32, keys: impl Iterator<Item = K>) -> Self {
        let mut known: AHashMap<K, u32> = AHashMap::new();
        let mut samples = Vec::new();
        let classes = (0..).zip(keys).map(|(state, key)| {
            *known.entry(key).or_insert_with(|| {
                samples.push(state);
                number(samples.len() - 1)
            })
        });
        Self {
            component,
            classes: classes.collect(),
            samples,
        }
    }

    /// States are in one class if they are so for both.
    fn refined(&self, other: &Self) -> Self {
        let keys = self.classes.iter().zip(&other.classes);
        Self::new(self.component, keys)
    }
}

impl Group {
    fn cells(&self) -> usize {
        let counts = self.members.iter().map(|member| member.samples.len());
        counts.fold(1, usize::saturating_mul)
    }

    fn components(&self) -> Vec<u32> {
        self.members.iter().map(|member| member.component).collect()
    }

    fn depends_on(&self, component: u32) -> Option<&Member> {
        let at = (self.members).binary_search_by_key(&component, |member| member.component);
        at.ok().map(|at| &self.members[at])
    }

    /// Both together.
    fn with(&self, other: &Self) -> Self {
        let own = self.members.iter().map(|member| {
            let same = other.depends_on(member.component);
            same.map_or_else(|| member.clone(), |same| member.refined(same))
        });
        let others = other.members.iter();
        let others = others.filter(|member| self.depends_on(member.component).is_none());
        let mut members: Vec<Member> = own.chain(others.cloned()).collect();
        members.sort_by_key(|member| member.component);
        Self {
            members,
            rules: [&self.rules[..], &other.rules].concat(),
        }
    }
}

impl<const N: usize> Machine<N> {
    /// Tabulates the moves of a machine, given which rules are followed; `None` if that would take
    /// much, or if there are none.
    pub(crate) fn joints(&self, follows: impl Fn(u32) -> bool) -> Option<Joints<N>> {
        if self.chaser.is_some() || self.has_blockers || self.rules.is_empty() {
            return None;
        }
        let mut groups = merged(self.groups()?);
        // Neighbours have components in common.
        groups.sort_by_cached_key(Group::components);
        let mut joints = Joints {
            banks: Vec::new(),
            cells: Vec::new(),
            rules: Vec::new(),
            flips: Vec::new(),
            sources: Vec::new(),
        };
        let mut total = 0;
        for group in &groups {
            let places = group.rules.iter().map(|rule| self.places(*rule, group));
            total += group.cells() + places.sum::<usize>();
            if total > MOST_TOTAL || group.cells() > MOST_SMALL {
                return None;
            }
            let mut moves = Vec::new();
            for rule in &group.rules {
                let ends = !follows(*rule);
                self.each_move(*rule, group, |cell, from, to| {
                    moves.push((cell, ends, *rule, *from, *to));
                });
            }
            moves.sort_by_key(|(cell, ends, ..)| (*cell, *ends));
            joints.add_table(group, &self.layout.components);
            let mut moves = moves.into_iter().peekable();
            for cell in 0..number(group.cells()) {
                let own = std::iter::from_fn(|| moves.next_if(|m| m.0 == cell));
                joints.add_cell(own.map(|(_, ends, rule, from, to)| (ends, rule, from, to)))?;
            }
        }
        Some(joints)
    }

    /// Rules that depend on the same components, with what these do by them.
    fn groups(&self) -> Option<Vec<Group>> {
        let mut rules: AHashMap<Vec<u32>, Vec<u32>> = AHashMap::new();
        let mut work = 0;
        for (index, rule) in (0..).zip(&self.rules) {
            let support = self.support(rule);
            let states = support.iter().map(|c| self.states[*c as usize].len());
            work += states.sum::<usize>() + 1;
            if work > MOST_WORK {
                return None;
            }
            rules.entry(support).or_default().push(index);
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_unstable();
        let group = |(support, rules): (Vec<u32>, Vec<u32>)| Group {
            members: (support.iter())
                .map(|component| self.member(*component, &rules))
                .collect(),
            rules,
        };
        Some(rules.into_iter().map(group).collect())
    }

    /// The components on which it depends whether a rule can fire and where it leads.
    fn support(&self, rule: &RuleCode) -> Vec<u32> {
        let guards = self.code.guards(rule).iter().map(|guard| guard.component);
        let touched = self.code.touched(rule).iter().copied();
        let mut components: Vec<u32> = guards.chain(touched).collect();
        components.sort_unstable();
        components.dedup();
        components
    }

    /// What a component does by some rules: for each rule that a state admits, by how much it changes
    /// as bits and as a number.
    fn member(&self, component: u32, rules: &[u32]) -> Member {
        let field = self.layout.components[component as usize];
        let states = 0..number(self.states[component as usize].len());
        let mut changes: Vec<Vec<(u32, u32, u32)>> = states.clone().map(|_| Vec::new()).collect();
        for index in rules {
            let rule = &self.rules[*index as usize];
            for (state, changes) in states.clone().zip(&mut changes) {
                if self.admits(rule, component, state) {
                    self.code.each_target(rule, field, state, |target| {
                        changes.push((*index, state ^ target, target.wrapping_sub(state)));
                    });
                }
            }
        }
        Member::new(component, changes.into_iter())
    }

    /// Whether a component in a state does not keep a rule from firing.
    fn admits(&self, rule: &RuleCode, component: u32, state: u32) -> bool {
        let mut guards = self.code.guards(rule).iter();
        guards.all(|guard| guard.component != component || self.code.admits(guard, state))
    }

    /// In how many cells a rule is possible.
    fn places(&self, rule: u32, group: &Group) -> usize {
        let rule = &self.rules[rule as usize];
        let counts = group.members.iter().map(|member| {
            let samples = member.samples.iter();
            samples
                .filter(|state| self.admits(rule, member.component, **state))
                .count()
        });
        counts.fold(1, usize::saturating_mul)
    }

    /// Calls back with the cells in which a rule is possible, and a state there before and after.
    fn each_move(&self, rule: u32, group: &Group, mut f: impl FnMut(u32, &[u64; N], &[u64; N])) {
        let rule = &self.rules[rule as usize];
        let mut cells = vec![(0, [0; N])];
        let mut weight = 1;
        for member in &group.members {
            let field = self.layout.components[member.component as usize];
            let classes = (0..).zip(&member.samples);
            let admitted = classes.filter(|(_, s)| self.admits(rule, member.component, **s));
            let admitted: Vec<(u32, &u32)> = admitted.collect();
            let mut wider = Vec::with_capacity(cells.len() * admitted.len());
            for (cell, from) in cells {
                wider.extend(admitted.iter().map(|(class, state)| {
                    let mut from = from;
                    field.set(&mut from, **state);
                    (cell + weight * class, from)
                }));
            }
            cells = wider;
            weight *= number(member.samples.len());
        }
        for (cell, from) in cells {
            self.code.fire(rule, &from, |to| f(cell, &from, to));
        }
    }
}

/// Lets groups share tables where these stay small.
fn merged(mut groups: Vec<Group>) -> Vec<Group> {
    // Those that have others as parts come first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.cells()));
    let mut merged: Vec<Group> = Vec::new();
    for group in groups {
        let near = merged.iter().enumerate().filter(|(_, other)| {
            let mut members = group.members.iter();
            members.any(|member| other.depends_on(member.component).is_some())
        });
        let joined = near.map(|(at, other)| (at, other.with(&group)));
        match joined.min_by_key(|(_, joined)| joined.cells()) {
            Some((at, joined)) if joined.cells() <= MOST_MERGED => merged[at] = joined,
            _ => merged.push(group),
        }
    }
    merged
}

impl<const N: usize> Joints<N> {
    /// Adds a table, without its cells.
    fn add_table(&mut self, group: &Group, fields: &[Field]) {
        if self.banks.last().is_none_or(|bank| bank.tables == LANES) {
            self.banks.push(Bank {
                bases: [0; LANES],
                tables: 0,
                digits: Vec::new(),
            });
        }
        let Bank {
            bases,
            tables,
            digits,
        } = self.banks.last_mut().expect("just made sure");
        let lane = *tables;
        *tables += 1;
        bases[lane] = number(self.cells.len());
        let mut weight = 1;
        for member in &group.members {
            let field = fields[member.component as usize];
            let known = digits.iter().position(|digit| digit.field == field);
            let known = known.unwrap_or_else(|| {
                let adds = vec![[0; LANES]; member.classes.len()];
                digits.push(Digit { field, adds });
                digits.len() - 1
            });
            for (adds, class) in digits[known].adds.iter_mut().zip(&member.classes) {
                adds[lane] = u16::try_from(weight * class).expect("tables are small");
            }
            weight *= number(member.samples.len());
        }
    }

    /// Adds a cell: of each move whether it ends there, the rule, and states before and after; `None`
    /// if there are too many.
    fn add_cell(
        &mut self,
        moves: impl Iterator<Item = (bool, u32, [u64; N], [u64; N])>,
    ) -> Option<()> {
        let from = self.rules.len();
        let mut followed = 0;
        for (ends, rule, source, target) in moves {
            followed += usize::from(!ends);
            self.rules.push(rule);
            self.flips
                .push(std::array::from_fn(|at| source[at] ^ target[at]));
            self.sources.push(source);
        }
        self.cells.push(Cell {
            from: number(from),
            followed: u16::try_from(followed).ok()?,
            all: u16::try_from(self.rules.len() - from).ok()?,
        });
        Some(())
    }

    /// Calls back with the numbers of a state's cells, those of a few tables at a time.
    #[inline(always)]
    pub(crate) fn locate(&self, state: &[u64; N], mut f: impl FnMut(Cells)) {
        for Bank {
            bases,
            tables,
            digits,
        } in &self.banks
        {
            let mut places = [0u16; LANES];
            for Digit { field, adds } in digits {
                let row = adds[field.get(state) as usize];
                places = std::array::from_fn(|lane| places[lane].wrapping_add(row[lane]));
            }
            let numbers = std::array::from_fn(|lane| bases[lane] + u32::from(places[lane]));
            f(Cells {
                numbers,
                tables: *tables,
            });
        }
    }

    /// How many cells are found at most a few at a time.
    pub(crate) fn banks(&self) -> usize {
        self.banks.len()
    }

    /// A cell.
    #[inline(always)]
    pub(crate) fn cell(&self, number: u32) -> Cell {
        self.cells[number as usize]
    }

    /// The rules of the moves of a cell that are not followed.
    pub(crate) fn ended(&self, cell: Cell) -> &[u32] {
        let from = cell.from as usize;
        &self.rules[cell.followed().end..from + cell.count()]
    }

    /// The most moves of a state.
    pub(crate) fn most_moves(&self) -> usize {
        let banks = self.banks.iter();
        let bases = banks.flat_map(|bank| &bank.bases[..bank.tables]);
        let bases: Vec<usize> = bases.map(|base| *base as usize).collect();
        let ends = bases.iter().copied().skip(1).chain([self.cells.len()]);
        let most = bases.iter().zip(ends).map(|(from, to)| {
            let moves = self.cells[*from..to].iter().map(|cell| cell.all as usize);
            moves.max().unwrap_or(0)
        });
        most.sum()
    }

    /// Calls back with the rules of a run of moves and where they lead from a state.
    #[inline(always)]
    pub(crate) fn targets(
        &self,
        moves: Range<usize>,
        state: &[u64; N],
        mut f: impl FnMut(u32, &[u64; N]),
    ) {
        for (rule, flip) in self.rules[moves.clone()].iter().zip(&self.flips[moves]) {
            f(*rule, &std::array::from_fn(|at| state[at] ^ flip[at]));
        }
    }

    /// The moves in order: a state in which each is possible, as far as that depends on components
    /// of its table, and where it leads.
    pub(crate) fn moves(&self) -> impl Iterator<Item = ([u64; N], [u64; N])> {
        let moves = self.sources.iter().zip(&self.flips);
        moves.map(|(from, flip)| (*from, std::array::from_fn(|at| from[at] ^ flip[at])))
    }
}

#[cfg(test)]
mod tests {
    use csp_lts::{Network, RuleId};

    use super::super::samples::{component, rule};
    use super::super::{Machine, Plan};

    /// A component that branches, one that goes round, one that is filled and emptied; they act
    /// alone, in pairs and all together.
    fn network() -> Network {
        let branching = component(&[
            &[(3, 1), (3, 2), (4, 0)],
            &[(4, 3)],
            &[(3, 0), (4, 3)],
            &[(5, 0), (4, 3)],
        ]);
        let round = component(&[
            &[(3, 1)],
            &[(3, 2)],
            &[(3, 3)],
            &[(3, 4)],
            &[(3, 0), (4, 4)],
        ]);
        let store = component(&[&[(3, 1), (4, 2)], &[(5, 0)], &[(5, 0)]]);
        Network {
            components: vec![branching, round, store],
            rules: vec![
                rule(3, &[(0, 3)], &[]),
                rule(4, &[(0, 4), (1, 3)], &[]),
                rule(5, &[(1, 3), (2, 4)], &[]),
                rule(6, &[(0, 5), (1, 4), (2, 5)], &[]),
                rule(7, &[(2, 3)], &[(1, 2)]),
                rule(8, &[(1, 3)], &[]),
            ],
            ..Network::default()
        }
    }

    #[test]
    fn moves_are_what_rules_do() {
        let network = network();
        let plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
        let machine = Machine::<1>::new(&network, plan).expect("it is small");
        let follows = |rule: u32| machine.rules[rule as usize].id != RuleId(3);
        let joints = machine.joints(follows).expect("it is small");
        let sizes = machine.state_counts();
        assert_eq!(sizes, [4, 5, 3]);
        let mut fired = [false; 6];
        let mut most = 0;
        for number in 0..sizes.iter().product::<usize>() {
            let mut state = [0];
            let mut rest = number;
            for (field, size) in machine.layout.components.iter().zip(&sizes) {
                field.set(&mut state, u32::try_from(rest % size).expect("small"));
                rest /= size;
            }
            let (mut found, mut ended) = (Vec::new(), Vec::new());
            let (mut count, mut banks) = (0, 0);
            joints.locate(&state, |cells| {
                for cell in cells.numbers().iter().map(|cell| joints.cell(*cell)) {
                    let add = |rule, child: &[u64; 1]| found.push((rule, *child));
                    joints.targets(cell.followed(), &state, add);
                    ended.extend_from_slice(joints.ended(cell));
                    count += cell.count();
                }
                banks += 1;
            });
            assert_eq!(banks, joints.banks());
            found.sort_unstable();
            let (mut expected, mut others) = (Vec::new(), Vec::new());
            let mut enabled = Vec::new();
            machine.enabled(&state, &mut enabled);
            for rule in enabled {
                fired[machine.rules[rule as usize].id.0 as usize] = true;
                machine.fire(&state, rule, |child| match follows(rule) {
                    true => expected.push((rule, *child)),
                    false => others.push(rule),
                });
            }
            expected.sort_unstable();
            most = most.max(count);
            assert_eq!(count, found.len() + ended.len());
            assert_eq!((found, ended), (expected, others));
        }
        assert_eq!(fired, [true; 6]);
        assert!(most > 0 && most <= joints.most_moves());
    }

    #[test]
    fn states_that_do_the_same_share_cells() {
        let network = network();
        let plan = Plan::new(&network, 1, |_| false, 1).expect("it is small");
        let machine = Machine::<1>::new(&network, plan).expect("it is small");
        let rule = |id: u32| (0..).find(|rule| machine.rules[*rule as usize].id == RuleId(id));
        let together = rule(3).expect("it is live");
        // Only the last state of each, and either full state of the third, can do something.
        let classes = |component: u32| machine.member(component, &[together]).classes;
        assert_eq!(classes(0), [0, 0, 0, 1]);
        assert_eq!(classes(1), [0, 0, 0, 0, 1]);
        assert_eq!(classes(2), [0, 1, 2]);
    }
}
