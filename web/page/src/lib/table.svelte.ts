// A game at the table as the screen sees it: what lies where, what is selected, what is known of winning. Legal moves are
// the offers of the report. The whole game is kept in the browser and sent along, so neither a reload nor a server that
// was started again loses it.
import { pack, unpack } from './address';
import { bench, said } from './bench.svelte';
import type { Act, BotMove, Lamp, MoveRefusal, Offer, Pile, Prospect, SavedGame, TableReport } from './table-types';
import { Refused, type Script } from './types';
import { adjust, view } from './view.svelte';

/** A card, peg or place that a move may start from. */
export interface Source {
  pile: string;
  index: number;
}

/** Seconds that a search for a win may take. */
const patience = 60;
/** Milliseconds between moves that are watched. */
const pace = 480;

/** A bot under way. */
export interface BotRun {
  name: string;
  moves: number;
  commands: number;
}

export class Game {
  report = $state.raw<TableReport | null>(null);
  refusal = $state.raw<MoveRefusal | null>(null);
  /** Counts refused moves, so that the same refusal shows again. */
  refused = $state(0);
  /** Why there is no table. */
  trouble = $state('');
  /** Something worth knowing that is no trouble. */
  note = $state('');
  selected = $state.raw<Source | null>(null);
  hinted = $state.raw<Offer | null>(null);
  watching = $state(false);
  /** What is known of winning, and whether more is being found out. */
  lamp = $state.raw<Lamp | null>(null);
  searching = $state(false);
  tried = $state(0);
  /** What is known of the positions after each move that is offered, by its event. */
  prospects = $state.raw<ReadonlyMap<string, Prospect>>(new Map());
  /** The search has taken long enough to say so. */
  slow = $state(false);

  /** A bot plays: which, and how many commands it sent if it sends them blindly. */
  bot = $state.raw<BotRun | null>(null);
  /** What came of the last bot's game. */
  botSaid = $state('');

  saved: SavedGame | null = null;
  private told: BotMove | null = null;
  private readonly ends = new AbortController();
  private search: AbortController | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private packed = 0;

  constructor(readonly script: Script) {}

  get key() {
    const { file, text, defines } = this.script;
    return `csp-table ${file} ${JSON.stringify(Object.entries(defines).sort())}${text === undefined ? '' : ` ${text.length}`}`;
  }

  /** The table as it was left here, or as the address says. */
  async open() {
    const path = await linked();
    const stored = read(localStorage.getItem(this.key));
    try {
      await this.ask(stored, null);
    } catch (error) {
      if (!stored || !(error instanceof Refused) || error.status !== 422) return this.fail(error);
      // What was kept may still be wanted: it is put aside, not overwritten.
      localStorage.setItem(`${this.key} before`, JSON.stringify(stored));
      this.note = `${said(error)}. It is kept apart, and this is the deal.`;
      await this.ask(null, null).catch((wrong) => this.fail(wrong));
    }
    const here = this.report?.line.map((move) => move.event);
    if (path && here && JSON.stringify(path) !== JSON.stringify(here)) {
      await this.act({ kind: 'restart' });
      await this.act({ kind: 'follow', events: path });
    }
  }

  /** Nothing goes on after this. */
  close() {
    this.ends.abort();
    this.search?.abort();
    this.pause();
  }

  /** Does something, after what was asked for before it; true if it was done. */
  act(act: Act): Promise<boolean> {
    const done = this.queue.then(async () => {
      if (this.ends.signal.aborted) return false;
      try {
        return await this.ask(this.saved, act);
      } catch (error) {
        this.fail(error);
        return false;
      }
    });
    this.queue = done;
    return done;
  }

  play = (offer: Offer) => this.act({ kind: 'play', event: offer.event });
  command = (text: string) => this.act({ kind: 'command', text });

  /** Puts a game from a file onto the table; one of another deal is refused with a sentence. */
  async take(text: string) {
    const game = read(text);
    if (!game) {
      this.note = 'This file is not a saved game.';
      return;
    }
    try {
      await this.ask(game, null);
      this.note = '';
    } catch (error) {
      this.note = said(error);
    }
  }

