// Where piles lie: decided by what kinds of piles there are and how much room, never by which game it is.
import type { Pile, TableReport } from './table-types';

export interface Place {
  x: number;
  y: number;
}

/** A card that is drawn, or an empty place. */
export interface Laid extends Place {
  /** Identifies it while it moves: the card, or the pile for a place. */
  key: string;
  pile: Pile;
  index: number;
  card: string | null;
  up: boolean;
  /** Cards below that are not drawn. */
  below: number;
  /** How much of it can be seen is less than the whole. */
  covered: boolean;
}

export interface Layout {
  width: number;
  height: number;
  cards: Laid[];
  places: Laid[];
  /** The height that everything takes. */
  needs: number;
}

const ratio = 1.4;

/** The piles of the upper row, in order; a gap before the foundations. */
function upper(piles: Pile[]): { left: Pile[]; right: Pile[] } {
  const kinds = ['stock', 'waste', 'cell', 'reserve'];
  const left = kinds.flatMap((kind) => piles.filter((p) => p.kind === kind));
  return { left, right: piles.filter((p) => p.kind === 'foundation') };
}

export function layOut(piles: Pile[], plan: TableReport['layout'], width: number, height: number): Layout {
  const rows = piles.filter((p) => p.kind === 'row');
  const laid = rows.length === piles.length && rows.length ? inRows(rows, width, height) : plan ? byPlan(piles, plan, width, height) : inColumns(piles, width, height);
  // Where there are several packs, cards that look the same are told apart by the order in which they lie.
  const seen = new Map<string, number>();
  for (const card of laid.cards) {
    const times = seen.get(card.key) ?? 0;
    seen.set(card.key, times + 1);
    if (times) card.key += ` ${times}`;
  }
  return laid;
}

/** Piles where the rules of the game say; what hangs from a column goes on below. */
function byPlan(piles: Pile[], plan: NonNullable<TableReport['layout']>, width: number, height: number): Layout {
  const plots = new Map(plan.piles.map((plot) => [plot.name, plot]));
  const at = (pile: Pile) => plots.get(pile.name) ?? { column: 0, row: 0, fan: 'stacked' as const };
  // Foundations stand at the right of their row, with what is left of its width before them.
  const upper = piles.filter((p) => at(p).row < plan.below);
  const used = Math.max(0, ...upper.map((p) => at(p).column + 1));
  const slots = Math.max(plan.width, 4);
  const aside = Math.max(0, slots - used);
  const phone = width < 560;
  const gap = phone ? (slots > 9 ? 2 : 4) : slots > 11 ? 6 : slots > 9 ? 10 : 14;
  const margin = phone ? 4 : 20;
  const lines = Math.max(1, ...piles.map((p) => at(p).row + 1));
  const room = (width - 2 * margin - (slots - 1) * gap) / slots;
  const tall = height / (lines > plan.below + 1 ? lines * 1.5 : plan.below ? 4.4 : 3.4);
  const w = Math.max(phone ? 20 : 24, Math.min(room, 116, tall));
  const h = w * ratio;
  const x0 = (width - slots * w - (slots - 1) * gap) / 2;
  const laid: Layout = { width: w, height: h, cards: [], places: [], needs: 0 };
  const line = phone ? 12 : lines > plan.below + 1 ? 14 : 26;
  const narrow = (slots - Math.max(1, ...piles.filter((p) => at(p).row >= plan.below).map((p) => at(p).column + 1))) / 2;
  for (const pile of piles) {
    const { column, row, fan } = at(pile);
    const right = row < plan.below && pile.kind === 'foundation';
    const x = x0 + (column + (right ? aside : row >= plan.below ? narrow : 0)) * (w + gap);
    const y = row * (h + line);
    if (fan === 'stacked') {
      stack(laid, pile, x, y, 0);
      continue;
    }
    laid.places.push(place(pile, x, y));
    const next = upper.map((p) => at(p).column + (p.kind === 'foundation' ? aside : 0)).filter((c) => c > column);
    const wide = ((next.length ? Math.min(...next) : slots) - column) * (w + gap) - gap - w;
    const shown = pile.kind === 'waste' ? Math.min(pile.cards.length, wide > w * 0.4 ? 3 : 1) : pile.cards.length;
    const first = pile.cards.length - shown;
    const step = fan === 'right' ? Math.max(6, Math.min(w * 0.3, shown > 1 ? wide / (shown - 1) : 0)) : 0;
    const down = fan === 'down' ? fans(pile, w, height - y - h - 8, phone) : { up: 0, down: 0 };
    let [dx, dy] = [0, 0];
    pile.cards.forEach((card, index) => {
      if (index < first - 1) return;
      laid.cards.push({
        key: card.card ?? `${pile.name}.${index}`, x: x + dx, y: y + dy, pile, index, card: card.card, up: card.up,
        below: fan === 'right' ? index : 0, covered: index + 1 < pile.cards.length && pile.kind !== 'reserve',
      });
      if (index >= first) dx += step;
      dy += card.up ? down.up : down.down;
    });
  }
  laid.needs = Math.max(h, ...laid.cards.map((c) => c.y + h), ...laid.places.map((p) => p.y + h)) + 8;
  return laid;
}

