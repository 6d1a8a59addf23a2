//! A run: what a script prints, then its selected assertions, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use csp_checker::Observer;
use csp_grammar::Diagnostic;
use csp_grammar::source::Sources;

use crate::report::{AssertionReport, Report};
use crate::script::{CheckSettings, Script};

/// Whoever follows a run.
pub trait Audience {
    /// Something is wrong, or worth a warning.
    fn wrong(&mut self, diagnostics: &[Diagnostic], sources: &Sources);

    /// The value of a `print` statement.
    fn printed(&mut self, value: &str);

    /// An assertion begins; what watches its check, and can end the run.
    fn begins(&mut self, assertion: &str) -> Box<dyn Observer + '_>;

    /// An assertion has come to this.
    fn decided(&mut self, assertion: &AssertionReport);
}

impl Script {
    /// Runs the script. An error if a pattern selects no assertion.
    pub fn run(
        &mut self,
        settings: &CheckSettings,
        audience: &mut dyn Audience,
    ) -> Result<Report, String> {
        let selected = self.select(&settings.select)?;
        let (mut report, wrong) = self.report(settings.timeout);
        audience.wrong(&wrong, self.sources());
        if self.has_errors() {
            return Ok(report);
        }
        let values = report.prints.iter().filter_map(|p| p.value.as_deref());
        values.for_each(|value| audience.printed(value));
        let mut interrupted = false;
        for index in selected {
            let assertion = if interrupted {
                self.not_reached(index)
            } else {
                let observer = audience.begins(self.assertion_text(index));
                let (assertion, diagnostics) = self.decide(index, settings, &*observer);
                interrupted = observer.interrupted();
                drop(observer);
                audience.wrong(&diagnostics, self.sources());
                assertion
            };
            audience.decided(&assertion);
            report.assertions.push(assertion);
        }
        Ok(report)
    }

    /// Decides one assertion. Should that panic, the others and what is known of them are not lost.
    fn decide(
        &mut self,
        index: usize,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> (AssertionReport, Vec<Diagnostic>) {
        let checked = catch_unwind(AssertUnwindSafe(|| self.check(index, settings, observer)));
        checked.unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
            let (report, diagnostic) = self.broken_off(index, words.unwrap_or("no reason given"));
            (report, vec![diagnostic])
        })
    }
}
