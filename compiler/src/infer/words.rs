//! Types in words, for messages: `a set of events`, `a function of 1 argument ((Int) -> Proc)`. What a word leaves out
//! follows in symbols.

use super::print::Printer;
use super::types::{Node, TypeId};

/// One thing of a type and several of it.
struct Words {
    one: String,
    many: String,
    /// The words leave something out.
    is_vague: bool,
}

impl Words {
    fn of(one: &str, many: &str) -> Self {
        Self {
            one: one.to_owned(),
            many: many.to_owned(),
            is_vague: false,
        }
    }

    fn vague(one: String, many: &str) -> Self {
        Self {
            one,
            many: many.to_owned(),
            is_vague: true,
        }
    }
}

fn counted(n: usize, thing: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{n} {thing}{ending}")
}

impl Printer<'_> {
    /// A thing of this type, in words if there are any, and otherwise by the type.
    pub(super) fn thing(&mut self, id: TypeId) -> String {
        self.in_words(id).unwrap_or_else(|| self.print(id))
    }

    /// Things of two types that differ: in words, if the words differ, too.
    pub(super) fn two_things(&mut self, a: TypeId, b: TypeId) -> Option<(String, String)> {
        if self.words(a)?.one == self.words(b)?.one {
            return None;
        }
        Some((self.in_words(a)?, self.in_words(b)?))
    }

    fn in_words(&mut self, id: TypeId) -> Option<String> {
        let words = self.words(id)?;
        if words.is_vague {
            let symbols = self.print(id);
            return Some(format!("{} ({symbols})", words.one));
        }
        Some(words.one)
    }

    fn words(&mut self, id: TypeId) -> Option<Words> {
        let id = self.table.resolve(id);
        Some(match self.table.node(id) {
            Node::Int => Words::of("a number", "numbers"),
            Node::Bool => Words::of("a truth value", "truth values"),
            Node::Char => Words::of("a character", "characters"),
            Node::Proc => Words::of("a process", "processes"),
            Node::Event => Words::of("an event", "events"),
            Node::Datatype(datatype) => {
                let name = &self.program.globals.get(datatype.0 as usize)?.name;
                Words::of(&format!("a value of {name}"), &format!("values of {name}"))
            }
            Node::Sequence(element) => self.collection("a sequence", "sequences", element),
            Node::Set(element) => self.collection("a set", "sets", element),
            Node::Map(..) => Words::vague("a map".to_owned(), "maps"),
            Node::Tuple(items) => match self.table.items(items).len() {
                2 => Words::vague("a pair".to_owned(), "pairs"),
                n => Words::vague(format!("a tuple of {n}"), "tuples"),
            },
            Node::Function(items, _) => {
                let count = counted(self.table.items(items).len(), "argument");
                Words::vague(format!("a function of {count}"), "functions")
            }
            Node::Dotable(..) => {
                let (arguments, end) = self.table.spread(id);
                let values = match arguments.len() {
                    1 => "value".to_owned(),
                    n => format!("{n} values"),
                };
                match self.table.node(end) {
                    Node::Event => {
                        Words::vague(format!("a channel without its {values}"), "channels")
                    }
                    Node::Datatype(_) => Words::vague(
                        format!("a constructor without its {values}"),
                        "constructors",
                    ),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn collection(&mut self, one: &str, many: &str, element: TypeId) -> Words {
        match self.words(element) {
            Some(of) => Words {
                one: format!("{one} of {}", of.many),
                many: format!("{many} of {}", of.many),
                is_vague: of.is_vague,
            },
            None => Words::vague(one.to_owned(), many),
        }
    }
}
