//! One run of the checker, from files to reports.
//!
//! [`Script::load`] reads a script and says what is wrong with it; [`Script::check`] decides one of
//! its assertions. [`Session`] holds a script open for front ends that live longer than one run. Front ends depend on
//! this crate alone, and only it has serialised types.
//!
//! ```
//! use csp_driver::session::{Host, Session};
//! use csp_driver::{CancelToken, CheckSettings, report::VerdictReport};
//!
//! let session = Session::new(Host::memory());
//! session.set_text("clock.csp", "channel tick\nClock = tick -> Clock\nassert Clock :[deadlock free]");
//! let report = session.check(1, &CheckSettings::default(), &CancelToken::new(), |event| drop(event));
//! assert_eq!(report.expect("there is one").verdict, VerdictReport::Pass);
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod archive;
pub mod best;
pub mod bots;
pub mod bounds;
mod brackets;
mod cancel;
mod claim;
mod codes;
mod compression;
pub mod count;
pub mod deal;
pub mod described;
pub mod escape;
mod evaluator_pool;
mod evidence;
pub mod explore;
pub mod format;
pub mod games;
pub mod graph;
pub mod hidden;
mod kept;
pub mod live;
pub mod play;
mod pragma;
mod reach;
pub mod redeal;
mod referee;
pub mod report;
mod run;
pub mod scale;
mod script;
pub mod session;
pub mod solve;
pub mod start;
pub mod suite;
pub mod survey;
mod suspicion;

pub use archive::{Archive, archive};
pub use brackets::{Brackets, brackets};
pub use cancel::CancelToken;
pub use codes::{Code, codes};
pub use csp_checker::{Compressing, Model, Observer, Phase, Ply, Progress, Reductions, Store};
pub use csp_compiler::assemble::{LEAF_STATES, LeafCompression};
pub use csp_grammar::source::Sources;
pub use csp_grammar::{Diagnostic, Severity, Span};
pub use csp_host::files::FileError;
pub use csp_host::memory::{
    available as available_memory, most_addresses, resident as resident_memory,
};
pub use csp_host::models;
pub use csp_host::stack::{NoThread, on_deep_stack, try_on_deep_stack};
pub(crate) use csp_host::{files, memory, stack};
pub use referee::games;
pub use run::Audience;
pub use script::{CheckSettings, Inspection, Problem, Script};
pub use session::Session;
