//! Compressed parts opened: the behaviour of what a compression stands for, found when it is asked for.
//!
//! A machine that a compression has made shows what it did, one event after the other, and where it ended.
//! Its operand is a network; a shortest behaviour of that network with the same events is searched, one
//! that ends in a stable state which offers no more if the machine ended in such a state, or one that repeats
//! itself if the machine does (`repetition.rs`). The operand's own machines are opened in the same way. So a thousand parts in one another cost a thousand small
//! searches, where the whole has more states than anybody can count. What is found is put together and
//! replayed on the network in which all compressions are transparent.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use csp_checker::reference::{Simulator, State};
use csp_checker::{Counterexample, Evidence, Step};
use csp_compiler::assemble::{Compiler, Provenance, Role};
use csp_compiler::compress::Compressor;
use csp_compiler::evaluate::Evaluator;
use csp_compiler::process::ProcessId;
use csp_lts::{ComponentId, EventId, Network, RuleId, StateId};

use super::lift::{Behaviour, offered};
use super::repetition::repetition;

/// States of one operand that are looked at.
pub(super) const MOST_STATES: usize = 50_000;

/// What one component did: itself counted from the first of those it is opened into.
type Move = (u32, EventId, StateId, StateId);

/// Components that moved together.
type Together = Vec<Move>;

/// A stretch of a behaviour.
#[derive(Debug, Default)]
struct Stretch {
    /// For each event, what happened inside before it, and who moved in it.
    events: Vec<(Vec<Together>, Together)>,
    /// What happened inside after the last.
    last: Vec<Together>,
}

/// What a part did.
#[derive(Debug, Default)]
struct Run {
    first: Stretch,
    repeated: Option<Repeated>,
    /// How many components it is opened into.
    components: u32,
}

/// What a part does for ever.
#[derive(Debug, Default)]
struct Repeated {
    /// How many rounds of the cycle that was asked for are in the stretch before.
    before: usize,
    /// How many are in this one.
    rounds: usize,
    stretch: Stretch,
}

/// What a machine has to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Task {
    operand: ProcessId,
    events: Vec<EventId>,
    then: Then,
}

/// What is asked of a machine after its events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Then {
    Nothing,
    /// It ends stable and offers no more than this.
    Accepts(Vec<EventId>),
    /// It does these for ever; without any it is silent for ever.
    Repeats(Vec<EventId>),
}

/// Rounds of a cycle that are put together.
const MOST_ROUNDS: usize = 10_000;

/// Who opens parts.
pub(crate) struct Opener<'a> {
    pub(crate) evaluator: &'a mut Evaluator,
    /// Keeps states and knows the machines.
    pub(crate) compiler: &'a mut Compiler,
    pub(crate) compressor: &'a dyn Compressor,
    known: HashMap<Task, Rc<Run>>,
}

/// A network in which nothing is compressed, and a behaviour of it.
pub(crate) struct Opened {
    pub(crate) network: Network,
    pub(crate) provenance: Provenance,
    pub(crate) behaviour: Behaviour,
}

impl<'a> Opener<'a> {
    pub(crate) fn new(
        evaluator: &'a mut Evaluator,
        compiler: &'a mut Compiler,
        compressor: &'a dyn Compressor,
    ) -> Self {
        Self {
            evaluator,
            compiler,
            compressor,
            known: HashMap::new(),
        }
    }

    /// Opens all compressed parts of a network along a behaviour: part by part, or, where parts are switched off and
    /// on and cannot be put together, by a search of the whole.
    pub(crate) fn open(
        &mut self,
        process: ProcessId,
        network: &Network,
        provenance: &Provenance,
        behaviour: &Behaviour,
    ) -> Result<Opened, String> {
        self.part_by_part(process, network, provenance, behaviour)
            .or_else(|why| {
                let (network, provenance) = self.transparent(process)?;
                let found = anew(&network, &behaviour.counterexample).map_err(|_| why)?;
                Ok(Opened {
                    network,
                    provenance,
                    behaviour: found,
                })
            })
    }

    /// The network in which all compressions are transparent.
    fn transparent(&mut self, process: ProcessId) -> Result<(Network, Provenance), String> {
        let mut transparent = self.compiler.with_compressions_transparent();
        let compiled =
            transparent.compile_with_provenance(self.evaluator, process, self.compressor);
        compiled.map_err(|d| d.message.clone())
    }

