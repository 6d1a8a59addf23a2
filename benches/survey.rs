//! A survey of FreeCell beside fc-solve (Debian: `freecell-solver-bin`) on the same deals, in one run.
//!
//!     cargo bench --bench survey               deals 1 to 1000
//!     DEALS=100 cargo bench --bench survey     deals 1 to 100, with fc-solve's default search too
//!
//! What is compared is processor time, children included, so that other work on the machine does not
//! matter much. fc-solve knows the game and has searches tuned for it (`-l as` is one); ours knows
//! a network of processes. Its default search takes long and is left out of more than 200 deals.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::process::{Command, Stdio};

const PEER: &str = "freecell-solver-range-parallel-solve";

/// The unit of times in `/proc`.
const TICKS_PER_SECOND: f64 = 100.0;

fn main() {
    let deals = std::env::var("DEALS").ok().and_then(|n| n.parse().ok());
    let deals: u32 = deals.unwrap_or(1000);
    let last = deals.to_string();
    let range = format!("1..{deals}");
    let survey = "survey models/freecell.csp -j 1 --quiet --deals";
    let mut arguments: Vec<&str> = survey.split(' ').collect();
    arguments.push(&range);
    let Some(ours) = seconds(env!("CARGO_BIN_EXE_csp"), &arguments) else {
        println!("the survey did not end well");
        return;
    };
    println!("FreeCell deals {range}, processor seconds");
    println!("{:<34} {ours:>9.2}", "csp survey");
    let mut searches = vec![("fc-solve -l as", vec!["-l", "as"])];
    if deals <= 200 {
        searches.push(("fc-solve", Vec::new()));
    }
    for (name, search) in searches {
        let range = ["1", &last, &last];
        match seconds(PEER, &[&range[..], &search].concat()) {
            Some(peer) => println!("{name:<34} {peer:>9.2}   ours/theirs {:>7.2}", ours / peer),
            None => println!("{name:<34} (not installed)"),
        }
    }
}

/// The processor time of a command, if it can be run and succeeds.
fn seconds(program: &str, arguments: &[&str]) -> Option<f64> {
    let before = children()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().ok().filter(|status| status.success())?;
    Some(children()? - before)
}

/// The time that children have used in user and system mode, as Linux tells it, in seconds.
fn children() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may hold spaces, the state is field 3; cutime and cstime are 16 and 17.
    let after = text.rsplit_once(')')?.1;
    let fields: Vec<f64> = after
        .split_whitespace()
        .skip(1)
        .filter_map(|n| n.parse().ok())
        .collect();
    Some((fields.get(12)? + fields.get(13)?) / TICKS_PER_SECOND)
}
