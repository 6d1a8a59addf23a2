//! Evaluation: from definitions to values and process terms.
//!
//! The language is lazy and dynamically typed here (types have been checked before). Definitions are
//! lowered to code with resolved slots once; constants are evaluated when first needed and kept.
//! Processes are evaluated one head at a time: see [`crate::process`].

mod builtins;
mod call;
mod code;
mod components;
mod comprehension;
mod declare;
mod dot;
pub mod exchange;
mod facts;
mod force;
mod group;
mod lower;
mod matching;
mod membership;
mod memo;
pub mod messages;
mod numbers;
mod operations;
mod operator;
mod origin;
mod prefix;
mod processes;
mod repeat;
mod run;
pub mod sequence;
pub mod sets;
mod sharing;
mod show;
mod stack;
pub mod value;
mod walk;

use std::rc::Rc;

use ahash::AHashMap;
use csp_grammar::Diagnostic;
use csp_lts::{EventId, EventSet, EventTable};
use indexmap::IndexSet;

pub use messages::CODES;
pub use numbers::Names;
pub use value::Value;

use crate::hir::{Expr, GlobalId, Program};
use crate::process::ProcessId;
use code::{Code, CodeId, UnitId};
use declare::{Digits, TagState};
use facts::Facts;
use lower::GlobalCode;
use messages::Failure;
use origin::Origin;
use processes::Known;
use stack::Stack;

/// How many evaluations may stand inside one another where the stack cannot be measured: on the stack of an engine of
/// WebAssembly, about 1 MiB, `f(n) = 1 + f(n-1)`, three for each call, fails at 2,900, and a set of a set at 1,600.
pub const NESTED: u32 = 800;

/// What evaluation may use up.
pub struct Limits {
    /// How much of the current thread's stack may be used; recursion that needs more is an error.
    pub stack_bytes: usize,
    /// How many evaluations may stand inside one another; looked at where the stack cannot be measured.
    pub nested: u32,
    /// Asked every few thousand calls; evaluation ends if it says true.
    pub interrupt: Box<dyn FnMut() -> bool>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            stack_bytes: 1 << 20,
            nested: NESTED,
            interrupt: Box::new(|| false),
        }
    }
}

/// How far a constant has come.
#[derive(Debug)]
enum Constant {
    Pending,
    Evaluating,
    Done(Value),
}

/// The values and processes of one script.
pub struct Evaluator {
    code: Code,
    facts: Facts,
    globals: Vec<GlobalCode>,
    constants: Vec<Constant>,
    tags: Vec<TagState>,
    events: EventTable,
    /// The channel of each block of the event table.
    channels: Vec<GlobalId>,
    /// Events of channels with infinite fields, as far as they have been met.
    met: AHashMap<(GlobalId, Box<[Value]>), EventId>,
    met_fields: AHashMap<EventId, Box<[Value]>>,
    /// Numberings of field sets, shared between channels.
    digits: AHashMap<Value, Rc<Digits>>,
    /// Results of functions that are called with the same few arguments again and again.
    memo: memo::Memo,
    stack: Stack,
    /// A buffer for the elements of comprehensions.
    spare: Vec<Value>,
    /// `<>`, which many comprehensions come to.
    empty: Value,
    /// The last code a frame was opened for, for reports.
    at: CodeId,
    countdown: u32,
    chains: repeat::Chains,
    /// The machine's stack may not grow below this address.
    stack_limit: usize,
    /// Evaluations inside one another, and how many there may be; kept where they are [`run::COUNTED`].
    nested: (u32, u32),
    interrupt: Box<dyn FnMut() -> bool>,
    /// Constants whose other names are being looked up, and whether they were met again.
    naming: Vec<(GlobalId, bool)>,
    origins: IndexSet<Origin, ahash::RandomState>,
    /// Indexed like `origins`.
    processes: Vec<Known>,
    /// Where watchdogs and compressions were last asked for: most likely in the assertion at hand.
    machines: AHashMap<ProcessId, csp_grammar::Span>,
}

