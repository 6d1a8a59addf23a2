//! Type inference over the corpus of scripts in `tests/corpus/types`.
//!
//! `accept`: no diagnostics; every line `-- type: f :: T` states an inferred type.
//! `reject`: the head `-- expect: E0301 …` lists the codes that occur, and every line in error ends
//! with the code, as in `x = 1 + true -- E0301`.

use csp_compiler::hir::{GlobalId, Program};
use csp_compiler::infer::{Types, infer, infer_expression};
use csp_compiler::resolve::{resolve, resolve_expression};
use csp_grammar::source::Sources;
use csp_grammar::{Diagnostic, parse, parse_expression};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the phases up to inference make of a script.
struct Run {
    sources: Sources,
    program: Program,
    types: Types,
    diagnostics: Vec<Diagnostic>,
}

fn run(name: &str, text: &str) -> Run {
    let mut sources = Sources::default();
    let root = sources.add(name, text);
    let mut no_files = |path: &str| Err(format!("no file {path}"));
    let (script, mut diagnostics) = parse(&mut sources, root, &mut no_files);
    let (program, more) = resolve(&script, &sources, &[]);
    diagnostics.extend(more);
    let (types, more) = infer(&program);
    diagnostics.extend(more);
    Run {
        sources,
        program,
        types,
        diagnostics,
    }
}

impl Run {
    fn place(&self, diagnostic: &Diagnostic) -> (usize, String) {
        let (line, _) = self
            .sources
            .position(diagnostic.span.file, diagnostic.span.start);
        (line, diagnostic.code.to_owned())
    }

    fn report(&self) -> String {
        let lines = self.diagnostics.iter().map(|d| {
            let (line, code) = self.place(d);
            format!("  {line}: {code} {} [{}]\n", d.message, d.note)
        });
        lines.collect()
    }

    fn scheme(&self, name: &str) -> String {
        let place = self.program.globals.iter().position(|g| g.name == name);
        let place = place.unwrap_or_else(|| panic!("no definition of {name}"));
        let id = GlobalId(u32::try_from(place).expect("few definitions"));
        self.types.scheme(id)
    }
}

fn corpus(kind: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/corpus/types")
        .join(kind);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "csp"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "the corpus has scripts");
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("the script can be read");
            (path, text)
        })
        .collect()
}

#[test]
fn valid_scripts_are_accepted() {
    let mut faults = String::new();
    for (path, text) in corpus("accept") {
        let name = path.display().to_string();
        let run = run(&name, &text);
        if !run.diagnostics.is_empty() {
            faults += &format!("{name}\n{}", run.report());
            continue;
        }
        for (definition, expected) in stated_types(&text) {
            let found = run.scheme(definition);
            if found != expected {
                faults += &format!("{name}: {definition} :: {found}, stated {expected}\n");
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

fn stated_types(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("-- type: "))
        .map(|stated| stated.split_once(" :: ").expect("a name and a type"))
        .collect()
}

#[test]
fn wrong_scripts_are_rejected_where_they_are_wrong() {
    let mut faults = String::new();
    for (path, text) in corpus("reject") {
        let name = path.display().to_string();
        let run = run(&name, &text);
        let expected = marked_lines(&text);
        let found: BTreeSet<_> = run.diagnostics.iter().map(|d| run.place(d)).collect();
        if found != expected {
            faults += &format!("{name}\n{}", run.report());
            for (line, code) in expected.difference(&found) {
                faults += &format!("  {line}: {code} is missing\n");
            }
        }
        let head = text.lines().next().unwrap_or_default();
        let codes: BTreeSet<_> = expected.iter().map(|(_, code)| code.as_str()).collect();
        let codes: Vec<_> = codes.into_iter().collect();
        let stated = format!("-- expect: {}", codes.join(" "));
        if head != stated {
            faults += &format!("{name}: the head should be `{stated}`\n");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

fn marked_lines(text: &str) -> BTreeSet<(usize, String)> {
    let mut marked = BTreeSet::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        if let Some((_, comment)) = line.rsplit_once("-- ") {
            let codes = comment.split_whitespace();
            if codes.clone().all(|word| word.starts_with("E0")) {
                marked.extend(codes.map(|code| (number + 1, code.to_owned())));
            }
        }
    }
    marked
}

#[test]
fn expressions_of_the_command_line_have_types() {
    let mut run = run(
        "main",
        "datatype T = A.Int | B\nchannel c : T.Bool\nf(x) = {x}\n",
    );
    let mut type_of = |text: &str| {
        let file = run.sources.add("expression", text);
        let (tree, wrong) = parse_expression(&run.sources, file);
        assert_eq!(wrong, []);
        let (expr, wrong) = resolve_expression(&mut run.program, &run.sources, &tree);
        assert_eq!(wrong, []);
        let (found, wrong) = infer_expression(&run.program, &run.types, &expr);
        (found, wrong.first().map(|d| d.code))
    };
    assert_eq!(type_of("c.A"), ("Int=>Bool=>Event".to_owned(), None));
    assert_eq!(type_of("f"), ("Set a => (a) -> {a}".to_owned(), None));
    assert_eq!(type_of("f(B)"), ("{T}".to_owned(), None));
    assert_eq!(
        type_of("let g(x) = x within (g(1), 'c')"),
        ("(Int, Char)".to_owned(), None)
    );
    assert_eq!(type_of("1 + true").1, Some("E0301"));
}

#[test]
fn messages_say_what_is_needed() {
    let text = "channel c : {0..3}.Bool\nP = c!true?x -> STOP\nQ = c.1.true == c.1.true & STOP\n\
                R = ||| i : <1,2> @ STOP\nf(x) = x + 1\ng = f(STOP)\nH = STOP \\ {c}\n";
    let run = run("main", text);
    let said: Vec<_> = run.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "field of `c`: expected a number, found a truth value",
            "expected a truth value, found a channel without its 2 values (Int=>Bool=>Event)",
            "`|||` draws from a set, but this is a sequence of numbers",
            "expected a number, found a process",
            "expected a set of events, found a set of channels ({Int=>Bool=>Event})",
        ]
    );
    let help: Vec<_> = run
        .diagnostics
        .iter()
        .filter_map(|d| d.help.as_deref())
        .collect();
    assert_eq!(
        help,
        [
            "`.` binds looser than comparison: `a.b == c.d` is `a.(b == c).d`; write `(a.b) == (c.d)`",
            "turn the sequence into a set with `set(…)`",
            "a set of events is written `{a, b}`, all events of a channel `{| c |}`",
        ]
    );
    let labels: Vec<_> = run.diagnostics[3]
        .labels
        .iter()
        .map(|l| l.text.as_str())
        .collect();
    assert_eq!(labels, ["`f` is defined here", "in the definition of `g`"]);
}
