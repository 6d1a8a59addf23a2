//! The report of one counterexample.

use csp_checker::reference::State;
use csp_checker::{Counterexample, Evidence, Step};
use csp_lts::{EventId, Lts};

use super::allowed::Beside;
use super::scene::Scene;
use super::sentence::{self, Words, list};
use super::waits::{Refusal, Situation};
use crate::report::{CounterexampleReport, EndReport, PartReport, StepReport};

/// What a report is made of besides the counterexample.
pub(crate) struct Story<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) parts: Vec<PartReport>,
    pub(crate) specification: Option<&'a Lts>,
    /// `has trace`: the events that were asked for.
    pub(crate) asked: Vec<EventId>,
    pub(crate) words: Words,
}

/// Events of a specification that are listed at a step.
const ACCEPTED: usize = 200;

impl Story<'_> {
    /// The report of a counterexample. With the state it leads to (or, for determinism, the one that its
    /// second behaviour leads to), the report says why.
    pub(crate) fn report(
        &self,
        counterexample: &Counterexample,
        end: Option<&State>,
    ) -> CounterexampleReport {
        let scene = self.scene;
        let trace = counterexample.trace();
        let mut report = CounterexampleReport {
            kind: "trace".into(),
            trace: scene.all(&trace),
            revealed: scene.revealed(&counterexample.steps),
            parts: self.parts.clone(),
            steps: self.steps(&counterexample.steps),
            ..CounterexampleReport::default()
        };
        let hidden = counterexample.steps.len() - trace.len();
        let before = |visible: usize| after(visible, hidden);
        let events = trace.len();
        match &counterexample.evidence {
            Evidence::Trace { allowed } => {
                report.specification = vec![scene.all(allowed)];
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
                report.offered = scene.all(offered);
                report.specification = acceptances.iter().map(|a| scene.all(a)).collect();
                report.explanation = format!(
                    "{} it can refuse more than the specification allows",
                    before(events)
                );
            }
            Evidence::Divergence { cycle } => {
                report.kind = "divergence".into();
                report.cycle = scene.revealed(cycle);
                report.cycle_steps = scene.steps(cycle);
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
                report.offered = scene.all(offered);
                report.other = scene.revealed(other);
                report.other_steps = self.steps(other);
                let both = counterexample.steps.iter().zip(other);
                report.parting = Some(both.take_while(|(a, b)| a == b).count());
                report.explanation = format!(
                    "{} it can do {} or refuse it",
                    before(events.saturating_sub(1)),
                    scene.event(*event)
                );
            }
            Evidence::Revival {
                event,
                offered,
                acceptances,
            } => {
                report.kind = "revival".into();
                report.offered = scene.all(offered);
                report.specification = acceptances.iter().map(|a| scene.all(a)).collect();
                report.explanation = format!(
                    "{} it can do {} while refusing more than the specification allows",
                    before(events),
                    scene.event(*event)
                );
            }
            Evidence::RefusalTrace { observed, allowed } => {
                report.kind = "refusal trace".into();
                report.specification = vec![scene.all(allowed)];
                let names = |events: &Option<Vec<EventId>>| events.as_ref().map(|e| scene.all(e));
                report.observed = observed.iter().map(names).collect();
                report.explanation = format!(
                    "{} it refuses, on the way or at the end, what the specification does not",
                    before(events)
                );
            }
            Evidence::MissingTrace { done } => {
                report.kind = "missing trace".into();
                report.explanation = match done {
                    0 => "Not even the first event of the trace can be done".to_owned(),
                    1 => "Only the first event of the trace can be done".to_owned(),
                    done => format!("Only the first {done} events of the trace can be done"),
                };
            }
        }
        report.end = end.map(|state| self.end(counterexample, state, &report));
        report
    }

    /// The steps, each with what the specification accepts before it.
    fn steps(&self, steps: &[Step]) -> Vec<StepReport> {
        let mut reports = self.scene.steps(steps);
        let Some(lts) = self.specification else {
            return reports;
        };
        let mut beside = Beside::new(lts);
        let mut accepted = None;
        for (report, step) in reports.iter_mut().zip(steps) {
            let accepts = accepted.get_or_insert_with(|| {
                let events = beside.accepts();
                self.scene.all(&events[..events.len().min(ACCEPTED)])
            });
            report.allowed = Some(accepts.clone());
            if step.event != EventId::TAU {
                beside.step(step.event);
                accepted = None;
            }
        }
        reports
    }

    fn end(
        &self,
        counterexample: &Counterexample,
        state: &State,
        report: &CounterexampleReport,
    ) -> EndReport {
        let situation = Situation {
            scene: self.scene,
            state,
        };
        let is_stuck = matches!(counterexample.evidence, Evidence::Deadlock);
        let mut waits = situation.all(is_stuck);
        let refused: Vec<EventId> = match &counterexample.evidence {
            Evidence::Refusal {
                offered,
                acceptances,
            }
            | Evidence::Revival {
                offered,
                acceptances,
                ..
            } => {
                let mut wanted = acceptances.concat();
                wanted.retain(|event| !offered.contains(event));
                wanted.sort_unstable();
                wanted.dedup();
                wanted
            }
            Evidence::Nondeterminism { event, .. } => vec![*event],
            Evidence::MissingTrace { done } => self.asked.get(*done).copied().into_iter().collect(),
            _ => Vec::new(),
        };
        let sentence = match &counterexample.evidence {
            Evidence::Deadlock if !waits.cycle.is_empty() => {
                sentence::cycle(&self.parts, &waits.waits, &waits.cycle, &self.words)
            }
            Evidence::Deadlock => sentence::stuck(&self.parts, &waits.parts),
            Evidence::Divergence { .. } => self.loops(report),
            Evidence::Trace { .. } | Evidence::RefusalTrace { .. } => self.brought(report),
            _ => self.refused(&situation, &refused),
        };
        if !is_stuck {
            // Something is possible here, so who waits is at no fault, unless the event is refused.
            let names = self.scene.all(&refused);
            waits.waits.retain(|wait| names.contains(&wait.event));
            for part in &mut waits.parts {
                part.wants.retain(|want| names.contains(&want.event));
            }
        }
        EndReport {
            sentence,
            parts: waits.parts,
            waits: waits.waits,
            cycle: waits.cycle,
        }
    }

    fn loops(&self, report: &CounterexampleReport) -> String {
        let mut names: Vec<String> = Vec::new();
        for step in &report.cycle_steps {
            for m in &step.moves {
                if !names.contains(&m.component) {
                    names.push(m.component.clone());
                }
            }
        }
        let mut events = report.cycle.clone();
        events.dedup();
        let who = if names.is_empty() {
            "It repeats".to_owned()
        } else {
            let verb = if names.len() == 1 {
                "repeats"
            } else {
                "repeat"
            };
            format!("{} {verb}", list(&names))
        };
        format!("{who} {} for ever, unseen from outside.", list(&events))
    }

    fn brought(&self, report: &CounterexampleReport) -> String {
        let last = report.steps.iter().rev().find(|s| s.event != "τ");
        let Some(last) = last else {
            return "The specification does not allow this at the start.".to_owned();
        };
        let event = &last.event;
        let by = sentence::brought(last);
        let by = by.map_or_else(String::new, |by| format!(" comes from {by}"));
        let allows =
            report
                .specification
                .first()
                .map_or_else(String::new, |allowed| match &allowed[..] {
                    [] => "the specification allows nothing more there".to_owned(),
                    allowed => format!("the specification allows only {} there", list(allowed)),
                });
        if by.is_empty() {
            return format!("It does {event}; {allows}.");
        }
        format!("{event}{by}; {allows}.")
    }

    /// Why events are refused.
    fn refused(&self, situation: &Situation<'_>, events: &[EventId]) -> String {
        const TOLD: usize = 3;
        // Events that are refused for the same reason are told together.
        let mut groups: Vec<(Option<Refusal>, Vec<EventId>)> = Vec::new();
        for &event in events {
            let refusal = situation.why_not(event);
            match groups.iter_mut().find(|group| group.0 == refusal) {
                Some(group) => group.1.push(event),
                None => groups.push((refusal, vec![event])),
            }
        }
        let mut told: Vec<String> = Vec::new();
        for (refusal, events) in groups.iter().take(TOLD) {
            let names = list(&self.scene.all(events));
            told.push(in_words(situation, &names, refusal.as_ref()));
        }
        let more: usize = groups.iter().skip(TOLD).map(|group| group.1.len()).sum();
        match more {
            0 => {}
            1 => told.push("one more is refused".to_owned()),
            more => told.push(format!("{more} more are refused")),
        }
        if told.is_empty() {
            return "It refuses every event there.".to_owned();
        }
        format!("{}.", told.join("; "))
    }
}

