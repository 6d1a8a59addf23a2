//! The compiler's view of compressions: it asks for them, somebody else computes them.

use csp_grammar::Span;
use csp_lts::{EventId, EventSet, Lts, Network};

use crate::process::{Compression, Watchdog};

/// Where a function is applied, as far as that says what its result has to preserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// The innermost function around it that looks at single steps, as scripts call it:
    /// `prioritise` or `chase`.
    pub stepwise: Option<&'static str>,
    /// It is part of the specification of a watchdog, which sees what that watchdog watches,
    /// whatever model the whole is checked in.
    pub watchdog: Option<Watchdog>,
}

/// A machine that a script wants to be compressed.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// By which function.
    pub kind: Compression,
    /// The machine.
    pub network: &'a Network,
    /// What to call it in reports.
    pub name: &'a str,
    /// The script asks for it; otherwise it is how leaves are reduced.
    pub asked_for: bool,
    /// Where the function is applied, if that is known.
    pub span: Span,
    /// And inside of what.
    pub context: Context,
    /// It is left alone, and that is no harm, if it has more states than this.
    pub most_states: Option<usize>,
}

/// A compressed machine.
#[derive(Clone, Debug)]
pub struct Compressed {
    /// It.
    pub lts: Lts,
    /// How many states the machine had before.
    pub states_before: usize,
}

/// Computes functions from machines to machines.
pub trait Compressor {
    /// Results for one model are not used for another. The numbers mean nothing to the compiler.
    fn model(&self) -> u8;

    /// A transition system that means the same as the network as far as this kind of compression
    /// promises; or why there is none.
    fn compress(&self, request: &Request<'_>) -> Result<Compressed, String>;

    /// The same for several, in this order; they may be computed at once.
    fn compress_all(&self, requests: &[Request<'_>]) -> Vec<Result<Compressed, String>> {
        requests
            .iter()
            .map(|request| self.compress(request))
            .collect()
    }

    /// A monitor that performs `bad` once what it watches on the alphabet leaves the specification;
    /// or why there is none.
    fn watchdog(
        &self,
        kind: Watchdog,
        specification: &Network,
        alphabet: &EventSet,
        bad: EventId,
    ) -> Result<Lts, String>;
}
