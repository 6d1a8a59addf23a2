//! A transition system as a picture in SVG.
//!
//! Edges between the same two states are one curve with all their names. Each curve bows as far as
//! it must to miss the other states, and each name stands where it covers least.

use std::collections::HashSet;
use std::f64::consts::TAU;
use std::fmt::Write;

use csp_lts::{EventId, StateId};

use super::Graph;
use super::layout::{id, layers, layout};
use crate::escape;

type Point = (f64, f64);

const RADIUS: f64 = 14.0;
/// About as wide as a letter of the names.
const LETTER: f64 = 6.2;
/// Names longer than this are cut; the whole name shows when one points at it.
const LONGEST: usize = 24;
/// With more edges than this, names show only when one points at an edge.
const CROWDED: usize = 900;
/// With more states than this, what they are called shows only when one points at them.
const CALLED: usize = 150;
/// Names on one curve.
const MOST_NAMES: usize = 3;

const HEAD: &str = "<style>\
.s{fill:#fff;stroke:#223;stroke-width:1.2}.i{fill:#cfe3f7}.d{fill:#f6d5d0}\
.e{fill:none;stroke:#667}.h{stroke-dasharray:4 3}\
.n{text-anchor:middle;fill:#112}\
.l{text-anchor:middle;fill:#0b3d66}.b{fill:#fff;fill-opacity:.86}\
.m{fill:#889;text-anchor:middle}.t{fill:#456;text-anchor:middle;font-size:9px}</style>\n\
<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0.5 L8,4 L0,7.5 z\" fill=\"#445\"/></marker></defs>\n\
<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";

/// A picture: states in rows by their distance from the initial one. Larger systems are cut to the
/// states nearest to it, and the picture says so.
#[must_use]
pub fn svg(graph: &Graph) -> String {
    let layers = layers(&graph.lts);
    let edges = edges(graph, &layers);
    // Where there are very many edges, names and detours would only be in the way.
    let crowded = edges.len() > CROWDED;
    let pairs: HashSet<(usize, usize)> = edges.iter().map(|e| (e.from, e.to)).collect();
    let widest = edges.iter().map(|e| e.width()).fold(0.0, f64::max);
    let layout = layout(
        &graph.lts,
        layers,
        pairs.len(),
        (widest + 56.0).clamp(72.0, 150.0),
    );
    let mut drawing = Drawing {
        places: &layout.places,
        names: Vec::new(),
        low: (0.0, 0.0),
        high: (layout.width, layout.height),
    };
    let mut body = String::new();
    let mut names = String::new();
    for (i, edge) in edges.iter().enumerate() {
        let (Some(from), Some(to)) = (layout.places[edge.from], layout.places[edge.to]) else {
            continue;
        };
        let title = escape::xml(&edge.full);
        let curve = if edge.from == edge.to {
            drawing.own_loop(from, edge, &edges)
        } else {
            let returns = pairs.contains(&(edge.to, edge.from));
            drawing.curve(from, to, returns, crowded)
        };
        let _ = writeln!(
            body,
            "<path class=\"e{}\" d=\"{}\" marker-end=\"url(#a)\"><title>{title}</title></path>",
            if edge.hidden { " h" } else { "" },
            curve.path()
        );
        if crowded {
            continue;
        }
        let at = if edge.from == edge.to {
            drawing.loop_name(from, &curve, edge.width())
        } else {
            drawing.name(&curve, edge.width(), i)
        };
        let _ = writeln!(
            names,
            "<rect class=\"b\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"13\" rx=\"3\"/>\
             <text class=\"l\" x=\"{:.1}\" y=\"{:.1}\">{}<title>{title}</title></text>",
            at.0 - edge.width() / 2.0 - 1.0,
            at.1 - 6.5,
            edge.width() + 2.0,
            at.0,
            at.1 + 4.0,
            escape::xml(&edge.short)
        );
    }
    states(&mut body, graph, &layout.places, layout.shown <= CALLED);
    body.push_str(&names);
    let (left, top) = drawing.low;
    let (width, height) = (drawing.high.0 - left, drawing.high.1 - top);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n"
    );
    out.push_str(&HEAD.replace("<rect ", &format!("<rect x=\"{left:.0}\" y=\"{top:.0}\" ")));
    if layout.shown < graph.lts.state_count() {
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.0}\" font-size=\"13\">partial: the {} states nearest to the start, of {}</text>",
            left + 12.0,
            top + 20.0,
            layout.shown,
            graph.lts.state_count()
        );
    }
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

/// All transitions from one state to another.
struct Edge {
    from: usize,
    to: usize,
    /// What to write on it.
    short: String,
    /// Every name.
    full: String,
    /// Only τ.
    hidden: bool,
}

impl Edge {
    fn width(&self) -> f64 {
        self.short.chars().count() as f64 * LETTER
    }
}

