//! The tests of a game as a script: a process for each condition, and for each pair an assertion that the
//! move can be made and one that it cannot.

use std::fmt::Write;

use crate::description::Description;
use crate::pairs::{self, Kind, Tested};
use crate::term::{Atom, Case};

/// The script. Conditions that ask whether a card moves alone, which no pair of cards can say, are left out.
#[must_use]
pub fn script(d: &Description) -> String {
    let mut out = format!(
        "-- Tests of the rules of {}: each atom of each condition decides once for the move and once against it.\n\n\
         RANKS = {}\ndatatype Suit = Clubs | Diamonds | Hearts | Spades\ndatatype Card = card.Suit.{{1..RANKS}}\n\
         suit(card.s.r) = s\nrank(card.s.r) = r\nred(s) = s == Diamonds or s == Hearts\n",
        d.title, d.ranks
    );
    let tests = pairs::tests(d);
    for rule in pairs::rules(d) {
        let about_pairs = |a: &Atom| !matches!(a, Atom::Single | Atom::Empty);
        if !rule.term.atoms().iter().all(about_pairs) {
            continue;
        }
        let (word, term) = (rule.kind.word(), &rule.term);
        let name = capital(word);
        let one = rule.kind == Kind::Space;
        let (fields, event, parameters) = if one {
            ("Card", "c", "c : Card")
        } else {
            ("Card.Card", "c.d", "c : Card @ [] d : Card")
        };
        let _ = write!(
            out,
            "\n-- {}: {}.\nchannel {word} : {fields}\n{name} = [] {parameters} @ ({}) & {word}.{event} -> STOP\n",
            rule.kind.key(),
            term.text(),
            term.in_model()
        );
        let mut made: Vec<String> = Vec::new();
        let own = |t: &&Tested| t.rule.kind == rule.kind;
        for test in tests.iter().filter(own) {
            let atom = test.atom.text();
            let Some(pair) = &test.pair else {
                let _ = writeln!(out, "-- {atom} decides nothing.");
                continue;
            };
            for (case, expected) in [(&pair.legal, "pass"), (&pair.illegal, "fail")] {
                let words = if test.atom.holds(case) {
                    "holds"
                } else {
                    "does not hold"
                };
                let trace = format!("{word}.{}", cards(case));
                let _ = writeln!(out, "-- {atom} {words}.");
                // One board may do for several atoms.
                if made.contains(&trace) {
                    let _ = writeln!(out, "-- As above: <{trace}>.");
                    continue;
                }
                let _ = write!(
                    out,
                    "--@ expect: {expected}\nassert {name} :[has trace [T]]: <{trace}>\n"
                );
                made.push(trace);
            }
        }
    }
    out
}

fn cards(case: &Case) -> String {
    match case.host {
        None => case.card.in_model(),
        Some(host) => format!("{}.{}", case.card.in_model(), host.in_model()),
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}
