//! Traces: with which events a process can begin, and what it means after one.
//!
//! I(P) is the set of events (✓ included) with which some trace of P begins, and `P/a` for a ∈ I(P)
//! the union of all that P may be after `a`. A trace is a walk through residuals.
//!
//! | process | I | /a, for each way to do a |
//! |---|---|---|
//! | STOP, Ω, DIV | ∅ | |
//! | SKIP | {✓} | Ω |
//! | RUN(A), CHAOS(A) | A | itself |
//! | x:A → P | A | P |
//! | P ⊓ Q | I(P) ∪ I(Q) | P/a ; Q/a |
//! | P □ Q, P ▷ Q | I(P) ∪ I(Q) | P/a ; Q/a |
//! | P \[+A+\] Q | on A both, else either | a ∈ A: P/a \[+A+\] Q/a; else P/a ; Q/a |
//! | P △ Q | I(P) ∪ I(Q) | P/a △ Q ; Q/a |
//! | P /+A+\ Q | on A both, else either | a ∈ A: P/a /+A+\ Q/a; else P/a /+A+\ Q ; Q/a |
//! | P \[\|A\|> Q | I(P) | a ∈ A: Q; else P/a \[\|A\|> Q |
//! | P ; Q | (I(P) − ✓) ∪ I(Q) if ✓ ∈ I(P) | P/a ; Q, and if ✓ ∈ I(P) also Q/a |
//! | P ∥ Q | together: both; alone: either; ✓ if ✓ in both | together: P/a ∥ Q/a; alone: P/a ∥ Q, P ∥ Q/a |
//! | P \ A | (∪ I(P/s), s ∈ A*) − A | ∪ (P/s/a) \ A, s ∈ A* |
//! | P\[\[R\]\] | R-image of I(P) | (P/b)\[\[R\]\] for each b R a |
//! | prioritise(P) | I(P) − low, and what is kept of each set of O(P) | a not low: prioritise(P/a); else prioritise((P↾R)/a) for R that keep a |
//! | loop(P) | I(P) − ✓ | P/a ; loop(P) |
//! | a watchdog of P on A | A; also ✓ if it watches traces and ✓ ∈ I(P) | that of P/a, or bad → STOP if a ∉ I(P); DIV if it watches failures and a may be in a test |
//! | P \[l↔r\] Q | as ∥ with every linked event together and hidden | likewise |
//!
//! After ✓ every process is Ω. The ✓ of P in `P ; Q` is silent. In the books' reading so is that of an
//! argument of `∥`; a process that has terminated there goes on offering nothing, which need not be a
//! case of its own here because a trace of the other alone is one of `P ∥ Q` in any case. So traces are
//! the same in both readings.

use super::failures::tests;
use super::{Meanings, Residual, Shape, Silent, Termination, TooLarge};
use crate::events::{Event, Events};
use crate::term::{Links, Watchdog};

