//! Fields of channels and constructors, subtypes, and which datatypes can be compared.

use super::Inference;
use super::messages::{self, Why};
use super::print::Printer;
use super::types::{Comparable, Node, TypeId, TypeList, TypeTable};
use crate::hir::{Constraint, Expr, GlobalId, GlobalKind, Var};

impl<'p> Inference<'p> {
    /// The types of the fields of a channel or constructor.
    pub(super) fn infer_fields(
        &mut self,
        place: usize,
        fields: Option<&'p Expr>,
        demands: &[Constraint],
    ) -> TypeList {
        let mut types = TypeList::new();
        let Some(fields) = fields else {
            return types;
        };
        let all = self.infer_field_set(fields);
        self.settle_at(all, fields.span);
        self.table.flatten(all, &mut types);
        for field in &types {
            for demand in demands {
                if self.table.constrain(*field, *demand).is_err() {
                    let name = &self.program.globals[place].name;
                    let found =
                        Printer::new(&mut self.table, self.program, &self.rigid).print(*field);
                    self.say(messages::field_set(fields.span, name, &found, *demand));
                }
            }
        }
        self.note_comparisons(fields.span);
        types
    }

    /// The type of the elements of a type expression: a set, or a tuple or dot of such.
    fn infer_field_set(&mut self, fields: &'p Expr) -> TypeId {
        let found = self.infer(fields);
        self.element_of(fields, found)
    }

    fn element_of(&mut self, fields: &'p Expr, found: TypeId) -> TypeId {
        let found = self.table.resolve(found);
        match self.table.node(found) {
            Node::Tuple(items) => {
                let items: TypeList = self.table.items(items);
                let elements: TypeList = items
                    .into_iter()
                    .map(|t| self.element_of(fields, t))
                    .collect();
                self.table.tuple(&elements)
            }
            Node::Dot(..) => {
                let mut items = TypeList::new();
                self.table.flatten(found, &mut items);
                let elements: TypeList = items
                    .into_iter()
                    .map(|t| self.element_of(fields, t))
                    .collect();
                self.table.dot(&elements)
            }
            _ => {
                let element = self.table.fresh();
                let set = self.table.set(element);
                if self.expect(fields, set, found, Why::FieldSet) {
                    element
                } else {
                    TypeTable::ERROR
                }
            }
        }
    }

    /// A clause of a subtype: fields that begin as those of the constructor.
    pub(super) fn infer_subtype_clause(&mut self, constructor: GlobalId, fields: Option<&'p Expr>) {
        let Some(fields) = fields else {
            return;
        };
        let span = fields.span;
        let global = &self.program.globals[constructor.0 as usize];
        let whole = self.type_of(Var::Global(constructor));
        let (declared, end) = self.table.spread(whole);
        let all = self.infer_field_set(fields);
        self.settle_at(all, fields.span);
        let mut given = TypeList::new();
        self.table.flatten(all, &mut given);
        if end == TypeTable::ERROR {
            return;
        }
        if given.len() > declared.len() {
            self.say(messages::subtype_fields(span, &global.name));
        }
        for (expected, found) in declared.into_iter().zip(given) {
            if self.table.unify(expected, found).is_err() {
                let mut printer = Printer::new(&mut self.table, self.program, &self.rigid);
                let (expected, found) = printer
                    .two_things(expected, found)
                    .unwrap_or_else(|| (printer.print(expected), printer.print(found)));
                self.say(messages::subtype_field(
                    span,
                    &global.name,
                    &expected,
                    &found,
                ));
            }
        }
    }

    /// Decides which datatypes of a group can be compared: all at first, then all but those with a
    /// field that cannot.
    pub(super) fn decide_comparable(&mut self, members: &[usize]) {
        let mut changed = true;
        while changed {
            changed = false;
            for place in members {
                let GlobalKind::Datatype { constructors } = &self.program.globals[*place].kind
                else {
                    continue;
                };
                let datatype =
                    GlobalId(u32::try_from(*place).expect("fewer than 2^32 definitions"));
                if self.table.comparable.get(&datatype) != Some(&Comparable::Assumed) {
                    continue;
                }
                let constructors: TypeList = constructors
                    .iter()
                    .filter_map(|c| self.globals[c.0 as usize].map(|known| known.id))
                    .collect();
                if constructors.iter().any(|c| !self.is_comparable(*c)) {
                    self.table.comparable.insert(datatype, Comparable::No);
                    changed = true;
                }
            }
        }
        for comparison in std::mem::take(&mut self.comparisons) {
            let datatype = comparison.datatype;
            if self.table.comparable.get(&datatype) == Some(&Comparable::No) {
                let name = &self.program.globals[datatype.0 as usize].name;
                self.definition = comparison.definition;
                self.say(messages::constraint(
                    comparison.span,
                    name,
                    name,
                    Constraint::Eq,
                ));
            }
        }
        self.definition = None;
        for place in members {
            let datatype = GlobalId(u32::try_from(*place).expect("fewer than 2^32 definitions"));
            if let Some(state @ Comparable::Assumed) = self.table.comparable.get_mut(&datatype) {
                *state = Comparable::Yes;
            }
        }
    }

    fn is_comparable(&mut self, id: TypeId) -> bool {
        let walk = self.table.start_walk();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let id = self.table.resolve(id);
            if !self.table.visit(id, walk) {
                continue;
            }
            match self.table.node(id) {
                Node::Proc | Node::Function(..) => return false,
                Node::Datatype(datatype)
                    if self.table.comparable.get(&datatype) == Some(&Comparable::No) =>
                {
                    return false;
                }
                _ => stack.extend(self.table.children(id)),
            }
        }
        true
    }
}
