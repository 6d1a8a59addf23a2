#![doc = include_str!("../README.md")]

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
