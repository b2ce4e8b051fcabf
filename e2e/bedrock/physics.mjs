// The movement of a player in one tick of 50 ms, in float32, operation by operation. Written from docs/wire/bedrock.md, physics;
// it shares no code with sim/move. Lengths are blocks, y points up, z south; angles are degrees.
const f = Math.fround;

const CELLS = 65536;
const sines = new Float32Array(CELLS);
for (let i = 0; i < CELLS; i++) sines[i] = Math.sin((i * 2 * Math.PI) / CELLS);

const TABLE = f(10430.378);
const QUARTER = f(16384);
const at = (x) => sines[Math.trunc(x) & (CELLS - 1)];
/** Sine of radians from the table that clients use. */
export const sin = (x) => at(f(x * TABLE));
export const cos = (x) => at(f(f(x * TABLE) + QUARTER));

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
const HALF_WIDTH = f(0.3);
const SHRINK = f(1e-4);
const CONTACT = f(1e-7);
export const EYES = f(1.62);
export const WALK_SPEED = f(0.1);
export const SPRINT_SPEED = f(WALK_SPEED * SPRINT);

/** The state of a player at rest on the ground: everything that the next tick depends on. copy() duplicates it. */
export function atRest(pos) {
  return {
    pos: pos.map(f), vel: [0, f(-0.0784), 0], onGround: true, collided: [false, false, false], jumpDelay: 0,
    sneaking: false, sprinting: false, using: false, immobile: false,
    speed: WALK_SPEED, base: WALK_SPEED, jumpBoost: 0, levitation: 0, slowFalling: false, knock: null,
  };
}

export const copy = (s) => ({ ...s, pos: [...s.pos], vel: [...s.vel], collided: [...s.collided], knock: s.knock && [...s.knock] });

/** Whether two states have bit-identical positions, velocities and movement flags. */
export function same(a, b) {
  const bits = (v) => v.every((x, i) => Object.is(x + 0, b[v === a.pos ? 'pos' : 'vel'][i] + 0));
  return bits(a.pos) && bits(a.vel) && a.onGround === b.onGround && a.sneaking === b.sneaking && a.sprinting === b.sprinting;
}

const clamp = (x, limit) => Math.max(-limit, Math.min(x, limit));

/**
 * Moves s by one tick. input: {yaw, move: [strafe, forward], flags: Set of input flag names}. world: {block(x, y, z),
 * boxes(box)}; a box is [x0, y0, z0, x1, y1, z1].
 */