function inColumns(piles: Pile[], width: number, height: number): Layout {
  const columns = piles.filter((p) => p.kind === 'column');
  const { left, right } = upper(piles);
  const top = left.length + right.length;
  // Half a place parts the foundations from what lies beside them.
  const slots = Math.max(columns.length, left.length && right.length && top > columns.length ? top + 0.4 : top, 4);
  const phone = width < 560;
  const gap = phone ? 4 : slots > 9 ? 10 : 14;
  const margin = phone ? 6 : 20;
  const room = (width - 2 * margin - (slots - 1) * gap) / slots;
  // Cards are never so tall that the columns have no room below the upper row.
  const w = Math.max(24, Math.min(room, 116, height / (top ? 4.4 : 3.4)));
  const h = w * ratio;
  const all = slots * w + (slots - 1) * gap;
  const x0 = (width - all) / 2;
  const slot = (n: number) => x0 + n * (w + gap);
  const below = top ? h + (phone ? 12 : 26) : 0;
  const laid: Layout = { width: w, height: h, cards: [], places: [], needs: 0 };

  left.forEach((pile, i) => stack(laid, pile, slot(i), 0, slots - top - i));
  right.forEach((pile, i) => stack(laid, pile, slot(slots - right.length + i), 0, 0));
  const shift = (slots - columns.length) / 2;
  columns.forEach((pile, i) => {
    const fan = fans(pile, w, height - below - h - 8, phone);
    let y = below;
    const x = slot(i + shift);
    laid.places.push(place(pile, x, y));
    pile.cards.forEach((card, index) => {
      laid.cards.push({ key: card.card ?? `${pile.name}.${index}`, x, y, pile, index, card: card.card, up: card.up, below: 0, covered: index + 1 < pile.cards.length });
      y += card.up ? fan.up : fan.down;
    });
  });
  const bottoms = laid.cards.map((c) => c.y + h);
  laid.needs = Math.max(below + h, ...bottoms) + 8;
  return laid;
}

/** How far the cards of a column lie apart: shrunk until it fits, as long as a corner can be read. */
function fans(pile: Pile, w: number, room: number, phone: boolean): { up: number; down: number } {
  const last = pile.cards.length - 1;
  const ups = pile.cards.slice(0, Math.max(last, 0)).filter((c) => c.up).length;
  const downs = Math.max(last, 0) - ups;
  const wish = { up: w * (phone ? 0.5 : 0.335), down: w * (phone ? 0.18 : 0.13) };
  const needed = ups * wish.up + downs * wish.down;
  if (needed <= room) return wish;
  const least = Math.max(phone ? 16 : 18, w * 0.2);
  const down = Math.min(wish.down, 8);
  return { up: Math.max(least, ups ? (room - downs * down) / ups : 0), down };
}

const place = (pile: Pile, x: number, y: number): Laid => ({ key: `place ${pile.name}`, x, y, pile, index: 0, card: null, up: true, below: 0, covered: false });

/** A pile of which the last cards are seen: one, or some of the waste if there is room beside it. */
function stack(laid: Layout, pile: Pile, x: number, y: number, room: number) {
  laid.places.push(place(pile, x, y));
  const seen = pile.kind === 'waste' && room > 0 ? 3 : 1;
  const first = Math.max(0, pile.cards.length - seen);
  // The card under the last is drawn too: it is seen when the last is lifted.
  for (let index = Math.max(0, first - 1); index < pile.cards.length; index++) {
    const card = pile.cards[index];
    const aside = Math.max(0, index - first) * laid.width * 0.24;
    laid.cards.push({
      key: card.card ?? `${pile.name}.${index}`, x: x + aside, y, pile, index, card: card.card, up: card.up,
      below: index, covered: index + 1 < pile.cards.length,
    });
  }
}

function inRows(rows: Pile[], width: number, height: number): Layout {
  const long = Math.max(...rows.map((r) => r.cards.length), 1);
  const phone = width < 560;
  const gap = phone ? 2 : 8;
  const margin = phone ? 4 : 20;
  const line = phone ? 6 : 14;
  const room = (width - 2 * margin - (long - 1) * gap) / long;
  const w = Math.max(phone ? 25 : 34, Math.min(room, 104, (height - rows.length * line) / rows.length / ratio));
  const h = w * ratio;
  const x0 = Math.max(margin, (width - long * w - (long - 1) * gap) / 2);
  const needs = rows.length * (h + line);
  const y0 = Math.max(0, (height - needs) / 3);
  const laid: Layout = { width: w, height: h, cards: [], places: [], needs: y0 + needs };
  rows.forEach((pile, r) =>
    pile.cards.forEach((card, index) => {
      const at = { x: x0 + index * (w + gap), y: y0 + r * (h + line), pile, index, up: card.up, below: 0, covered: false };
      if (card.card) laid.cards.push({ key: card.card, card: card.card, ...at });
      laid.places.push({ key: `place ${pile.name}.${index}`, card: null, ...at });
    }),
  );
  return laid;
}
