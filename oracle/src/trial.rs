//! The product on trial: its verdicts and counterexamples compared with those of the judges.

pub mod compare;
pub mod product;
pub mod reducible;
pub mod shrink;
pub mod tally;
