//! Functions on sequences.

use super::super::Evaluator;
use super::super::code::CodeId;
use super::super::messages::{self, Failure};
use super::super::sequence::Sequence;
use super::super::value::Value;
use crate::hir::Builtin;

impl Evaluator {
    pub(super) fn call_sequence_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
        code: CodeId,
    ) -> Option<Result<Value, Failure>> {
        Some(
            match (builtin, arguments) {
                (Builtin::Length, [sequence]) => self.length(sequence, code).map(Value::Int),
                (Builtin::Null, [sequence]) => self
                    .as_sequence(sequence, code)
                    .map(|s| Value::Bool(s.is_empty())),
                (Builtin::Head, [sequence]) => self.split(sequence, "head", code).map(|(h, _)| h),
                (Builtin::Tail, [sequence]) => self.split(sequence, "tail", code).map(|(_, t)| t),
                (Builtin::Concat, [sequences]) => self.concat(sequences, code),
                (Builtin::Elem, [value, sequence]) => self.elem(value, sequence, code),
                _ => return None,
            }
            .and_then(|value| self.force(value)),
        )
    }

    fn split(
        &mut self,
        sequence: &Value,
        function: &str,
        code: CodeId,
    ) -> Result<(Value, Value), Failure> {
        let sequence = self.as_sequence(sequence, code)?;
        sequence
            .split_first()
            .ok_or_else(|| messages::empty_sequence(self.code.span(code), function))
    }

    /// Lazy in all but the first non-empty sequence.
    fn concat(&mut self, sequences: &Value, code: CodeId) -> Result<Value, Failure> {
        let sequences = self.as_sequence(sequences, code)?;
        if matches!(*sequences, Sequence::From(_)) {
            return Err(self.unexpected(code, "sequences", &Value::Sequence(sequences)));
        }
        let mut parts = Vec::new();
        let mut cursor = self.cursor(&sequences);
        while let Some(part) = cursor.next(self)? {
            parts.push(part);
        }
        let mut all = Value::sequence(Vec::new());
        for part in parts.into_iter().rev() {
            all = Sequence::join(part, all);
        }
        Ok(all)
    }

    fn elem(&mut self, value: &Value, sequence: &Value, code: CodeId) -> Result<Value, Failure> {
        let sequence = self.as_sequence(sequence, code)?;
        let wanted = self.canonical(value.clone())?;
        let mut cursor = self.cursor(&sequence);
        while let Some(item) = cursor.next(self)? {
            if self.canonical(item)? == wanted {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }
}
