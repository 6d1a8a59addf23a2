//! What definitions mean, as numbers: two definitions with the same fingerprint evaluate to the same, so what was found
//! out about the one holds for the other.
//!
//! The fingerprint of a definition is a hash of its text, of what each name in it refers to, and of the fingerprints of
//! those definitions; groups of definitions that need one another have one hash together. Text and names together say
//! what the resolved tree is, so trees need not be compared. `Events` stands for all channels. Positions do not count,
//! unless they are asked for. Departs from that for Timed sections, which rewrite what stands in them: there the whole
//! script counts.

use std::hash::{DefaultHasher, Hash, Hasher};

use csp_grammar::Span;
use csp_grammar::source::Sources;

use crate::groups::groups;
use crate::hir::{Assertion, Builtin, Global, GlobalKind, Program, Var};
use crate::uses::{uses_of_assertion, uses_of_binding, uses_of_global};

/// A hash of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

/// The fingerprints of all definitions of a script.
#[derive(Clone, Debug)]
pub struct Fingerprints {
    /// One for each definition, then one for each binding, then that of all channels.
    nodes: Vec<Fingerprint>,
    positions: bool,
    /// The text of everything, if there are Timed sections.
    whole: Option<Fingerprint>,
}

/// Hashes twice, from two starts.
struct Twice(DefaultHasher, DefaultHasher);

impl Twice {
    fn new(kind: u8) -> Self {
        let mut both = Self(DefaultHasher::new(), DefaultHasher::new());
        both.0.write_u8(0);
        both.1.write_u8(255);
        both.add(&kind);
        both
    }

    fn add(&mut self, part: &(impl Hash + ?Sized)) {
        part.hash(&mut self.0);
        part.hash(&mut self.1);
    }

    fn finish(&self) -> Fingerprint {
        Fingerprint(u128::from(self.0.finish()) << 64 | u128::from(self.1.finish()))
    }
}

/// What is read of a script.
struct Reader<'a> {
    program: &'a Program,
    sources: &'a Sources,
    positions: bool,
}

impl Reader<'_> {
    fn text(&self, span: Span, into: &mut Twice) {
        into.add(self.sources.text(span));
        if self.positions {
            let file = self.sources.files.get(span.file.0 as usize);
            into.add(&(file.map(|file| &file.name), span.start));
        }
    }

    /// The node that a name leads to, if it is defined.
    fn node(&self, var: Var) -> Option<usize> {
        match var {
            Var::Global(id) => Some(id.0 as usize),
            Var::Builtin(Builtin::Events) => Some(self.channels()),
            Var::Builtin(_) | Var::Local(_) => None,
        }
    }

    fn channels(&self) -> usize {
        self.program.globals.len() + self.program.bindings.len()
    }

    fn name(&self, var: Var, into: &mut Twice) {
        match var {
            Var::Global(id) => into.add(&self.program.globals[id.0 as usize].name),
            Var::Builtin(builtin) => into.add(&(1u8, builtin.name())),
            Var::Local(_) => into.add(&2u8),
        }
    }

    /// Notes the names that something uses, and gives the nodes they lead to.
    fn uses(&self, into: &mut Twice, each: impl FnOnce(&mut dyn FnMut(Var, Span))) -> Vec<usize> {
        let mut nodes = Vec::new();
        each(&mut |var, _| {
            self.name(var, into);
            nodes.extend(self.node(var));
        });
        nodes
    }

    fn global(&self, global: &Global, into: &mut Twice) {
        into.add(&global.name);
        if self.positions {
            self.text(global.span, into);
        }
        if let Some(annotation) = &global.annotation {
            self.text(annotation.body.span, into);
        }
        match &global.kind {
            GlobalKind::Value(body) | GlobalKind::Nametype(body) => self.text(body.span, into),
            GlobalKind::Function(function) => {
                into.add(&function.arities);
                for clause in &function.clauses {
                    self.text(clause.span, into);
                    let parameters = clause.parameters.iter().flatten();
                    parameters.for_each(|pattern| self.text(pattern.span, into));
                    self.text(clause.body.span, into);
                }
            }
            GlobalKind::Channel { fields } => {
                into.add("channel");
                fields.iter().for_each(|e| self.text(e.span, into));
            }
            GlobalKind::Constructor { index, fields, .. } => {
                into.add(index);
                fields.iter().for_each(|e| self.text(e.span, into));
            }
            GlobalKind::Datatype { constructors } => into.add(&constructors.len()),
            GlobalKind::Subtype { clauses, .. } => {
                for (_, fields) in clauses {
                    into.add(&fields.is_some());
                    fields.iter().for_each(|e| self.text(e.span, into));
                }
            }
            GlobalKind::Bound(_) => into.add("bound"),
            GlobalKind::Error => into.add("error"),
        }
    }
}

