//! Calls that repeat themselves: `f(n) = f(n)`.
//!
//! What a call comes to depends on the function and its arguments alone, so a chain of calls in tail
//! position that comes back to an earlier call never ends. Calls are compared only where evaluation
//! looks at the interrupt anyway, one in a few thousand: each with one earlier call of its chain, which
//! is exchanged for a later one after 1, 3, 7, … such looks. They are a prime number of calls apart, so
//! they fall on every call of a circle in turn. A circle that is found is followed once more, call by
//! call, for the names. Source: Brent, *An Improved Monte Carlo Factorization Algorithm* (1980).
//!
//! Large and pending arguments are equal only if they are the same in memory, and are not kept alive: a
//! lazy sequence would be held as far as it has been used since.

use std::any::Any;
use std::rc::{Rc, Weak};

use smallvec::SmallVec;

use super::Evaluator;
use super::code::FunctionId;
use super::messages::{self, Failure};
use super::run::POLL;
use super::sets::SetKind;
use super::value::Value;

/// A function, its arguments and what else its body can see.
type Call = (FunctionId, SmallVec<[Seen; 4]>);

/// A value as it is compared.
enum Seen {
    Small(Value),
    Shared(Weak<dyn Any>),
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Small(a), Self::Small(b)) => a == b,
            (Self::Shared(a), Self::Shared(b)) => std::ptr::addr_eq(a.as_ptr(), b.as_ptr()),
            _ => false,
        }
    }
}

/// How many chains inside one another are looked at; then all begin anew.
const CHAINS: usize = 64;

/// How many parts small values may have, those of a call together.
const PARTS: u32 = 64;

/// How many calls of a long circle are named, with a mark for the others.
const NAMES: usize = 6;
const BEFORE_LAST: usize = NAMES - 1;

/// Calls in tail position, one after the other, in a frame that goes on.
struct Chain {
    /// Tells it from other chains, also from earlier ones in the same place.
    mark: u32,
    base: usize,
    earlier: Call,
    /// How many more calls are compared with this one, and how many with the next.
    left: u32,
    next: u32,
    /// The calls from the earlier one on, once that recurs.
    names: Option<Vec<String>>,
}

/// The chains that have been looked at, outermost first. Some may have ended.
#[derive(Default)]
pub(super) struct Chains {
    open: Vec<Chain>,
    marks: u32,
    /// A circle is being followed: every call is looked at.
    naming: bool,
}

impl Chains {
    /// How many calls go by until the next is looked at.
    pub(super) fn pace(&self) -> u32 {
        if self.naming { 1 } else { POLL }
    }

    /// Follows no circle any more.
    pub(super) fn give_up(&mut self) {
        self.naming = false;
        self.open.clear();
    }

    fn begin(&mut self, base: usize, earlier: Call) -> u32 {
        if self.open.len() == CHAINS {
            self.open.clear();
        }
        self.marks = self.marks.wrapping_add(1).max(1);
        self.open.push(Chain {
            mark: self.marks,
            base,
            earlier,
            left: 1,
            next: 3,
            names: None,
        });
        self.marks
    }
}

impl Evaluator {
    /// Looks at a call in tail position whose frame is ready. The mark is its chain's, or 0.
    #[cold]
    #[inline(never)]
    pub(super) fn look_at_call(
        &mut self,
        function: FunctionId,
        base: usize,
        mark: &mut u32,
    ) -> Result<(), Failure> {
        let ended = |chain: &mut Chain| chain.base >= base && chain.mark != *mark;
        while self.chains.open.pop_if(ended).is_some() {}
        let call = self.seen_call(function, base);
        let Some(chain) = self.chains.open.last_mut().filter(|c| c.mark == *mark) else {
            if let Some(call) = call.filter(|_| !self.chains.naming) {
                *mark = self.chains.begin(base, call);
            }
            return Ok(());
        };
        let again = call.as_ref() == Some(&chain.earlier);
        if again || chain.names.is_some() {
            return self.name_call(function, base, again);
        }
        chain.left = chain.left.saturating_sub(1);
        if chain.left == 0
            && let Some(call) = call
        {
            chain.earlier = call;
            (chain.left, chain.next) = (chain.next, chain.next.saturating_mul(2) | 1);
        }
        Ok(())
    }

