//! What a run writes: pieces as they come, or one document at its end, to standard output or a file.

use csp_driver::format;
use csp_driver::report::Report;

use super::worse;
use crate::args::{CheckArguments, ReportFormat};
use crate::output::{self, Failure, Terminal};
use crate::text::TextOptions;

/// The output of a run over one or more scripts.
pub(super) struct Sheet<'a> {
    options: &'a CheckArguments,
    terminal: &'a Terminal,
    /// How reports are written.
    pub(super) format: ReportFormat,
    /// How text is written.
    pub(super) text: TextOptions,
    /// What goes to a file, where that is asked for.
    written: String,
    failed: Option<Failure>,
    reports: Vec<Report>,
    code: u8,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(options: &'a CheckArguments, terminal: &'a Terminal) -> Self {
        let format = if options.json {
            ReportFormat::Json
        } else {
            options.format
        };
        let text = TextOptions {
            expect: options.expect,
            brief: options.brief,
            filter: options.filter.clone(),
            trace_format: options.trace_format,
            full: options.full,
            stats: options.stats,
            width: terminal.width,
            ascii: terminal.ascii,
            colour: terminal.colour && options.output.is_none(),
        };
        Self {
            options,
            terminal,
            format,
            text,
            written: String::new(),
            failed: None,
            reports: Vec::new(),
            code: 0,
        }
    }

    /// Writes a piece.
    pub(super) fn show(&mut self, piece: String) {
        if self.options.output.is_some() {
            self.written.push_str(&piece);
        } else if self.failed.is_none() {
            self.failed = if self.format == ReportFormat::Text {
                self.terminal.print_coloured(&piece).err()
            } else {
                output::print(&piece).err()
            };
        }
    }

    /// A script has been checked.
    pub(super) fn keep(&mut self, report: Report, code: u8) {
        self.code = if code == 130 {
            130
        } else {
            worse(self.code, code)
        };
        self.reports.push(report);
    }

    /// Writes what comes at the end; the exit code of the whole run.
    pub(super) fn finish(mut self) -> Result<u8, Failure> {
        let reports = std::mem::take(&mut self.reports);
        let document = match self.format {
            ReportFormat::Json => Some(format::json::of_all(&reports)),
            ReportFormat::Junit => Some(format::junit::of_all(&reports)),
            ReportFormat::Sarif => Some(format::sarif::of_all(&reports)),
            ReportFormat::Text | ReportFormat::Jsonl | ReportFormat::Fdr => None,
        };
        if let Some(document) = document {
            self.show(document);
        }
        if let Some(failure) = self.failed {
            return Err(failure);
        }
        if let Some(path) = &self.options.output {
            output::write(Some(path), &self.written)?;
        }
        if let Some(path) = &self.options.save_trace {
            let assertions = reports.iter().flat_map(|r| &r.assertions);
            let mut found = assertions.flat_map(|a| &a.counterexamples);
            match found.next() {
                Some(found) => {
                    output::write(Some(path), &csp_driver::explore::saved(found))?;
                }
                None => self
                    .terminal
                    .note("csp: there is no counterexample to save\n"),
            }
        }
        Ok(self.code)
    }
}
