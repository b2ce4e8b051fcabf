import assert from 'node:assert/strict';
import test from 'node:test';
import { sleep, Turns, waitUntil, withTimeout } from './wait.mjs';

test('waitUntil returns the first accepted value', async () => {
  let n = 0;
  assert.equal(await waitUntil(() => ++n, { ms: 1000, every: 1, accept: (v) => v === 3 }), 3);
});

test('waitUntil at its limit names what was awaited and the last value', async () => {
  await assert.rejects(waitUntil(() => 7, { ms: 5, every: 1, accept: (v) => v === 8, what: 'eight' }), /^Error: eight: the value is still 7 after 5 ms$/);
});

test('withTimeout returns the value of the promise', async () => {
  assert.equal(await withTimeout(Promise.resolve('value'), 1000), 'value');
});

test('withTimeout rejects a promise that is late', async () => {
  await assert.rejects(withTimeout(sleep(50), 1), /^Error: not done in 1 ms$/);
});

test('Turns runs every function, even after one has failed, and never more at a time than its limit', async () => {
  const turns = new Turns(2);
  let [now, most] = [0, 0];
  const results = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => turns.run(async () => {
    most = Math.max(most, ++now);
    await sleep(1);
    now--;
    if (i === 1) throw new Error('one');
    return i;
  })));
  assert.deepEqual(results.map((r) => r.value ?? r.reason.message), [0, 'one', 2, 3, 4, 5]);
  assert.equal(most, 2);
});
