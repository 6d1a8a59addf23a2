//! Warnings that need the events of the processes that a script asserts something about.
//!
//! Nothing is compiled: terms are evaluated, at most as many as `alphabets::MOST_TERMS` for a process.
//! What cannot be evaluated is passed over, for checking it says why.

use std::collections::HashSet;

use csp_compiler::hir::Claim;
use csp_compiler::lint::alphabets;
use csp_grammar::Diagnostic;

use crate::script::Script;

/// What is suspicious in the processes of the assertions.
pub(crate) fn remarks(script: &mut Script) -> Vec<Diagnostic> {
    let assertions = script.program.assertions.clone();
    let evaluator = script.evaluator();
    let events = evaluator.events().clone();
    let (mut seen, mut remarks) = (HashSet::new(), Vec::new());
    for assertion in &assertions {
        let (sides, model) = match &assertion.claim {
            Claim::Refines {
                specification,
                model,
                implementation,
            } => (vec![specification, implementation], Some(*model)),
            Claim::Property { process, .. } | Claim::HasTrace { process, .. } => {
                (vec![process], None)
            }
        };
        let sides: Result<Vec<_>, _> = sides.into_iter().map(|s| evaluator.process(s)).collect();
        let Ok(sides) = sides else { continue };
        for side in sides.iter().filter(|side| seen.insert(**side)) {
            remarks.extend(alphabets::process(evaluator, &events, *side));
        }
        if let ([specification, implementation], Some(model)) = (sides.as_slice(), model)
            && !assertion.negated
        {
            let sides = (*specification, *implementation);
            remarks.extend(alphabets::refinement(
                evaluator,
                sides,
                model,
                assertion.span,
            ));
        }
    }
    remarks
}
