//! The long run, with a report.
//!
//! `csp-oracle [--checks N] [--source NAME] [--seed S] [--threads T] [--laws INSTANCES]
//! [--exhaustive LEVEL] [--reduce por|symmetry|both] [--report FILE] [--keep FOLDER] [--enough N] [--shrink no]`; with `--series
//! FOLDER` in pieces (see [`series`]); or `csp-oracle --merge FOLDER` for the sum of the reports in a
//! folder.
//!
//! Scripts on which product and judges disagree are cut down, printed, and written to the folder; once the
//! fault is mended they belong under `tests/corpus/regressions`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

mod report;
mod series;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use csp_checker::Reductions;
use csp_oracle::generate::exhaustive;
use csp_oracle::run::{Run, Source};
use csp_oracle::system::System;
use csp_oracle::{campaign, scope};

use report::{Report, merged};

/// What the command line asks for.
struct Asked {
    run: Run,
    laws: u64,
    exhaustive: u64,
    report: Option<String>,
    keep: Option<String>,
    merge: Option<String>,
    series: Option<String>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        run: Run::default(),
        laws: 0,
        exhaustive: 0,
        report: None,
        keep: None,
        merge: None,
        series: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a value"))?;
        let number = || {
            let digits = value.replace('_', "");
            digits.parse::<u64>().map_err(|e| format!("{name}: {e}"))
        };
        let small = |n: u64| usize::try_from(n).map_err(|e| e.to_string());
        match name.as_str() {
            "--checks" => asked.run.checks = number()?,
            "--seed" => asked.run.first_seed = number()?,
            "--laws" => asked.laws = number()?,
            "--exhaustive" => asked.exhaustive = number()?,
            "--threads" => asked.run.threads = small(number()?)?,
            "--enough" => asked.run.enough = small(number()?)?,
            "--shrink" => asked.run.shrunk = value != "no",
            "--source" => {
                let mut all = Source::ALL.into_iter().chain([Source::Alike]);
                let named = all.find(|s| s.name() == value);
                asked.run.only = Some(named.ok_or(format!("there is no source {value}"))?);
            }
            "--reduce" => {
                asked.run.reductions = match value.as_str() {
                    "por" => Reductions {
                        partial_order: true,
                        symmetry: false,
                    },
                    "symmetry" => Reductions {
                        partial_order: false,
                        symmetry: true,
                    },
                    "both" => Reductions {
                        partial_order: true,
                        symmetry: true,
                    },
                    _ => return Err(format!("there is no reduction {value}")),
                };
            }
            "--report" => asked.report = Some(value),
            "--keep" => asked.keep = Some(value),
            "--merge" => asked.merge = Some(value),
            "--series" => asked.series = Some(value),
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(asked)
}

fn work(asked: &Asked, report: &mut Report) -> std::io::Result<()> {
    let (run, threads) = (&asked.run, asked.run.threads);
    if run.checks > 0 {
        let start = Instant::now();
        let (tally, end) = run.run();
        let kind = run.only.map_or("programs", Source::name);
        let title = format!("random {kind}, seeds {} to {}", run.first_seed, end - 1);
        report.tally(&title, start, &tally)?;
    }
    if asked.laws > 0 {
        let laws = campaign::laws(run.first_seed, asked.laws, threads, run.reductions);
        report.add(&laws.to_string(), laws.is_wrong())?;
    }
    if asked.exhaustive > 0 {
        let start = Instant::now();
        let tally = scope::terms(2, 2, 1, threads);
        report.tally(
            "all pairs of terms up to size 2 over two events",
            start,
            &tally,
        )?;
        let start = Instant::now();
        let systems = exhaustive::systems(2, 1);
        let tally = scope::system_pairs(&systems, 1, threads);
        report.tally(
            "all pairs of systems with 2 states over one event and τ",
            start,
            &tally,
        )?;
    }
    if asked.exhaustive > 1 {
        let start = Instant::now();
        let tally = scope::terms(2, 3, 1, threads);
        report.tally(
            "terms up to size 2 refined by all up to size 3",
            start,
            &tally,
        )?;
        let start = Instant::now();
        let systems: Vec<System> = (1..=3)
            .flat_map(|n| exhaustive::distinct_systems(n, 1))
            .collect();
        let title = format!(
            "every property of all {} systems with up to 3 states over one event and τ, reachable, up \
             to renumbering",
            systems.len()
        );
        report.tally(&title, start, &scope::system_properties(&systems, threads))?;
        let start = Instant::now();
        let classes = scope::classes(systems);
        let title = format!(
            "of these systems one of each of the {} meanings: all pairs",
            classes.representatives.len()
        );
        let tally = scope::system_pairs(&classes.representatives, 1, threads);
        report.tally(&title, start, &tally)?;
        let title = format!(
            "the other {} against their like, both ways",
            classes.others.len()
        );
        let start = Instant::now();
        report.tally(&title, start, &scope::system_likes(&classes, 1, threads))?;
        let start = Instant::now();
        let tally = scope::systems_by_turns(&classes, threads);
        let title = "and each against one of the meanings by turns, both ways";
        report.tally(title, start, &tally)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(why) => {
            eprintln!(
                "{why}\nusage: csp-oracle [--checks N] [--source NAME] [--seed S] [--threads T] [--laws INSTANCES] \
                 [--exhaustive 1|2] [--reduce por|symmetry|both] [--report FILE] [--keep FOLDER] [--enough N] [--shrink no] [--series FOLDER] | --merge FOLDER"
            );
            return ExitCode::from(2);
        }
    };
    if let Some(folder) = &asked.merge {
        return match merged(Path::new(folder)) {
            Ok((text, _)) => {
                println!("{text}");
                ExitCode::SUCCESS
            }
            Err(why) => {
                eprintln!("{folder}: {why}");
                ExitCode::from(2)
            }
        };
    }
    // A panic of the product is caught and reported as a disagreement.
    std::panic::set_hook(Box::new(|_| {}));
    if let Some(folder) = &asked.series {
        return match series::series(&asked.run, Path::new(folder)) {
            Ok(right) => ExitCode::from(u8::from(!right)),
            Err(why) => {
                eprintln!("{folder}: {why}");
                ExitCode::from(2)
            }
        };
    }
    let mut report = Report::new(asked.report.clone(), asked.keep.clone());
    if let Err(why) = work(&asked, &mut report) {
        eprintln!("the report cannot be written: {why}");
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(report.wrong))
}
