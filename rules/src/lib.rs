//! Descriptions of patience games.
//!
//! [`read`] reads a description and says what is wrong with it; from one that is right follow the rules
//! in words ([`words`]), deals and a referee ([`position`]) and a model in CSPm ([`model`]). This crate knows neither the checker nor the compiler: what it writes is text.
//!
//! ```
//! let nowhere = &mut |name: &str| Err(format!("there is no {name}"));
//! let reading = csp_rules::read("mine", "mine.toml", "extends = \"theirs\"\n", nowhere);
//! assert!(reading.description.is_none());
//! assert_eq!(reading.sources.text(reading.diagnostics[0].span), "\"theirs\"");
//! ```

pub mod boards;
pub mod bundle;
pub mod codes;
pub mod deal;
pub mod description;
mod fields;
mod house;
mod json;
pub mod layout;
pub mod model;
pub mod moves;
pub mod pairs;
pub mod phrase;
pub mod piece;
pub mod position;
mod reading;
mod reasons;
mod referee;
mod scanner;
pub mod short;
mod solvitaire;
pub mod spelling;
pub mod suite;
mod table;
pub mod term;
mod toml;
pub mod tree;
mod validate;
pub mod words;

pub use description::Description;
pub use reading::{Reading, read};
pub use toml::read as read_toml;
