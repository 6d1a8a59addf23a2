//! What a bot wants: rules that give weights to moves, read from a small file.
//!
//! ```toml
//! name = "patient"
//! choose = "best"          # the greatest weight; "random": in proportion to the weights
//! moves = 1000             # how many moves a game may have
//! rules = [
//!   { channel = "home", weight = 100 },
//!   { channel = "wasteHome", weight = 90 },
//!   { channel = "toColumn", weight = 20, when = ["new"] },
//!   { channel = "draw", weight = 1 },
//! ]
//! ```
//!
//! The first rule that fits a move gives its weight; a move that no rule fits has weight 0 and is never
//! made. `channel` is a channel or the beginning of an event (`home.card.Hearts`), `*` is any. Guards in
//! `when` must all hold: `new` (the position after it has not been met in this game), `wins`, `more` (there
//! is more to choose from after it), `after CHANNEL` (the last move was of that channel), and each of them
//! with `not` before it.
//!
//! A file with `kind = "blind"` has the settings of the blind bot instead: `actions`, `to_tableau`,
//! `whole_run`, `commands`.

use csp_games::petri::Blind;
use csp_grammar::source::FileId;
use csp_rules::tree::{Entry, Node, Value};

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub enum Bot {
    /// Sends commands of Klondike without looking.
    Blind(Blind),
    /// Chooses among what is offered by weights.
    Weights(Strategy),
    /// Makes the move after which most is done: cards home, cards face up, pegs gone, digits written.
    /// Never returns to a position.
    Greedy,
}

/// Weights for moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// What it is called.
    pub name: String,
    /// Whether the greatest weight counts, or chances are in proportion.
    pub best: bool,
    /// How many moves a game may have, if the file says.
    pub moves: Option<u64>,
    /// Tried in this order.
    pub rules: Vec<Rule>,
}

/// A weight for some moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// A channel, the beginning of an event, or `*`.
    pub channel: String,
    /// The weight.
    pub weight: f64,
    /// What must hold; the truth value says whether it must or must not.
    pub when: Vec<(Guard, bool)>,
}

/// Something about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It leads to a position that was not met in this game.
    New,
    /// It wins.
    Wins,
    /// There is more to choose from after it than now.
    More,
    /// The last move was of this channel.
    After(String),
}

impl Rule {
    /// Whether the rule is about an event.
    #[must_use]
    pub fn is_about(&self, event: &str) -> bool {
        is_of(event, &self.channel)
    }
}

/// Whether an event is of a channel, or begins with fields.
pub(super) fn is_of(event: &str, channel: &str) -> bool {
    channel == "*"
        || event
            .strip_prefix(channel)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Bot {
    /// Any move that is offered, each with the same chance.
    #[must_use]
    pub fn random() -> Self {
        Self::Weights(Strategy {
            name: "random".to_owned(),
            best: false,
            moves: None,
            rules: vec![Rule {
                channel: "*".to_owned(),
                weight: 1.0,
                when: Vec::new(),
            }],
        })
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Blind(_) => "blind",
            Self::Weights(strategy) => &strategy.name,
            Self::Greedy => "greedy",
        }
    }

    /// Reads a file of a strategy; the error is a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = csp_rules::read_toml(text, FileId::default()).map_err(|d| d.message)?;
        let Node::Table(entries) = value.node else {
            return Err("it has no keys".to_owned());
        };
        let entries = entries.as_slice();
        let kind = entries.iter().find(|e| e.key == "kind");
        match kind.map(words).transpose()?.as_deref() {
            None | Some("weights") => weights(entries).map(Self::Weights),
            Some("blind") => blind(entries).map(Self::Blind),
            Some(other) => Err(format!("the kind is weights or blind, not '{other}'")),
        }
    }
}

fn words(entry: &Entry) -> Result<String, String> {
    match &entry.value.node {
        Node::Text(text) => Ok(text.clone()),
        _ => Err(format!(
            "{} is {}, not a text",
            entry.key,
            entry.value.kind()
        )),
    }
}

fn number(entry: &Entry) -> Result<f64, String> {
    let wrong = || format!("{} is not a number from 0 on", entry.key);
    let number = match &entry.value.node {
        Node::Number(n) => *n as f64,
        Node::Decimal(text) => text.parse::<f64>().map_err(|_| wrong())?,
        _ => return Err(wrong()),
    };
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err(wrong())
    }
}

fn whole(entry: &Entry) -> Result<u64, String> {
    match &entry.value.node {
        Node::Number(n) => u64::try_from(*n).map_err(|_| format!("{} is less than 0", entry.key)),
        _ => Err(format!("{} is not a whole number", entry.key)),
    }
}

fn list(entry: &Entry) -> Result<&[Value], String> {
    match &entry.value.node {
        Node::List(items) => Ok(items),
        _ => Err(format!(
            "{} is {}, not a list",
            entry.key,
            entry.value.kind()
        )),
    }
}

