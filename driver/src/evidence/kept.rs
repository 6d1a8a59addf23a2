//! Names that outlive the script, for those who step through a reduced network.

use std::collections::HashMap;

use csp_compiler::reduce::WayBack;
use csp_lts::{ComponentId, Network, StateId};

use super::parts::Rows;
use super::scene::{FromProcesses, StandIns, StateNames, stand_ins, written};
use crate::explore::Explored;
use crate::report::SpanReport;

/// Names that have been looked up, for those who outlive the script.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    names: Vec<HashMap<StateId, String>>,
    spans: Vec<Vec<Option<SpanReport>>>,
}

/// Components with more states than this keep the name of their initial state only.
const KEPT_STATES: usize = 20_000;

impl Kept {
    pub(crate) fn new(network: &Network, names: &dyn StateNames) -> Self {
        let mut kept = Self::default();
        for (place, component) in (0..).map(ComponentId).zip(&network.components) {
            let few = component.lts.state_count() <= KEPT_STATES;
            let states = || component.lts.states().filter(|_| few);
            let named = states().filter_map(|s| Some((s, names.name(place, s)?)));
            kept.names.push(named.collect());
            kept.spans
                .push(states().map(|s| names.span(place, s)).collect());
        }
        kept
    }
}

impl StateNames for Kept {
    fn is_named(&self, component: ComponentId, state: StateId) -> bool {
        self.names[component.0 as usize].contains_key(&state)
    }

    fn name(&self, component: ComponentId, state: StateId) -> Option<String> {
        self.names[component.0 as usize].get(&state).cloned()
    }

    fn span(&self, component: ComponentId, state: StateId) -> Option<SpanReport> {
        let spans = &self.spans[component.0 as usize];
        spans.get(state.0 as usize).cloned().flatten()
    }
}

/// Names of the states of a reduced network.
struct Reduced<'a> {
    names: FromProcesses<'a>,
    back: &'a WayBack,
}

impl Reduced<'_> {
    fn before(&self, component: ComponentId, state: StateId) -> (ComponentId, StateId) {
        let place = component.0 as usize;
        let state = self.back.states[place][state.0 as usize];
        (self.back.components[place], state)
    }
}

impl StateNames for Reduced<'_> {
    fn is_named(&self, component: ComponentId, state: StateId) -> bool {
        let (component, state) = self.before(component, state);
        self.names.is_named(component, state)
    }

    fn name(&self, component: ComponentId, state: StateId) -> Option<String> {
        let (component, state) = self.before(component, state);
        self.names.name(component, state)
    }

    fn span(&self, component: ComponentId, state: StateId) -> Option<SpanReport> {
        let (component, state) = self.before(component, state);
        self.names.span(component, state)
    }
}

/// The parts, the names of states and what events stand for, by the components of the reduced network.
pub(crate) fn states_kept(explored: &Explored<'_>) -> (Rows, Kept, StandIns) {
    let Explored {
        network,
        back,
        provenance,
        processes,
        sources,
        ..
    } = explored;
    let written = |process| written(sources, processes.span(process));
    let whole = Rows::new(provenance, *processes, &written);
    let mut reduced = HashMap::new();
    for (place, component) in (0..).map(ComponentId).zip(&back.components) {
        reduced.insert(*component, place);
    }
    let components = || back.components.iter().map(|c| c.0 as usize);
    let mut rows = Rows {
        rows: whole.rows,
        row_of: components().map(|c| whole.row_of[c]).collect(),
        is_controller: components().map(|c| whole.is_controller[c]).collect(),
    };
    for row in &mut rows.rows {
        row.component = row.component.and_then(|c| reduced.get(&c).copied());
    }
    let names = Reduced {
        names: FromProcesses {
            processes: *processes,
            provenance,
            sources,
        },
        back,
    };
    let all = stand_ins(provenance);
    let stand_ins = components().map(|c| all[c].clone()).collect();
    (rows, Kept::new(network, &names), stand_ins)
}
