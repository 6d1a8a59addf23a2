// Where there is nothing: an empty folder, and scripts that change under the page.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { accessible, at, browser, serve, shot, walks } from './bench.mjs';

let server, chromium, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'csp-empty-'));
  server = await serve(folder);
  chromium = await browser();
});
after(async () => {
  await chromium?.close();
  await server?.stop();
});
const walk = walks(() => chromium);

walk('an empty folder shows three examples with pictures, each one click away', async (page) => {
  await page.goto(server.address);
  await page.getByRole('heading', { name: 'Open a script or start from an example' }).waitFor();
  assert.equal(await page.locator('.card svg').count(), 3);
  await accessible(page);
  await shot(page, 'start');
  await page.getByRole('link', { name: /Dining philosophers/ }).click();
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('3 pass, 1 fails').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: /Peg solitaire/ }).click();
  await page.getByRole('region', { name: 'Picture of the state' }).getByRole('button').first().click();
  await page.getByText('1 step', { exact: true }).waitFor();
  await page.goto(server.address);
  await page.getByRole('link', { name: /FreeCell/ }).click();
  await page.locator('.felt .card').first().waitFor();
  // Looking at them has written nothing.
  assert.deepEqual(readdirSync(folder), []);
});

walk('every screen without a script offers the examples', async (page) => {
  for (const [screen, seen] of [['explorer', 'Possible events'], ['debugger', 'Who waits for whom'], ['graph', '3 states'], ['measure', 'States per second'], ['bounds', 'dead end']]) {
    await page.goto(at(server.address, `#/${screen}`));
    await page.getByRole('link', { name: /Dining philosophers/ }).click();
    await page.getByText(seen).first().waitFor();
    await page.waitForURL(new RegExp(`#/${screen}\\?file=models/philosophers.csp`));
    await page.goto('about:blank');
  }
});

walk('an example is saved into the folder only when asked', async (page) => {
  await page.goto(at(server.address, '#/editor?file=models/philosophers.csp'));
  await page.getByText('no problems').waitFor();
  await page.locator('.cm-line', { hasText: 'N = 5' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' -- people');
  await page.getByText('edited').waitFor();
  assert.equal(existsSync(join(folder, 'models')), false);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('saved', { exact: true }).waitFor();
  assert.equal(existsSync(join(folder, 'models/philosophers.csp')), true);
});

walk('a script that changes on disk is read again, and verdicts from before are greyed', async (page) => {
  const script = (body) => `channel a, b\nP = ${body}\n--@ expect: pass\nassert P :[deadlock free [F]]\n`;
  writeFileSync(join(folder, 'own.csp'), script('a -> P'));
  await page.goto(at(server.address, '#/session?file=own.csp'));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('as expected').waitFor();
  // The page looks some times a minute; what it finds counts, not when.
  writeFileSync(join(folder, 'own.csp'), script('a -> STOP') + 'assert P :[divergence free]\n');
  await page.getByText('P :[divergence free]').waitFor();
  await page.locator('.v.pass.stale').first().waitFor();
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('not as expected').waitFor();
});

walk('parameters and limits: a wrong value is told, a limit that was reached can be raised', async (page) => {
  await page.goto(at(server.address, '#/session?file=models/philosophers-by-parts.csp'));
  // The field of the constant itself: those of limits are there before the constants are known.
  const size = page.locator('.pf', { has: page.locator('code', { hasText: /^N$/ }) }).locator('input');
  await size.fill('1 +');
  await page.keyboard.press('Enter');
  await page.locator('.pf.invalid em', { hasText: 'nothing follows this +' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Check all' }).isDisabled(), true);
  await size.fill('4');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('.pf.invalid'));
  await page.goto(at(server.address, '#/session?file=models/peg.csp&a=2'));
  await page.getByText('RUN({| jump |})').waitFor();
  const states = page.locator('.pf', { hasText: 'states' }).locator('input');
  await states.fill('many');
  await page.keyboard.press('Enter');
  await page.getByText("'many' is not a number").waitFor();
  await states.fill('1 k');
  await page.keyboard.press('Enter');
  await page.locator('tr', { hasText: 'RUN({| jump |})' }).getByRole('button', { name: 'Check' }).click();
  await page.getByText('state limit').waitFor();
  await page.getByRole('button', { name: 'Raise limit' }).click();
  await page.waitForFunction(() => [...document.querySelectorAll('.pf input')].some((input) => input.value === '2,000'));
  await page.getByText('state limit').waitFor();
});
