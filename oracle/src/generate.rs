//! Random programs, by numbered seeds.
//!
//! there are six kinds: closed terms over all operators ([`terms`]), explicit transition systems
//! written as mutually recursive definitions ([`systems`]), networks of small components
//! ([`networks`]), terms and networks with priorities among events ([`priorities`]), and terms in
//! Timed sections ([`timed`]). For reductions there are networks of alike components ([`alike`]). Each gives definitions and claims about them. Specifications are derived from implementations more often
//! than not ([`pairs`]), so that about half of the refinements hold.

pub mod alike;
pub mod dress;
pub mod exhaustive;
pub mod networks;
pub mod pairs;
pub mod priorities;
pub mod systems;
pub mod terms;
pub mod timed;

use self::dress::{Dress, Names};
use crate::claim::{Claim, Model};
use crate::denote::Meanings;
use crate::events::{Event, Events};
use crate::random::Random;
use crate::system::System;
use crate::term::{Definitions, Durations, Priority, Term, Unary};

/// One script's worth of claims.
#[derive(Clone, Debug)]
pub struct Case {
    /// What the names in the claims stand for.
    pub definitions: Definitions,
    /// What is to be decided.
    pub claims: Vec<Claim>,
    /// For each claim about explicit systems, the systems it is about: the specification's, if there
    /// is one, and the implementation's.
    pub systems: Vec<Option<(Option<System>, System)>>,
    /// The events that give way to τ and ✓ in every claim, if the claims say so.
    pub silence_over: Option<Events>,
    /// If the definitions stand in a Timed section, how long each event takes; the last is `tock`.
    pub timed: Option<Durations>,
}

impl Case {
    /// The case as a script; the claims are its assertions, in order.
    #[must_use]
    pub fn script(&self) -> String {
        let mut text = self.preamble();
        for claim in &self.claims {
            text += &self.assertion(claim);
        }
        self.with_tock(&text)
    }

    /// The definitions as the judge reads them, without a Timed section.
    #[must_use]
    pub fn meant(&self) -> Definitions {
        match self.timed {
            Some(durations) => self.definitions.timed(durations),
            None => self.definitions.clone(),
        }
    }

    /// The text with the event that marks time under its name, if there is one.
    fn with_tock(&self, text: &str) -> String {
        let events = if self.timed.is_some() {
            Names::Tock
        } else {
            Names::Plain
        };
        let dress = Dress {
            events,
            ..Dress::default()
        };
        dress.dress(text)
    }

    fn assertion(&self, claim: &Claim) -> String {
        let over = self.silence_over.map_or(String::new(), |events| {
            let names: Vec<&str> = events.iter().map(Event::name).collect();
            format!(" :[tau priority over]: {{{}}}", names.join(","))
        });
        format!("assert {claim}{over}\n")
    }

    /// A claim in the words of the judge: what it says about the processes that it is about.
    #[must_use]
    pub fn judged(&self, claim: usize) -> Claim {
        let claim = &self.claims[claim];
        match self.silence_over {
            None => claim.clone(),
            Some(events) => {
                let order = Unary::Prioritise(Priority::silence_over(events));
                claim.with_terms(&|term| Term::unary(order, term.clone()))
            }
        }
    }

    /// The script with what the definitions say stated above each assertion.
    #[must_use]
    pub fn expecting_script(&self) -> String {
        let mut text = self.preamble();
        let meant = self.meant();
        for (i, claim) in self.claims.iter().enumerate() {
            let verdict = Meanings::new(&meant, 50_000).judge(&self.judged(i));
            if let Ok(verdict) = verdict {
                let expected = if verdict.holds() { "pass" } else { "fail" };
                text += &format!("--@ expect: {expected}\n");
            }
            text += &self.assertion(claim);
        }
        self.with_tock(&text)
    }

    /// The case without the definitions that no claim depends on.
    #[must_use]
    pub fn without_idle_names(&self) -> Self {
        let mut used = Vec::new();
        for claim in &self.claims {
            claim.process().names(&mut used);
            if let Some(specification) = claim.specification() {
                specification.names(&mut used);
            }
        }
        let mut next = 0;
        while next < used.len() {
            self.definitions.bodies[used[next]].names(&mut used);
            next += 1;
        }
        used.sort_unstable();
        let renumbered = |n: usize| {
            let place = used.iter().position(|u| *u == n);
            Term::Name(place.expect("every name in use was found"))
        };
        let bodies = used
            .iter()
            .map(|n| self.definitions.bodies[*n].with_names(&renumbered))
            .collect();
        let claims = self.claims.iter();
        Self {
            definitions: Definitions {
                events: self.definitions.events,
                bodies,
            },
            claims: claims
                .map(|c| c.with_terms(&|t| t.with_names(&renumbered)))
                .collect(),
            systems: self.systems.clone(),
            silence_over: self.silence_over,
            timed: self.timed,
        }
    }

