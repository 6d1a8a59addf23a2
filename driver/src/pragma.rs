//! `--@` lines above an assertion: what to expect of it and how to word its outcome.

use csp_compiler::hir::Assertion;
use csp_compiler::resolve::spelling::{did_you_mean, nearest};
use csp_games::referee::Game;
use csp_grammar::{Diagnostic, Span};

use crate::report::VerdictReport;

/// What the pragmas of one assertion say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pragmas {
    /// `expect: pass` or `expect: fail`.
    pub(crate) expected: Option<VerdictReport>,
    /// `pass: "…"`.
    pub(crate) pass: Option<String>,
    /// `fail: "…"`.
    pub(crate) fail: Option<String>,
    /// `waits: "…"`: how to say that a part waits, with `{part}`, `{event}` and `{by}`.
    pub(crate) waits: Option<String>,
    /// `holds: "…"`: how to say whom the other waits for, with `{part}` and `{for}`.
    pub(crate) holds: Option<String>,
    /// `game: …`: the game whose referee judges plays.
    pub(crate) game: Option<Game>,
    /// `opening: …`: the events that a process begins with where the constant `OPENING` is true.
    pub(crate) opening: Option<String>,
    /// `symmetric: …`: types whose values can be exchanged.
    pub(crate) symmetric: Vec<String>,
    /// `score: …`: what events are worth, and a score that no play exceeds.
    pub(crate) score: Option<String>,
    /// `hidden: …`: what of the opening a player cannot see, and what reveals it.
    pub(crate) hidden: Option<String>,
}

impl Pragmas {
    /// What stands above an assertion.
    pub(crate) fn of(assertion: &Assertion) -> Self {
        parse(assertion.pragmas.iter().map(|(text, _)| text.as_str())).0
    }
}

/// The keys of the lines.
const KEYS: [&str; 11] = [
    "expect",
    "pass",
    "fail",
    "waits",
    "holds",
    "game",
    "opening",
    "hidden",
    "score",
    "symmetric",
    "allow",
];

/// The warnings that a script does not want to see (`--@ allow: W0801`), whichever assertion they stand above.
pub(crate) fn allowed(assertions: &[Assertion]) -> Vec<&str> {
    let lines = assertions.iter().flat_map(|assertion| &assertion.pragmas);
    lines
        .filter_map(|(text, _)| text.trim().strip_prefix("allow"))
        .filter_map(|rest| rest.trim_start().strip_prefix(':'))
        .flat_map(|codes| codes.split([',', ' ']))
        .filter(|code| is_warning(code))
        .collect()
}

/// Whether a word is the code of a warning.
fn is_warning(word: &str) -> bool {
    word.strip_prefix('W')
        .is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Warnings about the lines that say nothing.
pub(crate) fn warnings(assertions: &[Assertion]) -> Vec<Diagnostic> {
    let lines = assertions.iter().flat_map(|assertion| &assertion.pragmas);
    lines
        .filter(|(text, _)| !parse([text.as_str()]).1.is_empty())
        .map(|(text, span)| unknown(text, *span))
        .collect()
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    let key = text.split(':').next().unwrap_or_default().trim();
    let help = match key {
        "expect" => "write `expect: pass` or `expect: fail`".to_owned(),
        "pass" | "fail" | "waits" | "holds" => format!("write `{key}: \"…\"`, the words in quotes"),
        "allow" => "write the codes of warnings, as in `allow: W0801`".to_owned(),
        "symmetric" => "write the names of types, as in `symmetric: Client, Server`".to_owned(),
        "opening" => "write `opening: SEQUENCE`, the events that the game begins with".to_owned(),
        "score" => {
            "write `score: (PAIRS, MOST)`: pairs of an event and its points, and a score that no play exceeds"
                .to_owned()
        }
        "hidden" => {
            "write `hidden: SET`, of triples: an item, a fact of the opening, the event that reveals it"
                .to_owned()
        }
        "game" => {
            let names: Vec<&str> = Game::ALL.into_iter().map(Game::name).collect();
            format!("the games are {}", names.join(", "))
        }
        _ => did_you_mean(&nearest(key, KEYS))
            .unwrap_or_else(|| format!("the keys are {}", KEYS.join(", "))),
    };
    Diagnostic::warning("W0604", span, "this `--@` line says nothing").help(help)
}

/// Reads the lines; those that cannot be read are given back.
fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> (Pragmas, Vec<&'a str>) {
    let mut pragmas = Pragmas::default();
    let mut unknown = Vec::new();
    for line in lines {
        let Some((key, value)) = line.split_once(':') else {
            unknown.push(line);
            continue;
        };
        match (key.trim(), value.trim()) {
            ("expect", "pass") => pragmas.expected = Some(VerdictReport::Pass),
            ("expect", "fail") => pragmas.expected = Some(VerdictReport::Fail),
            ("pass", text) if quoted(text).is_some() => pragmas.pass = quoted(text),
            ("waits", text) if quoted(text).is_some() => pragmas.waits = quoted(text),
            ("holds", text) if quoted(text).is_some() => pragmas.holds = quoted(text),
            ("fail", text) if quoted(text).is_some() => pragmas.fail = quoted(text),
            ("allow", codes)
                if codes
                    .split([',', ' '])
                    .all(|code| code.is_empty() || is_warning(code)) => {}
            ("game", name) if Game::from_name(name).is_some() => {
                pragmas.game = Game::from_name(name);
            }
            ("opening", events) if !events.is_empty() => {
                pragmas.opening = Some(events.to_owned());
            }
            ("symmetric", names) if !words(names).is_empty() => {
                pragmas.symmetric.extend(words(names));
            }
            ("score", points) if !points.is_empty() => pragmas.score = Some(points.to_owned()),
            ("hidden", facts) if !facts.is_empty() => pragmas.hidden = Some(facts.to_owned()),
            _ => unknown.push(line),
        }
    }
    (pragmas, unknown)
}

/// The words between commas.
fn words(text: &str) -> Vec<String> {
    let words = text.split(',').map(|word| word.trim().to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

fn quoted(text: &str) -> Option<String> {
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_and_words_are_read() {
        let lines = [
            " expect: fail",
            "pass: \"no win\"",
            "game: peg",
            "colour: red",
        ];
        let (pragmas, unknown) = parse(lines);
        assert_eq!(pragmas.game, Some(Game::Peg));
        assert_eq!(pragmas.expected, Some(VerdictReport::Fail));
        assert_eq!(pragmas.pass.as_deref(), Some("no win"));
        assert_eq!(unknown, ["colour: red"]);
    }

    #[test]
    fn lines_that_say_nothing_get_a_hint() {
        let help = |text| unknown(text, Span::default()).help.unwrap_or_default();
        assert_eq!(help("expected: pass"), "did you mean `expect`?");
        assert_eq!(
            help("expect: yes"),
            "write `expect: pass` or `expect: fail`"
        );
        assert_eq!(
            help("colour: red"),
            "the keys are expect, pass, fail, waits, holds, game, opening, hidden, score, symmetric, allow"
        );
        assert_eq!(
            help("allow: all"),
            "write the codes of warnings, as in `allow: W0801`"
        );
    }
}
