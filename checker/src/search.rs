//! Breadth-first search of a network against a judge.
//!
//! States of a ply are expanded in any order on any number of threads; what is found does not
//! depend on it. The search stops at the end of the ply in which enough has been found, or when there
//! are no further states.

pub(crate) mod control;
mod evidence;
mod finds;
mod foresight;
mod narrow;
mod rest;
mod silence;
mod tally;
mod tau_cycles;
mod team;
#[cfg(test)]
mod tests;
mod tuning;
mod visit;
mod wide;

use csp_lts::Network;

use crate::judge::{Judge, Node, Sight};
use crate::machine::{Arranged, Linear, MOST_WORDS, Machine, Plan, Ranking};
use crate::options::{Observer, Options};
use crate::outcome::{Followed, Limit, Statistics, Step};
use crate::reduction::{Representatives, Stubborn, Symmetries};
use crate::store::{Bitmap, Entry, Named, Packed, Ranked, Seed, Table, Tree};
use control::Control;
use finds::Finds;
use narrow::Beginning;
use tally::Tally;
use team::Team;
use tuning::Tuning;
use visit::Context;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Violations with a shortest way to each (neither what is chased nor acceptance steps are
    /// counted), ordered; distinct in their last event (or, for states, in what is offered); at most
    /// [`Options::counterexamples`].
    pub violations: Vec<Violation>,
    /// Set if the search ended before it was complete.
    pub limit: Option<Limit>,
    /// What was covered.
    pub statistics: Statistics,
}

/// One way to violate the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// From the initial state; for [`Fault::Event`] the last step is the event at fault.
    pub steps: Vec<Step>,
    /// The node at the state at fault (for an event: before it).
    pub node: Node,
    /// What is at fault.
    pub fault: Fault,
}

/// What is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last step.
    Event,
    /// The state that the steps lead to.
    State,
    /// That state diverges: a τ cycle that can be reached by τ (the way to it is part of the steps).
    Divergence {
        /// The cycle.
        cycle: Vec<Step>,
    },
}

/// Searches the network.
pub fn search<J: Judge>(
    network: &Network,
    judge: &J,
    options: &Options,
    observer: &dyn Observer,
) -> Found {
    let tuning = Tuning::for_store(options.store);
    search_with(network, judge, options, observer, &tuning)
}

/// Searches the network in a certain way.
fn search_with(
    network: &Network,
    judge: &dyn Judge,
    options: &Options,
    observer: &dyn Observer,
    tuning: &Tuning,
) -> Found {
    let control = Control::new(options, observer);
    let mut plan = match Plan::new(
        network,
        judge.nodes(),
        |event| judge.ends(event),
        tuning.least_words,
    ) {
        Ok(plan) => plan,
        Err(why) => return unsupported(why),
    };
    control.poll();
    if control.is_stopped() {
        return stopped(&control);
    }
    let symmetries = options.uses_symmetry().then(|| {
        plan.one_by_one = true;
        Symmetries::of(network, &plan, judge, options)
    });
    let symmetries = match symmetries.transpose() {
        Ok(symmetries) => symmetries,
        Err(limit) => {
            return Found {
                limit: Some(limit),
                ..stopped(&control)
            };
        }
    };
    let group = symmetries.as_ref().map(Symmetries::group);
    let symmetries = symmetries.filter(|found| !found.are_none());
    let stubborn = match (judge.keeps(), options.reductions.partial_order) {
        (Some(keeps), true) => {
            plan.one_by_one = true;
            match Stubborn::new(network, &plan, (judge, keeps), symmetries.as_ref()) {
                None => return irreducible(),
                found => found,
            }
        }
        _ => None,
    };
    if stubborn.is_none() && symmetries.is_none() {
        plan.one_by_one = false;
    }
    // What is not followed would have to be weighed against what is put off.
    if !plan.one_by_one && tuning.overlook && judge.sees() != Sight::All {
        plan.overlook_acceptance_steps(network);
    }
    let check = Check {
        network,
        judge,
        options,
        tuning,
    };
    let plan = Planned {
        plan,
        stubborn,
        symmetries,
    };
    let mut found = match plan.plan.layout.words {
        1 => check.in_one_word(plan, control),
        2 => check.in_two_words(plan, control),
        4 => check.in_words::<4>(plan, control),
        8 => check.in_words::<8>(plan, control),
        16 => check.in_words::<16>(plan, control),
        64 => check.in_words::<64>(plan, control),
        _ => check.in_words::<MOST_WORDS>(plan, control),
    };
    found.statistics.symmetry = group;
    found
}

