import { expect, test } from 'vitest';
import { newAvatar, ON_GROUND, SNEAKING, SPRINTING } from '../src/blocks/avatar.js';
import type { Body, Entry, Ground } from '../src/blocks/index.js';
import { Prediction } from '../src/rewind.js';

// A body that sprints and jumps in each tick.
const body = { step: (a: { flags: number; jumpDelay: number; x: number }) => { a.flags |= SPRINTING; a.jumpDelay = 9; a.x++; } } as unknown as Body;
const ground = null as unknown as Ground;
const entry: Entry = { keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 };

test('a teleport keeps the requested stance and the jump delay, and takes everything else from the server', () => {
  const p = new Prediction(body);
  p.reset(10, newAvatar());
  for (let i = 0; i < 3; i++) p.step(entry, ground);
  const at = { ...newAvatar(), x: 500, vx: 0.25, flags: ON_GROUND | SNEAKING };
  p.teleport(at, ground);
  expect(p.tick).toBe(13);
  expect(p.state).toMatchObject({ x: 500, vx: 0.25, flags: ON_GROUND | SPRINTING, jumpDelay: 9 });
});

test('a correction takes the stance from the server', () => {
  const p = new Prediction(body);
  p.reset(10, newAvatar());
  p.step(entry, ground);
  p.correct(11, { ...newAvatar(), x: 500, flags: SNEAKING }, ground);
  expect(p.state).toMatchObject({ x: 500, flags: SNEAKING, jumpDelay: 0 });
});
