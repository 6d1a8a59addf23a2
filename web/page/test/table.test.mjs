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
