//! A script under way: loaded, checked for names and types, and asked about its assertions.

mod check;
mod inspect;
mod problem;
mod settings;
mod symmetric;
mod watch;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use csp_compiler::assemble::Compiler;
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::fingerprint::{Fingerprint, Fingerprints};
use csp_compiler::hir::{self, Program};
use csp_compiler::infer::{self, Types};
use csp_compiler::lint;
use csp_compiler::process::Processes;
use csp_compiler::resolve::{self, Define};
use csp_grammar::source::{FileId, Loader, Sources};
use csp_grammar::{Diagnostic, Label, Severity, Span};
use csp_rules::position::Position;

use crate::cancel::CancelToken;
use crate::compression::reason;
use crate::files::{self, FileError};
use crate::kept::Kept;
use crate::pragma;
use crate::report::{
    CompressionReport, DiagnosticReport, LabelReport, PrintReport, Report, SCHEMA, SpanReport,
};
use crate::stack;

pub use problem::Problem;
pub(crate) use problem::{Obstacle, stopped};
pub use settings::CheckSettings;
use settings::Leaves;
pub(crate) use watch::Watch;

/// A script with everything found out about it so far.
pub struct Script {
    pub(crate) file: String,
    sources: Sources,
    pub(crate) program: Program,
    pub(crate) types: Types,
    diagnostics: Vec<Diagnostic>,
    pub(crate) evaluator: Option<Evaluator>,
    pub(crate) watch: Rc<Watch>,
    /// What has been compressed for the assertion under way.
    compressions: Vec<CompressionReport>,
    /// What was worth saying while compiling for the assertion under way.
    warnings: Vec<Diagnostic>,
    /// Components are shared between assertions.
    pub(crate) compilers: HashMap<Leaves, Compiler>,
    /// The position that a described game begins with.
    pub(crate) described: Option<Arc<Position>>,
    /// What is shared with other versions of the script.
    kept: Option<Rc<RefCell<Kept>>>,
    /// By meaning, and by meaning and position; made when first needed.
    fingerprints: OnceCell<[Fingerprints; 2]>,
    /// That there is no memory limit has been said.
    pub(crate) warned: bool,
}

impl Script {
    /// Reads a script from the disk. `defines` are `NAME=EXPR`.
    pub fn load(file: impl AsRef<Path>, defines: &[String]) -> Result<Self, FileError> {
        let file = file.as_ref();
        let text = files::read(file)?;
        let loader = &mut files::loader(file);
        Self::from_text(&files::shown(file), text, loader, defines)
    }

    /// Takes the text of a script, resolves its names and infers its types. `file` is what reports call
    /// it; the loader is given the paths of `include` as they are written. `defines` are `NAME=EXPR`.
    pub fn from_text(
        file: &str,
        text: String,
        loader: &mut Loader<'_>,
        defines: &[String],
    ) -> Result<Self, FileError> {
        let mut sources = Sources::default();
        let root = sources.add(
            if file == "-" {
                "<standard input>"
            } else {
                file
            },
            text,
        );
        let (tree, mut diagnostics) = csp_grammar::parse(&mut sources, root, loader);
        let mut parsed = Vec::new();
        for define in defines {
            let Some((name, value)) = define.split_once('=') else {
                let reason = "it should be NAME=EXPR".to_owned();
                return Err(FileError {
                    path: format!("--define {define}"),
                    reason,
                });
            };
            let id = sources.add(format!("--define {}", name.trim()), value);
            let (expr, wrong) = csp_grammar::parse_expression(&sources, id);
            diagnostics.extend(wrong);
            parsed.push(Define {
                name: name.trim().to_owned(),
                expr,
            });
        }
        let (program, wrong) = resolve::resolve(&tree, &sources, &parsed);
        diagnostics.extend(wrong);
        let (types, wrong) = infer::infer(&program);
        diagnostics.extend(wrong);
        diagnostics.extend(pragma::warnings(&program.assertions));
        let allowed = pragma::allowed(&program.assertions);
        diagnostics.retain(|d| d.severity == Severity::Error || !allowed.contains(&d.code));
        Ok(Self {
            file: file.to_owned(),
            sources,
            program,
            types,
            diagnostics,
            evaluator: None,
            watch: Rc::default(),
            compressions: Vec::new(),
            warnings: Vec::new(),
            compilers: HashMap::new(),
            described: None,
            kept: None,
            fingerprints: OnceCell::new(),
            warned: false,
        })
    }

