// What must not happen: scripts from elsewhere, work without a page, one tab in another's way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { accessible, at, browser, scripts, serve, shot, tab, walks } from './bench.mjs';

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

test('the policy lets no inline script and no inline style run', async () => {
  const { page, context, errors } = await tab(chromium);
  const answer = await page.goto(at(server.address, '#/session?file=models/philosophers.csp'));
  const policy = answer.headers()['content-security-policy'];
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'/);
  await page.getByText('Symmetric :').first().waitFor();
  assert.deepEqual(errors, []);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    const box = document.createElement('div');
    box.innerHTML = '<p id="styled" style="color: red">x</p><img src="x" onerror="window.ran = true">';
    document.body.append(box);
  });
  // The image that cannot be loaded would run its script, if it could; then so would one that is made by script.
  await page.evaluate(() => new Promise((done) => { const image = new Image(); image.onerror = () => done(); image.src = 'none.png'; }));
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.getElementById('styled')).color), 'rgb(255, 0, 0)');
  assert.ok(errors.some((e) => /Content Security Policy/.test(e)), 'the browser says so');
  await context.close();
});

walk('markup in a script is shown as text', async (page) => {
  const text = '-- <img src=x onerror="window.ran=true">\nchannel a\nP = a -> STOP\n--@ fail: "<b id=bold>bold</b>"\nassert P :[deadlock free [F]]\n';
  await page.goto(server.address);
  const packed = await page.evaluate(async (text) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer()))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  }, text);
  await page.goto(at(server.address, `#/session?text=${packed}`));
  await page.getByRole('button', { name: 'Check all' }).click();
  await page.getByText('<b id=bold>bold</b>').waitFor();
  assert.equal(await page.locator('#bold').count(), 0);
  await page.goto(at(server.address, `#/editor?text=${packed}`));
  await page.getByText('onerror').waitFor();
  assert.equal(await page.evaluate(() => window.ran), undefined);
});

/** Seconds of processor time that the server has taken. */
function worked() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test('a browser that is closed in the middle of a check stops it', async () => {
  const { page, context } = await tab(chromium);
  await page.goto(at(server.address, '#/session?file=models/peg.csp&a=2'));
  await page.getByText('RUN({| jump |})').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Running check').waitFor();
  // It works until the page is gone, and then no more.
  for (const before = worked(); worked() - before < 0.2; ) await page.waitForTimeout(100);
  await context.close();
  for (let before = -1, quiet = 0; quiet < 10; ) {
    await new Promise((done) => setTimeout(done, 100));
    const now = worked();
    quiet = now - before <= 0.01 ? quiet + 1 : 0;
    before = now;
  }
});

test('two tabs on one file: each has its own text and its own check', async () => {
  const [one, two] = [await tab(chromium), await tab(chromium)];
  await one.page.goto(at(server.address, '#/session?file=models/peg.csp&a=2'));
  await one.page.getByText('RUN({| jump |})').waitFor();
  await one.page.keyboard.press('Enter');
  await one.page.getByLabel('Running check').waitFor();
  await two.page.goto(at(server.address, '#/session?file=models/philosophers.csp&d.N=3'));
  await two.page.getByRole('button', { name: 'Check all' }).click();
  await two.page.getByText('3 pass, 1 fails').waitFor();
  await one.page.keyboard.press('Escape');
  await one.page.getByText('stopped', { exact: true }).waitFor();
  await one.page.goto(at(server.address, '#/session?file=models/philosophers.csp'));
  await one.page.getByRole('button', { name: 'Check all' }).click();
  await one.page.getByText('3 pass, 1 fails').waitFor();
  assert.match(await one.page.locator('tr', { hasText: /^\s*Symmetric :/ }).first().innerText(), /1,873/);
  assert.doesNotMatch(await two.page.locator('tr', { hasText: /^\s*Symmetric :/ }).first().innerText(), /1,873/);
  assert.deepEqual([...one.errors, ...two.errors], []);
  await Promise.all([one.context.close(), two.context.close()]);
});

walk('the command list finds what can be done', async (page) => {
  await page.goto(at(server.address, '#/session?file=models/philosophers.csp'));
  await page.getByText('Symmetric :').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('explore asym');
  await accessible(page);
  await shot(page, 'commands');
  await page.keyboard.press('Enter');
  await page.getByText('Possible events').waitFor();
  await page.waitForURL(/process=Asymmetric/);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Check all' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await accessible(page);
});

walk('a survey of deals is started, watched, plotted and kept', async (page) => {
  await page.goto(at(server.address, '#/measure?file=models/freecell.csp&d.RANKS=2&what=survey'));
  await page.getByLabel('last deal').fill('4');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('4 deals', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('img', { name: 'States for each of 4 deals' }).waitFor();
  for (const [button, file] of [['CSV', 'survey.csv'], ['SVG', 'survey.svg']]) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), file);
    assert.match(readFileSync(await download.path(), 'utf8'), button === 'CSV' ? /^deal,answer.*\n1,/ : /^<svg/);
  }
  await accessible(page);
  await shot(page, 'survey');
});
