//! Numbers of things in words of messages.

/// `1 state`, `2 states`.
#[must_use]
pub fn counted(n: u64, thing: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{n} {thing}{ending}")
}
