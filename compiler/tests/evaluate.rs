//! Runs the corpus of scripts under `tests/corpus/evaluate`.
//!
//! - In accepting scripts every constant named `test…` must be true, and for every header line
//!   `-- terms P: 0 = …; 1 = …` the process terms reachable from `P` must be these, in the notation
//!   of `terms`.
//! - In rejecting scripts the header `-- expect: E0401` gives the code of the failure of the constant
//!   `bad`, of the head of the process `bad`, or of a declaration; `-- says: text` gives a part of its
//!   message, note or stack.

#![allow(
    clippy::unwrap_used,
    reason = "a test may fail where the script or its header is wrong"
)]

#[path = "evaluate/terms.rs"]
mod terms;

use std::fs;
use std::path::{Path, PathBuf};

use csp_compiler::evaluate::{Evaluator, Limits, Value};
use csp_compiler::hir::{Expr, ExprKind, GlobalId, GlobalKind, Program, Var};
use csp_compiler::infer::infer;
use csp_compiler::process::Processes;
use csp_compiler::resolve::resolve;
use csp_grammar::source::Sources;
use csp_grammar::{Diagnostic, parse};

/// Recursion in scripts needs room; tests run on threads of their own.
const STACK: usize = 1 << 29;

fn scripts(folder: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/evaluate");
    let mut paths: Vec<PathBuf> = fs::read_dir(corpus.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csp"))
        .collect();
    paths.sort();
    paths
}

fn header<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("-- ")?.strip_prefix(key))
        .map(str::trim)
        .collect()
}

fn program(text: &str) -> Program {
    let mut sources = Sources::default();
    let root = sources.add("script.csp", text);
    let (script, wrong) = parse(&mut sources, root, &mut |_| Err("no files".to_owned()));
    assert_eq!(wrong, [], "the script parses");
    let (program, wrong) = resolve(&script, &sources, &[]);
    assert_eq!(wrong, [], "the names are right");
    program
}

fn with_room<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(job)
        .unwrap()
        .join()
        .unwrap()
}

fn evaluator(program: &Program) -> Evaluator {
    Evaluator::new(
        program,
        Limits {
            stack_bytes: STACK - (1 << 20),
            ..Limits::default()
        },
    )
}

fn constants(program: &Program, prefix: &str) -> Vec<(String, GlobalId)> {
    (0..)
        .map(GlobalId)
        .zip(&program.globals)
        .filter(|(_, global)| {
            global.name.starts_with(prefix)
                && matches!(global.kind, GlobalKind::Value(_) | GlobalKind::Bound(_))
        })
        .map(|(id, global)| (global.name.clone(), id))
        .collect()
}

fn reference(id: GlobalId) -> Expr {
    Expr {
        kind: ExprKind::Var(Var::Global(id)),
        span: csp_grammar::Span::default(),
    }
}

/// The complaints about an accepting script.
fn accept(text: &str) -> Vec<String> {
    let program = program(text);
    let mut evaluator = evaluator(&program);
    let (_, ill_typed) = infer(&program);
    let mut wrong: Vec<String> = ill_typed
        .into_iter()
        .chain(evaluator.declare())
        .map(|d| format!("{} at {}: {}", d.code, d.span.start, d.message))
        .collect();
    let mut checked = 0;
    for (name, id) in constants(&program, "test") {
        checked += 1;
        match evaluator.evaluate(&reference(id)) {
            Ok(Value::Bool(true)) => {}
            Ok(other) => wrong.push(format!("{name} = {}", evaluator.show(&other))),
            Err(failure) => wrong.push(format!("{name}: {failure:?}")),
        }
    }
    for line in header(text, "terms ") {
        checked += 1;
        let (name, wanted) = line.split_once(':').unwrap();
        let (_, id) = constants(&program, name)
            .into_iter()
            .find(|(found, _)| found == name)
            .unwrap_or_else(|| panic!("no constant {name}"));
        let found = evaluator
            .process(&reference(id))
            .and_then(|process| terms::terms(&mut evaluator, process));
        match found {
            Ok(found) if found == wanted.trim() => {}
            other => wrong.push(format!("terms {name}: {other:?}, not {wanted}")),
        }
    }
    if checked == 0 {
        wrong.push("nothing to check".to_owned());
    }
    wrong
}

fn failure_of(program: &Program) -> Option<Diagnostic> {
    let mut evaluator = evaluator(program);
    if let Some(first) = evaluator.declare().into_iter().next() {
        return Some(first);
    }
    let (_, id) = constants(program, "bad").into_iter().next()?;
    match evaluator.evaluate(&reference(id)) {
        Err(failure) => Some(*failure),
        Ok(Value::Process(process)) => evaluator.head(process).err().map(|failure| *failure),
        Ok(_) => None,
    }
}

