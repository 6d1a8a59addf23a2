// Starts `csp web` and a browser for the tests; keeps pictures of what was seen.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '../../..');
export const shots = process.env.SHOTS ?? join(root, 'target/page-shots');

/** A copy of some folders of the repository, so that tests may write into it. */
export function scripts() {
  const folder = mkdtempSync(join(tmpdir(), 'csp-page-'));
  for (const name of ['models', 'examples']) cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

/** The command, and the address it prints on its first line. */
export async function serve(path, ...options) {
  const child = spawn(process.env.CSP ?? join(root, 'target/release/csp'), ['web', '--no-open', ...options, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      if (text.includes('\n')) done(text.split('\n')[0]);
    });
    child.on('exit', (code) => failed(new Error(`csp web ended with ${code}`)));
  });
  return { address, pid: child.pid, stop: () => new Promise((done) => { child.on('exit', done); child.kill('SIGINT'); }) };
}

export const browser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });

/** A tab that fails the test on any error of the page or of its policy. */
export async function tab(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // A refused request shows in the console as well; the page says it in words.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  // What was typed and not saved is asked about; the tests throw it away.
  page.on('dialog', (dialog) => dialog.accept());
  // A machine that builds something else at the same time is slow; nothing here waits for time alone.
  page.setDefaultTimeout(60_000);
  // While the page is being worked on, it is taken from a folder and not from the command.
  if (process.env.DIST) await page.route((url) => !url.pathname.startsWith('/api/'), (route) => fromFolder(route, process.env.DIST));
  if (process.env.SLOWER) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: Number(process.env.SLOWER) });
  return { page, context, errors };
}

/** The same view as somebody else sees it who is sent the link: nothing of this browser's is there. */
export async function sent(browser, page, look) {
  const { page: other, context, errors } = await tab(browser);
  try {
    await other.goto(page.url());
    await look(other);
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
  }
}

async function fromFolder(route, folder) {
  const path = new URL(route.request().url()).pathname.slice(1) || 'index.html';
  const type = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }[path.split('.').pop()];
  // The server's own headers, so that its policy holds.
  const response = await route.fetch().catch(() => null);
  if (!response) return;
  if (!existsSync(join(folder, path))) return route.fulfill({ response });
  await route.fulfill({ response, status: 200, headers: { ...response.headers(), 'content-type': type }, body: readFileSync(join(folder, path)) });
}

/** A view of the same server. */
export const at = (address, view) => address.replace(/#.*$/, '') + view;

export async function shot(page, name) {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Tests in tabs of their own; no error of the page, nor of its policy, goes unnoticed. */
export const walks = (chromium) => (name, work, options) =>
  test(name, async () => {
    const { page, context, errors } = await tab(chromium(), options);
    try {
      await work(page, context);
      assert.deepEqual(errors, []);
    } catch (error) {
      await shot(page, `failed-${name.replaceAll(/\W+/g, '-')}`);
      throw error;
    } finally {
      await context.close();
    }
  });

/** Nothing that a screen reader or a keyboard stumbles over. */
export async function accessible(page) {
  const found = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
  assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).slice(0, 3).join(' | ')}`), []);
}
