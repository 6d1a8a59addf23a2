//! Running the jobs: the right-hand sides of definitions, annotations, assertions and prints.

use ahash::AHashMap;
use csp_grammar::Span;
use csp_grammar::syntax::{
    Assertion, Claim, Constructor, Decl, DeclKind, Expr, Ident, Pattern, TypeScheme,
};

use super::collect::{Work, error_expr};
use super::one_line::one_line;
use super::patterns::Binders;
use super::scope::{Entity, SpaceId};
use super::{Resolver, messages};
use crate::hir::{self, Function, GlobalId, GlobalKind, Var};

impl<'s> Resolver<'s> {
    /// Does everything that collecting left to do.
    pub(super) fn run_jobs(&mut self) {
        for job in std::mem::take(&mut self.jobs) {
            self.at(job.space, job.section, |this| this.run(job.work));
        }
        self.check_sections();
    }

    fn run(&mut self, work: Work<'s>) {
        match work {
            Work::Value { global, value } => {
                self.global_mut(global).kind = GlobalKind::Value(error_expr(value.span));
                let value = self.expr(value);
                self.global_mut(global).kind = GlobalKind::Value(value);
            }
            Work::Function { global, clauses } => {
                let name = self.global(global).name.clone();
                let function = self.function(name, clauses);
                self.global_mut(global).kind = GlobalKind::Function(function);
            }
            Work::Binding {
                index,
                pattern,
                pattern_space,
                value,
            } => {
                let value = self.optional(value, pattern.span);
                let pattern = self.at(pattern_space, None, |this| {
                    let variables = this.bound_globals(index, pattern, pattern_space);
                    this.pattern(pattern, &mut Binders::of_definition(variables))
                });
                self.program.bindings[index as usize] = hir::Binding { pattern, value };
            }
            Work::Fields { global, fields } => {
                let resolved = self.expr(fields);
                match &mut self.global_mut(global).kind {
                    GlobalKind::Channel { fields } | GlobalKind::Constructor { fields, .. } => {
                        *fields = Some(resolved);
                    }
                    _ => unreachable!("only channels and constructors have fields"),
                }
            }
            Work::Subtype {
                global,
                constructors,
            } => {
                let kind = self.subtype(global, constructors);
                self.global_mut(global).kind = kind;
            }
            Work::Nametype { global, value } => {
                let value = self.expr(value);
                self.global_mut(global).kind = GlobalKind::Nametype(value);
            }
            Work::Annotation { names, scheme } => self.annotate(names, scheme),
            Work::Assert { assertion, span } => {
                let assertion = self.assertion(assertion, span);
                self.program.assertions.push(assertion);
            }
            Work::Print(expr) => {
                let text = one_line(self.sources.text(expr.span));
                let expr = self.expr(expr);
                self.program.prints.push(hir::Print { expr, text });
            }
        }
    }

    /// The clauses of one function, of a definition or a `let`.
    pub(super) fn function(&mut self, name: String, clauses: &'s [Decl]) -> Function {
        let mut function = Function {
            name,
            arities: Vec::new(),
            clauses: Vec::with_capacity(clauses.len()),
        };
        let mut first: Option<Span> = None;
        for clause in clauses {
            let DeclKind::Clause {
                name,
                parameters,
                body,
            } = &clause.kind
            else {
                unreachable!("a group of clauses holds nothing else");
            };
            let arities: Vec<usize> = parameters.iter().map(Vec::len).collect();
            match first {
                None => {
                    first = Some(name.span);
                    function.arities = arities;
                }
                Some(first) if arities != function.arities => {
                    let expected = &function.arities;
                    self.report(messages::clause_arity(name, first, expected, &arities));
                    continue;
                }
                Some(_) => {}
            }
            let clause = self.clause(parameters, body, clause.span);
            function.clauses.push(clause);
        }
        function
    }

    fn clause(
        &mut self,
        parameters: &'s [Vec<Pattern>],
        body: &'s Expr,
        span: Span,
    ) -> hir::Clause {
        self.scoped(|this| {
            let mut binders = Binders::default();
            let mut lists = Vec::with_capacity(parameters.len());
            for list in parameters {
                let patterns = list.iter().map(|p| this.pattern(p, &mut binders));
                lists.push(patterns.collect());
            }
            this.bind_fresh(&mut binders);
            hir::Clause {
                parameters: lists,
                body: this.expr(body),
                span,
            }
        })
    }

