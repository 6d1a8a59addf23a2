//! The model of a described game beside its referee, walked together.
//!
//! Both are deterministic, so that walking pairs of a state and a position and comparing what each offers is
//! trace equivalence, both ways: a move that only one of them has is a difference.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

use csp_checker::NoObserver;
use csp_checker::reference::{Simulator, Successor};
use csp_rules::model::{self, Options};
use csp_rules::moves::Move;
use csp_rules::position::Position;

use super::script_of;
use crate::play::PlayError;
use crate::script::CheckSettings;

/// How far a comparison went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Pairs of a state and a position.
    pub pairs: usize,
    /// Nothing was left.
    pub whole: bool,
}

/// Walks the model and the referee from a position, over at most so many pairs. The error says where they
/// differ.
pub fn compare(start: &Position, most: usize) -> Result<Compared, String> {
    let text = model::model(
        start,
        Options {
            forced: false,
            undealt: false,
        },
    );
    let mut script = script_of(start, text).map_err(|e| e.reason)?;
    if let Some(first) = script.diagnostics().first() {
        return Err(format!("the model is wrong: {}", first.message));
    }
    let process = script.process(&CheckSettings::default(), &NoObserver);
    let process = process.map_err(|error| match error {
        PlayError::Reason(why) => why,
        PlayError::Wrong(wrong) => wrong
            .first()
            .map_or_else(String::new, |d| d.message.clone()),
    })?;
    let simulator = Simulator::new(&process.network);
    let loops = |e: csp_checker::reference::ChaseLoop| {
        format!("what happens by itself never ends: {}", e.0)
    };
    let (state, _) = simulator.initial().map_err(loops)?;
    let mut seen = HashSet::from([(state.clone(), start.key())]);
    let mut queue = VecDeque::from([(state, start.clone(), Vec::<String>::new())]);
    while let Some((state, position, path)) = queue.pop_front() {
        let next = simulator.successors(&state).map_err(loops)?;
        let (goals, moves): (Vec<Successor>, Vec<Successor>) = next
            .into_iter()
            .partition(|s| process.goal.contains(s.steps[0].event));
        if goals.is_empty() == position.is_won() {
            let says = |won: bool| if won { "won" } else { "not won" };
            let (model, referee) = (says(!goals.is_empty()), says(position.is_won()));
            return Err(at(
                &path,
                &format!("the model says {model}, the referee {referee}"),
            ));
        }
        let name = |s: &Successor| process.events.name(s.steps[0].revealed);
        let offered: BTreeSet<String> = moves.iter().map(name).collect();
        let decks = position.rules().decks;
        let legal: BTreeSet<String> = position.moves().iter().map(|m| m.event(decks)).collect();
        if let Some(only) = offered.difference(&legal).next() {
            return Err(at(&path, &format!("only the model has {only}")));
        }
        if let Some(only) = legal.difference(&offered).next() {
            return Err(at(&path, &format!("only the referee has {only}")));
        }
        for successor in moves {
            let event = name(&successor);
            let Some(m) = Move::from_event(&event, decks) else {
                return Err(at(&path, &format!("{event} is no move")));
            };
            let mut after = position.clone();
            after.make(m);
            let pair = (successor.state, after.key());
            if seen.contains(&pair) {
                continue;
            }
            if seen.len() == most {
                return Ok(Compared {
                    pairs: most,
                    whole: false,
                });
            }
            seen.insert(pair.clone());
            let mut path = path.clone();
            path.push(event);
            queue.push_back((pair.0, after, path));
        }
    }
    Ok(Compared {
        pairs: seen.len(),
        whole: true,
    })
}

fn at(path: &[String], what: &str) -> String {
    let path = if path.is_empty() {
        "at the start".to_owned()
    } else {
        format!("after {}", path.join(", "))
    };
    format!("{path}: {what}")
}

/// The smallest pack of at least so many ranks with which a game makes sense, dealt.
pub fn smallest(rules: &csp_rules::Description, fewest: u8, deal: u64) -> Result<Position, String> {
    let mut why = String::new();
    for ranks in fewest..=5 {
        match csp_rules::short::short(rules, ranks) {
            Ok(short) => {
                let numbering = csp_games::deal::layout::Numbering::Ours;
                return csp_rules::deal::deal(&Arc::new(short), numbering, deal);
            }
            Err(reason) => why = reason,
        }
    }
    Err(why)
}
