//! The resolved program: every name is a number, brackets and modules are gone, Timed sections are
//! rewritten. Made by `resolve`, read by `infer` (types) and `evaluate` (values).
//!
//! Invariants: a [`Var`] always refers to something that exists; every local has one binding site
//! in the whole program; instances of parameterised modules have been copied, so every [`Global`]
//! is a definition of its own.

#![allow(
    missing_docs,
    reason = "the fields of the variants are the parts of the form shown beside them"
)]

pub mod visit;

use csp_grammar::Span;
pub use csp_grammar::syntax::{BinaryOp, CollectionKind, Model, PartialOrder, Property, UnaryOp};

/// A top-level definition, or one of a module or module instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// A variable bound by a pattern, a parameter or a `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Var {
    Global(GlobalId),
    Local(LocalId),
    Builtin(Builtin),
}

/// A resolved script.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Indexed by [`GlobalId`].
    pub globals: Vec<Global>,
    /// Indexed by [`LocalId`].
    pub locals: Vec<Local>,
    /// Top-level pattern bindings other than plain constants: `(a, b) = e`.
    pub bindings: Vec<Binding>,
    pub assertions: Vec<Assertion>,
    pub prints: Vec<Print>,
    /// What names mean at the top level, for expressions that come later.
    pub scopes: crate::resolve::Scopes,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Global {
    /// As the user would write it from the top level: `M::x`.
    pub name: String,
    /// Where the name is defined.
    pub span: Span,
    pub kind: GlobalKind,
    /// The annotation, with its type names resolved.
    pub annotation: Option<TypeScheme>,
}

#[derive(Clone, Debug)]
pub enum GlobalKind {
    /// `x = e`.
    Value(Expr),
    /// `f(p) = e`, all clauses.
    Function(Function),
    /// A variable of `Program::bindings[i]`.
    Bound(u32),
    /// `channel c : fields`.
    Channel { fields: Option<Expr> },
    /// The n-th constructor of a datatype.
    Constructor {
        datatype: GlobalId,
        index: u32,
        fields: Option<Expr>,
    },
    /// The set of all values of a datatype.
    Datatype { constructors: Vec<GlobalId> },
    /// Constructors of one datatype, each with at most its number of fields.
    Subtype {
        datatype: GlobalId,
        clauses: Vec<(GlobalId, Option<Expr>)>,
    },
    /// `nametype N = S` where S is a type expression (tuples and dots are products).
    Nametype(Expr),
    /// Its definition was in error; a diagnostic has been given.
    Error,
}

/// A name for reports.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub span: Span,
}

/// `pattern = value`, lazily.
#[derive(Clone, Debug)]
pub struct Binding {
    pub pattern: Pattern,
    pub value: Expr,
}

