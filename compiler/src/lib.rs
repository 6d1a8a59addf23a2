//! Turns a tree into checked definitions, values, process terms, and a network for each assertion.
//!
//! The phases, in the order of use: resolve (names), infer (types), evaluate (values and process
//! terms), compile (networks). Each returns what it made and a list of diagnostics, and keeps going.

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
