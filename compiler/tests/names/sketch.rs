//! A short notation for resolved programs, for comparison in tests. Variables are numbered in the
//! order in which they appear in one sketch: `x#0`.

use std::cell::RefCell;
use std::fmt::Write as _;

use csp_compiler::hir::*;

struct Sketch<'p> {
    program: &'p Program,
    locals: RefCell<Vec<LocalId>>,
}

/// The definition with this name.
pub(crate) fn definition(program: &Program, name: &str) -> String {
    let sketch = Sketch::new(program);
    let Some(global) = program.globals.iter().find(|global| global.name == name) else {
        return "(not defined)".to_owned();
    };
    let mut text = match &global.kind {
        GlobalKind::Value(value) => sketch.expr(value),
        GlobalKind::Function(function) => sketch.function(function),
        GlobalKind::Bound(index) => {
            let binding = &program.bindings[*index as usize];
            format!(
                "bound {} = {}",
                sketch.pattern(&binding.pattern),
                sketch.expr(&binding.value)
            )
        }
        GlobalKind::Channel { fields } => format!("channel{}", sketch.fields(fields)),
        GlobalKind::Constructor {
            datatype,
            index,
            fields,
        } => format!(
            "constructor {} {index}{}",
            sketch.global(*datatype),
            sketch.fields(fields)
        ),
        GlobalKind::Datatype { constructors } => {
            let names: Vec<&str> = constructors.iter().map(|c| sketch.global(*c)).collect();
            format!("datatype {}", names.join(" | "))
        }
        GlobalKind::Subtype { datatype, clauses } => {
            let clauses: Vec<String> = clauses
                .iter()
                .map(|(c, fields)| format!("{}{}", sketch.global(*c), sketch.fields(fields)))
                .collect();
            format!(
                "subtype {} {}",
                sketch.global(*datatype),
                clauses.join(" | ")
            )
        }
        GlobalKind::Nametype(value) => format!("nametype {}", sketch.expr(value)),
        GlobalKind::Error => "error".to_owned(),
    };
    if let Some(annotation) = &global.annotation {
        let _ = write!(text, " :: {}", sketch.scheme(annotation));
    }
    text
}

/// An expression that stands alone.
pub(crate) fn expression(program: &Program, expr: &Expr) -> String {
    Sketch::new(program).expr(expr)
}

