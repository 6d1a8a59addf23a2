//! Types as scripts write them: `(Int, <a>) -> {a}`, `Int=>Bool=>Event`, `Eq a => (a, {a}) -> Bool`.
//!
//! One printer names the variables of all types it prints, so that those of one message agree.

use super::constraints::Constraints;
use super::types::{Node, TypeId, TypeTable};
use crate::hir::Program;
use ahash::AHashMap;
use std::fmt::Write as _;

/// Types larger than this are cut short, so that no message explodes.
const LARGEST: usize = 400;

/// How tightly the surroundings of a type bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Loose,
    Dotable,
    Dot,
}

/// Prints types of one message or one definition.
pub(super) struct Printer<'a> {
    pub(super) table: &'a mut TypeTable,
    pub(super) program: &'a Program,
    rigid: &'a [String],
    names: AHashMap<TypeId, String>,
    /// Variables with constraints, in the order in which they were met.
    held: Vec<(String, Constraints)>,
    left: usize,
    out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(table: &'a mut TypeTable, program: &'a Program, rigid: &'a [String]) -> Self {
        Self {
            table,
            program,
            rigid,
            names: AHashMap::new(),
            held: Vec::new(),
            left: LARGEST,
            out: String::new(),
        }
    }

    /// The type without its constraints.
    pub(super) fn print(&mut self, id: TypeId) -> String {
        self.left = LARGEST;
        self.write(id, Tightness::Loose);
        std::mem::take(&mut self.out)
    }

    /// The type with the constraints of its variables before it.
    pub(super) fn scheme(mut self, id: TypeId) -> String {
        let body = self.print(id);
        let all: Vec<String> = self
            .held
            .iter()
            .flat_map(|(name, set)| set.essential().map(move |c| format!("{c:?} {name}")))
            .collect();
        match &all[..] {
            [] => body,
            [one] => format!("{one} => {body}"),
            many => format!("({}) => {body}", many.join(", ")),
        }
    }

    fn write(&mut self, id: TypeId, around: Tightness) {
        if self.left == 0 {
            self.out.push('…');
            return;
        }
        self.left -= 1;
        let id = self.table.resolve(id);
        let own = match self.table.node(id) {
            Node::Function(..) => Tightness::Loose,
            Node::Dotable(..) | Node::Extendable(..) => Tightness::Dotable,
            _ => Tightness::Dot,
        };
        // A dotable may stand to the right of another without brackets, see `write_open`.
        let brackets = own < around;
        if brackets {
            self.out.push('(');
        }
        self.write_open(id);
        if brackets {
            self.out.push(')');
        }
    }

    fn write_open(&mut self, id: TypeId) {
        match self.table.node(id) {
            Node::Link(_) => unreachable!("resolved types are not links"),
            Node::Variable(held) | Node::Generic(held) => self.write_variable(id, held),
            Node::Rigid(number, _) => {
                let name = self.rigid.get(number as usize);
                self.out.push_str(name.map_or("?", String::as_str));
            }
            Node::Int => self.out.push_str("Int"),
            Node::Bool => self.out.push_str("Bool"),
            Node::Char => self.out.push_str("Char"),
            Node::Proc => self.out.push_str("Proc"),
            Node::Event => self.out.push_str("Event"),
            Node::Error => self.out.push('?'),
            Node::Nothing => self.out.push_str("()"),
            Node::Datatype(datatype) => {
                let name = self.program.globals.get(datatype.0 as usize);
                self.out.push_str(name.map_or("?", |g| &g.name));
            }
            Node::Sequence(a) => self.enclose("<", a, ">"),
            Node::Set(a) => self.enclose("{", a, "}"),
            Node::Map(a, b) => {
                self.out.push_str("(| ");
                self.write(a, Tightness::Dot);
                self.out.push_str(" => ");
                self.write(b, Tightness::Loose);
                self.out.push_str(" |)");
            }
            Node::Tuple(items) => {
                let items = self.table.items(items);
                self.write_list(&items);
            }
            Node::Function(items, result) => {
                let items = self.table.items(items);
                self.write_list(&items);
                self.out.push_str(" -> ");
                self.write(result, Tightness::Loose);
            }
            Node::Dot(a, b) | Node::Missing(a, b) => {
                self.write(a, Tightness::Dot);
                self.out.push('.');
                self.write(b, Tightness::Dot);
            }
            Node::Dotable(a, b) => {
                self.write(a, Tightness::Dot);
                self.out.push_str("=>");
                self.write(b, Tightness::Dotable);
            }
            Node::Extendable(a, b) => {
                self.write(a, Tightness::Dot);
                self.out.push_str("=>*");
                self.write(b, Tightness::Dotable);
            }
        }
    }

    fn enclose(&mut self, open: &str, id: TypeId, close: &str) {
        self.out.push_str(open);
        self.write(id, Tightness::Loose);
        self.out.push_str(close);
    }

    fn write_list(&mut self, items: &[TypeId]) {
        self.out.push('(');
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self.out.push_str(", ");
            }
            self.write(*item, Tightness::Loose);
        }
        self.out.push(')');
    }

    fn write_variable(&mut self, id: TypeId, held: Constraints) {
        if !self.names.contains_key(&id) {
            let mut name = letter(self.names.len());
            while self.rigid.contains(&name) {
                name.push('\'');
            }
            if held != Constraints::NONE {
                self.held.push((name.clone(), held));
            }
            self.names.insert(id, name);
        }
        let _ = write!(self.out, "{}", self.names[&id]);
    }
}

/// a, b, …, z, a1, b1, …
fn letter(number: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(number % 26).expect("less than 26"));
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
