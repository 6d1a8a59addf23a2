//! Top-level definitions, group by group, and functions and bindings wherever they stand.

use super::messages::{self, Why};
use super::print::Printer;
use super::schemes::{Generalised, Names};
use super::types::{Comparable, Node, TypeId, TypeList, TypeTable};
use super::{Inference, Inferred};
use crate::groups::groups;
use crate::hir::{
    Assertion, Binding, Claim, Clause, Constraint, Function, GlobalId, GlobalKind, Var,
};
use crate::uses::{uses_of_binding, uses_of_global};
use csp_grammar::Span;

/// General types are copied at each use, and such as `(p(x), p(x))` double from one definition to
/// the next; no real script comes near this many nodes.
const LARGEST: usize = 5_000;

impl<'p> Inference<'p> {
    /// Infers all definitions.
    pub(super) fn infer_globals(&mut self) {
        self.declare_annotated();
        for group in groups(&self.edges()) {
            self.infer_group(&group);
        }
    }

    fn declare_annotated(&mut self) {
        for (place, global) in self.program.globals.iter().enumerate() {
            if let Some(annotation) = &global.annotation {
                let id = self.table.annotated(annotation, &Names::new());
                let general = self.table.generalise(id).general;
                self.globals[place] = Some(Inferred { id, general });
            }
        }
    }

    /// The graph of uses: one node for each definition, then one for each binding.
    fn edges(&self) -> Vec<Vec<usize>> {
        let globals = &self.program.globals;
        let mut edges = Vec::with_capacity(globals.len() + self.program.bindings.len());
        let target = |var| match var {
            Var::Global(id) => {
                let place = id.0 as usize;
                let known = globals[place].annotation.is_some()
                    && !matches!(globals[place].kind, GlobalKind::Datatype { .. });
                (!known).then_some(place)
            }
            _ => None,
        };
        for global in globals {
            let mut uses = Vec::new();
            uses_of_global(global, &mut |var, _| uses.extend(target(var)));
            if let GlobalKind::Bound(binding) = global.kind {
                uses.push(globals.len() + binding as usize);
            }
            edges.push(uses);
        }
        for binding in &self.program.bindings {
            let mut uses = Vec::new();
            uses_of_binding(binding, &mut |var, _| uses.extend(target(var)));
            edges.push(uses);
        }
        for (place, global) in globals.iter().enumerate() {
            if let GlobalKind::Bound(binding) = global.kind {
                edges[globals.len() + binding as usize].push(place);
            }
        }
        edges
    }

    fn infer_group(&mut self, group: &[usize]) {
        self.failed = false;
        let count = self.program.globals.len();
        let (members, bindings): (Vec<usize>, Vec<usize>) = group.iter().partition(|n| **n < count);
        for place in &members {
            self.declare(*place);
        }
        let is_shape = |place: &usize| {
            let kind = &self.program.globals[*place].kind;
            matches!(
                kind,
                GlobalKind::Channel { .. } | GlobalKind::Constructor { .. }
            )
        };
        let (shapes, others): (Vec<usize>, Vec<usize>) = members.iter().partition(|n| is_shape(n));
        for place in shapes.iter().chain(&others) {
            self.infer_global(*place);
        }
        self.definition = None;
        for place in &bindings {
            self.infer_binding(&self.program.bindings[place - count]);
            self.names.clear();
        }
        self.decide_comparable(&members);
        self.finish(&members);
    }

    /// Gives a definition the type it has while its group is inferred.
    fn declare(&mut self, place: usize) {
        let global = &self.program.globals[place];
        let id = match &global.kind {
            GlobalKind::Function(function) => self.function_shape(function),
            GlobalKind::Datatype { .. } => {
                let datatype = GlobalId(u32::try_from(place).expect("fewer than 2^32 definitions"));
                self.table.comparable.insert(datatype, Comparable::Assumed);
                self.set_of_datatype(datatype)
            }
            GlobalKind::Subtype { datatype, .. } => self.set_of_datatype(*datatype),
            GlobalKind::Error => TypeTable::ERROR,
            _ => self.table.fresh(),
        };
        if self.globals[place].is_none() {
            self.globals[place] = Some(Inferred { id, general: false });
        }
    }

