//! Timed sections: what the operators of CSP become where the event `tock` marks the passing of
//! time. The table is the one of FDR; what it does not mention keeps its untimed meaning.

use std::rc::Rc;

use csp_grammar::Span;
use csp_grammar::syntax::{CollectionKind, Expr};

use super::scope::{Entity, SpaceId};
use super::{Resolver, messages};
use crate::hir::{
    self, Builtin, CollectionBody, ExprKind, GlobalId, GlobalKind, Pattern, PatternKind, ProcessOp,
    ReplicatedOp, Var,
};

/// A Timed section outside `let`, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SectionId(u32);

/// A Timed section outside `let`, in the space where it stands.
#[derive(Clone, Debug)]
pub(super) struct Section<'s> {
    pub(super) space: SpaceId,
    /// The section around it.
    pub(super) outer: Option<SectionId>,
    pub(super) duration: Option<&'s Expr>,
    pub(super) span: Span,
    /// Found out when first needed.
    pub(super) timing: Option<Rc<Timing>>,
}

/// How time passes at one point of the text.
#[derive(Clone, Debug)]
pub(super) struct Timing {
    /// Nothing after a diagnostic; the operators then keep their untimed meaning.
    pub(super) tock: Option<GlobalId>,
    /// A name, so that it can be repeated at every prefix.
    pub(super) duration: Option<hir::Expr>,
}

impl<'s> Resolver<'s> {
    pub(super) fn add_section(&mut self, section: Section<'s>) -> SectionId {
        self.sections.push(section);
        SectionId(u32::try_from(self.sections.len() - 1).expect("fewer than 2^32 sections"))
    }

    /// How time passes in a section.
    pub(super) fn timing_of(&mut self, id: SectionId) -> Rc<Timing> {
        let section = self.sections[id.0 as usize].clone();
        if let Some(timing) = section.timing {
            return timing;
        }
        let timing = self.at(section.space, section.outer, |this| {
            let duration = section
                .duration
                .map(|duration| this.section_duration(duration));
            Rc::new(Timing {
                tock: this.find_tock(section.span),
                duration,
            })
        });
        self.sections[id.0 as usize].timing = Some(Rc::clone(&timing));
        timing
    }

    /// Sections with nothing in them are checked too.
    pub(super) fn check_sections(&mut self) {
        while self.checked_sections < self.sections.len() {
            let id = u32::try_from(self.checked_sections).expect("fewer than 2^32 sections");
            self.timing_of(SectionId(id));
            self.checked_sections += 1;
        }
    }

    /// The duration function as a name; other expressions become a constant of their own.
    fn section_duration(&mut self, duration: &'s Expr) -> hir::Expr {
        let resolved = self.expr(duration);
        if matches!(resolved.kind, ExprKind::Var(_) | ExprKind::Error) {
            return resolved;
        }
        let span = resolved.span;
        let kind = GlobalKind::Value(resolved);
        let global = self.new_global(self.space, "Timed", span, kind);
        global_expr(global, span)
    }

    /// The event `tock` as seen from here.
    pub(super) fn find_tock(&mut self, section: Span) -> Option<GlobalId> {
        let found = self.lookup("tock");
        match found {
            None => self.report(messages::no_tock(section)),
            Some(Entity::Global(id)) => {
                if matches!(self.global(id).kind, GlobalKind::Channel { fields: None }) {
                    return Some(id);
                }
                let defined = self.global(id).span;
                self.report(messages::bad_tock(section, Some(defined)));
            }
            Some(Entity::Missing) => {}
            Some(other) => {
                let defined = self.definition_place(other);
                self.report(messages::bad_tock(section, defined));
            }
        }
        None
    }

    /// `tock`, inside a Timed section.
    pub(super) fn tock(&self) -> Option<GlobalId> {
        self.timing.as_ref().and_then(|timing| timing.tock)
    }

    /// How a prefix passes time here.
    pub(super) fn prefix_timing(&self) -> Option<Box<hir::Timing>> {
        let timing = self.timing.as_ref()?;
        Some(Box::new(hir::Timing {
            tock: timing.tock?,
            duration: timing.duration.clone(),
        }))
    }

    /// A built-in by its name alone.
    pub(super) fn builtin(&mut self, builtin: Builtin, span: Span) -> ExprKind {
        match (builtin, self.tock()) {
            (Builtin::Stop, Some(tock)) => ExprKind::TimedStop { tock },
            (Builtin::Skip, Some(tock)) => ExprKind::TimedSkip { tock },
            (Builtin::Wait | Builtin::TimedPriority, _) => {
                let parameter = self.new_local("x", span);
                let variable = Var::Local(parameter);
                let argument = hir::Expr {
                    kind: ExprKind::Var(variable),
                    span,
                };
                let kind = self.timed_application(builtin, argument, span);
                ExprKind::Lambda {
                    parameters: vec![Pattern {
                        kind: PatternKind::Variable(variable),
                        span,
                    }],
                    body: Box::new(hir::Expr { kind, span }),
                }
            }
            _ => ExprKind::Var(Var::Builtin(builtin)),
        }
    }

