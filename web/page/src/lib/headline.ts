// The first sentence of a counterexample, which is short; and whether no shorter one exists.
import { plural } from './format';
import type { AssertionReport, Counterexample } from './types';

/** One sentence that says what is wrong. */
export function headline(example: Counterexample): string {
  const said = example.explanation.replace(/[:.]\s*$/, '');
  const cycle = example.end?.cycle.length ?? 0;
  if (example.kind === 'deadlock' && cycle) return `${said}: ${plural(cycle, 'part')} ${cycle === 1 ? 'waits for itself' : 'wait for one another in a cycle'}.`;
  return `${said}.`;
}

/** What explains it, if that says more than the first sentence. */
export function reason(example: Counterexample): string {
  const said = example.end?.sentence ?? '';
  return said && said !== example.explanation ? said.replace(/:$/, '.') : '';
}

/**
 * How the length of a trace is called. The search goes ply by ply, so the first failure it meets has the fewest steps, hidden
 * ones counted; but a chase takes many hidden steps as one, a compressed part does not show all of its steps, an order
 * reduction leaves ways out, and of a loop or of two behaviours only one side is searched by length.
 */
export function isShortest(report: AssertionReport, example: Counterexample): boolean {
  const counted = ['trace', 'deadlock', 'refusal'].includes(example.kind);
  // Strong bisimulation changes no number of steps; other compressions may.
  const plain = !example.steps.some((s) => s.chased) && !example.parts?.some((p) => p.kind === 'compressed') && report.compressions.every((c) => c.function === 'sbisim');
  // Opened parts show a shortest behaviour each, not one that is shortest together.
  const compression = /^(diamond|normal|dbisim|wbisim|chase|tau_loop_factor|model_compress|lazynorm|prioritise)\b/;
  const opened = example.parts?.some((p) => p.kind === 'operator' && (compression.test(p.operator ?? '') || compression.test(p.label)));
  return counted && plain && !opened && !/chase|partial order/.test(report.text);
}

export function length(report: AssertionReport, example: Counterexample): string {
  const hidden = example.revealed.length - example.trace.length;
  const steps = [example.trace.length && plural(example.trace.length, 'event'), hidden > 0 && plural(hidden, 'hidden step')].filter(Boolean).join(' and ');
  if (!example.revealed.length) return 'fails at the start.';
  return `fails after ${steps}${isShortest(report, example) ? `; no failure takes fewer steps` : ''}.`;
}
