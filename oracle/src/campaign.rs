//! Many instances of all laws, and what came of them.
//!
//! Seeds are tried in rounds. A law is tried on every seed, in one of its models, until it has been
//! decided on as many instances as were asked for; an equation that is no law, in each of its models
//! until it has been seen to fail. What is tried in a round depends on the rounds before alone, so
//! the outcome does not depend on threads.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use csp_checker::Reductions;

use crate::trial::reducible::is_reducible_in;

use crate::claim::Model;
use crate::laws::{Instance, LAWS, Law, NON_LAWS, Tried, read, try_laws};
use crate::random::Random;
use crate::run::{Source, setup};
use crate::trial::product::{Answer, Setup};

/// The most seeds of a round.
const ROUND: u64 = 50;

/// How many instances are tried for each that was asked for before a law is given up.
const TRIES: u64 = 4;

/// What came of the laws.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many laws there are, and equations that are none.
    pub laws: (usize, usize),
    /// The instances asked for.
    pub asked: u64,
    /// What was left out of searches.
    pub reductions: Reductions,
    /// Seeds tried.
    pub seeds: u64,
    /// Assertions checked.
    pub checks: u64,
    /// Laws that failed, or could not be checked, with the script of the first instance.
    pub broken: BTreeMap<String, String>,
    /// On how many instances each law was decided, by name.
    pub decided: BTreeMap<String, u64>,
    /// Equations that are no laws and have not been seen to fail, by name and model.
    pub unbroken: Vec<(String, Model)>,
    /// Limits that were reached.
    pub inconclusive: u64,
}

impl Outcome {
    /// A law failed or was decided too seldom, or an equation that is none did not fail.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        !self.broken.is_empty() || !self.unbroken.is_empty() || self.seldom().next().is_some()
    }

    /// Laws that were decided on fewer instances than was asked for.
    fn seldom(&self) -> impl Iterator<Item = (&String, &u64)> {
        self.decided.iter().filter(|d| *d.1 < self.asked)
    }

    /// Notes what came of a law on an instance.
    fn note_law(&mut self, law: &Law, seed: u64, tried: &Tried) {
        let mut decided = true;
        for (assertion, answer) in &tried.answers {
            self.checks += 1;
            match answer {
                Answer::Holds(_) => {}
                Answer::Inconclusive(_) | Answer::GivenUp | Answer::Denied(_) => {
                    self.inconclusive += 1;
                    decided = false;
                }
                other => {
                    let name = format!("{} in {}", law.name, tried.model);
                    self.broken.entry(name).or_insert_with(|| {
                        let setup = as_users_have_it(seed, self.reductions);
                        let preamble = &tried.preamble;
                        format!("-- seed {seed}, {setup:?}\n-- {other:?}\n{preamble}{assertion}")
                    });
                }
            }
        }
        *self.decided.entry(law.name.clone()).or_default() += u64::from(decided);
    }

    /// Notes what came of an equation that is no law.
    fn note_non_law(&mut self, law: &Law, tried: &Tried) {
        for (_, answer) in &tried.answers {
            self.checks += 1;
            if matches!(answer, Answer::Fails(..)) {
                let seen = |u: &(String, Model)| u.0 == law.name && u.1 == tried.model;
                self.unbroken.retain(|u| !seen(u));
            }
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "laws: {} laws, {} non-laws, {} seeds, {} checks, {} inconclusive, {} laws broken, {} non-laws not seen to fail",
            self.laws.0,
            self.laws.1,
            self.seeds,
            self.checks,
            self.inconclusive,
            self.broken.len(),
            self.unbroken.len()
        )?;
        let mut counts: Vec<u64> = self.decided.values().copied().collect();
        counts.sort_unstable();
        writeln!(
            f,
            "instances on which a law was decided: {} the least, {} the median, {} laws below {}",
            counts.first().copied().unwrap_or_default(),
            counts.get(counts.len() / 2).copied().unwrap_or_default(),
            self.seldom().count(),
            self.asked
        )?;
        for (name, count) in self.seldom() {
            writeln!(f, "decided on {count} instances only: {name}")?;
        }
        for (name, script) in &self.broken {
            writeln!(f, "\n-- law {name}\n{script}")?;
        }
        for (name, model) in &self.unbroken {
            writeln!(f, "\n-- never seen to fail in {model}: {name}")?;
        }
        Ok(())
    }
}

