// The movement of a player in one tick of 50 ms, in float32, operation by operation. Written from docs/wire/bedrock.md, physics;
// it shares no code with sim/move. Lengths are blocks, y points up, z south; angles are degrees.
import { boxAt, free, move, moved } from './collision.mjs';
import { cellsOf, contactBox, current, isIn, liquids, touches } from './liquid.mjs';
import { copyVehicle, onWire, sameVehicle, seatOf, stepVehicle } from './riding.mjs';
import { cos, exactSin, sin } from './trig.mjs';

const f = Math.fround;

const DEGREE = f(Math.PI / 180);
const AIR_FRICTION = f(0.91);
const SLIPPERINESS = f(0.6);
const IMPULSE = f(0.98);
const SNEAK = f(0.3);
const USING = f(0.1225);
const GROUND_FACTOR = f(0.16277136);
const AIR_ACCELERATION = f(0.02);
const SPRINT_AIR_ACCELERATION = f(0.026);
const SPRINT = f(1.3);
const JUMP = f(0.42);
const JUMP_BOOST = f(0.1);
const SPRINT_JUMP = f(0.2);
const GRAVITY = f(0.08);
const SLOW_GRAVITY = f(0.01);
const DRAG = f(0.98);
const STEP = f(0.6);
const CLIMB = f(0.2);
const SLIME = f(0.4);
const SWIM_POSE = 10; // ticks until a swimmer lies flat
const HALF_WIDTH = f(0.3);
export const EYES = f(1.62);

/** The position and velocity that the input packet of a tick contains: of the player's eyes, or of the vehicle that the player drives. */
export const predicted = (s) => (s.vehicle ? { at: onWire(s.vehicle), delta: s.vehicle.vel } : { at: [s.pos[0], f(s.pos[1] + EYES), s.pos[2]], delta: s.vel });

export const WALK_SPEED = f(0.1);
export const SPRINT_SPEED = f(WALK_SPEED * SPRINT);

/** The state of a player at rest on the ground: everything that the next tick depends on. copy() duplicates it. */
export function atRest(pos) {
  return {
    pos: pos.map(f), vel: [0, f(-0.0784), 0], onGround: true, collided: [false, false, false], jumpDelay: 0,
    sneaking: false, sprinting: false, using: false, immobile: false, swimming: false, swimPose: 0, gliding: false, mayGlide: false, fireworks: 0,
    speed: WALK_SPEED, base: WALK_SPEED, jumpBoost: 0, levitation: 0, slowFalling: false, knock: null, depthStrider: 0,
    underwater: liquids.water.accelerate, lava: liquids.lava.accelerate,
    vehicle: null, // state of the vehicle that the player drives; null for none
    carrier: null, // actor of the vehicle in which the player is a passenger; null for none
  };
}

export const copy = (s) => ({
  ...s, pos: [...s.pos], vel: [...s.vel], collided: [...s.collided], knock: s.knock && [...s.knock], vehicle: s.vehicle && copyVehicle(s.vehicle),
});

/** Whether two states have bit-identical positions, velocities and movement flags. */
export function same(a, b) {
  if (a.vehicle || b.vehicle) return Boolean(a.vehicle && b.vehicle && sameVehicle(a.vehicle, b.vehicle));
  const bits = (v) => v.every((x, i) => Object.is(x + 0, b[v === a.pos ? 'pos' : 'vel'][i] + 0));
  return bits(a.pos) && bits(a.vel) && a.onGround === b.onGround && a.sneaking === b.sneaking && a.sprinting === b.sprinting;
}

const clamp = (x, limit) => Math.max(-limit, Math.min(x, limit));

/**
 * Moves s by one tick. input: {yaw, move: [strafe, forward], flags: Set of input flag names, use: whether the item in hand is used
 * or released from this tick on}. world: {block(x, y, z), boxes(box)}; a box is [x0, y0, z0, x1, y1, z1].
 */