export function step(s, input, world) {
  const { flags } = input;
  applyRequests(s, flags);
  const limit = f(f(s.using ? USING : 1) * (s.sneaking ? SNEAK : 1));
  const strafe = f(clamp(f(input.move[0]), limit) * IMPULSE);
  const forward = f(clamp(f(input.move[1]), limit) * IMPULSE);
  if (!flags.has('jumping')) s.jumpDelay = 0;
  let [x, y, z] = s.vel;
  if (f(f(f(x * x) + f(y * y)) + f(z * z)) < f(1e-12)) x = y = z = 0;
  if (s.immobile) [x, z] = [0, 0];

  const below = world.block(Math.floor(s.pos[0]), Math.floor(f(s.pos[1] - f(0.5))), Math.floor(s.pos[2]));
  let friction = AIR_FRICTION;
  let acceleration = s.sprinting ? SPRINT_AIR_ACCELERATION : AIR_ACCELERATION;
  if (s.onGround) {
    friction = f(AIR_FRICTION * f(below.slipperiness ?? SLIPPERINESS));
    const speed = f(s.speed * f(below.speedFactor ?? 1));
    acceleration = f(speed * f(GROUND_FACTOR / f(f(friction * friction) * friction)));
  }
  if (s.knock) [x, y, z] = s.knock;
  s.knock = null;

  [x, z] = accelerate(x, z, strafe, forward, acceleration, f(input.yaw * DEGREE));
  if (flags.has('start_jumping') && s.onGround && s.jumpDelay === 0) {
    y = Math.max(y, f(JUMP + f(JUMP_BOOST * s.jumpBoost)));
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
  const inWeb = touchesWeb(s, world);
  if (inWeb) [x, y, z] = [f(x * f(0.25)), f(y * f(0.05)), f(z * f(0.25))];
  if (s.sneaking && s.onGround && y <= 0) [x, z] = keepOnEdge(s, x, z, world);

  const want = [x, y, z];
  const got = collide(s, want, world);
  s.pos = s.pos.map((p, i) => f(p + got[i]));
  const wasOnGround = s.onGround;
  s.collided = want.map((w, i) => Math.abs(f(w - got[i])) >= f(1e-5));
  const [hitX, hitY, hitZ] = s.collided;
  s.onGround = (hitY && y < 0) || (wasOnGround && !hitY && Math.abs(y) <= f(1e-5));

  const under = world.block(Math.floor(s.pos[0]), Math.floor(f(s.pos[1] - f(0.2))), Math.floor(s.pos[2]));
  let [vx, vy, vz] = got;
  if (hitY) vy = s.onGround && !wasOnGround ? bounce(s, y, under) : 0;
  if (hitX) vx = 0;
  if (hitZ) vz = 0;
  if (inWeb) vx = vy = vz = 0;
  if (s.onGround && wasOnGround && got[1] === 0 && under.bounce === 'slime' && !s.sneaking) {
    [vx, vz] = [f(vx * SLIME), f(vz * SLIME)]; // the factor is 0.4 plus 0.2 per block of vertical speed, which is 0 here
  }
  if (s.levitation > 0) vy = f(vy + f(f(f(f(0.05) * s.levitation) - vy) * f(0.2)));
  else vy = f(f(vy - (s.slowFalling && vy < 0 ? SLOW_GRAVITY : GRAVITY)) * DRAG);
  s.vel = [f(vx * friction), vy, f(vz * friction)];
  if (s.jumpDelay > 0) s.jumpDelay--;
  return s;
}

/** Starts and stops sprinting and sneaking. Start and stop in one input stop. */
function applyRequests(s, flags) {
  if (flags.has('stop_sprinting')) [s.sprinting, s.speed] = [false, s.base];
  else if (flags.has('start_sprinting')) [s.sprinting, s.speed] = [true, f(s.base * SPRINT)];
  if (flags.has('stop_sneaking')) s.sneaking = false;
  else if (flags.has('start_sneaking')) s.sneaking = true;
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
export function boxOf(s, pos = s.pos) {
  const height = s.sneaking ? f(1.5) : f(1.8);
  const low = (p) => f(f(p - HALF_WIDTH) + SHRINK);
  const high = (p) => f(f(p + HALF_WIDTH) - SHRINK);
  return [low(pos[0]), pos[1], low(pos[2]), high(pos[0]), f(pos[1] + height), high(pos[2])];
}

const moved = (b, x, y, z) => [f(b[0] + x), f(b[1] + y), f(b[2] + z), f(b[3] + x), f(b[4] + y), f(b[5] + z)];
const swept = (b, x, y, z) => [
  f(b[0] + Math.min(x, 0)), f(b[1] + Math.min(y, 0)), f(b[2] + Math.min(z, 0)),
  f(b[3] + Math.max(x, 0)), f(b[4] + Math.max(y, 0)), f(b[5] + Math.max(z, 0)),
];
const overlap = (a, b, i) => f(a[i + 3] - b[i]) > CONTACT && f(b[i + 3] - a[i]) > CONTACT;
const intersect = (a, b) => overlap(a, b, 0) && overlap(a, b, 1) && overlap(a, b, 2);
const free = (b, world) => !world.boxes(b).some((other) => intersect(b, other));

/** How far b can move by d along an axis before it touches one of the boxes. */
function clip(b, boxes, axis, d) {
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
  for (const o of boxes) {
    if (!overlap(b, o, j) || !overlap(b, o, k)) continue;
    if (d > 0 && f(b[axis + 3] - o[axis]) <= CONTACT) d = Math.min(d, Math.max(f(o[axis] - b[axis + 3]), 0));
    else if (d < 0 && f(o[axis + 3] - b[axis]) <= CONTACT) d = Math.max(d, Math.min(f(o[axis + 3] - b[axis]), 0));
  }
  return d;
}

const along = (b, axis, d) => moved(b, ...[0, 1, 2].map((i) => (i === axis ? d : 0)));

function collide(s, want, world) {
  const from = boxOf(s);
  const boxes = world.boxes(swept(from, ...want));
  const y = clip(from, boxes, 1, want[1]);
  let b = along(from, 1, y);
  const x = clip(b, boxes, 0, want[0]);
  b = along(b, 0, x);
  const z = clip(b, boxes, 2, want[2]);
  const landed = y !== want[1] && want[1] < 0;
  if (!(s.onGround || landed) || (x === want[0] && z === want[2])) return [x, y, z];
  return climb(from, want, [x, y, z], world);
}

/** Tries to step up instead of stopping at an obstacle. */
function climb(from, want, flat, world) {
  const boxes = world.boxes(swept(from, want[0], STEP, want[2]));
  const up = clip(from, boxes, 1, STEP);
  let b = along(from, 1, up);
  const x = clip(b, boxes, 0, want[0]);
  b = along(b, 0, x);
  const z = clip(b, boxes, 2, want[2]);
  b = along(b, 2, z);
  const down = clip(b, boxes, 1, -up);
  b = along(b, 1, down);
  const length2 = (v, w) => f(f(v * v) + f(w * w));
  if (length2(x, z) <= length2(flat[0], flat[2]) || !free(b, world)) return flat;
  return [x, f(up + down), z];
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

function touchesWeb(s, world) {
  const b = boxOf(s);
  for (let x = Math.floor(b[0]); x <= Math.floor(b[3]); x++) {
    for (let y = Math.floor(b[1]); y <= Math.floor(b[4]); y++) {
      for (let z = Math.floor(b[2]); z <= Math.floor(b[5]); z++) if (world.block(x, y, z).web) return true;
    }
  }
  return false;
}
