//! Built-in constants and functions.

mod maps;
mod processes;
mod relations;
mod sequences;
mod sets;

use std::rc::Rc;

use super::Evaluator;
use super::code::CodeId;
use super::messages::{self, Failure};
use super::sets::{Set, Symbolic};
use super::value::{Callee, Environment, Function, Value};
use crate::hir::Builtin;
use crate::process::{Process, ProcessId};

impl Evaluator {
    /// A built-in name that is not applied.
    pub(super) fn builtin_value(
        &mut self,
        builtin: Builtin,
        _code: CodeId,
    ) -> Result<Value, Failure> {
        Ok(match builtin {
            Builtin::True => Value::Bool(true),
            Builtin::False => Value::Bool(false),
            Builtin::Bool => Value::set(Set::from_values(vec![
                Value::Bool(false),
                Value::Bool(true),
            ])),
            Builtin::Int => Value::set(Set::symbolic(Symbolic::Integers)),
            Builtin::Char => Value::set(Set::symbolic(Symbolic::Characters)),
            Builtin::Proc => Value::set(Set::symbolic(Symbolic::Processes)),
            Builtin::Events => Value::set(Set::from_events(self.all_events()?)),
            Builtin::EmptyMap => Value::map(Vec::new()),
            Builtin::Stop => Value::Process(self.intern_head(Process::Stop)),
            Builtin::Skip => Value::Process(self.intern_head(Process::Skip)),
            Builtin::Div => Value::Process(self.intern_head(Process::Div)),
            function => Value::Builtin(function),
        })
    }

    /// Applies a built-in function.
    pub(super) fn call_builtin(
        &mut self,
        builtin: Builtin,
        mut arguments: Vec<Value>,
        code: CodeId,
    ) -> Result<Value, Failure> {
        for argument in &mut arguments {
            *argument = self.force(std::mem::replace(argument, Value::Bool(false)))?;
        }
        match (builtin, arguments.as_slice()) {
            (Builtin::Error, [text]) => {
                let text = self.text_of(text, code)?;
                Err(messages::called(self.code.span(code), &text))
            }
            (Builtin::Show, [value]) => {
                let value = self.canonical(value.clone())?;
                Ok(Value::text(&self.show(&value)))
            }
            (Builtin::Extensions, [value]) => self.extensions(value, code),
            (Builtin::Productions, [value]) => self.productions(value, code).map(Value::Set),
            (Builtin::RelationalImage | Builtin::RelationalInverseImage, [relation]) => {
                self.index_relation(builtin, relation, code)
            }
            _ => match self.call_collection_builtin(builtin, &arguments, code) {
                Some(result) => result,
                None => self.call_process_builtin(builtin, &arguments, code),
            },
        }
    }

    fn call_collection_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        code: CodeId,
    ) -> Option<Result<Value, Failure>> {
        self.call_set_builtin(builtin, arguments, code)
            .or_else(|| self.call_sequence_builtin(builtin, arguments, code))
            .or_else(|| self.call_map_builtin(builtin, arguments, code))
            .or_else(|| self.call_relation_builtin(builtin, arguments, code))
    }

    /// Applies a built-in that had its first arguments before.
    pub(super) fn call_curried_builtin(
        &mut self,
        function: &Rc<Function>,
        arguments: &[Value],
        code: CodeId,
    ) -> Result<Value, Failure> {
        match (function.code, &*function.arguments, arguments) {
            (Callee::Builtin(_), [index], [key]) => self.look_up_relation(index, key.clone()),
            _ => {
                let shown = Value::Function(Rc::clone(function));
                Err(self.unexpected(code, "one argument", &shown))
            }
        }
    }

    /// The characters of a string.
    pub(super) fn text_of(&mut self, value: &Value, code: CodeId) -> Result<String, Failure> {
        let sequence = self.as_sequence(value, code)?;
        let mut cursor = self.cursor(&sequence);
        let mut text = String::new();
        while let Some(item) = cursor.next(self)? {
            match self.force(item)? {
                Value::Char(c) => text.push(c),
                other => return Err(self.unexpected(code, "a character", &other)),
            }
        }
        Ok(text)
    }

    fn as_process(&self, value: &Value, code: CodeId) -> Result<ProcessId, Failure> {
        match value {
            Value::Process(id) => Ok(*id),
            other => Err(self.unexpected(code, "a process", other)),
        }
    }

    fn as_int(&self, value: &Value, code: CodeId) -> Result<i64, Failure> {
        match value {
            Value::Int(i) => Ok(*i),
            other => Err(self.unexpected(code, "an integer", other)),
        }
    }

    fn curried(builtin: Builtin, argument: Value) -> Value {
        Value::Function(Rc::new(Function {
            code: Callee::Builtin(builtin),
            environment: Environment::None,
            arguments: Box::new([argument]),
        }))
    }
}