    fn part_by_part(
        &mut self,
        process: ProcessId,
        network: &Network,
        provenance: &Provenance,
        behaviour: &Behaviour,
    ) -> Result<Opened, String> {
        let evidence = &behaviour.counterexample.evidence;
        let ends = !matches!(
            evidence,
            Evidence::Trace { .. } | Evidence::Divergence { .. } | Evidence::Nondeterminism { .. }
        );
        let steps = &behaviour.counterexample.steps;
        let cycle: &[Step] = match evidence {
            Evidence::Divergence { cycle } => cycle,
            _ => &[],
        };
        let told = Told {
            steps,
            cycle,
            end: ends.then_some(&behaviour.end),
        };
        let run = self.inside(network, provenance, &told)?;
        let other = match (evidence, &behaviour.other_end) {
            (Evidence::Nondeterminism { other, .. }, Some(end)) => {
                let told = Told {
                    steps: other,
                    cycle: &[],
                    end: Some(end),
                };
                Some(self.inside(network, provenance, &told)?)
            }
            _ => None,
        };
        let (network, provenance) = self.transparent(process)?;
        if network.components.len() != run.components as usize {
            return Err("without compressions the parts are different ones".to_owned());
        }
        let mut evidence = evidence.clone();
        let mut replay = Replay::new(&network)?;
        replay.go_through(&run.first)?;
        let (steps, end) = (std::mem::take(&mut replay.steps), replay.state.clone());
        if let (Evidence::Divergence { cycle }, Some(repeated)) = (&mut evidence, &run.repeated) {
            replay.go_through(&repeated.stretch)?;
            if replay.state != end || replay.steps.is_empty() {
                return Err("what opened parts repeat does not lead back".to_owned());
            }
            *cycle = std::mem::take(&mut replay.steps);
        }
        let mut other_end = None;
        if let (Evidence::Nondeterminism { other, .. }, Some(run)) = (&mut evidence, &other) {
            let mut replay = Replay::new(&network)?;
            replay.go_through(&run.first)?;
            *other = replay.steps;
            other_end = Some(replay.state);
        }
        let behaviour = Behaviour {
            counterexample: Counterexample { steps, evidence },
            end,
            other_end,
        };
        confirm(&network, &behaviour)?;
        Ok(Opened {
            network,
            provenance,
            behaviour,
        })
    }

    /// What the components of a network did, opened.
    fn inside(
        &mut self,
        network: &Network,
        provenance: &Provenance,
        told: &Told<'_>,
    ) -> Result<Run, String> {
        let mut operands: HashMap<ComponentId, ProcessId> = HashMap::new();
        for part in &provenance.parts {
            if let Role::Compressed(component, _, operand) = part.role {
                operands.insert(component, operand);
            }
        }
        let mut machines: Vec<Machine> = Vec::new();
        let mut offset = 0;
        for component in (0..network.components.len()).map(component_id) {
            let Some(&operand) = operands.get(&component) else {
                machines.push(Machine::plain(offset));
                offset += 1;
                continue;
            };
            let origin = &provenance.components[component.0 as usize];
            let own = |steps: &[Step]| -> Vec<EventId> {
                let moves = steps.iter().flat_map(|step| &step.moves);
                let own = moves.filter(|m| m.0 == component).map(|m| m.1);
                let own = own.filter(|e| *e != EventId::TAU && *e != EventId::OMEGA);
                own.map(|event| origin.own_event(event)).collect()
            };
            let moves_for_ever = told
                .cycle
                .iter()
                .any(|step| step.moves.iter().any(|m| m.0 == component));
            let stable = told.end.and_then(|end| acceptance(network, component, end));
            let then = match stable {
                _ if moves_for_ever => Then::Repeats(own(told.cycle)),
                Some(accepts) => Then::Accepts(accepts),
                None => Then::Nothing,
            };
            let run = self.machine(Task {
                operand,
                events: own(told.steps),
                then,
            })?;
            let components = run.components;
            machines.push(Machine::compressed(offset, run));
            offset += components;
        }
        let mut before = 0;
        let mut rounds = 1;
        for repeated in machines.iter().filter_map(Machine::repeated) {
            before = before.max(repeated.before);
            rounds = lcm(rounds, repeated.rounds);
            if before + rounds > MOST_ROUNDS {
                return Err(format!(
                    "compressed parts come back together after more than {MOST_ROUNDS} rounds"
                ));
            }
        }
        let mut quiet: Vec<Together> = Vec::new();
        for machine in &mut machines {
            machine.settle(&mut quiet);
        }
        let mut first = Stretch::default();
        for step in told.steps {
            together(&mut machines, step, &mut quiet, &mut first);
        }
        for _ in 0..before {
            for step in told.cycle {
                together(&mut machines, step, &mut quiet, &mut first);
            }
        }
        for machine in machines.iter().filter(|m| m.repeated().is_none()) {
            machine.end(&mut quiet);
        }
        first.last = quiet;
        let repeated = (!told.cycle.is_empty()).then(|| {
            let mut quiet: Vec<Together> = Vec::new();
            let mut stretch = Stretch::default();
            for _ in 0..rounds {
                for step in told.cycle {
                    together(&mut machines, step, &mut quiet, &mut stretch);
                }
            }
            stretch.last = quiet;
            Repeated {
                before,
                rounds,
                stretch,
            }
        });
        Ok(Run {
            first,
            repeated,
            components: offset,
        })
    }

