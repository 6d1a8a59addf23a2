//! Networks against the operational semantics.

mod explorer;
mod random;
mod table;

mod counts;
