//! What leaves the program: no character of a script acts on a terminal or breaks a format, nothing
//! undecided is taken for a pass, and files appear whole or not at all.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use yaml_rust2::YamlLoader;

use super::bad_input::{fails_with, temporary};
use super::run::{Ran, csp};

/// Characters that terminals act on, readers do not see, or XML cannot hold.
const HOSTILE: &str = "\u{1}\u{7}\u{8}\u{b}\u{c}\u{1b}[31m\u{7f}\u{80}\u{85}\u{9b}2J\u{61c}\u{200e}\
    \u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}\u{fffe}\u{ffff}<&>\"'\\\\";

/// A script with all of them in a comment, a pragma, a text and the names of events.
fn hostile_script() -> String {
    let quoted = HOSTILE.replace('"', "\\\"");
    format!(
        "-- {HOSTILE}\nchannel c : {{\"{quoted}\", \"b\"}}\nP = c.\"{quoted}\" -> P\nprint \"{quoted}\"\n\
         --@ fail: \"it does {HOSTILE}\"\nassert STOP [T= P\nassert STOP [T= P \\ {{c.\"b\"}}\n"
    )
}

fn clean(words: &[&str], ran: &Ran) {
    let risky = |c: &char| *c != '\n' && csp_driver::escape::is_risky(*c);
    for (stream, text) in [("output", &ran.stdout), ("errors", &ran.stderr)] {
        let found: Vec<char> = text.chars().filter(risky).collect();
        assert!(
            found.is_empty(),
            "{words:?}: {stream} has {found:?}:\n{text}"
        );
    }
}

#[test]
fn no_character_of_a_script_acts_on_a_terminal() {
    let path = temporary(
        "hostile\u{1b}[31m\u{9b}\u{202e}.csp",
        hostile_script().as_bytes(),
    );
    let trace = temporary("hostile.trace", b"");
    let (file, trace) = (path.to_string_lossy(), trace.to_string_lossy());
    let quoted = format!("\"{}\"", HOSTILE.replace('"', "\\\""));
    for (words, code) in [
        (&["check", &file][..], 1),
        (&["check", &file, "--full", "--stats", "--reveal"], 1),
        (&["check", &file, "--format", "json"], 1),
        (&["check", &file, "--format", "jsonl"], 1),
        (&["check", &file, "--format", "junit"], 1),
        (&["check", &file, "--format", "sarif"], 1),
        (&["check", &file, "--format", "fdr"], 1),
        (&["check", &file, "-q", "--save-trace", &trace], 1),
        (&["explore", &file, "P", "--trace", &trace], 0),
        (&["refines", &file], 0),
        (&["refines", "--format", "yaml", &file], 0),
        (&["refines", "--format", "xml", "--divide", &file], 0),
        (&["typecheck", &file, "--types"], 0),
        (&["eval", &file, &quoted], 0),
        (&["eval", &file, &format!("{quoted} + 1")], 2),
        (&["graph", &file, "P"], 0),
        (&["graph", &file, "P", "--network"], 0),
        (&["graph", &file, "P", "--format", "dot"], 0),
        (&["graph", &file, "P", "--format", "json"], 0),
        (&["graph", &file, "P", "--format", "svg"], 0),
        (&["solve", &file, "--quiet"], 0),
        (&["check", "no\u{1b}[31msuch.csp"], 2),
    ] {
        let ran = csp(words);
        assert_eq!(ran.code, code, "{words:?}: {}{}", ran.stdout, ran.stderr);
        clean(words, &ran);
    }
    let saved = std::fs::read_to_string(&*trace).expect("it was saved");
    assert!(saved.contains("\\u{1b}[31m"), "{saved}");
    for file in [&*file, &*trace] {
        std::fs::remove_file(file).expect("it was written");
    }
}

