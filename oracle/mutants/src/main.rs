//! How many small faults the tests notice.
//!
//! `csp-mutants FOLDER [--every N] [--from K] [--only TEXT] [--report FILE]`, run at the root of
//! the workspace: copies the workspace into the folder, puts a fault into every place of the files
//! under test (see [`mutate`]), builds it once, and runs the tests with each fault in turn (see
//! [`trial`]), the quick ones first. A fault is *caught* if some test fails, breaks down, or takes
//! far longer than it should.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

mod mutate;
mod trial;
mod workspace;

use std::process::ExitCode;

use trial::{Fate, Trials};
use workspace::Workspace;

/// What the command line asks for.
struct Asked {
    folder: String,
    every: usize,
    from: usize,
    only: String,
    report: Option<String>,
}

fn asked() -> Option<Asked> {
    let mut arguments = std::env::args().skip(1);
    let mut asked = Asked {
        folder: arguments.next()?,
        every: 1,
        from: 0,
        only: String::new(),
        report: None,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--every" => asked.every = value.parse().ok()?,
            "--from" => asked.from = value.parse().ok()?,
            "--only" => asked.only = value,
            "--report" => asked.report = Some(value),
            _ => return None,
        }
    }
    Some(asked)
}

fn work(asked: &Asked) -> Result<(), String> {
    let workspace = Workspace::make(&asked.folder)?;
    println!(
        "{} faults, {} more do not compile",
        workspace.mutants.len(),
        workspace.unviable
    );
    let trials = Trials::new(&workspace)?;
    let chosen: Vec<_> = workspace
        .mutants
        .iter()
        .skip(asked.from)
        .step_by(asked.every)
        .filter(|m| m.file.contains(&asked.only))
        .collect();
    let mut text = String::new();
    let mut counts = [0usize; 4];
    for (done, mutant) in chosen.iter().enumerate() {
        let fate = trials.fate(mutant);
        counts[match fate {
            Fate::Caught(_) => 0,
            Fate::TimedOut(_) => 1,
            Fate::Survived => 2,
            Fate::NotReached => 3,
        }] += 1;
        let line = format!(
            "{}:{} {}: {} [{}] {fate}",
            mutant.file, mutant.line, mutant.function, mutant.what, mutant.id
        );
        println!("{}/{} {line}", done + 1, chosen.len());
        text += &line;
        text += "\n";
        let [caught, late, survived, unreached] = counts;
        let summary = format!(
            "{} faults, {} of them tried ({} more do not compile): {caught} caught, {late} timed out, {survived} \
             survived, {unreached} not reached; score {:.1} %\n\n",
            workspace.mutants.len(),
            done + 1,
            workspace.unviable,
            100.0 * (caught + late) as f64 / (done + 1) as f64
        );
        if let Some(file) = &asked.report {
            std::fs::write(file, format!("{summary}{text}")).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("usage: csp-mutants FOLDER [--every N] [--from K] [--only TEXT] [--report FILE]");
        return ExitCode::from(2);
    };
    match work(&asked) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
