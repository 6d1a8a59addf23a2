//! Which rules can disturb one another, by the local states of the components they touch.
//!
//! In a local state `x` of a component, a rule *moves* the component if it can lead away from `x`, and
//! *reads* it if it needs `x`, or overwrites the component, without leading away from `x`. As long as no
//! rule that moves the component in `x` is fired, it stays in `x`: rules that `x` does not admit cannot
//! fire, and rules that only read it do not disturb one another. A participant that every local state
//! admits and that never moves is of no account.

use csp_lts::Network;

use crate::machine::{Field, Locals, Plan};

/// The rule needs the local state or writes it.
const READS: u8 = 1;
/// It can lead to another local state.
pub(super) const MOVES: u8 = 2;
/// It always does.
const SURE: u8 = 4;
/// It can lead back in the order of the local states that [`super::proviso`] fixes.
pub(super) const RETURNS: u8 = 8;

/// The most entries of all tables.
const MOST_ENTRIES: usize = 1 << 27;

/// How a rule touches a component: a column of flags, one for each local state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) component: u32,
    column: u32,
}

/// The rules of a machine and what they touch.
#[derive(Debug)]
pub(crate) struct Interference {
    pub(super) fields: Vec<Field>,
    /// By rule, the first of its touches.
    starts: Vec<u32>,
    touches: Vec<Touch>,
    pub(super) columns: Vec<u8>,
    /// For each component and local state, where the rules that move it and that read it begin.
    first: Vec<u32>,
    movers: Ranges,
    readers: Ranges,
}

/// Lists of rules, one after another.
#[derive(Debug, Default)]
struct Ranges {
    starts: Vec<u32>,
    rules: Vec<u32>,
}

impl Ranges {
    fn of(&self, at: usize) -> &[u32] {
        &self.rules[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn close(&mut self) {
        self.starts.push(number(self.rules.len()));
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("the tables are bounded")
}

impl Interference {
    /// The rules of a machine, numbered as it does; `None` if the tables would be too large.
    pub(super) fn new(network: &Network, plan: &Plan) -> Option<Self> {
        let locals = &plan.locals;
        let mut tables = Self {
            fields: plan.layout.components.clone(),
            starts: vec![0],
            touches: Vec::new(),
            columns: Vec::new(),
            first: Vec::new(),
            movers: Ranges::default(),
            readers: Ranges::default(),
        };
        let mut known: Vec<Vec<Option<u32>>> = (locals.components.iter())
            .map(|local| vec![None; local.classes.len()])
            .collect();
        for (rule, _) in (network.rules.iter().zip(&locals.live)).filter(|(_, live)| **live) {
            for (component, event) in &rule.participants {
                let local = &locals.components[component.0 as usize];
                let class = local.class(*event);
                let summary = &local.classes[class as usize];
                if summary.loops && summary.offering as usize == local.states.len() {
                    continue;
                }
                let known = &mut known[component.0 as usize][class as usize];
                let column = match *known {
                    Some(column) => column,
                    None => *known.insert(tables.offers(locals, component.0, class)?),
                };
                let component = component.0;
                tables.touches.push(Touch { component, column });
            }
            for (component, state) in &rule.resets {
                let local = &locals.components[component.0 as usize];
                let at = local.states.binary_search(state).ok();
                let column = tables.column(local.states.len())?;
                let flags = tables.columns[column as usize..].iter_mut().enumerate();
                flags.for_each(|(x, flags)| {
                    *flags = READS | if at == Some(x) { 0 } else { MOVES };
                });
                let component = component.0;
                tables.touches.push(Touch { component, column });
            }
            tables.starts.push(number(tables.touches.len()));
        }
        tables.list(locals)?;
        Some(tables)
    }

    fn column(&mut self, states: usize) -> Option<u32> {
        let column = self.columns.len();
        if column + states > MOST_ENTRIES {
            return None;
        }
        self.columns.resize(column + states, 0);
        Some(number(column))
    }

    /// The column of a class of a component.
    fn offers(&mut self, locals: &Locals, component: u32, class: u32) -> Option<u32> {
        let local = &locals.components[component as usize];
        let column = self.column(local.states.len())?;
        let flags = &mut self.columns[column as usize..];
        local.each_move(class, |source, target| {
            let flags = &mut flags[source as usize];
            let first = *flags == 0;
            if source == target {
                *flags = (*flags | READS) & !SURE;
            } else {
                *flags |= READS | MOVES | if first { SURE } else { 0 };
            }
        });
        Some(column)
    }

    /// Lists for each local state the rules that move and that read it.
    fn list(&mut self, locals: &Locals) -> Option<()> {
        let mut touching: Vec<Vec<(u32, u32)>> = vec![Vec::new(); locals.components.len()];
        for rule in 0..self.rules() {
            for touch in self.touches(rule) {
                touching[touch.component as usize].push((rule, touch.column));
            }
        }
        let [mut movers, mut readers] = [Ranges::default(), Ranges::default()];
        for (local, touching) in locals.components.iter().zip(touching) {
            self.first.push(number(movers.starts.len()));
            for x in 0..local.states.len() {
                movers.close();
                readers.close();
                for (rule, column) in &touching {
                    match self.columns[*column as usize + x] {
                        0 => {}
                        flags if flags & MOVES != 0 => movers.rules.push(*rule),
                        _ => readers.rules.push(*rule),
                    }
                }
                if movers.rules.len() + readers.rules.len() > MOST_ENTRIES {
                    return None;
                }
            }
        }
        movers.close();
        readers.close();
        (self.movers, self.readers) = (movers, readers);
        Some(())
    }

    /// How many rules there are.
    pub(super) fn rules(&self) -> u32 {
        number(self.starts.len() - 1)
    }

    /// What a rule touches.
    pub(super) fn touches(&self, rule: u32) -> &[Touch] {
        let at = rule as usize;
        &self.touches[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// How a rule touches a component in a local state.
    #[inline(always)]
    pub(super) fn flags(&self, touch: Touch, x: u32) -> Flags {
        Flags(self.columns[touch.column as usize + x as usize])
    }

    /// The column of flags of a touch.
    pub(super) fn column_of(&mut self, touch: Touch, states: usize) -> &mut [u8] {
        &mut self.columns[touch.column as usize..][..states]
    }

    /// The rules that move a component in a local state.
    pub(super) fn movers(&self, component: u32, x: u32) -> &[u32] {
        self.movers
            .of(self.first[component as usize] as usize + x as usize)
    }

    /// The rules that read it there.
    pub(super) fn readers(&self, component: u32, x: u32) -> &[u32] {
        self.readers
            .of(self.first[component as usize] as usize + x as usize)
    }
}

/// How a rule touches a component in one local state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags(pub(super) u8);

impl Flags {
    /// The local state does not admit the rule.
    pub(super) fn forbids(self) -> bool {
        self.0 == 0
    }

    /// The rule can lead to another local state.
    pub(super) fn moves(self) -> bool {
        self.0 & MOVES != 0
    }

    /// It always does.
    pub(super) fn surely_moves(self) -> bool {
        self.0 & SURE != 0
    }

    /// It can lead back in the order of local states.
    pub(super) fn returns(self) -> bool {
        self.0 & RETURNS != 0
    }
}
