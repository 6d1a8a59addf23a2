//! Process terms: suspended expressions and calls, and their heads.
//!
//! A process is identified by what it is made of: a unit and the values of its live variables, a
//! function and its arguments, or an operator and its operands. Its head is evaluated on demand
//! and remembered. While a head is being evaluated, meeting the same process again without an
//! operator in between is unguarded recursion.

use std::rc::Rc;
use std::sync::Arc;

use csp_grammar::{Diagnostic, Span};
use csp_lts::{EventId, EventSet};

use super::Evaluator;
use super::code::{
    CodeId, FunctionId, List, MemberCode, Node, PrefixCode, ReplicatedCode, ReplicatedKind, UnitId,
    index,
};
use super::lower::GlobalCode;
use super::messages::{self, Failure};
use super::prefix::Branches;
use super::run::NO_FUNCTION;
use super::sets::SetKind;
use super::value::{Callee, Environment, Function, Group, Value};
use crate::hir::GlobalId;
use crate::process::{Process, ProcessId, Processes, Relation};

/// What a process is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// An expression and the values of its free variables.
    Suspended(UnitId, Rc<[Value]>),
    /// A function (a canonical value) and all its arguments.
    Call(Value, Rc<[Value]>),
    /// A constant of the script.
    Constant(GlobalId),
    /// A constant of a group.
    Member(Value, u32),
    /// An operator.
    Head(Rc<Process>),
    /// `tock -> TSTOP`.
    TimedStop(GlobalId),
    /// `tock -> TSKIP [] SKIP`.
    TimedSkip(GlobalId),
}

/// What is known of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    head: Option<Rc<Process>>,
    under_way: bool,
    /// The process whose head this one has, if it is only another name for it.
    same: Option<ProcessId>,
}

/// One step towards a head.
enum Step {
    Head(Process),
    /// This process is the same as another one.
    Same(ProcessId),
}

impl Processes for Evaluator {
    fn head(&mut self, process: ProcessId) -> Result<Rc<Process>, Box<Diagnostic>> {
        let (mut chain, mut at) = (Vec::new(), process);
        let result = loop {
            let known = &mut self.processes[at.0 as usize];
            if let Some(head) = &known.head {
                break Ok(Rc::clone(head));
            }
            if known.under_way {
                let from = chain.iter().position(|&p| p == at).unwrap_or(0);
                let mut cycle: Vec<String> =
                    chain[from..].iter().map(|&p| self.describe(p)).collect();
                cycle.push(self.describe(at));
                break Err(messages::unguarded(self.span(at), &cycle));
            }
            known.under_way = true;
            chain.push(at);
            match self.step(at) {
                Ok(Step::Head(head)) => break Ok(Rc::new(head)),
                Ok(Step::Same(other)) => at = other,
                Err(failure) => break Err(failure),
            }
        };
        for process in chain {
            let same = self.processes[at.0 as usize].same.unwrap_or(at);
            let known = &mut self.processes[process.0 as usize];
            known.under_way = false;
            if let Ok(head) = &result {
                known.head = Some(Rc::clone(head));
                known.same = Some(same);
            }
        }
        result
    }

    fn intern(&mut self, head: Process) -> ProcessId {
        self.intern_head(head)
    }

    fn describe(&self, process: ProcessId) -> String {
        self.describe_process(process)
    }

    fn span(&self, process: ProcessId) -> Span {
        match self.origin(process) {
            Origin::Suspended(unit, _) => self.code.span(self.code.unit(*unit).body),
            Origin::Call(Value::Function(function), _) => match function.code {
                Callee::Code(id) => self.code.function(id).span,
                Callee::Builtin(_) => Span::default(),
            },
            Origin::Constant(id) => match &self.globals[id.0 as usize] {
                GlobalCode::Constant(unit) => self.code.span(self.code.unit(*unit).body),
                _ => Span::default(),
            },
            Origin::Member(Value::Group(group), place) => {
                match self.code.groups[group.id.0 as usize].members[*place as usize] {
                    MemberCode::Constant(unit) => self.code.span(self.code.unit(unit).body),
                    MemberCode::Function(id) => self.code.function(id).span,
                }
            }
            _ => Span::default(),
        }
    }
}

