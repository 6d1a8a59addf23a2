//! Looking at a process without checking anything: its network, its transition system, its steps.

use std::time::Duration;

use csp_checker::budget::Budget;
use csp_checker::{Model, Observer, Options, explicate, explicate_with_states};
use csp_compiler::assemble::{CompileOptions, Compiler, LEAF_STATES, LeafCompression, Provenance};
use csp_compiler::infer;
use csp_compiler::operators::Termination;
use csp_compiler::process::ProcessId;
use csp_compiler::reduce::{WayBack, reduce_with_way_back};
use csp_grammar::source::Sources;
use csp_grammar::{Diagnostic, FileId};
use csp_host::clock::Moment;
use csp_lts::describe::{Abbreviation, describe_network};
use csp_lts::{EventTable, Network};

use super::{CheckSettings, Obstacle, Problem, Script, stopped};
use crate::compression::Compressions;
use crate::compression::reason;
use crate::explore::{Explored, Explorer};
use crate::graph::Graph;
use crate::memory;
use crate::pragma::Pragmas;
use crate::report::VerdictReport;

/// How a process is looked at that is not checked.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The model that compressions have to preserve.
    pub model: Model,
    /// Seconds that it may take.
    pub timeout: Option<f64>,
    /// Bytes that it may take, in place of what is free.
    pub memory: Option<u64>,
}

impl Default for Inspection {
    fn default() -> Self {
        Self {
            model: Model::FailuresDivergences,
            timeout: None,
            memory: None,
        }
    }
}

impl Inspection {
    fn options(&self) -> Options {
        let timeout = self.timeout;
        Options {
            timeout: timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            memory: self.memory.or_else(memory::available),
            ..Options::default()
        }
    }
}

impl Script {
    /// The script with brackets around every operand: how it was read. Directives stay as they are.
    #[must_use]
    pub fn brackets(&self) -> String {
        let mut sources = Sources::default();
        let text = self.sources.file_text(FileId::default());
        let root = sources.add(self.file.clone(), text);
        // What is included is not shown, so it is not read.
        let mut nothing = |_: &str| Ok(String::new());
        let (tree, _) = csp_grammar::parse(&mut sources, root, &mut nothing);
        csp_grammar::print_bracketed(&tree)
    }

    /// The names of all events of the script, if there are at most `limit`; otherwise none.
    pub fn event_names(&mut self, limit: usize) -> Vec<String> {
        let events = self.evaluator().events();
        let count = |c: &csp_lts::event::Channel| c.met.as_ref().map_or(c.size as usize, Vec::len);
        let total: usize = events.channels().iter().map(count).sum();
        if total > limit {
            return Vec::new();
        }
        let numbers = events.channels().iter().flat_map(|c| {
            let end = c.base + u32::try_from(count(c)).unwrap_or(c.size);
            c.base..end
        });
        numbers.map(|n| events.name(csp_lts::EventId(n))).collect()
    }

