//! Patterns: which names bind, which match; sequences and dots in normal form.

use ahash::{AHashMap, AHashSet};
use csp_grammar::Span;
use csp_grammar::syntax::{Ident, Pattern, PatternKind, QName};

use super::scope::Entity;
use super::{Resolver, messages};
use crate::hir::{self, Builtin, PatternKind as Resolved, Var};

/// The variables of patterns that belong together: one clause, one statement list, one prefix.
#[derive(Debug, Default)]
pub(super) struct Binders<'s> {
    /// Where each was bound first.
    seen: AHashMap<&'s str, Span>,
    /// Bound by the last pattern, not yet in scope.
    fresh: Vec<(&'s str, hir::LocalId)>,
    /// For the pattern of a definition: the variables have been made before.
    defined: Option<AHashMap<&'s str, Var>>,
}

impl<'s> Binders<'s> {
    /// For the left-hand side of a definition.
    pub(super) fn of_definition(variables: AHashMap<&'s str, Var>) -> Self {
        Self {
            defined: Some(variables),
            ..Self::default()
        }
    }
}

/// The name, if the pattern is nothing else.
pub(super) fn plain_name(pattern: &Pattern) -> Option<&Ident> {
    match &pattern.kind {
        PatternKind::Paren(inner) => plain_name(inner),
        PatternKind::Name(name) => match name.parts.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

impl<'s> Resolver<'s> {
    /// Resolves a pattern; its variables come into scope with [`Self::bind_fresh`].
    pub(super) fn pattern(
        &mut self,
        pattern: &'s Pattern,
        binders: &mut Binders<'s>,
    ) -> hir::Pattern {
        let kind = match &pattern.kind {
            PatternKind::Paren(inner) => return self.pattern(inner, binders),
            PatternKind::Name(name) => self.pattern_name(name, binders),
            PatternKind::Wildcard => Resolved::Wildcard,
            PatternKind::Int(value) => Resolved::Int(*value),
            PatternKind::Bool(value) => Resolved::Bool(*value),
            PatternKind::Char(value) => Resolved::Char(*value),
            PatternKind::String(value) => Resolved::String(value.clone()),
            PatternKind::Tuple(items) => Resolved::Tuple(self.patterns(items, binders)),
            PatternKind::Sequence(items) => Resolved::Sequence {
                front: self.patterns(items, binders),
                rest: None,
                back: Vec::new(),
            },
            PatternKind::Set(items) => match items.as_slice() {
                [] => Resolved::EmptySet,
                [only] => Resolved::SingletonSet(Box::new(self.pattern(only, binders))),
                _ => {
                    self.report(messages::large_set_pattern(pattern.span));
                    // Their variables exist all the same.
                    self.patterns(items, binders);
                    Resolved::Error
                }
            },
            PatternKind::Concat(..) => self.concatenation(pattern, binders),
            PatternKind::Dot(..) => {
                let mut parts = Vec::new();
                flatten_dots(pattern, &mut parts);
                Resolved::Dot(
                    parts
                        .into_iter()
                        .map(|part| self.pattern(part, binders))
                        .collect(),
                )
            }
            PatternKind::Both(left, right) => Resolved::Both(
                Box::new(self.pattern(left, binders)),
                Box::new(self.pattern(right, binders)),
            ),
            PatternKind::Error => Resolved::Error,
        };
        hir::Pattern {
            kind,
            span: pattern.span,
        }
    }

    fn patterns(
        &mut self,
        patterns: &'s [Pattern],
        binders: &mut Binders<'s>,
    ) -> Vec<hir::Pattern> {
        patterns
            .iter()
            .map(|pattern| self.pattern(pattern, binders))
            .collect()
    }

    fn pattern_name(&mut self, name: &'s QName, binders: &mut Binders<'s>) -> Resolved {
        let [only] = name.parts.as_slice() else {
            return self.pattern_qualified(name);
        };
        if let Some(variables) = &binders.defined
            && let Some(&variable) = variables.get(only.text.as_str())
        {
            return if self.repeats(only, binders) {
                Resolved::Error
            } else {
                Resolved::Variable(variable)
            };
        }
        if let Some(matched) = self.matched_name(&only.text) {
            return matched;
        }
        if binders.defined.is_some() || self.repeats(only, binders) {
            return Resolved::Error;
        }
        let local = self.new_local(&only.text, only.span);
        binders.fresh.push((&only.text, local));
        Resolved::Variable(Var::Local(local))
    }

    /// What an unqualified name matches, if it does not bind: a constructor, a channel, or one of
    /// the library's names of the booleans.
    fn matched_name(&self, name: &str) -> Option<Resolved> {
        if let Some(Entity::Global(id)) = self.lookup(name)
            && self.is_constructor(id)
        {
            return Some(Resolved::Constructor(id));
        }
        match self.unhidden_builtin(name) {
            Some(Builtin::True) => Some(Resolved::Bool(true)),
            Some(Builtin::False) => Some(Resolved::Bool(false)),
            _ => None,
        }
    }

    fn repeats(&mut self, name: &'s Ident, binders: &mut Binders<'s>) -> bool {
        match binders.seen.get(name.text.as_str()) {
            Some(&first) => {
                self.report(messages::repeated_variable(name, first));
                true
            }
            None => {
                binders.seen.insert(&name.text, name.span);
                false
            }
        }
    }

    fn pattern_qualified(&mut self, name: &'s QName) -> Resolved {
        match self.entity(name) {
            Entity::Global(id) if self.is_constructor(id) => Resolved::Constructor(id),
            Entity::Missing => Resolved::Error,
            _ => {
                self.report(messages::not_a_constructor(name));
                Resolved::Error
            }
        }
    }

    /// `<p, …> ^ rest ^ <q, …>`, whatever the brackets.
    fn concatenation(&mut self, pattern: &'s Pattern, binders: &mut Binders<'s>) -> Resolved {
        let mut parts = Vec::new();
        flatten_concatenation(pattern, &mut parts);
        let mut front = Vec::new();
        let mut rest: Option<Box<hir::Pattern>> = None;
        let mut back = Vec::new();
        let mut ambiguous = false;
        for part in parts {
            let fixed = match &part.kind {
                PatternKind::Sequence(items) => self.patterns(items, binders),
                PatternKind::String(text) => characters(text, part.span),
                _ => {
                    let part = self.pattern(part, binders);
                    match &rest {
                        None => rest = Some(Box::new(part)),
                        Some(first) => {
                            let diagnostic = messages::two_variable_parts(part.span, first.span);
                            self.report(diagnostic);
                            ambiguous = true;
                        }
                    }
                    continue;
                }
            };
            if rest.is_none() {
                front.extend(fixed);
            } else {
                back.extend(fixed);
            }
        }
        if ambiguous {
            return Resolved::Error;
        }
        Resolved::Sequence { front, rest, back }
    }

    /// Brings the variables of the patterns resolved so far into scope.
    pub(super) fn bind_fresh(&mut self, binders: &mut Binders<'s>) {
        for (name, local) in binders.fresh.drain(..) {
            self.variables.bind(name, Entity::Local(local));
        }
    }

    /// The names that the pattern of a definition defines: those that match nothing in scope, or
    /// that the same scope defines otherwise. A repeated one is given once; resolving the pattern
    /// will report it.
    pub(super) fn pattern_variables(
        &self,
        pattern: &'s Pattern,
        defined: impl Fn(&str) -> bool,
    ) -> Vec<&'s Ident> {
        let mut names = Vec::new();
        names_in(pattern, &mut names);
        let mut seen = AHashSet::new();
        names.retain(|name| {
            (defined(&name.text) || self.matched_name(&name.text).is_none())
                && seen.insert(name.text.as_str())
        });
        names
    }
}

fn flatten_dots<'s>(pattern: &'s Pattern, parts: &mut Vec<&'s Pattern>) {
    match &pattern.kind {
        PatternKind::Paren(inner) if matches!(unbracketed(inner).kind, PatternKind::Dot(..)) => {
            flatten_dots(inner, parts);
        }
        PatternKind::Dot(left, right) => {
            flatten_dots(left, parts);
            flatten_dots(right, parts);
        }
        _ => parts.push(pattern),
    }
}