fn weights(entries: &[Entry]) -> Result<Strategy, String> {
    let mut strategy = Strategy {
        name: "a strategy".to_owned(),
        best: false,
        moves: None,
        rules: Vec::new(),
    };
    for entry in entries {
        match entry.key.as_str() {
            "kind" => {}
            "name" => strategy.name = words(entry)?,
            "moves" => strategy.moves = Some(whole(entry)?),
            "choose" => {
                strategy.best = match words(entry)?.as_str() {
                    "best" => true,
                    "random" => false,
                    other => return Err(format!("choose is best or random, not '{other}'")),
                }
            }
            "rules" => {
                let rules = list(entry)?.iter().enumerate();
                let rules = rules
                    .map(|(i, value)| rule(value).map_err(|why| format!("rule {}: {why}", i + 1)));
                strategy.rules = rules.collect::<Result<_, _>>()?;
            }
            other => {
                let keys = "kind, name, choose, moves, rules";
                return Err(format!("'{other}' is not one of the keys {keys}"));
            }
        }
    }
    if strategy.rules.is_empty() {
        return Err("it has no rules".to_owned());
    }
    Ok(strategy)
}

fn rule(value: &Value) -> Result<Rule, String> {
    let Node::Table(entries) = &value.node else {
        return Err(format!("it is {}, not a table in braces", value.kind()));
    };
    let (mut channel, mut weight, mut when) = (None, None, Vec::new());
    for entry in entries {
        match entry.key.as_str() {
            "channel" => channel = Some(words(entry)?),
            "weight" => weight = Some(number(entry)?),
            "when" => {
                for item in list(entry)? {
                    let Node::Text(text) = &item.node else {
                        return Err("a guard is a text".to_owned());
                    };
                    when.push(guard(text)?);
                }
            }
            other => return Err(format!("'{other}' is not one of channel, weight, when")),
        }
    }
    Ok(Rule {
        channel: channel.ok_or("it has no channel")?,
        weight: weight.ok_or("it has no weight")?,
        when,
    })
}

fn guard(text: &str) -> Result<(Guard, bool), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (words, holds) = match words.as_slice() {
        ["not", rest @ ..] => (rest, false),
        all => (all, true),
    };
    let guard = match words {
        ["new"] => Guard::New,
        ["wins"] => Guard::Wins,
        ["more"] => Guard::More,
        ["after", channel] => Guard::After((*channel).to_owned()),
        _ => {
            return Err(format!(
                "'{text}' is not a guard: they are new, wins, more, after CHANNEL, each with not or without"
            ));
        }
    };
    Ok((guard, holds))
}

fn blind(entries: &[Entry]) -> Result<Blind, String> {
    let mut blind = Blind::default();
    let share = |entry: &Entry| {
        let n = whole(entry)?;
        let n = u32::try_from(n).ok().filter(|n| *n <= 100);
        n.ok_or_else(|| format!("{} is more than 100 per cent", entry.key))
    };
    for entry in entries {
        match entry.key.as_str() {
            "kind" | "name" => {}
            "to_tableau" => blind.to_tableau = share(entry)?,
            "whole_run" => blind.whole_run = share(entry)?,
            "commands" => blind.commands = whole(entry)?,
            "actions" => {
                let numbers = list(entry)?.iter().map(|value| match value.node {
                    Node::Number(n) => u32::try_from(n).ok().filter(|n| *n <= 100),
                    _ => None,
                });
                let cuts: Option<Vec<u32>> = numbers.collect();
                let cuts: Option<[u32; 4]> = cuts.and_then(|cuts| cuts.try_into().ok());
                blind.actions = cuts
                    .filter(|cuts| cuts.is_sorted())
                    .ok_or("actions are four rising numbers up to 100")?;
            }
            other => {
                let keys = "kind, name, actions, to_tableau, whole_run, commands";
                return Err(format!("'{other}' is not one of the keys {keys}"));
            }
        }
    }
    Ok(blind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_rules_is_read() {
        let text = "name = \"n\"\nchoose = \"best\"\nrules = [\n  { channel = \"home\", weight = 10 },\n  \
                    { channel = \"*\", weight = 0.5, when = [\"new\", \"not after draw\"] },\n]\n";
        let Ok(Bot::Weights(strategy)) = Bot::parse(text) else {
            panic!("{:?}", Bot::parse(text));
        };
        assert!(strategy.best);
        assert!(strategy.rules[0].is_about("home.card.Hearts.1.Chosen"));
        assert!(!strategy.rules[0].is_about("homes"));
        assert_eq!(
            strategy.rules[1].when,
            [(Guard::New, true), (Guard::After("draw".to_owned()), false)]
        );
    }

    #[test]
    fn mistakes_are_sentences() {
        let wrong = |text: &str| Bot::parse(text).expect_err("wrong");
        assert_eq!(wrong("name = \"x\""), "it has no rules");
        assert_eq!(
            wrong("rules = [{ channel = \"a\" }]"),
            "rule 1: it has no weight"
        );
        assert_eq!(
            wrong("rules = [{ channel = \"a\", weight = -1 }]"),
            "rule 1: weight is not a number from 0 on"
        );
        assert!(wrong("kind = \"blind\"\nactions = [3, 2, 1, 0]").starts_with("actions are four"));
        assert!(
            wrong("rules = [{ channel = \"a\", weight = 1, when = [\"soon\"] }]")
                .contains("'soon'")
        );
    }
}
