// The address is the view: what is seen can be sent, and the back button goes back.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { after, before } from 'node:test';
import { at, browser, scripts, sent, serve, walks } from './bench.mjs';

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

walk('session: the chosen row, closed files, what was searched for and parameters are in the link', async (page) => {
  await page.goto(server.address);
  await page.getByText('Machine [T= Moody').waitFor();
  await page.getByRole('button', { name: 'examples/01-vending-machine.csp, open or close' }).click();
  await page.getByRole('textbox', { name: 'Filter' }).fill('philosophers');
  await page.getByText('Asymmetric :[divergence free]').click();
  await page.getByLabel('N', { exact: true }).fill('3');
  await page.keyboard.press('Enter');
  await page.getByText('was 5').waitFor();
  await page.waitForURL(/d\.N=3.*a=3.*list=philosophers.*shut=examples/);
  await sent(chromium, page, async (other) => {
    await other.locator('tr.sel', { hasText: 'Asymmetric :[divergence free]' }).waitFor();
    await other.getByText('was 5').waitFor();
    assert.equal(await other.getByRole('textbox', { name: 'Filter' }).inputValue(), 'philosophers');
    await other.getByRole('textbox', { name: 'Filter' }).fill('');
    await other.getByRole('button', { name: 'examples/01-vending-machine.csp, open or close', expanded: false }).waitFor();
  });
});

walk('debugger: step, part, closed rows, filter, folds and watches are in the link; back leads to where one came from', async (page) => {
  await page.goto(at(server.address, '#/session?file=models/philosophers.csp'));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('3 pass, 1 fails').waitFor();
  await page.getByRole('link', { name: 'Debug', exact: true }).click();
  await page.getByRole('grid').waitFor();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Forks: close' }).click();
  await page.getByRole('button', { name: /^RightHanded\(1\)/ }).click();
  await page.getByRole('button', { name: 'Fold', exact: true }).click();
  await page.getByRole('button', { name: /folded step.*open/ }).first().click();
  await page.keyboard.press('w');
  await page.keyboard.type('#takes');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /#takes/ }).waitFor();
  await page.waitForURL(/step=6&.*fold=.*watch=.*foldby=.*opened=.*part=/);
  const seen = async (where) => {
    await where.getByRole('row', { name: /#takes/ }).waitFor();
    await where.getByRole('button', { name: 'step 6', exact: true, includeHidden: true }).and(where.locator('[aria-current=step]')).waitFor();
    await where.getByRole('button', { name: 'Forks: open' }).waitFor();
    await where.locator('.row.chosen', { hasText: 'RightHanded(1)' }).waitFor();
    return where.getByRole('columnheader').allInnerTexts();
  };
  const here = await seen(page);
  // Columns are drawn as they come into sight, so that they are looked at until they are the same.
  const same = async (where) => {
    for (let tries = 0; tries < 100 && !isDeepStrictEqual(await seen(where), here); tries++) await where.waitForTimeout(100);
    assert.deepEqual(await seen(where), here);
  };
  await sent(chromium, page, same);
  await page.getByRole('button', { name: 'Explore from here' }).click();
  await page.getByText('Possible events').waitFor();
  await page.goBack();
  await same(page);
  await page.goBack();
  await page.getByText('3 pass, 1 fails').waitFor();
  await page.goForward();
  await same(page);
});

walk('graph: the chosen state, the size and the marked counterexample are in the link', async (page) => {
  await page.goto(at(server.address, '#/graph?file=examples/01-vending-machine.csp&process=Moody'));
  await page.locator('.nd.first').waitFor();
  await page.getByRole('combobox', { name: 'Counterexample of' }).selectOption('3');
  await page.getByText('counterexample marked').waitFor();
  await page.keyboard.press('+');
  await page.getByText('125 %').waitFor();
  await page.locator('.nd').last().click();
  await page.locator('.cap', { hasText: 'after ' }).waitFor();
  await page.waitForURL(/a=3.*at=\d.*zoom=125/);
  const words = await page.locator('.cap').innerText();
  await sent(chromium, page, async (other) => {
    await other.getByText('counterexample marked').waitFor();
    await other.getByText('125 %').waitFor();
    assert.equal(await other.locator('.cap').innerText(), words);
    assert.equal(await other.locator('g.on .ed').count(), 1);
  });
});

walk('measure, bounds and explorer: what was typed is in the link', async (page) => {
  await page.goto(at(server.address, '#/measure?file=models/freecell.csp&what=survey'));
  await page.getByLabel('last deal').fill('7');
  await page.getByLabel('time each').fill('3');
  await page.waitForURL(/time=3&to=7/);
  await sent(chromium, page, async (other) => {
    await other.getByLabel('last deal').waitFor();
    assert.deepEqual([await other.getByLabel('last deal').inputValue(), await other.getByLabel('time each').inputValue()], ['7', '3']);
  });
  await page.goto(at(server.address, '#/explorer?file=models/philosophers.csp&process=Symmetric&path=sits.0'));
  await page.getByRole('button', { name: 'Changed', exact: true }).click();
  await page.waitForURL(/changed=1/);
  await sent(chromium, page, async (other) => {
    await other.getByRole('button', { name: /^1 sits\.0 here/ }).waitFor();
    assert.equal(await other.locator('.pt li').count(), 1);
  });
});

walk('a link with the whole text of a script needs no file', async (page) => {
  await page.goto(at(server.address, '#/editor?file=examples/01-vending-machine.csp'));
  await page.getByText('no problems').waitFor();
  await page.locator('.cm-line', { hasText: 'Machine = coin' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' -- of mine');
  await page.getByRole('button', { name: 'Link with text' }).click();
  await page.waitForURL(/text=/);
  await sent(chromium, page, async (other) => {
    await other.getByText('of mine').waitFor();
    await other.getByRole('link', { name: 'Session' }).click();
    await other.getByRole('button', { name: 'Check all' }).click();
    await other.getByText('3 pass, 2 fail').waitFor();
    await other.getByRole('link', { name: 'Debug', exact: true }).first().click();
    await other.getByRole('grid').waitFor();
  });
});
