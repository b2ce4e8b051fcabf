import assert from 'node:assert/strict';
import test from 'node:test';
import { judge } from './motion.mjs';

const limits = { fastest: 30, least: 5 };
const walk = (n, x) => Array.from({ length: n }, (_, i) => ({ t: (i * 1000) / 60, x: x(i), z: 0 }));

test('an even walk is smooth', () => {
  assert.equal(judge(walk(120, (i) => i * 0.2), limits), '');
});

test('a walk with a rest in it is smooth', () => {
  assert.equal(judge(walk(120, (i) => Math.min(i, 80) * 0.2), limits), '');
});

test('a jump is found', () => {
  assert.match(judge(walk(120, (i) => i * 0.2 + (i > 60 ? 4 : 0)), limits), /a jump of 4\.20 units/);
});

test('a step at each live frame alone is found', () => {
  assert.match(judge(walk(120, (i) => Math.floor(i / 6) * 0.9), limits), /it moved in 19 of 119 frames/);
});

test('who stands was not seen to move', () => {
  assert.match(judge(walk(120, () => 3), limits), /0\.0 units in all/);
});

test('a picture that stood still for long is found', () => {
  const samples = walk(120, (i) => i * 0.2).map((p, i) => ({ ...p, t: p.t + (i > 60 ? 900 : 0) }));
  assert.match(judge(samples, limits), /no frame for 917 ms/);
});

test('too few frames are no evidence', () => {
  assert.match(judge(walk(10, (i) => i), limits), /only 10 frames/);
});
