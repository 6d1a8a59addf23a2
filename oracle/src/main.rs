//! The long run: `csp-oracle --checks N --seed S --threads T --report FILE`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

use std::process::ExitCode;

use csp_oracle::run::run;

/// What the command line asks for.
struct Asked {
    checks: u64,
    seed: u64,
    threads: usize,
    report: Option<String>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        checks: 100_000,
        seed: 0,
        threads: 1,
        report: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a value"))?;
        let number = || {
            value
                .replace('_', "")
                .parse::<u64>()
                .map_err(|e| format!("{name}: {e}"))
        };
        match name.as_str() {
            "--checks" => asked.checks = number()?,
            "--seed" => asked.seed = number()?,
            "--threads" => asked.threads = usize::try_from(number()?).map_err(|e| e.to_string())?,
            "--report" => asked.report = Some(value),
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(why) => {
            eprintln!(
                "{why}\nusage: csp-oracle [--checks N] [--seed S] [--threads T] [--report FILE]"
            );
            return ExitCode::from(2);
        }
    };
    // A panic of the product is caught and reported as a disagreement.
    std::panic::set_hook(Box::new(|_| {}));
    let start = std::time::Instant::now();
    let (tally, end) = run(asked.seed, asked.checks, asked.threads);
    let seconds = start.elapsed().as_secs_f64();
    let mut text = format!(
        "{} checks, seeds {} to {}, {seconds:.0} s, {} disagreements\n\n{}",
        tally.checks(),
        asked.seed,
        end - 1,
        tally.total().disagree,
        tally.table()
    );
    for script in &tally.disagreements {
        text += "\n";
        text += script;
    }
    println!("{text}");
    if let Some(path) = asked.report
        && let Err(why) = std::fs::write(&path, text)
    {
        eprintln!("{path}: {why}");
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(tally.total().disagree > 0))
}
