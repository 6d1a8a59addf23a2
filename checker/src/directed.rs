//! Directed search for a goal: a way to an event, found by guidance that comes from the network.
//!
//! Breadth-first search gives a shortest way but has to see everything that is nearer. Here states
//! are expanded in the order of a promise: how far each participant of the goal is from its part in
//! its own transition graph (`projection`), and how new a state is (`novelty`). Nothing is ever
//! thrown away, so if the queue runs empty the goal cannot be reached, and that is proved. A way that
//! is found is replayed on the network by the plain simulator before it is returned.
//!
//! Sources: Edelkamp, Leue, Lluch-Lafuente, "Directed explicit-state model checking" (2004), for
//! distances in components; Lipovetzky and Geffner, "Best-first width search" (2017), for novelty.

mod explore;
mod improve;
mod lanes;
mod novelty;
mod opening;
mod projection;
mod queue;
mod relaxed;
mod replay;
mod sight;

use std::time::Duration;

use csp_lts::{Network, Rule, RuleId};

use crate::machine::{Endless, MOST_WORDS, Machine, Plan};
use crate::options::{Observer, Options};
use crate::outcome::{Limit, Statistics, Step};
use crate::search::chase_never_ends;
use crate::search::control::Control;
use crate::store::Full;
use explore::Exploration;
pub use opening::{Opened, Position};
use projection::{Chased, Projection};
use relaxed::Relaxed;

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

/// Searches for a way to fire a rule that is a goal. One thread is used. A way that was found is
/// shortened for as long as `improve` says.
pub fn seek(
    network: &Network,
    goal: &dyn Fn(&Rule) -> bool,
    strategy: Strategy,
    improve: Option<Duration>,
    options: &Options,
    observer: &dyn Observer,
) -> Sought {
    let control = Control::new(options, observer);
    let improve = Improve {
        time: improve,
        observer,
    };
    let (goals, plan) = match plan(network, goal) {
        Ok(planned) => planned,
        Err(why) => return Sought::unsupported(why),
    };
    let seek = Seek {
        network,
        goals: &goals,
        strategy,
        control: &control,
        improve,
    };
    let sought = match plan.layout.words {
        1 => seek.in_words::<1>(plan),
        2 => seek.in_words::<2>(plan),
        4 => seek.in_words::<4>(plan),
        8 => seek.in_words::<8>(plan),
        16 => seek.in_words::<16>(plan),
        64 => seek.in_words::<64>(plan),
        _ => seek.in_words::<MOST_WORDS>(plan),
    };
    sought.unwrap_or_else(Sought::unsupported)
}

/// For each rule whether it is a goal, and what can happen on the way to one; the error is a sentence
/// for the user.
fn plan(network: &Network, goal: &dyn Fn(&Rule) -> bool) -> Result<(Vec<bool>, Plan), String> {
    let goals: Vec<bool> = network.rules.iter().map(goal).collect();
    let chased = network.chases.iter().flat_map(|c| c.rules.iter());
    if chased.into_iter().any(|rule| goals[rule.0 as usize]) {
        return Err("the goal is chased: it happens by itself".to_owned());
    }
    // What a goal leads to does not matter.
    let ends = |event| {
        let mut rules = network.rules.iter().zip(&goals);
        rules.all(|(rule, goal)| *goal || rule.result != event)
    };
    let plan = Plan::new(network, 1, ends, 1)?;
    Ok((goals, plan))
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

/// One search of one network.
struct Seek<'a> {
    network: &'a Network,
    goals: &'a [bool],
    strategy: Strategy,
    control: &'a Control<'a>,
    improve: Improve<'a>,
}

/// How long a way is to be shortened, and who may stop that.
#[derive(Clone, Copy)]
struct Improve<'a> {
    time: Option<Duration>,
    observer: &'a dyn Observer,
}

impl Seek<'_> {
    fn in_words<const N: usize>(&self, plan: Plan) -> Result<Sought, String> {
        let arena = Arena::<N>::new(self.network, plan, self.goals, self.strategy)?;
        let mut start = arena.machine.start();
        Ok(match arena.machine.chase_all(&mut start) {
            Err(endless) => Sought::unsupported(arena.endless(self.network, endless)),
            Ok(()) => {
                let before = &[];
                arena.run(self.network, &start, before, self.control, self.improve)
            }
        })
    }
}

/// A network compiled for searches after one kind of goal.
#[derive(Debug)]
struct Arena<const N: usize> {
    machine: Machine<N>,
    projection: Projection,
    relaxed: Relaxed,
    /// By ordinary rule of the machine.
    is_goal: Vec<bool>,
    strategy: Strategy,
}

impl<const N: usize> Arena<N> {
    fn new(
        network: &Network,
        plan: Plan,
        goals: &[bool],
        strategy: Strategy,
    ) -> Result<Self, String> {
        let chased = match strategy {
            Strategy::Greedy => Chased::Counts,
            Strategy::Shortest => Chased::IsFree,
        };
        let projection = Projection::new(network, &plan.locals, goals, chased);
        let relaxed = Relaxed::new(network, &plan.locals, goals);
        let machine = Machine::<N>::new(network, plan)?;
        let rules = machine.rules.iter();
        let is_goal = rules.map(|rule| goals[rule.id.0 as usize]).collect();
        Ok(Self {
            machine,
            projection,
            relaxed,
            is_goal,
            strategy,
        })
    }

    /// The sentence about a chase that never ends.
    fn endless(&self, network: &Network, Endless(chase): Endless) -> String {
        chase_never_ends(&network.chases[chase].name)
    }

    /// Searches from a state in which nothing can be chased, and to which these rules have led.
    fn run(
        &self,
        network: &Network,
        start: &[u64; N],
        before: &[RuleId],
        control: &Control<'_>,
        improve: Improve<'_>,
    ) -> Sought {
        match Exploration::new(network, self, control) {
            Ok(exploration) => exploration.run(start, before, improve),
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
