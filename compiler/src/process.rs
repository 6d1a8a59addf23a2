//! Process terms: what evaluation gives and compilation explores.
//!
//! A process is a number into a table that belongs to the evaluator. Its *head* is one operator
//! whose arguments are again numbers; it is computed when first asked for, so infinite processes
//! are finite as long as finitely many of their states are asked for. Two processes have the same
//! number if they come from the same expression with the same values of its free variables, or
//! are the same operator applied to the same arguments: that is how recursion closes.

mod operands;

use std::rc::Rc;
use std::sync::Arc;

use csp_grammar::{Diagnostic, Span};
pub use csp_lts::Compression;
use csp_lts::{EventId, EventSet, StateId};

pub use operands::{Operands, Role};

/// A process, by its place in the table of a [`Processes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(pub u32);

/// A relation between events, sorted, without duplicates.
pub type Relation = Arc<[(EventId, EventId)]>;

/// One operator and its arguments. Sets never contain τ, ✓ or Ω.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Process {
    /// Does nothing.
    Stop,
    /// Terminates: ✓ and then Ω.
    Skip,
    /// The state after ✓; behaves like [`Process::Stop`].
    Omega,
    /// Does τ for ever.
    Div,
    /// `[] e:A @ e -> RUN(A)`.
    Run(Arc<EventSet>),
    /// `STOP |~| ([] e:A @ e -> CHAOS(A))`.
    Chaos(Arc<EventSet>),
    /// Offers every event of every branch; the branches' sets may overlap (then the choice is
    /// nondeterministic). No branch is empty.
    Prefix(Box<[(Arc<EventSet>, ProcessId)]>),
    /// `[]` of any number; STOP if none.
    External(Box<[ProcessId]>),
    /// `|~|` of at least one.
    Internal(Box<[ProcessId]>),
    /// `P [> Q`.
    Sliding(ProcessId, ProcessId),
    /// `P ; Q`.
    Sequence(ProcessId, ProcessId),
    /// `P /\ Q`.
    Interrupt(ProcessId, ProcessId),
    /// `P [|A|> Q`.
    Exception(ProcessId, Arc<EventSet>, ProcessId),
    /// `[+A+]` of any number.
    SyncExternal(Arc<EventSet>, Box<[ProcessId]>),
    /// `P /+A+\ Q`.
    SyncInterrupt(ProcessId, Arc<EventSet>, ProcessId),
    /// `[|A|]` of any number (all synchronise on A); `|||` is the empty set; SKIP if none.
    Parallel(Arc<EventSet>, Box<[ProcessId]>),
    /// Alphabetised parallel of any number; SKIP if none.
    Alphabetised(Box<[(Arc<EventSet>, ProcessId)]>),
    /// `P [a <-> b, …] Q`: the pairs (event of P, event of Q).
    Linked(ProcessId, Relation, ProcessId),
    /// `P \ A`.
    Hide(ProcessId, Arc<EventSet>),
    /// `P |\ A`: hide everything else.
    Project(ProcessId, Arc<EventSet>),
    /// `P [[R]]`: (from, to); events without a pair stay.
    Rename(ProcessId, Relation),
    /// `loop(P)` = `P ; loop(P)`.
    Loop(ProcessId),
    /// A compression, chase, determinisation or explication.
    Compress(Compression, ProcessId),
    /// `prioritise`: for each event the events (never τ, ✓) that it is blocked by, and which
    /// events τ and ✓ block.
    Prioritise(ProcessId, Arc<Priority>),
    /// A watchdog made of a specification: see [`Watchdog`].
    Watchdog(Watchdog, ProcessId, Arc<EventSet>, EventId),
    /// A bounded buffer: capacity, what happens at its ends, and (input, output) pairs; the content
    /// is the sequence of outputs still to come, oldest first.
    Buffer(BufferKind, u32, Relation, Box<[EventId]>),
    /// A state of the machine that a compressed process has become, where that is part of a process
    /// that is listed. The number of the machine means something to the compiler that made it.
    Node(ProcessId, u32, StateId),
}

/// What a buffer does when it is full or empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferKind {
    /// Refuses input when full.
    Plain,
    /// When full, performs the event and stops.
    Weak(EventId),
    /// Performs the first event when full and the second when empty, and goes on.
    Signal(EventId, EventId),
}

/// A priority order on events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Priority {
    /// Classes of events and, for each, the indexes of the classes that block it.
    pub classes: Vec<(EventSet, Vec<u32>)>,
    /// Events that cannot happen while τ or ✓ is possible.
    pub below_tau: EventSet,
}

/// Which watchdog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Watchdog {
    /// `trace_watchdog`.
    Traces,
    /// `failure_watchdog`.
    Failures,
}

/// What is counted of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// A number itself.
    Value,
    /// How many elements a sequence, set or map has.
    Size,
}

/// A number among the arguments of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    /// The definition that was called.
    pub definition: String,
    /// It stands at the top level of the script.
    pub global: bool,
    /// Which of its parameters, from 0.
    pub place: usize,
    /// What is counted.
    pub measure: Measure,
    /// How much that is.
    pub value: i64,
}

/// The table of processes. Implemented by the evaluator; tests use plain tables.
pub trait Processes {
    /// The head of a process, evaluated if it has not been yet. Unguarded recursion (`P = P`), and
    /// whatever else goes wrong in evaluation, is a diagnostic.
    fn head(&mut self, process: ProcessId) -> Result<Rc<Process>, Box<Diagnostic>>;

    /// The process with this head.
    fn intern(&mut self, head: Process) -> ProcessId;

    /// What to call it in reports: `Card(Hearts.3)`, or a short piece of the expression.
    fn describe(&self, process: ProcessId) -> String;

    /// Whether the script has a name for it: `Card(Hearts.3)`, `STOP`, but not a piece of an expression.
    fn is_named(&self, _: ProcessId) -> bool {
        false
    }

    /// Where its expression stands.
    fn span(&self, process: ProcessId) -> Span;

    /// Whether some events have numbers that depend on the order in which they were met.
    fn numbers_events_as_met(&self) -> bool {
        false
    }

    /// Asked now and then by long loops over processes: an error if they should end.
    fn poll(&mut self, _: ProcessId) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }
}
