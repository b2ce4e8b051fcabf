import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { boxesOf as flatBoxes, flat } from './flat.mjs';
import { atRest, copy, same, step } from './physics.mjs';

const tables = JSON.parse(fs.readFileSync(new URL('testdata/trajectories.json', import.meta.url), 'utf8'));
const half = Math.fround(Math.SQRT1_2);

// A function for each trajectory of testdata that returns the input of tick n.
const plays = {
  walk: () => ({ move: [0, 1] }),
  jump: (n) => ({ flags: n === 1 ? ['start_jumping', 'jumping'] : [] }),
  sprintjump: (n) => ({ move: [0, 1], flags: { 1: ['start_sprinting'], 9: ['start_jumping', 'jumping'] }[n] }),
  sneak: (n) => ({ move: [0, 1], flags: n === 1 ? ['start_sneaking'] : [] }),
  walkstop: (n) => ({ move: [0, n <= 6 ? 1 : 0] }),
  diag: () => ({ move: [half, half], yaw: 90 }),
  knock: (n) => ({ knock: n === 1 ? [0.4, 0.4, 0].map(Math.fround) : null }),
};

for (const [name, rows] of Object.entries(tables)) {
  test(`trajectory ${name} is bit-identical to the one in testdata`, () => {
    const s = atRest([0.5, 64, 0.5]);
    rows.forEach((row, i) => {
      const { move = [0, 0], flags = [], yaw = 0, knock = null } = plays[name](i + 1);
      if (knock) s.knock = knock;
      step(s, { move, yaw, flags: new Set(flags) }, flat());
      assert.deepEqual([...s.pos, ...s.vel.map((v) => v + 0), s.onGround], row, `tick ${i + 1}`);
    });
  });
}

const STONE = { name: 'minecraft:stone', boxes: [[0, 0, 0, 1, 1, 1]] };
const SLAB = { name: 'minecraft:smooth_stone_slab', boxes: [[0, 0, 0, 1, 0.5, 1]] };
const walk = (s, ticks, world, flags = [], yaw = 0) => {
  for (let i = 0; i < ticks; i++) step(s, { move: [0, 1], yaw, flags: new Set(i === 0 ? flags : []) }, world);
  return s;
};

test('a wall stops the player', () => {
  const s = walk(atRest([0.5, 64, 0.5]), 40, flat(64, { '0,64,3': STONE, '0,65,3': STONE }));
  assert.ok(Math.abs(s.pos[2] - 2.7) < 2e-4, `z ${s.pos[2]}`);
  assert.equal(s.vel[2], 0);
});

test('a slab is climbed', () => {
  const s = walk(atRest([0.5, 64, 0.5]), 14, flat(64, { '0,64,3': SLAB }));
  assert.equal(s.pos[1], 64.5);
  assert.ok(s.onGround);
});

test('a sneaking player stays on an edge, a walking one falls', () => {
  const cliff = { block: (x, y, z) => (y < 64 && z < 3 ? STONE : { boxes: [] }) };
  cliff.boxes = (b) => flatBoxes(cliff.block, b);
  assert.equal(walk(atRest([0.5, 64, 0.5]), 200, cliff, ['start_sneaking']).pos[1], 64);
  assert.ok(walk(atRest([0.5, 64, 0.5]), 40, cliff).pos[1] < 63);
});

test('states are compared bit by bit, and a copy is independent of the original', () => {
  const a = atRest([0.5, 64, 0.5]);
  const b = copy(a);
  assert.ok(same(a, b));
  b.pos[0] = Math.fround(b.pos[0] + 1e-7);
  assert.ok(!same(a, b) && a.pos[0] === 0.5);
});
