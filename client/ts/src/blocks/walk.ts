// The movement of the own player on land in each tick, with the same steps and the same rounding as in the server's package sim/move
// (docs/wire/bedrock.md, movement physics).

import {
  Avatar, CRAWLING, DEAD, FLYING, FORCED_LOW, GLIDING, HAS_KNOCKBACK, IMMOBILE, LOW, MAX_KNOCKBACK, MAY_FLY, MAY_SPRINT, ON_GROUND, SNEAKING, SNEAK_HELD, SOUL_SPEED,
  SPRINTING, SWIMMING, USING_ITEM,
} from './avatar.js';
import { blocked, boxes, cell, collect, eachBlock, eachBox, faces, got, has, heightOf, lengthXZ2, meets, owners, place, set, sweep } from './body.js';
import { Entry, JUMP_DELAY, JUMPING, SNEAK_DOWN, START_JUMP, START_SNEAK, START_SPRINT, STOP_SNEAK, STOP_SPRINT } from './entry.js';
import { Ground, Kind } from './ground.js';
import { bound, fr } from './number.js';
import { cosine, sine } from './trig.js';

const AIR_FRICTION = fr(0.91);
const CLIMB = fr(0.2);
const SCAFFOLD = fr(0.15);
const HONEY_ACROSS = fr(0.4);
export const GRAVITY = fr(0.08);
const EDGE_INSET = fr(0.025);
const EDGE_STEP = fr(0.05);
export const RAD = fr(0.017453292);

/** Multiplies the velocity. */
export function scale(a: Avatar, x: number, y: number, z: number): void {
  a.vx = fr(a.vx * x); a.vy = fr(a.vy * y); a.vz = fr(a.vz * z);
}

export function stop(a: Avatar): void {
  a.vx = a.vy = a.vz = 0;
}

/** Multiplies the horizontal velocity by a factor of friction; very low speeds become 0. */
export function slowDown(a: Avatar, factor: number): void {
  const tiny = (v: number): number => (Math.abs(v) < fr(1e-30) ? 0 : v);
  a.vx = tiny(fr(a.vx * factor));
  a.vz = tiny(fr(a.vz * factor));
}

// Adds a velocity that is relative to the direction of the player.
function thrust(a: Avatar, strafe: number, forward: number): void {
  const facing = fr(a.yaw * RAD), sin = sine(facing), cos = cosine(facing);
  a.vx = fr(a.vx + fr(fr(strafe * cos) - fr(forward * sin)));
  a.vz = fr(a.vz + fr(fr(forward * cos) + fr(strafe * sin)));
}

/** Accelerates the player by its sticks. */
export function accelerate(a: Avatar, e: Entry, accel: number, slow: number): void {
  let maximum = fr(has(a, USING_ITEM) ? 0.1225 : 1);
  if (has(a, slow)) maximum = fr(maximum * fr(0.3));
  const impulse = (stick: number): number => fr(bound(fr(stick / 127), maximum) * fr(0.98));
  const strafe = impulse(e.strafe), forward = impulse(e.forward), q = lengthXZ2(strafe, forward);
  if (q < fr(1e-4)) return;
  const k = fr(accel / Math.max(fr(Math.sqrt(q)), 1));
  thrust(a, fr(strafe * k), fr(forward * k));
}

/**
 * Applies one kind of request: sets the flag if its start is requested and allowed, clears it if its end is requested or if it is not
 * allowed.
 */
export function grant(a: Avatar, flag: number, may: boolean, keys: number, start: number, end: number): void {
  if (keys & end || !may) set(a, flag, false);
  else if (keys & start) set(a, flag, true);
}

export function requestSprint(a: Avatar, e: Entry): void {
  const forward = fr(e.forward / 127);
  const may = has(a, MAY_SPRINT) && (has(a, SPRINTING) ? forward > 0 || has(a, SWIMMING) : forward > fr(0.7));
  grant(a, SPRINTING, may, e.keys, START_SPRINT, STOP_SPRINT);
  if (!has(a, MAY_FLY)) set(a, FLYING, false);
}

