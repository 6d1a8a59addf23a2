//! Rules as guards and effects in flat arrays.
//!
//! An effect is the cheapest that does: if every participant's move is one exclusive-or or one
//! constant, a rule is a few (keep, flip) pairs of words; otherwise a column gives the next local
//! state for each; only branching moves need a list of targets.

mod cases;

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{ComponentId, EventId, Network, RuleId};

use super::NONE;
use super::acceptance::Acceptances;
use super::layout::{Field, Layout};
use super::local::{Local, Locals};
use super::sparse::Sparse;

/// A run of one of the flat arrays.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    from: u32,
    to: u32,
}

impl Run {
    fn of<T>(self, items: &[T]) -> &[T] {
        &items[self.from as usize..self.to as usize]
    }

    /// Nothing in it.
    pub(crate) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).expect("the tables of a network are indexed by u32")
}

/// A component must be in one of some states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) field: Field,
    pub(crate) component: u32,
    /// Where the bits of the states start, or the sparse class if the high bit is set.
    pub(super) table: u32,
    /// In how many states it holds.
    pub(crate) offering: u32,
}

const SPARSE: u32 = 1 << 31;

/// A guard as it is tested: small, because there are many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    /// The states in which it holds, a bit each; for components with more states than bits, the
    /// guard's table.
    bits: u64,
    mask: u32,
    word: u16,
    shift: u8,
    large: bool,
}

impl Test {
    /// Holds of every state.
    pub(super) const ALWAYS: Self = Self {
        bits: 1,
        mask: 0,
        word: 0,
        shift: 0,
        large: false,
    };
}

/// A word is masked and flipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flip {
    pub(crate) word: u32,
    pub(crate) keep: u64,
    pub(crate) flip: u64,
}

impl Flip {
    /// Nothing, for each of two words: it takes less to write both than to find out which. Of more
    /// words only those that change are listed.
    fn none(layout: &Layout) -> Vec<Self> {
        let words = if layout.words == 2 { 0..2 } else { 0..0 };
        let keep = |word| Self {
            word,
            keep: u64::MAX,
            flip: 0,
        };
        words.map(keep).collect()
    }
}

/// A component moves as a table says: a column, or targets for each state.
#[derive(Clone, Copy, Debug)]
struct Move {
    field: Field,
    table: u32,
}

/// How a component moves on the events of a class: by the cheapest way that does.
#[derive(Clone, Copy, Debug)]
enum Motion {
    /// It is flipped or overwritten by a value.
    Flip(u32),
    Write(u32),
    /// A table says where it goes.
    Column(u32),
    Branch(u32),
}

/// What has been written of a class of a component, for all rules that ask for it.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    /// The table of the guard.
    guard: Option<u32>,
    motion: Option<Motion>,
}

/// How often guards held in a sample of states.
#[derive(Debug)]
pub(crate) struct Held {
    /// For each component how often it was seen in each state.
    seen: Vec<Vec<u32>>,
    /// By the tables of guards.
    known: AHashMap<u32, u64>,
}

impl Held {
    pub(super) fn new(seen: Vec<Vec<u32>>) -> Self {
        Self {
            seen,
            known: AHashMap::new(),
        }
    }

    fn by(&mut self, guard: &Guard, code: &Code) -> u64 {
        let seen = &self.seen[guard.component as usize];
        *self.known.entry(guard.table).or_insert_with(|| {
            let mut held = 0;
            code.each_admitted(guard, number(seen.len()), |state| {
                held += u64::from(seen[state as usize]);
            });
            held
        })
    }
}

/// One rule.
#[derive(Clone, Debug)]
pub(crate) struct RuleCode {
    pub(crate) id: RuleId,
    pub(crate) result: EventId,
    guards: Run,
    flips: Run,
    columns: Run,
    branches: Run,
    touched: Run,
    /// Index of a blocker, or [`NONE`].
    pub(crate) blocked_by: u32,
}

/// A conjunction of guards that blocks, unless it is blocked itself.
#[derive(Clone, Copy, Debug)]
struct ProbeCode {
    guards: Run,
    blocked_by: u32,
}

