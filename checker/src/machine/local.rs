//! What each component can really do: its reachable local states and classes of its events.
//!
//! Only what live rules ask of a component counts. Events that the same label sets contain behave
//! alike and form a *class*, so that set-labelled transition systems with thousands of events are
//! tabulated a class at a time. Rules that ask for a class no reachable state offers are dead; since
//! dropping them can make further states unreachable, this is repeated until nothing changes.
//! Invariant: dense numbers of local states ascend with their [`StateId`]s.

use std::sync::Arc;

use ahash::AHashMap;
use csp_lts::{EventId, Lts, Network, StateId};

use super::sparse::Sparse;

/// Marks a state that is not reachable.
const NONE: u32 = u32::MAX;
/// Added to targets that are not reachable: the rules that lead there are never followed, but how
/// many targets they have still counts.
const BEYOND: u32 = 1 << 31;

/// Components with more cells (states times classes) than this are looked up by search instead of
/// being tabulated.
const MOST_CELLS: usize = 1 << 26;
/// The moves of a class are listed if no more than one in this many states has any: a table would be
/// mostly empty, and there may be as many tables as states.
const FEW: usize = 16;

/// A component as the rules see it.
#[derive(Debug)]
pub(crate) struct Local {
    /// The reachable states; the index is the dense number.
    pub(crate) states: Vec<StateId>,
    dense: Vec<u32>,
    asked: Vec<EventId>,
    class_of: Vec<u32>,
    /// What the classes do; classes that no live rule or probe asks for stay blank.
    pub(crate) classes: Vec<Class>,
    /// The moves of components that are too large to tabulate.
    pub(crate) sparse: Option<Arc<Sparse>>,
}

/// What a component does on the events of one class.
#[derive(Debug, Default)]
pub(crate) struct Class {
    /// In how many reachable states they are offered.
    pub(crate) offering: u32,
    /// Every transition leads back to its state.
    pub(crate) loops: bool,
    /// Some state has more than one target.
    pub(crate) branches: bool,
    /// The moves, ascending by source and target, unless they are tabulated.
    moves: Vec<(u32, u32)>,
    /// Which states offer them, a bit each; empty if all do or if the moves are listed.
    offered: Vec<u64>,
    /// The target for each state, unless the class loops or its moves are listed.
    column: Vec<u32>,
}

impl Local {
    /// The class of an event that some rule or probe asks for.
    pub(crate) fn class(&self, event: EventId) -> u32 {
        let at = self
            .asked
            .binary_search(&event)
            .expect("every event that is asked for has been listed");
        self.class_of[at]
    }

    /// Calls back with the source and the target of every move of a class, ascending.
    pub(crate) fn each_move(&self, class: u32, mut f: impl FnMut(u32, u32)) {
        let class = &self.classes[class as usize];
        for (source, target) in &class.moves {
            f(*source, *target);
        }
        if class.is_listed(self.states.len()) || self.sparse.is_some() {
            return;
        }
        let all = 0..u32::try_from(self.states.len()).expect("states are numbered by u32");
        for source in all {
            let offers = class.offered.get(source as usize / 64);
            if offers.is_none_or(|word| word >> (source % 64) & 1 == 1) {
                let target = class.column.get(source as usize).copied();
                f(source, target.unwrap_or(source));
            }
        }
    }

    /// The states that offer a class, ascending.
    pub(crate) fn offering(&self, class: u32) -> Vec<u32> {
        let mut states = Vec::with_capacity(self.classes[class as usize].offering as usize);
        self.each_move(class, |source, _| {
            if states.last() != Some(&source) {
                states.push(source);
            }
        });
        states
    }

    /// Goes without tables, as if there were too many states.
    #[cfg(test)]
    pub(super) fn make_sparse(&mut self) {
        for number in 0..self.classes.len() {
            let mut moves = Vec::new();
            let class = u32::try_from(number).expect("few");
            self.each_move(class, |source, target| moves.push((source, target)));
            self.classes[number].moves = moves;
        }
        let moves = self.classes.iter().map(|class| &class.moves[..]);
        self.sparse = Some(Arc::new(Sparse::new(self.states.len(), moves)));
    }

    /// The dense number of a reachable state.
    pub(crate) fn dense(&self, state: StateId) -> u32 {
        self.dense[state.0 as usize]
    }
}

impl Class {
    /// Whether the moves are listed where components of this many states are tabulated.
    fn is_listed(&self, states: usize) -> bool {
        self.branches || self.offering as usize * FEW <= states
    }
}

/// The components of a network, and which rules can ever fire.
#[derive(Debug)]
pub(crate) struct Locals {
    pub(crate) components: Vec<Local>,
    pub(crate) live: Vec<bool>,
}

