//! Where the states of a picture go.
//!
//! States stand in rows by their distance from the initial one, and rows are ordered so that few
//! edges cross (barycentres, after Sugiyama, Tagawa and Toda 1981). A place in a row is the nearest
//! to the states above and below that leaves room for the neighbours (pool adjacent violators).
//! Departs: rows that are too wide are wrapped, and a tall picture is folded into columns that run
//! down and up in turn, so that a long chain stays on a page and a ring closes.

use std::f64::consts::TAU;

use csp_lts::{Lts, StateId};

/// How many states a picture shows.
const MOST_STATES: usize = 300;

/// How often rows are reordered.
const SWEEPS: usize = 12;

/// The distance of two rows.
const ROW: f64 = 84.0;

/// Places for the states that are shown.
pub(super) struct Layout {
    /// The place of each state, if it is shown.
    pub(super) places: Vec<Option<(f64, f64)>>,
    pub(super) width: f64,
    pub(super) height: f64,
    /// How many states have a place.
    pub(super) shown: usize,
}

/// Lays states out, given by their layers and how many pairs of them have edges, with at least this
/// distance between two of one row.
pub(super) fn layout(lts: &Lts, layers: Vec<Vec<usize>>, pairs: usize, distance: f64) -> Layout {
    let shown: usize = layers.iter().map(Vec::len).sum();
    if layers.len() <= 3 && shown >= 4 && pairs > 3 * shown {
        return circle(lts.state_count(), &layers, distance);
    }
    let neighbours = neighbours(lts, &layers);
    let rows = wrapped(ordered(layers, &neighbours), shown);
    let across = across(&rows, &neighbours, distance);
    fold(lts.state_count(), &rows, &across, distance, shown)
}