impl Fingerprints {
    /// The fingerprints of a script; if positions count, a definition that was moved is another one.
    #[must_use]
    pub fn of(program: &Program, sources: &Sources, positions: bool) -> Self {
        let reader = Reader {
            program,
            sources,
            positions,
        };
        let (globals, channels) = (program.globals.len(), reader.channels());
        let mut own: Vec<Fingerprint> = Vec::with_capacity(channels + 1);
        let mut edges: Vec<Vec<usize>> = Vec::with_capacity(channels + 1);
        for global in &program.globals {
            let mut hash = Twice::new(1);
            reader.global(global, &mut hash);
            let mut nodes = reader.uses(&mut hash, |each| uses_of_global(global, each));
            if let GlobalKind::Bound(binding) = global.kind {
                nodes.push(globals + binding as usize);
            }
            own.push(hash.finish());
            edges.push(nodes);
        }
        for binding in &program.bindings {
            let mut hash = Twice::new(2);
            reader.text(binding.pattern.span, &mut hash);
            reader.text(binding.value.span, &mut hash);
            edges.push(reader.uses(&mut hash, |each| uses_of_binding(binding, each)));
            own.push(hash.finish());
        }
        let is_channel = |global: &Global| matches!(global.kind, GlobalKind::Channel { .. });
        let all = program.globals.iter().enumerate();
        let all = all.filter(|(_, global)| is_channel(global));
        edges.push(all.map(|(place, _)| place).collect());
        own.push(Twice::new(3).finish());
        Self {
            nodes: closed(&own, &edges),
            positions,
            whole: is_timed(program).then(|| whole(sources)),
        }
    }

    /// The fingerprint of an assertion: that of its text, its pragmas, everything it refers to, and the channels, whose
    /// order decides between counterexamples of the same length.
    #[must_use]
    pub fn assertion(
        &self,
        program: &Program,
        sources: &Sources,
        assertion: &Assertion,
    ) -> Fingerprint {
        let reader = Reader {
            program,
            sources,
            positions: self.positions,
        };
        let mut hash = Twice::new(4);
        reader.text(assertion.span, &mut hash);
        for (pragma, _) in &assertion.pragmas {
            hash.add(pragma);
        }
        for node in reader.uses(&mut hash, |each| uses_of_assertion(assertion, each)) {
            hash.add(&self.nodes[node]);
        }
        hash.add(&self.nodes[reader.channels()]);
        hash.add(&self.whole);
        hash.finish()
    }
}

/// Hashes of nodes with all that they lead to.
fn closed(own: &[Fingerprint], edges: &[Vec<usize>]) -> Vec<Fingerprint> {
    let unknown = Fingerprint(0);
    let mut closed = vec![unknown; own.len()];
    for group in groups(edges) {
        let mut together = Twice::new(5);
        for &node in &group {
            together.add(&own[node]);
            for target in &edges[node] {
                match group.binary_search(target) {
                    Ok(place) => together.add(&(0u8, place)),
                    Err(_) => together.add(&(1u8, closed[*target])),
                }
            }
        }
        let together = together.finish();
        for (place, &node) in group.iter().enumerate() {
            let mut one = Twice::new(6);
            one.add(&(together, place, own[node]));
            closed[node] = one.finish();
        }
    }
    closed
}

/// Whether a channel `tock` is used by what a Timed section was rewritten to.
fn is_timed(program: &Program) -> bool {
    // A use without a place is one that is not in the text.
    let mut found = false;
    let mut look = |var: Var, span: Span| {
        if let Var::Global(id) = var {
            let name = &program.globals[id.0 as usize].name;
            found |= span == Span::default() && (name == "tock" || name.ends_with("::tock"));
        }
    };
    let globals = program.globals.iter();
    globals.for_each(|global| uses_of_global(global, &mut look));
    let bindings = program.bindings.iter();
    bindings.for_each(|binding| uses_of_binding(binding, &mut look));
    let assertions = program.assertions.iter();
    assertions.for_each(|assertion| uses_of_assertion(assertion, &mut look));
    found
}

fn whole(sources: &Sources) -> Fingerprint {
    let mut hash = Twice::new(7);
    for file in &sources.files {
        hash.add(&file.name);
        hash.add(&file.text);
    }
    hash.finish()
}