impl Locals {
    /// Finds out what the components of a network can do, if the rules marked as ending are not
    /// followed.
    pub(crate) fn of(network: &Network, ending: &[bool]) -> Self {
        let mut drafts: Vec<Draft<'_>> = asked(network)
            .into_iter()
            .zip(&network.components)
            .map(|(asked, component)| Draft::new(&component.lts, asked))
            .collect();
        let live = live_rules(network, ending, &mut drafts);
        for draft in &mut drafts {
            draft.used.fill(false);
        }
        for (rule, _) in network.rules.iter().zip(&live).filter(|(_, live)| **live) {
            for (component, event) in &rule.participants {
                drafts[component.0 as usize].use_event(*event);
            }
        }
        for probe in &network.probes {
            for (component, event) in &probe.offers {
                drafts[component.0 as usize].use_event(*event);
            }
        }
        Self {
            components: drafts.into_iter().map(Draft::finish).collect(),
            live,
        }
    }
}

/// The events that rules and probes ask of each component.
fn asked(network: &Network) -> Vec<Vec<EventId>> {
    let mut asked = vec![Vec::new(); network.components.len()];
    let offers = network.rules.iter().flat_map(|r| r.participants.iter());
    for (component, event) in offers.chain(network.probes.iter().flat_map(|p| p.offers.iter())) {
        asked[component.0 as usize].push(*event);
    }
    for events in &mut asked {
        events.sort_unstable();
        events.dedup();
    }
    asked
}

/// Drops rules that can never fire until nothing changes; leaves reachability in the drafts.
fn live_rules(network: &Network, ending: &[bool], drafts: &mut [Draft<'_>]) -> Vec<bool> {
    let mut live = vec![true; network.rules.len()];
    loop {
        for (draft, component) in drafts.iter_mut().zip(&network.components) {
            draft.used.fill(false);
            draft.seeds.clear();
            draft.seeds.push(component.initial);
        }
        let followed = live
            .iter()
            .zip(ending)
            .map(|(live, ending)| *live && !ending);
        for (rule, _) in network.rules.iter().zip(followed).filter(|(_, f)| *f) {
            for (component, event) in &rule.participants {
                drafts[component.0 as usize].use_event(*event);
            }
            for (component, state) in &rule.resets {
                drafts[component.0 as usize].seeds.push(*state);
            }
        }
        for draft in drafts.iter_mut() {
            draft.reach();
        }
        let mut changed = false;
        for (rule, live) in network.rules.iter().zip(&mut live) {
            let possible = rule.participants.iter().all(|(component, event)| {
                let draft = &drafts[component.0 as usize];
                draft.met[draft.class(*event) as usize]
            });
            changed |= *live && !possible;
            *live &= possible;
        }
        if !changed {
            return live;
        }
    }
}

/// A component while it is being analysed.
struct Draft<'a> {
    lts: &'a Lts,
    asked: Vec<EventId>,
    class_of: Vec<u32>,
    label_classes: Vec<Vec<u32>>,
    /// By class: asked for by a live rule, and offered by a reachable state.
    used: Vec<bool>,
    met: Vec<bool>,
    seeds: Vec<StateId>,
    reachable: Vec<bool>,
}

impl<'a> Draft<'a> {
    fn new(lts: &'a Lts, asked: Vec<EventId>) -> Self {
        let (class_of, label_classes, classes) = classify(lts, &asked);
        Self {
            lts,
            asked,
            class_of,
            label_classes,
            used: vec![false; classes],
            met: vec![false; classes],
            seeds: Vec::new(),
            reachable: vec![false; lts.state_count()],
        }
    }

    fn class(&self, event: EventId) -> u32 {
        let at = self
            .asked
            .binary_search(&event)
            .expect("every event that is asked for has been listed");
        self.class_of[at]
    }

    fn use_event(&mut self, event: EventId) {
        let class = self.class(event);
        self.used[class as usize] = true;
    }