    /// Notes the name of a call of the innermost chain, which goes round; an error once it is there again.
    fn name_call(&mut self, function: FunctionId, base: usize, again: bool) -> Result<(), Failure> {
        self.chains.naming = true;
        self.countdown = self.chains.pace();
        let name = self.describe_frame(function, base);
        let innermost = self.chains.open.last_mut();
        let names = &mut innermost.expect("a chain goes round").names;
        let names = names.get_or_insert_default();
        if again && !names.is_empty() {
            names.push(name);
            let circle = names.join(" = ");
            self.chains.give_up();
            let span = self.code.function(function).span;
            return Err(messages::depends_on_itself(span, &circle));
        }
        match names.len() {
            NAMES => {}
            BEFORE_LAST => names.push("…".to_owned()),
            _ => names.push(name),
        }
        Ok(())
    }

    /// The call whose frame begins at `base`, if it can be compared.
    fn seen_call(&self, function: FunctionId, base: usize) -> Option<Call> {
        let code = self.code.function(function);
        let arity = code.arity as usize;
        let captures = &self.code.unit(code.unit).captures;
        let captured = captures.iter().map(|&(_, slot)| slot as usize);
        let mut room = PARTS;
        let values = (0..arity + usize::from(code.in_group))
            .chain(captured)
            .map(|slot| seen(&self.stack[base + slot], &mut room))
            .collect::<Option<_>>()?;
        Some((function, values))
    }
}

fn seen(value: &Value, room: &mut u32) -> Option<Seen> {
    if let Some(known) = small(value, room) {
        return Some(Seen::Small(known));
    }
    let shared: Weak<dyn Any> = match value {
        Value::Thunk(thunk) => match thunk.known() {
            Some(known) => return seen(&known, room),
            None => Rc::downgrade(thunk) as _,
        },
        Value::Tuple(items) => Rc::downgrade(items) as _,
        Value::Dot(dot) => Rc::downgrade(dot) as _,
        Value::Sequence(sequence) => Rc::downgrade(sequence) as _,
        Value::Set(set) => Rc::downgrade(set) as _,
        Value::Map(map) => Rc::downgrade(map) as _,
        Value::Function(function) => Rc::downgrade(function) as _,
        Value::Group(group) => Rc::downgrade(group) as _,
        _ => return None,
    };
    Some(Seen::Shared(shared))
}

/// The value, if it can be compared by its parts and has no more of them than there is room for.
fn small(value: &Value, room: &mut u32) -> Option<Value> {
    *room = room.checked_sub(1)?;
    let mut all = |parts: &[Value]| parts.iter().all(|part| small(part, room).is_some());
    let fits = match value {
        Value::Thunk(thunk) => return small(&thunk.known()?, room),
        Value::Int(_)
        | Value::Bool(_)
        | Value::Char(_)
        | Value::Event(_)
        | Value::Tag(_)
        | Value::Process(_)
        | Value::Builtin(_) => true,
        Value::Dot(dot) => all(dot.fields.as_slice()),
        Value::Tuple(items) => items.is_canonical() && all(items.as_slice()),
        Value::Sequence(sequence) => value.is_canonical() && all(sequence.as_slice()?),
        Value::Set(set) => match set.kind() {
            SetKind::Elements(elements) => all(elements),
            SetKind::Range(..) | SetKind::Events(_) => true,
            SetKind::Symbolic(_) => false,
        },
        Value::Group(group) => group.canonical.get() && all(&group.captured.borrow()),
        _ => false,
    };
    fits.then(|| value.clone())
}
