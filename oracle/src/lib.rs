//! An independent judge of the checker's verdicts.
//!
//! [`denote`] says what a process term means, operator by operator, and [`verdict`] decides claims by
//! the definitions of the models. Neither uses anything of the grammar, the compiler or the checker:
//! only [`trial`] does, which runs the product and compares.
//!
//! ```
//! use csp_oracle::claim::Claim;
//! use csp_oracle::denote::Meanings;
//! use csp_oracle::term::{Constant, Definitions, Term};
//!
//! let definitions = Definitions { events: 2, bodies: Vec::new() };
//! let process = Term::Constant(Constant::Stop);
//! let verdict = Meanings::new(&definitions, 1000).judge(&Claim::DeadlockFree { process, strict: true });
//! assert!(!verdict.expect("it is small").holds());
//! ```

pub mod campaign;
pub mod claim;
pub mod denote;
pub mod events;
pub mod generate;
mod hash;
pub mod invariance;
pub mod laws;
pub mod random;
pub mod run;
pub mod scope;
pub mod system;
pub mod term;
pub mod trial;
pub mod verdict;
