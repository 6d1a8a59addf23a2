//! Input that nobody would write: nothing may panic, overflow the stack or take more than linear time.

use csp_grammar::source::Sources;
use csp_grammar::syntax::DeclKind;
use csp_grammar::{Diagnostic, parse, parse_expression, print_expression, print_script};

fn codes(text: impl Into<String>) -> Vec<&'static str> {
    read(text)
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

/// Reads, prints and forgets a script with the least stack that tall trees need.
fn read(text: impl Into<String>) -> Vec<Diagnostic> {
    let text = text.into();
    let work = || {
        let mut sources = Sources::default();
        let root = sources.add("hostile.csp", text);
        let (script, found) = parse(&mut sources, root, &mut |_| Err("no files here".to_owned()));
        let (expression, _) = parse_expression(&sources, root);
        let _ = (print_script(&script), print_expression(&expression));
        found
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    thread
        .spawn(work)
        .expect("the system gives such a thread")
        .join()
        .expect("nothing panics")
}

#[test]
fn deep_nesting_is_refused_and_moderate_nesting_accepted() {
    let forms: &[(&str, &str, &str)] = &[
        ("x = ", "(", ")"),
        ("x = ", "<", ">"),
        ("x = ", "{", "}"),
        ("x = ", "f(", ")"),
        ("x = ", "a -> ", ""),
        ("x = 1 ", "+ 1 ", ""),
        ("x = ", "if a then b else ", ""),
        ("x = ", "\\ p, q @ ", ""),
        ("x = ", "let y = 1 within ", ""),
        ("x = ", "let y = ", " within 1"),
        ("x = ", "[] y:S, z:T @ ", ""),
        ("x = f", "(1)", ""),
        ("x = P", "[[a <- b]]", ""),
        ("x = ", "not ", ""),
        ("x :: ", "<", ">"),
    ];
    for (start, open, close) in forms {
        let middle = match () {
            () if start.ends_with(['f', 'P']) || open.starts_with('+') => "",
            () => "Int",
        };
        let nested = |n: usize| format!("{start}{}{middle}{}", open.repeat(n), close.repeat(n));
        assert_eq!(codes(nested(500)), [""; 0], "500 of {open}");
        assert_eq!(codes(nested(200_000)), ["E0126"], "200,000 of {open}");
    }
}

#[test]
fn long_chains_are_accepted() {
    for (start, link) in [
        ("x = 1", " + 1 * 2"),
        ("x = a", " and b == c"),
        ("x = <>", " ^ <a, b>"),
        ("P = STOP", " [] s == 0 & c.0.0 -> P(1)"),
        ("P = STOP", " ||| c!1?y -> (P \\ A)"),
        ("P = STOP", " |~| P"),
        ("P = STOP", " ; P"),
        ("P = a", " -> c.0"),
        ("x = 1", "\n  + 1"),
    ] {
        let chain = format!("{start}{}", link.repeat(20_000));
        assert_eq!(codes(chain), [""; 0], "20,000 of {link}");
        let chain = format!("{start}{}", link.repeat(100_000));
        assert_eq!(codes(chain), ["E0126"], "100,000 of {link}");
    }
}

#[test]
fn what_is_refused_is_still_defined() {
    let mut sources = Sources::default();
    let sum = " + 1".repeat(100_000);
    let root = sources.add("x.csp", format!("f(x) = x{sum}\ny = 1{sum}\nz = f(y)\n"));
    let (script, found) = parse(&mut sources, root, &mut |_| Err(String::new()));
    assert_eq!(found.len(), 2);
    assert!(matches!(script.decls[0].kind, DeclKind::Clause { .. }));
    assert!(matches!(script.decls[1].kind, DeclKind::Bind { .. }));
}

#[test]
fn deep_patterns_modules_and_sections_are_refused() {
    assert_eq!(codes(format!("f({}x) = 1", "a.".repeat(100))), [""; 0]);
    assert!(codes(format!("f({}x) = 1", "a.".repeat(1_000))).contains(&"E0126"));
    let modules = |n: usize| "module M\n".repeat(n) + &"exports\nendmodule\n".repeat(n);
    assert_eq!(codes(modules(20)), [""; 0]);
    assert_eq!(codes(modules(2_000)), ["E0126"]);
    let sections = |n: usize| "Timed {\n".repeat(n) + &"}\n".repeat(n);
    assert_eq!(codes(sections(20)), [""; 0]);
    assert_eq!(codes(sections(2_000)), ["E0126"]);
}

#[test]
fn a_megabyte_on_one_line() {
    assert_eq!(
        codes(format!("x = {{1{}}}", ", 1".repeat(350_000))),
        [""; 0]
    );
    for text in [
        "(", "<", "([{<", "{-", "let ", "\"", ":[", "x", "1", "'", "¶", "module ", "Timed {",
        "--@ ",
    ] {
        let mut text = text.repeat(1_000_000 / text.len());
        text.insert_str(0, "P = ");
        let found = read(text);
        assert!(found.len() <= 201);
    }
}

#[test]
fn many_mistakes_are_counted_not_shown() {
    let found = codes("x = = 1\n".repeat(50_000));
    assert_eq!(found.len(), 201);
    assert_eq!(found[200], "E0131");
}

#[test]
fn every_beginning_of_a_script_is_read() {
    let script = "channel c : {0..1}\nf(<x>^xs) = {| c.y | y <- xs, (y > 1) |}\n\
        P = let\n  Q = c?z:{0} -> \"s\\n\"\nwithin (Q [| {c.0} |] P) \\ {}\n\
        module M\nexports\nk = 'c'\nendmodule\nassert not P :[has trace [T]]: <c.0>\nTimed(f) {\n R = STOP\n}\n";
    assert_eq!(codes(script), [""; 0]);
    for end in 0..script.len() {
        let found = read(&script[..end]);
        assert!(
            found.len() < 4,
            "{} mistakes in the first {end} bytes",
            found.len()
        );
    }
}

#[test]
fn one_mistake_does_not_hide_the_next_declaration() {
    let mut sources = Sources::default();
    let root = sources.add(
        "x.csp",
        "P = (a\nQ = STOP\nR = let\n  x = 1\nS = SKIP\nT = 1 2\n   3\nU = 1\n",
    );
    let (script, found) = parse(&mut sources, root, &mut |_| Err(String::new()));
    let found: Vec<&str> = found.iter().map(|d| d.code).collect();
    assert_eq!(found, ["E0111", "E0112", "E0110"]);
    let read = script
        .decls
        .iter()
        .filter(|decl| !matches!(decl.kind, DeclKind::Error(_)));
    assert_eq!(read.count(), 3);
}
