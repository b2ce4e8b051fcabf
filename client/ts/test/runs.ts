// Functions that run the test vectors, in Node and in browsers (e2e/web/vectors.mjs).
import { Avatar, HAS_KNOCKBACK, readAvatar } from '../src/blocks/avatar.js';
import { Ground } from '../src/blocks/ground.js';
import type { Body } from '../src/blocks/index.js';
import { Entry, JUMPING, JUMP_DOWN, SNEAK_DOWN, START_SPRINT, START_SWIM, WANT_DOWN, WANT_UP } from '../src/blocks/entry.js';
import { step } from '../src/blocks/physics.js';
import { appendAck, Cursor } from '../src/message.js';
import { Reader, Schema } from '../src/snapshot.js';

/** A run of the physics: digests are those of all states, after each hundred ticks; first has the first states. */
export interface Run { name: string; ground: string; start: string; seed: number; ticks: number; digests: number[]; first: string[] }

export const fromHex = (s: string): Uint8Array => Uint8Array.from({ length: s.length / 2 }, (_, i) => parseInt(s.slice(2 * i, 2 * i + 2), 16));
export const toHex = (b: Uint8Array): string => Array.from(b, (c) => c.toString(16).padStart(2, '0')).join('');

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

const bytes = new Uint8Array(80);
const view = new DataView(bytes.buffer);

/** The wire form of an avatar, valid until the next call. */
function wire(a: Avatar): Uint8Array {
  let at = 0;
  const f = (v: number): void => { view.setFloat32((at += 4) - 4, v, true); };
  for (const v of [a.x, a.y, a.z, a.vx, a.vy, a.vz, a.pitch, a.yaw, a.headYaw]) f(v);
  view.setUint32((at += 4) - 4, a.flags, true);
  for (const v of [a.collided, a.jumpDelay, a.swimPose]) view.setUint8(at++, v);
  f(a.speed);
  for (const v of [a.jumpBoost, a.levitation, a.slowFalling, a.depthStrider]) view.setUint8(at++, v);
  view.setUint16((at += 2) - 2, a.glideBoost, true);
  if (a.flags & HAS_KNOCKBACK) for (const v of [a.kx, a.ky, a.kz]) f(v);
  return bytes.subarray(0, at);
}

function fnv(sum: number, b: Uint8Array): number {
  for (let i = 0; i < b.length; i++) sum = Math.imul(sum ^ b[i]!, 16777619) >>> 0;
  return sum;
}

/** Moves an avatar as a run says, and throws an error at the first state that differs. It returns the number of ticks. */
export function move(run: Run, body: Pick<Body, 'step'> = { step }): number {
  const ground = new Ground(Uint8Array.from(atob(run.ground), (c) => c.charCodeAt(0)));
  const a = readAvatar(new Cursor(fromHex(run.start)));
  if (toHex(wire(a)) !== run.start) throw new Error('the first state is read wrongly');
  const next = generator(run.seed);
  const e: Entry = { keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 };
  let sum = 0x811c9dc5;
  for (let tick = 0; tick < run.ticks; tick++) {
    nextEntry(e, next);
    body.step(a, e, ground);
    const b = wire(a);
    if (tick < run.first.length && toHex(b) !== run.first[tick]) throw new Error(`tick ${tick}: ${toHex(b)}, want ${run.first[tick]}`);
    sum = fnv(sum, b);
    if ((tick + 1) % 100 === 0 && sum !== run.digests[(tick + 1) / 100 - 1]) throw new Error(`differs within ticks ${tick - 99}..${tick}`);
    if (a.y < 0 || Math.fround(Math.sqrt(Math.fround(Math.fround(a.x * a.x) + Math.fround(a.z * a.z)))) > 40) {
      a.x = 3.5; a.y = 72; a.z = 2.5;
    }
  }
  return run.ticks;
}

interface Line { schema?: Schema; enter?: { handle: number; kind: number; values: number[] }; snapshot?: { hex: string; taken: boolean; states: number[][]; ack?: string } }

/** Decodes what `truestep vectors web` prints, and throws an error at the first difference. It returns the number of states. */
export function decode(lines: string): number {
  let reader: Reader | undefined;
  let states = 0;
  for (const [i, text] of lines.trim().split('\n').entries()) {
    const line = JSON.parse(text) as Line;
    if (line.schema) reader = new Reader(line.schema);
    if (line.enter) reader!.enter(line.enter.handle, line.enter.kind, line.enter.values);
    if (!line.snapshot) continue;
    const got: number[][] = [];
    const taken = reader!.read(fromHex(line.snapshot.hex), (handle, values) => got.push([handle, ...values]));
    const differs = taken !== line.snapshot.taken || JSON.stringify(got) !== JSON.stringify(line.snapshot.states ?? []) || (line.snapshot.ack && toHex(appendAck(reader!)) !== line.snapshot.ack);
    if (differs) throw new Error(`line ${i + 1}: ${JSON.stringify(got).slice(0, 200)}, want ${text.slice(0, 200)}`);
    states += got.length;
  }
  return states;
}
