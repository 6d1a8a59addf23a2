//! The beginning of every search: one worker, whole states, direct insertion.

use super::Found;
use super::evidence::{Archive, rebuild};
use super::finds::Finds;
use super::tally::Tally;
use super::team::Team;
use super::tuning::Tuning;
use super::visit::{Context, Worker};
use crate::outcome::Limit;
use crate::store::{Full, Seed};

/// States between two looks at the clock.
pub(crate) const POLL_EVERY: usize = 64;

/// What the beginning of a search came to.
pub(crate) enum Beginning<const N: usize> {
    /// All there is.
    Ended(Found),
    /// Too much for the seed; the last ply of the seed is to be expanded next.
    Grown(Seed<N>, Tally, Finds<N>),
}

impl<const N: usize> Archive<N> for Seed<N> {
    type Reader = ();

    fn reader(&self) {}

    fn pieces(&self, _: u64) -> usize {
        1
    }

    fn read(&self, ply: u64, _: usize, (): &mut (), f: &mut dyn FnMut(&[u64; N])) {
        let ply = usize::try_from(ply).expect("plys of the seed are few");
        self.states()[self.ply(ply)].iter().for_each(f);
    }
}

/// Searches until the end or until the seed is full.
pub(crate) fn begin<const N: usize>(
    context: &Context<'_, N>,
    team: &Team,
    tuning: &Tuning,
) -> Beginning<N> {
    let control = &context.control;
    let mut tally = Tally::default();
    let seed = match context.initial() {
        Ok(initial) => plant(context, tuning, &initial),
        Err(endless) => {
            context.endless(endless);
            Err(Full)
        }
    };
    let Ok(mut seed) = seed else {
        if control.limit().is_none() {
            control.out_of_memory(Full);
        }
        return Beginning::Ended(Found {
            violations: Vec::new(),
            limit: control.limit(),
            statistics: tally.statistics(control, "seed"),
        });
    };
    tally.add_ply(1);
    let mut worker = context.worker();
    loop {
        let children = expand(context, &mut seed, &mut worker);
        tally.followed = context.stubborn.as_ref().map(|_| worker.followed);
        if !tally.end_ply(control, children, worker.transitions, &mut worker.finds) {
            let found = Tally::reports(control, &worker.finds);
            let finds = if found { worker.finds.finds() } else { &[] };
            let (violations, limit) = match rebuild(context, team, &seed, finds) {
                Ok(violations) => {
                    let limit = Tally::limit(control, worker.finds.are_enough());
                    (violations, limit)
                }
                Err(limit) => (Vec::new(), Some(limit)),
            };
            return Beginning::Ended(Found {
                violations,
                limit,
                statistics: tally.statistics(control, "seed"),
            });
        }
        if seed.len() >= tuning.seed_states {
            return Beginning::Grown(seed, tally, worker.finds);
        }
    }
}

fn plant<const N: usize>(
    context: &Context<'_, N>,
    tuning: &Tuning,
    initial: &[u64; N],
) -> Result<Seed<N>, Full> {
    let account = &context.control.account;
    let mut seed = Seed::new(tuning.hash_mask, account)?;
    seed.begin_ply();
    seed.insert(initial, account)?;
    Ok(seed)
}

/// Expands the last ply; how many children were new.
fn expand<const N: usize>(
    context: &Context<'_, N>,
    seed: &mut Seed<N>,
    worker: &mut Worker<N>,
) -> u64 {
    use std::sync::atomic::Ordering::Relaxed;
    let control = &context.control;
    let ply = seed.plys() - 1;
    let range = seed.ply(ply);
    control.ply.store(ply as u64, Relaxed);
    control.frontier.store(range.len() as u64, Relaxed);
    worker.finds.ply = ply as u64;
    seed.begin_ply();
    let before = seed.len();
    for at in range {
        if at % POLL_EVERY == 0 {
            control.states.store(seed.len() as u64, Relaxed);
            control.transitions.store(worker.transitions, Relaxed);
            control.poll();
        }
        if control.is_stopped() {
            break;
        }
        let state = seed.states()[at];
        classify(context, &state, worker);
        context.visit(&state, worker, |_, child| {
            if control.is_closed() {
                return;
            }
            match seed.insert(child, &control.account) {
                Ok(true) if seed.len() as u64 > control.most_states => {
                    control.fill(Limit::States(control.most_states));
                }
                Ok(_) => {}
                Err(full) => control.out_of_memory(full),
            }
        });
    }
    (seed.len() - before) as u64
}

/// Finds out whether a state diverges where its node forbids it.
pub(crate) fn classify<const N: usize>(
    context: &Context<'_, N>,
    state: &[u64; N],
    worker: &mut Worker<N>,
) {
    if let Some(silence) = &context.silence
        && context.judge.forbids_divergence(context.node(state))
    {
        silence.classify(context, state, worker);
    }
}
