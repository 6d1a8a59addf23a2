//! Values in the notation of scripts.

use std::fmt::Write as _;
use std::rc::Rc;

use super::Evaluator;
use super::origin::Origin;
use super::sequence::Sequence;
use super::sets::{Set, SetKind, Symbolic};
use super::value::{Callee, Environment, Value};
use crate::process::{Process, ProcessId};

/// Values are cut after this many bytes of text: one that shares parts can be far longer than what it
/// takes in memory.
const LONGEST: usize = 16 << 20;

/// Ranges with more integers than this are not written out.
const LONGEST_RANGE: u64 = 1000;

/// Writes until a limit of characters is reached.
struct Writer<'a> {
    evaluator: &'a Evaluator,
    out: String,
    limit: usize,
}

impl Evaluator {
    /// The value as a script would write it.
    #[must_use]
    pub fn show(&self, value: &Value) -> String {
        let shown = self.show_within(value, LONGEST);
        if shown.len() > LONGEST {
            return shown + " (cut: it is longer than 16 MiB)";
        }
        shown
    }

    /// The same, cut off where it gets long.
    pub(super) fn abbreviate(&self, value: &Value) -> String {
        self.show_within(value, 60)
    }

    fn show_within(&self, value: &Value, limit: usize) -> String {
        let mut writer = Writer {
            evaluator: self,
            out: String::new(),
            limit,
        };
        writer.value(value);
        writer.out
    }

    /// Arguments in their brackets.
    pub(super) fn show_arguments(&self, arities: &[u32], arguments: &[Value]) -> String {
        let (mut out, mut rest) = (String::new(), arguments);
        for &arity in arities {
            let (list, later) = rest.split_at((arity as usize).min(rest.len()));
            rest = later;
            let shown: Vec<String> = list.iter().map(|v| self.abbreviate(v)).collect();
            let _ = write!(out, "({})", shown.join(", "));
        }
        out
    }

    pub(super) fn describe_process(&self, process: ProcessId) -> String {
        match self.origin(process) {
            Origin::Suspended(unit, _) => self
                .code
                .titles
                .get(unit)
                .cloned()
                .unwrap_or_else(|| "…".to_owned()),
            Origin::Call(id, arguments) => {
                let code = self.code.function(*id);
                let arguments = self.show_arguments(&code.arities, arguments);
                format!("{}{arguments}", code.name)
            }
            Origin::Apply(Value::Function(function), arguments) => match function.code {
                Callee::Code(id) => {
                    let code = self.code.function(id);
                    let arguments = self.show_arguments(&code.arities, arguments);
                    format!("{}{arguments}", code.name)
                }
                Callee::Builtin(builtin) => builtin.name().to_owned(),
            },
            Origin::Constant(id) => self.tag_name(*id).to_owned(),
            Origin::Member(Value::Group(group), place) => {
                self.code.groups[group.id.0 as usize].names[*place as usize].to_string()
            }
            Origin::Apply(..) | Origin::Member(..) => "…".to_owned(),
            Origin::Head(head) => self.describe_head(head),
            Origin::TimedStop(_) => "STOP".to_owned(),
            Origin::TimedSkip(_) => "SKIP".to_owned(),
        }
    }

