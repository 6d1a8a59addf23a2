//! How large the numbers of a process become: for every part the least and the greatest value of each
//! numeric parameter, and the least and greatest size of each sequence, set and map, over all states
//! that can be reached.
//!
//! A part is a sequential process; its values are the arguments of the definition that it is in. States
//! in the middle of a definition, after some of its events, have no arguments of their own and do not
//! count; a state that is the same as several definitions counts for each. This is what an analyst of Petri nets asks of the places: a place is *k*-bounded if its
//! greatest value is *k*, and safe if that is one. Everything is exact unless a limit was reached.
//! Source for the questions: Murata, "Petri nets: properties, analysis and applications" (1989).

use std::collections::BTreeMap;

use csp_checker::Observer;
use csp_compiler::evaluate::Names;
use csp_compiler::hir::{GlobalKind, PatternKind, Var};
use csp_compiler::process::{Measure, Number};
use csp_lts::{ComponentId, StateId};
use serde::{Deserialize, Serialize};

use crate::evidence::Scene;
use crate::live::{self, Level, TrapReport, levels, traps};
use crate::reach::AllStates;
use crate::report::SCHEMA;
use crate::script::{CheckSettings, Problem, Script};

/// What `csp bounds` has to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundsReport {
    /// The version of the shapes of reports.
    pub schema: u32,
    /// The script.
    pub file: String,
    /// The process.
    pub process: String,
    /// States that were reached.
    pub states: usize,
    /// Transitions between them.
    pub transitions: usize,
    /// Why not everything was reached; then the bounds are those of what was.
    pub limit: Option<String>,
    /// The parts that have numbers, in the order of the script.
    pub parts: Vec<PartBounds>,
    /// Parts of which a compression has made one machine: nothing is known of what is inside.
    pub closed: Vec<String>,
    /// Events that never happen though some part would do them; nothing is claimed after a limit.
    pub never: Vec<String>,
    /// Parts that come to places which they never leave.
    pub traps: Vec<TrapReport>,
}

/// The numbers of one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartBounds {
    /// The part.
    pub part: String,
    /// In how many states of its own it has been.
    pub states: usize,
    /// Its numbers.
    pub numbers: Vec<NumberBounds>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// A number.
    Value,
    /// The elements of a sequence, set or map.
    Size,
}

/// One number of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberBounds {
    /// The definition.
    pub definition: String,
    /// Its parameter, by name where it has one, else `#2`.
    pub parameter: String,
    /// What is counted.
    pub counted: Counted,
    /// How many values it has had.
    pub values: usize,
    /// The least.
    pub least: BoundReport,
    /// The greatest.
    pub greatest: BoundReport,
}

/// A bound and where it is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundReport {
    /// The value.
    pub value: i64,
    /// In how many states of the process it is so.
    pub states: usize,
    /// The part in the first of them.
    pub at: String,
    /// A shortest way there.
    pub trace: Vec<String>,
}

/// A number of a part: definition, place, what is counted.
type Key = (String, bool, usize, Measure);

/// Where a value is reached: how many states, the first of them, and the local state there.
#[derive(Clone, Copy)]
struct Reach {
    states: usize,
    first: usize,
    local: StateId,
}

