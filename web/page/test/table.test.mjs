// Games at the table, played to their end in a browser. The winning lines come from the solver, through the same requests.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { accessible, at, browser, scripts, serve, shot, walks } from './bench.mjs';

let server, chromium;
before(async () => {
  server = await serve(scripts());
  chromium = await browser();
});
after(async () => {
  await chromium?.close();
  await server?.stop();
});

const walk = walks(() => chromium);

/** A request as the page makes it. */
async function ask(path, body) {
  const url = new URL(server.address);
  const response = await fetch(new URL(`/api/${path}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csp-token': url.searchParams.get('token'), 'x-csp-tab': 'test' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response;
}
const table = async (script, saved, act) => (await ask('table', { script, saved, act })).json();

/** The first way to win that the solver finds. */
async function solution(script) {
  const { saved } = await table(script, null, null);
  const response = await ask('lamp', { script, saved, seconds: 120 });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    text += value ?? '';
    const found = [...text.matchAll(/event: ?lamp\ndata: ?(.*)\n\n/g)].map((m) => JSON.parse(m[1]).lamp).find((lamp) => lamp.line.length);
    if (found) {
      await reader.cancel();
      return found.line;
    }
    assert.ok(!done, `no way to win was found: ${text}`);
  }
}

/** Makes every move of a winning line; `make` says how a player would, given the offer and what lies on the table. */
async function playOut(page, script, make) {
  const line = await solution(script);
  let { saved, report } = await table(script, null, null);
  for (const event of line) {
    const offer = report.offers.find((o) => o.event === event);
    await make(offer, report);
    ({ saved, report } = await table(script, saved, { kind: 'play', event }));
    await page.getByText(`move ${report.number} of`).waitFor();
  }
  assert.ok(report.won);
  return line.length;
}

walk('FreeCell is won by dragging cards', async (page) => {
  const script = { file: 'models/freecell.csp', defines: { DEAL: '3' } };
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=3'));
  await page.locator('.card').first().waitFor();
  await accessible(page);
  const moves = await playOut(page, script, async (offer, report) => {
    const pile = report.position.piles.find((p) => p.name === offer.to.pile);
    const from = page.locator(`.card[data-pile="${offer.from.pile}"][data-index="${offer.from.index}"]`);
    const to = pile.cards.length ? page.locator(`.card[data-pile="${pile.name}"][data-index="${pile.cards.length - 1}"]`) : page.locator(`.place[data-pile="${pile.name}"]`);
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    await page.mouse.move(a.x + a.width / 2, a.y + 12);
    await page.mouse.down();
    await page.mouse.move(a.x + a.width / 2 + 8, a.y + 20);
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 3 });
    await page.mouse.up();
  });
  await page.getByText('The game is won.').waitFor();
  assert.match(await page.locator('.stat').innerText(), new RegExp(`${moves}\\s*moves\\s*52\\s*home`));
  await shot(page, 'table-freecell-won');
}, { reducedMotion: 'reduce' });

walk('FreeCell is won by keys: two names of piles make a move', async (page) => {
  const script = { file: 'models/freecell.csp', defines: { COLUMNS: '4', CELLS: '2', RANKS: '5', DEAL: '3' } };
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.COLUMNS=4&d.CELLS=2&d.RANKS=5&d.DEAL=3'));
  await page.locator('.card').first().waitFor();
  await playOut(page, script, async (offer) => {
    await page.keyboard.press(offer.from.symbol);
    await page.locator('.card.sel').first().waitFor();
    await page.keyboard.press(offer.to.symbol);
  });
  await page.getByText('The game is won.').waitFor();
}, { reducedMotion: 'reduce' });

walk('a triangle of pegs is won with Enter on pegs and holes', async (page) => {
  const script = { file: 'models/peg-triangle.csp', defines: {} };
  await page.goto(at(server.address, '#/table?file=models/peg-triangle.csp'));
  await page.locator('.spot.peg').first().waitFor();
  await accessible(page);
  await playOut(page, script, async (offer, report) => {
    // The nearest jump in a direction is made: which of the four leads to this one depends on the others.
    const { rows } = report.position.holes;
    const place = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
    const [[x, y], [u, v]] = [place(offer.from.pile), place(offer.to.pile)];
    assert.ok(rows[y][x] === 'o' && rows[v][u] === '.');
    await page.locator(`[data-hole="${offer.from.pile}"]`).focus();
    await page.keyboard.press('Enter');
    await page.locator(`[data-hole="${offer.to.pile}"]`).focus();
    await page.keyboard.press('Enter');
  });
  await page.getByText('The game is won.').waitFor();
  await shot(page, 'table-peg-triangle-won');
}, { reducedMotion: 'reduce' });

walk('a refused move says who refuses and why; undo, branches, and a reload that loses nothing', async (page) => {
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=617'));
  await page.locator('.card').first().waitFor();
  // A jack does not go on a king, which no process has an event for; a four goes home, but not yet.
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await page.locator('.why', { hasText: 'does not go on' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('4');
  await page.keyboard.press('h');
  await page.locator('.why', { hasText: 'refuse' }).waitFor();
  assert.match(await page.locator('.why').innerText(), /stackHome\.card\.Hearts\.4/);
  await shot(page, 'table-refused');
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await page.getByText('move 1 of 1').waitFor();
  await page.keyboard.press('u');
  await page.getByText('move 0 of 1').waitFor();
  await page.keyboard.press('2');
  await page.keyboard.press('a');
  await page.getByText('tried after move 0').waitFor();
  await page.waitForFunction(() => location.hash.includes('moves='));
  await page.reload();
  await page.getByText('move 1 of 1').waitFor();
  await page.getByText('tried after move 0').waitFor();
  await page.getByRole('button', { name: /^king of spades, cell a/ }).waitFor();
});

walk('a link to a position is opened elsewhere, and a saved game of another deal is refused with a sentence', async (page, context) => {
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=617'));
  await page.locator('.card').first().waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await page.getByText('move 1 of 1').waitFor();
  await page.waitForFunction(() => location.hash.includes('moves='));
  const link = page.url();
  const other = await chromium.newContext();
  const fresh = await other.newPage();
  await fresh.goto(link);
  await fresh.getByText('move 1 of 1').waitFor();
  await other.close();
  await page.getByRole('button', { name: 'Start…' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the game' }).click();
  const file = await (await saving).path();
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=618'));
  await page.getByText('move 0 of 0').waitFor();
  await page.getByRole('button', { name: 'Start…' }).click();
  await page.getByLabel('Load a game').setInputFiles(file);
  await page.getByText('it is a game of another deal').waitFor();
  await page.getByText('move 0 of 0').waitFor();
  assert.equal(context.pages().length, 1);
});

walk('a board is pasted, a deal has another numbering, and a wrong board is told', async (page) => {
  await page.goto(at(server.address, '#/table?file=models/sudoku.csp'));
  await page.locator('.cell').first().waitFor();
  await page.getByRole('button', { name: 'Start…' }).click();
  await page.getByLabel('A board of your own').fill('1...\n....\n....\n...4');
  await page.getByRole('button', { name: 'Start from this board' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.cell').length === 16);
  await accessible(page);
  await page.getByRole('button', { name: 'Start…' }).click();
  await page.getByLabel('A board of your own').fill('1.. nonsense');
  await page.getByRole('button', { name: 'Start from this board' }).click();
  await page.getByText('is neither a digit nor an empty cell').waitFor();
  await page.goto(at(server.address, '#/table?file=models/klondike.csp&d.DEAL=7&numbering=solvitaire'));
  await page.locator('.card').first().waitFor();
  await accessible(page);
  await page.locator('[data-pile] .count').click();
  await page.getByText('move 1 of 1').waitFor();
});

walk('the table on a phone, in the dark', async (page) => {
  for (const file of ['klondike', 'montana', 'king-albert', 'peg']) {
    await page.goto(at(server.address, `#/table?file=models/${file}.csp`));
    await page.locator('.felt .card, .spot').first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${file}: the page is ${wide} px too wide`);
    await accessible(page);
    await shot(page, `table-phone-${file}`);
  }
}, { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true });

walk('which jumps keep the win is told', async (page) => {
  await page.goto(at(server.address, '#/table?file=models/peg-triangle.csp'));
  await page.waitForFunction(() => document.querySelectorAll('.j.won, .j.lost').length === 4);
  await page.getByText('Can still be won').waitFor();
  await shot(page, 'table-peg-prospects');
});

walk('bounds and liveness of a process', async (page) => {
  await page.goto(at(server.address, '#/bounds?file=models/philosophers.csp&process=Symmetric'));
  await page.getByText('7,774 states, 1 dead end').waitFor();
  await page.getByRole('heading', { name: 'Numbers' }).waitFor();
  await accessible(page);
  await shot(page, 'bounds');
});

/** Where a card or an empty place of a pile is. */
const spot = (page, pile, index) => page.locator(index === undefined ? `.place[data-pile="${pile}"]` : `.card[data-pile="${pile}"][data-index="${index}"]`);
const golf = '#/table?file=models/games/golf-wrap.toml&d.DEAL=1';

walk('a described game is found by a misspelt name, and played with two clicks', async (page) => {
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=1'));
  await page.locator('.card').first().waitFor();
  await page.getByRole('button', { name: 'All games…' }).click();
  const search = page.getByRole('searchbox', { name: 'Search for a game' });
  await search.fill('canfeild');
  await page.getByRole('link', { name: /^Canfield Canfield/ }).waitFor();
  await page.getByLabel('Hidden cards').selectOption('no');
  await page.getByRole('link', { name: /^Canfield Canfield/ }).waitFor();
  await accessible(page);
  await shot(page, 'table-games');
  await search.fill('');
  await page.getByLabel('Decks').selectOption('4');
  await page.getByText(/^0 games$/).waitFor();
  await page.getByLabel('Hidden cards').selectOption('');
  await page.getByRole('link', { name: /^Gigantic/ }).waitFor();
  await page.getByLabel('Decks').selectOption('');
  await search.fill('golf wrap');
  await page.getByRole('link', { name: /^Golf, / }).first().click();
  await page.locator('.card[data-pile="HP"]').first().waitFor();
  await page.getByText('move 0 of 0').waitFor();
  // What the process offers: a card to the hole, or the next card of the stock.
  const script = { file: 'models/games/golf-wrap.toml', defines: { DEAL: '1' } };
  await page.goto(at(server.address, golf));
  const { report } = await table(script, null, null);
  const offer = report.offers.find((o) => o.from.pile.startsWith('TP')) ?? report.offers[0];
  await spot(page, offer.from.pile, offer.from.index).click();
  if (offer.from.pile.startsWith('TP')) await page.locator('.card[data-pile="HP"]').last().click();
  await page.getByText('move 1 of 1').waitFor();
  await page.locator('.mv').getByText(offer.notation, { exact: true }).waitFor();
  await accessible(page);
  await shot(page, 'table-described');
}, { reducedMotion: 'reduce' });

walk('arrow keys choose a card, Shift and Enter send it; a double click goes home; a random deal is another one', async (page) => {
  const script = { file: 'models/freecell.csp', defines: { COLUMNS: '4', CELLS: '2', RANKS: '5', DEAL: '3' } };
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.COLUMNS=4&d.CELLS=2&d.RANKS=5&d.DEAL=3'));
  await page.locator('.card').first().waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.card:focus').waitFor();
  const first = await page.locator('.card:focus').getAttribute('data-pile');
  await page.keyboard.press('ArrowRight');
  await page.locator(`.card:focus:not([data-pile="${first}"]), .place:focus`).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.locator(`.card:focus[data-pile="${first}"]`).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.card.sel').first().waitFor();
  await page.keyboard.press('Escape');
  // Along a winning line until a card can go home by choice; then by a double click.
  const line = await solution(script);
  let { saved, report } = await table(script, null, null);
  let home = 0;
  for (const event of line) {
    const offer = report.offers.find((o) => o.event === event);
    if (offer.to.pile.startsWith('FP')) {
      await spot(page, offer.from.pile, offer.from.index).dblclick();
      home++;
    } else {
      await spot(page, offer.from.pile, offer.from.index).click();
      await page.locator('.card.sel').first().waitFor();
      await page.keyboard.press(offer.to.symbol);
    }
    ({ saved, report } = await table(script, saved, { kind: 'play', event }));
    await page.getByText(`move ${report.number} of`).waitFor();
    if (home === 2) break;
  }
  assert.ok(home > 0 || report.won, 'a card went home');
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=3'));
  await page.locator('.card').first().waitFor();
  await page.getByRole('button', { name: 'Random deal' }).click();
  await page.waitForFunction(() => /d\.DEAL=\d+/.test(location.hash) && !/d\.DEAL=3(&|$)/.test(location.hash));
  await page.locator('.card').first().waitFor();
  await page.getByText('move 0 of 0').waitFor();
}, { reducedMotion: 'reduce' });

walk('fingers: a tap chooses, a tap puts down', async (page) => {
  const script = { file: 'models/freecell.csp', defines: { DEAL: '617' } };
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=617'));
  await page.locator('.card').first().waitFor();
  const { report } = await table(script, null, null);
  const offer = report.offers.find((o) => o.to.pile.startsWith('FC'));
  await spot(page, offer.from.pile, offer.from.index).tap();
  await page.locator('.card.sel').first().waitFor();
  await spot(page, offer.to.pile).tap();
  await page.getByText('move 1 of 1').waitFor();
  await page.getByRole('button', { name: 'Undo' }).tap();
  await page.getByText('move 0 of 1').waitFor();
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });

walk('a peg is dragged, and what no process offers is told', async (page) => {
  const script = { file: 'models/peg-triangle.csp', defines: {} };
  await page.goto(at(server.address, '#/table?file=models/peg-triangle.csp'));
  await page.locator('.spot.peg').first().waitFor();
  const { report } = await table(script, null, null);
  const [offer] = report.offers;
  const centre = async (name) => {
    const box = await page.locator(`[data-hole="${name}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async (from, to) => {
    const [[x, y], [u, v]] = [await centre(from), await centre(to)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + u) / 2, (y + v) / 2, { steps: 3 });
    await page.mouse.move(u, v, { steps: 3 });
    await page.mouse.up();
  };
  await drag(offer.from.pile, offer.to.pile);
  await page.getByText('move 1 of 1').waitFor();
  // Back where it came from it cannot go: there is nothing to jump over.
  await drag(offer.to.pile, offer.from.pile);
  await page.locator('.why b').first().waitFor();
  await page.getByText('move 1 of 1').waitFor();
}, { reducedMotion: 'reduce' });

