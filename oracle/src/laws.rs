//! Algebraic laws as data, instantiated with random processes and checked by the product alone.
//!
//! A law is text with metavariables. An instance is a script that defines the metavariables and
//! asserts the law, so the product sees the law exactly as it is written down. The oracle is needed
//! only to know that a process which stands for one that never terminates never does.

use crate::claim::Model;
use crate::denote::Meanings;
use crate::events::{Event, Events};
use crate::generate::terms::{Scope, definitions};
use crate::random::Random;
use crate::term::{Constant, Definitions, Term};
use crate::trial::product::{Answer, Setup, answers};

/// The laws.
pub const LAWS: &str = include_str!("../laws/laws.txt");
/// Equations that are not laws.
pub const NON_LAWS: &str = include_str!("../laws/nonlaws.txt");

/// What must be true of the sets and events of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    In(char, char),
    NotIn(char, char),
    Different(char, char),
    Disjoint(char, char),
}

/// One law.
#[derive(Clone, Debug)]
pub struct Law {
    /// What to call it.
    pub name: String,
    /// Where it holds; or, of an equation that is no law, where it must be seen to fail.
    pub models: Vec<Model>,
    conditions: Vec<Condition>,
    left: String,
    right: String,
    /// It is an equation, and not only a refinement from left to right.
    both_ways: bool,
}

/// Reads a file of laws; panics with the line if one is not well formed, since the files are ours.
#[must_use]
pub fn read(text: &str) -> Vec<Law> {
    let lines = text
        .lines()
        .filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    lines
        .map(|line| law(line).unwrap_or_else(|| panic!("not a law: {line}")))
        .collect()
}

fn law(line: &str) -> Option<Law> {
    let mut parts = line.splitn(4, ':').map(str::trim);
    let (name, models, conditions, equation) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (left, right, both_ways) = if let Some((left, right)) = equation.rsplit_once(" == ") {
        // `i == 0` may occur inside; the last one at this depth is the law's own.
        (left, right, true)
    } else {
        let (left, right) = equation.split_once(" [= ")?;
        (left, right, false)
    };
    Some(Law {
        name: name.to_owned(),
        models: models_of(models)?,
        conditions: conditions
            .split(',')
            .filter(|c| !c.trim().is_empty())
            .map(condition)
            .collect::<Option<_>>()?,
        left: left.to_owned(),
        right: right.to_owned(),
        both_ways,
    })
}

fn models_of(text: &str) -> Option<Vec<Model>> {
    match text {
        "all" => Some(Model::ALL.to_vec()),
        "stable" => Some(vec![Model::T, Model::F, Model::V, Model::R]),
        "strict" => Some(vec![Model::FD, Model::VD, Model::RD]),
        list => list
            .split_whitespace()
            .map(|name| Model::ALL.into_iter().find(|m| m.to_string() == name))
            .collect(),
    }
}

fn condition(text: &str) -> Option<Condition> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [left, relation, right] = words[..] else {
        return None;
    };
    let (left, right) = (left.chars().next()?, right.chars().next()?);
    Some(match relation {
        "in" => Condition::In(left, right),
        "notin" => Condition::NotIn(left, right),
        "!=" => Condition::Different(left, right),
        "disjoint" => Condition::Disjoint(left, right),
        _ => return None,
    })
}

/// Values for the metavariables.
#[derive(Clone, Debug)]
pub struct Instance {
    definitions: Definitions,
    processes: Vec<(char, Term)>,
    sets: Vec<(char, Events)>,
    events: Vec<(char, Event)>,
}

