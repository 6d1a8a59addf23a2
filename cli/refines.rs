//! `refines`: the flags and the output that scripts around FDR's command of that name expect.

use csp_driver::CheckSettings;
use csp_driver::format::fdr::{self, FdrOptions};

use crate::args::{RefinesArguments, ScriptArguments};
use crate::check;
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};

pub(crate) fn run(options: &RefinesArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let json = match options.format.as_str() {
        "plain" | "colour" | "color" => false,
        "json" | "framed_json" => true,
        other => {
            return Err(Failure::Message(format!(
                "--format {other} is not supported; use plain, json or framed_json"
            )));
        }
    };
    let mut worst = 0;
    for file in &options.files {
        let arguments = ScriptArguments {
            file: file.clone(),
            defines: Vec::new(),
            deal: None,
            board: None,
        };
        let mut script = language::load(&arguments, terminal)?;
        let settings = CheckSettings {
            threads: check::threads(options.refinement_bfs_workers.map(|n| n.max(1)))?,
            counterexamples: options.refinement_desired_counterexample_count.max(1),
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
        output::print(&if json {
            fdr::json(&report)
        } else {
            fdr::text(&report, shape)
        })?;
        if interrupt::requested() {
            return Ok(130);
        }
        worst = worst.max(report.exit_code());
    }
    Ok(worst)
}
