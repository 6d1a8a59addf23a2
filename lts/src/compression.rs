//! The functions from machines to machines that scripts can ask for. The compiler asks for them by
//! these names; the checker computes them.

/// Which function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compression {
    /// Tabulate.
    Explicate,
    /// Tabulate (the same machine; FDR does it on demand).
    LazyEnumerate,
    /// Strong bisimulation.
    Sbisim,
    /// Divergence-respecting delay bisimulation.
    Dbisim,
    /// Divergence-respecting weak bisimulation.
    Wbisim,
    /// Collapse τ loops.
    TauLoopFactor,
    /// Diamond elimination.
    Diamond,
    /// Normal form.
    Normal,
    /// Normal form, on demand.
    LazyNorm,
    /// Quotient by equivalence in the model at hand.
    ModelCompress,
    /// One resolution of all nondeterminism.
    Deter,
    /// Follow τ until stable.
    Chase,
}

impl Compression {
    /// Every compression.
    pub const ALL: [Self; 12] = [
        Self::Explicate,
        Self::LazyEnumerate,
        Self::Sbisim,
        Self::Dbisim,
        Self::Wbisim,
        Self::TauLoopFactor,
        Self::Diamond,
        Self::Normal,
        Self::LazyNorm,
        Self::ModelCompress,
        Self::Deter,
        Self::Chase,
    ];

    /// Whether it asks for a smaller machine that means the same.
    #[must_use]
    pub fn shrinks(self) -> bool {
        match self {
            Self::Explicate | Self::LazyEnumerate | Self::Deter | Self::Chase => false,
            Self::Sbisim
            | Self::Dbisim
            | Self::Wbisim
            | Self::TauLoopFactor
            | Self::Diamond
            | Self::Normal
            | Self::LazyNorm
            | Self::ModelCompress => true,
        }
    }

    /// What scripts call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicate => "explicate",
            Self::LazyEnumerate => "lazyenumerate",
            Self::Sbisim => "sbisim",
            Self::Dbisim => "dbisim",
            Self::Wbisim => "wbisim",
            Self::TauLoopFactor => "tau_loop_factor",
            Self::Diamond => "diamond",
            Self::Normal => "normal",
            Self::LazyNorm => "lazynorm",
            Self::ModelCompress => "model_compress",
            Self::Deter => "deter",
            Self::Chase => "chase",
        }
    }
}
