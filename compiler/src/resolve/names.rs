//! Finding what a name stands for, and saying what is wrong when it stands for nothing.

use ahash::AHashMap;
use csp_grammar::syntax::{Decl, DeclKind, Ident, PatternKind, QName};
use csp_grammar::{Diagnostic, Span};

use super::Resolver;
use super::imports::modern_name;
use super::messages;
use super::scope::{Entity, SpaceId};
use super::spelling::{did_you_mean, nearest};
use crate::hir::{Builtin, Import, Var};

/// Where a name that is not in scope is defined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Elsewhere {
    /// As `M::x`.
    Exported(String),
    /// In the private part of this module.
    Private(String),
    /// In this module, which has parameters.
    Parameterised(String),
}

impl Resolver<'_> {
    /// The value a name stands for, or nothing after a diagnostic.
    pub(super) fn value_name(&mut self, name: &QName) -> Option<Var> {
        match self.entity(name) {
            Entity::Global(id) => Some(Var::Global(id)),
            Entity::Local(id) => Some(Var::Local(id)),
            Entity::Builtin(builtin) => Some(Var::Builtin(builtin)),
            Entity::Missing => None,
            Entity::Module(_) | Entity::Template(_) | Entity::Instance(_) => {
                let text = messages::written(name);
                self.report(messages::module_as_value(name.span, &text));
                None
            }
        }
    }

    /// What a name stands for; [`Entity::Missing`] after a diagnostic.
    pub(super) fn entity(&mut self, name: &QName) -> Entity {
        self.find(name).unwrap_or_else(|diagnostic| {
            self.report(*diagnostic);
            Entity::Missing
        })
    }

    /// The module a name stands for, whatever else has that name.
    pub(super) fn module_entity(&mut self, name: &QName) -> Entity {
        self.find_qualified(name).unwrap_or_else(|diagnostic| {
            self.report(*diagnostic);
            Entity::Missing
        })
    }

    /// What a name stands for in an expression.
    fn find(&mut self, name: &QName) -> Result<Entity, Box<Diagnostic>> {
        let [only] = name.parts.as_slice() else {
            return self.find_qualified(name);
        };
        if let Some(entity) = self.lookup(&only.text) {
            return Ok(entity);
        }
        let Some(&builtin) = self.builtins.get(only.text.as_str()) else {
            return Err(Box::new(self.unknown(only)));
        };
        match builtin.import() {
            Import::Always => Ok(Entity::Builtin(builtin)),
            Import::Timed if self.timing.is_some() => Ok(Entity::Builtin(builtin)),
            Import::Timed => Err(Box::new(messages::only_timed(name.span, builtin))),
            _ if self.imports_everything => Ok(Entity::Builtin(builtin)),
            _ => Err(Box::new(messages::not_imported(name.span, builtin))),
        }
    }

    /// What an unqualified name stands for, built-ins that were not imported aside.
    pub(super) fn lookup(&self, name: &str) -> Option<Entity> {
        self.variables.lookup(name).or_else(|| {
            self.program
                .scopes
                .lookup(self.space, name)
                .map(|entry| entry.entity)
        })
    }

    /// The built-in that an unqualified name means when nothing of the script hides it.
    pub(super) fn unhidden_builtin(&self, name: &str) -> Option<Builtin> {
        match self.lookup(name) {
            Some(Entity::Builtin(builtin)) => Some(builtin),
            Some(_) => None,
            None => self.builtins.get(name).copied(),
        }
    }

    /// Follows `M::N::x` from the module `M` that is nearest in scope.
    fn find_qualified(&mut self, name: &QName) -> Result<Entity, Box<Diagnostic>> {
        let (head, rest) = name
            .parts
            .split_first()
            .expect("the grammar gives names at least one part");
        let found = self
            .program
            .scopes
            .lookup_module(self.space, &head.text)
            .map(|entry| entry.entity);
        let Some(mut entity) = found else {
            return Err(Box::new(match self.lookup(&head.text) {
                Some(_) => messages::not_a_module(head),
                None => self.unknown_module(head),
            }));
        };
        let mut module = head.text.clone();
        for part in rest {
            let Some(space) = self.enter(entity, part, &module)? else {
                return Ok(Entity::Missing);
            };
            entity = self.member(space, part, &module)?;
            module = format!("{module}::{}", part.text);
        }
        Ok(entity)
    }

    /// The space behind `M::`, or nothing if it failed to expand.
    fn enter(
        &mut self,
        entity: Entity,
        part: &Ident,
        module: &str,
    ) -> Result<Option<SpaceId>, Box<Diagnostic>> {
        let space = match entity {
            Entity::Module(space) => Some(space),
            Entity::Instance(instance) => self.expand(instance),
            Entity::Template(_) => {
                return Err(Box::new(messages::needs_instance(part, module)));
            }
            Entity::Missing => None,
            Entity::Global(_) | Entity::Local(_) | Entity::Builtin(_) => {
                let span = part.span;
                let text = module.to_owned();
                return Err(Box::new(messages::not_a_module(&Ident { text, span })));
            }
        };
        if let Some(space) = space
            && self.is_copy_of_surroundings(space)
        {
            let template = self.template_name(space);
            return Err(Box::new(messages::module_in_itself(
                part.span,
                template.as_ref().map_or(module, |name| &name.text),
                template.as_ref().map(|name| name.span),
            )));
        }
        Ok(space)
    }

    /// An exported name of a module; inside the module, a private one too.
    fn member(
        &mut self,
        space: SpaceId,
        part: &Ident,
        module: &str,
    ) -> Result<Entity, Box<Diagnostic>> {
        let names = &self.program.scopes.get(space).names;
        match names.get(&part.text) {
            None => {
                let patient = self.spelling_patience > 0;
                self.spelling_patience = self.spelling_patience.saturating_sub(1);
                let candidates = patient.then_some(names).into_iter().flatten();
                let exported = candidates
                    .filter(|(_, entry)| entry.exported)
                    .map(|(name, _)| name.as_str());
                let near = nearest(&part.text, exported);
                Err(Box::new(messages::unknown_member(part, module, &near)))
            }
            Some(entry) if entry.exported => Ok(entry.entity),
            Some(entry) if self.program.scopes.around(self.space).any(|s| s == space) => {
                Ok(entry.entity)
            }
            Some(entry) => Err(Box::new(messages::private(part, module, entry.span))),
        }
    }

    fn unknown_module(&mut self, head: &Ident) -> Diagnostic {
        let patient = self.spelling_patience > 0;
        self.spelling_patience = self.spelling_patience.saturating_sub(1);
        let scopes = &self.program.scopes;
        let modules = scopes
            .around(self.space)
            .filter(|_| patient)
            .flat_map(|space| {
                scopes.get(space).names.iter().filter_map(|(name, entry)| {
                    matches!(
                        entry.entity,
                        Entity::Module(_) | Entity::Template(_) | Entity::Instance(_)
                    )
                    .then_some(name.as_str())
                })
            });
        let near = nearest(&head.text, modules);
        messages::unknown_name(head.span, &head.text, did_you_mean(&near))
    }

    /// The error for a name that is not in scope, with the best hint there is.
    fn unknown(&mut self, name: &Ident) -> Diagnostic {
        let help = self.hint(&name.text);
        messages::unknown_name(name.span, &name.text, help)
    }

    fn hint(&mut self, name: &str) -> Option<String> {
        if name == "String" {
            return Some(messages::NO_STRINGS.to_owned());
        }
        if let Some(builtin) = modern_name(name) {
            return Some(format!(
                "it is called `{0}` here: add the line `transparent {0}`",
                builtin.name()
            ));
        }
        if self.elsewhere.is_none() {
            self.elsewhere = Some(self.names_elsewhere());
        }
        match self.elsewhere.as_ref().and_then(|names| names.get(name)) {
            Some(Elsewhere::Exported(path)) => return Some(format!("did you mean `{path}`?")),
            Some(Elsewhere::Private(module)) => {
                return Some(format!(
                    "the module `{module}` defines `{name}` above its `exports`, so it is private"
                ));
            }
            Some(Elsewhere::Parameterised(module)) => {
                return Some(format!(
                    "the module `{module}` defines `{name}` and has parameters: declare \
                     `instance N = {module}(…)` and write `N::{name}`"
                ));
            }
            None => {}
        }
        self.spelling_patience = self.spelling_patience.checked_sub(1)?;
        did_you_mean(&nearest(name, self.names_in_scope()))
    }

    fn names_in_scope(&self) -> impl Iterator<Item = &str> {
        let scopes = &self.program.scopes;
        let timed = self.timing.is_some();
        self.variables
            .names()
            .chain(
                scopes
                    .around(self.space)
                    .flat_map(|space| scopes.get(space).names.keys().map(String::as_str)),
            )
            .chain(
                Builtin::ALL
                    .iter()
                    .filter(move |builtin| timed || builtin.import() != Import::Timed)
                    .map(|builtin| builtin.name()),
            )
    }

    /// All names of modules by their last part; of several, the most useful one.
    fn names_elsewhere(&self) -> AHashMap<String, Elsewhere> {
        let mut names: AHashMap<String, Elsewhere> = AHashMap::new();
        let mut note = |name: &str, place: Elsewhere| match names.get_mut(name) {
            Some(known) if *known <= place => {}
            Some(known) => *known = place,
            None => {
                names.insert(name.to_owned(), place);
            }
        };
        let spaces = &self.program.scopes.spaces;
        for space in spaces.iter().take(self.lasting_spaces).skip(1) {
            for (name, entry) in &space.names {
                note(
                    name,
                    if entry.exported {
                        Elsewhere::Exported(format!("{}{name}", space.path))
                    } else {
                        Elsewhere::Private(space.path.trim_end_matches("::").to_owned())
                    },
                );
            }
        }
        for template in self.templates.iter().filter(|t| !t.parameters.is_empty()) {
            for name in defined_names(template.exported) {
                note(name, Elsewhere::Parameterised(template.name.text.clone()));
            }
        }
        names
    }

    /// Where the name of an entity was defined, if the script did.
    pub(super) fn definition_place(&self, entity: Entity) -> Option<Span> {
        match entity {
            Entity::Global(id) => Some(self.global(id).span),
            Entity::Local(id) => Some(self.program.locals[id.0 as usize].span),
            _ => None,
        }
    }
}

/// The names that declarations define on the face of it.
fn defined_names(decls: &[Decl]) -> Vec<&str> {
    let mut names = Vec::new();
    for decl in decls {
        match &decl.kind {
            DeclKind::Clause { name, .. }
            | DeclKind::Nametype { name, .. }
            | DeclKind::Module { name, .. }
            | DeclKind::Instance { name, .. } => names.push(name.text.as_str()),
            DeclKind::Channel {
                names: channels, ..
            } => {
                names.extend(channels.iter().map(|name| name.text.as_str()));
            }
            DeclKind::Datatype { name, constructors }
            | DeclKind::Subtype { name, constructors } => {
                names.push(&name.text);
                names.extend(
                    constructors
                        .iter()
                        .filter_map(|c| c.name.parts.last())
                        .map(|part| part.text.as_str()),
                );
            }
            DeclKind::Bind { pattern, .. } => {
                if let PatternKind::Name(name) = &pattern.kind
                    && let [only] = name.parts.as_slice()
                {
                    names.push(&only.text);
                }
            }
            DeclKind::Include { decls, .. } | DeclKind::Timed { decls, .. } => {
                names.extend(defined_names(decls));
            }
            _ => {}
        }
    }
    names
}