impl Instance {
    /// The instance of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (mut definitions, scope) = definitions(&mut random, 3, 0, 0);
        // The fourth event is the one that occurs nowhere.
        definitions.events = 4;
        let mut processes = Vec::new();
        for name in ['P', 'Q', 'R'] {
            let size = 1 + random.below(6);
            processes.push((name, scope.closed(&mut random, size)));
        }
        for (name, ends, diverges) in [
            ('N', false, true),
            ('M', false, true),
            ('D', true, false),
            ('E', false, false),
        ] {
            let term = chosen(&mut random, &definitions, &scope, ends, diverges);
            processes.push((name, term));
        }
        Self {
            definitions,
            processes,
            sets: ['A', 'B', 'C']
                .map(|n| (n, scope.set(&mut random)))
                .to_vec(),
            events: ['x', 'y', 'z']
                .map(|n| (n, scope.event(&mut random)))
                .to_vec(),
        }
    }

    fn set(&self, name: char) -> Events {
        let found = self.sets.iter().find(|s| s.0 == name);
        found.expect("the sets are A, B and C").1
    }

    fn event(&self, name: char) -> Event {
        let found = self.events.iter().find(|e| e.0 == name);
        found.expect("the events are x, y and z").1
    }

    /// Whether the conditions of a law are met.
    #[must_use]
    pub fn fits(&self, law: &Law) -> bool {
        law.conditions.iter().all(|c| match *c {
            Condition::In(x, a) => self.set(a).has(self.event(x)),
            Condition::NotIn(x, a) => !self.set(a).has(self.event(x)),
            Condition::Different(x, y) => self.event(x) != self.event(y),
            Condition::Disjoint(a, b) => self.set(a).and(self.set(b)).is_empty(),
        })
    }

    /// The definitions of the metavariables.
    #[must_use]
    pub fn preamble(&self) -> String {
        let mut text = String::from(
            "transparent explicate, sbisim, dbisim, wbisim, tau_loop_factor, diamond, normal, model_compress, chase\nexternal deter, loop, prioritise\n",
        );
        text += &self.definitions.to_string();
        for (name, term) in &self.processes {
            text += &format!("{name} = {term}\n");
        }
        for (name, set) in &self.sets {
            let members: Vec<&str> = set.iter().map(Event::name).collect();
            text += &format!("{name} = {{{}}}\n", members.join(","));
        }
        for (name, event) in &self.events {
            text += &format!("{name} = {}\n", event.name());
        }
        text
    }
}

/// A random process which, by the oracle, does not terminate or diverge if it may not.
fn chosen(
    random: &mut Random,
    definitions: &Definitions,
    scope: &Scope,
    ends: bool,
    diverges: bool,
) -> Term {
    for _ in 0..20 {
        let size = 1 + random.below(6);
        let term = scope.closed(random, size);
        let mut meanings = Meanings::new(definitions, 500);
        let fits = meanings.meaning(&term).and_then(|p| {
            let terminating = meanings.somewhere(p, |m, p| Ok(m.initials(p)?.has_tick()))?;
            let divergent = meanings.somewhere(p, |m, p| m.diverges(p))?;
            Ok((ends || !terminating) && (diverges || !divergent))
        });
        if fits == Ok(true) {
            return term;
        }
    }
    Term::Constant(Constant::Run(scope.set(random)))
}

/// What is asserted of a law: model and direction, in the order of the script.
fn assertions(law: &Law, models: &[Model]) -> Vec<(Model, String)> {
    let mut all = Vec::new();
    for &model in models {
        let (left, right) = (&law.left, &law.right);
        all.push((model, format!("assert ({left}) [{model}= ({right})\n")));
        if law.both_ways {
            all.push((model, format!("assert ({right}) [{model}= ({left})\n")));
        }
    }
    all
}

/// What came of a law on one instance.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its place in the list.
    pub law: usize,
    /// In which model.
    pub model: Model,
    /// The assertion, as it stands in the script.
    pub assertion: String,
    /// What the product says.
    pub answer: Answer,
}

/// Checks every law that fits an instance; each in one of its models, or in all.
#[must_use]
pub fn try_laws(
    laws: &[Law],
    instance: &Instance,
    seed: u64,
    all_models: bool,
    setup: Setup,
) -> Vec<Tried> {
    let mut random = Random::new(seed ^ 0x5EED);
    let mut script = instance.preamble();
    let mut asked = Vec::new();
    for (index, law) in laws.iter().enumerate().filter(|(_, l)| instance.fits(l)) {
        let one = [*random.pick(&law.models)];
        let models = if all_models {
            &law.models[..]
        } else {
            &one[..]
        };
        for (model, text) in assertions(law, models) {
            script += &text;
            asked.push((index, model, text));
        }
    }
    let given = answers(&script, setup);
    let refused = given.len() != asked.len();
    asked
        .into_iter()
        .enumerate()
        .map(|(i, (law, model, assertion))| Tried {
            law,
            model,
            assertion,
            answer: given[if refused { 0 } else { i }].clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_well_formed() {
        let laws = read(LAWS);
        assert_eq!(laws.len(), 338);
        assert_eq!(read(NON_LAWS).len(), 47);
        let mut names: Vec<&str> = laws.iter().map(|l| l.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), laws.len());
    }
}
