// The keys of the table: two short names of piles make a move, arrows choose, and everything that buttons do.
import type { Binding } from './keys';
import type { Game } from './table.svelte';

interface Board {
  step(dx: number, dy: number): void;
  sendFocused?(): void;
  leap?(dx: number, dy: number): void;
  type?(digit: number): void;
}

const arrows: [string, string, number, number][] = [['ArrowLeft', '←', -1, 0], ['ArrowRight', '→', 1, 0], ['ArrowUp', '↑', 0, -1], ['ArrowDown', '↓', 0, 1]];

export function tableKeys(game: Game, board: () => Board | undefined): Binding[] {
  const hands = (symbol: string) => game.report?.position.piles.filter((p) => p.symbol === symbol) ?? [];
  /** The first key chooses where from, the second where to. */
  function pile(symbol: string) {
    game.pause();
    const piles = hands(symbol);
    const source = game.selected;
    if (!source) {
      const [only] = piles;
      const turned = only?.kind === 'stock' ? game.turning(only.name) : undefined;
      if (turned) void game.play(turned);
      else if (piles.every((p) => p.kind === 'foundation') && game.home(null)) void game.play(game.home(null)!);
      else if (only?.cards.length) {
        const offer = game.report?.offers.find((o) => o.from?.pile === only.name);
        game.hinted = null;
        game.selected = { pile: only.name, index: offer?.from?.index ?? only.cards.length - 1 };
      }
      return;
    }
    if (piles.some((p) => p.name === source.pile)) {
      game.selected = null;
      return;
    }
    const offer = piles.map((p) => game.into(source, p.name)).find((o) => o);
    const from = game.pile(source.pile);
    if (offer) void game.play(offer);
    else if (from) void game.command(`${from.symbol}${symbol}`);
  }
  const symbols = 'abcdefghijklmnopqvw123456789s'.split('').filter((s) => s !== 't');
  const keys = (symbol: string): Binding => ({
    keys: [symbol], label: '', quiet: true,
    run: () => {
      const digit = Number(symbol);
      if (game.report?.position.digits && digit) board()?.type?.(digit);
      else pile(symbol);
    },
  });
  return [
    { keys: ['u', 'Backspace'], label: 'undo', run: () => { game.pause(); void game.act({ kind: 'undo' }); } },
    { keys: ['r'], label: 'redo', run: () => void game.act({ kind: 'redo' }) },
    { keys: ['t'], label: 'hint', run: () => game.hint() },
    { keys: ['Space'], label: 'watch the known play, or stop', run: () => { if (game.watching) game.pause(); else if (game.report?.ahead.length) game.watch(); else void game.solve(); } },
    { keys: ['Home'], label: 'back to the deal', run: () => void game.jump(0) },
    { keys: ['End'], label: 'to the end of the known play', run: () => game.report && void game.jump(game.report.line.length + game.report.ahead.length) },
    { keys: ['Shift+Enter'], label: 'send the focused card where it can go', run: () => board()?.sendFocused?.() },
    { keys: arrows.map(([key]) => key), label: 'choose a card, hole or cell', run: (event) => { const [, , dx, dy] = arrows.find(([key]) => key === event.key)!; board()?.step(dx, dy); } },
    { keys: arrows.map(([key]) => `Shift+${key}`), label: 'jump', run: (event) => { const [, , dx, dy] = arrows.find(([key]) => key === event.key)!; (board()?.leap ?? board()?.step)?.(dx, dy); } },
    { keys: ['Escape'], label: 'clear', run: () => { game.pause(); [game.selected, game.hinted, game.refusal] = [null, null, null]; } },
    { ...keys('1'), keys: symbols, label: 'piles by their names, two make a move; digits', run: (event) => keys(event.key).run(event) },
  ];
}
