import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Board } from './board.mjs';
import { packSquare, packTile } from './info.mjs';
import { RecordOracle } from './truth.mjs';

const TILE = [3200, 3201, 0];
const SQUARE = [0, 50, 49];

/** A client with one login of one cycle, and the server's record of it after change(record). */
function recorded(t, change = () => {}) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'truth-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  const payload = Buffer.from('7ff4', 'hex');
  const cycle = { payload, local: Int32Array.of(1, packTile(...TILE)), low: Int32Array.of(9, packSquare(...SQUARE)) };
  const client = { user: 'Ada', sessions: [{ placement: Buffer.from('00ff', 'hex'), cycles: [cycle] }] };
  const truth = { local: { 1: [...TILE] }, lowres: { 9: [...SQUARE] } };
  const record = { init: { t: 'init', self: 1, bytes: '00ff' }, cycle: { t: 'cycle', bytes: '7ff4', truth } };
  change(record);
  const lines = Object.values(record).filter(Boolean).map((l) => `${JSON.stringify(l)}\n`);
  fs.writeFileSync(path.join(dir, 'Ada-12.jsonl'), lines.join(''));
  const oracle = new RecordOracle();
  oracle.client(client, dir);
  return oracle;
}

test('a record that equals the client\'s state has no difference', (t) => {
  const { cycles, compared, differences } = recorded(t);
  assert.deepEqual([cycles, compared, differences], [1, 2, []]);
});

const wrong = {
  'another placement': (r) => { r.init.bytes = '00fe'; },
  'other bytes': (r) => { r.cycle.bytes = '7ff5'; },
  'another tile': (r) => { r.cycle.truth.local[1][0]++; },
  'another plane': (r) => { r.cycle.truth.local[1][2]++; },
  'a player that the client lacks': (r) => { r.cycle.truth.local[2] = [...TILE]; },
  'one player fewer than the client has': (r) => { delete r.cycle.truth.local[1]; },
  'another square': (r) => { r.cycle.truth.lowres[9][1]++; },
  'a square that the client lacks': (r) => { r.cycle.truth.lowres[8] = [0, 1, 1]; },
  'one cycle fewer than the client had': (r) => { r.cycle = undefined; },
};
for (const [name, change] of Object.entries(wrong)) {
  test(`a record with ${name} is a difference`, (t) => assert.equal(recorded(t, change).differences.length, 1));
}

/** A client for the board. others: {name: packed tile}. */
function member(name, tile, others) {
  const names = [name, ...Object.keys(others)];
  const view = { self: 1, locals: names.map((_, i) => i + 1), tiles: [0, tile, ...Object.values(others)], name: (i) => names[i - 1] };
  return { name, view };
}

function board(...packets) {
  const b = new Board();
  for (const [client] of packets) b.members.add(client.name);
  for (const [client, t] of packets) b.record(client, undefined, t);
  b.compareUntil();
  return [b.oracle.compared, b.unclear, b.oracle.differences.length];
}

const here = packTile(3200, 3200, 0);
const there = packTile(3203, 3200, 0);

test('there is no difference if clients agree, and NPCs are not compared', () => {
  assert.deepEqual(board([member('A', here, { B: there, Rat: here }), 0], [member('B', there, { A: here }), 20]), [2, 0, 0]);
});

test('a disagreement of two clients is a difference', () => {
  assert.deepEqual(board([member('A', here, { B: here }), 0], [member('B', there, { A: here }), 20]), [2, 0, 1]);
});

test('a packet that arrives one cycle late is compared with the previous cycle of the other clients and is no difference', () => {
  const [a, b] = [member('A', here, { B: here }), member('B', here, { A: here })];
  const board = new Board();
  for (const name of ['A', 'B']) board.members.add(name);
  board.record(b, undefined, 0);
  b.view.tiles[1] = there;
  board.record(b, undefined, 600);
  board.record(a, undefined, 650); // this packet belongs to the cycle in which B was still at here
  board.compareUntil();
  assert.deepEqual([board.oracle.compared, board.shifted, board.oracle.differences.length], [1, 1, 0]);
});

test('a missing last step before a portal is not a difference, but a tile off the path is', () => {
  for (const [seen, want] of [[packTile(3202, 3201, 0), [0, 1, 0]], [packTile(3204, 3200, 0), [1, 0, 1]]]) {
    const [a, b] = [member('A', here, { B: here }), member('B', here, {})];
    const board = new Board();
    for (const name of ['A', 'B']) board.members.add(name);
    board.record(b, undefined, 0);
    b.view.tiles[1] = packTile(3400, 3100, 0);
    board.record(b, undefined, 600);
    a.view.tiles[2] = seen;
    board.record(a, undefined, 610);
    board.compareUntil();
    assert.deepEqual([board.oracle.compared, board.shifted, board.oracle.differences.length], want);
  }
});

test('packets of different cycles are not compared', () => {
  assert.deepEqual(board([member('A', here, { B: here }), 0], [member('B', there, {}), 600]), [0, 0, 0]);
});

test('two packets of a client within one cycle are not compared', () => {
  const a = member('A', here, { B: here });
  assert.deepEqual(board([a, 0], [a, 100], [member('B', there, {}), 20]), [0, 2, 0]);
});