/** Applies requests to sneak. A body of the height before stays low where it has no room to stand up. */
export function requestSneak(a: Avatar, keys: number, before: number, ground: Ground): void {
  const held = (keys & SNEAK_DOWN) !== 0;
  set(a, SNEAKING, !(keys & STOP_SNEAK) && (held || (keys & START_SNEAK) > 0 || (has(a, SNEAKING) && !has(a, SNEAK_HELD | FORCED_LOW))));
  set(a, SNEAK_HELD, held);
  set(a, CRAWLING | FORCED_LOW, false);
  const hasRoom = (height: number): boolean => {
    collect(ground, a, a.x, a.y, a.z, height);
    faces[1] = a.y + before;
    return !blocked();
  };
  if (heightOf(a) > before && !hasRoom(heightOf(a))) {
    set(a, FORCED_LOW, true);
    set(a, before >= LOW || hasRoom(LOW) ? SNEAKING : CRAWLING, true);
  }
}

let sticky = false; // the body touches honey
const slow = new Float32Array(3); // factor by which the blocks that it touches slow it on each axis; Infinity: they do not

/** Finds the blocks that hinder the body. */
export function touch(a: Avatar, ground: Ground): void {
  sticky = false;
  slow.fill(Infinity);
  place(a.x, a.y, a.z, heightOf(a));
  eachBlock(ground, faces, 0, (k) => {
    sticky ||= k.sticky;
    if (k.slow[0]) slow.forEach((v, axis) => (slow[axis] = Math.min(v, k.slow[axis]!)));
  });
}

function jump(a: Avatar, keys: number, honey: boolean): void {
  if (!(keys & JUMPING)) a.jumpDelay = 0;
  if (!(keys & (START_JUMP | JUMPING)) || a.jumpDelay > 0) return;
  const grounded = has(a, ON_GROUND);
  if (grounded || keys & START_JUMP) a.jumpDelay = JUMP_DELAY;
  if (!grounded) return;
  const speed = fr(fr(0.42) + fr(fr(0.1) * a.jumpBoost));
  a.vy = Math.max(a.vy, honey ? fr(speed * fr(0.6)) : speed);
  if (has(a, SPRINTING)) thrust(a, 0, fr(0.2));
}

function climb(a: Avatar, keys: number, ground: Ground): void {
  const k = ground.at(cell(a.x), cell(a.y), cell(a.z)), sneaks = has(a, SNEAKING);
  if (!k.climbable) return;
  if (k.platform) {
    a.vy = keys & JUMPING ? SCAFFOLD : sneaks ? -SCAFFOLD : Math.max(a.vy, -SCAFFOLD);
    return;
  }
  a.vy = keys & JUMPING || a.collided & 5 ? CLIMB : Math.max(a.vy, -CLIMB);
  if (sneaks) a.vy = Math.max(a.vy, 0);
}

// Shortens the movement of a sneaking body so that it does not step over an edge.
function guardEdge(a: Avatar, ground: Ground): void {
  const height = heightOf(a), y = fr(a.y - fr(0.606));
  collect(ground, a, a.x, y, a.z, height, a.vx, 0, a.vz);
  const shift = (axis: number, d: number): void => {
    faces[axis] = fr(faces[axis]! + EDGE_INSET) + d;
    faces[axis + 3] = fr(faces[axis + 3]! - EDGE_INSET) + d;
  };
  const supported = (x: number, z: number): boolean => {
    place(a.x, y, a.z, height);
    shift(0, x);
    shift(2, z);
    return blocked();
  };
  const shortened = (v: number): number => (v >= EDGE_STEP ? fr(v - EDGE_STEP) : v < -EDGE_STEP ? fr(v + EDGE_STEP) : 0);
  while (a.vx && !supported(a.vx, 0)) a.vx = shortened(a.vx);
  while (a.vz && !supported(0, a.vz)) a.vz = shortened(a.vz);
  while (a.vx && a.vz && !supported(a.vx, a.vz)) {
    a.vx = shortened(a.vx);
    a.vz = shortened(a.vz);
  }
}

// Returns how the block under the feet throws the body back, from the boxes that the last sweep collected.
function bounceBelow(a: Avatar): number {
  let least = 2, bounce = 0;
  place(a.x, a.y, a.z, 0);
  eachBox((i) => {
    const b = (axis: number): number => boxes[i + axis]!;
    if (Math.abs(fr(b(4) - a.y)) > fr(1e-3) || !meets(i, 0) || !meets(i, 2)) return;
    const d = lengthXZ2(fr(a.x - Math.max(b(0), Math.min(a.x, b(3)))), fr(a.z - Math.max(b(2), Math.min(a.z, b(5)))));
    if (d >= least) return;
    least = d;
    bounce = owners[i]!.bounce;
  });
  return bounce;
}

