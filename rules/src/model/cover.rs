//! What lies on a card: whether it is free, covered or face down and, where groups of cards move, whether
//! what lies on it is a run.
//!
//! A card that lies properly on its host tells it how good what lies on itself is (its grade); the host
//! tells its own host if its grade changed. So a grade is always that of the whole pile above.

use std::fmt::Write;

use super::writer::{Groups, Part, Writer};
use crate::description::Group;
use crate::term::{Atom, Term};

impl Writer<'_> {
    pub(super) fn cover(&mut self) {
        self.heading("What lies on a card");
        if self.dealt {
            self.token_events();
        }
        if self.graded {
            self.grades();
            self.graded_cover();
        } else {
            self.plain_cover();
        }
        if self.d.tableau.as_ref().is_some_and(|t| t.limit.is_some()) {
            self.depth();
        }
    }

    fn face_down(&self) -> &'static str {
        if self.d.hides_cards() {
            "down = Union({ firstOf(nth(columns, k), nth(faceDown, k)) | k <- {0..#columns - 1} })
firstOf(s, n) = if n == 0 then {} else union({head(s)}, firstOf(tail(s), n - 1))"
        } else {
            "down = {}"
        }
    }

    fn plain_cover(&mut self) {
        let token = |state: &str| {
            if self.dealt {
                format!("\n  [] ([] e : tokens(d) @ e -> Holds(d, {state}))")
            } else {
                String::new()
            }
        };
        let (clear, covered, hidden) = (token("0"), token("1"), token("2"));
        let along = if self.groups == Groups::Always {
            "\n  -- Cards that are face up take along what lies on them.\n  [] ([] e : shifts(d) @ e -> Covered(d))"
        } else {
            ""
        };
        let (after_move, along) = if self.dealt {
            (
                "Landing(d, e, Clear(d))",
                along.replace("-> Covered(d)", "-> Landing(d, e, Covered(d))"),
            )
        } else {
            ("Clear(d)", along.to_owned())
        };
        let _ = writeln!(
            self.out,
            "-- Nothing lies on d.
Clear(d) =
     ([] e : arrivals(d) @ e -> Covered(d))
  [] ([] e : shifts(d) @ e -> {after_move})
  [] ([] e : exits(d) @ e -> Away(d)){clear}
-- Something does; what it is it knows itself.
Covered(d) =
     ([] e : left(d) @ e -> Clear(d)){along}{covered}
-- Face down, until it is uncovered.
Down(d) =
     ([] e : left(d) @ e -> Clear(d)){hidden}
-- Not in a column: nothing can be put on it.
Away(d) = [] e : entries(d) @ e -> Clear(d)"
        );
        if self.dealt {
            self.line(
                "-- The next card of the stock is for this column: it climbs to the top.
Holds(d, 0) = [] e : dealtOnto(d) @ e -> Covered(d)
Holds(d, 1) = [] e : climbsFromCard(d) @ e -> Covered(d)
Holds(d, 2) = [] e : climbsFromCard(d) @ e -> Down(d)
Landing(d, move._.t, Then) = lands.d.t -> Then
tokenSets(d) = Union({tokens(d), climbsFromCard(d), dealtOnto(d), { lands.d.t | t <- targets(d) }})",
            );
        } else {
            self.line("tokenSets(d) = {}");
        }
        self.line("coverEvents(d) = Union({arrivals(d), left(d), shifts(d), exits(d), entries(d), tokenSets(d)})");
        self.line(self.face_down());
        self.line(
            "-- What lies on a card at the start.
datatype Cover = IsAway | IsClear | IsDown | IsCovered
coverOf(d) =
  if not member(d, inColumns) then IsAway
  else if member(d, tops) then IsClear
  else if member(d, down) then IsDown else IsCovered
StartCover(d, IsAway) = Away(d)
StartCover(d, IsClear) = Clear(d)
StartCover(d, IsDown) = Down(d)
StartCover(d, IsCovered) = Covered(d)",
        );
        self.part(Part {
            generator: "c : playing",
            channel: Some(("covers", "Card.Cover", "c")),
            values: "Cover".to_owned(),
            start: "coverOf(c)",
            process: "StartCover(c, @)",
            events: "coverEvents(c)",
        });
    }

    /// Events by which the next card of the stock finds the top of its column.
    fn token_events(&mut self) {
        self.line(
            "channel starts : {0..COLUMNS - 1}.Card
channel climbs : Card.Card
climbsTo(c) = Union({ climbsFrom(c, b) | b <- spots(c) })
climbsFrom(c, b) = { climbs.x.c | On.x <- {b} }
climbsFromCard(d) = { climbs.d.c | c <- coverers(d) }
tokens(d) = union({ starts.k.d | k <- {0..COLUMNS - 1} }, climbsTo(d))
dealtOnto(d) = { dealt.c.On.d | c <- stockCards, c != d }",
        );
    }

    /// Grades: the kinds of runs that what lies on a card can be.
    fn grades(&mut self) {
        let mut kinds = Vec::new();
        let mut links = String::new();
        if self.groups == Groups::Graded {
            for (i, term) in self.d.group().iter().enumerate() {
                let kind = format!("Together{i}");
                let _ = writeln!(
                    links,
                    "-- Rule [tableau] run: {}.\nlinks({kind}, c, d) = {}",
                    term.text(),
                    term.in_model()
                );
                kinds.push(kind);
            }
        }
        let together: Vec<String> = kinds.clone();
        if self.complete {
            let term = Term::And(vec![Term::down(false), Term::Atom(Atom::SameSuit)]);
            let _ = writeln!(
                links,
                "-- Rule [foundations] complete: down to the ace in suit.\nlinks(Whole, c, d) = {}",
                term.in_model()
            );
            kinds.push("Whole".to_owned());
        }
        let _ = writeln!(self.out, "datatype Kind = {}", kinds.join(" | "));
        self.out.push_str(&links);
        let _ = writeln!(self.out, "together = {{{}}}", together.join(", "));
        let whole = if self.complete {
            "union(together, { Whole | rank(c) == 1 })"
        } else {
            "together"
        };
        let _ = writeln!(
            self.out,
            "-- The grade of a card with nothing on it, and with c of grade g on it.
bare(c) = {whole}
graded(c, d, g) = {{ k | k <- g, links(k, c, d) }}
linkedOf = mapFromList(< (c, {{ d | d <- playing, d != c, not null(seq({{ k | k <- Kind, links(k, c, d) }})) }}) | c <- seq(playing) >)
linked(c) = mapLookup(linkedOf, c)
channel tells : Card.Card.Set(Kind)
channel settled : Card
tellsOf(c) = union({{ tells.c.d.g | d <- linked(c), g <- Set(Kind) }}, {{settled.c}})
heard(d) = {{ tells.c.d.g | c <- linkers(d), g <- Set(Kind) }}
linkersOf = mapFromList(< (d, {{ c | c <- playing, member(d, linked(c)) }}) | d <- seq(playing) >)
linkers(d) = mapLookup(linkersOf, d)"
        );
        self.line("tellsFrom(c, b) = if not null(seq({ x | On.x <- {b}, member(x, linked(c)) })) then { tells.c.x.g | On.x <- {b}, g <- Set(Kind) } else {settled.c}");
        self.bookkeeping
            .push("Union({ tellsOf(c) | c <- playing })".to_owned());
        if self.complete {
            let next = if self.d.decks == 1 {
                "{ card.suit(d).(rank(d) - 1) | rank(d) > 1 }"
            } else {
                "{ card.suit(d).(rank(d) - 1).k | rank(d) > 1, k <- {0..DECKS - 1} }"
            };
            let _ = writeln!(
                self.out,
                "-- A whole suit leaves from its highest card on: the others follow one by one.
channel complete : Card
channel follows : Card.Card
nextOf(d) = {next}
followsFrom(c, b) = {{ follows.c.d | On.d <- {{b}}, suit(d) == suit(c), rank(d) == rank(c) + 1 }}
followed(d) = {{ follows.c.d | c <- nextOf(d) }}
following(c) = {{ follows.c.d | d <- playing, member(c, nextOf(d)) }}"
            );
            self.bookkeeping
                .push("Union({ followed(d) | d <- playing })".to_owned());
        }
    }

    fn graded_cover(&mut self) {
        // Where whole columns move, a card knows whether it is the first of its column.
        let whole = matches!(
            self.d.tableau.as_ref().map(|t| &t.group),
            Some(Group::Whole(_))
        );
        let f = if whole { ", first" } else { "" };
        let moved = if whole { ", isFirst(e)" } else { "" };
        let may_move = match (self.groups == Groups::Always, whole) {
            (true, _) => "true",
            (false, false) => "not null(seq(inter(g, together)))",
            (false, true) => "(first and not null(seq(inter(g, together))))",
        };
        let (complete, ace, sets) = if self.complete {
            (
                "\n  [] member(Whole, g) & ([] e : completes(d) @ e -> Falls(d))\n  [] ([] e : following(d) @ e -> Falls(d))",
                "\n  [] ([] e : following(d) @ e -> Falls(d))",
                ", completes(d), following(d), followed(d)",
            )
        } else {
            ("", "", "")
        };
        let token = |state: &str| {
            if self.dealt {
                format!("\n  [] ([] e : tokens(d) @ e -> Holds(d{f}, {state}))")
            } else {
                String::new()
            }
        };
        let (clear, covered, hidden) = (token("0, {}"), token("1, g"), token("2, {}"));
        let (onto_linked, onto_d) = (self.onto("d", "x"), self.onto("c", "d"));
        let after = |state: &str| {
            if self.dealt {
                format!("Landing(d, e, {state})")
            } else {
                state.to_owned()
            }
        };
        let (clear_told, clear_untold) = (
            after(&format!("Tell(d{moved}, bare(d), false, true)")),
            after(&format!("Clear(d{moved})")),
        );
        let (pile_told, pile_untold) = (
            after(&format!("Tell(d{moved}, g, true, true)")),
            after(&format!("Covered(d{moved}, g)")),
        );
        // A card is put on the card with the token, properly or not.
        let _ = writeln!(
            self.out,
            "-- Moves of d to cards that must be told of its grade, and other moves in columns.
telling(d) = inter(union(shifts(d), entries(d)), linkedMoves(d))
linkedMoves(d) = Union({{ {onto_linked} | x <- linked(d) }})
-- Arrivals of cards that lie properly on d, and of others.
proper(d) = inter(arrivals(d), Union({{ {onto_d} | c <- linkers(d) }}))

-- Nothing lies on d.
Clear(d{f}) =
     ([] e : inter(arrivals(d), proper(d)) @ e -> Waits(d{f}))
  [] ([] e : diff(arrivals(d), proper(d)) @ e -> Tell(d{f}, {{}}, true, bare(d) != {{}}))
  [] ([] e : inter(shifts(d), telling(d)) @ e -> {clear_told})
  [] ([] e : diff(shifts(d), telling(d)) @ e -> {clear_untold})
  [] ([] e : exits(d) @ e -> Away(d)){ace}{clear}
-- A card has come that will tell its grade.
Waits(d{f}) = [] e : heard(d) @ e -> Heard(d{f}, e, bare(d))
Heard(d{f}, tells.c._.h, old) = Tell(d{f}, graded(c, d, h), true, graded(c, d, h) != old)
-- Cards of grade g lie on d.
Covered(d{f}, g) =
     ([] e : left(d) @ e -> Tell(d{f}, bare(d), false, g != bare(d)))
  [] {may_move} & ([] e : inter(shifts(d), telling(d)) @ e -> {pile_told})
  [] {may_move} & ([] e : diff(shifts(d), telling(d)) @ e -> {pile_untold})
  [] ([] e : heard(d) @ e -> Heard(d{f}, e, g)){complete}{covered}
-- Tells the card below, if there is anything to tell.
Tell(d{f}, g, covered, changed) =
  if changed then ([] e : tellsWith(d, g) @ e -> Rest(d{f}, g, covered)) else Rest(d{f}, g, covered)
tellsWith(d, g) = union({{ tells.d.x.g | x <- linked(d) }}, {{settled.d}})
Rest(d{f}, g, covered) = if covered then Covered(d{f}, g) else Clear(d{f})
-- Face down, until it is uncovered.
Down(d{f}) =
     ([] e : left(d) @ e -> Clear(d{f}))
  [] ([] e : heard(d) @ e -> Down(d{f})){hidden}
-- Not in a column.
Away(d) =
     ([] e : inter(entries(d), telling(d)) @ e -> Tell(d{moved}, bare(d), false, true))
  [] ([] e : diff(diff(entries(d), telling(d)), dealing(d)) @ e -> Clear(d{moved}))
  [] ([] e : dealing(d) @ e -> Tell(d{moved}, bare(d), false, true))"
        );
        if whole {
            self.first_of_column();
        }
        if self.complete {
            self.line(
                "Falls(d) = if rank(d) == 1 then Away(d) else ([] e : followed(d) @ e -> Away(d))",
            );
        }
        if self.dealt {
            let _ = writeln!(
                self.out,
                "-- The next card of the stock is for this column: it climbs to the top.
Holds(d{f}, 0, _) = [] e : dealtOnto(d) @ e -> Lands_on(d{f}, e)
Holds(d{f}, 1, g) = [] e : climbsFromCard(d) @ e -> Covered(d{f}, g)
Holds(d{f}, 2, _) = [] e : climbsFromCard(d) @ e -> Down(d{f})
Lands_on(d{f}, dealt.c._) = if member(c, linkers(d)) then Waits(d{f}) else Tell(d{f}, {{}}, true, bare(d) != {{}})
Landing(d, move._.t, Then) = lands.d.t -> Then
dealing(d) = deals(d)
tokenSets(d) = Union({{tokens(d), climbsFromCard(d), dealtOnto(d), {{ lands.d.t | t <- targets(d) }}}})",
            );
        } else {
            self.line("dealing(d) = {}\ntokenSets(d) = {}");
        }
        let _ = writeln!(
            self.out,
            "coverEvents(d) = Union({{arrivals(d), left(d), shifts(d), exits(d), entries(d), heard(d), tellsOf(d), tokenSets(d){sets}}})"
        );
        self.line(self.face_down());
        let (first, pattern) = if whole { (".Bool", ".first") } else { ("", "") };
        let at = if whole {
            ".member(mapLookup(start, d), tables)"
        } else {
            ""
        };
        let _ = writeln!(
            self.out,
            "-- The grades of a column, from its last card.
gradesOf(<>) = <>
gradesOf(<c>) = <(c, bare(c))>
gradesOf(<c>^cards) = let rest = gradesOf(cards)
                          (x, g) = head(rest)
                      within <(c, if member(x, down) then {{}} else graded(x, c, g))>^rest
startGrade = mapFromList(concat(< gradesOf(column) | column <- columns >))
-- What lies on a card at the start.
datatype Cover = IsAway | IsClear{first} | IsDown{first} | IsCovered{first}.Set(Kind)
coverOf(d) =
  if not member(d, inColumns) then IsAway
  else if member(d, tops) then IsClear{at}
  else if member(d, down) then IsDown{at} else IsCovered{at}.mapLookup(startGrade, d)
StartCover(d, IsAway) = Away(d)
StartCover(d, IsClear{pattern}) = Clear(d{f})
StartCover(d, IsDown{pattern}) = Down(d{f})
StartCover(d, IsCovered{pattern}.g) = Covered(d{f}, g)",
        );
        self.part(Part {
            generator: "c : playing",
            channel: Some(("covers", "Card.Cover", "c")),
            values: "Cover".to_owned(),
            start: "coverOf(c)",
            process: "StartCover(c, @)",
            events: "coverEvents(c)",
        });
    }

    /// Whether a move takes a card to the first place of a column.
    fn first_of_column(&mut self) {
        self.line("-- Whether a card comes to be the first of its column.");
        if self.builds {
            self.line("isFirst(move._.t) = member(t, tables)");
        }
        for (name, _, present) in self.sources() {
            if present && self.builds {
                let _ = writeln!(self.out, "isFirst({name}Move._.t) = member(t, tables)");
            }
        }
        if self.dealt {
            self.line("isFirst(dealt._.t) = member(t, tables)");
        }
        self.line("isFirst(_) = true");
    }

    /// How many cards are under a card: where columns have a limit.
    fn depth(&mut self) {
        let limit = self.d.tableau.as_ref().and_then(|t| t.limit).unwrap_or(1);
        let columns = self.p.columns.iter();
        let highest = columns.map(|c| c.cards.len()).max().unwrap_or(0).max(limit);
        let rising = self.onto("c", "d");
        let _ = writeln!(
            self.out,
            "
-- Rule [tableau] limit: a column that is built on has at most LIMIT cards. A card knows its height.
LIMIT = {limit}
channel rises : Card.Card.{{1..HIGHEST}}
HIGHEST = {highest}
toCards(c) = inter(union(shifts(c), entries(c)), Union({{ risingTo(c, d) | d <- hosts(c) }}))
risingTo(c, d) = {rising}
risesFrom(c, b) = {{ rises.c.d.n | On.d <- {{b}}, member(d, hosts(c)), n <- {{1..HIGHEST}} }}
risen(c) = {{ rises.c.d.n | d <- hosts(c), n <- {{1..HIGHEST}} }}
High(c, n) =
     (n < LIMIT & ([] e : arrivals(c) @ e -> High(c, n)))
  [] ([] x : guests(c) @ rises.x.c.n -> High(c, n))
  [] ([] e : toCards(c) @ e -> Rising(c))
  [] ([] e : diff(Union({{shifts(c), entries(c), exits(c)}}), toCards(c)) @ e -> High(c, 1))
Rising(c) = rises.c?_?n -> High(c, if n < HIGHEST then n + 1 else n)
highEvents(c) = Union({{arrivals(c), shifts(c), entries(c), exits(c), risen(c), {{ rises.x.c.n | x <- guests(c), n <- {{1..HIGHEST}} }}}})
heights(<>, _) = <>
heights(<c>^cards, n) = <(c, n)>^heights(cards, n + 1)
startHigh = mapFromList(concat(< heights(column, 1) | column <- columns >))
heightOf(c) = if mapMember(startHigh, c) then mapLookup(startHigh, c) else 1"
        );
        self.part(Part {
            generator: "c : playing",
            channel: Some(("stands", "Card.{1..HIGHEST}", "c")),
            values: "{1..HIGHEST}".to_owned(),
            start: "heightOf(c)",
            process: "High(c, @)",
            events: "highEvents(c)",
        });
        self.bookkeeping
            .push("Union({ risen(c) | c <- playing })".to_owned());
    }
}
