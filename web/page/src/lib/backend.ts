// What every screen asks of a session. One implementation talks to `csp web`; another will run the same session in a worker,
// so nothing here may assume a server.
import type {
  About, AssertionReport, Brackets, CheckSettings, FileText, Folder, GraphReport, Outline, Position, Refusal, ScaleRow, Script, SurveyRow, Told,
} from './types';
import type { Act, BoundsReport, GamesAnswer, GamesRequest, LampTold, LiveReport, Prospect, SavedGame, StartRequest, TableAnswer } from './table-types';

export interface ScaleRequest {
  numbers: number[];
  threads: number[];
  runs: number;
  max_states: number | null;
}

export interface SurveyRequest {
  from: number;
  to: number;
  timeout: number | null;
  max_states: number | null;
}

export interface Backend {
  /** The files there are, and what may be done with them. */
  folder(): Promise<Folder>;
  read(file: string): Promise<FileText>;
  /** Writes a file if its contents on disk are still those of the stamp; `null` overwrites. */
  save(file: string, text: string, stamp: string | null): Promise<FileText>;
  outline(script: Script, signal?: AbortSignal): Promise<Outline>;
  check(script: Script, number: number, settings: CheckSettings, tell: (told: Told) => void, signal: AbortSignal): Promise<AssertionReport>;
  evaluate(script: Script, expression: string): Promise<string>;
  /** The type of what is at a place, and where it is defined. */
  about(script: Script, line: number, column: number): Promise<About | null>;
  /** Where a text leaves brackets out. */
  brackets(text: string): Promise<Brackets[]>;
  /** The value of an expression after each event of a trace, which it calls `trace`. */
  watch(script: Script, expression: string, events: string[], signal?: AbortSignal): Promise<string[]>;
  explore(script: Script, process: string, path: string[], signal?: AbortSignal): Promise<Position>;
  /** The events that a process might do at some time. */
  events(script: Script, process: string): Promise<string[]>;
  /** On from a position by a shortest way to an event or a channel. */
  until(script: Script, process: string, path: string[], event: string): Promise<Position>;
  whyNot(script: Script, process: string, path: string[], event: string): Promise<Refusal>;
  /** The whole transition system, if it has no more states than `most`. */
  graph(script: Script, process: string, most: number): Promise<GraphReport>;
  scale(script: Script, request: ScaleRequest, tell: (rows: ScaleRow[]) => void, signal: AbortSignal): Promise<void>;
  survey(script: Script, request: SurveyRequest, tell: (row: SurveyRow) => void, signal: AbortSignal): Promise<void>;
  explain(code: string): Promise<string>;
  /** The game of a script as it was saved, or the deal; after something was done, if `act` says what. */
  table(script: Script, saved: SavedGame | null, act: Act | null, signal?: AbortSignal): Promise<TableAnswer>;
  /** The described games, the nearest to some words first. */
  games(request: GamesRequest, signal?: AbortSignal): Promise<GamesAnswer>;
  /** Whether the position can still be won: what is known, as it is found out. */
  lamp(script: Script, saved: SavedGame, seconds: number, tell: (told: LampTold) => void, signal: AbortSignal): Promise<void>;
  /** Which of the moves that are offered keep the win, one after the other. */
  prospects(script: Script, saved: SavedGame, tell: (prospect: Prospect) => void, signal: AbortSignal): Promise<void>;
  /** The constants by which a game starts from a board, or from a deal of some numbering. */
  start(request: StartRequest): Promise<Record<string, string>>;
  /** How alive the events of a process are. */
  live(script: Script, process: string, most: number | null, signal: AbortSignal): Promise<LiveReport>;
  /** How large the numbers of a process become. */
  bounds(script: Script, process: string, most: number | null, signal: AbortSignal): Promise<BoundsReport>;
  /** The page is closed: nothing more will be asked. */
  leave(): void;
}
