//! A script under way: loaded, checked for names and types, and asked about its assertions.

mod check;
mod inspect;
mod problem;
mod settings;
mod watch;

use std::collections::HashMap;
use std::rc::Rc;

use csp_compiler::assemble::Compiler;
use csp_compiler::evaluate::{Evaluator, Limits};
use csp_compiler::hir::{self, Program};
use csp_compiler::infer::{self, Types};
use csp_compiler::resolve::{self, Define};
use csp_grammar::source::{Loader, Sources};
use csp_grammar::{Diagnostic, Severity, Span};

use crate::cancel::CancelToken;
use crate::compression::reason;
use crate::files::{self, FileError};
use crate::pragma;
use crate::report::{CompressionReport, DiagnosticReport, PrintReport, Report, SCHEMA, SpanReport};
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
}

impl Script {
    /// Reads a script from the disk. `defines` are `NAME=EXPR`.
    pub fn load(file: &str, defines: &[String]) -> Result<Self, FileError> {
        let text = files::read(file)?;
        Self::from_text(file, text, &mut files::loader(file), defines)
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

    /// A report of the script without its assertions: `print` results and diagnostics, and what went
    /// wrong in printing. Each `print` may take so many seconds.
    pub fn report(&mut self, timeout: Option<f64>) -> (Report, Vec<Diagnostic>) {
        let (prints, wrong) = if self.has_errors() {
            Default::default()
        } else {
            self.prints(timeout)
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

    /// The evaluator, made when first needed. It is made anew when an expression has been added to
    /// the program since.
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
                },
            );
            // Channels that cannot be evaluated are reported by the expressions that use them.
            let _ = evaluator.declare();
            evaluator
        })
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
        self.evaluator = None;
        self.compilers.clear();
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
        let (line, column) = self.sources.position(d.span.file, d.span.start);
        let (end_line, end_column) = self.sources.position(d.span.file, d.span.end);
        DiagnosticReport {
            code: d.code.into(),
            severity: match d.severity {
                Severity::Error => "error".into(),
                Severity::Warning => "warning".into(),
            },
            message: d.message.clone(),
            file: self
                .sources
                .files
                .get(d.span.file.0 as usize)
                .map_or_else(String::new, |f| f.name.clone()),
            line,
            column,
            end_line,
            end_column,
            help: d.help.clone(),
            stack: d.stack.clone(),
        }
    }
}
