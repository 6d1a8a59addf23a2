//! What the code generator knows about definitions before it generates any code: which of them are
//! processes by the look of their bodies, and which parameters of functions are certain to be needed.
//!
//! Both are found by going round the definitions until nothing changes: *process* grows from nothing, *strict*
//! shrinks from everything (Mycroft's strictness analysis on two points).

use std::collections::VecDeque;
use std::rc::Rc;

use ahash::{AHashMap, AHashSet};

use super::code::FunctionId;
use super::walk::each_part;
use crate::hir::{
    BinaryOp, Builtin, Clause, CollectionBody, CollectionKind, Expr, ExprKind, Function, GlobalId,
    GlobalKind, LocalDefinition, LocalId, PatternKind, Program, Statement, Var,
};

/// What a global name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Constant,
    Function(FunctionId),
    Tag,
    Error,
}

/// Facts about all definitions of a script.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) global_names: Vec<Rc<str>>,
    pub(crate) local_names: Vec<Rc<str>>,
    /// Parameters in each list.
    pub(crate) arities: AHashMap<Name, Box<[usize]>>,
    pub(crate) processes: AHashSet<Name>,
    /// One bit for each parameter.
    pub(crate) strict: AHashMap<Name, u64>,
    pub(crate) tock: Option<GlobalId>,
}

/// A definition at the top level or in a `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    Global(GlobalId),
    Local(LocalId),
}

impl Facts {
    pub(crate) fn of(program: &Program) -> Self {
        let mut facts = Self::default();
        let mut bodies = Bodies::default();
        let mut functions = 0;
        for (i, global) in program.globals.iter().enumerate() {
            let id = GlobalId(super::code::index(i));
            let name = Name::Global(id);
            facts.global_names.push(global.name.as_str().into());
            facts.kinds.push(match &global.kind {
                GlobalKind::Value(body) => {
                    bodies.constant(name, body);
                    Kind::Constant
                }
                GlobalKind::Function(function) => {
                    bodies.function(name, function);
                    functions += 1;
                    Kind::Function(FunctionId(functions - 1))
                }
                GlobalKind::Channel { .. } => {
                    if global.name == "tock" {
                        facts.tock = Some(id);
                    }
                    Kind::Tag
                }
                GlobalKind::Constructor { .. } => Kind::Tag,
                GlobalKind::Error => Kind::Error,
                _ => Kind::Constant,
            });
        }
        for local in &program.locals {
            facts.local_names.push(local.name.as_str().into());
        }
        program
            .bindings
            .iter()
            .for_each(|b| bodies.collect(&b.value));
        facts.learn(bodies);
        facts
    }

    /// Adds what the definitions inside one more expression tell.
    pub(crate) fn extend(&mut self, expr: &Expr) {
        let mut bodies = Bodies::default();
        bodies.collect(expr);
        if !bodies.0.is_empty() {
            self.learn(bodies);
        }
    }

    fn learn(&mut self, bodies: Bodies<'_>) {
        for (name, body) in &bodies.0 {
            if let Body::Function(function) = body {
                self.arities
                    .insert(*name, function.arities.as_slice().into());
                self.strict.insert(*name, u64::MAX);
            }
        }
        let users = bodies.users();
        bodies.until_settled(&users, |name, body| {
            let process = match body {
                Body::Constant(body) => self.is_process(body),
                Body::Function(function) => {
                    function.clauses.iter().any(|c| self.is_process(&c.body))
                }
            };
            process && self.processes.insert(name)
        });
        bodies.until_settled(&users, |name, body| match body {
            Body::Constant(_) => false,
            Body::Function(function) => {
                let mask = self.strict_parameters(function);
                self.strict.insert(name, mask) != Some(mask)
            }
        });
    }