    /// Evaluation looks at this token now and then and stops if it was cancelled.
    pub fn on_interrupt(&mut self, cancel: CancelToken) {
        self.watch.listen_to(cancel);
    }

    /// What is wrong with the script as a whole.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What is legal and probably not meant; nothing if something is wrong, for then that comes first.
    #[must_use]
    pub fn remarks(&self) -> Vec<Diagnostic> {
        if self.has_errors() {
            return Vec::new();
        }
        let mut remarks = lint::lint(&self.program, FileId::default());
        let allowed = pragma::allowed(&self.program.assertions);
        remarks.retain(|remark| !allowed.contains(&remark.code));
        remarks
    }

    /// As [`Script::remarks`], and what the events of the processes show; the time is in seconds.
    pub fn remarks_on_processes(&mut self, timeout: Option<f64>) -> Vec<Diagnostic> {
        let mut remarks = self.remarks();
        if self.has_errors() {
            return remarks;
        }
        self.watch.start(timeout, None);
        remarks.extend(crate::suspicion::remarks(self));
        let allowed = pragma::allowed(&self.program.assertions);
        remarks.retain(|remark| !allowed.contains(&remark.code));
        remarks.sort_by_key(|remark| remark.span);
        remarks.dedup();
        remarks
    }

    /// The files it was read from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Whether anything is so wrong that nothing can be evaluated.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    /// Whether the script defines something by this name at its top level.
    #[must_use]
    pub fn defines(&self, name: &str) -> bool {
        self.program.globals.iter().any(|g| g.name == name)
    }

