//! The moves of a component with too many states and classes for tables.
//!
//! Rows of what there is, sorted so that it is found by search: by state for those who step, by class
//! for those who get ready to.

/// Moves by state, each state's sorted by class and target.
#[derive(Debug)]
pub(crate) struct Sparse {
    starts: Vec<u32>,
    classes: Vec<u32>,
    targets: Vec<u32>,
    /// For each class where the states that offer it start in `sources`.
    class_starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Sparse {
    /// The moves of this many states, given as sources and targets for each class, ascending.
    pub(super) fn new<'a>(
        states: usize,
        classes: impl Iterator<Item = &'a [(u32, u32)]> + Clone,
    ) -> Self {
        let number = |count: usize| u32::try_from(count).expect("moves are numbered by u32");
        let mut starts = vec![0; states + 1];
        let mut count = 0;
        for (source, _) in classes.clone().flatten() {
            starts[*source as usize + 1] += 1;
            count += 1;
        }
        number(count);
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut sparse = Self {
            starts,
            classes: vec![0; count],
            targets: vec![0; count],
            class_starts: vec![0],
            sources: Vec::new(),
        };
        let mut next = sparse.starts.clone();
        for (class, moves) in (0..).zip(classes) {
            for (source, target) in moves {
                let at = &mut next[*source as usize];
                sparse.classes[*at as usize] = class;
                sparse.targets[*at as usize] = *target;
                *at += 1;
            }
            let offering = moves.chunk_by(|a, b| a.0 == b.0).map(|own| own[0].0);
            sparse.sources.extend(offering);
            sparse.class_starts.push(number(sparse.sources.len()));
        }
        sparse
    }

    /// The targets of a state on a class, ascending.
    pub(super) fn targets(&self, state: u32, class: u32) -> &[u32] {
        let (from, to) = (
            self.starts[state as usize] as usize,
            self.starts[state as usize + 1] as usize,
        );
        let row = &self.classes[from..to];
        let first = from + row.partition_point(|c| *c < class);
        let last = from + row.partition_point(|c| *c <= class);
        &self.targets[first..last]
    }

    /// The states that offer a class, ascending.
    pub(super) fn offering(&self, class: u32) -> &[u32] {
        let ends = &self.class_starts[class as usize..][..2];
        &self.sources[ends[0] as usize..ends[1] as usize]
    }
}
