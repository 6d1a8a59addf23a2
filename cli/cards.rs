//! Positions in characters: piles side by side, columns downwards, suits in red and black.

use std::fmt::Write;

use csp_driver::play::{CardReport, DigitsReport, HolesReport, PileReport, PositionReport};

/// How cards are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardStyle {
    /// Red suits in red, face-down cards dimmed.
    pub(crate) colour: bool,
    /// Letters for suits.
    pub(crate) ascii: bool,
    /// Cards that lie face down are shown, in brackets.
    pub(crate) open: bool,
}

/// Characters that a card and the room after it take.
const WIDTH: usize = 6;

impl CardStyle {
    /// Writes a card such as `5D` as people know it.
    pub(crate) fn card(self, card: &str) -> String {
        let (rank, suit) = card.split_at(card.len().saturating_sub(1));
        let rank = if rank == "T" { "10" } else { rank };
        let symbol = match (self.ascii, suit) {
            (false, "C") => "♣",
            (false, "D") => "♦",
            (false, "H") => "♥",
            (false, "S") => "♠",
            _ => suit,
        };
        let red = matches!(suit, "D" | "H");
        self.painted(&format!("{rank}{symbol}"), if red { "31" } else { "1" })
    }

    pub(crate) fn painted(self, text: &str, code: &str) -> String {
        if self.colour {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// Text with its words for cards (`5D`) written as cards.
    pub(crate) fn words(self, text: &str) -> String {
        let is_card = |word: &str| {
            let mut chars = word.chars();
            let first = chars.next().is_some_and(|c| "A23456789TJQK".contains(c));
            let second = chars.next().is_some_and(|c| "CDHS".contains(c));
            first && second && chars.next().is_none()
        };
        let words = text.split(' ').map(|word| {
            let (bare, rest) = match word.find([',', ':', ';']) {
                Some(at) => word.split_at(at),
                None => (word, ""),
            };
            if is_card(bare) {
                format!("{}{rest}", self.card(bare))
            } else {
                word.to_owned()
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn place(self, place: &CardReport) -> (String, usize) {
        match &place.card {
            None => (self.painted("--", "2"), 2),
            Some(card) if !place.up && self.open => {
                let width = card.len() + usize::from(card.starts_with('T'));
                (format!("<{}>", self.card(card)), width + 2)
            }
            Some(_) if !place.up => {
                let back = if self.ascii { "##" } else { "▒▒" };
                (self.painted(back, "2"), 2)
            }
            Some(card) => (
                self.card(card),
                card.len() + usize::from(card.starts_with('T')),
            ),
        }
    }

    /// Draws a position.
    pub(crate) fn position(self, position: &PositionReport) -> String {
        match position {
            PositionReport {
                holes: Some(holes), ..
            } => pegs(holes),
            PositionReport {
                digits: Some(digits),
                ..
            } => self.digits(digits),
            PositionReport { piles, .. } => self.piles(piles),
        }
    }

    fn piles(self, piles: &[PileReport]) -> String {
        let mut out = String::new();
        let above: Vec<&PileReport> = piles
            .iter()
            .filter(|p| p.kind != "column" && p.kind != "row")
            .collect();
        if !above.is_empty() {
            self.heads(&mut out, &above);
            out.push('\n');
        }
        let columns: Vec<&PileReport> = piles.iter().filter(|p| p.kind == "column").collect();
        if !columns.is_empty() {
            self.columns(&mut out, &columns);
        }
        for row in piles.iter().filter(|p| p.kind == "row") {
            let _ = write!(out, "{:<4}", row.symbol);
            for place in &row.cards {
                self.cell(&mut out, self.place(place));
            }
            end(&mut out);
        }
        out
    }

    fn cell(self, out: &mut String, (text, width): (String, usize)) {
        let room = WIDTH.saturating_sub(width).max(1);
        let _ = write!(out, "{text}{:room$}", "");
    }

    /// Piles of which only the last card and the number of cards matter.
    fn heads(self, out: &mut String, piles: &[&PileReport]) {
        for pile in piles {
            let name = match &pile.suit {
                Some(_) => pile.name.as_str(),
                None => pile.symbol.as_str(),
            };
            self.cell(out, (name.to_owned(), name.chars().count()));
        }
        end(out);
        for pile in piles {
            let shown = match (pile.kind.as_str(), pile.cards.last()) {
                ("stock", _) => {
                    let count = format!("[{}]", pile.cards.len());
                    let width = count.len();
                    (count, width)
                }
                (_, Some(place)) => self.place(place),
                (_, None) => (self.painted("--", "2"), 2),
            };
            self.cell(out, shown);
        }
        end(out);
    }

    fn columns(self, out: &mut String, columns: &[&PileReport]) {
        for column in columns {
            let width = column.symbol.chars().count();
            self.cell(out, (column.symbol.clone(), width));
        }
        end(out);
        let height = columns.iter().map(|c| c.cards.len()).max().unwrap_or(0);
        for row in 0..height.max(1) {
            for column in columns {
                let shown = match column.cards.get(row) {
                    Some(place) => self.place(place),
                    None if row == 0 => (self.painted("--", "2"), 2),
                    None => (String::new(), 0),
                };
                self.cell(out, shown);
            }
            end(out);
        }
    }

    fn digits(self, digits: &DigitsReport) -> String {
        let mut out = String::from("    ");
        for x in 0..digits.rows.len() {
            let gap = if x > 0 && x % digits.side.max(1) == 0 {
                "  "
            } else {
                ""
            };
            let _ = write!(out, "{gap}{} ", letter(x));
        }
        end(&mut out);
        for (y, row) in digits.rows.iter().enumerate() {
            if y > 0 && y % digits.side.max(1) == 0 {
                out.push('\n');
            }
            let _ = write!(out, "{:<4}", y + 1);
            for (x, digit) in row.iter().enumerate() {
                if x > 0 && x % digits.side.max(1) == 0 {
                    out.push_str("  ");
                }
                let given = digits.given.get(y).and_then(|row| row.get(x)) == Some(&true);
                let text = match digit {
                    0 => ".".to_owned(),
                    d if given => self.painted(&d.to_string(), "1"),
                    d => d.to_string(),
                };
                let _ = write!(out, "{text} ");
            }
            end(&mut out);
        }
        out
    }
}

fn letter(x: usize) -> char {
    u8::try_from(x)
        .ok()
        .filter(|x| *x < 26)
        .map_or('?', |x| char::from(b'a' + x))
}

fn pegs(holes: &HolesReport) -> String {
    let width = holes.rows.iter().map(|row| row.chars().count()).max();
    let letters: String = (0..width.unwrap_or(0)).map(letter).collect();
    let mut out = format!("    {letters}\n");
    for (y, row) in holes.rows.iter().enumerate() {
        let _ = writeln!(out, "{:<4}{}", y + 1, row.trim_end());
    }
    out
}

/// Ends a line without the room after its last card.
fn end(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pile(kind: &str, symbol: &str, cards: &[(&str, bool)]) -> PileReport {
        PileReport {
            kind: kind.to_owned(),
            name: symbol.to_uppercase(),
            symbol: symbol.to_owned(),
            suit: None,
            cards: cards
                .iter()
                .map(|(card, up)| CardReport {
                    card: Some((*card).to_owned()),
                    up: *up,
                })
                .collect(),
        }
    }

    #[test]
    fn columns_hang_downwards() {
        let position = PositionReport {
            piles: vec![
                pile("stock", "s", &[("AC", false), ("2C", false)]),
                pile("waste", "w", &[("TH", true)]),
                pile("column", "1", &[("KS", false), ("QD", true), ("JS", true)]),
                pile("column", "2", &[]),
            ],
            holes: None,
            digits: None,
        };
        let plain = CardStyle {
            colour: false,
            ascii: false,
            open: false,
        };
        let drawn = "s     w\n[2]   10♥\n\n1     2\n▒▒    --\nQ♦\nJ♠\n";
        assert_eq!(plain.position(&position), drawn);
        let ascii = CardStyle {
            ascii: true,
            ..plain
        };
        assert_eq!(ascii.words("5D onto 6C"), "5D onto 6C");
        assert_eq!(plain.words("TD home, 3S"), "10♦ home, 3♠");
    }
}
