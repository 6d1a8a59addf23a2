//! Completion: the options by clap's scripts, and values (games, assertions, processes, constants,
//! codes) by asking this program for them.

use std::fmt::Write;
use std::path::Path;

use clap::Command;
use clap_complete::Shell;
use csp_driver::described::bundle;
use csp_driver::{Script, codes, games};

/// The script of a shell: clap's, and around it one that asks for values first.
pub(crate) fn script(shell: Shell, command: &mut Command) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, command, "csp", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let values = match shell {
        Shell::Bash => BASH.to_owned(),
        Shell::Zsh => ZSH.to_owned(),
        Shell::Fish => FISH.to_owned() + &fish_options(command),
        _ => String::new(),
    };
    script + &values
}

/// Fish completes the value of an option by what is said of that option.
fn fish_options(command: &Command) -> String {
    let mut out = String::new();
    for verb in command.get_subcommands() {
        for option in verb.get_arguments().filter_map(|a| a.get_long()) {
            if matches!(option, "assert" | "define") {
                let name = verb.get_name();
                let _ = writeln!(
                    out,
                    "complete -c csp -n '__fish_csp_using_subcommand {name}' -l {option} -x -a '{FISH_VALUES}'"
                );
            }
        }
    }
    out
}

const BASH: &str = r#"
_csp_values() {
    local values IFS=$'\n'
    values=$("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
    if [[ -n "$values" ]]; then
        COMPREPLY=($(compgen -W "$values" -- "${COMP_WORDS[COMP_CWORD]}"))
        [[ ${#COMPREPLY[@]} -gt 0 ]] && return 0
    fi
    unset IFS
    _csp "$@"
}
complete -F _csp_values -o bashdefault -o default csp
"#;

const ZSH: &str = r#"
_csp_values() {
    local -a lines values
    lines=("${(@f)$(csp complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    lines=(${lines:#})
    if (( ${#lines} )); then
        values=("${(@)lines%%$'\t'*}")
        lines=("${(@)lines//$'\t'/  }")
        compadd -Q -d lines -a values && return 0
    fi
    _csp "$@"
}
compdef _csp_values csp
"#;

const FISH: &str = r"
complete -c csp -f -a '(csp complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
";

const FISH_VALUES: &str = "(csp complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)";

/// Values for the last word, one on each line, with a remark after a tab where there is one. None where the
/// word is no value that depends on a script or on what this program knows.
pub(crate) fn values(words: &[String]) -> String {
    let mut out = String::new();
    for (value, remark) in candidates(words) {
        let _ = match remark.is_empty() {
            true => writeln!(out, "{value}"),
            false => writeln!(out, "{value}\t{remark}"),
        };
    }
    out
}

fn candidates(words: &[String]) -> Vec<(String, String)> {
    let Some((last, before)) = words.split_last() else {
        return Vec::new();
    };
    let (Some(verb), Some(previous)) = (before.first(), before.last()) else {
        return Vec::new();
    };
    let plain = |value: &str| (value.to_owned(), String::new());
    match (verb.as_str(), previous.as_str()) {
        ("explain", "explain") => {
            let all = codes().into_iter();
            return all
                .map(|c| (c.code.to_owned(), c.title.to_owned()))
                .collect();
        }
        (verb, previous) if verb == previous && !last.contains(['/', '.']) => {
            // Those that take a script most of the time complete files before anything is typed.
            let is_game = matches!(verb, "play" | "deal" | "solve" | "survey" | "rules");
            let is_script = matches!(verb, "check" | "explore" | "graph") && !last.is_empty();
            if is_game || is_script {
                let modelled = games().filter(|_| verb != "rules");
                let dealt = modelled.filter(|g| verb != "deal" || !["peg", "sudoku"].contains(g));
                let mut names: Vec<(String, String)> = dealt.map(plain).collect();
                names.extend(bundle::all().iter().map(|game| plain(&game.name)));
                names.retain(|(name, _)| name.starts_with(last.as_str()));
                names.sort();
                names.dedup();
                return names;
            }
        }
        _ => {}
    }
    let Some(file) = before[1..].iter().find(|word| Path::new(word).is_file()) else {
        return Vec::new();
    };
    let Ok(script) = Script::load(file, &[]) else {
        return Vec::new();
    };
    let asks_for_process = matches!(verb.as_str(), "explore" | "graph" | "live" | "play");
    match previous.as_str() {
        "--assert" => assertions(&script),
        "-D" | "--define" => {
            let is_value = |scheme: &str| {
                scheme != "Proc" && !scheme.contains("->") && !scheme.ends_with("Event")
            };
            names(&script, is_value, "=")
        }
        word if word == file && asks_for_process && !last.starts_with('-') => {
            let mut processes = names(&script, |scheme| scheme == "Proc", "");
            processes.extend(names(&script, |scheme| scheme.ends_with("-> Proc"), "("));
            processes
        }
        _ => Vec::new(),
    }
}

fn assertions(script: &Script) -> Vec<(String, String)> {
    let text = |i: usize| csp_driver::escape::line(script.assertion_text(i)).into_owned();
    let all = 0..script.assertion_count();
    all.map(|i| ((i + 1).to_string(), text(i))).collect()
}

/// The names of the script whose type fits, each with this at its end.
fn names(script: &Script, fits: impl Fn(&str) -> bool, end: &str) -> Vec<(String, String)> {
    let all = script.types().filter(|(_, scheme)| fits(scheme));
    let all = all.filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    all.map(|(name, scheme)| (format!("{name}{end}"), scheme))
        .collect()
}
