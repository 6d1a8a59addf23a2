//! Stable offers, from which failures and revivals are read.
//!
//! O(P) has, for each stable state that P can be in before it does anything visible, the set of
//! events and ✓ which that state offers. (s, X) is a failure of P if X misses some set in O(P/s).
//!
//! | process | O |
//! |---|---|
//! | STOP, Ω | {∅} |
//! | SKIP | {{✓}} |
//! | DIV | none |
//! | RUN(A) | {A} |
//! | CHAOS(A) | {∅, A} |
//! | x:A → P | {A} |
//! | P ⊓ Q | O(P) ∪ O(Q) |
//! | P □ Q, P △ Q | R ∪ S for R in O(P), S in O(Q): both sides must be stable |
//! | P ▷ Q | O(Q): the left side is never stable |
//! | P \[+A+\] Q, P /+A+\ Q | (R ∩ S ∩ A) ∪ ((R ∪ S) − A) |
//! | P \[\|A\|> Q | O(P) |
//! | P ; Q | the sets of O(P) without ✓ (a state that can terminate does so silently); O(Q) if ✓ ∈ I(P) |
//! | P ∥ Q | what R of O(P) and S of O(Q) let through; ✓ if both have it |
//! | P \ A | the sets of O(P/s), s ∈ A*, that miss A |
//! | P\[\[R\]\] | images of the sets of O(P) |
//! | prioritise(P) | the sets of O(P), each without the events that give way to others in it |
//! | loop(P) | the sets of O(P) without ✓ |
//! | trace_watchdog(P, A) | {I} |
//! | failure_watchdog(P, A) | the smallest T ⊆ A that meet every set of O(P) |
//! | P \[l↔r\] Q | as ∥ after any linked events, for R, S that offer no linked pair |
//!
//! In the books' reading R and S of `P ∥ Q` are each a set of O without ✓, or ∅ if that side may
//! terminate, which it does silently; and {✓} is offered if both have.

use super::traces::on_both_or_either;
use super::{Meanings, Residual, Shape, Termination, TooLarge};
use crate::events::{Events, Family, MOST_EVENTS};
use crate::term::{Links, Watchdog};

/// A way in which an argument of a parallel composition can have come to rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// The visible events that it offers.
    pub(super) offer: Events,
    /// What it does about ✓.
    pub(super) end: End,
}

/// What an argument of a parallel composition at rest does about ✓.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It does not offer ✓.
    Far,
    /// It offers ✓, and waits for the other.
    Offered,
    /// It has terminated: in the books' reading alone.
    Reached,
}

