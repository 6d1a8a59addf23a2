// Runs scripts in the module and with the native command, and compares what they say, counterexamples included.
//
//     node wasm/compare.mjs MODULE COMMAND SCRIPT …
//
// Also asks for recursion that is too deep for the engine's stack, which has to end in a diagnostic and leave the module
// alive. Prints a line for each script; fails with the first difference.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [path, command, ...scripts] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(path));

/** A fresh module that answers questions. */
async function open() {
  const clock = { host: { now: () => performance.now() } };
  const { exports } = await WebAssembly.instantiate(module, clock);
  return (question) => {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const place = exports.reserve(bytes.length);
    new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes);
    const length = exports.ask();
    const answer = new Uint8Array(exports.memory.buffer, exports.answer(), length);
    return JSON.parse(new TextDecoder().decode(answer));
  };
}

/** The texts of a script and of what it includes, by path. */
function texts(path, found = new Map(), folder = dirname(path)) {
  const text = readFileSync(path, 'utf8');
  found.set(path, text);
  for (const [, name] of text.matchAll(/^\s*include\s+"([^"]+)"/gm)) {
    const included = join(folder, name);
    if (!found.has(included)) texts(included, found, folder);
  }
  return found;
}

/** What has to be the same. */
function compared({ number, text, verdict, states, transitions, plys, ply_sizes, counterexamples }) {
  return { number, text, verdict, states, transitions, plys, ply_sizes, counterexamples };
}

for (const script of scripts) {
  const words = ['check', script, '--format', 'json', '--threads', '1'];
  const { stdout, error } = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  const native = JSON.parse(stdout).assertions.map(compared);
  const ask = await open();
  for (const [name, text] of texts(script)) ask({ ask: 'text', name, text });
  ask({ ask: 'open', name: script });
  const begun = performance.now();
  const here = native.map(({ number }) => compared(ask({ ask: 'check', assertion: number }).answer));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  assert.deepEqual(here, native, script);
  const counts = here.map(({ verdict, states, transitions, plys }) =>
    [verdict, states, transitions, plys].join(' '));
  console.log(`${script}: ${counts.join('; ')} (verdict, states, transitions, plys; as natively; ${seconds} s)`);
}

const deep = `
channel a, b
datatype T = L | N.T
f(n) = if n == 0 then 0 else 1 + f(n-1)
h(n) = if n == 0 then {0} else {x+1 | x <- h(n-1)}
t(n) = if n == 0 then L else N.t(n-1)
H(n) = if n == 0 then a -> STOP else H(n-1) \\ {b}
W(n) = if n == 0 then STOP else (a -> STOP) ||| W(n-1)
assert H(100000) :[divergence free]
assert W(100000) :[divergence free]
`;
const ask = await open();
ask({ ask: 'text', name: 'deep.csp', text: deep });
const tall = (open, middle, close) => open.repeat(2000) + middle + close.repeat(2000);
const values = [
  ['f(100)', 'an answer'], ['f(1000000)', 'E0411'], ['h(100000)', 'E0411'], ['t(100000)', 'E0411'],
  [tall('(1, ', '1', ')'), 'E0126'], [tall('{', '', '}'), 'E0126'], [tall('not ', 'true', ''), 'E0126'],
];
const code = ({ answer, error }) =>
  error?.diagnostics?.[0].code ?? answer?.diagnostics?.[0]?.code ?? (error ? JSON.stringify(error) : 'an answer');
for (const [expression, expected] of values) {
  assert.equal(code(ask({ ask: 'evaluate', expression })), expected, expression.slice(0, 40));
}
for (const assertion of [1, 2]) {
  const { answer } = ask({ ask: 'check', assertion });
  assert.equal(answer.verdict, 'error');
}
console.log('recursion that is too deep: a diagnostic each time');