fn flatten_concatenation<'s>(pattern: &'s Pattern, parts: &mut Vec<&'s Pattern>) {
    match &unbracketed(pattern).kind {
        PatternKind::Concat(left, right) => {
            flatten_concatenation(left, parts);
            flatten_concatenation(right, parts);
        }
        _ => parts.push(unbracketed(pattern)),
    }
}

fn unbracketed(pattern: &Pattern) -> &Pattern {
    match &pattern.kind {
        PatternKind::Paren(inner) => unbracketed(inner),
        _ => pattern,
    }
}

fn characters(text: &str, span: Span) -> Vec<hir::Pattern> {
    text.chars()
        .map(|c| hir::Pattern {
            kind: Resolved::Char(c),
            span,
        })
        .collect()
}

fn names_in<'s>(pattern: &'s Pattern, names: &mut Vec<&'s Ident>) {
    match &pattern.kind {
        PatternKind::Name(name) => {
            if let [only] = name.parts.as_slice() {
                names.push(only);
            }
        }
        PatternKind::Paren(inner) => names_in(inner, names),
        PatternKind::Tuple(items) | PatternKind::Sequence(items) | PatternKind::Set(items) => {
            for item in items {
                names_in(item, names);
            }
        }
        PatternKind::Concat(left, right)
        | PatternKind::Dot(left, right)
        | PatternKind::Both(left, right) => {
            names_in(left, names);
            names_in(right, names);
        }
        PatternKind::Wildcard
        | PatternKind::Int(_)
        | PatternKind::Bool(_)
        | PatternKind::Char(_)
        | PatternKind::String(_)
        | PatternKind::Error => {}
    }
}
