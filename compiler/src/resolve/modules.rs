//! Modules and their instances. A module without parameters is a space of its own; an instance is
//! a fresh copy of a module's declarations in a new space, with the arguments as constants in it.
//!
//! Instances are expanded when first looked into, or at the end of collecting. A space knows the
//! module it is a copy of (its *origin*, the place of the module's name) and the space that asked
//! for it (its *site*); a module that contains itself meets its own origin on the way out.

use ahash::{AHashMap, AHashSet};
use csp_grammar::Span;
use csp_grammar::syntax::{Decl, Expr, Ident, Pattern, QName};

use super::collect::{Into, Job, Pending, PendingBinding, Work, error_expr};
use super::patterns::plain_name;
use super::scope::{Entity, InstanceId, Space, SpaceId, TemplateId};
use super::timed::SectionId;
use super::{Resolver, messages};
use crate::hir::GlobalKind;

/// Instances of instances multiply; a script that asks for more than this has gone wrong.
const MAXIMUM_INSTANCES: usize = 100_000;

/// Copied definitions are limited too, since the modules may be large.
const MAXIMUM_DEFINITIONS: usize = 1_000_000;

/// A module as written, in the space where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template<'s> {
    pub(super) name: &'s Ident,
    pub(super) parameters: &'s [Pattern],
    pub(super) private: &'s [Decl],
    pub(super) exported: &'s [Decl],
    pub(super) parent: SpaceId,
    /// The Timed section around it.
    pub(super) section: Option<SectionId>,
}

/// An `instance` declaration in the space where it stands.
#[derive(Clone, Debug)]
pub(super) struct Instance<'s> {
    pub(super) name: &'s Ident,
    pub(super) module: &'s QName,
    pub(super) arguments: &'s [Expr],
    pub(super) span: Span,
    pub(super) site: SpaceId,
    pub(super) section: Option<SectionId>,
    pub(super) state: InstanceState,
}

/// What a parameter of a copy stands for; no value if nothing instantiates the module.
#[derive(Clone, Copy, Debug)]
struct Argument<'s> {
    value: Option<&'s Expr>,
    space: SpaceId,
    section: Option<SectionId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstanceState {
    Waiting,
    Running,
    Done(Option<SpaceId>),
}

impl<'s> Resolver<'s> {
    pub(super) fn add_template(&mut self, template: Template<'s>) -> TemplateId {
        self.templates.push(template);
        TemplateId(
            u32::try_from(self.templates.len() - 1).expect("the number of copies is limited"),
        )
    }

    /// Collects a module without parameters where it stands.
    pub(super) fn collect_module(&mut self, id: TemplateId, into: Into) {
        let template = self.templates[id.0 as usize];
        let space = self.add_space(id, template.name, into.space, false);
        self.set_entity(into.space, &template.name.text, Entity::Module(space));
        let pending = self.collect_body(template, space);
        self.collect_pending(pending);
    }

    fn add_space(
        &mut self,
        id: TemplateId,
        name: &Ident,
        site: SpaceId,
        is_instance: bool,
    ) -> SpaceId {
        let template = self.templates[id.0 as usize];
        let path = format!("{}{}::", self.program.scopes.get(site).path, name.text);
        self.program.scopes.add(Space {
            path,
            parent: Some(template.parent),
            site: Some(site),
            origin: Some(template.name.span),
            template: Some(id),
            is_instance,
            names: AHashMap::new(),
        })
    }

