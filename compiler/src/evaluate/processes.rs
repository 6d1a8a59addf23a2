//! Process terms: suspended expressions and calls, and their heads.
//!
//! A process is identified by what it is made of: a unit and the values of its live variables, a
//! function and its arguments, or an operator and its operands. Its head is evaluated on demand
//! and remembered. While a head is being evaluated, meeting the same process again without an
//! operator in between is unguarded recursion.

use std::rc::Rc;
use std::sync::Arc;

use csp_grammar::{Diagnostic, Span};
use csp_lts::EventSet;
use smallvec::SmallVec;

use super::Evaluator;
use super::code::{CodeId, FunctionId, List, MemberCode, Node, UnitId, index};
use super::lower::GlobalCode;
use super::messages::{self, Failure};
use super::operator::is_operator;
use super::origin::{Origin, Wanted};
use super::run::NO_FUNCTION;
use super::sets::SetKind;
use super::value::{Callee, Environment, Function, Group, Value};
use crate::hir::GlobalId;
use crate::process::{Compression, Process, ProcessId, Processes};

/// What is known of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) head: Option<Rc<Process>>,
    under_way: bool,
    /// The process whose head this one has, if it is only another name for it.
    same: Option<ProcessId>,
}

/// One step towards a head.
pub(super) enum Step {
    Head(Process),
    /// This process is the same as another one.
    Same(ProcessId),
}

impl Evaluator {
    /// Whether a process that has been evaluated hides one of these events.
    #[must_use]
    pub fn hides(&self, events: &EventSet) -> bool {
        let mut heads = self.processes.iter().filter_map(|p| p.head.as_deref());
        heads.any(|head| match head {
            Process::Hide(_, set) => !set.intersection(events).is_empty(),
            Process::Project(_, set) => !events.difference(set).is_empty(),
            Process::Linked(_, links, _) => links
                .iter()
                .any(|(left, right)| events.contains(*left) || events.contains(*right)),
            _ => false,
        })
    }

    /// The compressions among the processes that have been evaluated, each as often as it is applied
    /// to another process.
    #[must_use]
    pub fn compressions(&self) -> Vec<Compression> {
        let heads = self.processes.iter().filter_map(|p| p.head.as_deref());
        let mut applied: Vec<(Compression, ProcessId)> = heads
            .filter_map(|head| match head {
                Process::Compress(kind, process) => Some((*kind, self.itself(*process))),
                _ => None,
            })
            .collect();
        applied.sort_unstable_by_key(|(kind, process)| (kind.name(), process.0));
        applied.dedup();
        applied.into_iter().map(|(kind, _)| kind).collect()
    }

    /// The process that this one is another name for, or itself.
    fn itself(&self, process: ProcessId) -> ProcessId {
        self.processes[process.0 as usize].same.unwrap_or(process)
    }

    /// The head of a process, if it has been evaluated.
    pub(super) fn head_at_hand(&self, process: ProcessId) -> Option<Rc<Process>> {
        self.processes[process.0 as usize].head.clone()
    }
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
                if let Origin::Constant(id) = self.origin(at)
                    && let Some(names) = self.names_in_a_circle(*id)
                {
                    cycle = names;
                }
                break Err(messages::unguarded(self.span(at), &cycle.join(" = ")));
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

    fn poll(&mut self, process: ProcessId) -> Result<(), Box<Diagnostic>> {
        if (self.interrupt)() {
            return Err(messages::interrupted(self.span(process)));
        }
        Ok(())
    }

    fn numbers_events_as_met(&self) -> bool {
        !self.met.is_empty()
    }

    fn describe(&self, process: ProcessId) -> String {
        self.describe_process(process)
    }

    fn is_named(&self, process: ProcessId) -> bool {
        match self.origin(process) {
            Origin::Call(..) | Origin::Apply(..) | Origin::Constant(_) | Origin::Member(..) => true,
            Origin::TimedStop(_) | Origin::TimedSkip(_) => true,
            Origin::Head(head) => matches!(
                **head,
                Process::Stop | Process::Skip | Process::Div | Process::Run(_) | Process::Chaos(_)
            ),
            Origin::Suspended(..) => false,
        }
    }

