//! What is done with one state: judge it, find its rules, judge them, make its children.

use csp_lts::{EventId, Network};

use super::control::Control;
use super::finds::{Finds, Kind};
use super::foresight::Foresight;
use super::rest::Resting;
use super::silence::Silence;
use crate::judge::{Judge, Judged, Node, Offers, Stepped};
use crate::machine::{Endless, Joints, Machine, Plain};
use crate::outcome::{Followed, Limit};
use crate::reduction::{Images, Representatives, Scratch, Stubborn};

/// What all workers of a search share.
pub(crate) struct Context<'a, const N: usize> {
    pub(crate) network: &'a Network,
    pub(crate) machine: Machine<N>,
    pub(crate) judge: &'a dyn Judge,
    pub(crate) control: Control<'a>,
    judges_states: bool,
    /// Of those that offer something no state needs to be judged.
    accepts_any_offer: bool,
    /// What each rule's event means, if the property has one node only.
    steps: Option<Vec<Stepped>>,
    /// There is one node, and states that offer something need no judging.
    follows: bool,
    /// If the machine is plain, too: the rules that lead on, a bit each.
    usual: Option<[u64; 2]>,
    /// Whether the property can have something against divergence, and what is known of it.
    pub(crate) silence: Option<Silence<N>>,
    /// Which rules are followed, if not all are.
    pub(crate) stubborn: Option<Stubborn>,
    /// By what states are replaced, if they are.
    pub(crate) representatives: Option<Representatives>,
    /// The short way to them, instead of `usual`.
    images: Option<Images>,
    /// If nothing but events can be violations, and they can be seen ahead.
    foresight: Option<Foresight>,
    counterexamples: usize,
}

/// This many rules are quicker tried than found.
const FEW_RULES: usize = 32;

/// What one worker needs for itself.
#[derive(Debug)]
pub(crate) struct Worker<const N: usize> {
    pub(super) enabled: Vec<u32>,
    events: Vec<EventId>,
    pub(super) resting: Resting,
    dirty: Vec<u32>,
    scratch: Scratch,
    /// Follows all rules and leaves states as they are.
    pub(super) sees_all: bool,
    /// What was followed of what could be, where not all is.
    pub(crate) followed: Followed,
    /// Transitions seen.
    pub(crate) transitions: u64,
    /// Violations seen.
    pub(crate) finds: Finds<N>,
}

impl<'a, const N: usize> Context<'a, N> {
    /// Gets ready to search.
    pub(crate) fn new(
        network: &'a Network,
        machine: Machine<N>,
        judge: &'a dyn Judge,
        control: Control<'a>,
        counterexamples: usize,
        (stubborn, representatives): (Option<Stubborn>, Option<Representatives>),
    ) -> Self {
        let single = judge.nodes() <= 1;
        let steps: Option<Vec<Stepped>> = single.then(|| {
            let rules = machine.rules.iter();
            rules.map(|rule| step(judge, 0, rule.result)).collect()
        });
        let silence = (machine.has_tau && judge.minds_divergence())
            .then(|| Silence::new(network, &machine))
            .flatten();
        let judges_states = judge.judges_states();
        let accepts_any_offer = judge.accepts_any_offer();
        let judges_few = !judges_states || (accepts_any_offer && machine.acceptances.is_none());
        let follows = steps.is_some() && judges_few && silence.is_none() && stubborn.is_none();
        let usual = match &steps {
            Some(steps) if machine.plain.is_some() && follows => {
                let mut usual = [0; 2];
                for (rule, _) in (0..).zip(steps).filter(|(_, s)| **s == Stepped::To(0)) {
                    usual[rule / 64] |= 1 << (rule % 64);
                }
                Some(usual)
            }
            _ => None,
        };
        let images = match (&representatives, usual, &machine.plain) {
            (Some(representatives), Some(usual), Some(plain)) if N == 1 => {
                representatives.images(&machine.layout, &plain.first_words(), usual)
            }
            _ => None,
        };
        let usual = usual.filter(|_| representatives.is_none());
        let follows = follows && representatives.is_none();
        // Where a step is a few instructions, it costs more to look ahead than to go ahead.
        let events_only = !judges_states && silence.is_none() && usual.is_none();
        // What is seen ahead is seen of the state itself, not of its representative.
        let events_only = events_only && representatives.is_none();
        let foresight = events_only
            .then(|| Foresight::new(&machine, judge))
            .flatten();
        Self {
            foresight,
            judges_states,
            accepts_any_offer,
            follows,
            usual,
            network,
            machine,
            judge,
            control,
            steps,
            silence,
            stubborn,
            representatives,
            images,
            counterexamples: counterexamples.max(1),
        }
    }

