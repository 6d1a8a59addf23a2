//! A session from outside: texts in, answers, events and reports out.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use csp_driver::report::{AssertionReport, VerdictReport};
use csp_driver::session::{DefinitionKind, Host, Place, SessionError, SessionEvent};
use csp_driver::{CancelToken, CheckSettings, Session};

const SCRIPT: &str = "\
-- What passes along the line.
N = 2
channel a, b : {0..N}
-- One place.
Copy = a?x -> b!x -> Copy
Twice(n) = if n == 0 then STOP else a!0 -> Twice(n-1)
--@ expect: fail
--@ fail: \"it stops\"
assert Twice(3) :[deadlock free]
assert Copy :[deadlock free]
";

fn session(text: &str) -> Session {
    let session = Session::new(Host::memory());
    session.set_text("line.csp", text);
    session
}

fn place(line: usize, column: usize) -> Place {
    Place {
        file: "line.csp".to_owned(),
        line,
        column,
    }
}

#[test]
fn the_outline_says_what_there_is() {
    let outline = session(SCRIPT).outline().expect("the script is read");
    assert!(outline.diagnostics.is_empty());
    assert_eq!(outline.files, ["line.csp"]);
    let first = &outline.assertions[0];
    assert_eq!((first.number, first.span.line), (1, 9));
    assert_eq!(first.expected, Some(VerdictReport::Fail));
    assert_eq!(first.fail.as_deref(), Some("it stops"));
    let copy = outline.definitions.iter().find(|d| d.name == "Copy");
    let copy = copy.expect("it is defined");
    assert_eq!(copy.kind, DefinitionKind::Process);
    assert_eq!(copy.comment.as_deref(), Some("One place."));
    assert_eq!((copy.scheme.as_str(), copy.span.line), ("Proc", 5));
    let names: Vec<&str> = outline.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["Copy"]);
    let n = &outline.parameters[0];
    assert_eq!((n.name.as_str(), n.value.as_str()), ("N", "2"));
    let json = serde_json::to_string(&outline).expect("it is written");
    assert_eq!(outline, serde_json::from_str(&json).expect("it is read"));
}

#[test]
fn names_lead_to_their_definitions_and_uses() {
    let session = session(SCRIPT);
    // The x of `b!x`.
    let x = session.definition_at(&place(5, 17)).expect("an answer");
    let x = x.expect("it is bound");
    assert_eq!((x.line, x.column), (5, 10));
    let uses = session.references_at(&place(6, 1)).expect("an answer");
    let lines: Vec<usize> = uses.iter().map(|span| span.line).collect();
    assert_eq!(lines, [6, 6, 9]);
    let types = [place(6, 1), place(5, 17), place(6, 29)].map(|p| session.type_at(&p));
    let types = types.map(|found| found.expect("an answer").expect("there is a name"));
    assert_eq!(
        types,
        ["Twice :: (Int) -> Proc", "x :: Int", "STOP :: Proc"]
    );
    assert_eq!(session.type_at(&place(1, 5)), Ok(None));
}

#[test]
fn a_check_tells_its_events_and_its_report_can_be_read_back() {
    let session = session(SCRIPT);
    let mut events = Vec::new();
    let report = session.check(1, &CheckSettings::default(), &CancelToken::new(), |event| {
        events.push(event);
    });
    let report = report.expect("it is decided");
    assert_eq!(report.verdict, VerdictReport::Fail);
    assert_eq!(report.states, 4);
    let plys = events.iter().filter_map(|event| match event {
        SessionEvent::Ply { size, .. } => Some(*size),
        _ => None,
    });
    assert_eq!(plys.collect::<Vec<u64>>(), report.ply_sizes);
    let phases = events.iter().filter_map(|event| match event {
        SessionEvent::Phase { name, .. } => Some(name.as_str()),
        _ => None,
    });
    let phases: Vec<&str> = phases.collect();
    assert_eq!(
        phases,
        ["evaluate", "compile", "reduce", "search", "explain"]
    );
    let verdict = VerdictReport::Fail;
    let last = SessionEvent::Verdict { number: 1, verdict };
    assert_eq!(events.last(), Some(&last));
    let json = serde_json::to_string(&report).expect("it is written");
    let back: AssertionReport = serde_json::from_str(&json).expect("it is read");
    assert_eq!(back.counterexamples[0].trace, ["a.0", "a.0", "a.0"]);
    assert_eq!(serde_json::to_string(&back).ok(), Some(json));
}