impl<'p> Sketch<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            locals: RefCell::default(),
        }
    }

    fn global(&self, id: GlobalId) -> &'p str {
        &self.program.globals[id.0 as usize].name
    }

    fn local(&self, id: LocalId) -> String {
        let mut locals = self.locals.borrow_mut();
        let place = locals.iter().position(|&known| known == id);
        let number = place.unwrap_or_else(|| {
            locals.push(id);
            locals.len() - 1
        });
        format!("{}#{number}", self.program.locals[id.0 as usize].name)
    }

    fn var(&self, var: Var) -> String {
        match var {
            Var::Global(id) => self.global(id).to_owned(),
            Var::Local(id) => self.local(id),
            Var::Builtin(builtin) => format!("'{}", builtin.name()),
        }
    }

    fn fields(&self, fields: &Option<Expr>) -> String {
        fields
            .as_ref()
            .map_or_else(String::new, |fields| format!(" : {}", self.expr(fields)))
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        let exprs: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        exprs.join(", ")
    }

    fn pairs(&self, pairs: &[(Expr, Expr)]) -> String {
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(left, right)| format!("{} ~ {}", self.expr(left), self.expr(right)))
            .collect();
        pairs.join(", ")
    }

    fn statements(&self, statements: &[Statement]) -> String {
        let statements: Vec<String> = statements
            .iter()
            .map(|statement| match statement {
                Statement::Generator { pattern, source } => {
                    let source = self.expr(source);
                    format!("{} <- {source}", self.pattern(pattern))
                }
                Statement::Condition(condition) => self.expr(condition),
            })
            .collect();
        statements.join(", ")
    }

    fn function(&self, function: &Function) -> String {
        let clauses: Vec<String> = function
            .clauses
            .iter()
            .map(|clause| {
                let lists: String = clause
                    .parameters
                    .iter()
                    .map(|list| format!("({})", self.patterns(list)))
                    .collect();
                format!("{lists} {}", self.expr(&clause.body))
            })
            .collect();
        clauses.join(" | ")
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Char(value) => format!("{value:?}"),
            ExprKind::String(value) => format!("{value:?}"),
            ExprKind::Var(var) => self.var(*var),
            ExprKind::Tuple(items) => format!("({})", self.exprs(items)),
            ExprKind::Collection {
                kind,
                body,
                statements,
            } => {
                // The statements first: the variables are numbered where they are bound.
                let statements = self.statements(statements);
                let body = match body {
                    CollectionBody::Items(items) => self.exprs(items),
                    CollectionBody::Range { from, to } => format!(
                        "{}..{}",
                        self.expr(from),
                        to.as_ref().map_or_else(String::new, |to| self.expr(to))
                    ),
                };
                let body = match statements.as_str() {
                    "" => body,
                    _ => format!("{statements} | {body}"),
                };
                match kind {
                    CollectionKind::Sequence => format!("<{body}>"),
                    CollectionKind::Set => format!("{{{body}}}"),
                    CollectionKind::Enumerated => format!("{{|{body}|}}"),
                }
            }
            ExprKind::Map(pairs) => format!("map({})", self.pairs(pairs)),
            ExprKind::Let { definitions, body } => {
                let definitions: Vec<String> = definitions
                    .iter()
                    .map(|definition| self.local_definition(definition))
                    .collect();
                format!("let {} within {}", definitions.join("; "), self.expr(body))
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => format!(
                "if {} then {} else {}",
                self.expr(condition),
                self.expr(then),
                self.expr(otherwise)
            ),
            ExprKind::Lambda { parameters, body } => {
                let parameters = self.patterns(parameters);
                format!("lambda({parameters}) {}", self.expr(body))
            }
            ExprKind::Apply {
                function,
                arguments,
            } => format!("{}({})", self.expr(function), self.exprs(arguments)),
            ExprKind::Unary { operator, operand } => {
                format!("{operator:?}({})", self.expr(operand))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => format!("{operator:?}({}, {})", self.expr(left), self.expr(right)),
            ExprKind::Dot(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
                format!("({})", parts.join("."))
            }
            ExprKind::Error => "error".to_owned(),
            _ => self.process(expr),
        }
    }

    fn process(&self, expr: &Expr) -> String {
        let timed = |tock: &Option<GlobalId>| match tock {
            Some(tock) => format!("[{}]", self.global(*tock)),
            None => String::new(),
        };
        match &expr.kind {
            ExprKind::Prefix {
                channel,
                fields,
                body,
                timing,
            } => {
                let channel = self.expr(channel);
                let fields: String = fields.iter().map(|field| self.field(field)).collect();
                let timing = timing.as_ref().map_or_else(String::new, |timing| {
                    let duration = timing.duration.as_ref().map(|d| self.expr(d));
                    format!(
                        "[{}{}]",
                        self.global(timing.tock),
                        duration.map_or_else(String::new, |d| format!(" {d}"))
                    )
                });
                format!("prefix{timing}({channel}{fields}, {})", self.expr(body))
            }
            ExprKind::Guard {
                condition,
                body,
                tock,
            } => format!(
                "guard{}({}, {})",
                timed(tock),
                self.expr(condition),
                self.expr(body)
            ),
            ExprKind::Process {
                operator,
                left,
                right,
            } => {
                let left = self.expr(left);
                let operator = self.operator(operator);
                format!("{operator}({left}, {})", self.expr(right))
            }
            ExprKind::Hide {
                process,
                set,
                project,
            } => format!(
                "{}({}, {})",
                if *project { "project" } else { "hide" },
                self.expr(process),
                self.expr(set)
            ),
            ExprKind::Rename {
                process,
                pairs,
                statements,
            } => {
                let process = self.expr(process);
                let statements = self.statements(statements);
                format!("rename({process} | {statements} | {})", self.pairs(pairs))
            }
            ExprKind::Replicated {
                operator,
                statements,
                body,
                tock,
            } => {
                let statements = self.statements(statements);
                let operator = self.replicated(operator);
                let timed = timed(tock);
                format!("each {operator}{timed}({statements} | {})", self.expr(body))
            }
            ExprKind::TimedStop { tock } => format!("stop[{}]", self.global(*tock)),
            ExprKind::TimedSkip { tock } => format!("skip[{}]", self.global(*tock)),
            ExprKind::TimedWait { tock, duration } => {
                format!("wait[{}]({})", self.global(*tock), self.expr(duration))
            }
            _ => unreachable!("the rest are not processes"),
        }
    }

    fn field(&self, field: &Field) -> String {
        let (sign, pattern, set) = match &field.kind {
            FieldKind::Output(value) => return format!("!{}", self.expr(value)),
            FieldKind::Input { pattern, set } => ("?", pattern, set),
            FieldKind::Choice { pattern, set } => ("$", pattern, set),
        };
        let set = set
            .as_ref()
            .map_or_else(String::new, |set| format!(":{}", self.expr(set)));
        format!("{sign}{}{set}", self.pattern(pattern))
    }

    fn operator(&self, operator: &ProcessOp) -> String {
        match operator {
            ProcessOp::External => "[]".to_owned(),
            ProcessOp::Internal => "|~|".to_owned(),
            ProcessOp::Sliding => "[>".to_owned(),
            ProcessOp::Interrupt => "/\\".to_owned(),
            ProcessOp::Sequence => ";".to_owned(),
            ProcessOp::Interleave => "|||".to_owned(),
            ProcessOp::Parallel(set) => format!("[|{}|]", self.expr(set)),
            ProcessOp::Alphabetised(left, right) => {
                format!("[{}||{}]", self.expr(left), self.expr(right))
            }
            ProcessOp::Exception(set) => format!("[|{}|>", self.expr(set)),
            ProcessOp::SyncExternal(set) => format!("[+{}+]", self.expr(set)),
            ProcessOp::SyncInterrupt(set) => format!("/+{}+\\", self.expr(set)),
            ProcessOp::Linked { pairs, statements } => {
                let statements = self.statements(statements);
                format!("[{statements} | {}]", self.pairs(pairs))
            }
        }
    }

    fn replicated(&self, operator: &ReplicatedOp) -> String {
        match operator {
            ReplicatedOp::External => "[]".to_owned(),
            ReplicatedOp::Internal => "|~|".to_owned(),
            ReplicatedOp::Interleave => "|||".to_owned(),
            ReplicatedOp::Sequence => ";".to_owned(),
            ReplicatedOp::Parallel(set) => format!("[|{}|]", self.expr(set)),
            ReplicatedOp::Alphabetised(set) => format!("||[{}]", self.expr(set)),
            ReplicatedOp::SyncExternal(set) => format!("[+{}+]", self.expr(set)),
            ReplicatedOp::Linked { pairs, statements } => {
                let statements = self.statements(statements);
                format!("[{statements} | {}]", self.pairs(pairs))
            }
        }
    }

    fn local_definition(&self, definition: &LocalDefinition) -> String {
        match definition {
            LocalDefinition::Function {
                variable,
                function,
                annotation,
            } => {
                let variable = self.local(*variable);
                let annotation = annotation
                    .as_ref()
                    .map_or_else(String::new, |a| format!(" :: {}", self.scheme(a)));
                format!("{variable}{annotation} = {}", self.function(function))
            }
            LocalDefinition::Bind {
                binding,
                annotations,
            } => {
                let pattern = self.pattern(&binding.pattern);
                let annotations: String = annotations
                    .iter()
                    .map(|(local, a)| format!(" {} :: {}", self.local(*local), self.scheme(a)))
                    .collect();
                format!("{pattern}{annotations} = {}", self.expr(&binding.value))
            }
        }
    }

    fn patterns(&self, patterns: &[Pattern]) -> String {
        let patterns: Vec<String> = patterns.iter().map(|p| self.pattern(p)).collect();
        patterns.join(", ")
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match &pattern.kind {
            PatternKind::Variable(var) => self.var(*var),
            PatternKind::Constructor(id) => format!("={}", self.global(*id)),
            PatternKind::Wildcard => "_".to_owned(),
            PatternKind::Int(value) => value.to_string(),
            PatternKind::Bool(value) => value.to_string(),
            PatternKind::Char(value) => format!("{value:?}"),
            PatternKind::String(value) => format!("{value:?}"),
            PatternKind::Tuple(items) => format!("({})", self.patterns(items)),
            PatternKind::Sequence { front, rest, back } => {
                let front = self.patterns(front);
                match rest {
                    None => format!("<{front}>"),
                    Some(rest) => {
                        let rest = self.pattern(rest);
                        format!("<{front}>^{rest}^<{}>", self.patterns(back))
                    }
                }
            }
            PatternKind::EmptySet => "{}".to_owned(),
            PatternKind::SingletonSet(item) => format!("{{{}}}", self.pattern(item)),
            PatternKind::Dot(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.pattern(part)).collect();
                format!("({})", parts.join("."))
            }
            PatternKind::Both(left, right) => {
                let left = self.pattern(left);
                format!("{left}@@{}", self.pattern(right))
            }
            PatternKind::Error => "error".to_owned(),
        }
    }

    fn scheme(&self, scheme: &TypeScheme) -> String {
        let constraints: String = scheme
            .constraints
            .iter()
            .map(|(constraint, variable, _)| format!("{constraint:?} {variable} => "))
            .collect();
        format!("{constraints}{}", self.type_(&scheme.body))
    }

    fn type_(&self, type_: &Type) -> String {
        let list = |types: &[Type]| {
            let types: Vec<String> = types.iter().map(|t| self.type_(t)).collect();
            types.join(", ")
        };
        match &type_.kind {
            TypeKind::Datatype(id) => format!("datatype {}", self.global(*id)),
            TypeKind::Variable(name) => format!("'{name}"),
            TypeKind::Sequence(item) => format!("<{}>", self.type_(item)),
            TypeKind::Set(item) => format!("{{{}}}", self.type_(item)),
            TypeKind::Tuple(items) => format!("({})", list(items)),
            TypeKind::Map(key, value) => {
                format!("(| {} => {} |)", self.type_(key), self.type_(value))
            }
            TypeKind::Function(arguments, result) => {
                format!("({}) -> {}", list(arguments), self.type_(result))
            }
            TypeKind::Dot(left, right) => format!("{}.{}", self.type_(left), self.type_(right)),
            TypeKind::Dotable(left, right) => {
                format!("{} => {}", self.type_(left), self.type_(right))
            }
            TypeKind::Extendable(left, right) => {
                format!("{} =>* {}", self.type_(left), self.type_(right))
            }
            simple => format!("{simple:?}"),
        }
    }
}
