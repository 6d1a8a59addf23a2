//! Commands for moves: the words that players type.
//!
//! - `Move:DEST:SOURCE[:AMOUNT]`, `Turn:TPn`, `Turn:DP`: the commands of the Petri-net model of
//!   Klondike (`DP` as a source is the card on the waste; one card if no amount is said)
//! - `34`, `3a`, `ah`, `w5`: from and to by short names, `w5-2` with an amount; `draw`, `d`
//! - `5D 6C`, `5D h`, `5D`: a card and where it goes, if anything is left to be said
//! - `d2-d4` a jump, `a1=8` a digit
//! - an event as the model writes it, or the number of an offer

use csp_games::Card;
use csp_games::table::{Pile, PileKind};

use super::report::{OfferReport, RefusalReport};
use super::table::Table;

/// What a command asks for, among the offers or beyond them.
enum Wanted {
    /// The number of an offer, from 0.
    Number(usize),
    /// An offer with this event.
    Event(String),
    /// An offer with this notation.
    Notation(String),
    /// Cards from one pile to others; any amount if none is said.
    Carry {
        from: Pile,
        to: Vec<Pile>,
        amount: Option<usize>,
    },
    /// A card, and to where if that is said.
    Card(Card, Option<String>),
}

impl Table {
    /// Makes the move that a line asks for and gives it back; a run is several.
    pub fn command(&mut self, line: &str) -> Result<Vec<OfferReport>, RefusalReport> {
        let line = line.trim();
        let wanted = self.wanted(line)?;
        let fits: Vec<usize> = (0..self.offers().len())
            .filter(|i| self.fits(*i, &wanted))
            .collect();
        match fits.as_slice() {
            [] => {
                if let Wanted::Carry { from, to, amount } = &wanted
                    && let [to] = to.as_slice()
                    && let Some(done) = self.carry_run(from, to, *amount)
                {
                    return Ok(done);
                }
                Err(self.refuse(line, wanted))
            }
            [index] => {
                let done = self.offers()[*index].clone();
                let wrong = |why| RefusalReport::plain(line, why);
                self.choose(*index).map_err(wrong)?;
                Ok(vec![done])
            }
            several => {
                let texts = several.iter().map(|i| {
                    let offer = &self.offers()[*i];
                    format!("{} ({})", i + 1, offer.text)
                });
                let texts: Vec<String> = texts.collect();
                let reason = format!("that can be {}", texts.join(" or "));
                Err(RefusalReport::plain(line, reason))
            }
        }
    }

