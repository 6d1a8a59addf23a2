// Words and signs of CSPm, for the source panel and the editor. Colours only: the session knows the language.

export type Kind = 'key' | 'chan' | 'proc' | 'num' | 'note' | 'text' | 'op' | 'plain';

const keywords = new Set(
  `assert include transparent external module exports endmodule instance let within if then else and or not channel datatype subtype nametype
   print timed_section STOP SKIP CHAOS RUN Events true false Int Bool Char Proc WAIT`.split(/\s+/),
);
export const builtins =
  `union inter diff Union Inter member card empty set Set Seq seq head tail concat elem length null extensions productions
   normal sbisim wbisim dbisim chase diamond tau_loop_factor model_compress explicate lazyenumerate prioritise mapFromList mapLookup`.split(/\s+/);

export interface Piece {
  kind: Kind;
  text: string;
}

/** The pieces of one line; `inside` says whether a block comment is open at its start. */
export function pieces(line: string, inside: boolean, channels: ReadonlySet<string>): { pieces: Piece[]; inside: boolean } {
  const found: Piece[] = [];
  const rule = /(--.*$)|(\{-)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)')|(\d+)|([A-Za-z_][A-Za-z0-9_']*)|(\s+)|(->|\[\||\|\]|\[\]|\|~\||\|\|\||\|\||\[>|\\|<-|[^\sA-Za-z0-9_])/gy;
  let at = 0;
  while (at < line.length) {
    if (inside) {
      const end = line.indexOf('-}', at);
      const stop = end < 0 ? line.length : end + 2;
      found.push({ kind: 'note', text: line.slice(at, stop) });
      inside = end < 0;
      at = stop;
      continue;
    }
    rule.lastIndex = at;
    const match = rule.exec(line);
    if (!match) {
      found.push({ kind: 'plain', text: line[at++] });
      continue;
    }
    const [text, note, open, string, number, word, space] = match;
    if (open) {
      inside = true;
      found.push({ kind: 'note', text });
    } else found.push({ kind: note ? 'note' : string ? 'text' : number ? 'num' : word ? wordKind(word, channels) : space ? 'plain' : 'op', text });
    at += text.length;
  }
  return { pieces: found, inside };
}

export function wordKind(word: string, channels: ReadonlySet<string>): Kind {
  if (keywords.has(word)) return 'key';
  if (channels.has(word)) return 'chan';
  return /^[A-Z]/.test(word) ? 'proc' : 'plain';
}

/** The names after `channel` in a text. */
export function channelsOf(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, list] of text.matchAll(/^\s*channel\s+([^:\n]+)/gm)) for (const name of list.split(',')) names.add(name.trim());
  return names;
}
