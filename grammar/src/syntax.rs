//! The tree of a script, as written: every node has a span, brackets are kept, nothing is resolved.
//!
//! The printer turns it back into text that parses to the same tree.

#![allow(
    missing_docs,
    reason = "the fields of the variants are the parts of the form shown beside them"
)]

use crate::source::Span;

/// A script: its declarations in order (those of included files nested in [`DeclKind::Include`]).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Script {
    /// The declarations.
    pub decls: Vec<Decl>,
}

/// A name where it is defined or used, without module qualification.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A possibly qualified name: `M::N::x`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QName {
    /// The parts, outermost module first; never empty.
    pub parts: Vec<Ident>,
    /// The whole.
    pub span: Span,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// What.
    pub kind: DeclKind,
    /// Where.
    pub span: Span,
}

/// The kinds of declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclKind {
    /// `pattern = value`; a plain constant is a variable pattern.
    Bind { pattern: Pattern, value: Expr },
    /// One clause `f(p, …)(q, …) = body`; adjacent clauses of one name make a function.
    Clause {
        name: Ident,
        parameters: Vec<Vec<Pattern>>,
        body: Expr,
    },
    /// `f, g :: scheme`.
    Annotation {
        names: Vec<Ident>,
        scheme: TypeScheme,
    },
    /// `channel a, b` or `channel c : fields`.
    Channel {
        names: Vec<Ident>,
        fields: Option<Expr>,
    },
    /// `datatype T = A | B.S`.
    Datatype {
        name: Ident,
        constructors: Vec<Constructor>,
    },
    /// `subtype T = A | B.S`.
    Subtype {
        name: Ident,
        constructors: Vec<Constructor>,
    },
    /// `nametype N = S`.
    Nametype { name: Ident, value: Expr },
    /// `external f, g`.
    External(Vec<Ident>),
    /// `transparent f, g`.
    Transparent(Vec<Ident>),
    /// `assert …`.
    Assert(Assertion),
    /// `print e`.
    Print(Expr),
    /// `include "path"`, with what the file declares.
    Include { path: String, decls: Vec<Decl> },
    /// `module M(parameters) private exports exported endmodule`.
    Module {
        name: Ident,
        parameters: Vec<Pattern>,
        private: Vec<Decl>,
        exported: Vec<Decl>,
    },
    /// `instance N = M(arguments)`.
    Instance {
        name: Ident,
        module: QName,
        arguments: Vec<Expr>,
    },
    /// `Timed(duration) { decls }`.
    Timed {
        duration: Option<Expr>,
        decls: Vec<Decl>,
    },
    /// Text that could not be read as a declaration; a diagnostic says why. The names are those that it seems to
    /// declare, so that they are not missed.
    Error(Vec<Ident>),
}

/// A clause of a datatype or subtype: the fields are one (dotted) set expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    /// The constructor's name; qualified only in subtypes.
    pub name: QName,
    /// `S1.S2…`, if it has fields.
    pub fields: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// An assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// `assert not`.
    pub negated: bool,
    /// What is asserted.
    pub claim: Claim,
    /// `:[tau priority over]: S`.
    pub tau_priority: Option<Expr>,
    /// `:[partial order reduce …]`.
    pub partial_order: Option<PartialOrder>,
    /// `--@` comment lines directly above, without the `--@`.
    pub pragmas: Vec<Ident>,
}

/// What an assertion claims.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// `Spec [M= Impl`.
    Refines {
        specification: Expr,
        model: Model,
        implementation: Expr,
    },
    /// `P :[property [M]]`.
    Property {
        process: Expr,
        property: Property,
        model: Option<Model>,
    },
    /// `P :[has trace [M]]: <e, …>`.
    HasTrace {
        process: Expr,
        model: Option<Model>,
        trace: Expr,
    },
}

/// A semantic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Model {
    /// Traces.
    T,
    /// Stable failures.
    F,
    /// Failures-divergences.
    FD,
    /// Revivals.
    V,
    /// Revivals with divergence.
    VD,
    /// Refusal testing.
    R,
    /// Refusal testing with divergence.
    RD,
}

/// A property of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// `deadlock free`.
    DeadlockFree,
    /// `divergence free`, `livelock free`.
    DivergenceFree,
    /// `deterministic`.
    Deterministic,
}

/// How partial-order reduction was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartialOrder {
    /// The default.
    Hybrid,
    /// Cheap and coarse.
    Fast,
    /// Exact independence.
    Precise,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expression. Processes are expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer literal that fits (a larger one is a diagnostic and [`ExprKind::Error`]).
    Int(i64),
    /// `true`, `false`.
    Bool(bool),
    /// `'c'`.
    Char(char),
    /// `"…"`.
    String(String),
    /// A name.
    Name(QName),
    /// `(e)`.
    Paren(Box<Expr>),
    /// `(e1, …, en)`, n ≥ 2.
    Tuple(Vec<Expr>),
    /// `<…>`, `{…}`, `{|…|}`, with or without statements.
    Collection {
        kind: CollectionKind,
        body: CollectionBody,
        statements: Option<Vec<Statement>>,
    },
    /// `(| k => v, … |)`.
    Map(Vec<(Expr, Expr)>),
    /// `let decls within body`.
    Let { decls: Vec<Decl>, body: Box<Expr> },
    /// `if c then t else e`.
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `\ p, q @ body`.
    Lambda {
        parameters: Vec<Pattern>,
        body: Box<Expr>,
    },
    /// `f(a, …)`.
    Apply {
        function: Box<Expr>,
        arguments: Vec<Expr>,
    },
    /// `-e`, `not e`, `#e`.
    Unary {
        operator: UnaryOp,
        operand: Box<Expr>,
    },
    /// Arithmetic, comparison, boolean, `^`.
    Binary {
        operator: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `x . y`.
    Dot(Box<Expr>, Box<Expr>),
    /// `channel fields -> body`.
    Prefix {
        channel: Box<Expr>,
        fields: Vec<Field>,
        body: Box<Expr>,
    },
    /// `condition & body`.
    Guard {
        condition: Box<Expr>,
        body: Box<Expr>,
    },
    /// A binary process operator, with the sets or links it carries.
    Process {
        operator: ProcessOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `P \ A` (hide) and `P |\ A` (project).
    Hide {
        process: Box<Expr>,
        set: Box<Expr>,
        project: bool,
    },
    /// `P [[a <- b, … | statements]]`.
    Rename {
        process: Box<Expr>,
        pairs: Vec<(Expr, Expr)>,
        statements: Vec<Statement>,
    },
    /// `op statements @ body`. For alphabetised parallel `body` is the process after `[A]`.
    Replicated {
        operator: ReplicatedOp,
        statements: Vec<Statement>,
        body: Box<Expr>,
    },
    /// Text that could not be read; a diagnostic says why.
    Error,
}

/// Which brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollectionKind {
    /// `<…>`.
    Sequence,
    /// `{…}`.
    Set,
    /// `{|…|}`.
    Enumerated,
}

