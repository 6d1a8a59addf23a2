//! Stubborn sets of rules (Valmari): in each state some rules are followed and the others put off.
//!
//! A set is closed under two demands. For a rule of it that can fire: every rule that could, from this
//! state on and without the help of the set, disturb it ([`super::interference`]). For a rule of it that
//! cannot: every rule that could move one of the components that forbid it. So whatever is done outside
//! the set neither disables its rules nor enables others of them, and can be done after them just as well.
//! Further demands depend on what is to be kept ([`Keeps`]): a rule that shows an event, or one that may
//! return ([`super::proviso`]), brings in all rules that show events.
//!
//! Sets are grown from each rule that may be the first, and the one with the fewest rules that can fire
//! is taken. The set of all rules is always right, so where nothing is gained nothing is left out.

use csp_lts::{EventId, Network};

use super::Keeps;
use super::interference::Interference;
use super::proviso;
use super::symmetry::Symmetries;
use crate::judge::Judge;
use crate::machine::Plan;

/// Chooses which rules of a state are followed.
#[derive(Debug)]
pub(crate) struct Stubborn {
    keeps: Keeps,
    tables: Interference,
    /// The rules that show events which matter to the property.
    shown: Vec<u32>,
    shows: Vec<bool>,
    #[cfg(test)]
    dropped: Option<Demand>,
}

/// What sets are closed under. Tests drop each of them and see that verdicts change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// What reads what a rule moves.
    Readers,
    /// What moves what a rule reads or moves.
    Movers,
    /// What could enable a rule that cannot fire.
    Help,
    /// All that shows events, with something that does.
    Events,
    /// All that shows events, with something that may return.
    Returns,
    /// Something silent, if anything is.
    Silence,
    /// Images of moves that return count as returns.
    Images,
}

#[cfg(test)]
thread_local! {
    /// The demand that sets made on this thread do without.
    pub(crate) static DROPPED: std::cell::Cell<Option<Demand>> = const { std::cell::Cell::new(None) };
}

/// What one worker needs to grow sets.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The local states.
    local: Vec<u32>,
    /// The rules that can fire.
    enabled: Vec<bool>,
    /// The set being grown: its rules, all of them and those whose demands are not met yet.
    taken: Vec<bool>,
    rules: Vec<u32>,
    met: usize,
    /// By component: nothing asked, its movers taken, or its readers too.
    asked: Vec<u8>,
    components: Vec<u32>,
    /// All rules that show events are taken.
    shown: bool,
    best: Vec<u32>,
}

const MOVERS: u8 = 1;
const ALL: u8 = 2;

impl Stubborn {
    /// For a network whose rules the machine takes one by one, and whose states are replaced by others
    /// that symmetries map them to, if there are any; `None` if it is too large.
    pub(crate) fn new(
        network: &Network,
        plan: &Plan,
        (judge, keeps): (&dyn Judge, Keeps),
        symmetries: Option<&Symmetries>,
    ) -> Option<Self> {
        let mut tables = Interference::new(network, plan)?;
        let live = network.rules.iter().zip(&plan.locals.live);
        let results = live.filter(|(_, live)| **live).map(|(rule, _)| rule.result);
        let shows: Vec<bool> = results
            .map(|event| match keeps {
                Keeps::Deadlocks => false,
                Keeps::Traces => event != EventId::TAU && !ignores(judge, event),
                Keeps::Divergences | Keeps::Failures => event != EventId::TAU,
            })
            .collect();
        let shown = (0..).zip(&shows).filter(|(_, shows)| **shows);
        let shown = shown.map(|(rule, _)| rule).collect();
        if keeps.ignores_none() {
            let symmetries = symmetries.filter(|_| is_made(Demand::Images));
            let symmetries = symmetries.map_or(&[][..], Symmetries::elements);
            let is_silent = |rule: u32| !shows[rule as usize];
            proviso::mark(&mut tables, network, plan, symmetries, is_silent);
        }
        Some(Self {
            keeps,
            tables,
            shown,
            shows,
            #[cfg(test)]
            dropped: DROPPED.get(),
        })
    }

    /// Whether a demand is made: outside tests, always.
    #[inline(always)]
    fn demands(&self, demand: Demand) -> bool {
        #[cfg(test)]
        let made = self.dropped != Some(demand);
        #[cfg(not(test))]
        let made = {
            let _ = demand;
            true
        };
        made
    }

    /// Room to work in.
    pub(crate) fn scratch(&self) -> Scratch {
        let rules = self.shows.len();
        Scratch {
            local: vec![0; self.tables.fields.len()],
            enabled: vec![false; rules],
            taken: vec![false; rules],
            asked: vec![0; self.tables.fields.len()],
            ..Scratch::default()
        }
    }

    /// Leaves of the rules that can fire in a state those that are to be followed, ascending.
    pub(crate) fn choose<const N: usize>(
        &self,
        state: &[u64; N],
        enabled: &mut Vec<u32>,
        scratch: &mut Scratch,
    ) {
        if enabled.len() < 2 {
            return;
        }
        if !enabled.is_sorted() {
            enabled.sort_unstable();
        }
        for (local, field) in scratch.local.iter_mut().zip(&self.tables.fields) {
            *local = field.get(state);
        }
        for rule in enabled.iter() {
            scratch.enabled[*rule as usize] = true;
        }
        scratch.best.clear();
        let mut fewest = enabled.len();
        for seed in enabled.iter().copied() {
            if fewest == 1 {
                break;
            }
            if !self.shows[seed as usize] || !self.demands(Demand::Silence) {
                fewest = self.grow(&[seed], fewest, scratch);
            }
        }
        // All that shows events may do by itself, as long as something silent is in it.
        if self.keeps.ignores_none() && fewest > 1 {
            fewest = self.grow(&self.shown, fewest, scratch);
        }
        for rule in enabled.iter() {
            scratch.enabled[*rule as usize] = false;
        }
        if fewest < enabled.len() {
            enabled.clear();
            enabled.extend_from_slice(&scratch.best);
            enabled.sort_unstable();
        }
    }

