//! Networks against the operational semantics.

mod explorer;
mod laws;
mod random;
mod table;

mod counts;