impl Meanings<'_> {
    /// What the stable states offer that the process can be in at the start.
    pub fn offers(&mut self, process: Residual) -> Result<Family, TooLarge> {
        if let Some(known) = self.known[process.0 as usize].offers {
            return Ok(known);
        }
        let found = self.find_offers(process)?;
        self.known[process.0 as usize].offers = Some(found);
        Ok(found)
    }

    fn find_offers(&mut self, process: Residual) -> Result<Family, TooLarge> {
        Ok(match self.shape(process) {
            Shape::Stop | Shape::Omega => Family::one(Events::NONE),
            Shape::Skip => Family::one(Events::TICK),
            Shape::Div => Family::NONE,
            Shape::Run(a) | Shape::Offer(a, _) => Family::one(a),
            Shape::Chaos(a) => Family::one(Events::NONE).or(Family::one(a)),
            Shape::Name(n) => {
                let body = self.body(n)?;
                self.offers(body)?
            }
            Shape::Union(parts) => {
                let mut all = Family::NONE;
                for &part in parts.iter() {
                    all = all.or(self.offers(part)?);
                }
                all
            }
            Shape::External(p, q) | Shape::Interrupt(p, q) => {
                let (left, right) = (self.offers(p)?, self.offers(q)?);
                left.pairs(right, |r, s| Some(r.or(s)))
            }
            Shape::Sliding(_, q) => self.offers(q)?,
            Shape::SyncExternal(a, p, q) | Shape::SyncInterrupt(a, p, q) => {
                let (left, right) = (self.offers(p)?, self.offers(q)?);
                left.pairs(right, |r, s| Some(on_both_or_either(a, r, s)))
            }
            Shape::Exception(_, p, _) => self.offers(p)?,
            Shape::Loop(p) => self.offers(p)?.map(|r| (!r.has_tick()).then_some(r)),
            Shape::Watch(Watchdog::Traces, ..) => Family::one(self.initials(process)?),
            Shape::Watch(Watchdog::Failures, a, _, p) => tests(a, self.offers(p)?),
            Shape::Sequence(p, q) => {
                let running = self.offers(p)?.map(|r| (!r.has_tick()).then_some(r));
                if self.initials(p)?.has_tick() {
                    running.or(self.offers(q)?)
                } else {
                    running
                }
            }
            Shape::Parallel(sharing, p, q) => {
                let mut all = Family::NONE;
                for left in self.rests(p)? {
                    for right in self.rests(q)? {
                        let visible = sharing.offer(left.offer, right.offer);
                        all = all.or(Family::one(whole(left, right, visible)));
                    }
                }
                all
            }
            Shape::Hide(a, _) => {
                let mut all = Family::NONE;
                for &(p, _) in self.silent(process)?.reached.iter() {
                    all = all.or(self.offers(p)?.map(|r| r.and(a).is_empty().then_some(r)));
                }
                all
            }
            Shape::Rename(r, p) => self.offers(p)?.map(|offer| Some(r.image_of(offer))),
            Shape::Prioritise(order, p) => self.offers(p)?.map(|offer| Some(order.kept(offer))),
            Shape::Linked(links, ..) => {
                let mut all = Family::NONE;
                for &(p, q) in self.silent(process)?.reached.iter() {
                    for left in self.rests(p)? {
                        for right in self.rests(q)? {
                            all = all
                                .or(linked(&links, left, right).map_or(Family::NONE, Family::one));
                        }
                    }
                }
                all
            }
        })
    }

    /// The ways in which an argument of a parallel composition can be at rest at the start.
    pub(super) fn rests(&mut self, process: Residual) -> Result<Vec<Rest>, TooLarge> {
        if self.termination == Termination::Books && self.is_omega(process) {
            return Ok(vec![ENDED]);
        }
        let running = self.offers(process)?;
        let rest = |r: Events| Rest {
            offer: r.without(Events::TICK),
            end: if r.has_tick() { End::Offered } else { End::Far },
        };
        let mut all: Vec<Rest> = running.iter().map(rest).collect();
        if self.termination == Termination::Books {
            // Who can terminate does so silently.
            all.retain(|rest| rest.end == End::Far);
            if self.may_end(process)? {
                all.push(ENDED);
            }
        }
        Ok(all)
    }
}

const ENDED: Rest = Rest {
    offer: Events::NONE,
    end: End::Reached,
};

/// What a composition offers whose sides let these events through: ✓ too if neither is far from it.
pub(super) fn whole(left: Rest, right: Rest, visible: Events) -> Events {
    if left.end == End::Far || right.end == End::Far {
        visible
    } else {
        visible.or(Events::TICK)
    }
}

/// The smallest sets of events that cannot be refused as a whole by what makes one of the offers.
pub(super) fn tests(events: Events, offers: Family) -> Family {
    let sets = (0..1 << MOST_EVENTS).map(Events);
    let meets_all = |set: &Events| offers.iter().all(|r| !r.and(*set).is_empty());
    let within = sets.filter(|set| set.is_within(events));
    within.filter(meets_all).collect::<Family>().minimal()
}

/// What two linked processes at rest offer, unless they can go on silently.
pub(super) fn linked(links: &Links, left: Rest, right: Rest) -> Option<Events> {
    let joint = links
        .iter()
        .any(|(l, r)| left.offer.has(l) && right.offer.has(r));
    let own = left.offer.without(links.left());
    let visible = own.or(right.offer.without(links.right()));
    (!joint).then(|| whole(left, right, visible))
}
