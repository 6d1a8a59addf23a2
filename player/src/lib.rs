//! Playing with hidden facts by means of a solver that has to see everything.
//!
//! Whoever can solve visible states wraps the solver in a [`View`]: guess a state that looks like what
//! was seen, solve a guess, step a guess. [`play`] then plays a game without looking at what is hidden:
//! guesses are solved and their first moves vote, or every move is tried on many guesses. What is true
//! is with the [`Table`], which makes the moves and answers what was seen; the player has no other way to
//! it. Invariant: with the same settings the same game is played, on any number of threads.
//!
//! Sources: Harley, "Solving patience games with hidden information" (2019), for the votes, their
//! settings and the buffer of moves; Bjarnason, Fern, Tadepalli, "Lower bounding Klondike solitaire with
//! Monte-Carlo planning" (2009), for values of moves over guesses; Auer, Cesa-Bianchi, Fischer,
//! "Finite-time analysis of the multiarmed bandit problem" (2002), for which move to try next.
//!
//! ```
//! // Whatever is drawn follows from a seed and from what it is drawn for.
//! let draws = |purpose| csp_player::Random::new(1, &[purpose]).below(1_000_000);
//! assert_eq!(draws(7), draws(7));
//! assert_ne!(draws(7), draws(8));
//! ```

mod audit;
mod best;
mod expectimax;
mod random;
mod settings;
mod vote;

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

pub use audit::{Difference, audit};
pub use expectimax::{Optimum, optimum};
pub use random::Random;
pub use settings::{Method, Settings};

/// What can be known of a game under way without looking at what is hidden, and a solver for guesses.
pub trait View: Sync {
    /// A move by its name.
    type Move: Clone + Eq + Ord + Debug + Send + Sync;
    /// A state in which nothing is hidden.
    type Guess: Clone + Eq + Hash + Send + Sync;

    /// A state that looks like what was seen, each of them as likely as any other; None if none was
    /// found.
    fn guess(&self, random: &mut Random) -> Option<Self::Guess>;

    /// How many facts are unknown. One alone is known too: it is what is left.
    fn unknown(&self) -> usize;

    /// The moves of a state, in a fixed order.
    fn moves(&self, guess: &Self::Guess) -> Vec<Self::Move>;

    /// The state after a move, and what would be revealed by it (0 if nothing is).
    fn after(&self, guess: &Self::Guess, chosen: &Self::Move) -> Option<(Self::Guess, usize)>;

    /// Whether a state is won.
    fn is_won(&self, guess: &Self::Guess) -> bool;

    /// Solves a state with no more effort than this.
    fn solve(&self, guess: &Self::Guess, effort: Effort) -> Line<Self::Move>;
}

/// What a run of the solver may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// States that it may look at.
    pub nodes: u64,
    /// How long it may take, if that is limited.
    pub time: Option<Duration>,
}

impl Effort {
    /// A number of states, in any time.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, time: None }
    }
}

/// What a solver says of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<M> {
    /// These moves win.
    Won(Vec<M>),
    /// No moves do.
    Lost,
    /// The solver gave up.
    Unknown,
}

/// A game under way with everything that is true of it.
pub trait Table {
    /// What the player may know.
    type View: View;

    /// What can be seen now.
    fn view(&self) -> &Self::View;

    /// Makes a move; false if it is not allowed. What it shows is in the view from then on.
    fn play(&mut self, chosen: &<Self::View as View>::Move) -> bool;

    /// Whether the game is won.
    fn is_won(&self) -> bool;

    /// Whether the true state is known to be lost. This ends a game early and decides nothing else.
    fn is_lost(&self, effort: Effort) -> bool;
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Won.
    Won,
    /// The true state could not be won any more.
    Lost,
    /// No guess could be won, or nothing new could be tried.
    GaveUp,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played<M> {
    /// How it ended.
    pub end: End,
    /// The moves, in order.
    pub moves: Vec<M>,
    /// How many of them needed the solver.
    pub decisions: usize,
    /// How often the solver was asked.
    pub runs: u64,
}

/// Plays a game to its end. `watched` is told of every move before it is made, and may stop the game by
/// saying false.
pub fn play<T: Table>(
    table: &mut T,
    settings: &Settings,
    watched: &mut dyn FnMut(&<T::View as View>::Move) -> bool,
) -> Played<<T::View as View>::Move> {
    match settings.method {
        Method::Vote => vote::play(table, settings, watched),
        Method::Best => best::play(table, settings, watched),
    }
}

/// For each move the share of guesses that stay winnable after it, and how many guesses were tried.
#[must_use]
pub fn hint<V: View>(view: &V, settings: &Settings) -> Vec<(V::Move, f64, u64)> {
    best::values(view, settings, 0, &|_| false)
        .into_iter()
        .map(|arm| (arm.chosen.clone(), arm.mean(), arm.tried))
        .collect()
}

/// Calls a function for each number of a range on several threads; the results in order.
fn each<R: Send>(
    threads: usize,
    range: std::ops::Range<u64>,
    work: &(dyn Fn(u64) -> R + Sync),
) -> Vec<R> {
    let threads = u64::try_from(threads.max(1)).unwrap_or(1);
    if threads == 1 {
        return range.map(work).collect();
    }
    let mut results: Vec<(u64, R)> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                let range = range.clone();
                let mine = move || {
                    let numbers = range.skip(usize::try_from(part).unwrap_or(0));
                    let numbers = numbers.step_by(usize::try_from(threads).unwrap_or(1));
                    numbers.map(|n| (n, work(n))).collect::<Vec<_>>()
                };
                let thread = std::thread::Builder::new();
                // Without a thread for it, the part is done here.
                let started = thread.spawn_scoped(scope, mine.clone());
                started.map_err(|_| mine())
            })
            .collect();
        let joined = parts.into_iter().map(|part| match part {
            Err(results) => results,
            Ok(thread) => match thread.join() {
                Ok(results) => results,
                Err(panic) => std::panic::resume_unwind(panic),
            },
        });
        joined.flatten().collect()
    });
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests;
