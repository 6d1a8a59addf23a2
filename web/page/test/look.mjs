// For people who work on the page: pictures of every screen in both themes and two widths, with the page as it is in web/dist now.
//   node test/look.mjs [folder for the pictures] [names…]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { long } from './long.mjs';
import { at, browser, scripts, serve, tab } from './bench.mjs';

process.env.DIST ??= resolve(import.meta.dirname, '../../dist');
const [folder = 'shots', ...only] = process.argv.slice(2);
const views = {
  session: { view: '#/session?file=models/philosophers.csp', act: async (page) => { await page.getByRole('button', { name: 'Check all' }).click(); await page.waitForSelector('tr:nth-child(5) .v.pass'); } },
  start: { empty: true, view: '', act: (page) => page.waitForSelector('.card svg') },
  'start-explorer': { empty: true, view: '#/explorer', act: (page) => page.waitForSelector('.card svg') },
  bounds: { view: '#/bounds?file=models/philosophers.csp&process=Symmetric', act: (page) => page.waitForSelector('text=Numbers') },
  'why-not': { view: '#/explorer?file=models/philosophers.csp&process=Symmetric&path=sits.0', act: async (page) => { await page.locator('input[data-find]').fill('takes.0.1'); await page.getByRole('button', { name: 'Why not?' }).first().click(); await page.waitForSelector('text=Why not takes.0.1?'); } },
  broken: { view: '#/session?file=broken.csp', act: (page) => page.waitForSelector('text=Diagnostics') },
  mistakes: { view: '#/editor?file=broken.csp', act: (page) => page.waitForSelector('.explained') },
  running: { view: '#/session?file=models/peg.csp&a=2', act: async (page) => { await page.getByText('RUN({| jump |})').waitFor(); await page.keyboard.press('Enter'); await page.waitForTimeout(4000); } },
  'graph-marked': { view: '#/graph?file=examples/01-vending-machine.csp&process=Moody&a=3', act: (page) => page.getByText('counterexample marked').waitFor() },
  long: { view: '#/debugger?file=long.csp&a=1', act: (page) => page.waitForSelector('.ev') },
  folder: { view: '', act: async (page) => { await page.waitForSelector('text=10-farmer.csp'); } },
  debugger: { view: '#/debugger?file=models/philosophers.csp&a=1', act: (page) => page.waitForSelector('.ev') },
  trace: { view: '#/debugger?file=examples/02-buffers.csp&a=3', act: (page) => page.waitForSelector('h1') },
  fork: { view: '#/debugger?file=examples/01-vending-machine.csp&a=5', act: (page) => page.waitForSelector('h1') },
  compressed: { view: '#/debugger?file=models/philosophers-by-parts.csp&d.N=4&a=1&open=1', act: (page) => page.waitForSelector('.ev') },
  divergence: { view: '#/debugger?file=examples/04-divergence.csp&a=3', act: (page) => page.waitForSelector('h1') },
  explorer: { view: '#/explorer?file=models/philosophers.csp&process=Symmetric&path=sits.0;sits.1;takes.1.1', act: (page) => page.waitForSelector('.nd.cur') },
  peg: { view: '#/explorer?file=models/peg.csp&process=Board&path=jump.1.3.Right', act: (page) => page.waitForSelector('.nd.cur') },
  lights: { view: '#/explorer?file=examples/07-traffic-lights.csp&process=Lights&path=show.North.Green', act: (page) => page.waitForSelector('.nd.cur') },
  farmer: { view: '#/explorer?file=examples/10-farmer.csp', act: async (page) => { await page.locator('main a.btn').first().click(); await page.waitForSelector('.nd.cur'); } },
  brackets: { view: '#/editor?file=examples/06-alternating-bit.csp&brackets=1', act: (page) => page.waitForTimeout(1500) },
  commands: { view: '#/session?file=models/philosophers.csp', act: async (page) => { await page.getByText('Symmetric :').first().waitFor(); await page.keyboard.press('Control+k'); } },
  deals: { view: '#/measure?file=models/freecell.csp&d.RANKS=3&what=survey', act: async (page) => { await page.getByRole('button', { name: 'Start' }).click(); await page.waitForSelector('table tr:nth-child(12)'); } },
  editor: { view: '#/editor?file=models/philosophers.csp', act: (page) => page.waitForSelector('.cm-line') },
  graph: { view: "#/graph?file=examples/07-traffic-lights.csp&process=Lights", act: (page) => page.waitForSelector('.nd.first') },
  measure: { view: '#/measure?file=models/philosophers.csp&a=4', act: async (page) => { await page.getByRole('button', { name: 'Start' }).click(); await page.waitForSelector('table'); } },
};
for (const [name, file, defines] of [
  ['freecell', 'freecell', '&d.DEAL=617'], ['king-albert', 'king-albert', ''], ['klondike', 'klondike', ''], ['montana', 'montana', ''],
  ['golf', 'golf', ''], ['peg-board', 'peg', ''], ['peg-triangle', 'peg-triangle', ''], ['sudoku', 'sudoku', ''],
]) {
  views[`table-${name}`] = { view: `#/table?file=models/${file}.csp${defines}`, act: (page) => page.waitForSelector('.felt .card, .spot.peg, .cell') };
}
const copied = scripts();
writeFileSync(join(copied, 'long.csp'), long(60, 200));
writeFileSync(join(copied, 'broken.csp'), 'channel coin, tea\n\nMachine = coin -> tea -> Machine\nMoody = coin!1 -> Mody\n\nassert Machine [T= Moody\n');
const server = await serve(copied);
const bare = await serve(mkdtempSync(join(tmpdir(), 'csp-empty-')));
const chromium = await browser();
try {
  for (const [name, { view, act, empty }] of Object.entries(views)) {
    if (only.length && !only.includes(name)) continue;
    for (const [look, width, height, scheme] of [['light', 1440, 900, 'light'], ['dark', 1440, 900, 'dark'], ['phone', 390, 844, 'light'], ['phone-dark', 390, 844, 'dark']]) {
      if (process.env.LOOKS && !process.env.LOOKS.split(',').includes(look)) continue;
      const { page, context, errors } = await tab(chromium, { viewport: { width, height }, colorScheme: scheme, hasTouch: width < 700 });
      await page.goto(at((empty ? bare : server).address, view));
      await Promise.resolve(act(page)).catch((error) => console.error(name, look, String(error).split('\n')[0]));
      await page.waitForTimeout(600);
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
      if (errors.length) console.error(name, look, errors);
      await context.close();
    }
  }
} finally {
  await chromium.close();
  await server.stop();
  await bare.stop();
}
