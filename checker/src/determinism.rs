//! Determinism: after no trace can a process both do and refuse the same event (and, in FD, it never
//! diverges).
//!
//! Following Lazić and Roscoe (Roscoe 1998, ch. 9 and appendix C): pick for every trace one stable
//! state that the process can be in, following τ and choosing among the successors of an event by
//! the order of the rules. These *representatives* form a deterministic process Det(P) that P can
//! behave like. P is deterministic if and only if it refines Det(P): an event that P does and the
//! representative does not is refused by the representative, and one that P refuses is done by it.
//! No subsets are needed, so this is linear in the states of P.
//!
//! Which states represent depends on the order of the rules, and what they mean does not if P is
//! deterministic. So representatives that mean the same are merged, and then a search that finds
//! nothing counts the same states in whatever order the components of P are written. (Where there
//! is a violation, it may be seen as an event too many or as one too few, after different steps.)
//!
//! If some representative would have no stable state to be found by τ, then P diverges there. In FD
//! that decides the matter. In F, where divergence is not looked at, another state after the same
//! trace may still be stable, so P itself is normalised and judged at every node.

use ahash::AHashMap;
use csp_lts::{EventId, EventSet, Network};

use crate::budget::Budget;
use crate::check::plain;
use crate::claim::FailuresModel;
use crate::divergence::DivergenceFree;
use crate::explicate::{PackedStates, Scratch, Stepper, explicate_within, unsupported};
use crate::has_trace::{way_along, way_to_refuse};
use crate::judge::{Node, Offers};
use crate::models::Refinement;
use crate::normal::{Detail, NormalForm, NormalNode, View, minimise, normalise};
use crate::options::Progress;
use crate::outcome::{Counterexample, Evidence, Limit, Outcome, Step};
use crate::replay::Replay;
use crate::search::{Fault, Violation, search};
use crate::termination::Termination;

/// The most representatives that are searched for those that mean the same; it takes more memory
/// than to find them.
const MERGED: usize = 1 << 20;

/// Decides whether the process is deterministic.
pub(crate) fn deterministic(
    process: &Network,
    model: FailuresModel,
    budget: &Budget<'_>,
) -> Result<Outcome, Limit> {
    let view = View {
        detail: Detail::Failures,
        strict: model == FailuresModel::FailuresDivergences,
        termination: Termination::of(budget.options()),
    };
    let replay = Replay::new(process);
    let form = match representatives(process, view.termination, budget)? {
        Some(form) => form,
        None if view.strict => {
            let found = search(
                process,
                &DivergenceFree,
                &budget.remaining(),
                budget.observer(),
            );
            return Ok(Outcome::of(found, |violation| plain(&replay, violation)));
        }
        None => demanding_everything(process, view, budget)?,
    };
    budget.hold(form.bytes());
    let judge = Refinement::new(&form, view);
    let found = search(process, &judge, &budget.remaining(), budget.observer());
    Outcome::try_of(found, |violation| {
        if matches!(violation.fault, Fault::Divergence { .. }) {
            return Ok(plain(&replay, violation));
        }
        let required = form.node(violation.node).acceptances[0].clone();
        explain(
            process,
            &replay,
            violation,
            &required,
            view.termination,
            budget,
        )
    })
}

/// Shows both behaviours: one that does the event and one that refuses it.
fn explain(
    process: &Network,
    replay: &Replay<'_>,
    violation: Violation,
    required: &EventSet,
    termination: Termination,
    budget: &Budget<'_>,
) -> Result<Counterexample, Limit> {
    let (trace, steps, other) = if violation.fault == Fault::Event {
        let trace = replay.path_to_event(&violation.steps).events();
        let other = way_to_refuse(process, &trace, termination, budget)?;
        (trace, violation.steps, other)
    } else {
        let mut trace = replay.path(&violation.steps).events();
        let offered = refused_by(replay, &violation.steps, termination);
        let event = required
            .iter()
            .find(|e| !offered.contains(e))
            .expect("the state does not offer all that is required");
        trace.push(event);
        let steps = way_along(process, &trace, budget)?;
        (trace, steps, violation.steps)
    };
    let event = *trace.last().expect("it ends with the event in question");
    let offered = refused_by(replay, &other, termination);
    assert!(
        replay.path_to_event(&steps).events() == trace
            && replay.path(&other).events() == trace[..trace.len() - 1]
            && !offered.contains(&event),
        "after the same trace the event is done and refused"
    );
    Ok(Counterexample {
        steps,
        evidence: Evidence::Nondeterminism {
            event,
            other,
            offered,
        },
    })
}

/// What is offered at the end of steps that end in a state which can refuse.
fn refused_by(replay: &Replay<'_>, steps: &[Step], termination: Termination) -> Vec<EventId> {
    let offering = replay.offering(&replay.path(steps).state);
    let acceptance = termination.acceptance(offering.offers());
    acceptance.expect("a state that refuses is stable").to_vec()
}