    /// The globals that collecting made for the variables of a binding.
    fn bound_globals(
        &self,
        index: u32,
        pattern: &'s Pattern,
        space: SpaceId,
    ) -> AHashMap<&'s str, Var> {
        let names = &self.program.scopes.get(space).names;
        let mut variables = AHashMap::new();
        for name in self.pattern_variables(pattern, |_| false) {
            if let Some(entry) = names.get(&name.text)
                && let Entity::Global(id) = entry.entity
                && matches!(self.global(id).kind, GlobalKind::Bound(i) if i == index)
            {
                variables.insert(name.text.as_str(), Var::Global(id));
            }
        }
        variables
    }

    fn subtype(&mut self, subtype: GlobalId, constructors: &'s [Constructor]) -> GlobalKind {
        let mut clauses = Vec::with_capacity(constructors.len());
        let mut first: Option<(GlobalId, Span)> = None;
        let mut failed = constructors.is_empty();
        for clause in constructors {
            let fields = clause.fields.as_ref().map(|fields| self.expr(fields));
            let Some((constructor, datatype)) = self.subtype_constructor(clause) else {
                failed = true;
                continue;
            };
            match first {
                None => first = Some((datatype, clause.span)),
                Some((expected, place)) if expected != datatype => {
                    let name = self.global(subtype).name.clone();
                    self.report(messages::mixed_subtype(clause.span, place, &name));
                    failed = true;
                }
                Some(_) => {}
            }
            clauses.push((constructor, fields));
        }
        match first {
            Some((datatype, _)) if !failed => GlobalKind::Subtype { datatype, clauses },
            _ => GlobalKind::Error,
        }
    }

    fn subtype_constructor(&mut self, clause: &'s Constructor) -> Option<(GlobalId, GlobalId)> {
        match self.entity(&clause.name) {
            Entity::Missing => return None,
            Entity::Global(id) => match self.global(id).kind {
                GlobalKind::Constructor { datatype, .. } => return Some((id, datatype)),
                // A constructor whose datatype could not be defined.
                GlobalKind::Error => return None,
                _ => {}
            },
            _ => {}
        }
        self.report(messages::not_in_subtype(clause.name.span, &clause.name));
        None
    }

    fn annotate(&mut self, names: &'s [Ident], scheme: &'s TypeScheme) {
        let scheme = self.type_scheme(scheme);
        for name in names {
            let entry = self.program.scopes.get(self.space).names.get(&name.text);
            let Some(Entity::Global(id)) = entry.map(|entry| entry.entity) else {
                self.report(messages::annotation_alone(name));
                continue;
            };
            if let Some(&first) = self.annotated.get(&id) {
                self.report(messages::second_annotation(name, first));
                continue;
            }
            self.annotated.insert(id, name.span);
            self.global_mut(id).annotation = Some(scheme.clone());
        }
    }

    fn assertion(&mut self, assertion: &'s Assertion, span: Span) -> hir::Assertion {
        let text = one_line(self.sources.text(span));
        let text = text.strip_prefix("assert").unwrap_or(&text).trim_start();
        hir::Assertion {
            text: text.to_owned(),
            span,
            negated: assertion.negated,
            claim: self.claim(&assertion.claim),
            tau_priority: assertion.tau_priority.as_ref().map(|set| self.expr(set)),
            partial_order: assertion.partial_order,
            pragmas: assertion
                .pragmas
                .iter()
                .map(|pragma| (pragma.text.clone(), pragma.span))
                .collect(),
        }
    }

    fn claim(&mut self, claim: &'s Claim) -> hir::Claim {
        match claim {
            Claim::Refines {
                specification,
                model,
                implementation,
            } => hir::Claim::Refines {
                specification: self.expr(specification),
                model: *model,
                implementation: self.expr(implementation),
            },
            Claim::Property {
                process,
                property,
                model,
            } => hir::Claim::Property {
                process: self.expr(process),
                property: *property,
                model: *model,
            },
            Claim::HasTrace {
                process,
                model,
                trace,
            } => hir::Claim::HasTrace {
                process: self.expr(process),
                model: *model,
                trace: self.expr(trace),
            },
        }
    }
}
