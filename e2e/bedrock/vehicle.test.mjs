// Compares computed trajectories of riding, liquids and effects with those in testdata, whose numbers have seven digits.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { boxesOf } from './flat.mjs';
import { atRest, step } from './physics.mjs';
import { copyVehicle, fromWire, onWire, stepVehicle, vehicleAt } from './riding.mjs';

const f = Math.fround;
const tables = JSON.parse(fs.readFileSync(new URL('testdata/vehicle_trajectories.json', import.meta.url), 'utf8'));

const AIR = { boxes: [] };
const STONE = { boxes: [[0, 0, 0, 1, 1, 1]] };
const PACKED_ICE = { ...STONE, slipperiness: 0.98 };
const WATER = { boxes: [], liquid: 'water' };
const LAVA = { boxes: [], liquid: 'lava' };

/** A world that consists of one kind of block up to the height top. */
function filled(kind, top = Infinity) {
  const block = (x, y) => (y < top ? kind : AIR);
  return { block, boxes: (b) => boxesOf(block, b) };
}

const seven = (x) => Number((x + 0).toPrecision(7));

const horseOn = (kind) => {
  const horse = vehicleAt('horse', [8.5, 64, 8.5], 0, { movement: f(0.225), jumpStrength: f(0.7), onGround: true });
  return { vehicle: { ...horse, vel: [0, f(-0.0784), 0] }, world: filled(kind, 64) };
};
const boatIn = (kind, y) => ({
  vehicle: vehicleAt('boat', fromWire('boat', [8.5, y, 8.5]), 90, { onGround: kind !== WATER }), world: filled(kind, 63),
});

const both = ['paddling_left', 'paddling_right'];
// The vehicle, the world, and the input of tick n for each trajectory of a vehicle.
const rides = {
  horse_gallop: [horseOn(STONE), (n) => ({ move: [0, n <= 20 ? 1 : 0] })],
  horse_sideways_back: [horseOn(STONE), (n) => ({ move: n <= 5 ? [1, 0] : [0, -1] })],
  horse_turn: [horseOn(STONE), () => ({ move: [0, 1], yaw: 90 })],
  horse_jump_full: [horseOn(STONE), (n) => ({ flags: n <= 11 ? ['jumping'] : [] })],
  horse_jump_short_forward: [horseOn(STONE), (n) => ({ move: [0, 1], flags: n >= 6 && n <= 9 ? ['jumping'] : [] })],
  horse_ice: [horseOn(PACKED_ICE), () => ({ move: [0, 1] })],
  boat_forward: [boatIn(WATER, 62.95), (n) => ({ move: [0, n <= 60 ? 1 : 0] })],
  boat_left: [boatIn(WATER, 62.95), () => ({ move: [1, 0] })],
  boat_back: [boatIn(WATER, 62.95), () => ({ move: [0, -1] })],
  boat_digital: [boatIn(WATER, 62.95), (n) => ({ flags: n <= 20 ? both : n <= 25 ? ['paddling_left'] : [] })],
  boat_packed_ice: [boatIn(PACKED_ICE, 63.375), () => ({ move: [0, 1] })],
  boat_stone: [boatIn(STONE, 63.375), () => ({ move: [0, 1] })],
  boat_sinks_and_rises: [boatIn(WATER, 60), () => ({})],
};

for (const [name, [{ vehicle, world }, input]] of Object.entries(rides)) {
  test(`trajectory ${name} equals the one in testdata in all seven digits`, () => {
    const v = copyVehicle(vehicle);
    tables[name].rows.forEach((row, i) => {
      const { move = [0, 0], yaw = 0, flags = [] } = input(i + 1);
      stepVehicle(v, { move, yaw, flags: new Set(flags) }, world);
      const got = { pos: onWire(v).map(seven), vel: v.vel.map(seven), yaw: seven(v.yaw), angular: seven(v.angular), on_ground: v.onGround };
      const { pos, vel, yaw: faced, angular = 0, on_ground } = row;
      assert.deepEqual(got, { pos, vel, yaw: faced, angular, on_ground }, `tick ${i + 1}`);
    });
  });
}

const swimmer = { swimming: true, sprinting: true };
// The world, the initial state, and the input of tick n for each trajectory of a player.
const walks = {
  water_walk: [WATER, {}, () => ({ move: [0, 1] })],
  water_up: [WATER, {}, () => ({ flags: ['jumping'] })],
  water_sink: [WATER, {}, () => ({})],
  swim_level: [WATER, swimmer, () => ({ move: [0, 1] })],
  swim_down30: [WATER, swimmer, () => ({ move: [0, 1], pitch: 30 })],
  swim_up30: [WATER, swimmer, () => ({ move: [0, 1], pitch: -30 })],
  lava_walk: [LAVA, {}, () => ({ move: [0, 1] })],
  lava_up: [LAVA, {}, () => ({ flags: ['jumping'] })],
  slow_falling: [AIR, { slowFalling: true }, () => ({})],
  levitation_1: [AIR, { levitation: 1 }, () => ({})],
  glide_firework: [AIR, { gliding: true, mayGlide: true, vel: [0, 0, 0.5] }, (n) => ({ fireworks: n >= 6 && n <= 20 ? 1 : 0 })],
};

for (const [name, [kind, start, input]] of Object.entries(walks)) {
  test(`trajectory ${name} equals the one in testdata in all seven digits`, () => {
    const s = { ...atRest([0, 0, 0]), vel: [0, 0, 0], onGround: false, ...start };
    tables[name].rows.forEach((row, i) => {
      const { move = [0, 0], pitch = 0, flags = [], fireworks = 0 } = input(i + 1);
      s.fireworks = fireworks;
      step(s, { move, yaw: 0, pitch, flags: new Set(flags) }, filled(kind));
      const got = row.moved ? [...s.pos, ...s.vel] : [s.pos[1], s.vel[1]];
      assert.deepEqual(got.map(seven), row.moved ? [...row.moved, ...row.vel] : [row.moved_y, row.vy], `tick ${i + 1}`);
    });
  });
}

test('every trajectory has a test', () => {
  assert.deepEqual(Object.keys(tables).sort(), [...Object.keys(rides), ...Object.keys(walks)].sort());
});
