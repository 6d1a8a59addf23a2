//! What there is in a script: assertions, definitions, processes, parameters.

use csp_compiler::hir::{Global, GlobalId, GlobalKind};
use csp_grammar::Span;
use csp_grammar::source::Sources;
use serde::{Deserialize, Serialize};

use crate::pragma::Pragmas;
use crate::report::{DiagnosticReport, SpanReport, VerdictReport};
use crate::script::Script;

/// Everything that a page or an editor shows of a script before anything is checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// What is wrong with it.
    pub diagnostics: Vec<DiagnosticReport>,
    /// Its files: the script, then what it includes.
    pub files: Vec<String>,
    /// Its assertions, in order.
    pub assertions: Vec<AssertionOutline>,
    /// Its definitions, in order.
    pub definitions: Vec<DefinitionOutline>,
    /// Processes without parameters, which can be explored.
    pub processes: Vec<ProcessOutline>,
    /// Constants that are neither processes nor functions, which can be given another value.
    pub parameters: Vec<ParameterOutline>,
}

/// One assertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertionOutline {
    /// From 1.
    pub number: usize,
    /// As written, without `assert`.
    pub text: String,
    /// Where it stands.
    pub span: SpanReport,
    /// What the script expects (`--@ expect: …`).
    pub expected: Option<VerdictReport>,
    /// How the script words that it holds (`--@ pass: "…"`).
    pub pass: Option<String>,
    /// How the script words that it does not.
    pub fail: Option<String>,
    /// The game whose referee judges its plays.
    pub game: Option<String>,
}

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DefinitionKind {
    /// A process without parameters.
    Process,
    /// A constant of another type.
    Value,
    /// A function; it may give a process.
    Function,
    /// A channel.
    Channel,
    /// A datatype.
    Datatype,
    /// A constructor of a datatype.
    Constructor,
    /// A subtype.
    Subtype,
    /// A name for a set of values.
    Nametype,
    /// Something in error.
    Error,
}

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionOutline {
    /// As written from the top level: `M::x`.
    pub name: String,
    /// What it defines.
    pub kind: DefinitionKind,
    /// Its inferred type; `?` if it is in error.
    #[serde(rename = "type")]
    pub scheme: String,
    /// Where the name stands.
    pub span: SpanReport,
    /// The comment above it, without dashes.
    pub comment: Option<String>,
}

/// One process without parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessOutline {
    /// As written from the top level.
    pub name: String,
    /// Where the name stands.
    pub span: SpanReport,
}

/// One constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterOutline {
    /// Its name.
    pub name: String,
    /// What it is, as written; a replaced one as it was given.
    pub value: String,
    /// Whether it was given another value than the script's.
    pub replaced: bool,
    /// Its type.
    #[serde(rename = "type")]
    pub scheme: String,
    /// Where the name stands.
    pub span: SpanReport,
}

/// The outline of a script.
pub(super) fn outline(script: &Script) -> Outline {
    let mut outline = Outline {
        diagnostics: script
            .diagnostics()
            .iter()
            .chain(&script.remarks())
            .map(|d| script.diagnostic(d))
            .collect(),
        files: files(script.sources()),
        assertions: assertions(script),
        definitions: Vec::new(),
        processes: Vec::new(),
        parameters: Vec::new(),
    };
    for (index, global) in script.program.globals.iter().enumerate() {
        let id = GlobalId(u32::try_from(index).expect("globals are numbered by u32"));
        let (name, span) = (global.name.clone(), script.span(global.span));
        let scheme = script.types.scheme(id);
        let kind = kind(script, id, global);
        match (kind, &global.kind) {
            (DefinitionKind::Process, _) => outline.processes.push(ProcessOutline {
                name: name.clone(),
                span: span.clone(),
            }),
            (DefinitionKind::Value, GlobalKind::Value(body)) => {
                outline.parameters.push(ParameterOutline {
                    name: name.clone(),
                    value: script.sources().text(body.span).to_owned(),
                    replaced: is_given(script.sources(), body.span),
                    scheme: scheme.clone(),
                    span: span.clone(),
                });
            }
            _ => {}
        }
        outline.definitions.push(DefinitionOutline {
            name,
            kind,
            scheme,
            span,
            comment: comment_above(script.sources(), global.span),
        });
    }
    outline
}

/// The name that the text of a replaced constant has among the sources begins like this.
const GIVEN: &str = "--define ";

fn files(sources: &Sources) -> Vec<String> {
    let real = |name: &&String| !name.starts_with(GIVEN) && !name.starts_with('<');
    let names = sources.files.iter().map(|file| &file.name);
    names.filter(real).cloned().collect()
}

fn is_given(sources: &Sources, span: Span) -> bool {
    let file = sources.files.get(span.file.0 as usize);
    file.is_some_and(|file| file.name.starts_with(GIVEN))
}

fn assertions(script: &Script) -> Vec<AssertionOutline> {
    let all = script.program.assertions.iter().enumerate();
    all.map(|(index, assertion)| {
        let pragmas = Pragmas::of(assertion);
        AssertionOutline {
            number: index + 1,
            text: assertion.text.clone(),
            span: script.span(assertion.span),
            expected: pragmas.expected,
            pass: pragmas.pass,
            fail: pragmas.fail,
            game: pragmas.game.map(|game| game.name().to_owned()),
        }
    })
    .collect()
}

fn kind(script: &Script, id: GlobalId, global: &Global) -> DefinitionKind {
    match &global.kind {
        GlobalKind::Value(_) | GlobalKind::Bound(_) if script.types.is_process(id) => {
            DefinitionKind::Process
        }
        GlobalKind::Value(_) | GlobalKind::Bound(_) => DefinitionKind::Value,
        GlobalKind::Function(_) => DefinitionKind::Function,
        GlobalKind::Channel { .. } => DefinitionKind::Channel,
        GlobalKind::Constructor { .. } => DefinitionKind::Constructor,
        GlobalKind::Datatype { .. } => DefinitionKind::Datatype,
        GlobalKind::Subtype { .. } => DefinitionKind::Subtype,
        GlobalKind::Nametype(_) => DefinitionKind::Nametype,
        GlobalKind::Error => DefinitionKind::Error,
    }
}

/// The `--` lines directly above the line of a definition.
fn comment_above(sources: &Sources, span: Span) -> Option<String> {
    let file = sources.files.get(span.file.0 as usize)?;
    let before = file.text.get(..span.start as usize)?;
    let above = &before[..before.rfind('\n')?];
    let mut lines: Vec<&str> = above
        .lines()
        .rev()
        .map(str::trim)
        .map_while(|line| {
            line.strip_prefix("--")
                .filter(|rest| !rest.starts_with('@'))
        })
        .map(|rest| rest.trim_start_matches('-').trim())
        .collect();
    lines.reverse();
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}
