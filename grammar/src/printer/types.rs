//! Printing of type annotations.

use super::Printer;
use crate::syntax::{Type, TypeKind, TypeScheme};

const FUNCTION: u8 = 0;
const EXTENDABLE: u8 = 1;
const DOT: u8 = 2;
const ATOM: u8 = 3;

impl Printer {
    pub(super) fn scheme(&mut self, scheme: &TypeScheme) {
        let constraint = |printer: &mut Self, (constraint, variable): &(_, _)| {
            let (constraint, variable): (&crate::syntax::Ident, &crate::syntax::Ident) =
                (constraint, variable);
            printer.put(&constraint.text);
            printer.put(" ");
            printer.put(&variable.text);
        };
        if !scheme.constraints.is_empty() {
            self.put("(");
            self.separated(&scheme.constraints, ", ", constraint);
            self.put(") => ");
        }
        self.r#type(&scheme.body);
    }

    pub(super) fn r#type(&mut self, written: &Type) {
        self.type_above(written, FUNCTION);
    }

    /// Prints a type, in brackets if it is looser than `least`.
    fn type_above(&mut self, written: &Type, least: u8) {
        if level(&written.kind) < least {
            return self.bracketed("(", ")", |printer| printer.r#type(written));
        }
        match &written.kind {
            TypeKind::Name(name) => self.qualified(name),
            TypeKind::Sequence(element) => {
                self.bracketed("<", ">", |printer| printer.r#type(element));
            }
            TypeKind::Set(element) => self.bracketed("{", "}", |printer| printer.r#type(element)),
            TypeKind::Tuple(items) => self.bracketed("(", ")", |printer| {
                printer.separated(items, ", ", Self::r#type);
            }),
            TypeKind::Map(key, value) => self.bracketed("(| ", " |)", |printer| {
                printer.type_pair(key, " => ", value, DOT, FUNCTION);
            }),
            TypeKind::Function(arguments, result) => {
                self.bracketed("(", ")", |printer| {
                    printer.separated(arguments, ", ", Self::r#type);
                });
                self.put(" -> ");
                self.type_above(result, FUNCTION);
            }
            TypeKind::Dot(left, right) => self.type_pair(left, ".", right, ATOM, DOT),
            TypeKind::Dotable(left, right) => self.type_pair(left, " => ", right, DOT, EXTENDABLE),
            TypeKind::Extendable(left, right) => {
                self.type_pair(left, " =>* ", right, DOT, EXTENDABLE);
            }
            TypeKind::Error => self.put("{- unreadable -}"),
        }
    }

    fn type_pair(
        &mut self,
        left: &Type,
        between: &str,
        right: &Type,
        least_left: u8,
        least_right: u8,
    ) {
        self.type_above(left, least_left);
        self.put(between);
        self.type_above(right, least_right);
    }
}

fn level(kind: &TypeKind) -> u8 {
    match kind {
        TypeKind::Function(..) => FUNCTION,
        TypeKind::Dotable(..) | TypeKind::Extendable(..) => EXTENDABLE,
        TypeKind::Dot(..) => DOT,
        _ => ATOM,
    }
}
