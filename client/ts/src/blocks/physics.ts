// The movement of the own player in each tick, with the same steps and the same rounding as in the server's package sim/move
// (docs/wire/bedrock.md, movement physics). Every result is rounded to float32 with Math.fround, as Go does.

import {
  Avatar, CRAWLING, DEAD, FLYING, FORCED_LOW, GLIDING, HAS_KNOCKBACK, IMMOBILE, MAY_FLY, MAY_GLIDE, MAY_SPRINT, ON_GROUND, SNEAKING, SNEAK_HELD,
  SOUL_SPEED, SPRINTING, SWIMMING, USING_ITEM,
} from './avatar.js';
import { BUBBLES, Ground, Kind, MAX_Y, MIN_Y, PLATFORM, TOUCH, FLOW } from './ground.js';
import { cosine, preciseSine, sine } from './trig.js';

const fr = Math.fround;
const f = (x: number): number => fr(x);

// Keys of an entry (docs/wire/web.md, Input).
export const JUMP_DOWN = 1;
export const JUMPING = 2;
export const START_JUMP = 4;
export const SNEAK_DOWN = 8;
export const START_SNEAK = 16;
export const STOP_SNEAK = 32;
export const START_SPRINT = 64;
export const STOP_SPRINT = 128;
export const START_SWIM = 256;
export const STOP_SWIM = 512;
export const START_GLIDE = 1024;
export const STOP_GLIDE = 2048;
export const WANT_UP = 4096;
export const WANT_DOWN = 8192;
export const HANDLED_TELEPORT = 16384;

/** Entry is one tick of keys, angles and sticks, rounded as on the wire. */
export interface Entry {
  keys: number;
  yaw: number; // -32768..32767, 65536 a turn
  pitch: number; // degrees, -90..90
  strafe: number; // -127..127
  forward: number; // -127..127
}

/**
 * How a step was computed. In the modes Held, Bounded, Fly and Dead the step does not move the player; in Bounded and Fly only
 * the server knows its movement.
 */
export const enum Mode { Walk, Glide, Held, Liquid, Bounded, Fly, Dead }

const IMPULSE = f(0.98);
const SNEAK_IMPULSE = f(0.3);
const USING_IMPULSE = f(0.1225);
const MIN_IMPULSE2 = f(1e-4);
const AIR_FRICTION = f(0.91);
const GROUND_ACCEL = f(0.16277136);
const AIR_ACCEL = f(0.02);
const AIR_ACCEL_SPRINT = f(0.026);
const SPRINT_FACTOR = f(1.3);
const JUMP_SPEED = f(0.42);
const JUMP_BOOST = f(0.1);
const JUMP_DELAY = 10;
const SPRINT_JUMP = f(0.2);
const CLIMB = f(0.2);
const SCAFFOLD = f(0.15);
const HONEY_ACROSS = f(0.4);
const HONEY_SLIDE = f(0.12);
const HONEY_JUMP = f(0.6);
const GRAVITY = f(0.08);
const SLOW_GRAVITY = f(0.01);
const DRAG = f(0.98);
const LIFT = f(0.01);
const LEVITATION_KEEP = f(0.8);
const MIN_SPEED = f(1e-30);
const RAD = f(0.017453292);
const HALF = f(0.3);
const INSET = f(1e-4);
const STANDING = f(1.8);
const LOW = f(1.5);
const LYING = f(0.6);
const STEP = f(0.6);
const CONTACT = f(1e-7);
const SUPPORT = f(1e-3);
const LOSS = f(1e-5);
const STILL2 = f(1e-12);
const MAX_SPEED = 10;
const EYE = f(1.62);
const SWIMMER_EYE = f(0.4);

interface LiquidRules {
  accelerate: number; drag: number; sprintDrag: number; gravity: number; rise: number; descend: number; current: number; climbOut: number;
  across: number; up: number;
}
const WATER: LiquidRules = {
  accelerate: f(0.02), drag: f(0.8), sprintDrag: f(0.9), gravity: f(0.005), rise: f(0.04), descend: f(0.04), current: f(0.014), climbOut: f(0.3),
  across: f(0.001), up: f(0.401),
};
const LAVA: LiquidRules = {
  accelerate: f(0.02), drag: f(0.5), sprintDrag: f(0.5), gravity: f(0.02), rise: f(0.04), descend: 0, current: f(0.0035), climbOut: f(0.3),
  across: f(0.1), up: f(0.4),
};

const clampAbs = (x: number, m: number): number => Math.max(-m, Math.min(x, m));
const lengthXZ2 = (x: number, z: number): number => fr(fr(x * x) + fr(z * z));
const tiny = (v: number): number => (Math.abs(v) < MIN_SPEED ? 0 : v);
const cell = (x: number): number => Math.floor(clampAbs(x, 1 << 30));
const has = (a: Avatar, flag: number): boolean => (a.flags & flag) !== 0;
const set = (a: Avatar, flag: number, on: boolean): void => {
  a.flags = on ? a.flags | flag : a.flags & ~flag;
};

/** The height of the body in its posture, in blocks. */
export function heightOf(a: Avatar): number {
  return has(a, SWIMMING | GLIDING | CRAWLING) ? LYING : has(a, SNEAKING) ? LOW : STANDING;
}

