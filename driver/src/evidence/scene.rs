//! Everything that evidence needs to name what happens in a network: events, parts, states.

use std::cell::OnceCell;
use std::collections::HashMap;

use csp_checker::Step;
use csp_compiler::assemble::Provenance;
use csp_compiler::process::{ProcessId, Processes};
use csp_grammar::Span;
use csp_grammar::source::Sources;
use csp_lts::{ComponentId, EventId, EventTable, Network, StateId};

use super::parts::Rows;
use super::terms::{Terms, after};
use crate::report::{MoveReport, PartKind, PartReport, SpanReport, StepReport, TermReport};

/// The longest name of a state, in characters.
const LONGEST: usize = 160;

/// What the states of components are called, where they have a name of their own.
pub(crate) trait StateNames {
    /// Whether a state has a name.
    fn is_named(&self, component: ComponentId, state: StateId) -> bool;

    /// The name of a state that has one.
    fn name(&self, component: ComponentId, state: StateId) -> Option<String>;

    /// Where the process of a state is written.
    fn span(&self, component: ComponentId, state: StateId) -> Option<SpanReport>;
}

/// Names from the processes that the states are.
pub(crate) struct FromProcesses<'a> {
    pub(crate) processes: &'a dyn Processes,
    pub(crate) provenance: &'a Provenance,
    pub(crate) sources: &'a Sources,
}

impl FromProcesses<'_> {
    fn process(&self, component: ComponentId, state: StateId) -> Option<ProcessId> {
        let origin = &self.provenance.components[component.0 as usize];
        let states = origin.states.as_ref()?;
        states.get(state.0 as usize).copied()
    }
}

impl StateNames for FromProcesses<'_> {
    fn is_named(&self, component: ComponentId, state: StateId) -> bool {
        let process = self.process(component, state);
        process.is_some_and(|process| self.processes.is_named(process))
    }

    fn name(&self, component: ComponentId, state: StateId) -> Option<String> {
        let process = self.process(component, state)?;
        let is_named = self.processes.is_named(process);
        is_named.then(|| self.processes.describe(process))
    }

    fn span(&self, component: ComponentId, state: StateId) -> Option<SpanReport> {
        let process = self.process(component, state)?;
        span_report(self.sources, self.processes.span(process))
    }
}

/// Nothing is known of states.
pub(crate) struct Unnamed;

impl StateNames for Unnamed {
    fn is_named(&self, _: ComponentId, _: StateId) -> bool {
        false
    }

    fn name(&self, _: ComponentId, _: StateId) -> Option<String> {
        None
    }

    fn span(&self, _: ComponentId, _: StateId) -> Option<SpanReport> {
        None
    }
}

/// A place in a script, if there is one.
pub(crate) fn span_report(sources: &Sources, span: Span) -> Option<SpanReport> {
    if span == Span::default() {
        return None;
    }
    let (line, column) = sources.position(span.file, span.start);
    let (end_line, end_column) = sources.position(span.file, span.end);
    Some(SpanReport {
        file: sources.files.get(span.file.0 as usize)?.name.clone(),
        line,
        column,
        end_line,
        end_column,
    })
}

/// A process as the script writes it, if that is short.
pub(crate) fn written(sources: &Sources, span: Span) -> Option<String> {
    const LONGEST: usize = 48;
    let file = sources.files.get(span.file.0 as usize)?;
    let text = file.text.get(span.start as usize..span.end as usize)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let fits = !text.is_empty() && text.chars().count() <= LONGEST;
    fits.then_some(text)
}

/// Events of components that exist only inside the network, and those that they stand for.
pub(crate) type StandIns = Vec<HashMap<EventId, EventId>>;

/// A network with what its events, parts and states are called.
pub(crate) struct Scene<'a> {
    pub(crate) events: &'a EventTable,
    pub(crate) network: &'a Network,
    pub(crate) rows: &'a Rows,
    pub(crate) stand_ins: &'a StandIns,
    pub(crate) names: &'a dyn StateNames,
    /// By component, made when first needed.
    pub(crate) terms: &'a [OnceCell<Terms>],
}

/// Room for what a scene finds out about each component.
pub(crate) fn no_terms(network: &Network) -> Vec<OnceCell<Terms>> {
    network.components.iter().map(|_| OnceCell::new()).collect()
}