/** Moves the body by its velocity. Returns whether blocks slow it. */
export function move(a: Avatar, ground: Ground): boolean {
  const slowed = slow[0]! < Infinity;
  if (slowed) scale(a, slow[0]!, slow[1]!, slow[2]!);
  if (has(a, SNEAKING) && has(a, ON_GROUND) && a.vy <= 0) guardEdge(a, ground);
  const { y, vx, vy, vz } = a, stood = has(a, ON_GROUND);
  sweep(a, vx, vy, vz, ground);
  const stands = has(a, ON_GROUND) && !has(a, SNEAKING), fell = Math.abs(got[1]!);
  if (stands && a.y === y && fell < fr(0.1) && bounceBelow(a) === 1) {
    const drag = fr(fr(0.4) + fr(fr(0.2) * fell));
    got[0]! *= drag;
    got[2]! *= drag;
  }
  a.vx = a.collided & 1 ? 0 : got[0]!;
  a.vy = a.collided & 2 ? 0 : got[1]!;
  a.vz = a.collided & 4 ? 0 : got[2]!;
  if (stands && !stood) {
    const b = bounceBelow(a);
    a.vy = b === 1 ? -vy : b === 2 ? Math.min(1, fr(fr(-0.66) * vy)) : 0;
  }
  if (slowed) stop(a);
  return slowed;
}

export function stepWalk(a: Avatar, e: Entry, ground: Ground): void {
  if (sticky) {
    a.vy = Math.max(a.vy, -fr(0.12));
    scale(a, HONEY_ACROSS, 1, HONEY_ACROSS);
  }
  const below: Kind | false = has(a, ON_GROUND) && ground.at(cell(a.x), cell(fr(a.y - 0.5)), cell(a.z)), sprints = has(a, SPRINTING);
  let friction = AIR_FRICTION, accel = fr(sprints ? 0.026 : 0.02);
  if (below) {
    friction = fr(AIR_FRICTION * below.slip);
    let speed = a.speed;
    if (!has(a, SOUL_SPEED)) speed = fr(speed * below.speed);
    if (sprints) speed = fr(speed * fr(1.3));
    accel = fr(speed * fr(fr(0.16277136) / fr(fr(friction * friction) * friction)));
  }
  accelerate(a, e, accel, SNEAKING | CRAWLING);
  jump(a, e.keys, below && below.sticky);
  climb(a, e.keys, ground);
  let rising = a.vy;
  if (move(a, ground)) rising = 0;
  if (a.levitation > 0) a.vy = fr(fr(0.8) * rising + fr(fr(0.01) * a.levitation));
  else a.vy = fr(a.vy - (a.slowFalling > 0 && rising < 0 ? fr(0.01) : GRAVITY));
  a.vy = fr(a.vy * fr(0.98));
  slowDown(a, friction);
}

/** Begins a tick: turns the player to the view of the entry, lets a body that hardly moves stand still, and applies a blow of the server. */
export function begin(a: Avatar, e: Entry): void {
  a.pitch = e.pitch;
  a.yaw = a.headYaw = fr(e.yaw * (360 / 65536));
  if (fr(lengthXZ2(a.vx, a.vy) + fr(a.vz * a.vz)) < fr(1e-12)) stop(a);
  if (!has(a, HAS_KNOCKBACK)) return;
  a.vx = bound(a.kx, MAX_KNOCKBACK); a.vy = bound(a.ky, MAX_KNOCKBACK); a.vz = bound(a.kz, MAX_KNOCKBACK);
  a.kx = a.ky = a.kz = 0;
  set(a, HAS_KNOCKBACK, false);
}

/** Whether the player is dead, immobile or flying: then only the server knows its movement. */
export const held = (a: Avatar): boolean => has(a, DEAD | IMMOBILE | FLYING);

export function halt(a: Avatar): void {
  stop(a);
  a.collided = 0;
}

/**
 * Moves an avatar that walks by one tick, on ground without liquids. The same avatar, entry and ground give the same bits as on the
 * server.
 */
export function step(a: Avatar, e: Entry, ground: Ground): void {
  begin(a, e);
  const before = heightOf(a);
  if (!has(a, DEAD)) {
    requestSprint(a, e);
    set(a, SWIMMING | GLIDING, false);
    requestSneak(a, e.keys, before, ground);
  }
  touch(a, ground);
  if (held(a)) halt(a);
  else stepWalk(a, e, ground);
  if (a.jumpDelay > 0) a.jumpDelay--;
}
