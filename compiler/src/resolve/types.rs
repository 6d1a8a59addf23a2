//! Type annotations: type names become types, everything else a type variable.

use csp_grammar::syntax::{Ident, QName, Type, TypeKind, TypeScheme};

use super::scope::Entity;
use super::{Resolver, messages};
use crate::hir::{self, Constraint, GlobalId, GlobalKind, TypeKind as Resolved};

impl Resolver<'_> {
    pub(super) fn type_scheme(&mut self, scheme: &TypeScheme) -> hir::TypeScheme {
        let body = self.type_(&scheme.body);
        let constraints = scheme
            .constraints
            .iter()
            .filter_map(|(name, variable)| {
                let constraint = self.constraint(name)?;
                if !mentions(&body, &variable.text) {
                    self.report(messages::constraint_of_other(name, variable));
                    return None;
                }
                let span = name.span.to(variable.span);
                Some((constraint, variable.text.clone(), span))
            })
            .collect();
        hir::TypeScheme { constraints, body }
    }

    fn constraint(&mut self, name: &Ident) -> Option<Constraint> {
        match name.text.as_str() {
            "Eq" => Some(Constraint::Eq),
            "Ord" => Some(Constraint::Ord),
            "Set" => Some(Constraint::Set),
            "Complete" => Some(Constraint::Complete),
            "Yieldable" => Some(Constraint::Yieldable),
            _ => {
                self.report(messages::unknown_constraint(name));
                None
            }
        }
    }

    fn type_(&mut self, type_: &Type) -> hir::Type {
        let kind = match &type_.kind {
            TypeKind::Name(name) => self.type_name(name),
            TypeKind::Sequence(item) => Resolved::Sequence(self.boxed_type(item)),
            TypeKind::Set(item) => Resolved::Set(self.boxed_type(item)),
            TypeKind::Tuple(items) => Resolved::Tuple(self.types(items)),
            TypeKind::Map(key, value) => {
                Resolved::Map(self.boxed_type(key), self.boxed_type(value))
            }
            TypeKind::Function(arguments, result) => {
                Resolved::Function(self.types(arguments), self.boxed_type(result))
            }
            TypeKind::Dot(left, right) => {
                Resolved::Dot(self.boxed_type(left), self.boxed_type(right))
            }
            TypeKind::Dotable(left, right) => {
                Resolved::Dotable(self.boxed_type(left), self.boxed_type(right))
            }
            TypeKind::Extendable(left, right) => {
                let left = self.boxed_type(left);
                if !matches!(left.kind, Resolved::Variable(_) | Resolved::Error) {
                    self.report(messages::extends_no_variable(left.span));
                }
                Resolved::Extendable(left, self.boxed_type(right))
            }
            TypeKind::Error => Resolved::Error,
        };
        hir::Type {
            kind,
            span: type_.span,
        }
    }

    fn types(&mut self, types: &[Type]) -> Vec<hir::Type> {
        types.iter().map(|type_| self.type_(type_)).collect()
    }

    fn boxed_type(&mut self, type_: &Type) -> Box<hir::Type> {
        Box::new(self.type_(type_))
    }

    /// A datatype of the script comes before a built-in type; a name that is neither is a type
    /// variable, even if a channel or a value happens to have it.
    fn type_name(&mut self, name: &QName) -> Resolved {
        let [only] = name.parts.as_slice() else {
            return self.qualified_type(name);
        };
        let entry = self.program.scopes.lookup(self.space, &only.text);
        if let Some(Entity::Global(id)) = entry.map(|entry| entry.entity) {
            match self.global(id).kind {
                GlobalKind::Datatype { .. } => return Resolved::Datatype(id),
                GlobalKind::Nametype(_) | GlobalKind::Subtype { .. } => {
                    return self.not_a_type(name, id);
                }
                _ => {}
            }
        }
        match only.text.as_str() {
            "Int" => Resolved::Int,
            "Bool" => Resolved::Bool,
            "Char" => Resolved::Char,
            "Proc" => Resolved::Proc,
            "Event" => Resolved::Event,
            variable => Resolved::Variable(variable.to_owned()),
        }
    }

    fn qualified_type(&mut self, name: &QName) -> Resolved {
        match self.entity(name) {
            Entity::Global(id) => match self.global(id).kind {
                GlobalKind::Datatype { .. } => Resolved::Datatype(id),
                _ => self.not_a_type(name, id),
            },
            Entity::Missing => Resolved::Error,
            _ => {
                let text = messages::written(name);
                self.report(messages::not_a_type(name.span, &text, "a module"));
                Resolved::Error
            }
        }
    }

    fn not_a_type(&mut self, name: &QName, id: GlobalId) -> Resolved {
        let kind = match self.global(id).kind {
            GlobalKind::Nametype(_) => "a nametype, that is a set",
            GlobalKind::Subtype { .. } => "a subtype, that is a set",
            GlobalKind::Channel { .. } => "a channel",
            GlobalKind::Constructor { .. } => "a constructor",
            GlobalKind::Error => return Resolved::Error,
            _ => "a value",
        };
        let text = messages::written(name);
        self.report(messages::not_a_type(name.span, &text, kind));
        Resolved::Error
    }
}

/// Whether a type variable occurs in a type; what could not be read may hold any.
fn mentions(type_: &hir::Type, variable: &str) -> bool {
    match &type_.kind {
        Resolved::Variable(name) => name == variable,
        Resolved::Error => true,
        Resolved::Sequence(item) | Resolved::Set(item) => mentions(item, variable),
        Resolved::Tuple(items) => items.iter().any(|item| mentions(item, variable)),
        Resolved::Function(arguments, result) => {
            arguments.iter().any(|item| mentions(item, variable)) || mentions(result, variable)
        }
        Resolved::Map(left, right)
        | Resolved::Dot(left, right)
        | Resolved::Dotable(left, right)
        | Resolved::Extendable(left, right) => {
            mentions(left, variable) || mentions(right, variable)
        }
        _ => false,
    }
}
