//! A row of piles that closes up: every last card knows its place in the row.

use super::Options;
use super::pack::NOTHING;
use crate::description::on_a_card;
use crate::position::Position;

/// The definition that says how the cards lie.
pub(super) fn constants(p: &Position) -> Vec<(&'static str, String)> {
    let tops = p.piles.iter().filter_map(|pile| pile.last());
    let row: Vec<String> = tops.map(|piece| piece.in_model(p.rules.decks)).collect();
    vec![("row", format!("<{}>", row.join(", ")))]
}

/// The whole model.
pub(super) fn text(p: &Position, options: Options) -> String {
    let rules = &p.rules;
    let Some(a) = &rules.accordion else {
        return String::new();
    };
    let size = p.piles.len();
    let (row, playing, game) = if options.undealt {
        (
            NOTHING.to_owned(),
            "Card",
            "channel stands : Card.{0..SIZE}
told = {| stands |}
opening = < stands.c.(if mapMember(start, c) then mapLookup(start, c) else 0) | c <- seq(Card) >
Row = || c : playing @ [union(cardEvents(c), {| stands.c |})]
        (stands.c?p -> (if p == 0 then Under(c) else At(c, p)))
rowEvents = union(told, Union({ cardEvents(c) | c <- playing }))",
        )
    } else {
        (
            constants(p).remove(0).1,
            "set(row)",
            "Row = || c : playing @ [cardEvents(c)] At(c, mapLookup(start, c))
rowEvents = Union({ cardEvents(c) | c <- playing })",
        )
    };
    let build = on_a_card(&a.build);
    let mut steps = a.steps.clone();
    steps.sort_unstable();
    steps.dedup();
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let (fields, pattern) = if rules.decks == 1 {
        ("", "")
    } else {
        (".{0..DECKS - 1}", ".k")
    };
    format!(
        "RANKS = {}
DECKS = {}
datatype Suit = Clubs | Diamonds | Hearts | Spades
datatype Card = card.Suit.{{1..RANKS}}{fields}
suit(card.s.r{pattern}) = s
rank(card.s.r{pattern}) = r
red(s) = s == Diamonds or s == Hearts

-- The row from the left.
row = {row}
SIZE = {size}
playing = {playing}
nametype Place = {{1..SIZE}}

-- Rule [accordion] build: {}.
mayLie(c, d) = {}
-- Rule [accordion] steps: how many places to the left.
STEPS = {{{}}}
hosts(c) = {{ d | d <- playing, d != c, mayLie(c, d) }}
guests(d) = {{ c | c <- playing, d != c, mayLie(c, d) }}

-- The pile at a place goes so many places to the left; then the row closes up.
channel fold : Card.Card.Place.STEPS
channel closes : Place
channel done
going(c) = {{ fold.c.d.p.k | d <- hosts(c), p <- Place, k <- STEPS, k < p }}
coming(d) = {{ fold.c.d.p.k | c <- guests(d), p <- Place, k <- STEPS, k < p }}

-- The last card of a pile, at its place.
At(c, p) =
     ([] d : hosts(c) @ [] k : {{ k | k <- STEPS, k < p }} @ fold.c.d.p.k -> closes.p -> At(c, p - k))
  [] ([] d : guests(c) @ [] k : {{ k | k <- STEPS, p + k <= SIZE }} @ fold.d.c.(p + k).k -> Under(c))
  [] ([] q : {{ q | q <- Place, q != p }} @ closes.q -> At(c, if q < p then p - 1 else p))
-- Below another card.
Under(c) = [] q : Place @ closes.q -> Under(c)
cardEvents(c) = Union({{going(c), coming(c), {{| closes |}}}})

-- How many piles are left.
Size(n) =
     n > 1 & ([] q : {{1..n}} @ closes.q -> Size(n - 1))
  [] n == 1 & done -> STOP

places(<>, _) = <>
places(<c>^cards, p) = <(c, p)>^places(cards, p + 1)
start = mapFromList(places(row, 1))
{game}
System = Row [ union(rowEvents, {{| closes |}}) || {{| closes, done |}} ] Size(SIZE)
transparent chase
Game = chase(System \\ {{| closes |}})
choices = {{| fold |}}

",
        rules.ranks,
        rules.decks,
        build.text(),
        build.in_model(),
        steps.join(", "),
    )
}
