// Numbers, times and names as the page writes them.

const grouping = new Intl.NumberFormat('en-GB');

export const count = (n: number) => grouping.format(n);

export function seconds(s: number): string {
  if (s < 0.00095) return `${(s * 1e6).toFixed(0)} µs`;
  if (s < 0.0095) return `${(s * 1e3).toFixed(1)} ms`;
  if (s < 0.95) return `${(s * 1e3).toFixed(0)} ms`;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 120) return `${s.toFixed(0)} s`;
  if (s < 7200) return `${(s / 60).toFixed(0)} min`;
  return `${(s / 3600).toFixed(1)} h`;
}

export function bytes(b: number): string {
  if (b < 1e3) return `${b} B`;
  if (b < 1e6) return `${(b / 1e3).toFixed(0)} kB`;
  if (b < 1e9) return `${(b / 1e6).toFixed(0)} MB`;
  return `${(b / 1e9).toFixed(2)} GB`;
}

/** 560 k, 1.2 M: for axes and rates. */
export function brief(n: number): string {
  if (n >= 1e9) return `${trim(n / 1e9)} G`;
  if (n >= 1e6) return `${trim(n / 1e6)} M`;
  if (n >= 1e4) return `${trim(n / 1e3)} k`;
  if (n >= 1e3) return count(Math.round(n));
  return trim(n);
}
const trim = (n: number) => (n >= 100 ? n.toFixed(0) : n.toFixed(n >= 10 ? 1 : 2).replace(/\.?0+$/, ''));

export const plural = (n: number, one: string, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

/** The definition that a process belongs to: `Fork` of `Fork(1)`. */
export function definition(label: string): string {
  const found = /^[^([\s.]+/.exec(label.trim());
  return found ? found[0] : label;
}

/** The channel of an event: `takes` of `takes.0.1`. */
export const channel = (event: string) => /^[^.]+/.exec(event)?.[0] ?? event;

/** Sorts names with the numbers in them as numbers. */
export const byName = new Intl.Collator('en', { numeric: true }).compare;
