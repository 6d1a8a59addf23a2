//! Channels, datatypes, subtypes and nametypes: their field sets, and the numbering of events.
//!
//! Everything is evaluated when first asked for, so declarations may come in any order. A datatype
//! whose fields lead back to itself is described, not listed.

use std::rc::Rc;

use ahash::AHashMap;
use csp_grammar::{Diagnostic, Span};
use csp_lts::{EventId, EventSet};
use smallvec::SmallVec;

use super::Evaluator;
use super::code::{UnitId, index};
use super::lower::GlobalCode;
use super::messages::{self, Failure};
use super::operations::as_values;
use super::sets::{self, Set, SetKind, Symbolic};
use super::value::Value;
use crate::hir::GlobalId;

/// What is known about a channel or constructor.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) id: GlobalId,
    pub(super) fields: Vec<Field>,
    pub(super) kind: TagKind,
}

#[derive(Debug)]
pub(super) enum TagKind {
    Constructor,
    Channel {
        /// In the event table.
        channel: usize,
        base: u32,
        size: u32,
        /// For each field, how far apart events lie that differ by one in it; empty if some field
        /// is infinite.
        strides: Vec<u32>,
        infinite: bool,
    },
}

/// The set of a field.
#[derive(Clone, Debug)]
pub(super) enum Field {
    Finite(Rc<Digits>),
    Infinite(Rc<Set>),
}

impl Field {
    pub(super) fn set(&self) -> &Rc<Set> {
        match self {
            Self::Finite(digits) => &digits.set,
            Self::Infinite(set) => set,
        }
    }
}

/// The values of a finite field, numbered.
#[derive(Debug)]
pub(super) struct Digits {
    pub(super) set: Rc<Set>,
    pub(super) values: Box<[Value]>,
    places: AHashMap<Value, u32>,
}

impl Digits {
    fn new(set: Rc<Set>) -> Option<Self> {
        let values: Box<[Value]> = set.iter()?.collect();
        let places = match set.kind() {
            SetKind::Range(..) => AHashMap::new(),
            _ => values
                .iter()
                .enumerate()
                .map(|(i, v)| (v.clone(), index(i)))
                .collect(),
        };
        Some(Self {
            set,
            values,
            places,
        })
    }

    /// The number of a value.
    pub(super) fn place(&self, value: &Value) -> Option<u32> {
        match (self.set.kind(), value) {
            (SetKind::Range(from, to), Value::Int(i)) => {
                (from <= i && i <= to).then(|| index((i - from) as usize))
            }
            (SetKind::Range(..), _) => None,
            _ => self.places.get(value).copied(),
        }
    }
}

/// How far the evaluation of a tag has come.
#[derive(Debug, Default)]
pub(super) enum TagState {
    #[default]
    Pending,
    Evaluating,
    Done(Rc<Tag>),
}

impl Evaluator {
    /// Evaluates all channels, datatypes and subtypes, and says what is wrong with them. What a nametype
    /// names is nobody's business until it is used: it may be large.
    pub fn declare(&mut self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for i in 0..self.globals.len() {
            let id = GlobalId(index(i));
            let result = match &self.globals[i] {
                GlobalCode::Channel(_) | GlobalCode::Constructor { .. } => self.tag(id).map(|_| ()),
                GlobalCode::Datatype(_) | GlobalCode::Subtype(_) => {
                    self.global(id, Span::default()).map(|_| ())
                }
                _ => Ok(()),
            };
            if let Err(failure) = result
                && !found.contains(&*failure)
            {
                found.push(*failure);
            }
        }
        found
    }

    /// All events of all channels.
    pub(super) fn all_events(&mut self) -> Result<EventSet, Failure> {
        for i in 0..self.globals.len() {
            if matches!(self.globals[i], GlobalCode::Channel(_)) {
                self.tag(GlobalId(index(i)))?;
            }
        }
        Ok(EventSet::range(EventId::FIRST.0, self.events.end()))
    }

    /// A channel or constructor with its field sets evaluated.
    pub(super) fn tag(&mut self, id: GlobalId) -> Result<Rc<Tag>, Failure> {
        let at = id.0 as usize;
        match &self.tags[at] {
            TagState::Done(tag) => return Ok(Rc::clone(tag)),
            TagState::Evaluating => {
                return Err(messages::depends_on_itself(self.where_now(), ""));
            }
            TagState::Pending => {}
        }
        self.tags[at] = TagState::Evaluating;
        let result = self.evaluate_tag(id);
        self.tags[at] = match &result {
            Ok(tag) => TagState::Done(Rc::clone(tag)),
            Err(_) => TagState::Pending,
        };
        result
    }

    fn evaluate_tag(&mut self, id: GlobalId) -> Result<Rc<Tag>, Failure> {
        let (unit, constructor) = match &self.globals[id.0 as usize] {
            GlobalCode::Channel(fields) => (*fields, false),
            GlobalCode::Constructor { fields, .. } => (*fields, true),
            _ => unreachable!("tags are channels and constructors"),
        };
        let fields = self.fields_of(unit)?;
        let span = self.unit_span(unit);
        let kind = if constructor {
            TagKind::Constructor
        } else {
            self.number_channel(id, &fields, span)?
        };
        Ok(Rc::new(Tag { id, fields, kind }))
    }

