//! The `csp` command.
fn main() {}
