//! The internal code: expressions with every variable resolved to a slot of a frame.
//!
//! A *unit* is a piece of code with a frame of its own: the body of a function, a delayed
//! expression, a suspended process. It knows which variables of its surroundings it uses and copies
//! just those, so a suspended process is identified by its unit and the values of its live variables.
//! Nodes are small and `Copy`; lists of operands and larger parts live in side tables.

use std::rc::Rc;

use csp_grammar::Span;

use super::value::Value;
use crate::hir::{BinaryOp, Builtin, CollectionKind, GlobalId};

/// A node of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CodeId(pub(crate) u32);

/// A piece of code with its own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UnitId(pub(crate) u32);

/// A function: global, local or lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FunctionId(pub(crate) u32);

/// Mutually dependent definitions of a `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct GroupId(pub(crate) u32);

/// A place in a frame.
pub(crate) type Slot = u32;

/// Consecutive entries of [`Code::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// One operation. Process operators occur only as bodies of units.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    Int(i64),
    Bool(bool),
    Char(char),
    Tag(GlobalId),
    Builtin(Builtin),
    /// A prepared value in [`Code::constants`].
    Constant(u32),
    Local(Slot),
    /// The same as an argument that no later argument of the call repeats: in tail position it is moved.
    Last(Slot),
    /// A constant, datatype or nametype of the script.
    Global(GlobalId),
    /// A constant or function of a group.
    Member(Slot, u32),
    /// A global function as a value.
    Function(FunctionId),
    /// A lambda with its captured variables.
    Lambda(FunctionId),
    Tuple(List),
    Sequence(List),
    Set(List),
    Enumerated(List),
    Map(List),
    SequenceRange(CodeId, Option<CodeId>),
    SetRange(CodeId, Option<CodeId>),
    SequenceComprehension(u32),
    SetComprehension(u32),
    Let(u32),
    If(CodeId, CodeId, CodeId),
    /// Matches the parameters against the clauses of a function.
    Clauses(u32),
    Call(FunctionId, List),
    CallMember(u32),
    CallBuiltin(Builtin, List),
    Apply(CodeId, List),
    Binary(BinaryOp, CodeId, CodeId),
    /// The same for a few variables and literals, which may well be integers at hand.
    Arithmetic(BinaryOp, CodeId, CodeId),
    /// Arithmetic on two variables, whose code is just before this.
    ArithmeticLocals(BinaryOp, Slot, Slot),
    /// Arithmetic on a variable and a literal, whose code is just before this.
    ArithmeticInt(BinaryOp, Slot, i32),
    /// A comparison of two variables, whose code is just before this.
    CompareLocals(BinaryOp, Slot, Slot),
    /// A comparison of a variable with a literal, whose code is just before this.
    CompareInt(BinaryOp, Slot, i32),
    /// A comparison of a variable, whose code is given first, with arithmetic on two leaves.
    CompareArithmetic(BinaryOp, CodeId, CodeId),
    Negate(CodeId),
    Not(CodeId),
    Length(CodeId),
    Dot(List),
    /// `S.T` in a type expression.
    DotProduct(List),
    /// `(S, T)` in a type expression.
    TupleProduct(List),
    /// Matches a value against a pattern and gives the variable in the slot.
    Project(CodeId, u32, Slot),
    /// A thunk of a unit.
    Delay(UnitId),
    /// Arithmetic that is done at once if its variables are known integers, and `<x, …>^s` that is
    /// built at once if `s` is a known sequence; else delayed.
    Speculate(CodeId, UnitId),
    /// `c & P`; a false guard is the second operand.
    Guard(CodeId, CodeId, CodeId),
    /// Suspends a process.
    Suspend(UnitId),
    /// Evaluates to a process at once, or suspends it if that fails.
    Attempt(UnitId),
    /// A constant process of the script, by name.
    ProcessConstant(GlobalId),
    ProcessMember(Slot, u32),
    /// A suspended call.
    ProcessCall(FunctionId, List),
    ProcessCallMember(u32),
    ProcessApply(CodeId, List),
    TimedStop(GlobalId),
    TimedSkip(GlobalId),
    TimedWait(GlobalId, CodeId),
    Prefix(u32),
    External(List),
    Internal(List),
    Sliding(CodeId, CodeId),
    Interrupt(CodeId, CodeId),
    Sequential(CodeId, CodeId),
    /// Set, then operands.
    Parallel(CodeId, List),
    Interleave(List),
    /// Left alphabet, right alphabet, left, right.
    Alphabetised(List),
    Exception(CodeId, CodeId, CodeId),
    SyncExternal(CodeId, List),
    SyncInterrupt(CodeId, CodeId, CodeId),
    Linked(u32, CodeId, CodeId),
    Hide(CodeId, CodeId),
    HideAllBut(CodeId, CodeId),
    Rename(CodeId, u32),
    Replicated(u32),
    /// Part of a script that was in error.
    Error,
}