    fn unit_span(&self, unit: Option<UnitId>) -> Span {
        unit.map_or(Span::default(), |u| self.code.span(self.code.unit(u).body))
    }

    fn fields_of(&mut self, unit: Option<UnitId>) -> Result<Vec<Field>, Failure> {
        let Some(unit) = unit else {
            return Ok(Vec::new());
        };
        let value = self.run_unit(unit, &[])?;
        let code = self.code.unit(unit).body;
        let set = self.type_set(&value, code)?;
        let span = self.code.span(code);
        let sets = self.field_sets(&set, span)?;
        sets.into_iter().map(|set| self.field(set, span)).collect()
    }

    /// Splits a set of dots into one set for each field.
    fn field_sets(&mut self, set: &Rc<Set>, span: Span) -> Result<Vec<Rc<Set>>, Failure> {
        match set.kind() {
            SetKind::Symbolic(Symbolic::Dots(parts)) => {
                let mut out = Vec::new();
                for part in parts {
                    let Value::Set(part) = part else {
                        return Err(messages::bad_field_set(span, &self.abbreviate(part)));
                    };
                    out.extend(self.field_sets(part, span)?);
                }
                Ok(out)
            }
            SetKind::Elements(elements) => match elements.first() {
                Some(Value::Dot(dot)) if dot.head.is_none() => {
                    self.split_product(elements, dot.fields.as_slice().len(), span)
                }
                _ => Ok(vec![Rc::clone(set)]),
            },
            _ => Ok(vec![Rc::clone(set)]),
        }
    }

    fn split_product(
        &mut self,
        elements: &[Value],
        width: usize,
        span: Span,
    ) -> Result<Vec<Rc<Set>>, Failure> {
        let mut columns = vec![Vec::new(); width];
        for element in elements {
            match element {
                Value::Dot(dot) if dot.head.is_none() && dot.fields.as_slice().len() == width => {
                    for (column, value) in columns.iter_mut().zip(dot.fields.as_slice()) {
                        column.push(value.clone());
                    }
                }
                other => return Err(messages::bad_field_set(span, &self.abbreviate(other))),
            }
        }
        let sets: Vec<Rc<Set>> = columns
            .into_iter()
            .map(|column| Rc::new(Set::from_values(column)))
            .collect();
        let count = sets
            .iter()
            .try_fold(1u64, |n, set| n.checked_mul(set.len()?));
        if count == Some(elements.len() as u64) {
            return Ok(sets);
        }
        let missing: Vec<String> = self
            .product(&sets)?
            .into_iter()
            .flatten()
            .map(|row| Value::dot(None, row))
            .filter(|value| elements.binary_search(value).is_err())
            .take(6)
            .map(|value| self.abbreviate(&value))
            .collect();
        Err(messages::not_a_product(span, &missing))
    }

    fn field(&mut self, set: Rc<Set>, span: Span) -> Result<Field, Failure> {
        if let SetKind::Elements(elements) = set.kind() {
            for element in elements {
                if matches!(element, Value::Tag(_) | Value::Dot(_)) && !self.is_complete(element)? {
                    return Err(messages::bad_field_set(
                        span,
                        &self.abbreviate(&Value::Set(Rc::clone(&set))),
                    ));
                }
            }
        }
        if matches!(set.kind(), SetKind::Events(events) if !self.all_met(events))
            || set.len().is_none()
        {
            return Ok(Field::Infinite(set));
        }
        if set.len().is_some_and(|n| n > sets::MOST_ROWS) {
            return Ok(Field::Infinite(set));
        }
        let key = Value::Set(Rc::clone(&set));
        if let Some(digits) = self.digits.get(&key) {
            return Ok(Field::Finite(Rc::clone(digits)));
        }
        let digits = Rc::new(Digits::new(set).expect("sets with a length can be listed"));
        self.digits.insert(key, Rc::clone(&digits));
        Ok(Field::Finite(digits))
    }

    fn number_channel(
        &mut self,
        id: GlobalId,
        fields: &[Field],
        span: Span,
    ) -> Result<TagKind, Failure> {
        let name = Rc::clone(&self.facts.global_names[id.0 as usize]);
        let finite: Option<Vec<&Rc<Digits>>> = fields
            .iter()
            .map(|field| match field {
                Field::Finite(digits) => Some(digits),
                Field::Infinite(_) => None,
            })
            .collect();
        let base = self.events.end();
        let added = match &finite {
            Some(fields) => {
                let shown = fields
                    .iter()
                    .map(|d| d.values.iter().map(|v| self.show(v)).collect())
                    .collect();
                self.events.add_channel(&name, shown)
            }
            None => self.events.add_infinite_channel(&name),
        };
        let Some(channel) = added else {
            let sizes = finite
                .iter()
                .flatten()
                .map(|digits| digits.values.len() as u128);
            return Err(messages::channel_too_large(span, &name, sizes.product()));
        };
        self.channels.push(id);
        let mut strides = Vec::new();
        if let Some(fields) = &finite {
            let mut stride = 1;
            for digits in fields.iter().rev() {
                strides.push(stride);
                stride *= index(digits.values.len());
            }
            strides.reverse();
        }
        Ok(TagKind::Channel {
            channel,
            base,
            size: self.events.end() - base,
            strides,
            infinite: finite.is_none(),
        })
    }

