//! Results of set functions, remembered.
//!
//! Processes with many states ask for the same sets in every state: `elsewhere(p)`, `leaves(x, c)`.
//! A global function that makes a set by its look, and does not call itself, remembers its results
//! for arguments that are small: then there are as many results as uses of them, about.

use ahash::{AHashMap, AHashSet};
use smallvec::SmallVec;

use super::Evaluator;
use super::code::{FunctionId, index};
use super::components::strong_components;
use super::value::Value;
use super::walk::each_part;
use crate::hir::{
    Builtin, CollectionKind, Expr, ExprKind, Function, GlobalId, GlobalKind, Program, Var,
};

/// A function and its arguments.
pub(super) type Call = (FunctionId, SmallVec<[Value; 4]>);

/// When there are more results than this, all are forgotten.
const MOST: usize = 1 << 17;

/// Results by call.
#[derive(Default)]
pub(super) struct Memo {
    results: AHashMap<Call, Value>,
}

impl Memo {
    pub(super) fn get(&self, call: &Call) -> Option<Value> {
        self.results.get(call).cloned()
    }

    pub(super) fn insert(&mut self, call: Call, value: Value) {
        if self.results.len() >= MOST {
            self.results.clear();
        }
        self.results.insert(call, value);
    }
}

impl Evaluator {
    /// The call whose arguments are on the stack from `frame`, if they are all small and known.
    pub(super) fn memo_call(&self, function: FunctionId, frame: usize) -> Option<Call> {
        let arguments = self.stack[frame..self.stack.len()]
            .iter()
            .map(small)
            .collect::<Option<_>>()?;
        Some((function, arguments))
    }
}

fn small(value: &Value) -> Option<Value> {
    match value {
        Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Event(_) | Value::Tag(_) => {
            Some(value.clone())
        }
        Value::Dot(dot) => {
            let fields = dot.fields.as_slice();
            (fields.len() <= 4 && fields.iter().all(|f| small(f).is_some())).then(|| value.clone())
        }
        Value::Thunk(thunk) => small(&thunk.known()?),
        _ => None,
    }
}

/// The global functions that are worth remembering.
pub(super) fn remembered(program: &Program) -> AHashSet<GlobalId> {
    let mut sets = AHashSet::new();
    let mut grown = true;
    while grown {
        grown = false;
        for (id, function) in functions(program) {
            let looks = function.clauses.iter().any(|c| is_set(&c.body, &sets));
            grown |= looks && sets.insert(id);
        }
    }
    for component in strong_components(&calls(program)) {
        if component.recursive {
            for member in component.members {
                sets.remove(&GlobalId(index(member)));
            }
        }
    }
    sets
}

fn functions(program: &Program) -> impl Iterator<Item = (GlobalId, &Function)> {
    (0..)
        .map(GlobalId)
        .zip(&program.globals)
        .filter_map(|(id, global)| match &global.kind {
            GlobalKind::Function(function) => Some((id, function)),
            _ => None,
        })
}

/// For each global, the globals its definition mentions.
fn calls(program: &Program) -> Vec<Vec<usize>> {
    program
        .globals
        .iter()
        .map(|global| {
            let mut found = AHashSet::new();
            match &global.kind {
                GlobalKind::Value(body) => mentioned(body, &mut found),
                GlobalKind::Function(function) => {
                    for clause in &function.clauses {
                        mentioned(&clause.body, &mut found);
                    }
                }
                _ => {}
            }
            let mut found: Vec<usize> = found.into_iter().collect();
            found.sort_unstable();
            found
        })
        .collect()
}

fn mentioned(expr: &Expr, found: &mut AHashSet<usize>) {
    if let ExprKind::Var(Var::Global(id)) = &expr.kind {
        found.insert(id.0 as usize);
    }
    each_part(expr, &mut |part| mentioned(part, found));
}

fn is_set(expr: &Expr, sets: &AHashSet<GlobalId>) -> bool {
    match &expr.kind {
        ExprKind::Collection { kind, .. } => *kind != CollectionKind::Sequence,
        ExprKind::If {
            then, otherwise, ..
        } => is_set(then, sets) || is_set(otherwise, sets),
        ExprKind::Let { body, .. } => is_set(body, sets),
        ExprKind::Apply { function, .. } => match &function.kind {
            ExprKind::Var(Var::Builtin(builtin)) => matches!(
                builtin,
                Builtin::Union
                    | Builtin::Inter
                    | Builtin::Diff
                    | Builtin::BigUnion
                    | Builtin::BigInter
                    | Builtin::SetOf
                    | Builtin::Extensions
                    | Builtin::Productions
            ),
            ExprKind::Var(Var::Global(id)) => sets.contains(id),
            _ => false,
        },
        _ => false,
    }
}
