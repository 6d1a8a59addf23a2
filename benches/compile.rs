//! How long scripts take from their text to a network:
//!
//!     cargo bench --bench compile
//!
//! Seconds from reading the file to the reduced network, on two threads. The first deal of a game is
//! cold; the further ones are medians in the same run. The made-up networks come in growing sizes, so
//! that one can see whether time and memory grow in proportion.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use csp_driver::report::VerdictReport;
use csp_driver::{CheckSettings, Observer, Progress, Script, on_deep_stack};

/// As in the program.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Quiet;

impl Observer for Quiet {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        false
    }
}

fn main() {
    on_deep_stack(|| {
        println!("{:<44} {:>9} {:>12}", "script", "seconds", "peak (MiB)");
        games();
        for leaves in [2_500, 5_000, 10_000, 20_000] {
            made(&format!("ring of {leaves} leaves"), &ring(leaves));
        }
        for events in [250_000, 500_000, 1_000_000] {
            made(&format!("{events} events over 10 leaves"), &wide(events));
        }
        made("10000 leaves over 1000000 events", &both(10_000, 100));
        made("52 leaves of 20 to 500 states, 3000 events", &cards());
        for n in [250, 500, 1_000] {
            philosophers(n);
        }
    });
}

fn games() {
    for game in ["freecell", "montana", "klondike"] {
        let file = model(game);
        let mut deals = (1..=21).map(|deal| compiled(&file, &[format!("DEAL={deal}")]));
        let cold = deals.next().expect("there are deals");
        let mut further: Vec<f64> = deals.collect();
        further.sort_by(f64::total_cmp);
        println!(
            "{:<44} {cold:>9.3} {:>12}",
            format!("{game}, first deal"),
            peak()
        );
        let median = further[further.len() / 2];
        println!("{:<44} {median:>9.3}", format!("{game}, each further deal"));
    }
}

/// Philosophers by parts: every part is compressed.
fn philosophers(n: u32) {
    let file = model("philosophers-by-parts");
    let seconds = compiled(&file, &[format!("N={n}")]);
    println!(
        "{:<44} {seconds:>9.3} {:>12}",
        format!("{n} philosophers by parts"),
        peak()
    );
}

fn model(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("models").join(format!("{name}.csp"))
}

fn made(name: &str, text: &str) {
    let file = std::env::temp_dir().join(format!("csp-bench-{}.csp", std::process::id()));
    std::fs::write(&file, text).expect("the temporary folder is writable");
    let seconds = compiled(&file, &[]);
    std::fs::remove_file(&file).expect("it was written");
    println!("{name:<44} {seconds:>9.3} {:>12}", peak());
}

/// Compiles the first assertion of a script and gives up soon on checking it, which does not count.
fn compiled(file: &Path, defines: &[String]) -> f64 {
    let start = Instant::now();
    let mut script = Script::load(file, defines).expect("it is readable");
    let loading = start.elapsed().as_secs_f64();
    let settings = CheckSettings {
        threads: 2,
        max_states: Some(1_000),
        ..CheckSettings::default()
    };
    let (report, _) = script.check(0, &settings, &Quiet);
    let reason = report.reason.unwrap_or_default();
    assert!(report.verdict != VerdictReport::Error, "{reason}");
    loading + report.compile_seconds
}

/// A token goes round: every leaf shares an event with each neighbour.
fn ring(leaves: u32) -> String {
    format!(
        "N = {leaves}\nchannel e : {{0..N - 1}}\n\
         Empty(i) = e.i -> Full(i)\n\
         Full(i) = e.((i + 1) % N) -> Empty(i)\n\
         Cell(i) = if i == 0 then Full(i) else Empty(i)\n\
         Ring = || i : {{0..N - 1}} @ [{{e.i, e.((i + 1) % N)}}] Cell(i)\n\
         assert Ring :[deadlock free]\n"
    )
}

/// Few leaves over a large alphabet, which they share out.
fn wide(events: u32) -> String {
    format!(
        "N = {}\nchannel c : {{0..9}}.{{0..N - 1}}\n\
         Worker(i) = c.i?y -> Idle(i)\n\
         Idle(i) = c.i.0 -> Worker(i)\n\
         System = || i : {{0..9}} @ [{{| c.i |}}] Worker(i)\n\
         assert System :[deadlock free]\n",
        events / 10
    )
}

/// A value goes round: every leaf shares a channel with each neighbour.
fn both(leaves: u32, values: u32) -> String {
    format!(
        "L = {leaves}\nchannel c : {{0..L - 1}}.{{0..{values} - 1}}\n\
         Taking(i) = c.i?x -> Giving(i, x)\n\
         Giving(i, x) = c.((i + 1) % L)!x -> Taking(i)\n\
         Cell(i) = if i == 0 then Giving(i, 0) else Taking(i)\n\
         Ring = || i : {{0..L - 1}} @ [{{| c.i, c.((i + 1) % L) |}}] Cell(i)\n\
         assert Ring :[deadlock free]\n"
    )
}

/// Components of 20 to 500 states over 3000 events, with two to five taking part in each.
fn cards() -> String {
    "channel e : {0..2999}\n\
     part(k, j) = (k * (2 * j + 1) + 11 * j) % 52\n\
     parts(k) = {part(k, j) | j <- {0..1 + k % 4}}\n\
     mine(i) = {k | k <- {0..2999}, member(i, parts(k))}\n\
     size(i) = 20 + (i * 97) % 481\n\
     Card(i, own, s) = e?k : own -> Card(i, own, (s + k) % size(i))\n\
     Table = || i : {0..51} @ [{e.k | k <- mine(i)}] Card(i, mine(i), 0)\n\
     assert Table :[deadlock free]\n"
        .to_owned()
}

/// The most memory that this process has had, in MiB.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or_else(String::new, |kib| (kib >> 10).to_string())
}
