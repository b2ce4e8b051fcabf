import assert from 'node:assert/strict';
import test from 'node:test';
import { retry, runProgram } from './retry.mjs';

/** Calls retry with a function that throws in its first `failures` calls, with more fields of the error. */
function play(failures, fields = {}) {
  const lines = [];
  let calls = 0;
  const run = async () => {
    if (++calls <= failures) throw Object.assign(new Error(`reset ${calls}\nmore`), fields);
    return 'done';
  };
  return { start: () => retry('the download', run, { pauseMs: 1, out: (l) => lines.push(l) }), lines, calls: () => calls };
}

/** Runs a statement in a Node process with runProgram. */
const runNode = (statement, limitMs = 60000) => runProgram(process.execPath, ['-e', statement], { limitMs });

test('a download that succeeds is not repeated', async () => {
  const { start, lines, calls } = play(0);
  assert.equal(await start(), 'done');
  assert.deepEqual([calls(), lines], [1, []]);
});

test('a download that fails twice is repeated, with a line for each failure', async () => {
  const { start, lines, calls } = play(2);
  assert.equal(await start(), 'done');
  assert.deepEqual([calls(), lines], [3, ['the download failed and is repeated: reset 1', 'the download failed and is repeated: reset 2']]);
});

test('a download that fails three times fails with its last error', async () => {
  const { start, calls } = play(9);
  await assert.rejects(start, /^Error: reset 3/);
  assert.equal(calls(), 3);
});

for (const fields of [{ signal: 'SIGINT' }, { signal: 'SIGTERM' }, { code: 130 }, { code: 'ENOENT' }]) {
  test(`a download that fails with ${JSON.stringify(fields)} is not repeated`, async () => {
    const { start, lines, calls } = play(9, fields);
    await assert.rejects(start, /^Error: reset 1/);
    assert.deepEqual([calls(), lines], [1, []]);
  });
}

test('a program that is not done in its time is ended and repeated', async () => {
  let calls = 0;
  const run = () => runNode(++calls === 1 ? 'setInterval(() => {}, 1000)' : '', calls === 1 ? 100 : 60000);
  const lines = [];
  await retry('the download', run, { pauseMs: 1, out: (l) => lines.push(l) });
  assert.deepEqual([calls, lines], [2, [`the download failed and is repeated: ${process.execPath} is not done in 100 ms`]]);
});

test('the error of a program has its exit status, its signal, or why it did not start', async () => {
  await assert.rejects(runNode('process.exit(3)'), { code: 3, signal: null });
  await assert.rejects(runNode('process.kill(process.pid, "SIGINT")'), { code: null, signal: 'SIGINT' });
  await assert.rejects(runProgram('/no such program', [], { limitMs: 60000 }), { code: 'ENOENT' });
});

test('this process goes on while a program runs', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  await runNode('setTimeout(() => {}, 300)');
  clearInterval(timer);
  assert.ok(ticks > 0);
});