impl Meanings<'_> {
    /// The events, and ✓, with which the process can begin.
    pub fn initials(&mut self, process: Residual) -> Result<Events, TooLarge> {
        if let Some(known) = self.known[process.0 as usize].initials {
            return Ok(known);
        }
        let found = self.find_initials(process)?;
        self.known[process.0 as usize].initials = Some(found);
        Ok(found)
    }

    fn find_initials(&mut self, process: Residual) -> Result<Events, TooLarge> {
        Ok(match self.shape(process) {
            Shape::Stop | Shape::Omega | Shape::Div => Events::NONE,
            Shape::Skip => Events::TICK,
            Shape::Run(a) | Shape::Chaos(a) | Shape::Offer(a, _) => a,
            Shape::Name(n) => {
                let body = self.body(n)?;
                self.initials(body)?
            }
            Shape::Union(parts) => {
                let mut all = Events::NONE;
                for &part in parts.iter() {
                    all = all.or(self.initials(part)?);
                }
                all
            }
            Shape::External(p, q) | Shape::Sliding(p, q) | Shape::Interrupt(p, q) => {
                self.initials(p)?.or(self.initials(q)?)
            }
            Shape::SyncExternal(a, p, q) | Shape::SyncInterrupt(a, p, q) => {
                on_both_or_either(a, self.initials(p)?, self.initials(q)?)
            }
            Shape::Exception(_, p, _) => self.initials(p)?,
            Shape::Sequence(p, q) => {
                let first = self.initials(p)?;
                let second = if first.has_tick() {
                    self.initials(q)?
                } else {
                    Events::NONE
                };
                first.without(Events::TICK).or(second)
            }
            Shape::Loop(p) => self.initials(p)?.without(Events::TICK),
            Shape::Watch(Watchdog::Failures, a, ..) => a,
            Shape::Watch(Watchdog::Traces, a, _, p) => a.or(self.initials(p)?.and(Events::TICK)),
            Shape::Parallel(sharing, p, q) => {
                let ends = self.may_end(p)? && self.may_end(q)?;
                let visible = sharing.offer(self.initials(p)?, self.initials(q)?);
                visible.or(if ends { Events::TICK } else { Events::NONE })
            }
            Shape::Hide(a, _) => {
                let mut all = Events::NONE;
                for &(p, _) in self.silent(process)?.reached.iter() {
                    all = all.or(self.initials(p)?);
                }
                all.without(a)
            }
            Shape::Rename(r, p) => r.image_of(self.initials(p)?),
            Shape::Prioritise(order, p) => {
                let free = self.initials(p)?.without(order.low());
                let offers = self.offers(p)?;
                offers.iter().fold(free, |all, r| all.or(order.kept(r)))
            }
            Shape::Linked(links, ..) => {
                let mut all = Events::NONE;
                for &(p, q) in self.silent(process)?.reached.iter() {
                    let left = self.initials(p)?.without(Events::TICK);
                    let right = self.initials(q)?.without(Events::TICK);
                    let ends = self.may_end(p)? && self.may_end(q)?;
                    all = all
                        .or(left.without(links.left()))
                        .or(right.without(links.right()))
                        .or(if ends { Events::TICK } else { Events::NONE });
                }
                all
            }
        })
    }

    /// Whether an argument of a parallel composition may terminate at once, or, in the books' reading, has.
    pub(super) fn may_end(&mut self, process: Residual) -> Result<bool, TooLarge> {
        let ended = self.termination == Termination::Books && self.is_omega(process);
        Ok(ended || self.initials(process)?.has_tick())
    }

    /// What the process means after the event, if it can do it.
    pub fn after(&mut self, process: Residual, event: Event) -> Result<Option<Residual>, TooLarge> {
        if !self.initials(process)?.has(event) {
            return Ok(None);
        }
        if event == Event::TICK {
            return self.make(Shape::Omega).map(Some);
        }
        if let Some(known) = self.known[process.0 as usize].after[usize::from(event.0)] {
            return Ok(Some(known));
        }
        let ways = self.ways_to_do(process, event)?;
        let after = self.union(ways)?;
        assert!(after.is_some(), "an initial event leads somewhere");
        self.known[process.0 as usize].after[usize::from(event.0)] = after;
        Ok(after)
    }

    /// What the process may become by a visible event.
    fn ways_to_do(&mut self, process: Residual, event: Event) -> Result<Vec<Residual>, TooLarge> {
        let mut ways = Vec::new();
        match self.shape(process) {
            Shape::Stop | Shape::Omega | Shape::Div | Shape::Skip => {}
            Shape::Run(_) | Shape::Chaos(_) => ways.push(process),
            Shape::Offer(_, p) => ways.push(p),
            Shape::Name(n) => {
                let body = self.body(n)?;
                ways.extend(self.after(body, event)?);
            }
            Shape::Union(parts) => {
                for &part in parts.iter() {
                    ways.extend(self.after(part, event)?);
                }
            }
            Shape::External(p, q) | Shape::Sliding(p, q) => {
                ways.extend(self.after(p, event)?);
                ways.extend(self.after(q, event)?);
            }
            Shape::SyncExternal(a, p, q) => {
                let (left, right) = (self.after(p, event)?, self.after(q, event)?);
                if !a.has(event) {
                    ways.extend(left);
                    ways.extend(right);
                } else if let (Some(p), Some(q)) = (left, right) {
                    ways.push(self.make(Shape::SyncExternal(a, p, q))?);
                }
            }
            Shape::Interrupt(p, q) => {
                if let Some(p) = self.after(p, event)? {
                    ways.push(self.make(Shape::Interrupt(p, q))?);
                }
                ways.extend(self.after(q, event)?);
            }
            Shape::SyncInterrupt(a, p, q) => {
                let (left, right) = (self.after(p, event)?, self.after(q, event)?);
                if !a.has(event) {
                    if let Some(p) = left {
                        ways.push(self.make(Shape::SyncInterrupt(a, p, q))?);
                    }
                    ways.extend(right);
                } else if let (Some(p), Some(q)) = (left, right) {
                    ways.push(self.make(Shape::SyncInterrupt(a, p, q))?);
                }
            }
            Shape::Exception(a, p, q) => {
                if a.has(event) {
                    ways.push(q);
                } else if let Some(p) = self.after(p, event)? {
                    ways.push(self.make(Shape::Exception(a, p, q))?);
                }
            }
            Shape::Sequence(p, q) => {
                let ends = self.initials(p)?.has_tick();
                if let Some(p) = self.after(p, event)? {
                    ways.push(self.make(Shape::Sequence(p, q))?);
                }
                if ends {
                    ways.extend(self.after(q, event)?);
                }
            }
            Shape::Loop(p) => {
                if let Some(p) = self.after(p, event)? {
                    ways.push(self.make(Shape::Sequence(p, process))?);
                }
            }
            Shape::Watch(kind, a, bad, p) => {
                let tested = kind == Watchdog::Failures
                    && tests(a, self.offers(p)?).iter().any(|t| t.has(event));
                if tested {
                    ways.push(self.make(Shape::Div)?);
                }
                let next = if let Some(p) = self.after(p, event)? {
                    Shape::Watch(kind, a, bad, p)
                } else {
                    Shape::Offer(Events::one(bad), self.make(Shape::Stop)?)
                };
                ways.push(self.make(next)?);
            }
            Shape::Parallel(sharing, p, q) => {
                let (left, right) = (self.after(p, event)?, self.after(q, event)?);
                if let (Some(p), Some(q), true) = (left, right, sharing.together.has(event)) {
                    ways.push(self.make(Shape::Parallel(sharing, p, q))?);
                }
                if let (Some(p), true) = (left, sharing.left.has(event)) {
                    ways.push(self.make(Shape::Parallel(sharing, p, q))?);
                }
                if let (Some(q), true) = (right, sharing.right.has(event)) {
                    ways.push(self.make(Shape::Parallel(sharing, p, q))?);
                }
            }
            Shape::Hide(a, _) => {
                for &(p, _) in self.silent(process)?.reached.iter() {
                    if let Some(p) = self.after(p, event)? {
                        ways.push(self.make(Shape::Hide(a, p))?);
                    }
                }
            }
            Shape::Rename(r, p) => {
                for from in self.initials(p)?.iter() {
                    if from != Event::TICK && r.image(from).has(event) {
                        let p = self.after(p, from)?.expect("the event is initial");
                        ways.push(self.make(Shape::Rename(r, p))?);
                    }
                }
            }
            Shape::Prioritise(order, p) => {
                if !order.low().has(event) {
                    let p = self.after(p, event)?.expect("the event is initial");
                    return Ok(vec![self.make(Shape::Prioritise(order, p))?]);
                }
                for offer in self.offers(p)?.iter() {
                    if order.kept(offer).has(event) {
                        let p = self.observed(p, offer)?.expect("it is among the offers");
                        let p = self.after(p, event)?.expect("the event is offered");
                        ways.push(self.make(Shape::Prioritise(order, p))?);
                    }
                }
            }
            Shape::Linked(links, ..) => {
                for &(p, q) in self.silent(process)?.reached.iter() {
                    let (left, right) = (self.after(p, event)?, self.after(q, event)?);
                    if let (Some(p), false) = (left, links.left().has(event)) {
                        ways.push(self.make(Shape::Linked(links, p, q))?);
                    }
                    if let (Some(q), false) = (right, links.right().has(event)) {
                        ways.push(self.make(Shape::Linked(links, p, q))?);
                    }
                }
            }
        }
        Ok(ways)
    }

    /// Where hidden or linked events lead from a process that hides or links.
    pub(super) fn silent(&mut self, process: Residual) -> Result<Silent, TooLarge> {
        if let Some(known) = &self.known[process.0 as usize].silent {
            return Ok(known.clone());
        }
        let start = match self.shape(process) {
            Shape::Hide(_, p) => (p, p),
            Shape::Linked(_, p, q) => (p, q),
            _ => unreachable!("only hiding and linking make events silent"),
        };
        let mut reached = vec![start];
        let mut edges: Vec<Vec<usize>> = Vec::new();
        while edges.len() < reached.len() {
            let now = reached[edges.len()];
            let mut targets = Vec::new();
            for next in self.silent_steps(process, now)? {
                let place = reached.iter().position(|r| *r == next);
                targets.push(place.unwrap_or_else(|| {
                    reached.push(next);
                    reached.len() - 1
                }));
            }
            edges.push(targets);
        }
        let silent = Silent {
            endless: has_cycle(&edges),
            reached: reached.into(),
        };
        self.known[process.0 as usize].silent = Some(silent.clone());
        Ok(silent)
    }

    fn silent_steps(
        &mut self,
        process: Residual,
        (p, q): (Residual, Residual),
    ) -> Result<Vec<(Residual, Residual)>, TooLarge> {
        let mut steps = Vec::new();
        match self.shape(process) {
            Shape::Hide(a, _) => {
                for event in a.iter() {
                    steps.extend(self.after(p, event)?.map(|p| (p, p)));
                }
            }
            Shape::Linked(links, ..) => {
                for (l, r) in Links::iter(&links) {
                    if let (Some(p), Some(q)) = (self.after(p, l)?, self.after(q, r)?) {
                        steps.push((p, q));
                    }
                }
            }
            _ => unreachable!("only hiding and linking make events silent"),
        }
        Ok(steps)
    }
}

/// What is offered if the events of a set need both and all others only one.
pub(super) fn on_both_or_either(a: Events, left: Events, right: Events) -> Events {
    left.and(right).and(a).or(left.or(right).without(a))
}

/// Whether a walk can go on for ever: leaves are taken away until nothing or a cycle is left.
fn has_cycle(edges: &[Vec<usize>]) -> bool {
    let mut alive = vec![true; edges.len()];
    loop {
        let dead =
            (0..edges.len()).find(|&i| alive[i] && !edges[i].iter().any(|&next| alive[next]));
        match dead {
            Some(i) => alive[i] = false,
            None => return alive.contains(&true),
        }
    }
}