/// The flat arrays that rules refer to.
#[derive(Debug, Default)]
pub(crate) struct Code {
    guards: Vec<Guard>,
    /// The guards again.
    tests: Vec<Test>,
    bits: Vec<u64>,
    flips: Vec<Flip>,
    columns: Vec<Move>,
    cells: Vec<u32>,
    branches: Vec<Move>,
    starts: Vec<u32>,
    targets: Vec<u32>,
    touched: Vec<u32>,
    probes: Vec<ProbeCode>,
    blockers: Vec<Box<[u32]>>,
    sparse: Vec<(u32, u32)>,
    sparse_components: Vec<Option<Arc<Sparse>>>,
    /// By component and class.
    written: Vec<Vec<Written>>,
}

impl Code {
    /// The probes and the tables of all components; the error is a sentence for the user.
    pub(crate) fn new(network: &Network, layout: &Layout, locals: &Locals) -> Result<Self, String> {
        let mut code = Self::default();
        for local in &locals.components {
            let written = vec![Written::default(); local.classes.len()];
            code.written.push(written);
            code.sparse_components.push(local.sparse.clone());
        }
        for probe in &network.probes {
            let from = number(code.guards.len());
            for (component, event) in &probe.offers {
                code.guard(*component, *event, layout, locals);
            }
            for at in code.tests.len()..code.guards.len() {
                code.tests.push(code.test(&code.guards[at]));
            }
            let to = number(code.guards.len());
            let blocked_by = probe.blocked_by.unwrap_or(NONE);
            code.probes.push(ProbeCode {
                guards: Run { from, to },
                blocked_by,
            });
        }
        code.blockers = network.blockers.clone();
        if blockers_are_cyclic(network) {
            return Err("the priorities of the network depend on one another in a circle".into());
        }
        Ok(code)
    }

    /// Adds the guard of one offer unless it always holds.
    fn guard(&mut self, component: ComponentId, event: EventId, layout: &Layout, locals: &Locals) {
        let local = &locals.components[component.0 as usize];
        let class = local.class(event);
        let summary = &local.classes[class as usize];
        if summary.offering as usize == local.states.len() {
            return;
        }
        let known = self.written[component.0 as usize][class as usize].guard;
        let table = known.unwrap_or_else(|| {
            let table = if local.sparse.is_some() {
                self.sparse_table(component, class)
            } else {
                let table = self.bits.len();
                let words = local.states.len().div_ceil(64);
                self.bits.resize(table + words, 0);
                for state in local.offering(class) {
                    self.bits[table + state as usize / 64] |= 1 << (state % 64);
                }
                number(table)
            };
            self.written[component.0 as usize][class as usize].guard = Some(table);
            table
        });
        self.guards.push(Guard {
            field: layout.components[component.0 as usize],
            component: component.0,
            table,
            offering: summary.offering,
        });
    }

    fn test(&self, guard: &Guard) -> Test {
        let large = guard.field.mask > 63 || guard.table & SPARSE != 0;
        Test {
            bits: if large {
                u64::from(guard.table)
            } else {
                self.bits[guard.table as usize]
            },
            mask: u32::try_from(guard.field.mask).expect("states are numbered by u32"),
            word: u16::try_from(guard.field.word).expect("at most MOST_WORDS"),
            shift: u8::try_from(guard.field.shift).expect("below 64"),
            large,
        }
    }

    fn sparse_table(&mut self, component: ComponentId, class: u32) -> u32 {
        let table = number(self.sparse.len()) | SPARSE;
        self.sparse.push((component.0, class));
        table
    }

