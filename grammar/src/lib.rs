//! Turns CSPm text into a spanned tree and back.
//!
//! Lexing and parsing never fail: they give a tree and, beside it, a list of [`Diagnostic`]s.
//! This crate does no input or output; included files come through a [`source::Loader`].

pub mod diagnostic;
pub mod source;
pub mod syntax;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use source::{FileId, Span};