impl Evaluator {
    pub(super) fn origin(&self, process: ProcessId) -> &Origin {
        self.origins
            .get_index(process.0 as usize)
            .expect("process numbers come from the table")
    }

    fn intern_origin(&mut self, origin: Origin) -> ProcessId {
        let (place, new) = self.origins.insert_full(origin);
        if new {
            self.processes.push(Known::default());
        }
        ProcessId(index(place))
    }

    pub(super) fn intern_head(&mut self, head: Process) -> ProcessId {
        let head = Rc::new(head);
        let id = self.intern_origin(Origin::Head(Rc::clone(&head)));
        self.processes[id.0 as usize].head = Some(head);
        id
    }

    /// Process expressions in value positions: gives the number, evaluates no head.
    pub(super) fn eval_process(&mut self, code: CodeId, base: usize) -> Result<Value, Failure> {
        let origin = match self.code.node(code) {
            Node::Guard(condition, body, stop) => {
                let code = if self.truth(condition, base)? {
                    body
                } else {
                    stop
                };
                return self.eval(code, base);
            }
            Node::Suspend(unit) => {
                let captured = self.captured(unit, base);
                Origin::Suspended(unit, self.settle_all(&captured)?.into())
            }
            Node::Attempt(unit) => return self.attempt(unit, base),
            Node::ProcessConstant(id) => {
                if let Some(meaning) = self.other_process(id, base)? {
                    return Ok(meaning);
                }
                Origin::Constant(id)
            }
            Node::ProcessMember(slot, place) => {
                let group = Value::Group(self.group_at(base + slot as usize));
                Origin::Member(self.canonical(group)?, place)
            }
            Node::ProcessCall(id, arguments) => {
                let function = global_function(id);
                Origin::Call(function, self.settled_arguments(arguments, base)?)
            }
            Node::ProcessCallMember(call) => {
                let (slot, place, arguments) = self.code.member_calls[call as usize];
                let group = self.group_at(base + slot as usize);
                let function = self.member_value_of(&group, place)?;
                Origin::Call(function, self.settled_arguments(arguments, base)?)
            }
            Node::ProcessApply(function, arguments) => {
                return self.process_apply(function, arguments, code, base);
            }
            Node::TimedStop(tock) => Origin::TimedStop(tock),
            Node::TimedSkip(tock) => Origin::TimedSkip(tock),
            Node::TimedWait(tock, duration) => {
                let time = self.eval_int(duration, base)?;
                if time < 0 {
                    return Err(messages::negative_duration(self.code.span(code), time));
                }
                let skip = self.intern_origin(Origin::TimedSkip(tock));
                let tock = self.single_event(tock)?;
                return Ok(Value::Process(self.tocks(&tock, time, skip)));
            }
            _ => unreachable!("process operators are bodies of suspended units"),
        };
        Ok(Value::Process(self.intern_origin(origin)))
    }

    /// The process a process stands for: `P = Q(0)` is only another name for `Q(0)`.
    pub(super) fn original(&mut self, process: ProcessId) -> ProcessId {
        // What goes wrong with the head is for those to hear who need it.
        let _ = self.head(process);
        self.processes[process.0 as usize].same.unwrap_or(process)
    }

    /// What a constant that is only another name stands for. A constant that is met again among the
    /// arguments of its own call, as in `P = f(P)`, stands for itself.
    fn other_process(&mut self, id: GlobalId, base: usize) -> Result<Option<Value>, Failure> {
        if let Some(met) = self.naming.iter_mut().find(|(name, _)| *name == id) {
            met.1 = true;
            return Ok(None);
        }
        let Some(other) = self.other_name(id) else {
            return Ok(None);
        };
        self.naming.push((id, false));
        let result = self.eval(other, base);
        let met_again = self.naming.pop().is_some_and(|(_, met)| met);
        if met_again {
            return Ok(None);
        }
        result.map(Some)
    }

