// The movement of the own player on land in each tick, with the same steps and the same rounding as in the server's package sim/move
// (docs/wire/bedrock.md, movement physics).

import {
  Avatar, CRAWLING, DEAD, FLYING, FORCED_LOW, GLIDING, HAS_KNOCKBACK, IMMOBILE, LOW, MAX_KNOCKBACK, MAY_FLY, MAY_SPRINT, ON_GROUND, SNEAKING, SNEAK_HELD, SOUL_SPEED,
  SPRINTING, SWIMMING, USING_ITEM,
} from './avatar.js';
import { a, blocked, bounceBelow, collect, e, eachBlock, faces, has, heightOf, kindAt, length2, lengthOf, load, place, pos, save, set, sweep, v } from './body.js';
import { Entry, JUMP_DELAY, JUMPING, SNEAK_DOWN, START_JUMP, START_SNEAK, startOf, STOP_SNEAK } from './entry.js';
import { Ground } from './ground.js';
import { add, bound, fr, mul } from './number.js';
import { sineCosine } from './trig.js';

export const enum Walk { AIR_FRICTION = 0.91, CLIMB = 0.2, SCAFFOLD = 0.15, EDGE_INSET = 0.025, EDGE_STEP = 0.05, GRAVITY = 0.08 }

/** Multiplies the velocity. */
export const scale = (across: number, up: number): void => v.forEach((x, axis) => (v[axis] = mul(x, axis === 1 ? up : across)));

/** Multiplies the horizontal velocity by a factor of friction; very low speeds become 0. */
export function slowDown(factor: number): void {
  scale(factor, 1);
  for (const axis of [0, 2]) if (Math.abs(v[axis]!) < 1e-30) v[axis] = 0;
}

// Adds a velocity that is relative to the direction of the player.
function thrust(strafe: number, forward: number): void {
  const [sin, cos] = sineCosine(a.yaw) as [number, number];
  v[0]! += add(mul(strafe, cos), -mul(forward, sin));
  v[2]! += add(mul(forward, cos), mul(strafe, sin));
}

/** Accelerates the player by its sticks. */
export function accelerate(accel: number, slow: number): void {
  const maximum = mul(has(USING_ITEM) ? 0.1225 : 1, has(slow) ? 0.3 : 1);
  const [strafe, forward] = [e.strafe, e.forward].map((stick) => mul(bound(stick / 127, maximum), 0.98)) as [number, number];
  const k = fr(accel) / Math.max(lengthOf(strafe, forward), 1);
  if (length2(strafe, forward) >= fr(1e-4)) thrust(mul(strafe, k), mul(forward, k));
}

/**
 * Applies requests to start or to end the movement that a flag stands for: sets the flag if the start is requested and allowed, clears it
 * if the end is requested or the movement is not allowed.
 */
export function grant(flag: number, may: boolean): void {
  if (e.keys & (2 * startOf(flag)) || !may) set(flag, false);
  else if (e.keys & startOf(flag)) set(flag, true);
}

export function requestSprint(): void {
  grant(SPRINTING, has(MAY_SPRINT) && (has(SPRINTING) ? e.forward > 0 || has(SWIMMING) : e.forward / 127 > 0.7));
  if (!has(MAY_FLY)) set(FLYING, false);
}

/** Applies requests to sneak. before is the height of the body until now: a low body stays low where it has no room to stand up. */
export function requestSneak(before: number): void {
  const held = e.keys & SNEAK_DOWN;
  set(SNEAKING, !(e.keys & STOP_SNEAK) && (held || e.keys & START_SNEAK || (has(SNEAKING) && !has(SNEAK_HELD | FORCED_LOW))));
  set(SNEAK_HELD, held);
  set(CRAWLING | FORCED_LOW, false);
  const hasRoom = (): boolean => {
    collect();
    faces[1] = add(pos[1]!, before);
    return !blocked();
  };
  if (heightOf(a) > before && !hasRoom()) {
    const { flags } = a;
    set(FORCED_LOW | SNEAKING, true);
    if (before < LOW && !hasRoom()) a.flags = flags | FORCED_LOW | CRAWLING;
  }
}

let sticky = false; // the body touches honey
const slow = new Float32Array(3); // factor by which blocks slow the body that touches them, by axis; Infinity: no slowing

/** Finds the blocks that hinder the body. */
export function touch(): void {
  sticky = false;
  slow.fill(Infinity);
  place();
  eachBlock((k) => {
    sticky ||= k.sticky;
    slow.forEach((x, axis) => (slow[axis] = Math.min(x, k.slow[axis] || Infinity)));
  });
}

function jump(honey: boolean): void {
  if (!(e.keys & JUMPING)) a.jumpDelay = 0;
  if (!(e.keys & (JUMPING | START_JUMP)) || a.jumpDelay) return;
  if (has(ON_GROUND) || e.keys & START_JUMP) a.jumpDelay = JUMP_DELAY;
  if (!has(ON_GROUND)) return;
  v[1] = Math.max(v[1]!, mul(add(0.42, mul(0.1, a.jumpBoost)), honey ? 0.6 : 1));
  if (has(SPRINTING)) thrust(0, 0.2);
}

