//! `let`: mutually recursive definitions with the scope of one expression.
//!
//! First all names are gathered; of a larger pattern these are the names that are no constructors or
//! channels. Then they come into scope together, and the right-hand sides are resolved.

use std::rc::Rc;

use ahash::AHashMap;
use csp_grammar::Span;
use csp_grammar::syntax::{Decl, DeclKind, Expr, Ident, Pattern, TypeScheme};

use super::collect::{clash, clause_group};
use super::imports::ImportKind;
use super::patterns::{Binders, plain_name};
use super::scope::Entity;
use super::timed::Timing;
use super::{Resolver, messages};
use crate::hir::{self, ExprKind, LocalDefinition, LocalId, PatternKind, Var};

/// The declarations of one `let`, sorted.
#[derive(Debug, Default)]
struct Gathered<'s> {
    names: AHashMap<&'s str, Named>,
    /// The names in the order of their definitions.
    order: Vec<(&'s str, Entity)>,
    items: Vec<Item<'s>>,
    sections: Vec<LocalSection<'s>>,
    annotations: Vec<(&'s [Ident], &'s TypeScheme)>,
}

#[derive(Clone, Copy, Debug)]
struct Named {
    entity: Entity,
    span: Span,
    clauses: bool,
}

#[derive(Debug)]
struct Item<'s> {
    /// The Timed section it stands in, by its place in the list.
    section: Option<usize>,
    kind: ItemKind<'s>,
}

#[derive(Debug)]
enum ItemKind<'s> {
    Function {
        local: LocalId,
        clauses: &'s [Decl],
    },
    Bind {
        pattern: &'s Pattern,
        value: &'s Expr,
        variables: Vec<(&'s str, LocalId)>,
    },
}

#[derive(Debug)]
struct LocalSection<'s> {
    outer: Option<usize>,
    duration: Option<&'s Expr>,
    span: Span,
}

impl<'s> Resolver<'s> {
    /// `let decls within body`.
    pub(super) fn local_definitions(&mut self, decls: &'s [Decl], body: &'s Expr) -> ExprKind {
        let mut gathered = Gathered::default();
        self.gather(decls, None, &mut gathered);
        self.gather_pattern_variables(&mut gathered);
        self.scoped(|this| {
            for &(name, entity) in &gathered.order {
                this.variables.bind(name, entity);
            }
            let mut annotations = this.local_annotations(&gathered);
            let mut definitions = Vec::with_capacity(gathered.items.len());
            let timings = this.local_timings(&gathered.sections, &mut definitions);
            let around = this.timing.clone();
            for item in gathered.items {
                this.timing = match item.section {
                    Some(section) => Some(Rc::clone(&timings[section])),
                    None => around.clone(),
                };
                let definition = this.local_definition(item.kind, &mut annotations);
                definitions.push(definition);
            }
            this.timing = around;
            ExprKind::Let {
                definitions,
                body: this.boxed(body),
            }
        })
    }

    fn gather(&mut self, decls: &'s [Decl], section: Option<usize>, gathered: &mut Gathered<'s>) {
        let mut rest = decls;
        while let Some(first) = rest.first() {
            let taken = clause_group(rest);
            if taken > 0 {
                self.gather_function(&rest[..taken], section, gathered);
                rest = &rest[taken..];
                continue;
            }
            self.gather_one(first, section, gathered);
            rest = &rest[1..];
        }
    }

    fn gather_one(&mut self, decl: &'s Decl, section: Option<usize>, gathered: &mut Gathered<'s>) {
        match &decl.kind {
            DeclKind::Bind { pattern, value } => {
                self.gather_binding(pattern, value, section, gathered);
            }
            DeclKind::Annotation { names, scheme } => gathered.annotations.push((names, scheme)),
            DeclKind::External(names) => {
                self.gather_imports(names, ImportKind::External, gathered);
            }
            DeclKind::Transparent(names) => {
                self.gather_imports(names, ImportKind::Transparent, gathered);
            }
            DeclKind::Timed { duration, decls } => {
                gathered.sections.push(LocalSection {
                    outer: section,
                    duration: duration.as_ref(),
                    span: decl.span,
                });
                let section = Some(gathered.sections.len() - 1);
                self.gather(decls, section, gathered);
            }
            DeclKind::Clause { .. } => unreachable!("clauses are gathered in groups"),
            // The grammar has said that these may not stand in `let`.
            DeclKind::Channel { .. }
            | DeclKind::Datatype { .. }
            | DeclKind::Subtype { .. }
            | DeclKind::Nametype { .. }
            | DeclKind::Assert(_)
            | DeclKind::Print(_)
            | DeclKind::Include { .. }
            | DeclKind::Module { .. }
            | DeclKind::Instance { .. }
            | DeclKind::Error(_) => {}
        }
    }

    fn gather_function(
        &mut self,
        clauses: &'s [Decl],
        section: Option<usize>,
        gathered: &mut Gathered<'s>,
    ) {
        let Some(DeclKind::Clause { name, .. }) = clauses.first().map(|clause| &clause.kind) else {
            unreachable!("a group of clauses starts with a clause");
        };
        let Some(local) = self.declare_local(name, true, gathered) else {
            return;
        };
        gathered.items.push(Item {
            section,
            kind: ItemKind::Function { local, clauses },
        });
    }

    fn gather_binding(
        &mut self,
        pattern: &'s Pattern,
        value: &'s Expr,
        section: Option<usize>,
        gathered: &mut Gathered<'s>,
    ) {
        let mut variables = Vec::new();
        if let Some(name) = plain_name(pattern)
            && let Some(local) = self.declare_local(name, false, gathered)
        {
            variables.push((name.text.as_str(), local));
        }
        gathered.items.push(Item {
            section,
            kind: ItemKind::Bind {
                pattern,
                value,
                variables,
            },
        });
    }

