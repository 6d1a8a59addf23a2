// What the debugger shows of each kind of failure, and what can be done with a long trace.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { accessible, at, browser, scripts, serve, shot, walks } from './bench.mjs';
import { long } from './long.mjs';

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

walk('a divergence shows its loop', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=examples/04-divergence.csp&a=3'));
  await page.getByRole('heading', { name: 'The loop' }).waitFor();
  await page.getByText('2 hidden steps for ever').waitFor();
  assert.equal(await page.getByRole('columnheader', { name: /in the loop/ }).count(), 2);
  await page.getByRole('button', { name: 'step 1, (tick_)' }).click();
  await page.waitForURL(/step=1/);
  await accessible(page);
  await shot(page, 'divergence');
});

walk('a nondeterminism shows where its two ways part', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=examples/01-vending-machine.csp&a=5'));
  await page.getByRole('heading', { name: 'Where they part' }).waitFor();
  await page.getByText('after 1 step', { exact: true }).waitFor();
  await page.getByText(/^refuses /).waitFor();
  await page.getByRole('button', { name: 'Other way' }).click();
  await page.waitForURL(/other=1/);
  await accessible(page);
  await shot(page, 'nondeterminism');
});

walk('compressed parts are opened on demand, and the link keeps them open', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=models/philosophers-by-parts.csp&d.N=4&a=1'));
  await page.getByRole('button', { name: /open the compressed part/ }).first().click();
  await page.getByText('cycle of 8').waitFor();
  assert.equal(await page.getByRole('button', { name: /open the compressed part/ }).count(), 0);
  await page.waitForURL(/open=1/);
  await accessible(page);
  await shot(page, 'opened');
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText('cycle of 8').waitFor();
});

walk('a trace is folded, filtered, watched and copied', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=models/philosophers.csp&a=1'));
  await page.getByRole('grid').waitFor();
  // The headline is one short sentence, and says no more than is known.
  const headline = await page.locator('h1').innerText();
  assert.equal(headline, 'After 10 events nothing is possible any more: 10 parts wait for one another in a cycle.');
  await page.getByText('no failure takes fewer steps').waitFor();
  // At the end who wants what and who refuses it, who is held, and a line between those that move together.
  assert.match(await page.getByRole('row', { name: /^RightHanded\(0\)/ }).innerText(), /wants\s*takes\.0\.1\s*✗ Fork\(1\)/);
  assert.match(await page.getByRole('row', { name: /^Fork\(0\)/ }).innerText(), /offers\s*drops\.0\.0\s*✗ RightHanded\(0\)/);
  assert.equal(await page.locator('.sync').count(), 5);
  await page.getByText('5 wait, 5 are held').waitFor();
  // The source of both movers of the last step is marked; of one part alone when it is chosen.
  const marked = async () => (await page.locator('.src .l.on b').allInnerTexts()).join(' ');
  assert.equal(await marked(), '17 18 23');
  await page.getByRole('button', { name: /^Fork\(0\)/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('.src .l.on').length === 1);
  await page.getByRole('button', { name: /^Fork\(0\)/ }).click();
  // Go to a step by its number, then along folds.
  await page.keyboard.press('g');
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await page.waitForURL(/step=3/);
  await page.getByRole('button', { name: /^RightHanded\(1\)/ }).click();
  await page.getByRole('button', { name: 'Fold', exact: true }).click();
  await page.getByRole('button', { name: /folded steps, open/ }).first().waitFor();
  await page.keyboard.press(']');
  await page.waitForURL(/step=7/);
  await page.keyboard.press('[');
  await page.getByRole('button', { name: 'Unfold' }).click();
  // Watches: counts, parts, and expressions of the script.
  for (const expression of ['#takes', 'Fork(0)', 'card({i | sits.i <- set(trace)})']) {
    await page.keyboard.press('w');
    await page.keyboard.type(expression);
    await page.keyboard.press('Enter');
  }
  await page.getByRole('row', { name: /card\(/ }).getByText('5', { exact: true }).first().waitFor();
  await accessible(page);
  await shot(page, 'watches');
  await page.getByRole('button', { name: 'Movers' }).click();
  await page.locator('input[data-find]').fill('takes.2');
  await page.getByRole('button', { name: /folded steps, open/ }).first().click();
  for (const [kind, start] of [['text', 'assert Symmetric'], ['Mermaid', 'sequenceDiagram'], ['ITF', '{'], ['JSON', '{']]) {
    await page.getByRole('button', { name: /^Copy/ }).click();
    await page.getByRole('menuitem', { name: `as ${kind}` }).click();
    await page.getByText(`Copied as ${kind}.`).first().waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(text.startsWith(start), `${kind}: ${text.slice(0, 60)}`);
    if (kind === 'ITF') assert.equal(JSON.parse(text).states.length, 11);
  }
});

walk('a thousand steps of two hundred parts: only what can be seen is in the page', async (page) => {
  writeFileSync(join(folder, 'long.csp'), long(199, 1000));
  await page.goto(at(server.address, '#/debugger?file=long.csp&a=1'));
  await page.getByRole('columnheader', { name: 'step 1000' }).waitFor({ timeout: 60_000 });
  await page.getByText('1,000 steps, 200 parts').waitFor();
  const cells = async () => page.locator('[role=gridcell]').count();
  assert.ok((await cells()) < 3_000, `${await cells()} cells`);
  await page.keyboard.press('Home');
  await page.getByRole('columnheader', { name: 'step 1', exact: true }).waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'step 1000' }).count(), 0);
  assert.ok((await cells()) < 3_000, `${await cells()} cells`);
  await shot(page, 'long');
});
