//! Rows with gaps: the layout never changes its shape, so the places are the processes.

use super::Options;
use super::pack::NOTHING;
use crate::position::Position;

/// The definition that says how the cards lie.
pub(super) fn constants(p: &Position) -> Vec<(&'static str, String)> {
    let places: Vec<String> = p
        .rows
        .iter()
        .map(|place| match place {
            Some(piece) => format!("Holds.{}", piece.in_model(1)),
            None => "Gap".to_owned(),
        })
        .collect();
    vec![("dealt", format!("<{}>", places.join(", ")))]
}

/// The whole model.
pub(super) fn text(p: &Position, options: Options) -> String {
    let places = if options.undealt {
        NOTHING.to_owned()
    } else {
        constants(p).remove(0).1
    };
    let game = if options.undealt {
        "channel holds : Place.Content
told = {| holds |}
contents = union({Gap}, { Holds.c | c <- playing })
opening = < holds.p.nth(dealt, p) | p <- <0..4 * RANKS - 1> >
Game =
  || p : Place @ [Union({choices, {| done |}, { holds.p.x | x <- contents }})]
    ([] x : contents @ holds.p.x -> Slot(p, x))"
    } else {
        "Game = || p : Place @ [union(choices, {| done |})] Slot(p, nth(dealt, p))"
    };
    let fixed = p.rules.gaps.is_some_and(|g| g.fixed);
    format!(
        "RANKS = {}
datatype Suit = Clubs | Diamonds | Hearts | Spades
datatype Card = card.Suit.{{1..RANKS}}
suit(card.s.r) = s
rank(card.s.r) = r
suits = <Clubs, Diamonds, Hearts, Spades>
nth(s, n) = if n == 0 then head(s) else nth(tail(s), n - 1)

datatype Content = Holds.Card | Gap
dealt = {places}

-- Rule [gaps] fixed: whether the suit of each row is given.
FIXED = {fixed}

nametype Place = {{0..4 * RANKS - 1}}
row(p) = p / RANKS
column(p) = p % RANKS
playing = {{ c | c <- Card, rank(c) > 1 }}
channel fill : playing.Place
channel done : Suit.Suit.Suit.Suit

-- The cards that may come to place p if its left neighbour suits them.
arriving(p) =
  if column(p) > 0 then {{ c | c <- playing, rank(c) > 2 }}
  else {{ c | c <- playing, rank(c) == 2, not FIXED or suit(c) == nth(suits, row(p)) }}
into(p) = {{ fill.c.p | c <- arriving(p) }}
allowed(p, Gap) = {{}}
allowed(p, Holds.c) =
  {{ fill.card.suit(c).(rank(c) + 1).(p + 1) | column(p) < RANKS - 1, rank(c) < RANKS }}
nextTo(p) = {{ fill.c.(p + 1) | column(p) < RANKS - 1, c <- arriving(p + 1) }}
choices = Union({{ into(p) | p <- Place }})
elsewhere(p) = diff(choices, union(into(p), nextTo(p)))
taking(Gap) = {{}}
taking(Holds.c) = {{| fill.c |}}
final(p, s) = if column(p) == RANKS - 1 then Gap else Holds.card.s.(column(p) + 2)

Slot(p, content) =
     (content == Gap & fill?c:arriving(p)!p -> Slot(p, Holds.c))
  [] ([] e : diff(allowed(p, content), taking(content)) @ e -> Slot(p, content))
  [] ([] e : inter(elsewhere(p), taking(content)) @ e -> Slot(p, Gap))
  [] ([] e : diff(elsewhere(p), taking(content)) @ e -> Slot(p, content))
  [] ([] e : ends(p, content) @ e -> STOP)

-- Every row has a suit of its own.
orders =
  if FIXED then {{suits}}
  else {{ <a, b, c, d> | a <- Suit, b <- Suit, c <- Suit, d <- Suit, #seq({{a, b, c, d}}) == 4 }}
ends(p, content) =
  {{ done.a.b.c.d | <a, b, c, d> <- orders, content == final(p, nth(<a, b, c, d>, row(p))) }}

{game}

",
        p.rules.ranks
    )
}