    /// Gets ready for many states, given some of them.
    pub(crate) fn learn(&mut self, sample: &[[u64; N]]) {
        self.machine.learn(sample);
        if let Some(steps) = &self.steps
            && self.follows
            && self.usual.is_none()
        {
            let follows = |rule: u32| steps[rule as usize] == Stepped::To(0);
            self.machine.joints = self.machine.joints(follows);
            if self.machine.joints.is_some() {
                // It costs more than to go ahead, and what it has seen is going to be seen again.
                self.foresight = None;
            }
        }
    }

    /// A worker that has seen nothing.
    pub(crate) fn worker(&self) -> Worker<N> {
        Worker {
            enabled: Vec::new(),
            events: Vec::new(),
            resting: Resting::default(),
            dirty: Vec::new(),
            scratch: self
                .stubborn
                .as_ref()
                .map_or_else(Scratch::default, Stubborn::scratch),
            followed: Followed::default(),
            sees_all: false,
            transitions: 0,
            finds: Finds::new(self.counterexamples),
        }
    }

    /// The initial state.
    pub(crate) fn initial(&self) -> Result<[u64; N], Endless> {
        let mut state = self.machine.start();
        self.machine.chase_all(&mut state)?;
        self.machine
            .layout
            .node
            .set(&mut state, self.judge.initial());
        Ok(state)
    }

    /// The node of a state.
    #[inline(always)]
    pub(crate) fn node(&self, state: &[u64; N]) -> Node {
        self.machine.layout.node.get(state)
    }

    /// Says that a chase has no end.
    pub(crate) fn endless(&self, Endless(chase): Endless) {
        let name = &self.network.chases[chase].name;
        self.control
            .fill(Limit::Unsupported(super::chase_never_ends(name)));
    }

    /// Judges a state and calls back with the rule and the state of every transition that the
    /// search has to follow.
    #[inline(always)]
    pub(crate) fn visit(
        &self,
        state: &[u64; N],
        worker: &mut Worker<N>,
        mut child: impl FnMut(u32, &[u64; N]),
    ) {
        if let (Some(usual), Some(plain)) = (&self.usual, &self.machine.plain) {
            let Worker {
                transitions, finds, ..
            } = worker;
            let mut followed = 0;
            let mut others = 0;
            self.machine.step_plain(
                plain,
                usual,
                state,
                |rule, target| {
                    followed += 1;
                    child(rule, target);
                },
                |rule| {
                    others += 1;
                    self.stay(rule, state, finds);
                },
            );
            *transitions += followed + others;
            if self.judges_states && followed + others == 0 {
                self.look_at(state, worker, &mut |_, _| {});
            }
        } else if let (Some(images), Some(plain)) = (&self.images, &self.machine.plain) {
            self.visit_images(images, plain, state, worker, child);
        } else if let Some(joints) = &self.machine.joints {
            let (mut followed, mut count) = (0, 0);
            joints.locate(state, |cells| {
                for cell in cells.numbers().iter().map(|cell| joints.cell(*cell)) {
                    (followed, count) = (followed + cell.followed().len(), count + cell.count());
                    joints.targets(cell.followed(), state, &mut child);
                }
            });
            self.visited(joints, state, (followed, count), worker);
        } else if self.visit_any(state, worker, child)
            && self.judges_states
            && let Some(acceptances) = &self.machine.acceptances
        {
            self.judge_rests(acceptances, state, worker);
        }
    }

    /// As [`Context::visit`] for a plain machine, with the representatives of children.
    #[inline(never)]
    fn visit_images(
        &self,
        images: &Images,
        plain: &Plain<N>,
        state: &[u64; N],
        worker: &mut Worker<N>,
        mut child: impl FnMut(u32, &[u64; N]),
    ) {
        let of_state = images.of(state[0]);
        let Worker {
            transitions, finds, ..
        } = worker;
        let (mut followed, mut others) = (0, 0);
        self.machine.step_plain(
            plain,
            &images.usual,
            state,
            |rule, target| {
                followed += 1;
                let mut least = *target;
                least[0] = images.least(rule, &of_state);
                child(rule, &least);
            },
            |rule| {
                others += 1;
                self.stay(rule, state, finds);
            },
        );
        *transitions += followed + others;
        if self.judges_states && followed + others == 0 {
            self.look_at(state, worker, &mut |_, _| {});
        }
    }