    /// Follows the edges that live rules can use from the seeds.
    fn reach(&mut self) {
        let alive: Vec<bool> = self
            .label_classes
            .iter()
            .map(|classes| classes.iter().any(|c| self.used[*c as usize]))
            .collect();
        let mut labels = vec![false; alive.len()];
        self.reachable.fill(false);
        let mut stack = self.seeds.clone();
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut self.reachable[state.0 as usize], true) {
                continue;
            }
            for edge in self.lts.edges(state) {
                labels[edge.label as usize] = true;
                if alive[edge.label as usize] && !self.reachable[edge.target.0 as usize] {
                    stack.push(edge.target);
                }
            }
        }
        self.met.fill(false);
        for (classes, _) in self
            .label_classes
            .iter()
            .zip(labels)
            .filter(|(_, met)| *met)
        {
            for class in classes {
                self.met[*class as usize] = true;
            }
        }
    }

    /// Calls back for every transition of a reachable state on a class in use.
    fn moves(&self, local: &Local, mut f: impl FnMut(u32, u32, u32)) {
        for (number, state) in (0u32..).zip(&local.states) {
            for edge in self.lts.edges(*state) {
                let target = match local.dense[edge.target.0 as usize] {
                    NONE => edge.target.0 | BEYOND,
                    reachable => reachable,
                };
                for class in &self.label_classes[edge.label as usize] {
                    f(number, *class, target);
                }
            }
        }
    }

    fn finish(mut self) -> Local {
        for classes in &mut self.label_classes {
            classes.retain(|c| self.used[*c as usize]);
        }
        let states: Vec<StateId> = self
            .lts
            .states()
            .filter(|s| self.reachable[s.0 as usize])
            .collect();
        let mut dense = vec![NONE; self.lts.state_count()];
        for (number, state) in (0..).zip(&states) {
            dense[state.0 as usize] = number;
        }
        let mut local = Local {
            states,
            dense,
            asked: std::mem::take(&mut self.asked),
            class_of: std::mem::take(&mut self.class_of),
            classes: Vec::new(),
            sparse: None,
        };
        let mut classes = self.survey(&local);
        let in_use = self.used.iter().filter(|used| **used).count();
        let is_sparse = local.states.len().saturating_mul(in_use) > MOST_CELLS;
        self.write_moves(&local, is_sparse, &mut classes);
        if is_sparse {
            let moves = classes.iter().map(|class| &class.moves[..]);
            local.sparse = Some(Arc::new(Sparse::new(local.states.len(), moves)));
        }
        local.classes = classes;
        local
    }

    /// Counts who offers what, and finds the classes that loop or branch.
    fn survey(&self, local: &Local) -> Vec<Class> {
        let mut classes: Vec<Class> = (0..self.used.len())
            .map(|_| Class {
                loops: true,
                ..Class::default()
            })
            .collect();
        let mut last = vec![(NONE, NONE); classes.len()];
        self.moves(local, |state, class, target| {
            let summary = &mut classes[class as usize];
            let (last_state, last_target) = last[class as usize];
            if last_state != state {
                summary.offering += 1;
            } else if last_target != target {
                summary.branches = true;
            }
            summary.loops &= target == state;
            last[class as usize] = (state, target);
        });
        classes
    }

    /// Lists or tabulates the moves of the classes.
    fn write_moves(&self, local: &Local, is_sparse: bool, classes: &mut [Class]) {
        let count = local.states.len();
        let listed: Vec<bool> = classes
            .iter()
            .map(|class| is_sparse || class.is_listed(count))
            .collect();
        for (class, listed) in classes.iter_mut().zip(&listed) {
            if *listed {
                class.moves.reserve_exact(class.offering as usize);
                continue;
            }
            if (class.offering as usize) < count {
                class.offered = vec![0; count.div_ceil(64)];
            }
            if !class.loops {
                class.column = vec![0; count];
            }
        }
        self.moves(local, |state, number, target| {
            let class = &mut classes[number as usize];
            if listed[number as usize] {
                class.moves.push((state, target));
                return;
            }
            if let Some(word) = class.offered.get_mut(state as usize / 64) {
                *word |= 1 << (state % 64);
            }
            if let Some(cell) = class.column.get_mut(state as usize) {
                *cell = target;
            }
        });
        for class in classes {
            class.moves.sort_unstable();
            class.moves.dedup();
        }
    }
}

