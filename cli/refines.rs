//! `refines`: the flags and the output that scripts around FDR's command of that name expect.

use std::path::Path;

use csp_driver::format::fdr::{self, FdrOptions};
use csp_driver::report::AssertionReport;
use csp_driver::{Audience, CheckSettings, Diagnostic, Observer, Script, Sources};

use crate::args::{RefinesArguments, RefinesFormat, ScriptArguments};
use crate::check;
use crate::interrupt;
use crate::language;
use crate::loading::Limits;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;

pub(crate) fn run(options: &RefinesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    if let Some(path) = &options.archive {
        return archive(options, path, terminal);
    }
    if !options.quiet {
        for (flag, because) in &options.without_effect.0 {
            terminal.note(&format!("csp: --{flag} changes nothing: {because}\n"));
        }
    }
    let mut worst = 0;
    for file in &options.files {
        worst = check::worse(worst, one(options, file, terminal)?);
        if interrupt::requested() {
            return Ok(130);
        }
    }
    Ok(worst)
}

/// How many events the map of events names; a script with more has those of its results there.
const MOST_EVENTS: usize = 100_000;

/// The exit code says whether checks ran, as FDR's does: what they came to is in the output.
fn one(options: &RefinesArguments, file: &Path, terminal: &Terminal) -> Result<u8, Failure> {
    let arguments = ScriptArguments {
        file: file.to_owned(),
        defines: Vec::new(),
        deal: None,
        board: None,
        numbering: None,
    };
    let mut script = language::read(&arguments, &Limits::default())?;
    let settings = CheckSettings {
        threads: check::threads(options.refinement_bfs_workers.map(|n| n.max(1)))?,
        counterexamples: options.refinement_desired_counterexample_count.max(1),
        leaf_compression: options.compiler_leaf_compression.into(),
        ..CheckSettings::default()
    };
    let for_people = matches!(options.format, RefinesFormat::Plain | RefinesFormat::Colour);
    if for_people {
        terminal.show(script.diagnostics(), script.sources());
    }
    let report = if options.typecheck {
        script.report(None).0
    } else if for_people {
        check::check(&mut script, &settings, options.quiet, terminal, |_| {})?
    } else {
        let run = script.run(&settings, &mut Silent { terminal });
        run.map_err(Failure::Message)?
    };
    let shape = FdrOptions {
        brief: options.brief,
        quiet: options.quiet,
        reveal_taus: options.reveal_taus,
        divide: options.divide,
    };
    if for_people {
        terminal.print(&fdr::text(&report, shape))?;
        return Ok(code(&script));
    }
    let events = if script.has_errors() {
        Vec::new()
    } else {
        script.event_names(MOST_EVENTS)
    };
    let write = match options.format {
        RefinesFormat::FramedJson => fdr::framed_json,
        RefinesFormat::Yaml => fdr::yaml,
        RefinesFormat::Xml => fdr::xml,
        _ => fdr::json,
    };
    output::print(&write(&report, shape, &events))?;
    Ok(code(&script))
}

fn code(script: &Script) -> u8 {
    if script.has_errors() { 2 } else { 0 }
}

/// For readers that take any word on standard error for a failure: all there is to say is in the output.
struct Silent<'a> {
    terminal: &'a Terminal,
}

impl Audience for Silent<'_> {
    fn wrong(&mut self, _: &[Diagnostic], _: &Sources) {}

    fn printed(&mut self, _: &str) {}

    fn begins(&mut self, assertion: &str) -> Box<dyn Observer + '_> {
        Box::new(ProgressLine::new(assertion, true, self.terminal))
    }

    fn decided(&mut self, _: &AssertionReport) {}
}

/// Writes the one script with what it includes in place of the directives.
fn archive(options: &RefinesArguments, path: &Path, terminal: &Terminal) -> Result<u8, Failure> {
    let [file] = options.files.as_slice() else {
        return Err(Failure::Message(
            "--archive takes one script at a time".to_owned(),
        ));
    };
    let archive = csp_driver::archive(file)?;
    output::refuse_input(path, &archive.inputs)?;
    terminal.show(&archive.diagnostics, &archive.sources);
    if archive.has_errors() {
        return Ok(2);
    }
    output::write(Some(path), &archive.text).map(|()| 0)
}