    /// The case of one claim alone.
    #[must_use]
    pub fn only(&self, claim: usize) -> Self {
        Self {
            definitions: self.definitions.clone(),
            claims: vec![self.claims[claim].clone()],
            systems: self.systems.get(claim).cloned().into_iter().collect(),
            silence_over: self.silence_over,
            timed: self.timed,
        }
    }

    /// The same case with some of its claims.
    #[must_use]
    pub fn with_claims(mut self, keep: impl Fn(&Claim) -> bool) -> Self {
        let kept: Vec<bool> = self.claims.iter().map(keep).collect();
        let mut of_claims = kept.iter();
        self.claims.retain(|_| of_claims.next() == Some(&true));
        let mut of_systems = kept.iter();
        self.systems.retain(|_| of_systems.next() == Some(&true));
        self
    }

    /// The declarations, with whatever functions they use made visible.
    fn preamble(&self) -> String {
        let mut used = Vec::new();
        let mut note = |term: &Term| {
            term.any(&mut |t| {
                let import = match t {
                    Term::Unary(Unary::Compress(c), _) => ("transparent", c.name()),
                    Term::Unary(Unary::Prioritise(order), _) => ("external", order.function()),
                    Term::Unary(Unary::Watch(kind, ..), _) => ("external", kind.name()),
                    Term::Unary(Unary::Loop, _) => ("external", "loop"),
                    _ => return false,
                };
                if !used.contains(&import) {
                    used.push(import);
                }
                false
            });
        };
        self.definitions.bodies.iter().for_each(&mut note);
        for claim in &self.claims {
            note(claim.process());
            claim.specification().into_iter().for_each(&mut note);
        }
        let mut text: String = used
            .iter()
            .map(|(kind, name)| format!("{kind} {name}\n"))
            .collect();
        let declared = self.definitions.to_string();
        match (self.timed, declared.split_once('\n')) {
            (Some(durations), Some((channels, bodies))) => {
                let (function, section) = section(durations);
                text += &format!("{channels}\n{function}{section} {{\n{bodies}}}\n");
            }
            _ => text += &declared,
        }
        text
    }
}

/// The function of durations, if one is needed, and how a Timed section begins.
fn section(durations: Durations) -> (String, &'static str) {
    if durations == [1; 4] {
        return (String::new(), "Timed");
    }
    let [others @ .., last] = durations;
    let each = others.iter().zip(0u8..);
    let cases = each.map(|(time, e)| format!("if x == {} then {time} else ", Event(e).name()));
    let cases: String = cases.collect();
    (format!("takes(x) = {cases}{last}\n"), "Timed(takes)")
}

/// Every kind of property of a process, and refinement in every model.
#[must_use]
pub fn all_claims(
    random: &mut Random,
    events: u8,
    specification: &Term,
    process: &Term,
) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Model::ALL
        .into_iter()
        .map(|model| Claim::Refines {
            specification: specification.clone(),
            implementation: process.clone(),
            model,
        })
        .collect();
    claims.extend(properties(random, events, process));
    claims
}

/// Every kind of property of a process.
pub(crate) fn properties(random: &mut Random, events: u8, process: &Term) -> Vec<Claim> {
    let process = process.clone();
    let length = random.below(4);
    let trace: Vec<Event> = (0..length)
        .map(|_| Event(u8::try_from(random.below(usize::from(events))).expect("few events")))
        .collect();
    let has_trace = |model| Claim::HasTrace {
        process: process.clone(),
        model,
        trace: trace.clone(),
    };
    vec![
        Claim::DeadlockFree {
            process: process.clone(),
            strict: false,
        },
        Claim::DeadlockFree {
            process: process.clone(),
            strict: true,
        },
        Claim::DivergenceFree {
            process: process.clone(),
        },
        Claim::Deterministic {
            process: process.clone(),
            strict: false,
        },
        Claim::Deterministic {
            process: process.clone(),
            strict: true,
        },
        has_trace(Model::T),
        has_trace(Model::F),
        has_trace(Model::FD),
    ]
}
