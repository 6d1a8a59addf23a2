// What the session says, as data. The shapes are those of the driver's reports; `driver/report.schema.json` describes them.

export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'error';

export interface Span {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

export interface Diagnostic extends Span {
  code: string;
  severity: 'error' | 'warning';
  message: string;
  help: string | null;
  stack: string[];
}

export interface Term {
  text: string;
  span: Span | null;
}

export interface Part {
  id: number;
  parent: number | null;
  label: string;
  operator: string | null;
  span: Span | null;
  kind: 'operator' | 'component' | 'compressed' | 'removed';
  initial: Term | null;
}

export interface Move {
  part?: number;
  component: string;
  event: string;
  before?: Term | null;
  after?: Term | null;
}

export interface Step {
  event: string;
  revealed: string;
  chased: boolean;
  allowed?: string[] | null;
  moves: Move[];
}

export interface EndPart {
  part: number;
  state: Term | null;
  offers: string[];
  wants: { event: string; refused_by: number[] }[];
  terminated: boolean;
}

export interface End {
  sentence: string;
  parts: EndPart[];
  waits: { from: number; to: number; event: string }[];
  cycle: number[];
}

export interface Counterexample {
  kind: string;
  trace: string[];
  revealed: string[];
  explanation: string;
  offered: string[];
  specification: string[][];
  observed: (string[] | null)[];
  cycle: string[];
  other: string[];
  steps: Step[];
  parts?: Part[];
  cycle_steps?: Step[];
  other_steps?: Step[];
  parting?: number | null;
  end?: End | null;
  missing?: string | null;
}

export interface Compression {
  function: string;
  process: string;
  before: { states: number; transitions: number };
  after: { states: number; transitions: number };
  seconds: number;
}

export interface AssertionReport {
  number: number;
  text: string;
  line: number;
  verdict: Verdict;
  meaning: string | null;
  expected: Verdict | null;
  reason: string | null;
  states: number;
  transitions: number;
  plys: number;
  ply_sizes: number[];
  seconds: number;
  compile_seconds: number;
  peak_memory_bytes: number;
  bytes_per_state: number;
  store: string;
  compressions: Compression[];
  counterexamples: Counterexample[];
  diagnostics: Diagnostic[];
}

export interface AssertionOutline {
  number: number;
  text: string;
  span: Span;
  expected: Verdict | null;
  pass: string | null;
  fail: string | null;
  game: string | null;
}

export interface Definition {
  name: string;
  kind: 'process' | 'value' | 'function' | 'channel' | 'datatype' | 'constructor' | 'subtype' | 'nametype' | 'error';
  type: string;
  span: Span;
  comment: string | null;
}

export interface Parameter {
  name: string;
  value: string;
  replaced: boolean;
  type: string;
  span: Span;
}

export interface Outline {
  diagnostics: Diagnostic[];
  assertions: AssertionOutline[];
  definitions: Definition[];
  files: string[];
  processes: { name: string; span: Span }[];
  parameters: Parameter[];
}

/** Which script: a file of the folder, or a text that is in no file; with constants replaced. */
export interface Script {
  file: string;
  text?: string;
  defines: Record<string, string>;
}

export interface Settings {
  max_states: number | null;
  timeout: number | null;
  memory: number | null;
  threads: number | null;
}

export interface CheckSettings extends Settings {
  /** Compressed parts of a counterexample are opened. */
  open: boolean;
}

/** A pair of brackets that a text leaves out. */
export interface Brackets {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** What is known of a name. */
export interface About {
  name: string;
  type: string;
  span: Span | null;
  comment: string | null;
  /** What a constant is. */
  value: string | null;
}

/** What a check tells while it runs. */
export type Told =
  | { kind: 'phase'; name: string; of?: string }
  | { kind: 'ply'; ply: number; size: number; states: number; transitions: number }
  | { kind: 'progress'; ply: number; states: number; transitions: number; frontier: number; memory: number };

export interface FolderFile {
  file: string;
  size: number;
  /** The game that it is about, if it is one. */
  game?: string | null;
}

export interface Folder {
  name: string;
  files: FolderFile[];
  views: string[];
  /** Bundled scripts, which can be opened as if they were in the folder. */
  examples: string[];
  first: string | null;
  threads: number;
  memory: number | null;
  version: string;
  limits: { text: number; seconds: number };
  /** Whether one can ask why an event is not possible. */
  asks?: boolean;
}

export interface FileText {
  file: string;
  text: string;
  /** Identifies the contents on disk. */
  stamp: string;
}

export interface Option {
  event: string;
  revealed: string;
  /** How a path names it. */
  step: string;
  who: string[];
}

export interface PositionPart {
  label: string;
  /** Its state in the script's words, if the session knows them. */
  term?: Term | null;
  /** What tells its states apart otherwise. */
  state?: number | null;
  /** It has moved in the last step. */
  moved?: boolean;
}

export interface Position {
  options: Option[];
  parts: PositionPart[];
  steps: { event: string; revealed: string; step: string }[];
}

export interface Refusal {
  /** Who refuses, in a sentence. */
  sentence: string;
}

export interface GraphReport {
  states: number;
  initial: number;
  transitions: { from: number; to: number; event: string; acceptance?: boolean }[];
}

export interface ScaleRow {
  threads: number;
  states: number;
  transitions: number;
  seconds: number;
  rate: number;
  speed_up: number;
  bytes_per_state: number;
  peak_memory: number;
}

export interface SurveyRow {
  deal: number;
  answer: string;
  states: number;
  moves: number;
  forced: number;
  seconds: number;
}

/** A problem that the session reports in place of a result. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly diagnostics: Diagnostic[] = [],
    readonly status = 0,
  ) {
    super(message);
  }
}
