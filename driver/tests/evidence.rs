//! Counterexamples say which part did what, in which state, and why it ends: on the bundled scripts.

use csp_checker::NoObserver;
use csp_driver::report::{CounterexampleReport, PartKind, VerdictReport};
use csp_driver::{CheckSettings, Script};

fn script(name: &str) -> Script {
    let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
    Script::load(&path, &[]).expect("a bundled script")
}

fn counterexample(name: &str, number: usize, settings: &CheckSettings) -> CounterexampleReport {
    let (mut report, _) = script(name).check(number - 1, settings, &NoObserver);
    assert_eq!(report.verdict, VerdictReport::Fail, "{name} {number}");
    report.counterexamples.remove(0)
}

fn found(name: &str, number: usize) -> CounterexampleReport {
    counterexample(name, number, &CheckSettings::default())
}

#[test]
fn two_copies_of_a_process_are_two_parts_with_their_own_events() {
    let report = found("examples/02-buffers.csp", 3);
    let labels: Vec<&str> = report
        .parts
        .iter()
        .filter(|part| part.kind == PartKind::Component)
        .map(|part| part.label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["Copy[[right <- middle]]", "Copy[[left <- middle]]"]
    );
    // The value goes from one to the other: each has its own word for that.
    let both = report.steps.iter().find(|step| step.moves.len() == 2);
    let both = both.expect("a value is passed on");
    let events: Vec<&str> = both.moves.iter().map(|m| m.event.as_str()).collect();
    assert!(events[0].starts_with("right.") && events[1].starts_with("left."));
    assert_eq!(both.event, "τ");
    assert!(both.revealed.starts_with("middle."));
    assert_eq!(both.moves[0].after.text, "Copy");
    assert!(both.moves[0].before.text.starts_with("Copy after left."));
    // The specification is beside.
    assert!(report.steps.iter().all(|step| step.allowed.is_some()));
    let end = report.end.expect("an end");
    assert!(
        end.sentence
            .contains("comes from Copy[[right <- middle]] (line ")
    );
    assert_eq!(report.missing, None);
}

#[test]
fn philosophers_wait_for_each_other_in_a_cycle_of_ten() {
    let report = found("models/philosophers.csp", 1);
    let end = report.end.as_ref().expect("an end");
    assert_eq!(end.cycle.len(), 10);
    assert!(
        end.sentence.starts_with(
            "RightHanded(0) wants takes.0.1, which Fork(1) refuses: it waits for RightHanded(1);"
        ),
        "{}",
        end.sentence
    );
    assert!(end.sentence.ends_with("A cycle of ten."));
    let fork = end
        .parts
        .iter()
        .find(|p| report.parts[p.part].label == "Fork(1)");
    let fork = fork.expect("a fork");
    assert_eq!(fork.state.text, "Fork(1) after takes.1.1");
    assert_eq!(fork.offers, ["drops.1.1"]);
    // Ten components below the operators that compose them.
    let components = report
        .parts
        .iter()
        .filter(|p| p.kind == PartKind::Component);
    assert_eq!(components.count(), 10);
    assert!(report.parts.iter().any(|p| p.label == "Forks"));
    assert_eq!(report.parts[0].parent, None);
    for part in &report.parts {
        assert!(part.parent.is_none_or(|parent| parent < part.id));
    }
}

#[test]
fn a_thousand_philosophers_by_parts_end_in_a_cycle_once_they_are_opened() {
    let settings = CheckSettings {
        open_compressed: true,
        ..CheckSettings::default()
    };
    let path = format!(
        "{}/../models/philosophers-by-parts.csp",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut script = Script::load(&path, &["N=40".to_owned()]).expect("a bundled script");
    let (report, _) = script.check(0, &settings, &NoObserver);
    let report = &report.counterexamples[0];
    assert_eq!(report.missing, None);
    let end = report.end.as_ref().expect("an end");
    assert_eq!(end.cycle.len(), 80);
    assert_eq!(report.steps.len(), 40);
}

#[test]
fn every_failure_of_the_examples_is_explained_and_nothing_is_missing() {
    let examples = [
        "01-vending-machine",
        "02-buffers",
        "03-mutual-exclusion",
        "04-divergence",
        "05-token-ring",
        "06-alternating-bit",
        "07-traffic-lights",
        "08-interrupts",
        "09-railway",
        "10-farmer",
    ];
    for example in examples {
        let name = format!("examples/{example}.csp");
        let mut script = script(&name);
        let all = script.select(&[]).expect("all");
        for index in all {
            let (report, _) = script.check(index, &CheckSettings::default(), &NoObserver);
            for found in &report.counterexamples {
                let text = &report.text;
                assert_eq!(found.missing, None, "{name}: {text}");
                let end = found.end.as_ref().expect("an end");
                assert!(end.sentence.ends_with('.'), "{name}: {}", end.sentence);
                let moves = found.steps.iter().flat_map(|step| &step.moves);
                for m in moves {
                    assert_eq!(found.parts[m.part].label, m.component, "{name}: {text}");
                }
            }
        }
    }
}

#[test]
fn a_model_has_its_own_words_for_waiting() {
    let text = std::fs::read_to_string(format!(
        "{}/../models/philosophers.csp",
        env!("CARGO_MANIFEST_DIR")
    ));
    let text = text.expect("a bundled script").replacen(
        "--@ expect: fail",
        "--@ waits: \"{part} waits for {by}\"\n--@ holds: \"held by {for}\"",
        1,
    );
    let file = std::env::temp_dir().join(format!("csp-words-{}.csp", std::process::id()));
    std::fs::write(&file, text).expect("a temporary file");
    let name = file.to_string_lossy().into_owned();
    let mut script = Script::load(&name, &[]).expect("a script");
    let (report, _) = script.check(0, &CheckSettings::default(), &NoObserver);
    let _ = std::fs::remove_file(file);
    let end = report.counterexamples[0].end.as_ref().expect("an end");
    assert!(
        end.sentence
            .starts_with("RightHanded(0) waits for Fork(1): held by RightHanded(1);"),
        "{}",
        end.sentence
    );
}