impl Script {
    /// How large the numbers of a process become.
    pub fn bounds(
        &mut self,
        process: &str,
        settings: &CheckSettings,
        observer: &dyn Observer,
    ) -> Result<BoundsReport, Problem> {
        let all = self.reach_all(process, settings, observer)?;
        let names_of_processes = self.evaluator().names();
        let parts = &all.scene;
        let scene = Scene {
            events: &all.events,
            network: &all.network,
            rows: &parts.rows,
            stand_ins: &parts.stand_ins,
            names: &parts.kept,
            terms: &parts.terms,
        };
        let mut bounds = Vec::new();
        let mut closed = Vec::new();
        for component in (0..).map(ComponentId).take(all.network.components.len()) {
            if scene.is_controller(component) {
                continue;
            }
            if parts.rows.rows[scene.row(component)].compressed.is_some() {
                closed.push(scene.label(component).to_owned());
                continue;
            }
            let (states, numbers) = self.numbers(&all, &scene, &names_of_processes, component);
            if !numbers.is_empty() {
                bounds.push(PartBounds {
                    part: scene.label(component).to_owned(),
                    states,
                    numbers,
                });
            }
        }
        let never = levels(&all).into_iter();
        let never = never.filter(|e| e.level == Level::L0 && all.reached.limit.is_none());
        Ok(BoundsReport {
            schema: SCHEMA,
            file: self.file.clone(),
            process: process.to_owned(),
            states: all.reached.states.len(),
            transitions: all.reached.edge_count(),
            limit: all.reached.limit.clone(),
            parts: bounds,
            closed,
            never: never.map(|e| e.event).collect(),
            traps: traps(&all),
        })
    }

    /// In how many states a component has been, and the bounds of its numbers.
    fn numbers(
        &self,
        all: &AllStates,
        scene: &Scene<'_>,
        names: &Names,
        component: ComponentId,
    ) -> (usize, Vec<NumberBounds>) {
        let index = component.0 as usize;
        let mut locals: BTreeMap<StateId, Reach> = BTreeMap::new();
        for (at, state) in all.reached.states.iter().enumerate() {
            let local = state[index];
            let reach = locals.entry(local).or_insert(Reach {
                states: 0,
                first: at,
                local,
            });
            reach.states += 1;
        }
        let mut values: BTreeMap<Key, BTreeMap<i64, Reach>> = BTreeMap::new();
        for reach in locals.values() {
            let process = all.names.process(component, reach.local);
            let numbers = self
                .evaluator
                .as_ref()
                .zip(process)
                .map(|(e, p)| e.numbers(p, names));
            for number in numbers.into_iter().flatten() {
                let Number {
                    definition,
                    global,
                    place,
                    measure,
                    value,
                } = number;
                let of = values
                    .entry((definition, global, place, measure))
                    .or_default();
                let known = of.entry(value).or_insert(Reach {
                    states: 0,
                    ..*reach
                });
                known.states += reach.states;
                if reach.first < known.first {
                    (known.first, known.local) = (reach.first, reach.local);
                }
            }
        }
        let told = |(value, reach): (&i64, &Reach)| BoundReport {
            value: *value,
            states: reach.states,
            at: scene.term(component, reach.local).text,
            trace: live::names(&all.events, &all.reached.trace(reach.first)),
        };
        let numbers = values
            .iter()
            .filter_map(|((definition, global, place, measure), of)| {
                Some(NumberBounds {
                    definition: definition.clone(),
                    parameter: self.parameter(definition, *global, *place),
                    counted: match measure {
                        Measure::Value => Counted::Value,
                        Measure::Size => Counted::Size,
                    },
                    values: of.len(),
                    least: told(of.first_key_value()?),
                    greatest: told(of.last_key_value()?),
                })
            });
        (locals.len(), numbers.collect())
    }

    /// What a parameter of a definition is called: as the first clause that gives it a name calls it.
    fn parameter(&self, definition: &str, global: bool, place: usize) -> String {
        let named = || {
            let mut globals = self.program.globals.iter();
            let GlobalKind::Function(function) =
                &globals.find(|g| global && g.name == definition)?.kind
            else {
                return None;
            };
            function.clauses.iter().find_map(|clause| {
                let pattern = clause.parameters.iter().flatten().nth(place)?;
                match &pattern.kind {
                    PatternKind::Variable(Var::Local(local)) => {
                        Some(self.program.locals[local.0 as usize].name.clone())
                    }
                    _ => None,
                }
            })
        };
        named().unwrap_or_else(|| format!("#{}", place + 1))
    }
}
