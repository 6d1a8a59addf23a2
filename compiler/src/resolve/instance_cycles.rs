//! Modules that come back to an instance of themselves through definitions outside: `f` of a module uses `g`
//! of the script, and `g` uses `A::f` of an instance `A` of that module. An instance is a copy, so what the
//! module means would depend on its own copies; this is refused, as libcspm refuses it.
//!
//! Direct uses are found while names are resolved (`names.rs`); this walks the definitions afterwards, once
//! for each module. What an instance gives as arguments is no part of the module and is not followed from
//! its own copy.

use ahash::{AHashMap, AHashSet};
use csp_grammar::{Diagnostic, Span};

use super::scope::{Entity, SpaceId};
use super::{Resolver, codes, messages};
use crate::hir::{GlobalId, GlobalKind, Program, Var};
use crate::uses::{uses_of_binding, uses_of_global};

impl Resolver<'_> {
    /// Reports every module that depends on an instance of itself.
    pub(super) fn check_instance_cycles(&mut self) {
        let known = |d: &Diagnostic| d.code == codes::MODULE_IN_ITSELF;
        if self.diagnostics.iter().any(known) {
            return;
        }
        let Some(graph) = Graph::of(&self.program) else {
            return;
        };
        let mut seen = AHashSet::new();
        for place in 0..self.program.scopes.spaces.len() {
            let from = SpaceId(u32::try_from(place).expect("the number of copies is limited"));
            let space = self.program.scopes.get(from);
            let (true, Some(origin)) = (space.is_instance, space.origin) else {
                continue;
            };
            if !seen.insert(origin) {
                continue;
            }
            let parameters: Vec<Span> = space
                .template
                .and_then(|id| self.templates.get(id.0 as usize))
                .map(|template| template.parameters.iter().map(|p| p.span).collect())
                .unwrap_or_default();
            let copy = Copy {
                space: from,
                origin,
                parameters,
            };
            let Some((span, path)) = graph.way_back(&self.program, &copy) else {
                continue;
            };
            let name = self.template_name(from);
            let (text, declared) = match &name {
                Some(name) => (name.text.as_str(), Some(name.span)),
                None => ("", None),
            };
            let diagnostic = messages::module_in_itself(span, text, declared);
            let names: Vec<&str> = path
                .iter()
                .map(|id| self.global(*id).name.as_str())
                .collect();
            let note = format!("through {}", names.join(", "));
            self.report(diagnostic.note(note));
        }
    }
}

/// One copy of a module.
struct Copy {
    space: SpaceId,
    origin: Span,
    /// Where its parameters are written: the names there stand for the arguments of the instance.
    parameters: Vec<Span>,
}

impl Copy {
    fn has_parameter(&self, place: Span) -> bool {
        self.parameters
            .iter()
            .any(|p| p.file == place.file && p.start <= place.start && place.end <= p.end)
    }
}

/// Which definition mentions which, and where each belongs.
struct Graph {
    uses: Vec<Vec<(GlobalId, Span)>>,
    home: AHashMap<GlobalId, SpaceId>,
}

impl Graph {
    /// `None` if the script has no instances.
    fn of(program: &Program) -> Option<Self> {
        let spaces = &program.scopes.spaces;
        if !spaces.iter().any(|space| space.is_instance) {
            return None;
        }
        let mut home = AHashMap::new();
        for (place, space) in (0..).zip(spaces) {
            for entry in space.names.values() {
                if let Entity::Global(id) = entry.entity {
                    home.insert(id, SpaceId(place));
                }
            }
        }
        let of_bindings: Vec<Vec<(GlobalId, Span)>> = program
            .bindings
            .iter()
            .map(|binding| collect(|use_of| uses_of_binding(binding, use_of)))
            .collect();
        let uses = program
            .globals
            .iter()
            .map(|global| match global.kind {
                GlobalKind::Bound(binding) => of_bindings
                    .get(binding as usize)
                    .cloned()
                    .unwrap_or_default(),
                _ => collect(|use_of| uses_of_global(global, use_of)),
            })
            .collect();
        Some(Self { uses, home })
    }

    /// Where a copy of a module first uses something outside that leads to an instance of the module, and
    /// the definitions on the way, that of the instance last.
    fn way_back(&self, program: &Program, copy: &Copy) -> Option<(Span, Vec<GlobalId>)> {
        let mut within = AHashMap::new();
        let mut inside = |id: GlobalId| {
            let home = self.home.get(&id).copied();
            home.is_some_and(|home| lies_within(program, home, copy.space, &mut within))
        };
        let own: Vec<GlobalId> = (0..)
            .map(GlobalId)
            .zip(&program.globals)
            .filter(|(id, global)| inside(*id) && !copy.has_parameter(global.span))
            .map(|(id, _)| id)
            .collect();
        let mut before: AHashMap<GlobalId, Option<GlobalId>> = AHashMap::new();
        for id in own {
            for &(first, span) in self.uses.get(id.0 as usize)? {
                if inside(first) || before.contains_key(&first) {
                    continue;
                }
                before.insert(first, None);
                let mut waiting = vec![first];
                while let Some(at) = waiting.pop() {
                    if self.is_in_instance_of(program, at, copy.origin) {
                        return Some((span, path_to(&before, at)));
                    }
                    for &(next, _) in self.uses.get(at.0 as usize)? {
                        before.entry(next).or_insert_with(|| {
                            waiting.push(next);
                            Some(at)
                        });
                    }
                }
            }
        }
        None
    }

    fn is_in_instance_of(&self, program: &Program, id: GlobalId, origin: Span) -> bool {
        self.home.get(&id).is_some_and(|home| {
            program.scopes.around(*home).any(|space| {
                let space = program.scopes.get(space);
                space.is_instance && space.origin == Some(origin)
            })
        })
    }
}

/// The definitions that something mentions, each once.
fn collect(walk: impl FnOnce(&mut dyn FnMut(Var, Span))) -> Vec<(GlobalId, Span)> {
    let mut seen = AHashSet::new();
    let mut found = Vec::new();
    walk(&mut |var, span| {
        if let Var::Global(id) = var
            && seen.insert(id)
        {
            found.push((id, span));
        }
    });
    found
}

/// Whether a space is another, stands in its text, or was made by an `instance` inside it.
fn lies_within(
    program: &Program,
    space: SpaceId,
    outer: SpaceId,
    known: &mut AHashMap<SpaceId, bool>,
) -> bool {
    if let Some(known) = known.get(&space) {
        return *known;
    }
    let here = program.scopes.get(space);
    let found = space == outer
        || [here.parent, here.site]
            .into_iter()
            .flatten()
            .any(|next| lies_within(program, next, outer, known));
    known.insert(space, found);
    found
}

fn path_to(before: &AHashMap<GlobalId, Option<GlobalId>>, last: GlobalId) -> Vec<GlobalId> {
    let mut path = vec![last];
    let mut at = last;
    while let Some(&Some(earlier)) = before.get(&at) {
        path.push(earlier);
        at = earlier;
    }
    path.reverse();
    path
}
