//! Every verb in bad surroundings: files that are not there, pipes that are closed, disks that are
//! full, terminals that are narrow or missing. Each ends with a sentence and the right code.

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};

use super::bad_input::temporary;

/// A command line that works for each verb; SCRIPT stands for the script.
const VERBS: &[&[&str]] = &[
    &["check", "SCRIPT"],
    &["solve", "SCRIPT", "--goal", "coffee", "--quiet"],
    &["survey", "SCRIPT", "--deals", "1..2", "--quiet"],
    &["deal", "freecell", "11982"],
    &["typecheck", "SCRIPT", "--types"],
    &["eval", "SCRIPT", "card({1, 2})"],
    &["graph", "SCRIPT", "Machine"],
    &["explore", "SCRIPT", "Machine"],
    &["scale", "SCRIPT", "--threads", "1"],
    &["refines", "SCRIPT"],
    &["explain", "E0201"],
    &["completions", "bash"],
    &["man"],
];

const SCRIPT: &str = "channel coin, tea, coffee
DEAL = 1
Machine = coin -> (tea -> Machine [] coffee -> Machine)
assert STOP [T= Machine \\ {coin, tea}
assert Machine :[deadlock free]
";

/// What a verb gives in ordinary surroundings.
fn code(verb: &str) -> i32 {
    i32::from(verb == "check")
}

fn line(verb: &[&str], script: &str) -> Vec<String> {
    let words = verb.iter().map(|w| if *w == "SCRIPT" { script } else { w });
    words.map(str::to_owned).collect()
}

fn command(words: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_csp"));
    command
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null());
    command
}

/// Runs it and sees that it ended in its own way.
fn run(command: &mut Command, words: &[String]) -> (i32, String) {
    let Output { status, stderr, .. } = command.output().expect("the command starts");
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{words:?}: {stderr}");
    let code = status
        .code()
        .unwrap_or_else(|| panic!("{words:?} was killed by a signal: {stderr}"));
    (code, stderr)
}

/// Runs every verb with a script that works.
fn every_verb(name: &str, mut each: impl FnMut(&str, Vec<String>)) {
    let path = temporary(name, SCRIPT.as_bytes());
    for verb in VERBS {
        each(verb[0], line(verb, &path.to_string_lossy()));
    }
    std::fs::remove_file(path).expect("it was written");
}

fn verbs_with_a_script() -> impl Iterator<Item = &'static [&'static str]> {
    VERBS.iter().copied().filter(|v| v.contains(&"SCRIPT"))
}

#[test]
fn missing_and_unreadable_scripts() {
    for verb in verbs_with_a_script() {
        for (script, needle) in [
            ("no/such/script.csp", "cannot read no/such/script.csp"),
            ("examples", "cannot read examples: it is a folder"),
        ] {
            let words = line(verb, script);
            let (code, stderr) = run(&mut command(&words), &words);
            assert_eq!(code, 2, "{words:?}: {stderr}");
            assert!(stderr.contains(needle), "{words:?}: {stderr}");
        }
    }
}

#[test]
#[cfg(unix)]
fn scripts_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;

    let path = temporary("locked.csp", SCRIPT.as_bytes());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it is ours");
    // The superuser reads everything.
    if std::fs::read(&path).is_err() {
        for verb in verbs_with_a_script() {
            let words = line(verb, &path.to_string_lossy());
            let (code, stderr) = run(&mut command(&words), &words);
            assert_eq!(code, 2, "{words:?}: {stderr}");
            assert!(stderr.contains("ermission"), "{words:?}: {stderr}");
        }
    }
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn flags_that_do_not_exist() {
    every_verb("flags.csp", |_, mut words| {
        words.push("--no-such-flag".to_owned());
        let (code, stderr) = run(&mut command(&words), &words);
        assert_eq!(code, 2, "{words:?}: {stderr}");
        assert!(
            stderr.contains("unexpected argument '--no-such-flag'") && stderr.contains("Usage:"),
            "{words:?}: {stderr}"
        );
    });
}

