import assert from 'node:assert/strict';
import test from 'node:test';
import { retry } from './retry.mjs';

/** Calls retry with a function that throws in its first `failures` calls. */
function play(failures) {
  const lines = [];
  let calls = 0;
  const run = () => {
    if (++calls <= failures) throw new Error(`reset ${calls}\nmore`);
    return 'done';
  };
  return { start: () => retry('the download', run, { pauseMs: 1, out: (l) => lines.push(l) }), lines, calls: () => calls };
}

test('a download that succeeds is not repeated', () => {
  const { start, lines, calls } = play(0);
  assert.equal(start(), 'done');
  assert.deepEqual([calls(), lines], [1, []]);
});

test('a download that fails twice is repeated, with a line for each failure', () => {
  const { start, lines, calls } = play(2);
  assert.equal(start(), 'done');
  assert.deepEqual([calls(), lines], [3, ['the download failed and is repeated: reset 1', 'the download failed and is repeated: reset 2']]);
});

test('a download that fails three times fails with its last error', () => {
  const { start, calls } = play(9);
  assert.throws(start, /^Error: reset 3/);
  assert.equal(calls(), 3);
});
