//! Exhaustive small scope: every program up to a size, on both sides.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::claim::{Claim, Model};
use crate::generate::dress::Dress;
use crate::generate::systems::{define, no_claims};
use crate::generate::{Case, exhaustive};
use crate::random::Random;
use crate::system::{Steps, System};
use crate::term::{Definitions, Term};
use crate::trial::compare::{Compared, compare};
use crate::trial::product::Setup;
use crate::trial::shrink::shrink;
use crate::trial::tally::Tally;

/// Disagreements after which no more are looked for.
const ENOUGH: usize = 5;

/// Runs every case of a numbered list and counts what comes of it.
fn all(
    count: usize,
    threads: usize,
    source: &'static str,
    case: impl Fn(usize) -> Case + Sync,
) -> Tally {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Tally::default());
    let work = || loop {
        let enough = {
            let all = all.lock().expect("no thread panics while it counts");
            all.disagreements.len() >= ENOUGH
        };
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= count || enough {
            break;
        }
        let case = case(index);
        // Every other script is compiled to networks as far as possible.
        let setup = Setup {
            small_leaf: (index % 2 == 1).then_some(0),
            ..Setup::default()
        };
        let mut tally = Tally::default();
        for (i, compared) in compare(&case, Dress::default(), setup).iter().enumerate() {
            tally.count(source, case.claims[i].kind(), compared);
            if let Compared::Disagree(why) = compared
                && tally.disagreements.is_empty()
            {
                let small = shrink(&case.only(i), Dress::default(), setup).without_idle_names();
                tally
                    .disagreements
                    .push(format!("-- {why}\n{}", small.script()));
            }
        }
        all.lock()
            .expect("no thread panics while it counts")
            .add(tally);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, work)
                .expect("a thread can be made");
        }
    });
    all.into_inner().expect("no thread panics while it counts")
}

fn in_every_model(specification: &Term, implementation: &Term) -> impl Iterator<Item = Claim> {
    Model::ALL.into_iter().map(|model| Claim::Refines {
        specification: specification.clone(),
        implementation: implementation.clone(),
        model,
    })
}

/// Implementations in one script.
const BLOCK: usize = 50;

/// All terms up to one size refined by all terms up to another, in every model, and every property
/// of the latter; of the pairs only every `stride`-th.
#[must_use]
pub fn terms(specification: usize, implementation: usize, stride: usize, threads: usize) -> Tally {
    let up_to = |size| {
        (1..=size)
            .flat_map(exhaustive::terms)
            .collect::<Vec<Term>>()
    };
    let (specifications, implementations) = (up_to(specification), up_to(implementation));
    let blocks: Vec<&[Term]> = implementations.chunks(BLOCK).collect();
    let count = blocks.len() * specifications.len();
    all(count, threads, "all terms", |index| {
        let (block, number) = (blocks[index % blocks.len()], index / blocks.len());
        let mut bodies = vec![specifications[number].clone()];
        let mut claims = Vec::new();
        let mut random = Random::new(u64::try_from(index).expect("an index fits 64 bits"));
        for (i, term) in block.iter().enumerate() {
            let name = Term::Name(bodies.len());
            if (index * BLOCK + i).is_multiple_of(stride) {
                claims.extend(in_every_model(&Term::Name(0), &name));
            }
            if number == 0 {
                claims.extend(crate::generate::properties(&mut random, 2, &name));
            }
            bodies.push(term.clone());
        }
        Case {
            definitions: Definitions { events: 2, bodies },
            systems: vec![None; claims.len()],
            claims,
            silence_over: None,
            timed: None,
        }
    })
}

/// All pairs from a list of systems in every model; of the pairs only every `stride`-th.
#[must_use]
pub fn system_pairs(systems: &[System], stride: usize, threads: usize) -> Tally {
    let blocks: Vec<&[System]> = systems.chunks(16).collect();
    let count = blocks.len() * systems.len();
    all(count, threads, "all systems", |index| {
        let (block, number) = (blocks[index % blocks.len()], index / blocks.len());
        let mut case = no_claims();
        let specification = define(&mut case.definitions, &systems[number]);
        for (i, system) in block.iter().enumerate() {
            if (index * 16 + i).is_multiple_of(stride) {
                let implementation = define(&mut case.definitions, system);
                for claim in in_every_model(&specification, &implementation) {
                    case.claims.push(claim);
                    let pair = (Some(systems[number].clone()), system.clone());
                    case.systems.push(Some(pair));
                }
            }
        }
        case
    })
}

