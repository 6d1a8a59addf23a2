//! One budget of time and memory for all phases of a check.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use csp_driver::report::VerdictReport;
use csp_driver::{CheckSettings, Compressing, Observer, Progress, Script, on_deep_stack};

fn script(text: &str) -> Script {
    let mut no_files = |_: &str| Err("there are no files".to_owned());
    let script = Script::from_text("test.csp", text.to_owned(), &mut no_files, &[]);
    script.expect("there is no --define")
}

/// Lets time pass once everything is compiled.
struct Sleeper;

impl Observer for Sleeper {
    fn progress(&self, _: &Progress) {}

    fn phase(&self, phase: csp_driver::Phase, _: &str) {
        if phase == csp_driver::Phase::Reduce {
            std::thread::sleep(Duration::from_millis(700));
        }
    }

    fn interrupted(&self) -> bool {
        false
    }
}

#[test]
fn time_that_was_spent_before_the_search_is_spent() {
    let report = on_deep_stack(|| {
        let settings = CheckSettings {
            timeout: Some(0.6),
            ..CheckSettings::default()
        };
        let text = "channel a\nP = a -> P\nassert P :[deadlock free]\n";
        script(text).check(0, &settings, &Sleeper).0
    });
    assert_eq!(report.verdict, VerdictReport::Inconclusive);
    let reason = report.reason.unwrap_or_default();
    assert!(reason.starts_with("stopped at the time limit"), "{reason}");
}

#[test]
fn a_limit_that_strikes_while_compiling_says_what_was_compiled_and_how_large_it_was() {
    let report = on_deep_stack(|| {
        let settings = CheckSettings {
            timeout: Some(0.2),
            max_leaf_states: usize::MAX,
            ..CheckSettings::default()
        };
        let text = "channel a\nP(n) = a -> P(n+1)\nassert P(0) :[deadlock free]\n";
        script(text)
            .check(0, &settings, &csp_driver::CancelToken::new())
            .0
    });
    assert_eq!(report.verdict, VerdictReport::Inconclusive);
    let reason = report.reason.unwrap_or_default();
    let start = "stopped at the time limit while compiling P(0), with ";
    assert!(reason.starts_with(start), "{reason}");
    assert!(reason.ends_with(" process terms so far"), "{reason}");
}

/// Four machines that are compressed together, each of which fits the limit alone.
#[test]
fn memory_holds_for_compressions_together_and_is_named_as_it_was_set() {
    let text = "transparent normal\nchannel a, b : {1..4}\n\
                P(i) = a.i -> P(i) [] b.i -> P(i) [] a.i -> Q(i, 24)\n\
                Q(i, n) = if n == 0 then STOP else a.i -> Q(i, n-1) [] b.i -> Q(i, n-1)\n\
                assert ||| i : {1..4} @ normal(P(i)) :[deadlock free [F]]\n";
    let report = on_deep_stack(|| {
        let settings = CheckSettings {
            memory: Some(4 << 20),
            threads: 2,
            ..CheckSettings::default()
        };
        script(text)
            .check(0, &settings, &csp_driver::CancelToken::new())
            .0
    });
    assert_eq!(report.verdict, VerdictReport::Inconclusive);
    let reason = report.reason.unwrap_or_default();
    let named = reason.starts_with("stopped at the memory limit of 4 MiB while compressing");
    assert!(named, "{reason}");
}

/// A compression that has begun waits until there are two.
#[derive(Default)]
struct Meeting {
    begun: Mutex<usize>,
    changed: Condvar,
    alone: AtomicBool,
}

impl Observer for Meeting {
    fn progress(&self, _: &Progress) {}

