//! Reads conditions: the usual phrases ("down alternating", "kings") and whole terms.
//!
//! ```text
//! condition   := conjunction { "or" conjunction } | "if" condition "then" condition "else" condition
//! conjunction := part { "and" part }
//! part        := "not" part | "(" condition ")" | atom
//! ```

use csp_games::Suit;

use crate::term::{Atom, Term, Who};

/// Phrases for what may lie on a card.
pub const BUILDING: [&str; 13] = [
    "nothing",
    "down any suit",
    "down in suit",
    "down alternating",
    "down same colour",
    "down other suit",
    "up any suit",
    "up in suit",
    "up alternating",
    "up or down any suit",
    "up or down in suit",
    "up or down alternating",
    "same rank",
];

/// Phrases for what may fill an empty column.
pub const FILLING: [&str; 4] = ["any", "none", "kings", "not aces"];

/// Reads a phrase or a term; the error is a sentence without a final stop.
pub fn condition(text: &str) -> Result<Term, String> {
    let trimmed = text.trim();
    let (phrase, wrap) = match trimmed.strip_suffix(" wrapping") {
        Some(phrase) => (phrase.trim_end(), true),
        None => (trimmed, false),
    };
    if let Some(term) = known(phrase, wrap) {
        return Ok(term);
    }
    let mut reader = Reader {
        words: words(trimmed)?,
        at: 0,
        depth: 0,
    };
    let term = reader.condition()?;
    match reader.words.get(reader.at) {
        None => Ok(term),
        Some(word) => Err(format!("'{word}' follows the end of the condition")),
    }
}

fn known(phrase: &str, wrap: bool) -> Option<Term> {
    let simple = match phrase {
        "nothing" | "none" => Some(Term::False),
        "any" => Some(Term::True),
        "kings" => Some(Term::Atom(Atom::Rank(Who::Card, 0))),
        "not aces" => Some(Term::Not(Box::new(Term::Atom(Atom::Rank(Who::Card, 1))))),
        "same rank" => Some(Term::Atom(Atom::SameRank)),
        _ => None,
    };
    if simple.is_some() {
        return simple.filter(|_| !wrap);
    }
    let (direction, suits) = if let Some(suits) = phrase.strip_prefix("up or down ") {
        (Term::Or(vec![Term::up(wrap), Term::down(wrap)]), suits)
    } else if let Some(suits) = phrase.strip_prefix("down ") {
        (Term::down(wrap), suits)
    } else {
        (Term::up(wrap), phrase.strip_prefix("up ")?)
    };
    let suits = match suits {
        "any suit" => return Some(direction),
        "in suit" => Term::Atom(Atom::SameSuit),
        "alternating" => Term::Atom(Atom::OppositeColour),
        "same colour" => Term::Atom(Atom::SameColour),
        "other suit" => Term::Not(Box::new(Term::Atom(Atom::SameSuit))),
        _ => return None,
    };
    Some(Term::And(vec![direction, suits]))
}

fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        match c {
            '(' | ')' | ',' => words.push(c.to_string()),
            c if c.is_whitespace() => {}
            c => return Err(format!("'{c}' has no meaning in a condition")),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

struct Reader {
    words: Vec<String>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn eat(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|w| w == word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.eat(word) {
            return Ok(());
        }
        Err(match self.words.get(self.at) {
            Some(other) => format!("'{word}' should stand where '{other}' does"),
            None => format!("'{word}' is missing at the end"),
        })
    }

    fn condition(&mut self) -> Result<Term, String> {
        self.depth += 1;
        if self.depth > 50 {
            return Err("the condition is nested too deeply".to_owned());
        }
        let term = if self.eat("if") {
            let test = self.condition()?;
            self.expect("then")?;
            let yes = self.condition()?;
            self.expect("else")?;
            Term::If(Box::new(test), Box::new(yes), Box::new(self.condition()?))
        } else {
            let mut parts = vec![self.conjunction()?];
            while self.eat("or") {
                parts.push(self.conjunction()?);
            }
            one_or(parts, Term::Or)
        };
        self.depth -= 1;
        Ok(term)
    }

    fn conjunction(&mut self) -> Result<Term, String> {
        let mut parts = vec![self.part()?];
        while self.eat("and") {
            parts.push(self.part()?);
        }
        Ok(one_or(parts, Term::And))
    }

    fn part(&mut self) -> Result<Term, String> {
        self.depth += 1;
        if self.depth > 50 {
            return Err("the condition is nested too deeply".to_owned());
        }
        let term = if self.eat("not") {
            Term::Not(Box::new(self.part()?))
        } else if self.eat("(") {
            let inner = self.condition()?;
            self.expect(")")?;
            inner
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Ok(term)
    }

    fn atom(&mut self) -> Result<Term, String> {
        let Some(word) = self.words.get(self.at).cloned() else {
            return Err("the condition ends too early".to_owned());
        };
        self.at += 1;
        let atom = match word.as_str() {
            "true" => return Ok(Term::True),
            "false" => return Ok(Term::False),
            "empty" => Atom::Empty,
            "single" => Atom::Single,
            "same" if self.eat("suit") => Atom::SameSuit,
            "same" if self.eat("colour") || self.eat("color") => Atom::SameColour,
            "same" if self.eat("rank") => Atom::SameRank,
            "opposite" if self.eat("colour") || self.eat("color") => Atom::OppositeColour,
            "different" if self.eat("suit") => {
                return Ok(Term::Not(Box::new(Term::Atom(Atom::SameSuit))));
            }
            "next" => {
                self.expect("(")?;
                let higher = self.who()?;
                self.expect(",")?;
                let lower = self.who()?;
                let wrap = self.eat(",");
                if wrap {
                    self.expect("wrap")?;
                }
                self.expect(")")?;
                if higher == lower {
                    return Err("nobody is next to himself".to_owned());
                }
                Atom::Next {
                    higher,
                    lower,
                    wrap,
                }
            }
            "king" | "ace" => {
                self.expect("(")?;
                let who = self.who()?;
                self.expect(")")?;
                Atom::Rank(who, u8::from(word == "ace"))
            }
            "rank" | "suit" => {
                self.expect("(")?;
                let who = self.who()?;
                self.expect(",")?;
                let value = self.words.get(self.at).cloned().unwrap_or_default();
                self.at += 1;
                self.expect(")")?;
                if word == "rank" {
                    let rank = csp_games::Card::parse(&format!("{value}C"))
                        .ok_or_else(|| format!("'{value}' is not a rank"))?;
                    Atom::Rank(who, rank.rank)
                } else {
                    let suit = Suit::ALL.into_iter();
                    let suit = suit.into_iter().find(|s| s.name().to_lowercase() == value);
                    Atom::Suit(who, suit.ok_or_else(|| format!("'{value}' is not a suit"))?)
                }
            }
            _ => {
                return Err(format!(
                    "'{word}' is no condition; there are next, same suit, same colour, opposite colour, \
                     same rank, rank, suit, king, ace, empty, single, true and false"
                ));
            }
        };
        Ok(Term::Atom(atom))
    }

    fn who(&mut self) -> Result<Who, String> {
        if self.eat("card") {
            Ok(Who::Card)
        } else {
            self.expect("host").map(|()| Who::Host)
        }
    }
}

fn one_or(mut parts: Vec<Term>, combine: impl Fn(Vec<Term>) -> Term) -> Term {
    if parts.len() == 1 {
        parts.remove(0)
    } else {
        combine(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Case;
    use csp_games::Card;

    fn holds(text: &str, card: &str, host: Option<&str>) -> bool {
        let read = |text| Card::parse(text).expect("a card");
        condition(text).expect("a condition").holds(&Case {
            card: read(card),
            host: host.map(read),
            single: true,
            ranks: 13,
        })
    }

    #[test]
    fn phrases_and_terms_say_the_same() {
        for (phrase, term) in [
            ("down alternating", "next(host, card) and opposite colour"),
            (
                "down in suit wrapping",
                "next(host, card, wrap) and same suit",
            ),
            (
                "up or down any suit",
                "next(card, host) or next(host, card)",
            ),
            ("kings", "king(card)"),
        ] {
            assert_eq!(condition(phrase), condition(term), "{phrase}");
        }
        for phrase in BUILDING.into_iter().chain(FILLING) {
            let term = condition(phrase).expect(phrase);
            assert_eq!(condition(&term.text()), Ok(term), "{phrase}");
        }
    }

    #[test]
    fn conditions_hold_where_they_should() {
        assert!(holds("down alternating", "4H", Some("5S")));
        assert!(!holds("down alternating", "4H", Some("5D")));
        assert!(!holds("down any suit", "KH", Some("AS")));
        assert!(holds("down any suit wrapping", "KH", Some("AS")));
        assert!(holds("empty or ace(host)", "KH", None));
        assert!(!holds("same suit", "KH", None));
        assert!(holds(
            "if empty then king(card) else not same suit",
            "2H",
            Some("3S")
        ));
        assert!(holds("rank(card, 10) and suit(card, hearts)", "TH", None));
    }

    #[test]
    fn wrong_conditions_are_told() {
        for (text, reason) in [
            ("next(host card)", "',' should stand where 'card' does"),
            ("same suit same", "'same' follows the end of the condition"),
            ("next(host, host)", "nobody is next to himself"),
            ("rank(card, 14)", "'14' is not a rank"),
            ("same suit &", "'&' has no meaning in a condition"),
            ("not", "the condition ends too early"),
        ] {
            assert_eq!(condition(text), Err(reason.to_owned()), "{text}");
        }
        assert!(condition(&"(".repeat(10_000)).is_err());
        assert!(condition(&"not ".repeat(10_000)).is_err());
    }
}
