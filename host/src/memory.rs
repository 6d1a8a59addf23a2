//! How much memory there is, as far as the system tells: in Linux by `/proc` and control groups, in a WebAssembly module
//! by the size of its own memory. Where addresses are limited (`ulimit -v`), what is left of them counts as memory.

#[cfg(not(target_family = "wasm"))]
use std::fs;

/// Part of the free memory that is left alone.
const MARGIN: f64 = 0.1;

/// What the machine or the group of processes has free, less a margin; `None` where the system does
/// not tell.
#[must_use]
pub fn available() -> Option<u64> {
    let free = [machine(), group(), addresses_left()];
    let free = free.into_iter().flatten().min()?;
    Some((free as f64 * (1.0 - MARGIN)) as u64)
}

/// What this process has at present; `None` where the system does not tell.
#[must_use]
pub fn resident() -> Option<u64> {
    taken()
}

/// How many bytes of addresses this process may have; `None` where there is no such limit.
#[must_use]
pub fn most_addresses() -> Option<u64> {
    addresses()
}

/// How many bytes of addresses this process may still take; `None` where there is no such limit.
#[must_use]
pub fn addresses_left() -> Option<u64> {
    let most = most_addresses()?;
    Some(most.saturating_sub(mapped()?))
}

#[cfg(not(target_family = "wasm"))]
fn addresses() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find(|l| l.starts_with("Max address space"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(target_family = "wasm")]
fn addresses() -> Option<u64> {
    None
}

#[cfg(not(target_family = "wasm"))]
fn mapped() -> Option<u64> {
    kibibytes("/proc/self/status", "VmSize:")
}

#[cfg(target_family = "wasm")]
fn mapped() -> Option<u64> {
    None
}

#[cfg(not(target_family = "wasm"))]
fn taken() -> Option<u64> {
    kibibytes("/proc/self/status", "VmRSS:")
}

/// The number of a line `NAME: 1234 kB`, in bytes.
#[cfg(not(target_family = "wasm"))]
fn kibibytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|l| l.starts_with(name))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// A module's memory only grows.
#[cfg(target_family = "wasm")]
fn taken() -> Option<u64> {
    Some(core::arch::wasm32::memory_size::<0>() as u64 * PAGE)
}

/// Bytes of a page of a module's memory.
#[cfg(target_family = "wasm")]
const PAGE: u64 = 64 << 10;

/// The most that a module takes. Addresses end at 4 GiB, and browsers give less.
#[cfg(target_family = "wasm")]
const MODULE: u64 = 2 << 30;

#[cfg(target_family = "wasm")]
fn machine() -> Option<u64> {
    Some(MODULE.saturating_sub(taken()?))
}

#[cfg(target_family = "wasm")]
fn group() -> Option<u64> {
    None
}

#[cfg(not(target_family = "wasm"))]
fn machine() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemAvailable:")
}

/// What is left of the limit that a container sets (control groups of version 2 or 1).
#[cfg(not(target_family = "wasm"))]
fn group() -> Option<u64> {
    let folder = "/sys/fs/cgroup";
    let number = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(format!("{folder}/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let left = |limit: &str, used: &str| Some(number(limit)?.saturating_sub(number(used)?));
    left("memory.max", "memory.current").or_else(|| {
        left(
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
        )
    })
}
