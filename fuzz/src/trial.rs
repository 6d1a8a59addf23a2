//! One input through all phases, and what must hold for every input.
//!
//! - Nothing panics.
//! - Every diagnostic points into the text.
//! - What parses without complaint is printed, reads back as the same tree, and prints alike again.
//! - A script that passes the type check does not fail for want of types in evaluation.
//! - Asked to stop, evaluation stops.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use csp_compiler::evaluate::{Evaluator, Limits, Value};
use csp_compiler::hir::{Expr, ExprKind, GlobalId, GlobalKind, Program, Var};
use csp_compiler::infer::infer;
use csp_compiler::process::{ProcessId, Processes};
use csp_compiler::resolve::resolve;
use csp_grammar::source::Sources;
use csp_grammar::syntax::Script;
use csp_grammar::{Diagnostic, Severity, Span, bare_script, parse, parse_expression, print_script};

/// How often evaluation may ask whether to stop before it is told so.
const PATIENCE: u32 = 6;

/// The stack that recursion in a script may use; the thread should have several times that.
const STACK: usize = 8 << 20;

/// Failures that the type check should have kept away.
const UNTYPED: [&str; 3] = ["E0412", "E0416", "E0498"];

/// How many terms of a process are looked at.
const TERMS: usize = 60;

/// How far an input came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It has syntax errors.
    Read,
    /// It has the right syntax, but names or types are wrong.
    Parsed,
    /// It passed the type check and was evaluated.
    Evaluated,
}

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In a word: `panic`, `print`, `span`, `types`.
    pub kind: &'static str,
    /// In more words.
    pub what: String,
}

/// What came of an input.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How far it came.
    pub stage: Stage,
    /// The codes of everything reported before evaluation.
    pub codes: Vec<&'static str>,
    /// What must not happen and did.
    pub fault: Option<Fault>,
}

/// Runs one input. Panics are caught.
#[must_use]
pub fn run(text: &str) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| phases(text))).unwrap_or_else(|panic| Outcome {
        stage: Stage::Read,
        codes: Vec::new(),
        fault: Some(Fault {
            kind: "panic",
            what: panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                .unwrap_or_default(),
        }),
    })
}

fn phases(text: &str) -> Outcome {
    let (script, sources, mut diagnostics) = read(text);
    let parsed = diagnostics.is_empty();
    let mut fault = parsed.then(|| printing(&script)).flatten();
    let (program, wrong) = resolve(&script, &sources, &[]);
    diagnostics.extend(wrong);
    let (types, wrong) = infer(&program);
    diagnostics.extend(wrong);
    for place in 0..program.globals.len() {
        let _ = types.scheme(GlobalId(u32::try_from(place).expect("few globals")));
    }
    let root = sources.files.len() - 1;
    let _ = parse_expression(&sources, script_file(root));
    let mut stage = if parsed { Stage::Parsed } else { Stage::Read };
    let mut met = diagnostics.clone();
    if !diagnostics.iter().any(|d| d.severity == Severity::Error) {
        stage = Stage::Evaluated;
        let failures = evaluate(&program);
        if let Some(untyped) = failures.iter().find(|d| UNTYPED.contains(&d.code)) {
            fault = fault.or_else(|| {
                Some(Fault {
                    kind: "types",
                    what: format!("{}: {}", untyped.code, untyped.message),
                })
            });
        }
        met.extend(failures);
    }
    fault = fault.or_else(|| met.iter().find_map(|d| outside(d, &sources)));
    Outcome {
        stage,
        codes: diagnostics.iter().map(|d| d.code).collect(),
        fault,
    }
}

fn script_file(index: usize) -> csp_grammar::FileId {
    csp_grammar::FileId(u32::try_from(index).expect("few files"))
}

fn read(text: &str) -> (Script, Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let root = sources.add("script.csp", text);
    let (script, wrong) = parse(&mut sources, root, &mut |_| Err("no files".to_owned()));
    (script, sources, wrong)
}

/// What is wrong with the printed form of a script.
fn printing(script: &Script) -> Option<Fault> {
    let fault = |what: String| {
        Some(Fault {
            kind: "print",
            what,
        })
    };
    let printed = print_script(script);
    let (again, _, wrong) = read(&printed);
    if let Some(first) = wrong.first() {
        return fault(format!("printed as {printed:?}: {}", first.message));
    }
    let bare = bare_script(script.clone());
    if bare_script(again.clone()) != bare {
        return fault(format!("another tree when printed as {printed:?}"));
    }
    if print_script(&again) != printed {
        return fault(format!("printed differently again: {printed:?}"));
    }
    let without_brackets = print_script(&bare);
    let (again, _, wrong) = read(&without_brackets);
    if !wrong.is_empty() || bare_script(again) != bare {
        return fault(format!("needs its brackets: {without_brackets:?}"));
    }
    None
}

/// A diagnostic that does not point into the text.
fn outside(diagnostic: &Diagnostic, sources: &Sources) -> Option<Fault> {
    let inside = |span: Span| {
        let Some(file) = sources.files.get(span.file.0 as usize) else {
            return false;
        };
        let (start, end) = (span.start as usize, span.end as usize);
        start <= end && file.text.is_char_boundary(start) && file.text.is_char_boundary(end)
    };
    let spans = std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|l| l.span));
    let wrong = spans.into_iter().find(|span| !inside(*span))?;
    Some(Fault {
        kind: "span",
        what: format!("{} at {wrong:?}: {}", diagnostic.code, diagnostic.message),
    })
}

/// Evaluates and shows all constants, and some terms of those that are processes; what failed.
fn evaluate(program: &Program) -> Vec<Diagnostic> {
    let mut asked = 0;
    let mut evaluator = Evaluator::new(
        program,
        Limits {
            stack_bytes: STACK,
            interrupt: Box::new(move || {
                asked += 1;
                asked > PATIENCE
            }),
            ..Limits::default()
        },
    );
    let mut failures = evaluator.declare();
    for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
        if !matches!(global.kind, GlobalKind::Value(_) | GlobalKind::Bound(_)) {
            continue;
        }
        let reference = Expr {
            kind: ExprKind::Var(Var::Global(id)),
            span: global.span,
        };
        look(&mut evaluator, &reference, &mut failures);
        if failures.last().is_some_and(|f| f.code == "E0499") {
            break;
        }
    }
    for print in &program.prints {
        look(&mut evaluator, &print.expr, &mut failures);
    }
    failures
}

fn look(evaluator: &mut Evaluator, expr: &Expr, failures: &mut Vec<Diagnostic>) {
    match evaluator.evaluate(expr) {
        Err(failure) => failures.push(*failure),
        Ok(Value::Process(process)) => {
            if let Err(failure) = terms(evaluator, process) {
                failures.push(*failure);
            }
        }
        Ok(value) => drop(evaluator.show(&value)),
    }
}

fn terms(evaluator: &mut Evaluator, root: ProcessId) -> Result<(), Box<Diagnostic>> {
    let mut seen = HashSet::from([root]);
    let mut queue = vec![root];
    let mut next = 0;
    while next < queue.len() && next < TERMS {
        let head = evaluator.head(queue[next])?;
        let _ = evaluator.describe(queue[next]);
        next += 1;
        let operands = head.operands().into_iter().map(|(_, p)| p);
        queue.extend(operands.filter(|&p| seen.insert(p)));
    }
    Ok(())
}