    fn span(&self, process: ProcessId) -> Span {
        match self.origin(process) {
            Origin::Suspended(unit, _) => self.code.span(self.code.unit(*unit).body),
            Origin::Call(id, _) => self.code.function(*id).span,
            Origin::Apply(Value::Function(function), _) => match function.code {
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
            _ => self.machines.get(&process).copied().unwrap_or_default(),
        }
    }
}

impl Evaluator {
    pub(super) fn origin(&self, process: ProcessId) -> &Origin {
        self.origins
            .get_index(process.0 as usize)
            .expect("process numbers come from the table")
    }

    pub(super) fn intern_origin(&mut self, origin: Origin) -> ProcessId {
        let (place, new) = self.origins.insert_full(origin);
        if new {
            self.processes.push(Known::default());
        }
        ProcessId(index(place))
    }

    fn intern_wanted(&mut self, wanted: &Wanted<'_>) -> Value {
        Value::Process(match self.origins.get_index_of(wanted) {
            Some(place) => ProcessId(index(place)),
            None => self.intern_origin(wanted.to_origin()),
        })
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
                let settled = self.settle_all(&captured)?;
                return Ok(self.intern_wanted(&Wanted::Suspended(unit, &settled)));
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
                let arguments = self.settled_arguments(arguments, base)?;
                return Ok(self.intern_wanted(&Wanted::Call(id, &arguments)));
            }
            Node::ProcessCallMember(call) => {
                let (slot, place, arguments) = self.code.member_calls[call as usize];
                let group = self.group_at(base + slot as usize);
                let function = self.member_value_of(&group, place)?;
                let arguments = self.settled_arguments(arguments, base)?;
                Origin::Apply(function, arguments.as_slice().into())
            }
            Node::ProcessApply(function, arguments) => {
                return self.process_apply(function, arguments, code, base);
            }
            Node::TimedStop(tock) => Origin::TimedStop(tock),
            Node::TimedSkip(tock) => Origin::TimedSkip(tock),
            Node::TimedWait(tock, duration) => {
                let time = self.eval_int(duration, base)?;
                let skip = self.intern_origin(Origin::TimedSkip(tock));
                let tock = self.single_event(tock)?;
                let span = self.code.span(code);
                return self.tocks(&tock, time, skip, span).map(Value::Process);
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

    /// The names `P = Q`, `Q = R`, `R = P`, if a constant is one of such a circle.
    pub(super) fn names_in_a_circle(&self, id: GlobalId) -> Option<Vec<String>> {
        let mut names = vec![self.tag_name(id).to_owned()];
        let mut at = id;
        while names.len() <= self.globals.len() {
            let GlobalCode::Constant(unit) = &self.globals[at.0 as usize] else {
                return None;
            };
            let body = self.code.unit(*unit).body;
            let (Node::ProcessConstant(next) | Node::Global(next)) = self.code.node(body) else {
                return None;
            };
            names.push(self.tag_name(next).to_owned());
            if next == id {
                return Some(names);
            }
            at = next;
        }
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

    fn settled_arguments(
        &mut self,
        list: List,
        base: usize,
    ) -> Result<SmallVec<[Value; 6]>, Failure> {
        let mut values = SmallVec::with_capacity(list.len as usize);
        for i in 0..list.len {
            let argument = self.code.item(list, i);
            let value = match self.eval(argument, base) {
                Err(failure) if matches!(failure.code, "E0411" | "E0499") => return Err(failure),
                Err(failure) => Value::Failure(Rc::new(*failure)),
                Ok(value) => self.settled(value)?,
            };
            values.push(value);
        }
        Ok(values)
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
            values.extend(self.stack.take(frame));
            let values = self.settle_all(&values)?;
            if let Environment::None = closure.environment {
                return Ok(self.intern_wanted(&Wanted::Call(id, &values)));
            }
            let bare = Value::Function(Rc::new(Function {
                code: closure.code,
                environment: closure.environment.clone(),
                arguments: Box::default(),
            }));
            let origin = Origin::Apply(self.canonical(bare)?, values.into());
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
                let settled = self.settle_all(&captured)?;
                Ok(self.intern_wanted(&Wanted::Suspended(unit, &settled)))
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
        match self.eval(code, base).map_err(unguarded)? {
            Value::Process(id) => Ok(id),
            other => Err(self.unexpected(code, "a process", &other)),
        }
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

    /// The same for processes that can do each of these events: infinitely many cannot be listed.
    pub(super) fn listed_events_of(
        &mut self,
        value: &Value,
        code: CodeId,
    ) -> Result<Arc<EventSet>, Failure> {
        let events = self.events_of(value, code)?;
        if !self.all_met(&events) {
            let shown = self.abbreviate(value);
            return Err(messages::not_listable(self.code.span(code), &shown));
        }
        Ok(events)
    }

    fn step(&mut self, process: ProcessId) -> Result<Step, Failure> {
        match self.origin(process).clone() {
            Origin::Head(head) => Ok(Step::Head((*head).clone())),
            Origin::Suspended(unit, captured) => {
                let (body, base) = self.open(unit, &captured);
                let step = self.head_at(body, base, NO_FUNCTION, process);
                self.stack.close(base);
                step
            }
            Origin::Constant(id) => {
                let GlobalCode::Constant(unit) = self.globals[id.0 as usize] else {
                    unreachable!("constant processes are constants")
                };
                let (body, base) = self.open(unit, &[]);
                let step = self.head_at(body, base, NO_FUNCTION, process);
                self.stack.close(base);
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
                self.stack.close(base);
                step
            }
            Origin::Call(id, arguments) => {
                let base = self.stack.len();
                self.stack.extend(arguments.iter().cloned());
                let body = self.enter_with(id, &Environment::None, base);
                let step = self.head_at(body, base, id, process);
                self.stack.close(base);
                step
            }
            Origin::Apply(Value::Function(function), arguments) => {
                let Callee::Code(id) = function.code else {
                    unreachable!("built-ins are not suspended")
                };
                let base = self.stack.len();
                self.stack.extend(arguments.iter().cloned());
                let body = self.enter_with(id, &function.environment, base);
                let step = self.head_at(body, base, id, process);
                self.stack.close(base);
                step
            }
            Origin::Apply(..) | Origin::Member(..) => {
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
    pub(super) fn head_at(
        &mut self,
        mut code: CodeId,
        base: usize,
        function: FunctionId,
        own: ProcessId,
    ) -> Result<Step, Failure> {
        // Listing the states of a process may never end and make no calls.
        self.check(code)?;
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
                    self.stack.close(frame);
                    break step;
                }
                Node::Attempt(unit) => {
                    let captured = self.captured(unit, base);
                    let (body, frame) = self.open(unit, &captured);
                    let step = self.head_at(body, frame, NO_FUNCTION, own);
                    self.stack.close(frame);
                    break step;
                }
                node if is_operator(node) => break self.operator(code, base, own),
                _ => break self.process_operand(code, base).map(Step::Same),
            }
        };
        result.map_err(|failure| self.note_call(failure, function, base))
    }
}

/// A value that is wanted as a process and depends on itself, unless that is the fault of some other
/// value on the way: then there is a call of a function that is not the one that repeats itself.
pub(super) fn unguarded(failure: Failure) -> Failure {
    let circle = &failure.note;
    let itself = match &failure.stack[..] {
        [] => true,
        [call] => circle.starts_with(call.as_str()),
        _ => false,
    };
    if failure.code == "E0410" && !circle.is_empty() && itself {
        return messages::unguarded(failure.span, circle);
    }
    failure
}
