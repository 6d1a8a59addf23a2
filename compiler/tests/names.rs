//! Runs the corpus of scripts under `tests/corpus/names`: what each must give stands in its header.
//!
//! - `-- expect: E0201 E0202`: the codes of all diagnostics, in any order; none if absent.
//! - `-- says: text`: some diagnostic says this, in its message, note, labels or help.
//! - `-- define: N=expr`: as on the command line.
//! - `-- globals: a M::b`: the names of all globals, in their order.
//! - `-- becomes: P = …`: what a definition is resolved to, in the notation of `sketch`.
//! - `-- assertion: text` and `-- print: text`: their texts, in order.
//! - `-- eval: expr => sketch`: a further expression, or the codes it gives.

#![allow(
    clippy::unwrap_used,
    reason = "a test may fail where the script or its header is wrong"
)]

#[path = "names/sketch.rs"]
mod sketch;

use std::fs;
use std::path::{Path, PathBuf};

use csp_compiler::hir::Program;
use csp_compiler::resolve::{Define, Scopes, resolve, resolve_expression};
use csp_grammar::source::{FileId, Sources};
use csp_grammar::syntax::Expr;
use csp_grammar::{Diagnostic, parse, parse_expression};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/names")
}

fn scripts(folder: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(corpus().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csp"))
        .collect();
    paths.sort();
    paths
}

/// The values of the header lines with this key.
fn header<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    text.lines()
        .filter_map(|line| {
            line.strip_prefix("-- ")?
                .strip_prefix(key)?
                .strip_prefix(":")
        })
        .map(str::trim)
        .collect()
}

