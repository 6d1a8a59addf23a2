//! `typecheck`, `eval`, `explain`: the language without any checking.

use std::fmt::Write;

use csp_driver::{Script, codes, escape};

use crate::args::{EvalArguments, LintArguments, ScriptArguments, TypecheckArguments};
use crate::deal;
use crate::interrupt;
use crate::output::{self, Failure, Terminal};

/// Loads a script and shows its diagnostics.
pub(crate) fn load(arguments: &ScriptArguments, terminal: &Terminal) -> Result<Script, Failure> {
    let script = read(arguments)?;
    terminal.show(script.diagnostics(), script.sources());
    Ok(script)
}

/// Loads a script.
pub(crate) fn read(arguments: &ScriptArguments) -> Result<Script, Failure> {
    let mut defines = arguments.defines.clone();
    if let Some(deal) = &arguments.deal {
        let number: i64 = deal
            .parse()
            .map_err(|_| Failure::Message(format!("'{deal}' is not the number of a deal")))?;
        defines.push(format!("DEAL={number}"));
    }
    if let Some(board) = &arguments.board {
        defines.extend(deal::board(board, &defines)?);
    }
    let mut script = Script::load(&arguments.file, &defines)?;
    script.on_interrupt(interrupt::token());
    if arguments.board.is_some() && !(script.defines("BOARD") && script.defines("IN_CELLS")) {
        let file = arguments.file.display();
        let message =
            format!("{file} does not start from a board: it has no constants BOARD and IN_CELLS");
        return Err(Failure::Message(message));
    }
    Ok(script)
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
    let script = load(&options.script, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    let remarks = script.remarks();
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
    let mut script = load(&options.script, terminal)?;
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
