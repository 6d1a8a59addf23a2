//! Algebraic laws as data, instantiated with random processes and checked by the product alone.
//!
//! A law is text with metavariables. An instance is a script that defines the metavariables and
//! asserts the law, so the product sees the law exactly as it is written down. Processes are shared
//! between the laws of an instance; events and sets are drawn once for each list of conditions, such
//! that they meet it. The oracle is needed only to know that a process which stands for one that
//! never terminates, never diverges or is deterministic does what it should.

use crate::claim::{Claim, Model};
use crate::denote::{Meanings, TooLarge};
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
    statement: Statement,
}

/// What a law says.
#[derive(Clone, Debug)]
enum Statement {
    /// Both refine each other.
    Equal(String, String),
    /// The first is refined by the second.
    Refined(String, String),
    /// The process has a property.
    Has(String, String),
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
    let pair = |(left, right): (&str, &str)| (left.to_owned(), right.to_owned());
    // `i == 0` may occur inside; the last one is the law's own.
    let statement = if let Some((left, right)) = equation.rsplit_once(" == ").map(pair) {
        Statement::Equal(left, right)
    } else if let Some((left, right)) = equation.split_once(" [= ").map(pair) {
        Statement::Refined(left, right)
    } else {
        let (process, property) = equation.split_once(" is ").map(pair)?;
        Statement::Has(process, property)
    };
    Some(Law {
        name: name.to_owned(),
        models: models_of(models)?,
        conditions: conditions
            .split(',')
            .filter(|c| !c.trim().is_empty())
            .map(condition)
            .collect::<Option<_>>()?,
        statement,
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

/// The events that processes and sets are made of; there is one more, which occurs nowhere.
const EVENTS: u8 = 3;

impl Instance {
    /// The instance of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (mut definitions, scope) = definitions(&mut random, Scope::plain(EVENTS));
        definitions.events = EVENTS + 1;
        let mut processes = Vec::new();
        for name in ['P', 'Q', 'R'] {
            let size = 1 + random.below(6);
            processes.push((name, scope.closed(&mut random, size)));
        }
        for (name, kind) in [
            ('N', Kind::Endless),
            ('M', Kind::Endless),
            ('D', Kind::Convergent),
            ('E', Kind::Both),
            ('S', Kind::Deterministic),
        ] {
            let term = chosen(&mut random, &definitions, &scope, kind);
            processes.push((name, term));
        }
        Self {
            definitions,
            processes,
            sets: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The instance with events and sets that meet the conditions.
    fn meeting(&self, conditions: &[Condition], random: &mut Random) -> Self {
        let scope = Scope::plain(EVENTS);
        let mut instance = self.clone();
        // About one draw in twelve meets the hardest of the conditions.
        for _ in 0..10_000 {
            instance.sets = ['A', 'B', 'C'].map(|n| (n, scope.set(random))).to_vec();
            instance.events = ['x', 'y', 'z'].map(|n| (n, scope.event(random))).to_vec();
            if instance.meets(conditions) {
                return instance;
            }
        }
        panic!("conditions that cannot be met: {conditions:?}");
    }

    fn set(&self, name: char) -> Events {
        let found = self.sets.iter().find(|s| s.0 == name);
        found.expect("the sets are A, B and C").1
    }

    fn event(&self, name: char) -> Event {
        let found = self.events.iter().find(|e| e.0 == name);
        found.expect("the events are x, y and z").1
    }

    fn meets(&self, conditions: &[Condition]) -> bool {
        conditions.iter().all(|c| match *c {
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
            "transparent explicate, sbisim, dbisim, wbisim, tau_loop_factor, diamond, normal, model_compress, chase\nexternal deter, loop, prioritise, trace_watchdog, failure_watchdog\n",
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

/// What a process must be like to stand for a metavariable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It never terminates.
    Endless,
    /// It never diverges.
    Convergent,
    /// It does neither.
    Both,
    /// It is deterministic, and so never diverges.
    Deterministic,
}

/// A random process of a kind, by the oracle.
fn chosen(random: &mut Random, definitions: &Definitions, scope: &Scope, kind: Kind) -> Term {
    for _ in 0..100 {
        let size = 1 + random.below(6);
        let term = scope.closed(random, size);
        if is_of_kind(&mut Meanings::new(definitions, 500), &term, kind) == Ok(true) {
            return term;
        }
    }
    Term::Constant(Constant::Run(scope.set(random)))
}

fn is_of_kind(meanings: &mut Meanings<'_>, term: &Term, kind: Kind) -> Result<bool, TooLarge> {
    if kind == Kind::Deterministic {
        let claim = Claim::Deterministic {
            process: term.clone(),
            strict: true,
        };
        return Ok(meanings.judge(&claim)?.holds());
    }
    let p = meanings.meaning(term)?;
    let terminating = meanings.somewhere(p, |m, p| Ok(m.initials(p)?.has_tick()))?;
    let divergent = meanings.somewhere(p, |m, p| m.diverges(p))?;
    Ok(match kind {
        Kind::Endless => !terminating,
        Kind::Convergent => !divergent,
        Kind::Both | Kind::Deterministic => !terminating && !divergent,
    })
}

/// What is asserted of a law in a model, in the order of the script.
fn assertions(law: &Law, model: Model) -> Vec<String> {
    let refined = |s: &str, i: &str| format!("assert ({s}) [{model}= ({i})\n");
    match &law.statement {
        Statement::Equal(left, right) => vec![refined(left, right), refined(right, left)],
        Statement::Refined(left, right) => vec![refined(left, right)],
        Statement::Has(process, property) => {
            vec![format!("assert ({process}) :[{property} [{model}]]\n")]
        }
    }
}

/// What came of a law on one instance.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its place in the list of what was to be tried.
    pub place: usize,
    /// In which model.
    pub model: Model,
    /// The assertions with what the product says.
    pub answers: Vec<(String, Answer)>,
    /// The definitions of the metavariables.
    pub preamble: String,
}

/// Checks laws on an instance, each in the model that it is given with.
#[must_use]
pub fn try_laws(
    wanted: &[(&Law, Model)],
    instance: &Instance,
    seed: u64,
    setup: Setup,
) -> Vec<Tried> {
    let mut random = Random::new(seed ^ 0x5EED);
    let mut groups: Vec<(&[Condition], Vec<usize>)> = Vec::new();
    for (place, (law, _)) in wanted.iter().enumerate() {
        let conditions = &law.conditions[..];
        match groups.iter_mut().find(|g| g.0 == conditions) {
            Some(group) => group.1.push(place),
            None => groups.push((conditions, vec![place])),
        }
    }
    let mut all = Vec::with_capacity(wanted.len());
    for (conditions, members) in groups {
        let preamble = instance.meeting(conditions, &mut random).preamble();
        let asked = |&place: &usize| assertions(wanted[place].0, wanted[place].1);
        let asked: Vec<Vec<String>> = members.iter().map(asked).collect();
        let given = answers(&(preamble.clone() + &asked.concat().concat()), setup);
        // If the script is refused as a whole, that is the answer to every assertion.
        let mut given = given.iter().cycle();
        for (place, asked) in members.into_iter().zip(asked) {
            let answer = |assertion| {
                let answer = given.next().expect("a script has an answer");
                (assertion, answer.clone())
            };
            all.push(Tried {
                place,
                model: wanted[place].1,
                answers: asked.into_iter().map(answer).collect(),
                preamble: preamble.clone(),
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_well_formed() {
        let laws = read(LAWS);
        assert_eq!(laws.len(), 354);
        assert_eq!(read(NON_LAWS).len(), 52);
        let mut names: Vec<&str> = laws.iter().map(|l| l.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), laws.len());
    }
}
