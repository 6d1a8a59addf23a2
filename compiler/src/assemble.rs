//! Networks from process terms.
//!
//! The operator tree is walked from the root. Parallel operators, hiding, renaming and their like
//! become rules over the components below them; operators whose live arguments change become rules
//! that switch components on and off, or edges of a controller; whatever is left, and everything
//! that is recursive through an operator, is listed state by state as a leaf.
//! Source: Goldsmith, *Operational Semantics for Fun and Profit* (2005); Gibson-Robinson's FDR3.
//!
//! Invariant: exploring the network gives a transition system that is strongly bisimilar to
//! exploring the process by its operational semantics.

mod ahead;
mod at_work;
mod draft;
pub(crate) mod messages;
mod node;
mod parallel;
mod priority;
mod provenance;
mod relabel;
pub(crate) mod shape;
mod skeleton;
mod splice;
mod switch;
mod together;
mod tree;
mod watchdog;

use std::sync::Arc;

use ahash::{AHashMap, AHashSet};
use csp_grammar::{Diagnostic, Span};
use csp_lts::{Lts, Network};

use crate::compress::{Compressor, Context, Request};
use crate::leaf::{Explored, Leaf, marked};
use crate::operators::{NESTING, Operational, Purpose, Termination};
use crate::process::{Compression, Process, ProcessId, Processes};
use shape::Shape;
use splice::Site;
use tree::Builder;

pub use messages::CODES;
pub use provenance::{Origin, Part, Provenance, Role};
pub use together::EvaluatorPool;

type Outcome<T> = Result<T, Box<Diagnostic>>;

/// How leaves are reduced once they have been listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum LeafCompression {
    /// Not at all.
    #[default]
    None,
    /// By strong bisimulation.
    Sbisim,
    /// By weak bisimulation.
    Wbisim,
}

impl LeafCompression {
    /// The function, if there is one.
    fn kind(self) -> Option<Compression> {
        match self {
            Self::None => None,
            Self::Sbisim => Some(Compression::Sbisim),
            Self::Wbisim => Some(Compression::Wbisim),
        }
    }
}

/// How many states a leaf may have by default. A process that grows without bound is found out in
/// seconds; one that is meant to be so large is rare, and can be allowed.
pub const LEAF_STATES: usize = 1_000_000;

/// How many different events a leaf may have: each becomes a rule.
const LEAF_EVENTS: usize = 4_000_000;

/// How many states a leaf may have that recursion wraps in parallel operators: such processes are
/// seldom finite, and if they are, small.
const NESTED_STATES: usize = 50_000;

/// How many steps a leaf may have that recursion wraps in other operators. No more than it may have
/// states: those of a process that has no end of them have ever more steps.
const PILED_STEPS: usize = LEAF_STATES;

/// Limits and choices of compilation.
#[derive(Clone, Copy, Debug)]
pub struct CompileOptions {
    /// How many states a leaf may have.
    pub leaf_states: usize,
    /// A process that would need a controller becomes a leaf if it has no more states than this.
    pub small_leaf: usize,
    /// What is done to leaves.
    pub leaf_compression: LeafCompression,
    /// How deep operators may be nested.
    pub nesting: u32,
    /// How the members of a parallel composition terminate.
    pub termination: Termination,
    /// Whether it is remembered which process each state of a leaf is.
    pub keep_states: bool,
    /// Whether compressions are transparent: what they are applied to is compiled in their place.
    pub transparent: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            leaf_states: LEAF_STATES,
            small_leaf: 1_000,
            leaf_compression: LeafCompression::None,
            nesting: NESTING,
            termination: Termination::Together,
            keep_states: false,
            transparent: false,
        }
    }
}

/// Turns processes of one table into networks and keeps what several of them can share.
#[derive(Debug, Default)]
pub struct Compiler {
    options: CompileOptions,
    operational: Operational,
    /// Listed processes, those with compressed machines inside for each purpose.
    leaves: AHashMap<LeafKey, Leaf>,
    /// Processes without compressions that have been listed and wait to be used.
    listed: AHashMap<ProcessId, Arc<Lts>>,
    /// Compressed processes and watchdogs, by where they stand and for which model.
    machines: AHashMap<(ProcessId, Context, u8), Leaf>,
    /// Every transition system made, so that equal ones are the same.
    systems: AHashSet<Arc<Lts>>,
    variants: draft::Variants,
    warnings: Vec<Diagnostic>,
    /// Processes that have turned out to have more states than this.
    large: AHashMap<LeafKey, usize>,
    /// How many compressions inside listed processes are under way.
    splicing: usize,
    /// How many states the operands of such compressions have had.
    explicit: usize,
    /// The process that each state is of what has just been listed, if that is to be kept.
    just_listed: Option<Arc<[ProcessId]>>,
}

