//! Counterexamples as reports.

mod terms;

use std::cell::OnceCell;

use csp_checker::{Counterexample, Evidence, Step};
use csp_lts::{ComponentId, EventId, EventTable, Network, StateId};

use crate::report::{
    CounterexampleReport, MoveReport, PartKind, PartReport, StepReport, TermReport,
};
use terms::Terms;

/// Names events and components.
pub(crate) struct Naming<'a> {
    events: &'a EventTable,
    network: &'a Network,
    /// By component, made when first needed.
    terms: Vec<OnceCell<Terms>>,
}

impl<'a> Naming<'a> {
    pub(crate) fn new(events: &'a EventTable, network: &'a Network) -> Self {
        let terms = network.components.iter().map(|_| OnceCell::new());
        Self {
            events,
            network,
            terms: terms.collect(),
        }
    }

    fn event(&self, event: EventId) -> String {
        self.events.name(event)
    }

    fn all(&self, events: &[EventId]) -> Vec<String> {
        events.iter().map(|e| self.event(*e)).collect()
    }

    fn revealed(&self, steps: &[Step]) -> Vec<String> {
        steps.iter().map(|s| self.event(s.revealed)).collect()
    }

    fn steps(&self, steps: &[Step]) -> Vec<StepReport> {
        steps.iter().map(|s| self.step(s)).collect()
    }

    fn step(&self, step: &Step) -> StepReport {
        let moves = step
            .moves
            .iter()
            .map(|(component, event, before, after)| MoveReport {
                part: component.0 as usize,
                component: self.network.components[component.0 as usize].name.clone(),
                event: self.event(*event),
                before: self.term(*component, *before),
                after: self.term(*component, *after),
            })
            .collect();
        StepReport {
            event: self.event(step.event),
            revealed: self.event(step.revealed),
            chased: step.chased,
            allowed: None,
            moves,
        }
    }

    fn term(&self, component: ComponentId, state: StateId) -> TermReport {
        let terms = &self.terms[component.0 as usize];
        let component = &self.network.components[component.0 as usize];
        let terms = terms.get_or_init(|| Terms::new(&component.lts, [component.initial]));
        let events = self.all(&terms.way(state).1);
        TermReport {
            text: terms::after(&component.name, &events),
            span: None,
        }
    }

    fn parts(&self) -> Vec<PartReport> {
        let components = self.network.components.iter().enumerate();
        components
            .map(|(id, component)| PartReport {
                id,
                parent: None,
                label: component.name.clone(),
                operator: None,
                span: None,
                kind: PartKind::Component,
                initial: Some(TermReport {
                    text: component.name.clone(),
                    span: None,
                }),
            })
            .collect()
    }

    /// The report of a counterexample.
    pub(crate) fn report(&self, counterexample: &Counterexample) -> CounterexampleReport {
        let trace = self.all(&counterexample.trace());
        let hidden = counterexample
            .steps
            .iter()
            .filter(|s| s.event == EventId::TAU)
            .count();
        let before = |visible: usize| after(visible, hidden);
        let mut report = CounterexampleReport {
            kind: "trace".into(),
            revealed: self.revealed(&counterexample.steps),
            parts: self.parts(),
            steps: self.steps(&counterexample.steps),
            trace,
            ..CounterexampleReport::default()
        };
        let events = report.trace.len();
        match &counterexample.evidence {
            Evidence::Trace { allowed } => {
                report.specification = vec![self.all(allowed)];
                let last = report.trace.last().cloned().unwrap_or_default();
                report.explanation = format!(
                    "{} it does {last}, which the specification does not allow",
                    before(events.saturating_sub(1))
                );
            }
            Evidence::Refusal {
                offered,
                acceptances,
            } => {
                report.kind = "refusal".into();
                report.offered = self.all(offered);
                report.specification = acceptances.iter().map(|a| self.all(a)).collect();
                report.explanation = format!(
                    "{} it can refuse more than the specification allows",
                    before(events)
                );
            }
            Evidence::Divergence { cycle } => {
                report.kind = "divergence".into();
                report.cycle = self.revealed(cycle);
                report.cycle_steps = self.steps(cycle);
                report.explanation =
                    format!("{} it can do internal events for ever", before(events));
            }
            Evidence::Deadlock => {
                report.kind = "deadlock".into();
                report.explanation = format!("{} nothing is possible any more", before(events));
            }
            Evidence::Nondeterminism {
                event,
                other,
                offered,
            } => {
                report.kind = "determinism".into();
                report.offered = self.all(offered);
                report.other = self.revealed(other);
                report.other_steps = self.steps(other);
                let both = counterexample.steps.iter().zip(other);
                report.parting = Some(both.take_while(|(a, b)| a == b).count());
                report.explanation = format!(
                    "{} it can do {} or refuse it",
                    before(events.saturating_sub(1)),
                    self.event(*event)
                );
            }
            Evidence::Revival {
                event,
                offered,
                acceptances,
            } => {
                report.kind = "revival".into();
                report.offered = self.all(offered);
                report.specification = acceptances.iter().map(|a| self.all(a)).collect();
                report.explanation = format!(
                    "{} it can do {} while refusing more than the specification allows",
                    before(events),
                    self.event(*event)
                );
            }
            Evidence::RefusalTrace { observed, allowed } => {
                report.kind = "refusal trace".into();
                report.specification = vec![self.all(allowed)];
                report.observed = observed
                    .iter()
                    .map(|o| o.as_ref().map(|events| self.all(events)))
                    .collect();
                report.explanation = format!(
                    "{} it refuses, on the way or at the end, what the specification does not",
                    before(events)
                );
            }
            Evidence::MissingTrace { done } => {
                report.kind = "missing trace".into();
                report.explanation =
                    format!("Only the first {done} events of the trace can be done.");
            }
        }
        report
    }
}

/// How far the behaviour had come, in words.
fn after(visible: usize, hidden: usize) -> String {
    let events = |n: usize| {
        if n == 1 {
            "one event".to_owned()
        } else {
            format!("{n} events")
        }
    };
    match (visible, hidden) {
        (0, 0) => "At the start".to_owned(),
        (visible, 0) => format!("After {}", events(visible)),
        (0, 1) => "After one hidden event".to_owned(),
        (0, hidden) => format!("After {hidden} hidden events"),
        (visible, hidden) => format!("After {} and {hidden} hidden", events(visible)),
    }
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn places_are_worded() {
        assert_eq!(after(0, 0), "At the start");
        assert_eq!(after(1, 0), "After one event");
        assert_eq!(after(2, 3), "After 2 events and 3 hidden");
        assert_eq!(after(0, 1), "After one hidden event");
    }
}
