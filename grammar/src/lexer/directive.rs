//! The texts that may stand in `:[…]` behind an assertion.

use crate::syntax::{Model, PartialOrder, Property};
use crate::token::Directive;

/// The meaning of the text in `:[…]`; spaces and hyphens between words are the same.
pub(super) fn directive(text: &str) -> Option<Directive> {
    let (words, option) = match text.split_once('[') {
        None => (text, None),
        Some((words, rest)) => {
            let (option, after) = rest.split_once(']')?;
            if !after.trim().is_empty() {
                return None;
            }
            (words, Some(option.trim()))
        }
    };
    let words: Vec<&str> = words
        .split(|c: char| c.is_whitespace() || c == '-')
        .filter(|word| !word.is_empty())
        .collect();
    let model = match option {
        None => Some(None),
        Some(name) => self::model(name).map(Some),
    };
    Some(match words.as_slice() {
        ["deadlock", "free"] => Directive::Property(Property::DeadlockFree, model?),
        ["divergence" | "livelock", "free"] => {
            Directive::Property(Property::DivergenceFree, model?)
        }
        ["deterministic"] => Directive::Property(Property::Deterministic, model?),
        ["has", "trace"] => Directive::HasTrace(model?),
        ["tau", "priority"] | ["tau", "priority", "over"] if option.is_none() => {
            Directive::TauPriority
        }
        ["partial", "order", "reduce"] => Directive::PartialOrder(match option {
            None | Some("hybrid") => PartialOrder::Hybrid,
            Some("fast") => PartialOrder::Fast,
            Some("precise") => PartialOrder::Precise,
            Some(_) => return None,
        }),
        _ => return None,
    })
}

fn model(name: &str) -> Option<Model> {
    Some(match name {
        "T" => Model::T,
        "F" => Model::F,
        "FD" => Model::FD,
        "V" => Model::V,
        "VD" => Model::VD,
        "R" => Model::R,
        "RD" => Model::RD,
        _ => return None,
    })
}

/// Whether a word is the name of a model.
pub(crate) fn is_model(word: &str) -> bool {
    model(word).is_some()
}
