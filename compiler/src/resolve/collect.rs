//! Collecting: every declaration of a space gets its names into the table and leaves jobs behind.
//!
//! A pattern such as `(a, B.n) = e` defines the names in it that are not constructors or channels,
//! so such patterns wait until the rest of the space is known, and so do the modules inside it.

use csp_grammar::syntax::{
    Assertion, Constructor, Decl, DeclKind, Expr, Ident, Pattern, TypeScheme,
};
use csp_grammar::{Diagnostic, Span};

use super::imports::ImportKind;
use super::modules::{Instance, InstanceState, Template};
use super::patterns::plain_name;
use super::scope::{Entity, Entry, InstanceId, SpaceId, TemplateId};
use super::timed::{Section, SectionId};
use super::{Define, Resolver, messages, spelling};
use crate::hir::{self, ExprKind, GlobalId, GlobalKind, PatternKind};

/// A right-hand side to be resolved once all names are known.
#[derive(Clone, Debug)]
pub(super) struct Job<'s> {
    /// Where its names are looked up.
    pub(super) space: SpaceId,
    pub(super) section: Option<SectionId>,
    pub(super) work: Work<'s>,
}

/// What there is to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work<'s> {
    Value {
        global: GlobalId,
        value: &'s Expr,
    },
    /// All clauses of one function.
    Function {
        global: GlobalId,
        clauses: &'s [Decl],
    },
    /// The pattern is resolved in the space that gets its variables; of an instance's parameters,
    /// that is another one than the space of the value.
    Binding {
        index: u32,
        pattern: &'s Pattern,
        pattern_space: SpaceId,
        value: Option<&'s Expr>,
    },
    /// The fields of a channel or a constructor.
    Fields {
        global: GlobalId,
        fields: &'s Expr,
    },
    Subtype {
        global: GlobalId,
        constructors: &'s [Constructor],
    },
    Nametype {
        global: GlobalId,
        value: &'s Expr,
    },
    Annotation {
        names: &'s [Ident],
        scheme: &'s TypeScheme,
    },
    Assert {
        assertion: &'s Assertion,
        span: Span,
    },
    Print(&'s Expr),
}

/// A declaration list on its way into a space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Into {
    pub(super) space: SpaceId,
    pub(super) exported: bool,
    pub(super) section: Option<SectionId>,
}

/// What waits until the other names of the space are known.
#[derive(Debug, Default)]
pub(super) struct Pending<'s> {
    pub(super) bindings: Vec<PendingBinding<'s>>,
    modules: Vec<(TemplateId, Into)>,
    /// Names of declarations that could not be read.
    broken: Vec<(&'s Ident, Into)>,
}

/// `pattern = value` before its variables are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingBinding<'s> {
    pub(super) pattern: &'s Pattern,
    pub(super) value: Option<&'s Expr>,
    /// Where the variables go.
    pub(super) into: Into,
    /// Where the value is resolved.
    pub(super) value_space: SpaceId,
    pub(super) value_section: Option<SectionId>,
}

impl<'s> Resolver<'s> {
    /// Collects the top level.
    pub(super) fn collect_script(&mut self, decls: &'s [Decl]) {
        let mut pending = Pending::default();
        let into = Into {
            space: SpaceId::SCRIPT,
            exported: true,
            section: None,
        };
        self.collect(decls, into, &mut pending);
        self.collect_pending(pending);
    }

    /// Collects declarations in order; clauses of one function are taken together.
    pub(super) fn collect(&mut self, decls: &'s [Decl], into: Into, pending: &mut Pending<'s>) {
        let mut rest = decls;
        while let Some(first) = rest.first() {
            let taken = clause_group(rest);
            if taken == 0 {
                self.collect_one(first, into, pending);
                rest = &rest[1..];
            } else {
                self.collect_function(&rest[..taken], into);
                rest = &rest[taken..];
            }
        }
    }

