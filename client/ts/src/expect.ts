// The prediction of an actor's fields, from which a snapshot contains only the differences (docs/wire/web.md, Snapshots). The
// server computes it in proto/web/motion.go; each operation gives the same bits on both sides.

import type { Field } from './snapshot.js';

const MAX_AGE = 256;
const MAX_SPEED = 1 << 16;
const MAX_FIT = 2;
const TURN = 4096; // number of angle units in a full turn

export interface FieldLayout { derived: boolean; wrap: number; context: number }

/**
 * The fields of a kind of actor, and the indices of its position and direction among them, -1 for none. Without x the velocity
 * does not turn; without y it turns only horizontally.
 */
export interface KindLayout { fields: FieldLayout[]; x: number; y: number; z: number; yaw: number; pitch: number }

export function layoutOf(fields: Field[], context: (f: Field) => number): KindLayout {
  const find = (name: string, angle: boolean) => fields.findIndex((f) => f.name === name && !!f.wrap === angle && (angle || !!f.derived));
  const k = { x: find('x', false), y: find('y', false), z: find('z', false), yaw: find('yaw', true), pitch: find('pitch', true) };
  if (k.x < 0 || k.z < 0 || k.yaw < 0 || fields[k.x]!.step !== fields[k.z]!.step) k.x = -1;
  if (k.x < 0 || k.y < 0 || k.pitch < 0 || fields[k.y]!.step !== fields[k.x]!.step) k.y = k.pitch = -1;
  return { ...k, fields: fields.map((f) => ({ derived: !!f.derived, wrap: f.wrap ?? 0, context: context(f) })) };
}

/** The age of a state in ticks. The result is above MAX_AGE if the state is too old to compute speeds from. */
export const ageOf = (s: State, tick: number): number => (s.tick < 0 ? MAX_AGE + 1 : Math.min((tick - s.tick) & 0xffff, MAX_AGE + 1));

const difference = (f: FieldLayout, to: number, from: number): number => (f.wrap ? ((to - from + f.wrap / 2) & (f.wrap - 1)) - f.wrap / 2 : to - from);

const speedOf = (f: FieldLayout, from: number, to: number, age: number): number => {
  if (age <= 0 || age > MAX_AGE) return 0;
  const d = difference(f, to, from);
  const half = age >> 1;
  const v = Math.trunc((d * 16 + (d > 0 ? half : d < 0 ? -half : 0)) / age);
  return v > MAX_SPEED || v < -MAX_SPEED ? 0 : v;
};

/**
 * A received state of an actor: the number of its snapshot, its tick (16 bits; -1 in the state of an Enter message), its
 * values, and the speeds computed from them.
 */
export class State {
  seq = 0;
  tick = -1;
  values: Int32Array;
  speeds: Int32Array; // speeds of the fields, in 1/16 units per tick
  yaw = 0; // angles by which yaw and pitch changed in the period from which the speeds are computed, in units of the fields
  pitch = 0;
  fit = 0; // whether the velocity turned with the direction so far: if below 0, the actor is predicted to move straight
  constructor(n: number) {
    this.values = new Int32Array(n);
    this.speeds = new Int32Array(n);
  }

  /** Sets this state to the values now, received age ticks after the state from. place is the array that stores the values. */
  follow(k: KindLayout, from: State, now: Int32Array, age: number, place: Int32Array): void {
    const turns = k.x >= 0 && age <= MAX_AGE;
    this.fit = from.fit;
    if (turns) {
      straight(place, k, from, age);
      const before = distance(k, place, now);
      if (turn(place, k, from, age, now)) this.fit = Math.min(Math.max(this.fit + Math.sign(before - distance(k, place, now)), -MAX_FIT), MAX_FIT);
    }
    this.yaw = turns ? difference(k.fields[k.yaw]!, now[k.yaw]!, from.values[k.yaw]!) : 0;
    this.pitch = turns && k.pitch >= 0 ? difference(k.fields[k.pitch]!, now[k.pitch]!, from.values[k.pitch]!) : 0;
    for (let i = 0; i < k.fields.length; i++) {
      const f = k.fields[i]!;
      this.speeds[i] = f.derived || f.wrap ? speedOf(f, from.values[i]!, now[i]!, age) : 0;
      this.values[i] = now[i]!;
    }
  }
}