    fn collect_body(&mut self, template: Template<'s>, space: SpaceId) -> Pending<'s> {
        let mut pending = Pending::default();
        let section = template.section;
        for (decls, exported) in [(template.private, false), (template.exported, true)] {
            let into = Into {
                space,
                exported,
                section,
            };
            self.collect(decls, into, &mut pending);
        }
        pending
    }

    fn set_entity(&mut self, space: SpaceId, name: &str, entity: Entity) {
        let names = &mut self.program.scopes.get_mut(space).names;
        let entry = names.get_mut(name).expect("the name was entered before");
        entry.entity = entity;
    }

    /// Expands all instances, also those that come up on the way.
    pub(super) fn expand_instances(&mut self) {
        while self.expanded < self.instances.len() {
            self.expand(InstanceId(
                u32::try_from(self.expanded).expect("the number of instances is limited"),
            ));
            self.expanded += 1;
        }
    }

    /// The space of an instance, or nothing after a diagnostic.
    pub(super) fn expand(&mut self, id: InstanceId) -> Option<SpaceId> {
        let instance = self.instances[id.0 as usize].clone();
        match instance.state {
            InstanceState::Done(space) => return space,
            InstanceState::Running => {
                let span = instance.module.span;
                self.report(messages::instance_of_itself(span, &instance.name.text));
                return None;
            }
            InstanceState::Waiting => {}
        }
        self.instances[id.0 as usize].state = InstanceState::Running;
        let space = self
            .find_template(&instance)
            .and_then(|template| self.instantiate(template, &instance));
        self.instances[id.0 as usize].state = InstanceState::Done(space);
        let entity = space.map_or(Entity::Missing, Entity::Module);
        self.set_entity(instance.site, &instance.name.text, entity);
        space
    }

    /// The module that an instance is a copy of.
    fn find_template(&mut self, instance: &Instance<'s>) -> Option<TemplateId> {
        let found = self.at(instance.site, None, |this| {
            this.module_entity(instance.module)
        });
        match found {
            Entity::Template(template) => Some(template),
            Entity::Module(space) if !self.program.scopes.get(space).is_instance => {
                self.program.scopes.get(space).template
            }
            Entity::Missing => None,
            _ => {
                let text = messages::written(instance.module);
                let span = instance.module.span;
                self.report(messages::not_a_module(&Ident { text, span }));
                None
            }
        }
    }

    fn instantiate(&mut self, id: TemplateId, instance: &Instance<'s>) -> Option<SpaceId> {
        let template = self.templates[id.0 as usize];
        let (expected, found) = (template.parameters.len(), instance.arguments.len());
        if expected != found {
            let span = instance.span;
            self.report(messages::instance_arity(
                span,
                template.name,
                expected,
                found,
            ));
            return None;
        }
        if self.surrounds(instance.site, template.name.span) {
            let span = instance.module.span;
            let declared = Some(template.name.span);
            let name = &template.name.text;
            self.report(messages::module_in_itself(span, name, declared));
            return None;
        }
        if self.is_too_much(instance.span) {
            return None;
        }
        let space = self.add_space(id, instance.name, instance.site, true);
        let mut pending = Pending::default();
        for (pattern, value) in template.parameters.iter().zip(instance.arguments) {
            let argument = Argument {
                value: Some(value),
                space: instance.site,
                section: instance.section,
            };
            self.collect_parameter(pattern, argument, space, &mut pending);
        }
        self.finish_copy(template, space, pending);
        Some(space)
    }

    /// Whether a limit has been reached, with a diagnostic the first time.
    fn is_too_much(&mut self, span: Span) -> bool {
        let limit = if self.instances.len() > MAXIMUM_INSTANCES {
            MAXIMUM_INSTANCES
        } else if self.program.globals.len() > MAXIMUM_DEFINITIONS {
            MAXIMUM_DEFINITIONS
        } else {
            return false;
        };
        if !self.gave_up {
            self.gave_up = true;
            self.report(messages::too_many_instances(span, limit));
        }
        true
    }

    fn finish_copy(&mut self, template: Template<'s>, space: SpaceId, parameters: Pending<'s>) {
        self.instantiated.insert(template.name.span);
        let mut pending = self.collect_body(template, space);
        pending.bindings.splice(0..0, parameters.bindings);
        self.collect_pending(pending);
    }

    /// A parameter is a private constant whose value is resolved where the instance stands.
    fn collect_parameter(
        &mut self,
        pattern: &'s Pattern,
        argument: Argument<'s>,
        space: SpaceId,
        pending: &mut Pending<'s>,
    ) {
        let into = Into {
            space,
            exported: false,
            section: None,
        };
        let Some(name) = plain_name(pattern) else {
            pending.bindings.push(PendingBinding {
                pattern,
                value: argument.value,
                into,
                value_space: argument.space,
                value_section: argument.section,
            });
            return;
        };
        let kind = GlobalKind::Value(error_expr(pattern.span));
        if let Some(global) = self.define(into, name, kind)
            && let Some(value) = argument.value
        {
            self.jobs.push(Job {
                space: argument.space,
                section: argument.section,
                work: Work::Value { global, value },
            });
        }
    }

    /// Whether a space, or one that contains or asked for it, is a copy of the module.
    fn surrounds(&self, from: SpaceId, origin: Span) -> bool {
        let mut seen = AHashSet::new();
        let mut waiting = vec![from];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let space = self.program.scopes.get(id);
            if space.origin == Some(origin) {
                return true;
            }
            waiting.extend(space.parent);
            waiting.extend(space.site);
        }
        false
    }

    /// Whether a space is an instance of a module in whose text we are.
    pub(super) fn is_copy_of_surroundings(&self, space: SpaceId) -> bool {
        let scopes = &self.program.scopes;
        let target = scopes.get(space);
        target.is_instance
            && scopes
                .around(self.space)
                .any(|around| scopes.get(around).origin == target.origin)
    }

    /// The name of the module that a space is a copy of, where it is declared.
    pub(super) fn template_name(&self, space: SpaceId) -> Option<Ident> {
        let template = self.program.scopes.get(space).template?;
        Some(self.templates.get(template.0 as usize)?.name.clone())
    }

    /// Looks for errors in modules that nothing instantiates: each is copied once, its parameters
    /// without values, and the copies are dropped again.
    pub(super) fn check_unused_modules(&mut self) {
        let globals = self.program.globals.len();
        let locals = self.program.locals.len();
        let bindings = self.program.bindings.len();
        let spaces = self.program.scopes.spaces.len();
        self.lasting_spaces = spaces;
        let mut next = 0;
        while next < self.templates.len() {
            let template = self.templates[next];
            let id = TemplateId(u32::try_from(next).expect("the number of copies is limited"));
            next += 1;
            if template.parameters.is_empty() || self.instantiated.contains(&template.name.span) {
                continue;
            }
            self.copy_without_arguments(id, template);
            self.expand_instances();
            self.run_jobs();
        }
        self.program.globals.truncate(globals);
        self.program.locals.truncate(locals);
        self.program.bindings.truncate(bindings);
        self.program.scopes.spaces.truncate(spaces);
    }

    fn copy_without_arguments(&mut self, id: TemplateId, template: Template<'s>) {
        let space = self.add_space(id, template.name, template.parent, true);
        let mut pending = Pending::default();
        for pattern in template.parameters {
            let argument = Argument {
                value: None,
                space: template.parent,
                section: None,
            };
            self.collect_parameter(pattern, argument, space, &mut pending);
        }
        self.finish_copy(template, space, pending);
    }
}
