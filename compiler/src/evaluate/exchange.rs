//! Two values of a type exchanged wherever events have them.
//!
//! Declarations tell where: a field of a channel or a constructor is of a type if it is declared by the name of
//! the type, or of another that is defined as that. (That a field holds the same numbers says nothing.) The
//! constructors of a datatype are told by themselves, wherever they stand.

use csp_grammar::Diagnostic;
use csp_lts::EventId;
use smallvec::SmallVec;

use super::Evaluator;
use super::declare::{Field, TagKind};
use super::value::Value;
use crate::hir::{Expr, ExprKind, GlobalId, GlobalKind, Program, Var};

/// Definitions that are followed from one name to the next.
const MOST_NAMES: usize = 64;

/// What a field is declared as.
enum Declared {
    /// The type whose values are exchanged.
    Exchanged,
    /// Something else, whose constructors may have fields of the type.
    Other,
}

/// Two values of a type.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// The script.
    pub program: &'a Program,
    /// The type.
    pub of: GlobalId,
    /// The values.
    pub values: (&'a Value, &'a Value),
}

impl Exchange<'_> {
    /// What the fields of a declaration are.
    fn declared(&self, expr: &Expr, names: usize) -> Vec<Declared> {
        match &expr.kind {
            ExprKind::Dot(parts) => {
                let parts = parts.iter();
                parts.flat_map(|part| self.declared(part, names)).collect()
            }
            ExprKind::Var(Var::Global(id)) if *id == self.of => vec![Declared::Exchanged],
            ExprKind::Var(Var::Global(id)) => match &self.program.globals[id.0 as usize].kind {
                GlobalKind::Nametype(of) | GlobalKind::Value(of) if names < MOST_NAMES => {
                    self.declared(of, names + 1)
                }
                _ => vec![Declared::Other],
            },
            _ => vec![Declared::Other],
        }
    }

    /// The other one of the two values.
    fn other(&self, value: &Value) -> Value {
        match self.values {
            (a, b) if value == a => b.clone(),
            (a, b) if value == b => a.clone(),
            _ => value.clone(),
        }
    }

    /// The fields of a channel or constructor with the values exchanged.
    fn fields(&self, head: GlobalId, fields: &[Value]) -> SmallVec<[Value; 2]> {
        let expr = match &self.program.globals[head.0 as usize].kind {
            GlobalKind::Channel { fields } | GlobalKind::Constructor { fields, .. } => fields,
            _ => &None,
        };
        let declared = expr.as_ref().map(|expr| self.declared(expr, 0));
        let declared = declared.filter(|declared| declared.len() == fields.len());
        let exchanged = |(at, value): (usize, &Value)| {
            let declared = declared.as_ref().map(|declared| &declared[at]);
            match declared {
                Some(Declared::Exchanged) => self.other(value),
                _ => self.inside(value),
            }
        };
        fields.iter().enumerate().map(exchanged).collect()
    }

    /// A value with those that stand inside it exchanged.
    fn inside(&self, value: &Value) -> Value {
        match value {
            Value::Tag(_) => self.other(value),
            Value::Dot(dot) => match dot.head {
                Some(head) => Value::dot(dot.head, self.fields(head, dot.fields.as_slice())),
                None => value.clone(),
            },
            _ => value.clone(),
        }
    }
}

impl Evaluator {
    /// The values of a type or of a constant that is a set, if there is an end to them.
    pub fn values_of(&mut self, id: GlobalId) -> Result<Option<Vec<Value>>, Box<Diagnostic>> {
        Ok(match self.constant(id)? {
            Value::Set(set) => set.iter().map(Iterator::collect),
            _ => None,
        })
    }

    /// The event that takes the place of another; the same if the channel has none, and for channels with
    /// an infinite field.
    pub fn exchanged(&mut self, exchange: &Exchange<'_>, event: EventId) -> EventId {
        self.exchanged_fields(exchange, event).unwrap_or(event)
    }

    fn exchanged_fields(&mut self, exchange: &Exchange<'_>, event: EventId) -> Option<EventId> {
        if !event.is_visible() || event.0 >= self.events.end() {
            return None;
        }
        let channel = self.channel_of(event);
        let fields = self.event_fields(event, channel).ok()??;
        let fields = exchange.fields(channel, &fields);
        let tag = self.tag(channel).ok()?;
        let TagKind::Channel { base, strides, .. } = &tag.kind else {
            return None;
        };
        if strides.len() != fields.len() {
            return None;
        }
        let mut image = *base;
        for ((field, stride), value) in tag.fields.iter().zip(strides).zip(&fields) {
            let Field::Finite(digits) = field else {
                return None;
            };
            image += digits.place(value)? * stride;
        }
        Some(EventId(image))
    }
}
