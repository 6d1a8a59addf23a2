//! Processes side by side. ✓ is synchronised: if every member ✓→, the composition ✓→ Ω, in one step;
//! a member that could terminate waits for the others and offers meanwhile whatever else it offers.
//! No members at all is SKIP.
//!
//! In the books' reading members terminate apart: P ✓→ gives τ to the composition with Ω in the place
//! of P, and a composition of Ω alone can ✓.
//!
//! - `[|A|]`: a in A needs all members; other visible events and τ are one member's own.
//! - `[A||B]`: a needs exactly the members whose alphabet has a; a member does nothing visible
//!   outside its alphabet.
//! - `[a <-> b]`: P a→ P' and Q b→ Q' give τ→ `P' [a <-> b] Q'`; unlinked events and τ are one
//!   member's own.

use std::rc::Rc;
use std::sync::Arc;

use csp_lts::{EventId, EventSet};

use super::choice::replaced;
use super::{Firing, Kind, Outcome, Step, Termination, kind};
use crate::process::{Process, ProcessId, Relation};

impl Firing<'_> {
    pub(super) fn parallel(&mut self, set: &Arc<EventSet>, members: &[ProcessId]) -> Outcome<()> {
        let rebuild = |members: Box<[ProcessId]>| Process::Parallel(Arc::clone(set), members);
        self.finish_together(members)?;
        for (i, member) in members.iter().enumerate() {
            let own = |label: &EventSet| label.difference(set);
            self.alone(members, i, *member, &own, &rebuild)?;
        }
        if set.is_empty() || members.is_empty() {
            return Ok(());
        }
        for (label, targets) in self.together(set, members)? {
            let next = self.processes.intern(rebuild(targets.into()));
            self.restricted(label, next);
        }
        Ok(())
    }

    pub(super) fn alphabetised(&mut self, members: &[(Arc<EventSet>, ProcessId)]) -> Outcome<()> {
        let operands: Vec<ProcessId> = members.iter().map(|m| m.1).collect();
        let rebuild = |operands: Box<[ProcessId]>| {
            let alphabets = members.iter().map(|m| Arc::clone(&m.0));
            Process::Alphabetised(alphabets.zip(operands).collect())
        };
        self.finish_together(&operands)?;
        for (i, member) in operands.iter().enumerate() {
            self.alone(&operands, i, *member, &|_| EventSet::empty(), &rebuild)?;
        }
        let everything = members.iter().flat_map(|m| m.0.ranges().iter().copied());
        let everything = EventSet::from_ranges(everything.collect());
        let mut partial: Vec<(EventSet, Vec<(usize, ProcessId)>)> = vec![(everything, Vec::new())];
        for (i, (alphabet, member)) in members.iter().enumerate() {
            let steps = self.steps(*member)?;
            let mut longer = Vec::with_capacity(partial.len());
            for (label, moves) in partial {
                let shared = label.intersection(alphabet);
                for (offer, target) in visible(&steps) {
                    let label = shared.intersection(offer);
                    if !label.is_empty() {
                        let mut moves = moves.clone();
                        moves.push((i, *target));
                        longer.push((label, moves));
                    }
                }
                let rest = label.difference(alphabet);
                if !rest.is_empty() {
                    longer.push((rest, moves));
                }
            }
            partial = longer;
        }
        for (label, moves) in partial {
            let mut targets: Box<[ProcessId]> = operands.as_slice().into();
            for (i, target) in moves {
                targets[i] = target;
            }
            let next = self.processes.intern(rebuild(targets));
            self.restricted(label, next);
        }
        Ok(())
    }

    pub(super) fn linked(
        &mut self,
        left: ProcessId,
        links: &Relation,
        right: ProcessId,
    ) -> Outcome<()> {
        let members = [left, right];
        let rebuild = |m: Box<[ProcessId]>| Process::Linked(m[0], Arc::clone(links), m[1]);
        self.finish_together(&members)?;
        let ends: [EventSet; 2] = [
            links.iter().map(|pair| pair.0).collect(),
            links.iter().map(|pair| pair.1).collect(),
        ];
        for (i, member) in members.iter().enumerate() {
            let own = |label: &EventSet| label.difference(&ends[i]);
            self.alone(&members, i, *member, &own, &rebuild)?;
        }
        let (lefts, rights) = (self.steps(left)?, self.steps(right)?);
        for (sent, left) in visible(&lefts) {
            let received: EventSet = partners(links, sent).collect();
            for (offer, right) in visible(&rights) {
                if !received.intersection(offer).is_empty() {
                    let next = self.processes.intern(rebuild(Box::new([*left, *right])));
                    self.silent(next);
                }
            }
        }
        Ok(())
    }

    /// ✓ if every member can do it, or, where they terminate apart, has done it.
    fn finish_together(&mut self, members: &[ProcessId]) -> Outcome<()> {
        for member in members {
            let ready = match self.known.termination {
                Termination::Together => {
                    let steps = self.steps(*member)?;
                    steps.iter().any(|(label, _)| kind(label) == Kind::Tick)
                }
                Termination::Apart => {
                    matches!(*self.processes.head(*member)?, Process::Omega)
                }
            };
            if !ready {
                return Ok(());
            }
        }
        self.terminate();
        Ok(())
    }

    /// The steps of one member that the others do not notice: τ, its own events, and, where members
    /// terminate apart, its termination.
    fn alone(
        &mut self,
        members: &[ProcessId],
        place: usize,
        member: ProcessId,
        own: &dyn Fn(&EventSet) -> EventSet,
        rebuild: &dyn Fn(Box<[ProcessId]>) -> Process,
    ) -> Outcome<()> {
        for (label, target) in self.steps(member)?.iter() {
            let label = match kind(label) {
                Kind::Tick if self.known.termination == Termination::Together => continue,
                Kind::Silent | Kind::Tick => EventSet::single(EventId::TAU),
                Kind::Visible => own(label),
            };
            if !label.is_empty() {
                let next = self
                    .processes
                    .intern(rebuild(replaced(members, place, *target)));
                self.restricted(label, next);
            }
        }
        Ok(())
    }

    /// The ways in which all operands can do one event of the set together.
    pub(super) fn together(
        &mut self,
        set: &Arc<EventSet>,
        operands: &[ProcessId],
    ) -> Outcome<Vec<(EventSet, Vec<ProcessId>)>> {
        let mut partial = vec![(EventSet::clone(set), Vec::new())];
        for operand in operands {
            let steps = self.steps(*operand)?;
            let mut longer = Vec::new();
            for (label, targets) in &partial {
                for (offer, target) in visible(&steps) {
                    let label = label.intersection(offer);
                    if !label.is_empty() {
                        let mut targets = targets.clone();
                        targets.push(*target);
                        longer.push((label, targets));
                    }
                }
            }
            partial = longer;
        }
        if operands.is_empty() {
            partial.clear();
        }
        Ok(partial)
    }
}

fn visible(steps: &Rc<[Step]>) -> impl Iterator<Item = &Step> {
    steps
        .iter()
        .filter(|(label, _)| kind(label) == Kind::Visible)
}

/// What the events of a set are related to.
pub(super) fn partners<'a>(
    relation: &'a Relation,
    set: &'a EventSet,
) -> impl Iterator<Item = EventId> + 'a {
    set.ranges().iter().flat_map(|&(from, to)| {
        let first = relation.partition_point(|pair| pair.0.0 < from);
        relation[first..]
            .iter()
            .take_while(move |pair| pair.0.0 < to)
            .map(|pair| pair.1)
    })
}
