//! The compressions without limits.

use csp_checker::budget::Budget;
use csp_checker::claim::Model;
use csp_checker::compress::{self, Purpose};
use csp_checker::{Limit, NoObserver, Options};
use csp_lts::{Compression, Lts};

pub(crate) fn unlimited<T>(work: impl FnOnce(&Budget<'_>) -> Result<T, Limit>) -> T {
    work(&Budget::new(&Options::default(), &NoObserver)).expect("there is no limit")
}

/// Compressed for use in one model, where nothing looks at single steps.
pub(crate) fn compress(kind: Compression, model: Model, lts: &Lts) -> Lts {
    let purpose = Purpose {
        model,
        stepwise: false,
    };
    unlimited(|budget| compress::compress(kind, purpose, lts, budget)).lts
}

pub(crate) fn sbisim(lts: &Lts) -> Lts {
    unlimited(|budget| compress::sbisim(lts, budget))
}

pub(crate) fn dbisim(lts: &Lts) -> Lts {
    unlimited(|budget| compress::dbisim(lts, budget))
}

pub(crate) fn wbisim(lts: &Lts) -> Lts {
    unlimited(|budget| compress::wbisim(lts, budget))
}

pub(crate) fn diamond(lts: &Lts) -> Lts {
    unlimited(|budget| compress::diamond(lts, budget))
}
