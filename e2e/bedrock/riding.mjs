// The movement of a horse and of a boat in one tick of 50 ms by the input of its driver, in float32. Written from
// docs/wire/bedrock.md, vehicles; it shares no code with sim/move. Lengths are blocks, angles degrees.
import fs from 'node:fs';
import { boxAt, move } from './collision.mjs';
import { current, topOf } from './liquid.mjs';
import { exactCos as cos, exactSin as sin } from './trig.mjs';

const f = Math.fround;
const RADIANS = f(0.017453292);

/** The kinds of vehicles by name, as the server has them. */
export const kinds = JSON.parse(fs.readFileSync(new URL('testdata/movement_tables.json', import.meta.url), 'utf8')).vehicles;

const wrap = (degrees) => f(degrees - 360 * Math.floor((degrees + 180) / 360));
const clamp = (x, limit) => Math.max(-limit, Math.min(x, limit));

/** A vehicle at rest. pos is that of its feet. Everything that the next tick depends on; copyVehicle duplicates it. */
export function vehicleAt(kind, pos, yaw, more = {}) {
  return {
    kind, pos: pos.map(f), vel: [0, 0, 0], yaw: f(yaw), angular: 0, onGround: false, collided: [false, false, false],
    movement: 0, jumpStrength: 0, canPowerJump: true, // attributes and a flag, as the server tells them
    charge: { ticks: 0, scale: 0, held: false }, pending: 0, jumping: false, standing: false, slide: false,
    paddleTick: 0, paddles: [paddle(), paddle()], submerged: 0, ...more,
  };
}

const paddle = () => ({ start: -1, last: -1, strength: 0, held: false });

export const copyVehicle = (v) => ({
  ...v, pos: [...v.pos], vel: [...v.vel], collided: [...v.collided], charge: { ...v.charge }, paddles: v.paddles.map((p) => ({ ...p })),
});

const bits = (a, b) => a.every((v, i) => Object.is(v + 0, b[i] + 0));

/** Whether two vehicles have bit-identical positions, velocities and rotations. */
export const sameVehicle = (a, b) => bits([...a.pos, ...a.vel, a.yaw, a.angular], [...b.pos, ...b.vel, b.yaw, b.angular]) && a.onGround === b.onGround;

/** The position of the driver. Only its column matters: the driver does not collide. */
export const seatOf = (v) => [...v.pos];

/** The position of a vehicle in packets. */
export const onWire = (v) => [v.pos[0], f(v.pos[1] + f(kinds[v.kind].offset)), v.pos[2]];
export const fromWire = (kind, [x, y, z]) => [f(x), f(f(y) - f(kinds[kind].offset)), f(z)];

/** Moves v by one tick. input: {yaw, move: [side, forward], flags} of the driver, undefined without one. */
export function stepVehicle(v, input = { yaw: v.yaw, move: [0, 0], flags: new Set() }, world) {
  return kinds[v.kind].boat ? stepBoat(v, input, world) : stepHorse(v, input, world);
}