    /// What a machine did, opened.
    fn machine(&mut self, task: Task) -> Result<Rc<Run>, String> {
        if let Some(run) = self.known.get(&task) {
            return Ok(Rc::clone(run));
        }
        let compiled =
            self.compiler
                .compile_with_provenance(self.evaluator, task.operand, self.compressor);
        let (network, provenance) = compiled.map_err(|d| d.message.clone())?;
        let run = match &task.then {
            Then::Repeats(cycle) => {
                let found = repetition(&network, &task.events, cycle)?;
                let told = Told {
                    steps: &found.steps,
                    cycle: &found.cycle,
                    end: None,
                };
                let mut run = self.inside(&network, &provenance, &told)?;
                // In rounds of what was asked for.
                if let Some(repeated) = &mut run.repeated {
                    repeated.before = found.before + repeated.before * found.rounds;
                    repeated.rounds *= found.rounds;
                }
                run
            }
            then => {
                let accepts = match then {
                    Then::Accepts(accepts) => Some(accepts.as_slice()),
                    _ => None,
                };
                let (steps, end) = search(&network, &task.events, accepts)?;
                let told = Told {
                    steps: &steps,
                    cycle: &[],
                    end: accepts.map(|_| &end),
                };
                self.inside(&network, &provenance, &told)?
            }
        };
        let run = Rc::new(run);
        self.known.insert(task, Rc::clone(&run));
        Ok(run)
    }
}

/// A behaviour of a network: steps, what is then repeated for ever, and where it ends if that matters.
struct Told<'a> {
    steps: &'a [Step],
    cycle: &'a [Step],
    end: Option<&'a State>,
}

/// A component on its way through what it did.
struct Machine {
    /// The first of the components that it is opened into.
    offset: u32,
    run: Option<Rc<Run>>,
    /// How many of its events have been taken.
    done: usize,
}

impl Machine {
    fn plain(offset: u32) -> Self {
        Self {
            offset,
            run: None,
            done: 0,
        }
    }

    fn compressed(offset: u32, run: Rc<Run>) -> Self {
        Self {
            offset,
            run: Some(run),
            done: 0,
        }
    }

    fn repeated(&self) -> Option<&Repeated> {
        self.run.as_ref()?.repeated.as_ref()
    }

    /// What happens inside at once, where a stretch has come to its end and another one follows.
    fn settle(&self, quiet: &mut Vec<Together>) {
        let (Some(run), Some(repeated)) = (&self.run, self.repeated()) else {
            return;
        };
        let first = run.first.events.len();
        let round = repeated.stretch.events.len();
        let last = if self.done == first {
            &run.first.last
        } else if self.done > first && (self.done - first).is_multiple_of(round.max(1)) {
            &repeated.stretch.last
        } else {
            return;
        };
        quiet.extend(last.iter().map(|t| shifted(t, self.offset)));
    }

    /// What happens inside at the end of a part that repeats nothing.
    fn end(&self, quiet: &mut Vec<Together>) {
        let last = self.run.iter().flat_map(|run| &run.first.last);
        quiet.extend(last.map(|t| shifted(t, self.offset)));
    }

    /// The next event, with what happens before and after it.
    fn next(&mut self, quiet: &mut Vec<Together>, moves: &mut Together) {
        let Some(run) = self.run.clone() else {
            return;
        };
        let first = &run.first.events;
        let event = match (first.get(self.done), &run.repeated) {
            (Some(event), _) => Some(event),
            (None, Some(repeated)) => {
                let again = &repeated.stretch.events;
                again.get((self.done - first.len()) % again.len().max(1))
            }
            (None, None) => None,
        };
        if let Some((before, together)) = event {
            quiet.extend(before.iter().map(|t| shifted(t, self.offset)));
            moves.extend(shifted(together, self.offset));
            self.done += 1;
        }
    }

