//! Functions, lambdas and `let`.
//!
//! The definitions of a `let` are split into strongly connected components. A constant that
//! does not depend on itself becomes a thunk, or is evaluated at once if the body is certain to need
//! it; everything else becomes a group.

use std::rc::Rc;

use ahash::{AHashMap, AHashSet};
use csp_grammar::Span;

use super::{GroupScope, Key, Lower, Scope};
use crate::evaluate::code::{
    ClauseCode, CodeId, FunctionCode, FunctionId, GroupCode, GroupId, LetCode, LetStep, MemberCode,
    Node, Pattern, UnitId, index,
};
use crate::evaluate::components::{Component, strong_components};
use crate::evaluate::walk::{bound_by, locals_of};
use crate::hir::{self, Expr, Function, LocalDefinition, LocalId, PatternKind, Var};

/// A definition of a `let` after pattern bindings have been split.
enum Definition<'a> {
    Constant(&'a Expr),
    Function(&'a Function),
    /// A variable of the pattern whose value is in the hidden constant.
    Part(LocalId, &'a hir::Pattern),
}

impl Lower<'_> {
    /// The body of a function, inside its unit: parameters take the first slots.
    pub(super) fn clauses(&mut self, function: &Function) -> CodeId {
        let arity: usize = function.arities.iter().sum();
        self.top().next = index(arity);
        self.clauses_with_parameters(function)
    }

    fn clauses_with_parameters(&mut self, function: &Function) -> CodeId {
        let span = function.clauses.first().map_or(Span::default(), |c| c.span);
        let codes: Vec<ClauseCode> = function
            .clauses
            .iter()
            .map(|clause| {
                let parameters: Vec<&hir::Pattern> = clause.parameters.iter().flatten().collect();
                self.clause(&parameters, &clause.body)
            })
            .collect();
        if let [only] = codes.as_slice()
            && only.tests.is_empty()
        {
            return only.body;
        }
        self.code.clauses.push(codes.into());
        let clauses = Node::Clauses(index(self.code.clauses.len() - 1));
        self.push(clauses, span)
    }

    fn clause(&mut self, parameters: &[&hir::Pattern], body: &Expr) -> ClauseCode {
        let mut tests = Vec::new();
        for (i, pattern) in parameters.iter().enumerate() {
            let slot = index(i);
            match &pattern.kind {
                PatternKind::Variable(Var::Local(local)) => {
                    self.top().slots.insert(Key::Local(*local), slot);
                }
                _ => match self.pattern(pattern) {
                    Pattern::Skip => {}
                    compiled => tests.push((slot, compiled)),
                },
            }
        }
        ClauseCode {
            tests: tests.into(),
            body: self.expr(body),
        }
    }

    pub(super) fn lambda(&mut self, parameters: &[hir::Pattern], body: &Expr, span: Span) -> Node {
        let arity = index(parameters.len());
        let unit = self.unit(|l| {
            l.top().next = arity;
            let parameters: Vec<&hir::Pattern> = parameters.iter().collect();
            let clause = l.clause(&parameters, body);
            if clause.tests.is_empty() {
                return clause.body;
            }
            l.code.clauses.push(Rc::new([clause]));
            l.push(Node::Clauses(index(l.code.clauses.len() - 1)), span)
        });
        let function = self.add_function("\\", &[parameters.len()], false, span);
        self.code.define(function, unit);
        Node::Lambda(function)
    }

    fn add_function(
        &mut self,
        name: &str,
        arities: &[usize],
        in_group: bool,
        span: Span,
    ) -> FunctionId {
        let arities: Rc<[u32]> = arities.iter().map(|&a| index(a)).collect();
        self.code.functions.push(FunctionCode {
            name: name.into(),
            arity: arities.iter().sum(),
            arities,
            unit: UnitId(0),
            slots: 0,
            body: CodeId(0),
            in_group,
            memo: false,
            span,
        });
        FunctionId(index(self.code.functions.len() - 1))
    }

    pub(super) fn let_in(
        &mut self,
        definitions: &[LocalDefinition],
        body: &Expr,
        span: Span,
    ) -> CodeId {
        let definitions = self.split(definitions);
        let components = components(&definitions);
        let needed = self.facts.needed(body);
        let mut steps = Vec::new();
        for component in components {
            if let [only] = component.members.as_slice()
                && !component.recursive
                && !matches!(definitions[*only].1, Definition::Function(_))
            {
                let (local, definition) = &definitions[*only];
                let code = match definition {
                    Definition::Constant(expr) if needed.contains(*local) => self.expr(expr),
                    Definition::Constant(expr) => self.lazy(expr),
                    Definition::Part(hidden, pattern) => self.lazy_part(*hidden, pattern, *local),
                    Definition::Function(_) => unreachable!("functions were sorted out above"),
                };
                let slot = self.bind(Key::Local(*local));
                steps.push(LetStep::Bind(slot, code));
            } else {
                let members: Vec<_> = component.members.iter().map(|&i| &definitions[i]).collect();
                if self.lift(&members) {
                    continue;
                }
                let id = self.group(&members);
                let slot = self.top().slots[&Key::Group(id)];
                steps.push(LetStep::Group(slot, id));
            }
        }
        let body = self.expr(body);
        self.code.lets.push(Rc::new(LetCode {
            steps: steps.into(),
            body,
        }));
        let node = Node::Let(index(self.code.lets.len() - 1));
        self.push(node, span)
    }

    fn split<'e>(&mut self, definitions: &'e [LocalDefinition]) -> Vec<(LocalId, Definition<'e>)> {
        let mut out = Vec::new();
        for definition in definitions {
            match definition {
                LocalDefinition::Function {
                    variable, function, ..
                } => out.push((*variable, Definition::Function(function))),
                LocalDefinition::Bind { binding, .. } => match binding.pattern.kind {
                    PatternKind::Variable(Var::Local(local)) => {
                        out.push((local, Definition::Constant(&binding.value)));
                    }
                    _ => {
                        self.hidden -= 1;
                        let hidden = LocalId(self.hidden);
                        out.push((hidden, Definition::Constant(&binding.value)));
                        let mut variables = Vec::new();
                        bound_by(&binding.pattern, &mut variables);
                        for variable in variables {
                            if let Var::Local(local) = variable {
                                out.push((local, Definition::Part(hidden, &binding.pattern)));
                            }
                        }
                    }
                },
            }
        }
        out
    }

    fn lazy_part(&mut self, hidden: LocalId, pattern: &hir::Pattern, local: LocalId) -> CodeId {
        let unit = self.unit(|l| l.part(hidden, pattern, local));
        self.push(Node::Delay(unit), pattern.span)
    }

    fn part(&mut self, hidden: LocalId, pattern: &hir::Pattern, local: LocalId) -> CodeId {
        let node = self.variable(Var::Local(hidden));
        let source = self.push(node, pattern.span);
        self.projection(source, pattern, Var::Local(local))
    }

    /// Makes functions that use no variables from outside into functions of the script.
    fn lift(&mut self, members: &[&(LocalId, Definition<'_>)]) -> bool {
        let mut functions = Vec::new();
        let mut used = AHashSet::new();
        for (local, definition) in members {
            let Definition::Function(function) = definition else {
                return false;
            };
            for clause in &function.clauses {
                locals_of(&clause.body, &mut used);
            }
            functions.push((*local, *function));
        }
        // What is not bound yet is one of the functions, or bound inside them.
        let is_outer =
            |local| self.members.contains_key(&local) || self.is_bound(Key::Local(local));
        if used.into_iter().any(is_outer) {
            return false;
        }
        for (local, function) in &functions {
            let span = function.clauses.first().map_or(Span::default(), |c| c.span);
            let name = self.local_name(*local);
            let id = self.add_function(&name, &function.arities, false, span);
            self.lifted.insert(*local, id);
        }
        let scopes = std::mem::take(&mut self.scopes);
        for (local, function) in functions {
            let unit = self.unit(|l| l.clauses(function));
            self.code.define(self.lifted[&local], unit);
        }
        self.scopes = scopes;
        true
    }

    fn group(&mut self, members: &[&(LocalId, Definition<'_>)]) -> GroupId {
        let id = GroupId(index(self.code.groups.len()));
        self.code.groups.push(GroupCode {
            sources: Rc::default(),
            members: Rc::default(),
            names: Rc::default(),
        });
        for (place, (local, _)) in members.iter().enumerate() {
            self.members.insert(*local, (id, index(place)));
        }
        self.bind(Key::Group(id));
        self.scopes.push(Scope::Group(GroupScope::default()));
        let codes: Rc<[MemberCode]> = members
            .iter()
            .map(|(local, definition)| self.member(id, *local, definition))
            .collect();
        let Some(Scope::Group(scope)) = self.scopes.pop() else {
            unreachable!("scopes are pushed and popped in pairs")
        };
        self.code.groups[id.0 as usize] = GroupCode {
            sources: scope.sources.into(),
            members: codes,
            names: members.iter().map(|(l, _)| self.local_name(*l)).collect(),
        };
        id
    }

    fn local_name(&self, local: LocalId) -> Rc<str> {
        let name = self.facts.local_names.get(local.0 as usize);
        name.map_or_else(|| "_".into(), Rc::clone)
    }

    /// A member runs in a frame that holds its parameters, then the group.
    fn member(&mut self, id: GroupId, local: LocalId, definition: &Definition<'_>) -> MemberCode {
        match definition {
            Definition::Constant(expr) => MemberCode::Constant(self.unit(|l| {
                l.bind(Key::Group(id));
                l.expr(expr)
            })),
            Definition::Part(hidden, pattern) => MemberCode::Constant(self.unit(|l| {
                l.bind(Key::Group(id));
                l.part(*hidden, pattern, local)
            })),
            Definition::Function(function) => {
                let arity: usize = function.arities.iter().sum();
                let span = function.clauses.first().map_or(Span::default(), |c| c.span);
                let unit = self.unit(|l| {
                    l.top().next = index(arity);
                    l.bind(Key::Group(id));
                    l.clauses_with_parameters(function)
                });
                let name = self.local_name(local);
                let id = self.add_function(&name, &function.arities, true, span);
                self.code.define(id, unit);
                MemberCode::Function(id)
            }
        }
    }
}

/// Which definitions need one another, those depended on first.
fn components(definitions: &[(LocalId, Definition<'_>)]) -> Vec<Component> {
    let places: AHashMap<LocalId, usize> = definitions
        .iter()
        .enumerate()
        .map(|(i, (local, _))| (*local, i))
        .collect();
    let uses: Vec<Vec<usize>> = definitions
        .iter()
        .map(|(_, definition)| {
            let mut found = AHashSet::new();
            match definition {
                Definition::Constant(expr) => locals_of(expr, &mut found),
                Definition::Function(function) => {
                    for clause in &function.clauses {
                        locals_of(&clause.body, &mut found);
                    }
                }
                Definition::Part(hidden, _) => {
                    found.insert(*hidden);
                }
            }
            let mut used: Vec<usize> = found
                .iter()
                .filter_map(|l| places.get(l).copied())
                .collect();
            used.sort_unstable();
            used
        })
        .collect();
    strong_components(&uses)
}
