//! How many small faults the tests notice.
//!
//! `csp-mutants FOLDER [--only TEXT] [--report FILE] [--threads N]`, run at the root of the workspace: copies the
//! workspace into the folder, puts a fault into every place of the files under test (see [`mutate`]),
//! builds it once, and runs the tests with each fault in turn (see [`trial`]), the quick ones first. A
//! fault is *caught* if some test fails, breaks down, or takes far longer than it should.
//!
//! The faults are taken in an order in which every beginning of the run is a fair sample. The report is
//! written as it goes; a run that was stopped goes on where its report ends.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

mod mutate;
mod trial;
mod workspace;

use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;
use std::sync::Mutex;

use mutate::Mutant;
use trial::{Fate, Trials};
use workspace::Workspace;

/// What the command line asks for.
struct Asked {
    folder: String,
    only: String,
    report: Option<String>,
    threads: usize,
}

fn asked() -> Option<Asked> {
    let mut arguments = std::env::args().skip(1);
    let mut asked = Asked {
        folder: arguments.next()?,
        only: String::new(),
        report: None,
        threads: 1,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--only" => asked.only = value,
            "--report" => asked.report = Some(value),
            "--threads" => asked.threads = value.parse().ok()?,
            _ => return None,
        }
    }
    Some(asked)
}

/// The faults in an order that jumps about: by a stride that meets every place once.
fn spread<T>(things: Vec<T>) -> Vec<T> {
    /// Two primes, of which one at least does not divide the number of faults.
    const STRIDES: [usize; 2] = [389, 397];
    let count = things.len();
    let stride = STRIDES[usize::from(count.is_multiple_of(STRIDES[0]))];
    let mut left: Vec<Option<T>> = things.into_iter().map(Some).collect();
    let taken = (0..count).map(|i| left[i * stride % count].take());
    taken.flatten().collect()
}

/// What the report says so far.
#[derive(Default)]
struct Report {
    /// For each part of the product how many were caught, took too long, survived, and were not reached.
    parts: BTreeMap<String, [usize; 4]>,
    lines: String,
}

impl Report {
    fn note(&mut self, mutant: &Mutant, fate: &Fate) -> String {
        let counts = self.parts.entry(part(&mutant.file)).or_default();
        counts[match fate {
            Fate::Caught(_) => 0,
            Fate::TimedOut(_) => 1,
            Fate::Survived => 2,
            Fate::NotReached => 3,
        }] += 1;
        let line = format!("{} {fate}", title(mutant));
        self.lines += &line;
        self.lines += "\n";
        line
    }

    fn text(&self, workspace: &Workspace) -> String {
        let mut all = [0; 4];
        let mut table =
            "| part | tried | caught | timed out | left |\n|---|---|---|---|---|\n".to_owned();
        for (part, counts) in &self.parts {
            let [caught, late, survived, unreached] = counts;
            let (left, tried) = (survived + unreached, counts.iter().sum::<usize>());
            table += &format!("| {part} | {tried} | {caught} | {late} | {left} |\n");
            all.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        let [caught, late, survived, unreached] = all;
        let tried: usize = all.iter().sum();
        format!(
            "{}\n{} faults, {tried} of them tried ({} more do not compile): {caught} caught, {late} timed out, \
             {survived} survived, {unreached} not reached; score {:.1} %\n\n{table}\n{}",
            workspace.state,
            workspace.mutants.len(),
            workspace.unviable,
            100.0 * (caught + late) as f64 / tried.max(1) as f64,
            self.lines
        )
    }
}

/// The part of the product that a file belongs to: `checker compress`.
fn part(file: &str) -> String {
    let (library, module) = file.split_once("/src/").unwrap_or(("", file));
    let end = module.find(['/', '.']).unwrap_or(module.len());
    format!("{library} {}", &module[..end])
}

/// Which fault it is, in a report.
fn title(mutant: &Mutant) -> String {
    format!(
        "{}:{} {}: {} [{}]",
        mutant.file, mutant.line, mutant.function, mutant.what, mutant.id
    )
}

/// The fates in the report of a run that was stopped, by the titles of the faults.
fn known(file: &str, workspace: &Workspace) -> Result<HashMap<String, Fate>, String> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(HashMap::new());
    };
    if text.lines().next() != Some(&workspace.state) {
        return Err(format!("{file} is about another state of the repository"));
    }
    let read = |line: &str| {
        let (title, fate) = line.rsplit_once("] ")?;
        Some((format!("{title}]"), Fate::read(fate)?))
    };
    Ok(text.lines().filter_map(read).collect())
}

fn work(asked: &Asked) -> Result<(), String> {
    let workspace = Workspace::make(&asked.folder)?;
    println!(
        "{} faults, {} more do not compile",
        workspace.mutants.len(),
        workspace.unviable
    );
    let known = asked.report.as_ref().map(|file| known(file, &workspace));
    let known = known.transpose()?.unwrap_or_default();
    let trials = Trials::new(&workspace)?;
    let chosen: Vec<&Mutant> = workspace
        .mutants
        .iter()
        .filter(|m| m.file.contains(&asked.only))
        .collect();
    let mut report = Report::default();
    let mut left = Vec::new();
    for mutant in spread(chosen) {
        match known.get(&title(mutant)) {
            Some(fate) => _ = report.note(mutant, fate),
            None => left.push(mutant),
        }
    }
    let count = left.len();
    let left = Mutex::new(left.into_iter().enumerate());
    let report = Mutex::new(report);
    let try_all = || -> Result<(), String> {
        loop {
            let next = left.lock().map_err(|e| e.to_string())?.next();
            let Some((place, mutant)) = next else {
                return Ok(());
            };
            let fate = trials.fate(mutant);
            let mut report = report.lock().map_err(|e| e.to_string())?;
            println!("{}/{count} {}", place + 1, report.note(mutant, &fate));
            if let Some(file) = &asked.report {
                std::fs::write(file, report.text(&workspace)).map_err(|e| e.to_string())?;
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..asked.threads).map(|_| scope.spawn(try_all)).collect();
        let mut ends = threads.into_iter().map(|t| t.join());
        ends.try_for_each(|end| end.unwrap_or_else(|_| Err("a thread panicked".to_owned())))
    })
}

fn main() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("usage: csp-mutants FOLDER [--only TEXT] [--report FILE] [--threads N]");
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

#[cfg(test)]
mod tests {
    use super::{part, spread};

    #[test]
    fn files_belong_to_parts() {
        assert_eq!(part("checker/src/compress/atoms.rs"), "checker compress");
        assert_eq!(part("compiler/src/reduce.rs"), "compiler reduce");
    }

    #[test]
    fn every_fault_has_its_turn() {
        for count in [0, 1, 10, 389, 955] {
            let mut order = spread((0..count).collect::<Vec<usize>>());
            order.sort_unstable();
            assert_eq!(order, (0..count).collect::<Vec<_>>());
        }
    }
}
