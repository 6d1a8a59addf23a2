//! A long run in pieces, each with a report of its own in `FOLDER/pieces`, and the sum of all in
//! `FOLDER/report.txt`. A run that is stopped loses the piece it is at; told the same again, it goes on
//! with the next that is not there.

use std::fs;
use std::path::Path;
use std::time::Instant;

use csp_oracle::run::{Run, Source};

use super::report::{merged, of_run, state};

/// The checks of a piece.
const PIECE: u64 = 250_000;

/// How far apart the first seeds of the pieces are; a piece takes some seven thousand.
const APART: u64 = 1_000_000;

/// Runs the pieces that are not there yet; whether there is no disagreement.
pub(crate) fn series(run: &Run, folder: &Path) -> std::io::Result<bool> {
    let pieces = folder.join("pieces");
    fs::create_dir_all(&pieces)?;
    let state = state();
    for piece in 0.. {
        let (text, so_far) = merged(&pieces)?;
        fs::write(folder.join("report.txt"), &text)?;
        let all = so_far.total();
        println!("{} checks, {} disagreements", so_far.checks(), all.disagree);
        if so_far.checks() >= run.checks || all.disagree > 0 {
            println!("\n{text}");
            return Ok(all.disagree == 0);
        }
        let first_seed = run.first_seed + piece * APART;
        let file = pieces.join(format!("{first_seed:012}.txt"));
        if file.exists() {
            continue;
        }
        let start = Instant::now();
        let part = Run {
            first_seed,
            checks: PIECE.min(run.checks - so_far.checks()),
            ..*run
        };
        let (tally, end) = part.run();
        let kind = run.only.map_or("programs", Source::name);
        let last = end - 1;
        let title = format!("random {kind} on {state}, seeds {first_seed} to {last}");
        // A report is there as a whole or not at all.
        let draft = pieces.join("draft");
        fs::write(&draft, of_run(&title, start, &tally))?;
        fs::rename(&draft, &file)?;
    }
    unreachable!("the pieces are without end")
}
