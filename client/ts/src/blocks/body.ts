// The body of the own player as a box, and how it moves among the boxes of blocks (server: sim/move, physics_sweep.go and
// physics_ray.go). Every result is rounded to float32, as Go does: by Math.fround, or because it is stored in a Float32Array.

import { Avatar, CRAWLING, GLIDING, LOW, ON_GROUND, SNEAKING, SWIMMING } from './avatar.js';
import { Ground, Kind, MAX_Y, MIN_Y } from './ground.js';
import { bound, fr } from './number.js';

export const HALF = fr(0.3); // half of the body's width
export const STEP = fr(0.6); // height of the highest step that the body walks up
const INSET = fr(1e-4);
const CONTACT = fr(1e-7);
const LOSS = fr(1e-5);

export const has = (a: Avatar, flags: number): boolean => (a.flags & flags) > 0;
export const set = (a: Avatar, flags: number, on: boolean): void => {
  a.flags = on ? a.flags | flags : a.flags & ~flags;
};

/** The height of the body in its posture, in blocks. */
export const heightOf = (a: Avatar): number => fr(has(a, SWIMMING | GLIDING | CRAWLING) ? 0.6 : has(a, SNEAKING) ? LOW : 1.8);

export const lengthXZ2 = (x: number, z: number): number => fr(fr(x * x) + fr(z * z));
export const cell = (x: number): number => Math.floor(bound(x, 1 << 30));
// A box is six numbers: minimum x, y, z, maximum x, y, z. An axis is the index of its minimum: 0 x, 1 y, 2 z.
const feet = new Float32Array(3);
const region = new Float32Array(6); // what the body may touch in a movement
export const faces = new Float32Array(6); // the faces of the body, less inset

// The distances of the body's faces from its feet on each axis, in the negative and in the positive direction.
const below = [HALF, 0, HALF], above = [HALF, 0, HALF]; // above[1] is the height
const inset = [INSET, 0, INSET];

/** The coordinates of the block that eachBlock visits. */
export const block = [0, 0, 0];

/** Calls visit for the blocks that a box overlaps, with a margin toward negative coordinates. */
export function eachBlock(ground: Ground, box: Float32Array, margin: number, visit: (k: Kind) => unknown): void {
  const first = (axis: number): number => cell(box[axis]! - margin), x0 = first(0), y0 = Math.max(first(1), MIN_Y), z0 = first(2);
  const last = (axis: number, most: number): number => Math.min(cell(box[axis + 3]!), most), x1 = last(0, x0 + 63), y1 = last(1, MAX_Y), z1 = last(2, z0 + 63);
  for (let x = x0; x <= x1; x++) {
    for (let z = z0; z <= z1; z++) {
      for (let y = y0; y <= y1; y++) {
        block[0] = x; block[1] = y; block[2] = z;
        visit(ground.at(x, y, z));
      }
    }
  }
}

// The boxes that the body may touch in a movement: those of blocks, and from floorsAt to boxesEnd those of platforms, which only
// stop a body that comes from above. The elements behind are of earlier movements.
export const boxes: number[] = [];
export const owners: Kind[] = []; // by index of a box: the kind of the block
let floorsAt = 0, boxesEnd = 0;

// Moves the feet along an axis.
function moveTo(axis: number, v: number): void {
  v = feet[axis] = fr(v);
  faces[axis] = fr(v - below[axis]!) + inset[axis]!;
  faces[axis + 3] = fr(v + above[axis]!) - inset[axis]!;
}

/** Places the body's feet. */
export function place(x: number, y: number, z: number, height: number): void {
  above[1] = height;
  moveTo(0, x);
  moveTo(1, y);
  moveTo(2, z);
}

const CUBE = [0, 0, 0, 1, 1, 1];

// Appends a box of the visited block if the region touches it.
function addBox(k: Kind, box: ArrayLike<number>, from: number): void {
  let near = true;
  for (let i = 0; i < 6; i++) {
    const v = boxes[boxesEnd + i] = fr(box[from + i]! + block[i % 3]!);
    near &&= i < 3 ? v <= region[i + 3]! : v >= region[i - 3]!;
  }
  owners[boxesEnd] = k;
  if (near) boxesEnd += 6;
}

