//! Random scripts through lexer, parser, printer, resolver, type checker and evaluator.
//!
//! Every input is a function of a seed and a number, so whatever happens can be repeated. What must
//! hold for all of them is in [`trial`]; where they come from is in [`generate`] and [`mutate`].

pub mod generate;
pub mod input;
pub mod mutate;
pub mod random;
pub mod shrink;
pub mod trial;