export function step(s, input, world) {
  if (s.vehicle) {
    stepVehicle(s.vehicle, input, world);
    s.pos = seatOf(s.vehicle);
    return s;
  }
  if (s.carrier) {
    s.pos = s.carrier.pos.map(f);
    return s;
  }
  const { flags } = input;
  if (typeof input.use === 'boolean') s.using = input.use;
  const liquid = liquidAround(s, world);
  applyRequests(s, flags, liquid);
  const limit = f(f(s.using ? USING : 1) * (s.sneaking ? SNEAK : 1));
  const strafe = f(clamp(f(input.move[0]), limit) * IMPULSE);
  const forward = f(clamp(f(input.move[1]), limit) * IMPULSE);
  if (!flags.has('jumping')) s.jumpDelay = 0;
  let [x, y, z] = s.vel;
  if (f(f(f(x * x) + f(y * y)) + f(z * z)) < f(1e-12)) x = y = z = 0;
  if (s.immobile) [x, z] = [0, 0];

  if (s.knock) [x, y, z] = s.knock;
  s.knock = null;
  s.vel = [x, y, z];
  if (liquid) return stepLiquid(s, input, world, liquid);
  if (s.gliding) return stepGlide(s, input, world);

  const { honey, slow } = contactsOf(s, world);
  if (honey) [x, y, z] = [f(x * f(0.4)), Math.max(y, f(-0.12)), f(z * f(0.4))];
  const below = world.block(Math.floor(s.pos[0]), Math.floor(f(s.pos[1] - f(0.5))), Math.floor(s.pos[2]));
  let friction = AIR_FRICTION;
  let acceleration = s.sprinting ? SPRINT_AIR_ACCELERATION : AIR_ACCELERATION;
  if (s.onGround) {
    friction = f(AIR_FRICTION * f(below.slipperiness ?? SLIPPERINESS));
    const speed = f(s.speed * f(below.speedFactor ?? 1));
    acceleration = f(speed * f(GROUND_FACTOR / f(f(friction * friction) * friction)));
  }
  [x, z] = accelerate(x, z, strafe, forward, acceleration, f(input.yaw * DEGREE));
  if (flags.has('start_jumping') && !s.onGround && s.jumpDelay === 0) s.jumpDelay = 10;
  if ((flags.has('start_jumping') || flags.has('jumping')) && s.onGround && s.jumpDelay === 0) {
    const jump = f(JUMP + f(JUMP_BOOST * s.jumpBoost));
    y = Math.max(y, below.honey ? f(jump * f(0.6)) : jump);
    s.jumpDelay = 10;
    if (s.sprinting) {
      const yaw = f(input.yaw * f(0.017453292));
      x = f(x - f(sin(yaw) * SPRINT_JUMP));
      z = f(z + f(cos(yaw) * SPRINT_JUMP));
    }
  }
  const feet = world.block(...s.pos.map(Math.floor));
  if (feet.climbable) {
    y = Math.max(y, f(-CLIMB));
    if (flags.has('jumping') || s.collided[0] || s.collided[2]) y = CLIMB;
    if (s.sneaking) y = Math.max(y, 0);
  }
  let before = y;
  if (slow) [x, y, z] = [x, y, z].map((v, i) => f(v * f(slow[i])));
  if (s.sneaking && s.onGround && y <= 0) [x, z] = keepOnEdge(s, x, z, world);

  const wasOnGround = s.onGround;
  const got = moveBody(s, [x, y, z], world);
  const [hitX, hitY, hitZ] = s.collided;

  const under = world.block(Math.floor(s.pos[0]), Math.floor(f(s.pos[1] - f(0.2))), Math.floor(s.pos[2]));
  let [vx, vy, vz] = got;
  if (hitY) vy = s.onGround && !wasOnGround ? bounce(s, y, under) : 0;
  if (hitX) vx = 0;
  if (hitZ) vz = 0;
  if (slow) vx = vy = vz = before = 0;
  if (s.onGround && wasOnGround && got[1] === 0 && under.bounce === 'slime' && !s.sneaking) {
    [vx, vz] = [f(vx * SLIME), f(vz * SLIME)]; // the factor depends on the vertical speed: 0.4 plus 0.2 per block; here that speed is 0
  }
  vy = fall(s, vy, before);
  s.vel = [f(vx * friction), vy, f(vz * friction)];
  if (s.jumpDelay > 0) s.jumpDelay--;
  rideBubbles(s, world);
  return s;
}

/** The vertical speed after gravity or levitation. before: the vertical speed before the move. */
function fall(s, vy, before) {
  if (s.levitation > 0) return f(f(f(0.8) * before + f(f(0.01) * s.levitation)) * DRAG);
  return f(f(vy - (s.slowFalling && before < 0 ? SLOW_GRAVITY : GRAVITY)) * DRAG);
}

/** Starts and stops sprinting, sneaking and swimming. If one input has both start and stop, it stops. */
function applyRequests(s, flags, liquid) {
  if (flags.has('stop_sprinting')) [s.sprinting, s.speed] = [false, s.base];
  else if (flags.has('start_sprinting')) [s.sprinting, s.speed] = [true, f(s.base * SPRINT)];
  if (flags.has('stop_sneaking')) s.sneaking = false;
  else if (flags.has('start_sneaking')) s.sneaking = true;
  if (flags.has('stop_swimming') || liquid !== 'water') s.swimming = false;
  else if (flags.has('start_swimming')) s.swimming = true;
  if (flags.has('stop_gliding') || s.onGround || liquid || s.levitation > 0 || !s.mayGlide) s.gliding = false;
  else if (flags.has('start_gliding')) s.gliding = true;
  if (!s.gliding) s.fireworks = 0;
  s.swimPose = Math.max(0, Math.min(s.swimPose + (s.swimming ? 1 : -1), SWIM_POSE));
}

