//! Heads of process operators: their operands are numbers, their sets are evaluated.
//!
//! Prefixes under `[]` are merged into one head, so that a choice of many plain prefixes is a single
//! set of branches.

use std::rc::Rc;
use std::sync::Arc;

use csp_lts::{EventId, EventSet};

use super::Evaluator;
use super::code::{
    CodeId, FieldCode, List, Node, PrefixCode, ReplicatedCode, ReplicatedKind, UnitId,
};
use super::messages::{self, Failure};
use super::met::Side;
use super::origin::Origin;
use super::prefix::Branches;
use super::processes::Step;
use super::run::NO_FUNCTION;
use super::sets::SetKind;
use super::value::Value;
use crate::process::{Process, ProcessId, Relation};

impl Evaluator {
    pub(super) fn operator(
        &mut self,
        code: CodeId,
        base: usize,
        own: ProcessId,
    ) -> Result<Step, Failure> {
        let head = match self.code.node(code) {
            Node::Prefix(i) => {
                let prefix = Rc::clone(&self.code.prefixes[i as usize]);
                self.prefix_head(&prefix, base, own)?
            }
            Node::External(list) => {
                let mut choice = Choice::default();
                for i in 0..list.len {
                    self.add_choice(self.code.item(list, i), base, &mut choice)?;
                }
                return Ok(self.finish_choice(choice));
            }
            Node::Internal(list) => Process::Internal(self.operands(list, base)?),
            Node::Sliding(p, q) => Process::Sliding(
                self.process_operand(p, base)?,
                self.process_operand(q, base)?,
            ),
            Node::Interrupt(p, q) => Process::Interrupt(
                self.process_operand(p, base)?,
                self.process_operand(q, base)?,
            ),
            Node::Sequential(p, q) => Process::Sequence(
                self.process_operand(p, base)?,
                self.process_operand(q, base)?,
            ),
            Node::Interleave(list) => {
                Process::Parallel(Arc::new(EventSet::empty()), self.operands(list, base)?)
            }
            Node::Parallel(set, list) => {
                Process::Parallel(self.event_set_at(set, base)?, self.operands(list, base)?)
            }
            Node::Alphabetised(list) => {
                let item = |i| self.code.item(list, i);
                let (a, b, p, q) = (item(0), item(1), item(2), item(3));
                Process::Alphabetised(Box::new([
                    (self.event_set_at(a, base)?, self.process_operand(p, base)?),
                    (self.event_set_at(b, base)?, self.process_operand(q, base)?),
                ]))
            }
            Node::Exception(p, set, q) => Process::Exception(
                self.process_operand(p, base)?,
                self.event_set_at(set, base)?,
                self.process_operand(q, base)?,
            ),
            Node::SyncExternal(set, list) => {
                Process::SyncExternal(self.event_set_at(set, base)?, self.operands(list, base)?)
            }
            Node::SyncInterrupt(p, set, q) => Process::SyncInterrupt(
                self.process_operand(p, base)?,
                self.event_set_at(set, base)?,
                self.process_operand(q, base)?,
            ),
            Node::Linked(pairs, p, q) => {
                let p = self.process_operand(p, base)?;
                let q = self.process_operand(q, base)?;
                let sides = [(p, Side::Left), (q, Side::Right)];
                Process::Linked(p, self.links(pairs, base, &sides)?, q)
            }
            Node::Hide(p, set) => {
                let (p, set) = (
                    self.process_operand(p, base)?,
                    self.event_set_at(set, base)?,
                );
                if set.is_empty() {
                    return Ok(Step::Same(p));
                }
                Process::Hide(p, set)
            }
            Node::HideAllBut(p, set) => Process::Project(
                self.process_operand(p, base)?,
                self.event_set_at(set, base)?,
            ),
            Node::Rename(p, pairs) => {
                let p = self.process_operand(p, base)?;
                let relation = self.event_pairs(pairs, base, &[(p, Side::Left)])?;
                if relation.is_empty() {
                    return Ok(Step::Same(p));
                }
                Process::Rename(p, relation.into())
            }
            Node::Replicated(i) => {
                let replicated = Rc::clone(&self.code.replicated[i as usize]);
                return self.replicated(&replicated, base);
            }
            _ => return self.head_at(code, base, NO_FUNCTION, own),
        };
        Ok(Step::Head(head))
    }

