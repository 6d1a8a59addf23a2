// A counterexample as something to paste elsewhere.
import { called, type Chart } from './lanes';
import type { AssertionReport, Counterexample } from './types';

export const kinds = ['text', 'Mermaid', 'ITF', 'JSON'] as const;
export type CopyKind = (typeof kinds)[number];

export function copy(kind: CopyKind, report: AssertionReport, example: Counterexample, chart: Chart): string {
  switch (kind) {
    case 'text':
      return text(report, example, chart);
    case 'Mermaid':
      return mermaid(chart);
    case 'ITF':
      return itf(report, chart);
    case 'JSON':
      return JSON.stringify(example, null, 2);
  }
}

const sentence = (example: Counterexample) => example.end?.sentence || example.explanation;

function text(report: AssertionReport, example: Counterexample, chart: Chart): string {
  const width = Math.max(...chart.columns.map((c) => called(c.step).length), 5);
  const lines = chart.columns.map((column) => {
    const who = column.step.moves.map((m) => (m.event === column.step.event ? m.component : `${m.component} (${m.event})`)).join(', ');
    return `${String(column.number).padStart(4)}  ${called(column.step).padEnd(width)}  ${who}`.trimEnd();
  });
  return [`assert ${report.text}`, sentence(example), '', ...lines, ''].join('\n');
}

/** A sequence diagram: those who synchronise send the event to one another. */
function mermaid(chart: Chart): string {
  const clean = (label: string) => label.replace(/[;#:]/g, ' ');
  const parts = chart.lanes.filter((l) => l.role === 'part');
  const lines = ['sequenceDiagram', ...parts.map((l) => `  participant ${l.key} as ${clean(l.label)}`)];
  for (const column of chart.columns) {
    const movers = parts.filter((l) => column.cells.has(l.key)).map((l) => l.key);
    const event = clean(called(column.step));
    if (movers.length === 1) lines.push(`  ${movers[0]}->>${movers[0]}: ${event}`);
    for (let i = 1; i < movers.length; i++) lines.push(`  ${movers[i - 1]}->>${movers[i]}: ${event}`);
  }
  return lines.join('\n') + '\n';
}

/** The Informal Trace Format: one state for each step, with the event that led to it and the terms of the parts. */
function itf(report: AssertionReport, chart: Chart): string {
  const parts = chart.lanes.filter((l) => l.role === 'part');
  const terms = new Map(parts.map((l) => [l.label, l.initial?.text ?? '']));
  const state = (index: number, event: string) => ({ '#meta': { index }, event, ...Object.fromEntries(terms) });
  const states = [state(0, '')];
  for (const column of chart.columns) {
    for (const lane of parts) {
      const after = column.cells.get(lane.key)?.after;
      if (after) terms.set(lane.label, after.text);
    }
    states.push(state(column.number, called(column.step)));
  }
  const loop = chart.columns.findIndex((c) => c.loop);
  return JSON.stringify(
    { '#meta': { format: 'ITF', description: report.text, status: 'violation' }, vars: ['event', ...terms.keys()], states, ...(loop >= 0 ? { loop } : {}) },
    null, 2,
  );
}