/// The edges between the states that are shown.
fn edges(graph: &Graph, layers: &[Vec<usize>]) -> Vec<Edge> {
    let shown: HashSet<usize> = layers.iter().flatten().copied().collect();
    let mut edges = Vec::new();
    for &state in layers.iter().flatten() {
        let from = id(state);
        let mut targets: Vec<(StateId, Vec<EventId>)> = Vec::new();
        for (event, target) in graph.lts.transitions(from) {
            if event == EventId::OMEGA || !shown.contains(&(target.0 as usize)) {
                continue;
            }
            match targets.iter_mut().find(|t| t.0 == target) {
                Some(found) => found.1.push(event),
                None => targets.push((target, vec![event])),
            }
        }
        for (to, events) in targets {
            let names: Vec<String> = events.iter().map(|e| graph.name(*e)).collect();
            edges.push(Edge {
                from: state,
                to: to.0 as usize,
                short: short(&names),
                full: names.join(", "),
                hidden: events.iter().all(|e| *e == EventId::TAU),
            });
        }
    }
    edges
}

/// The first names, cut to what can be read in a picture.
fn short(names: &[String]) -> String {
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        let so_far = text.chars().count();
        if i == MOST_NAMES || i > 0 && so_far + name.chars().count() > LONGEST {
            let _ = write!(text, " +{}", names.len() - i);
            break;
        }
        if i > 0 {
            text.push_str(", ");
        }
        if name.chars().count() > LONGEST {
            text.extend(name.chars().take(LONGEST - 1));
            text.push('…');
        } else {
            text.push_str(name);
        }
    }
    text
}

/// A cubic curve.
struct Curve([Point; 4]);

impl Curve {
    fn at(&self, t: f64) -> Point {
        let s = 1.0 - t;
        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        let mut point = (0.0, 0.0);
        for (weight, p) in weights.iter().zip(&self.0) {
            point = (point.0 + weight * p.0, point.1 + weight * p.1);
        }
        point
    }

    fn path(&self) -> String {
        let [a, b, c, d] = self.0;
        format!(
            "M{:.1},{:.1} C{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
            a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
        )
    }
}

fn towards(from: Point, to: Point, length: f64) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let whole = dx.hypot(dy).max(1e-6);
    (from.0 + dx / whole * length, from.1 + dy / whole * length)
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// What has been drawn so far, so that the next thing can keep clear of it.
struct Drawing<'a> {
    places: &'a [Option<Point>],
    /// The middles and half widths of the names.
    names: Vec<(Point, f64)>,
    low: Point,
    high: Point,
}