function climb(): void {
  const k = kindAt(0), jumps = e.keys & JUMPING, sneaks = has(SNEAKING);
  if (!k.climbable) return;
  if (k.platform) v[1] = jumps ? Walk.SCAFFOLD : sneaks ? -Walk.SCAFFOLD : Math.max(v[1]!, -Walk.SCAFFOLD);
  else v[1] = jumps || a.collided & 5 ? Walk.CLIMB : Math.max(v[1]!, sneaks ? 0 : -Walk.CLIMB);
}

// Shortens the movement of a sneaking body so that it does not step over an edge.
function guardEdge(): void {
  const low = pos.slice();
  low[1]! -= fr(0.606);
  collect(low);
  for (const axes of [[0], [2], [0, 2]]) {
    const supported = (): boolean => {
      place(low);
      for (const i of [0, 2, 3, 5]) {
        faces[i] = add(add(faces[i]!, i < 3 ? Walk.EDGE_INSET : -Walk.EDGE_INSET), axes.includes(i % 3) ? v[i % 3]! : 0);
      }
      return blocked();
    };
    while (axes.every((axis) => v[axis]) && !supported()) for (const axis of axes) v[axis]! -= bound(v[axis]!, fr(Walk.EDGE_STEP));
  }
}

/** Moves the body by its velocity. Returns whether blocks slow it. */
export function move(): boolean {
  const slowed = slow[0]! < Infinity;
  if (slowed) v.forEach((x, axis) => (v[axis] = x * slow[axis]!));
  const y = pos[1], vy = v[1]!, stood = has(ON_GROUND), sneaks = has(SNEAKING);
  if (sneaks && stood && vy <= 0) guardEdge();
  sweep();
  const stands = has(ON_GROUND) && !sneaks, fell = Math.abs(v[1]!);
  if (stands && pos[1] === y && fell < 0.1 && bounceBelow() === 1) scale(add(0.4, mul(0.2, fell)), 1);
  v.forEach((x, axis) => (v[axis] = a.collided & (1 << axis) ? 0 : x));
  if (stands && !stood) v[1] = [0, -vy, Math.min(1, mul(-0.66, vy))][bounceBelow()]!;
  if (slowed) v.fill(0);
  return slowed;
}

export function stepWalk(): void {
  if (sticky) {
    v[1] = Math.max(v[1]!, -0.12);
    scale(0.4, 1);
  }
  const below = has(ON_GROUND) && kindAt(-0.5), sprints = has(SPRINTING);
  let friction = Walk.AIR_FRICTION, accel = sprints ? 0.026 : 0.02;
  if (below) {
    friction = mul(Walk.AIR_FRICTION, below.slip);
    accel = mul(mul(mul(a.speed, has(SOUL_SPEED) ? 1 : below.speed), sprints ? 1.3 : 1), fr(0.16277136) / mul(mul(friction, friction), friction));
  }
  accelerate(accel, SNEAKING | CRAWLING);
  jump(below && below.sticky);
  climb();
  const vy = v[1]!, rising = move() ? 0 : vy;
  v[1] = mul(a.levitation ? fr(0.8) * rising + mul(0.01, a.levitation) : v[1]! - fr(a.slowFalling && rising < 0 ? 0.01 : Walk.GRAVITY), 0.98);
  slowDown(friction);
}

/** Begins a tick: turns the player to the view of the entry, stops a body that hardly moves, and applies a knockback of the server. */
export function begin(avatar: Avatar, entry: Entry, blocks: Ground): void {
  load(avatar, blocks, entry);
  a.pitch = e.pitch;
  a.yaw = a.headYaw = e.yaw * (360 / 65536);
  if (length2(...v) < fr(1e-12)) v.fill(0);
  if (has(HAS_KNOCKBACK)) v.set([a.kx, a.ky, a.kz].map((x) => bound(x, MAX_KNOCKBACK)));
  set(HAS_KNOCKBACK, false);
}

/** Whether the player is dead, immobile or flying: then only the server knows its movement. */
export const held = (): boolean => has(DEAD | IMMOBILE | FLYING);

export function halt(): void {
  v.fill(0);
  a.collided = 0;
}

/** Ends a tick. */
export function end(): void {
  if (a.jumpDelay) a.jumpDelay--;
  save();
}

/**
 * Moves an avatar that walks by one tick, on ground without liquids. The same avatar, entry and ground give the same bits as on the
 * server.
 */
export function step(avatar: Avatar, entry: Entry, blocks: Ground): void {
  begin(avatar, entry, blocks);
  const before = heightOf(a);
  if (!has(DEAD)) {
    requestSprint();
    set(SWIMMING | GLIDING, false);
    requestSneak(before);
  }
  touch();
  if (held()) halt();
  else stepWalk();
  end();
}
