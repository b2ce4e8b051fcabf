// The movement of the own player in water, lava and bubbles (server: sim/move, physics_liquid.go).

import { CRAWLING, ON_GROUND, SNEAKING, SPRINTING, SWIMMING } from './avatar.js';
import { a, block, blocked, collect, e, eachBlock, faces, ground, has, kindAt, lengthOf, neighbour, place, pos, STEP, v } from './body.js';
import { JUMPING, SNEAK_DOWN, WANT_DOWN } from './entry.js';
import type { Kind } from './ground.js';
import { add, fr, mul, toward } from './number.js';
import { preciseSine } from './trig.js';
import { accelerate, move, slowDown } from './walk.js';

const enum Swim {
  ACCELERATION = 0.02, RISE = 0.04, CLIMB_OUT = 0.3, STEER = 0.06, STEER_DOWN = 0.085, STEEP = -0.2, STRIDER = 0.546, OVERLAP = 1e-5, EYE = 1.62,
  SWIMMER_EYE = 0.4, BUBBLE_INSET = 1e-3,
}

/** A liquid: its number in Kind.liquid, by how much the box that must touch it is smaller than the body, and how it moves the body. */
type Liquid = [number: number, up: number, across: number, drag: number, sprintDrag: number, gravity: number, descend: number, current: number];
export const WATER: Liquid = [1, 0.401, 0.001, 0.8, 0.9, 0.005, 0.04, 0.014];
export const LAVA: Liquid = [2, 0.4, 0.1, 0.5, 0.5, 0.02, 0, 0.0035];

/** Whether the body touches a liquid. */
export function touches([liquid, up, across]: Liquid): boolean {
  let found = false;
  place(pos, up, across);
  eachBlock((k) => (found ||= k.liquid === liquid && block.every((at, axis) => at < faces[axis + 3]!)));
  return found;
}

const level = (k: Kind): number => k.depth & 7;

/** Whether the eyes are under water. */
export function eyesUnderWater(): boolean {
  const height = has(SWIMMING) ? Swim.SWIMMER_EYE : Swim.EYE, eye = add(pos[1]!, height), k = kindAt(height);
  return k.liquid === 1 && (kindAt(height, 1).liquid === 1 || eye < add(Math.floor(eye), 1 - mul(level(k), 1 / 9)));
}

// Scales a vector to length 1.
function normalize(d: Float32Array): void {
  const length = lengthOf(...d) || Infinity;
  d.forEach((x, axis) => (d[axis] = x / length));
}

// Adds to the velocity the current of the liquid's blocks that the body overlaps. The caller must have placed the body.
function addCurrent(liquid: number, speed: number): void {
  const sum = new Float32Array(3);
  let flows = false;
  eachBlock((k) => {
    if (k.liquid !== liquid) return;
    const d = new Float32Array(3);
    let beside = false; // the liquid block is beside a solid block
    flows ||= k.depth > 0;
    for (const [x, z] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const) {
      const solid = (up: number): boolean => neighbour(x, up, z).boxes.length > 0;
      let side = neighbour(x, 0, z), drop = -level(k);
      if (side.liquid !== liquid && !solid(0)) {
        side = neighbour(x, -1, z);
        drop += 8;
      }
      if (side.liquid === liquid) {
        flows ||= side.depth > 0;
        drop += level(side);
        d[0]! += x * drop;
        d[2]! += z * drop;
      }
      beside ||= solid(0) || solid(1);
    }
    normalize(d);
    if (k.depth >= 8 && beside) {
      d[1]! -= 6;
      normalize(d);
    }
    d.forEach((x, axis) => (sum[axis]! += x));
  }, [0, 1, 2]);
  normalize(sum);
  sum.forEach((x, axis) => (v[axis]! += flows ? mul(x, speed) : 0));
}

export function stepLiquid([liquid, up, across, drag, sprintDrag, gravity, descend, current]: Liquid): void {
  const swims = has(SWIMMING), water = liquid === 1, dives = swims && water, emerges = dives && !eyesUnderWater();
  place(pos, up, across);
  addCurrent(liquid, current);
  if (e.keys & WANT_DOWN || (!swims && (has(SNEAKING) || e.keys & SNEAK_DOWN))) v[1] = add(v[1]!, -descend);
  if (e.keys & JUMPING) v[1] = (water && a.swimPose % 10) || emerges ? 0 : add(v[1]!, Swim.RISE);
  else {
    a.jumpDelay = 0;
    const look = -preciseSine(a.pitch);
    if (dives) v[1] = emerges && look > 0 ? 0 : toward(v[1]!, look, look < Swim.STEEP ? Swim.STEER_DOWN : Swim.STEER);
  }
  const strider = water ? fr(Math.min(a.depthStrider, 3) / 3) / (has(ON_GROUND) ? 1 : 2) : 0, from = pos[1]!;
  const friction = toward(has(SPRINTING) ? sprintDrag : drag, Swim.STRIDER, strider);
  accelerate(toward(Swim.ACCELERATION, a.speed, strider), CRAWLING);
  move();
  slowDown(friction);
  v[1] = add(mul(v[1]!, drag), dives ? -0 : -gravity);
  if (a.collided & 5 && roomAbove(add(STEP, from - pos[1]!))) v[1] = Swim.CLIMB_OUT;
}

// Whether there is neither a solid block nor a liquid at the position to which the velocity leads the body, raised by rise.
function roomAbove(rise: number): boolean {
  const to = pos.map((x, axis) => x + v[axis]!);
  to[1]! += rise;
  collect(to);
  let room = !blocked();
  place(to, Swim.OVERLAP);
  eachBlock((k) => (room &&= !k.liquid));
  return room;
}

/** Applies the bubbles that the body touches. */
export function rideBubbles(): void {
  place(pos, Swim.BUBBLE_INSET, Swim.BUBBLE_INSET);
  eachBlock((k) => {
    const top = neighbour(0, 1, 0) === ground.kinds[0];
    if (k.bubbles === 1) v[1] = Math.min(add(v[1]!, top ? 0.1 : 0.06), top ? 1.8 : 0.7);
    else if (k.bubbles) v[1] = Math.max(add(v[1]!, -0.03), top ? -0.9 : -0.3);
  }, [1, 2, 0]);
}
