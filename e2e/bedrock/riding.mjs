// The movement of a horse and of a boat in one tick of 50 ms by the input of its driver, in float32. Written from
// docs/wire/bedrock.md, vehicles; it shares no code with sim/move. Lengths are blocks, angles degrees.
import fs from 'node:fs';
import { boxAt, move } from './collision.mjs';
import { current, topOf, touches } from './liquid.mjs';
import { exactCos as cos, exactSin as sin } from './trig.mjs';

const f = Math.fround;
const RADIANS = f(0.017453292);

/** The kinds of vehicles by name, as the server has them. */
export const kinds = JSON.parse(fs.readFileSync(new URL('testdata/movement_tables.json', import.meta.url), 'utf8')).vehicles;

const wrap = (degrees) => f(degrees - 360 * Math.floor((degrees + 180) / 360));
const clamp = (x, limit) => Math.max(-limit, Math.min(x, limit));

/** The state of a vehicle at rest: everything that its next tick depends on. pos: the position of its feet. copyVehicle duplicates it. */
export function vehicleAt(kind, pos, yaw, more = {}) {
  return {
    kind, pos: pos.map(f), vel: [0, 0, 0], yaw: f(yaw), angular: 0, onGround: false, collided: [false, false, false],
    movement: 0, jumpStrength: 0, canPowerJump: true, // values that the server sends: two attributes and a flag
    charge: { ticks: 0, scale: 0, held: false }, pending: 0, jumping: false, standing: false, slide: false,
    paddleTick: 0, paddles: [newPaddle(), newPaddle()], touch: false, submerged: 0, ...more,
  };
}

const newPaddle = () => ({ start: -1, last: -1, strength: 0 });

export const copyVehicle = (v) => ({
  ...v, pos: [...v.pos], vel: [...v.vel], collided: [...v.collided], charge: { ...v.charge }, paddles: v.paddles.map((p) => ({ ...p })),
});

const bits = (a, b) => a.every((v, i) => Object.is(v + 0, b[i] + 0));

/** Whether two vehicles have bit-identical positions, velocities and rotations. */
export const sameVehicle = (a, b) => bits([...a.pos, ...a.vel, a.yaw, a.angular], [...b.pos, ...b.vel, b.yaw, b.angular]) && a.onGround === b.onGround;

