// The workbench: the folder, the scripts that were looked at, and the checks that run or have run.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from './backend';
import { HttpBackend } from './http';
import { Refused } from './types';
import type { AssertionOutline, AssertionReport, Folder, Outline, Script, Settings, Told } from './types';
import { unpack } from './address';
import { count } from './format';
import { view } from './view.svelte';

/** How far a running check has come, kept for the chart. */
export interface Progress {
  phase: string;
  started: number;
  ply: number;
  states: number;
  transitions: number;
  memory: number;
  frontier: number;
  /** New states of each ply so far. */
  plys: number[];
  /** States and memory at equal times, for the small curves. */
  history: { time: number; states: number; memory: number }[];
}

export type Check =
  | { state: 'waiting' }
  | { state: 'running'; progress: Progress; stop: AbortController }
  | { state: 'done'; report: AssertionReport; stale: boolean; plys: number[] }
  | { state: 'refused'; message: string };

/** A script with parameters, and what is known of it. */
export class ScriptState {
  outline = $state.raw<Outline | null>(null);
  /** Why there is no outline. */
  trouble = $state.raw<string | null>(null);
  readonly checks: SvelteMap<number, Check>;
  /** Checks whose counterexamples have their compressed parts opened. */
  readonly opened = new SvelteMap<number, Check>();
  loading: Promise<void> | null = null;

  constructor(readonly script: Script, checks: Iterable<[number, Check]> = []) {
    this.checks = new SvelteMap(checks);
  }
}

const noSettings: Settings = { max_states: null, timeout: null, memory: null, threads: null };

class Bench {
  folder = $state.raw<Folder | null>(null);
  trouble = $state.raw<string | null>(null);
  connected = $state(true);
  settings = $state<Settings>({ ...noSettings });
  /** The text of a script that came with the address. */
  shared = $state.raw<{ packed: string; text: string } | null>(null);
  /** Texts that were edited and not saved, by file. */
  buffers = new SvelteMap<string, string>();
  readonly backend: Backend;
  /** Made while views are derived, so it is no state itself; `forgotten` says when something was taken out. */
  private readonly scripts = new Map<string, ScriptState>();
  private forgotten = $state(0);
  /** Verdicts of scripts that were forgotten, by file and parameters. */
  private readonly past = new Map<string, [number, Check][]>();
  private readonly queue: { state: ScriptState; number: number; open: boolean }[] = [];
  private busy = false;

  constructor() {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    this.backend = new HttpBackend(token, (connected) => (this.connected = connected));
    void this.start();
    addEventListener('pagehide', () => this.backend.leave());
    // What was typed and not saved is not thrown away without a question.
    addEventListener('beforeunload', (event) => {
      if ([...this.buffers.keys()].some((file) => file !== sharedName)) event.preventDefault();
    });
  }

  /** A text that is too long to be sent, in a sentence. */
  tooLong(text: string): string | null {
    const most = this.folder?.limits.text ?? 1_000_000;
    // Characters take up to four bytes; only texts near the limit are measured.
    const size = text.length * 4 < most ? 0 : new Blob([text]).size;
    return size > most ? `The text has ${count(size)} bytes; up to ${count(most)} can be read. Nothing was sent.` : null;
  }

  /** Asks for the folder, again and again until there is an answer. */
  async start() {
    try {
      this.folder = await this.backend.folder();
      this.trouble = null;
    } catch (error) {
      this.trouble = said(error);
      if (!(error instanceof Refused && error.status)) setTimeout(() => void this.start(), 1500);
    }
  }

  /** The script that a file and parameters name. */
  script(file: string, defines: Record<string, string>): ScriptState {
    void this.forgotten;
    const text = this.buffers.get(file) ?? (file === sharedName ? this.shared?.text : undefined);
    const key = JSON.stringify([file, text ?? null, Object.entries(defines).sort()]);
    let state = this.scripts.get(key);
    if (!state) {
      const script = { file, defines: { ...defines }, ...(text === undefined ? {} : { text }) };
      state = new ScriptState(script, untrack(() => this.before(script)));
      this.scripts.set(key, state);
    }
    return state;
  }

