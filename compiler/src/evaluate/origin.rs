//! What a process is made of: two processes are the same exactly if they are made of the same.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use indexmap::Equivalent;

use super::code::{FunctionId, UnitId};
use super::value::{Value, hash_all, mix};
use crate::hir::GlobalId;
use crate::process::Process;

/// The identity of a process. All values are canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An expression and the values of its free variables.
    Suspended(UnitId, Rc<[Value]>),
    /// A global function and all its arguments.
    Call(FunctionId, Rc<[Value]>),
    /// Another function and all its arguments.
    Apply(Value, Rc<[Value]>),
    /// A constant of the script.
    Constant(GlobalId),
    /// A constant of a group.
    Member(Value, u32),
    /// An operator.
    Head(Rc<Process>),
    /// `tock -> TSTOP`.
    TimedStop(GlobalId),
    /// `tock -> TSKIP [] SKIP`.
    TimedSkip(GlobalId),
}

/// The same as an origin, to look it up before anything is allocated.
pub(super) enum Wanted<'a> {
    Suspended(UnitId, &'a [Value]),
    Call(FunctionId, &'a [Value]),
}

impl Wanted<'_> {
    pub(super) fn to_origin(&self) -> Origin {
        match self {
            Self::Suspended(unit, values) => Origin::Suspended(*unit, (*values).into()),
            Self::Call(function, values) => Origin::Call(*function, (*values).into()),
        }
    }
}

fn hash_with(kind: u64, number: u32, values: &[Value]) -> u64 {
    hash_all(mix(kind, u64::from(number)), values)
}

impl Hash for Wanted<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(match self {
            Self::Suspended(unit, values) => hash_with(1, unit.0, values),
            Self::Call(function, values) => hash_with(2, function.0, values),
        });
    }
}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(match self {
            Self::Suspended(unit, values) => hash_with(1, unit.0, values),
            Self::Call(function, values) => hash_with(2, function.0, values),
            Self::Apply(function, values) => hash_all(function.structural_hash(), values),
            Self::Constant(id) => mix(3, u64::from(id.0)),
            Self::Member(group, place) => mix(group.structural_hash(), u64::from(*place)),
            Self::Head(head) => return head.hash(state),
            Self::TimedStop(tock) => mix(4, u64::from(tock.0)),
            Self::TimedSkip(tock) => mix(5, u64::from(tock.0)),
        });
    }
}

impl Equivalent<Origin> for Wanted<'_> {
    fn equivalent(&self, origin: &Origin) -> bool {
        match (self, origin) {
            (Self::Suspended(unit, wanted), Origin::Suspended(found, values)) => {
                unit == found && **wanted == **values
            }
            (Self::Call(function, wanted), Origin::Call(found, values)) => {
                function == found && **wanted == **values
            }
            _ => false,
        }
    }
}
