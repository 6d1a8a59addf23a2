//! The walk over the operator tree: which operator becomes rules, and which a leaf.

use ahash::{AHashMap, AHashSet};
use csp_lts::{Chase, ComponentId, EventId, Lts, Network, Probe, Rule, RuleId};

use super::draft::Drafts;
use super::node::{Fragment, Node, Put};
use super::provenance::{Part, Provenance, Role};
use super::shape::Shape;
use super::splice::Site;
use super::{Compiler, Outcome, messages};
use crate::compress::{Compressor, Context, Request};
use crate::leaf::{Leaf, marked};
use crate::operators::NESTING;
use crate::process::{Compression, Process, ProcessId, Processes};

/// How many controllers may stand inside one another before the rest is listed.
pub(super) const CONTROLLERS: u32 = 64;

/// How many states a process that switches networks off and on may have to be listed rather than have many
/// rules.
const RATHER_LISTED: usize = 50_000;

/// How deep the operator tree may be.
const DEPTH: usize = if csp_host::stack::MEASURED {
    100_000
} else {
    NESTING as usize
};

/// How many components a network may have: every state has a place for each.
const MOST_COMPONENTS: usize = 1 << 17;

/// How many operands are walked between two looks at whether to stop.
const POLL_EVERY: usize = 1 << 8;