  /** Verdicts of the same script with another text stay, greyed. */
  private before(script: Script): [number, Check][] {
    const last = [...this.scripts.values()].filter((other) => versions(other.script) === versions(script)).pop();
    return [...(last?.checks ?? this.past.get(versions(script)) ?? [])].filter(([, check]) => check.state === 'done').map(([number, check]) => [number, { ...check, stale: true } as Check]);
  }

  /** Makes sure that the outline of a script is or will be there. */
  async outline(state: ScriptState): Promise<void> {
    state.loading ??= (async () => {
      try {
        const long = this.tooLong(state.script.text ?? '');
        if (long) throw new Refused(long);
        state.outline = await this.backend.outline(state.script);
        state.trouble = null;
        for (const [number, check] of state.checks) {
          const same = state.outline.assertions.find((a) => a.number === number);
          if (check.state === 'done' && check.stale && same?.text !== check.report.text) state.checks.delete(number);
        }
      } catch (error) {
        state.trouble = said(error);
        state.loading = null;
      }
    })();
    await state.loading;
  }

  /** Forgets what is known of a file: it has changed on disk. */
  forget(file: string) {
    for (const [key, state] of this.scripts) {
      if (state.script.file !== file || state.script.text !== undefined) continue;
      this.past.set(versions(state.script), [...state.checks]);
      this.scripts.delete(key);
    }
    this.forgotten++;
  }

  /** Looks whether a script, or what it includes, has changed on disk since the last look; if so, what is known of it is old. */
  async look(script: ScriptState) {
    const { file } = script.script;
    const busy = () => [...this.scripts.values()].some((s) => s.script.file === file && [...s.checks.values()].some((c) => c.state === 'running' || c.state === 'waiting'));
    let [changed, unknown] = [false, false];
    for (const name of new Set([file, ...(script.outline?.files ?? [])])) {
      const found = await this.backend.read(name).catch(() => null);
      // What is being checked stays on the screen until it is done.
      if (!found || busy()) return;
      const known = this.stamps.get(name);
      this.stamps.set(name, found.stamp);
      if (known === undefined) unknown = true;
      else if (known !== found.stamp) changed = true;
    }
    if (unknown && !changed && script.outline) {
      // It may have changed between the outline and this first look.
      const now = await this.backend.outline(script.script).catch(() => null);
      changed = now !== null && !busy() && JSON.stringify(now) !== JSON.stringify(script.outline);
    }
    if (changed) this.forget(file);
  }
  private readonly stamps = new Map<string, string>();

  /** Checks one assertion when those before it are done; with `open`, compressed parts of its counterexample are opened. */
  check(state: ScriptState, number: number, open = false) {
    const checks = open ? state.opened : state.checks;
    const now = checks.get(number);
    if (now?.state === 'running' || now?.state === 'waiting') return;
    checks.set(number, { state: 'waiting' });
    if (!open) state.opened.delete(number);
    this.queue.push({ state, number, open });
    void this.work();
  }

  checkAll(state: ScriptState, assertions: AssertionOutline[]) {
    for (const assertion of assertions) this.check(state, assertion.number);
  }

  /** Stops one check, or takes it out of the queue. */
  stop(state: ScriptState, number: number) {
    for (const checks of [state.checks, state.opened]) {
      const now = checks.get(number);
      if (now?.state === 'running') now.stop.abort();
      if (now?.state !== 'waiting') continue;
      const place = this.queue.findIndex((entry) => entry.state === state && entry.number === number && entry.open === (checks === state.opened));
      if (place >= 0) this.queue.splice(place, 1);
      checks.delete(number);
    }
  }

  /** Stops whatever runs; false if nothing does. */
  stopAll(): boolean {
    let any = false;
    for (const state of this.scripts.values()) {
      for (const [number, check] of [...state.checks, ...state.opened]) {
        if (check.state === 'running' || check.state === 'waiting') {
          this.stop(state, number);
          any = true;
        }
      }
    }
    return any;
  }

