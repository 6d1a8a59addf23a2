//! Compressed parts opened: the behaviour of what a compression stands for, found when it is asked for.
//!
//! A machine that a compression has made shows what it did, one event after the other, and where it ended.
//! Its operand is a network; a shortest behaviour of that network with the same events is searched, one
//! that ends in a stable state which offers no more if the machine ended in such a state. The operand's
//! own machines are opened in the same way. So a thousand parts in one another cost a thousand small
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

/// States of one operand that are looked at.
const MOST_STATES: usize = 50_000;

/// What one component did: itself counted from the first of those it is opened into.
type Move = (u32, EventId, StateId, StateId);

/// Components that moved together.
type Together = Vec<Move>;

/// What a part did.
#[derive(Debug, Default)]
struct Run {
    /// For each of its events, what happened inside before it, and who moved in it.
    events: Vec<(Vec<Together>, Together)>,
    /// What happened inside after the last.
    last: Vec<Together>,
    /// How many components it is opened into.
    components: u32,
}

/// What a machine has to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Task {
    operand: ProcessId,
    events: Vec<EventId>,
    /// If it ends stable: what it may offer then.
    accepts: Option<Vec<EventId>>,
}

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

    /// Opens all compressed parts of a network along a behaviour.
    pub(crate) fn open(
        &mut self,
        process: ProcessId,
        network: &Network,
        provenance: &Provenance,
        behaviour: &Behaviour,
    ) -> Result<Opened, String> {
        let evidence = &behaviour.counterexample.evidence;
        if matches!(
            evidence,
            Evidence::Divergence { .. } | Evidence::Nondeterminism { .. }
        ) {
            return Err("compressed parts are opened along one behaviour that ends".to_owned());
        }
        let ends = !matches!(evidence, Evidence::Trace { .. });
        let steps = &behaviour.counterexample.steps;
        let run = self.inside(network, provenance, steps, &behaviour.end, ends)?;
        let mut transparent = self.compiler.with_compressions_transparent();
        let compiled =
            transparent.compile_with_provenance(self.evaluator, process, self.compressor);
        let (network, provenance) = compiled.map_err(|d| d.message.clone())?;
        if network.components.len() != run.components as usize {
            return Err("without compressions the parts are different ones".to_owned());
        }
        let (steps, end) = replayed(&network, &run)?;
        let behaviour = Behaviour {
            counterexample: Counterexample {
                steps,
                evidence: behaviour.counterexample.evidence.clone(),
            },
            end,
            other_end: None,
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
        steps: &[Step],
        end: &State,
        ends: bool,
    ) -> Result<Run, String> {
        let mut operands: HashMap<ComponentId, ProcessId> = HashMap::new();
        for part in &provenance.parts {
            if let Role::Compressed(component, _, operand) = part.role {
                operands.insert(component, operand);
            }
        }
        let mut offsets = Vec::new();
        let mut runs: Vec<Option<(Rc<Run>, usize)>> = Vec::new();
        let mut offset = 0;
        for component in (0..network.components.len()).map(component_id) {
            offsets.push(offset);
            let Some(&operand) = operands.get(&component) else {
                runs.push(None);
                offset += 1;
                continue;
            };
            let origin = &provenance.components[component.0 as usize];
            let moves = steps.iter().flat_map(|step| &step.moves);
            let own = moves.filter(|m| m.0 == component).map(|m| m.1);
            let own = own.filter(|e| *e != EventId::TAU && *e != EventId::OMEGA);
            let events = own.map(|event| origin.own_event(event)).collect();
            let accepts = ends.then(|| acceptance(network, component, end)).flatten();
            let run = self.machine(Task {
                operand,
                events,
                accepts,
            })?;
            offset += run.components;
            runs.push(Some((run, 0)));
        }
        let mut run = Run {
            components: offset,
            ..Run::default()
        };
        let mut quiet: Vec<Together> = Vec::new();
        for step in steps {
            let mut together = Together::new();
            for &(component, event, before, after) in &step.moves {
                let offset = offsets[component.0 as usize];
                match &mut runs[component.0 as usize] {
                    None => together.push((offset, event, before, after)),
                    Some(_) if event == EventId::TAU || event == EventId::OMEGA => {}
                    Some((inner, done)) => {
                        let (before, moves) = &inner.events[*done];
                        *done += 1;
                        quiet.extend(before.iter().map(|t| shifted(t, offset)));
                        together.extend(shifted(moves, offset));
                    }
                }
            }
            if step.event != EventId::TAU {
                run.events.push((std::mem::take(&mut quiet), together));
            } else if !together.is_empty() {
                quiet.push(together);
            }
        }
        for (inner, offset) in runs.iter().zip(offsets) {
            if let Some((inner, _)) = inner {
                quiet.extend(inner.last.iter().map(|t| shifted(t, offset)));
            }
        }
        run.last = quiet;
        Ok(run)
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
        let (steps, end) = search(&network, &task)?;
        let ends = task.accepts.is_some();
        let run = Rc::new(self.inside(&network, &provenance, &steps, &end, ends)?);
        self.known.insert(task, Rc::clone(&run));
        Ok(run)
    }
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
fn search(network: &Network, task: &Task) -> Result<(Vec<Step>, State), String> {
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
        if done == task.events.len() && is_end(&simulator, &state, task) {
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
            let next = match task.events.get(done) {
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

fn is_end(simulator: &Simulator<'_>, state: &State, task: &Task) -> bool {
    task.accepts.as_ref().is_none_or(|accepts| {
        let events = offered(simulator, state);
        events.iter().all(|event| accepts.contains(event))
    })
}

/// The run as steps of a network, each made by the simulator.
fn replayed(network: &Network, run: &Run) -> Result<(Vec<Step>, State), String> {
    let simulator = Simulator::new(network);
    let mut rules: HashMap<Vec<(ComponentId, EventId)>, Vec<RuleId>> = HashMap::new();
    for (id, rule) in (0..).map(RuleId).zip(&network.rules) {
        let participants = rule.participants.iter().copied();
        let key = participants.filter(|p| p.1 != EventId::OMEGA).collect();
        rules.entry(key).or_default().push(id);
    }
    let endless = |_| "chasing does not end".to_owned();
    let (mut state, mut steps) = simulator.initial().map_err(endless)?;
    let mut go = |moves: &[Move]| {
        let mut moves: Vec<(ComponentId, EventId, StateId, StateId)> = moves
            .iter()
            .filter(|m| m.1 != EventId::OMEGA)
            .map(|m| (ComponentId(m.0), m.1, m.2, m.3))
            .collect();
        moves.sort_unstable();
        let key: Vec<(ComponentId, EventId)> = moves.iter().map(|m| (m.0, m.1)).collect();
        for &rule in rules.get(&key).into_iter().flatten() {
            if !simulator.can_fire(&state, rule) {
                continue;
            }
            for (step, next) in simulator.fire(&state, rule) {
                let own = step.moves.iter().filter(|m| m.1 != EventId::OMEGA);
                if own.eq(moves.iter()) {
                    steps.push(step);
                    state = next;
                    return Ok(());
                }
            }
        }
        Err("a step of opened parts is not one of the whole".to_owned())
    };
    for (quiet, event) in &run.events {
        for together in quiet {
            go(together)?;
        }
        go(event)?;
    }
    for together in &run.last {
        go(together)?;
    }
    Ok((steps, state))
}

/// Whether the end refuses what the counterexample says.
fn confirm(network: &Network, behaviour: &Behaviour) -> Result<(), String> {
    let said: &[EventId] = match &behaviour.counterexample.evidence {
        Evidence::Deadlock => &[],
        Evidence::Refusal { offered, .. } | Evidence::Revival { offered, .. } => offered,
        _ => return Ok(()),
    };
    let events = offered(&Simulator::new(network), &behaviour.end);
    if events.iter().all(|event| said.contains(event)) {
        return Ok(());
    }
    Err("opened parts do not end as the whole does".to_owned())
}