function accelerate(x, z, strafe, forward, acceleration, yaw) {
  const q = f(f(strafe * strafe) + f(forward * forward));
  if (q < f(1e-4)) return [x, z];
  const k = f(acceleration / Math.max(f(Math.sqrt(q)), 1));
  const [sideways, ahead] = [f(strafe * k), f(forward * k)];
  const [s, c] = [sin(yaw), cos(yaw)];
  return [f(x + f(f(sideways * c) - f(ahead * s))), f(z + f(f(ahead * c) + f(sideways * s)))];
}

/** The box of a player. */
export const boxOf = (s, pos = s.pos) => boxAt(pos, HALF_WIDTH, heightOf(s));

function heightOf(s) {
  if (s.swimming || s.gliding) return f(0.6);
  return s.sneaking ? f(1.5) : f(1.8);
}

/** Shortens the movement of a sneaking player so that it does not leave the edge of a block. */
function keepOnEdge(s, x, z, world) {
  const b = boxOf(s);
  const inset = f(0.025);
  const small = [f(b[0] + inset), b[1], f(b[2] + inset), f(b[3] - inset), b[4], f(b[5] - inset)];
  const drop = f(-0.606);
  const hangs = (dx, dz) => free(moved(small, dx, drop, dz), world);
  const shorten = (d) => (Math.abs(d) < f(0.05) ? 0 : f(d - f(Math.sign(d) * f(0.05))));
  while (x !== 0 && hangs(x, 0)) x = shorten(x);
  while (z !== 0 && hangs(0, z)) z = shorten(z);
  while (x !== 0 && z !== 0 && hangs(x, z)) [x, z] = [shorten(x), shorten(z)];
  return [x, z];
}

function bounce(s, fallSpeed, under) {
  if (s.sneaking) return 0;
  if (under.bounce === 'slime') return f(-fallSpeed);
  if (under.bounce === 'bed') return Math.min(1, f(f(-0.66) * fallSpeed));
  return 0;
}

/** The effects of the blocks that the body touches: whether it touches honey, and the smallest speed factor on each axis. */
function contactsOf(s, world) {
  let [honey, slow] = [false, undefined];
  for (const cell of cellsOf(boxOf(s))) {
    const block = world.block(...cell);
    honey ||= Boolean(block.honey);
    if (block.slow) slow = slow ? slow.map((v, i) => Math.min(v, block.slow[i])) : block.slow;
  }
  return { honey, slow };
}

/** Moves the body until it touches blocks, and sets the collision flags of s. Returns the vector by which it has moved. */
function moveBody(s, want, world) {
  const got = move(boxOf(s), want, { step: STEP, onGround: s.onGround }, world);
  s.pos = s.pos.map((p, i) => f(p + got[i]));
  s.collided = want.map((w, i) => Math.abs(f(w - got[i])) >= f(1e-5));
  s.onGround = (s.collided[1] && want[1] < 0) || (s.onGround && !s.collided[1] && Math.abs(want[1]) <= f(1e-5));
  return got;
}

/** The liquid that moves the body: lava before water. */
const liquidAround = (s, world) => ['lava', 'water'].find((liquid) => touches(world, liquidBox(s, liquid), liquid));
const liquidBox = (s, liquid) => contactBox(s.pos, HALF_WIDTH, heightOf(s), liquids[liquid]);

function stepLiquid(s, { yaw, pitch = 0, flags, move: [side, ahead] }, world, liquid) {
  const k = liquids[liquid];
  const water = liquid === 'water';
  let [x, y, z] = current(world, liquidBox(s, liquid), liquid, k.current).map((c, i) => f(s.vel[i] + c));
  if (flags.has('want_down') || (!s.swimming && (s.sneaking || flags.has('sneak_down')))) y = f(y - f(k.descend));
  const headIn = isIn(world, [s.pos[0], f(s.pos[1] + (s.swimming ? f(0.4) : EYES)), s.pos[2]], 'water');
  if (flags.has('jumping')) {
    const posing = s.swimPose > 0 && s.swimPose < SWIM_POSE;
    y = water && (posing || (s.swimming && !headIn)) ? 0 : f(y + f(k.rise));
  } else if (s.swimming && water) y = steer(y, pitch, headIn);
  const [acceleration, drag] = liquidDrag(s, k, water);
  const limit = s.using ? USING : 1;
  const [strafe, forward] = [side, ahead].map((v) => f(clamp(f(v), limit) * IMPULSE));
  [x, z] = accelerate(x, z, strafe, forward, acceleration, f(yaw * DEGREE));
  const height = s.pos[1];
  const v = moveBody(s, [x, y, z], world).map((d, i) => (s.collided[i] ? 0 : d));
  s.vel = [f(v[0] * drag), f(f(v[1] * f(k.drag)) - (s.swimming && water ? 0 : f(k.gravity))), f(v[2] * drag)];
  if ((s.collided[0] || s.collided[2]) && reachesShore(s, height, world)) s.vel[1] = f(k.climbOut);
  if (s.jumpDelay > 0) s.jumpDelay--;
  rideBubbles(s, world);
  return s;
}