    /// Collects what had to wait.
    pub(super) fn collect_pending(&mut self, pending: Pending<'s>) {
        for binding in pending.bindings {
            self.collect_binding(binding);
        }
        for (template, into) in pending.modules {
            self.collect_module(template, into);
        }
        for (name, into) in pending.broken {
            // Another declaration of the same name, such as a clause that could be read, counts more.
            if !self
                .program
                .scopes
                .get(into.space)
                .names
                .contains_key(&name.text)
            {
                self.enter_name(into, name, Entity::Missing, false);
            }
        }
    }

    fn collect_one(&mut self, decl: &'s Decl, into: Into, pending: &mut Pending<'s>) {
        match &decl.kind {
            DeclKind::Bind { pattern, value } => match plain_name(pattern) {
                Some(name) => self.collect_constant(name, value, into),
                None => pending.bindings.push(PendingBinding {
                    pattern,
                    value: Some(value),
                    into,
                    value_space: into.space,
                    value_section: into.section,
                }),
            },
            DeclKind::Clause { .. } => unreachable!("clauses are collected in groups"),
            DeclKind::Annotation { names, scheme } => {
                self.job(into, Work::Annotation { names, scheme });
            }
            DeclKind::Channel { names, fields } => {
                self.collect_channels(names, fields.as_ref(), into);
            }
            DeclKind::Datatype { name, constructors } => {
                self.collect_datatype(name, constructors, into);
            }
            DeclKind::Subtype { name, constructors } => {
                if let Some(global) = self.define(into, name, GlobalKind::Error) {
                    // Until its clauses are known, it is at least known to be a subtype.
                    self.global_mut(global).kind = GlobalKind::Subtype {
                        datatype: global,
                        clauses: Vec::new(),
                    };
                    let work = Work::Subtype {
                        global,
                        constructors,
                    };
                    self.job(into, work);
                }
            }
            DeclKind::Nametype { name, value } => {
                let kind = GlobalKind::Nametype(error_expr(value.span));
                if let Some(global) = self.define(into, name, kind) {
                    self.job(into, Work::Nametype { global, value });
                }
            }
            DeclKind::External(names) => self.collect_imports(names, ImportKind::External, into),
            DeclKind::Transparent(names) => {
                self.collect_imports(names, ImportKind::Transparent, into);
            }
            DeclKind::Assert(assertion) => {
                if into.space == SpaceId::SCRIPT {
                    let span = decl.span;
                    self.job(into, Work::Assert { assertion, span });
                } else {
                    self.report(messages::not_in_module(decl.span, "an assertion"));
                }
            }
            DeclKind::Print(expr) => self.collect_print(expr, decl.span, into),
            DeclKind::Include { decls, .. } => self.collect(decls, into, pending),
            DeclKind::Module { .. } => self.collect_template(decl, into, pending),
            DeclKind::Instance { name, .. } => self.collect_instance(name, decl, into),
            DeclKind::Timed { duration, decls } => {
                let section = self.add_section(Section {
                    space: into.space,
                    outer: into.section,
                    duration: duration.as_ref(),
                    span: decl.span,
                    timing: None,
                });
                let section = Some(section);
                self.collect(decls, Into { section, ..into }, pending);
            }
            DeclKind::Error(names) => pending.broken.extend(names.iter().map(|name| (name, into))),
        }
    }

    fn collect_constant(&mut self, name: &'s Ident, value: &'s Expr, into: Into) {
        let kind = GlobalKind::Value(error_expr(value.span));
        if let Some(global) = self.define(into, name, kind) {
            self.job(into, Work::Value { global, value });
        }
    }

    fn collect_function(&mut self, clauses: &'s [Decl], into: Into) {
        let Some(DeclKind::Clause { name, .. }) = clauses.first().map(|clause| &clause.kind) else {
            unreachable!("a group of clauses starts with a clause");
        };
        if self.is_taken(into.space, name, true) {
            return;
        }
        let global = self.new_global(into.space, &name.text, name.span, GlobalKind::Error);
        self.enter_name(into, name, Entity::Global(global), true);
        self.job(into, Work::Function { global, clauses });
    }

    fn collect_channels(&mut self, names: &'s [Ident], fields: Option<&'s Expr>, into: Into) {
        for name in names {
            let kind = GlobalKind::Channel {
                fields: fields.map(|fields| error_expr(fields.span)),
            };
            if let Some(global) = self.define(into, name, kind)
                && let Some(fields) = fields
            {
                self.job(into, Work::Fields { global, fields });
            }
        }
    }

