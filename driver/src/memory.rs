//! How much memory a check may take if nobody says.

use std::fs;

/// Part of the free memory that is left alone.
const MARGIN: f64 = 0.1;

/// What the machine has free, less a margin; `None` where the system does not tell.
#[must_use]
pub fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(((kib * 1024) as f64 * (1.0 - MARGIN)) as u64)
}
