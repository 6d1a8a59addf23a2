//! One line on a terminal that says how far a search has come.

use std::io::IsTerminal;
use std::time::Instant;

use csp_driver::{Observer, Progress, escape};
use indicatif::{ProgressBar, ProgressStyle};

use crate::ascii;
use crate::interrupt;
use crate::output::Terminal;
use crate::text::{bytes, counted, grouped};

/// Shows progress on standard error if that is a terminal, and passes interrupts on.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    start: Instant,
}

impl ProgressLine {
    /// A line that starts with what is being checked.
    pub(crate) fn new(what: &str, quiet: bool, terminal: &Terminal) -> Self {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("a valid template");
        bar.set_style(if terminal.ascii {
            style.tick_chars("-\\|/ ")
        } else {
            style
        });
        let what = escape::line(what);
        bar.set_message(if terminal.ascii {
            ascii::spelt(&what).into_owned()
        } else {
            what.into_owned()
        });
        Self {
            bar,
            start: Instant::now(),
        }
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for ProgressLine {
    fn progress(&self, p: &Progress) {
        let elapsed = self.start.elapsed().as_secs_f64();
        let rate = p.states as f64 / elapsed.max(1e-3);
        self.bar.set_message(format!(
            "ply {}: {}, {} in this ply, {} states/s, {}, {elapsed:.0} s",
            grouped(p.ply),
            counted(p.states, "state"),
            grouped(p.frontier),
            grouped(rate as u64),
            bytes(p.memory),
        ));
        self.bar.tick();
    }

    fn interrupted(&self) -> bool {
        interrupt::requested()
    }
}