    /// The expression is a process by its look.
    pub(crate) fn is_process(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Prefix { .. }
            | ExprKind::Guard { .. }
            | ExprKind::Process { .. }
            | ExprKind::Hide { .. }
            | ExprKind::Rename { .. }
            | ExprKind::Replicated { .. }
            | ExprKind::TimedStop { .. }
            | ExprKind::TimedSkip { .. }
            | ExprKind::TimedWait { .. } => true,
            ExprKind::If {
                then, otherwise, ..
            } => self.is_process(then) || self.is_process(otherwise),
            ExprKind::Let { body, .. } => self.is_process(body),
            ExprKind::Var(Var::Builtin(b)) => {
                matches!(b, Builtin::Stop | Builtin::Skip | Builtin::Div)
            }
            ExprKind::Var(var) => name_of(*var)
                .is_some_and(|n| self.processes.contains(&n) && !self.arities.contains_key(&n)),
            ExprKind::Apply { .. } => self.is_process_call(expr),
            _ => false,
        }
    }

    fn is_process_call(&self, expr: &Expr) -> bool {
        let (mut lists, mut head) = (0, expr);
        while let ExprKind::Apply { function, .. } = &head.kind {
            lists += 1;
            head = function;
        }
        match &head.kind {
            ExprKind::Var(Var::Builtin(b)) => gives_process(*b),
            ExprKind::Var(var) => name_of(*var).is_some_and(|n| {
                self.processes.contains(&n)
                    && self.arities.get(&n).is_some_and(|a| a.len() == lists)
            }),
            _ => false,
        }
    }

    fn strict_parameters(&self, function: &Function) -> u64 {
        function
            .clauses
            .iter()
            .fold(u64::MAX, |mask, clause| mask & self.strict_in(clause))
    }

    fn strict_in(&self, clause: &Clause) -> u64 {
        let needed = self.needed(&clause.body);
        let mut mask = 0;
        for (i, pattern) in clause.parameters.iter().flatten().enumerate().take(64) {
            let strict = match &pattern.kind {
                PatternKind::Variable(Var::Local(local)) => needed.contains(*local),
                PatternKind::Variable(_) | PatternKind::Wildcard | PatternKind::Both(..) => false,
                _ => true,
            };
            mask |= u64::from(strict) << i;
        }
        mask
    }

    /// The variables whose value is certain to be needed if the expression's is.
    pub(crate) fn needed(&self, expr: &Expr) -> Needed {
        match &expr.kind {
            ExprKind::Var(Var::Local(local)) => Needed::These(vec![*local]),
            ExprKind::Collection {
                kind,
                body,
                statements,
            } => match statements.first() {
                Some(Statement::Generator { source, .. }) => self.needed(source),
                Some(Statement::Condition(condition)) => self.needed(condition),
                None => match body {
                    CollectionBody::Items(items) if *kind != CollectionKind::Sequence => {
                        self.needed_by_all(items.iter())
                    }
                    CollectionBody::Items(_) => Needed::none(),
                    CollectionBody::Range { from, to } => {
                        self.needed_by_all(std::iter::once(&**from).chain(to.as_deref()))
                    }
                },
            },
            ExprKind::Let { definitions, body } => {
                let mut needed = self.needed(body);
                for definition in definitions.iter().rev() {
                    if let LocalDefinition::Bind { binding, .. } = definition
                        && let PatternKind::Variable(Var::Local(local)) = binding.pattern.kind
                        && needed.contains(local)
                    {
                        needed = needed.or(self.needed(&binding.value));
                    }
                }
                needed
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => self
                .needed(condition)
                .or(self.needed(then).and(self.needed(otherwise))),
            ExprKind::Apply {
                function,
                arguments,
            } => self.needed_by_call(function, arguments),
            ExprKind::Unary { operand, .. } => self.needed(operand),
            ExprKind::Binary {
                operator: BinaryOp::And | BinaryOp::Or | BinaryOp::Concat,
                left,
                ..
            } => self.needed(left),
            ExprKind::Binary { left, right, .. } => self.needed(left).or(self.needed(right)),
            ExprKind::Dot(items) => self.needed_by_all(items.iter()),
            ExprKind::Guard { condition, .. } => self.needed(condition),
            _ => Needed::none(),
        }
    }

    fn needed_by_all<'a>(&self, parts: impl Iterator<Item = &'a Expr>) -> Needed {
        parts.fold(Needed::none(), |all, part| all.or(self.needed(part)))
    }

    fn needed_by_call(&self, function: &Expr, arguments: &[Expr]) -> Needed {
        match &function.kind {
            ExprKind::Var(Var::Builtin(Builtin::Error)) => Needed::Everything,
            ExprKind::Var(Var::Builtin(b)) if gives_process(*b) => Needed::none(),
            ExprKind::Var(Var::Builtin(_)) => self.needed_by_all(arguments.iter()),
            ExprKind::Var(var) => {
                let known = name_of(*var).filter(|n| !self.processes.contains(n));
                let mask = known.and_then(|n| {
                    let complete = self.arities.get(&n).is_some_and(|a| a.len() == 1);
                    complete.then(|| self.strict.get(&n).copied()).flatten()
                });
                match mask {
                    Some(mask) => self.needed_by_all(
                        arguments
                            .iter()
                            .enumerate()
                            .filter(|(i, _)| *i < 64 && mask >> i & 1 == 1)
                            .map(|(_, a)| a),
                    ),
                    None => self.needed(function),
                }
            }
            _ => self.needed(function),
        }
    }
}

/// A set of variables, or all of them (of an expression that never has a value).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    Everything,
    These(Vec<LocalId>),
}

