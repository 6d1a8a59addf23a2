//! What is seen of a state and its children: local states, what a step changed, distances.

use super::projection::Projection;
use crate::machine::Layout;

/// A state as values of components, and then one child at a time.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    parent: Vec<u32>,
    parent_sums: Vec<u64>,
    sums: Vec<u64>,
    /// The local states of the child, dense.
    pub(crate) values: Vec<u32>,
    /// The components in which the child differs from its parent.
    pub(crate) changed: Vec<usize>,
}

impl Sight {
    /// Looks at a state whose children are to be seen next.
    pub(crate) fn expand<const N: usize>(
        &mut self,
        layout: &Layout,
        projection: &Projection,
        state: &[u64; N],
    ) {
        self.parent.clear();
        self.parent
            .extend(layout.components.iter().map(|field| field.get(state)));
        projection.sums(&self.parent, &mut self.parent_sums);
        self.values.clone_from(&self.parent);
    }

    /// Looks at a child; its distance.
    pub(crate) fn child<const N: usize>(
        &mut self,
        layout: &Layout,
        projection: &Projection,
        state: &[u64; N],
    ) -> u32 {
        self.changed.clear();
        self.sums.clone_from(&self.parent_sums);
        for (component, field) in layout.components.iter().enumerate() {
            let value = field.get(state);
            self.values[component] = value;
            let before = self.parent[component];
            if value != before {
                self.changed.push(component);
                projection.change(&mut self.sums, component, before, value);
            }
        }
        Projection::distance(&self.sums)
    }
}