    /// `WAIT(n)` and `timed_priority(P)`.
    pub(super) fn timed_application(
        &self,
        builtin: Builtin,
        argument: hir::Expr,
        span: Span,
    ) -> ExprKind {
        let Some(tock) = self.tock() else {
            return ExprKind::Error;
        };
        if builtin == Builtin::Wait {
            return ExprKind::TimedWait {
                tock,
                duration: Box::new(argument),
            };
        }
        let classes = vec![set(Vec::new(), span), set_of_tock(tock, span)];
        let order = collection(CollectionKind::Sequence, classes, span);
        apply(Builtin::Prioritise, vec![argument, order], span).kind
    }

    /// A binary operator as it is meant inside a Timed section.
    pub(super) fn timed_operator(&mut self, operator: ProcessOp, span: Span) -> ProcessOp {
        if self.timing.is_some()
            && let ProcessOp::Linked { .. } = operator
        {
            self.report(messages::not_in_timed(span, "linked parallel"));
        }
        let Some(tock) = self.tock() else {
            return operator;
        };
        let alone = || Box::new(set_of_tock(tock, span));
        match operator {
            ProcessOp::External => ProcessOp::SyncExternal(alone()),
            ProcessOp::Interleave => ProcessOp::Parallel(alone()),
            ProcessOp::Interrupt => ProcessOp::SyncInterrupt(alone()),
            ProcessOp::Parallel(set) => ProcessOp::Parallel(with_tock(*set, tock)),
            ProcessOp::Alphabetised(left, right) => {
                ProcessOp::Alphabetised(with_tock(*left, tock), with_tock(*right, tock))
            }
            ProcessOp::SyncExternal(set) => ProcessOp::SyncExternal(with_tock(*set, tock)),
            ProcessOp::SyncInterrupt(set) => ProcessOp::SyncInterrupt(with_tock(*set, tock)),
            ProcessOp::Internal
            | ProcessOp::Sliding
            | ProcessOp::Sequence
            | ProcessOp::Exception(_)
            | ProcessOp::Linked { .. } => operator,
        }
    }

    /// A replicated operator as it is meant inside a Timed section.
    pub(super) fn timed_replication(&mut self, operator: ReplicatedOp, span: Span) -> ReplicatedOp {
        if self.timing.is_some()
            && let ReplicatedOp::Linked { .. } = operator
        {
            self.report(messages::not_in_timed(span, "linked parallel"));
        }
        let Some(tock) = self.tock() else {
            return operator;
        };
        let alone = || Box::new(set_of_tock(tock, span));
        match operator {
            ReplicatedOp::External => ReplicatedOp::SyncExternal(alone()),
            ReplicatedOp::Interleave => ReplicatedOp::Parallel(alone()),
            ReplicatedOp::Parallel(set) => ReplicatedOp::Parallel(with_tock(*set, tock)),
            ReplicatedOp::Alphabetised(set) => ReplicatedOp::Alphabetised(with_tock(*set, tock)),
            ReplicatedOp::SyncExternal(set) => ReplicatedOp::SyncExternal(with_tock(*set, tock)),
            ReplicatedOp::Internal | ReplicatedOp::Sequence | ReplicatedOp::Linked { .. } => {
                operator
            }
        }
    }
}

/// `union(A, {tock})`.
fn with_tock(set: hir::Expr, tock: GlobalId) -> Box<hir::Expr> {
    let span = set.span;
    Box::new(apply(
        Builtin::Union,
        vec![set, set_of_tock(tock, span)],
        span,
    ))
}

fn set_of_tock(tock: GlobalId, span: Span) -> hir::Expr {
    set(vec![global_expr(tock, span)], span)
}

fn set(items: Vec<hir::Expr>, span: Span) -> hir::Expr {
    collection(CollectionKind::Set, items, span)
}

fn collection(kind: CollectionKind, items: Vec<hir::Expr>, span: Span) -> hir::Expr {
    hir::Expr {
        kind: ExprKind::Collection {
            kind,
            body: CollectionBody::Items(items),
            statements: Vec::new(),
        },
        span,
    }
}

fn global_expr(global: GlobalId, span: Span) -> hir::Expr {
    hir::Expr {
        kind: ExprKind::Var(Var::Global(global)),
        span,
    }
}

fn apply(builtin: Builtin, arguments: Vec<hir::Expr>, span: Span) -> hir::Expr {
    hir::Expr {
        kind: ExprKind::Apply {
            function: Box::new(hir::Expr {
                kind: ExprKind::Var(Var::Builtin(builtin)),
                span,
            }),
            arguments,
        },
        span,
    }
}