/** The position of the driver: that of the vehicle. Its height does not matter, because a driver does not collide. */
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
  const request = charge(v, input.flags.has('jumping'), k);
  const d = wrap(f(f(input.yaw) - v.yaw));
  const share = Math.max(f(k.yawLeast), f(f(k.yawSpan - Math.min(Math.abs(d), k.yawSpan)) / (2 * k.yawSpan)));
  v.yaw = wrap(f(v.yaw + f(d * f(f(k.yawShare) * share))));
  if (request !== undefined) {
    v.pending = request >= k.jumpFull ? 1 : f(f(k.jumpBase) + f(f(f(k.jumpGain) * request) / k.jumpFull));
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
    y = f(f(v.jumpStrength * v.pending) * f(honey ? k.jumpHoney : 1));
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

/** The movement input, shortened to a length of 1. */
function stick([side, forward]) {
  const [s, a] = [f(side), f(forward)];
  const length = f(Math.sqrt(f(f(s * s) + f(a * a))));
  return length > 1 ? [f(s / length), f(a / length)] : [s, a];
}

/** Whether there is ground directly below a vehicle at rest. */
export const standsOnGround = (kind, pos, world) => move(boxOf(kind, pos), [0, f(-1e-3), 0], { step: 0 }, world)[1] !== f(-1e-3);

const boxOf = (kind, pos) => boxAt(pos, f(f(kinds[kind].width) / 2), f(kinds[kind].height));

/** Counts for how many ticks the driver holds the jump key. In the tick of the key's release, returns the jump strength in percent. */
function charge(v, down, { jumpTicks, jumpLate, jumpDelay }) {
  const c = v.charge;
  let request;
  if (c.ticks < 0) {
    c.ticks++;
    if (c.ticks === 0) c.scale = 0;
  }
  if (!v.canPowerJump) c.scale = 0;
  else if (c.held && !down) {
    request = Math.floor(f(100 * c.scale));
    c.ticks = -jumpDelay;
  } else if (!c.held && down) [c.ticks, c.scale] = [0, 0];
  else if (c.held) {
    c.ticks++;
    c.scale = c.ticks < jumpTicks ? f(f(1 / jumpTicks) * c.ticks) : f(f(jumpLate) + f(f(1 - jumpLate) / (c.ticks - jumpTicks + 1)));
  }
  c.held = down;
  return request;
}

/** Moves the vehicle and sets its collision flags. Returns the velocity after collisions. */
function collide(v, want, { step }, world) {
  const got = move(boxOf(v.kind, v.pos), want, { step, onGround: v.onGround }, world);
  v.pos = v.pos.map((p, i) => f(p + got[i]));
  v.collided = want.map((w, i) => Math.abs(f(w - got[i])) >= f(1e-5));
  v.onGround = (v.collided[1] && want[1] < 0) || (v.onGround && !v.collided[1] && Math.abs(want[1]) <= f(1e-5));
  return got.map((g, i) => (v.collided[i] ? 0 : g));
}

function stepBoat(v, input, world) {
  const k = kinds[v.kind];
  const surface = surfaceOf(v, world);
  const drag = f(surface.drag);
  if (surface.submerged) v.submerged = Math.min(v.submerged + 1, k.submergedTicks + 1);
  else if (surface.floating) v.submerged = 0;
  const [left, right] = surface.air ? [0, 0] : paddle(v, input);
  v.paddleTick++;
  const box = boxOf(v.kind, v.pos);
  let [x, y, z] = v.vel;
  if (touches(world, box, 'water')) [x, y, z] = current(world, box, 'water', k.current).map((c, i) => f(v.vel[i] + c));
  [x, z, v.angular] = [f(x * drag), f(z * drag), f(v.angular * drag)];
  if (v.submerged <= k.submergedTicks) {
    const [l, r] = [f(f(k.paddleForce) * left), f(f(k.paddleForce) * right)];
    let torque = f(f(k.paddleTorque * l) - f(k.paddleTorque * r));
    let force = f(l + r);
    if (f(f(x * x) + f(z * z)) < f(k.slowTurnSpeed2) && torque !== 0) [force, torque] = [f(force * drag), f(torque * f(k.slowTurn))];
    v.angular = f(f(v.angular + f(k.paddleTurn * torque)) * drag);
    v.yaw = wrap(f(v.yaw + v.angular));
    const a = f(f(k.yawOffset - v.yaw) * RADIANS);
    x = f(f(x + f(force * sin(a))) * drag);
    z = f(f(z + f(force * cos(a))) * drag);
  }
  [x, y, z] = collide(v, [x, y, z], { step: 0 }, world);
  y = f(f(y - f(k.gravity)) * f(k.dragUp));
  if (surface.floating || surface.submerged) y = float(k, v, y, surface);
  v.vel = [x, bubbled(k, v, y, world), z];
  return v;
}

/** The vertical speed of a boat that the water carries. */
function float(k, v, y, { submerged }) {
  const o = f(v.pos[1] + f(k.offset));
  const depth = submerged ? 1 : Math.max(0, Math.min(f(f(f(k.depthShare) * f(1 - f(o - Math.floor(o)))) + f(k.depthLeast)), 1));
  return depth > 0 ? Math.min(f(f(k.buoyancy) * f(depth - f(k.depthLeast))), f(f(f(k.riseKeep) * y) + f(k.riseGain))) : y;
}

/** The vertical speed after a bubble column, if the boat is in one. */
function bubbled(k, v, y, world) {
  const { bubbles } = world.block(...[v.pos[0], f(v.pos[1] + f(k.offset)), v.pos[2]].map(Math.floor));
  if (bubbles === 'up') return Math.min(f(y + f(k.bubbleRise)), f(k.bubbleRiseMax));
  return bubbles === 'down' ? Math.max(f(y - f(k.bubbleSink)), f(-k.bubbleSinkMax)) : y;
}

/** The surface that a boat is in or on, and the factor that slows its speed there. */
function surfaceOf(v, world) {
  const k = kinds[v.kind];
  const o = f(v.pos[1] + f(k.offset));
  const [x, y, z] = [v.pos[0], o, v.pos[2]].map(Math.floor);
  const water = (up) => world.block(x, y + up, z).liquid === 'water';
  if (water(0) && water(1)) return { drag: k.waterDrag, submerged: true };
  if (water(0)) return { drag: k.waterDrag, floating: o < topOf(world, x, y, z) };
  if (v.onGround) {
    const below = world.block(x, Math.floor(f(v.pos[1] - f(0.5))), z);
    return { drag: below.boxes.length > 0 ? below.slipperiness ?? 0.6 : k.noBlockSlip };
  }
  return water(-1) ? { drag: k.waterDrag } : { drag: 1, air: true };
}

/** The strengths of both paddles: from the movement input, or without one from the flags of paddles that are held on a touch screen. */
function paddle(v, { move: m, flags }) {
  const k = kinds[v.kind];
  const [side, forward] = stick(m);
  const held = [flags.has('paddling_left'), flags.has('paddling_right')];
  if (side !== 0 || forward !== 0) v.touch = false;
  else if (held[0] || held[1]) v.touch = true;
  if (v.touch) return v.paddles.map((p, i) => touchPaddle(k, p, held[i], v.paddleTick));
  let length = f(Math.sqrt(f(f(side * side) + f(forward * forward))));
  let turn = side;
  if (forward < 0) [length, turn] = [f(length * f(k.paddleBack)), -side];
  const forces = [f(length * f(1 - Math.max(0, turn))), f(length * f(1 + Math.min(0, turn)))];
  return v.paddles.map((p, i) => stickPaddle(k, p, forces[i], v.paddleTick));
}

function stickPaddle(k, p, force, tick) {
  if (force === 0) [p.strength, p.start] = [0, -1];
  else if (tick - p.start > k.strokeTicks) [p.start, p.strength] = [tick, f(k.paddleStrength * force)];
  else p.strength = f(Math.sign(force) * Math.max(0, f(f(k.paddleStrength * Math.abs(force)) - f(k.paddleDrop))));
  return p.strength;
}

function touchPaddle(k, p, held, tick) {
  if (!held) {
    p.start = -1;
    p.strength = p.strength < f(k.paddleStop) ? 0 : f(p.strength * f(k.paddleLet));
    return p.strength;
  }
  const fading = Math.max(k.paddleLeast, f(p.strength - f(k.paddleFade)));
  if (p.start < 0) {
    p.start = tick;
    p.strength = tick - p.last <= k.strokeTicks + 1 ? fading : k.paddleStrength;
  } else p.strength = tick - p.start <= k.strokeTicks ? k.paddleStrength : fading;
  p.last = tick;
  return p.strength;
}
