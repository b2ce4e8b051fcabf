import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Board } from './board.mjs';
import { packSquare, packTile } from './info.mjs';
import { compare } from './truth.mjs';

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
  return compare(client, dir);
}

test('what is equal is counted', (t) => {
  assert.deepEqual(recorded(t), { cycles: 1, positions: 2, differences: [] });
});

const wrong = {
  'another placement': (r) => { r.init.bytes = '00fe'; },
  'other bytes': (r) => { r.cycle.bytes = '7ff5'; },
  'another tile': (r) => { r.cycle.truth.local[1][0]++; },
  'another plane': (r) => { r.cycle.truth.local[1][2]++; },
  'somebody missing': (r) => { r.cycle.truth.local[2] = [...TILE]; },
  'somebody too many': (r) => { delete r.cycle.truth.local[1]; },
  'another square': (r) => { r.cycle.truth.lowres[9][1]++; },
  'a square that is not known': (r) => { r.cycle.truth.lowres[8] = [0, 1, 1]; },
  'a cycle that was never sent': (r) => { r.cycle = undefined; },
};
for (const [name, change] of Object.entries(wrong)) {
  test(`a difference: ${name}`, (t) => assert.equal(recorded(t, change).differences.length, 1));
}

/** A client as the board sees it. others: {name: packed tile}. */
function member(name, tile, others) {
  const names = [name, ...Object.keys(others)];
  const view = { self: 1, locals: names.map((_, i) => i + 1), tiles: [0, tile, ...Object.values(others)], name: (i) => names[i - 1] };
  return { name, view };
}

function board(...packets) {
  const b = new Board();
  for (const [client] of packets) b.members.add(client.name);
  for (const [client, t] of packets) b.put(client, undefined, t);
  b.settle();
  return [b.compared, b.unclear, b.differences.length];
}

const here = packTile(3200, 3200, 0);
const there = packTile(3203, 3200, 0);

test('clients that agree, and strangers', () => {
  assert.deepEqual(board([member('A', here, { B: there, Rat: here }), 0], [member('B', there, { A: here }), 20]), [2, 0, 0]);
});

test('clients that do not agree', () => {
  assert.deepEqual(board([member('A', here, { B: here }), 0], [member('B', there, { A: here }), 20]), [2, 0, 1]);
});

test('a packet that came as late as the next cycle of the others is no difference', () => {
  const [a, b] = [member('A', here, { B: here }), member('B', here, { A: here })];
  const board = new Board();
  for (const name of ['A', 'B']) board.members.add(name);
  board.put(b, undefined, 0);
  b.view.tiles[1] = there;
  board.put(b, undefined, 600);
  board.put(a, undefined, 650); // of the cycle in which B was here
  board.settle();
  assert.deepEqual([board.compared, board.shifted, board.differences.length], [1, 1, 0]);
});

test('a last step before another area is no difference, a place beside the way is one', () => {
  for (const [seen, want] of [[packTile(3202, 3201, 0), [0, 1, 0]], [packTile(3204, 3200, 0), [1, 0, 1]]]) {
    const [a, b] = [member('A', here, { B: here }), member('B', here, {})];
    const board = new Board();
    for (const name of ['A', 'B']) board.members.add(name);
    board.put(b, undefined, 0);
    b.view.tiles[1] = packTile(3400, 3100, 0);
    board.put(b, undefined, 600);
    a.view.tiles[2] = seen;
    board.put(a, undefined, 610);
    board.settle();
    assert.deepEqual([board.compared, board.shifted, board.differences.length], want);
  }
});

test('packets of different cycles are not compared', () => {
  assert.deepEqual(board([member('A', here, { B: here }), 0], [member('B', there, {}), 600]), [0, 0, 0]);
});

test('two packets at once belong to no clear cycle', () => {
  const a = member('A', here, { B: here });
  assert.deepEqual(board([a, 0], [a, 100], [member('B', there, {}), 20]), [0, 2, 0]);
});
