//! Random expressions are printed without the brackets they were written with, and must still be read as the same.

use csp_grammar::source::Sources;
use csp_grammar::syntax::Expr;
use csp_grammar::{Diagnostic, bare_expression, parse_expression, print_expression};

/// A linear congruential generator, so that every run sees the same expressions.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % bound
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn pattern(&mut self) -> &'static str {
        self.one(&[
            "x", "_", "-1", "<x>^y", "(x, _)", "A.x", "{x}", "x @@ <y>", "'c'",
        ])
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self
                .one(&[
                    "x",
                    "P",
                    "M::c",
                    "3",
                    "true",
                    "'\\''",
                    "\"s\\\"\"",
                    "{}",
                    "<>",
                    "{| c |}",
                    "(| |)",
                ])
                .to_owned();
        }
        let (a, b, c) = (
            self.expr(depth - 1),
            self.expr(depth - 1),
            self.expr(depth - 1),
        );
        let p = self.pattern();
        match self.below(18) {
            0 => format!("(let {p} = {a} within {b})"),
            1 => format!("(let x = {a}\nf({p}) = {c}\nwithin {b})"),
            2 => format!("(if {a} then {b} else {c})"),
            3 => format!("(\\ {p}, y @ {a})"),
            4 => format!(
                "({} x : ({a}), y <- ({c}), ({b}) @ ({c}))",
                self.one(&["[]", "|||", "|~|", ";", "[|A|]", "[+A+]", "[a<->b]"])
            ),
            5 => format!("(|| x : ({a}) @ [({b})] ({c}))"),
            6 => format!("(f)(({a}), ({b}))"),
            7 => format!("<({a}), ({b}) | {p} <- ({c}), ({a})>"),
            8 => format!("{{({a})..({b})}}"),
            9 => format!("({a}, ({b}), {c})"),
            10 => format!("({a})[[({b}) <- ({c}) | x <- S]]"),
            11 => format!("(({a})?(<x>^y):({b})$A.x!({c})?_ -> ({a}))"),
            12 => format!("({}({a}))", self.one(&["-", "not ", "#"])),
            13 => format!("(| ({a}) => ({b}) |)"),
            _ => {
                let operator = self.one(&[
                    "+", "-", "*", "/", "%", "==", "<", ">", ">=", "and", "or", "^", ".", "->",
                    "&", "\\", "|\\", "[]", "|~|", "[>", "/\\", ";", "|||", "[|A|]", "[A||B]",
                    "[|A|>", "[+A+]", "/+A+\\", "[a<->b]",
                ]);
                format!("(({a}) {operator} ({b}))")
            }
        }
    }
}

fn read(text: &str) -> (Expr, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("expression", text);
    parse_expression(&sources, file)
}

#[test]
fn printing_puts_the_brackets_back() {
    let mut random = Random(7);
    for _ in 0..1_500 {
        let text = random.expr(4);
        let (expr, found) = read(&text);
        assert!(found.is_empty(), "{text}: {found:?}");
        let bare = bare_expression(expr);
        let printed = print_expression(&bare);
        let (again, found) = read(&printed);
        assert!(found.is_empty(), "{printed}: {found:?}");
        assert!(
            bare_expression(again) == bare,
            "{text} is printed as {printed}"
        );
    }
}