#[test]
fn nobody_reads_the_output() {
    let closed = |words: &[String]| {
        let (reader, writer) = std::io::pipe().expect("pipes are to be had");
        drop(reader);
        run(command(words).stdout(writer), words)
    };
    every_verb("pipe.csp", |verb, words| {
        assert_eq!(closed(&words), (code(verb), String::new()), "{words:?}");
        let formats: &[&str] = match verb {
            "check" => &["text", "json", "jsonl", "junit", "sarif", "fdr"],
            "refines" => &["plain", "json", "framed_json", "yaml", "xml"],
            _ => &[],
        };
        for format in formats {
            let mut words = words.clone();
            words.extend(["--format".to_owned(), (*format).to_owned()]);
            assert_eq!(closed(&words), (code(verb), String::new()), "{words:?}");
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn the_disk_is_full() {
    let full = || {
        OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("it is there")
    };
    every_verb("full.csp", |_, words| {
        let (code, stderr) = run(command(&words).stdout(full()), &words);
        assert_eq!(code, 2, "{words:?}: {stderr}");
        assert!(
            stderr.contains("cannot write to standard output"),
            "{words:?}: {stderr}"
        );
    });
    every_verb("full-output.csp", |verb, words| {
        let flags: &[&str] = match verb {
            "check" => &["--output", "--save-trace"],
            "survey" | "graph" => &["--output"],
            "scale" => &["--plot", "--csv"],
            "refines" => &["--archive"],
            _ => &[],
        };
        for flag in flags {
            let mut words = words.clone();
            words.extend([(*flag).to_owned(), "/dev/full".to_owned()]);
            let (code, stderr) = run(&mut command(&words), &words);
            assert_eq!(code, 2, "{words:?}: {stderr}");
            assert!(stderr.contains("cannot write"), "{words:?}: {stderr}");
        }
    });
}

/// `timeout` signals a program and then its group, to which the program belongs.
#[test]
#[cfg(unix)]
fn signals_that_come_together_are_one() {
    use std::io::{BufRead, BufReader, Read};

    let script = "channel c : {0..40}\nprint 1\n\
                  assert ||| i : {0..40} @ c.i -> c.i -> STOP :[deadlock free]\n";
    let path = temporary("signals.csp", script.as_bytes());
    let words = ["check".to_owned(), path.to_string_lossy().into_owned()];
    let mut running = command(&words)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut output = BufReader::new(running.stdout.take().expect("it is piped"));
    let mut text = String::new();
    output.read_line(&mut text).expect("the value of the print");
    let sent = Command::new("sh")
        .args(["-c", "kill -TERM $0 $0; kill -INT $0"])
        .arg(running.id().to_string())
        .status();
    assert!(sent.expect("sh is there").success());
    output.read_to_string(&mut text).expect("a report");
    assert_eq!(running.wait().expect("it ends").code(), Some(130));
    assert!(text.contains("undecided: interrupted"), "{text}");
    std::fs::remove_file(path).expect("it was written");
}

#[test]
fn twenty_columns() {
    every_verb("narrow.csp", |verb, words| {
        let (got, stderr) = run(command(&words).env("COLUMNS", "20"), &words);
        assert_eq!(got, code(verb), "{words:?}: {stderr}");
        let mut help = words.clone();
        help.push("--help".to_owned());
        let (got, stderr) = run(command(&help).env("COLUMNS", "20"), &help);
        assert_eq!(got, 0, "{help:?}: {stderr}");
    });
}

#[test]
fn nothing_in_the_environment_and_no_terminal() {
    every_verb("bare.csp", |verb, words| {
        let (got, stderr) = run(command(&words).env_clear(), &words);
        assert_eq!(got, code(verb), "{words:?}: {stderr}");
    });
}

#[test]
fn only_ascii_where_that_is_asked_for() {
    every_verb("ascii.csp", |verb, words| {
        let mut help = words.clone();
        help.push("--help".to_owned());
        let mut flagged = words.clone();
        flagged.push("--ascii".to_owned());
        for (words, variable) in [
            (&words, ("LC_ALL", "C")),
            (&words, ("CSP_ASCII", "1")),
            (&help, ("LC_ALL", "POSIX")),
            (&flagged, ("LC_ALL", "C.UTF-8")),
        ] {
            let output = command(words)
                .env(variable.0, variable.1)
                .output()
                .expect("the command starts");
            assert!(
                output.stdout.is_ascii() && output.stderr.is_ascii(),
                "{words:?} {variable:?}: {}",
                String::from_utf8_lossy(&output.stdout)
            );
        }
        // What programs read is the same everywhere.
        if verb == "check" {
            let mut words = words.clone();
            words.push("--json".to_owned());
            let output = command(&words).env("LC_ALL", "C").output();
            let text = String::from_utf8(output.expect("it starts").stdout).expect("UTF-8");
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
        }
    });
}
