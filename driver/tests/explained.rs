//! Evidence that runs into a limit: the verdict stands, and the report says what is missing of its explanation.

use csp_driver::report::{AssertionReport, CounterexampleReport, VerdictReport};
use csp_driver::{CancelToken, CheckSettings, Observer, Phase, Progress, Script, on_deep_stack};

/// Twenty thousand states that are one when they are compressed, and a parallel one that stops.
const COUNTER: &str = "channel a, b\n\
    Count(n) = a -> Count((n+1) % 20000)\n\
    Once = a -> b -> STOP\n\
    assert Count(0) [|{a}|] Once :[deadlock free [F]]\n";

fn checked(
    index: usize,
    settings: &CheckSettings,
    observer: &(dyn Observer + Sync),
) -> AssertionReport {
    let settings = settings.clone();
    on_deep_stack(move || {
        let mut no_files = |_: &str| Err("there are no files".to_owned());
        let script = Script::from_text("test.csp", COUNTER.to_owned(), &mut no_files, &[]);
        let mut script = script.expect("there is no --define");
        script.check(index, &settings, observer).0
    })
}

fn missing(report: &AssertionReport) -> (&CounterexampleReport, &str) {
    assert_eq!(report.verdict, VerdictReport::Fail, "{:?}", report.reason);
    let found = &report.counterexamples[0];
    (found, found.missing.as_deref().unwrap_or("nothing"))
}

/// Wants no more as soon as there is something to explain.
struct Impatient(CancelToken);

impl Observer for Impatient {
    fn progress(&self, _: &Progress) {}

    fn phase(&self, phase: Phase, _: &str) {
        if phase == Phase::Explain {
            self.0.cancel();
        }
    }

    fn interrupted(&self) -> bool {
        self.0.is_cancelled()
    }
}

#[test]
fn the_verdict_stands_when_its_evidence_runs_into_a_limit() {
    let usual = CheckSettings::default();
    let whole = checked(0, &usual, &CancelToken::new());
    assert_eq!(missing(&whole).1, "nothing");
    assert!(whole.counterexamples[0].end.is_some());

    let report = checked(0, &usual, &Impatient(CancelToken::new()));
    let (found, why) = missing(&report);
    assert!(why.ends_with("interrupted"), "{why}");
    assert_eq!(found.trace, ["a", "b"], "what was found is told");
    assert!(
        found.explanation.starts_with("After 2 events"),
        "{}",
        found.explanation
    );
}
