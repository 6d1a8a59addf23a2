//! Transition systems as text and pictures.

use std::fmt::Write;

use csp_lts::aut::{AutLabels, write_aut};
use csp_lts::dot::write_dot;
use csp_lts::{EventTable, Lts, StateId};
use serde_json::json;

/// An explicit transition system with the names of its events.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The states and transitions.
    pub lts: Lts,
    /// What the events are called.
    pub events: EventTable,
}

impl Graph {
    fn name(&self, event: csp_lts::EventId) -> String {
        self.events.name(event)
    }
}

/// Aldebaran text, which mCRL2 and CADP read.
#[must_use]
pub fn aut(graph: &Graph, tau: &str) -> String {
    write_aut(
        &graph.lts,
        AutLabels {
            tau,
            ..AutLabels::default()
        },
        |event| graph.name(event),
    )
}

/// Graphviz text.
#[must_use]
pub fn dot(graph: &Graph) -> String {
    write_dot(&graph.lts, "process", |event| graph.name(event))
}

/// JSON: the initial state and one entry for each transition.
#[must_use]
pub fn json(graph: &Graph) -> String {
    let transitions: Vec<_> = graph
        .lts
        .states()
        .flat_map(|s| graph.lts.transitions(s).map(move |(e, t)| (s, e, t)))
        .filter(|(_, e, _)| *e != csp_lts::EventId::OMEGA)
        .map(|(s, e, t)| json!({ "from": s.0, "event": graph.name(e), "to": t.0 }))
        .collect();
    let whole = json!({ "states": graph.lts.state_count(), "initial": graph.lts.initial().0, "transitions": transitions });
    serde_json::to_string_pretty(&whole).expect("string keys") + "\n"
}

/// How many states a picture shows.
const PICTURE: usize = 300;

/// A picture: states in rows by their distance from the initial one. Larger systems are cut to the
/// states nearest to it, and the picture says so.
#[must_use]
pub fn svg(graph: &Graph) -> String {
    let layers = layers(&graph.lts);
    let shown: usize = layers.iter().map(Vec::len).sum();
    let widest = layers.iter().map(Vec::len).max().unwrap_or(1);
    let (dx, dy, radius) = (110.0, 90.0, 14.0);
    let width = widest as f64 * dx + 80.0;
    let mut place = vec![None; graph.lts.state_count()];
    for (row, layer) in layers.iter().enumerate() {
        let left = (width - (layer.len() as f64 - 1.0) * dx) / 2.0;
        for (column, state) in layer.iter().enumerate() {
            place[state.0 as usize] = Some((left + column as f64 * dx, 60.0 + row as f64 * dy));
        }
    }
    let height = 80.0 + layers.len() as f64 * dy;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    if shown < graph.lts.state_count() {
        let _ = writeln!(
            out,
            "<text x=\"10\" y=\"20\">partial: {shown} of {} states</text>",
            graph.lts.state_count()
        );
    }
    for layer in &layers {
        for &state in layer {
            edges(&mut out, graph, state, &place, radius);
        }
    }
    for (i, at) in place.iter().enumerate() {
        if let Some((x, y)) = at {
            let fill = if i == graph.lts.initial().0 as usize {
                "#cde"
            } else {
                "white"
            };
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"black\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{i}</text>",
                y + 4.0
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// States by distance, breadth-first, at most [`PICTURE`] of them.
fn layers(lts: &Lts) -> Vec<Vec<StateId>> {
    let mut seen = vec![false; lts.state_count()];
    seen[lts.initial().0 as usize] = true;
    let mut layers = vec![vec![lts.initial()]];
    let mut count = 1;
    loop {
        let mut next = Vec::new();
        for state in layers.last().into_iter().flatten() {
            for edge in lts.edges(*state) {
                let target = edge.target.0 as usize;
                if !seen[target] && count < PICTURE {
                    seen[target] = true;
                    count += 1;
                    next.push(edge.target);
                }
            }
        }
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}

/// The edges out of a state, those to the same target as one curve with all their names.
fn edges(
    out: &mut String,
    graph: &Graph,
    state: StateId,
    place: &[Option<(f64, f64)>],
    radius: f64,
) {
    let Some((x, y)) = place[state.0 as usize] else {
        return;
    };
    let mut targets: Vec<(StateId, Vec<String>)> = Vec::new();
    for (event, target) in graph.lts.transitions(state) {
        if event == csp_lts::EventId::OMEGA {
            continue;
        }
        let name = graph.name(event);
        match targets.iter_mut().find(|t| t.0 == target) {
            Some(found) => found.1.push(name),
            None => targets.push((target, vec![name])),
        }
    }
    for (target, mut names) in targets {
        let Some((tx, ty)) = place[target.0 as usize] else {
            continue;
        };
        let more = names.len().saturating_sub(3);
        names.truncate(3);
        let mut label = names.join(", ");
        if more > 0 {
            let _ = write!(label, " … {more} more");
        }
        let label = label.replace('&', "&amp;").replace('<', "&lt;");
        let (path, lx, ly) = if target == state {
            let (top, side) = (y - radius, radius * 2.0);
            (
                format!(
                    "M{x:.1},{top:.1} C{:.1},{:.1} {:.1},{:.1} {:.1},{y:.1}",
                    x,
                    top - side,
                    x + 2.0 * side,
                    y - side,
                    x + radius
                ),
                x + side,
                y - side,
            )
        } else {
            let (ux, uy) = (tx - x, ty - y);
            let length = (ux * ux + uy * uy).sqrt().max(1.0);
            let (nx, ny) = (-uy / length * 18.0, ux / length * 18.0);
            let (mx, my) = ((x + tx) / 2.0 + nx, (y + ty) / 2.0 + ny);
            let shorten = |fx: f64, fy: f64| {
                let (wx, wy) = (mx - fx, my - fy);
                let l = (wx * wx + wy * wy).sqrt().max(1.0);
                (fx + wx / l * radius, fy + wy / l * radius)
            };
            let ((sx, sy), (ex, ey)) = (shorten(x, y), shorten(tx, ty));
            (
                format!("M{sx:.1},{sy:.1} Q{mx:.1},{my:.1} {ex:.1},{ey:.1}"),
                mx,
                my,
            )
        };
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#a)\"/><text x=\"{lx:.1}\" y=\"{ly:.1}\" text-anchor=\"middle\" fill=\"#135\">{label}</text>"
        );
    }
}