const distance = (k: KindLayout, a: Int32Array, b: Int32Array): number =>
  Math.abs(a[k.x]! - b[k.x]!) + Math.abs(a[k.z]! - b[k.z]!) + (k.y < 0 ? 0 : Math.abs(a[k.y]! - b[k.y]!));

// Fills dst with the fields of s, predicted for age ticks later: derived fields move at their speeds up to MAX_AGE, all others stay.
function straight(dst: Int32Array, k: KindLayout, s: State, age: number): void {
  for (let i = 0; i < k.fields.length; i++) dst[i] = s.values[i]! + (k.fields[i]!.derived && age <= MAX_AGE ? (s.speeds[i]! * age + 8) >> 4 : 0);
}

// faded[n] is how far an angle turns in n ticks if its rate decreases by 1/16 per tick. The unit is 1/4096 of the first tick's turn.
const faded = new Int32Array(MAX_AGE + 1);
for (let i = 0, rest = 65536; i <= MAX_AGE; i++, rest -= rest >> 4) faded[i] = 65536 - rest;

/**
 * Fills dst with the fields predicted age ticks after the state s for an actor that moves straight. The turning rates come from
 * the state before s, if there is one.
 */
export function expect(dst: Int32Array, k: KindLayout, s: State, before: State | undefined, age: number): void {
  straight(dst, k, s, age);
  if (age > MAX_AGE) return;
  const span = before ? ageOf(before, s.tick) : MAX_AGE + 1;
  for (let i = 0; i < k.fields.length; i++) {
    const f = k.fields[i]!;
    if (!f.wrap) continue;
    const rate = span <= MAX_AGE ? speedOf(f, before!.values[i]!, s.values[i]!, span) : s.speeds[i]!;
    dst[i] = s.values[i]! + Math.floor((rate * faded[age]! + 32768) / 65536);
  }
}

// The sines of a quarter turn in steps of 1/4096 turns, by rotation with operations that IEEE 754 rounds exactly.
const sines = new Float64Array(TURN / 4 + 1);
for (let i = 0, sin = 0, cos = 1; i <= TURN / 4; i++) {
  sines[i] = Math.floor(sin * 16384 + 0.5) / 16384;
  const next = sin * 0.9999988234517019 + cos * 0.0015339801862847655;
  cos = cos * 0.9999988234517019 - sin * 0.0015339801862847655;
  sin = next;
}

const sine = (angle: number): number => {
  const i = angle & (TURN / 4 - 1);
  const v = sines[angle & (TURN / 4) ? TURN / 4 - i : i]!;
  return angle & (TURN / 2) ? -v : v;
};

const moved = (v: number, speed: number, age: number): number => v + Math.floor((speed * age + 8) / 16);

/**
 * If the actor's direction has turned since s, replaces the position in dst by that of an actor whose velocity turns with its
 * direction. now has the new angles. Returns whether it has replaced it.
 */
export function turn(dst: Int32Array, k: KindLayout, s: State, age: number, now: Int32Array): boolean {
  if (k.x < 0 || age > MAX_AGE) return false;
  const half = (i: number, turned: number) => Math.trunc(((turned + difference(k.fields[i]!, now[i]!, s.values[i]!)) * (TURN / 2)) / k.fields[i]!.wrap);
  const yaw = half(k.yaw, s.yaw), pitch = k.pitch < 0 ? 0 : half(k.pitch, s.pitch);
  if (!yaw && !pitch) return false;
  let x = s.speeds[k.x]!, z = s.speeds[k.z]!;
  if (pitch) {
    const sin = sine(pitch), cos = sine(pitch + TURN / 4);
    const y = s.speeds[k.y]!, flat = Math.sqrt(x * x + z * z);
    if (flat > 0) {
      const scale = (flat * cos - y * sin) / flat;
      x *= scale;
      z *= scale;
    }
    dst[k.y] = moved(s.values[k.y]!, y * cos + flat * sin, age);
  }
  const sin = sine(yaw), cos = sine(yaw + TURN / 4);
  dst[k.x] = moved(s.values[k.x]!, x * cos - z * sin, age);
  dst[k.z] = moved(s.values[k.z]!, z * cos + x * sin, age);
  return true;
}
