//! The shapes that readers of FDR's `refines` look for: text, JSON, YAML and XML.
//!
//! The shapes follow what public readers of that output do (`tests/cli/readers.rs` has four of them).
//! The numbers are ours: another compilation has other states. What FDR calls the elements of its XML
//! is not documented; ours are called as the keys of the JSON.

mod behaviour;
mod object;
mod text;
mod xml;
mod yaml;

pub use text::text;

use crate::format::json::{indented, on_one_line};
use crate::report::Report;

/// What `refines` was asked to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct FdrOptions {
    /// One line for each assertion.
    pub brief: bool,
    /// Results only.
    pub quiet: bool,
    /// Hidden events by name.
    pub reveal_taus: bool,
    /// Text: what each component did. The other formats always say so.
    pub divide: bool,
}

/// The JSON object of a whole run, indented. `events` are the names of all events of the script.
#[must_use]
pub fn json(report: &Report, options: FdrOptions, events: &[String]) -> String {
    indented(&object::of(report, options, events))
}

/// The JSON object of a whole run on one line.
#[must_use]
pub fn framed_json(report: &Report, options: FdrOptions, events: &[String]) -> String {
    on_one_line(&object::of(report, options, events))
}

/// The object of a whole run as a YAML document.
#[must_use]
pub fn yaml(report: &Report, options: FdrOptions, events: &[String]) -> String {
    yaml::document(&object::of(report, options, events))
}

/// The object of a whole run as an XML document.
#[must_use]
pub fn xml(report: &Report, options: FdrOptions, events: &[String]) -> String {
    xml::document(&object::of(report, options, events))
}
