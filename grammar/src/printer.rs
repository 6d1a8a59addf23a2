//! Prints trees as text that parses back to the same tree, up to spans and brackets.
//!
//! Brackets of the source are printed as they were; where the tree has none but the strengths of the operators need
//! them, they are put in. Declarations take one line each, except that `let`, modules and timed sections are laid out
//! over several. An include directive is printed as such, not what it brought in.

mod expression;
mod pattern;
mod types;

use crate::syntax::{
    Assertion, Claim, Constructor, Decl, DeclKind, Expr, Ident, Model, PartialOrder, Pattern,
    Property, Script, Type,
};

/// The text of a script.
#[must_use]
pub fn print_script(script: &Script) -> String {
    let mut printer = Printer::default();
    printer.decls(&script.decls);
    printer.text
}

/// The text of a script with brackets around every operand that is not a name, a literal or closed by itself: how
/// it was read.
#[must_use]
pub fn print_bracketed(script: &Script) -> String {
    let mut printer = Printer {
        all_brackets: true,
        ..Printer::default()
    };
    printer.decls(&script.decls);
    printer.text
}

/// The text of a declaration, without a line end.
#[must_use]
pub fn print_declaration(decl: &Decl) -> String {
    let mut printer = Printer::default();
    printer.decl(decl);
    printer.text
}

/// The text of an expression.
#[must_use]
pub fn print_expression(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.whole(expr);
    printer.text
}

/// The text of a pattern.
#[must_use]
pub fn print_pattern(pattern: &Pattern) -> String {
    let mut printer = Printer::default();
    printer.pattern(pattern, 0);
    printer.text
}

/// The text of a type.
#[must_use]
pub fn print_type(written: &Type) -> String {
    let mut printer = Printer::default();
    printer.r#type(written);
    printer.text
}

/// The name of a model as assertions write it.
#[must_use]
pub fn model_name(model: Model) -> &'static str {
    match model {
        Model::T => "T",
        Model::F => "F",
        Model::FD => "FD",
        Model::V => "V",
        Model::VD => "VD",
        Model::R => "R",
        Model::RD => "RD",
    }
}

