import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Avatar, newAvatar, ON_GROUND, readAvatar, SNEAKING, SPRINTING } from '../src/blocks/avatar.js';
import { body as whole, Body, Entry, Ground } from '../src/blocks/index.js';
import { Cursor } from '../src/message.js';
import { Prediction } from '../src/rewind.js';
import { fromHex, Run } from './runs.js';

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

test('a correction of the past replays the later inputs', () => {
  const run = (JSON.parse(readFileSync(new URL('vectors/physics.json', import.meta.url), 'utf8')) as Run[]).find((r) => r.name === 'slabs, steps and ladders')!;
  const field = new Ground(Uint8Array.from(atob(run.ground), (c) => c.charCodeAt(0)));
  const start = readAvatar(new Cursor(fromHex(run.start)));
  const keys = (tick: number): Entry => ({ keys: tick % 15 < 3 ? 3 : 0, yaw: 700 * tick, pitch: 0, strafe: 40, forward: 127 });
  const predict = (from: number, a: Avatar, to: number): Prediction => {
    const p = new Prediction(whole);
    p.reset(from, a);
    for (let tick = from + 1; tick <= to; tick++) p.step(keys(tick), field);
    return p;
  };
  const p = predict(100, start, 140), before = { ...p.state };
  p.correct(125, predict(100, start, 125).state, field); // the server agrees
  expect([p.moved, p.state]).toEqual([0, before]);
  const other = { ...predict(100, start, 125).state, x: 4.25, z: 1.5, vx: 0.1 };
  p.correct(125, other, field);
  expect(p.tick).toBe(140);
  expect(p.state).toEqual(predict(125, other, 140).state);
  expect(p.moved).toBeCloseTo(Math.hypot(p.state.x - before.x, p.state.y - before.y, p.state.z - before.z));
  expect(p.moved).toBeGreaterThan(0.1);
});
