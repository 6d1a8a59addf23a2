//! Directed search for a goal: a way to an event, found by guidance that comes from the network.
//!
//! Breadth-first search gives a shortest way but has to see everything that is nearer. Here states
//! are expanded in the order of a promise: how far each participant of the goal is from its part in
//! its own transition graph ([`projection`]), and how new a state is ([`novelty`]). Nothing is ever
//! thrown away, so if the queue runs empty the goal cannot be reached, and that is proved. A way that
//! is found is replayed on the network by the plain simulator before it is returned.
//!
//! Sources: Edelkamp, Leue, Lluch-Lafuente, "Directed explicit-state model checking" (2004), for
//! distances in components; Lipovetzky and Geffner, "Best-first width search" (2017), for novelty.

mod explore;
mod novelty;
mod projection;
mod queue;
mod replay;
mod sight;

use csp_lts::{Network, Rule};

use crate::machine::{MOST_WORDS, Machine, Plan};
use crate::options::{Observer, Options};
use crate::outcome::{Limit, Statistics, Step};
use crate::search::control::Control;
use crate::store::Full;
use explore::Exploration;
use projection::{Chased, Projection};

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// New and near states first; ways are short but not shortest.
    Greedy,
    /// By the steps so far and a lower bound of those to come (A*): the way has the fewest steps.
    Shortest,
}

/// What a directed search came to.
#[derive(Clone, Debug)]
pub struct Sought {
    /// A way from the initial state whose last step is the goal, if one was found.
    pub play: Option<Vec<Step>>,
    /// Set if the search ended before it was complete. Without a play and without a limit, the
    /// goal cannot be reached.
    pub limit: Option<Limit>,
    /// What was covered; plys are the ordinary steps of the play.
    pub statistics: Statistics,
}

/// Searches for a way to fire a rule that is a goal. One thread is used.
pub fn seek(
    network: &Network,
    goal: &dyn Fn(&Rule) -> bool,
    strategy: Strategy,
    options: &Options,
    observer: &dyn Observer,
) -> Sought {
    let control = Control::new(options, observer);
    let goals: Vec<bool> = network.rules.iter().map(goal).collect();
    let chased = network.chases.iter().flat_map(|c| c.rules.iter());
    if chased.into_iter().any(|rule| goals[rule.0 as usize]) {
        return Sought::unsupported("the goal is chased: it happens by itself".to_owned());
    }
    // What a goal leads to does not matter.
    let ends = |event| {
        let mut rules = network.rules.iter().zip(&goals);
        rules.all(|(rule, goal)| *goal || rule.result != event)
    };
    let plan = match Plan::new(network, 1, ends, 1) {
        Ok(plan) => plan,
        Err(why) => return Sought::unsupported(why),
    };
    let search = Search {
        network,
        goals,
        strategy,
    };
    match plan.layout.words {
        1 => search.in_words::<1>(plan, &control),
        2 => search.in_words::<2>(plan, &control),
        4 => search.in_words::<4>(plan, &control),
        8 => search.in_words::<8>(plan, &control),
        16 => search.in_words::<16>(plan, &control),
        64 => search.in_words::<64>(plan, &control),
        _ => search.in_words::<MOST_WORDS>(plan, &control),
    }
}

impl Sought {
    fn unsupported(why: String) -> Self {
        Self {
            play: None,
            limit: Some(Limit::Unsupported(why)),
            statistics: Statistics::default(),
        }
    }
}

/// What is searched for.
struct Search<'a> {
    network: &'a Network,
    /// For each rule, whether it is a goal.
    goals: Vec<bool>,
    strategy: Strategy,
}

impl Search<'_> {
    fn in_words<const N: usize>(&self, plan: Plan, control: &Control<'_>) -> Sought {
        let chased = match self.strategy {
            Strategy::Greedy => Chased::Counts,
            Strategy::Shortest => Chased::IsFree,
        };
        let projection = Projection::new(self.network, &plan.locals, &self.goals, chased);
        let machine = match Machine::<N>::new(self.network, plan) {
            Ok(machine) => machine,
            Err(why) => return Sought::unsupported(why),
        };
        match Exploration::new(self, &machine, &projection, control) {
            Ok(exploration) => exploration.run(),
            Err(Full) => Sought {
                play: None,
                limit: Some(Limit::Memory(control.account.limit())),
                statistics: Statistics::default(),
            },
        }
    }
}

#[cfg(test)]
mod tests;
