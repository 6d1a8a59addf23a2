// Values shown after each step of a trace: arithmetic over `#event`, how often an event or a channel has happened, and the
// states of parts by their names.
import { compile } from './expression';
import { termAfter, type Chart } from './lanes';

export type Watched = (steps: number) => string | number;

/** Whether an event is the one named, or one of its channel. */
export const matches = (event: string, name: string) => event === name || event.startsWith(`${name}.`);

/** A function from a number of steps to a value; a sentence if the expression is not understood. */
export function watch(chart: Chart, expression: string): Watched | string {
  const lane = chart.lanes.find((l) => l.label === expression.trim());
  if (lane) return (steps) => termAfter(chart, lane, steps)?.text ?? '';
  const value = compile(expression);
  if (typeof value === 'string') return `${value}: numbers, #event, the name of a part, + - * and comparisons are`;
  const sums = new Map<string, number[]>();
  const tally = (name: string) => {
    const known = sums.get(name) ?? [0];
    if (known.length === 1) {
      for (const column of chart.columns) known.push(known[known.length - 1] + +matches(column.hidden ? column.step.revealed : column.step.event, name));
      sums.set(name, known);
    }
    return known;
  };
  return (steps) => {
    const found = value({ name: () => undefined, count: (name) => tally(name)[Math.min(steps, chart.columns.length)] });
    return Number.isNaN(found) ? '!' : Math.round(found * 1000) / 1000;
  };
}
