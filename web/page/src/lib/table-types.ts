// What a game at the table says, as data. The shapes are those of `driver/src/play/report.rs`.

export type PileKind = 'column' | 'cell' | 'foundation' | 'stock' | 'waste' | 'reserve' | 'row';

export interface CardPlace {
  /** Rank and suit, as in `5D`; none for a gap. */
  card: string | null;
  up: boolean;
}

export interface Pile {
  kind: PileKind;
  name: string;
  symbol: string;
  suit: string | null;
  /** The card that was put down last at the end. */
  cards: CardPlace[];
}

export interface Holes {
  /** `o` is a peg, `.` an empty hole, anything else is no hole. */
  rows: string[];
  triangular: boolean;
}

export interface Digits {
  side: number;
  rows: number[][];
  given: boolean[][];
}

export interface Spot {
  pile: string;
  symbol: string;
  index: number;
}

export interface Forced {
  event: string;
  text: string | null;
  from: Spot | null;
  to: Spot | null;
}

/** A move that the process offers. */
export interface Offer {
  event: string;
  text: string;
  notation: string;
  cards: string[];
  from: Spot | null;
  to: Spot | null;
  who: string[];
  forced: Forced[];
  score: number | null;
}

export interface LineMove extends Offer {
  node: number | null;
  number: number;
}

export interface Branch {
  node: number;
  number: number;
  ways: [number, string][];
}

export interface Lamp {
  state: 'won' | 'lost' | 'undecided';
  sentence: string;
  line: string[];
  since: number | null;
  exact: boolean;
  states: number;
}

/** Where a pile lies, in widths and heights of a card. */
export interface Plot {
  name: string;
  column: number;
  row: number;
  fan: 'stacked' | 'down' | 'right' | 'apart';
}

export interface TableReport {
  game: string;
  file: string;
  number: number;
  position: { piles: Pile[]; holes: Holes | null; digits: Digits | null };
  /** Where piles lie, if the rules of the game say so. */
  layout: { width: number; below: number; piles: Plot[] } | null;
  /** Bots that can play on from here. */
  bots: string[];
  offers: Offer[];
  opening: Forced[];
  line: LineMove[];
  ahead: LineMove[];
  /** Moves of both that are one, as players say it. */
  runs: { number: number; moves: number; notation: string; text: string }[];
  branches: Branch[];
  won: boolean;
  stuck: boolean;
  score: number | null;
  lamp: Lamp;
}

/** Why a move cannot be made. */
export interface MoveRefusal {
  asked: string;
  reason: string;
  event: string | null;
  refused_by: string[];
}

/** A game with all that was tried: what is kept in the browser. */
export interface SavedGame {
  schema: number;
  game: string;
  deal: string;
  moves: { at: number; event: string }[];
  now: number;
}

export type Act =
  | { kind: 'play'; event: string }
  | { kind: 'follow' | 'show'; events: string[] }
  | { kind: 'command'; text: string }
  | { kind: 'bot'; bot: string; seed: number }
  | { kind: 'undo' | 'redo' | 'restart' }
  | { kind: 'go'; node: number };

export interface TableAnswer {
  report: TableReport;
  saved: SavedGame;
  refusal: MoveRefusal | null;
  bot: BotMove | null;
}

/** What came of a bot's turn. */
export interface BotMove {
  moved: boolean;
  commands: number | null;
  reason: string | null;
}

/** A described game. */
export interface GameListed {
  file: string;
  name: string;
  title: string;
  family: string;
  also: string[];
  decks: number;
  hidden: boolean;
  rate: string | null;
  numbering: string;
  deal: number;
  rules: string[];
}

export interface GamesRequest {
  words: string;
  family: string | null;
  decks: number | null;
  hidden: boolean | null;
}

export interface GamesAnswer {
  games: GameListed[];
  families: string[];
}

/** What a search for a win tells. */
export type LampTold = { kind: 'lamp'; lamp: Lamp; searching: boolean } | { kind: 'tried'; states: number };

/** What is known of the position after a move. */
export interface Prospect {
  event: string;
  state: Lamp['state'];
  states: number;
}

/** A board as text, or a number of some numbering. */
export interface StartRequest {
  game: string;
  board?: string;
  numbering?: string;
  number?: number;
  ranks?: number;
}

/** A bound, in how many states it is reached, and a shortest way to the first. */
export interface Bound {
  value: number;
  states: number;
  at: string;
  trace: string[];
}

/** How large the numbers of a process become. */
export interface BoundsReport {
  process: string;
  states: number;
  transitions: number;
  limit: string | null;
  parts: { part: string; states: number; numbers: { definition: string; parameter: string; counted: 'value' | 'size'; values: number; least: Bound; greatest: Bound }[] }[];
  closed: string[];
  never: string[];
}

/** How alive the events of a process are. */
export interface LiveReport {
  process: string;
  states: number;
  transitions: number;
  limit: string | null;
  dead_ends: number;
  events: { event: string; level: 'L0' | 'L1' | 'L3' | 'L4'; trace: string[] }[];
  traps: { part: string; inside: number; of: number; does: string[]; trace: string[] }[];
}
