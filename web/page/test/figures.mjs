// Figures of the page, for people: first paint, frames while a long trace is scrolled, how soon a large check stops, and sizes.
//   CSP=target/release/csp node test/figures.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { at, browser, scripts, serve, tab } from './bench.mjs';
import { long } from './long.mjs';

const dist = resolve(import.meta.dirname, '../../dist');
const size = (name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
const files = readdirSync(dist);
const sum = (list) => Math.round(list.reduce((n, name) => n + size(name), 0) / 1000);
console.log(`page, compressed: ${sum(files.filter((f) => !f.includes('graphviz-wasm')))} kB, the graph drawer ${sum(files.filter((f) => f.includes('graphviz-wasm')))} kB; first load ${sum(['index.html', 'page.js', 'style.css'])} kB`);

const folder = scripts();
writeFileSync(join(folder, 'long.csp'), long(199, 1000));
const server = await serve(folder);
const chromium = await browser();
try {
  // A bundled example from a warm server: the first answer has been given, the browser has nothing of it.
  for (const view of ['#/session?file=models/philosophers.csp', '#/debugger?file=models/philosophers.csp&a=1', '#/editor?file=models/philosophers.csp']) {
    const times = [];
    for (let i = 0; i < 4; i++) {
      const { page, context } = await tab(chromium);
      await page.goto(at(server.address, view));
      await page.getByText(/Symmetric/).first().waitFor();
      const [paint, shown] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, performance.now()]);
      if (i) times.push([Math.round(paint), Math.round(shown)]);
      await context.close();
    }
    const middle = (k) => times.map((t) => t[k]).sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${view.split('?')[0].slice(2)} of philosophers: first paint ${middle(0)} ms, contents ${middle(1)} ms`);
  }
  {
    const { page, context } = await tab(chromium);
    await page.goto(at(server.address, '#/debugger?file=long.csp&a=1'));
    await page.getByText('1,000 steps, 200 parts').waitFor({ timeout: 120_000 });
    // Processor time of the page's own thread, which a busy machine does not change.
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value * 1000;
    const before = await worked();
    const frames = await page.evaluate(async () => {
      const box = document.querySelector('.sc');
      const next = () => new Promise((done) => requestAnimationFrame(done));
      for (let i = 0; i < 20; i++) await next();
      const times = [];
      let last = await next();
      for (let i = 0; i < 240; i++) {
        box.scrollLeft = i * 120;
        box.scrollTop = (i % 120) * 20;
        const now = await next();
        times.push(now - last);
        last = now;
      }
      return times.sort((a, b) => a - b);
    });
    const each = (await worked() - before) / 260;
    const late = frames.filter((t) => t > 25).length;
    console.log(`1,000 steps × 200 parts: ${frames.length} frames while scrolling 120 px across and 20 px down in each, median ${frames[120].toFixed(1)} ms, 95 % ${frames[228].toFixed(1)} ms, longest ${frames.at(-1).toFixed(1)} ms, ${late} over 25 ms, ${each.toFixed(1)} ms of processor time each; ${await page.locator('[role=gridcell]').count()} cells in the page`);
    await context.close();
  }
  {
    const { page, context } = await tab(chromium);
    await page.goto(at(server.address, '#/session?file=models/peg.csp&a=2'));
    await page.getByText('RUN({| jump |})').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Running check').waitFor();
    const answers = [];
    const frames = [];
    for (let i = 0; i < Number(process.env.SECONDS ?? 20); i++) {
      await page.waitForTimeout(900);
      const other = Date.now();
      await page.evaluate(async () => fetch('api/explain', { method: 'POST', headers: { 'content-type': 'application/json', 'x-csp-token': new URLSearchParams(location.search).get('token') }, body: '{"code":"E0201"}' }).then((r) => r.json()));
      answers.push(Date.now() - other);
      frames.push(await page.evaluate(async () => { const t = await new Promise(requestAnimationFrame); return (await new Promise(requestAnimationFrame)) - t; }));
    }
    const states = await page.locator('tr.sel td:nth-child(4)').innerText();
    const start = Date.now();
    await page.keyboard.press('Escape');
    await page.getByText('stopped', { exact: true }).waitFor();
    const shown = Date.now() - start;
    const used = () => { const f = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' '); return Number(f[11]) + Number(f[12]); };
    let idle = Date.now() - start;
    for (let before = used(); ; ) {
      await new Promise((done) => setTimeout(done, 100));
      const now = used();
      if (now - before <= 1) break;
      before = now;
      idle = Date.now() - start;
    }
    answers.sort((a, b) => a - b);
    frames.sort((a, b) => a - b);
    console.log(`peg solitaire at ${states} states: another request takes ${answers[answers.length >> 1]} ms (longest ${answers.at(-1)}), a frame ${frames[frames.length >> 1].toFixed(0)} ms (longest ${frames.at(-1).toFixed(0)}); stopped in ${shown} ms on the page, the server idle after ${idle} ms`);
    await context.close();
  }
} finally {
  await chromium.close();
  await server.stop();
}