    fn collect_datatype(&mut self, name: &'s Ident, clauses: &'s [Constructor], into: Into) {
        let kind = GlobalKind::Datatype {
            constructors: Vec::new(),
        };
        let datatype = self.define(into, name, kind);
        let mut constructors = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let [only] = clause.name.parts.as_slice() else {
                self.report(messages::qualified_definition(&clause.name));
                continue;
            };
            let kind = match datatype {
                Some(datatype) => GlobalKind::Constructor {
                    datatype,
                    index: u32::try_from(constructors.len()).expect("fewer than 2^32 constructors"),
                    fields: clause.fields.as_ref().map(|f| error_expr(f.span)),
                },
                None => GlobalKind::Error,
            };
            let Some(global) = self.define(into, only, kind) else {
                continue;
            };
            constructors.push(global);
            if let (Some(_), Some(fields)) = (datatype, &clause.fields) {
                self.job(into, Work::Fields { global, fields });
            }
        }
        if let Some(datatype) = datatype {
            self.global_mut(datatype).kind = GlobalKind::Datatype { constructors };
        }
    }

    fn collect_imports(&mut self, names: &'s [Ident], kind: ImportKind, into: Into) {
        for name in names {
            let entity = match self.import(name, kind) {
                Some(builtin) => Entity::Builtin(builtin),
                None => Entity::Missing,
            };
            let names = &mut self.program.scopes.get_mut(into.space).names;
            // Importing twice is harmless: included files often do.
            if let Some(known) = names.get_mut(&name.text)
                && known.entity == entity
            {
                known.exported |= into.exported;
                continue;
            }
            if !self.is_taken(into.space, name, false) {
                self.enter_name(into, name, entity, false);
            }
        }
    }

    fn collect_print(&mut self, expr: &'s Expr, span: Span, into: Into) {
        if into.space != SpaceId::SCRIPT {
            self.report(messages::not_in_module(span, "`print`"));
        } else if into.section.is_some() {
            self.report(messages::print_in_timed(span));
        } else {
            self.job(into, Work::Print(expr));
        }
    }

    fn collect_template(&mut self, decl: &'s Decl, into: Into, pending: &mut Pending<'s>) {
        let DeclKind::Module {
            name,
            parameters,
            private,
            exported,
        } = &decl.kind
        else {
            unreachable!("only modules are templates");
        };
        if self.is_taken(into.space, name, false) {
            return;
        }
        let template = self.add_template(Template {
            name,
            parameters,
            private,
            exported,
            parent: into.space,
            section: into.section,
        });
        if parameters.is_empty() {
            self.enter_name(into, name, Entity::Missing, false);
            pending.modules.push((template, into));
        } else {
            self.enter_name(into, name, Entity::Template(template), false);
        }
    }

    fn collect_instance(&mut self, name: &'s Ident, decl: &'s Decl, into: Into) {
        let DeclKind::Instance {
            module, arguments, ..
        } = &decl.kind
        else {
            unreachable!("only instance declarations are instances");
        };
        if self.is_taken(into.space, name, false) {
            return;
        }
        let instance = InstanceId(
            u32::try_from(self.instances.len()).expect("the number of instances is limited"),
        );
        self.instances.push(Instance {
            name,
            module,
            arguments,
            span: decl.span,
            site: into.space,
            section: into.section,
            state: InstanceState::Waiting,
        });
        self.enter_name(into, name, Entity::Instance(instance), false);
    }

    /// Defines the variables of a pattern, now that constructors and channels are known.
    fn collect_binding(&mut self, pending: PendingBinding<'s>) {
        let index = u32::try_from(self.program.bindings.len()).expect("fewer than 2^32 bindings");
        let span = pending.pattern.span;
        self.program.bindings.push(hir::Binding {
            pattern: hir::Pattern {
                kind: PatternKind::Error,
                span,
            },
            value: error_expr(span),
        });
        let into = pending.into;
        let variables = self.at(into.space, None, |this| {
            this.pattern_variables(pending.pattern, |_| false)
        });
        for name in variables {
            self.define(into, name, GlobalKind::Bound(index));
        }
        self.jobs.push(Job {
            space: pending.value_space,
            section: pending.value_section,
            work: Work::Binding {
                index,
                pattern: pending.pattern,
                pattern_space: into.space,
                value: pending.value,
            },
        });
    }

    fn job(&mut self, into: Into, work: Work<'s>) {
        self.jobs.push(Job {
            space: into.space,
            section: into.section,
            work,
        });
    }

    /// A new global under a name of the space, unless the name is taken.
    pub(super) fn define(
        &mut self,
        into: Into,
        name: &'s Ident,
        kind: GlobalKind,
    ) -> Option<GlobalId> {
        if self.is_taken(into.space, name, false) {
            return None;
        }
        let global = self.new_global(into.space, &name.text, name.span, kind);
        self.enter_name(into, name, Entity::Global(global), false);
        Some(global)
    }

    /// Whether the space has the name already, with a diagnostic if so.
    fn is_taken(&mut self, space: SpaceId, name: &Ident, clauses: bool) -> bool {
        let Some(entry) = self.program.scopes.get(space).names.get(&name.text) else {
            return false;
        };
        let diagnostic = clash(name, entry.span, clauses && entry.clauses);
        self.report(diagnostic);
        true
    }

    fn enter_name(&mut self, into: Into, name: &Ident, entity: Entity, clauses: bool) {
        let entry = Entry {
            entity,
            span: name.span,
            exported: into.exported,
            clauses,
        };
        let names = &mut self.program.scopes.get_mut(into.space).names;
        names.insert(name.text.clone(), entry);
    }

    /// Puts the right-hand sides of `--define` in the place of those of the script.
    pub(super) fn replace(&mut self, defines: &'s [Define]) {
        for define in defines {
            let names = &self.program.scopes.get(SpaceId::SCRIPT).names;
            let Some(entry) = names.get(&define.name) else {
                let constants = names.iter().filter_map(|(name, entry)| {
                    self.is_constant(entry.entity).then_some(name.as_str())
                });
                let near = spelling::nearest(&define.name, constants);
                let diagnostic = messages::unknown_define(define.expr.span, &define.name, &near);
                self.report(diagnostic);
                continue;
            };
            let Some(global) = self.constant(entry.entity) else {
                let span = define.expr.span;
                let diagnostic = messages::define_of_other(span, &define.name, entry.span);
                self.report(diagnostic);
                continue;
            };
            for job in &mut self.jobs {
                if let Work::Value { global: g, value } = &mut job.work
                    && *g == global
                {
                    *value = &define.expr;
                    job.section = None;
                }
            }
        }
    }

    fn is_constant(&self, entity: Entity) -> bool {
        self.constant(entity).is_some()
    }

    fn constant(&self, entity: Entity) -> Option<GlobalId> {
        match entity {
            Entity::Global(id) if matches!(self.global(id).kind, GlobalKind::Value(_)) => Some(id),
            _ => None,
        }
    }
}

/// How many of the first declarations are clauses of one function; none if the first is no clause.
pub(super) fn clause_group(decls: &[Decl]) -> usize {
    let Some(DeclKind::Clause { name: first, .. }) = decls.first().map(|decl| &decl.kind) else {
        return 0;
    };
    decls
        .iter()
        .take_while(
            |decl| matches!(&decl.kind, DeclKind::Clause { name, .. } if name.text == first.text),
        )
        .count()
}

/// The diagnostic for a name that is taken; between two groups of clauses it says so.
pub(super) fn clash(name: &Ident, first: Span, both_clauses: bool) -> Diagnostic {
    if !both_clauses {
        messages::duplicate(name, first)
    } else if name.span.file == first.file {
        messages::clauses_apart(name, first)
    } else {
        messages::clauses_in_two_files(name, first)
    }
}

/// Stands where nothing can be said.
pub(super) fn error_expr(span: Span) -> hir::Expr {
    hir::Expr {
        kind: ExprKind::Error,
        span,
    }
}