/** Places the body and collects the boxes that it may touch when it moves by dx, dy, dz or rises by rise. */
export function collect(ground: Ground, a: Avatar, x: number, y: number, z: number, height: number, dx = 0, dy = 0, dz = 0, rise = 0): void {
  place(x + dx, y + dy, z + dz, height);
  region.set(faces);
  place(x, y, z, height);
  faces.forEach((v, i) => (region[i] = i < 3 ? Math.min(v, region[i]!) : Math.max(v, region[i]!)));
  region[4] = Math.max(region[4]!, fr(y + rise) + height);
  boxesEnd = 0;
  eachBlock(ground, region, CONTACT, (k) => {
    for (let i = 0; i < k.boxes.length; i += 6) addBox(k, k.boxes, i);
  });
  floorsAt = boxesEnd;
  if (!has(a, SNEAKING)) eachBlock(ground, region, CONTACT, (k) => k.platform && addBox(k, CUBE, 0));
}

/** Whether the body and the box at index i overlap along an axis. */
export const meets = (i: number, axis: number): boolean =>
  fr(faces[axis + 3]! - boxes[i + axis]!) > CONTACT && fr(boxes[i + axis + 3]! - faces[axis]!) > CONTACT;

/** Calls f with the index of each box of a block. */
export function eachBox(f: (i: number) => void): void {
  for (let i = 0; i < floorsAt; i += 6) f(i);
}

/** Whether the body overlaps a box of a block. */
export function blocked(): boolean {
  let yes = false;
  eachBox((i) => (yes ||= meets(i, 0) && meets(i, 1) && meets(i, 2)));
  return yes;
}

// Moves the body along an axis by d, or less if boxes are in the way. Returns the displacement. All numbers are mirrored if d is
// negative, so that the movement goes in the positive direction.
function slide(axis: number, d: number): number {
  if (d === 0 && axis !== 1) return 0;
  const sign = d < 0 ? -1 : 1, from = sign * feet[axis]!, ahead = (d < 0 ? below : above)[axis]!, behind = (d < 0 ? above : below)[axis]!;
  const head = (at: number): number => fr(fr(at + ahead) - inset[axis]!), tail = fr(fr(from - behind) + inset[axis]!);
  let left = sign * d, limit = Infinity; // limit: the nearest face in the way
  for (let i = 0; i < boxesEnd; i += 6) {
    if (i >= floorsAt && !(d < 0 && axis === 1 && feet[1]! >= fr(boxes[i + 4]! - CONTACT))) continue;
    if (!meets(i, (axis + 1) % 3) || !meets(i, (axis + 2) % 3)) continue;
    const near = sign * boxes[i + axis + (d < 0 ? 3 : 0)]!, far = sign * boxes[i + axis + (d < 0 ? 0 : 3)]!;
    const gap = fr(near - head(from)), rest = fr(far - tail);
    if (-gap > CONTACT) { // the body is in the box: it may go on through the nearer side
      if (rest > CONTACT && -gap < rest) left = 0;
    } else if (left > gap) {
      left = Math.max(gap, 0);
      limit = near;
    } else if (fr(head(fr(from + left)) - near) > CONTACT) limit = Math.min(limit, near);
  }
  let at = fr(from + left);
  for (let i = 0, over; (over = fr(head(at) - limit)) > CONTACT; i++) at = i < 2 ? Math.max(from, fr(at - over)) : from;
  moveTo(axis, sign * at);
  return sign * left;
}

/** The displacement of the last movement. */
export const got = new Float32Array(3);

/**
 * Moves the avatar by wx, wy, wz as far as boxes allow, and onto a step if it stands or lands. Sets whether it collided and stands. The
 * displacement is in got.
 */
export function sweep(a: Avatar, wx: number, wy: number, wz: number, ground: Ground): void {
  const { x, y, z } = a, onGround = has(a, ON_GROUND), height = heightOf(a);
  const slideAll = (dy: number, rise: number): [number, number, number] => {
    collect(ground, a, x, y, z, height, wx, wy, wz, rise);
    const goneY = slide(1, dy), goneX = slide(0, wx);
    return [goneX, goneY, slide(2, wz)];
  };
  const end = (gone: [number, number, number]): void => {
    got.set(gone);
    [a.x, a.y, a.z] = feet as unknown as [number, number, number];
  };
  end(slideAll(wy, 0));
  if ((got[0] !== wx || got[2] !== wz) && (onGround || (got[1] !== wy && wy < 0))) {
    const step = slideAll(STEP, STEP);
    step[1] += slide(1, -step[1]);
    if (!blocked() && lengthXZ2(step[0], step[2]) > lengthXZ2(got[0]!, got[2]!)) end(step);
  }
  const lost = (axis: number, w: number): number => (Math.abs(fr(w - got[axis]!)) < LOSS ? 0 : 1 << axis);
  a.collided = lost(0, wx) | lost(1, wy) | lost(2, wz);
  set(a, ON_GROUND, a.collided & 2 ? wy < 0 : onGround && Math.abs(wy) <= LOSS);
}