walk('hint, solve and watch, the slider, and back to the deal', async (page) => {
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.COLUMNS=4&d.CELLS=2&d.RANKS=5&d.DEAL=3'));
  await page.getByText('Can still be won').waitFor();
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hinted').first().waitFor();
  await page.getByRole('button', { name: 'Solve' }).click();
  // It plays by itself to the end.
  await page.getByText('The game is won.').waitFor({ timeout: 60_000 });
  await page.locator('.won', { hasText: 'Won in' }).waitFor();
  const slider = page.getByRole('slider', { name: 'Move' });
  const all = Number(await slider.getAttribute('max'));
  await slider.fill('2');
  await page.getByText(`move 2 of ${all}`).waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByText(`move 3 of ${all}`).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`move 2 of ${all}`).waitFor();
  await page.getByRole('button', { name: 'Back to the deal' }).first().click();
  await page.getByText(`move 0 of ${all}`).waitFor();
}, { reducedMotion: 'reduce' });

walk('bots play on with pictures, are stopped, win with points, and wrong settings are told', async (page) => {
  const short = 'd.COLUMNS=3&d.RANKS=3&d.DRAW=1';
  await page.goto(at(server.address, `#/table?file=models/klondike.csp&${short}&d.DEAL=1`));
  await page.locator('.card').first().waitFor();
  const bots = page.getByRole('button', { name: 'Bot…' });
  await bots.click();
  await page.getByLabel('Who plays').selectOption('random');
  await page.getByLabel('milliseconds between moves').fill('5000');
  await accessible(page);
  await shot(page, 'table-bots');
  await page.getByRole('button', { name: 'Let it play' }).click();
  await page.getByText('The random bot plays: 1 moves').waitFor();
  await page.getByRole('button', { name: 'Stop the bot' }).click();
  await page.getByText('The random bot was stopped after 1 moves.').waitFor();
  await page.getByText('move 1 of 1').waitFor();
  // Blind, with all its settings.
  await bots.click();
  await page.getByLabel('Who plays').selectOption('blind');
  await page.getByLabel('turn the stock').fill('30');
  await page.getByLabel('from the waste').fill('50');
  await page.getByLabel('from a foundation').fill('55');
  await page.getByLabel('per cent that go to piles').fill('30');
  await page.getByLabel('per cent that take the whole run').fill('80');
  await page.getByLabel('milliseconds between moves').fill('0');
  await page.getByLabel('most commands').fill('5000');
  await shot(page, 'table-bot-blind');
  await page.getByRole('button', { name: 'Let it play' }).click();
  await page.getByText(/The blind bot (plays: \d+ moves of \d+ commands|won in|ends at)/).waitFor();
  await page.getByText(/The blind bot (won in \d+ moves of \d+ commands|ends )/).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Back to the deal' }).first().click();
  await page.getByText(/^move 0 of/).waitFor();
  // A strategy with a mistake, and one that wants nothing.
  for (const [rules, told] of [['rules = [{ channel = "a" }]', 'rule 1: it has no weight'], ['rules = [{ channel = "nothing", weight = 1 }]', 'the bot wants none of the moves']]) {
    await bots.click();
    await page.getByLabel('Who plays').selectOption('weights');
    await page.getByLabel('Rules').fill(rules);
    await page.getByRole('button', { name: 'Let it play' }).click();
    await page.getByText(`The bot of the file ends after 0 moves: ${told}.`).waitFor();
  }
}, { reducedMotion: 'reduce' });

walk('a page that ends without a word loses no game', async (page, context) => {
  await page.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=617'));
  await page.locator('.card').first().waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await page.getByText('move 1 of 1').waitFor();
  // The renderer dies; a page opened after that has the game.
  const crashed = page.waitForEvent('crash');
  await page.goto('chrome://crash').catch(() => {});
  await crashed;
  const again = await context.newPage();
  await again.goto(at(server.address, '#/table?file=models/freecell.csp&d.DEAL=617'));
  await again.getByText('move 1 of 1').waitFor();
}, { reducedMotion: 'reduce' });
