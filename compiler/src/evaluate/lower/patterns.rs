//! Patterns: variables become slots of the current frame.

use super::{Key, Lower};
use crate::evaluate::code::{CodeId, Node, Pattern, index};
use crate::hir::{self, PatternKind, Var};

impl Lower<'_> {
    /// A pattern whose variables are bound in the current unit.
    pub(super) fn pattern(&mut self, pattern: &hir::Pattern) -> Pattern {
        match &pattern.kind {
            PatternKind::Variable(Var::Local(local)) => {
                Pattern::Bind(self.bind(Key::Local(*local)))
            }
            PatternKind::Variable(_) | PatternKind::Wildcard | PatternKind::Error => Pattern::Skip,
            PatternKind::Constructor(tag) => Pattern::Tag(*tag),
            PatternKind::Int(i) => Pattern::Int(*i),
            PatternKind::Bool(b) => Pattern::Bool(*b),
            PatternKind::Char(c) => Pattern::Char(*c),
            PatternKind::String(text) => Pattern::Text(text.as_str().into()),
            PatternKind::Tuple(parts) => Pattern::Tuple(self.patterns(parts)),
            PatternKind::Sequence {
                front,
                rest: None,
                back,
            } if front.is_empty() && back.is_empty() => Pattern::EmptySequence,
            PatternKind::Sequence { front, rest, back } => {
                let front = self.patterns(front);
                let rest = rest.as_ref().map(|p| Box::new(self.pattern(p)));
                let back = self.patterns(back);
                match (&*front, rest.as_deref(), &*back) {
                    ([Pattern::Bind(first)], Some(Pattern::Bind(rest)), []) => {
                        Pattern::Cons(*first, *rest)
                    }
                    _ => Pattern::Sequence { front, rest, back },
                }
            }
            PatternKind::EmptySet => Pattern::EmptySet,
            PatternKind::SingletonSet(part) => Pattern::Singleton(Box::new(self.pattern(part))),
            PatternKind::Dot(parts) => Pattern::Dot(self.patterns(parts)),
            PatternKind::Both(left, right) => {
                Pattern::Both(Box::new(self.pattern(left)), Box::new(self.pattern(right)))
            }
        }
    }

    fn patterns(&mut self, parts: &[hir::Pattern]) -> Box<[Pattern]> {
        parts.iter().map(|p| self.pattern(p)).collect()
    }

    /// Code that matches a value against a pattern and gives one variable of it.
    pub(super) fn projection(
        &mut self,
        source: CodeId,
        pattern: &hir::Pattern,
        wanted: Var,
    ) -> CodeId {
        let mut place = None;
        let compiled = self.projected(pattern, wanted, &mut place);
        self.code.patterns.push(compiled.into());
        let pattern_index = index(self.code.patterns.len() - 1);
        let slot = place.unwrap_or_else(|| self.new_slot());
        self.push(Node::Project(source, pattern_index, slot), pattern.span)
    }

    /// Like [`Self::pattern`], but binds only the wanted variable, so that each variable of a
    /// binding can have code of its own.
    fn projected(
        &mut self,
        pattern: &hir::Pattern,
        wanted: Var,
        place: &mut Option<u32>,
    ) -> Pattern {
        match &pattern.kind {
            PatternKind::Variable(var) if *var == wanted => {
                let slot = self.new_slot();
                *place = Some(slot);
                Pattern::Bind(slot)
            }
            PatternKind::Variable(_) => Pattern::Skip,
            PatternKind::Tuple(parts) => Pattern::Tuple(self.projected_all(parts, wanted, place)),
            PatternKind::Sequence { front, rest, back } => Pattern::Sequence {
                front: self.projected_all(front, wanted, place),
                rest: rest
                    .as_ref()
                    .map(|p| Box::new(self.projected(p, wanted, place))),
                back: self.projected_all(back, wanted, place),
            },
            PatternKind::SingletonSet(part) => {
                Pattern::Singleton(Box::new(self.projected(part, wanted, place)))
            }
            PatternKind::Dot(parts) => Pattern::Dot(self.projected_all(parts, wanted, place)),
            PatternKind::Both(left, right) => Pattern::Both(
                Box::new(self.projected(left, wanted, place)),
                Box::new(self.projected(right, wanted, place)),
            ),
            _ => self.pattern(pattern),
        }
    }

    fn projected_all(
        &mut self,
        parts: &[hir::Pattern],
        wanted: Var,
        place: &mut Option<u32>,
    ) -> Box<[Pattern]> {
        parts
            .iter()
            .map(|p| self.projected(p, wanted, place))
            .collect()
    }
}
