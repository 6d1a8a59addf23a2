//! What the bundled models print: values as text, and cards in them.

use crate::card::Card;

/// A value of the language as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// `(x, y)`.
    Tuple(Vec<Self>),
    /// `<x, y>`.
    Sequence(Vec<Self>),
    /// `{x, y}`.
    Set(Vec<Self>),
    /// `"text"`.
    Text(String),
    /// Anything else: a number, a name, a dotted value.
    Atom(String),
}

impl Shown {
    /// Reads a printed value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader {
            rest: text.trim_start(),
        };
        let value = reader.value()?;
        if reader.rest.is_empty() {
            Ok(value)
        } else {
            Err(format!("'{}' is left over", reader.rest))
        }
    }

    /// The items of a tuple, sequence or set.
    pub fn items(&self) -> Result<&[Self], String> {
        match self {
            Self::Tuple(items) | Self::Sequence(items) | Self::Set(items) => Ok(items),
            other => Err(format!("{other:?} has no items")),
        }
    }

    /// A number.
    pub fn number<T: std::str::FromStr>(&self) -> Result<T, String> {
        match self {
            Self::Atom(text) => text
                .parse()
                .map_err(|_| format!("'{text}' is no number here")),
            other => Err(format!("{other:?} is not a number")),
        }
    }

    /// `true` or `false`.
    pub fn truth(&self) -> Result<bool, String> {
        match self {
            Self::Atom(text) if text == "true" => Ok(true),
            Self::Atom(text) if text == "false" => Ok(false),
            other => Err(format!("{other:?} is neither true nor false")),
        }
    }

    /// A string, or a sequence of characters.
    pub fn text(&self) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Sequence(items) => items
                .iter()
                .map(|item| match item {
                    Self::Atom(c) => Ok(c.trim_matches('\'').to_owned()),
                    other => Err(format!("{other:?} is not a character")),
                })
                .collect(),
            other => Err(format!("{other:?} is not a text")),
        }
    }

    /// A card: `card.Hearts.3`, possibly inside a constructor such as `Holds.card.Hearts.3`.
    pub fn card(&self) -> Result<Card, String> {
        let wrong = || format!("{self:?} is not a card");
        let Self::Atom(text) = self else {
            return Err(wrong());
        };
        let parts: Vec<&str> = text.split('.').collect();
        let at = parts.iter().position(|p| *p == "card").ok_or_else(wrong)?;
        match parts[at + 1..] {
            [suit, rank] => Card::from_model(suit, rank).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    /// A list of cards.
    pub fn cards(&self) -> Result<Vec<Card>, String> {
        self.items()?.iter().map(Self::card).collect()
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Shown, String> {
        let Some(first) = self.rest.chars().next() else {
            return Err("a value is missing".to_owned());
        };
        match first {
            '(' => self.list(')').map(Shown::Tuple),
            '<' => self.list('>').map(Shown::Sequence),
            '{' => self.list('}').map(Shown::Set),
            '"' => {
                let end = self.rest[1..].find('"').ok_or("a string has no end")?;
                let text = self.rest[1..=end].to_owned();
                self.skip(end + 2);
                Ok(Shown::Text(text))
            }
            '\'' => {
                let end = self.rest[1..].find('\'').ok_or("a character has no end")? + 2;
                let text = self.rest[..end].to_owned();
                self.skip(end);
                Ok(Shown::Atom(text))
            }
            _ => {
                let end = self.rest.find([',', ')', '>', '}']);
                let end = end.unwrap_or(self.rest.len());
                let text = self.rest[..end].trim_end().to_owned();
                self.skip(end);
                Ok(Shown::Atom(text))
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    fn list(&mut self, close: char) -> Result<Vec<Shown>, String> {
        self.skip(1);
        let mut items = Vec::new();
        loop {
            if self.rest.starts_with(close) {
                self.skip(1);
                return Ok(items);
            }
            if !items.is_empty() {
                if !self.rest.starts_with(',') {
                    return Err(format!(
                        "'{close}' or ',' should stand before '{}'",
                        self.rest
                    ));
                }
                self.skip(1);
            }
            items.push(self.value()?);
        }
    }
}

/// The parts of an event: its channel, and its fields with cards taken together.
#[must_use]
pub fn event(text: &str) -> (&str, Vec<Field<'_>>) {
    let mut parts = text.split('.');
    let channel = parts.next().unwrap_or_default();
    let mut fields = Vec::new();
    while let Some(part) = parts.next() {
        if part != "card" {
            fields.push(Field::Word(part));
            continue;
        }
        let card = parts.next().zip(parts.next());
        match card.and_then(|(suit, rank)| Card::from_model(suit, rank)) {
            Some(card) => fields.push(Field::Card(card)),
            None => fields.push(Field::Word(part)),
        }
    }
    (channel, fields)
}

/// A field of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// A card.
    Card(Card),
    /// Anything else.
    Word(&'a str),
}

impl Field<'_> {
    /// The card, if it is one.
    #[must_use]
    pub fn card(&self) -> Option<Card> {
        match self {
            Self::Card(card) => Some(*card),
            Self::Word(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Suit;

    #[test]
    fn printed_values_are_read() {
        let value = Shown::parse("(<<card.Hearts.3, card.Clubs.1>, <>>, {4}, \"oo.\", true)");
        let value = value.expect("a value");
        let items = value.items().expect("a tuple");
        let columns = items[0].items().expect("columns");
        assert_eq!(
            columns[0].cards(),
            Ok(vec![Card::new(3, Suit::Hearts), Card::new(1, Suit::Clubs)])
        );
        assert_eq!(columns[1].cards(), Ok(vec![]));
        assert_eq!(items[1].items().expect("a set")[0].number(), Ok(4));
        assert_eq!(items[2].text().as_deref(), Ok("oo."));
        assert_eq!(items[3].truth(), Ok(true));
        for wrong in ["", "(1", "<1> 2", "(1 2)x", "\"abc"] {
            assert!(Shown::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn events_are_taken_apart() {
        let (channel, fields) = event("draw.At.card.Spades.2.Header");
        assert_eq!(channel, "draw");
        let two = Field::Card(Card::new(2, Suit::Spades));
        assert_eq!(fields, [Field::Word("At"), two, Field::Word("Header")]);
    }
}
