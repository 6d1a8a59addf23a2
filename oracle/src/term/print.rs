//! Terms as CSPm text, with a bracket around every operator so that no precedence is relied on.

use std::fmt::{self, Display, Formatter};

use super::{Binary, Constant, Definitions, Links, Many, Term, Unary};
use crate::events::{Event, Events, MOST_EVENTS};

/// A set of events as a script writes it.
pub(super) struct Set(pub(super) Events);

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(Event::name).collect();
        write!(f, "{{{}}}", names.join(","))
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop => f.write_str("STOP"),
            Self::Skip => f.write_str("SKIP"),
            Self::Div => f.write_str("DIV"),
            Self::Run(a) => write!(f, "RUN({})", Set(*a)),
            Self::Chaos(a) => write!(f, "CHAOS({})", Set(*a)),
            Self::Wait(n) => write!(f, "WAIT({n})"),
        }
    }
}

fn unary(f: &mut Formatter<'_>, operator: &Unary, argument: &Term) -> fmt::Result {
    match operator {
        Unary::Prefix(e) => write!(f, "({} -> {argument})", e.name()),
        Unary::Offer(a) => write!(f, "([] x:{} @ x -> {argument})", Set(*a)),
        Unary::Select(a) => write!(f, "(|~| x:{} @ x -> {argument})", Set(*a)),
        Unary::Loop => write!(f, "loop({argument})"),
        Unary::Watch(kind, a, bad) => {
            let (function, bad) = (kind.name(), bad.name());
            write!(f, "{function}({argument}, {}, {bad})", Set(*a))
        }
        Unary::Hide(a) => write!(f, "({argument} \\ {})", Set(*a)),
        Unary::Project(a) => write!(f, "({argument} |\\ {})", Set(*a)),
        Unary::Compress(c) => write!(f, "{}({argument})", c.name()),
        Unary::Prioritise(order) => write!(f, "{}({argument}, {order})", order.function()),
        Unary::TimedPriority => write!(f, "timed_priority({argument})"),
        Unary::Rename(r) => {
            let mut pairs = Vec::new();
            for from in (0..MOST_EVENTS).map(Event) {
                let image = r.image(from);
                if image != Events::one(from) {
                    let pair = |to: Event| format!("{} <- {}", from.name(), to.name());
                    pairs.extend(image.iter().map(pair));
                }
            }
            if pairs.is_empty() {
                write!(f, "{argument}")
            } else {
                write!(f, "({argument}[[{}]])", pairs.join(", "))
            }
        }
    }
}

fn pairs_of(links: &Links) -> String {
    let pair = |(l, r): (Event, Event)| format!("{} <-> {}", l.name(), r.name());
    links.iter().map(pair).collect::<Vec<_>>().join(", ")
}

/// `0,1,2`: the places of the arguments, as a sequence.
fn places(arguments: &[Term]) -> String {
    let places: Vec<String> = (0..arguments.len()).map(|i| i.to_string()).collect();
    places.join(",")
}

fn binary(f: &mut Formatter<'_>, operator: &Binary, p: &Term, q: &Term) -> fmt::Result {
    match operator {
        Binary::External => write!(f, "({p} [] {q})"),
        Binary::Internal => write!(f, "({p} |~| {q})"),
        Binary::Sliding => write!(f, "({p} [> {q})"),
        Binary::Sequence => write!(f, "({p} ; {q})"),
        Binary::Interrupt => write!(f, "({p} /\\ {q})"),
        Binary::Exception(a) => write!(f, "({p} [|{}|> {q})", Set(*a)),
        Binary::SyncExternal(a) => write!(f, "({p} [+{}+] {q})", Set(*a)),
        Binary::SyncInterrupt(a) => write!(f, "({p} /+{}+\\ {q})", Set(*a)),
        Binary::Interleave => write!(f, "({p} ||| {q})"),
        Binary::Parallel(a) => write!(f, "({p} [|{}|] {q})", Set(*a)),
        Binary::Alphabetised(a, b) => write!(f, "({p} [{} || {}] {q})", Set(*a), Set(*b)),
        Binary::Linked(links) => write!(f, "({p} [{}] {q})", pairs_of(links)),
    }
}

/// `if i == 0 then … else …`: the arguments of a replicated operator, told apart by `i`.
fn chosen<T: Display>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = all.into_iter().map(|t| t.to_string()).collect();
    let Some((last, others)) = all.split_last() else {
        return "STOP".to_owned();
    };
    let mut text = String::new();
    for (i, other) in others.iter().enumerate() {
        text += &format!("if i == {i} then {other} else ");
    }
    text + last
}

fn many(f: &mut Formatter<'_>, operator: &Many, arguments: &[Term]) -> fmt::Result {
    let indexes = if arguments.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{0..{}}}", arguments.len() - 1)
    };
    let body = chosen(arguments);
    match operator {
        Many::External => write!(f, "([] i:{indexes} @ ({body}))"),
        Many::Internal => write!(f, "(|~| i:{indexes} @ ({body}))"),
        Many::Interleave => write!(f, "(||| i:{indexes} @ ({body}))"),
        Many::Parallel(a) => write!(f, "([|{}|] i:{indexes} @ ({body}))", Set(*a)),
        Many::SyncExternal(a) => write!(f, "([+{}+] i:{indexes} @ ({body}))", Set(*a)),
        Many::Sequence => write!(f, "(; i:<{}> @ ({body}))", places(arguments)),
        Many::Linked(links) => {
            write!(
                f,
                "([{}] i:<{}> @ ({body}))",
                pairs_of(links),
                places(arguments)
            )
        }
        Many::Alphabetised(alphabets) => {
            let sets = if alphabets.is_empty() {
                "{}".to_owned()
            } else {
                chosen(alphabets.iter().map(|a| Set(*a)))
            };
            write!(f, "(|| i:{indexes} @ [{sets}] ({body}))")
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(c) => write!(f, "{c}"),
            Self::Name(n) => write!(f, "P{n}"),
            Self::Unary(op, p) => unary(f, op, p),
            Self::Binary(op, p, q) => binary(f, op, p, q),
            Self::Many(op, ps) => many(f, op, ps),
        }
    }
}

impl Display for Definitions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = (0..self.events).map(|e| Event(e).name()).collect();
        writeln!(f, "channel {}", names.join(", "))?;
        for (i, body) in self.bodies.iter().enumerate() {
            writeln!(f, "P{i} = {body}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::events::{Event, Events};
    use crate::term::{Binary, Many, Renaming, Term, Unary};

    #[test]
    fn every_operator_is_bracketed() {
        let a = Term::unary(Unary::Prefix(Event(0)), Term::SKIP);
        let both = Term::binary(Binary::Exception(Events(3)), a.clone(), Term::Name(2));
        assert_eq!(both.to_string(), "((a -> SKIP) [|{a,b}|> P2)");
        let mut renaming = Renaming::identity();
        renaming.0[0] = Events(3);
        let renamed = Term::unary(Unary::Rename(renaming), a);
        assert_eq!(renamed.to_string(), "((a -> SKIP)[[a <- a, a <- b]])");
        let many = Term::Many(
            Many::Alphabetised(vec![Events(1), Events(2)]),
            vec![Term::STOP, Term::SKIP],
        );
        assert_eq!(
            many.to_string(),
            "(|| i:{0..1} @ [if i == 0 then {a} else {b}] (if i == 0 then STOP else SKIP))"
        );
    }
}