/// What the events of components stand for.
pub(crate) fn stand_ins(provenance: &Provenance) -> StandIns {
    let origins = provenance.components.iter();
    origins
        .map(|origin| {
            let mut pairs: Vec<_> = origin.stand_ins.iter().collect();
            pairs.sort();
            pairs.into_iter().map(|(a, b)| (*a, *b)).collect()
        })
        .collect()
}

impl Scene<'_> {
    pub(crate) fn event(&self, event: EventId) -> String {
        self.events.name(event)
    }

    pub(crate) fn all(&self, events: &[EventId]) -> Vec<String> {
        events.iter().map(|e| self.event(*e)).collect()
    }

    pub(crate) fn revealed(&self, steps: &[Step]) -> Vec<String> {
        steps.iter().map(|s| self.event(s.revealed)).collect()
    }

    /// The name of an event of a component, before renaming and hiding.
    pub(crate) fn own_event(&self, component: ComponentId, event: EventId) -> String {
        let own = &self.stand_ins[component.0 as usize];
        self.event(own.get(&event).copied().unwrap_or(event))
    }

    pub(crate) fn row(&self, component: ComponentId) -> usize {
        self.rows.row_of[component.0 as usize]
    }

    pub(crate) fn label(&self, component: ComponentId) -> &str {
        &self.rows.rows[self.row(component)].label
    }

    pub(crate) fn is_controller(&self, component: ComponentId) -> bool {
        self.rows.is_controller[component.0 as usize]
    }

    /// Whether a component has terminated or is switched off in a state.
    pub(crate) fn has_ended(&self, component: ComponentId, state: StateId) -> bool {
        let lts = &self.network.components[component.0 as usize].lts;
        let mut edges = lts.edges(state).iter();
        edges.any(|edge| lts.label(edge).contains(EventId::OMEGA))
    }

    /// What a state of a component is called.
    pub(crate) fn term(&self, component: ComponentId, state: StateId) -> TermReport {
        let body = &self.network.components[component.0 as usize];
        let span = self.names.span(component, state);
        if self.has_ended(component, state) && !self.names.is_named(component, state) {
            let text = "terminated".to_owned();
            return TermReport { text, span };
        }
        let terms = self.terms[component.0 as usize].get_or_init(|| {
            let states = body.lts.states();
            let named = states.filter(|s| self.names.is_named(component, *s));
            Terms::new(&body.lts, std::iter::once(body.initial).chain(named))
        });
        let (start, events) = terms.way(state);
        let name = self.names.name(component, start);
        let name = name.unwrap_or_else(|| body.name.clone());
        let events: Vec<String> = events
            .iter()
            .map(|event| self.own_event(component, *event))
            .collect();
        let text = shortened(after(&name, &events));
        TermReport { text, span }
    }

    /// The parts; `kept` says which components the search has seen.
    pub(crate) fn parts(
        &self,
        kept: impl Fn(ComponentId) -> bool,
        place: impl Fn(ProcessId) -> Option<SpanReport>,
    ) -> Vec<PartReport> {
        let rows = self.rows.rows.iter().enumerate();
        rows.map(|(id, row)| PartReport {
            id,
            parent: row.parent,
            label: shortened(row.label.clone()),
            operator: row.operator.map(str::to_owned),
            span: row.process.and_then(&place),
            kind: match row.component {
                None => PartKind::Operator,
                Some(component) if !kept(component) => PartKind::Removed,
                Some(_) if row.compressed.is_some() => PartKind::Compressed,
                Some(_) => PartKind::Component,
            },
            initial: row.component.map(|component| {
                let body = &self.network.components[component.0 as usize];
                self.term(component, body.initial)
            }),
        })
        .collect()
    }

    pub(crate) fn steps(&self, steps: &[Step]) -> Vec<StepReport> {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> StepReport {
        // Parts that only say which operands are live, or are asked whether they have ended, do nothing.
        let moved = |m: &&(ComponentId, EventId, StateId, StateId)| {
            !self.is_controller(m.0) && m.1 != EventId::OMEGA
        };
        let moves = step.moves.iter().filter(moved);
        StepReport {
            event: self.event(step.event),
            revealed: self.event(step.revealed),
            chased: step.chased,
            allowed: None,
            moves: moves
                .map(|&(component, event, before, after)| MoveReport {
                    part: self.row(component),
                    component: self.label(component).to_owned(),
                    event: self.own_event(component, event),
                    before: self.term(component, before),
                    after: self.term(component, after),
                })
                .collect(),
        }
    }
}

fn shortened(text: String) -> String {
    if text.chars().count() <= LONGEST {
        return text;
    }
    let start: String = text.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}