    /// Adds the operands of a replicated `[]` for one binding of its outer statements.
    fn add_choices(
        &mut self,
        code: &ReplicatedCode,
        base: usize,
        choice: &mut Choice,
    ) -> Result<(), Failure> {
        let ReplicatedKind::Collected(collected) = &code.operator else {
            return self.add_choice(code.body, base, choice);
        };
        let events = match collected.whole {
            Some(source) => self.event_set_at(source, base)?,
            None => {
                let mut events = Vec::new();
                self.statements(&collected.statements, base, &mut |evaluator| {
                    let value = evaluator.eval(collected.event, base)?;
                    events.push(evaluator.as_event(&value, collected.event)?);
                    Ok(())
                })?;
                Arc::new(events.into_iter().collect())
            }
        };
        if !events.is_empty() {
            let target = self.process_operand(code.body, base)?;
            choice.branches.add(&events, target);
        }
        Ok(())
    }

    /// Adds an operand of `[]`. Plain prefixes are merged; the others stay operands.
    fn add_choice(
        &mut self,
        mut code: CodeId,
        base: usize,
        choice: &mut Choice,
    ) -> Result<(), Failure> {
        loop {
            match self.code.node(code) {
                Node::If(condition, then, otherwise) | Node::Guard(condition, then, otherwise) => {
                    code = if self.truth(condition, base)? {
                        then
                    } else {
                        otherwise
                    };
                }
                Node::Let(i) => {
                    self.bind_let(i, base)?;
                    code = self.code.lets[i as usize].body;
                }
                Node::Suspend(unit) => {
                    let Some(prefix) = self.plain_prefix(unit) else {
                        break;
                    };
                    let captured = self.captured(unit, base);
                    let (_, frame) = self.open(unit, &captured);
                    let result = self.prefix_branches(&prefix, frame, &mut choice.branches);
                    self.stack.close(frame);
                    return result;
                }
                Node::Attempt(unit) => {
                    let captured = self.captured(unit, base);
                    let (body, frame) = self.open(unit, &captured);
                    let result = self.add_choice(body, frame, choice);
                    self.stack.close(frame);
                    return result;
                }
                _ => break,
            }
        }
        let operand = self.process_operand(code, base)?;
        let known = &self.processes[operand.0 as usize].head;
        if !matches!(known.as_deref(), Some(Process::Stop)) {
            choice.others.push(operand);
        }
        Ok(())
    }

    fn plain_prefix(&self, unit: UnitId) -> Option<Rc<PrefixCode>> {
        match self.code.node(self.code.unit(unit).body) {
            Node::Prefix(i) => {
                let prefix = &self.code.prefixes[i as usize];
                let plain = prefix.timing.is_none()
                    && !matches!(prefix.fields.first(), Some(FieldCode::Choice(_)));
                plain.then(|| Rc::clone(prefix))
            }
            _ => None,
        }
    }

    fn finish_choice(&mut self, choice: Choice) -> Step {
        let mut operands = Vec::with_capacity(choice.others.len() + 1);
        if !choice.branches.is_empty() {
            let offered = choice.branches.finish();
            if choice.others.is_empty() {
                return Step::Head(offered);
            }
            operands.push(self.intern_head(offered));
        }
        operands.extend(choice.others);
        match operands.as_slice() {
            [] => Step::Head(Process::Stop),
            [only] => Step::Same(*only),
            _ => Step::Head(Process::External(operands.into())),
        }
    }

