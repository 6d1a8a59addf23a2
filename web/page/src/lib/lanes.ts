// A counterexample as rows and columns: the specification, the implementation, then its parts along the operator tree.
import { byName, definition } from './format';
import type { Counterexample, End, Part, Step, Term } from './types';

export interface Lane {
  key: string;
  part: number | null;
  label: string;
  operator: string | null;
  depth: number;
  role: 'spec' | 'impl' | 'group' | 'part';
  kind: Part['kind'] | null;
  hue: number;
  shape: 'square' | 'round' | 'turned';
  parent: string | null;
  /** Keys of the parts below, so that a closed row can show what happens in it. */
  below: string[];
  initial: Term | null;
}

export interface Cell {
  event: string;
  hidden: boolean;
  violation: boolean;
  before: Term | null;
  after: Term | null;
}

export interface Column {
  /** Steps are numbered from 1. */
  number: number;
  step: Step;
  hidden: boolean;
  /** Belongs to the loop of a divergence. */
  loop: boolean;
  violation: boolean;
  /** By lane. */
  cells: Map<string, Cell>;
}

export interface Chart {
  lanes: Lane[];
  columns: Column[];
  end: End | null;
  /** The first column in which two behaviours differ. */
  parting: number | null;
  laneOf: Map<number, Lane>;
}

export const isHidden = (step: Step) => step.event === 'τ' || step.chased;

/** What a step is called: by name, hidden ones in brackets. */
export const called = (step: Step) => (isHidden(step) ? `(${step.revealed})` : step.event);

/** With whom each part took its last step: a part that now waits for one of these is held by it. */
export function partners(chart: Chart): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const { step } of chart.columns) {
    const movers = step.moves.map((m) => m.part).filter((id) => id !== undefined);
    for (const id of movers) found.set(id, new Set(movers));
  }
  return found;
}

/** The parts of a report that has none: one for each component that moves. */
function derived(example: Counterexample): Part[] {
  const names = new Set<string>();
  for (const step of [...example.steps, ...(example.other_steps ?? []), ...(example.cycle_steps ?? [])]) for (const move of step.moves) names.add(move.component);
  // Copies of one definition stand together, in the order of their numbers.
  const kinds = [...new Set([...names].map(definition))];
  const sorted = [...names].sort((a, b) => kinds.indexOf(definition(a)) - kinds.indexOf(definition(b)) || byName(a, b));
  return sorted.map((label, id) => ({ id, parent: null, label, operator: null, span: null, kind: 'component', initial: null }));
}

export function chart(example: Counterexample, specification: string, implementation: string, other: boolean): Chart {
  const parts = example.parts?.length ? example.parts : derived(example);
  const hues = new Map<string, number>();
  const laneOf = new Map<number, Lane>();
  const byLabel = new Map<string, Lane>();
  const lanes: Lane[] = [
    { key: 'spec', part: null, label: specification, operator: null, depth: 0, role: 'spec', kind: null, hue: 0, shape: 'square', parent: null, below: [], initial: null },
  ];
  const root = parts.find((p) => p.parent === null && parts.some((q) => q.parent === p.id)) ?? null;
  const impl: Lane = {
    key: 'impl', part: root?.id ?? null, label: implementation, operator: root?.operator ?? null, depth: 0, role: 'impl', kind: null, hue: 0, shape: 'square', parent: null, below: [], initial: null,
  };
  lanes.push(impl);
  const known = new Map(lanes.map((l) => [l.key, l]));
  if (root) laneOf.set(root.id, impl);
  const only = parts.length === 1 && parts[0].kind !== 'operator' ? parts[0] : null;
  const children = new Map<number, number>();
  for (const part of parts) if (part.parent !== null) children.set(part.parent, (children.get(part.parent) ?? 0) + 1);
  for (const part of parts) {
    if (part === root) continue;
    const above = part.parent === null ? impl : (laneOf.get(part.parent) ?? impl);
    // An operator over one part (hiding, renaming, a compression that was opened) has no row of its own.
    if (part.kind === 'operator' && children.get(part.id) === 1) {
      laneOf.set(part.id, above);
      continue;
    }
    const name = definition(part.label);
    const group = part.kind === 'operator';
    if (!group && !hues.has(name)) hues.set(name, hues.size);
    const hue = hues.get(name) ?? 0;
    const lane: Lane = {
      key: `p${part.id}`, part: part.id, label: part.label, operator: part.operator, depth: above.depth + 1, role: group ? 'group' : 'part', kind: part.kind,
      hue: group ? 0 : (hue % 8) + 1, shape: (['square', 'round', 'turned'] as const)[hue % 3], parent: above.key, below: [], initial: part.initial,
    };
    laneOf.set(part.id, lane);
    byLabel.set(part.label, lane);
    // A process that is one component is its own row.
    if (only && part.label === implementation) continue;
    lanes.push(lane);
    known.set(lane.key, lane);
    for (let up: string | null = lane.parent; up; up = known.get(up)?.parent ?? null) known.get(up)?.below.push(lane.key);
  }

  const steps = other ? [...example.steps.slice(0, Math.max(0, example.parting ?? 0)), ...(example.other_steps ?? []).slice(Math.max(0, example.parting ?? 0))] : example.steps;
  const loop = other ? [] : (example.cycle_steps ?? []);
  const columns = [...steps, ...loop].map((step, i): Column => {
    const violation = !loop.length && i === steps.length - 1 && example.kind === 'trace';
    const cells = new Map<string, Cell>();
    cells.set('impl', { event: called(step), hidden: isHidden(step), violation, before: null, after: null });
    for (const move of step.moves) {
      const lane = (move.part !== undefined ? laneOf.get(move.part) : undefined) ?? byLabel.get(move.component);
      if (!lane) continue;
      const hidden = isHidden(step);
      cells.set(lane.key, { event: hidden ? `(${move.event})` : move.event, hidden, violation, before: move.before ?? null, after: move.after ?? null });
    }
    return { number: i + 1, step, hidden: isHidden(step), loop: i >= steps.length, violation, cells };
  });
  const parting = example.parting ?? null;
  return { lanes, columns, end: example.end ?? null, parting, laneOf };
}

/** The state of a part after so many steps. */
export function termAfter(chart: Chart, lane: Lane, steps: number): Term | null {
  for (let i = Math.min(steps, chart.columns.length) - 1; i >= 0; i--) {
    const cell = chart.columns[i].cells.get(lane.key);
    if (cell?.after) return cell.after;
  }
  return lane.initial;
}

/** What a closed row shows of the parts in it. */
export function below(lane: Lane, column: Column): Cell | undefined {
  const own = column.cells.get(lane.key);
  if (own) return own;
  for (const key of lane.below) {
    const cell = column.cells.get(key);
    if (cell) return cell;
  }
  return undefined;
}
