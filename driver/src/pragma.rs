//! `--@` lines above an assertion: what to expect of it and how to word its outcome.

use csp_compiler::hir::Assertion;
use csp_games::referee::Game;

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
    /// `game: …`: the game whose referee judges plays.
    pub(crate) game: Option<Game>,
}

impl Pragmas {
    /// What stands above an assertion.
    pub(crate) fn of(assertion: &Assertion) -> Self {
        parse(assertion.pragmas.iter().map(|(text, _)| text.as_str())).0
    }
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
            ("fail", text) if quoted(text).is_some() => pragmas.fail = quoted(text),
            ("game", name) if Game::from_name(name).is_some() => {
                pragmas.game = Game::from_name(name);
            }
            _ => unknown.push(line),
        }
    }
    (pragmas, unknown)
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
}