  private async work() {
    if (this.busy) return;
    this.busy = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) await this.run(next.state, next.number, next.open);
    this.busy = false;
  }

  private async run(state: ScriptState, number: number, open: boolean) {
    const checks = open ? state.opened : state.checks;
    const stop = new AbortController();
    const progress: Progress = {
      phase: 'compiling', started: performance.now(), ply: 0, states: 0, transitions: 0, memory: 0, frontier: 0, plys: [], history: [],
    };
    const show = () => checks.set(number, { state: 'running', progress: { ...progress }, stop });
    show();
    try {
      const settings = { ...$state.snapshot(this.settings), open };
      const report = await this.backend.check(state.script, number, settings, (told) => { follow(progress, told); show(); }, stop.signal);
      const plys = report.ply_sizes.length ? report.ply_sizes : progress.plys;
      checks.set(number, { state: 'done', report, stale: false, plys });
    } catch (error) {
      checks.set(number, stop.signal.aborted
        ? { state: 'done', report: stopped(state, number, progress), stale: false, plys: progress.plys }
        : { state: 'refused', message: said(error) });
    }
  }
}

/** The same for all texts of a script with the same parameters. */
const versions = (script: Script) => JSON.stringify([script.file, Object.entries(script.defines).sort()]);

/** What is known of a check that the user stopped. */
function stopped(state: ScriptState, number: number, progress: Progress): AssertionReport {
  const outline = state.outline?.assertions.find((a) => a.number === number);
  return {
    number, text: outline?.text ?? '', line: outline?.span.line ?? 0, verdict: 'inconclusive', meaning: null,
    expected: outline?.expected ?? null, reason: 'stopped', states: progress.states, transitions: progress.transitions,
    plys: progress.ply, ply_sizes: progress.plys, seconds: (performance.now() - progress.started) / 1000, compile_seconds: 0,
    peak_memory_bytes: progress.memory, bytes_per_state: 0, store: '', compressions: [], counterexamples: [], diagnostics: [],
  };
}

const phases: Record<string, string> = {
  waiting: 'waiting for another check', evaluate: 'evaluating', compile: 'compiling', reduce: 'reducing', normalise: 'normalising', search: 'searching', explain: 'explaining',
};

function follow(progress: Progress, told: Told) {
  if (told.kind === 'phase') {
    progress.phase = phases[told.name] ?? `${told.name} ${told.of ?? ''}`.trim();
    return;
  }
  progress.phase = 'searching';
  if (told.kind === 'ply') {
    // A search starts again at ply 0: the specification was explored before the product.
    if (told.ply === 0) Object.assign(progress, { plys: [], states: 0, transitions: 0 });
    progress.plys[told.ply] = told.size;
    advance(progress, told);
    return;
  }
  const { ply, memory, frontier } = told;
  Object.assign(progress, { memory, frontier });
  advance(progress, told);
  const { states } = progress;
  // States of the ply being expanded are known; those found since the last ply are the next one's, so far.
  progress.plys[ply] = Math.max(frontier, progress.plys[ply] ?? 0);
  progress.history.push({ time: performance.now(), states, memory });
  if (progress.history.length > 90) progress.history.splice(0, progress.history.length - 90);
}

/** Numbers only grow: those of a whole ply come after some that were counted in the middle of the next. */
function advance(progress: Progress, told: { ply: number; states: number; transitions: number }) {
  for (const key of ['ply', 'states', 'transitions'] as const) progress[key] = Math.max(progress[key], told[key]);
}

export const said = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The name of a script that came with the address. */
export const sharedName = 'shared.csp';

export const bench = new Bench();

/** Takes the text out of the address, if it has one. */
export async function takeShared() {
  const packed = view.now.text;
  if (!packed || bench.shared?.packed === packed) return;
  try {
    const text = await unpack(packed, bench.folder?.limits.text ?? 1_000_000);
    // Another view may have been opened meanwhile.
    if (view.now.text === packed) bench.shared = { packed, text };
  } catch (error) {
    if (view.now.text === packed) bench.trouble = `The text in the address cannot be read: ${said(error)}`;
  }
}
