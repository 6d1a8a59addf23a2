//! Many instances of all laws, and what came of them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::claim::Model;
use crate::laws::{Instance, LAWS, Law, NON_LAWS, Tried, read, try_laws};
use crate::run::{Source, setup};
use crate::trial::product::Answer;

/// What came of the laws.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many laws there are, and equations that are none.
    pub laws: (usize, usize),
    /// Instances tried.
    pub instances: u64,
    /// Assertions of laws checked.
    pub checks: u64,
    /// Laws that failed, or could not be checked, with the script of the first instance.
    pub broken: BTreeMap<String, String>,
    /// How often each law was tried, by name.
    pub tried: BTreeMap<String, u64>,
    /// Equations that are no laws and have not been seen to fail, by name and model.
    pub unbroken: Vec<(String, Model)>,
    /// Limits that were reached.
    pub inconclusive: u64,
}

impl Outcome {
    /// A law failed, an equation that is none did not, or something was never tried.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        !self.broken.is_empty() || !self.unbroken.is_empty() || self.tried.values().any(|n| *n == 0)
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "laws: {} laws, {} non-laws, {} instances, {} checks, {} inconclusive, {} laws broken, {} non-laws not seen to fail",
            self.laws.0,
            self.laws.1,
            self.instances,
            self.checks,
            self.inconclusive,
            self.broken.len(),
            self.unbroken.len()
        )?;
        let least = self.tried.iter().min_by_key(|t| t.1);
        if let Some((name, count)) = least {
            writeln!(f, "least often tried: {name}, {count} times")?;
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

/// Tries all laws on the instances from a seed on.
#[must_use]
pub fn laws(first_seed: u64, instances: u64, threads: usize) -> Outcome {
    let (laws, non_laws) = (read(LAWS), read(NON_LAWS));
    let outcome = Mutex::new(Outcome {
        laws: (laws.len(), non_laws.len()),
        instances,
        tried: laws.iter().map(|l| (l.name.clone(), 0)).collect(),
        unbroken: non_laws
            .iter()
            .flat_map(|l| l.models.iter().map(|m| (l.name.clone(), *m)))
            .collect(),
        ..Outcome::default()
    });
    let next = AtomicU64::new(first_seed);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first_seed + instances {
                    break;
                }
                instance(&laws, &non_laws, seed, &outcome);
            };
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, work)
                .expect("a thread can be made");
        }
    });
    outcome
        .into_inner()
        .expect("no thread panics while it counts")
}

fn instance(laws: &[Law], non_laws: &[Law], seed: u64, outcome: &Mutex<Outcome>) {
    let instance = Instance::new(seed);
    let setup = setup(Source::Terms, seed);
    let tried = try_laws(laws, &instance, seed, false, setup);
    let denied = try_laws(non_laws, &instance, seed, true, setup);
    let mut outcome = outcome.lock().expect("no thread panics while it counts");
    for Tried {
        law,
        model,
        assertion,
        answer,
    } in tried
    {
        let name = &laws[law].name;
        outcome.checks += 1;
        *outcome.tried.entry(name.clone()).or_default() += 1;
        let why = match answer {
            Answer::Holds(_) => continue,
            Answer::Inconclusive(_) | Answer::Denied(_) => {
                outcome.inconclusive += 1;
                continue;
            }
            other => format!("{other:?}"),
        };
        outcome
            .broken
            .entry(format!("{name} in {model}"))
            .or_insert_with(|| {
                format!(
                    "-- seed {seed}, {setup:?}\n-- {why}\n{}{assertion}",
                    instance.preamble()
                )
            });
    }
    for Tried {
        law, model, answer, ..
    } in denied
    {
        outcome.checks += 1;
        if matches!(answer, Answer::Fails(..)) {
            let name = &non_laws[law].name;
            outcome.unbroken.retain(|u| (&u.0, u.1) != (name, model));
        }
    }
}