    /// Grows a set from some rules. If fewer rules than the fewest so far can fire in it, and it is one
    /// that may be taken, it becomes the best; the fewest then.
    fn grow(&self, seeds: &[u32], fewest: usize, scratch: &mut Scratch) -> usize {
        let firing = self.close(seeds, fewest, scratch);
        let fewest = match firing {
            Some(firing) if firing < fewest => {
                let Scratch {
                    rules,
                    enabled,
                    best,
                    ..
                } = scratch;
                best.clear();
                best.extend(rules.iter().filter(|rule| enabled[**rule as usize]));
                firing
            }
            _ => fewest,
        };
        for rule in scratch.rules.drain(..) {
            scratch.taken[rule as usize] = false;
        }
        for component in scratch.components.drain(..) {
            scratch.asked[component as usize] = 0;
        }
        (scratch.met, scratch.shown) = (0, false);
        fewest
    }

    /// Meets the demands of all rules of a set; how many of them can fire, or `None` if they are too
    /// many or none of them may be the first.
    fn close(&self, seeds: &[u32], most: usize, scratch: &mut Scratch) -> Option<usize> {
        for seed in seeds {
            scratch.take(*seed);
        }
        let (mut firing, mut silent) = (0, false);
        while scratch.met < scratch.rules.len() {
            let rule = scratch.rules[scratch.met];
            scratch.met += 1;
            if !scratch.enabled[rule as usize] {
                self.ask_for_help(rule, scratch);
                continue;
            }
            firing += 1;
            if firing >= most {
                return None;
            }
            let shows = self.shows[rule as usize];
            silent |= !shows;
            let mut surely_moves = false;
            let mut returns = false;
            for touch in self.tables.touches(rule) {
                let x = scratch.local[touch.component as usize];
                let flags = self.tables.flags(*touch, x);
                let level = if flags.moves() { ALL } else { MOVERS };
                if self.demands(Demand::Movers) {
                    self.ask(touch.component, level, scratch);
                }
                surely_moves |= flags.surely_moves();
                returns |= flags.returns();
            }
            let returns = self.keeps.ignores_none() && (returns || !surely_moves);
            let shows = shows && self.demands(Demand::Events);
            let returns = returns && self.demands(Demand::Returns);
            if (shows || returns) && !std::mem::replace(&mut scratch.shown, true) {
                for rule in &self.shown {
                    scratch.take(*rule);
                }
            }
        }
        // Only stable states tell a set without silent rules from one that has some.
        let any = self.keeps == Keeps::Traces || !self.demands(Demand::Silence);
        let suffices = silent || (firing > 0 && any);
        suffices.then_some(firing)
    }

    /// Takes the rules that could enable one that cannot fire.
    fn ask_for_help(&self, rule: u32, scratch: &mut Scratch) {
        let forbidding = self.tables.touches(rule).iter().filter(|touch| {
            let x = scratch.local[touch.component as usize];
            self.tables.flags(**touch, x).forbids()
        });
        let component = forbidding
            .map(|touch| touch.component)
            .min_by_key(|component| {
                let x = scratch.local[*component as usize];
                let asked = scratch.asked[*component as usize] > 0;
                (!asked).then(|| self.tables.movers(*component, x).len())
            });
        if !self.demands(Demand::Help) {
            return;
        }
        let component = component.expect("a rule that cannot fire is forbidden by a component");
        self.ask(component, MOVERS, scratch);
    }

    fn ask(&self, component: u32, level: u8, scratch: &mut Scratch) {
        let asked = &mut scratch.asked[component as usize];
        let before = std::mem::replace(asked, level.max(*asked));
        let x = scratch.local[component as usize];
        if before == 0 {
            scratch.components.push(component);
            for rule in self.tables.movers(component, x) {
                scratch.take(*rule);
            }
        }
        if before < ALL && level == ALL && self.demands(Demand::Readers) {
            for rule in self.tables.readers(component, x) {
                scratch.take(*rule);
            }
        }
    }
}

impl Scratch {
    fn take(&mut self, rule: u32) {
        if !std::mem::replace(&mut self.taken[rule as usize], true) {
            self.rules.push(rule);
        }
    }
}

/// Whether a demand is made of sets that are prepared on this thread: outside tests, always.
fn is_made(demand: Demand) -> bool {
    #[cfg(test)]
    let made = DROPPED.get() != Some(demand);
    #[cfg(not(test))]
    let made = {
        let _ = demand;
        true
    };
    made
}

/// The most nodes that are asked whether an event matters.
const MOST_NODES: u32 = 1 << 12;

/// Whether an event changes nothing for a property of traces.
fn ignores(judge: &dyn Judge, event: EventId) -> bool {
    use crate::judge::Stepped;
    judge.is_whole()
        && judge.nodes() <= MOST_NODES
        && (0..judge.nodes()).all(|node| judge.step(node, event) == Stepped::To(node))
}
