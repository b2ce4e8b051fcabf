import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import test from 'node:test';
import { View, packSquare, packTile, unpackSquare } from './info.mjs';
import { vectors } from './vectors.mjs';

const hex = (s) => Buffer.from(s.replace(/\s/g, ''), 'hex');
const digest = (b) => crypto.createHash('sha256').update(b).digest('hex');
const bit = (v, n) => v.toString(2).padStart(n, '0');

/** Converts strings of 0 and 1 to bytes. Each string is padded to whole bytes. */
function bytes(...passes) {
  const bits = passes.map((p) => p.padEnd(Math.ceil(p.length / 8) * 8, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g).map((b) => parseInt(b, 2)));
}

/** A placement: own tile [x, z, plane], squares {index: [plane, sx, sz]}. */
function placement(self, [x, z, plane = 0], squares = {}) {
  let s = bit(packTile(x, z, plane), 30);
  for (let i = 1; i <= 2047; i++) if (i !== self) s += bit(squares[i] ? packSquare(...squares[i]) : 0, 18);
  return bytes(s);
}

const start = (self, at, squares) => new View(self, placement(self, at, squares));
const at = (v, i = v.self) => { const t = v.tile(i); return [t.x, t.z, t.plane]; };
const square = (v, i) => { const s = unpackSquare(v.squares[i]); return [s.plane, s.sx, s.sz]; };

/** Applies vectors one after the other; after each, check(view, changes). */
function play(view, steps) {
  for (const [name, check] of steps) {
    const changes = view.apply(hex(vectors[name]));
    try {
      check?.(view, changes);
    } catch (e) {
      e.message = `${name}: ${e.message}`;
      throw e;
    }
  }
}

test('the initial placement sets the own tile of the client and the map square of every other player', () => {
  const i1 = placement(1, [3200, 3200], { 2: [0, 50, 50], 3: [2, 100, 40] });
  assert.equal(digest(i1), 'e20c3d7ed90c8cbec7c32e7eb2155e5f9c2a3c61726143feefc6d981a6651b2a');
  const i2 = placement(2047, [3093, 3493, 1], { 1: [0, 48, 54] });
  assert.equal(digest(i2), 'bcade7143b4ed97befe42a2299676b3bca9a0fd363bf51fc161c5aade32e9f94');
  const v = new View(1, i1);
  assert.deepEqual(at(v), [3200, 3200, 0]);
  assert.deepEqual([square(v, 2), square(v, 3), square(v, 4)], [[0, 50, 50], [2, 100, 40], [0, 0, 0]]);
  assert.deepEqual(at(new View(2047, i2)), [3093, 3493, 1]);
  assert.throws(() => new View(1, i1.subarray(1)), /placement/);
});

test('packets about the own player move it', () => {
  const stands = (...want) => (v) => assert.deepEqual(at(v), want);
  play(start(1, [3200, 3200]), [
    ['V01', stands(3200, 3200, 0)], ['V02'], ['V03', stands(3201, 3200, 0)], ['V04'], ['V05', stands(3203, 3201, 0)],
    ['V06', stands(3198, 3208, 0)], ['V07', stands(3198, 3208, 1)], ['V08', stands(4198, 3008, 0)],
    ['V09', (v) => assert.equal(v.speeds[1], 1)],
    ['V09b', (v, c) => { assert.deepEqual(at(v), [4197, 3008, 0]); assert.equal(c.get(1).speed, 2); assert.equal(v.speeds[1], 1); }],
    ['V09c', (v, c) => { assert.deepEqual(at(v), [4199, 3010, 0]); assert.equal(c.get(1).speed, 127); }],
    ['V09d', (v, c) => { assert.deepEqual(at(v), [4209, 3000, 0]); assert.equal(c.get(1).speed, 127); assert.equal(v.speeds[1], 2); }],
  ]);
});

test('players are added and removed', () => {
  play(start(1, [3200, 3200], { 2: [0, 50, 50], 3: [0, 49, 50] }), [
    ['V10', (v) => { assert.deepEqual(at(v, 2), [3205, 3210, 0]); assert.equal(v.flags[2], 1); }],
    ['V11'],
    ['V12', (v) => assert.deepEqual(at(v, 2), [3204, 3211, 0])],
    ['V13', (v) => { assert.ok(!v.isLocal(2)); assert.deepEqual(square(v, 2), [0, 50, 50]); assert.equal(v.flags[2], 0); }],
    ['V14'],
    ['V15', (v) => { assert.deepEqual(at(v, 3), [3201, 3199, 0]); assert.equal(v.name(3), 'Bot1'); assert.equal(v.find('Bot1'), 3); }],
    ['V16', (v) => assert.ok(!v.isLocal(3))],
    ['V16b', (v, c) => { assert.ok(v.isLocal(3)); assert.equal(v.name(3), 'Bot1'); assert.deepEqual(c.get(3).blocks, {}); }],
    ['V16c', (v) => assert.ok(!v.isLocal(3))],
  ]);
});

