//! Scripts made type by type: unless asked otherwise, they should pass the type check.
//!
//! Types are generated first, then expressions that have them, so that evaluation is reached and what
//! the type check refuses is worth a look.

use crate::random::Random;

/// A type, as far as the generator knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
    Char,
    Event,
    Proc,
    Data(usize),
    Sequence(Box<Type>),
    Set(Box<Type>),
    Pair(Box<Type>, Box<Type>),
    Map(Box<Type>, Box<Type>),
}

impl Type {
    /// Whether values can be compared.
    fn has_equality(&self) -> bool {
        match self {
            Type::Proc => false,
            Type::Sequence(t) | Type::Set(t) => t.has_equality(),
            Type::Pair(a, b) | Type::Map(a, b) => a.has_equality() && b.has_equality(),
            _ => true,
        }
    }

    /// Whether values can be ordered.
    fn has_order(&self) -> bool {
        match self {
            Type::Int | Type::Char => true,
            Type::Sequence(t) | Type::Set(t) => t.has_equality(),
            Type::Pair(a, b) => a.has_order() && b.has_order(),
            _ => false,
        }
    }
}

struct Constructor {
    name: String,
    fields: Vec<Type>,
}

struct Function {
    name: String,
    parameters: Vec<Type>,
    result: Type,
}

/// Everything in scope, and the text so far.
struct Script<'r> {
    random: &'r mut Random,
    /// Whether now and then a type may be wrong.
    slips: bool,
    datatypes: Vec<Vec<Constructor>>,
    channels: Vec<Constructor>,
    functions: Vec<Function>,
    variables: Vec<(String, Type)>,
    fresh: usize,
    text: String,
}

/// A script of a few definitions.
pub fn script(random: &mut Random, slips: bool) -> String {
    let mut script = Script {
        random,
        slips,
        datatypes: Vec::new(),
        channels: Vec::new(),
        functions: Vec::new(),
        variables: Vec::new(),
        fresh: 0,
        text: String::new(),
    };
    for _ in 0..script.random.below(3) {
        script.datatype();
    }
    for _ in 0..=script.random.below(3) {
        script.channel();
    }
    for _ in 0..script.random.below(3) {
        script.function();
    }
    for _ in 0..=script.random.below(3) {
        script.constant();
    }
    if script.random.once_in(3) {
        let (left, right) = (script.expr(&Type::Proc, 2), script.expr(&Type::Proc, 1));
        let claim = match script.random.below(3) {
            0 => format!("assert {left} [FD= {right}\n"),
            1 => format!("assert {left} :[deadlock free]\n"),
            _ => format!("assert not {left} [T= {right} :[tau priority]: {{}}\n"),
        };
        script.text += &claim;
    }
    script.text
}