/// What a leaf is remembered by.
type LeafKey = (ProcessId, Option<Purpose>);

/// How many processes' steps are remembered from one leaf to the next.
const REMEMBERED: usize = 200_000;

impl Compiler {
    /// Nothing compiled yet.
    #[must_use]
    pub fn new(options: CompileOptions) -> Self {
        let mut operational = Operational::new(options.nesting, options.termination);
        operational.splices().shapes.limit(options.leaf_states);
        Self {
            options,
            operational,
            ..Self::default()
        }
    }

    /// The network of a process.
    pub fn compile(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        compressor: &dyn Compressor,
    ) -> Outcome<Network> {
        self.compile_with_provenance(processes, process, compressor)
            .map(|(network, _)| network)
    }

    /// The network of a process, and where its components come from.
    pub fn compile_with_provenance(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        compressor: &dyn Compressor,
    ) -> Outcome<(Network, Provenance)> {
        self.explicit = 0;
        let compiled = Builder::new(self, processes, compressor).build(process);
        self.listed.clear();
        compiled
    }

    /// A compiler that leaves leaves as they are listed and remembers which process each of their states
    /// is. Machines that compressions have made are those of this compiler.
    #[must_use]
    pub fn with_states_kept(&self) -> Self {
        let options = CompileOptions {
            leaf_compression: LeafCompression::None,
            keep_states: true,
            ..self.options
        };
        Self {
            machines: self.machines.clone(),
            ..Self::new(options)
        }
    }

    /// The same for which compressions are transparent.
    #[must_use]
    pub fn with_compressions_transparent(&self) -> Self {
        Self::new(CompileOptions {
            leaf_compression: LeafCompression::None,
            keep_states: true,
            transparent: true,
            ..self.options
        })
    }

    fn shape(&mut self, processes: &mut dyn Processes, process: ProcessId) -> Shape {
        self.operational.splices().shapes.of(processes, process)
    }

    /// The process as one transition system, listed by its operational semantics.
    pub fn tabulate(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
    ) -> Outcome<Arc<Lts>> {
        self.tabulate_at(processes, process, None)
    }

    /// The same, with compressed processes inside as machines, if somebody computes them.
    fn tabulate_at(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Option<Site<'_>>,
    ) -> Outcome<Arc<Lts>> {
        if let Some(lts) = self.listed.remove(&process) {
            check_events(processes, process, &lts)?;
            return Ok(lts);
        }
        let Shape {
            nested,
            piled,
            compressed,
            ..
        } = self.shape(processes, process);
        let usual = self.options.leaf_states == LEAF_STATES;
        let limit = if nested && usual {
            NESTED_STATES
        } else {
            self.options.leaf_states
        };
        match self.list(processes, process, limit, site) {
            Err(message) => {
                if message.code == messages::TOO_DEEP {
                    let nesting = format!("{} operators", self.options.nesting);
                    return Err(grows(processes, process, shape::wraps, &nesting, None));
                }
                Err(messages::within(processes, process, message))
            }
            Ok(Explored::Complete(lts)) => {
                check_events(processes, process, &lts)?;
                if compressed {
                    self.note_compression(processes, process, site);
                }
                Ok(self.share(lts))
            }
            Ok(Explored::Grows(last, states)) => {
                let more = format!("{states} states");
                let kind = shape::is_parallel;
                Err(grows(processes, process, kind, &more, Some(last)))
            }
            Ok(Explored::Unfinished(last)) if nested => {
                let more = format!("{limit} states");
                let kind = shape::is_parallel;
                Err(grows(processes, process, kind, &more, Some(last)))
            }
            Ok(Explored::Unfinished(last)) if piled && usual => {
                let more = format!("{PILED_STEPS} transitions");
                let kind = shape::wraps;
                Err(grows(processes, process, kind, &more, Some(last)))
            }
            Ok(Explored::Unfinished(last)) => {
                Err(messages::too_many_states(processes, process, last, limit))
            }
        }
    }