    /// One round of a part that is silent for ever.
    fn silence(&self, quiet: &mut Vec<Together>) {
        let Some(run) = &self.run else {
            return;
        };
        let has_begun = self.done >= run.first.events.len();
        let silent = self.repeated().filter(|r| r.stretch.events.is_empty());
        if let Some(repeated) = silent.filter(|_| has_begun) {
            let round = repeated.stretch.last.iter();
            quiet.extend(round.map(|t| shifted(t, self.offset)));
        }
    }
}

/// Puts together who moved in a step.
fn together(
    machines: &mut [Machine],
    step: &Step,
    quiet: &mut Vec<Together>,
    stretch: &mut Stretch,
) {
    let mut together = Together::new();
    let mut moved = Vec::new();
    for &(component, event, before, after) in &step.moves {
        let machine = &mut machines[component.0 as usize];
        if machine.run.is_none() {
            together.push((machine.offset, event, before, after));
        } else if event == EventId::TAU {
            machine.silence(quiet);
        } else if event != EventId::OMEGA {
            machine.next(quiet, &mut together);
            moved.push(component);
        }
    }
    if step.event != EventId::TAU {
        stretch.events.push((std::mem::take(quiet), together));
    } else if !together.is_empty() {
        quiet.push(together);
    }
    for component in moved {
        machines[component.0 as usize].settle(quiet);
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x.max(1) * b
}

/// The same moves, with components counted from elsewhere.
fn shifted(moves: &[Move], offset: u32) -> Together {
    let moves = moves.iter();
    moves
        .map(|&(component, event, before, after)| (component + offset, event, before, after))
        .collect()
}

fn component_id(place: usize) -> ComponentId {
    ComponentId(u32::try_from(place).expect("components are numbered by u32"))
}

/// What a component offers in a state of the network, if it is stable there.
fn acceptance(network: &Network, component: ComponentId, state: &State) -> Option<Vec<EventId>> {
    let lts = &network.components[component.0 as usize].lts;
    let mut events: Vec<EventId> = lts
        .transitions(state[component.0 as usize])
        .map(|(event, _)| event)
        .collect();
    if events.contains(&EventId::TAU) {
        return None;
    }
    events.retain(|event| *event != EventId::OMEGA);
    events.sort_unstable();
    events.dedup();
    Some(events)
}

/// The node that one was reached from, and the steps from there.
type Way = (usize, Vec<Step>);

/// A shortest behaviour with these events that ends as it must.
fn search(
    network: &Network,
    events: &[EventId],
    accepts: Option<&[EventId]>,
) -> Result<(Vec<Step>, State), String> {
    let simulator = Simulator::new(network);
    let endless = "chasing inside a compressed part does not end";
    let (start, opening) = simulator.initial().map_err(|_| endless.to_owned())?;
    let mut nodes: Vec<(State, usize, Option<Way>)> = vec![(start, 0, None)];
    let mut seen: HashSet<(usize, State)> = HashSet::new();
    let mut waiting = VecDeque::from([0]);
    while let Some(at) = waiting.pop_front() {
        let (state, done) = (nodes[at].0.clone(), nodes[at].1);
        if !seen.insert((done, state.clone())) {
            continue;
        }
        if done == events.len() && is_end(&simulator, &state, accepts) {
            let mut parts = Vec::new();
            let mut back = at;
            while let Some((before, steps)) = nodes[back].2.take() {
                parts.push(steps);
                back = before;
            }
            parts.push(opening);
            parts.reverse();
            return Ok((parts.concat(), state));
        }
        if nodes.len() > MOST_STATES {
            return Err(format!(
                "a compressed part was searched for {MOST_STATES} states"
            ));
        }
        for successor in simulator.successors(&state).unwrap_or_default() {
            let event = successor.steps[0].event;
            let next = match events.get(done) {
                _ if event == EventId::TAU => done,
                Some(wanted) if *wanted == event => done + 1,
                _ => continue,
            };
            nodes.push((successor.state, next, Some((at, successor.steps))));
            waiting.push_back(nodes.len() - 1);
        }
    }
    Err("the behaviour of a compressed part was not found in what it stands for".to_owned())
}

fn is_end(simulator: &Simulator<'_>, state: &State, accepts: Option<&[EventId]>) -> bool {
    accepts.is_none_or(|accepts| {
        let events = offered(simulator, state);
        events.iter().all(|event| accepts.contains(event))
    })
}

/// A behaviour of a network with the same events and the same end as a counterexample of another one, found by search.
pub(super) fn anew(
    network: &Network,
    counterexample: &Counterexample,
) -> Result<Behaviour, String> {
    let trace = counterexample.trace();
    let mut evidence = counterexample.evidence.clone();
    let mut other_end = None;
    let (steps, end) = match &mut evidence {
        Evidence::Trace { .. } | Evidence::MissingTrace { .. } => search(network, &trace, None)?,
        Evidence::Deadlock => search(network, &trace, Some(&[]))?,
        Evidence::Refusal { offered, .. } | Evidence::Revival { offered, .. } => {
            search(network, &trace, Some(offered))?
        }
        Evidence::Divergence { cycle } => {
            let found = repetition(network, &trace, &[])?;
            *cycle = found.cycle;
            (found.steps, found.end)
        }
        Evidence::Nondeterminism { other, offered, .. } => {
            let seen = other.iter().map(|step| step.event);
            let seen: Vec<EventId> = seen.filter(|event| *event != EventId::TAU).collect();
            let (steps, end) = search(network, &seen, Some(offered))?;
            *other = steps;
            other_end = Some(end);
            search(network, &trace, None)?
        }
        Evidence::RefusalTrace { .. } => {
            return Err("what is refused on the way is not searched for".to_owned());
        }
    };
    Ok(Behaviour {
        counterexample: Counterexample { steps, evidence },
        end,
        other_end,
    })
}

/// A behaviour that is made on a network, each step by the simulator.
struct Replay<'a> {
    simulator: Simulator<'a>,
    rules: HashMap<Vec<(ComponentId, EventId)>, Vec<RuleId>>,
    steps: Vec<Step>,
    state: State,
}

