//! Runs the corpus of scripts under `tests/corpus/process`, one folder for each family of operators.
//!
//! A header line `-- process: P states: 4 transitions: 5` gives the size of the process `P` as its
//! operational semantics lists it; the network of `P`, with controllers and without, before and
//! after reduction, must behave the same. `components: 3` at its end gives the number of components
//! of the network. `-- process: P error: E0523` says that `P` cannot be compiled, and why.

#![allow(
    clippy::unwrap_used,
    reason = "a test may fail where the script or its header is wrong"
)]

#[path = "network/explorer.rs"]
mod explorer;

use std::fs;
use std::path::{Path, PathBuf};

use csp_compiler::assemble::{CompileOptions, Compiler};
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::hir::{Expr, ExprKind, GlobalId, Program, Var};
use csp_compiler::process::ProcessId;
use csp_compiler::reduce::reduce;
use csp_compiler::resolve::resolve;
use csp_grammar::parse;
use csp_grammar::source::Sources;
use csp_lts::Lts;

use explorer::{Tabulate, bisimilar, explore, transition_count};

/// Recursion in scripts needs room; tests run on threads of their own.
const STACK: usize = 1 << 29;

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(scripts(&path));
        } else if path.extension().is_some_and(|e| e == "csp") {
            found.push(path);
        }
    }
    found.sort();
    found
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

/// One header line: the name, and the words and values after it.
struct Claim<'t> {
    name: &'t str,
    facts: Vec<(&'t str, &'t str)>,
}

impl<'t> Claim<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let words: Vec<&str> = line
            .strip_prefix("-- process: ")?
            .split_whitespace()
            .collect();
        let facts = words[1..]
            .chunks(2)
            .map(|pair| (pair[0].strip_suffix(':').unwrap(), pair[1]))
            .collect();
        Some(Self {
            name: words[0],
            facts,
        })
    }

    fn fact(&self, key: &str) -> Option<&'t str> {
        self.facts.iter().find(|f| f.0 == key).map(|f| f.1)
    }

    fn number(&self, key: &str) -> Option<usize> {
        self.fact(key).map(|value| value.parse().unwrap())
    }
}

fn process(program: &Program, evaluator: &mut Evaluator, name: &str) -> ProcessId {
    let place = program.globals.iter().position(|g| g.name == name);
    let id = GlobalId(place.unwrap_or_else(|| panic!("{name} is not defined")) as u32);
    let reference = Expr {
        kind: ExprKind::Var(Var::Global(id)),
        span: csp_grammar::Span::default(),
    };
    evaluator.process(&reference).unwrap()
}

fn options(small_leaf: usize) -> CompileOptions {
    CompileOptions {
        small_leaf,
        leaf_states: 20_000,
        nesting: 1_000,
        ..CompileOptions::default()
    }
}

/// What is wrong with one claim, if anything is.
fn check(program: &Program, evaluator: &mut Evaluator, claim: &Claim<'_>) -> Result<(), String> {
    let process = process(program, evaluator, claim.name);
    if let Some(code) = claim.fact("error") {
        let compiled = Compiler::new(options(0)).compile(evaluator, process, &Tabulate);
        let found = compiled.map_or_else(|wrong| wrong.code, |_| "none");
        return expect("error", found, code);
    }
    let counts = |lts: &Lts| (lts.state_count(), transition_count(lts));
    let listed = Compiler::new(options(0))
        .tabulate(evaluator, process)
        .map_err(|wrong| format!("listing: {wrong:?}"))?;
    let wanted = (
        claim.number("states").unwrap(),
        claim.number("transitions").unwrap(),
    );
    expect("states and transitions", counts(&listed), wanted)?;
    for small_leaf in [0, 1_000] {
        let network = Compiler::new(options(small_leaf))
            .compile(evaluator, process, &Tabulate)
            .map_err(|wrong| format!("compiling: {wrong:?}"))?;
        let explored = explore(&network, 20_000).ok_or("the network is too large")?;
        expect("bisimilar", bisimilar(&listed, &explored), true)?;
        let reduced = explore(&reduce(&network), 20_000).ok_or("reduced, it is too large")?;
        expect("reduced", counts(&reduced), counts(&explored))?;
        expect("bisimilar", bisimilar(&explored, &reduced), true)?;
        if let (0, Some(components)) = (small_leaf, claim.number("components")) {
            expect("components", network.components.len(), components)?;
        }
    }
    Ok(())
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}: {found:?} instead of {wanted:?}"))
}

fn run(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let program = program(&text);
    let limits = Limits {
        stack_bytes: STACK - (1 << 24),
        ..Limits::default()
    };
    let mut evaluator = Evaluator::new(&program, limits);
    assert_eq!(evaluator.declare(), [], "the declarations are right");
    let claims: Vec<Claim<'_>> = text.lines().filter_map(Claim::read).collect();
    assert!(!claims.is_empty(), "{} claims something", path.display());
    claims
        .iter()
        .filter_map(|claim| {
            let wrong = check(&program, &mut evaluator, claim).err()?;
            Some(format!("{}: {}: {wrong}", path.display(), claim.name))
        })
        .collect()
}

#[test]
fn corpus() {
    let job = || {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/process");
        let wrong: Vec<String> = scripts(&corpus).iter().flat_map(|path| run(path)).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(job);
    thread.unwrap().join().unwrap();
}