  private async ask(saved: SavedGame | null, act: Act | null): Promise<boolean> {
    const answer = await bench.backend.table(this.script, saved, act, this.ends.signal);
    const moved = this.saved?.now !== answer.saved.now || !this.report;
    this.saved = answer.saved;
    this.report = answer.report;
    this.refusal = answer.refusal;
    this.told = answer.bot;
    this.trouble = '';
    if (answer.refusal) this.refused++;
    if (moved) {
      this.selected = null;
      this.hinted = null;
      this.note = '';
    }
    localStorage.setItem(this.key, JSON.stringify(answer.saved));
    void this.address();
    if (this.bot) this.dim();
    else if (moved || !this.lamp) this.light();
    return !answer.refusal;
  }

  private fail(error: unknown) {
    if (!this.ends.signal.aborted) this.trouble = said(error);
  }

  /** The moves to here are part of the address. */
  private async address() {
    const turn = ++this.packed;
    const events = this.report?.line.map((move) => move.event) ?? [];
    const moves = events.length ? await pack(events.join('\n')) : '';
    const { moves: before, ...rest } = view.now.rest;
    if (turn === this.packed && !this.ends.signal.aborted && before !== moves) adjust({ rest: moves ? { ...rest, moves } : rest });
  }

  /** What is known of the position without a search: a bot plays faster than one searches. */
  private dim() {
    this.search?.abort();
    this.lamp = this.report?.lamp ?? null;
    [this.searching, this.tried, this.slow, this.prospects] = [false, 0, false, new Map()];
  }

  /** Asks whether the position can still be won; what was asked about another one is given up. */
  private light() {
    this.dim();
    if (!this.saved || this.report?.won || this.ends.signal.aborted) return;
    const stop = (this.search = new AbortController());
    const mine = () => this.search === stop && !stop.signal.aborted;
    this.searching = true;
    setTimeout(() => mine() && (this.slow = true), 200);
    void this.judge(stop, mine).finally(() => mine() && (this.searching = false));
  }

  /** The lamp; and where moves are drawn as arrows, what each leads to, before shorter ways are searched for. */
  private async judge(stop: AbortController, mine: () => boolean) {
    const [saved, arrows] = [this.saved!, this.report?.position.holes !== null];
    const first = new AbortController();
    stop.signal.addEventListener('abort', () => first.abort());
    const look = (signal: AbortSignal, hasty: boolean) =>
      bench.backend.lamp(this.script, saved, patience, (told) => {
        if (!mine()) return;
        if (told.kind === 'tried') this.tried = told.states;
        else [this.lamp, this.searching] = [told.lamp, told.searching];
        if (hasty && told.kind === 'lamp' && told.lamp.state !== 'undecided') first.abort();
      }, signal);
    try {
      await look(first.signal, arrows).catch((error) => {
        if (!first.signal.aborted) throw error;
      });
      if (!arrows || !mine()) return;
      const note = (prospect: Prospect) => mine() && (this.prospects = new Map(this.prospects).set(prospect.event, prospect));
      await bench.backend.prospects(this.script, saved, note, stop.signal);
      if (mine() && this.lamp?.state === 'won') await look(stop.signal, false);
    } catch (error) {
      if (mine()) this.note = said(error);
    }
  }

  // What the process offers, by where it starts and ends.

