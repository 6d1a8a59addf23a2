//! The checker's compressions, as the compiler asks for them.

use std::cell::RefCell;
use std::time::Instant;

use csp_checker::compress;
use csp_checker::{Limit, Model, Observer, Options, explicate};
use csp_compiler::compress::Compressor;
use csp_compiler::process::{Compression, Watchdog};
use csp_lts::{EventId, EventSet, Lts, Network};

use crate::report::{CompressionReport, SizeReport};

/// Compresses for one assertion: results depend on its model.
pub(crate) struct Compressions<'a> {
    pub(crate) model: Model,
    pub(crate) options: &'a Options,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) done: RefCell<Vec<CompressionReport>>,
}

impl Compressor for Compressions<'_> {
    fn compress(&self, kind: Compression, network: &Network, name: &str) -> Result<Lts, String> {
        let start = Instant::now();
        let explicit =
            explicate(network, self.options, self.observer).map_err(|limit| reason(&limit))?;
        let compressed = compress::compress(kind, self.model, &explicit);
        let size = |lts: &Lts| SizeReport {
            states: lts.state_count(),
            transitions: lts.transition_count(),
        };
        self.done.borrow_mut().push(CompressionReport {
            function: kind.name(),
            process: name.to_owned(),
            preserves_model: compress::preserves(kind, self.model),
            before: size(&explicit),
            after: size(&compressed),
            seconds: start.elapsed().as_secs_f64(),
        });
        Ok(compressed)
    }
    fn watchdog(
        &self,
        kind: Watchdog,
        specification: &Network,
        alphabet: &EventSet,
        bad: EventId,
    ) -> Result<Lts, String> {
        let explicit = explicate(specification, self.options, self.observer)
            .map_err(|limit| reason(&limit))?;
        let monitor = match kind {
            Watchdog::Traces => compress::trace_watchdog(&explicit, alphabet, bad),
            Watchdog::Failures => compress::failure_watchdog(&explicit, alphabet, bad),
        };
        monitor.map_err(|_| "its watchdog would be too large".to_owned())
    }
}

/// A limit in words.
pub(crate) fn reason(limit: &Limit) -> String {
    match limit {
        Limit::States(n) => format!("stopped at the limit of {n} states"),
        Limit::Time => "stopped at the time limit".to_owned(),
        Limit::Memory(bytes) => format!("stopped at the memory limit of {} MiB", bytes >> 20),
        Limit::Interrupted => "interrupted".to_owned(),
        Limit::NormalForm(n) => {
            format!("the normal form of the specification has more than {n} nodes")
        }
        Limit::Unsupported(why) => why.clone(),
    }
}
