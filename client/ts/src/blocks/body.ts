// The body of the own player as a box, and how it moves among the boxes of blocks (server: sim/move, physics_sweep.go and
// physics_ray.go). Every result is rounded to float32, as Go does, except distances to the face of a block in comparisons with
// CONTACT. Rounding would not change such short distances, because the coordinate of a face is 0 or far from 0.

import { Avatar, CRAWLING, GLIDING, LOW, ON_GROUND, SNEAKING, SWIMMING } from './avatar.js';
import type { Entry } from './entry.js';
import type { Ground, Kind } from './ground.js';
import { add, bound, fr, mul } from './number.js';

export const STEP = fr(0.6); // height of the highest step that the body walks up, blocks
const CONTACT = fr(1e-7);
const LOSS = fr(1e-5);

// What a tick works on: the avatar, its input, the blocks. An axis is a number: 0 x, 1 y, 2 z.
export let a: Avatar, e: Entry, ground: Ground;
export const pos = new Float32Array(3); // position of the feet
export const v = new Float32Array(3); // velocity

/** Sets the avatar, the blocks and the input that the functions of the physics refer to. */
export function load(avatar: Avatar, blocks: Ground, entry = e): void {
  a = avatar; ground = blocks; e = entry;
  pos.set([a.x, a.y, a.z]);
  v.set([a.vx, a.vy, a.vz]);
}

/** Stores position and velocity in the avatar. */
export function save(): void {
  [a.x, a.y, a.z] = pos as unknown as [number, number, number];
  [a.vx, a.vy, a.vz] = v as unknown as [number, number, number];
}

export const has = (flags: number, of = a): boolean => (of.flags & flags) > 0;
export const set = (flags: number, on: unknown): void => {
  a.flags = on ? a.flags | flags : a.flags & ~flags;
};

/** The height of the body in its posture, in blocks. */
export const heightOf = (of: Avatar): number => fr(has(SWIMMING | GLIDING | CRAWLING, of) ? 0.6 : has(SNEAKING, of) ? LOW : 1.8);

/** The length of a vector. */
export const lengthOf = (...vector: number[]): number => fr(Math.sqrt(length2(...vector)));
/** The square of the length of a vector. */
export const length2 = (...vector: number[]): number => vector.reduce((sum, x) => add(sum, mul(x, x)), 0);

const cell = (x: number): number => Math.floor(bound(x, 1 << 30));

/** The kind of the block at a height above the feet, or of one up blocks above it. */
export const kindAt = (height: number, up = 0): Kind => ground.at(cell(pos[0]!), cell(add(pos[1]!, height)) + up, cell(pos[2]!));

const feet = new Float32Array(3);
/** The box of the placed body. A box is six numbers: minimum x, y, z, maximum x, y, z. */
export let faces: number[];
let inset: number[];
const extent = [-0.3, 0, -0.3, 0.3, 0, 0.3];
const boxAt = (at: ArrayLike<number>): number[] => extent.map((x, i) => add(add(at[i % 3]!, x), inset[i]!));

/** Places the body, made smaller at all sides. */
export function place(at = pos, up = 0, across = 1e-4): void {
  extent[4] = heightOf(a);
  inset = [across, up, across, -across, -up, -across];
  feet.set(at);
  faces = boxAt(at);
  if (faces[1]! > faces[4]!) faces[1] = faces[4] = add(at[1]!, extent[4]! / 2);
}

/** The coordinates of the block that eachBlock visits. */
export const block: [number, number, number] = [0, 0, 0];

/** The kind of a block near the visited one. */
export const neighbour = (x: number, y: number, z: number): Kind => ground.at(block[0] + x, block[1] + y, block[2] + z);

/**
 * Calls visit for the blocks that a box overlaps, with a margin toward negative coordinates. The coordinate of the last axis
 * changes fastest.
 */
export function eachBlock(visit: (k: Kind) => void, order = [0, 2, 1], box = faces, margin = 0, depth = 0): void {
  const axis = order[depth]!, first = cell(box[axis]! - margin), last = Math.min(cell(box[axis + 3]!), first + 63);
  for (let at = first; at <= last; at++) {
    block[axis] = at;
    if (depth < 2) eachBlock(visit, order, box, margin, depth + 1);
    else visit(neighbour(0, 0, 0));
  }
}

// The boxes that the body may touch in a movement, each with the kind of its block. Boxes without a kind are platforms, which only
// stop a body that comes from above.
let boxes: [number[], Kind?][];

