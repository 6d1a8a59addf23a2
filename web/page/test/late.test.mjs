// Answers that come late, in another order than they were asked for, or while somebody types: none replaces a newer one.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { at, browser, scripts, serve, walks } from './bench.mjs';

let server, chromium, folder;
before(async () => {
  folder = scripts();
  server = await serve(folder);
  chromium = await browser();
});
after(async () => {
  await chromium?.close();
  await server?.stop();
});
const walk = walks(() => chromium);

/** Holds back the answers to some requests until `release`, and says when one is held. */
async function hold(page, path, wanted) {
  let release, held;
  const opened = new Promise((done) => (release = done));
  const caught = new Promise((done) => (held = done));
  await page.route(`**/api/${path}`, async (route) => {
    if (!wanted(route.request().postDataJSON())) return route.fallback();
    const answer = await route.fetch().catch(() => null);
    held();
    await opened;
    // Whoever asked may be gone.
    await (answer ? route.fulfill({ response: answer }) : route.abort()).catch(() => {});
  });
  return { caught, release };
}
/** Another view in the same page, without loading it anew. */
const turn = (page, view) => page.evaluate((hash) => (location.hash = hash), view);

walk('explorer: a position that comes late does not replace the one that was asked for after it', async (page) => {
  const late = await hold(page, 'explore', (body) => body.path.join() === 'sits.0');
  await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric'));
  await page.getByText('Possible events').waitFor();
  await page.keyboard.press('1');
  await late.caught;
  await turn(page, '#/explorer?file=models/philosophers.csp&process=Symmetric&path=sits.3');
  await page.getByRole('button', { name: /^1 sits\.3 here/ }).waitFor();
  late.release();
  await page.keyboard.press('1');
  await page.getByRole('button', { name: /^2 sits\.0 here/ }).waitFor();
  await page.waitForURL(/path=sits\.3;sits\.0$/);
});

walk('explorer: why an event was not possible is not said of another position', async (page) => {
  const late = await hold(page, 'why-not', () => true);
  await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric&path=sits.0'));
  await page.locator('input[data-find]').fill('eats.0');
  await page.getByRole('button', { name: 'Why not?' }).first().click();
  await late.caught;
  await turn(page, '#/explorer?file=models/philosophers.csp&process=Symmetric&path=sits.0;takes.0.0;takes.0.1');
  await page.getByRole('button', { name: /^3 takes\.0\.1 here/ }).waitFor();
  late.release();
  // The next answer of the same kind comes after the late one.
  await page.locator('input[data-find]').fill('eats.1');
  await page.getByRole('button', { name: 'Why not?' }).first().click();
  await page.getByRole('heading', { name: 'Why not eats.1?' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Why not eats.0?' }).count(), 0);
});

walk('debugger: keys before there is a trace are about nothing', async (page) => {
  const late = await hold(page, 'check', () => true);
  await page.goto(at(server.address, '#/debugger?file=models/philosophers.csp&a=1'));
  await late.caught;
  for (const key of ['End', 'ArrowLeft', 'ArrowDown', 'Space', 'f', 'w', 'e']) await page.keyboard.press(key);
  late.release();
  await page.getByRole('columnheader', { name: 'step 10' }).locator('[aria-current=step]').waitFor();
  assert.doesNotMatch(page.url(), /step=|explorer/);
});

walk('editor: a file that is read late does not come into another one', async (page) => {
  writeFileSync(join(folder, 'one.csp'), '-- one\nP = STOP\n');
  writeFileSync(join(folder, 'two.csp'), '-- two\nQ = STOP\n');
  const late = await hold(page, 'read', (body) => body.file === 'one.csp');
  await page.goto(at(server.address, '#/editor?file=one.csp'));
  await late.caught;
  await turn(page, '#/editor?file=two.csp');
  await page.locator('.cm-line', { hasText: '-- two' }).waitFor();
  late.release();
  await page.locator('.cm-line', { hasText: '-- two' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' of mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('saved', { exact: true }).waitFor();
  assert.equal(readFileSync(join(folder, 'two.csp'), 'utf8'), '-- two of mine\nQ = STOP\n');
  assert.equal(readFileSync(join(folder, 'one.csp'), 'utf8'), '-- one\nP = STOP\n');
});

walk('editor: what was typed last belongs to the file it was typed into, however soon another is opened', async (page) => {
  writeFileSync(join(folder, 'three.csp'), '-- three\nP = STOP\n');
  writeFileSync(join(folder, 'four.csp'), '-- four\nQ = STOP\n');
  await page.goto(at(server.address, '#/editor?file=three.csp'));
  await page.locator('.cm-line', { hasText: '-- three' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' mine');
  await turn(page, '#/editor?file=four.csp');
  await page.locator('.cm-line', { hasText: '-- four' }).waitFor();
  assert.doesNotMatch(await page.locator('.cm-content').innerText(), /mine/);
  await turn(page, '#/editor?file=three.csp');
  await page.locator('.cm-line', { hasText: '-- three mine' }).waitFor();
});

walk('measure: rows of a run belong to the script they are of', async (page) => {
  await page.goto(at(server.address, '#/measure?file=models/philosophers.csp&a=1'));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('1,873 states in every run').waitFor();
  await page.getByLabel('script').selectOption('examples/01-vending-machine.csp');
  await page.getByText('Every run loads the script anew').waitFor();
  await page.goBack();
  await page.getByText('Every run loads the script anew').waitFor();
});

walk('the view follows keys that are held down, and the address comes after', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=models/philosophers.csp&a=1'));
  await page.getByRole('grid').waitFor();
  for (let i = 0; i < 300; i++) await page.keyboard.press(i % 2 ? 'ArrowRight' : 'ArrowLeft');
  await page.keyboard.press('Home');
  await page.waitForURL(/step=1(&|$)/);
  await page.reload();
  await page.getByRole('columnheader', { name: 'step 1', exact: true }).locator('[aria-current=step]').waitFor();
});
