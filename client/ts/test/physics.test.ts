import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Avatar, HAS_KNOCKBACK, newAvatar, readAvatar } from '../src/blocks/avatar.js';
import { Ground } from '../src/blocks/ground.js';
import { Entry, JUMPING, JUMP_DOWN, SNEAK_DOWN, START_SPRINT, START_SWIM, step, WANT_DOWN, WANT_UP } from '../src/blocks/physics.js';

interface Run { name: string; ground: string; start: string; seed: number; ticks: number; digests: number[]; first: string[] }

const runs: Run[] = JSON.parse(readFileSync(new URL('vectors/physics.json', import.meta.url), 'utf8'));

/** The generator of the vectors (gateway/web/vectors_test.go). */
function generator(seed: number): (n: number) => number {
  let x = seed >>> 0;
  return (n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return (x >>> 8) % n;
  };
}

function nextEntry(e: Entry, next: (n: number) => number): void {
  e.keys &= JUMP_DOWN | JUMPING | SNEAK_DOWN | WANT_UP | WANT_DOWN;
  switch (next(12)) {
    case 0: e.yaw = (next(65536) << 16) >> 16; break;
    case 1: e.pitch = next(181) - 90; break;
    case 2: e.strafe = next(255) - 127; e.forward = next(255) - 127; break;
    case 3: e.strafe = 0; e.forward = 127; break;
    case 4: e.keys ^= JUMP_DOWN | JUMPING; break;
    case 5: e.keys ^= SNEAK_DOWN; break;
    case 6: e.keys |= 1 << next(14); break;
    case 7: e.keys |= START_SPRINT; break;
    case 8: e.keys |= START_SWIM; break;
    case 9: e.keys ^= WANT_DOWN; break;
  }
}

const bytes = Buffer.alloc(80);

/** The wire form of an avatar. */
function wire(a: Avatar): Buffer {
  let at = 0;
  const f = (v: number): void => { at = bytes.writeFloatLE(v, at); };
  for (const v of [a.x, a.y, a.z, a.vx, a.vy, a.vz, a.pitch, a.yaw, a.headYaw]) f(v);
  at = bytes.writeUInt32LE(a.flags, at);
  for (const v of [a.collided, a.jumpDelay, a.swimPose]) at = bytes.writeUInt8(v, at);
  f(a.speed);
  for (const v of [a.jumpBoost, a.levitation, a.slowFalling, a.depthStrider]) at = bytes.writeUInt8(v, at);
  at = bytes.writeUInt16LE(a.glideBoost, at);
  if (a.flags & HAS_KNOCKBACK) for (const v of [a.kx, a.ky, a.kz]) f(v);
  return bytes.subarray(0, at);
}

function fnv(sum: number, b: Buffer): number {
  for (let i = 0; i < b.length; i++) sum = Math.imul(sum ^ b[i]!, 16777619) >>> 0;
  return sum;
}

describe('physics', () => {
  for (const run of runs) {
    it(`moves like the server: ${run.name}`, () => {
      const ground = new Ground(Buffer.from(run.ground, 'base64'));
      const a = newAvatar();
      const start = Buffer.from(run.start, 'hex');
      expect(readAvatar(a, new DataView(start.buffer, start.byteOffset, start.length), 0)).toBe(start.length);
      expect(wire(a).toString('hex')).toBe(run.start);
      const next = generator(run.seed);
      const e: Entry = { keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 };
      let sum = 0x811c9dc5;
      for (let tick = 0; tick < run.ticks; tick++) {
        nextEntry(e, next);
        step(a, e, ground);
        const b = wire(a);
        if (tick < run.first.length && b.toString('hex') !== run.first[tick]) expect(`tick ${tick}: ${b.toString('hex')}`).toBe(`tick ${tick}: ${run.first[tick]}`);
        sum = fnv(sum, b);
        if ((tick + 1) % 100 === 0 && sum !== run.digests[(tick + 1) / 100 - 1]) throw new Error(`differs within ticks ${tick - 99}..${tick}`);
        if (a.y < 0 || Math.fround(Math.sqrt(Math.fround(Math.fround(a.x * a.x) + Math.fround(a.z * a.z)))) > 40) {
          a.x = 3.5; a.y = 72; a.z = 2.5;
        }
      }
    });
  }
});
