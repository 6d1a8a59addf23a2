//! The operands of every operator with their roles, and how scripts write the operator: the one table that walks over
//! process terms use.

use smallvec::{SmallVec, smallvec};

use super::{Process, ProcessId};

/// What an operand does while the operator around it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is live, and the operator stays around it.
    Runs,
    /// It is live, and its first visible event ends the operator or decides for it.
    Resolves,
    /// It has not begun.
    Later,
}

impl Role {
    /// What the operand can do now counts.
    #[must_use]
    pub fn is_live(self) -> bool {
        self != Self::Later
    }
}

/// Operands in the order of the script.
pub type Operands = SmallVec<[(Role, ProcessId); 4]>;

impl Process {
    /// The operands with their roles.
    #[must_use]
    pub fn operands(&self) -> Operands {
        use Role::{Later, Resolves, Runs};
        let all = |role, processes: &[ProcessId]| processes.iter().map(|&p| (role, p)).collect();
        match self {
            Self::Stop
            | Self::Skip
            | Self::Omega
            | Self::Div
            | Self::Run(_)
            | Self::Chaos(_)
            | Self::Buffer(..) => Operands::new(),
            Self::Prefix(branches) => branches.iter().map(|&(_, p)| (Later, p)).collect(),
            Self::Alphabetised(members) => members.iter().map(|&(_, p)| (Runs, p)).collect(),
            Self::Parallel(_, members) => all(Runs, members),
            Self::External(choices) | Self::SyncExternal(_, choices) => all(Resolves, choices),
            Self::Internal(choices) => all(Later, choices),
            Self::Sliding(p, q) => smallvec![(Resolves, *p), (Later, *q)],
            Self::Sequence(p, q) | Self::Exception(p, _, q) => smallvec![(Runs, *p), (Later, *q)],
            Self::Interrupt(p, q) | Self::SyncInterrupt(p, _, q) => {
                smallvec![(Runs, *p), (Resolves, *q)]
            }
            Self::Linked(p, _, q) => smallvec![(Runs, *p), (Runs, *q)],
            Self::Hide(p, _)
            | Self::Project(p, _)
            | Self::Rename(p, _)
            | Self::Loop(p)
            | Self::Compress(_, p)
            | Self::Prioritise(p, _)
            | Self::Watchdog(_, p, ..)
            | Self::Node(p, ..) => smallvec![(Runs, *p)],
        }
    }

    /// How scripts write the operator; empty if it has no operand, or none that a script can name.
    #[must_use]
    pub fn symbol(&self) -> &'static str {
        match self {
            Self::Prefix(_) => "->",
            Self::External(_) => "[]",
            Self::Internal(_) => "|~|",
            Self::Sliding(..) => "[>",
            Self::Sequence(..) => ";",
            Self::Interrupt(..) => "/\\",
            Self::Exception(..) => "[|…|>",
            Self::SyncExternal(..) => "[+…+]",
            Self::SyncInterrupt(..) => "/+…+\\",
            Self::Parallel(set, _) if set.is_empty() => "|||",
            Self::Parallel(..) => "[|…|]",
            Self::Alphabetised(_) => "[…||…]",
            Self::Linked(..) => "[…<->…]",
            Self::Hide(..) => "\\ …",
            Self::Project(..) => "|\\ …",
            Self::Rename(..) => "[[…]]",
            Self::Loop(_) => "loop",
            Self::Compress(kind, _) => kind.name(),
            Self::Prioritise(..) => "prioritise",
            Self::Watchdog(..) => "watchdog",
            Self::Stop
            | Self::Skip
            | Self::Omega
            | Self::Div
            | Self::Run(_)
            | Self::Chaos(_)
            | Self::Buffer(..)
            | Self::Node(..) => "",
        }
    }
}
