// Transition systems on the page: made smaller, written as files, and the way of a trace through them.
import { quoted } from './graphviz';
import type { GraphReport } from './types';

/** Strong bisimulation by refinement of a partition: states that no sequence of events tells apart become one. */
export function minimise(graph: GraphReport): GraphReport {
  let block = new Array<number>(graph.states).fill(0);
  const out: { event: string; to: number }[][] = Array.from({ length: graph.states }, () => []);
  for (const t of graph.transitions) out[t.from].push(t);
  for (let blocks = 1; ; ) {
    const known = new Map<string, number>();
    const next = block.map((own, state) => {
      const moves = [...new Set(out[state].map((t) => `${t.event}\u0000${block[t.to]}`))].sort().join('\u0001');
      const key = `${own}\u0002${moves}`;
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key)!;
    });
    block = next;
    if (known.size === blocks) break;
    blocks = known.size;
  }
  const transitions = [...new Map(graph.transitions.map((t) => [`${block[t.from]}>${block[t.to]}>${t.event}`, { ...t, from: block[t.from], to: block[t.to] }])).values()];
  return { states: Math.max(...block, 0) + 1, initial: block[graph.initial] ?? 0, transitions };
}

/** A shortest trace to each state. */
export function traces(graph: GraphReport): (string[] | null)[] {
  const found: (string[] | null)[] = new Array(graph.states).fill(null);
  const out: { event: string; to: number }[][] = Array.from({ length: graph.states }, () => []);
  for (const t of graph.transitions) out[t.from].push(t);
  found[graph.initial] = [];
  const queue = [graph.initial];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const { event, to } of out[at]) {
      if (found[to]) continue;
      found[to] = [...found[at]!, event];
      queue.push(to);
    }
  }
  return found;
}

/** The transitions that a trace may take, τ between its events included; empty if it leads nowhere. */
export function marked(graph: GraphReport, trace: string[]): Set<number> {
  const out: { index: number; event: string; to: number }[][] = Array.from({ length: graph.states }, () => []);
  graph.transitions.forEach((t, index) => out[t.from].push({ index, event: t.event, to: t.to }));
  type Way = { state: number; done: number; by: number; before: Way | null };
  const queue: Way[] = [{ state: graph.initial, done: 0, by: -1, before: null }];
  const seen = new Set([`${graph.initial}/0`]);
  for (let way = queue.shift(); way; way = queue.shift()) {
    if (way.done === trace.length) {
      const marks = new Set<number>();
      for (let at: Way | null = way; at && at.by >= 0; at = at.before) marks.add(at.by);
      return marks;
    }
    for (const { index, event, to } of out[way.state]) {
      const done = event === trace[way.done] ? way.done + 1 : event === 'τ' ? way.done : -1;
      if (done < 0 || seen.has(`${to}/${done}`)) continue;
      seen.add(`${to}/${done}`);
      queue.push({ state: to, done, by: index, before: way });
    }
  }
  return new Set();
}

/** Transitions with the same ends, drawn as one line. */
export function bundles(graph: GraphReport) {
  const map = new Map<string, { from: number; to: number; events: string[]; indexes: number[] }>();
  graph.transitions.forEach((t, index) => {
    const key = `${t.from}>${t.to}`;
    const bundle = map.get(key) ?? { from: t.from, to: t.to, events: [], indexes: [] };
    bundle.events.push(t.event);
    bundle.indexes.push(index);
    map.set(key, bundle);
  });
  return [...map.values()];
}

export const shortened = (events: string[], most = 3) => (events.length <= most ? events.join(', ') : `${events.slice(0, most - 1).join(', ')}, +${events.length - most + 1}`);

export function dot(graph: GraphReport, label = (events: string[]) => events.join('\\n')): string {
  const lines = bundles(graph).map((b) => `  s${b.from} -> s${b.to} [label=${quoted(label(b.events))}];`);
  const states = Array.from({ length: graph.states }, (_, i) => `  s${i}${i === graph.initial ? ' [style=bold]' : ''};`);
  return `digraph process {\n  rankdir=LR;\n  node [shape=circle, label="", width=.22];\n${[...states, ...lines].join('\n')}\n}\n`;
}

export function aut(graph: GraphReport): string {
  const name = (event: string) => (event === 'τ' ? 'tau' : event === '✓' ? 'tick' : event);
  const lines = graph.transitions.map((t) => `(${t.from},"${name(t.event)}",${t.to})`);
  return `des (${graph.initial},${graph.transitions.length},${graph.states})\n${lines.join('\n')}\n`;
}
