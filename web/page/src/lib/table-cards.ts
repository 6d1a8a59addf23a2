// Cards as they are drawn and named. Nothing here knows a rule.

const ranks = ['ace', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'jack', 'queen', 'king'];
const letters = 'A23456789TJQK';
export const suits: Record<string, string> = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
const signs: Record<string, string> = { '♣': 'C', '♦': 'D', '♥': 'H', '♠': 'S' };

/** `10D` and `TD` are the same card. */
export function read(card: string): { rank: number; suit: string } {
  const suit = card.at(-1)!;
  const rank = card.slice(0, -1);
  return { rank: rank === '10' ? 10 : letters.indexOf(rank) + 1, suit };
}

/** What stands in the corner. */
export const index = (rank: number) => (rank === 10 ? '10' : letters[rank - 1]);

export const spoken = (card: string) => {
  const { rank, suit } = read(card);
  return `${ranks[rank - 1]} of ${suits[suit]}`;
};

// Columns left, middle and right of the face, and heights of the rows.
const [l, m, r] = [27, 50, 73];
const pipPlaces: Record<number, [number, number][]> = {
  2: [[m, 50], [m, 114]],
  3: [[m, 50], [m, 82], [m, 114]],
  4: [[l, 50], [r, 50], [l, 114], [r, 114]],
  5: [[l, 50], [r, 50], [m, 82], [l, 114], [r, 114]],
  6: [[l, 50], [r, 50], [l, 82], [r, 82], [l, 114], [r, 114]],
  7: [[l, 50], [r, 50], [m, 66], [l, 82], [r, 82], [l, 114], [r, 114]],
  8: [[l, 50], [r, 50], [m, 66], [l, 82], [r, 82], [m, 98], [l, 114], [r, 114]],
  9: [[l, 48], [r, 48], [l, 71], [r, 71], [m, 82], [l, 93], [r, 93], [l, 116], [r, 116]],
  10: [[l, 48], [r, 48], [m, 59.5], [l, 71], [r, 71], [l, 93], [r, 93], [m, 104.5], [l, 116], [r, 116]],
};
/** Where the signs of a card stand; those in the lower half stand on their heads. */
export const pips = (rank: number) => pipPlaces[rank] ?? [];

/** A text of a move in pieces: words and cards. */
export type Piece = { card: string } | { words: string };
const cardInText = /\b(10|[2-9TJQKA])(?:([♣♦♥♠])|([CDHS])\b)/gu;

export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(cardInText)) {
    if (match.index > end) found.push({ words: text.slice(end, match.index) });
    found.push({ card: (match[1] === '10' ? 'T' : match[1]) + (signs[match[2]] ?? match[3]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ words: text.slice(end) });
  return found;
}
