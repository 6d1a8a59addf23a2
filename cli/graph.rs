//! `graph`: write the transition system of a process, or the network it is compiled to.

use csp_driver::{escape, graph as drawing};

use crate::args::{GraphArguments, GraphFormat};
use crate::interrupt;
use crate::language;
use crate::output::{self, Failure, Terminal};
use crate::progress::ProgressLine;

pub(crate) fn run(options: &GraphArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let look = options.look.inspection()?;
    let mut script = language::load_within(&options.script, &options.look.limits()?, terminal)?;
    if script.has_errors() {
        return Ok(2);
    }
    if let Some(path) = &options.output {
        output::refuse_input(path, std::slice::from_ref(&options.script.file))?;
    }
    let watcher = ProgressLine::new("compiling", false, terminal);
    let text = if options.network {
        let described = script.describe_network(&options.process, &look, &watcher);
        described.map(|text| escape::lines(&text).into_owned())
    } else {
        let (process, most) = (&options.process, options.max_states);
        let plain = options.numbers || options.format == GraphFormat::Aut;
        let graph = if plain {
            script.explicit(process, most, &look, &watcher)
        } else {
            script.explicit_with_terms(process, most, &look, &watcher)
        };
        graph.map(|graph| match options.format {
            GraphFormat::Aut => drawing::aut(&graph, &options.tau_label),
            GraphFormat::Dot => drawing::dot(&graph),
            GraphFormat::Json => drawing::json(&graph),
            GraphFormat::Svg => drawing::svg(&graph),
        })
    };
    watcher.finish();
    match text {
        Ok(text) => output::write(options.output.as_deref(), &text).map(|()| 0),
        Err(problem) => {
            terminal.show(&problem.diagnostics, script.sources());
            match problem.limit {
                Some(limit) => {
                    terminal.error(&limit);
                    Ok(if interrupt::requested() { 130 } else { 3 })
                }
                None => Ok(2),
            }
        }
    }
}