#[test]
fn compressions_are_told_by_name() {
    let text = "channel a, b\ntransparent sbisim\nP = a -> b -> P\nQ = P ||| P\n\
                assert sbisim(Q) :[deadlock free]\n";
    let mut told = Vec::new();
    let settings = CheckSettings::default();
    let report = session(text).check(1, &settings, &CancelToken::new(), |event| {
        if let SessionEvent::Compression {
            function,
            process,
            before,
            after,
            kept,
        } = event
        {
            told.push((function, process, before, after, kept));
        }
    });
    assert!(report.is_ok());
    let (function, process) = ("sbisim".to_owned(), "Q".to_owned());
    let begins = (function.clone(), process.clone(), None, None, false);
    assert_eq!(told, [begins, (function, process, Some(4), Some(3), false)]);
}

#[test]
fn an_edited_text_goes_before_the_file_and_is_checked_anew() {
    let session = Session::new(Host::with_files(|path: &str| match path {
        "models/main.csp" => Ok("include \"part.csp\"\nassert P :[deadlock free]\n".to_owned()),
        "models/part.csp" => Ok("P = STOP\n".to_owned()),
        other => Err(csp_driver::FileError {
            path: other.to_owned(),
            reason: "there is no such text".to_owned(),
        }),
    }));
    session.open("models/main.csp");
    let settings = CheckSettings::default();
    let verdict = || {
        let report = session.check(1, &settings, &CancelToken::new(), |_| {});
        report.expect("it is decided").verdict
    };
    assert_eq!(verdict(), VerdictReport::Fail);
    session.set_text("models/part.csp", "channel a\nP = a -> P\n");
    assert_eq!(verdict(), VerdictReport::Pass);
    session.remove_text("models/./part.csp");
    assert_eq!(verdict(), VerdictReport::Fail);
}

#[test]
fn parameters_expressions_graphs_and_steps() {
    let (session, cancel) = (session(SCRIPT), CancelToken::new());
    assert_eq!(session.evaluate("N + 1", None, &cancel), Ok("3".to_owned()));
    session.set_parameters(vec![("N".to_owned(), "4".to_owned())]);
    assert_eq!(session.evaluate("N + 1", None, &cancel), Ok("5".to_owned()));
    let outline = session.outline().expect("the script is read");
    assert!(outline.parameters[0].replaced && outline.parameters[0].value == "4");
    let graph = session.graph("Copy", 100, &cancel).expect("it is small");
    assert_eq!(graph.lts.state_count(), 6);
    let too_large = session.graph("Copy", 3, &cancel).map(|_| ());
    assert!(matches!(too_large, Err(SessionError::Limit { .. })));
    let mut explorer = session.explore("Copy", &cancel).expect("it is a process");
    assert_eq!(explorer.options().len(), 5);
    explorer.choose(1);
    assert_eq!(explorer.options()[0].event, "b.1");
}

#[test]
fn what_is_wrong_is_said() {
    let empty = Session::new(Host::memory());
    assert!(matches!(empty.outline(), Err(SessionError::Missing { .. })));
    empty.open("nowhere.csp");
    assert!(matches!(empty.outline(), Err(SessionError::File { .. })));
    let broken = session("P = Q\nassert P :[deadlock free]\n");
    let outline = broken.outline().expect("there is an outline of it");
    assert_eq!(outline.diagnostics.len(), 1);
    let (settings, cancel) = (CheckSettings::default(), CancelToken::new());
    let found = broken.check(1, &settings, &cancel, |_| {});
    assert!(matches!(found, Err(SessionError::Script { .. })));
    let found = session(SCRIPT).check(7, &settings, &cancel, |_| {});
    assert!(matches!(found, Err(SessionError::Missing { .. })));
}

/// Two endless checks in two sessions: cancelling one leaves the other, and questions are answered meanwhile.
#[test]
fn sessions_are_cancelled_alone() {
    let text = "channel a : Int\nP(n) = a!n -> P(n+1)\nN = |||x:{1..9} @ Q(x, 0)\n\
                channel b : {1..9}.{0..99}\nQ(x, n) = b!x!n -> Q(x, (n+1)%100)\nassert N :[deadlock free]\n";
    let (tell, told) = mpsc::channel();
    let start = |name: &'static str| {
        let (session, cancel) = (session(text), CancelToken::new());
        let (copy, token, tell) = (session.clone(), cancel.clone(), tell.clone());
        let running = thread::spawn(move || {
            let settings = CheckSettings {
                memory: Some(1 << 30),
                ..CheckSettings::default()
            };
            copy.check(1, &settings, &token, |event| {
                if matches!(event, SessionEvent::Progress { .. }) {
                    let _ = tell.send(name);
                }
            })
        });
        (session, cancel, running)
    };
    let (first, second) = (start("first"), start("second"));
    while told.recv() != Ok("first") {}
    let outline = first.0.outline().expect("questions are answered meanwhile");
    assert_eq!(outline.assertions.len(), 1);
    first.1.cancel();
    let report = first.2.join().expect("no panic").expect("a report");
    assert_eq!(report.reason.as_deref(), Some("interrupted"));
    while told.try_recv().is_ok() {}
    let minute = Duration::from_secs(60);
    assert_eq!(told.recv_timeout(minute), Ok("second"), "the other goes on");
    second.1.cancel();
    let report = second.2.join().expect("no panic").expect("a report");
    assert_eq!(report.verdict, VerdictReport::Inconclusive);
}

