// The session behind `csp web`: JSON over HTTP, progress as server-sent events in the answer to the request itself, so that
// closing the page ends the work.
import type { Backend, ScaleRequest, SurveyRequest } from './backend';
import type { Act, BoundsReport, GamesAnswer, GamesRequest, Lamp, LampTold, LiveReport, Prospect, SavedGame, StartRequest, TableAnswer } from './table-types';
import { Refused } from './types';
import type { AssertionReport, Brackets, CheckSettings, FileText, ScaleRow, Script, SurveyRow, Told } from './types';

/** Whether the server answers; the page shows a strip while it does not. */
export type Contact = (connected: boolean) => void;

export class HttpBackend implements Backend {
  /** Tells tabs apart, so that each has sessions of its own. */
  private readonly tab = crypto.getRandomValues(new Uint32Array(2)).join('-');

  constructor(
    private readonly token: string,
    private readonly contact: Contact,
  ) {}

  folder() {
    return this.ask('folder', {}) as ReturnType<Backend['folder']>;
  }
  read(file: string) {
    return this.ask<FileText>('read', { file });
  }
  save(file: string, text: string, stamp: string | null) {
    return this.ask<FileText>('save', { file, text, stamp });
  }
  outline(script: Script, signal?: AbortSignal) {
    return this.ask('outline', { script }, signal) as ReturnType<Backend['outline']>;
  }
  async evaluate(script: Script, expression: string) {
    return (await this.ask<{ value: string }>('evaluate', { script, expression })).value;
  }
  about(script: Script, line: number, column: number) {
    return this.ask('about', { script, line, column }) as ReturnType<Backend['about']>;
  }
  async brackets(text: string) {
    return (await this.ask<{ pairs: Brackets[] }>('brackets', { text })).pairs;
  }
  async watch(script: Script, expression: string, events: string[], signal?: AbortSignal) {
    return (await this.ask<{ values: string[] }>('watch', { script, expression, events }, signal)).values;
  }
  async events(script: Script, process: string) {
    return (await this.ask<{ events: string[] }>('events', { script, process })).events;
  }
  until(script: Script, process: string, path: string[], event: string) {
    return this.ask('until', { script, process, path, event }) as ReturnType<Backend['until']>;
  }
  leave() {
    // The page goes, the request stays.
    void fetch('api/leave', { method: 'POST', headers: this.headers(), body: '{}', keepalive: true }).catch(() => {});
  }
  explore(script: Script, process: string, path: string[], signal?: AbortSignal) {
    return this.ask('explore', { script, process, path }, signal) as ReturnType<Backend['explore']>;
  }
  whyNot(script: Script, process: string, path: string[], event: string) {
    return this.ask('why-not', { script, process, path, event }) as ReturnType<Backend['whyNot']>;
  }
  graph(script: Script, process: string, most: number) {
    return this.ask('graph', { script, process, most }) as ReturnType<Backend['graph']>;
  }
  async explain(code: string) {
    return (await this.ask<{ text: string }>('explain', { code })).text;
  }
  async check(script: Script, number: number, settings: CheckSettings, tell: (told: Told) => void, signal: AbortSignal) {
    let report: AssertionReport | null = null;
    await this.stream('check', { script, number, settings }, signal, (name, data) => {
      if (name === 'report') report = data as AssertionReport;
      else tell(data as Told);
    });
    if (!report) throw new Refused('the check ended without a report');
    return report;
  }
  async scale(script: Script, request: ScaleRequest, tell: (rows: ScaleRow[]) => void, signal: AbortSignal) {
    await this.stream('scale', { script, ...request }, signal, (name, data) => {
      if (name === 'rows') tell(data as ScaleRow[]);
    });
  }
  async survey(script: Script, request: SurveyRequest, tell: (row: SurveyRow) => void, signal: AbortSignal) {
    await this.stream('survey', { script, ...request }, signal, (name, data) => {
      if (name === 'row') tell(data as SurveyRow);
    });
  }
  table(script: Script, saved: SavedGame | null, act: Act | null, signal?: AbortSignal) {
    return this.ask<TableAnswer>('table', { script, saved, act }, signal);
  }
  games(request: GamesRequest, signal?: AbortSignal) {
    return this.ask<GamesAnswer>('games', request, signal);
  }
  async lamp(script: Script, saved: SavedGame, seconds: number, tell: (told: LampTold) => void, signal: AbortSignal) {
    await this.stream('lamp', { script, saved, seconds }, signal, (name, data) => {
      if (name === 'lamp') tell({ kind: 'lamp', ...(data as { lamp: Lamp; searching: boolean }) });
      else if (name === 'tried') tell({ kind: 'tried', ...(data as { states: number }) });
    });
  }
  async prospects(script: Script, saved: SavedGame, tell: (prospect: Prospect) => void, signal: AbortSignal) {
    await this.stream('prospects', { script, saved }, signal, (name, data) => {
      if (name === 'prospect') tell(data as Prospect);
    });
  }
  async start(request: StartRequest) {
    return (await this.ask<{ defines: Record<string, string> }>('start', request)).defines;
  }
  live(script: Script, process: string, most: number | null, signal: AbortSignal) {
    return this.reported<LiveReport>('live', { script, process, max_states: most }, signal);
  }
  bounds(script: Script, process: string, most: number | null, signal: AbortSignal) {
    return this.reported<BoundsReport>('bounds', { script, process, max_states: most }, signal);
  }

  /** The report at the end of something that takes long. */
  private async reported<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
    let report: T | null = null;
    await this.stream(path, body, signal, (name, data) => {
      if (name === 'report') report = data as T;
    });
    if (report === null) throw new Refused('the work ended without a report');
    return report;
  }

  private headers() {
    return { 'content-type': 'application/json', 'x-csp-token': this.token, 'x-csp-tab': this.tab };
  }

  private async post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`api/${path}`, {
        method: 'POST',
        headers: this.headers(),
        body: JSON.stringify(body),
        signal,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      this.contact(false);
      throw new Refused('not connected to csp web');
    }
    this.contact(true);
    if (!response.ok) {
      const said = await response.json().catch(() => ({ message: response.statusText }));
      throw new Refused(said.message ?? response.statusText, said.diagnostics ?? [], response.status);
    }
    return response;
  }

  private async ask<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return (await this.post(path, body, signal)).json() as Promise<T>;
  }

  private async stream(path: string, body: unknown, signal: AbortSignal, tell: (name: string, data: unknown) => void) {
    const response = await this.post(path, body, signal);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      const events = rest.split('\n\n');
      rest = events.pop()!;
      for (const event of events) deliver(event, tell);
    }
  }
}

function deliver(event: string, tell: (name: string, data: unknown) => void) {
  let name = 'message';
  let data = '';
  for (const line of event.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data += line.slice(5);
  }
  if (!data) return;
  const value = JSON.parse(data);
  if (name === 'refused') throw new Refused(value.message, value.diagnostics ?? []);
  tell(name, value);
}