    /// If a constant is just a call or another constant: the code of that.
    fn other_name(&self, mut id: GlobalId) -> Option<CodeId> {
        let mut found = None;
        for _ in 0..self.globals.len() {
            let GlobalCode::Constant(unit) = &self.globals[id.0 as usize] else {
                return found;
            };
            let body = self.code.unit(*unit).body;
            match self.code.node(body) {
                Node::ProcessConstant(next) => (found, id) = (Some(body), next),
                // Arguments with slots would need the frame of the constant.
                Node::ProcessCall(..) if self.code.unit(*unit).slots == 0 => return Some(body),
                _ => return found,
            }
        }
        // A cycle of names: the constant itself will report it.
        None
    }

    fn member_value_of(&mut self, group: &Rc<Group>, place: u32) -> Result<Value, Failure> {
        let id = self.member_function(group, place);
        self.canonical(Value::Function(Rc::new(Function {
            code: Callee::Code(id),
            environment: Environment::Group(Rc::clone(group)),
            arguments: Box::default(),
        })))
    }

    fn settled_arguments(&mut self, list: List, base: usize) -> Result<Rc<[Value]>, Failure> {
        let mut values = Vec::with_capacity(list.len as usize);
        for i in 0..list.len {
            let argument = self.code.item(list, i);
            let value = match self.eval(argument, base) {
                Err(failure) if matches!(failure.code, "E0411" | "E0499") => return Err(failure),
                Err(failure) => Value::Failure(Rc::new(*failure)),
                Ok(value) => self.settled(value)?,
            };
            values.push(value);
        }
        Ok(values.into())
    }

    /// A call of a function that is only known now.
    fn process_apply(
        &mut self,
        function: CodeId,
        arguments: List,
        code: CodeId,
        base: usize,
    ) -> Result<Value, Failure> {
        let function = self.eval(function, base)?;
        let frame = self.stack.len();
        self.push_arguments(arguments, base)?;
        if let Value::Function(closure) = &function
            && let Callee::Code(id) = closure.code
            && closure.arguments.len() + self.stack.len() - frame
                == self.code.function(id).arity as usize
        {
            let mut values = closure.arguments.to_vec();
            values.extend(self.stack.drain(frame..));
            let bare = Value::Function(Rc::new(Function {
                code: closure.code,
                environment: closure.environment.clone(),
                arguments: Box::default(),
            }));
            let origin = Origin::Call(self.canonical(bare)?, self.settle_all(&values)?.into());
            return Ok(Value::Process(self.intern_origin(origin)));
        }
        self.apply(&function, frame, code)
    }

    /// Evaluates a conditional or `let` at once, so that equal results are the same process; if that
    /// fails, the failure is left to whoever asks for the head.
    fn attempt(&mut self, unit: UnitId, base: usize) -> Result<Value, Failure> {
        let captured = self.captured(unit, base);
        match self.run_unit(unit, &captured) {
            Err(failure) if !matches!(failure.code, "E0411" | "E0499") => {
                let settled = self.settle_all(&captured)?.into();
                Ok(Value::Process(
                    self.intern_origin(Origin::Suspended(unit, settled)),
                ))
            }
            result => result,
        }
    }

    /// The number of an operand.
    pub(super) fn process_operand(
        &mut self,
        code: CodeId,
        base: usize,
    ) -> Result<ProcessId, Failure> {
        match self.eval(code, base)? {
            Value::Process(id) => Ok(id),
            other => Err(self.unexpected(code, "a process", &other)),
        }
    }

    fn operands(&mut self, list: List, base: usize) -> Result<Box<[ProcessId]>, Failure> {
        (0..list.len)
            .map(|i| self.process_operand(self.code.item(list, i), base))
            .collect()
    }

