//! One run of the checker, from files to reports.
//!
//! [`Script::load`] reads a script and says what is wrong with it; [`Script::check`] decides one of
//! its assertions. [`Session`] holds a script open for front ends that live longer than one run. Front ends depend on this crate alone, and only it has serialised types.

mod archive;
mod brackets;
mod cancel;
mod claim;
mod codes;
mod compression;
pub mod deal;
mod doubles;
pub mod escape;
mod evidence;
pub mod explore;
mod files;
pub mod format;
pub mod graph;
pub mod hidden;
mod kept;
pub mod live;
mod memory;
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
mod stack;
pub mod survey;

pub use archive::{Archive, archive};
pub use brackets::{Brackets, brackets};
pub use cancel::CancelToken;
pub use codes::{Code, codes};
pub use csp_checker::{Compressing, Observer, Phase, Ply, Progress, Store};
pub use csp_compiler::assemble::{LEAF_STATES, LeafCompression};
pub use csp_grammar::source::Sources;
pub use csp_grammar::{Diagnostic, Severity, Span};
pub use files::FileError;
pub use memory::available as available_memory;
pub use run::Audience;
pub use script::{CheckSettings, Problem, Script};
pub use session::Session;
pub use stack::on_deep_stack;