    /// Adds a live rule; one that is never followed only with how many targets it has.
    pub(crate) fn rule(
        &mut self,
        network: &Network,
        id: RuleId,
        follow: bool,
        layout: &Layout,
        locals: &Locals,
    ) -> RuleCode {
        let rule = &network.rules[id.0 as usize];
        let start = [
            self.guards.len(),
            self.flips.len(),
            self.columns.len(),
            self.branches.len(),
            self.touched.len(),
        ]
        .map(number);
        for (component, event) in &rule.participants {
            self.guard(*component, *event, layout, locals);
        }
        // The guard that fails most often is tested first.
        self.guards[start[0] as usize..].sort_by_key(|g| {
            let states = locals.components[g.component as usize].states.len() as u64;
            u64::from(g.offering) * 65_536 / states
        });
        for at in self.tests.len()..self.guards.len() {
            self.tests.push(self.test(&self.guards[at]));
        }
        let mut words = Flip::none(layout);
        for (component, event) in &rule.participants {
            let local = &locals.components[component.0 as usize];
            let class = local.class(*event);
            let summary = &local.classes[class as usize];
            if !summary.loops && (follow || summary.branches) {
                self.touched.push(component.0);
                self.effect(*component, class, local, layout, &mut words);
            }
        }
        for (component, state) in rule.resets.iter().filter(|_| follow) {
            let local = &locals.components[component.0 as usize];
            if local.states.len() > 1 {
                self.touched.push(component.0);
                let field = layout.components[component.0 as usize];
                write(&mut words, field, true, local.dense(*state));
            }
        }
        self.flips.append(&mut words);
        let run = |from: u32, to: usize| Run {
            from,
            to: number(to),
        };
        RuleCode {
            id,
            result: rule.result,
            guards: run(start[0], self.guards.len()),
            flips: run(start[1], self.flips.len()),
            columns: run(start[2], self.columns.len()),
            branches: run(start[3], self.branches.len()),
            touched: run(start[4], self.touched.len()),
            blocked_by: rule.blocked_by.unwrap_or(NONE),
        }
    }

    /// Adds the effect of one participant that moves.
    fn effect(
        &mut self,
        component: ComponentId,
        class: u32,
        local: &Local,
        layout: &Layout,
        words: &mut Vec<Flip>,
    ) {
        let field = layout.components[component.0 as usize];
        let known = self.written[component.0 as usize][class as usize].motion;
        let motion = known.unwrap_or_else(|| {
            let motion = self.motion(component, class, local);
            self.written[component.0 as usize][class as usize].motion = Some(motion);
            motion
        });
        match motion {
            Motion::Flip(value) => write(words, field, false, value),
            Motion::Write(value) => write(words, field, true, value),
            Motion::Column(table) => self.columns.push(Move { field, table }),
            Motion::Branch(table) => self.branches.push(Move { field, table }),
        }
    }

    /// Finds out how a component moves on a class that does not always loop.
    fn motion(&mut self, component: ComponentId, class: u32, local: &Local) -> Motion {
        if local.sparse.is_some() {
            return Motion::Branch(self.sparse_table(component, class));
        }
        if local.classes[class as usize].branches {
            let table = self.starts.len();
            local.each_move(class, |source, target| {
                let start = number(self.targets.len());
                self.starts.resize(table + source as usize + 1, start);
                self.targets.push(target);
            });
            let end = number(self.targets.len());
            self.starts.resize(table + local.states.len() + 1, end);
            return Motion::Branch(number(table));
        }
        let mut first = None;
        let (mut flips, mut writes) = (true, true);
        local.each_move(class, |from, to| {
            let (source, target) = *first.get_or_insert((from, to));
            flips &= from ^ to == source ^ target;
            writes &= to == target;
        });
        let (source, target) = first.expect("a live rule's event is offered");
        if flips {
            Motion::Flip(source ^ target)
        } else if writes {
            Motion::Write(target)
        } else {
            let table = self.cells.len();
            self.cells.resize(table + local.states.len(), 0);
            local.each_move(class, |from, to| self.cells[table + from as usize] = to);
            Motion::Column(number(table))
        }
    }

    /// Makes the rules of leaves with acceptance steps lead only where their other τ lead.
    pub(super) fn overlook(&mut self, rules: &mut [RuleCode], acceptances: &Acceptances) {
        let tables: Vec<u32> = acceptances
            .leaves
            .iter()
            .map(|leaf| {
                let table = number(self.starts.len());
                for targets in leaf.others() {
                    self.starts.push(number(self.targets.len()));
                    self.targets.extend_from_slice(targets);
                }
                self.starts.push(number(self.targets.len()));
                table
            })
            .collect();
        for (index, rule) in (0..).zip(rules) {
            let Some(leaf) = acceptances.leaf_of(index) else {
                continue;
            };
            let from = number(self.branches.len());
            self.branches.push(Move {
                field: acceptances.leaves[leaf].field,
                table: tables[leaf],
            });
            rule.branches = Run { from, to: from + 1 };
            (rule.flips, rule.columns) = (Run::default(), Run::default());
        }
    }

