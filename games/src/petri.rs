//! Klondike as Nygaard's Petri net plays it, and its blind bot.
//!
//! One card is drawn at a time, the waste may be turned over without end, and a face-down card is
//! turned by a command of its own. The bot knows nothing of the position: it draws commands by
//! fixed weights, and most of them are refused. Source: the report's appendix (see `models/STORY.md`).

use crate::card::{Card, Suit};
use crate::table::{self, PileKind, Position};

/// A tableau pile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pile {
    down: Vec<Card>,
    up: Vec<Card>,
}

/// A game under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Klondike {
    piles: Vec<Pile>,
    home: [u8; 4],
    /// The next card to be drawn is the last.
    stock: Vec<Card>,
    waste: Vec<Card>,
    score: i32,
}

/// Where a card comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The waste, only as a source.
    Draw,
    /// A foundation.
    Home(Suit),
    /// A tableau pile, from 0.
    Tableau(usize),
}

/// What the bot asks for, and the game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Turn a card of the stock, or the waste over.
    Stock,
    /// Turn the top card of a pile.
    Turn(usize),
    /// Move cards.
    Move {
        /// To where.
        to: Place,
        /// From where.
        from: Place,
        /// How many.
        amount: usize,
    },
}

impl std::fmt::Display for Place {
    /// The name of the pile.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Draw => f.write_str("DP"),
            Self::Home(suit) => write!(f, "FP{}", suit.letter()),
            Self::Tableau(pile) => write!(f, "TP{}", pile + 1),
        }
    }
}

impl std::fmt::Display for Command {
    /// As the report writes commands.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stock => f.write_str("Turn:DP"),
            Self::Turn(pile) => write!(f, "Turn:TP{}", pile + 1),
            Self::Move { to, from, amount } => write!(f, "Move:{to}:{from}:{amount}"),
        }
    }
}

impl Klondike {
    /// The game that lies on a table, if it has the piles of Klondike and nothing else.
    #[must_use]
    pub fn of_position(position: &Position) -> Option<Self> {
        let mut game = Self {
            piles: Vec::new(),
            home: [0; 4],
            stock: Vec::new(),
            waste: Vec::new(),
            score: 0,
        };
        let (mut stocks, mut homes) = (0, 0);
        for pile in position.piles() {
            let cards = |up: bool| -> Vec<Card> {
                let places = pile.places.iter().filter(|p| p.up == up);
                places.filter_map(|p| p.card).collect()
            };
            match (pile.kind, pile.suit) {
                (PileKind::Stock, _) => {
                    stocks += 1;
                    game.stock = cards(false);
                }
                (PileKind::Waste, _) => {
                    stocks += 1;
                    game.waste = cards(true);
                }
                (PileKind::Foundation, Some(suit)) => {
                    homes += 1;
                    game.home[suit as usize] = u8::try_from(pile.places.len()).ok()?;
                }
                (PileKind::Column, _) => game.piles.push(Pile {
                    down: cards(false),
                    up: cards(true),
                }),
                _ => return None,
            }
        }
        (stocks == 2 && homes == 4 && !game.piles.is_empty()).then_some(game)
    }

    /// Deals a deck of which the last card is the top: one card to each pile from the first, then from
    /// the second, and so on; the last card of a pile is face up.
    #[must_use]
    pub fn deal(mut deck: Vec<Card>, piles: usize) -> Self {
        let mut dealt = vec![Pile::default(); piles];
        for row in 0..piles {
            for (k, pile) in dealt.iter_mut().enumerate().skip(row) {
                let Some(card) = deck.pop() else { continue };
                if k == row {
                    pile.up.push(card);
                } else {
                    pile.down.push(card);
                }
            }
        }
        Self {
            piles: dealt,
            home: [0; 4],
            stock: deck,
            waste: Vec::new(),
            score: 0,
        }
    }

    /// A game that starts with these columns, each from the table upwards with its last card face up, and
    /// this stock, the card that is drawn first at the front.
    #[must_use]
    pub fn start(columns: &[Vec<Card>], stock: &[Card]) -> Self {
        let pile = |column: &Vec<Card>| {
            let mut down = column.clone();
            let up = down.pop().into_iter().collect();
            Pile { down, up }
        };
        Self {
            piles: columns.iter().map(pile).collect(),
            home: [0; 4],
            stock: stock.iter().rev().copied().collect(),
            waste: Vec::new(),
            score: 0,
        }
    }

    /// The position as it lies on the table.
    #[must_use]
    pub fn position(&self) -> Position {
        let mut stock = table::Pile::new(PileKind::Stock, "DP", "s", []);
        stock.places = self.stock.iter().map(|c| table::Place::down(*c)).collect();
        let waste = table::Pile::new(PileKind::Waste, "W", "w", self.waste.iter().copied());
        let mut piles = vec![stock, waste];
        piles.extend(table::foundations(self.home));
        for (k, pile) in self.piles.iter().enumerate() {
            let mut column = table::Pile::new(
                PileKind::Column,
                format!("TP{}", k + 1),
                (k + 1).to_string(),
                pile.up.iter().copied(),
            );
            let down = pile.down.iter().map(|c| table::Place::down(*c));
            column.places.splice(0..0, down);
            piles.push(column);
        }
        Position::Cards(piles)
    }