    fn describe_head(&self, head: &Process) -> String {
        let name = |p: &ProcessId| match self.origin(*p) {
            Origin::Head(_) => "…".to_owned(),
            _ => self.describe_process(*p),
        };
        match head {
            Process::Stop => "STOP".to_owned(),
            Process::Skip => "SKIP".to_owned(),
            Process::Omega => "Ω".to_owned(),
            Process::Div => "DIV".to_owned(),
            Process::Run(set) => format!("RUN({})", self.describe_events(set)),
            Process::Chaos(set) => format!("CHAOS({})", self.describe_events(set)),
            Process::Prefix(branches) => match &**branches {
                [(events, target)] => {
                    format!("{} -> {}", self.describe_events(events), name(target))
                }
                _ => "… -> …".to_owned(),
            },
            Process::External(_) => "… [] …".to_owned(),
            Process::Internal(_) => "… |~| …".to_owned(),
            Process::Sliding(p, q) => format!("{} [> {}", name(p), name(q)),
            Process::Sequence(p, q) => format!("{} ; {}", name(p), name(q)),
            Process::Interrupt(p, q) => format!("{} /\\ {}", name(p), name(q)),
            Process::Exception(p, _, q) => format!("{} [|…|> {}", name(p), name(q)),
            Process::SyncExternal(..) => "… [+…+] …".to_owned(),
            Process::SyncInterrupt(p, _, q) => format!("{} /+…+\\ {}", name(p), name(q)),
            Process::Parallel(set, _) if set.is_empty() => "… ||| …".to_owned(),
            Process::Parallel(..) => "… [|…|] …".to_owned(),
            Process::Alphabetised(_) => "… [… || …] …".to_owned(),
            Process::Linked(p, _, q) => format!("{} [… <-> …] {}", name(p), name(q)),
            Process::Hide(p, _) => format!("{} \\ …", name(p)),
            Process::Project(p, _) => format!("{} |\\ …", name(p)),
            Process::Rename(p, _) => format!("{}[[…]]", name(p)),
            Process::Loop(p) => format!("loop({})", name(p)),
            Process::Compress(compression, p) => {
                format!("{}({})", compression.name(), name(p))
            }
            Process::Prioritise(p, _) => format!("prioritise({}, …)", name(p)),
            Process::Watchdog(_, p, ..) => format!("watchdog({}, …)", name(p)),
            Process::Buffer(..) => "BUFFER(…)".to_owned(),
            Process::Node(p, _, state) => format!("{} in state {}", name(p), state.0),
        }
    }