  pile = (name: string): Pile | undefined => this.report?.position.piles.find((p) => p.name === name);
  from = (source: Source): Offer[] => this.report?.offers.filter((o) => o.from?.pile === source.pile && o.from.index === source.index) ?? [];
  into = (source: Source, pile: string, index?: number): Offer | undefined => {
    const there = (o: Offer) => o.to?.pile === pile && (index === undefined || o.to.index === index);
    const own = this.from(source).find(there);
    // Of several runs that could go there the longest goes.
    const others = () => this.report?.offers.filter((o) => o.from?.pile === source.pile && there(o)).sort((a, b) => b.cards.length - a.cards.length)[0];
    return own ?? others();
  };
  /** What clicking a stock does: something leaves it, or everything comes back to it. */
  turning = (pile: string): Offer | undefined =>
    this.report?.offers.find((o) => o.from?.pile === pile) ?? this.report?.offers.find((o) => o.to?.pile === pile);
  isHome = (offer: Offer) => offer.to !== null && this.pile(offer.to.pile)?.kind === 'foundation';
  home = (source: Source | null): Offer | undefined => (source ? this.from(source) : (this.report?.offers ?? [])).find(this.isHome);

  /** A move that keeps the win, as far as is known. */
  hint() {
    const first = this.lamp?.line[0];
    this.hinted = this.report?.offers.find((o) => o.event === first) ?? null;
    this.selected = null;
    if (!this.hinted) this.note = this.lamp?.state === 'lost' ? 'No move wins any more: take back what lost the game.' : 'No way to win is known yet.';
  }

  /** Makes the known way to win what comes next, and watches it. */
  async solve() {
    const line = this.lamp?.line ?? [];
    if (!line.length) {
      this.hint();
      return;
    }
    if (await this.act({ kind: 'show', events: line })) this.watch();
  }

  watch() {
    if (this.watching || !this.report?.ahead.length) return;
    this.watching = true;
    const step = async () => {
      if (!this.watching) return;
      await this.act({ kind: 'redo' });
      if (this.watching && this.report?.ahead.length) this.timer = setTimeout(() => void step(), pace);
      else this.watching = false;
    };
    void step();
  }

  pause() {
    this.watching = false;
    clearTimeout(this.timer);
    if (!this.bot) return;
    this.botSaid = `${this.bot.name} was stopped after ${this.bot.moves} moves.`;
    this.bot = null;
    this.light();
  }

  /** Has a bot play on, a move after the other with a delay, until it ends or is stopped. */
  async playBot(name: string, settings: string, seed: number, delay: number, limit: number) {
    this.pause();
    this.botSaid = '';
    let run: BotRun = { name, moves: 0, commands: 0 };
    this.bot = run;
    for (;;) {
      const done = await this.act({ kind: 'bot', bot: settings, seed });
      const told = this.told;
      if (this.bot !== run || this.ends.signal.aborted) return;
      if (!done || !told?.moved) {
        this.botSaid = told?.reason ? `${name} ends after ${run.moves} moves: ${told.reason}.` : `${name} cannot play on.`;
        break;
      }
      run = { name, moves: run.moves + 1, commands: run.commands + (told.commands ?? 0) };
      this.bot = run;
      if (this.report?.won) {
        this.botSaid = `${name} won in ${run.moves} moves${run.commands ? ` of ${run.commands} commands` : ''}.`;
        break;
      }
      if (run.moves >= limit || (told.commands !== null && run.commands >= limit)) {
        this.botSaid = `${name} ends at the limit of ${limit} ${told.commands === null ? 'moves' : 'commands'}.`;
        break;
      }
      await new Promise((later) => setTimeout(later, delay));
      if (this.bot !== run) return;
    }
    this.bot = null;
    this.light();
  }

  /** The position after this many moves of the play that is shown. */
  async jump(number: number) {
    this.pause();
    const { line, ahead } = this.report!;
    if (number === 0) await this.act({ kind: 'restart' });
    else {
      const node = [...line, ...ahead][number - 1]?.node;
      if (node !== null && node !== undefined) await this.act({ kind: 'go', node });
    }
  }
}

/** The moves of the address. */
async function linked(): Promise<string[] | null> {
  const packed = view.now.rest.moves;
  if (!packed) return null;
  const text = await unpack(packed, 1_000_000).catch(() => '');
  return text ? text.split('\n') : null;
}

function read(text: string | null): SavedGame | null {
  try {
    const game = JSON.parse(text ?? 'null');
    return game && Array.isArray(game.moves) && typeof game.now === 'number' ? game : null;
  } catch {
    return null;
  }
}
