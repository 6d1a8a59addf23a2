//! Tells the binary which commit it is built from, if there is one.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=.git/HEAD");
    let commit = Command::new("git")
        .args(["rev-parse", "--short", "HEAD"])
        .output();
    if let Ok(output) = commit
        && output.status.success()
    {
        let commit = String::from_utf8_lossy(&output.stdout);
        println!(
            "cargo::rustc-env=CSP_COMMIT={} ({})",
            env!("CARGO_PKG_VERSION"),
            commit.trim()
        );
    }
}
