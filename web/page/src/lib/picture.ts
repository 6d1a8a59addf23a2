// Pictures of states, as a file `NAME.view.json` beside the model says them. web/VIEWS.md describes the format.
import { compile, fill, type Scope } from './expression';
import { matches } from './watch';
import type { Position } from './types';

type Expression = number | string;
type Names = Record<string, string | number>;

interface Look {
  x?: Expression;
  y?: Expression;
  x2?: Expression;
  y2?: Expression;
  r?: Expression;
  w?: Expression;
  h?: Expression;
  text?: string;
  look?: string;
}

interface Case extends Look {
  when?: Expression;
  part?: string;
  state?: string;
}

interface Thing extends Look {
  each?: Names[] | Record<string, (string | number)[]>;
  where?: Expression;
  shape: 'circle' | 'rect' | 'line' | 'text';
  cases?: Case[];
  click?: string[];
  name?: string;
}

export interface View {
  view: 1;
  title?: string;
  process?: string;
  size: [number, number];
  things: Thing[];
}

export interface Drawn {
  shape: Thing['shape'];
  x: number;
  y: number;
  x2: number;
  y2: number;
  r: number;
  w: number;
  h: number;
  text: string;
  look: string;
  /** The step that a click does, if it is possible. */
  step: string | null;
  name: string;
}

const most = 2000;
export const looks = new Set(['plain', 'faint', 'outline', 'accent', 'pass', 'fail', 'undecided', 'board', ...Array.from({ length: 8 }, (_, i) => `lane-${i + 1}`), ...Array.from({ length: 8 }, (_, i) => `soft-${i + 1}`)]);

/** Reads a view; a sentence if it is none. */
export function read(text: string): View | string {
  let view: View;
  try {
    view = JSON.parse(text) as View;
  } catch (error) {
    return `it is not JSON: ${error instanceof Error ? error.message : error}`;
  }
  if (view?.view !== 1 || !Array.isArray(view.things) || !Array.isArray(view.size)) return 'it wants "view": 1, "size": [width, height] and "things": […]';
  const wrong = view.things.find((t) => !['circle', 'rect', 'line', 'text'].includes(t?.shape));
  if (wrong) return `there is no shape '${wrong.shape}': circle, rect, line and text are`;
  return view;
}

function rows(each: Thing['each']): Names[] {
  if (!each) return [{}];
  if (Array.isArray(each)) return each;
  let list: Names[] = [{}];
  for (const [name, values] of Object.entries(each)) list = list.flatMap((names) => values.map((value) => ({ ...names, [name]: value }))).slice(0, most);
  return list;
}

/** What to draw at a position. */
export function draw(view: View, position: Position): Drawn[] {
  const counts = new Map<string, number>();
  const events = position.steps.map((s) => (s.event === 'τ' ? s.revealed : s.event));
  const count = (name: string) => {
    let found = counts.get(name);
    if (found === undefined) counts.set(name, (found = events.filter((e) => matches(e, name)).length));
    return found;
  };
  const list: Drawn[] = [];
  for (const thing of view.things) {
    for (const names of rows(thing.each)) {
      const scope: Scope = { name: (n) => (typeof names[n] === 'number' ? (names[n] as number) : undefined), count };
      const value = (e: Expression | undefined): number => {
        if (typeof e === 'number') return e;
        if (e === undefined) return 0;
        const made = compile(fill(e, names));
        return typeof made === 'string' ? NaN : made(scope);
      };
      if (thing.where !== undefined && !value(thing.where)) continue;
      const holds = (c: Case) => {
        if (c.when !== undefined && !value(c.when)) return false;
        if (c.state === undefined) return true;
        const part = position.parts.find((p) => p.label === fill(c.part ?? '', names));
        return part?.term ? safely(fill(c.state, names), part.term.text) : false;
      };
      const own: Look = { ...thing, ...(thing.cases?.find(holds) ?? {}) };
      const step = thing.click?.map((e) => fill(e, names)).map((e) => position.options.find((o) => matches(o.revealed, e) || matches(o.event, e))?.step).find(Boolean) ?? null;
      const numbers = { x: value(own.x), y: value(own.y), x2: value(own.x2), y2: value(own.y2), r: value(own.r ?? 10), w: value(own.w ?? 20), h: value(own.h ?? 20) };
      if (Object.values(numbers).some((n) => !Number.isFinite(n))) continue;
      const text = own.text === undefined ? '' : fill(own.text, names);
      list.push({ shape: thing.shape, ...numbers, text, look: own.look && looks.has(own.look) ? own.look : 'plain', step, name: fill(thing.name ?? text, names) });
      if (list.length >= most) return list;
    }
  }
  return list;
}

function safely(pattern: string, text: string): boolean {
  try {
    return pattern.length < 200 && new RegExp(pattern).test(text.slice(0, 2000));
  } catch {
    return false;
  }
}