    /// Every definition with its inferred type, in the order of the script.
    pub fn types(&self) -> impl Iterator<Item = (&str, String)> + '_ {
        self.program.globals.iter().enumerate().map(|(i, global)| {
            let id = hir::GlobalId(u32::try_from(i).expect("globals are numbered by u32"));
            (global.name.as_str(), self.types.scheme(id))
        })
    }

    /// Compressions and reports are kept there, and used if they are there.
    pub(crate) fn keep_in(&mut self, kept: Rc<RefCell<Kept>>) {
        self.kept = Some(kept);
    }

    /// The fingerprints of an assertion: by meaning, and by meaning and position.
    fn fingerprints(&self, index: usize) -> [Fingerprint; 2] {
        let (program, sources) = (&self.program, &self.sources);
        let of = |positions| Fingerprints::of(program, sources, positions);
        let both = self.fingerprints.get_or_init(|| [of(false), of(true)]);
        let assertion = &program.assertions[index];
        both.each_ref()
            .map(|all| all.assertion(program, sources, assertion))
    }

    /// How many assertions there are.
    #[must_use]
    pub fn assertion_count(&self) -> usize {
        self.program.assertions.len()
    }

    /// The text of an assertion.
    #[must_use]
    pub fn assertion_text(&self, index: usize) -> &str {
        &self.program.assertions[index].text
    }

    /// The indexes of the assertions that the patterns select: numbers from 1, or parts of the text.
    pub fn select(&self, patterns: &[String]) -> Result<Vec<usize>, String> {
        let count = self.program.assertions.len();
        let mut selected = vec![patterns.is_empty(); count];
        for pattern in patterns {
            let mut found = false;
            for (i, wanted) in selected.iter_mut().enumerate() {
                let text = &self.program.assertions[i].text;
                if pattern.parse() == Ok(i + 1)
                    || (pattern.parse::<usize>().is_err() && text.contains(pattern))
                {
                    (*wanted, found) = (true, true);
                }
            }
            if !found {
                return Err(format!(
                    "no assertion matches '{pattern}'; the script has {count}"
                ));
            }
        }
        Ok((0..count).filter(|i| selected[*i]).collect())
    }

    /// A report of the script without its assertions: `print` results and diagnostics; and what has not been shown
    /// yet: remarks, and what went wrong in printing. Each `print` may take `timeout` seconds.
    pub fn report(&mut self, timeout: Option<f64>) -> (Report, Vec<Diagnostic>) {
        let mut wrong = self.remarks();
        let prints = if self.has_errors() {
            Vec::new()
        } else {
            let (prints, failed) = self.prints(timeout);
            wrong.extend(failed);
            prints
        };
        let diagnostics = self
            .diagnostics
            .iter()
            .chain(&wrong)
            .map(|d| self.diagnostic(d))
            .collect();
        let report = Report {
            schema: SCHEMA,
            tool: "csp".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            file: self.file.clone(),
            prints,
            assertions: Vec::new(),
            diagnostics,
        };
        (report, wrong)
    }

    fn prints(&mut self, timeout: Option<f64>) -> (Vec<PrintReport>, Vec<Diagnostic>) {
        let (mut results, mut wrong) = (Vec::new(), Vec::new());
        for print in self.program.prints.clone() {
            self.watch.start(timeout, None);
            let evaluator = self.evaluator();
            let shown = evaluator
                .evaluate(&print.expr)
                .map(|value| evaluator.show(&value));
            let failed = |diagnostic: Box<Diagnostic>| wrong.push(self.stopped_by(*diagnostic));
            let value = shown.map_err(failed).ok();
            results.push(PrintReport {
                text: print.text,
                value,
            });
        }
        (results, wrong)
    }

    /// The evaluator, made when first needed.
    pub(crate) fn evaluator(&mut self) -> &mut Evaluator {
        let watch = Rc::clone(&self.watch);
        let program = &self.program;
        self.evaluator.get_or_insert_with(|| {
            let interrupt = Box::new(move || watch.says_stop());
            let mut evaluator = Evaluator::new(
                program,
                Limits {
                    stack_bytes: stack::usable(),
                    interrupt,
                    ..Limits::default()
                },
            );
            // Channels that cannot be evaluated are reported by the expressions that use them.
            let _ = evaluator.declare();
            evaluator
        })
    }

    /// The table of processes of what has been evaluated.
    pub(crate) fn processes(&self) -> &dyn Processes {
        self.evaluator.as_ref().expect("a process was evaluated")
    }

    /// The value of an expression at the top level of the script, as text.
    pub fn evaluate(
        &mut self,
        expression: &str,
        timeout: Option<f64>,
    ) -> Result<String, Vec<Diagnostic>> {
        let expr = self.expression(expression)?;
        self.watch.start(timeout, None);
        let value = self.evaluator().evaluate(&expr);
        let value = value.map_err(|d| vec![self.stopped_by(*d)])?;
        Ok(self.evaluator().show(&value))
    }

    /// A diagnostic with the limit that stopped evaluation, if one did.
    fn stopped_by(&self, diagnostic: Diagnostic) -> Diagnostic {
        if stopped(&diagnostic) {
            diagnostic.help(reason(&self.watch.limit()))
        } else {
            diagnostic
        }
    }

    /// Reads, resolves and types one further expression.
    pub(crate) fn expression(&mut self, text: &str) -> Result<hir::Expr, Vec<Diagnostic>> {
        let file = self.sources.add("<expression>", text);
        let (tree, mut wrong) = csp_grammar::parse_expression(&self.sources, file);
        let (expr, more) = resolve::resolve_expression(&mut self.program, &self.sources, &tree);
        if let Some(evaluator) = &mut self.evaluator {
            evaluator.learn_locals(&self.program);
        }
        wrong.extend(more);
        if wrong.is_empty() {
            wrong.extend(infer::infer_expression(&self.program, &self.types, &expr).1);
        }
        if wrong.iter().any(|d| d.severity == Severity::Error) {
            Err(wrong)
        } else {
            Ok(expr)
        }
    }

    /// Gives a constant another value. What was evaluated and compiled with the old one is forgotten.
    pub(crate) fn replace_constant(&mut self, constant: usize, value: hir::Expr) {
        self.program.globals[constant].kind = hir::GlobalKind::Value(value);
        self.evaluator = None;
        self.compilers.clear();
    }

    /// A place in words that reports use.
    pub(crate) fn span(&self, span: Span) -> SpanReport {
        let (line, column) = self.sources.position(span.file, span.start);
        let (end_line, end_column) = self.sources.position(span.file, span.end);
        let file = self.sources.files.get(span.file.0 as usize);
        SpanReport {
            file: file.map_or_else(String::new, |file| file.name.clone()),
            line,
            column,
            end_line,
            end_column,
        }
    }

    pub(crate) fn diagnostic(&self, d: &Diagnostic) -> DiagnosticReport {
        let place = self.span(d.span);
        let label = |label: &Label| {
            let place = self.span(label.span);
            LabelReport {
                text: label.text.clone(),
                file: place.file,
                line: place.line,
                column: place.column,
                end_line: place.end_line,
                end_column: place.end_column,
            }
        };
        DiagnosticReport {
            code: d.code.into(),
            severity: match d.severity {
                Severity::Error => "error".into(),
                Severity::Warning => "warning".into(),
            },
            message: d.message.clone(),
            file: place.file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
            note: d.note.clone(),
            labels: d.labels.iter().map(label).collect(),
            help: d.help.clone(),
            stack: d.stack.clone(),
        }
    }
}
