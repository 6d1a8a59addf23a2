//! A run: what a script prints, then its selected assertions, one after the other.

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
        for index in selected {
            let observer = audience.begins(self.assertion_text(index));
            let (assertion, diagnostics) = self.check(index, settings, &*observer);
            let interrupted = observer.interrupted();
            drop(observer);
            audience.wrong(&diagnostics, self.sources());
            audience.decided(&assertion);
            report.assertions.push(assertion);
            if interrupted {
                break;
            }
        }
        Ok(report)
    }
}