fn reject(text: &str) -> Vec<String> {
    let Some(found) = failure_of(&program(text)) else {
        return vec!["nothing failed".to_owned()];
    };
    let mut wrong = Vec::new();
    if header(text, "expect:") != [found.code] {
        wrong.push(format!("{found:?}"));
    }
    let said = format!(
        "{}\n{}\n{}",
        found.message,
        found.note,
        found.stack.join("\n")
    );
    for wanted in header(text, "says:") {
        if !said.contains(wanted) {
            wrong.push(format!("nothing says {wanted:?}: {found:?}"));
        }
    }
    wrong
}

fn run(folder: &'static str, check: fn(&str) -> Vec<String>) {
    let wrong: Vec<String> = scripts(folder)
        .into_iter()
        .flat_map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let found = with_room(move || std::panic::catch_unwind(|| check(&text)))
                .unwrap_or_else(|_| vec!["panic".to_owned()]);
            found.into_iter().map(move |w| format!("{name}: {w}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn accepting_scripts() {
    run("accept", accept);
}

#[test]
fn rejecting_scripts() {
    run("reject", reject);
}

#[test]
fn every_code_has_a_rejecting_script() {
    let seen: Vec<String> = scripts("reject")
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            header(&text, "expect:")
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        })
        .collect();
    // These cannot be reached by a script that parses and whose names are right, or need an
    // interrupt.
    let unreachable = ["E0416", "E0498", "E0499"];
    let missing: Vec<&str> = csp_compiler::evaluate::CODES
        .iter()
        .map(|(code, ..)| *code)
        .filter(|code| !unreachable.contains(code) && !seen.iter().any(|s| s == code))
        .collect();
    assert_eq!(missing, [] as [&str; 0]);
}

#[test]
fn an_interrupt_ends_evaluation() {
    let doubled = "g(s, n) = if n == 0 then s else g(s ^ s, n - 1)\n";
    let scripts = [
        "f(n) = if n < 0 then 0 else f(n + 1)\nbad = f(0)\n".to_owned(),
        format!("{doubled}bad = # g(<1>, 35)\n"),
        format!("{doubled}bad = g(<1>, 35) == g(<1>, 36)\n"),
        format!("{doubled}bad = elem(2, g(<1>, 35))\n"),
        format!("{doubled}last(_^<x>) = x\nbad = last(g(<1>, 35))\n"),
    ];
    for script in scripts {
        let code = with_room(move || {
            let program = program(&script);
            let mut evaluator = Evaluator::new(
                &program,
                Limits {
                    stack_bytes: STACK - (1 << 20),
                    interrupt: Box::new({
                        let mut asked = 0;
                        move || {
                            asked += 1;
                            asked > 10
                        }
                    }),
                    ..Limits::default()
                },
            );
            let (_, id) = constants(&program, "bad").remove(0);
            evaluator.evaluate(&reference(id)).unwrap_err().code
        });
        assert_eq!(code, "E0499");
    }
}

#[test]
fn a_process_that_is_itself() {
    let failure = with_room(|| {
        let program = program("P = Q\nQ = P\n");
        let (_, id) = constants(&program, "P").remove(0);
        evaluator(&program).process(&reference(id)).unwrap_err()
    });
    assert_eq!(
        (failure.code, &failure.message[..]),
        ("E0501", "unguarded recursion: P = Q = P")
    );
}

#[test]
fn a_process_that_only_calls_itself() {
    let failure = with_room(|| {
        let program = program("P = A(0)\nA(n) = B(n, n)\nB(n, m) = A(m)\n");
        let (_, id) = constants(&program, "P").remove(0);
        evaluator(&program).process(&reference(id)).unwrap_err()
    });
    assert_eq!(failure.code, "E0501");
    assert!(failure.message.contains("A(0) = B(0, 0)"), "{failure:?}");
}

#[test]
fn a_failure_leaves_the_rest_alone() {
    with_room(|| {
        let program =
            program("a = head(<>) + b\nb = 2\nf(n) = if n == 0 then a else f(n - 1)\nc = f(3)\n");
        let mut evaluator = evaluator(&program);
        let value = |evaluator: &mut Evaluator, name: &str| {
            let (_, id) = constants(&program, name).remove(0);
            evaluator
                .evaluate(&reference(id))
                .map(|v| evaluator.show(&v))
        };
        let failure = value(&mut evaluator, "c").unwrap_err();
        assert_eq!((failure.code, &failure.stack[0][..]), ("E0404", "f(0)"));
        assert_eq!(value(&mut evaluator, "b").as_deref(), Ok("2"));
        assert_eq!(value(&mut evaluator, "a").unwrap_err().code, "E0404");
        assert_eq!(value(&mut evaluator, "c").unwrap_err().code, "E0404");
    });
}
