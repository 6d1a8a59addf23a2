//! Piles that stay where they are and are picked up again. A card knows its place, in the stock or in a pile; a pile
//! knows its last card and how many it has; the dealer moves cards one at a time.
//!
//! The stock is counted from its end: the card at place n is dealt when n are left, so that dealing changes no card
//! but the one that is dealt.

use super::Options;
use super::pack::NOTHING;
use crate::description::on_a_card;
use crate::position::Position;

/// The definition that says how the cards lie.
pub(super) fn constants(p: &Position) -> Vec<(&'static str, String)> {
    let cards = p.stock.iter().rev();
    let cards: Vec<String> = cards.map(|piece| piece.in_model(p.rules.decks)).collect();
    vec![("stock", format!("<{}>", cards.join(", ")))]
}

/// The whole model.
pub(super) fn text(p: &Position, options: Options) -> String {
    let rules = &p.rules;
    let Some(piles) = &rules.piles else {
        return String::new();
    };
    let build = on_a_card(&piles.build);
    let (fields, pattern) = if rules.decks == 1 {
        ("", "")
    } else {
        (".{0..DECKS - 1}", ".k")
    };
    let (stock, cards) = if options.undealt {
        (
            NOTHING.to_owned(),
            "channel lies : Card.Place
told = {| lies |}
opening = < lies.c.mapLookup(start, c) | c <- seq(Card) >
Cards = || c : Card @ [union(cardEvents(c), {| lies.c |})] (lies.c?i -> InStock(c, i))
cardsEvents = union(told, Union({ cardEvents(c) | c <- Card }))",
        )
    } else {
        (
            constants(p).remove(0).1,
            "Cards = || c : Card @ [cardEvents(c)] InStock(c, mapLookup(start, c))
cardsEvents = Union({ cardEvents(c) | c <- Card })",
        )
    };
    let (redeals, passes) = match rules.stock.as_ref().and_then(|s| s.redeals) {
        None => (
            "-- Rule [stock] redeals: without limit.".to_owned(),
            "RUN({again})".to_owned(),
        ),
        Some(n) => (
            format!("-- Rule [stock] redeals: {n}.\nPasses(n) = n > 0 & again -> Passes(n - 1)"),
            format!("Passes({n})"),
        ),
    };
    let (first, next, last) = if piles.right_first {
        ("0", "k + 1", "COUNT - 1")
    } else {
        ("COUNT - 1", "k - 1", "0")
    };
    format!(
        "RANKS = {ranks}
DECKS = {decks}
datatype Suit = Clubs | Diamonds | Hearts | Spades
datatype Card = card.Suit.{{1..RANKS}}{fields}
suit(card.s.r{pattern}) = s
rank(card.s.r{pattern}) = r
red(s) = s == Diamonds or s == Hearts

-- The stock, from the card that comes first.
stock = {stock}
SIZE = {size}
COUNT = {count}
nametype Pile = {{0..COUNT - 1}}
nametype Place = {{1..SIZE}}

-- Rule [piles] build: {build_text}.
mayLie(c, d) = {build_model}
hosts(c) = {{ d | d <- Card, d != c, mayLie(c, d) }}
guests(d) = {{ c | c <- Card, d != c, mayLie(c, d) }}

-- The last card of a pile goes onto the last card of a pile to its left; last cards of one rank are discarded.
channel slide : Card.Card.Pile.Pile
channel discard : {{1..RANKS}}
channel deal, again, done
-- What follows: a card is taken from the stock or put into it, comes to a pile, is seen to be its last, leaves it.
channel takes, puts : Card.Place
channel lands, shows : Card.Pile.Place
channel goes, picks : Card.Pile
channel bare, none : Pile
slides(c, d) = {{ slide.c.d.k.j | k <- Pile, j <- Pile, j < k }}

-- A card at a place of the stock, under way, at a place of a pile, discarded.
InStock(c, i) = takes.c.i -> InHand(c)
InHand(c) = (lands.c?k?h -> OnPile(c, k, h)) [] (puts.c?i -> InStock(c, i))
OnPile(c, k, h) =
     shows.c.k.h -> OnPile(c, k, h)
  [] ([] d : hosts(c) @ [] j : {{0..k - 1}} @ slide.c.d.k.j -> InHand(c))
  [] picks.c.k -> InHand(c)
  [] goes.c.k -> STOP
cardEvents(c) = union({{| takes.c, puts.c, lands.c, shows.c, picks.c, goes.c |}}, Union({{ slides(c, d) | d <- hosts(c) }}))

-- The last card of a pile.
Bare(k) = (lands?c!k?h -> Has(k, c)) [] none.k -> Bare(k)
Has(k, t) =
     ([] c : diff(Card, {{t}}) @ lands.c.k?h -> Has(k, c))
  [] ([] d : hosts(t) @ [] j : {{0..k - 1}} @ slide.t.d.k.j -> Asks(k))
  [] ([] c : guests(t) @ [] m : {{k + 1..COUNT - 1}} @ slide.c.t.m.k -> Waits(k))
  [] discard.rank(t) -> goes.t.k -> Asks(k)
  [] picks.t.k -> Asks(k)
Waits(k) = lands?c!k?h -> Has(k, c)
Asks(k) = (shows?c!k?h -> Has(k, c)) [] bare.k -> Bare(k)
slidesAt(k) = Union({{ {{ slide.c.d.k.j | j <- Pile, j < k }} | c <- Card, d <- hosts(c) }})
slidesTo(k) = Union({{ {{ slide.c.d.m.k | m <- Pile, m > k }} | c <- Card, d <- hosts(c) }})
landings(k) = {{ lands.c.k.h | c <- Card, h <- Place }}
showings(k) = {{ shows.c.k.h | c <- Card, h <- Place }}
leavings(k) = {{ goes.c.k, picks.c.k | c <- Card }}
topEvents(k) = Union({{landings(k), showings(k), leavings(k), slidesAt(k), slidesTo(k), {{| discard |}}, {{bare.k, none.k}}}})

-- How many cards a pile has.
Size(k, n) =
     (n < SIZE & ([] c : Card @ lands.c.k.(n + 1) -> Size(k, n + 1)))
  [] (n > 0 & ([] c : Card @ shows.c.k.n -> Size(k, n)))
  [] (n > 0 & ([] e : union(slidesAt(k), leavings(k)) @ e -> Size(k, n - 1)))
  [] n == 0 & bare.k -> Size(k, n)
sizeEvents(k) = Union({{landings(k), showings(k), leavings(k), slidesAt(k), {{bare.k}}}})

-- The dealer, with s cards in the stock of m in all.
Ready(s, m) =
     s > 0 & deal -> Dealing(s, m, 0)
  [] ([] j : Pile @ [] e : slidesTo(j) @ e -> Placing(s, m, j))
  [] m >= COUNT & discard?_ -> Ready(s, m - COUNT)
  [] (s == 0 and m > 0) & again -> Gathering({first}, 1)
  [] m == 0 & done -> STOP
Placing(s, m, j) = lands?c!j?h -> Ready(s, m)
Dealing(s, m, k) =
  if k == COUNT or s == 0 then Ready(s, m)
  else takes?c!s -> lands.c.k?h -> Dealing(s - 1, m, k + 1)
-- Rule [piles] gather: the last card of the last pile comes last.
Gathering(k, i) =
     (i <= SIZE & picks?c!k -> puts.c.i -> Gathering(k, i + 1))
  [] none.k -> (if k == ({last}) then Ready(i - 1, i - 1) else Gathering({next}, i))
dealerEvents =
  Union({{{{| takes, puts, lands, picks, none, discard |}}, {{deal, again, done}}, Union({{ slidesTo(k) | k <- Pile }})}})

{redeals}
RUN(es) = [] e : es @ e -> RUN(es)

places(<>, _) = <>
places(<c>^cards, p) = <(c, p)>^places(cards, p - 1)
start = mapFromList(places(stock, SIZE))
{cards}
Tops = || k : Pile @ [topEvents(k)] Bare(k)
topsEvents = Union({{ topEvents(k) | k <- Pile }})
Sizes = || k : Pile @ [sizeEvents(k)] Size(k, 0)
sizesEvents = Union({{ sizeEvents(k) | k <- Pile }})
System =
  (((Cards [cardsEvents || topsEvents] Tops)
     [union(cardsEvents, topsEvents) || sizesEvents] Sizes)
     [Union({{cardsEvents, topsEvents, sizesEvents}}) || dealerEvents] Ready(SIZE, SIZE))
     [Union({{cardsEvents, topsEvents, sizesEvents, dealerEvents}}) || {{again}}] {passes}
-- What happens by itself, at once and before the next choice.
transparent chase
Game = chase(System \\ {{| takes, puts, lands, shows, goes, picks, bare, none |}})
choices = Union({{{{deal, again}}, {{| discard |}}, Union({{ slidesTo(k) | k <- Pile }})}})

",
        ranks = rules.ranks,
        decks = rules.decks,
        size = p.stock.len(),
        count = piles.count,
        build_text = build.text(),
        build_model = build.in_model(),
    )
}