    /// What has been worth saying since this was last asked.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    fn share(&mut self, lts: Lts) -> Arc<Lts> {
        if let Some(known) = self.systems.get(&lts) {
            return Arc::clone(known);
        }
        let lts = Arc::new(lts);
        self.systems.insert(Arc::clone(&lts));
        lts
    }

    /// The leaf of a process, listed and reduced if it is not known.
    fn leaf(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Site<'_>,
    ) -> Outcome<Leaf> {
        let key = self.leaf_key(processes, process, site);
        if let Some(leaf) = self.leaves.get(&key) {
            return Ok(leaf.clone());
        }
        let lts = self.tabulate_at(processes, process, Some(site))?;
        self.operational.forget_beyond(REMEMBERED);
        self.keep_leaf(processes, key, lts, site.compressor)
    }

    fn leaf_key(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Site<'_>,
    ) -> LeafKey {
        let splices = self.shape(processes, process).splices();
        let site = self.site_for(processes, process, site);
        (process, splices.then(|| site.purpose()))
    }

    /// The leaf of a process if it is known or has no more states than this many.
    fn small_leaf(
        &mut self,
        processes: &mut dyn Processes,
        process: ProcessId,
        site: Site<'_>,
        limit: usize,
    ) -> Outcome<Option<Leaf>> {
        let key = self.leaf_key(processes, process, site);
        if let Some(leaf) = self.leaves.get(&key) {
            return Ok(Some(leaf.clone()));
        }
        if limit == 0 || self.large.get(&key).is_some_and(|&tried| tried >= limit) {
            return Ok(None);
        }
        // What goes wrong here goes wrong again, or turns out to be avoidable, in the parts.
        let explored = self.list(processes, process, limit, Some(site));
        let Ok(Explored::Complete(lts)) = explored else {
            self.large.insert(key, limit);
            return Ok(None);
        };
        check_events(processes, process, &lts)?;
        if self.shape(processes, process).compressed {
            self.note_compression(processes, process, Some(site));
        }
        let lts = self.share(lts);
        self.keep_leaf(processes, key, lts, site.compressor)
            .map(Some)
    }

    fn keep_leaf(
        &mut self,
        processes: &mut dyn Processes,
        key: LeafKey,
        lts: Arc<Lts>,
        compressor: &dyn Compressor,
    ) -> Outcome<Leaf> {
        let process = key.0;
        let plain = Leaf::new(lts).with_states(self.just_listed.take());
        // What has terminated before it begins must go on showing it, which compressions do not see.
        let leaf = match self.options.leaf_compression.kind() {
            Some(_) if plain.has_ended() => plain,
            None => plain,
            Some(kind) => {
                let name = processes.describe(process);
                let network = Network::of_lts(name.as_str(), plain.lts);
                let reduced = compressor
                    .compress(&Request {
                        kind,
                        network: &network,
                        name: &name,
                        asked_for: false,
                        span: Span::default(),
                        context: Context::default(),
                        most_states: None,
                    })
                    .map_err(|e| messages::compression_failed(processes, process, &e))?;
                Leaf::new(self.share(marked(&reduced.lts)))
            }
        };
        self.leaves.insert(key, leaf.clone());
        Ok(leaf)
    }
}

/// What to say of a process that operators of some kind pile up around.
fn grows(
    processes: &mut dyn Processes,
    process: ProcessId,
    kind: fn(&Process) -> bool,
    limit: &str,
    last: Option<ProcessId>,
) -> Box<Diagnostic> {
    let cycle = shape::cycle(processes, process, kind);
    let operator = shape::operator(processes, process, &cycle, kind);
    let growth = messages::Growth {
        process,
        cycle: &cycle,
        operator,
        limit,
        last,
    };
    messages::grows(processes, &growth)
}

/// Refuses a leaf with more events than rules could be made for.
fn check_events(processes: &dyn Processes, process: ProcessId, lts: &Lts) -> Outcome<()> {
    if lts.alphabet().len() > LEAF_EVENTS {
        return Err(messages::too_many_events(processes, process, LEAF_EVENTS));
    }
    Ok(())
}

/// The network of one process, compiled on its own.
pub fn compile(
    processes: &mut dyn Processes,
    process: ProcessId,
    compressor: &dyn Compressor,
    options: CompileOptions,
) -> Outcome<Network> {
    Compiler::new(options).compile(processes, process, compressor)
}