    /// Counts the moves of a state, of which this many are followed, where they are tabulated, and judges
    /// it by what else there is.
    #[inline(always)]
    pub(crate) fn visited(
        &self,
        joints: &Joints<N>,
        state: &[u64; N],
        (followed, count): (usize, usize),
        worker: &mut Worker<N>,
    ) {
        worker.transitions += count as u64;
        if followed < count {
            self.stay_tabulated(joints, state, &mut worker.finds);
        } else if self.judges_states && count == 0 {
            self.look_at(state, worker, &mut |_, _| {});
        }
    }

    /// Notes violations among the moves that are not followed.
    #[inline(never)]
    fn stay_tabulated(&self, joints: &Joints<N>, state: &[u64; N], finds: &mut Finds<N>) {
        joints.locate(state, |cells| {
            let cells = cells.numbers().iter().map(|cell| joints.cell(*cell));
            let rules = cells.flat_map(|cell| joints.ended(cell));
            rules.for_each(|rule| self.stay(*rule, state, finds));
        });
    }

    /// As [`Context::visit`], where speed does not matter and where it is known what can be found in
    /// the state.
    pub(crate) fn look_at(
        &self,
        state: &[u64; N],
        worker: &mut Worker<N>,
        child: &mut dyn FnMut(u32, &[u64; N]),
    ) {
        self.visit_any(state, worker, child);
    }

    /// Notes a violation if the rule's event is one, at the only node.
    fn stay(&self, rule: u32, state: &[u64; N], finds: &mut Finds<N>) {
        let steps = self.steps.as_ref().expect("the property has one node");
        if steps[rule as usize] == Stepped::Violation {
            let event = self.machine.rules[rule as usize].result;
            self.note(finds, Kind::Event(event), state, rule);
        }
    }

    /// Notes a violation; if that makes enough of them, this ply is the last.
    fn note(&self, finds: &mut Finds<N>, kind: Kind, state: &[u64; N], rule: u32) {
        finds.note(kind, state, state, rule);
        if finds.are_enough() && !finds.are_ahead() {
            self.control.close();
        }
    }

    /// The same for a violation where a state comes to rest.
    pub(super) fn note_rest(
        &self,
        finds: &mut Finds<N>,
        kind: Kind,
        state: &[u64; N],
        rest: &[u64; N],
    ) {
        finds.note(kind, state, rest, 0);
        if finds.are_enough() {
            self.control.close();
        }
    }

    /// As [`Context::visit`], for any machine and property, but without rests; whether the state has
    /// been expanded.
    #[inline(always)]
    fn visit_any(
        &self,
        state: &[u64; N],
        worker: &mut Worker<N>,
        mut child: impl FnMut(u32, &[u64; N]),
    ) -> bool {
        self.machine.enabled(state, &mut worker.enabled);
        let node = self.node(state);
        let mut seen = node;
        let matters = !self.accepts_any_offer || worker.enabled.is_empty();
        if self.judges_states && matters {
            match self.judged(state, node, worker) {
                Some(from) => seen = from,
                None => return false,
            }
        }
        if let Some(silence) = &self.silence
            && silence.is_cyclic(self.machine.layout.node, state)
            && self.judge.forbids_divergence(node)
        {
            self.note(&mut worker.finds, Kind::Divergence, state, 0);
            return false;
        }
        if let Some(stubborn) = &self.stubborn
            && !worker.sees_all
        {
            let Worker {
                enabled,
                followed,
                scratch,
                ..
            } = &mut *worker;
            followed.enabled += enabled.len() as u64;
            stubborn.choose(state, enabled, scratch);
            followed.followed += enabled.len() as u64;
        }
        for index in 0..worker.enabled.len() {
            let rule = worker.enabled[index];
            let stepped = match &self.steps {
                Some(steps) => steps[rule as usize],
                None => match self.machine.rules[rule as usize].result {
                    EventId::TAU => Stepped::To(node),
                    event => self.judge.step(seen, event),
                },
            };
            match stepped {
                Stepped::To(next) => {
                    let Worker {
                        transitions,
                        dirty,
                        finds,
                        sees_all,
                        ..
                    } = worker;
                    self.machine.fire(state, rule, |target| {
                        *transitions += 1;
                        if let Err(endless) = self.machine.chase_after(rule, state, target, dirty) {
                            self.endless(endless);
                            return;
                        }
                        if next != node {
                            self.machine.layout.node.set(target, next);
                        }
                        if let Some(foresight) = &self.foresight {
                            foresight.look(&self.machine, target, finds);
                        }
                        if let Some(representatives) = &self.representatives
                            && !*sees_all
                        {
                            representatives.replace(target);
                        }
                        child(rule, target);
                    });
                }
                Stepped::Done => worker.transitions += self.machine.choices(state, rule),
                Stepped::Violation => {
                    worker.transitions += self.machine.choices(state, rule);
                    // Nobody has looked ahead to the initial state.
                    if self.foresight.is_none() || worker.finds.ply == 0 {
                        let event = self.machine.rules[rule as usize].result;
                        self.note(&mut worker.finds, Kind::Event(event), state, rule);
                    }
                }
            }
        }
        true
    }