/** Places the body and collects the boxes that it may touch when it moves by its velocity or rises. */
export function collect(at = pos, rise = 0): void {
  place(at);
  const to = boxAt([0, 1, 2].map((axis) => add(at[axis]!, v[axis]!)));
  const region = faces.map((x, i) => (i < 3 ? Math.min : Math.max)(x, to[i]!));
  region[4] = Math.max(region[4]!, add(add(at[1]!, rise), extent[4]!));
  boxes = [];
  eachBlock((k) => {
    const append = (box: ArrayLike<number>, from: number, owner?: Kind): void => {
      const moved = region.map((_, i) => add(box[from + i]!, block[i % 3]!));
      if (moved.every((x, i) => (i < 3 ? x <= region[i + 3]! : x >= region[i - 3]!))) boxes.push([moved, owner]);
    };
    for (let i = 0; i < k.boxes.length; i += 6) append(k.boxes, i, k);
    if (k.platform && !has(SNEAKING)) append([0, 0, 0, 1, 1, 1], 0);
  }, undefined, region, CONTACT);
}

// Whether the body and a box overlap along all axes. The axis in the parameter but, if given, is not checked.
const meets = (box: number[], but?: number): boolean =>
  [0, 1, 2].every((axis) => axis === but || (faces[axis + 3]! - box[axis]! > CONTACT && box[axis + 3]! - faces[axis]! > CONTACT));

/** Whether the body overlaps a box of a block. */
export const blocked = (): boolean => boxes.some(([box, owner]) => owner && meets(box));

/** Returns the bounce of the block under the feet: of the collected boxes that the feet touch, the nearest one counts. */
export function bounceBelow(): number {
  let least = 2, bounce = 0;
  place();
  for (const [box, owner] of boxes) {
    const d = length2(...[0, 2].map((axis) => pos[axis]! - Math.max(box[axis]!, Math.min(pos[axis]!, box[axis + 3]!))));
    if (owner && Math.abs(box[4]! - pos[1]!) <= fr(1e-3) && meets(box, 1) && d < least) [least, bounce] = [d, owner.bounce];
  }
  return bounce;
}

// Moves the body along an axis by d, or less if boxes are in the way. Returns the displacement. All numbers are mirrored if d is
// negative, so that the movement goes in the positive direction.
function slide(axis: number, d: number): number {
  if (!d) return 0;
  const sign = Math.sign(d), [front, back] = d < 0 ? [axis, axis + 3] : [axis + 3, axis] as const, from = sign * feet[axis]!;
  const start = sign * faces[front]!, tail = sign * faces[back]!;
  let limit = Infinity; // coordinate of the nearest face in the way
  for (const [box, owner] of boxes) {
    if (!(owner || (front === 1 && -from >= fr(box[4]! - CONTACT))) || !meets(box, axis)) continue;
    const near = sign * box[back]!, over = fr(start - near);
    if (over <= CONTACT) limit = Math.min(limit, near);
    else if (over < fr(sign * box[front]! - tail)) d = 0; // the body overlaps the box: it may leave the box only through the nearer side
  }
  const left = Math.min(sign * d, Math.max(fr(limit - start), 0));
  let at = from + left;
  for (let tries = 3, over; ; at = --tries ? Math.max(from, at - over) : from) { // repeated while rounding puts the body past the limit
    at = fr(at);
    feet[axis] = sign * at;
    faces = boxAt(feet);
    over = fr(sign * faces[front]! - limit);
    if (over <= CONTACT) return sign * left;
  }
}

/**
 * Moves the avatar by its velocity as far as boxes allow, and onto a step if it stands or lands. Sets whether it collided and stands; its
 * velocity becomes the displacement.
 */
export function sweep(): void {
  const want = v.slice(), stood = has(ON_GROUND);
  let got = want, end = pos, farthest = -1;
  const slideAll = (rise: number): void => {
    v.set(want);
    collect(pos, rise);
    v[1] = rise || v[1]!;
    for (const axis of [1, 0, 2]) v[axis] = slide(axis, v[axis]!);
    if (rise) v[1]! += slide(1, -v[1]!);
    const far = length2(v[0]!, v[2]!);
    if (far > farthest && !(rise && blocked())) [got, end, farthest] = [v.slice(), feet.slice(), far];
  };
  slideAll(0);
  if ((got[0] !== want[0] || got[2] !== want[2]) && (stood || (got[1] !== want[1] && want[1]! < 0))) slideAll(STEP);
  pos.set(end);
  v.set(got);
  a.collided = 0;
  want.forEach((w, axis) => (a.collided |= +(Math.abs(fr(w - v[axis]!)) >= LOSS) << axis));
  set(ON_GROUND, a.collided & 2 ? want[1]! < 0 : stood && Math.abs(want[1]!) <= LOSS);
}