    fn compression(&self, _: &str, _: &str, now: Compressing) {
        if !matches!(now, Compressing::Begins) {
            return;
        }
        let mut begun = self.begun.lock().expect("nobody panics");
        *begun += 1;
        self.changed.notify_all();
        // Only if it fails does this wait so long.
        let both = self
            .changed
            .wait_timeout_while(begun, Duration::from_secs(30), |begun| *begun < 2);
        if both.expect("nobody panics").1.timed_out() {
            self.alone.store(true, Ordering::Relaxed);
        }
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// What counts is the states that the operands may have, not the size of their components.
#[test]
fn large_compressions_run_at_the_same_time() {
    let text = "transparent sbisim\nchannel a, b : {0..2}\nR(c) = c.0 -> c.1 -> c.2 -> R(c)\n\
                Ring(c) = [| {| c |} |] i : {1..10} @ R(c)\n\
                assert sbisim(Ring(a)) ||| sbisim(Ring(b)) :[deadlock free [F]]\n";
    let meeting = Meeting::default();
    let report = on_deep_stack(|| {
        let settings = CheckSettings {
            threads: 2,
            ..CheckSettings::default()
        };
        script(text).check(0, &settings, &meeting).0
    });
    assert_eq!((report.verdict, report.states), (VerdictReport::Pass, 9));
    assert_eq!(*meeting.begun.lock().expect("nobody panics"), 2);
    assert!(!meeting.alone.load(Ordering::Relaxed), "one waited in vain");
}

/// A failing assertion about a game asks for a further expression; what was compiled stays.
#[test]
fn further_expressions_leave_what_was_compiled() {
    on_deep_stack(|| {
        let text = "transparent sbisim\nchannel a, b\nP = a -> b -> P\nQ = sbisim(P ||| P)\n\
                    assert Q :[deadlock free]\nf(x) = x + 1\n";
        let (mut script, settings) = (script(text), CheckSettings::default());
        let none = csp_driver::CancelToken::new();
        let first = script.check(0, &settings, &none).0;
        assert!(first.compressions.iter().any(|c| c.asked_for));
        let value = script.evaluate("<let y = f(x) within y * 2 | x <- <1, 2>>", None);
        assert_eq!(value.as_deref(), Ok("<4, 6>"));
        let second = script.check(0, &settings, &none).0;
        assert!(
            second.compressions.is_empty(),
            "nothing is compressed again"
        );
        assert_eq!(
            (first.states, first.verdict),
            (second.states, second.verdict)
        );
    });
}

/// Panics when the first assertion is searched.
struct Broken(bool);

impl Observer for Broken {
    fn progress(&self, _: &Progress) {}

    fn phase(&self, phase: csp_driver::Phase, _: &str) {
        assert!(
            !self.0 || phase != csp_driver::Phase::Search,
            "it is broken"
        );
    }

    fn interrupted(&self) -> bool {
        false
    }
}

/// Gives the first assertion an observer that panics, and counts what is decided.
#[derive(Default)]
struct Witness {
    begun: usize,
    decided: usize,
}

impl csp_driver::Audience for Witness {
    fn wrong(&mut self, _: &[csp_driver::Diagnostic], _: &csp_driver::Sources) {}

    fn printed(&mut self, _: &str) {}

    fn begins(&mut self, _: &str) -> Box<dyn Observer + '_> {
        self.begun += 1;
        Box::new(Broken(self.begun == 1))
    }

    fn decided(&mut self, _: &csp_driver::report::AssertionReport) {
        self.decided += 1;
    }
}

#[test]
fn a_panic_costs_one_assertion_only() {
    let text = "channel a\nP = a -> P\nassert P :[deadlock free]\nassert P :[deadlock free]\n";
    let mut witness = Witness::default();
    let report = on_deep_stack(|| {
        let settings = CheckSettings::default();
        script(text)
            .run(&settings, &mut witness)
            .expect("all assertions")
    });
    assert_eq!(witness.decided, 2);
    let verdicts: Vec<_> = report.assertions.iter().map(|a| &a.verdict).collect();
    assert_eq!(verdicts, [&VerdictReport::Error, &VerdictReport::Pass]);
    assert_eq!(report.assertions[0].diagnostics[0].code, "E0608");
    let reason = report.assertions[0].reason.clone().unwrap_or_default();
    assert_eq!(reason, "a fault of csp: it is broken");
}
