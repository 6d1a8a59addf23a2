//! `typecheck`, `eval`, `explain`: the language without any checking.

use std::fmt::Write;

use csp_driver::{Script, codes, escape};

use crate::args::{EvalArguments, LintArguments, ScriptArguments, TypecheckArguments};
use crate::deal;
use crate::games;
use crate::interrupt;
use crate::loading::{self, Limits};
use crate::output::{self, Failure, Terminal};

/// Loads a script and shows its diagnostics.
pub(crate) fn load(arguments: &ScriptArguments, terminal: &Terminal) -> Result<Script, Failure> {
    load_within(arguments, &Limits::default(), terminal)
}

/// Loads a script within limits, and shows what is wrong with it.
pub(crate) fn load_within(
    arguments: &ScriptArguments,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Script, Failure> {
    if let Some(mut script) = games::script(arguments, terminal)? {
        script.on_interrupt(interrupt::token());
        terminal.show(script.diagnostics(), script.sources());
        return Ok(script);
    }
    let script = read(arguments, limits)?;
    terminal.show(script.diagnostics(), script.sources());
    Ok(script)
}

/// Loads a script.
pub(crate) fn read(arguments: &ScriptArguments, limits: &Limits) -> Result<Script, Failure> {
    let mut defines = arguments.defines.clone();
    let start = start(arguments, &defines)?;
    match (&start, &arguments.deal) {
        (Some(start), _) => defines.extend(start.iter().cloned()),
        (None, Some(deal)) => {
            let number: i64 = deal
                .parse()
                .map_err(|_| Failure::Message(format!("'{deal}' is not the number of a deal")))?;
            defines.push(format!("DEAL={number}"));
        }
        (None, None) => {}
    }
    let file = &arguments.file;
    let mut script = loading::within(limits, file, || Script::load(file, &defines))?;
    script.on_interrupt(interrupt::token());
    let names = start.iter().flatten().filter_map(|d| d.split_once('='));
    let missing = names.map(|(name, _)| name).find(|n| !script.defines(n));
    if let Some(name) = missing {
        let file = arguments.file.display();
        let why = format!("{file} does not start from a board: it has no constant {name}");
        return Err(Failure::Message(why));
    }
    Ok(script)
}

/// The definitions of a start that is not the model's own numbered deal.
fn start(arguments: &ScriptArguments, defines: &[String]) -> Result<Option<Vec<String>>, Failure> {
    if arguments.board.is_none() && arguments.numbering.is_none() {
        return Ok(None);
    }
    let script = Script::load(&arguments.file, defines)?;
    let game = script.game_played().ok_or_else(|| {
        let file = arguments.file.display();
        Failure::Message(format!(
            "{file} does not start from a board: no assertion has a `--@ game:` line"
        ))
    })?;
    match (&arguments.board, arguments.numbering, &arguments.deal) {
        (Some(path), _, _) => deal::board(game, path, defines).map(Some),
        (None, Some(numbering), Some(number)) => {
            deal::numbered(game, numbering, number, defines).map(Some)
        }
        _ => Ok(None),
    }
}

pub(crate) fn typecheck(options: &TypecheckArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let script = load(&options.script, terminal)?;
    if options.types {
        let mut out = String::new();
        for (name, scheme) in script.types() {
            let _ = writeln!(out, "{name} :: {scheme}");
        }
        terminal.print(&out)?;
    }
    Ok(if script.has_errors() { 2 } else { 0 })
}

pub(crate) fn lint(options: &LintArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let limits = Limits {
        timeout: Some(options.timeout),
        memory: None,
    };
    let mut script = load_within(&options.script, &limits, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let remarks = script.remarks_on_processes(Some(options.timeout));
    terminal.show(&remarks, script.sources());
    if !remarks.is_empty() || !script.diagnostics().is_empty() {
        return Ok(1);
    }
    terminal.print(&format!(
        "{}: nothing to remark\n",
        options.script.file.display()
    ))?;
    Ok(0)
}

pub(crate) fn eval(options: &EvalArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let limits = Limits {
        timeout: options.timeout,
        memory: None,
    };
    let mut script = load_within(&options.script, &limits, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    match script.evaluate(&options.expression, options.timeout) {
        Ok(value) => output::print(&format!("{}\n", escape::line(&value))).map(|()| 0),
        Err(diagnostics) => {
            terminal.show(&diagnostics, script.sources());
            Ok(if interrupt::requested() { 130 } else { 2 })
        }
    }
}

pub(crate) fn explain(code: Option<&str>, terminal: &Terminal) -> Result<u8, Failure> {
    let mut out = String::new();
    let Some(code) = code else {
        for entry in codes() {
            let _ = writeln!(out, "{}  {}", entry.code, entry.title);
        }
        return terminal.print(&out).map(|()| 0);
    };
    let Some(entry) = codes()
        .into_iter()
        .find(|e| e.code.eq_ignore_ascii_case(code))
    else {
        return Err(Failure::Message(format!(
            "there is no code {code}; 'csp explain' lists them all"
        )));
    };
    let _ = writeln!(
        out,
        "{}: {}\n\n{}",
        entry.code, entry.title, entry.explanation
    );
    terminal.print(&out).map(|()| 0)
}