    /// All cards are home.
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.home.iter().sum::<u8>() == 52
    }

    /// The score by the report's table: never below 0.
    #[must_use]
    pub fn score(&self) -> i32 {
        self.score
    }

    fn earn(&mut self, points: i32) {
        self.score = (self.score + points).max(0);
    }

    /// Turns a card of the stock, or the waste over.
    pub fn turn_stock(&mut self) -> bool {
        if let Some(card) = self.stock.pop() {
            self.waste.push(card);
        } else if self.waste.is_empty() {
            return false;
        } else {
            self.stock = std::mem::take(&mut self.waste);
            self.stock.reverse();
            self.earn(-100);
        }
        true
    }

    /// Turns the top card of a pile that has no card face up.
    pub fn turn_pile(&mut self, pile: usize) -> bool {
        let pile = &mut self.piles[pile];
        if !pile.up.is_empty() {
            return false;
        }
        let Some(card) = pile.down.pop() else {
            return false;
        };
        pile.up.push(card);
        self.earn(5);
        true
    }

    fn takes(&self, to: Place, card: Card, amount: usize) -> bool {
        match to {
            Place::Draw => false,
            Place::Home(suit) => {
                amount == 1 && card.suit == suit && self.home[suit as usize] + 1 == card.rank
            }
            Place::Tableau(k) => match (self.piles[k].up.last(), self.piles[k].down.is_empty()) {
                (Some(top), _) => card.goes_on(*top),
                (None, true) => card.rank == 13,
                (None, false) => false,
            },
        }
    }

    /// Moves cards, if that is allowed.
    pub fn carry(&mut self, to: Place, from: Place, amount: usize) -> bool {
        if to == from {
            return false;
        }
        let card = match from {
            Place::Draw => self.waste.last().copied(),
            Place::Home(suit) => {
                let rank = self.home[suit as usize];
                (rank > 0).then(|| Card::new(rank, suit))
            }
            Place::Tableau(k) => {
                let up = &self.piles[k].up;
                up.len()
                    .checked_sub(amount)
                    .and_then(|at| up.get(at))
                    .copied()
            }
        };
        let Some(card) = card.filter(|card| self.takes(to, *card, amount)) else {
            return false;
        };
        let run = match from {
            Place::Draw => self.waste.pop().into_iter().collect(),
            Place::Home(suit) => {
                self.home[suit as usize] -= 1;
                vec![card]
            }
            Place::Tableau(k) => {
                let up = &mut self.piles[k].up;
                up.split_off(up.len() - amount)
            }
        };
        match to {
            Place::Home(suit) => self.home[suit as usize] += 1,
            Place::Tableau(k) => self.piles[k].up.extend(run),
            Place::Draw => {}
        }
        self.earn(match (from, to) {
            (Place::Draw, Place::Tableau(_)) => 5,
            (Place::Home(_), _) => -15,
            (_, Place::Home(_)) => 10,
            _ => 0,
        });
        true
    }
}

/// The settings of the blind bot, in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blind {
    /// Up to the first number a draw of the stock, then a move from the waste, from a foundation, a
    /// turn of a pile, and above the last a move from a pile.
    pub actions: [u32; 4],
    /// How often a card is sent to a tableau pile and not to a foundation.
    pub to_tableau: u32,
    /// How often the whole run is moved between piles and not a part of it.
    pub whole_run: u32,
    /// Commands before it gives up.
    pub commands: u64,
}

impl Default for Blind {
    /// As the report sets them; the limit of commands is ours.
    fn default() -> Self {
        Self {
            actions: [10, 42, 44, 60],
            to_tableau: 7,
            whole_run: 35,
            commands: 50_000,
        }
    }
}

/// A small generator of numbers: the same seed gives the same games. `SplitMix64`, Steele and others 2014.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator of its own for each game of a run.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Self {
        let mut dice = Self(seed ^ game.wrapping_mul(0xd134_2543_de82_ef95));
        dice.next();
        dice
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The product's upper half: the bias is below one in 2^50 for what is asked here.
        let wide = u128::from(self.next()) * n as u128;
        usize::try_from(wide >> 64).expect("it is below n")
    }

    /// A number from 0 up to, but not including, 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in this many of a hundred cases.
    pub fn per_cent(&mut self, share: u32) -> bool {
        self.below(100) < share as usize
    }

    /// Puts a list into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// How a game of the bot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// All cards are home.
    pub won: bool,
    /// Commands that were sent.
    pub commands: u64,
    /// Those that were carried out.
    pub accepted: u64,
    /// The score at the end.
    pub score: i32,
}

