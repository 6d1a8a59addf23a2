//! `transparent` and `external`: which built-ins they bring into scope.

use csp_grammar::syntax::Ident;

use super::Resolver;
use super::messages;
use super::spelling::{did_you_mean, nearest};
use crate::hir::{Builtin, Import};

/// Which of the two declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportKind {
    Transparent,
    External,
}

/// What a function of older tools is called now.
pub(super) fn modern_name(name: &str) -> Option<Builtin> {
    Some(match name {
        "normalise" | "normalize" | "norm" | "prenormal" | "prenormalise" => Builtin::Normal,
        "lazynormalise" | "lazynormalize" | "lazy_norm" | "lazynormal" => Builtin::LazyNorm,
        "sbsim" | "bisim" | "strong_bisim" | "sb" => Builtin::Sbisim,
        "wbsim" | "weak_bisim" => Builtin::Wbisim,
        "dbsim" | "delay_bisim" => Builtin::Dbisim,
        "compress" | "model_compression" => Builtin::ModelCompress,
        "tauloopfactor" | "tau_loop" | "tlf" => Builtin::TauLoopFactor,
        "enumerate" | "explicit" => Builtin::Explicate,
        "lazy_enumerate" => Builtin::LazyEnumerate,
        _ => return None,
    })
}

impl Resolver<'_> {
    /// The built-in that one name of an import brings in, or nothing after a diagnostic.
    pub(super) fn import(&mut self, name: &Ident, kind: ImportKind) -> Option<Builtin> {
        let Some(&builtin) = self.builtins.get(name.text.as_str()) else {
            let diagnostic = messages::unknown_import(name, import_help(&name.text));
            self.report(diagnostic);
            return None;
        };
        match (builtin.import(), kind) {
            (Import::Either, _)
            | (Import::Transparent, ImportKind::Transparent)
            | (Import::External, ImportKind::External) => {}
            // The function is known all the same: uses of it are not reported again.
            _ => self.report(messages::wrong_import(name, builtin)),
        }
        Some(builtin)
    }
}

fn import_help(name: &str) -> Option<String> {
    if let Some(builtin) = modern_name(name) {
        return Some(format!("it is called `{}` here", builtin.name()));
    }
    let importable = Builtin::ALL
        .iter()
        .filter(|builtin| !matches!(builtin.import(), Import::Always | Import::Timed))
        .map(|builtin| builtin.name());
    did_you_mean(&nearest(name, importable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_explained_and_slips_are_guessed() {
        assert_eq!(
            import_help("normalise").as_deref(),
            Some("it is called `normal` here")
        );
        assert_eq!(
            import_help("dimond").as_deref(),
            Some("did you mean `diamond`?")
        );
        assert_eq!(import_help("something_else"), None);
    }
}
