//! The module's own stack, which holds what has an address; calls are on the engine's.

/// As much as all evaluations that may stand inside one another can need, several times over.
const STACK: u32 = 16 << 20;

fn main() {
    let target = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    if target == "wasm" {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
