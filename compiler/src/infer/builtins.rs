//! The types of all built-in definitions, as scripts would write them.

use super::constraints::{ALL, Constraints};
use super::types::{Node, TypeId, TypeTable};
use crate::hir::Builtin;
use ahash::AHashMap;

/// The type of a built-in, with its constraints.
pub(super) fn signature(builtin: Builtin) -> &'static str {
    use Builtin as B;
    match builtin {
        B::True | B::False => "Bool",
        B::Bool => "{Bool}",
        B::Int => "{Int}",
        B::Char => "{Char}",
        B::Events => "{Event}",
        B::Proc => "{Proc}",
        B::EmptyMap => "Set a => (| a => b |)",
        B::Union | B::Inter | B::Diff => "Set a => ({a}, {a}) -> {a}",
        B::BigUnion | B::BigInter => "Set a => ({{a}}) -> {a}",
        B::Member => "Eq a => (a, {a}) -> Bool",
        B::Card => "Eq a => ({a}) -> Int",
        B::Empty => "Eq a => ({a}) -> Bool",
        B::SetOf => "Set a => (<a>) -> {a}",
        B::SeqOf => "Eq a => ({a}) -> <a>",
        B::PowerSet => "Set a => ({a}) -> {{a}}",
        B::Sequences => "Set a => ({a}) -> {<a>}",
        B::Length => "(<a>) -> Int",
        B::Null => "(<a>) -> Bool",
        B::Head => "(<a>) -> a",
        B::Tail => "(<a>) -> <a>",
        B::Concat => "(<<a>>) -> <a>",
        B::Elem => "Eq a => (a, <a>) -> Bool",
        B::MapFromList => "Set a => (<(a, b)>) -> (| a => b |)",
        B::MapToList => "Set a => ((| a => b |)) -> <(a, b)>",
        B::MapLookup => "Set a => ((| a => b |), a) -> b",
        B::MapMember => "Set a => ((| a => b |), a) -> Bool",
        B::MapUpdate => "Set a => ((| a => b |), a, b) -> (| a => b |)",
        B::MapUpdateMultiple => "Set a => ((| a => b |), <(a, b)>) -> (| a => b |)",
        B::MapDelete => "Set a => ((| a => b |), a) -> (| a => b |)",
        B::Maps => "(Set a, Set b) => ({a}, {b}) -> {(| a => b |)}",
        B::Extensions => "Yieldable b => (a=>b) -> {a}",
        B::Productions => "Yieldable b => (a=>*b) -> {b}",
        B::Error => "(<Char>) -> a",
        B::Show => "(a) -> <Char>",
        B::Stop | B::Skip | B::Div => "Proc",
        B::Run | B::Chaos => "({Event}) -> Proc",
        B::Buffer => "(Int, {(Event, Event)}) -> Proc",
        B::WeakBuffer => "(Int, Event, {(Event, Event)}) -> Proc",
        B::SignalBuffer => "(Int, Event, Event, {(Event, Event)}) -> Proc",
        B::Transpose => "(Set a, Set b) => ({(a, b)}) -> {(b, a)}",
        B::RelationalImage => "(Eq a, Set b) => ({(a, b)}) -> (a) -> {b}",
        B::RelationalInverseImage => "(Set a, Eq b) => ({(a, b)}) -> (b) -> {a}",
        B::Mtransclose => "Eq a => ({(a, a)}, {a}) -> {(a, a)}",
        B::Wait => "(Int) -> Proc",
        B::Loop
        | B::TimedPriority
        | B::Explicate
        | B::LazyEnumerate
        | B::Sbisim
        | B::Dbisim
        | B::Wbisim
        | B::TauLoopFactor
        | B::Diamond
        | B::Normal
        | B::LazyNorm
        | B::ModelCompress
        | B::Chase
        | B::ChaseNoCache
        | B::Deter => "(Proc) -> Proc",
        B::Prioritise | B::PrioritiseNoCache => "(Proc, <{Event}>) -> Proc",
        B::PrioritisePo => "(Proc, {Event}, {(Event, Event)}, {Event}) -> Proc",
        B::TraceWatchdog | B::FailureWatchdog => "(Proc, {Event}, Event) -> Proc",
    }
}

/// The general type of a built-in.
pub(super) fn builtin_type(table: &mut TypeTable, builtin: Builtin) -> TypeId {
    let text = signature(builtin);
    let (constraints, body) = match text.split_once(" => ") {
        Some((front, body)) if !front.contains('|') => (front, body),
        _ => ("", text),
    };
    let mut reader = Reader {
        table,
        rest: body,
        held: AHashMap::new(),
        variables: AHashMap::new(),
    };
    for demand in constraints.trim_matches(['(', ')']).split(", ") {
        if let Some((constraint, name)) = demand.split_once(' ') {
            let constraint = ALL.into_iter().find(|c| format!("{c:?}") == constraint);
            let constraint = constraint.expect("the table uses the five constraints");
            let set: &mut Constraints = reader.held.entry(name).or_default();
            *set = set.union(Constraints::of(constraint));
        }
    }
    let id = reader.read();
    assert!(reader.rest.is_empty(), "the table is well written: {text}");
    id
}

/// Reads the signatures above.
struct Reader<'t> {
    table: &'t mut TypeTable,
    rest: &'static str,
    held: AHashMap<&'static str, Constraints>,
    variables: AHashMap<&'static str, TypeId>,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else {
            return false;
        };
        self.rest = rest;
        true
    }

    fn read(&mut self) -> TypeId {
        let left = self.read_atom();
        if self.take("=>*") {
            let base = self.read();
            self.table.add(Node::Extendable(left, base))
        } else if self.take("=>") {
            let result = self.read();
            self.table.add(Node::Dotable(left, result))
        } else {
            left
        }
    }

    fn read_atom(&mut self) -> TypeId {
        if self.take("(| ") {
            let key = self.read();
            assert!(self.take(" => "), "a map has keys and values");
            let value = self.read();
            assert!(self.take(" |)"), "a map is closed");
            return self.table.add(Node::Map(key, value));
        }
        if self.take("{") {
            let element = self.read();
            assert!(self.take("}"), "a set is closed");
            return self.table.set(element);
        }
        if self.take("<") {
            let element = self.read();
            assert!(self.take(">"), "a sequence is closed");
            return self.table.sequence(element);
        }
        if self.take("(") {
            let mut items = vec![self.read()];
            while self.take(", ") {
                items.push(self.read());
            }
            assert!(self.take(")"), "a list is closed");
            if self.take(" -> ") {
                let result = self.read();
                return self.table.function(&items, result);
            }
            return self.table.tuple(&items);
        }
        self.read_name()
    }

    fn read_name(&mut self) -> TypeId {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic());
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        match name {
            "Int" => TypeTable::INT,
            "Bool" => TypeTable::BOOL,
            "Char" => TypeTable::CHAR,
            "Proc" => TypeTable::PROC,
            "Event" => TypeTable::EVENT,
            name => {
                let held = self.held.get(name).copied().unwrap_or_default();
                *self
                    .variables
                    .entry(name)
                    .or_insert_with(|| self.table.add(Node::Generic(held)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::Program;
    use crate::infer::print::Printer;

    #[test]
    fn every_signature_prints_as_the_table_writes_it() {
        for builtin in Builtin::ALL {
            let mut table = TypeTable::new();
            let id = builtin_type(&mut table, *builtin);
            let program = Program::default();
            let printed = Printer::new(&mut table, &program, &[]).scheme(id);
            assert_eq!(printed, signature(*builtin), "{builtin:?}");
        }
    }
}