    /// The event of a channel without fields.
    pub(super) fn single_event(&mut self, channel: GlobalId) -> Result<Arc<EventSet>, Failure> {
        match self.tag_value(channel)? {
            Value::Event(event) => Ok(Arc::new(EventSet::single(event))),
            other => Err(messages::incomplete_event(
                self.where_now(),
                &self.abbreviate(&other),
            )),
        }
    }

    /// A set of complete events.
    pub(super) fn events_of(
        &mut self,
        value: &Value,
        code: CodeId,
    ) -> Result<Arc<EventSet>, Failure> {
        let set = self.as_set(value, code)?;
        match set.kind() {
            SetKind::Events(events) => Ok(Arc::clone(events)),
            SetKind::Elements(elements) => match elements.first() {
                None => Ok(Arc::new(EventSet::empty())),
                Some(other) => Err(messages::incomplete_event(
                    self.code.span(code),
                    &self.abbreviate(other),
                )),
            },
            _ => Err(self.unexpected(code, "a set of events", value)),
        }
    }

    fn event_set_at(&mut self, code: CodeId, base: usize) -> Result<Arc<EventSet>, Failure> {
        let value = self.eval(code, base)?;
        self.events_of(&value, code)
    }

    fn step(&mut self, process: ProcessId) -> Result<Step, Failure> {
        match self.origin(process).clone() {
            Origin::Head(head) => Ok(Step::Head((*head).clone())),
            Origin::Suspended(unit, captured) => {
                let (body, base) = self.open(unit, &captured);
                let step = self.head_at(body, base, NO_FUNCTION, process);
                self.stack.truncate(base);
                step
            }
            Origin::Constant(id) => {
                let GlobalCode::Constant(unit) = self.globals[id.0 as usize] else {
                    unreachable!("constant processes are constants")
                };
                let (body, base) = self.open(unit, &[]);
                let step = self.head_at(body, base, NO_FUNCTION, process);
                self.stack.truncate(base);
                step
            }
            Origin::Member(Value::Group(group), place) => {
                let MemberCode::Constant(unit) =
                    self.code.groups[group.id.0 as usize].members[place as usize]
                else {
                    unreachable!("functions are not constants")
                };
                let (body, base) = self.open_member(&group, unit);
                let step = self.head_at(body, base, NO_FUNCTION, process);
                self.stack.truncate(base);
                step
            }
            Origin::Call(Value::Function(function), arguments) => {
                let Callee::Code(id) = function.code else {
                    unreachable!("built-ins are not suspended")
                };
                let base = self.stack.len();
                self.stack.extend(arguments.iter().cloned());
                let body = self.enter_with(id, &function.environment, base);
                let step = self.head_at(body, base, id, process);
                self.stack.truncate(base);
                step
            }
            Origin::Call(..) | Origin::Member(..) => {
                unreachable!("calls have functions, members have groups")
            }
            Origin::TimedStop(tock) => {
                let tock = self.single_event(tock)?;
                Ok(Step::Head(Process::Prefix(Box::new([(tock, process)]))))
            }
            Origin::TimedSkip(tock) => {
                let tock = self.single_event(tock)?;
                let wait = self.intern_head(Process::Prefix(Box::new([(tock, process)])));
                let skip = self.intern_head(Process::Skip);
                Ok(Step::Head(Process::External(Box::new([wait, skip]))))
            }
        }
    }

