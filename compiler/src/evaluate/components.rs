//! Strongly connected components of small graphs (Tarjan, 1972).

/// Nodes that reach one another.
pub(crate) struct Component {
    /// Ascending.
    pub(crate) members: Vec<usize>,
    /// More than one node, or a node with an edge to itself.
    pub(crate) recursive: bool,
}

/// The components of the graph with these successors, those reached first.
pub(crate) fn strong_components(uses: &[Vec<usize>]) -> Vec<Component> {
    let mut tarjan = Tarjan {
        uses,
        order: vec![0; uses.len()],
        low: vec![0; uses.len()],
        on_stack: vec![false; uses.len()],
        stack: Vec::new(),
        next: 1,
        found: Vec::new(),
    };
    for i in 0..uses.len() {
        if tarjan.order[i] == 0 {
            tarjan.visit(i);
        }
    }
    tarjan.found
}

struct Tarjan<'a> {
    uses: &'a [Vec<usize>],
    order: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    found: Vec<Component>,
}

impl Tarjan<'_> {
    fn visit(&mut self, i: usize) {
        self.order[i] = self.next;
        self.low[i] = self.next;
        self.next += 1;
        self.stack.push(i);
        self.on_stack[i] = true;
        let uses = self.uses;
        for &j in &uses[i] {
            if self.order[j] == 0 {
                self.visit(j);
                self.low[i] = self.low[i].min(self.low[j]);
            } else if self.on_stack[j] {
                self.low[i] = self.low[i].min(self.order[j]);
            }
        }
        if self.low[i] == self.order[i] {
            let at = self
                .stack
                .iter()
                .rposition(|&j| j == i)
                .expect("the root of a component is on the stack");
            let mut members = self.stack.split_off(at);
            members.iter().for_each(|&j| self.on_stack[j] = false);
            members.sort_unstable();
            let recursive = members.len() > 1 || uses[i].contains(&i);
            self.found.push(Component { members, recursive });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_use() {
        let found = strong_components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4]]);
        let shown: Vec<_> = found
            .iter()
            .map(|c| (c.members.clone(), c.recursive))
            .collect();
        let wanted = [
            (vec![3], false),
            (vec![1, 2], true),
            (vec![0], false),
            (vec![4], true),
        ];
        assert_eq!(shown, wanted);
    }
}
