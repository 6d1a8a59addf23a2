//! Cards and how people write them.

use std::fmt;

/// A suit, in the order of Microsoft's pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Diamonds and hearts.
    #[must_use]
    pub fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }

    /// The letter.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
            Self::Hearts => 'H',
            Self::Spades => 'S',
        }
    }

    /// The name, as the models write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clubs => "Clubs",
            Self::Diamonds => "Diamonds",
            Self::Hearts => "Hearts",
            Self::Spades => "Spades",
        }
    }

    /// Reads a letter of either case or a suit symbol.
    #[must_use]
    pub fn from_char(c: char) -> Option<Self> {
        match c.to_ascii_uppercase() {
            'C' | '♣' | '♧' => Some(Self::Clubs),
            'D' | '♦' | '♢' => Some(Self::Diamonds),
            'H' | '♥' | '♡' => Some(Self::Hearts),
            'S' | '♠' | '♤' => Some(Self::Spades),
            _ => None,
        }
    }
}

/// A card: rank 1 (ace) to 13 (king) and suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card {
    /// 1 to 13.
    pub rank: u8,
    /// The suit.
    pub suit: Suit,
}

const RANKS: &[u8; 13] = b"A23456789TJQK";

impl Card {
    /// The card of a rank from 1 to 13 and a suit.
    #[must_use]
    pub fn new(rank: u8, suit: Suit) -> Self {
        assert!((1..=13).contains(&rank), "ranks run from 1 to 13");
        Self { rank, suit }
    }

    /// May be built on `other` in a column: one rank lower, other colour.
    #[must_use]
    pub fn goes_on(self, other: Self) -> bool {
        self.rank + 1 == other.rank && self.suit.is_red() != other.suit.is_red()
    }

    /// The rank as people write it: `A`, `2` … `9`, `T`, `J`, `Q`, `K`.
    #[must_use]
    pub fn rank_text(self) -> String {
        char::from(RANKS[usize::from(self.rank) - 1]).to_string()
    }

    /// Reads `AH`, `10c`, `Xd`, `T♠` …: rank, then suit, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let suit = Suit::from_char(chars.next_back()?)?;
        let rank = match chars.as_str().to_ascii_uppercase().as_str() {
            "10" | "T" | "X" => 10,
            "A" | "1" => 1,
            "J" => 11,
            "Q" => 12,
            "K" => 13,
            digit => digit.parse().ok().filter(|r| (2..=9).contains(r))?,
        };
        Some(Self { rank, suit })
    }

    /// Reads a card as the models print it: `card.Hearts.12`.
    #[must_use]
    pub fn from_model(suit: &str, rank: &str) -> Option<Self> {
        let suit = Suit::ALL.into_iter().find(|s| s.name() == suit)?;
        let rank = rank.parse().ok().filter(|r| (1..=13).contains(r))?;
        Some(Self { rank, suit })
    }

    /// As the models write it.
    #[must_use]
    pub fn in_model(self) -> String {
        format!("card.{}.{}", self.suit.name(), self.rank)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(RANKS[usize::from(self.rank) - 1]),
            self.suit.letter()
        )
    }
}

/// A new pack with `ranks` cards in each suit: by rank, then in the order of [`Suit::ALL`].
#[must_use]
pub fn new_pack(ranks: u8) -> Vec<Card> {
    (1..=ranks)
        .flat_map(|rank| Suit::ALL.map(|suit| Card::new(rank, suit)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_read_in_the_usual_spellings() {
        let ten = Card::new(10, Suit::Spades);
        for text in ["TS", "10S", "xs", "10♠", "T♠"] {
            assert_eq!(Card::parse(text), Some(ten), "{text}");
        }
        for text in ["", "S", "0S", "14H", "AX", "♠A"] {
            assert_eq!(Card::parse(text), None, "{text}");
        }
    }

    #[test]
    fn printing_and_reading_agree() {
        for card in new_pack(13) {
            assert_eq!(Card::parse(&card.to_string()), Some(card));
        }
    }
}