test('the map squares of players out of view are updated', () => {
  play(start(1, [3200, 3200], { 5: [0, 50, 50], 6: [3, 10, 20], 7: [1, 0, 0], 9: [0, 255, 1] }), [
    ['V17', (v) => {
      assert.deepEqual(square(v, 5), [0, 51, 49]);
      assert.deepEqual(square(v, 6), [0, 10, 20]);
      assert.deepEqual(square(v, 7), [2, 200, 3]);
      assert.deepEqual(square(v, 9), [0, 1, 1]);
    }],
    ['V18'],
    ['V19', (v) => assert.deepEqual([square(v, 5), square(v, 100)], [[1, 52, 50], [0, 1, 0]])],
  ]);
});

for (const n of [1, 2, 31, 32, 33, 255, 256, 257, 2045]) {
  test(`a skip run of ${n} players is read`, () => {
    play(start(1, [3200, 3200]), [[`V20.${n}`, (v) => assert.deepEqual(square(v, n + 2), [0, 1, 1])]]);
  });
}

test('a player that was skipped in one cycle is read in the other pass of the next cycle', () => {
  const squares = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((i) => [i, [0, 50, 50]]));
  const flags = (v) => [...v.flags.subarray(1, 8), v.flags[10]].join('');
  play(start(10, [3200, 3200], squares), [
    ['V21a', (v) => { assert.equal(v.locals.length, 8); assert.equal(flags(v), '11111111'); }],
    ['V21b', (v, c) => { assert.deepEqual([...c.keys()], [2, 5]); assert.equal(flags(v), '10110111'); }],
    ['V21c', (v, c) => { assert.deepEqual([...c.keys()], [5, 6]); assert.equal(flags(v), '11110011'); }],
    ['V21d', (v) => assert.equal(flags(v), '11111111')],
  ]);
});

test('an APPEARANCE block is parsed', () => {
  play(start(1, [3200, 3200]), [
    ['V22', (v) => {
      const a = v.appearances[1];
      assert.deepEqual([a.name, a.combat, a.maxCombat, a.range, a.stance], ['Zezima', 126, 138, 255, 1426]);
      assert.deepEqual(a.worn, [0, 0, 0, 0, 0x112, 0, 0x11a, 0x124, 0x100, 0x121, 0x12a, 0x10a, 0]);
      assert.deepEqual(a.colours, [2, 3, 4, 5, 6, 0, 0, 0, 0, 0]);
    }],
    ['V23', (v) => assert.deepEqual([v.appearances[1].npc, v.appearances[1].team, v.appearances[1].size, v.name(1)], [0x32, 4, 2, 'Dragon'])],
    ['V24', (v) => assert.deepEqual([v.appearances[1].skill, v.appearances[1].sounds.volume, v.appearances[1].worn[0]], [1500, 200, 32868])],
    ['V24b', (v) => assert.deepEqual(v.appearances[1].customised[0].wear, [1234, -1])],
  ]);
});

test('all nineteen blocks are read', () => {
  play(start(1, [3200, 3200]), [['V22'], ['V25', (v, changes) => {
    const b = changes.get(1).blocks;
    assert.equal(Object.keys(b).length, 19);
    assert.deepEqual(b.WORN_ANIM, [{ seq: 65535, delay: 3, slots: 3 }]);
    assert.deepEqual(b.ANIM, { seq: [422, 423, 424, 65535], delay: 9 });
    assert.deepEqual(b.GFX2, { id: 301, height: 100, delay: 30, rotation: 2, slot: 15, loop: 0 });
    assert.deepEqual(b.RECOLOUR, { hue: 10, saturation: 20, lightness: 30, weight: 40, start: 5, end: 300 });
    assert.equal(b.TEMP_SPEED, 2);
    assert.deepEqual(b.TIMERBAR, { sprite: 1, duration: 200, start: 50, granularity: 4 });
    assert.deepEqual([b.GFX3.id, b.GFX3.height, b.GFX3.delay, b.GFX3.rotation, b.GFX3.loop], [302, 50, 20, 1, 1]);
    assert.equal(b.CLANMATE, 1);
    assert.deepEqual(b.HITS, [
      { type: 3, amount: 200, delay: 0, hp: 255 }, { type: 3, amount: 55, soakType: 5, soak: 12, delay: 40, hp: 128 },
      { type: 32766, hidden: true, delay: 0, hp: 10 },
    ]);
    assert.deepEqual(b.WORN_TARGETS, [{ target: 0x1234, slots: 1 }, { target: 0xc0012345, slots: 2 }]);
    assert.equal(v.name(1), 'Zezima');
    assert.deepEqual([b.CHAT, b.P_ICON, b.SPEED, b.TARGET, b.TURN], ['hello', 1, 1, 32775, 4096]);
    assert.deepEqual(b.EXACT_MOVE, { x1: -2, z1: 3, x2: 4, z2: -5, t1: 30, t2: 90, dir: 2 });
    assert.deepEqual([b.GFX0.id, b.GFX0.height, b.GFX0.delay, b.GFX0.rotation], [300, 60, 10, 3]);
    assert.deepEqual([b.GFX1.id, b.GFX1.height, b.GFX1.delay, b.GFX1.rotation, b.GFX1.slot], [303, 70, 40, 4, 2]);
    assert.deepEqual(at(v), [3200, 3201, 0]);
  }]]);
});

