//! Reports as text for programs: one file for each format.

pub mod fdr;
pub mod fold;
pub mod itf;
pub mod json;
pub mod junit;
pub mod mermaid;
pub mod sarif;