/// A frame and the code that runs in it.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Size of the frame.
    pub(crate) slots: u32,
    /// Where captured variables come from (a slot of the surrounding frame, or a place among the
    /// captured values of the group) and the slots they go to.
    pub(crate) captures: Rc<[(u32, Slot)]>,
    pub(crate) body: CodeId,
}

/// A function's code; its parameters are the first slots of the frame.
#[derive(Clone, Debug)]
pub(crate) struct FunctionCode {
    pub(crate) name: Rc<str>,
    /// Parameters in each curried list.
    pub(crate) arities: Rc<[u32]>,
    /// Parameters in all.
    pub(crate) arity: u32,
    pub(crate) unit: UnitId,
    /// Those of the unit.
    pub(crate) slots: u32,
    pub(crate) body: CodeId,
    /// It belongs to a group, which goes into the slot after the parameters.
    pub(crate) in_group: bool,
    /// Its results are remembered.
    pub(crate) memo: bool,
    pub(crate) span: Span,
}

/// A member of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemberCode {
    Constant(UnitId),
    Function(FunctionId),
}

/// A group: which slots its captured values come from, and its members.
#[derive(Clone, Debug)]
pub(crate) struct GroupCode {
    pub(crate) sources: Rc<[Slot]>,
    pub(crate) members: Rc<[MemberCode]>,
    pub(crate) names: Rc<[Rc<str>]>,
}

/// `let`: what to bind, in order, and the body.
#[derive(Clone, Debug)]
pub(crate) struct LetCode {
    pub(crate) steps: Box<[LetStep]>,
    pub(crate) body: CodeId,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LetStep {
    Bind(Slot, CodeId),
    Group(Slot, GroupId),
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Bind(Slot),
    Skip,
    Int(i64),
    Bool(bool),
    Char(char),
    Text(Rc<str>),
    Tag(GlobalId),
    Tuple(Box<[Pattern]>),
    EmptySequence,
    /// `<x>^rest`, the first element and the rest in these slots.
    Cons(Slot, Slot),
    Sequence {
        front: Box<[Pattern]>,
        rest: Option<Box<Pattern>>,
        back: Box<[Pattern]>,
    },
    EmptySet,
    Singleton(Box<Pattern>),
    Dot(Box<[Pattern]>),
    Both(Box<Pattern>, Box<Pattern>),
}

impl Pattern {
    /// Matches everything.
    pub(crate) fn is_irrefutable(&self) -> bool {
        match self {
            Self::Bind(_) | Self::Skip => true,
            Self::Both(left, right) => left.is_irrefutable() && right.is_irrefutable(),
            _ => false,
        }
    }
}

/// One clause: the parameters that need matching, and the body.
#[derive(Clone, Debug)]
pub(crate) struct ClauseCode {
    pub(crate) tests: Box<[(Slot, Pattern)]>,
    pub(crate) body: CodeId,
}

/// A generator or a condition. Sharing comes before both.
#[derive(Clone, Debug)]
pub(crate) enum StatementCode {
    Generator(Pattern, CodeId),
    Condition(CodeId),
    /// Puts a promise of the value into the slot: the source of a later generator.
    Share(Slot, CodeId),
}

/// What a comprehension collects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Heads {
    Items(List),
    Range(CodeId, Option<CodeId>),
}

/// `{… | …}` and `{|… | …|}`, run in the frame they stand in.
#[derive(Clone, Debug)]
pub(crate) struct SetComprehension {
    pub(crate) kind: CollectionKind,
    pub(crate) heads: Heads,
    pub(crate) statements: Box<[StatementCode]>,
}

/// `<… | …>`, with a frame of its own so that it can go on later.
#[derive(Debug)]
pub(crate) struct SequenceComprehension {
    pub(crate) unit: UnitId,
    pub(crate) heads: Heads,
    pub(crate) statements: Box<[StatementCode]>,
    /// The variable of `<x | x <- s, conditions>`, which picks elements and makes none.
    pub(crate) filter: Option<Slot>,
}

/// A field of a prefix.
#[derive(Clone, Debug)]
pub(crate) enum FieldCode {
    Output(CodeId, Span),
    Input(InputCode),
    Choice(InputCode),
}

#[derive(Clone, Debug)]
pub(crate) struct InputCode {
    pub(crate) pattern: Pattern,
    pub(crate) set: Option<CodeId>,
    /// Some variable of the pattern is used later.
    pub(crate) used: bool,
    pub(crate) span: Span,
}