    /// The head of a process expression in a frame. `own` is the process itself, for operators that
    /// lead back to it.
    fn head_at(
        &mut self,
        mut code: CodeId,
        base: usize,
        function: FunctionId,
        own: ProcessId,
    ) -> Result<Step, Failure> {
        let result = loop {
            match self.code.node(code) {
                Node::If(condition, then, otherwise) | Node::Guard(condition, then, otherwise) => {
                    match self.truth(condition, base) {
                        Ok(true) => code = then,
                        Ok(false) => code = otherwise,
                        Err(failure) => break Err(failure),
                    }
                }
                Node::Let(i) => {
                    if let Err(failure) = self.bind_let(i, base) {
                        break Err(failure);
                    }
                    code = self.code.lets[i as usize].body;
                }
                Node::Clauses(i) => match self.select(i, code, base, function) {
                    Ok(body) => code = body,
                    Err(failure) => break Err(failure),
                },
                Node::Suspend(unit) => {
                    let captured = self.captured(unit, base);
                    let (body, frame) = self.open(unit, &captured);
                    let step = self.operator(body, frame, own);
                    self.stack.truncate(frame);
                    break step;
                }
                Node::Attempt(unit) => {
                    let captured = self.captured(unit, base);
                    let (body, frame) = self.open(unit, &captured);
                    let step = self.head_at(body, frame, NO_FUNCTION, own);
                    self.stack.truncate(frame);
                    break step;
                }
                node if is_operator(node) => break self.operator(code, base, own),
                _ => break self.process_operand(code, base).map(Step::Same),
            }
        };
        result.map_err(|failure| self.note_call(failure, function, base))
    }

    fn operator(&mut self, code: CodeId, base: usize, own: ProcessId) -> Result<Step, Failure> {
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
                let relation = self.links(pairs, base)?;
                Process::Linked(
                    self.process_operand(p, base)?,
                    relation,
                    self.process_operand(q, base)?,
                )
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
                let relation = self.event_pairs(pairs, base)?;
                let p = self.process_operand(p, base)?;
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
                    self.stack.truncate(frame);
                    return result;
                }
                Node::Attempt(unit) => {
                    let captured = self.captured(unit, base);
                    let (body, frame) = self.open(unit, &captured);
                    let result = self.add_choice(body, frame, choice);
                    self.stack.truncate(frame);
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
                    && !matches!(
                        prefix.fields.first(),
                        Some(super::code::FieldCode::Choice(_))
                    );
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
        if matches!(code.operator, ReplicatedKind::External) && code.tock.is_none() {
            let mut choice = Choice::default();
            self.statements(&code.statements, base, &mut |evaluator| {
                evaluator.add_choice(code.body, base, &mut choice)
            })?;
            return Ok(self.finish_choice(choice));
        }
        let (mut operands, mut alphabets, mut links) = (Vec::new(), Vec::new(), Vec::new());
        self.statements(&code.statements, base, &mut |evaluator| {
            match code.operator {
                ReplicatedKind::Alphabetised(set) => {
                    alphabets.push(evaluator.event_set_at(set, base)?);
                }
                ReplicatedKind::Linked(pairs) => links.push(evaluator.links(pairs, base)?),
                _ => {}
            }
            operands.push(evaluator.process_operand(code.body, base)?);
            Ok(())
        })?;
        if operands.is_empty() {
            return self.empty_replication(code);
        }
        Ok(Step::Head(match code.operator {
            ReplicatedKind::External => Process::External(operands.into()),
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
        match (code.operator, code.tock) {
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

    fn links(&mut self, pairs: u32, base: usize) -> Result<Relation, Failure> {
        let relation = self.event_pairs(pairs, base)?;
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

    /// The pairs of a renaming or link, sorted; channels and partial events are extended alike.
    fn event_pairs(&mut self, pairs: u32, base: usize) -> Result<Vec<(EventId, EventId)>, Failure> {
        let code = Rc::clone(&self.code.pairs[pairs as usize]);
        let mut out = Vec::new();
        self.statements(&code.statements, base, &mut |evaluator| {
            for &(from, to) in &code.pairs {
                let left = evaluator.eval(from, base)?;
                let right = evaluator.eval(to, base)?;
                evaluator.extend_pair(&left, &right, from, &mut out)?;
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
}

/// An external choice under construction.
#[derive(Default)]
struct Choice {
    branches: Branches,
    others: Vec<ProcessId>,
}

fn global_function(id: FunctionId) -> Value {
    Value::Function(Rc::new(Function {
        code: Callee::Code(id),
        environment: Environment::None,
        arguments: Box::default(),
    }))
}

fn is_operator(node: Node) -> bool {
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
