//! Turns a tree into checked definitions, values, process terms, and a network for each assertion.
//!
//! The phases, in the order of use: resolve (names), infer (types), evaluate (values and process
//! terms), compile (networks). Each returns what it made and a list of diagnostics, and keeps going.
//!
//! ```
//! use csp_compiler::evaluate::{Evaluator, Limits};
//! use csp_compiler::{hir::GlobalId, infer, resolve};
//! use csp_grammar::source::Sources;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("sums.csp", "total(<>) = 0\ntotal(<x>^xs) = x + total(xs)\nten = total(<1..4>)");
//! let (tree, _) = csp_grammar::parse(&mut sources, file, &mut |_| Err("no includes".to_owned()));
//! let (program, wrong) = resolve::resolve(&tree, &sources, &[]);
//! assert!(wrong.is_empty());
//! let (types, wrong) = infer::infer(&program);
//! assert!(wrong.is_empty());
//! assert_eq!(types.scheme(GlobalId(0)), "(<Int>) -> Int");
//!
//! let mut evaluator = Evaluator::new(&program, Limits::default());
//! let ten = evaluator.constant(GlobalId(1)).expect("it has a value");
//! assert_eq!(evaluator.show(&ten), "10");
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod alphabet;
pub mod assemble;
pub mod compress;
pub mod evaluate;
pub mod fingerprint;
mod groups;
pub mod hir;
pub mod infer;
pub mod leaf;
pub mod lint;
pub mod operators;
pub mod process;
pub mod reduce;
pub mod resolve;
pub mod uses;