/// Why nothing is possible in a state, in words.
pub(crate) fn why_stuck(situation: &Situation<'_>, words: &Words) -> String {
    let waits = situation.all(true);
    let parts = situation.scene.parts(|_| true, |_| None);
    if waits.cycle.is_empty() {
        return sentence::stuck(&parts, &waits.parts);
    }
    sentence::cycle(&parts, &waits.waits, &waits.cycle, words)
}

/// Why an event is not possible, in words.
pub(crate) fn why_refused(situation: &Situation<'_>, event: EventId) -> String {
    let name = situation.scene.event(event);
    in_words(situation, &name, situation.why_not(event).as_ref())
}

/// Why something, given by its name, is refused.
fn in_words(situation: &Situation<'_>, name: &str, refusal: Option<&Refusal>) -> String {
    let scene = situation.scene;
    let Some(refusal) = refusal else {
        return format!("what it does there does not include {name}");
    };
    if refusal.is_held_back {
        return format!("{name} is held back by something of higher priority");
    }
    let labels = |components: &[csp_lts::ComponentId]| {
        let mut names: Vec<String> = Vec::new();
        for &component in components {
            let label = scene.label(component).to_owned();
            if !names.contains(&label) {
                names.push(label);
            }
        }
        names
    };
    let first = refusal.refusing[0];
    let place = first.0 as usize;
    let state = scene.term(first, situation.state[place]).text;
    let offers = situation.own_offers(first);
    let label = scene.label(first);
    let refusing = labels(&refusal.refusing);
    let label = match refusing.len() {
        1 => "it",
        // The state says who it is.
        _ if state.starts_with(label) => state.as_str(),
        _ => label,
    };
    let here = if label == state || state == scene.label(first) {
        String::new()
    } else {
        format!(" is {state} and")
    };
    let verb = if refusing.len() == 1 {
        "refuses"
    } else {
        "refuse"
    };
    let ready = labels(&refusal.ready);
    let ready = if ready.is_empty() {
        String::new()
    } else {
        format!("{} would do {name}, but ", list(&ready))
    };
    let what = if ready.is_empty() { name } else { "it" };
    let detail = if offers.is_empty() {
        format!("{label}{here} offers nothing")
    } else {
        format!("{label}{here} offers only {}", list(&offers))
    };
    format!("{ready}{} {verb} {what}: {detail}", list(&refusing))
}

/// How far the behaviour had come, in words.
pub(crate) fn after(visible: usize, hidden: usize) -> String {
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
        (visible, 1) => format!("After {} and one hidden", events(visible)),
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
        assert_eq!(after(1, 1), "After one event and one hidden");
    }
}