impl<'a> Replay<'a> {
    /// At the start.
    fn new(network: &'a Network) -> Result<Self, String> {
        let simulator = Simulator::new(network);
        let mut rules: HashMap<Vec<(ComponentId, EventId)>, Vec<RuleId>> = HashMap::new();
        for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
            let participants = rule.participants.iter().copied();
            let key = participants.filter(|p| p.1 != EventId::OMEGA).collect();
            rules.entry(key).or_default().push(id);
        }
        let endless = |_| "chasing does not end".to_owned();
        let (state, steps) = simulator.initial().map_err(endless)?;
        Ok(Self {
            simulator,
            rules,
            steps,
            state,
        })
    }

    fn go_through(&mut self, stretch: &Stretch) -> Result<(), String> {
        for (quiet, event) in &stretch.events {
            for together in quiet {
                self.go(together)?;
            }
            self.go(event)?;
        }
        stretch
            .last
            .iter()
            .try_for_each(|together| self.go(together))
    }

    fn go(&mut self, moves: &[Move]) -> Result<(), String> {
        let mut moves: Vec<(ComponentId, EventId, StateId, StateId)> = moves
            .iter()
            .filter(|m| m.1 != EventId::OMEGA)
            .map(|m| (ComponentId(m.0), m.1, m.2, m.3))
            .collect();
        moves.sort_unstable();
        let key: Vec<(ComponentId, EventId)> = moves.iter().map(|m| (m.0, m.1)).collect();
        for &rule in self.rules.get(&key).into_iter().flatten() {
            if !self.simulator.can_fire(&self.state, rule) {
                continue;
            }
            for (step, next) in self.simulator.fire(&self.state, rule) {
                let own = step.moves.iter().filter(|m| m.1 != EventId::OMEGA);
                if own.eq(moves.iter()) {
                    self.steps.push(step);
                    self.state = next;
                    return Ok(());
                }
            }
        }
        Err("a step of opened parts is not one of the whole".to_owned())
    }
}

/// Whether the end refuses what the counterexample says.
fn confirm(network: &Network, behaviour: &Behaviour) -> Result<(), String> {
    let (said, end): (&[EventId], &State) = match &behaviour.counterexample.evidence {
        Evidence::Deadlock => (&[], &behaviour.end),
        Evidence::Refusal { offered, .. } | Evidence::Revival { offered, .. } => {
            (offered, &behaviour.end)
        }
        Evidence::Nondeterminism { offered, .. } => {
            let end = behaviour.other_end.as_ref();
            (offered, end.ok_or("the second behaviour is missing")?)
        }
        _ => return Ok(()),
    };
    let events = offered(&Simulator::new(network), end);
    if events.iter().all(|event| said.contains(event)) {
        return Ok(());
    }
    Err("opened parts do not end as the whole does".to_owned())
}