/// Decides all assertions; the numbers of those that were kept.
fn kept(session: &Session, count: usize) -> (Vec<VerdictReport>, Vec<usize>) {
    let (settings, cancel) = (CheckSettings::default(), CancelToken::new());
    let mut kept = Vec::new();
    let verdicts = (1..=count).map(|number| {
        let report = session.check(number, &settings, &cancel, |event| {
            if let SessionEvent::Kept { number } = event {
                kept.push(number);
            }
        });
        let report = report.expect("it is decided");
        assert_eq!(report.number, number);
        report.verdict
    });
    (verdicts.collect(), kept)
}

#[test]
fn only_what_depends_on_an_edit_is_decided_again() {
    use VerdictReport::{Fail, Pass};
    let text = "channel a, b\nR = a -> STOP\nassert P :[deadlock free]\nassert Q :[deadlock free]\n\
                assert R :[deadlock free]\nassert STOP [T= P \\ E\n\
                E = Events\nP = a -> P\nC = b -> C\nQ = P ||| C\n";
    let session = session(text);
    let first = vec![Pass, Pass, Fail, Pass];
    assert_eq!(kept(&session, 4), (first.clone(), vec![]));
    assert_eq!(kept(&session, 4), (first.clone(), vec![1, 2, 3, 4]));
    // Only Q is another process; R stays where it was.
    session.set_text("line.csp", &text.replace("C = b -> C", "C = b -> b -> C"));
    assert_eq!(kept(&session, 4), (first.clone(), vec![1, 3, 4]));
    // Everything moves: what shows places is decided again.
    session.set_text("line.csp", &format!("-- A comment.\n{text}"));
    assert_eq!(kept(&session, 4), (first.clone(), vec![1, 2, 4]));
    // P is another process, and so is what uses it.
    session.set_text("line.csp", &text.replace("P = a -> P", "P = b -> STOP"));
    assert_eq!(kept(&session, 4).1, [3]);
    // What a name means changes, though no definition that uses it does.
    session.set_text("line.csp", &text.replace("channel a, b", "channel b, a"));
    assert_eq!(kept(&session, 4), (first.clone(), vec![]));
    session.set_text("line.csp", text);
    session.forget();
    assert_eq!(kept(&session, 4), (first, vec![]));
}

#[test]
fn compressions_of_unchanged_parts_are_used_again() {
    let text = "transparent sbisim\nchannel a, b, c\nP = a -> b -> P\nQ = sbisim(P ||| P)\nS = c -> S\n\
                assert Q ||| S :[deadlock free]\n";
    let session = session(text);
    let compressed = || {
        let (settings, cancel) = (CheckSettings::default(), CancelToken::new());
        let mut told = Vec::new();
        let report = session.check(1, &settings, &cancel, |event| {
            if let SessionEvent::Compression {
                before: Some(_),
                kept,
                ..
            } = event
            {
                told.push(kept);
            }
        });
        (report.expect("it is decided").states, told)
    };
    assert_eq!(compressed(), (3, vec![false]));
    session.set_text(
        "line.csp",
        &text.replace("S = c -> S", "S = c -> c -> STOP"),
    );
    assert_eq!(compressed(), (9, vec![true]));
    session.set_text(
        "line.csp",
        &text.replace("P = a -> b -> P", "P = a -> a -> b -> P"),
    );
    assert_eq!(compressed(), (6, vec![false]));
}

#[test]
fn a_session_can_do_without_threads() {
    let session = Session::new(Host::memory().on_one_thread());
    session.set_text("line.csp", SCRIPT);
    let me = thread::current().id();
    let mut told = Vec::new();
    let report = session.check(1, &CheckSettings::default(), &CancelToken::new(), |event| {
        assert_eq!(thread::current().id(), me);
        told.push(event);
    });
    assert_eq!(report.expect("it is checked").verdict, VerdictReport::Fail);
    assert!(matches!(told.last(), Some(SessionEvent::Verdict { .. })));
    // The script is on the thread that made the session, and nobody else has it.
    let elsewhere = session.clone();
    let asked = thread::spawn(move || elsewhere.outline()).join();
    assert_eq!(asked.expect("no panic"), Err(SessionError::Broken));
    assert_eq!(session.outline().expect("it is there").assertions.len(), 2);
}
