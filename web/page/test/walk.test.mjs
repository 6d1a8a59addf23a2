// A person's walk through every screen.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { accessible, at, browser, scripts, serve, shot, walks } from './bench.mjs';

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

walk('philosophers: check, debug the deadlock, explore from there, share the link', async (page) => {
  await page.goto(at(server.address, '#/session?file=models/philosophers.csp'));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('3 pass, 1 fails').waitFor();
  assert.equal(await page.getByText('as expected').count(), 4);
  assert.match(await page.locator('tr', { hasText: /^\s*Symmetric :/ }).first().innerText(), /1,873/);
  await accessible(page);
  await shot(page, 'session');
  await page.getByRole('link', { name: 'Debug', exact: true }).click();
  await page.getByRole('grid').waitFor();
  assert.equal(await page.getByRole('gridcell', { name: /^step 10, .*takes\.0\.0/ }).count() >= 2, true);
  await accessible(page);
  await shot(page, 'debugger');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/step=9/);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Explore from here' }).click();
  await page.getByText('Nothing is possible any more').waitFor();
  await page.locator('.nd.cur').waitFor();
  await page.waitForURL(/path=sits\.4;takes\.4\.4/);
  await accessible(page);
  await shot(page, 'explorer');
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText('Nothing is possible any more').waitFor();
});

walk('a link to a counterexample finds it again', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=models/philosophers.csp&d.N=3&a=1&step=2'));
  await page.getByRole('grid').waitFor();
  assert.equal(await page.getByRole('columnheader', { name: /^step 6$/ }).count(), 1);
  await page.getByRole('button', { name: 'Rows' }).click();
  await page.getByRole('button', { name: /takes\.2\.2/ }).first().waitFor();
});

walk('the explorer undoes, branches, bookmarks and draws the state', async (page) => {
  await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric'));
  await page.getByText('Possible events').waitFor();
  await page.keyboard.press('1');
  // The possible event of this name is a button, too; what was done says that it is here.
  await page.getByRole('button', { name: /^1 sits\.0 here/ }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('button', { name: /^2 sits\.1 / }).first().click();
  await page.getByRole('button', { name: /^1 sits\.1 here/ }).waitFor();
  await page.getByRole('button', { name: /^1 sits\.0$/ }).waitFor();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'mark 1', exact: true }).waitFor();
  await page.getByRole('button', { name: /philosopher 1/ }).click();
  await page.getByRole('button', { name: /takes\.1\.1 here/ }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: /^1 sits\.1.*here/ }).waitFor();
});

walk('the editor marks mistakes, checks what is typed, and saves only when asked', async (page) => {
  const file = join(folder, 'own.csp');
  writeFileSync(file, 'channel a\nP = a -> P\nassert P :[deadlock free [F]]\n');
  await page.goto(at(server.address, '#/editor?file=own.csp'));
  await page.locator('.cm-content').click();
  await page.getByText('no problems').waitFor();
  await page.locator('.cm-line', { hasText: 'P = a' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' [] b -> STOP');
  await page.getByText('1 problem').waitFor();
  // The first problem is explained at once.
  await page.locator('.explained').waitFor();
  await accessible(page);
  await shot(page, 'editor');
  writeFileSync(file, 'channel a, b\nP = a -> b -> P\nassert P :[deadlock free [F]]\n');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The file has changed on disk').waitFor();
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await page.getByText('no problems').waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).first().click();
  await page.getByText('✓ passes').waitFor();
});

walk('the graph is drawn, minimised and kept', async (page) => {
  await page.goto(at(server.address, '#/graph?file=examples/07-traffic-lights.csp&process=Lights'));
  await page.locator('.nd.first').waitFor();
  await page.getByText('9 states, 18 transitions').waitFor();
  await accessible(page);
  await shot(page, 'graph');
  for (const [kind, start] of [['SVG', '<svg'], ['DOT', 'digraph'], ['AUT', 'des (0,18,9)']]) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: kind }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), `Lights.${kind.toLowerCase()}`);
    const text = readFileSync(await download.path(), 'utf8');
    assert.ok(text.startsWith(start), `${kind}: ${text.slice(0, 60)}`);
  }
  await page.getByRole('button', { name: 'Minimised' }).click();
  await page.getByText('of 9 states before').waitFor();
});

walk('a measurement over threads', async (page) => {
  await page.goto(at(server.address, '#/measure?file=models/philosophers.csp&a=1'));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('1,873 states in every run').waitFor();
  const files = [];
  page.on('download', (download) => files.push(download));
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByRole('button', { name: 'SVG' }).click();
  while (files.length < 3) await page.waitForEvent('download', { predicate: () => files.length >= 3 }).catch(() => {});
  assert.deepEqual(files.map((f) => f.suggestedFilename()), ['scale.csv', 'rate.svg', 'speed-up.svg']);
  assert.match(readFileSync(await files[0].path(), 'utf8'), /^threads,states,.*\n1,1873,/);
  await accessible(page);
  await shot(page, 'measure');
});

walk('a long check shows its plys and stops at once', async (page) => {
  await page.goto(at(server.address, '#/session?file=models/peg.csp&a=2'));
  await page.getByText('RUN({| jump |})').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Running check').waitFor();
  // States, rate and memory while it runs, and a bar for each ply.
  await page.waitForFunction(() => document.querySelectorAll('.chart .br').length > 5);
  await shot(page, 'running');
  await page.keyboard.press('Escape');
  await page.getByText('stopped', { exact: true }).waitFor();
});

walk('reading on a phone, in the dark', async (page) => {
  await page.goto(at(server.address, '#/debugger?file=models/philosophers.csp&a=1'));
  await page.getByRole('grid').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  await accessible(page);
  await shot(page, 'phone');
}, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

walk('a page without the token says so', async (page) => {
  await page.goto(server.address.replace(/\?token=[^#]*/, ''));
  await page.getByText('open the address that csp web printed').waitFor();
});