fn expression(sources: &mut Sources, text: &str) -> Expr {
    let file = sources.add("(expression)", text);
    let (expr, diagnostics) = parse_expression(sources, file);
    assert_eq!(diagnostics, [], "{text}");
    expr
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&str> {
    let mut codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    codes.sort_unstable();
    codes
}

fn says(diagnostics: &[Diagnostic], text: &str) -> bool {
    diagnostics.iter().any(|d| {
        d.message.contains(text)
            || d.note.contains(text)
            || d.help.as_ref().is_some_and(|help| help.contains(text))
            || d.labels.iter().any(|label| label.text.contains(text))
    })
}

/// Everything that is not as the header says.
fn complaints(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut sources = Sources::default();
    let root = sources.add(path.display().to_string(), text.clone());
    let (script, errors) = parse(&mut sources, root, &mut |name| {
        fs::read_to_string(path.with_file_name(name)).map_err(|error| error.to_string())
    });
    if !errors.is_empty() {
        return vec![format!("it does not parse: {errors:#?}")];
    }
    let defines: Vec<Define> = header(&text, "define")
        .into_iter()
        .map(|define| {
            let (name, value) = define.split_once('=').unwrap();
            Define {
                name: name.to_owned(),
                expr: expression(&mut sources, value),
            }
        })
        .collect();
    let (mut program, diagnostics) = resolve(&script, &sources, &defines);
    let mut complaints = Vec::new();
    let mut check = |what: &str, expected: String, found: String| {
        if expected != found {
            complaints.push(format!(
                "{what}\n  expected: {expected}\n  found:    {found}"
            ));
        }
    };
    let mut expected: Vec<&str> = header(&text, "expect")
        .into_iter()
        .flat_map(str::split_whitespace)
        .collect();
    expected.sort_unstable();
    check("codes", expected.join(" "), codes(&diagnostics).join(" "));
    for words in header(&text, "says") {
        if !says(&diagnostics, words) {
            check("words", words.to_owned(), format!("{diagnostics:#?}"));
        }
    }
    for names in header(&text, "globals") {
        let found: Vec<&str> = program.globals.iter().map(|g| g.name.as_str()).collect();
        check("globals", names.to_owned(), found.join(" "));
    }
    for definition in header(&text, "becomes") {
        let (name, _) = definition.split_once(" = ").unwrap();
        let found = format!("{name} = {}", sketch::definition(&program, name));
        check("definition", definition.to_owned(), found);
    }
    check_texts(&text, &program, &mut check);
    if diagnostics.is_empty() {
        check("unsound", String::new(), unsound(&program).join("; "));
    }
    for line in header(&text, "eval") {
        let (source, expected) = line.split_once(" => ").unwrap();
        let expr = expression(&mut sources, source);
        let (expr, diagnostics) = resolve_expression(&mut program, &sources, &expr);
        let found = if diagnostics.is_empty() {
            sketch::expression(&program, &expr)
        } else {
            codes(&diagnostics).join(" ")
        };
        check(source, expected.to_owned(), found);
    }
    complaints
}

fn check_texts(text: &str, program: &Program, check: &mut impl FnMut(&str, String, String)) {
    let assertions = header(text, "assertion");
    if !assertions.is_empty() {
        let found: Vec<&str> = program.assertions.iter().map(|a| a.text.as_str()).collect();
        check("assertions", assertions.join("\n"), found.join("\n"));
    }
    let prints = header(text, "print");
    if !prints.is_empty() {
        let found: Vec<&str> = program.prints.iter().map(|p| p.text.as_str()).collect();
        check("prints", prints.join("\n"), found.join("\n"));
    }
}

/// What breaks the promises of `hir`: errors without a diagnostic, variables not bound exactly once.
fn unsound(program: &Program) -> Vec<String> {
    let mut lasting = program.clone();
    lasting.scopes = Scopes::default();
    let text = format!("{lasting:?}");
    let mut found = Vec::new();
    if text.contains("kind: Error") {
        found.push("an error without a diagnostic".to_owned());
    }
    for (number, local) in program.locals.iter().enumerate() {
        let pattern = format!("Variable(Local(LocalId({number})))");
        let function = format!("variable: LocalId({number}),");
        let sites = text.matches(&pattern).count() + text.matches(&function).count();
        if sites != 1 {
            found.push(format!("`{}` is bound {sites} times", local.name));
        }
    }
    found
}

fn run(folder: &str) -> usize {
    let scripts = scripts(folder);
    let mut failures = String::new();
    for path in &scripts {
        for complaint in complaints(path) {
            failures.push_str(&format!("\n{}: {complaint}\n", path.display()));
        }
    }
    assert!(failures.is_empty(), "{failures}");
    scripts.len()
}

#[test]
fn accepted_scripts_resolve_as_their_headers_say() {
    assert!(run("accept") > 0);
}

#[test]
fn rejected_scripts_give_the_codes_of_their_headers() {
    assert!(run("reject") > 0);
    for path in scripts("reject") {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!header(&text, "expect").is_empty(), "{}", path.display());
    }
}

#[test]
fn every_code_has_a_script() {
    let mut texts = String::new();
    for path in scripts("reject") {
        texts.push_str(&fs::read_to_string(path).unwrap());
    }
    for (code, title, _) in csp_compiler::resolve::CODES {
        assert!(
            texts.contains(code),
            "no script is rejected with {code} ({title})"
        );
    }
}

#[test]
fn thousands_of_modules_and_instances_resolve() {
    let mut text = String::from("channel c0\n");
    for i in 1..3000 {
        text.push_str(&format!(
            "module M{i}(n)\n  channel d : {{0..n}}\nexports\n  x = if n == 0 then {} else n\n  P = d?y -> c0 -> P\n\
             endmodule\ninstance A{i} = M{i}({i})\nf{i}(0) = A{i}::x\nf{i}(k) = f{i}(k - 1)\n",
            if i == 1 { "0".to_owned() } else { format!("A{}::x", i - 1) }
        ));
    }
    let mut sources = Sources::default();
    let root: FileId = sources.add("large.csp", text);
    let (script, errors) = parse(&mut sources, root, &mut |_| Err(String::new()));
    assert_eq!(errors, []);
    let (program, diagnostics) = resolve(&script, &sources, &[]);
    assert_eq!(diagnostics, []);
    // For each i: f, and n, d, x, P of the instance.
    assert_eq!(program.globals.len(), 1 + 2999 * 5);
}
