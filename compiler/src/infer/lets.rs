//! Definitions of a `let`: in groups as at the top level, but not made general unless annotated.

use super::Inference;
use super::messages::{self, Why};
use super::types::{Node, TypeId};
use crate::groups::groups;
use crate::hir::{LocalDefinition, LocalId, Pattern, PatternKind, TypeScheme, Var};
use crate::uses::uses_of_local;
use ahash::AHashMap;

impl<'p> Inference<'p> {
    /// Definitions of a `let`: as at the top level, but not made general unless annotated.
    pub(super) fn infer_let(&mut self, definitions: &'p [LocalDefinition]) {
        let mut owner: AHashMap<LocalId, usize> = AHashMap::new();
        for (place, definition) in definitions.iter().enumerate() {
            self.declare_local(definition, place, &mut owner);
        }
        if let [only] = definitions {
            self.infer_local(only);
            return;
        }
        let mut edges = Vec::with_capacity(definitions.len());
        for definition in definitions {
            let mut uses = Vec::new();
            uses_of_local(definition, &mut |var, _| {
                if let Var::Local(id) = var {
                    uses.extend(owner.get(&id));
                }
            });
            edges.push(uses);
        }
        for place in groups(&edges).into_iter().flatten() {
            self.infer_local(&definitions[place]);
        }
    }

    fn declare_local(
        &mut self,
        definition: &'p LocalDefinition,
        place: usize,
        owner: &mut AHashMap<LocalId, usize>,
    ) {
        match definition {
            LocalDefinition::Function {
                variable,
                function,
                annotation,
            } => {
                if let Some(annotation) = annotation {
                    self.constraints_of_outer(annotation);
                    let general = self.table.annotated(annotation, &self.names);
                    self.annotated_locals.insert(*variable, general);
                } else {
                    owner.insert(*variable, place);
                    let shape = self.function_shape(function);
                    self.set_local(*variable, shape);
                }
            }
            LocalDefinition::Bind {
                binding,
                annotations,
            } => {
                let mut bound = Vec::new();
                variables_of(&binding.pattern, &mut bound);
                for variable in bound {
                    owner.insert(variable, place);
                    let fresh = self.table.fresh();
                    self.set_local(variable, fresh);
                }
                for (variable, annotation) in annotations {
                    self.constraints_of_outer(annotation);
                    let general = self.table.annotated(annotation, &self.names);
                    self.annotated_locals.insert(*variable, general);
                }
            }
        }
    }

    /// A variable that an annotation further out has introduced has the constraints given there and no
    /// others.
    fn constraints_of_outer(&mut self, annotation: &TypeScheme) {
        for (constraint, name, span) in &annotation.constraints {
            if let Some(&outer) = self.names.get(name)
                && let Node::Rigid(_, held) = self.table.node(outer)
                && !held.imply(*constraint)
            {
                self.diagnostics
                    .push(messages::rigid_constraint(*span, name, *constraint));
            }
        }
    }

    fn set_local(&mut self, variable: LocalId, id: TypeId) {
        let place = variable.0 as usize;
        if place >= self.locals.len() {
            self.locals.resize(place + 1, None);
        }
        self.locals[place] = Some(id);
    }

    fn infer_local(&mut self, definition: &'p LocalDefinition) {
        let outer = self.names.clone();
        match definition {
            LocalDefinition::Function {
                variable,
                function,
                annotation,
            } => match annotation {
                Some(annotation) => {
                    let whole = self
                        .table
                        .rigid(annotation, &mut self.names, &mut self.rigid);
                    let why = Why::Annotation(annotation.body.span);
                    self.infer_function(function, whole, why);
                }
                None => {
                    let whole = self.type_of(Var::Local(*variable));
                    self.infer_function(function, whole, Why::Definition);
                }
            },
            LocalDefinition::Bind {
                binding,
                annotations,
            } => {
                for (variable, annotation) in annotations {
                    let known = self
                        .table
                        .rigid(annotation, &mut self.names, &mut self.rigid);
                    self.set_local(*variable, known);
                }
                self.infer_binding(binding);
            }
        }
        self.names = outer;
    }
}

/// The local variables a pattern binds.
fn variables_of(pattern: &Pattern, into: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Variable(Var::Local(id)) => into.push(*id),
        PatternKind::Tuple(items) | PatternKind::Dot(items) => {
            items.iter().for_each(|p| variables_of(p, into));
        }
        PatternKind::Sequence { front, rest, back } => {
            let all = front.iter().chain(rest.as_deref()).chain(back);
            all.for_each(|p| variables_of(p, into));
        }
        PatternKind::SingletonSet(item) => variables_of(item, into),
        PatternKind::Both(left, right) => {
            variables_of(left, into);
            variables_of(right, into);
        }
        _ => {}
    }
}
