// Where to start when no script is open: bundled models, each on the screen that shows most of it.
import type { Screen, View } from './address';

export interface Example {
  file: string;
  title: string;
  words: string;
  picture: 'forks' | 'pegs' | 'cards';
  /** What is opened: the first screen, or another one if that was asked for. */
  first: Screen;
  on: Partial<Record<Screen, Partial<View>>>;
}

export const examples: Example[] = [
  {
    file: 'models/philosophers.csp', title: 'Dining philosophers', picture: 'forks', first: 'session',
    words: 'Everyone takes the fork on the right first. Check it, open the deadlock, and see who waits for whom.',
    on: { session: {}, editor: {}, debugger: { assertion: 1 }, explorer: { process: 'Symmetric' }, graph: { process: 'Fork(0)' }, measure: { assertion: 1 }, bounds: { process: 'Symmetric' } },
  },
  {
    file: 'models/peg.csp', title: 'Peg solitaire', picture: 'pegs', first: 'explorer',
    words: 'Jump until one peg is left. Walk by hand on the board, or let 187 million positions be searched.',
    on: { session: {}, editor: {}, explorer: { process: 'Board' }, measure: { assertion: 2 }, table: {} },
  },
  {
    file: 'models/freecell.csp', title: 'FreeCell', picture: 'cards', first: 'table',
    words: 'Play a deal whose rules are a process. A lamp says whether it can still be won.',
    on: { session: {}, editor: {}, measure: { rest: { what: 'survey' } }, table: {} },
  },
];

/** The view that opens an example on a screen, or on its own. */
export function opening(example: Example, screen: Screen): Partial<View> {
  const wanted = screen !== 'session' && screen in example.on ? screen : example.first;
  return { screen: wanted, file: example.file, text: null, defines: {}, ...example.on[wanted] };
}