impl Script<'_> {
    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn datatype(&mut self) {
        let mut clauses = Vec::new();
        let mut constructors = Vec::new();
        for _ in 0..=self.random.below(3) {
            let name = self.name("k");
            let mut clause = name.clone();
            let mut fields = Vec::new();
            for _ in 0..self.random.below(3) {
                let (field, set) = self.field(false);
                clause += &format!(".{set}");
                fields.push(field);
            }
            clauses.push(clause);
            constructors.push(Constructor { name, fields });
        }
        let number = self.datatypes.len();
        self.text += &format!("datatype D{number} = {}\n", clauses.join(" | "));
        self.datatypes.push(constructors);
    }

    /// A type of fields and a small set of its values; smaller still inside another.
    fn field(&mut self, nested: bool) -> (Type, String) {
        match self.random.below(7) {
            0 => (Type::Bool, "Bool".to_owned()),
            1 if !nested && !self.datatypes.is_empty() => {
                let number = self.random.below(self.datatypes.len());
                (Type::Data(number), format!("D{number}"))
            }
            2 => {
                let set = *self.random.one(&["Set({0,1})", "Set({0..2})"]);
                (Type::Set(Box::new(Type::Int)), set.to_owned())
            }
            3 if !nested => {
                let ((a, left), (b, right)) = (self.field(true), self.field(true));
                let pair = Type::Pair(Box::new(a), Box::new(b));
                (pair, format!("({left}, {right})"))
            }
            _ => (
                Type::Int,
                self.random
                    .one(&["{0..2}", "{0,1}", "{ -1..1}", "Int"])
                    .to_string(),
            ),
        }
    }

    fn channel(&mut self) {
        let name = self.name("c");
        let mut fields = Vec::new();
        let mut sets = Vec::new();
        for _ in 0..self.random.below(3) {
            let (field, set) = self.field(false);
            fields.push(field);
            sets.push(set);
        }
        self.text += &match sets.is_empty() {
            true => format!("channel {name}\n"),
            false => format!("channel {name} : {}\n", sets.join(".")),
        };
        self.channels.push(Constructor { name, fields });
    }

    fn any_type(&mut self, depth: usize) -> Type {
        let inner = |script: &mut Self| Box::new(script.any_type(depth - 1));
        match self.random.below(if depth == 0 { 6 } else { 11 }) {
            0 | 1 => Type::Int,
            2 => Type::Bool,
            3 => self.random.one(&[Type::Char, Type::Event]).clone(),
            4 => Type::Proc,
            5 if !self.datatypes.is_empty() => Type::Data(self.random.below(self.datatypes.len())),
            5 => Type::Int,
            6 | 7 => Type::Sequence(inner(self)),
            8 => Type::Set(inner(self)),
            9 => Type::Pair(inner(self), inner(self)),
            _ => {
                let key = Box::new(Type::Int);
                Type::Map(key, inner(self))
            }
        }
    }

    fn function(&mut self) {
        let name = self.name("f");
        let parameters: Vec<Type> = (0..=self.random.below(2))
            .map(|_| self.any_type(1))
            .collect();
        let result = self.any_type(1);
        self.functions.push(Function {
            name: name.clone(),
            parameters: parameters.clone(),
            result: result.clone(),
        });
        for last in [false, true] {
            if !last && self.random.once_in(2) {
                continue;
            }
            let height = self.variables.len();
            let depth = if last { 0 } else { 2 };
            let patterns: Vec<String> = parameters.iter().map(|t| self.pattern(t, depth)).collect();
            let body = self.expr(&result, 3);
            self.text += &format!("{name}({}) = {body}\n", patterns.join(", "));
            self.variables.truncate(height);
        }
    }

    fn constant(&mut self) {
        let name = self.name("x");
        let kind = self.any_type(2);
        let value = self.expr(&kind, 4);
        self.text += &format!("{name} = {value}\n");
        self.variables.push((name, kind));
    }

    /// A pattern; its variables are in scope afterwards.
    fn pattern(&mut self, kind: &Type, depth: usize) -> String {
        if depth == 0 || self.random.once_in(3) {
            if self.random.once_in(4) {
                return "_".to_owned();
            }
            let name = self.name("v");
            self.variables.push((name.clone(), kind.clone()));
            return name;
        }
        match kind {
            Type::Int => self.random.one(&["0", "1", "-1"]).to_string(),
            Type::Bool => self.random.one(&["true", "false"]).to_string(),
            Type::Char => "'a'".to_owned(),
            Type::Sequence(t) => match self.random.below(4) {
                0 => "<>".to_owned(),
                1 => format!("<{}>", self.pattern(t, depth - 1)),
                2 => format!("<{}>^{}", self.pattern(t, depth - 1), self.pattern(kind, 0)),
                _ => format!("{}^<{}>", self.pattern(kind, 0), self.pattern(t, depth - 1)),
            },
            Type::Set(t) if t.has_equality() => match self.random.below(2) {
                0 => "{}".to_owned(),
                // A minus directly after the brace would begin a comment.
                _ => format!("{{ {} }}", self.pattern(t, depth - 1)),
            },
            Type::Pair(a, b) => {
                format!(
                    "({}, {})",
                    self.pattern(a, depth - 1),
                    self.pattern(b, depth - 1)
                )
            }
            Type::Data(number) => {
                let which = self.random.below(self.datatypes[*number].len());
                let constructor = &self.datatypes[*number][which];
                let (mut text, fields) = (constructor.name.clone(), constructor.fields.clone());
                for field in &fields {
                    text += &format!(".{}", self.pattern(field, depth - 1));
                }
                text
            }
            _ => self.pattern(kind, 0),
        }
    }

    fn expr(&mut self, kind: &Type, depth: usize) -> String {
        if self.slips && self.random.once_in(12) {
            let wrong = self.any_type(1);
            return self.right(&wrong, depth);
        }
        self.right(kind, depth)
    }

    fn right(&mut self, kind: &Type, depth: usize) -> String {
        if self.random.once_in(if depth == 0 { 2 } else { 4 }) {
            let fitting: Vec<usize> = (0..self.variables.len())
                .filter(|i| self.variables[*i].1 == *kind)
                .collect();
            if !fitting.is_empty() {
                let which = *self.random.one(&fitting);
                return self.variables[which].0.clone();
            }
        }
        if depth == 0 {
            return self.leaf(kind);
        }
        match self.random.below(12) {
            0 => {
                let condition = self.expr(&Type::Bool, depth - 1);
                let (a, b) = (self.expr(kind, depth - 1), self.expr(kind, depth - 1));
                format!("(if {condition} then {a} else {b})")
            }
            1 => self.local(kind, depth),
            2 => self.call(kind, depth),
            3 => {
                let argument = self.any_type(1);
                let value = self.expr(&argument, depth - 1);
                let height = self.variables.len();
                let pattern = self.pattern(&argument, 0);
                let body = self.expr(kind, depth - 1);
                self.variables.truncate(height);
                format!("(\\ {pattern} @ {body})({value})")
            }
            4 => {
                let other = self.any_type(0);
                let s = self.expr(&Type::Sequence(Box::new(kind.clone())), depth - 1);
                match self.random.below(3) {
                    0 => format!("head({s})"),
                    1 => {
                        let map = Type::Map(Box::new(Type::Int), Box::new(kind.clone()));
                        let (m, k) = (self.expr(&map, depth - 1), self.expr(&Type::Int, 0));
                        format!("mapLookup({m}, {k})")
                    }
                    _ => {
                        let pair = Type::Pair(Box::new(other), Box::new(kind.clone()));
                        let value = self.expr(&pair, depth - 1);
                        let name = self.name("v");
                        format!("(let (_, {name}) = {value} within {name})")
                    }
                }
            }
            _ => self.form(kind, depth),
        }
    }

    fn local(&mut self, kind: &Type, depth: usize) -> String {
        let height = self.variables.len();
        let bound = self.any_type(1);
        let value = self.expr(&bound, depth - 1);
        let name = self.name("v");
        self.variables.push((name.clone(), bound));
        let body = self.expr(kind, depth - 1);
        self.variables.truncate(height);
        format!("(let {name} = {value} within {body})")
    }

    fn call(&mut self, kind: &Type, depth: usize) -> String {
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|i| self.functions[*i].result == *kind)
            .collect();
        if fitting.is_empty() {
            return self.form(kind, depth);
        }
        let which = *self.random.one(&fitting);
        let parameters = self.functions[which].parameters.clone();
        let arguments: Vec<String> = parameters.iter().map(|t| self.expr(t, depth - 1)).collect();
        format!("{}({})", self.functions[which].name, arguments.join(", "))
    }

    /// The shortest expression of a type.
    fn leaf(&mut self, kind: &Type) -> String {
        match kind {
            Type::Int => self.random.one(&["0", "1", "2", "3", "(-1)"]).to_string(),
            Type::Bool => self.random.one(&["true", "false"]).to_string(),
            Type::Char => self.random.one(&["'a'", "'b'", "'\\n'"]).to_string(),
            Type::Event => {
                let which = self.random.below(self.channels.len());
                let channel = &self.channels[which];
                let (name, fields) = (channel.name.clone(), channel.fields.clone());
                self.dotted(name, &fields, 0)
            }
            Type::Proc => self.random.one(&["STOP", "SKIP", "DIV"]).to_string(),
            Type::Data(number) => {
                let which = self.random.below(self.datatypes[*number].len());
                let constructor = &self.datatypes[*number][which];
                let (name, fields) = (constructor.name.clone(), constructor.fields.clone());
                self.dotted(name, &fields, 0)
            }
            Type::Sequence(t) => match self.random.below(2) {
                0 => "<>".to_owned(),
                _ => format!("<{}>", self.leaf(t)),
            },
            Type::Set(t) => match self.random.below(2) {
                0 => "{}".to_owned(),
                _ => format!("{{{}}}", self.leaf(t)),
            },
            Type::Pair(a, b) => format!("({}, {})", self.leaf(a), self.leaf(b)),
            Type::Map(k, v) => match self.random.below(2) {
                0 => "emptyMap".to_owned(),
                _ => format!("(| {} => {} |)", self.leaf(k), self.leaf(v)),
            },
        }
    }

    fn dotted(&mut self, mut text: String, fields: &[Type], depth: usize) -> String {
        for field in fields {
            text += &format!(".{}", self.expr(field, depth));
        }
        if fields.is_empty() {
            text
        } else {
            format!("({text})")
        }
    }

    /// An expression whose outermost form belongs to the type.
    fn form(&mut self, kind: &Type, depth: usize) -> String {
        let below = depth - 1;
        match kind {
            Type::Int => match self.random.below(6) {
                0 => {
                    let inner = self.any_type(1);
                    format!(
                        "#{}",
                        self.bracketed(&Type::Sequence(Box::new(inner)), below)
                    )
                }
                1 => {
                    let inner = self.element(true);
                    format!("card({})", self.expr(&Type::Set(Box::new(inner)), below))
                }
                2 => format!("(-{})", self.bracketed(kind, below)),
                _ => {
                    let operator = *self.random.one(&["+", "-", "*", "/", "%"]);
                    let (a, b) = (self.bracketed(kind, below), self.bracketed(kind, below));
                    format!("({a} {operator} {b})")
                }
            },
            Type::Bool => self.boolean(below),
            Type::Char => self.leaf(kind),
            Type::Event => {
                let which = self.random.below(self.channels.len());
                let channel = &self.channels[which];
                let (name, fields) = (channel.name.clone(), channel.fields.clone());
                self.dotted(name, &fields, below)
            }
            Type::Data(number) => {
                let which = self.random.below(self.datatypes[*number].len());
                let constructor = &self.datatypes[*number][which];
                let (name, fields) = (constructor.name.clone(), constructor.fields.clone());
                self.dotted(name, &fields, below)
            }
            Type::Proc => self.process(below),
            Type::Sequence(t) => self.sequence(kind, t, below),
            Type::Set(t) => self.set(kind, t, below),
            Type::Pair(a, b) => format!("({}, {})", self.expr(a, below), self.expr(b, below)),
            Type::Map(k, v) => {
                let (key, value) = (self.expr(k, below), self.expr(v, below));
                let map = self.expr(kind, below);
                match self.random.below(4) {
                    0 => format!("mapUpdate({map}, {key}, {value})"),
                    1 => format!("mapDelete({map}, {key})"),
                    2 => format!("mapFromList(<({key}, {value})>)"),
                    _ => format!("(| {key} => {value} |)"),
                }
            }
        }
    }

    fn bracketed(&mut self, kind: &Type, depth: usize) -> String {
        format!("({})", self.expr(kind, depth))
    }

    /// A type of elements, with equality if asked for.
    fn element(&mut self, equality: bool) -> Type {
        let kind = self.any_type(1);
        if equality && !kind.has_equality() {
            Type::Int
        } else {
            kind
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!("(not {})", self.bracketed(&Type::Bool, depth)),
            1 => {
                let operator = *self.random.one(&["and", "or"]);
                let (a, b) = (
                    self.bracketed(&Type::Bool, depth),
                    self.bracketed(&Type::Bool, depth),
                );
                format!("({a} {operator} {b})")
            }
            2 => {
                let kind = self.element(true);
                let set = self.expr(&Type::Set(Box::new(kind.clone())), depth);
                format!("member({}, {set})", self.expr(&kind, depth))
            }
            3 => {
                let kind = self.element(true);
                let operator = *self.random.one(&["==", "!="]);
                let (a, b) = (self.bracketed(&kind, depth), self.bracketed(&kind, depth));
                format!("({a} {operator} {b})")
            }
            4 => {
                let kind = self.any_type(1);
                let kind = if kind.has_order() { kind } else { Type::Int };
                let operator = *self.random.one(&["<", "<=", "(>)", ">="]);
                let (a, b) = (self.bracketed(&kind, depth), self.bracketed(&kind, depth));
                match operator {
                    "(>)" => format!("({a} > {b})"),
                    _ => format!("({a} {operator} {b})"),
                }
            }
            _ => {
                let kind = self.any_type(1);
                format!(
                    "null({})",
                    self.expr(&Type::Sequence(Box::new(kind)), depth)
                )
            }
        }
    }

    /// Statements that draw values and conditions on them; their variables are in scope afterwards.
    fn statements(&mut self, depth: usize, from_sets: bool) -> String {
        let mut statements = Vec::new();
        for _ in 0..=self.random.below(2) {
            let kind = self.any_type(0);
            let source = match from_sets {
                true => self.expr(&Type::Set(Box::new(kind.clone())), depth),
                false => self.expr(&Type::Sequence(Box::new(kind.clone())), depth),
            };
            let depth = self.random.below(2);
            let pattern = self.pattern(&kind, depth);
            statements.push(format!("{pattern} <- {source}"));
        }
        if self.random.once_in(3) {
            statements.push(self.bracketed(&Type::Bool, depth));
        }
        statements.join(", ")
    }

    fn sequence(&mut self, kind: &Type, inner: &Type, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!(
                "({} ^ {})",
                self.bracketed(kind, depth),
                self.bracketed(kind, depth)
            ),
            1 => format!("tail({})", self.expr(kind, depth)),
            2 => format!(
                "concat({})",
                self.expr(&Type::Sequence(Box::new(kind.clone())), depth)
            ),
            3 => {
                let height = self.variables.len();
                let statements = self.statements(depth, false);
                let head = self.bracketed(inner, depth);
                self.variables.truncate(height);
                format!("<{head} | {statements}>")
            }
            4 if *inner == Type::Int => {
                let (a, b) = (self.leaf(inner), self.leaf(inner));
                format!("<{a}..{b}>")
            }
            4 if inner.has_equality() => {
                format!(
                    "seq({})",
                    self.expr(&Type::Set(Box::new(inner.clone())), depth)
                )
            }
            _ => {
                let items: Vec<String> = (0..self.random.below(4))
                    .map(|_| self.bracketed(inner, depth))
                    .collect();
                format!("<{}>", items.join(", "))
            }
        }
    }

    fn set(&mut self, kind: &Type, inner: &Type, depth: usize) -> String {
        match self.random.below(8) {
            0 => {
                let function = *self.random.one(&["union", "inter", "diff"]);
                format!(
                    "{function}({}, {})",
                    self.expr(kind, depth),
                    self.expr(kind, depth)
                )
            }
            1 => {
                let function = *self.random.one(&["Union", "Inter"]);
                format!(
                    "{function}({})",
                    self.expr(&Type::Set(Box::new(kind.clone())), depth)
                )
            }
            2 => format!(
                "set({})",
                self.expr(&Type::Sequence(Box::new(inner.clone())), depth)
            ),
            3 => {
                let height = self.variables.len();
                let statements = self.statements(depth, true);
                let head = self.expr(inner, depth);
                self.variables.truncate(height);
                format!("{{{head} | {statements}}}")
            }
            4 => match inner {
                Type::Int => {
                    let (a, b) = (self.leaf(inner), self.leaf(inner));
                    self.random
                        .one(&[
                            format!("{{{a}..{b}}}"),
                            format!("{{{a}..}}"),
                            "Int".to_owned(),
                        ])
                        .clone()
                }
                Type::Event => match self.random.below(3) {
                    0 => "Events".to_owned(),
                    _ => format!("{{| {} |}}", self.random.one(&self.channels).name),
                },
                Type::Bool => "Bool".to_owned(),
                Type::Data(number) => format!("D{number}"),
                Type::Set(element) => {
                    format!("Set({})", self.expr(&Type::Set(element.clone()), depth))
                }
                Type::Sequence(element) => {
                    format!("Seq({})", self.expr(&Type::Set(element.clone()), depth))
                }
                _ => self.leaf(kind),
            },
            _ => {
                let items: Vec<String> = (0..self.random.below(4))
                    .map(|_| self.expr(inner, depth))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    fn process(&mut self, depth: usize) -> String {
        let events = Type::Set(Box::new(Type::Event));
        match self.random.below(14) {
            0..4 => self.prefix(depth),
            4 => {
                let condition = self.bracketed(&Type::Bool, depth);
                format!("({condition} & {})", self.bracketed(&Type::Proc, depth))
            }
            5 => {
                let function = *self.random.one(&["RUN", "CHAOS"]);
                format!("{function}({})", self.expr(&events, depth))
            }
            6 => {
                let operator = *self.random.one(&["\\", "|\\"]);
                let process = self.bracketed(&Type::Proc, depth);
                format!("({process} {operator} {})", self.expr(&events, depth))
            }
            7 => self.renamed(depth),
            8 | 9 => self.replicated(depth),
            _ => {
                let (p, q) = (
                    self.bracketed(&Type::Proc, depth),
                    self.bracketed(&Type::Proc, depth),
                );
                let (a, b) = (self.expr(&events, depth), self.expr(&events, depth));
                match self.random.below(11) {
                    0 => format!("({p} [] {q})"),
                    1 => format!("({p} |~| {q})"),
                    2 => format!("({p} ; {q})"),
                    3 => format!("({p} ||| {q})"),
                    4 => format!("({p} [| {a} |] {q})"),
                    5 => format!("({p} [ {a} || {b} ] {q})"),
                    6 => format!("({p} [> {q})"),
                    7 => format!("({p} /\\ {q})"),
                    8 => format!("({p} [| {a} |> {q})"),
                    9 => format!("({p} [+ {a} +] {q})"),
                    _ => format!("({p} /+ {a} +\\ {q})"),
                }
            }
        }
    }

    fn prefix(&mut self, depth: usize) -> String {
        let height = self.variables.len();
        let which = self.random.below(self.channels.len());
        let channel = &self.channels[which];
        let (mut text, fields) = (channel.name.clone(), channel.fields.clone());
        for field in &fields {
            match self.random.below(4) {
                0 => text += &format!("!{}", self.bracketed(field, depth)),
                1 => {
                    let set = self.expr(&Type::Set(Box::new(field.clone())), depth);
                    let pattern = self.pattern(field, 0);
                    text += &format!("?{pattern}:({set})");
                }
                _ => {
                    let pattern = self.pattern(field, 1);
                    text += &format!("?({pattern})");
                }
            }
        }
        let body = self.bracketed(&Type::Proc, depth);
        self.variables.truncate(height);
        format!("({text} -> {body})")
    }

    fn renamed(&mut self, depth: usize) -> String {
        let process = self.bracketed(&Type::Proc, depth);
        let (from, to) = (self.leaf(&Type::Event), self.leaf(&Type::Event));
        let which = self.random.below(self.channels.len());
        let name = self.channels[which].name.clone();
        match self.random.below(3) {
            0 => format!("{process}[[{from} <- {to}]]"),
            1 => format!("{process}[[{name} <- {name}]]"),
            _ => {
                let height = self.variables.len();
                let statements = self.statements(depth, true);
                let to = self.expr(&Type::Event, depth);
                self.variables.truncate(height);
                format!("{process}[[{from} <- {to} | {statements}]]")
            }
        }
    }

    fn replicated(&mut self, depth: usize) -> String {
        let events = Type::Set(Box::new(Type::Event));
        let set = self.expr(&events, depth);
        let height = self.variables.len();
        let which = self.random.below(7);
        let statements = self.statements(depth, which != 6);
        let operator = match which {
            0 => "[]".to_owned(),
            1 => "|~|".to_owned(),
            2 => "|||".to_owned(),
            3 => format!("[| {set} |]"),
            4 => format!("[+ {set} +]"),
            5 => {
                let alphabet = self.expr(&events, depth);
                let body = self.bracketed(&Type::Proc, depth);
                self.variables.truncate(height);
                return format!("(|| {statements} @ [{alphabet}] {body})");
            }
            _ => ";".to_owned(),
        };
        let body = self.bracketed(&Type::Proc, depth);
        self.variables.truncate(height);
        format!("({operator} {statements} @ {body})")
    }
}
