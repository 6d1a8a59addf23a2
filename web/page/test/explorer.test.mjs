// Walks through processes: found, forced, by chance, named; and pictures of states.
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

walk('run until an event, and why another is not possible', async (page) => {
  await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric'));
  await page.getByText('Possible events').waitFor();
  const find = page.locator('input[data-find]');
  await find.fill('eats.2');
  assert.ok(await page.locator('#all-events option').count() > 0);
  await page.getByRole('button', { name: 'Run until…' }).click();
  await page.getByRole('button', { name: /eats\.2 here/ }).waitFor();
  await page.waitForURL(/path=sits\.2;takes\.2\.2;takes\.2\.3;eats\.2/);
  await find.fill('takes.1.2');
  await page.getByRole('button', { name: 'Why not?' }).first().click();
  await page.getByRole('heading', { name: 'Why not takes.1.2?' }).waitFor();
  await page.getByText(/takes\.1\.2.*Fork\(2\)|Fork\(2\).*refuses|RightHanded\(1\)/).first().waitFor();
  await accessible(page);
  await shot(page, 'why-not');
});

walk('a walk by chance repeats itself from its seed', async (page) => {
  const path = async (seed) => {
    await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric'));
    await page.getByText('Possible events').waitFor();
    await page.getByRole('textbox', { name: 'steps' }).fill('8');
    await page.getByRole('textbox', { name: 'seed' }).fill(String(seed));
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Walk' }).click();
    await page.getByText('8 steps', { exact: true }).waitFor();
    const found = new URLSearchParams(page.url().split('?').pop()).get('path');
    await page.goto('about:blank');
    return found;
  };
  const [first, again, other] = [await path(3), await path(3), await path(4)];
  assert.equal(first.split(';').length, 8);
  assert.equal(first, again);
  assert.notEqual(first, other);
});

walk('branches and bookmarks have names and are there when the page is loaded again', async (page) => {
  await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric'));
  await page.getByText('Possible events').waitFor();
  // Quicker than the server answers: each key is about where the one before it leads.
  for (const key of ['1', 'u', '3']) await page.keyboard.press(key);
  await page.getByRole('button', { name: /^1 sits\.2 here/ }).waitFor();
  await page.getByRole('button', { name: /^1 sits\.0$/ }).waitFor();
  await page.getByRole('button', { name: 'Name branch' }).click();
  await page.keyboard.type('two first');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /sits\.2 two first/ }).waitFor();
  await page.keyboard.press('b');
  await page.keyboard.type('seated');
  await page.keyboard.press('Enter');
  await page.reload();
  await page.getByRole('button', { name: /sits\.2 two first/ }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('button', { name: 'seated', exact: true }).click();
  await page.getByRole('button', { name: /sits\.2.*here/ }).waitFor();
  await page.getByRole('button', { name: /^1 sits\.0$/ }).waitFor();
});

for (const [name, view, title, move, done] of [
  ['peg solitaire', 'file=models/peg.csp&process=Board', null, /jump\.1\.3|jump/, /here/],
  ['traffic lights', 'file=examples/07-traffic-lights.csp&process=Lights', 'Crossing', /North green/, /show\.North\.Green here/],
  ['the farmer', 'file=examples/10-farmer.csp&process=River(Here, {})', 'River', /takes the Goat/, /take\.Goat here/],
]) {
  walk(`a state of ${name} is drawn, and a click on the picture does an event`, async (page) => {
    await page.goto(at(server.address, `#/explorer?${view}`));
    await page.getByRole('region', { name: 'Picture of the state' }).waitFor();
    if (title) await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('region', { name: 'Picture of the state' }).getByRole('button', { name: move }).first().click();
    await page.getByRole('button', { name: done }).first().waitFor();
    await page.locator('.nd.cur').waitFor();
    await page.getByText('partial').waitFor();
    await accessible(page);
    await shot(page, `picture-${name.replaceAll(' ', '-')}`);
  });
}
