import assert from 'node:assert/strict';
import test from 'node:test';
import { equal, must, near } from './assert.mjs';
import { parseClosingLine, Report } from './report.mjs';
import { sleep } from './wait.mjs';

delete process.env.E2E_TIMES; // the expected lines have no durations

function report() {
  const lines = [];
  return [new Report('e2e-x', (line) => lines.push(line)), lines];
}

test('a check that returns counts as passed and passes its value on', async () => {
  const [r, lines] = report();
  assert.equal(await r.check('a client logs in', async () => 5), 5);
  assert.deepEqual([r.passed, r.failed, lines], [1, 0, ['ok  a client logs in']]);
});

test('a check that throws counts as failed with its message as one line without colours', async () => {
  const [r, lines] = report();
  const message = 'click: Timeout exceeded.\nCall log:\n\x1b[2m  - waiting for #log-out\x1b[22m\n\n';
  assert.equal(await r.check('a client logs in', async () => must(false, message)), undefined);
  assert.deepEqual([r.passed, r.failed, lines], [0, 1, ['FAIL a client logs in: click: Timeout exceeded. / Call log: / - waiting for #log-out']]);
});

test('a long message of a failed check is cut', async () => {
  const [r, lines] = report();
  await r.check('x', async () => must(false, 'y'.repeat(800)));
  assert.deepEqual(lines, [`FAIL x: ${'y'.repeat(700)}...`]);
});

test('a check that takes longer than its time limit fails', async () => {
  const [r, lines] = report();
  await r.check('slow', () => sleep(50), 1);
  assert.deepEqual(lines, ['FAIL slow: not done in 1 ms']);
});

test('checks of a prefixed sub-report are counted in the parent report', async () => {
  const [r, lines] = report();
  const one = r.of('swarm');
  await one.check('logs in', async () => {});
  one.note('fast');
  one.fail('ends', 'killed');
  assert.deepEqual([r.passed, r.failed, lines], [1, 1, ['ok  swarm: logs in', 'note swarm: fast', 'FAIL swarm: ends: killed']]);
});

test('the last line of the report has the counts of all processes, and close returns the exit status', () => {
  const [r, lines] = report();
  r.add({ passed: 3, failed: 0 });
  assert.equal(r.close(), 0);
  r.add({ passed: 1, failed: 1 });
  assert.equal(r.close(), 1);
  assert.deepEqual(lines, ['e2e-x: 3 passed, 0 failed', 'e2e-x: 4 passed, 1 failed']);
  assert.deepEqual(parseClosingLine('e2e-x', lines[1]), { passed: 4, failed: 1 });
  assert.equal(parseClosingLine('e2e-y', lines[1]), undefined);
});

test('equal compares objects by their JSON and everything else by identity', () => {
  equal({ a: [1n] }, { a: [1n] }, 'x');
  equal(NaN, NaN, 'x');
  assert.throws(() => equal(undefined, null, 'x'), /^Error: x: got undefined, want null$/);
  assert.throws(() => equal(NaN, null, 'x'));
  assert.throws(() => equal([1], [2], 'x'), /^Error: x: got \[1\], want \[2\]$/);
});

test('near accepts the limit and rejects what is beyond it, NaN included', () => {
  near([1, 2], [1, 3], 1, 'x');
  assert.throws(() => near([1, 2], [1, 3.1], 1, 'feet'), /^Error: feet: 1,2 is 1\.10000 from 1,3\.1$/);
  assert.throws(() => near([NaN], [1], 1, 'feet'));
});