    fn replicated(&mut self, code: &Rc<ReplicatedCode>, base: usize) -> Result<Step, Failure> {
        let set = match code.operator {
            ReplicatedKind::Parallel(set) | ReplicatedKind::SyncExternal(set) => {
                self.event_set_at(set, base)?
            }
            _ => Arc::new(EventSet::empty()),
        };
        if let ReplicatedKind::External | ReplicatedKind::Collected(_) = code.operator
            && code.tock.is_none()
        {
            let mut choice = Choice::default();
            self.statements(&code.statements, base, &mut |evaluator| {
                evaluator.add_choices(code, base, &mut choice)
            })?;
            return Ok(self.finish_choice(choice));
        }
        let (mut operands, mut alphabets, mut links) = (Vec::new(), Vec::new(), Vec::new());
        self.statements(&code.statements, base, &mut |evaluator| {
            match code.operator {
                ReplicatedKind::Alphabetised(set) => {
                    alphabets.push(evaluator.event_set_at(set, base)?);
                }
                ReplicatedKind::Linked(pairs) => links.push(evaluator.links(pairs, base, &[])?),
                _ => {}
            }
            operands.push(evaluator.process_operand(code.body, base)?);
            Ok(())
        })?;
        if operands.is_empty() {
            return self.empty_replication(code);
        }
        Ok(Step::Head(match code.operator {
            ReplicatedKind::External | ReplicatedKind::Collected(_) => {
                Process::External(operands.into())
            }
            ReplicatedKind::Internal => Process::Internal(operands.into()),
            ReplicatedKind::Interleave | ReplicatedKind::Parallel(_) => {
                Process::Parallel(set, operands.into())
            }
            ReplicatedKind::SyncExternal(_) => Process::SyncExternal(set, operands.into()),
            ReplicatedKind::Alphabetised(_) => {
                Process::Alphabetised(alphabets.into_iter().zip(operands).collect())
            }
            ReplicatedKind::Sequence => {
                return Ok(self.chain(operands, |p, _, q| Process::Sequence(p, q)));
            }
            ReplicatedKind::Linked(_) => {
                return Ok(self.chain(operands, |p, i, q| {
                    Process::Linked(p, Arc::clone(&links[i]), q)
                }));
            }
        }))
    }

    /// Nests a binary operator to the right.
    fn chain(
        &mut self,
        mut operands: Vec<ProcessId>,
        join: impl Fn(ProcessId, usize, ProcessId) -> Process,
    ) -> Step {
        let last = operands.pop().expect("the caller looked for emptiness");
        let all = operands
            .iter()
            .enumerate()
            .rev()
            .fold(last, |rest, (i, &p)| self.intern_head(join(p, i, rest)));
        Step::Same(all)
    }

    fn empty_replication(&mut self, code: &ReplicatedCode) -> Result<Step, Failure> {
        match (&code.operator, code.tock) {
            (ReplicatedKind::Internal, _) => Err(messages::empty_choice(code.span)),
            (ReplicatedKind::Linked(_), _) => Err(messages::empty_link(code.span)),
            (ReplicatedKind::Sequence, Some(tock)) => {
                Ok(Step::Same(self.intern_origin(Origin::TimedSkip(tock))))
            }
            (_, Some(tock)) => Ok(Step::Same(self.intern_origin(Origin::TimedStop(tock)))),
            (ReplicatedKind::External | ReplicatedKind::SyncExternal(_), None) => {
                Ok(Step::Head(Process::Stop))
            }
            _ => Ok(Step::Head(Process::Skip)),
        }
    }

    fn links(
        &mut self,
        pairs: u32,
        base: usize,
        done_by: &[(ProcessId, Side)],
    ) -> Result<Relation, Failure> {
        let relation = self.event_pairs(pairs, base, done_by)?;
        let span = self.code.pairs[pairs as usize].span;
        let sides: [Vec<EventId>; 2] = [
            relation.iter().map(|p| p.0).collect(),
            relation.iter().map(|p| p.1).collect(),
        ];
        for mut side in sides {
            side.sort_unstable();
            if let Some(twice) = side.windows(2).find(|w| w[0] == w[1]) {
                return Err(messages::linked_twice(span, &self.events.name(twice[0])));
            }
        }
        Ok(relation.into())
    }