    /// The network of a process given as an expression, with every participant and every rule, and what its
    /// components come from.
    pub(crate) fn whole_network_of(
        &mut self,
        expression: &str,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<(Network, Provenance), Problem> {
        self.watch.start(settings.timeout, settings.memory);
        let process = self.process_within(expression)?;
        let options = settings.options();
        let budget = Budget::new(&options, observer);
        let compressions = Compressions::new(Model::FailuresDivergences, &budget, None);
        let mut compiler = Compiler::new(CompileOptions {
            keep_states: true,
            leaf_states: settings.max_leaf_states,
            ..CompileOptions::default()
        });
        let compiled = compiler.compile_with_provenance(self.evaluator(), process, &compressions);
        let limit = compressions.limit.take();
        Ok(compiled.map_err(|diagnostic| self.obstacle(diagnostic, limit))?)
    }

    /// The process given as an expression; a limit that is reached is no mistake of the script.
    fn process_within(&mut self, expression: &str) -> Result<ProcessId, Problem> {
        self.process_of(expression).map_err(|problem| {
            if problem.diagnostics.iter().any(stopped) {
                Obstacle::Limit(self.watch.limit()).into()
            } else {
                problem
            }
        })
    }

    /// The process given as an expression.
    fn process_of(&mut self, expression: &str) -> Result<ProcessId, Problem> {
        let expr = self.expression(expression).map_err(|diagnostics| Problem {
            diagnostics,
            limit: None,
        })?;
        Ok(self.evaluator().process(&expr)?)
    }

    /// The network of a process given as an expression.
    pub(crate) fn network_of(
        &mut self,
        expression: &str,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<Network, Problem> {
        self.watch.start(look.timeout, look.memory);
        let process = self.process_within(expression)?;
        let options = look.options();
        let budget = Budget::new(&options, observer);
        let model = look.model;
        let leaves = (LeafCompression::None, LEAF_STATES, Termination::default());
        Ok(self.network(process, model, leaves, &budget)?)
    }

    pub(crate) fn events(&self) -> EventTable {
        self.evaluator
            .as_ref()
            .expect("a process was evaluated")
            .events()
            .clone()
    }

    /// The type of an expression at the top level of the script, as scripts write it.
    pub fn type_of(&mut self, expression: &str) -> Result<String, Vec<Diagnostic>> {
        let expr = self.expression(expression)?;
        Ok(infer::infer_expression(&self.program, &self.types, &expr).0)
    }

    /// The components and rules of a process, as text.
    pub fn describe_network(
        &mut self,
        expression: &str,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<String, Problem> {
        let network = self.network_of(expression, look, observer)?;
        let events = self.events();
        Ok(describe_network(
            &network,
            Abbreviation::default(),
            |event| events.name(event),
        ))
    }

    /// The explicit transition system of a process.
    pub fn explicit(
        &mut self,
        expression: &str,
        max_states: u64,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<Graph, Problem> {
        let begun = Moment::now();
        let network = self.network_of(expression, look, observer)?;
        let mut options = look.options();
        options.max_states = Some(max_states);
        let left = |timeout: Duration| timeout.saturating_sub(begun.elapsed());
        options.timeout = options.timeout.map(left);
        let lts = explicate(&network, &options, observer).map_err(|limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(reason(&limit)),
        })?;
        Ok(Graph {
            lts,
            events: self.events(),
            terms: None,
        })
    }

    /// The explicit transition system of a process, with what its states are called.
    pub fn explicit_with_terms(
        &mut self,
        expression: &str,
        max_states: u64,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<Graph, Problem> {
        self.watch.start(look.timeout, look.memory);
        let process = self.process_within(expression)?;
        let mut options = look.options();
        options.max_states = Some(max_states);
        let budget = Budget::new(&options, observer);
        let (network, back, provenance) = self.kept_network(process, look.model, &budget)?;
        let (lts, states) = explicate_with_states(&network, &budget).map_err(|limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(reason(&limit)),
        })?;
        let events = self.events();
        let mut graph = Graph {
            lts,
            events: events.clone(),
            terms: None,
        };
        let explorer = self.explorer_over(network, back, &provenance, events)?;
        graph.terms = explorer.terms_of(&states);
        Ok(graph)
    }

    /// A process to step through.
    pub fn explorer(
        &mut self,
        expression: &str,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<Explorer, Problem> {
        self.watch.start(look.timeout, look.memory);
        let process = self.process_within(expression)?;
        let mut explorer = self.explorer_of(process, look, observer)?;
        if let Some(index) = self.first_about_a_game() {
            self.seat_at(&mut explorer, index);
        }
        Ok(explorer)
    }

    /// The game of a script to step through: the implementation of the first assertion that is about one. None if
    /// there is no game.
    pub fn explorer_of_game(
        &mut self,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Option<Result<Explorer, Problem>> {
        let index = self.first_about_a_game()?;
        Some(self.explorer_of_implementation(&(index + 1).to_string(), look, observer))
    }

    fn first_about_a_game(&self) -> Option<usize> {
        let mut assertions = self.program.assertions.iter();
        let described = self.described.is_some();
        assertions.position(|a| described || Pragmas::of(a).game.is_some())
    }

    /// Has the referee of an assertion's game, if it is about one, follow what is explored, and the script's words
    /// for waiting be used. Without a referee there are no boards, which is no reason not to explore.
    fn seat_at(&mut self, explorer: &mut Explorer, index: usize) {
        let assertion = self.program.assertions[index].clone();
        explorer.word(crate::evidence::words(&assertion));
        if let Ok(Some(start)) = self.start(&assertion, None) {
            explorer.plays(start);
        }
    }

    /// The implementation of an assertion to step through, with the first counterexample to it, if there is
    /// one, as [`Explorer::replay`] reads it. The assertion is given by its number or a part of its text.
    pub fn explorer_of_assertion(
        &mut self,
        pattern: &str,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> (Result<Explorer, Problem>, Option<String>) {
        let index = match self.assertion_like(pattern) {
            Ok(index) => index,
            Err(problem) => return (Err(problem), None),
        };
        let settings = CheckSettings {
            timeout: look.timeout,
            memory: look.memory,
            ..CheckSettings::default()
        };
        let (report, diagnostics) = self.check(index, &settings, observer);
        if report.verdict == VerdictReport::Error {
            let problem = Problem {
                diagnostics,
                limit: None,
            };
            return (Err(problem), None);
        }
        let trace = report.counterexamples.first().map(crate::explore::saved);
        let explorer = self.explorer_of_implementation(pattern, look, observer);
        (explorer, trace)
    }

    /// The implementation of an assertion to step through, in the model of the assertion; nothing is checked.
    pub fn explorer_of_implementation(
        &mut self,
        pattern: &str,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<Explorer, Problem> {
        let index = self.assertion_like(pattern)?;
        self.watch.start(look.timeout, look.memory);
        let assertion = self.program.assertions[index].clone();
        let evaluated = crate::claim::evaluate(&assertion, self.evaluator())
            .map_err(|diagnostic| self.obstacle(diagnostic, None))?;
        let look = Inspection {
            model: evaluated.compression_model(),
            ..look.clone()
        };
        match evaluated.processes().last().copied() {
            Some(process) => {
                let mut explorer = self.explorer_of(process, &look, observer)?;
                self.seat_at(&mut explorer, index);
                Ok(explorer)
            }
            None => Err(because("there is no process")),
        }
    }

    fn assertion_like(&self, pattern: &str) -> Result<usize, Problem> {
        let selected = self
            .select(&[pattern.to_owned()])
            .map_err(|m| because(&m))?;
        let first = selected.first().copied();
        first.ok_or_else(|| because("there is no such assertion"))
    }

    fn explorer_of(
        &mut self,
        process: ProcessId,
        look: &Inspection,
        observer: &dyn Observer,
    ) -> Result<Explorer, Problem> {
        let options = look.options();
        let budget = Budget::new(&options, observer);
        let (network, back, provenance) = self.kept_network(process, look.model, &budget)?;
        let events = self.events();
        self.explorer_over(network, back, &provenance, events)
    }

    /// The reduced network of a process, with the process of every state, and how it came about.
    fn kept_network(
        &mut self,
        process: ProcessId,
        model: Model,
        budget: &Budget<'_>,
    ) -> Result<(Network, WayBack, Provenance), Problem> {
        let compressions = Compressions::new(model, budget, None);
        let mut compiler = Compiler::new(CompileOptions {
            keep_states: true,
            ..CompileOptions::default()
        });
        let compiled = compiler.compile_with_provenance(self.evaluator(), process, &compressions);
        let limit = compressions.limit.take();
        let (network, provenance) =
            compiled.map_err(|diagnostic| self.obstacle(diagnostic, limit))?;
        let (network, back) = reduce_with_way_back(&network);
        Ok((network, back, provenance))
    }

    fn explorer_over(
        &self,
        network: Network,
        back: WayBack,
        provenance: &Provenance,
        events: EventTable,
    ) -> Result<Explorer, Problem> {
        let explored = Explored {
            network,
            back,
            provenance,
            processes: self.processes(),
            sources: self.sources(),
            events,
        };
        Explorer::new(explored).map_err(|limit| because(&limit))
    }
}

fn because(reason: &str) -> Problem {
    Problem {
        diagnostics: Vec::new(),
        limit: Some(reason.to_owned()),
    }
}