/// Systems by what they mean: one of each meaning, and for every other the place of its like.
#[derive(Clone, Debug)]
pub struct Classes {
    /// One system of each meaning.
    pub representatives: Vec<System>,
    /// The others, each with the place of the representative that means the same.
    pub others: Vec<(System, usize)>,
}

/// Sorts systems by their meaning in the finest models, both with and without divergences, as the
/// oracle's own judge of systems sees it.
#[must_use]
pub fn classes(systems: Vec<System>) -> Classes {
    let mut classes = Classes {
        representatives: Vec::new(),
        others: Vec::new(),
    };
    let mut by_mark: HashMap<Vec<Steps>, Vec<usize>> = HashMap::new();
    let probes = exhaustive::systems(2, 1);
    for system in systems {
        // What a few other systems have to do with it tells most meanings apart.
        let probes = probes.iter().step_by(17);
        let mark: Vec<Steps> = probes
            .map(|p| verdict_only(refines(p, &system, Model::RD)))
            .collect();
        let candidates = by_mark.entry(mark).or_default();
        let like = candidates.iter().copied().find(|&c| {
            let other = &classes.representatives[c];
            [Model::R, Model::RD].into_iter().all(|model| {
                refines(other, &system, model) == Steps::Holds
                    && refines(&system, other, model) == Steps::Holds
            })
        });
        match like {
            Some(like) => classes.others.push((system, like)),
            None => {
                candidates.push(classes.representatives.len());
                classes.representatives.push(system);
            }
        }
    }
    classes
}

fn verdict_only(steps: Steps) -> Steps {
    match steps {
        Steps::Holds => Steps::Holds,
        _ => Steps::Uncounted,
    }
}

fn refines(specification: &System, implementation: &System, model: Model) -> Steps {
    let claim = Claim::Refines {
        specification: Term::STOP,
        implementation: Term::STOP,
        model,
    };
    implementation.judge(&claim, Some(specification))
}

/// Every system against the representative of its meaning, both ways, in the finest models.
#[must_use]
pub fn system_likes(classes: &Classes, stride: usize, threads: usize) -> Tally {
    let blocks: Vec<&[(System, usize)]> = classes.others.chunks(16).collect();
    all(blocks.len(), threads, "likes", |index| {
        let mut case = no_claims();
        for (system, like) in blocks[index].iter().step_by(stride) {
            let like = &classes.representatives[*like];
            let own = define(&mut case.definitions, system);
            let other = define(&mut case.definitions, like);
            for (s, i, systems) in [
                (&own, &other, (Some(system.clone()), like.clone())),
                (&other, &own, (Some(like.clone()), system.clone())),
            ] {
                for model in [Model::R, Model::RD] {
                    case.claims.push(Claim::Refines {
                        specification: s.clone(),
                        implementation: i.clone(),
                        model,
                    });
                    case.systems.push(Some(systems.clone()));
                }
            }
        }
        case
    })
}

/// Every property of every system.
#[must_use]
pub fn system_properties(systems: &[System], threads: usize) -> Tally {
    let blocks: Vec<&[System]> = systems.chunks(16).collect();
    all(blocks.len(), threads, "properties", |index| {
        let mut case = no_claims();
        let mut random = Random::new(u64::try_from(index).expect("an index fits 64 bits"));
        for system in blocks[index] {
            let process = define(&mut case.definitions, system);
            for claim in crate::generate::properties(&mut random, 1, &process) {
                case.claims.push(claim);
                case.systems.push(Some((None, system.clone())));
            }
        }
        case
    })
}

/// Every system against one of the representatives, by turns, both ways and in every model.
#[must_use]
pub fn systems_by_turns(classes: &Classes, threads: usize) -> Tally {
    let blocks: Vec<&[(System, usize)]> = classes.others.chunks(8).collect();
    let count = classes.representatives.len();
    all(blocks.len(), threads, "by turns", |index| {
        let mut case = no_claims();
        for (i, (system, _)) in blocks[index].iter().enumerate() {
            let other = &classes.representatives[(index * 8 + i) % count];
            let own_name = define(&mut case.definitions, system);
            let other_name = define(&mut case.definitions, other);
            for (s, i, systems) in [
                (&own_name, &other_name, (system, other)),
                (&other_name, &own_name, (other, system)),
            ] {
                for claim in in_every_model(s, i) {
                    case.claims.push(claim);
                    let (specification, implementation) = systems;
                    let pair = (Some(specification.clone()), implementation.clone());
                    case.systems.push(Some(pair));
                }
            }
        }
        case
    })
}