#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
    /// A sequence is open in the present bracket, so that a bare `>` would close it.
    in_sequence: bool,
    /// Operands have brackets even where they need none.
    all_brackets: bool,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
    }

    /// Prints something between brackets, with a space where the opening bracket would swallow what follows.
    fn bracketed(&mut self, open: &str, close: &str, contents: impl FnOnce(&mut Self)) {
        self.put(open);
        let start = self.text.len();
        let outer = std::mem::replace(&mut self.in_sequence, open == "<");
        contents(self);
        self.in_sequence = outer;
        if open != "(" && self.text[start..].starts_with(['-', '|', '[', ']', '>', '=', '+', '~']) {
            self.text.insert(start, ' ');
        }
        self.put(close);
    }

    fn separated<T>(&mut self, items: &[T], between: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(between);
            }
            print(self, item);
        }
    }

    fn names(&mut self, names: &[Ident]) {
        self.separated(names, ", ", |printer, name| printer.put(&name.text));
    }

    fn decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.decl(decl);
            self.new_line();
        }
    }

    /// Declarations one step further in, each on a line of its own.
    fn block(&mut self, decls: &[Decl]) {
        self.indent += 1;
        for decl in decls {
            self.new_line();
            self.decl(decl);
        }
        self.indent -= 1;
    }

    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Bind { pattern, value } => {
                self.pattern(pattern, 0);
                self.put(" = ");
                self.whole(value);
            }
            DeclKind::Clause {
                name,
                parameters,
                body,
            } => {
                self.put(&name.text);
                for list in parameters {
                    self.bracketed("(", ")", |printer| printer.patterns(list));
                }
                self.put(" = ");
                self.whole(body);
            }
            DeclKind::Annotation { names, scheme } => {
                self.names(names);
                self.put(" :: ");
                self.scheme(scheme);
            }
            DeclKind::Channel { names, fields } => {
                self.put("channel ");
                self.names(names);
                if let Some(fields) = fields {
                    self.put(" : ");
                    self.whole(fields);
                }
            }
            DeclKind::Datatype { name, constructors } => {
                self.constructors("datatype", name, constructors);
            }
            DeclKind::Subtype { name, constructors } => {
                self.constructors("subtype", name, constructors);
            }
            DeclKind::Nametype { name, value } => {
                self.put("nametype ");
                self.put(&name.text);
                self.put(" = ");
                self.whole(value);
            }
            DeclKind::External(names) => {
                self.put("external ");
                self.names(names);
            }
            DeclKind::Transparent(names) => {
                self.put("transparent ");
                self.names(names);
            }
            DeclKind::Assert(assertion) => self.assertion(assertion),
            DeclKind::Print(expr) => {
                self.put("print ");
                self.whole(expr);
            }
            DeclKind::Include { path, .. } => {
                self.put("include \"");
                self.put(path);
                self.put("\"");
            }
            DeclKind::Error(_) => self.put("{- unreadable -}"),
            DeclKind::Module { .. } | DeclKind::Instance { .. } | DeclKind::Timed { .. } => {
                self.large(&decl.kind);
            }
        }
    }

    /// Modules, instances and timed sections.
    fn large(&mut self, kind: &DeclKind) {
        match kind {
            DeclKind::Module {
                name,
                parameters,
                private,
                exported,
            } => {
                self.put("module ");
                self.put(&name.text);
                if !parameters.is_empty() {
                    self.bracketed("(", ")", |printer| printer.patterns(parameters));
                }
                self.block(private);
                self.new_line();
                self.put("exports");
                self.block(exported);
                self.new_line();
                self.put("endmodule");
            }
            DeclKind::Instance {
                name,
                module,
                arguments,
            } => {
                self.put("instance ");
                self.put(&name.text);
                self.put(" = ");
                self.qualified(module);
                if !arguments.is_empty() {
                    self.bracketed("(", ")", |printer| printer.expressions(arguments));
                }
            }
            DeclKind::Timed { duration, decls } => {
                self.put("Timed ");
                if let Some(duration) = duration {
                    self.bracketed("(", ") ", |printer| printer.whole(duration));
                }
                self.put("{");
                self.block(decls);
                self.new_line();
                self.put("}");
            }
            _ => {}
        }
    }

    fn constructors(&mut self, keyword: &str, name: &Ident, constructors: &[Constructor]) {
        self.put(keyword);
        self.put(" ");
        self.put(&name.text);
        self.put(" = ");
        self.separated(constructors, " | ", |printer, constructor| {
            printer.qualified(&constructor.name);
            if let Some(fields) = &constructor.fields {
                printer.put(".");
                printer.whole(fields);
            }
        });
    }

    fn assertion(&mut self, assertion: &Assertion) {
        for pragma in &assertion.pragmas {
            self.put("--@ ");
            self.put(&pragma.text);
            self.new_line();
        }
        self.put(if assertion.negated {
            "assert not "
        } else {
            "assert "
        });
        self.claim(&assertion.claim);
        if let Some(set) = &assertion.tau_priority {
            self.put(" :[tau priority over]: ");
            self.whole(set);
        }
        match assertion.partial_order {
            None => {}
            Some(PartialOrder::Hybrid) => self.put(" :[partial order reduce]"),
            Some(PartialOrder::Fast) => self.put(" :[partial order reduce [fast]]"),
            Some(PartialOrder::Precise) => self.put(" :[partial order reduce [precise]]"),
        }
    }

    /// What an assertion begins with: there a bare `not` would deny the whole assertion.
    fn claimed(&mut self, process: &Expr) {
        let start = self.text.len();
        self.whole(process);
        if self.text[start..].starts_with("not ") {
            self.text.insert(start, '(');
            self.put(")");
        }
    }

    fn claim(&mut self, claim: &Claim) {
        let option = |model: &Option<Model>| {
            model.map_or(String::new(), |model| format!(" [{}]", model_name(model)))
        };
        match claim {
            Claim::Refines {
                specification,
                model,
                implementation,
            } => {
                self.claimed(specification);
                self.put(&format!(" [{}= ", model_name(*model)));
                self.whole(implementation);
            }
            Claim::Property {
                process,
                property,
                model,
            } => {
                let words = match property {
                    Property::DeadlockFree => "deadlock free",
                    Property::DivergenceFree => "divergence free",
                    Property::Deterministic => "deterministic",
                };
                self.claimed(process);
                self.put(&format!(" :[{words}{}]", option(model)));
            }
            Claim::HasTrace {
                process,
                model,
                trace,
            } => {
                self.claimed(process);
                self.put(&format!(" :[has trace{}]: ", option(model)));
                self.whole(trace);
            }
        }
    }
}
