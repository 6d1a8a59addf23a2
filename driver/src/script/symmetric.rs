//! Symmetries that a script declares (`--@ symmetric: Type`), and what is said where there is none.

use std::collections::BTreeSet;

use csp_checker::{Asymmetry, Claim, Exchange};
use csp_compiler::evaluate::exchange;
use csp_compiler::hir;
use csp_compiler::resolve::spelling::{did_you_mean, nearest};
use csp_grammar::{Diagnostic, Span};
use csp_lts::{EventId, Network};

use super::Script;
use crate::pragma::Pragmas;

/// Components that are named before the rest is counted.
const MOST_NAMED: usize = 3;

impl Script {
    /// The exchanges of neighbouring values of the types that an assertion declares to be symmetric.
    pub(super) fn exchanges(
        &mut self,
        assertion: &hir::Assertion,
        claim: &Claim,
    ) -> Result<Vec<Exchange>, Box<Diagnostic>> {
        let names = Pragmas::of(assertion).symmetric;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let events = events_of(claim);
        let span = declaration(assertion);
        let mut exchanges = Vec::new();
        for name in names {
            let of = self.type_named(&name, span)?;
            let program = &self.program;
            let evaluator = self.evaluator.as_mut().expect("the claim was evaluated");
            let Some(values) = evaluator.values_of(of)? else {
                let message = format!("`{name}` has no values that could be listed");
                return Err(Box::new(Diagnostic::error("E0611", span, message)));
            };
            for pair in values.windows(2) {
                let exchange = exchange::Exchange {
                    program,
                    of,
                    values: (&pair[0], &pair[1]),
                };
                let images = events.iter().map(|event| {
                    let image = evaluator.exchanged(&exchange, *event);
                    (*event, image)
                });
                let events = images.filter(|(event, image)| event != image).collect();
                let [a, b] = [0, 1].map(|at| evaluator.show(&pair[at]));
                let what = format!("`{a}` and `{b}` of `{name}`");
                exchanges.push(Exchange { what, events });
            }
        }
        Ok(exchanges)
    }

    fn type_named(&self, name: &str, span: Span) -> Result<hir::GlobalId, Box<Diagnostic>> {
        let globals = || (0..).zip(&self.program.globals);
        if let Some((id, global)) = globals().find(|(_, global)| global.name == name) {
            use hir::GlobalKind::{Bound, Datatype, Nametype, Subtype, Value};
            if let Value(_) | Bound(_) | Datatype { .. } | Subtype { .. } | Nametype(_) =
                &global.kind
            {
                return Ok(hir::GlobalId(id));
            }
        }
        let message = format!("`{name}` is neither a type nor a set of values");
        let mut diagnostic = Diagnostic::error("E0611", span, message);
        let names = globals().map(|(_, global)| global.name.as_str());
        if let Some(help) = did_you_mean(&nearest(name, names)) {
            diagnostic = diagnostic.help(help);
        }
        Err(Box::new(diagnostic))
    }

    /// A declared symmetry that does not hold.
    pub(super) fn asymmetric(
        &self,
        assertion: &hir::Assertion,
        what: &str,
        why: &Asymmetry,
    ) -> Diagnostic {
        let why = self.asymmetry(assertion, why);
        let message = format!("{what} cannot be exchanged: {why}");
        Diagnostic::error("E0611", declaration(assertion), message)
    }

    /// What keeps an assertion from being symmetric, in words.
    pub(super) fn asymmetry(&self, assertion: &hir::Assertion, why: &Asymmetry) -> String {
        let name = |event: EventId| match &self.evaluator {
            Some(evaluator) => evaluator.events().name(event),
            None => format!("event {}", event.0),
        };
        match why {
            Asymmetry::Property(events) => {
                let property = match &assertion.claim {
                    hir::Claim::Refines { .. } => {
                        let text = assertion.text.split(" [").next().unwrap_or_default();
                        format!("the specification `{}`", text.trim())
                    }
                    _ => "the property".to_owned(),
                };
                match events {
                    Some((a, b)) => {
                        format!("{property} tells `{}` from `{}`", name(*a), name(*b))
                    }
                    None => format!("{property} breaks it"),
                }
            }
            Asymmetry::Missing(event, image) => format!(
                "the process can do `{}` and never `{}`",
                name(*event),
                name(*image)
            ),
            Asymmetry::Rule {
                event,
                image,
                components,
            } => {
                let who = listed(components);
                let does = if components.len() == 1 { "does" } else { "do" };
                let (event, image) = (name(*event), name(*image));
                let rule = format!("the rule by which {who} {does} `{event}` has no counterpart");
                if event == image {
                    rule
                } else {
                    format!("{rule} for `{image}`")
                }
            }
            Asymmetry::Components(odd, _) if odd.is_empty() => {
                "no two components of the process are alike".to_owned()
            }
            Asymmetry::Components(odd, like) if like.is_empty() => {
                format!("nothing corresponds to {}", listed(odd))
            }
            Asymmetry::Components(odd, like) => {
                format!("{} would have to be like {}", listed(odd), listed(like))
            }
        }
    }
}

/// Where the declaration stands.
fn declaration(assertion: &hir::Assertion) -> Span {
    let mut lines = assertion.pragmas.iter();
    let line = lines.find(|(text, _)| text.trim().starts_with("symmetric"));
    line.map_or(assertion.span, |(_, span)| *span)
}

/// The events of all rules of the processes of a claim, under the names before and after hiding.
fn events_of(claim: &Claim) -> BTreeSet<EventId> {
    let of = |network: &Network| {
        let rules = network.rules.iter();
        let events = rules.flat_map(|rule| [rule.result, rule.revealed]);
        events.collect::<BTreeSet<EventId>>()
    };
    match claim {
        Claim::Refines { implementation, .. } => of(implementation),
        Claim::DeadlockFree { process, .. }
        | Claim::DivergenceFree { process }
        | Claim::Deterministic { process, .. }
        | Claim::HasTrace { process, .. } => of(process),
    }
}

/// Names in a list, the first few of them.
fn listed(names: &[String]) -> String {
    let mut words: Vec<String> = names
        .iter()
        .take(MOST_NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MOST_NAMED {
        words.push(format!("{} more", names.len() - MOST_NAMED));
    }
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}