/// A function with at least one parameter list (which may be empty: `f() = e`).
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Number of parameters in each curried parameter list.
    pub arities: Vec<usize>,
    /// Tried in order.
    pub clauses: Vec<Clause>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub parameters: Vec<Vec<Pattern>>,
    pub body: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Print {
    pub expr: Expr,
    /// The expression as written.
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Assertion {
    /// The assertion as written, on one line, without `assert`.
    pub text: String,
    pub span: Span,
    pub negated: bool,
    pub claim: Claim,
    pub tau_priority: Option<Expr>,
    pub partial_order: Option<PartialOrder>,
    /// `--@` lines above, with their spans.
    pub pragmas: Vec<(String, Span)>,
}

#[derive(Clone, Debug)]
pub enum Claim {
    Refines {
        specification: Expr,
        model: Model,
        implementation: Expr,
    },
    Property {
        process: Expr,
        property: Property,
        model: Option<Model>,
    },
    HasTrace {
        process: Expr,
        model: Option<Model>,
        trace: Expr,
    },
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// As in the syntax tree, with names resolved and sugar removed.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Char(char),
    /// A sequence of characters.
    String(String),
    Var(Var),
    Tuple(Vec<Expr>),
    /// `<…>`, `{…}`, `{|…|}`; `statements` is empty for a plain literal.
    Collection {
        kind: CollectionKind,
        body: CollectionBody,
        statements: Vec<Statement>,
    },
    Map(Vec<(Expr, Expr)>),
    /// Mutually recursive, lazy.
    Let {
        definitions: Vec<LocalDefinition>,
        body: Box<Expr>,
    },
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Lambda {
        parameters: Vec<Pattern>,
        body: Box<Expr>,
    },
    Apply {
        function: Box<Expr>,
        arguments: Vec<Expr>,
    },
    Unary {
        operator: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        operator: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `e1 . e2 . …`, flattened through brackets; at least two.
    Dot(Vec<Expr>),
    /// `channel fields -> body`; `timing` inside a Timed section.
    Prefix {
        channel: Box<Expr>,
        fields: Vec<Field>,
        body: Box<Expr>,
        timing: Option<Box<Timing>>,
    },
    /// `condition & body`; inside a Timed section a false guard is the timed STOP.
    Guard {
        condition: Box<Expr>,
        body: Box<Expr>,
        tock: Option<GlobalId>,
    },
    Process {
        operator: ProcessOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Hide {
        process: Box<Expr>,
        set: Box<Expr>,
        project: bool,
    },
    Rename {
        process: Box<Expr>,
        pairs: Vec<(Expr, Expr)>,
        statements: Vec<Statement>,
    },
    /// `tock`: inside a Timed section (empty replications differ there).
    Replicated {
        operator: ReplicatedOp,
        statements: Vec<Statement>,
        body: Box<Expr>,
        tock: Option<GlobalId>,
    },
    /// `STOP` inside a Timed section.
    TimedStop {
        tock: GlobalId,
    },
    /// `SKIP` inside a Timed section.
    TimedSkip {
        tock: GlobalId,
    },
    /// `WAIT(n)` inside a Timed section.
    TimedWait {
        tock: GlobalId,
        duration: Box<Expr>,
    },
    /// A diagnostic has been given; evaluating it is an internal error.
    Error,
}

/// How a prefix inside a Timed section passes time.
#[derive(Clone, Debug)]
pub struct Timing {
    pub tock: GlobalId,
    /// The duration function of the section; one `tock` for every event if absent.
    pub duration: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum CollectionBody {
    Items(Vec<Expr>),
    Range {
        from: Box<Expr>,
        to: Option<Box<Expr>>,
    },
}

/// Variables of a statement are in scope in later statements and in what the statements stand beside.
#[derive(Clone, Debug)]
pub enum Statement {
    Generator { pattern: Pattern, source: Expr },
    Condition(Expr),
}

#[derive(Clone, Debug)]
pub enum LocalDefinition {
    Function {
        variable: LocalId,
        function: Function,
        annotation: Option<TypeScheme>,
    },
    /// A constant is a [`PatternKind::Variable`].
    Bind {
        binding: Binding,
        annotations: Vec<(LocalId, TypeScheme)>,
    },
}

#[derive(Clone, Debug)]
pub struct Field {
    pub kind: FieldKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FieldKind {
    /// `!e`.
    Output(Expr),
    /// `?p` or `?p:S`.
    Input { pattern: Pattern, set: Option<Expr> },
    /// `$p` or `$p:S`; these come before all others.
    Choice { pattern: Pattern, set: Option<Expr> },
}

/// As in the syntax tree.
#[derive(Clone, Debug)]
pub enum ProcessOp {
    External,
    Internal,
    Sliding,
    Interrupt,
    Sequence,
    Interleave,
    Parallel(Box<Expr>),
    Alphabetised(Box<Expr>, Box<Expr>),
    Exception(Box<Expr>),
    SyncExternal(Box<Expr>),
    SyncInterrupt(Box<Expr>),
    Linked {
        pairs: Vec<(Expr, Expr)>,
        statements: Vec<Statement>,
    },
}

/// As in the syntax tree. Sets and links are evaluated in the scope of the replication's statements
/// for `Alphabetised` and `Linked`, outside it for the others.
#[derive(Clone, Debug)]
pub enum ReplicatedOp {
    External,
    Internal,
    Interleave,
    Parallel(Box<Expr>),
    Alphabetised(Box<Expr>),
    SyncExternal(Box<Expr>),
    Sequence,
    Linked {
        pairs: Vec<(Expr, Expr)>,
        statements: Vec<Statement>,
    },
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    /// Binds; `Local`, or `Global` in a top-level binding.
    Variable(Var),
    /// Matches this constructor or channel.
    Constructor(GlobalId),
    Wildcard,
    Int(i64),
    Bool(bool),
    Char(char),
    String(String),
    Tuple(Vec<Pattern>),
    /// `<p, …> ^ rest ^ <q, …>`; without `rest` the length is fixed.
    Sequence {
        front: Vec<Pattern>,
        rest: Option<Box<Pattern>>,
        back: Vec<Pattern>,
    },
    EmptySet,
    SingletonSet(Box<Pattern>),
    /// Flattened through brackets; at least two.
    Dot(Vec<Pattern>),
    Both(Box<Pattern>, Box<Pattern>),
    /// A diagnostic has been given.
    Error,
}

#[derive(Clone, Debug)]
pub struct TypeScheme {
    pub constraints: Vec<(Constraint, String, Span)>,
    pub body: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constraint {
    Eq,
    Ord,
    Set,
    Complete,
    Yieldable,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Int,
    Bool,
    Char,
    Proc,
    Event,
    Datatype(GlobalId),
    /// A type variable of the annotation.
    Variable(String),
    Sequence(Box<Type>),
    Set(Box<Type>),
    Tuple(Vec<Type>),
    Map(Box<Type>, Box<Type>),
    Function(Vec<Type>, Box<Type>),
    Dot(Box<Type>, Box<Type>),
    Dotable(Box<Type>, Box<Type>),
    Extendable(Box<Type>, Box<Type>),
    Error,
}

macro_rules! builtins {
    ($($variant:ident = $name:literal, $import:ident;)*) => {
        /// A built-in definition.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Builtin { $($variant),* }

        impl Builtin {
            /// All of them, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name scripts use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// How a script comes by it.
            #[must_use]
            pub fn import(self) -> Import {
                match self { $(Self::$variant => Import::$import),* }
            }
        }
    };
}

/// How a script comes by a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Import {
    /// In scope everywhere.
    Always,
    /// After `transparent`.
    Transparent,
    /// After `external`.
    External,
    /// After either.
    Either,
    /// Only inside Timed sections.
    Timed,
}

builtins! {
    True = "True", Always;
    False = "False", Always;
    Bool = "Bool", Always;
    Int = "Int", Always;
    Char = "Char", Always;
    Events = "Events", Always;
    Proc = "Proc", Always;
    EmptyMap = "emptyMap", Always;
    Union = "union", Always;
    Inter = "inter", Always;
    Diff = "diff", Always;
    BigUnion = "Union", Always;
    BigInter = "Inter", Always;
    Member = "member", Always;
    Card = "card", Always;
    Empty = "empty", Always;
    SetOf = "set", Always;
    SeqOf = "seq", Always;
    PowerSet = "Set", Always;
    Sequences = "Seq", Always;
    Length = "length", Always;
    Null = "null", Always;
    Head = "head", Always;
    Tail = "tail", Always;
    Concat = "concat", Always;
    Elem = "elem", Always;
    MapFromList = "mapFromList", Always;
    MapToList = "mapToList", Always;
    MapLookup = "mapLookup", Always;
    MapMember = "mapMember", Always;
    MapUpdate = "mapUpdate", Always;
    MapUpdateMultiple = "mapUpdateMultiple", Always;
    MapDelete = "mapDelete", Always;
    Maps = "Map", Always;
    Extensions = "extensions", Always;
    Productions = "productions", Always;
    Error = "error", Always;
    Show = "show", Always;
    Stop = "STOP", Always;
    Skip = "SKIP", Always;
    Div = "DIV", Always;
    Run = "RUN", Always;
    Chaos = "CHAOS", Always;
    Buffer = "BUFFER", Always;
    WeakBuffer = "WEAK_BUFFER", Always;
    SignalBuffer = "SIGNAL_BUFFER", Always;
    Transpose = "transpose", External;
    RelationalImage = "relational_image", External;
    RelationalInverseImage = "relational_inverse_image", External;
    Mtransclose = "mtransclose", External;
    Loop = "loop", External;
    Wait = "WAIT", Timed;
    TimedPriority = "timed_priority", Timed;
    Explicate = "explicate", Transparent;
    LazyEnumerate = "lazyenumerate", Transparent;
    Sbisim = "sbisim", Transparent;
    Dbisim = "dbisim", Transparent;
    Wbisim = "wbisim", Transparent;
    TauLoopFactor = "tau_loop_factor", Transparent;
    Diamond = "diamond", Transparent;
    Normal = "normal", Transparent;
    LazyNorm = "lazynorm", Transparent;
    ModelCompress = "model_compress", Transparent;
    Chase = "chase", Either;
    ChaseNoCache = "chase_nocache", Either;
    Deter = "deter", External;
    Prioritise = "prioritise", External;
    PrioritiseNoCache = "prioritise_nocache", External;
    PrioritisePo = "prioritisepo", External;
    TraceWatchdog = "trace_watchdog", External;
    FailureWatchdog = "failure_watchdog", External;
}
