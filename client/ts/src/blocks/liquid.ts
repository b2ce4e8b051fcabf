// The movement of the own player in water, lava and bubbles (server: sim/move, physics_liquid.go).

import { Avatar, CRAWLING, ON_GROUND, SNEAKING, SPRINTING, SWIMMING } from './avatar.js';
import { block, blocked, cell, collect, eachBlock, faces, HALF, has, heightOf, STEP } from './body.js';
import { Entry, JUMPING, SNEAK_DOWN, WANT_DOWN } from './entry.js';
import { Ground, Kind } from './ground.js';
import { fr } from './number.js';
import { preciseSine } from './trig.js';
import { accelerate, move, RAD, slowDown } from './walk.js';

const ACCELERATION = fr(0.02);
const RISE = fr(0.04);
const CLIMB_OUT = fr(0.3);
const STEER = fr(0.06);
const STEER_DOWN = fr(0.085);
const STEEP = fr(-0.2);
const STRIDER = fr(0.546);
const OVERLAP = fr(1e-5);
const NINTH = fr(1 / 9);
const EYE = fr(1.62);
const SWIMMER_EYE = fr(0.4);
const BUBBLE_INSET = fr(1e-3);

/** Values of Kind.liquid. */
export const WATER = 1, LAVA = 2;

// By how much less than the body touches a liquid, across and up, and how the liquid moves it.
type Rules = [across: number, up: number, drag: number, sprintDrag: number, gravity: number, descend: number, current: number];
const rules = (...r: Rules): Rules => r.map(fr) as Rules;
const WATER_RULES = rules(0.001, 0.401, 0.8, 0.9, 0.005, 0.04, 0.014);
const LAVA_RULES = rules(0.1, 0.4, 0.5, 0.5, 0.02, 0, 0.0035);
const rulesOf = (liquid: number): Rules => (liquid === LAVA ? LAVA_RULES : WATER_RULES);

// The box of the body that touches a liquid.
const wet = new Float32Array(6);

function shrink(a: Avatar, across: number, up: number): void {
  const height = heightOf(a);
  wet[0] = fr(a.x - HALF) + across; wet[3] = fr(a.x + HALF) - across;
  wet[2] = fr(a.z - HALF) + across; wet[5] = fr(a.z + HALF) - across;
  wet[1] = a.y + up; wet[4] = fr(a.y + height) - up;
  if (wet[1]! > wet[4]!) wet[1] = wet[4] = a.y + fr(height * 0.5);
}

/** Whether the body touches a liquid. */
export function touches(a: Avatar, liquid: number, ground: Ground): boolean {
  const [across, up] = rulesOf(liquid);
  let found = false;
  shrink(a, across, up);
  eachBlock(ground, wet, 0, (k) => (found ||= k.liquid === liquid && [0, 1, 2].every((axis) => block[axis]! < wet[axis + 3]!)));
  return found;
}

/** Whether the eyes are under water. */
export function eyesUnderWater(a: Avatar, ground: Ground): boolean {
  const eye = fr(a.y + (has(a, SWIMMING) ? SWIMMER_EYE : EYE)), x = cell(a.x), y = cell(eye), z = cell(a.z), k = ground.at(x, y, z);
  return k.liquid === WATER && (ground.at(x, y + 1, z).liquid === WATER || eye < fr(y + fr(1 - fr(level(k) * NINTH))));
}

// The direction of the current.
let cx = 0, cy = 0, cz = 0;

function normalize(): void {
  const d = fr(Math.sqrt(fr(fr(fr(cx * cx) + fr(cy * cy)) + fr(cz * cz)))) || Infinity;
  cx = fr(cx / d); cy = fr(cy / d); cz = fr(cz / d);
}

const level = (k: Kind): number => (k.depth >= 8 ? 0 : k.depth);

// Stores the direction of the current in one block in cx, cy, cz. Returns whether the liquid flows there.
function blockCurrent(k: Kind, x: number, y: number, z: number, ground: Ground): boolean {
  let flows = k.depth > 0, beside = false;
  cx = cy = cz = 0;
  for (const [dx, dz] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const) {
    const solid = (up: number): boolean => ground.at(x + dx, y + up, z + dz).boxes.length > 0;
    let step = 0;
    const flow = (up: number): boolean => {
      const side = ground.at(x + dx, y + up, z + dz), same = side.liquid === k.liquid;
      if (same) {
        flows ||= side.depth > 0;
        step = level(side) - 8 * up - level(k);
      }
      return same;
    };
    if (!flow(0) && !solid(0)) flow(-1);
    cx += dx * step;
    cz += dz * step;
    beside ||= solid(0) || solid(1);
  }
  normalize();
  if (k.depth >= 8 && beside) {
    cy = fr(cy - 6);
    normalize();
  }
  return flows;
}