/// One network under construction.
pub(super) struct Builder<'a> {
    pub(super) compiler: &'a mut Compiler,
    pub(super) processes: &'a mut dyn Processes,
    pub(super) compressor: &'a dyn Compressor,
    pub(super) drafts: Drafts,
    pub(super) probes: indexmap::IndexSet<Probe, ahash::RandomState>,
    pub(super) blockers: indexmap::IndexSet<Box<[u32]>, ahash::RandomState>,
    chases: Vec<(String, Vec<Fragment>)>,
    /// The processes whose nodes are under way.
    path: AHashSet<ProcessId>,
    /// How many operands have been walked.
    walked: usize,
    controllers: u32,
    /// What is under way has been found to need many rules.
    pub(super) needs_many_rules: bool,
    /// What is around the process under way.
    pub(super) context: Context,
    /// The operators and components so far, and the operator whose operands are under way.
    parts: Vec<Part>,
    part: Option<u32>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        compiler: &'a mut Compiler,
        processes: &'a mut dyn Processes,
        compressor: &'a dyn Compressor,
    ) -> Self {
        Self {
            compiler,
            processes,
            compressor,
            drafts: Drafts::default(),
            probes: indexmap::IndexSet::default(),
            blockers: indexmap::IndexSet::default(),
            chases: Vec::new(),
            path: AHashSet::new(),
            walked: 0,
            controllers: 0,
            needs_many_rules: false,
            context: Context::default(),
            parts: Vec::new(),
            part: None,
        }
    }

    pub(super) fn build(mut self, root: ProcessId) -> Outcome<(Network, Provenance)> {
        self.make_ahead(root)?;
        let node = self.node(root)?;
        if u32::try_from(node.visible.len() + node.silent.len()).is_err() {
            return Err(messages::too_large(self.processes, root, "rules"));
        }
        Ok(self.finish(node))
    }

    pub(super) fn shape(&mut self, process: ProcessId) -> Shape {
        self.compiler.shape(self.processes, process)
    }

    /// Where a process that is listed stands.
    pub(super) fn site(&self) -> Site<'a> {
        Site {
            compressor: self.compressor,
            context: self.context,
        }
    }

    /// What a process can do, over components that are added for it.
    pub(super) fn node(&mut self, process: ProcessId) -> Outcome<Node> {
        if self.path.len() >= DEPTH {
            return Err(messages::too_deep(self.processes, process));
        }
        // Operands that are shared are walked each time: a short script can have any number of them.
        self.walked += 1;
        if self.walked.is_multiple_of(POLL_EVERY) {
            self.processes.poll(process)?;
        }
        if self.drafts.len() > MOST_COMPONENTS {
            return Err(messages::too_many_components(self.processes, process));
        }
        if !self.path.insert(process) {
            return self.leaf_node(process);
        }
        let node = self.operator(process);
        self.path.remove(&process);
        node
    }

    /// The node of an operator; what is made for it is noted as being below it.
    fn operator(&mut self, process: ProcessId) -> Outcome<Node> {
        let head = self.processes.head(process)?;
        let (above, place) = (self.part, self.parts.len());
        self.parts.push(Part {
            parent: above,
            process,
            role: Role::Operator(head.symbol()),
        });
        self.part = Some(u32::try_from(place).expect("operators are numbered by u32"));
        let node = self.operator_of(process, &head);
        self.part = above;
        node
    }

    fn operator_of(&mut self, process: ProcessId, head: &Process) -> Outcome<Node> {
        let shape = self.shape(process);
        if !shape.recursive {
            match head {
                Process::Parallel(set, members) if shape.has_machines() => {
                    return self.parallel(process, set, members);
                }
                Process::Alphabetised(members) if shape.has_machines() => {
                    return self.alphabetised(process, members);
                }
                Process::Linked(left, links, right) => {
                    return self.linked(process, *left, links, *right);
                }
                Process::Hide(operand, set) => return self.hide(*operand, set, true),
                Process::Project(operand, set) => return self.hide(*operand, set, false),
                Process::Rename(operand, relation) => return self.rename(*operand, relation),
                Process::Prioritise(operand, priority) if shape.has_machines() => {
                    return self.prioritise(*operand, priority);
                }
                Process::Compress(Compression::Chase, operand) if shape.has_machines() => {
                    return self.chase(*operand);
                }
                Process::Compress(Compression::Chase, _) => return self.leaf_node(process),
                Process::Compress(Compression::Deter, _) if !shape.has_machines() => {
                    return self.leaf_node(process);
                }
                Process::Compress(_, operand) if self.compiler.options.transparent => {
                    return self.node(*operand);
                }
                Process::Compress(kind, operand) => {
                    return self.compressed(process, *kind, *operand);
                }
                Process::Watchdog(kind, specification, set, event) => {
                    return self.watchdog(process, *kind, *specification, set, *event);
                }
                _ => {}
            }
        }
        self.controlled(process, head, shape)
    }

    /// Operators whose live arguments change, and leaves.
    fn controlled(&mut self, process: ProcessId, head: &Process, shape: Shape) -> Outcome<Node> {
        if !shape.network || self.controllers >= CONTROLLERS {
            return self.leaf_node(process);
        }
        // It is simplest as one small leaf, if it is one and no compression is lost by that.
        if !shape.compressed || shape.splices() {
            let limit = self.compiler.options.small_leaf;
            if let Some(node) = self.small_leaf(process, limit)? {
                return Ok(node);
            }
        }
        self.controllers += 1;
        let node = self.with_few_rules(process, |builder| {
            if builder.comes_round(process)? {
                builder.skeleton(process, true)
            } else if builder.active(process)? {
                builder.switch(process, head)
            } else {
                builder.skeleton(process, false)
            }
        });
        self.controllers -= 1;
        node
    }

    /// Makes the node of a process. If that takes many rules, it is listed, as long as that takes few
    /// states; otherwise it has to have this many.
    fn with_few_rules(
        &mut self,
        process: ProcessId,
        make: impl Fn(&mut Self) -> Outcome<Node>,
    ) -> Outcome<Node> {
        if self.needs_many_rules {
            return make(self);
        }
        let (components, chases) = (self.drafts.len(), self.chases.len());
        let (probes, blockers) = (self.probes.len(), self.blockers.len());
        let parts = self.parts.len();
        match make(self) {
            Err(mistake) if mistake.code == messages::TOO_LARGE => {}
            node => return node,
        }
        self.drafts.truncate(components);
        self.parts.truncate(parts);
        self.chases.truncate(chases);
        self.probes.truncate(probes);
        self.blockers.truncate(blockers);
        if let Some(node) = self.small_leaf(process, RATHER_LISTED)? {
            return Ok(node);
        }
        self.processes.poll(process)?;
        self.needs_many_rules = true;
        let node = make(self);
        self.needs_many_rules = false;
        node
    }

    fn small_leaf(&mut self, process: ProcessId, limit: usize) -> Outcome<Option<Node>> {
        let site = self.site();
        let small = self
            .compiler
            .small_leaf(self.processes, process, site, limit)?;
        Ok(small.map(|leaf| self.node_of_leaf(process, leaf)))
    }

    /// Whether a network is live in the process from the start, not only after some event.
    pub(super) fn active(&mut self, process: ProcessId) -> Outcome<bool> {
        let splices = self.shape(process).splices();
        let site = self.site_for(process);
        let mut todo = vec![process];
        let mut seen = AHashSet::new();
        while let Some(process) = todo.pop() {
            let shape = self.shape(process);
            if !shape.network || !seen.insert(process) {
                continue;
            }
            let head = self.processes.head(process)?;
            match &*head {
                Process::Sequence(left, _) | Process::Loop(left) => todo.push(*left),
                _ if shape.recursive => {}
                Process::Compress(kind, operand) if splices && kind.shrinks() => {
                    let compiler = &mut *self.compiler;
                    if !compiler.is_machine(self.processes, process, site)? {
                        todo.push(*operand);
                    }
                }
                Process::Parallel(..)
                | Process::Alphabetised(_)
                | Process::Linked(..)
                | Process::Hide(..)
                | Process::Project(..)
                | Process::Rename(..)
                | Process::Compress(..)
                | Process::Watchdog(..)
                | Process::Prioritise(..) => return Ok(true),
                Process::External(operands) | Process::SyncExternal(_, operands) => {
                    todo.extend(operands.iter());
                }
                Process::Interrupt(left, right) | Process::SyncInterrupt(left, _, right) => {
                    todo.extend([*left, *right]);
                }
                Process::Sliding(left, _) | Process::Exception(left, _, _) => todo.push(*left),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Where a process is listed.
    pub(super) fn site_for(&mut self, process: ProcessId) -> Site<'a> {
        let site = self.site();
        self.compiler.site_for(self.processes, process, site)
    }

    pub(super) fn leaf_node(&mut self, process: ProcessId) -> Outcome<Node> {
        let site = self.site();
        let leaf = self.compiler.leaf(self.processes, process, site)?;
        Ok(self.node_of_leaf(process, leaf))
    }

    pub(super) fn node_of_leaf(&mut self, process: ProcessId, leaf: Leaf) -> Node {
        let initial = leaf.lts.initial();
        let finished = leaf.has_ended();
        let alphabet = leaf.alphabet.clone();
        let component = self.add_component(process, leaf);
        let mut node = Node {
            components: component.0..component.0 + 1,
            on: vec![(component, Put::State(initial))],
            done: vec![component],
            finished,
            ..Node::default()
        };
        for event in alphabet.iter() {
            let fragment = Fragment::single(component, event);
            match event {
                EventId::TAU => node.silent.push(fragment),
                EventId::TICK => node.ticks.push(fragment),
                _ => node.visible.push((event, fragment)),
            }
        }
        node
    }

    /// A component with the states of a process.
    pub(super) fn add_component(&mut self, process: ProcessId, leaf: Leaf) -> ComponentId {
        let name = self.processes.describe(process);
        let component = self.drafts.add(name, leaf);
        self.note_part(process, Role::Component(component));
        component
    }

    /// A component that says which operands of the operator under way are live.
    pub(super) fn add_controller(&mut self, name: String, leaf: Leaf) -> ComponentId {
        let component = self.drafts.add(name, leaf);
        let above = self.part.and_then(|part| self.parts.get(part as usize));
        if let Some(process) = above.map(|part| part.process) {
            self.note_part(process, Role::Controller(component));
        }
        component
    }

    fn note_part(&mut self, process: ProcessId, role: Role) {
        let parent = self.part;
        self.parts.push(Part {
            parent,
            process,
            role,
        });
    }

    fn compressed(
        &mut self,
        process: ProcessId,
        kind: Compression,
        operand: ProcessId,
    ) -> Outcome<Node> {
        let leaf = self.compressed_leaf(process, kind, operand, None)?;
        let node = self.node_of_leaf(process, leaf);
        if let Some(part) = self.parts.last_mut() {
            let component = ComponentId(node.components.start);
            part.role = Role::Compressed(component, kind, operand);
        }
        Ok(node)
    }

    /// The machine of a compressed process, if its operand has no more states than that.
    pub(super) fn compressed_leaf(
        &mut self,
        process: ProcessId,
        kind: Compression,
        operand: ProcessId,
        most_states: Option<usize>,
    ) -> Outcome<Leaf> {
        if let Some(leaf) = self.compiler.machines.get(&self.use_of(process)) {
            return Ok(leaf.clone());
        }
        let network = self.apart(operand, self.context)?;
        let made = self
            .compressor
            .compress(&Request {
                kind,
                network: &network,
                name: &self.processes.describe(operand),
                asked_for: true,
                span: self.processes.span(process),
                context: self.context,
                most_states,
            })
            .map_err(|e| messages::compression_failed(self.processes, process, &e))?;
        if most_states.is_some() {
            self.compiler.explicit += made.states_before;
        }
        Ok(self.machine(process, &made.lts))
    }

    /// What a compressed process or a watchdog is remembered by.
    pub(super) fn use_of(&self, process: ProcessId) -> (ProcessId, Context, u8) {
        (process, self.context, self.compressor.model())
    }

    /// A machine that somebody else made of a process.
    pub(super) fn machine(&mut self, process: ProcessId, lts: &Lts) -> Leaf {
        let leaf = Leaf::new(self.compiler.share(marked(lts)));
        let key = self.use_of(process);
        self.compiler.machines.insert(key, leaf.clone());
        leaf
    }

    /// The node of the operand of a function that looks at single steps.
    pub(super) fn inside(&mut self, function: &'static str, operand: ProcessId) -> Outcome<Node> {
        let around = self.context.stepwise.replace(function);
        let node = self.node(operand);
        self.context.stepwise = around;
        node
    }

    /// The operand as a network of its own.
    pub(super) fn apart(&mut self, operand: ProcessId, context: Context) -> Outcome<Network> {
        let mut inner = Builder::new(self.compiler, self.processes, self.compressor);
        inner.path.clone_from(&self.path);
        inner.controllers = self.controllers;
        inner.context = context;
        inner.build(operand).map(|(network, _)| network)
    }

    fn chase(&mut self, operand: ProcessId) -> Outcome<Node> {
        let mut node = self.inside("chase", operand)?;
        let rules = std::mem::take(&mut node.silent);
        if !rules.is_empty() {
            let name = self.processes.describe(operand);
            self.chases.push((name, rules));
        }
        Ok(node)
    }

    fn finish(mut self, root: Node) -> (Network, Provenance) {
        let mut rules: Vec<Rule> = Vec::with_capacity(root.visible.len() + root.silent.len());
        for (event, fragment) in root.visible {
            rules.push(rule(&self.drafts, event, event, fragment));
        }
        for fragment in root.ticks {
            rules.push(rule(&self.drafts, EventId::TICK, EventId::TICK, fragment));
        }
        for fragment in root.silent {
            let revealed = fragment.revealed;
            rules.push(rule(&self.drafts, EventId::TAU, revealed, fragment));
        }
        rules.sort_unstable();
        rules.dedup();
        let mut chases = Vec::new();
        for (name, fragments) in std::mem::take(&mut self.chases) {
            let mut known: AHashMap<Rule, RuleId> = AHashMap::new();
            let mut order = Vec::new();
            for fragment in fragments {
                let revealed = fragment.revealed;
                let rule = rule(&self.drafts, EventId::TAU, revealed, fragment);
                let next = RuleId(u32::try_from(rules.len()).expect("rules are numbered by u32"));
                known.entry(rule).or_insert_with_key(|rule| {
                    rules.push(rule.clone());
                    order.push(next);
                    next
                });
            }
            let rules = order.into();
            chases.push(Chase { name, rules });
        }
        let provenance = Provenance {
            parts: self.parts,
            components: self.drafts.origins(),
        };
        let components = self.drafts.finish(&root.on, &mut self.compiler.variants);
        let network = Network {
            components,
            rules,
            probes: self.probes.into_iter().collect(),
            blockers: self.blockers.into_iter().collect(),
            chases,
        };
        (network, provenance)
    }
}

fn rule(drafts: &Drafts, result: EventId, revealed: EventId, fragment: Fragment) -> Rule {
    let mut participants: Box<[(ComponentId, EventId)]> = fragment.participants.as_slice().into();
    participants.sort_unstable();
    let resets = fragment.resets.into_iter();
    let mut resets: Vec<_> = resets
        .map(|(component, put)| (component, drafts.state(component, put)))
        .collect();
    resets.sort_unstable();
    Rule {
        result,
        revealed,
        participants,
        resets: resets.into(),
        blocked_by: fragment.blocked_by,
    }
}