    fn wanted(&self, line: &str) -> Result<Wanted, RefusalReport> {
        let wrong = |why: String| RefusalReport::plain(line, why);
        if self.offers().iter().any(|offer| offer.event == line) {
            return Ok(Wanted::Event(line.to_owned()));
        }
        if let Ok(number) = line.parse::<usize>()
            && (1..=self.offers().len()).contains(&number)
            && !(line.len() == 2 && self.is_route(line))
        {
            return Ok(Wanted::Number(number - 1));
        }
        let mut parts = line.split(':').map(str::trim);
        let verb = parts.next().unwrap_or_default().to_ascii_lowercase();
        let rest: Vec<&str> = parts.collect();
        match (verb.as_str(), rest.as_slice()) {
            ("d" | "draw", []) => return Ok(Wanted::Notation("draw".to_owned())),
            ("turn", [] | ["DP" | "dp"]) => return Ok(self.turn_of_the_stock()),
            ("turn", [pile]) => return Err(wrong(self.turned_by_itself(pile))),
            ("move", [to, from]) => return self.carry(line, from, to, Some(1)),
            ("move", [to, from, amount]) => {
                let amount = amount.parse().ok().filter(|n| *n > 0);
                let amount = amount.ok_or_else(|| wrong("the amount is not a number".to_owned()));
                return self.carry(line, from, to, Some(amount?));
            }
            ("move" | "turn", _) => {
                let form = "the command is Move:DEST:SOURCE, Move:DEST:SOURCE:AMOUNT or Turn:PILE";
                return Err(wrong(form.to_owned()));
            }
            _ => {}
        }
        // Small letters are piles first: `4h` is a move home, `4H` is a card.
        let small = !line.chars().any(char::is_uppercase) && self.is_route(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        let words = if small { Vec::new() } else { words };
        let card = words.first().and_then(|word| Card::parse(word));
        match (card, words.as_slice()) {
            (Some(card), [_]) => return Ok(Wanted::Card(card, None)),
            (Some(card), [_, to]) => return Ok(Wanted::Card(card, Some((*to).to_owned()))),
            _ => {}
        }
        let same = |offer: &OfferReport| offer.notation.eq_ignore_ascii_case(line);
        let squares =
            self.node().referee.position().piles().is_empty() && line.contains(['-', '=']);
        if squares || self.offers().iter().any(same) {
            return Ok(Wanted::Notation(line.to_owned()));
        }
        let (route, amount) = match line.split_once('-') {
            Some((route, amount)) => (route, amount.parse().ok()),
            None => (line, None),
        };
        if self.is_route(route)
            && let Some((end, _)) = route.char_indices().nth(1)
        {
            return self.carry(line, &route[..end], &route[end..], amount);
        }
        Ok(Wanted::Event(line.to_owned()))
    }

    fn fits(&self, index: usize, wanted: &Wanted) -> bool {
        let offer = &self.offers()[index];
        let to = offer.to.as_ref();
        match wanted {
            Wanted::Number(number) => *number == index,
            Wanted::Event(event) => offer.event == *event,
            Wanted::Notation(text) => offer.notation.eq_ignore_ascii_case(text),
            Wanted::Carry {
                from,
                to: piles,
                amount,
            } => {
                let source = offer.from.as_ref().is_some_and(|s| s.pile == from.name);
                let target = to.is_some_and(|s| piles.iter().any(|p| p.name == s.pile));
                source && target && amount.is_none_or(|n| offer.cards.len() == n)
            }
            Wanted::Card(card, target) => {
                let carried = offer.cards.first().and_then(|c| Card::parse(c));
                carried == Some(*card)
                    && target.as_ref().is_none_or(|text| self.reaches(offer, text))
            }
        }
    }

    /// Whether a move ends at a pile of this name, or on this card.
    fn reaches(&self, offer: &OfferReport, text: &str) -> bool {
        let Some(to) = &offer.to else { return false };
        let is_pile = to.symbol.eq_ignore_ascii_case(text) || to.pile.eq_ignore_ascii_case(text);
        let position = self.node().referee.position();
        let pile = position.piles().iter().find(|p| p.name == to.pile);
        let under = pile.and_then(|p| p.places.get(to.index.checked_sub(1)?)?.card);
        is_pile || (under.is_some() && Card::parse(text) == under)
    }

    /// Two short names of piles.
    fn is_route(&self, text: &str) -> bool {
        let mut chars = text.chars().map(String::from);
        match (chars.next(), chars.next(), chars.next()) {
            (Some(from), Some(to), None) => {
                !self.piles(&from).is_empty() && !self.piles(&to).is_empty()
            }
            _ => false,
        }
    }

    /// The piles of a name, or of a short name: the four foundations share theirs.
    fn piles(&self, name: &str) -> Vec<Pile> {
        let position = self.node().referee.position();
        let is = |pile: &&Pile| {
            pile.name.eq_ignore_ascii_case(name) || pile.symbol.eq_ignore_ascii_case(name)
        };
        position.piles().iter().filter(is).cloned().collect()
    }

    fn carry(
        &self,
        line: &str,
        from: &str,
        to: &str,
        amount: Option<usize>,
    ) -> Result<Wanted, RefusalReport> {
        let known = |name: &str| {
            let piles = self.piles(name);
            if piles.is_empty() {
                let names = self.names();
                let reason = format!("there is no pile {name}: they are {names}");
                return Err(RefusalReport::plain(line, reason));
            }
            Ok(piles)
        };
        // What can be taken from the draw pile is the card that was turned.
        let source = known(from)?;
        let source = match source.as_slice() {
            [pile] if pile.kind == PileKind::Stock => known("w")?,
            _ => source,
        };
        let to = known(to)?;
        let from = source.into_iter().next().expect("it is known");
        Ok(Wanted::Carry { from, to, amount })
    }

    fn names(&self) -> String {
        let position = self.node().referee.position();
        let names: Vec<&str> = position.piles().iter().map(|p| p.name.as_str()).collect();
        if names.is_empty() {
            "none in this game".to_owned()
        } else {
            names.join(" ")
        }
    }

    /// Turning the stock is drawing, or turning the waste over when nothing is left to draw.
    fn turn_of_the_stock(&self) -> Wanted {
        let over = self.offers().iter().any(|offer| offer.notation == "turn");
        Wanted::Notation(if over { "turn" } else { "draw" }.to_owned())
    }

    fn turned_by_itself(&self, pile: &str) -> String {
        match self.piles(pile).first() {
            None => format!("there is no pile {pile}: they are {}", self.names()),
            Some(found) if found.places.iter().any(|place| !place.up) => {
                format!("{pile} has a card that is face up; the next one turns by itself")
            }
            Some(_) => format!("{pile} has no card that is face down"),
        }
    }

    fn refuse(&self, line: &str, wanted: Wanted) -> RefusalReport {
        match wanted {
            Wanted::Number(_) => RefusalReport::plain(line, "there is no such offer"),
            Wanted::Event(event) if event.contains('.') || event == "done" => self.why_not(&event),
            Wanted::Event(_) => {
                RefusalReport::plain(line, "that is not a command; help lists them")
            }
            Wanted::Notation(text) if text == "draw" => {
                RefusalReport::plain(line, "there is nothing to draw")
            }
            Wanted::Notation(_) => RefusalReport::plain(line, "that is not possible now"),
            Wanted::Carry { from, to, amount } => {
                // Of several foundations the one of the card's suit is meant.
                let suit = from.top().map(|card| card.suit);
                let meant = to.iter().find(|p| p.suit.is_some() && p.suit == suit);
                let to = meant.unwrap_or(&to[0]);
                self.why_not_carry(line, &from, to, amount.unwrap_or(1))
            }
            Wanted::Card(card, target) => self.why_not_card(line, card, target.as_deref()),
        }
    }

    fn why_not_card(&self, line: &str, card: Card, target: Option<&str>) -> RefusalReport {
        let position = self.node().referee.position();
        let holds = |pile: &&Pile| pile.places.iter().any(|place| place.card == Some(card));
        let Some(from) = position.piles().iter().find(holds) else {
            return RefusalReport::plain(line, format!("{card} is not in this game"));
        };
        let at = from
            .places
            .iter()
            .position(|place| place.card == Some(card));
        let amount = from.places.len() - at.unwrap_or_default();
        let Some(target) = target else {
            let hidden = from.places.iter().any(|p| p.card == Some(card) && !p.up);
            let reason = if hidden {
                format!("{card} is face down")
            } else {
                format!("{card} cannot go anywhere now")
            };
            return RefusalReport::plain(line, reason);
        };
        let onto = Card::parse(target);
        let is_target = |pile: &&Pile| {
            let named =
                pile.symbol.eq_ignore_ascii_case(target) || pile.name.eq_ignore_ascii_case(target);
            (named && pile.suit.is_none_or(|suit| suit == card.suit))
                || (onto.is_some() && pile.top() == onto)
        };
        match position.piles().iter().find(is_target) {
            Some(to) => self.why_not_carry(line, from, to, amount),
            None if onto.is_some() => {
                RefusalReport::plain(line, format!("{target} is not the last card of a pile"))
            }
            None => {
                let names = self.names();
                let reason = format!("there is no pile {target}: they are {names}");
                RefusalReport::plain(line, reason)
            }
        }
    }
}