    /// Orders the guards of a rule by how often they held in a sample.
    pub(crate) fn reorder(&mut self, rule: &RuleCode, held: &mut Held) {
        let mut guards = self.guards(rule).to_vec();
        guards.sort_by_cached_key(|guard| held.by(guard, self));
        let from = rule.guards.from as usize;
        for (at, guard) in (from..).zip(guards) {
            self.tests[at] = self.test(&guard);
            self.guards[at] = guard;
        }
    }

    /// The guards of a rule, the most selective first.
    pub(crate) fn guards(&self, rule: &RuleCode) -> &[Guard] {
        rule.guards.of(&self.guards)
    }

    /// The guards of a rule as they are tested.
    pub(crate) fn tests(&self, rule: &RuleCode) -> &[Test] {
        rule.guards.of(&self.tests)
    }

    /// The components that a rule may change.
    pub(crate) fn touched(&self, rule: &RuleCode) -> &[u32] {
        rule.touched.of(&self.touched)
    }

    /// Whether a rule looks up where some participant goes.
    pub(super) fn has_columns(rule: &RuleCode) -> bool {
        !rule.columns.is_empty()
    }

    /// The words that a rule changes, if that is all it does.
    pub(crate) fn only_flips(&self, rule: &RuleCode) -> Option<&[Flip]> {
        (rule.columns.is_empty() && rule.branches.is_empty()).then(|| rule.flips.of(&self.flips))
    }

    /// Whether a guard holds of a local state.
    pub(crate) fn admits(&self, guard: &Guard, value: u32) -> bool {
        self.table_admits(guard.table, value)
    }