/// Tries all laws on the seeds from a first one on, until each was decided on this many instances; with
/// reductions, in the models that they are proved for.
#[must_use]
pub fn laws(first_seed: u64, asked: u64, threads: usize, reductions: Reductions) -> Outcome {
    let [laws, non_laws] = [LAWS, NON_LAWS].map(|text| {
        let mut laws = read(text);
        for law in &mut laws {
            law.models
                .retain(|&model| is_reducible_in(model, reductions));
        }
        laws.retain(|law| !law.models.is_empty());
        laws
    });
    let mut outcome = Outcome {
        laws: (laws.len(), non_laws.len()),
        asked,
        reductions,
        decided: laws.iter().map(|l| (l.name.clone(), 0)).collect(),
        unbroken: non_laws
            .iter()
            .flat_map(|l| l.models.iter().map(|m| (l.name.clone(), *m)))
            .collect(),
        ..Outcome::default()
    };
    while outcome.seeds < asked * TRIES {
        let seldom: Vec<&Law> = laws
            .iter()
            .filter(|l| outcome.decided[&l.name] < asked)
            .collect();
        if seldom.is_empty() && outcome.unbroken.is_empty() {
            break;
        }
        let count = ROUND.min(asked).min(asked * TRIES - outcome.seeds);
        let seeds = first_seed + outcome.seeds..first_seed + outcome.seeds + count;
        let next = AtomicU64::new(seeds.start);
        let unbroken = outcome.unbroken.clone();
        let notes = Mutex::new(&mut outcome);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let work = || loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !seeds.contains(&seed) {
                        break;
                    }
                    let setup = as_users_have_it(seed, reductions);
                    instance((&seldom, &non_laws), &unbroken, (seed, setup), &notes);
                };
                std::thread::Builder::new()
                    .stack_size(64 << 20)
                    .spawn_scoped(scope, work)
                    .expect("a thread can be made");
            }
        });
        outcome.seeds += count;
    }
    outcome
}

/// How the product is set up for a seed. Laws are those of the usual reading of ✓.
fn as_users_have_it(seed: u64, reductions: Reductions) -> Setup {
    Setup {
        textbook: false,
        reductions,
        ..setup(Source::Terms, seed)
    }
}

/// Tries laws on the instance of a seed, and equations that are none and have not failed yet.
fn instance(
    (laws, non_laws): (&[&Law], &[Law]),
    unbroken: &[(String, Model)],
    (seed, setup): (u64, Setup),
    outcome: &Mutex<&mut Outcome>,
) {
    let instance = Instance::new(seed);
    let mut random = Random::new(seed ^ 0x30DE);
    let in_one_model = laws.iter().map(|law| (*law, *random.pick(&law.models)));
    let wanted: Vec<(&Law, Model)> = in_one_model.collect();
    let tried = try_laws(&wanted, &instance, seed, setup);
    let named = |name: &str| non_laws.iter().find(|l| l.name == name);
    let left: Vec<(&Law, Model)> = unbroken
        .iter()
        .filter_map(|(name, model)| Some((named(name)?, *model)))
        .collect();
    let denied = try_laws(&left, &instance, seed, setup);
    let mut outcome = outcome.lock().expect("no thread panics while it counts");
    for tried in tried {
        outcome.note_law(wanted[tried.place].0, seed, &tried);
    }
    for tried in denied {
        outcome.note_non_law(left[tried.place].0, &tried);
    }
}