const west = (x: number): number => fr(fr(x - HALF) + INSET);
const east = (x: number): number => fr(fr(x + HALF) - INSET);
const separated = (lo: number, hi: number, from: number, to: number): boolean => fr(hi - from) <= CONTACT || fr(to - lo) <= CONTACT;

// The boxes that the body may touch in this step, six numbers each. Each step collects them anew.
class Boxes {
  data = new Float32Array(6 * 256);
  n = 0;

  clear(): void {
    this.n = 0;
  }

  add(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void {
    if (6 * this.n === this.data.length) {
      const old = this.data;
      this.data = new Float32Array(2 * old.length);
      this.data.set(old);
    }
    const d = this.data;
    const i = 6 * this.n++;
    d[i] = x0; d[i + 1] = y0; d[i + 2] = z0; d[i + 3] = x1; d[i + 4] = y1; d[i + 5] = z1;
  }
}

const boxes = new Boxes();
const floors = new Boxes();
let feetX = 0, feetY = 0, feetZ = 0, tallNow = 0;
let gotX = 0, gotY = 0, gotZ = 0;

// The first and the last cell that the interval lo..hi touches, faces included.
const firstCell = (lo: number): number => {
  const c = Math.trunc(clampAbs(lo, 1 << 30));
  return c >= lo ? c - 1 : c;
};
const lastCell = (hi: number): number => {
  const c = Math.trunc(clampAbs(hi, 1 << 30));
  return c > hi ? c - 1 : c;
};

function collect(ground: Ground, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void {
  boxes.clear();
  if (!(x0 <= x1 && y0 <= y1 && z0 <= z1)) return;
  const cy0 = Math.max(firstCell(y0), MIN_Y), cy1 = Math.min(lastCell(y1), MAX_Y);
  const cx0 = firstCell(x0), cx1 = Math.min(lastCell(x1), cx0 + 63);
  const cz0 = firstCell(z0), cz1 = Math.min(lastCell(z1), cz0 + 63);
  for (let x = cx0; x <= cx1; x++) {
    for (let z = cz0; z <= cz1; z++) {
      for (let y = cy0; y <= cy1; y++) {
        const b = ground.at(x, y, z).boxes;
        for (let i = 0; i < b.length; i += 6) {
          const bx0 = fr(b[i]! + x), by0 = fr(b[i + 1]! + y), bz0 = fr(b[i + 2]! + z);
          const bx1 = fr(b[i + 3]! + x), by1 = fr(b[i + 4]! + y), bz1 = fr(b[i + 5]! + z);
          if (bx0 <= x1 && bx1 >= x0 && by0 <= y1 && by1 >= y0 && bz0 <= z1 && bz1 >= z0) boxes.add(bx0, by0, bz0, bx1, by1, bz1);
        }
      }
    }
  }
}

// Places the body with its feet at x, y, z and collects the boxes that it may touch when it moves by dx, dy, dz or rises by rise.
function collectBody(ground: Ground, x: number, y: number, z: number, dx: number, dy: number, dz: number, tall: number, rise: number): void {
  feetX = x; feetY = y; feetZ = z; tallNow = tall;
  const tx = fr(x + dx), ty = fr(y + dy), tz = fr(z + dz);
  collect(
    ground, Math.min(west(x), west(tx)), Math.min(y, ty), Math.min(west(z), west(tz)),
    Math.max(east(x), east(tx)), Math.max(fr(y + tall), fr(ty + tall), fr(fr(y + rise) + tall)), Math.max(east(z), east(tz)),
  );
}

function overlaps(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): boolean {
  const d = boxes.data;
  for (let i = 0; i < 6 * boxes.n; i += 6) {
    if (!separated(x0, x1, d[i]!, d[i + 3]!) && !separated(y0, y1, d[i + 1]!, d[i + 4]!) && !separated(z0, z1, d[i + 2]!, d[i + 5]!)) return true;
  }
  return false;
}

const overlapsBody = (x: number, y: number, z: number, tall: number): boolean => overlaps(west(x), y, west(z), east(x), fr(y + tall), east(z));

// The state of a movement along one axis, always in the positive direction: a movement in the negative direction is mirrored
// first.
let rMirrored = false, rAt = 0, rD = 0, rBack = 0, rFront = 0, rInset = 0, rHit = false, rLimit = 0;

function beginRay(pos: number, d: number, lo: number, hi: number, inset: number): void {
  rMirrored = d < 0;
  rHit = false;
  rInset = inset;
  if (rMirrored) {
    rAt = -pos; rD = -d; rBack = -hi; rFront = -lo;
  } else {
    rAt = pos; rD = d; rBack = lo; rFront = hi;
  }
}

const frontFace = (pos: number): number => fr(fr(pos + rFront) - rInset);

function stopAt(lo: number, hi: number): void {
  const near = rMirrored ? -hi : lo;
  const far = rMirrored ? -lo : hi;
  const head = frontFace(rAt);
  const tail = fr(fr(rAt + rBack) + rInset);
  const gap = fr(near - head);
  if (fr(head - near) > CONTACT) {
    if (fr(far - tail) > CONTACT && fr(head - near) < fr(far - tail)) rD = 0;
  } else if (rD > gap) {
    rD = Math.max(gap, 0);
    rLimit = near;
    rHit = true;
  } else if (fr(frontFace(fr(rAt + rD)) - near) > CONTACT && !(rHit && rLimit < near)) {
    rLimit = near;
    rHit = true;
  }
}

// Ends the movement; the displacement is in rD.
function endRay(): number {
  let at = fr(rAt + rD);
  if (rHit) {
    let i = 0;
    for (; i < 3; i++) {
      const over = fr(frontFace(at) - rLimit);
      if (over <= CONTACT) break;
      at = Math.max(rAt, fr(at - over));
    }
    if (i === 3) at = rAt;
  }
  if (rMirrored) {
    rD = -rD;
    return -at;
  }
  return at;
}

function slideY(d: number): number {
  beginRay(feetY, d, 0, tallNow, 0);
  const x0 = west(feetX), x1 = east(feetX), z0 = west(feetZ), z1 = east(feetZ);
  let b = boxes.data;
  for (let i = 0; i < 6 * boxes.n; i += 6) {
    if (!separated(x0, x1, b[i]!, b[i + 3]!) && !separated(z0, z1, b[i + 2]!, b[i + 5]!)) stopAt(b[i + 1]!, b[i + 4]!);
  }
  b = floors.data;
  for (let i = 0; i < 6 * floors.n; i += 6) {
    if (d < 0 && feetY >= fr(b[i + 4]! - CONTACT) && !separated(x0, x1, b[i]!, b[i + 3]!) && !separated(z0, z1, b[i + 2]!, b[i + 5]!)) {
      stopAt(b[i + 1]!, b[i + 4]!);
    }
  }
  feetY = endRay();
  return rD;
}

function slideX(d: number): number {
  if (d === 0) return 0;
  beginRay(feetX, d, -HALF, HALF, INSET);
  const y1 = fr(feetY + tallNow), z0 = west(feetZ), z1 = east(feetZ);
  const b = boxes.data;
  for (let i = 0; i < 6 * boxes.n; i += 6) {
    if (!separated(feetY, y1, b[i + 1]!, b[i + 4]!) && !separated(z0, z1, b[i + 2]!, b[i + 5]!)) stopAt(b[i]!, b[i + 3]!);
  }
  feetX = endRay();
  return rD;
}

function slideZ(d: number): number {
  if (d === 0) return 0;
  beginRay(feetZ, d, -HALF, HALF, INSET);
  const x0 = west(feetX), x1 = east(feetX), y1 = fr(feetY + tallNow);
  const b = boxes.data;
  for (let i = 0; i < 6 * boxes.n; i += 6) {
    if (!separated(x0, x1, b[i]!, b[i + 3]!) && !separated(feetY, y1, b[i + 1]!, b[i + 4]!)) stopAt(b[i + 2]!, b[i + 5]!);
  }
  feetZ = endRay();
  return rD;
}

// Moves the body by wx, wy, wz as far as boxes allow, and onto a step if it stands or lands. The displacement is in gotX, gotY, gotZ.
function move(a: Avatar, wx: number, wy: number, wz: number, tall: number, ground: Ground): void {
  const px = a.x, py = a.y, pz = a.z, onGround = has(a, ON_GROUND);
  collectBody(ground, px, py, pz, wx, wy, wz, tall, 0);
  gotY = slideY(wy);
  gotX = slideX(wx);
  gotZ = slideZ(wz);
  a.x = feetX; a.y = feetY; a.z = feetZ;
  if ((gotX === wx && gotZ === wz) || (!onGround && (gotY === wy || wy >= 0))) return;
  collectBody(ground, px, py, pz, wx, wy, wz, tall, STEP);
  const up = slideY(STEP);
  const ox = slideX(wx);
  const oz = slideZ(wz);
  const oy = fr(up + slideY(-up));
  if (!overlapsBody(feetX, feetY, feetZ, tallNow) && lengthXZ2(ox, oz) > lengthXZ2(gotX, gotZ)) {
    a.x = feetX; a.y = feetY; a.z = feetZ;
    gotX = ox; gotY = oy; gotZ = oz;
  }
}

function fitsAt(a: Avatar, x: number, y: number, z: number, ground: Ground): boolean {
  const tall = heightOf(a);
  collectBody(ground, x, y, z, 0, 0, 0, tall, 0);
  return !overlapsBody(x, y, z, tall);
}

// Returns the kind of the block under the feet, from the boxes that the last sweep collected.
function supportBlock(a: Avatar, ground: Ground): Kind {
  let least = 2, nearest = -1;
  const b = boxes.data;
  for (let i = 0; i < 6 * boxes.n && least !== 0; i += 6) {
    if (Math.abs(fr(b[i + 4]! - a.y)) > SUPPORT || separated(west(a.x), east(a.x), b[i]!, b[i + 3]!) || separated(west(a.z), east(a.z), b[i + 2]!, b[i + 5]!)) continue;
    const d = lengthXZ2(fr(a.x - Math.max(b[i]!, Math.min(a.x, b[i + 3]!))), fr(a.z - Math.max(b[i + 2]!, Math.min(a.z, b[i + 5]!))));
    if (d < least) {
      least = d;
      nearest = i;
    }
  }
  if (nearest < 0) return ground.kinds[0]!;
  const middle = (lo: number, hi: number): number => cell(fr(fr(lo + hi) * 0.5));
  return ground.at(middle(b[nearest]!, b[nearest + 3]!), middle(b[nearest + 1]!, b[nearest + 4]!), middle(b[nearest + 2]!, b[nearest + 5]!));
}

// The liquids and blocks that the body touches, and the factors by which they slow it.
let tWater = false, tLava = false, tSticky = false, slowX = 0, slowY = 0, slowZ = 0;
let qx0 = 0, qy0 = 0, qz0 = 0, qx1 = 0, qy1 = 0, qz1 = 0;

function contactBox(a: Avatar, r: LiquidRules): void {
  const tall = heightOf(a);
  qx0 = fr(fr(a.x - HALF) + r.across); qx1 = fr(fr(a.x + HALF) - r.across);
  qz0 = fr(fr(a.z - HALF) + r.across); qz1 = fr(fr(a.z + HALF) - r.across);
  qy0 = fr(a.y + r.up); qy1 = fr(fr(a.y + tall) - r.up);
  if (qy0 > qy1) qy0 = qy1 = fr(a.y + fr(tall * 0.5));
}

function touchesCell(a: Avatar, r: LiquidRules, x: number, y: number, z: number): boolean {
  contactBox(a, r);
  return x + 1 > qx0 && x < qx1 && y + 1 > qy0 && y < qy1 && z + 1 > qz0 && z < qz1;
}

function touch(a: Avatar, ground: Ground): void {
  tWater = tLava = tSticky = false;
  slowX = slowY = slowZ = 0;
  const x0 = cell(west(a.x)), x1 = cell(east(a.x)), z0 = cell(west(a.z)), z1 = cell(east(a.z)), y0 = cell(a.y), y1 = cell(fr(a.y + heightOf(a)));
  if (!ground.mayHave(TOUCH, x0, y0, z0, x1, y1, z1)) return;
  for (let x = x0; x <= x1; x++) {
    for (let z = z0; z <= z1; z++) {
      for (let y = y0; y <= y1; y++) {
        const k = ground.at(x, y, z);
        if (k.liquid === 1) tWater = tWater || touchesCell(a, WATER, x, y, z);
        else if (k.liquid === 2) tLava = tLava || touchesCell(a, LAVA, x, y, z);
        tSticky = tSticky || k.sticky;
        if (!k.slow[0]) continue;
        if (!slowX) {
          slowX = k.slow[0]!; slowY = k.slow[1]!; slowZ = k.slow[2]!;
        } else {
          slowX = Math.min(slowX, k.slow[0]!); slowY = Math.min(slowY, k.slow[1]!); slowZ = Math.min(slowZ, k.slow[2]!);
        }
      }
    }
  }
}

// Applies one kind of request: sets the flag if its start is requested and allowed, clears it if its end is requested or if it is not
// allowed.
function grant(a: Avatar, flag: number, may: boolean, keys: number, start: number, stop: number): void {
  if (keys & stop || !may) set(a, flag, false);
  else if (keys & start) set(a, flag, true);
}

function applyRequests(a: Avatar, e: Entry, forward: number, ground: Ground): void {
  if (has(a, DEAD)) return;
  const tall = heightOf(a), k = e.keys;
  const maySprint = has(a, MAY_SPRINT) && (has(a, SPRINTING) ? forward > 0 || has(a, SWIMMING) : forward > f(0.7));
  grant(a, SPRINTING, maySprint, k, START_SPRINT, STOP_SPRINT);
  grant(a, FLYING, has(a, MAY_FLY), k, 0, 0);
  grant(a, SWIMMING, tWater, k, START_SWIM, STOP_SWIM);
  const mayGlide = has(a, MAY_GLIDE) && !has(a, ON_GROUND) && !tWater && !tLava && !has(a, FLYING) && a.levitation === 0;
  grant(a, GLIDING, mayGlide, k, START_GLIDE, STOP_GLIDE);
  const held = (k & SNEAK_DOWN) !== 0;
  if (k & STOP_SNEAK) set(a, SNEAKING, false);
  else if (k & START_SNEAK || held) set(a, SNEAKING, true);
  else if (has(a, SNEAK_HELD | FORCED_LOW)) set(a, SNEAKING, false);
  set(a, SNEAK_HELD, held);
  set(a, CRAWLING | FORCED_LOW, false);
  if (heightOf(a) > tall && !hasRoom(a, tall, heightOf(a), ground)) {
    set(a, FORCED_LOW, true);
    set(a, tall >= LOW || hasRoom(a, tall, LOW, ground) ? SNEAKING : CRAWLING, true);
  }
}

function hasRoom(a: Avatar, tall: number, taller: number, ground: Ground): boolean {
  collectBody(ground, a.x, a.y, a.z, 0, 0, 0, taller, 0);
  return !overlaps(west(a.x), fr(a.y + tall), west(a.z), east(a.x), fr(a.y + taller), east(a.z));
}

function modeOf(a: Avatar): Mode {
  if (has(a, DEAD)) return Mode.Dead;
  if (has(a, IMMOBILE)) return Mode.Held;
  if (has(a, FLYING)) return Mode.Fly;
  if (tWater || tLava) return a.levitation > 0 || a.slowFalling > 0 ? Mode.Bounded : Mode.Liquid;
  return has(a, GLIDING) ? Mode.Glide : Mode.Walk;
}

function accelerate(a: Avatar, strafe: number, forward: number, accel: number, maximum: number): void {
  strafe = fr(clampAbs(strafe, maximum) * IMPULSE);
  forward = fr(clampAbs(forward, maximum) * IMPULSE);
  const q = fr(fr(strafe * strafe) + fr(forward * forward));
  if (q < MIN_IMPULSE2) return;
  const k = fr(accel / Math.max(fr(Math.sqrt(q)), 1));
  strafe = fr(strafe * k);
  forward = fr(forward * k);
  const facing = fr(a.yaw * RAD), sin = sine(facing), cos = cosine(facing);
  a.vx = fr(a.vx + fr(fr(strafe * cos) - fr(forward * sin)));
  a.vz = fr(a.vz + fr(fr(forward * cos) + fr(strafe * sin)));
}

function stepWalk(a: Avatar, e: Entry, strafe: number, forward: number, ground: Ground): void {
  if (tSticky) {
    a.vx = fr(a.vx * HONEY_ACROSS);
    a.vy = Math.max(a.vy, -HONEY_SLIDE);
    a.vz = fr(a.vz * HONEY_ACROSS);
  }
  const grounded = has(a, ON_GROUND), sprints = has(a, SPRINTING);
  const below = grounded ? ground.at(cell(a.x), cell(fr(a.y - 0.5)), cell(a.z)) : ground.kinds[0]!;
  let friction = AIR_FRICTION, accel = sprints ? AIR_ACCEL_SPRINT : AIR_ACCEL;
  if (grounded) {
    friction = fr(AIR_FRICTION * below.slip);
    let speed = a.speed;
    if (!has(a, SOUL_SPEED)) speed = fr(speed * below.speed);
    if (sprints) speed = fr(speed * SPRINT_FACTOR);
    accel = fr(speed * fr(GROUND_ACCEL / fr(fr(friction * friction) * friction)));
  }
  let maximum = has(a, USING_ITEM) ? USING_IMPULSE : 1;
  if (has(a, SNEAKING | CRAWLING)) maximum = fr(maximum * SNEAK_IMPULSE);
  accelerate(a, strafe, forward, accel, maximum);
  jump(a, e.keys, below.sticky);
  climb(a, e.keys, ground);
  let rising = a.vy;
  if (moveSlowed(a, ground)) rising = 0;
  if (a.levitation > 0) {
    const lift = fr(LIFT * a.levitation);
    a.vy = fr(fr(LEVITATION_KEEP * rising + lift) * DRAG);
  } else {
    a.vy = fr(fr(a.vy - (a.slowFalling > 0 && rising < 0 ? SLOW_GRAVITY : GRAVITY)) * DRAG);
  }
  a.vx = tiny(fr(a.vx * friction));
  a.vz = tiny(fr(a.vz * friction));
}

function jump(a: Avatar, keys: number, honey: boolean): void {
  if (!(keys & JUMPING)) a.jumpDelay = 0;
  if (!(keys & (START_JUMP | JUMPING)) || a.jumpDelay > 0) return;
  if (!has(a, ON_GROUND)) {
    if (keys & START_JUMP) a.jumpDelay = JUMP_DELAY;
    return;
  }
  let speed = fr(JUMP_SPEED + fr(JUMP_BOOST * a.jumpBoost));
  if (honey) speed = fr(speed * HONEY_JUMP);
  a.vy = Math.max(a.vy, speed);
  a.jumpDelay = JUMP_DELAY;
  if (has(a, SPRINTING)) {
    const facing = fr(a.yaw * RAD);
    a.vx = fr(a.vx - fr(sine(facing) * SPRINT_JUMP));
    a.vz = fr(a.vz + fr(cosine(facing) * SPRINT_JUMP));
  }
}

function climb(a: Avatar, keys: number, ground: Ground): void {
  const k = ground.at(cell(a.x), cell(a.y), cell(a.z));
  if (!k.climbable) return;
  const sneaks = has(a, SNEAKING);
  if (k.platform) {
    a.vy = keys & JUMPING ? SCAFFOLD : sneaks ? -SCAFFOLD : Math.max(a.vy, -SCAFFOLD);
    return;
  }
  a.vy = Math.max(a.vy, -CLIMB);
  if (keys & JUMPING || a.collided & 5) a.vy = CLIMB;
  if (sneaks) a.vy = Math.max(a.vy, 0);
}

function moveSlowed(a: Avatar, ground: Ground): boolean {
  const slowed = slowX !== 0;
  if (slowed) {
    a.vx = fr(a.vx * slowX); a.vy = fr(a.vy * slowY); a.vz = fr(a.vz * slowZ);
  }
  if (has(a, SNEAKING) && has(a, ON_GROUND) && a.vy <= 0) guardEdge(a, ground);
  moveAndLand(a, ground);
  if (slowed) a.vx = a.vy = a.vz = 0;
  return slowed;
}

const EDGE_INSET = f(0.025);
const EDGE_DEPTH = f(0.606);
const EDGE_STEP = f(0.05);
const shortened = (v: number): number => (v >= EDGE_STEP ? fr(v - EDGE_STEP) : v < -EDGE_STEP ? fr(v + EDGE_STEP) : 0);

function guardEdge(a: Avatar, ground: Ground): void {
  if (a.vx === 0 && a.vz === 0) return;
  const tall = heightOf(a), y = fr(a.y - EDGE_DEPTH);
  collectBody(ground, a.x, y, a.z, a.vx, 0, a.vz, tall, 0);
  const supports = (x: number, z: number): boolean =>
    overlaps(
      fr(fr(west(a.x) + EDGE_INSET) + x), y, fr(fr(west(a.z) + EDGE_INSET) + z),
      fr(fr(east(a.x) - EDGE_INSET) + x), fr(y + tall), fr(fr(east(a.z) - EDGE_INSET) + z),
    );
  while (a.vx !== 0 && !supports(a.vx, 0)) a.vx = shortened(a.vx);
  while (a.vz !== 0 && !supports(0, a.vz)) a.vz = shortened(a.vz);
  while (a.vx !== 0 && a.vz !== 0 && !supports(a.vx, a.vz)) {
    a.vx = shortened(a.vx);
    a.vz = shortened(a.vz);
  }
}

// Moves the body by wx, wy, wz as far as boxes allow and sets whether it collided and stands. The displacement is in gotX, gotY, gotZ.
function sweep(a: Avatar, wx: number, wy: number, wz: number, ground: Ground): void {
  floors.clear();
  if (ground.traits & PLATFORM && !has(a, SNEAKING)) collectFloors(a, wx, wy, wz, ground);
  move(a, wx, wy, wz, heightOf(a), ground);
  floors.clear();
  a.collided = (Math.abs(fr(wx - gotX)) >= LOSS ? 1 : 0) | (Math.abs(fr(wy - gotY)) >= LOSS ? 2 : 0) | (Math.abs(fr(wz - gotZ)) >= LOSS ? 4 : 0);
  set(a, ON_GROUND, a.collided & 2 ? wy < 0 : has(a, ON_GROUND) && Math.abs(wy) <= LOSS);
}

function collectFloors(a: Avatar, dx: number, dy: number, dz: number, ground: Ground): void {
  const tx = fr(a.x + dx), ty = fr(a.y + dy), tz = fr(a.z + dz);
  const y0 = Math.max(firstCell(Math.min(a.y, ty)), MIN_Y), y1 = Math.min(lastCell(Math.max(fr(a.y + STEP), fr(ty + STEP))), MAX_Y);
  for (let x = firstCell(Math.min(west(a.x), west(tx))); x <= lastCell(Math.max(east(a.x), east(tx))); x++) {
    for (let z = firstCell(Math.min(west(a.z), west(tz))); z <= lastCell(Math.max(east(a.z), east(tz))); z++) {
      for (let y = y0; y <= y1; y++) if (ground.at(x, y, z).platform) floors.add(x, y, z, x + 1, y + 1, z + 1);
    }
  }
}

const SLIME_BELOW = f(0.1);
const SLIME_DRAG = f(0.4);
const SLIME_PER = f(0.2);
const BED = f(-0.66);

function moveAndLand(a: Avatar, ground: Ground): void {
  const wx = a.vx, wy = a.vy, wz = a.vz, stood = has(a, ON_GROUND), y = a.y;
  sweep(a, wx, wy, wz, ground);
  const stands = has(a, ON_GROUND), sneaks = has(a, SNEAKING);
  if (stands && !sneaks && a.y === y && Math.abs(gotY) < SLIME_BELOW && supportBlock(a, ground).bounce === 1) {
    const drag = fr(SLIME_DRAG + fr(SLIME_PER * Math.abs(gotY)));
    gotX = fr(gotX * drag);
    gotZ = fr(gotZ * drag);
  }
  a.vx = a.collided & 1 ? 0 : gotX;
  a.vy = a.collided & 2 ? 0 : gotY;
  a.vz = a.collided & 4 ? 0 : gotZ;
  if (stands && !stood && !sneaks) {
    const b = supportBlock(a, ground).bounce;
    a.vy = b === 1 ? -wy : b === 2 ? Math.min(1, fr(BED * wy)) : 0;
  }
}

// Liquids.
const STEER = f(0.06);
const STEER_DOWN = f(0.085);
const STEEP = f(-0.2);
const STRIDER = f(0.546);
const OVERLAP = f(1e-5);
const NINTH = f(1 / 9);

function waterAt(a: Avatar, height: number, ground: Ground): boolean {
  const py = fr(a.y + height);
  const y = Math.floor(py), x = Math.floor(a.x), z = Math.floor(a.z);
  const k = ground.at(x, y, z);
  if (k.liquid !== 1) return false;
  const top = fr(y + fr(1 - fr((k.depth >= 8 ? 0 : k.depth) * NINTH)));
  return ground.at(x, y + 1, z).liquid === 1 || py < top;
}

const headInWater = (a: Avatar, ground: Ground): boolean => waterAt(a, has(a, SWIMMING) ? SWIMMER_EYE : EYE, ground);

let cx = 0, cy = 0, cz = 0;

function normalize(): void {
  const d = fr(Math.sqrt(fr(fr(fr(cx * cx) + fr(cy * cy)) + fr(cz * cz))));
  if (!(d > 0)) {
    cx = cy = cz = 0;
    return;
  }
  cx = fr(cx / d); cy = fr(cy / d); cz = fr(cz / d);
}

const level = (depth: number): number => (depth >= 8 ? 0 : depth);
const SIDES = [-1, 0, 1, 0, 0, -1, 0, 1];

// Stores the direction of the current in one block in cx, cy, cz. Returns whether the liquid flows there.
function blockCurrent(k: Kind, x: number, y: number, z: number, ground: Ground): boolean {
  let px = 0, pz = 0, flows = k.depth > 0, beside = false;
  for (let i = 0; i < 8; i += 2) {
    const dx = SIDES[i]!, dz = SIDES[i + 1]!;
    const side = ground.at(x + dx, y, z + dz);
    let step = 0;
    if (side.liquid === k.liquid) {
      flows = flows || side.depth > 0;
      step = level(side.depth) - level(k.depth);
    } else if (!side.boxes.length) {
      const below = ground.at(x + dx, y - 1, z + dz);
      if (below.liquid === k.liquid) {
        flows = flows || below.depth > 0;
        step = level(below.depth) + 8 - level(k.depth);
      }
    }
    px += dx * step;
    pz += dz * step;
    beside = beside || side.boxes.length > 0 || ground.at(x + dx, y + 1, z + dz).boxes.length > 0;
  }
  cx = px; cy = 0; cz = pz;
  normalize();
  if (k.depth >= 8 && beside) {
    cy = fr(cy - 6);
    normalize();
  }
  return flows;
}

function current(a: Avatar, liquid: number, r: LiquidRules, ground: Ground): void {
  contactBox(a, r);
  const x0 = Math.floor(qx0), x1 = Math.floor(qx1), y0 = Math.floor(qy0), y1 = Math.floor(qy1), z0 = Math.floor(qz0), z1 = Math.floor(qz1);
  cx = cy = cz = 0;
  if (!ground.mayHave(FLOW, x0 - 1, y0 - 1, z0 - 1, x1 + 1, y1, z1 + 1)) return;
  let sx = 0, sy = 0, sz = 0, flows = false;
  for (let x = x0; x <= x1; x++) {
    for (let y = y0; y <= y1; y++) {
      for (let z = z0; z <= z1; z++) {
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

function stepLiquid(a: Avatar, e: Entry, strafe: number, forward: number, ground: Ground): void {
  const r = tLava ? LAVA : WATER, lava = tLava;
  current(a, lava ? 2 : 1, r, ground);
  a.vx = fr(a.vx + fr(cx * r.current));
  a.vy = fr(a.vy + fr(cy * r.current));
  a.vz = fr(a.vz + fr(cz * r.current));
  const swims = has(a, SWIMMING);
  if (e.keys & WANT_DOWN || (!swims && (has(a, SNEAKING) || e.keys & SNEAK_DOWN))) a.vy = fr(a.vy - r.descend);
  if (!(e.keys & JUMPING)) {
    a.jumpDelay = 0;
    if (swims && !lava) {
      const look = -preciseSine(fr(a.pitch * RAD));
      if (look > 0 && !headInWater(a, ground)) a.vy = 0;
      else a.vy = fr(a.vy + fr(fr(look - a.vy) * (look < STEEP ? STEER_DOWN : STEER)));
    }
  } else if (!lava && ((a.swimPose > 0 && a.swimPose < 10) || (swims && !headInWater(a, ground)))) a.vy = 0;
  else a.vy = fr(a.vy + r.rise);
  let accel = r.accelerate, across = has(a, SPRINTING) ? r.sprintDrag : r.drag;
  if (a.depthStrider > 0 && !lava) {
    let share = fr(Math.min(a.depthStrider, 3) / 3);
    if (!has(a, ON_GROUND)) share = fr(share * 0.5);
    accel = fr(accel + fr(fr(a.speed - accel) * share));
    across = fr(across + fr(fr(STRIDER - across) * share));
  }
  let maximum = has(a, USING_ITEM) ? USING_IMPULSE : 1;
  if (has(a, CRAWLING)) maximum = fr(maximum * SNEAK_IMPULSE);
  accelerate(a, strafe, forward, accel, maximum);
  const from = a.y;
  moveSlowed(a, ground);
  a.vx = tiny(fr(a.vx * across));
  a.vz = tiny(fr(a.vz * across));
  a.vy = fr(a.vy * r.drag);
  if (!has(a, SWIMMING) || lava) a.vy = fr(a.vy - r.gravity);
  climbOut(a, from, r, ground);
}

function climbOut(a: Avatar, from: number, r: LiquidRules, ground: Ground): void {
  if (!(a.collided & 5)) return;
  const tx = fr(a.x + a.vx), tz = fr(a.z + a.vz), ty = fr(fr(a.y + a.vy) + fr(STEP - fr(a.y - from)));
  if (!fitsAt(a, tx, ty, tz, ground)) return;
  const y1 = cell(fr(fr(ty + heightOf(a)) - OVERLAP));
  for (let x = cell(west(tx)); x <= cell(east(tx)); x++) {
    for (let y = cell(fr(ty + OVERLAP)); y <= y1; y++) {
      for (let z = cell(west(tz)); z <= cell(east(tz)); z++) if (ground.at(x, y, z).liquid) return;
    }
  }
  a.vy = r.climbOut;
}

const BUBBLE_INSET = f(1e-3);

function rideBubbles(a: Avatar, ground: Ground): void {
  const x0 = cell(fr(fr(a.x - HALF) + BUBBLE_INSET)), x1 = cell(fr(fr(a.x + HALF) - BUBBLE_INSET));
  const y0 = cell(fr(a.y + BUBBLE_INSET)), y1 = cell(fr(fr(a.y + heightOf(a)) - BUBBLE_INSET));
  const z0 = cell(fr(fr(a.z - HALF) + BUBBLE_INSET)), z1 = cell(fr(fr(a.z + HALF) - BUBBLE_INSET));
  for (let y = y0; y <= y1; y++) {
    for (let z = z0; z <= z1; z++) {
      for (let x = x0; x <= x1; x++) {
        const b = ground.at(x, y, z).bubbles;
        if (!b) continue;
        const top = ground.at(x, y + 1, z) === ground.kinds[0];
        if (b === 1) a.vy = Math.min(fr(a.vy + f(top ? 0.1 : 0.06)), f(top ? 1.8 : 0.7));
        else a.vy = Math.max(fr(a.vy + f(-0.03)), f(top ? -0.9 : -0.3));
      }
    }
  }
}

// Gliding.
const G = { lift: f(0.06), sink: f(-0.1), climb: f(0.04), height: f(3.2), turn: f(0.1), across: f(0.99), up: f(0.98), level: f(1e-6), speed: f(1.5), push: f(0.1) };
const boosted = (v: number, look: number): number => fr(fr(v + fr(fr(fr(G.speed * look) - v) * 0.5)) + fr(G.push * look));

function stepGlide(a: Avatar, ground: Ground): void {
  const pitch = fr(a.pitch * RAD), yaw = fr(a.yaw * RAD), lev = cosine(pitch), up = -sine(pitch), ax = -sine(yaw), az = cosine(yaw);
  let vx = a.vx, vy = a.vy, vz = a.vz;
  const across = fr(Math.sqrt(lengthXZ2(vx, vz))), lev2 = fr(lev * lev);
  vy = fr(vy + fr(fr(lev2 * G.lift) - GRAVITY));
  if (vy < 0 && lev > G.level) {
    const gain = fr(fr(vy * G.sink) * lev2);
    vy = fr(vy + gain);
    vx = fr(vx + fr(ax * gain));
    vz = fr(vz + fr(az * gain));
  }
  if (up > 0) {
    const gain = fr(fr(across * up) * G.climb);
    vy = fr(vy + fr(gain * G.height));
    vx = fr(vx - fr(ax * gain));
    vz = fr(vz - fr(az * gain));
  }
  if (lev > G.level) {
    vx = fr(vx + fr(fr(fr(ax * across) - vx) * G.turn));
    vz = fr(vz + fr(fr(fr(az * across) - vz) * G.turn));
  }
  if (a.glideBoost > 0) {
    vx = boosted(vx, fr(ax * lev));
    vy = boosted(vy, up);
    vz = boosted(vz, fr(az * lev));
  }
  sweep(a, fr(vx * G.across), fr(vy * G.up), fr(vz * G.across), ground);
  a.vx = gotX; a.vy = gotY; a.vz = gotZ;
}

/** Moves the avatar by one tick. The same avatar, entry and ground give the same bits as on the server. */
export function step(a: Avatar, e: Entry, ground: Ground): Mode {
  const strafe = fr(e.strafe / 127), forward = fr(e.forward / 127);
  a.pitch = e.pitch;
  a.yaw = a.headYaw = fr(e.yaw * f(360 / 65536));
  touch(a, ground);
  const tall = heightOf(a);
  if (has(a, SWIMMING) && a.swimPose < 10) a.swimPose++;
  else if (!has(a, SWIMMING) && a.swimPose > 0) a.swimPose--;
  applyRequests(a, e, forward, ground);
  if (heightOf(a) !== tall) { // liquids are those that the body touched in its former posture
    const water = tWater, lava = tLava;
    touch(a, ground);
    tWater = water;
    tLava = lava;
  }
  if (fr(fr(fr(a.vx * a.vx) + fr(a.vy * a.vy)) + fr(a.vz * a.vz)) < STILL2) a.vx = a.vy = a.vz = 0;
  if (has(a, HAS_KNOCKBACK)) {
    a.vx = clampAbs(a.kx, MAX_SPEED); a.vy = clampAbs(a.ky, MAX_SPEED); a.vz = clampAbs(a.kz, MAX_SPEED);
    a.kx = a.ky = a.kz = 0;
    set(a, HAS_KNOCKBACK, false);
  }
  const mode = modeOf(a);
  if (mode === Mode.Walk) stepWalk(a, e, strafe, forward, ground);
  else if (mode === Mode.Liquid) stepLiquid(a, e, strafe, forward, ground);
  else if (mode === Mode.Glide) stepGlide(a, ground);
  else {
    a.vx = a.vy = a.vz = 0;
    a.collided = 0;
  }
  if (ground.traits & BUBBLES && (mode === Mode.Walk || mode === Mode.Liquid)) rideBubbles(a, ground);
  if (a.jumpDelay > 0) a.jumpDelay--;
  if (a.glideBoost > 0) a.glideBoost = mode !== Mode.Glide || has(a, ON_GROUND) ? 0 : a.glideBoost - 1;
  return mode;
}

/** Whether the eyes are under water, the condition under which a client asks to swim. */
export const eyesUnderWater = (a: Avatar, ground: Ground): boolean => headInWater(a, ground);

/** Whether the body touches water, which swimming needs. */
export function touchesWater(a: Avatar, ground: Ground): boolean {
  touch(a, ground);
  return tWater;
}