    /// The value of a global that is not a function or tag.
    #[inline(never)]
    pub(super) fn evaluate_global(&mut self, id: GlobalId) -> Result<Value, Failure> {
        match self.globals[id.0 as usize].clone() {
            GlobalCode::Constant(unit) => self.run_unit(unit, &[]),
            GlobalCode::Datatype(constructors) => self.datatype(id, &constructors),
            GlobalCode::Subtype(clauses) => self.subtype(&clauses),
            GlobalCode::Nametype(unit) => {
                let value = self.run_unit(unit, &[])?;
                let set = self.type_set(&value, self.code.unit(unit).body)?;
                Ok(Value::Set(self.listed_dots(&set)?))
            }
            GlobalCode::Error => Err(messages::in_error(self.where_now())),
            GlobalCode::Function | GlobalCode::Channel(_) | GlobalCode::Constructor { .. } => {
                unreachable!("functions and tags are not constants")
            }
        }
    }

    /// A global is asked for while it is being evaluated: only datatypes can bear that.
    pub(super) fn global_under_way(&mut self, id: GlobalId, span: Span) -> Result<Value, Failure> {
        match &self.globals[id.0 as usize] {
            GlobalCode::Datatype(_) => Ok(Value::set(Set::symbolic(Symbolic::Datatype(id)))),
            _ => {
                let span = if span == Span::default() {
                    self.where_now()
                } else {
                    span
                };
                let circle = self.names_in_a_circle(id).unwrap_or_default();
                Err(messages::depends_on_itself(span, &circle.join(" = ")))
            }
        }
    }

    fn datatype(&mut self, id: GlobalId, constructors: &[GlobalId]) -> Result<Value, Failure> {
        let mut values = Vec::new();
        let described = Value::set(Set::symbolic(Symbolic::Datatype(id)));
        for &constructor in constructors {
            if matches!(self.tags[constructor.0 as usize], TagState::Evaluating) {
                return Ok(described);
            }
            let tag = self.tag(constructor)?;
            let sets: Vec<Rc<Set>> = tag.fields.iter().map(|f| Rc::clone(f.set())).collect();
            match self.product(&sets)? {
                Some(rows) => values.extend(rows.into_iter().map(|row| tagged(constructor, row))),
                None => return Ok(described),
            }
        }
        Ok(Value::set(Set::from_values(values)))
    }

    fn subtype(&mut self, clauses: &[(GlobalId, Option<UnitId>)]) -> Result<Value, Failure> {
        let (mut values, mut described) = (Vec::new(), Vec::new());
        for (constructor, unit) in clauses {
            let tag = self.tag(*constructor)?;
            let given = self.fields_of(*unit)?;
            let span = self.unit_span(*unit);
            if given.len() > tag.fields.len() {
                let name = self.tag_name(*constructor).to_owned();
                return Err(messages::cannot_dot(span, &name, "a further field"));
            }
            let sets: Vec<Rc<Set>> = given
                .iter()
                .chain(&tag.fields[given.len()..])
                .map(|f| Rc::clone(f.set()))
                .collect();
            for (i, (set, whole)) in sets.iter().zip(&tag.fields).enumerate() {
                self.check_within(*constructor, i, set, whole.set(), span)?;
            }
            match self.product(&sets)? {
                Some(rows) => values.extend(rows.into_iter().map(|row| tagged(*constructor, row))),
                None => described.push(Value::set(Set::symbolic(Symbolic::Tagged(
                    *constructor,
                    as_values(&sets),
                )))),
            }
        }
        let listed = Set::from_values(values);
        if described.is_empty() {
            return Ok(Value::set(listed));
        }
        if !listed.is_empty() {
            described.push(Value::set(listed));
        }
        match described.len() {
            1 => Ok(described.remove(0)),
            _ => Ok(Value::set(Set::symbolic(Symbolic::Union(described.into())))),
        }
    }

    fn check_within(
        &mut self,
        tag: GlobalId,
        field: usize,
        part: &Rc<Set>,
        whole: &Rc<Set>,
        span: Span,
    ) -> Result<(), Failure> {
        let Some(items) = part.iter() else {
            return Ok(());
        };
        for item in items {
            if !self.contains(whole, &item) {
                let (value, set) = (
                    self.abbreviate(&item),
                    self.abbreviate(&Value::Set(Rc::clone(whole))),
                );
                let name = self.tag_name(tag);
                return Err(messages::outside(span, &value, field + 1, name, &set));
            }
        }
        Ok(())
    }
}

/// A constructor with all its fields.
fn tagged(tag: GlobalId, fields: SmallVec<[Value; 2]>) -> Value {
    if fields.is_empty() {
        Value::Tag(tag)
    } else {
        Value::dot(Some(tag), fields)
    }
}