/// `c ? x ! e -> P`.
#[derive(Clone, Debug)]
pub(crate) struct PrefixCode {
    pub(crate) channel: CodeId,
    pub(crate) fields: Box<[FieldCode]>,
    pub(crate) body: CodeId,
    pub(crate) timing: Option<TimingCode>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TimingCode {
    pub(crate) tock: GlobalId,
    pub(crate) duration: Option<CodeId>,
}

/// Pairs of events of a renaming or a link, with their statements.
#[derive(Clone, Debug)]
pub(crate) struct PairsCode {
    pub(crate) pairs: Box<[(CodeId, CodeId)]>,
    pub(crate) statements: Box<[StatementCode]>,
    pub(crate) span: Span,
}

/// A replicated operator.
#[derive(Clone, Debug)]
pub(crate) struct ReplicatedCode {
    pub(crate) operator: ReplicatedKind,
    pub(crate) statements: Box<[StatementCode]>,
    pub(crate) body: CodeId,
    pub(crate) tock: Option<GlobalId>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ReplicatedKind {
    External,
    /// External choice of prefixes without inputs, where what follows does not depend on the last
    /// statements: their events make one set, and the body is what follows.
    Collected(Collected),
    Internal,
    Interleave,
    Parallel(CodeId),
    Alphabetised(CodeId),
    SyncExternal(CodeId),
    Sequence,
    Linked(u32),
}

/// Statements and the event of each binding.
#[derive(Clone, Debug)]
pub(crate) struct Collected {
    pub(crate) statements: Box<[StatementCode]>,
    pub(crate) event: CodeId,
    /// The events are just the elements of this set.
    pub(crate) whole: Option<CodeId>,
}

/// All code of a script and of the expressions evaluated since.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) nodes: Vec<Node>,
    /// Indexed like `nodes`.
    pub(crate) spans: Vec<Span>,
    pub(crate) lists: Vec<CodeId>,
    pub(crate) constants: Vec<Value>,
    pub(crate) units: Vec<Unit>,
    pub(crate) functions: Vec<FunctionCode>,
    pub(crate) groups: Vec<GroupCode>,
    /// Calls of members of groups: slot of the group, place of the member, arguments.
    pub(crate) member_calls: Vec<(Slot, u32, List)>,
    pub(crate) lets: Vec<Rc<LetCode>>,
    pub(crate) clauses: Vec<Rc<[ClauseCode]>>,
    pub(crate) patterns: Vec<Rc<Pattern>>,
    pub(crate) set_comprehensions: Vec<Rc<SetComprehension>>,
    pub(crate) sequence_comprehensions: Vec<Rc<SequenceComprehension>>,
    pub(crate) prefixes: Vec<Rc<PrefixCode>>,
    pub(crate) pairs: Vec<Rc<PairsCode>>,
    pub(crate) replicated: Vec<Rc<ReplicatedCode>>,
    /// What to call the process of a unit in reports.
    pub(crate) titles: ahash::AHashMap<UnitId, String>,
}

impl Code {
    pub(crate) fn push(&mut self, node: Node, span: Span) -> CodeId {
        self.nodes.push(node);
        self.spans.push(span);
        CodeId(index(self.nodes.len() - 1))
    }

    pub(crate) fn list(&mut self, items: &[CodeId]) -> List {
        let start = index(self.lists.len());
        self.lists.extend_from_slice(items);
        List {
            start,
            len: index(items.len()),
        }
    }

    /// The codes pushed last.
    pub(crate) fn last_two(&self) -> [CodeId; 2] {
        let next = index(self.nodes.len());
        [
            CodeId(next.saturating_sub(2)),
            CodeId(next.saturating_sub(1)),
        ]
    }

    pub(crate) fn node(&self, code: CodeId) -> Node {
        self.nodes[code.0 as usize]
    }

    pub(crate) fn span(&self, code: CodeId) -> Span {
        self.spans[code.0 as usize]
    }

    pub(crate) fn item(&self, list: List, i: u32) -> CodeId {
        self.lists[(list.start + i) as usize]
    }

    pub(crate) fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.0 as usize]
    }

    /// Gives a function its code.
    pub(crate) fn define(&mut self, function: FunctionId, unit: UnitId) {
        let Unit { slots, body, .. } = *self.unit(unit);
        let function = &mut self.functions[function.0 as usize];
        (function.unit, function.slots, function.body) = (unit, slots, body);
    }

    pub(crate) fn function(&self, function: FunctionId) -> &FunctionCode {
        &self.functions[function.0 as usize]
    }
}

/// The operator gives a truth value of two values of any one type.
pub(crate) fn compares(operator: BinaryOp) -> bool {
    matches!(
        operator,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}

/// Tables are indexed by 32 bits; a script that needs more cannot be read into memory either.
pub(crate) fn index(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32 entries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_small() {
        assert_eq!(size_of::<Node>(), 16);
    }
}