/** The acceleration that the movement input causes in a liquid, and the factor that slows horizontal speed. */
function liquidDrag(s, k, water) {
  const [acceleration, drag] = [f(water ? s.underwater : s.lava), f(s.sprinting ? k.sprintDrag : k.drag)];
  if (s.depthStrider === 0 || !water) return [acceleration, drag];
  const share = f(f(Math.min(s.depthStrider, 3) / 3) * (s.onGround ? 1 : 0.5));
  return [f(acceleration + f(f(walkSpeed(s) - acceleration) * share)), f(drag + f(f(f(0.546) - drag) * share))];
}

const walkSpeed = (s) => (s.sprinting ? s.base : s.speed);

/** The vertical speed of a swimmer that steers by its pitch. */
function steer(y, pitch, headIn) {
  const level = f(-exactSin(f(pitch * DEGREE)));
  if (level > 0 && !headIn) return 0;
  return f(y + f(f(level - y) * f(level < f(-0.2) ? 0.085 : 0.06)));
}

/** Whether the body has room to climb the shore that it has collided with. height: of the feet before the move. */
function reachesShore(s, height, world) {
  const up = f(f(s.vel[1] + f(0.6)) - f(s.pos[1] - height));
  const b = moved(boxOf(s), s.vel[0], up, s.vel[2]);
  const inside = [b[0], f(b[1] + f(1e-5)), b[2], b[3], f(b[4] - f(1e-5)), b[5]];
  return free(b, world) && !touches(world, inside, 'water') && !touches(world, inside, 'lava');
}

/** Bubble columns lift the body, or drag it down. */
function rideBubbles(s, world) {
  const b = contactBox(s.pos, HALF_WIDTH, heightOf(s), { contactAcross: 1e-3, contactUp: 1e-3 });
  for (const [x, y, z] of cellsOf(b)) {
    const { bubbles } = world.block(x, y, z);
    const top = world.block(x, y + 1, z).name === 'minecraft:air';
    if (bubbles === 'up') s.vel[1] = Math.min(f(s.vel[1] + f(top ? 0.1 : 0.06)), f(top ? 1.8 : 0.7));
    if (bubbles === 'down') s.vel[1] = Math.max(f(s.vel[1] - f(0.03)), f(top ? -0.9 : -0.3));
  }
}

/** Simulates a tick of gliding with an elytra, with the thrust of a firework if there is one. */
function stepGlide(s, { yaw, pitch = 0 }, world) {
  const [p, a] = [f(pitch * DEGREE), f(yaw * DEGREE)];
  const [level, up] = [cos(p), f(-sin(p))];
  const ahead = [f(-sin(a)), cos(a)];
  const flat2 = f(level * level);
  let [x, y, z] = s.vel;
  const across = f(Math.sqrt(f(f(x * x) + f(z * z))));
  y = f(y + f(f(f(0.06) * flat2) - GRAVITY));
  const add = (share, gain) => [x, z] = [f(x + f(ahead[0] * f(share * gain))), f(z + f(ahead[1] * f(share * gain)))];
  if (y < 0 && level > 0) {
    const gain = f(f(f(-0.1) * y) * flat2);
    y = f(y + gain);
    add(1, gain);
  }
  if (up > 0) {
    const gain = f(f(f(0.04) * across) * up);
    y = f(y + f(f(3.2) * gain));
    add(-1, gain);
  }
  if (level > 0) {
    x = f(x + f(f(f(ahead[0] * across) - x) * f(0.1)));
    z = f(z + f(f(f(ahead[1] * across) - z) * f(0.1)));
  }
  if (s.fireworks > 0) {
    s.fireworks--;
    const look = [f(ahead[0] * level), up, f(ahead[1] * level)];
    const drive = (v, l) => f(f(v + f(f(0.5) * f(f(f(1.5) * l) - v))) + f(f(0.1) * l));
    [x, y, z] = [drive(x, look[0]), drive(y, look[1]), drive(z, look[2])];
  }
  const got = moveBody(s, [f(x * f(0.99)), f(y * DRAG), f(z * f(0.99))], world);
  s.vel = got.map((d, i) => (s.collided[i] ? 0 : d));
  if (s.onGround) s.gliding = false;
  return s;
}
