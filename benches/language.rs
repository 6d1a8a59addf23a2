//! Reading and type-checking of long generated scripts: how the time grows with the length.
//!
//!     cargo bench --bench language
//!
//! Scripts of 10,000, 50,000 and 100,000 lines with thousands of definitions, modules and instances.
//! Times are of whole commands, the least of three (`RUNS`); the last column should stay the same.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

const LENGTHS: [usize; 3] = [10_000, 50_000, 100_000];

fn main() {
    let runs: usize = std::env::var("RUNS")
        .ok()
        .and_then(|r| r.parse().ok())
        .unwrap_or(3);
    println!(
        "{:>8} {:>12} {:>15} {:>12} {:>12}",
        "lines", "definitions", "typecheck (s)", "eval (s)", "µs a line"
    );
    for length in LENGTHS {
        let (text, definitions) = script(length);
        let path = std::env::temp_dir().join(format!("csp-bench-{length}.csp"));
        std::fs::write(&path, &text).expect("the temporary folder is writable");
        let name = path.to_string_lossy();
        let types = least(runs, &["typecheck", &name]);
        let value = least(runs, &["eval", &name, "length3(5)"]);
        let lines = text.lines().count();
        println!(
            "{lines:>8} {definitions:>12} {types:>15.3} {value:>12.3} {:>12.2}",
            types * 1e6 / lines as f64
        );
        std::fs::remove_file(&path).expect("it was written");
    }
}

/// The least wall time of a command that must succeed.
fn least(runs: usize, arguments: &[&str]) -> f64 {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            let output = Command::new(env!("CARGO_BIN_EXE_csp"))
                .args(arguments)
                .output()
                .expect("the command starts");
            assert!(
                output.status.success(),
                "{arguments:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

/// A script of about so many lines, and the number of its definitions.
fn script(length: usize) -> (String, usize) {
    let mut text = String::from(
        "channel tick, tack : {0..3}\nchannel done\ndatatype Colour = Red | Green | Blue.{0..3}\n\
         module Cell(init)\n  channel get, put : {0..3}\n  \
         Hold(x) = get!x -> Hold(x) [] put?y -> Hold(y)\nexports\n  CELL = Hold(init)\n  \
         alphabet = {| get, put |}\nendmodule\n",
    );
    let (mut lines, mut definitions) = (10, 8);
    let mut part = 0_usize;
    while lines < length {
        let (k, value, before) = (part, part % 4, part.saturating_sub(1));
        let _ = write!(
            text,
            "-- Part {k}.\n\
             step{k}(x, y) = if x < y then step{k}(x + 1, y) else (x, y)\n\
             pick{k}(<>) = Red\n\
             pick{k}(<x>^xs) = if x == {value} then Blue.x else pick{k}(xs)\n\
             set{k} = {{ x + y | x <- {{0..3}}, y <- {{0..x}}, x != y }}\n\
             P{k} = tick?x -> (if x == {value} then Q{k}(x) else P{k}) [] done -> STOP\n\
             Q{k}(x) = tack!x -> P{before} |~| done -> P{k}\n\
             SYSTEM{k} = (P{k} [| {{| tick |}} |] Q{k}({value})) \\ {{| tack |}}\n\
             length{k}(n) = let go(0) = <>\n                    go(m) = <m>^go(m - 1)\n               \
             within #go(n) + {k}\n"
        );
        (lines, definitions) = (lines + 11, definitions + 8);
        if k % 20 == 0 {
            let _ = write!(
                text,
                "instance C{k} = Cell({value})\nR{k} = C{k}::CELL ||| P{k}\n"
            );
            (lines, definitions) = (lines + 2, definitions + 6);
        }
        if k % 50 == 0 {
            let _ = write!(
                text,
                "module M{k}\n  hidden(x) = x + {k}\nexports\n  shown(x) = hidden(x) * 2\n  \
                 datatype T = A{k} | B{k}.Bool\nendmodule\nuse{k} = M{k}::shown({k})\n"
            );
            (lines, definitions) = (lines + 7, definitions + 6);
        }
        part += 1;
    }
    (text, definitions)
}