    /// The variables of larger patterns, once the other names are known.
    fn gather_pattern_variables(&mut self, gathered: &mut Gathered<'s>) {
        let mut items = std::mem::take(&mut gathered.items);
        for item in &mut items {
            let ItemKind::Bind {
                pattern, variables, ..
            } = &mut item.kind
            else {
                continue;
            };
            if plain_name(pattern).is_some() {
                continue;
            }
            let defined = |name: &str| gathered.names.contains_key(name);
            for name in self.pattern_variables(pattern, defined) {
                if let Some(local) = self.declare_local(name, false, gathered) {
                    variables.push((&name.text, local));
                }
            }
        }
        gathered.items = items;
    }

    fn gather_imports(
        &mut self,
        names: &'s [Ident],
        kind: ImportKind,
        gathered: &mut Gathered<'s>,
    ) {
        for name in names {
            let entity = match self.import(name, kind) {
                Some(builtin) => Entity::Builtin(builtin),
                None => Entity::Missing,
            };
            let known = gathered.names.get(name.text.as_str());
            if known.is_none_or(|named| named.entity != entity) {
                self.enter_local(name, entity, false, gathered);
            }
        }
    }

    fn declare_local(
        &mut self,
        name: &'s Ident,
        clauses: bool,
        gathered: &mut Gathered<'s>,
    ) -> Option<LocalId> {
        let local = self.new_local(&name.text, name.span);
        self.enter_local(name, Entity::Local(local), clauses, gathered)
            .then_some(local)
    }

    /// Gives a name its meaning in this `let`, unless it has one.
    fn enter_local(
        &mut self,
        name: &'s Ident,
        entity: Entity,
        clauses: bool,
        gathered: &mut Gathered<'s>,
    ) -> bool {
        if let Some(known) = gathered.names.get(name.text.as_str()) {
            let diagnostic = clash(name, known.span, clauses && known.clauses);
            self.report(diagnostic);
            return false;
        }
        let span = name.span;
        let named = Named {
            entity,
            span,
            clauses,
        };
        gathered.names.insert(&name.text, named);
        gathered.order.push((&name.text, entity));
        true
    }

    fn local_annotations(&mut self, gathered: &Gathered<'s>) -> AHashMap<LocalId, hir::TypeScheme> {
        let mut annotations = AHashMap::new();
        let mut places: AHashMap<LocalId, Span> = AHashMap::new();
        for &(names, scheme) in &gathered.annotations {
            let scheme = self.type_scheme(scheme);
            for name in names {
                let named = gathered.names.get(name.text.as_str());
                let Some(Entity::Local(local)) = named.map(|named| named.entity) else {
                    self.report(messages::annotation_alone(name));
                    continue;
                };
                if let Some(&first) = places.get(&local) {
                    self.report(messages::second_annotation(name, first));
                    continue;
                }
                places.insert(local, name.span);
                annotations.insert(local, scheme.clone());
            }
        }
        annotations
    }

    /// How time passes in each section; a duration that is not a name becomes a definition.
    fn local_timings(
        &mut self,
        sections: &[LocalSection<'s>],
        definitions: &mut Vec<LocalDefinition>,
    ) -> Vec<Rc<Timing>> {
        let around = self.timing.clone();
        let mut timings: Vec<Rc<Timing>> = Vec::with_capacity(sections.len());
        for section in sections {
            self.timing = match section.outer {
                Some(outer) => Some(Rc::clone(&timings[outer])),
                None => around.clone(),
            };
            let duration = section
                .duration
                .map(|duration| self.local_duration(duration, definitions));
            timings.push(Rc::new(Timing {
                tock: self.find_tock(section.span),
                duration,
            }));
        }
        self.timing = around;
        timings
    }

    fn local_duration(
        &mut self,
        duration: &'s Expr,
        definitions: &mut Vec<LocalDefinition>,
    ) -> hir::Expr {
        let value = self.expr(duration);
        if matches!(value.kind, ExprKind::Var(_) | ExprKind::Error) {
            return value;
        }
        let span = value.span;
        let variable = Var::Local(self.new_local("Timed", span));
        let kind = PatternKind::Variable(variable);
        let pattern = hir::Pattern { kind, span };
        definitions.push(LocalDefinition::Bind {
            binding: hir::Binding { pattern, value },
            annotations: Vec::new(),
        });
        hir::Expr {
            kind: ExprKind::Var(variable),
            span,
        }
    }

    fn local_definition(
        &mut self,
        item: ItemKind<'s>,
        annotations: &mut AHashMap<LocalId, hir::TypeScheme>,
    ) -> LocalDefinition {
        match item {
            ItemKind::Function { local, clauses } => {
                let name = self.program.locals[local.0 as usize].name.clone();
                LocalDefinition::Function {
                    variable: local,
                    function: self.function(name, clauses),
                    annotation: annotations.remove(&local),
                }
            }
            ItemKind::Bind {
                pattern,
                value,
                variables,
            } => {
                let annotations = variables
                    .iter()
                    .filter_map(|(_, local)| Some((*local, annotations.remove(local)?)))
                    .collect();
                let variables = variables
                    .into_iter()
                    .map(|(name, local)| (name, Var::Local(local)))
                    .collect();
                let value = self.expr(value);
                let pattern = self.pattern(pattern, &mut Binders::of_definition(variables));
                LocalDefinition::Bind {
                    binding: hir::Binding { pattern, value },
                    annotations,
                }
            }
        }
    }
}