    /// Calls back with the local states, of this many, of which a guard holds, ascending.
    pub(super) fn each_admitted(&self, guard: &Guard, states: u32, mut f: impl FnMut(u32)) {
        if guard.table & SPARSE != 0 {
            let (sparse, class) = self.sparse(guard.table);
            sparse.offering(class).iter().for_each(|state| f(*state));
            return;
        }
        let words = &self.bits[guard.table as usize..][..states.div_ceil(64) as usize];
        for (base, word) in (0..).step_by(64).zip(words) {
            let mut rest = *word;
            while rest != 0 {
                f(base + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }

    fn table_admits(&self, table: u32, value: u32) -> bool {
        if table & SPARSE == 0 {
            let word = self.bits[table as usize + (value >> 6) as usize];
            word >> (value & 63) & 1 == 1
        } else {
            !self.sparse_targets(table, value).is_empty()
        }
    }

    /// Whether a guard holds of a state.
    #[inline(always)]
    pub(crate) fn holds<const N: usize>(&self, test: &Test, state: &[u64; N]) -> bool {
        let value = (state[test.word as usize & (N - 1)] >> test.shift) as u32 & test.mask;
        if test.large {
            self.table_admits(test.bits as u32, value)
        } else {
            test.bits >> value & 1 == 1
        }
    }

    fn sparse_targets(&self, table: u32, value: u32) -> &[u32] {
        let (sparse, class) = self.sparse(table);
        sparse.targets(value, class)
    }

    fn sparse(&self, table: u32) -> (&Sparse, u32) {
        let (component, class) = self.sparse[(table & !SPARSE) as usize];
        let sparse = self.sparse_components[component as usize].as_ref();
        let sparse = sparse.expect("only sparse components are looked up by search");
        (sparse, class)
    }

    /// Whether all guards of a rule hold.
    #[inline(always)]
    pub(crate) fn can_fire<const N: usize>(&self, rule: &RuleCode, state: &[u64; N]) -> bool {
        self.all_hold(rule.guards, state)
            && (rule.blocked_by == NONE || !self.blocked(state, rule.blocked_by))
    }

    #[inline(always)]
    fn all_hold<const N: usize>(&self, guards: Run, state: &[u64; N]) -> bool {
        guards
            .of(&self.tests)
            .iter()
            .all(|test| self.holds(test, state))
    }

    /// Whether some probe of a blocker holds.
    pub(crate) fn blocked<const N: usize>(&self, state: &[u64; N], blocker: u32) -> bool {
        self.blockers[blocker as usize].iter().any(|probe| {
            let probe = &self.probes[*probe as usize];
            self.all_hold(probe.guards, state)
                && (probe.blocked_by == NONE || !self.blocked(state, probe.blocked_by))
        })
    }

    /// Changes a copy of a state by what is certain of a rule's effect: everything but its branches.
    #[inline(always)]
    pub(super) fn apply<const N: usize>(
        &self,
        rule: &RuleCode,
        state: &[u64; N],
        child: &mut [u64; N],
    ) {
        for flip in rule.flips.of(&self.flips) {
            let word = &mut child[if N == 1 { 0 } else { flip.word as usize }];
            *word = (*word & flip.keep) ^ flip.flip;
        }
        for column in rule.columns.of(&self.columns) {
            let next = self.cells[column.table as usize + column.field.get(state) as usize];
            column.field.set(child, next);
        }
    }

    /// Calls back with the states that a rule leads a component to from a state that admits it.
    pub(super) fn each_target(
        &self,
        rule: &RuleCode,
        field: Field,
        state: u32,
        mut f: impl FnMut(u32),
    ) {
        let mut words = rule.flips.of(&self.flips).iter();
        let flip = words.find(|flip| flip.word == field.word);
        let mut columns = rule.columns.of(&self.columns).iter();
        let mut branches = rule.branches.of(&self.branches).iter();
        if let Some(branch) = branches.find(|branch| branch.field == field) {
            self.branch_targets(branch, state)
                .iter()
                .for_each(|t| f(*t));
        } else if let Some(column) = columns.find(|column| column.field == field) {
            f(self.cells[column.table as usize + state as usize]);
        } else if let Some(Flip { keep, flip, .. }) = flip {
            let word = (u64::from(state) << field.shift & keep) ^ flip;
            f((word >> field.shift & field.mask) as u32);
        } else {
            f(state);
        }
    }

    /// How many branching participants a rule has.
    #[inline(always)]
    pub(super) fn branch_count(rule: &RuleCode) -> usize {
        (rule.branches.to - rule.branches.from) as usize
    }

    /// The field of a branching participant and where it can go.
    pub(super) fn branch<const N: usize>(
        &self,
        rule: &RuleCode,
        index: usize,
        state: &[u64; N],
    ) -> (Field, &[u32]) {
        let branch = &rule.branches.of(&self.branches)[index];
        let value = branch.field.get(state);
        (branch.field, self.branch_targets(branch, value))
    }

    fn branch_targets(&self, branch: &Move, value: u32) -> &[u32] {
        if branch.table & SPARSE != 0 {
            return self.sparse_targets(branch.table, value);
        }
        let at = branch.table as usize + value as usize;
        let (from, to) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        &self.targets[from..to]
    }
}

/// Merges a change of one field into the changes of words.
fn write(words: &mut Vec<Flip>, field: Field, overwrites: bool, value: u32) {
    let at = words
        .iter()
        .position(|f| f.word == field.word)
        .unwrap_or_else(|| {
            words.push(Flip {
                word: field.word,
                keep: u64::MAX,
                flip: 0,
            });
            words.len() - 1
        });
    if overwrites {
        words[at].keep &= !(field.mask << field.shift);
    }
    words[at].flip ^= u64::from(value) << field.shift;
}

/// Whether some blocker depends on itself through the probes that block its probes.
fn blockers_are_cyclic(network: &Network) -> bool {
    let mut waiting: Vec<usize> = network.blockers.iter().map(|_| 0).collect();
    let mut users = vec![Vec::new(); network.blockers.len()];
    for (blocker, probes) in network.blockers.iter().enumerate() {
        for probe in probes {
            if let Some(other) = network.probes[*probe as usize].blocked_by {
                waiting[blocker] += 1;
                users[other as usize].push(blocker);
            }
        }
    }
    let mut ready: Vec<usize> = (0..waiting.len()).filter(|b| waiting[*b] == 0).collect();
    let mut done = 0;
    while let Some(blocker) = ready.pop() {
        done += 1;
        for user in &users[blocker] {
            waiting[*user] -= 1;
            if waiting[*user] == 0 {
                ready.push(*user);
            }
        }
    }
    done < waiting.len()
}