/// Groups the asked events by the labels that contain them: the class of each event, the classes
/// of each label, and how many classes there are.
fn classify(lts: &Lts, asked: &[EventId]) -> (Vec<u32>, Vec<Vec<u32>>, usize) {
    let spans: Vec<Vec<(usize, usize)>> = lts
        .labels()
        .iter()
        .map(|label| {
            let spans = label.ranges().iter().map(|&(from, to)| {
                (
                    asked.partition_point(|e| e.0 < from),
                    asked.partition_point(|e| e.0 < to),
                )
            });
            spans.filter(|(from, to)| from < to).collect()
        })
        .collect();
    // Between two neighbouring ends of spans all events are contained in the same labels.
    let mut cuts: Vec<usize> = vec![0, asked.len()];
    cuts.extend(spans.iter().flatten().flat_map(|&(from, to)| [from, to]));
    cuts.sort_unstable();
    cuts.dedup();
    let mut signatures: Vec<Vec<u32>> = vec![Vec::new(); cuts.len().saturating_sub(1)];
    for (label, spans) in (0u32..).zip(&spans) {
        for &(from, to) in spans {
            let first = cuts.partition_point(|c| *c < from);
            let last = cuts.partition_point(|c| *c < to);
            for signature in &mut signatures[first..last] {
                signature.push(label);
            }
        }
    }
    let mut class_of = Vec::with_capacity(asked.len());
    let mut label_classes = vec![Vec::new(); spans.len()];
    let mut known: AHashMap<Vec<u32>, u32> = AHashMap::new();
    for (signature, ends) in signatures.into_iter().zip(cuts.windows(2)) {
        let next = u32::try_from(known.len()).expect("classes are numbered by u32");
        let class = *known.entry(signature).or_insert_with_key(|signature| {
            for label in signature {
                label_classes[*label as usize].push(next);
            }
            next
        });
        class_of.resize(ends[1], class);
    }
    (class_of, label_classes, known.len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use csp_lts::{EventSet, LtsBuilder};

    use super::*;

    #[test]
    fn events_of_the_same_labels_share_a_class() {
        let mut builder = LtsBuilder::new();
        builder.state([
            (Arc::new(EventSet::range(3, 8)), StateId(0)),
            (Arc::new(EventSet::range(5, 6)), StateId(1)),
        ]);
        builder.state([(Arc::new(EventSet::range(3, 5)), StateId(1))]);
        let lts = builder.finish(StateId(0));
        let asked: Vec<EventId> = (3..9).map(EventId).collect();
        let (class_of, label_classes, classes) = classify(&lts, &asked);
        // 3 and 4 in two labels; 5 in another two; 6 and 7 in one; 8 in none.
        assert_eq!(class_of, [0, 0, 1, 2, 2, 3]);
        assert_eq!(classes, 4);
        assert_eq!(label_classes, [vec![0, 1, 2], vec![1], vec![0]]);
    }

    /// A machine of this many states that does one event in few of them, one in some, one in most, one
    /// in all, one that always loops, and one that branches.
    fn mixed(count: u32) -> Network {
        let mut builder = LtsBuilder::new();
        for state in 0..count {
            let next = (state + 1) % count;
            let mut edges = vec![(6, next), (7, state)];
            edges.extend((state % 40 == 3).then_some((3, next / 2)));
            edges.extend((state % 3 == 0).then_some((4, next / 3)));
            edges.extend((state % 5 != 1).then_some((5, 7)));
            edges.extend([(8, next), (8, state / 2)]);
            let label = |event: u32| Arc::new(EventSet::single(EventId(event)));
            builder.state(edges.into_iter().map(|(e, to)| (label(e), StateId(to))));
        }
        Network::of_lts("P", Arc::new(builder.finish(StateId(0))))
    }

    #[test]
    fn moves_are_the_transitions_of_the_component() {
        let network = mixed(200);
        let lts = &network.components[0].lts;
        let all = |network: &Network| Locals::of(network, &[false; 6]).components;
        let local = all(&network).swap_remove(0);
        assert_eq!(local.states.len(), 200);
        let mut sparse = all(&network).swap_remove(0);
        sparse.make_sparse();
        for event in (3..9).map(EventId) {
            let mut expected: Vec<(u32, u32)> = Vec::new();
            for state in lts.states() {
                let own = lts.transitions(state).filter(|t| t.0 == event);
                expected.extend(own.map(|(_, target)| (state.0, target.0)));
            }
            expected.sort_unstable();
            expected.dedup();
            for local in [&local, &sparse] {
                let class = local.class(event);
                let mut moves = Vec::new();
                local.each_move(class, |source, target| moves.push((source, target)));
                assert_eq!(moves, expected);
                let mut offering: Vec<u32> = moves.iter().map(|(source, _)| *source).collect();
                offering.dedup();
                assert_eq!(local.offering(class), offering);
            }
            let class = local.class(event);
            let rows = sparse.sparse.as_ref().expect("just made");
            assert_eq!(rows.offering(class), local.offering(class));
            for state in 0..200 {
                let own = expected.iter().filter(|m| m.0 == state).map(|m| m.1);
                assert_eq!(rows.targets(state, class), own.collect::<Vec<u32>>());
            }
        }
        let listed = (3..9).map(|event| {
            let class = local.class(EventId(event)) as usize;
            !local.classes[class].moves.is_empty()
        });
        let expected = [true, false, false, false, false, true];
        assert_eq!(listed.collect::<Vec<_>>(), expected);
    }
}