    /// The pairs of a renaming or link, sorted; channels and partial events are extended alike, those of infinite
    /// types by the events that these processes do.
    fn event_pairs(
        &mut self,
        pairs: u32,
        base: usize,
        done_by: &[(ProcessId, Side)],
    ) -> Result<Vec<(EventId, EventId)>, Failure> {
        let code = Rc::clone(&self.code.pairs[pairs as usize]);
        let mut out = Vec::new();
        self.statements(&code.statements, base, &mut |evaluator| {
            for &(from, to) in &code.pairs {
                let left = evaluator.eval(from, base)?;
                let right = evaluator.eval(to, base)?;
                if evaluator.begins_infinitely_many(&left)? {
                    evaluator.extend_met((&left, &right), from, done_by, &mut out)?;
                } else {
                    evaluator.extend_pair(&left, &right, from, &mut out)?;
                }
            }
            Ok(())
        })?;
        out.sort_unstable();
        out.dedup();
        Ok(out)
    }

    fn extend_pair(
        &mut self,
        left: &Value,
        right: &Value,
        code: CodeId,
        out: &mut Vec<(EventId, EventId)>,
    ) -> Result<(), Failure> {
        if let (Value::Event(from), Value::Event(to)) = (left, right) {
            out.push((*from, *to));
            return Ok(());
        }
        let (missing_left, missing_right) = (self.missing(left)?, self.missing(right)?);
        let alike = missing_left.len() == missing_right.len()
            && missing_left
                .iter()
                .zip(&missing_right)
                .all(|(a, b)| a.compare(b).is_eq());
        if alike {
            // Both sides list their extensions in the same order.
            let from = self.productions(left, code)?;
            let to = self.productions(right, code)?;
            if let (SetKind::Events(from), SetKind::Events(to)) = (from.kind(), to.kind())
                && from.len() == to.len()
                && self.all_met(from)
                && self.all_met(to)
            {
                out.extend(from.iter().zip(to.iter()));
                return Ok(());
            }
        }
        let span = self.code.span(code);
        for row in self.extension_rows(left, code)? {
            let (mut from, mut to) = (left.clone(), Ok(right.clone()));
            for part in row {
                from = self.append(from, part.clone(), span)?;
                to = to.and_then(|to| self.append(to, part, span));
            }
            match (from, to) {
                (Value::Event(from), Ok(Value::Event(to))) => out.push((from, to)),
                _ => {
                    return Err(messages::unlike_sides(
                        span,
                        &self.abbreviate(left),
                        &self.abbreviate(right),
                    ));
                }
            }
        }
        Ok(())
    }

    fn operands(&mut self, list: List, base: usize) -> Result<Box<[ProcessId]>, Failure> {
        (0..list.len)
            .map(|i| self.process_operand(self.code.item(list, i), base))
            .collect()
    }

    fn event_set_at(&mut self, code: CodeId, base: usize) -> Result<Arc<EventSet>, Failure> {
        let value = self.eval(code, base)?;
        self.events_of(&value, code)
    }
}

/// An external choice under construction.
#[derive(Default)]
struct Choice {
    branches: Branches,
    others: Vec<ProcessId>,
}

/// The node is an operator, so it is the body of a suspended unit.
pub(super) fn is_operator(node: Node) -> bool {
    matches!(
        node,
        Node::Prefix(_)
            | Node::External(_)
            | Node::Internal(_)
            | Node::Sliding(..)
            | Node::Interrupt(..)
            | Node::Sequential(..)
            | Node::Parallel(..)
            | Node::Interleave(_)
            | Node::Alphabetised(_)
            | Node::Exception(..)
            | Node::SyncExternal(..)
            | Node::SyncInterrupt(..)
            | Node::Linked(..)
            | Node::Hide(..)
            | Node::HideAllBut(..)
            | Node::Rename(..)
            | Node::Replicated(_)
    )
}
