//! `refines`: the flags and the output that scripts around FDR's command of that name expect.

use std::path::Path;

use csp_driver::CheckSettings;
use csp_driver::format::fdr::{self, FdrOptions};

use crate::args::{RefinesArguments, RefinesFormat, ScriptArguments};
use crate::check;
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};

pub(crate) fn run(options: &RefinesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    if options.format == RefinesFormat::Xml {
        return Err(Failure::Message(
            "--format xml is not written, for what its elements are called is not documented; \
             use plain, json, framed_json or yaml"
                .to_owned(),
        ));
    }
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

fn one(options: &RefinesArguments, file: &Path, terminal: &Terminal) -> Result<u8, Failure> {
    let arguments = ScriptArguments {
        file: file.to_owned(),
        defines: Vec::new(),
        deal: None,
        board: None,
    };
    let mut script = language::load(&arguments, terminal)?;
    let settings = CheckSettings {
        threads: check::threads(options.refinement_bfs_workers.map(|n| n.max(1)))?,
        counterexamples: options.refinement_desired_counterexample_count.max(1),
        leaf_compression: options.compiler_leaf_compression.into(),
        ..CheckSettings::default()
    };
    let report = if options.typecheck {
        script.report(None).0
    } else {
        check::check(&mut script, &settings, options.quiet, terminal, |_| {})?
    };
    let shape = FdrOptions {
        brief: options.brief,
        quiet: options.quiet,
        reveal_taus: options.reveal_taus,
    };
    match options.format {
        RefinesFormat::Json => output::print(&fdr::json(&report))?,
        RefinesFormat::FramedJson => output::print(&fdr::framed_json(&report))?,
        RefinesFormat::Yaml => output::print(&fdr::yaml(&report))?,
        RefinesFormat::Plain | RefinesFormat::Colour | RefinesFormat::Xml => {
            terminal.print(&fdr::text(&report, shape))?;
        }
    }
    Ok(report.exit_code())
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