/// Nothing was searched before a limit was reached.
fn stopped(control: &Control<'_>) -> Found {
    Found {
        violations: Vec::new(),
        limit: control.limit(),
        statistics: Statistics::default(),
    }
}

fn unsupported(why: String) -> Found {
    Found {
        violations: Vec::new(),
        limit: Some(Limit::Unsupported(why)),
        statistics: Statistics::default(),
    }
}

fn irreducible() -> Found {
    let why = "the network is too large for partial-order reduction".to_owned();
    Found {
        violations: Vec::new(),
        limit: Some(Limit::Irreducible(why)),
        statistics: Statistics::default(),
    }
}

/// A plan, the rules to follow if not all are, and what states are replaced by.
struct Planned {
    plan: Plan,
    stubborn: Option<Stubborn>,
    symmetries: Option<Symmetries>,
}

const FITS: &str = "64 bits fit 64 bits";

/// A search that has outgrown its seed.
type Grown<'a, const N: usize> = (Context<'a, N>, Team, (Seed<N>, Tally, Finds<N>));

/// What is to be searched, and how.
struct Check<'a> {
    network: &'a Network,
    judge: &'a dyn Judge,
    options: &'a Options,
    tuning: &'a Tuning,
}

impl<'a> Check<'a> {
    fn context<const N: usize>(
        &self,
        plan: Planned,
        control: Control<'a>,
    ) -> Result<Context<'a, N>, Box<Found>> {
        let Planned {
            plan,
            stubborn,
            symmetries,
        } = plan;
        let representatives = symmetries.map(|found| Representatives::new(found, &plan.layout));
        let machine = Machine::new(self.network, plan);
        let mut machine = machine.map_err(|why| Box::new(unsupported(why)))?;
        control.poll();
        if control.is_stopped() {
            return Err(Box::new(stopped(&control)));
        }
        machine.plain = machine.plain.filter(|_| self.tuning.plain);
        let wanted = self.options.counterexamples;
        Ok(Context::new(
            self.network,
            machine,
            self.judge,
            control,
            wanted,
            (stubborn, representatives),
        ))
    }

    /// Searches until the seed is full.
    fn begin<const N: usize>(
        &self,
        plan: Planned,
        control: Control<'a>,
    ) -> Result<Grown<'a, N>, Box<Found>> {
        let mut context = self.context::<N>(plan, control)?;
        let team = Team::new(self.options.threads);
        match narrow::begin(&context, &team, self.tuning) {
            Beginning::Ended(found) => Err(Box::new(found)),
            Beginning::Grown(_, tally, _) if tally.followed.is_some_and(Followed::is_idle) => Err(
                Box::new(self.without_partial_order(tally, &context.control)),
            ),
            Beginning::Grown(seed, tally, finds) => {
                context.learn(seed.recent());
                Ok((context, team, (seed, tally, finds)))
            }
        }
    }

    /// Searches anew, because next to nothing can be left out.
    fn without_partial_order(&self, tally: Tally, control: &Control<'_>) -> Found {
        let mut options = self.options.clone();
        options.reductions.partial_order = false;
        let Check {
            network,
            judge,
            tuning,
            ..
        } = self;
        let mut found = search_with(network, *judge, &options, control.observer, tuning);
        found.statistics.partial_order = tally.followed.map(|followed| Followed {
            given_up: true,
            ..followed
        });
        found
    }

    /// States of two words: their ranks if these fit one, else as any long states.
    fn in_two_words(&self, plan: Planned, control: Control<'a>) -> Found {
        let grown = match self.begin::<2>(plan, control) {
            Ok(grown) => grown,
            Err(found) => return *found,
        };
        let machine = &grown.0.machine;
        let ranking = Ranking::new(&machine.layout, &machine.state_counts());
        match ranking.filter(|_| self.tuning.rank) {
            Some(ranking) => self.ranked(grown, ranking),
            None => self.in_tree(grown),
        }
    }

    fn ranked(&self, (context, team, begun): Grown<'a, 2>, ranking: Ranking) -> Found {
        let bits = ranking.bits().max(1);
        let (tuning, codec) = (self.tuning, Ranked::new(&context.machine, ranking));
        if let Some(table) = self.compact(bits) {
            return wide::search(&context, &team, tuning, begun, codec, table);
        }
        let table = self.table::<u64>(bits, 0, "words").expect(FITS);
        wide::search(&context, &team, tuning, begun, codec, table)
    }

    /// Long states: trees of numbers.
    fn in_words<const N: usize>(&self, plan: Planned, control: Control<'a>) -> Found {
        match self.begin::<N>(plan, control) {
            Ok(grown) => self.in_tree(grown),
            Err(found) => *found,
        }
    }

    fn in_tree<const N: usize>(&self, (context, team, begun): Grown<'a, N>) -> Found {
        // What all workers can add between two chances to grow.
        let between = (wide::CHILDREN + context.machine.rules.len()) * team.size();
        let arranged = Arranged::new(&context.machine, begun.0.recent());
        let account = &context.control.account;
        let tuning = self.tuning;
        let tree = Tree::<N>::new(
            arranged,
            between,
            tuning.tree_slots,
            tuning.hash_mask,
            account,
        );
        let mut tree = match tree {
            Ok(tree) => tree,
            Err(full) => {
                context.control.out_of_memory(full);
                return Found {
                    violations: Vec::new(),
                    limit: context.control.limit(),
                    statistics: begun.1.statistics(&context.control, "tree"),
                };
            }
        };
        // States with the same left half stay together, and share what is looked up for it, unless
        // that would leave some partitions with too many.
        let mut table = self.table::<u64>(64, 32, "tree").expect(FITS);
        if !wide::is_even(&mut tree, &table, &begun.0, &context.control.account) {
            table = self.table::<u64>(64, 0, "tree").expect(FITS);
        }
        wide::search(&context, &team, self.tuning, begun, tree, table)
    }

    /// States of one word: a bitmap if names are short enough, compact entries if states, their
    /// names or their ranks fit them, or whole words.
    fn in_one_word(&self, plan: Planned, control: Control<'a>) -> Found {
        let (context, team, begun) = match self.begin::<1>(plan, control) {
            Ok(grown) => grown,
            Err(found) => return *found,
        };
        let tuning = self.tuning;
        let machine = &context.machine;
        let by_rule = context.representatives.is_none();
        let origin = machine.start()[0];
        let linear = Linear::shortest(&machine.span, origin, machine.determined.as_ref());
        // A bitmap must leave most of the memory to the frontiers and the evidence.
        let affordable = context.control.account.limit() / 8;
        if linear.rank() <= tuning.bitmap_bits && (1 << linear.rank()) / 8 <= affordable {
            let bitmap = Bitmap::new(linear.rank(), tuning.partition_bits.1);
            let named = Named::new(&context.machine, linear, by_rule);
            return wide::search(&context, &team, tuning, begun, named, bitmap);
        }
        let bits = context.machine.layout.bits;
        if let Some(table) = self.compact(bits) {
            let packed = Packed::new(machine);
            return wide::search(&context, &team, tuning, begun, packed, table);
        }
        if let Some(table) = self.compact(linear.rank().max(1)) {
            let named = Named::new(&context.machine, linear, by_rule);
            return wide::search(&context, &team, tuning, begun, named, table);
        }
        let ranking = Ranking::new(&machine.layout, &machine.state_counts());
        if let Some(ranking) = ranking
            && let Some(table) = self.compact(ranking.bits())
        {
            let ranked = Ranked::new(machine, ranking);
            return wide::search(&context, &team, tuning, begun, ranked, table);
        }
        let table = self.table::<u64>(bits, 0, "words").expect(FITS);
        let packed = Packed::new(machine);
        wide::search(&context, &team, tuning, begun, packed, table)
    }

    /// A table of short entries for keys of this many bits, if they fit it.
    fn compact(&self, key_bits: u32) -> Option<Table<u32>> {
        let table = self.table(key_bits, 0, "compact")?;
        (!self.tuning.long_entries).then_some(table)
    }

    fn table<E: Entry>(
        &self,
        key_bits: u32,
        fixed_bits: u32,
        name: &'static str,
    ) -> Option<Table<E>> {
        let tuning = self.tuning;
        let (first, last) = tuning.partition_bits;
        // So that there is something to do for everybody.
        let more = self
            .options
            .threads
            .div_ceil(16)
            .next_power_of_two()
            .ilog2();
        let first = (first + more).min(last);
        Table::new(
            key_bits,
            fixed_bits,
            first..=last,
            tuning.tag_bits.min(last),
            tuning.hash_mask,
            name,
        )
    }
}

/// Says that a chase has no end.
pub(crate) fn chase_never_ends(name: &str) -> String {
    format!("chasing {name} never ends: it can do τ for ever")
}
