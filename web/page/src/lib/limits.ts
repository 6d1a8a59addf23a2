// Limits as people write them: 20,000,000 states, 2 min, 2.0 GB.

/** A whole number, with separators or k, M, G; `null` if empty, `NaN` if it is none. */
export function readCount(text: string): number | null {
  const plain = text.replace(/[\s,_']/g, '');
  if (!plain) return null;
  const found = /^(\d+(?:\.\d+)?)([kKmMgG]?)$/.exec(plain);
  if (!found) return NaN;
  const scale = { '': 1, k: 1e3, m: 1e6, g: 1e9 }[found[2].toLowerCase() as '' | 'k' | 'm' | 'g'];
  const value = Number(found[1]) * scale;
  return value >= 1 ? Math.round(value) : NaN;
}

/** Seconds. */
export function readSeconds(text: string): number | null {
  const plain = text.trim();
  if (!plain) return null;
  const found = /^(\d+(?:\.\d+)?)\s*(s|min|h)?$/.exec(plain);
  if (!found) return NaN;
  const value = Number(found[1]) * { s: 1, min: 60, h: 3600 }[(found[2] ?? 's') as 's' | 'min' | 'h'];
  return value > 0 ? value : NaN;
}

/** Gigabytes to bytes. */
export function readGigabytes(text: string): number | null {
  const plain = text.trim();
  if (!plain) return null;
  const value = Number(plain);
  return value > 0 ? Math.round(value * 1e9) : NaN;
}
