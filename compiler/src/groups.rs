//! Strongly connected components of a graph of uses, those needed first coming first (Tarjan 1972),
//! without recursion, because chains of definitions can be long.

/// The groups of nodes that reach one another; `edges[n]` are the nodes that n needs.
pub(crate) fn groups(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; edges.len()];
    let mut lowest = vec![0; edges.len()];
    let mut waiting = vec![false; edges.len()];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut next = 0;
    for root in 0..edges.len() {
        if index[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                index[node] = next;
                lowest[node] = next;
                next += 1;
                stack.push(node);
                waiting[node] = true;
            }
            if let Some(&target) = edges[node].get(edge) {
                path.push((node, edge + 1));
                if index[target] == UNSEEN {
                    path.push((target, 0));
                } else if waiting[target] {
                    lowest[node] = lowest[node].min(index[target]);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
            if lowest[node] == index[node] {
                let start = stack
                    .iter()
                    .rposition(|n| *n == node)
                    .expect("a node waits until its group is complete");
                let mut group = stack.split_off(start);
                group.iter().for_each(|n| waiting[*n] = false);
                group.sort_unstable();
                found.push(group);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn what_is_needed_comes_first() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![]];
        assert_eq!(groups(&edges), [vec![3], vec![1, 2], vec![0]]);
    }

    #[test]
    fn long_chains_do_not_overflow() {
        let edges: Vec<_> = (0..200_000).map(|n| vec![n + 1]).chain([vec![]]).collect();
        let all = groups(&edges);
        assert_eq!(all.len(), 200_001);
        assert_eq!(all[0], [200_000]);
    }
}
