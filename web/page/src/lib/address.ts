// The address is the view: what is in the fragment after `#/` says everything about what is shown.
//
//   #/debugger?file=models/philosophers.csp&d.N=7&a=1&step=10
//
// The query before the fragment holds the token of the server, which is not part of the view.

export const screens = ['session', 'editor', 'debugger', 'explorer', 'graph', 'measure', 'bounds', 'table'] as const;
export type Screen = (typeof screens)[number];

export interface View {
  screen: Screen;
  file: string | null;
  /** A text that is in no file. */
  text: string | null;
  defines: Record<string, string>;
  /** The number of the selected assertion. */
  assertion: number | null;
  step: number | null;
  /** Rows of the debugger that are folded. */
  folded: string[];
  /** Expressions shown for each step. */
  watches: string[];
  process: string | null;
  path: string[];
  line: number | null;
  /** Whatever else a screen keeps. */
  rest: Record<string, string>;
}

const known = new Set(['file', 'text', 'a', 'step', 'fold', 'watch', 'process', 'path', 'line']);

const number = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);
const list = (text: string | null) => (text ? text.split(';') : []);

export function parse(fragment: string): View {
  const [place, query = ''] = fragment.replace(/^#\/?/, '').split(/\?(.*)/s);
  const screen = screens.find((s) => s === place) ?? 'session';
  const found = new URLSearchParams(query);
  const defines: Record<string, string> = {};
  const rest: Record<string, string> = {};
  for (const [key, value] of found) {
    if (key.startsWith('d.')) defines[key.slice(2)] = value;
    else if (!known.has(key)) rest[key] = value;
  }
  return {
    screen,
    file: found.get('file'),
    text: found.get('text'),
    defines,
    assertion: number(found.get('a')),
    step: number(found.get('step')),
    folded: list(found.get('fold')),
    watches: found.getAll('watch'),
    process: found.get('process'),
    path: list(found.get('path')),
    line: number(found.get('line')),
    rest,
  };
}

export function format(view: View): string {
  const parts: string[] = [];
  const add = (key: string, value: string | number | null) => {
    if (value !== null && value !== '') parts.push(`${key}=${readable(String(value))}`);
  };
  add('file', view.file);
  add('text', view.text);
  for (const name of Object.keys(view.defines).sort()) add(`d.${name}`, view.defines[name]);
  add('a', view.assertion);
  add('step', view.step);
  add('fold', view.folded.join(';'));
  for (const watch of view.watches) add('watch', watch);
  add('process', view.process);
  add('path', view.path.join(';'));
  add('line', view.line);
  for (const key of Object.keys(view.rest).sort()) add(key, view.rest[key]);
  return `#/${view.screen}${parts.length ? '?' + parts.join('&') : ''}`;
}

/** Escapes what an address must escape, and leaves what people want to read. */
const readable = (text: string) =>
  encodeURIComponent(text).replace(/%(2F|3A|3B|2C|40|24)/g, (code) => decodeURIComponent(code));

/** A text small enough for an address. */
export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The text of an address, at most `most` characters of it. */
export async function unpack(packed: string, most: number): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > most) throw new Error(`the text in the address is longer than ${most} characters`);
  }
}