impl Drawing<'_> {
    /// The curve from one state to another that misses the other states with the least bow; if there
    /// is one the other way as well, both bow.
    fn curve(&self, from: Point, to: Point, returns: bool, crowded: bool) -> Curve {
        let length = distance(from, to);
        let least = if returns { 16.0 } else { 0.0 };
        let mut best: Option<(f64, Curve)> = None;
        let bows: &[f64] = if crowded {
            &[0.0]
        } else {
            &[0.0, 0.08, 0.16, 0.26, 0.38, 0.55]
        };
        for bow in bows {
            // Where there are both ways each bows to its own right, so they do not meet.
            for &side in if returns { &[1.0][..] } else { &[1.0, -1.0] } {
                let bow = side * (least + bow * length);
                let normal = (
                    -(to.1 - from.1) / length * bow,
                    (to.0 - from.0) / length * bow,
                );
                let third = |t: f64| {
                    (
                        from.0 + (to.0 - from.0) * t + normal.0 * 4.0 / 3.0,
                        from.1 + (to.1 - from.1) * t + normal.1 * 4.0 / 3.0,
                    )
                };
                let (one, two) = (third(0.3), third(0.7));
                let curve = Curve([
                    towards(from, one, RADIUS),
                    one,
                    two,
                    towards(to, two, RADIUS + 1.0),
                ]);
                let cost = bow.abs() / 60.0 + self.hits(&curve, from, to) as f64 * 10.0;
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, curve));
                }
            }
        }
        best.expect("several were tried").1
    }

    /// How many states a curve runs over, but for those at its ends.
    fn hits(&self, curve: &Curve, from: Point, to: Point) -> usize {
        let points: Vec<Point> = (1..24).map(|i| curve.at(f64::from(i) / 24.0)).collect();
        let (mut low, mut high) = (curve.0[0], curve.0[0]);
        for p in curve.0 {
            low = (low.0.min(p.0), low.1.min(p.1));
            high = (high.0.max(p.0), high.1.max(p.1));
        }
        let near = RADIUS + 5.0;
        let inside = |p: &Point| {
            p.0 > low.0 - near && p.0 < high.0 + near && p.1 > low.1 - near && p.1 < high.1 + near
        };
        let others = self.places.iter().flatten().filter(|p| inside(p));
        others
            .filter(|p| **p != from && **p != to)
            .filter(|p| points.iter().any(|q| distance(**p, *q) < near))
            .count()
    }

    /// A loop on the side where a state has most room.
    fn own_loop(&mut self, at: Point, edge: &Edge, edges: &[Edge]) -> Curve {
        let taken: Vec<f64> = edges
            .iter()
            .filter(|e| (e.from == edge.from) != (e.to == edge.from))
            .filter_map(|e| self.places[if e.from == edge.from { e.to } else { e.from }])
            .map(|p| (p.1 - at.1).atan2(p.0 - at.0))
            .collect();
        let room = |angle: f64| {
            let apart = |other: &f64| {
                let d = (angle - other).rem_euclid(TAU);
                d.min(TAU - d)
            };
            taken.iter().map(apart).fold(TAU, f64::min)
        };
        // To the right if it is as good as any.
        let mut best = 0.0;
        for eighth in [1, 7, 2, 6, 3, 5, 4] {
            let angle = f64::from(eighth) * TAU / 8.0;
            if room(angle) > room(best) + 1e-9 {
                best = angle;
            }
        }
        let point = |angle: f64, r: f64| (at.0 + r * angle.cos(), at.1 + r * angle.sin());
        let curve = Curve([
            point(best - 0.45, RADIUS),
            point(best - 0.55, RADIUS * 3.4),
            point(best + 0.55, RADIUS * 3.4),
            point(best + 0.45, RADIUS + 1.0),
        ]);
        self.reach(curve.at(0.5), 4.0);
        curve
    }

    /// Where to write a name: on the curve, where it covers fewest names and states.
    fn name(&mut self, curve: &Curve, width: f64, number: usize) -> Point {
        let half = width / 2.0;
        let mut best: Option<(f64, Point)> = None;
        let shift = if number.is_multiple_of(2) { 0.0 } else { 0.02 };
        for t in [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74] {
            let at = curve.at(t + shift);
            let over = |other: &&(Point, f64)| {
                (other.0.0 - at.0).abs() < half + other.1 + 4.0 && (other.0.1 - at.1).abs() < 12.0
            };
            let covered = self.names.iter().filter(over).count() as f64;
            let states = self.places.iter().flatten();
            let on = states
                .filter(|p| (p.0 - at.0).abs() < half + RADIUS && (p.1 - at.1).abs() < RADIUS + 7.0)
                .count() as f64;
            let cost = covered + on * 1.5 + (t - 0.5).abs();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        }
        let at = best.expect("several were tried").1;
        self.names.push((at, half));
        self.reach(at, half + 6.0);
        for t in [0.25, 0.5, 0.75] {
            self.reach(curve.at(t), 4.0);
        }
        at
    }

    /// Where to write the name of a loop: beyond it, seen from its state.
    fn loop_name(&mut self, state: Point, curve: &Curve, width: f64) -> Point {
        let (half, tip) = (width / 2.0, curve.at(0.5));
        let out = towards((0.0, 0.0), (tip.0 - state.0, tip.1 - state.1), 1.0);
        let at = (tip.0 + out.0 * (half + 4.0), tip.1 + out.1 * 9.0);
        self.names.push((at, half));
        self.reach(at, half + 6.0);
        at
    }

    /// Makes the picture large enough for what stands at a point.
    fn reach(&mut self, at: Point, half: f64) {
        self.low = (self.low.0.min(at.0 - half), self.low.1.min(at.1 - 14.0));
        self.high = (self.high.0.max(at.0 + half), self.high.1.max(at.1 + 14.0));
    }
}

fn states(out: &mut String, graph: &Graph, places: &[Option<Point>], called: bool) {
    for (i, at) in places.iter().enumerate() {
        let Some((x, y)) = at else { continue };
        let state = id(i);
        let initial = state == graph.lts.initial();
        let class = if initial {
            "s i"
        } else if graph.lts.edges(state).is_empty() {
            "s d"
        } else {
            "s"
        };
        if initial {
            let _ = writeln!(
                out,
                "<path class=\"e\" d=\"M{:.1},{:.1} L{:.1},{:.1}\" marker-end=\"url(#a)\"/>",
                x - RADIUS * 2.0,
                y - RADIUS * 2.0,
                x - RADIUS * 0.75,
                y - RADIUS * 0.75
            );
        }
        let lines = graph.lines(state);
        let title = match &lines[..] {
            [] => String::new(),
            lines => format!("<title>{}</title>", escape::xml(&lines.join("\n"))),
        };
        let _ = writeln!(
            out,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\">{title}</circle><text class=\"n\" x=\"{x:.1}\" y=\"{:.1}\">{i}{title}</text>",
            y + 4.0
        );
        if called && !lines.is_empty() {
            let _ = writeln!(
                out,
                "<text class=\"t\" x=\"{x:.1}\" y=\"{:.1}\">{}{title}</text>",
                y + RADIUS + 9.0,
                escape::xml(&short(&lines))
            );
        }
        if graph
            .lts
            .edges(state)
            .iter()
            .any(|e| places[e.target.0 as usize].is_none())
        {
            let _ = writeln!(
                out,
                "<text class=\"m\" x=\"{x:.1}\" y=\"{:.1}\">…</text>",
                y + RADIUS + if called { 17.0 } else { 9.0 }
            );
        }
    }
}
