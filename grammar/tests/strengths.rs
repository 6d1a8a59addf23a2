//! How operators group: each line is an expression and the same with all brackets written.

use csp_grammar::source::Sources;
use csp_grammar::syntax::Expr;
use csp_grammar::{bare_expression, parse_expression, print_expression};

fn read(text: &str) -> Expr {
    let mut sources = Sources::default();
    let file = sources.add("expression", text);
    let (expr, diagnostics) = parse_expression(&sources, file);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    expr
}

fn group_alike(pairs: &[(&str, &str)]) {
    for (written, meant) in pairs {
        let (left, right) = (read(written), read(meant));
        let printed = print_expression(&left);
        let bare = bare_expression(left);
        assert!(
            bare == bare_expression(right),
            "{written} is not read as {meant}"
        );
        assert!(
            bare_expression(read(&printed)) == bare,
            "{written} is printed as {printed}"
        );
    }
}

#[test]
fn consequences_that_bite() {
    group_alike(&[
        ("c.i+1", "c.(i+1)"),
        ("a.b == c", "a.(b == c)"),
        ("a.b and c.d", "a.((b and c).d)"),
        ("#s^t", "#(s^t)"),
        ("-3/2", "-(3/2)"),
        ("-3+2", "(-3)+2"),
        ("2*-3*4", "2*(-(3*4))"),
        ("2*-3+4", "(2*(-3))+4"),
        ("a == not b == c", "a == (not (b == c))"),
        ("not a and b", "(not a) and b"),
        ("not a == b", "not (a == b)"),
        ("a -> P[[x<-y]]", "a -> (P[[x<-y]])"),
        ("a -> P ; Q", "(a -> P) ; Q"),
        ("b & P [] Q", "(b & P) [] Q"),
        ("x > 1 & c!x -> P", "(x > 1) & (c!x -> P)"),
        ("a -> b -> P", "a -> (b -> P)"),
        ("a.b.c", "a.(b.c)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("1 - 2 * 3 % 4", "1 - ((2 * 3) % 4)"),
        ("a or b and c", "a or (b and c)"),
        ("#s + 1", "(#s) + 1"),
        ("s^f(x)^t", "(s^(f(x)))^t"),
    ]);
}

#[test]
fn processes() {
    group_alike(&[
        ("P ||| Q [| A |] R", "P ||| (Q [| A |] R)"),
        ("P [| A |] Q ||| R", "(P [| A |] Q) ||| R"),
        ("P [| A |] Q |~| R", "P [| A |] (Q |~| R)"),
        ("P |~| Q [] R", "P |~| (Q [] R)"),
        ("P [] Q [+A+] R", "(P [] Q) [+A+] R"),
        ("P [] Q /\\ R", "P [] (Q /\\ R)"),
        ("P /+A+\\ Q /\\ R", "(P /+A+\\ Q) /\\ R"),
        ("P /\\ Q [> R", "P /\\ (Q [> R)"),
        ("P [> Q ; R", "P [> (Q ; R)"),
        ("P ; b & a -> Q ; R", "(P ; (b & (a -> Q))) ; R"),
        (
            "P [] if b then Q else R ||| S",
            "P [] (if b then Q else (R ||| S))",
        ),
        (
            "P ; [] x:S @ a -> Q ||| R",
            "P ; ([] x:S @ ((a -> Q) ||| R))",
        ),
        (
            "a -> let x = 1 within P ; Q",
            "a -> (let x = 1 within (P ; Q))",
        ),
    ]);
}

#[test]
fn hiding_ends_before_process_operators() {
    let operators = [
        "|||",
        "[| A |]",
        "[A||B]",
        "[| A |>",
        "|~|",
        "[]",
        "[+ A +]",
        "/\\",
        "/+ A +\\",
        "[>",
        ";",
        "[a <-> b]",
    ];
    for hide in ["\\", "|\\"] {
        for operator in operators {
            group_alike(&[
                (
                    &format!("X {hide} Y {operator} Z"),
                    &format!("(X {hide} Y) {operator} Z"),
                ),
                (
                    &format!("X {operator} Y {hide} Z"),
                    &format!("(X {operator} Y) {hide} Z"),
                ),
            ]);
        }
    }
    group_alike(&[
        ("X \\ Y \\ Z", "(X \\ Y) \\ Z"),
        ("X \\ Y ||| Z \\ W", "((X \\ Y) ||| Z) \\ W"),
        ("X \\ Y [] Z ||| W", "((X \\ Y) [] Z) ||| W"),
        ("X \\ Y ||| Z [] W", "(X \\ Y) ||| (Z [] W)"),
        ("a -> X \\ Y", "(a -> X) \\ Y"),
        ("X \\ (Y ||| Z)", "X \\ ((Y ||| Z))"),
        ("X \\ union(A, B)", "X \\ (union(A, B))"),
        ("X \\ a.b", "X \\ (a.b)"),
    ]);
}

#[test]
fn fields_end_at_the_next_field() {
    group_alike(&[
        ("c!x+1?y -> P", "c!(x+1)?y -> P"),
        ("c?x.y -> P", "c?(x.y) -> P"),
        ("c?x:A.B!z -> P", "c?x:(A.B)!z -> P"),
        ("a.b?x -> P", "(a.b)?x -> P"),
        ("c!a.b -> P", "c!(a.b) -> P"),
        ("c!-1 -> P", "c!(-1) -> P"),
    ]);
}
