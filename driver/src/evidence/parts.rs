//! The parts of a process as reports show them: rows with labels that no two components share.
//!
//! An operator with one component below it (a renaming, a hiding) is one row with that component. Small
//! components that only say which operands are live are no rows; what they do counts as their
//! operator's. A component is called by its own name if no other is, or else by what stands around it:
//! `Copy[[right <- middle]]`; or else by a number.

use std::collections::{HashMap, HashSet};

use csp_compiler::assemble::{Provenance, Role};
use csp_compiler::process::{ProcessId, Processes};
use csp_lts::{ComponentId, Network};

/// One row.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) parent: Option<usize>,
    pub(crate) label: String,
    pub(crate) operator: Option<&'static str>,
    pub(crate) process: Option<ProcessId>,
    pub(crate) component: Option<ComponentId>,
    /// A compression has made it of this operand.
    pub(crate) compressed: Option<ProcessId>,
}

/// The rows of a network, parents first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// For each component its row, or that of its operator.
    pub(crate) row_of: Vec<usize>,
    /// For each component whether it only says which operands are live.
    pub(crate) is_controller: Vec<bool>,
}

impl Rows {
    /// Rows of a network of which nothing else is known.
    pub(crate) fn flat(network: &Network) -> Self {
        let components = (0..).map(ComponentId).zip(&network.components);
        let rows = components.map(|(id, component)| Row {
            parent: None,
            label: component.name.clone(),
            operator: None,
            process: None,
            component: Some(id),
            compressed: None,
        });
        let count = network.components.len();
        let mut rows = Self {
            rows: rows.collect(),
            row_of: (0..count).collect(),
            is_controller: vec![false; count],
        };
        rows.number();
        rows
    }

    /// The rows of a network, from what its components come from.
    /// `written` gives a process as the script writes it.
    pub(crate) fn new(
        provenance: &Provenance,
        processes: &dyn Processes,
        written: &dyn Fn(ProcessId) -> Option<String>,
    ) -> Self {
        let parts = &provenance.parts;
        let mut operands: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        for (place, part) in parts.iter().enumerate() {
            if let Some(parent) = part.parent
                && !matches!(part.role, Role::Controller(_))
            {
                operands[parent as usize].push(place);
            }
        }
        // The component that an operator is one row with.
        let mut stands_for: Vec<Option<usize>> = vec![None; parts.len()];
        for place in (0..parts.len()).rev() {
            stands_for[place] = match (&parts[place].role, &operands[place][..]) {
                (Role::Operator(_), &[only]) => stands_for[only],
                (Role::Component(_) | Role::Compressed(..), _) => Some(place),
                _ => None,
            };
        }
        let count = provenance.components.len();
        let mut rows = Self {
            rows: Vec::with_capacity(parts.len()),
            row_of: vec![0; count],
            is_controller: vec![false; count],
        };
        let mut row_of_part = vec![0; parts.len()];
        for (place, part) in parts.iter().enumerate() {
            let parent = part.parent.map(|parent| parent as usize);
            let above = parent.map(|parent| row_of_part[parent]);
            // Part of a row that has been made for an operator above.
            let merged = parent.is_some_and(|parent| stands_for[parent].is_some());
            let is_controller = matches!(part.role, Role::Controller(_));
            row_of_part[place] = match above {
                Some(above) if merged || is_controller => above,
                _ => {
                    let shown = &parts[stands_for[place].unwrap_or(place)];
                    rows.rows.push(Row {
                        parent: above,
                        label: processes.describe(shown.process),
                        operator: match part.role {
                            // A process that is its own component is written without an operator.
                            Role::Operator(_) if shown.process == part.process && shown != part => {
                                None
                            }
                            Role::Operator(symbol) => Some(symbol).filter(|s| !s.is_empty()),
                            _ => None,
                        },
                        process: Some(part.process),
                        component: shown.role.component(),
                        compressed: match shown.role {
                            Role::Compressed(_, _, operand) => Some(operand),
                            _ => None,
                        },
                    });
                    rows.rows.len() - 1
                }
            };
            if let Some(component) = part.role.component() {
                rows.row_of[component.0 as usize] = row_of_part[place];
                rows.is_controller[component.0 as usize] = is_controller;
            }
        }
        rows.distinguish(written);
        rows
    }

    /// Labels that several components have.
    fn shared(rows: &[Row]) -> HashSet<String> {
        let mut seen = HashSet::new();
        let mut shared = HashSet::new();
        for row in rows.iter().filter(|row| row.component.is_some()) {
            if !seen.insert(&row.label) {
                shared.insert(row.label.clone());
            }
        }
        shared
    }

    /// Makes labels of components differ.
    fn distinguish(&mut self, written: &dyn Fn(ProcessId) -> Option<String>) {
        let same = Self::shared(&self.rows);
        let mut around = self.rows.clone();
        for row in &mut around {
            if same.contains(&row.label)
                && let Some(text) = row.process.and_then(written)
            {
                row.label = text;
            }
        }
        let still = Self::shared(&around);
        for (row, around) in self.rows.iter_mut().zip(around) {
            if !still.contains(&around.label) {
                row.label = around.label;
            }
        }
        self.number();
    }

    /// Numbers the components that have the same label.
    fn number(&mut self) {
        let same = Self::shared(&self.rows);
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for row in &mut self.rows {
            if row.component.is_some() && same.contains(&row.label) {
                let number = numbers.entry(row.label.clone()).or_default();
                *number += 1;
                row.label = format!("{} #{number}", row.label);
            }
        }
    }
}
