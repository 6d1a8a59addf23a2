//! What each component can really do: its reachable local states and classes of its events.
//!
//! Only what live rules ask of a component counts. Events that the same label sets contain behave
//! alike and form a *class*, so that set-labelled transition systems with thousands of events are
//! tabulated a class at a time. Rules that ask for a class no reachable state offers are dead; since
//! dropping them can make further states unreachable, this is repeated until nothing changes.
//! Invariant: dense numbers of local states ascend with their [`StateId`]s.

use ahash::AHashMap;
use csp_lts::{EventId, Lts, Network, StateId};

/// Marks a state that is not reachable.
const NONE: u32 = u32::MAX;
/// Added to targets that are not reachable: the rules that lead there are never followed, but how
/// many targets they have still counts.
const BEYOND: u32 = 1 << 31;

/// Components with more cells (states times classes) than this are looked up by search instead of
/// being tabulated.
const MOST_CELLS: usize = 1 << 26;

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
    pub(crate) sparse: Option<Sparse>,
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
    /// Which states offer them, a bit each; empty if all do or if the component is sparse.
    pub(crate) offered: Vec<u64>,
    /// The target for each state, if the class neither loops nor branches nor is sparse.
    pub(crate) column: Vec<u32>,
    /// For branching classes, where the targets of each state start in `targets`.
    pub(crate) starts: Vec<u32>,
    /// The targets of branching classes, ascending for each state.
    pub(crate) targets: Vec<u32>,
}

/// Moves by state, each state's sorted by class and target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    starts: Vec<u32>,
    classes: Vec<u32>,
    targets: Vec<u32>,
}

impl Sparse {
    /// The targets of a state on a class, ascending.
    pub(crate) fn targets(&self, state: u32, class: u32) -> &[u32] {
        let (from, to) = (
            self.starts[state as usize] as usize,
            self.starts[state as usize + 1] as usize,
        );
        let row = &self.classes[from..to];
        let first = from + row.partition_point(|c| *c < class);
        let last = from + row.partition_point(|c| *c <= class);
        &self.targets[first..last]
    }
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

    /// Calls back with the dense numbers of the states that a class leads to from a state.
    pub(crate) fn each_target(&self, class: u32, state: u32, mut f: impl FnMut(u32)) {
        if let Some(sparse) = &self.sparse {
            sparse.targets(state, class).iter().for_each(|t| f(*t));
            return;
        }
        let summary = &self.classes[class as usize];
        let (word, bit) = (state as usize / 64, state % 64);
        if !summary.offered.is_empty() && summary.offered[word] >> bit & 1 == 0 {
            return;
        }
        if summary.branches {
            let (from, to) = (
                summary.starts[state as usize] as usize,
                summary.starts[state as usize + 1] as usize,
            );
            summary.targets[from..to].iter().for_each(|t| f(*t));
        } else if summary.loops {
            f(state);
        } else {
            f(summary.column[state as usize]);
        }
    }

    /// Whether a state offers a class.
    pub(crate) fn offers(&self, class: u32, state: u32) -> bool {
        let mut any = false;
        self.each_target(class, state, |_| any = true);
        any
    }

    /// The dense number of a reachable state.
    pub(crate) fn dense(&self, state: StateId) -> u32 {
        self.dense[state.0 as usize]
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
        if local.states.len().saturating_mul(in_use) > MOST_CELLS {
            local.sparse = Some(self.sparse(&local));
        } else {
            self.tabulate(&local, &mut classes);
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

    fn tabulate(&self, local: &Local, classes: &mut [Class]) {
        let count = local.states.len();
        let mut branching: AHashMap<u32, Vec<(u32, u32)>> = AHashMap::new();
        for class in classes.iter_mut() {
            if (class.offering as usize) < count {
                class.offered = vec![0; count.div_ceil(64)];
            }
            if !class.loops && !class.branches {
                class.column = vec![0; count];
            }
        }
        self.moves(local, |state, number, target| {
            let class = &mut classes[number as usize];
            if let Some(word) = class.offered.get_mut(state as usize / 64) {
                *word |= 1 << (state % 64);
            }
            if class.branches {
                branching.entry(number).or_default().push((state, target));
            } else if let Some(cell) = class.column.get_mut(state as usize) {
                *cell = target;
            }
        });
        for (class, mut moves) in branching {
            moves.sort_unstable();
            moves.dedup();
            let class = &mut classes[class as usize];
            class.starts = (0..=u32::try_from(count).expect("states are numbered by u32"))
                .map(|s| {
                    u32::try_from(moves.partition_point(|(state, _)| *state < s))
                        .expect("moves are numbered by u32")
                })
                .collect();
            class.targets = moves.into_iter().map(|(_, target)| target).collect();
        }
    }

    fn sparse(&self, local: &Local) -> Sparse {
        let mut sparse = Sparse::default();
        let mut row: Vec<(u32, u32)> = Vec::new();
        let mut current = 0;
        let mut close = |row: &mut Vec<(u32, u32)>| {
            row.sort_unstable();
            row.dedup();
            sparse
                .starts
                .push(u32::try_from(sparse.classes.len()).expect("moves are numbered by u32"));
            sparse.classes.extend(row.iter().map(|(class, _)| *class));
            sparse.targets.extend(row.iter().map(|(_, target)| *target));
            row.clear();
        };
        self.moves(local, |state, class, target| {
            while current < state {
                close(&mut row);
                current += 1;
            }
            row.push((class, target));
        });
        for _ in current as usize..local.states.len() {
            close(&mut row);
        }
        close(&mut row);
        sparse
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
}
