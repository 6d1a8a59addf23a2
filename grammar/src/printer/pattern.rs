//! Printing of patterns.

use super::Printer;
use super::expression::{quoted_character, quoted_string};
use crate::precedence::{
    ATOM_STRENGTH, BOTH_STRENGTH, DOT_STRENGTH, binary_strength, prefix_strength,
};
use crate::syntax::{BinaryOp, Pattern, PatternKind, UnaryOp};

impl Printer {
    pub(super) fn patterns(&mut self, patterns: &[Pattern]) {
        self.separated(patterns, ", ", |printer, pattern| {
            printer.pattern(pattern, 0)
        });
    }

    /// Prints a pattern, in brackets if it binds no stronger than `above`.
    pub(super) fn pattern(&mut self, pattern: &Pattern, above: u8) {
        if strength(&pattern.kind) <= above {
            return self.bracketed("(", ")", |printer| printer.pattern(pattern, 0));
        }
        match &pattern.kind {
            PatternKind::Name(name) => self.qualified(name),
            PatternKind::Wildcard => self.put("_"),
            PatternKind::Int(value) => self.put(&value.to_string()),
            PatternKind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            PatternKind::Char(value) => self.put(&quoted_character(*value)),
            PatternKind::String(value) => self.put(&quoted_string(value)),
            PatternKind::Paren(inner) => {
                self.bracketed("(", ")", |printer| printer.pattern(inner, 0));
            }
            PatternKind::Tuple(items) => self.bracketed("(", ")", |p| p.patterns(items)),
            PatternKind::Sequence(items) => self.bracketed("<", ">", |p| p.patterns(items)),
            PatternKind::Set(items) => self.bracketed("{", "}", |p| p.patterns(items)),
            PatternKind::Concat(left, right) => {
                let (concat, _) = binary_strength(BinaryOp::Concat);
                self.pattern(left, concat - 1);
                self.put("^");
                self.pattern(right, concat);
            }
            PatternKind::Dot(left, right) => {
                self.pattern(left, DOT_STRENGTH);
                self.put(".");
                self.pattern(right, DOT_STRENGTH - 1);
            }
            PatternKind::Both(left, right) => {
                self.pattern(left, BOTH_STRENGTH);
                self.put(" @@ ");
                self.pattern(right, BOTH_STRENGTH);
            }
            PatternKind::Error => self.put("{- unreadable -}"),
        }
    }
}

fn strength(kind: &PatternKind) -> u8 {
    match kind {
        PatternKind::Both(..) => BOTH_STRENGTH,
        PatternKind::Dot(..) => DOT_STRENGTH,
        PatternKind::Concat(..) => binary_strength(BinaryOp::Concat).0,
        PatternKind::Int(value) if *value < 0 => prefix_strength(UnaryOp::Negate),
        _ => ATOM_STRENGTH,
    }
}