/// States by distance, breadth-first, at most [`MOST_STATES`] of them.
pub(super) fn layers(lts: &Lts) -> Vec<Vec<usize>> {
    let mut seen = vec![false; lts.state_count()];
    let start = lts.initial().0 as usize;
    seen[start] = true;
    let mut layers = vec![vec![start]];
    let mut count = 1;
    loop {
        let mut next = Vec::new();
        for state in layers.last().into_iter().flatten() {
            for edge in lts.edges(id(*state)) {
                let target = edge.target.0 as usize;
                if !seen[target] && count < MOST_STATES {
                    seen[target] = true;
                    count += 1;
                    next.push(target);
                }
            }
        }
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}

pub(super) fn id(state: usize) -> StateId {
    StateId(u32::try_from(state).expect("states are numbered by u32"))
}

/// For each state that is shown, those it shares an edge with, itself excepted.
fn neighbours(lts: &Lts, layers: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut shown = vec![false; lts.state_count()];
    for state in layers.iter().flatten() {
        shown[*state] = true;
    }
    let mut neighbours = vec![Vec::new(); lts.state_count()];
    for &from in layers.iter().flatten() {
        for edge in lts.edges(id(from)) {
            let to = edge.target.0 as usize;
            if from != to && shown[to] {
                neighbours[from].push(to);
                neighbours[to].push(from);
            }
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Sorts every layer by the mean place of the neighbours in the layer before, and on the way back
/// in the layer after.
fn ordered(mut layers: Vec<Vec<usize>>, neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut layer_of = vec![usize::MAX; neighbours.len()];
    let mut at = vec![0.0; neighbours.len()];
    for (i, layer) in layers.iter().enumerate() {
        number(layer, &mut at);
        for state in layer {
            layer_of[*state] = i;
        }
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for step in 1..layers.len() {
            let i = if down { step } else { layers.len() - 1 - step };
            let other = if down { i - 1 } else { i + 1 };
            let mean = |state: &usize| {
                let near = neighbours[*state].iter().filter(|n| layer_of[**n] == other);
                mean(near.map(|n| at[*n])).unwrap_or(at[*state])
            };
            let mut keyed: Vec<(f64, usize)> = layers[i].iter().map(|s| (mean(s), *s)).collect();
            // Stable: states without a preference keep their order.
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            layers[i] = keyed.into_iter().map(|(_, state)| state).collect();
            number(&layers[i], &mut at);
        }
    }
    layers
}

/// Numbers a layer from left to right, with its middle at 0.
fn number(layer: &[usize], at: &mut [f64]) {
    for (i, state) in layer.iter().enumerate() {
        at[*state] = i as f64 - (layer.len() as f64 - 1.0) / 2.0;
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// Cuts layers that are wider than suits the number of states.
fn wrapped(layers: Vec<Vec<usize>>, shown: usize) -> Vec<Vec<usize>> {
    let widest = ((shown as f64).sqrt() * 1.5).ceil().max(8.0) as usize;
    let mut rows = Vec::new();
    for layer in layers {
        let parts = layer.len().div_ceil(widest);
        rows.extend(
            layer
                .chunks(layer.len().div_ceil(parts))
                .map(<[usize]>::to_vec),
        );
    }
    rows
}

/// The place of every state across its row.
fn across(rows: &[Vec<usize>], neighbours: &[Vec<usize>], distance: f64) -> Vec<f64> {
    let mut at = vec![0.0; neighbours.len()];
    let mut row_of = vec![usize::MAX; neighbours.len()];
    for (i, row) in rows.iter().enumerate() {
        number(row, &mut at);
        for state in row {
            at[*state] *= distance;
            row_of[*state] = i;
        }
    }
    for sweep in 0..4 {
        for step in 0..rows.len() {
            let i = if sweep % 2 == 0 {
                step
            } else {
                rows.len() - 1 - step
            };
            let wish = |state: &usize| {
                let near = neighbours[*state]
                    .iter()
                    .filter(|n| row_of[**n].abs_diff(i) == 1);
                mean(near.map(|n| at[*n])).unwrap_or(at[*state])
            };
            let wishes: Vec<f64> = rows[i].iter().map(wish).collect();
            for (state, x) in rows[i].iter().zip(apart(&wishes, distance)) {
                at[*state] = x;
            }
        }
    }
    at
}

/// The places nearest to the wishes, in the same order, that are so far apart.
fn apart(wishes: &[f64], distance: f64) -> Vec<f64> {
    // Without the distances it is a monotone regression: blocks whose means would fall are merged.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (i, wish) in wishes.iter().enumerate() {
        let mut block = (wish - i as f64 * distance, 1);
        while let Some(&(mean, count)) = blocks.last() {
            if mean <= block.0 {
                break;
            }
            let all = count + block.1;
            block = (
                (mean * count as f64 + block.0 * block.1 as f64) / all as f64,
                all,
            );
            blocks.pop();
        }
        blocks.push(block);
    }
    let each = blocks
        .iter()
        .flat_map(|&(mean, count)| std::iter::repeat_n(mean, count));
    each.enumerate()
        .map(|(i, x)| x + i as f64 * distance)
        .collect()
}

/// Where nearly everything is near to everything, rows say nothing: all states on a circle, the
/// initial one on top.
fn circle(states: usize, layers: &[Vec<usize>], distance: f64) -> Layout {
    let shown: usize = layers.iter().map(Vec::len).sum();
    let radius = (shown as f64 * distance * 1.5 / TAU).max(distance);
    let size = 2.0 * radius + 80.0;
    let mut places = vec![None; states];
    for (i, state) in layers.iter().flatten().enumerate() {
        let (sin, cos) = (i as f64 / shown as f64 * TAU).sin_cos();
        places[*state] = Some((size / 2.0 + radius * sin, size / 2.0 - radius * cos));
    }
    Layout {
        places,
        width: size,
        height: size,
        shown,
    }
}

/// Folds the rows into as many columns as make the picture about half as wide again as high.
fn fold(states: usize, rows: &[Vec<usize>], across: &[f64], distance: f64, shown: usize) -> Layout {
    let extent = |rows: &[Vec<usize>]| {
        let all = rows.iter().flatten().map(|s| across[*s]);
        all.fold((f64::MAX, f64::MIN), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let shape = |columns: usize| {
        let height = rows.len().div_ceil(columns);
        let width: f64 = rows
            .chunks(height)
            .map(|part| {
                let (low, high) = extent(part);
                high - low + distance
            })
            .sum();
        width / (height as f64 * ROW)
    };
    // Only what is nearly a chain: a fold through the middle of a tree could not be followed.
    let is_long = rows.len() >= 6 && 2 * shown <= 5 * rows.len();
    let columns = (1..=rows.len())
        .take_while(|c| is_long || *c == 1)
        .min_by(|a, b| {
            let off = |columns: usize| (shape(columns) / 1.5).ln().abs();
            off(*a).total_cmp(&off(*b))
        })
        .unwrap_or(1);
    let height = rows.len().div_ceil(columns);
    let mut layout = Layout {
        places: vec![None; states],
        width: 0.0,
        height: height as f64 * ROW + 40.0,
        shown,
    };
    let mut left = 20.0;
    for (column, part) in rows.chunks(height).enumerate() {
        let (low, high) = extent(part);
        for (i, row) in part.iter().enumerate() {
            let i = if column % 2 == 0 { i } else { height - 1 - i };
            for state in row {
                let x = left + distance / 2.0 + across[*state] - low;
                layout.places[*state] = Some((x, 30.0 + (i as f64 + 0.5) * ROW));
            }
        }
        left += high - low + distance;
    }
    layout.width = left + 20.0;
    layout
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn wishes_are_met_where_there_is_room() {
        assert_eq!(apart(&[0.0, 20.0], 10.0), [0.0, 20.0]);
        assert_eq!(apart(&[5.0, 5.0], 10.0), [0.0, 10.0]);
        assert_eq!(apart(&[0.0, 0.0, 30.0], 10.0), [-5.0, 5.0, 30.0]);
    }
}
