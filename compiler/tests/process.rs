//! Runs the corpus of scripts under `tests/corpus/process`, one folder for each family of operators.
//!
//! A header line `-- process: P states: 4 transitions: 5` gives the size of the process `P` as its
//! operational semantics lists it; the network of `P`, with controllers and without, before and
//! after reduction, must behave the same. `components: 3` at its end gives the number of components
//! of the network, `explored: 4` that of its states. `-- process: P error: E0523` says that `P` cannot
//! be compiled, and why.

#![allow(
    clippy::unwrap_used,
    reason = "a test may fail where the script or its header is wrong"
)]

#[path = "network/explorer.rs"]
mod explorer;

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use csp_compiler::assemble::{CompileOptions, Compiler, EvaluatorPool};
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::hir::{Expr, ExprKind, GlobalId, Program, Var};
use csp_compiler::process::{Process, ProcessId, Processes};
use csp_compiler::reduce::reduce;
use csp_compiler::resolve::resolve;
use csp_grammar::source::Sources;
use csp_grammar::{Diagnostic, Span, parse};
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
        span: Span::default(),
    };
    evaluator.process(&reference).unwrap()
}

fn evaluator(program: &Program) -> Evaluator {
    let limits = Limits {
        stack_bytes: 1 << 20,
        ..Limits::default()
    };
    let mut evaluator = Evaluator::new(program, limits);
    assert_eq!(evaluator.declare(), [], "the declarations are right");
    evaluator
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
        let mut compiler = Compiler::new(options(small_leaf));
        let again = Again {
            program,
            name: claim.name,
            heads: AtomicUsize::new(0),
        };
        compiler.list_together(evaluator, process, &again, Duration::ZERO);
        let together = compiler.compile(evaluator, process, &Tabulate);
        let together = together.map_err(|wrong| format!("compiling together: {wrong:?}"))?;
        expect("together", format!("{together:?}"), format!("{network:?}"))?;
        if let (0, Some(components)) = (small_leaf, claim.number("components")) {
            expect("components", network.components.len(), components)?;
        }
        if let (0, Some(states)) = (small_leaf, claim.number("explored")) {
            expect("explored", explored.state_count(), states)?;
        }
    }
    Ok(())
}

/// Threads that evaluate a process of a script once more.
struct Again<'a> {
    program: &'a Program,
    name: &'a str,
    /// How many heads they have evaluated.
    heads: AtomicUsize,
}

impl EvaluatorPool for Again<'_> {
    fn count(&self) -> usize {
        2
    }

    fn stack_bytes(&self) -> usize {
        STACK
    }

    fn with_table(&self, _: &Arc<AtomicBool>, work: &mut dyn FnMut(&mut dyn Processes, ProcessId)) {
        let mut table = Counted::new(evaluator(self.program), Duration::ZERO);
        let process = process(self.program, &mut table.evaluator, self.name);
        work(&mut table, process);
        self.heads.fetch_add(table.heads, Ordering::Relaxed);
    }
}

/// A table that counts, and may be slow.
struct Counted {
    evaluator: Evaluator,
    heads: usize,
    pause: Duration,
}

impl Counted {
    fn new(evaluator: Evaluator, pause: Duration) -> Self {
        Self {
            evaluator,
            heads: 0,
            pause,
        }
    }
}

impl Processes for Counted {
    fn head(&mut self, process: ProcessId) -> Result<Rc<Process>, Box<Diagnostic>> {
        self.heads += 1;
        std::thread::sleep(self.pause);
        self.evaluator.head(process)
    }

    fn intern(&mut self, head: Process) -> ProcessId {
        self.evaluator.intern(head)
    }

    fn describe(&self, process: ProcessId) -> String {
        self.evaluator.describe(process)
    }

    fn span(&self, process: ProcessId) -> Span {
        self.evaluator.span(process)
    }

    fn numbers_events_as_met(&self) -> bool {
        self.evaluator.numbers_events_as_met()
    }
}

/// A script whose events are numbered by declaration if its channel is finite.
fn ring_of_counters(values: &str) -> Program {
    program(&format!(
        "channel c : {{0..5}}.{values}\n\
         Counter(i, n) = c.i.n -> Counter(i, (n + 1) % 50)\n\
         Ring = ||| i : {{0..5}} @ Counter(i, i)\n"
    ))
}

/// The network made by a slow thread with quick pool, and how many heads who evaluated.
fn together(program: &Program) -> (String, usize, usize) {
    let mut slow = Counted::new(evaluator(program), Duration::from_micros(200));
    let root = process(program, &mut slow.evaluator, "Ring");
    let again = Again {
        program,
        name: "Ring",
        heads: AtomicUsize::new(0),
    };
    let mut compiler = Compiler::new(options(0));
    compiler.list_together(&mut slow, root, &again, Duration::ZERO);
    let network = compiler.compile(&mut slow, root, &Tabulate).unwrap();
    (format!("{network:?}"), slow.heads, again.heads.into_inner())
}

fn alone(program: &Program) -> (String, usize) {
    let mut table = Counted::new(evaluator(program), Duration::ZERO);
    let root = process(program, &mut table.evaluator, "Ring");
    let network = Compiler::new(options(0)).compile(&mut table, root, &Tabulate);
    (format!("{:?}", network.unwrap()), table.heads)
}

#[test]
fn what_doubles_list_is_used() {
    let program = ring_of_counters("{0..49}");
    let (wanted, all) = alone(&program);
    let (found, own, helped) = together(&program);
    assert_eq!(found, wanted);
    assert!(
        helped > 0 && own < all,
        "{own} of {all}, helped by {helped}"
    );
}

#[test]
fn numbers_that_depend_on_who_was_first_are_not_used() {
    let program = ring_of_counters("Int");
    let (_, all) = alone(&program);
    let (_, own, helped) = together(&program);
    assert!(
        helped > 0 && own >= all,
        "{own} of {all}, helped by {helped}"
    );
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
    let mut evaluator = evaluator(&program);
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
