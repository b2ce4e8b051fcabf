import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { blocks, rsSquare, rsTile, tileCentres, worldUnits } from './adapters.mjs';
import { agreement, mismatch, Oracle } from './oracle.mjs';
import { playerPositions, recordedLogins } from './truth.mjs';

test('a value within the tolerance of the expected value agrees, a value beyond it is a mismatch', () => {
  const adapter = worldUnits(0.5);
  assert.equal(mismatch(adapter, { x: 1, z: 2 }, { x: 1.3, z: 2.4 }), '');
  assert.equal(mismatch(adapter, { x: 1, z: 2 }, { x: 1.6, z: 2 }), 'shown at 1.00, 2.00, in truth 1.60, 2.00');
  assert.notEqual(mismatch(adapter, { x: NaN, z: 2 }, { x: 1, z: 2 }), '');
});

test('a missing value and an extra value are mismatches', () => {
  assert.equal(mismatch(blocks(1), undefined, [1, 2, 3]), 'missing, in truth 1,2,3');
  assert.equal(mismatch(blocks(1), [1, 2, 3], undefined), 'shown at 1,2,3, in truth absent');
  assert.equal(mismatch(blocks(1), undefined, undefined), '');
});

test('a tile client shows the centre of the tile that holds the true position', () => {
  const adapter = tileCentres(({ x, z }) => ({ x: Math.floor(x) + 0.5, z: Math.floor(z) + 0.5 }), 0.01);
  assert.equal(mismatch(adapter, { x: 3.5, z: 4.5 }, { x: 3.9, z: 4.1 }), '');
  assert.notEqual(mismatch(adapter, { x: 3.9, z: 4.1 }, { x: 3.9, z: 4.1 }), '');
});

test('packed tiles and squares are compared exactly, plane included', () => {
  assert.equal(mismatch(rsTile, rsTile.show([3200, 3201, 3]), [3200, 3201, 3]), '');
  assert.equal(mismatch(rsTile, rsTile.show([3200, 3201, 0]), [3200, 3201, 3]), 'shown at 3200,3201,0, in truth 3200,3201,3');
  assert.equal(mismatch(rsSquare, rsSquare.show([0, 50, 49]), [0, 50, 48]), 'shown at square 0,50,49, in truth square 0,50,48');
});

test('a table differs by wrong, extra and missing entries', () => {
  const oracle = new Oracle();
  const at = (x) => [x, 0, 0];
  oracle.table(blocks(0), 'Ann', [[1, at(1)], [2, at(9)], [3, at(3)]], new Map([[1, at(1)], [2, at(2)], [4, at(4)]]));
  assert.equal(oracle.compared, 3);
  assert.deepEqual(oracle.differences, [
    'Ann: 2: shown at 9,0,0, in truth 2,0,0', 'Ann: 3: shown at 3,0,0, in truth absent', 'Ann: 4: missing, in truth 4,0,0',
  ]);
});

test('a displayed path may skip positions of the expected path, but a position off that path is a difference', () => {
  const truth = [[0, 0, 0], [1, 0, 0], [2, 0, 0]];
  const oracle = new Oracle();
  oracle.path(blocks(0.01), 'Bob', [truth[0], truth[2]], truth);
  oracle.verdict(2);
  oracle.path(blocks(0.01), 'Bob', [[1.5, 0, 0]], truth);
  assert.deepEqual(oracle.differences, ['Bob: shown at 1.5,0,0, 0.5000 from every true position']);
  oracle.path(blocks(0.01), 'Bob', [[1, 0, 0]], []);
  assert.equal(oracle.differences.length, 2);
});

test('the verdict fails on a difference and on too few comparisons', () => {
  const oracle = new Oracle();
  assert.throws(() => oracle.verdict(), /^Error: only 0 comparisons, want 1 or more$/);
  oracle.value(blocks(0), 'Ann', [1, 0, 0], [1, 0, 0]);
  oracle.verdict();
  oracle.add('a record is missing');
  assert.throws(() => oracle.verdict(), /^Error: 1 differences in 1 comparisons: a record is missing$/);
});

/** A viewer whose clock makes a few probes and then gives up. */
const viewer = {
  name: 'Ann',
  until: async (condition, what) => {
    for (let n = 0; n < 3; n++) if (condition()) return true;
    throw new Error(`${what} timed out`);
  },
};

test('agreement waits until the viewer shows the current value while the expected value changes', async () => {
  let x = 0;
  await agreement(worldUnits(0), { viewer, subject: 'Bob', see: () => ({ x: 2, z: 0 }), truth: () => ({ x: x++, z: 0 }) }).catch(() => {});
  assert.equal(x >= 3, true);
  await agreement(worldUnits(0), { viewer, subject: 'Bob', see: () => ({ x: 2, z: 0 }), truth: () => ({ x: 2, z: 0 }) });
});

test('the error of an agreement that times out names the viewer, the subject and both positions', async () => {
  const never = agreement(worldUnits(0), { viewer, subject: 'Bob', see: () => undefined, truth: () => ({ x: 2, z: 0 }) });
  await assert.rejects(never, /^Error: Ann about Bob: missing, in truth 2\.00, 0\.00 \(agreement about Bob timed out\)$/);
});

test('log lines are read in the order of logins; an incomplete last line is ignored', (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'truth-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  fs.writeFileSync(path.join(dir, 'Ann-10.jsonl'), '{"t":"init"}\n{"t":"cyc');
  fs.writeFileSync(path.join(dir, 'Ann-9.jsonl'), '{"t":"first"}\n');
  fs.writeFileSync(path.join(dir, 'Anna-8.jsonl'), '{"t":"other"}\n');
  assert.deepEqual(recordedLogins(dir, 'Ann'), [[{ t: 'first' }], [{ t: 'init' }]]);
});

test('player positions from the console API omit players between two areas and players that left after they were listed', async () => {
  const answers = {
    '/players/1': { status: 200, body: { name: 'Ann', area: 'Green', pos: { x: 1, y: 2, z: 3 } } },
    '/players/2': { status: 200, body: { name: 'Bob', area: 'Green', pos: null } },
    '/players/3': { status: 404, body: { error: { message: 'no such player' } } },
  };
  const api = { get: async () => ({ players: [{ entity: 1 }, { entity: 2 }, { entity: 3 }] }), call: async (_, call) => answers[call] };
  assert.deepEqual([...await playerPositions(api)], [['Ann', { area: 'Green', x: 1, y: 2, z: 3 }]]);
  answers['/players/3'].status = 409;
  await assert.rejects(playerPositions(api), /status 409/);
});
