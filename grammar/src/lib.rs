//! Turns CSPm text into a spanned tree and back.
//!
//! Lexing and parsing never fail: they give a tree and, beside it, a list of [`Diagnostic`]s.
//! This crate does no input or output; included files come through a [`source::Loader`].
//!
//! ```
//! use csp_grammar::source::Sources;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("clock.csp", "channel tick\nClock = (tick   -> Clock)");
//! let no_includes = &mut |_: &str| Err("there are no other files".to_owned());
//! let (tree, diagnostics) = csp_grammar::parse(&mut sources, file, no_includes);
//! assert!(diagnostics.is_empty());
//! assert_eq!(csp_grammar::print_declaration(&tree.decls[1]), "Clock = (tick -> Clock)");
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod brackets;
mod builder;
pub mod codes;
pub mod diagnostic;
mod expectation;
mod heading;
mod include;
mod lexer;
mod likeness;
mod messages;
mod nesting;
mod outline;
mod parser;
mod pattern;
mod precedence;
mod printer;
mod slip;
pub mod source;
pub mod syntax;
mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::unwrap_used,
        missing_docs,
        unused,
        unreachable_pub
    )]
    grammar
);

pub use brackets::{bracketed_text, implied_brackets};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use likeness::{bare_expression, bare_script};
pub use parser::{parse, parse_expression};
pub use printer::{
    model_name, print_bracketed, print_declaration, print_expression, print_pattern, print_script,
    print_type,
};
pub use source::{FileId, Span};