    fn describe_events(&self, events: &csp_lts::EventSet) -> String {
        match events.iter().next() {
            Some(only) if events.len() == 1 => self.events.name(only),
            _ => self.abbreviate(&Value::set(Set::from_events(events.clone()))),
        }
    }
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.limit
    }

    fn separated(&mut self, separator: &str, items: impl Iterator<Item = Value>) {
        for (i, item) in items.enumerate() {
            if i > 0 {
                self.text(separator);
            }
            if self.is_full() {
                self.text("…");
                return;
            }
            self.value(&item);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Int(i) => {
                let _ = write!(self.out, "{i}");
            }
            Value::Bool(b) => {
                let _ = write!(self.out, "{b}");
            }
            Value::Char(c) => {
                let _ = write!(self.out, "'{}'", escaped(*c, '\''));
            }
            Value::Event(event) => self.text(&self.evaluator.events.name(*event)),
            Value::Tag(tag) => self.text(self.evaluator.tag_name(*tag)),
            Value::Process(process) => {
                let shown = self.evaluator.describe_process(*process);
                self.text(&shown);
            }
            Value::Builtin(builtin) => self.text(builtin.name()),
            Value::Tuple(items) => {
                self.text("(");
                self.separated(", ", items.as_slice().iter().cloned());
                self.text(")");
            }
            Value::Dot(dot) => {
                if let Some(head) = dot.head {
                    self.text(self.evaluator.tag_name(head));
                    self.text(".");
                }
                self.separated(".", dot.fields.as_slice().iter().cloned());
            }
            Value::Sequence(sequence) => self.sequence(sequence),
            Value::Set(set) => self.set(set),
            Value::Map(map) => {
                self.text(if map.entries.is_empty() { "(|" } else { "(| " });
                for (i, (key, value)) in map.entries.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    if self.is_full() {
                        self.text("…");
                        break;
                    }
                    self.value(key);
                    self.text(" => ");
                    self.value(value);
                }
                self.text(" |)");
            }
            Value::Function(function) => match function.code {
                Callee::Code(id) => {
                    let code = self.evaluator.code.function(id);
                    let name = Rc::clone(&code.name);
                    match (&function.environment, &*name) {
                        (Environment::Captured(_), _) => self.text("\\ … @ …"),
                        (_, name) => self.text(name),
                    }
                    if !function.arguments.is_empty() {
                        self.text("(");
                        self.separated(", ", function.arguments.iter().cloned());
                        self.text(")");
                    }
                }
                Callee::Builtin(builtin) => {
                    self.text(builtin.name());
                    self.text("(…)");
                }
            },
            Value::Thunk(thunk) => match thunk.known() {
                Some(value) => self.value(&value),
                None => self.text("_"),
            },
            Value::Suffix(start, whole) => self.sequence(&whole.from(*start)),
            Value::Group(_) | Value::Failure(_) => self.text("_"),
        }
    }

    fn sequence(&mut self, sequence: &Rc<Sequence>) {
        if let Some(items) = sequence.as_slice()
            && !items.is_empty()
            && items.iter().all(|v| matches!(v, Value::Char(_)))
        {
            self.text("\"");
            for item in items {
                if let Value::Char(c) = item {
                    self.text(&escaped(*c, '"'));
                }
            }
            self.text("\"");
            return;
        }
        self.text("<");
        let mut rest = Value::Sequence(Rc::clone(sequence));
        let mut first = true;
        loop {
            let Value::Sequence(part) = rest.at_hand() else {
                self.text(", …");
                break;
            };
            if let Sequence::From(from) = &*part {
                let _ = write!(self.out, "{}{from}..", if first { "" } else { ", " });
                break;
            }
            let Some((item, tail)) = part.split_first() else {
                break;
            };
            if !first {
                self.text(", ");
            }
            if self.is_full() {
                self.text("…");
                break;
            }
            self.value(&item);
            (first, rest) = (false, tail);
        }
        self.text(">");
    }

    fn set(&mut self, set: &Set) {
        match set.kind() {
            SetKind::Symbolic(symbolic) => self.symbolic(symbolic),
            SetKind::Range(from, to) if to.abs_diff(*from) >= LONGEST_RANGE => {
                let _ = write!(self.out, "{{{from}..{to}}}");
            }
            SetKind::Events(events) => {
                // Whole channels are shorter by name.
                let whole: Vec<&csp_lts::event::Channel> = self
                    .evaluator
                    .events
                    .channels()
                    .iter()
                    .filter(|c| {
                        (c.met.is_some() || c.size > 1)
                            && events
                                .ranges()
                                .iter()
                                .any(|(from, to)| *from <= c.base && c.base + c.size <= *to)
                    })
                    .collect();
                let covered: u64 = whole.iter().map(|c| u64::from(c.size)).sum();
                if !whole.is_empty() && covered == events.len() as u64 {
                    let names: Vec<&str> = whole.iter().map(|c| c.name.as_str()).collect();
                    let shown = format!("{{|{}|}}", names.join(", "));
                    self.text(&shown);
                } else {
                    self.listed(set);
                }
            }
            _ => self.listed(set),
        }
    }

    fn listed(&mut self, set: &Set) {
        self.text("{");
        if let Some(items) = set.iter() {
            self.separated(", ", items);
        }
        self.text("}");
    }

    fn symbolic(&mut self, symbolic: &Symbolic) {
        match symbolic {
            Symbolic::Integers => self.text("Int"),
            Symbolic::Characters => self.text("Char"),
            Symbolic::Processes => self.text("Proc"),
            Symbolic::From(from) => {
                let _ = write!(self.out, "{{{from}..}}");
            }
            Symbolic::Sequences(base) => self.wrapped("Seq(", std::slice::from_ref(base)),
            Symbolic::Subsets(base) => self.wrapped("Set(", std::slice::from_ref(base)),
            Symbolic::Tuples(parts) => self.wrapped("(", parts),
            Symbolic::Dots(parts) => self.separated(".", parts.iter().cloned()),
            Symbolic::Tagged(tag, parts) => {
                self.text(self.evaluator.tag_name(*tag));
                self.text(".");
                self.separated(".", parts.iter().cloned());
            }
            Symbolic::Maps(keys, values) => {
                self.wrapped("Map(", &[keys.clone(), values.clone()]);
            }
            Symbolic::Datatype(id) => self.text(self.evaluator.tag_name(*id)),
            Symbolic::Union(parts) => {
                self.text("Union(");
                self.wrapped("{", parts);
                self.text(")");
            }
        }
    }

    fn wrapped(&mut self, open: &str, parts: &[Value]) {
        self.text(open);
        self.separated(", ", parts.iter().cloned());
        self.text(if open.ends_with('{') { "}" } else { ")" });
    }
}

fn escaped(c: char, quote: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\\' => "\\\\".to_owned(),
        c if c == quote => format!("\\{c}"),
        c => c.to_string(),
    }
}
