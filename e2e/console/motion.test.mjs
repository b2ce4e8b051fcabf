import assert from 'node:assert/strict';
import test from 'node:test';
import { judgeMotion } from './motion.mjs';

const limits = { maxSpeed: 30, minDistance: 5 };
const walk = (n, x) => Array.from({ length: n }, (_, i) => ({ t: (i * 1000) / 60, x: x(i), z: 0 }));

test('a walk at even speed is smooth', () => {
  assert.equal(judgeMotion(walk(120, (i) => i * 0.2), limits), '');
});

test('a walk that ends in a rest is smooth', () => {
  assert.equal(judgeMotion(walk(120, (i) => Math.min(i, 80) * 0.2), limits), '');
});

test('a jump within a walk is reported', () => {
  assert.match(judgeMotion(walk(120, (i) => i * 0.2 + (i > 60 ? 4 : 0)), limits), /a jump of 4\.20 units/);
});

test('a walk without interpolation between live frames is reported', () => {
  assert.match(judgeMotion(walk(120, (i) => Math.floor(i / 6) * 0.9), limits), /moved in only 19 of 119 frames/);
});

test('an actor that stands still is reported as not moving', () => {
  assert.match(judgeMotion(walk(120, () => 3), limits), /moved 0\.0 units in total/);
});

test('a walk that continues while no frame is drawn is smooth, but a jump in that time is reported', () => {
  const held = (far) => walk(120, (i) => i * 0.2 + (i > 60 ? far : 0)).map((p, i) => ({ ...p, t: p.t + (i > 60 ? 900 : 0) }));
  assert.equal(judgeMotion(held(10.8), limits), '');
  assert.match(judgeMotion(held(40), limits), /a jump of 40\.20 units within 916\.7 ms/);
});

test('too few frames are reported', () => {
  assert.match(judgeMotion(walk(10, (i) => i), limits), /only 10 frames/);
});