/// The normal form of the process, with every event that is possible demanded of stable states.
fn demanding_everything(
    process: &Network,
    view: View,
    budget: &Budget<'_>,
) -> Result<NormalForm, Limit> {
    let mut form = normalise(&explicate_within(process, budget)?, view, budget)?;
    for node in &mut form.nodes {
        if !node.acceptances.is_empty() {
            node.acceptances = Box::new([node.initials()]);
        }
    }
    Ok(form)
}

/// Det(P) as a normal form; `None` if a representative cannot be found.
fn representatives(
    process: &Network,
    termination: Termination,
    budget: &Budget<'_>,
) -> Result<Option<NormalForm>, Limit> {
    let stepper = Stepper::new(process);
    let mut chosen = PackedStates::new(process);
    // What each representative can do and where that leads, before τ is followed.
    let mut initials: Vec<Vec<(EventId, Vec<u32>)>> = Vec::new();
    let mut entered: AHashMap<Vec<u32>, Node> = AHashMap::new();
    let mut enter = |entry: Vec<u32>,
                     chosen: &mut PackedStates,
                     initials: &mut Vec<Vec<(EventId, Vec<u32>)>>|
     -> Result<Option<Node>, Limit> {
        if let Some(&node) = entered.get(&entry) {
            return Ok(Some(node));
        }
        let Some((state, moves)) = representative(&stepper, &entry, termination, budget)? else {
            return Ok(None);
        };
        let node = chosen.intern(&state);
        if node as usize == initials.len() {
            initials.push(moves);
        }
        entered.insert(entry, node);
        Ok(Some(node))
    };
    let start = stepper.initial().map_err(unsupported)?;
    if enter(start, &mut chosen, &mut initials)?.is_none() {
        return Ok(None);
    }
    let mut nodes: Vec<NormalNode> = Vec::new();
    while nodes.len() < initials.len() {
        let moves = std::mem::take(&mut initials[nodes.len()]);
        let accepted: EventSet = moves.iter().map(|(event, _)| *event).collect();
        let mut steps = Vec::with_capacity(moves.len());
        for (event, entry) in moves {
            match enter(entry, &mut chosen, &mut initials)? {
                Some(node) => steps.push((event.0, event.0 + 1, node)),
                None => return Ok(None),
            }
        }
        nodes.push(NormalNode {
            steps: steps.into(),
            acceptances: Box::new([accepted]),
            divergent: false,
        });
        let states = initials.len() as u64;
        let memory = 2 * chosen.bytes() + states * 128;
        budget.spend(states, memory)?;
        if nodes.len().is_multiple_of(1024) {
            budget.breathe(&Progress {
                states,
                memory,
                ..Progress::default()
            })?;
        }
    }
    let form = NormalForm { nodes };
    if form.nodes.len() > MERGED {
        return Ok(Some(form));
    }
    minimise(&form, budget).map(Some)
}

/// A state and, for each event it accepts, ascending, the first successor.
type Representative = (Vec<u32>, Vec<(EventId, Vec<u32>)>);

/// The first state that can refuse on a depth-first walk along τ.
fn representative(
    stepper: &Stepper<'_>,
    entry: &[u32],
    termination: Termination,
    budget: &Budget<'_>,
) -> Result<Option<Representative>, Limit> {
    /// What a state takes besides its words, on the way and among those seen.
    const OVERHEAD: usize = 64;
    let bytes_each = 2 * (size_of_val(entry) + OVERHEAD);
    let mut seen = ahash::AHashSet::from([entry.to_vec()]);
    let mut stack = vec![entry.to_vec()];
    let mut scratch = Scratch::default();
    while let Some(state) = stack.pop() {
        let mut moves: Vec<(EventId, Vec<u32>)> = Vec::new();
        stepper
            .successors(&state, &mut scratch, |event, next| {
                moves.push((event, next.to_vec()));
            })
            .map_err(unsupported)?;
        budget.spend(seen.len() as u64, (seen.len() * bytes_each) as u64)?;
        budget.work(moves.len() + 1)?;
        // Stable, so that the first successor of each event stays first.
        moves.sort_by_key(|(event, _)| *event);
        let silent = moves.partition_point(|(event, _)| *event == EventId::TAU);
        let visible: Vec<EventId> = {
            let mut events: Vec<EventId> = moves[silent..].iter().map(|(e, _)| *e).collect();
            events.dedup();
            events
        };
        let offers = Offers {
            events: &visible,
            tau: silent > 0,
        };
        if let Some(accepted) = termination.acceptance(offers) {
            moves.dedup_by_key(|(event, _)| *event);
            moves.retain(|(event, _)| accepted.contains(event));
            return Ok(Some((state, moves)));
        }
        for (_, next) in moves.into_iter().take(silent).rev() {
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    Ok(None)
}