    fn set_of_datatype(&mut self, datatype: GlobalId) -> TypeId {
        let datatype = self.table.add(Node::Datatype(datatype));
        self.table.set(datatype)
    }

    /// The type of a function of which only the parameter lists are known.
    pub(super) fn function_shape(&mut self, function: &Function) -> TypeId {
        let result = self.table.fresh();
        function.arities.iter().rev().fold(result, |result, arity| {
            let parameters: TypeList = (0..*arity).map(|_| self.table.fresh()).collect();
            self.table.function(&parameters, result)
        })
    }

    fn infer_global(&mut self, place: usize) {
        let global = &self.program.globals[place];
        self.definition = Some((&global.name, global.span));
        let known = self.globals[place].unwrap_or(Inferred::ERROR);
        let (target, why) = match &global.annotation {
            Some(annotation) => {
                let target = self
                    .table
                    .rigid(annotation, &mut self.names, &mut self.rigid);
                (target, Why::Annotation(annotation.body.span))
            }
            None => (known.id, Why::Definition),
        };
        match &global.kind {
            GlobalKind::Value(value) => {
                let found = self.infer(value);
                self.settle_at(found, value.span);
                self.expect(value, target, found, why);
            }
            GlobalKind::Function(function) => self.infer_function(function, target, why),
            GlobalKind::Channel { fields } => {
                let demands = [Constraint::Eq, Constraint::Complete];
                let fields = self.infer_fields(place, fields.as_ref(), &demands);
                let channel = self.shape(&fields, TypeTable::EVENT);
                self.relate(global.span, target, channel, why);
            }
            GlobalKind::Constructor {
                datatype, fields, ..
            } => {
                let fields = self.infer_fields(place, fields.as_ref(), &[Constraint::Complete]);
                let end = self.table.add(Node::Datatype(*datatype));
                let constructor = self.shape(&fields, end);
                self.relate(global.span, target, constructor, why);
            }
            GlobalKind::Nametype(value) => {
                let fields = self.infer_fields(place, Some(value), &[Constraint::Complete]);
                let element = self.table.dot(&fields);
                let found = self.table.set(element);
                self.relate(value.span, target, found, why);
            }
            GlobalKind::Subtype { clauses, .. } => {
                for (constructor, fields) in clauses {
                    self.infer_subtype_clause(*constructor, fields.as_ref());
                }
            }
            GlobalKind::Datatype { .. } | GlobalKind::Bound(_) | GlobalKind::Error => {}
        }
        self.names.clear();
    }

    /// Makes the types of a group general, or gives them up.
    fn finish(&mut self, members: &[usize]) {
        for place in members {
            let global = &self.program.globals[*place];
            let Some(known) = self.globals[*place] else {
                continue;
            };
            self.definition = Some((&global.name, global.span));
            if self.failed {
                let _ = self.table.settle(known.id);
            } else {
                self.settle_at(known.id, global.span);
            }
            let shape = matches!(
                global.kind,
                GlobalKind::Channel { .. } | GlobalKind::Constructor { .. }
            );
            let Generalised {
                general,
                size,
                escaped,
            } = self.table.generalise(known.id);
            if size > LARGEST {
                self.say(messages::too_large(global.span, &global.name));
            }
            if let Some(variable) = escaped {
                let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
                let variable = printer.print(variable);
                self.say(messages::escaped(global.span, &variable));
            }
            if shape && general && !self.failed {
                let found = Printer::new(&mut self.table, self.program, &[]).print(known.id);
                self.say(messages::ambiguous(global.span, &global.name, &found));
            }
            self.globals[*place] = Some(Inferred {
                id: known.id,
                general,
            });
        }
        self.definition = None;
        if self.failed {
            for place in members {
                if self.program.globals[*place].annotation.is_none() {
                    self.globals[*place] = Some(Inferred::ERROR);
                }
            }
        }
    }