/// What stands between the brackets before any `|`.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectionBody {
    /// `e1, …, en`, also empty.
    Items(Vec<Expr>),
    /// `from .. to`, or `from ..` without an end.
    Range {
        from: Box<Expr>,
        to: Option<Box<Expr>>,
    },
}

/// A generator or a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `pattern <- e` or `pattern : e`.
    Generator { pattern: Pattern, source: Expr },
    /// A boolean.
    Condition(Expr),
}

/// A field of a prefix after the channel expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What.
    pub kind: FieldKind,
    /// Where.
    pub span: Span,
}

/// The kinds of prefix field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// `!e`.
    Output(Expr),
    /// `?p` or `?p:S`.
    Input { pattern: Pattern, set: Option<Expr> },
    /// `$p` or `$p:S`.
    Choice { pattern: Pattern, set: Option<Expr> },
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`.
    Negate,
    /// `not`.
    Not,
    /// `#`.
    Length,
}

/// Infix operators on values.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Concat,
}

/// Infix operators on processes.
#[derive(Clone, Debug, PartialEq)]
pub enum ProcessOp {
    /// `[]`.
    External,
    /// `|~|`.
    Internal,
    /// `[>`.
    Sliding,
    /// `/\`.
    Interrupt,
    /// `;`.
    Sequence,
    /// `|||`.
    Interleave,
    /// `[|A|]`.
    Parallel(Box<Expr>),
    /// `[A||B]`.
    Alphabetised(Box<Expr>, Box<Expr>),
    /// `[|A|>`.
    Exception(Box<Expr>),
    /// `[+A+]`.
    SyncExternal(Box<Expr>),
    /// `/+A+\`.
    SyncInterrupt(Box<Expr>),
    /// `[a <-> b, … | statements]`.
    Linked {
        pairs: Vec<(Expr, Expr)>,
        statements: Vec<Statement>,
    },
}

/// Replicated process operators.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplicatedOp {
    /// `[]`.
    External,
    /// `|~|`.
    Internal,
    /// `|||`.
    Interleave,
    /// `[|A|]`.
    Parallel(Box<Expr>),
    /// `|| s @ [A] P`.
    Alphabetised(Box<Expr>),
    /// `[+A+]`.
    SyncExternal(Box<Expr>),
    /// `;`.
    Sequence,
    /// `[a <-> b | statements]`.
    Linked {
        pairs: Vec<(Expr, Expr)>,
        statements: Vec<Statement>,
    },
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What.
    pub kind: PatternKind,
    /// Where.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// A variable, constructor or channel; which one depends on the scope.
    Name(QName),
    /// `_`.
    Wildcard,
    /// An integer, possibly negative.
    Int(i64),
    /// `true`, `false`.
    Bool(bool),
    /// `'c'`.
    Char(char),
    /// `"…"`.
    String(String),
    /// `(p)`.
    Paren(Box<Pattern>),
    /// `(p, q)`.
    Tuple(Vec<Pattern>),
    /// `<p, q>`.
    Sequence(Vec<Pattern>),
    /// `{}` or `{p}` (more is a diagnostic of a later phase).
    Set(Vec<Pattern>),
    /// `p ^ q`.
    Concat(Box<Pattern>, Box<Pattern>),
    /// `p . q`.
    Dot(Box<Pattern>, Box<Pattern>),
    /// `p @@ q`.
    Both(Box<Pattern>, Box<Pattern>),
    /// Text that is not a pattern; a diagnostic says why.
    Error,
}

/// `(Eq a, Set b) => type`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeScheme {
    /// Constraint name and type variable.
    pub constraints: Vec<(Ident, Ident)>,
    /// The type.
    pub body: Type,
}

/// A type as written in an annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// The kinds of type expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `Int`, a datatype, or a type variable; which one depends on the scope.
    Name(QName),
    /// `<a>`.
    Sequence(Box<Type>),
    /// `{a}`.
    Set(Box<Type>),
    /// `(a, b)`.
    Tuple(Vec<Type>),
    /// `(| k => v |)`.
    Map(Box<Type>, Box<Type>),
    /// `(a, b) -> c`.
    Function(Vec<Type>, Box<Type>),
    /// `a . b`.
    Dot(Box<Type>, Box<Type>),
    /// `a => b`.
    Dotable(Box<Type>, Box<Type>),
    /// `a =>* b`.
    Extendable(Box<Type>, Box<Type>),
    /// Text that is not a type; a diagnostic says why.
    Error,
}