#[test]
fn every_format_is_read_by_another_parser() {
    let path = temporary("formats-hostile.csp", hostile_script().as_bytes());
    let file = path.to_string_lossy();
    for words in [
        &["check", &file, "--format", "junit"][..],
        &["graph", &file, "P", "--format", "svg"],
    ] {
        let ran = csp(words);
        roxmltree::Document::parse(&ran.stdout).unwrap_or_else(|e| panic!("{words:?}: {e}"));
    }
    let plot = temporary("hostile.svg", b"");
    let shown = plot.to_string_lossy();
    csp(&[
        "scale",
        &file,
        "--threads",
        "1",
        "--assert",
        "1",
        "--plot",
        &shown,
    ]);
    let text = std::fs::read_to_string(&plot).expect("a picture");
    roxmltree::Document::parse(&text).expect("XML");
    for words in [
        &["check", &file, "--format", "json"][..],
        &["check", &file, "--format", "sarif"],
        &["graph", &file, "P", "--format", "json"],
    ] {
        let ran = csp(words);
        serde_json::from_str::<Value>(&ran.stdout).unwrap_or_else(|e| panic!("{words:?}: {e}"));
    }
    let json = csp(&["refines", "--format", "json", &file]).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let yaml = csp(&["refines", "--format", "yaml", &file]).stdout;
    let yaml = &YamlLoader::load_from_str(&yaml).expect("YAML")[0];
    assert_eq!(
        yaml["event_map"][3].as_str(),
        json["event_map"]["3"].as_str()
    );
    assert!(
        json["event_map"]["3"]
            .as_str()
            .is_some_and(|name| name.contains("\u{ffff}"))
    );
    for path in [path.clone(), plot.clone()] {
        std::fs::remove_file(path).expect("it was written");
    }
}