function stepHorse(v, input, world) {
  const k = kinds[v.kind];
  const request = charge(v, input.flags.has('jumping'));
  const d = wrap(f(f(input.yaw) - v.yaw));
  const share = Math.max(f(0.18), f(f(45 - Math.min(Math.abs(d), 45)) / 90));
  v.yaw = wrap(f(v.yaw + f(d * f(f(0.7) * share))));
  if (request !== undefined) {
    v.pending = request >= 90 ? 1 : f(f(0.4) + f(f(f(0.4) * request) / 90));
    v.standing = v.slide = true;
  }
  const below = world.block(Math.floor(v.pos[0]), Math.floor(f(v.pos[1] - f(0.5))), Math.floor(v.pos[2]));
  const slip = below.slipperiness ?? 0.6;
  const wasOnGround = v.onGround;
  const honey = Boolean(below.honey);
  const [sine, cosine] = [sin(f(v.yaw * RADIANS)), cos(f(v.yaw * RADIANS))];
  let [x, y, z] = v.vel;
  const forward = f(input.move[1]);
  const idle = v.onGround && v.standing && !v.jumping && !v.slide && request === undefined;
  if (v.onGround && !v.jumping && v.pending > 0) {
    y = f(f(v.jumpStrength * v.pending) * f(honey ? 0.6 : 1));
    if (forward > 0) {
      const kick = f(f(k.forwardKick) * v.pending);
      x = f(x - f(kick * sine));
      z = f(z + f(kick * cosine));
    }
    v.jumping = true;
    v.pending = 0;
  }
  if (!idle) {
    let [side, ahead] = stick(input.move);
    side = f(side * f(k.sideFactor));
    if (ahead <= 0) ahead = f(ahead * f(k.backFactor));
    const q = f(f(side * side) + f(ahead * ahead));
    if (q >= f(1e-4)) {
      const speed = wasOnGround ? f(v.movement * f(f(0.21600002) / f(f(slip * slip) * slip))) : f(v.movement * f(k.airShare));
      const a = f(speed / Math.max(f(Math.sqrt(q)), 1));
      [side, ahead] = [f(side * a), f(ahead * a)];
      x = f(x + f(f(side * cosine) - f(ahead * sine)));
      z = f(z + f(f(ahead * cosine) + f(side * sine)));
    }
  }
  [x, y, z] = collide(v, [x, y, z], { step: f(honey ? k.stepHoney : k.step) }, world);
  const friction = f(wasOnGround ? 0.91 * slip : 0.91);
  v.vel = [f(x * friction), f(f(y - f(k.gravity)) * f(k.dragUp)), f(z * friction)];
  if (v.onGround && !wasOnGround) {
    v.jumping = v.standing = v.slide = false;
    v.pending = 0;
  }
  return v;
}

/** The stick, shortened to a length of 1. */
function stick([side, forward]) {
  const [s, a] = [f(side), f(forward)];
  const length = f(Math.sqrt(f(f(s * s) + f(a * a))));
  return length > 1 ? [f(s / length), f(a / length)] : [s, a];
}

/** Counts how long the driver holds the jump key. Returns the request in percent in the tick of its release. */
function charge(v, down) {
  const c = v.charge;
  let request;
  if (c.ticks < 0) {
    c.ticks++;
    if (c.ticks === 0) c.scale = 0;
  }
  if (!v.canPowerJump) c.scale = 0;
  else if (c.held && !down) {
    request = Math.floor(f(100 * c.scale));
    c.ticks = -10;
  } else if (!c.held && down) [c.ticks, c.scale] = [0, 0];
  else if (c.held) {
    c.ticks++;
    c.scale = c.ticks < 10 ? f(f(0.1) * c.ticks) : f(f(0.8) + f(f(0.2) / (c.ticks - 9)));
  }
  c.held = down;
  return request;
}

/** Moves the body and sets what it collides with. Returns the velocity that is left. */
function collide(v, want, { step }, world) {
  const k = kinds[v.kind];
  const got = move(boxAt(v.pos, f(f(k.width) / 2), f(k.height)), want, { step, onGround: v.onGround }, world);
  v.pos = v.pos.map((p, i) => f(p + got[i]));
  v.collided = want.map((w, i) => Math.abs(f(w - got[i])) >= f(1e-5));
  v.onGround = (v.collided[1] && want[1] < 0) || (v.onGround && !v.collided[1] && Math.abs(want[1]) <= f(1e-5));
  return got.map((g, i) => (v.collided[i] ? 0 : g));
}

