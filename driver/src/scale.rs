//! Measurements over numbers of threads: a table, a plot, CSV and JSON.

mod plot;

use std::fmt::Write;

use serde::Serialize;

pub use plot::svg;

use crate::count::counted;
use crate::report::{Report, VerdictReport};

/// One run of all selected assertions.
#[derive(Clone, Debug)]
pub struct Measurement {
    threads: usize,
    states: u64,
    transitions: u64,
    seconds: f64,
    peak_memory: u64,
    bytes_per_state: f64,
    verdicts: Vec<VerdictReport>,
}

impl Measurement {
    /// What a report says of a run with this many threads.
    #[must_use]
    pub fn new(threads: usize, report: &Report) -> Self {
        let sum =
            |f: fn(&crate::report::AssertionReport) -> u64| report.assertions.iter().map(f).sum();
        Self {
            threads,
            states: sum(|a| a.states),
            transitions: sum(|a| a.transitions),
            seconds: report.assertions.iter().map(|a| a.seconds).sum(),
            peak_memory: report
                .assertions
                .iter()
                .map(|a| a.peak_memory_bytes)
                .max()
                .unwrap_or(0),
            bytes_per_state: report
                .assertions
                .iter()
                .map(|a| a.bytes_per_state)
                .fold(0.0, f64::max),
            verdicts: report.assertions.iter().map(|a| a.verdict).collect(),
        }
    }
}

/// The median of the runs with one number of threads.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Worker threads.
    pub threads: usize,
    /// States visited, the same in every run.
    pub states: u64,
    /// Transitions, the same in every run.
    pub transitions: u64,
    /// Median time of the searches.
    pub seconds: f64,
    /// States per second.
    pub rate: f64,
    /// Over the first row.
    pub speed_up: f64,
    /// In the store at the end.
    pub bytes_per_state: f64,
    /// Bytes at the peak.
    pub peak_memory: u64,
}

/// Medians for each number of threads, in the order measured; an error if runs disagree in what
/// they counted or decided.
pub fn summarise(measurements: &[Measurement]) -> Result<Vec<Row>, String> {
    let Some(first) = measurements.first() else {
        return Ok(Vec::new());
    };
    for m in measurements {
        if (m.states, m.transitions, &m.verdicts)
            != (first.states, first.transitions, &first.verdicts)
        {
            return Err(format!(
                "runs disagree: {} and {} with {}, {} and {} with {}",
                counted(first.states, "state"),
                counted(first.transitions, "transition"),
                counted(first.threads as u64, "thread"),
                m.states,
                m.transitions,
                m.threads
            ));
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for m in measurements {
        if rows.iter().any(|r| r.threads == m.threads) {
            continue;
        }
        let mut times: Vec<f64> = measurements
            .iter()
            .filter(|x| x.threads == m.threads)
            .map(|x| x.seconds)
            .collect();
        times.sort_by(f64::total_cmp);
        let seconds = times[times.len() / 2];
        let base = rows.first().map_or(seconds, |r| r.seconds);
        rows.push(Row {
            threads: m.threads,
            states: m.states,
            transitions: m.transitions,
            seconds,
            rate: m.states as f64 / seconds.max(1e-9),
            speed_up: base / seconds.max(1e-9),
            bytes_per_state: m.bytes_per_state,
            peak_memory: m.peak_memory,
        });
    }
    Ok(rows)
}

/// Comma-separated values with a heading.
#[must_use]
pub fn csv(rows: &[Row]) -> String {
    let mut out = String::from(
        "threads,states,transitions,seconds,states_per_second,speed_up,bytes_per_state,peak_bytes\n",
    );
    for r in rows {
        let _ = writeln!(
            out,
            "{},{},{},{:.6},{:.0},{:.3},{:.2},{}",
            r.threads,
            r.states,
            r.transitions,
            r.seconds,
            r.rate,
            r.speed_up,
            r.bytes_per_state,
            r.peak_memory
        );
    }
    out
}

/// The rows as JSON.
#[must_use]
pub fn json(rows: &[Row]) -> String {
    serde_json::to_string_pretty(rows).expect("rows have only string keys") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, states: u64, seconds: f64) -> Measurement {
        Measurement {
            threads,
            states,
            transitions: 1,
            seconds,
            peak_memory: 0,
            bytes_per_state: 0.0,
            verdicts: vec![],
        }
    }

    #[test]
    fn medians_and_speed_ups() {
        let rows = summarise(&[
            run(1, 10, 4.0),
            run(1, 10, 2.0),
            run(1, 10, 3.0),
            run(2, 10, 1.5),
        ])
        .expect("agree");
        assert_eq!(rows.len(), 2);
        assert!((rows[0].seconds - 3.0).abs() < 1e-12 && (rows[1].speed_up - 2.0).abs() < 1e-12);
        assert_eq!(csv(&rows).lines().count(), 3);
    }

    #[test]
    fn disagreement_is_an_error() {
        assert!(summarise(&[run(1, 10, 1.0), run(2, 11, 1.0)]).is_err());
    }
}
