//! Looking at a process without checking anything: its network, its transition system, its steps.

use csp_checker::budget::Budget;
use csp_checker::{Model, Observer, Options, explicate};
use csp_compiler::assemble::{LEAF_STATES, LeafCompression};
use csp_compiler::operators::Termination;
use csp_lts::describe::{Abbreviation, describe_network};
use csp_lts::{EventTable, Network};

use super::{Problem, Script};
use crate::compression::reason;
use crate::explore::Explorer;
use crate::graph::Graph;
use crate::memory;

impl Script {
    /// The network of a process given as an expression, for the traces model.
    pub(crate) fn network_of(
        &mut self,
        expression: &str,
        observer: &dyn Observer,
    ) -> Result<Network, Problem> {
        let expr = self.expression(expression).map_err(|diagnostics| Problem {
            diagnostics,
            limit: None,
        })?;
        let process = self.evaluator().process(&expr)?;
        let options = Options {
            memory: memory::available(),
            ..Options::default()
        };
        let budget = Budget::new(&options, observer);
        let model = Model::FailuresDivergences;
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

    /// The components and rules of a process, as text.
    pub fn describe_network(
        &mut self,
        expression: &str,
        observer: &dyn Observer,
    ) -> Result<String, Problem> {
        let network = self.network_of(expression, observer)?;
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
        observer: &dyn Observer,
    ) -> Result<Graph, Problem> {
        let network = self.network_of(expression, observer)?;
        let options = Options {
            max_states: Some(max_states),
            memory: memory::available(),
            ..Options::default()
        };
        let lts = explicate(&network, &options, observer).map_err(|limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(reason(&limit)),
        })?;
        Ok(Graph {
            lts,
            events: self.events(),
        })
    }

    /// A process to step through.
    pub fn explorer(
        &mut self,
        expression: &str,
        observer: &dyn Observer,
    ) -> Result<Explorer, Problem> {
        let network = self.network_of(expression, observer)?;
        let events = self.events();
        Explorer::new(network, events).map_err(|limit| Problem {
            diagnostics: Vec::new(),
            limit: Some(limit),
        })
    }
}
