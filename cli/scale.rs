//! `scale`: states, rates and speed-ups over numbers of threads.

use std::fmt::Write;

use csp_driver::CheckSettings;
use csp_driver::scale::{self, Measurement};

use crate::args::ScaleArguments;
use crate::check;
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::text::{bytes, grouped, seconds};

pub(crate) fn run(options: &ScaleArguments, terminal: &Terminal) -> Result<u8, Failure> {
    if options.threads.is_empty() || options.threads.contains(&0) {
        return Err(Failure::Message(
            "--threads wants numbers from 1 up, such as 1,2,4".to_owned(),
        ));
    }
    let mut measurements = Vec::new();
    for &threads in &options.threads {
        for _ in 0..options.runs.max(1) {
            // Every run loads the script anew, so that none profits from what another compiled.
            let mut script = language::load(&options.script, terminal)?;
            if script.has_errors() {
                return Ok(2);
            }
            let settings = CheckSettings {
                threads,
                max_states: options.max_states,
                memory: options.memory.as_deref().map(check::size).transpose()?,
                select: options.select.clone(),
                ..CheckSettings::default()
            };
            let report = check::check(&mut script, &settings, false, terminal, |_| {})?;
            if interrupt::requested() {
                return Ok(130);
            }
            measurements.push(Measurement::new(threads, &report));
        }
    }
    let table = scale::summarise(&measurements).map_err(Failure::Message)?;
    if let Some(path) = &options.csv {
        output::write(Some(path), &scale::csv(&table))?;
    }
    if let Some(path) = &options.plot {
        output::write(
            Some(path),
            &scale::svg(&table, &options.script.file.to_string_lossy()),
        )?;
    }
    if options.json {
        output::print(&scale::json(&table))?;
        return Ok(0);
    }
    let mut out = String::from(
        "threads        states   transitions      time      states/s  speed-up  bytes/state      peak\n",
    );
    for row in &table {
        let _ = writeln!(
            out,
            "{:>7} {:>13} {:>13} {:>9} {:>13} {:>9.2} {:>12.1} {:>9}",
            row.threads,
            grouped(row.states),
            grouped(row.transitions),
            seconds(row.seconds),
            grouped(row.rate as u64),
            row.speed_up,
            row.bytes_per_state,
            bytes(row.peak_memory),
        );
    }
    terminal.print(&out).map(|()| 0)
}