function stepBoat(v, input, world) {
  const k = kinds[v.kind];
  const surface = surfaceOf(v, world);
  const drag = f(surface.drag);
  if (surface.submerged) v.submerged++;
  else if (surface.floating) v.submerged = 0;
  const [left, right] = paddle2(v, input, surface.air);
  v.paddleTick++;
  let [x, y, z] = v.vel;
  const stream = current(world, boxAt(v.pos, f(f(k.width) / 2), f(k.height)), 'water');
  [x, y, z] = [f(x + stream[0]), f(y + stream[1]), f(z + stream[2])];
  [x, z, v.angular] = [f(x * drag), f(z * drag), f(v.angular * drag)];
  if (v.submerged <= k.submergedTicks) {
    const l = f(f(k.paddleForce) * left);
    const r = f(f(k.paddleForce) * right);
    let torque = f(f(k.paddleTorque * l) - f(k.paddleTorque * r));
    let force = f(l + r);
    if (f(f(x * x) + f(z * z)) < f(0.01) && torque !== 0) [force, torque] = [f(force * drag), f(torque * f(k.slowTurn))];
    v.angular = f(f(v.angular + f(10 * torque)) * drag);
    v.yaw = f(v.yaw + v.angular);
    const a = f(f(90 - v.yaw) * RADIANS);
    x = f(f(x + f(force * sin(a))) * drag);
    z = f(f(z + f(force * cos(a))) * drag);
  }
  [x, y, z] = collide(v, [x, y, z], { step: 0 }, world);
  y = f(f(y - f(k.gravity)) * f(k.dragUp));
  if (surface.floating || surface.submerged) {
    const o = f(v.pos[1] + f(k.offset));
    const fraction = f(o - Math.floor(o));
    const depth = surface.submerged ? 1 : Math.max(0, Math.min(f(f(f(0.9) * f(1 - fraction)) + f(0.1)), 1));
    if (depth > 0) y = Math.min(f(f(0.15) * f(depth - f(0.1))), f(f(f(0.7) * y) + f(0.05)));
  }
  v.vel = [x, y, z];
  return v;
}

/** What a boat lies in or on. */
function surfaceOf(v, world) {
  const o = f(v.pos[1] + f(kinds[v.kind].offset));
  const [x, y, z] = [v.pos[0], o, v.pos[2]].map(Math.floor);
  const water = (up) => world.block(x, y + up, z).liquid === 'water';
  if (water(0) && !water(1) && o < topOf(world, x, y, z)) return { drag: 0.9, floating: true };
  if (water(0) && water(1)) return { drag: 0.9, submerged: true };
  if (water(0)) return { drag: 0.9 };
  if (v.onGround) return { drag: world.block(x, Math.floor(f(v.pos[1] - f(0.5))), z).boatSlipperiness ?? world.block(x, Math.floor(f(v.pos[1] - f(0.5))), z).slipperiness ?? 0.6 };
  if (water(-1)) return { drag: 0.9 };
  return { drag: 1, air: true };
}

/** The strengths of both paddles. */
function paddle2(v, { move: m, flags }, air) {
  const keys = [flags.has('paddling_left'), flags.has('paddling_right')];
  const [side, forward] = stick(m);
  if (air) return [0, 0];
  if (side === 0 && forward === 0 && (keys[0] || keys[1] || v.paddles.some((p) => p.touch))) {
    return v.paddles.map((p, i) => touchPaddle(p, keys[i], v.paddleTick));
  }
  let length = f(Math.sqrt(f(f(side * side) + f(forward * forward))));
  let turn = side;
  if (forward < 0) [length, turn] = [f(length * f(-0.15)), -side];
  const forces = [f(length * f(1 - Math.max(0, turn))), f(length * f(1 + Math.min(0, turn)))];
  return v.paddles.map((p, i) => stickPaddle(p, forces[i], v.paddleTick));
}

function stickPaddle(p, force, tick) {
  p.touch = false;
  if (force === 0) [p.strength, p.start] = [0, -1];
  else if (tick - p.start > 9) [p.start, p.strength] = [tick, f(3 * force)];
  else p.strength = f(Math.sign(force) * Math.max(0, f(f(3 * Math.abs(force)) - f(0.1))));
  return p.strength;
}

function touchPaddle(p, held, tick) {
  p.touch = true;
  if (!held) {
    p.start = -1;
    p.strength = p.strength < 0.01 ? 0 : f(p.strength / 2);
    return p.strength;
  }
  const fading = Math.max(2.5, f(p.strength - f(0.05)));
  if (p.start < 0) {
    p.start = tick;
    p.strength = tick - p.last <= 10 ? fading : 3;
  } else p.strength = tick - p.start <= 9 ? 3 : fading;
  p.last = tick;
  return p.strength;
}