impl Blind {
    /// Plays a game to its win or the limit.
    #[must_use]
    pub fn play(&self, game: Klondike, dice: &mut Dice) -> Played {
        self.play_shown(game, dice, &mut |_, _| true)
    }

    /// The same, and after every command that was carried out `shown` is given the number of the command
    /// and the game; the game ends early if it says false.
    pub fn play_shown(
        &self,
        mut game: Klondike,
        dice: &mut Dice,
        shown: &mut dyn FnMut(u64, &Klondike) -> bool,
    ) -> Played {
        let (mut commands, mut accepted) = (0, 0);
        // A pile that is to be turned with the next command.
        let mut queued = None;
        while commands < self.commands && !game.is_won() {
            commands += 1;
            let done = match queued.take() {
                Some(pile) => game.turn_pile(pile),
                None => self.command(&mut game, dice, &mut queued).is_some(),
            };
            accepted += u64::from(done);
            if done && !shown(commands, &game) {
                break;
            }
        }
        Played {
            won: game.is_won(),
            commands,
            accepted,
            score: game.score(),
        }
    }

    /// Draws one command and carries it out, if that is allowed; a pile that is to be turned next is queued.
    pub fn command(
        &self,
        game: &mut Klondike,
        dice: &mut Dice,
        queued: &mut Option<usize>,
    ) -> Option<Command> {
        let drawn = u32::try_from(dice.below(100)).expect("below a hundred") + 1;
        let action = self.actions.iter().filter(|cut| drawn > **cut).count();
        match action {
            0 => game.turn_stock().then_some(Command::Stock),
            1 => self.send(game, dice, Place::Draw, 1),
            2 => {
                let suit = Suit::ALL[dice.below(4)];
                try_tableau(game, dice, Place::Home(suit), 1)
            }
            3 => {
                let pile = dice.below(game.piles.len());
                game.turn_pile(pile).then_some(Command::Turn(pile))
            }
            _ => {
                let pile = dice.below(game.piles.len());
                let up = game.piles[pile].up.len();
                if up == 0 {
                    if !game.piles[pile].down.is_empty() {
                        *queued = Some(pile);
                    }
                    return None;
                }
                let amount = if up == 1 || dice.per_cent(self.whole_run) {
                    up
                } else {
                    1 + dice.below(up - 1)
                };
                self.send(game, dice, Place::Tableau(pile), amount)
            }
        }
    }

    /// To tableau piles in some cases, else to a foundation, which takes one card.
    fn send(
        &self,
        game: &mut Klondike,
        dice: &mut Dice,
        from: Place,
        amount: usize,
    ) -> Option<Command> {
        if dice.per_cent(self.to_tableau) {
            return try_tableau(game, dice, from, amount);
        }
        let mut suits = Suit::ALL;
        dice.shuffle(&mut suits);
        let mut suits = suits.into_iter().map(Place::Home);
        let to = suits.find(|to| game.carry(*to, from, 1))?;
        let amount = 1;
        Some(Command::Move { to, from, amount })
    }
}

/// The piles are tried in a random order until one takes the cards.
fn try_tableau(
    game: &mut Klondike,
    dice: &mut Dice,
    from: Place,
    amount: usize,
) -> Option<Command> {
    let mut piles: Vec<usize> = (0..game.piles.len()).collect();
    dice.shuffle(&mut piles);
    let mut piles = piles.into_iter().map(Place::Tableau);
    let to = piles.find(|to| game.carry(*to, from, amount))?;
    Some(Command::Move { to, from, amount })
}

/// The deck of the report's listing: diamonds, clubs, hearts, spades, each from the ace; the last card is
/// the top.
#[must_use]
pub fn sorted_deck() -> Vec<Card> {
    let suits = [Suit::Diamonds, Suit::Clubs, Suit::Hearts, Suit::Spades];
    suits
        .into_iter()
        .flat_map(|suit| (1..=13).map(move |rank| Card::new(rank, suit)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sorted_deck_is_dealt_from_its_end() {
        let game = Klondike::deal(sorted_deck(), 7);
        let top = |k: usize| game.piles[k].up[0].to_string();
        // King of spades first, then queen … to the seventh pile, then the second row.
        assert_eq!(top(0), "KS");
        assert_eq!(top(1), "6S");
        assert_eq!(game.piles[6].down.len(), 6);
        assert_eq!(game.stock.len(), 24);
        assert_eq!(
            game.stock.last().map(ToString::to_string).as_deref(),
            Some("JC")
        );
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let blind = Blind {
            commands: 2_000,
            ..Blind::default()
        };
        let play = |seed| blind.play(Klondike::deal(sorted_deck(), 7), &mut Dice::new(seed, 1));
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
        assert!(play(1).accepted <= play(1).commands);
    }
}