impl Needed {
    fn none() -> Self {
        Self::These(Vec::new())
    }

    pub(crate) fn contains(&self, local: LocalId) -> bool {
        match self {
            Self::Everything => true,
            Self::These(locals) => locals.contains(&local),
        }
    }

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::These(mut a), Self::These(b)) => {
                a.extend(b);
                a.sort_unstable();
                a.dedup();
                Self::These(a)
            }
            _ => Self::Everything,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Everything, other) | (other, Self::Everything) => other,
            (Self::These(mut a), Self::These(b)) => {
                a.retain(|x| b.contains(x));
                Self::These(a)
            }
        }
    }
}

fn name_of(var: Var) -> Option<Name> {
    match var {
        Var::Global(id) => Some(Name::Global(id)),
        Var::Local(id) => Some(Name::Local(id)),
        Var::Builtin(_) => None,
    }
}

/// The built-in functions whose result is a process.
pub(crate) fn gives_process(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Run
            | Builtin::Chaos
            | Builtin::Buffer
            | Builtin::WeakBuffer
            | Builtin::SignalBuffer
            | Builtin::Wait
    ) || takes_process(builtin)
}

/// The built-in functions whose first argument is a process; they all give one too.
pub(crate) fn takes_process(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Loop
            | Builtin::TimedPriority
            | Builtin::Explicate
            | Builtin::LazyEnumerate
            | Builtin::Sbisim
            | Builtin::Dbisim
            | Builtin::Wbisim
            | Builtin::TauLoopFactor
            | Builtin::Diamond
            | Builtin::Normal
            | Builtin::LazyNorm
            | Builtin::ModelCompress
            | Builtin::Chase
            | Builtin::ChaseNoCache
            | Builtin::Deter
            | Builtin::Prioritise
            | Builtin::PrioritiseNoCache
            | Builtin::PrioritisePo
            | Builtin::TraceWatchdog
            | Builtin::FailureWatchdog
    )
}

/// All definitions of a script, the local ones included.
#[derive(Default)]
struct Bodies<'a>(Vec<(Name, Body<'a>)>);

enum Body<'a> {
    Constant(&'a Expr),
    Function(&'a Function),
}

impl<'a> Bodies<'a> {
    fn constant(&mut self, name: Name, body: &'a Expr) {
        self.0.push((name, Body::Constant(body)));
        self.collect(body);
    }

    fn function(&mut self, name: Name, function: &'a Function) {
        self.0.push((name, Body::Function(function)));
        function.clauses.iter().for_each(|c| self.collect(&c.body));
    }

    /// For each name, the places of the definitions that mention it.
    fn users(&self) -> AHashMap<Name, Vec<usize>> {
        fn mentions(expr: &Expr, place: usize, users: &mut AHashMap<Name, Vec<usize>>) {
            if let ExprKind::Var(var) = expr.kind
                && let Some(name) = name_of(var)
            {
                let places = users.entry(name).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
            each_part(expr, &mut |part| mentions(part, place, users));
        }
        let mut users = AHashMap::new();
        for (place, (_, body)) in self.0.iter().enumerate() {
            match body {
                Body::Constant(body) => mentions(body, place, &mut users),
                Body::Function(function) => {
                    for clause in &function.clauses {
                        mentions(&clause.body, place, &mut users);
                    }
                }
            }
        }
        users
    }

    /// Visits every definition, and again those that mention one for which the visit changed something.
    fn until_settled(
        &self,
        users: &AHashMap<Name, Vec<usize>>,
        mut visit: impl FnMut(Name, &Body<'a>) -> bool,
    ) {
        let mut queue: VecDeque<usize> = (0..self.0.len()).collect();
        let mut queued = vec![true; self.0.len()];
        while let Some(place) = queue.pop_front() {
            queued[place] = false;
            let (name, body) = &self.0[place];
            if visit(*name, body) {
                for &user in users.get(name).into_iter().flatten() {
                    if !std::mem::replace(&mut queued[user], true) {
                        queue.push_back(user);
                    }
                }
            }
        }
    }

    fn collect(&mut self, expr: &'a Expr) {
        if let ExprKind::Let { definitions, body } = &expr.kind {
            for definition in definitions {
                match definition {
                    LocalDefinition::Function {
                        variable, function, ..
                    } => self.function(Name::Local(*variable), function),
                    LocalDefinition::Bind { binding, .. } => match binding.pattern.kind {
                        PatternKind::Variable(Var::Local(local)) => {
                            self.constant(Name::Local(local), &binding.value);
                        }
                        _ => self.collect(&binding.value),
                    },
                }
            }
            self.collect(body);
        } else {
            each_part(expr, &mut |part| self.collect(part));
        }
    }
}