test('every truncated packet is refused', () => {
  const whole = hex(vectors.V25);
  for (let n = 0; n < whole.length; n++) {
    const v = start(1, [3200, 3200]);
    v.apply(hex(vectors.V22));
    assert.throws(() => v.apply(whole.subarray(0, n)), undefined, `${n} bytes`);
  }
});

test('blocks are read in the order in which the passes have listed their players', () => {
  play(start(1, [3200, 3200], { 2: [0, 50, 50] }), [
    ['V26', (v, c) => { assert.deepEqual(at(v), [3200, 3201, 0]); assert.deepEqual(c.get(1).blocks, {}); assert.ok(v.isLocal(2)); }],
    ['V27', (v, c) => { assert.equal(v.turns[1], 8192); assert.equal(c.get(2).blocks.CHAT, 'hi'); }],
    ['V28a'],
    ['V28b', (v, c) => {
      assert.deepEqual([...c.keys()], [2, 1]);
      assert.deepEqual([c.get(2).blocks, c.get(1).blocks], [{ TARGET: 65535 }, { SPEED: 2 }]);
    }],
    ['V29a', (v) => { assert.ok(!v.isLocal(2)); assert.equal(v.squares[2], 0); }],
    ['V29b', (v) => { assert.deepEqual(at(v, 2), [3204, 3204, 0]); assert.equal(v.name(2), 'Bot1'); }],
  ]);
});

test('255 local players are read', () => {
  const squares = {};
  for (let i = 2; i <= 256; i++) squares[i] = [0, 50, 50];
  const v = start(1, [3200, 3200], squares);
  let adds = '';
  for (let i = 2; i <= 256; i++) adds += `1000${bit(i & 15, 6)}${bit(i >> 4, 6)}0`;
  const a = bytes('000', `${adds}011${bit(1790, 11)}`);
  assert.equal(digest(a), '33673ff8dc3580c716e27dea2d7b6d047e86ba2c1ad0c895289ea0e09b180531');
  v.apply(a);
  assert.equal(v.locals.length, 256);
  const b = bytes(`000${'1001100'.repeat(255)}`, '01111011111110');
  assert.equal(digest(b), 'f0427f8f67a636b4c0016ddaa89bb8a92c7c78101ec9914ae86d1abe154e23ae');
  v.apply(b);
  assert.deepEqual(at(v, 100), [3200 + (100 & 15) + 1, 3200 + (100 >> 4), 0]);
  v.apply(hex(vectors.V30c));
  assert.deepEqual(at(v), [3200, 3202, 0]);
});

test('2047 local players are read', () => {
  const squares = {};
  let adds = '';
  for (let i = 1; i <= 2046; i++) {
    squares[i] = [0, 50, 50];
    adds += `1000${bit(i & 63, 6)}${bit((i >> 6) & 63, 6)}0`;
  }
  const v = start(2047, [3200, 3200], squares);
  const a = bytes('000', adds);
  assert.equal(digest(a), '51aa97861a441f81f12f75afd4ad39c52349a04b0320ada3544edcd567380caa');
  v.apply(a);
  v.apply(hex(vectors.V31b));
  assert.equal(v.locals.length, 2047);
});

test('an index can be removed and added in one packet', () => {
  play(start(1, [3200, 3200], { 2: [0, 50, 50] }), [
    ['V32a'],
    ['V32b', (v, c) => { assert.equal(c.get(2).how, 'replace'); assert.equal(v.name(2), 'Bot1'); assert.equal(v.flags[2], 0); }],
    ['V32c', (v) => assert.ok(v.isLocal(2))],
  ]);
});

test('a removed player has the map square of its last tile', () => {
  play(start(1, [3200, 3200, 1], { 4: [0, 49, 50] }), [
    ['V33', (v) => assert.deepEqual(square(v, 4), [1, 50, 50])],
    ['V33b', (v) => assert.ok(v.isLocal(4))],
    ['V33c'],
    ['V33d', (v) => { assert.ok(!v.isLocal(4)); assert.deepEqual(square(v, 4), [1, 49, 50]); }],
  ]);
});

const refused = [
  ['80', /s:lr/], ['007ff400', /gpi1/], ['00', /bits wanted/],
  [bytes('000', `011${bit(2046, 11)}`).toString('hex'), /nsn3/],
  [bytes('000', `1001000${bit(0, 13)}0`).toString('hex'), /hr:lr/],
  [bytes('1100', `011${bit(2045, 11)}`).toString('hex') + '000000', /gpi1/],
  [bytes('1100', `011${bit(2045, 11)}`).toString('hex') + '800820', /unknown bits/],
];
for (const [packet, why] of refused) {
  test(`packet ${packet} is refused`, () => assert.throws(() => start(1, [3200, 3200]).apply(hex(packet)), why));
}
for (const packet of ['1f7ff7', '207ff4']) {
  test(`packet ${packet} is accepted without changes`, () => assert.equal(start(1, [3200, 3200]).apply(hex(packet)).size, 0));
}
