import assert from 'node:assert/strict';
import test from 'node:test';
import { sleep, waitUntil, withTimeout } from './wait.mjs';

test('waitUntil returns the first accepted value', async () => {
  let n = 0;
  assert.equal(await waitUntil(() => ++n, { ms: 1000, every: 1, accept: (v) => v === 3 }), 3);
});

test('waitUntil at its limit names what was awaited and the last value', async () => {
  await assert.rejects(waitUntil(() => 7, { ms: 5, every: 1, accept: (v) => v === 8, what: 'eight' }), /^Error: eight: the value is still 7 after 5 ms$/);
});

test('withTimeout passes a value on', async () => {
  assert.equal(await withTimeout(Promise.resolve('value'), 1000), 'value');
});

test('withTimeout rejects a promise that is late', async () => {
  await assert.rejects(withTimeout(sleep(50), 1), /^Error: not done in 1 ms$/);
});
