// The editor: what it knows of names, how it reads operators, and what it does with texts it cannot take.
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
const text = '-- How many there are.\nN = 2 + 3\nchannel a, b : {0..N}\nP = a.N -> P [] b?x -> P\n\n--@ expect: pass\nassert P :[deadlock free [F]]\n';

walk('hover shows type, comment and value; F12 goes to the definition; names are completed', async (page) => {
  writeFileSync(join(folder, 'names.csp'), text);
  await page.goto(at(server.address, '#/editor?file=names.csp'));
  await page.getByText('no problems').waitFor();
  const line = page.locator('.cm-line', { hasText: 'P = a.N' });
  const box = await line.boundingBox();
  const x = await line.evaluate((element) => {
    const range = document.createRange();
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const place = node.data.indexOf('N');
      if (place < 0) continue;
      range.setStart(node, place);
      range.setEnd(node, place + 1);
      return range.getBoundingClientRect().left + 2;
    }
    return 0;
  });
  await page.mouse.move(x, box.y + box.height / 2);
  await page.getByText('N :: Int').waitFor();
  await page.getByText('= 5', { exact: true }).waitFor();
  await page.getByText('How many there are.', { exact: true }).waitFor();
  await page.mouse.click(x, box.y + box.height / 2);
  await page.keyboard.press('F12');
  await page.locator('.cm-activeLine', { hasText: 'N = 2 + 3' }).waitFor();
  await page.waitForURL(/line=2/);
  await page.goBack();
  await page.locator('.cm-activeLine', { hasText: 'P = a.N' }).waitFor();
  await page.locator('.cm-line', { hasText: 'P = a.N' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' [] dead');
  await page.getByRole('option', { name: /deadlock free/ }).waitFor();
});

walk('brackets show how operators were read; buttons stand over assertions and processes', async (page) => {
  writeFileSync(join(folder, 'brackets.csp'), text);
  await page.goto(at(server.address, '#/editor?file=brackets.csp'));
  await page.getByText('no problems').waitFor();
  await page.getByRole('button', { name: 'Brackets' }).click();
  await page.locator('.csp-bracket').first().waitFor();
  assert.equal(await page.locator('.cm-line', { hasText: 'P = ' }).innerText(), 'P = (a.N -> P) [] (b?x -> P)');
  assert.equal(readFileSync(join(folder, 'brackets.csp'), 'utf8'), text);
  await accessible(page);
  await shot(page, 'brackets');
  await page.getByRole('button', { name: 'Check', exact: true }).first().click();
  await page.getByText('✓ passes').waitFor();
  await page.getByRole('button', { name: 'Explore', exact: true }).first().click();
  await page.getByText('Possible events').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Graph', exact: true }).first().click();
  await page.locator('.nd.first').waitFor();
});

walk('the buttons check what is typed now, not what was there before', async (page) => {
  writeFileSync(join(folder, 'now.csp'), text);
  await page.goto(at(server.address, '#/editor?file=now.csp'));
  await page.getByText('no problems').waitFor();
  await page.locator('.cm-line', { hasText: 'P = a.N' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' [] b.0 -> STOP');
  await page.getByRole('button', { name: 'Check', exact: true }).last().click();
  await page.getByText('✗ fails').waitFor();
  assert.equal(readFileSync(join(folder, 'now.csp'), 'utf8'), text);
});

walk('a text that changed on disk under an edited one is asked about, and neither is lost', async (page) => {
  const file = join(folder, 'disk.csp');
  writeFileSync(file, text);
  await page.goto(at(server.address, '#/editor?file=disk.csp'));
  await page.getByText('no problems').waitFor();
  await page.locator('.cm-line', { hasText: 'N = 2' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' + 0');
  writeFileSync(file, text.replace('2 + 3', '4'));
  await page.getByText('The file has changed on disk').waitFor();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.locator('.theirs', { hasText: 'N = 4' }).waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  assert.match(await page.locator('.cm-content').innerText(), /2 \+ 3 \+ 0/);
  assert.match(readFileSync(file, 'utf8'), /N = 4/);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('saved', { exact: true }).waitFor();
  assert.match(readFileSync(file, 'utf8'), /2 \+ 3 \+ 0/);
});

walk('a huge paste and a binary file end in a sentence', async (page) => {
  writeFileSync(join(folder, 'paste.csp'), text);
  writeFileSync(join(folder, 'binary.csp'), Buffer.from([0xff, 0xfe, 0, 1, 2, 0x80]));
  await page.goto(at(server.address, '#/editor?file=paste.csp'));
  await page.getByText('no problems').waitFor();
  await page.locator('.cm-content').click();
  await page.evaluate(() => navigator.clipboard.writeText(`-- ${'long '.repeat(300_000)}\n`));
  await page.keyboard.press('Control+v');
  await page.getByText(/up to 1,000,000 can be read/).first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  assert.equal(readFileSync(join(folder, 'paste.csp'), 'utf8'), text);
  await page.goto(at(server.address, '#/editor?file=binary.csp'));
  await page.getByText(/not text \(UTF-8\)/).first().waitFor();
});