// Stores the direction of the current of a liquid around the body in cx, cy, cz.
function findCurrent(liquid: number, ground: Ground): void {
  let sx = 0, sy = 0, sz = 0, flows = false;
  for (let x = cell(wet[0]!); x <= wet[3]!; x++) {
    for (let y = cell(wet[1]!); y <= wet[4]!; y++) {
      for (let z = cell(wet[2]!); z <= wet[5]!; z++) {
        const k = ground.at(x, y, z);
        if (k.liquid !== liquid) continue;
        flows = blockCurrent(k, x, y, z, ground) || flows;
        sx = fr(sx + cx); sy = fr(sy + cy); sz = fr(sz + cz);
      }
    }
  }
  cx = sx; cy = sy; cz = sz;
  if (flows) normalize();
  else cx = cy = cz = 0;
}

export function stepLiquid(a: Avatar, e: Entry, liquid: number, ground: Ground): void {
  const [across, up, drag, sprintDrag, gravity, descend, current] = rulesOf(liquid), swims = has(a, SWIMMING), dives = swims && liquid === WATER;
  shrink(a, across, up);
  findCurrent(liquid, ground);
  a.vx = fr(a.vx + fr(cx * current));
  a.vy = fr(a.vy + fr(cy * current));
  a.vz = fr(a.vz + fr(cz * current));
  if (e.keys & WANT_DOWN || (!swims && (has(a, SNEAKING) || e.keys & SNEAK_DOWN))) a.vy = fr(a.vy - descend);
  if (!(e.keys & JUMPING)) {
    a.jumpDelay = 0;
    if (dives) {
      const look = -preciseSine(fr(a.pitch * RAD));
      if (look > 0 && !eyesUnderWater(a, ground)) a.vy = 0;
      else a.vy = fr(a.vy + fr(fr(look - a.vy) * (look < STEEP ? STEER_DOWN : STEER)));
    }
  } else if (liquid === WATER && ((a.swimPose > 0 && a.swimPose < 10) || (swims && !eyesUnderWater(a, ground)))) a.vy = 0;
  else a.vy = fr(a.vy + RISE);
  let accel = ACCELERATION, friction = has(a, SPRINTING) ? sprintDrag : drag;
  if (a.depthStrider > 0 && liquid === WATER) {
    let share = fr(Math.min(a.depthStrider, 3) / 3);
    if (!has(a, ON_GROUND)) share = fr(share * 0.5);
    accel = fr(accel + fr(fr(a.speed - accel) * share));
    friction = fr(friction + fr(fr(STRIDER - friction) * share));
  }
  accelerate(a, e, accel, CRAWLING);
  const from = a.y;
  move(a, ground);
  slowDown(a, friction);
  a.vy = fr(a.vy * drag);
  if (!dives) a.vy = fr(a.vy - gravity);
  if (a.collided & 5 && roomAbove(a, fr(STEP - fr(a.y - from)), ground)) a.vy = CLIMB_OUT;
}

// Whether the body has room where its velocity leads it, higher by rise, and is out of liquids there.
function roomAbove(a: Avatar, rise: number, ground: Ground): boolean {
  const height = heightOf(a);
  collect(ground, a, fr(a.x + a.vx), fr(fr(a.y + a.vy) + rise), fr(a.z + a.vz), height);
  let room = !blocked();
  faces[1] = faces[1]! + OVERLAP;
  faces[4] = faces[4]! - OVERLAP;
  eachBlock(ground, faces, 0, (k) => (room &&= !k.liquid));
  return room;
}

/** Applies the bubbles that the body touches. */
export function rideBubbles(a: Avatar, ground: Ground): void {
  shrink(a, BUBBLE_INSET, BUBBLE_INSET);
  for (let y = cell(wet[1]!); y <= wet[4]!; y++) {
    for (let z = cell(wet[2]!); z <= wet[5]!; z++) {
      for (let x = cell(wet[0]!); x <= wet[3]!; x++) {
        const b = ground.at(x, y, z).bubbles, top = ground.at(x, y + 1, z) === ground.kinds[0];
        if (b === 1) a.vy = Math.min(fr(a.vy + fr(top ? 0.1 : 0.06)), fr(top ? 1.8 : 0.7));
        else if (b) a.vy = Math.max(fr(a.vy + fr(-0.03)), fr(top ? -0.9 : -0.3));
      }
    }
  }
}