impl Evaluator {
    /// Prepares a script. The evaluator measures its use of the stack from where this is called.
    #[must_use]
    pub fn new(program: &Program, limits: Limits) -> Self {
        let facts = Facts::of(program);
        let mut code = Code::default();
        let globals = lower::program(&mut code, &facts, program);
        let here = std::ptr::from_ref(&facts).addr();
        Self {
            constants: globals.iter().map(|_| Constant::Pending).collect(),
            tags: globals.iter().map(|_| TagState::default()).collect(),
            code,
            facts,
            globals,
            events: EventTable::new(),
            channels: Vec::new(),
            met: AHashMap::new(),
            met_fields: AHashMap::new(),
            digits: AHashMap::new(),
            memo: memo::Memo::default(),
            stack: Stack::default(),
            spare: Vec::new(),
            empty: Value::sequence(Vec::new()),
            at: CodeId(0),
            countdown: 1,
            chains: repeat::Chains::default(),
            stack_limit: here.saturating_sub(limits.stack_bytes),
            nested: (0, limits.nested),
            interrupt: limits.interrupt,
            naming: Vec::new(),
            origins: IndexSet::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
            processes: Vec::new(),
            machines: AHashMap::new(),
        }
    }

    /// How many process terms there are by now.
    #[must_use]
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }

    /// The events of all channels evaluated so far; of all channels after [`Self::declare`].
    #[must_use]
    pub fn events(&self) -> &EventTable {
        &self.events
    }

    /// Learns of variables that the program has got since, with one further expression. Definitions must be those that
    /// it knows.
    pub fn learn_locals(&mut self, program: &Program) {
        let known = self.facts.local_names.len();
        let more = program.locals.iter().skip(known);
        let names = more.map(|local| Rc::from(local.name.as_str()));
        self.facts.local_names.extend(names);
    }

    /// The canonical value of an expression of the script.
    pub fn evaluate(&mut self, expr: &Expr) -> Result<Value, Box<Diagnostic>> {
        self.facts.extend(expr);
        let unit = lower::expression(&mut self.code, &self.facts, expr);
        let value = self.run_top(unit)?;
        self.canonical(value)
    }

    /// The process an expression stands for.
    pub fn process(&mut self, expr: &Expr) -> Result<ProcessId, Box<Diagnostic>> {
        self.facts.extend(expr);
        let unit = lower::process(&mut self.code, &self.facts, expr);
        let value = self.run_top(unit).map_err(|failure| {
            // `P = P` does not look like a process, but here one is wanted.
            let failure = processes::unguarded(failure);
            if failure.code != "E0410" {
                return failure;
            }
            let name = lower::title(&self.facts, expr);
            messages::unguarded(failure.span, &format!("{name} = {name}"))
        })?;
        match value {
            Value::Process(id) => Ok(self.original(id)),
            other => Err(messages::unexpected(
                expr.span,
                "a process",
                &self.abbreviate(&other),
            )),
        }
    }

    /// The set of events an expression stands for.
    pub fn event_set(&mut self, expr: &Expr) -> Result<EventSet, Box<Diagnostic>> {
        let value = self.evaluate(expr)?;
        let code = self.marker(expr);
        self.events_of(&value, code).map(|set| (*set).clone())
    }

    /// The sequence of events an expression stands for.
    pub fn trace(&mut self, expr: &Expr) -> Result<Vec<EventId>, Box<Diagnostic>> {
        let value = self.evaluate(expr)?;
        let code = self.marker(expr);
        let sequence = self.as_sequence(&value, code)?;
        let Some(items) = sequence.as_slice() else {
            return Err(messages::too_large(expr.span, "the trace"));
        };
        items.iter().map(|v| self.as_event(v, code)).collect()
    }

    /// The value of a constant of the script by its number.
    pub fn constant(&mut self, id: GlobalId) -> Result<Value, Box<Diagnostic>> {
        let value = match &self.globals[id.0 as usize] {
            GlobalCode::Function | GlobalCode::Channel(_) | GlobalCode::Constructor { .. } => {
                return Err(messages::unexpected(
                    csp_grammar::Span::default(),
                    "a constant",
                    self.tag_name(id),
                ));
            }
            _ => self.global(id, csp_grammar::Span::default())?,
        };
        self.canonical(value)
    }

    /// A node to locate reports about an expression.
    fn marker(&mut self, expr: &Expr) -> CodeId {
        self.code.push(code::Node::Error, expr.span)
    }

    /// Runs a unit from outside; whatever fails, the frames are gone afterwards.
    fn run_top(&mut self, unit: UnitId) -> Result<Value, Failure> {
        let height = self.stack.len();
        let result = self.run_unit(unit, &[]);
        self.stack.close(height);
        result
    }
}