    /// The type of a channel or constructor. If one field is in error, so is their number.
    fn shape(&mut self, fields: &[TypeId], end: TypeId) -> TypeId {
        if fields.contains(&TypeTable::ERROR) {
            return TypeTable::ERROR;
        }
        self.table.dotable(fields, end)
    }

    /// Infers all clauses of a function of which the type is known in part.
    pub(super) fn infer_function(&mut self, function: &'p Function, whole: TypeId, why: Why<'p>) {
        let mut lists: Vec<TypeList> = Vec::new();
        let mut result = whole;
        for arity in &function.arities {
            let at = self.table.resolve(result);
            if let Node::Function(parameters, then) = self.table.node(at)
                && self.table.list(parameters).len() == *arity
            {
                lists.push(self.table.items(parameters));
                result = then;
                continue;
            }
            let parameters: TypeList = (0..*arity).map(|_| self.table.fresh()).collect();
            let then = self.table.fresh();
            let shape = self.table.function(&parameters, then);
            let span = function
                .clauses
                .first()
                .map_or_else(Span::default, |c| c.span);
            self.relate(span, at, shape, why);
            lists.push(parameters);
            result = then;
        }
        let mut first = None;
        for clause in &function.clauses {
            self.infer_clause(clause, &lists, result, why, first);
            first = first.or(Some(clause.body.span));
        }
    }

    fn infer_clause(
        &mut self,
        clause: &'p Clause,
        lists: &[TypeList],
        result: TypeId,
        why: Why<'p>,
        first: Option<Span>,
    ) {
        let annotated = matches!(why, Why::Annotation(_));
        let why = match first {
            Some(span) if !annotated => Why::Clause(span),
            _ => why,
        };
        let pairs = || {
            let patterns = clause.parameters.iter().zip(lists);
            patterns.flat_map(|(patterns, types)| patterns.iter().zip(types))
        };
        for (pattern, expected) in pairs() {
            let found = self.infer_pattern(pattern);
            self.settle_at(found, pattern.span);
            if annotated {
                self.relate_pattern(pattern.span, found, *expected, why);
            } else {
                self.relate(pattern.span, *expected, found, why);
            }
        }
        let found = self.infer(&clause.body);
        self.settle_at(found, clause.body.span);
        self.expect(&clause.body, result, found, why);
        for (pattern, expected) in pairs() {
            self.settle_at(*expected, pattern.span);
        }
    }

    /// Infers `pattern = value`; the variables of the pattern have been declared.
    pub(super) fn infer_binding(&mut self, binding: &'p Binding) {
        let pattern = self.infer_pattern(&binding.pattern);
        let value = self.infer(&binding.value);
        self.settle_at(pattern, binding.pattern.span);
        self.settle_at(value, binding.value.span);
        let why = Why::Pattern(binding.value.span);
        self.relate_pattern(binding.pattern.span, pattern, value, why);
        self.settle_at(pattern, binding.pattern.span);
    }

    /// Checks assertions and prints.
    pub(super) fn infer_assertions(&mut self) {
        self.failed = false;
        for assertion in &self.program.assertions {
            self.infer_assertion(assertion);
        }
        for print in &self.program.prints {
            self.infer(&print.expr);
        }
    }

    fn infer_assertion(&mut self, assertion: &'p Assertion) {
        match &assertion.claim {
            Claim::Refines {
                specification,
                implementation,
                ..
            } => {
                self.check(specification, TypeTable::PROC, Why::Process);
                self.check(implementation, TypeTable::PROC, Why::Process);
            }
            Claim::Property { process, .. } => self.check(process, TypeTable::PROC, Why::Process),
            Claim::HasTrace { process, trace, .. } => {
                self.check(process, TypeTable::PROC, Why::Process);
                let events = self.table.sequence(TypeTable::EVENT);
                self.check(trace, events, Why::Trace);
            }
        }
        if let Some(set) = &assertion.tau_priority {
            self.check(set, TypeTable::EVENTS, Why::EventSet);
        }
    }
}
