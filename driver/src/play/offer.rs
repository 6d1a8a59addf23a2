//! How moves and positions are told.

use csp_checker::Step;
use csp_checker::reference::Successor;
use csp_games::referee::Referee;
use csp_games::table::{PileKind, Place, Position, Route, Spot, route};

use super::open::Process;
use super::report::{
    CardReport, DigitsReport, ForcedReport, HolesReport, OfferReport, PileReport, PositionReport,
    SpotReport,
};

/// Has the referee follow steps, and tells those that move something or have words.
pub(super) fn follow(
    process: &Process,
    referee: &mut dyn Referee,
    steps: &[Step],
) -> Result<Vec<ForcedReport>, String> {
    let mut told = Vec::new();
    for step in steps {
        let event = process.name(step);
        let before = referee.position();
        let text = judged(process, referee, &event)?;
        let route = route(&before, &referee.position());
        if text.is_none() && route.is_none() {
            continue;
        }
        let (from, to) = ends(route.as_ref());
        told.push(ForcedReport {
            event,
            text,
            to,
            from,
        });
    }
    Ok(told)
}

fn judged(
    process: &Process,
    referee: &mut dyn Referee,
    event: &str,
) -> Result<Option<String>, String> {
    let name = process.start.name();
    let judged = referee.play_event(event);
    judged.map_err(|why| format!("the referee of {name} rejects {event}: {why}"))
}

/// Tells a move that is offered in a position.
pub(super) fn told(
    process: &Process,
    referee: &dyn Referee,
    position: &Position,
    successor: &Successor,
) -> Result<OfferReport, String> {
    let step = &successor.steps[0];
    let event = process.name(step);
    let mut after = referee.copied();
    let text = judged(process, after.as_mut(), &event)?;
    let route = route(position, &after.position());
    let forced = follow(process, after.as_mut(), &successor.steps[1..])?;
    let components = &process.network.components;
    let who = step
        .moves
        .iter()
        .map(|m| components[m.0.0 as usize].name.clone());
    let (from, to) = ends(route.as_ref());
    let cards = route.iter().flat_map(|r| &r.cards);
    Ok(OfferReport {
        text: text.unwrap_or_else(|| event.clone()),
        notation: notation(position, route.as_ref(), &event),
        cards: cards.map(ToString::to_string).collect(),
        from,
        to,
        who: who.collect(),
        forced,
        score: after.score(),
        event,
    })
}

/// From and to, and how many cards if there are several. For pegs `d2-d4`, for digits `a1=8`; a row of
/// places is told by the card.
fn notation(position: &Position, route: Option<&Route>, event: &str) -> String {
    let Some(route) = route else {
        return event.to_owned();
    };
    let from = route.from.as_ref().map_or("", |spot| spot.symbol.as_str());
    let to = &route.to;
    match position {
        Position::Pegs(_) => format!("{from}-{}", to.symbol),
        Position::Digits(_) => {
            let digit = event.rsplit('.').next().unwrap_or_default();
            format!("{}={digit}", to.symbol)
        }
        Position::Cards(piles) => {
            let kind = |spot: &Spot| piles.iter().find(|p| p.name == spot.pile).map(|p| p.kind);
            let card = route.cards.first();
            let from_stock = route.from.as_ref().and_then(kind) == Some(PileKind::Stock);
            match (kind(to), card) {
                (Some(PileKind::Row), Some(card)) => {
                    format!("{card}-{}.{}", to.symbol, to.index + 1)
                }
                (Some(PileKind::Waste), _) => "draw".to_owned(),
                _ if from_stock => "draw".to_owned(),
                (Some(PileKind::Stock), _) => "turn".to_owned(),
                _ if route.cards.len() > 1 => {
                    format!("{from}{}-{}", to.symbol, route.cards.len())
                }
                _ => format!("{from}{}", to.symbol),
            }
        }
    }
}

fn ends(route: Option<&Route>) -> (Option<SpotReport>, Option<SpotReport>) {
    let from = route.and_then(|r| r.from.as_ref()).map(spot);
    (from, route.map(|r| spot(&r.to)))
}

fn spot(spot: &Spot) -> SpotReport {
    SpotReport {
        pile: spot.pile.clone(),
        symbol: spot.symbol.clone(),
        index: spot.index,
    }
}

/// Tells a position.
pub(crate) fn position(position: &Position) -> PositionReport {
    let card = |place: &Place| CardReport {
        card: place.card.map(|c| c.to_string()),
        up: place.up,
    };
    let piles = position.piles().iter().map(|pile| PileReport {
        kind: pile.kind.word().to_owned(),
        name: pile.name.clone(),
        symbol: pile.symbol.clone(),
        suit: pile.suit.map(|suit| suit.letter().to_string()),
        cards: pile.places.iter().map(card).collect(),
    });
    let mut report = PositionReport {
        piles: piles.collect(),
        holes: None,
        digits: None,
    };
    match position {
        Position::Cards(_) => {}
        Position::Pegs(holes) => {
            report.holes = Some(HolesReport {
                rows: holes.rows.iter().map(|row| row.iter().collect()).collect(),
                triangular: holes.triangular,
            });
        }
        Position::Digits(digits) => {
            report.digits = Some(DigitsReport {
                side: digits.side,
                rows: digits.rows.clone(),
                given: digits.given.clone(),
            });
        }
    }
    report
}