#[test]
fn labels_of_any_length_are_shown() {
    let name = "e".repeat(70_000);
    let script = format!(
        "channel {name}, b\nassert STOP [T= {name} -> b -> STOP \\ {{b}}\nassert STOP [T= b -> STOP\n"
    );
    let path = temporary("label.csp", script.as_bytes());
    for more in [&[][..], &["--full"]] {
        let mut words = vec!["check", path.to_str().expect("ASCII")];
        words.extend(more);
        let ran = csp(&words);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{words:?}");
        assert!(ran.stdout.ends_with("0 passed, 2 failed\n"));
    }
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn what_is_undecided_is_not_taken_for_a_pass() {
    let script = "channel c : {0..9}\nP = ||| i : {0..9} @ c.i -> P\nQ = ||| i : {0..9} @ c.i -> STOP\n\
                  assert Q :[deadlock free]\nassert STOP [T= STOP\n";
    let path = temporary("undecided.csp", script.as_bytes());
    let file = path.to_string_lossy();
    let limited = |format: &str| {
        let ran = csp(&["check", &file, "--max-states", "3", "--format", format]);
        assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    let sarif: Value = serde_json::from_str(&limited("sarif")).expect("JSON");
    let run = &sarif["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["results"][0]["ruleId"], "undecided");
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
    let junit = limited("junit");
    let junit = roxmltree::Document::parse(&junit).expect("XML");
    let suite = junit.descendants().find(|n| n.has_tag_name("testsuite"));
    let suite = suite.expect("a suite");
    assert_eq!(suite.attribute("errors"), Some("1"));
    assert_eq!(suite.attribute("skipped"), Some("0"));
    assert!(suite.descendants().any(|n| n.has_tag_name("error")));
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn diagnostics_keep_their_notes_and_places() {
    let script = "channel a\nP = a -> Q\nP = STOP\nQ = P\nassert STOP [T= P\n";
    let path = temporary("places.csp", script.as_bytes());
    let file = path.to_string_lossy();
    let json: Value = serde_json::from_str(&csp(&["check", &file, "--json"]).stdout).expect("JSON");
    let diagnostic = &json["diagnostics"][0];
    assert_eq!(diagnostic["code"], "E0202");
    assert_eq!(diagnostic["labels"][0]["line"], 2);
    let sarif = csp(&["check", &file, "--format", "sarif"]).stdout;
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    let related = &sarif["runs"][0]["results"][0]["relatedLocations"][0];
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(related["message"]["text"], diagnostic["labels"][0]["text"]);
    std::fs::remove_file(path).expect("it was written");
}

/// The assertions that an interrupt left are part of the report.
#[test]
#[cfg(unix)]
fn an_interrupted_report_lists_what_was_not_reached() {
    use std::process::Stdio;

    let script = "channel c : {0..40}\nassert STOP [T= STOP\n\
                  assert ||| i : {0..40} @ c.i -> c.i -> STOP :[deadlock free]\nassert STOP [F= STOP\n";
    let path = temporary("interrupted.csp", script.as_bytes());
    let running = Command::new(env!("CARGO_BIN_EXE_csp"))
        .args(["check", "--format", "jsonl"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn();
    let mut running = running.expect("the command starts");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(
        running.stdout.take().expect("it is piped"),
    ));
    let mut next = || -> Value {
        let line = lines.next().expect("a line").expect("UTF-8");
        serde_json::from_str(&line).expect("JSON")
    };
    assert_eq!(next()["verdict"], "pass");
    let sent = Command::new("sh")
        .args(["-c", "kill -INT $0"])
        .arg(running.id().to_string())
        .status();
    assert!(sent.expect("sh is there").success());
    assert_eq!(next()["reason"], "interrupted");
    let last = next();
    assert_eq!(last["verdict"], "inconclusive");
    assert_eq!(last["reason"], "interrupted before it was reached");
    assert_eq!(next()["exit_code"], 130);
    assert_eq!(running.wait().expect("it ends").code(), Some(130));
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn an_output_never_replaces_what_is_read() {
    let part = temporary("part.csp", b"channel a\n");
    let text = format!("include \"{}\"\nassert STOP [T= STOP\n", part.display());
    let path = temporary("whole.csp", text.as_bytes());
    let (file, part) = (path.to_string_lossy(), part.to_string_lossy());
    for words in [
        &["refines", "--archive", &file, &file][..],
        &["refines", "--archive", &part, &file],
        &["check", &file, "--output", &file],
        &["check", &file, "--save-trace", &file],
        &["graph", &file, "STOP", "--output", &file],
    ] {
        fails_with(words, 2, "is not written: it is the same file as");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
    for file in [&*file, &*part] {
        std::fs::remove_file(file).expect("it was written");
    }
}

/// A file is written beside its place and then put there, so a link stays one and nothing is left.
#[test]
#[cfg(unix)]
fn files_are_put_in_place_whole() {
    let folder = std::env::temp_dir().join(format!("csp-whole-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("the temporary folder is writable");
    let (target, link) = (folder.join("target"), folder.join("link"));
    std::fs::write(&target, "old").expect("there is room");
    std::os::unix::fs::symlink(&target, &link).expect("it can be linked to");
    let script = "examples/01-vending-machine.csp";
    let shown = link.to_string_lossy();
    assert_eq!(
        csp(&["check", script, "--json", "--output", &shown]).code,
        1
    );
    let text = std::fs::read_to_string(&target).expect("it is there");
    assert!(serde_json::from_str::<Value>(&text).is_ok());
    assert!(std::fs::symlink_metadata(&link).is_ok_and(|m| m.is_symlink()));
    let left = std::fs::read_dir(&folder).expect("it is there").count();
    assert_eq!(left, 2);
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
#[cfg(target_os = "linux")]
fn file_names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let folder = std::env::temp_dir().join(format!("csp-names-{}", std::process::id()));
    let inner = folder.join(std::ffi::OsStr::from_bytes(b"f\xffolder"));
    std::fs::create_dir_all(&inner).expect("the temporary folder is writable");
    let script = inner.join(std::ffi::OsStr::from_bytes(b"s\xe9cript.csp"));
    std::fs::write(&script, "include \"part.csp\"\nassert STOP [T= a -> STOP\n").expect("room");
    std::fs::write(inner.join("part.csp"), "channel a\n").expect("room");
    let run = |words: &[&str], last: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_csp"))
            .args(words)
            .arg(last)
            .output();
        let output = output.expect("the command starts");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("UTF-8"),
        )
    };
    for words in [
        &["check"][..],
        &["refines"],
        &["check", "--json"],
        &["check", "--format", "sarif"],
    ] {
        let (code, text) = run(words, &script);
        let expected = i32::from(words[0] == "check");
        assert_eq!(code, Some(expected), "{words:?}: {text}");
    }
    assert_eq!(run(&["typecheck"], &script).0, Some(0));
    let output = inner.join(std::ffi::OsStr::from_bytes(b"\xfe.json"));
    let words = [
        "check",
        "examples/01-vending-machine.csp",
        "--json",
        "--output",
    ];
    assert_eq!(run(&words, &output).0, Some(1));
    assert!(output.is_file());
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_are_not_included() {
    let folder = std::env::temp_dir().join(format!("csp-devices-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("the temporary folder is writable");
    let pipe = folder.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("mkfifo is there")
            .success()
    );
    let pipe = pipe.to_string_lossy();
    for path in ["/dev/zero", &pipe] {
        let script = folder.join("script.csp");
        std::fs::write(&script, format!("include \"{path}\"\n")).expect("room");
        let words = ["check", &script.to_string_lossy()];
        fails_with(&words, 2, "it is not a file");
        fails_with(&["check", path], 2, "it is not a file");
    }
    let large = folder.join("large.csp");
    let file = std::fs::File::create(&large).expect("room");
    file.set_len(100 << 20).expect("a file with a hole");
    fails_with(
        &["check", &large.to_string_lossy()],
        2,
        "a script has at most 64 MiB",
    );
    std::fs::remove_dir_all(folder).expect("it was made");
}