    /// Judges what a state offers; the node from which to judge its transitions, if they matter.
    fn judged(&self, state: &[u64; N], node: Node, worker: &mut Worker<N>) -> Option<Node> {
        let events = &mut worker.events;
        events.clear();
        let rules = worker.enabled.iter();
        events.extend(rules.map(|rule| self.machine.rules[*rule as usize].result));
        ascending(events);
        let tau = events.first() == Some(&EventId::TAU);
        let events = &events[usize::from(tau)..];
        match self.judge.state(node, Offers { events, tau }) {
            Judged::Fine => Some(node),
            Judged::Seen(seen) => Some(seen),
            Judged::Done => None,
            Judged::Violation => {
                let kind = Kind::State(events.to_vec(), tau);
                self.note(&mut worker.finds, kind, state, 0);
                None
            }
        }
    }

    /// Calls back with the successors of a state by some silent rules (ascending), the node left as it
    /// is.
    pub(crate) fn silent(
        &self,
        state: &[u64; N],
        worker: &mut Worker<N>,
        rules: &[u32],
        mut child: impl FnMut([u64; N]),
    ) {
        let enabled = &mut worker.enabled;
        // A few rules are looked at one by one; of many, those that can fire are found first. A cycle of
        // images of states need not be one of the rules chosen in those states, so there all are taken.
        if let Some(stubborn) = &self.stubborn
            && self.representatives.is_none()
        {
            self.machine.enabled(state, enabled);
            stubborn.choose(state, enabled, &mut worker.scratch);
            enabled.retain(|rule| rules.binary_search(rule).is_ok());
        } else if rules.len() <= FEW_RULES {
            enabled.clear();
            let can_fire = |rule: &&u32| self.machine.can_fire(**rule, state);
            enabled.extend(rules.iter().filter(can_fire));
        } else {
            self.machine.enabled(state, enabled);
            enabled.retain(|rule| rules.binary_search(rule).is_ok());
        }
        for index in 0..worker.enabled.len() {
            let rule = worker.enabled[index];
            self.machine.fire(state, rule, |target| {
                let chased = self
                    .machine
                    .chase_after(rule, state, target, &mut worker.dirty);
                // A chase without end counts when the search follows it.
                if chased.is_ok() {
                    child(*target);
                }
            });
        }
    }

    /// The smallest step by which a state leads to one that a state stands for: its rule and where it
    /// leads.
    pub(crate) fn step_towards(&self, from: &[u64; N], to: &[u64; N]) -> Option<(u32, [u64; N])> {
        let mut best: Option<(u32, [u64; N])> = None;
        let mut worker = self.worker();
        worker.sees_all = true;
        self.look_at(from, &mut worker, &mut |rule, target| {
            let mut standing = *target;
            if let Some(representatives) = &self.representatives {
                representatives.replace(&mut standing);
            }
            if standing == *to && best.is_none_or(|best| (rule, *target) < best) {
                best = Some((rule, *target));
            }
        });
        best
    }

    /// The smallest rule that shows an event which the node of a state forbids.
    pub(crate) fn forbidden_step(&self, state: &[u64; N]) -> Option<u32> {
        let mut enabled = Vec::new();
        self.machine.enabled(state, &mut enabled);
        let node = self.node(state);
        let forbidden = enabled.into_iter().filter(|rule| {
            let event = self.machine.rules[*rule as usize].result;
            step(self.judge, node, event) == Stepped::Violation
        });
        forbidden.min()
    }

    /// The rules by which a state leads to another, smallest first.
    pub(crate) fn rules_between(&self, from: &[u64; N], to: &[u64; N]) -> Vec<u32> {
        let mut rules = Vec::new();
        self.look_at(from, &mut self.worker(), &mut |rule, target| {
            if target == to {
                rules.push(rule);
            }
        });
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

/// Sorts events and drops duplicates; most often they ascend already.
#[inline(always)]
pub(super) fn ascending(events: &mut Vec<EventId>) {
    if !events.is_sorted_by(|a, b| a < b) {
        events.sort_unstable();
        events.dedup();
    }
}

fn step(judge: &dyn Judge, node: Node, event: EventId) -> Stepped {
    if event == EventId::TAU {
        Stepped::To(node)
    } else {
        judge.step(node, event)
    }
}
