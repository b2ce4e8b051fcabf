// Collision of boxes [x0, y0, z0, x1, y1, z1] with blocks: how far a body's box can move. Written from docs/wire/bedrock.md,
// physics.
const f = Math.fround;

const SHRINK = f(1e-4);
const CONTACT = f(1e-7);

/** The collision box of a player or vehicle whose feet are at pos. */
export function boxAt(pos, halfWidth, height) {
  const low = (p) => f(f(p - halfWidth) + SHRINK);
  const high = (p) => f(f(p + halfWidth) - SHRINK);
  return [low(pos[0]), pos[1], low(pos[2]), high(pos[0]), f(pos[1] + height), high(pos[2])];
}

export const moved = (b, x, y, z) => [f(b[0] + x), f(b[1] + y), f(b[2] + z), f(b[3] + x), f(b[4] + y), f(b[5] + z)];
const swept = (b, x, y, z) => [
  f(b[0] + Math.min(x, 0)), f(b[1] + Math.min(y, 0)), f(b[2] + Math.min(z, 0)),
  f(b[3] + Math.max(x, 0)), f(b[4] + Math.max(y, 0)), f(b[5] + Math.max(z, 0)),
];
const overlap = (a, b, i) => f(a[i + 3] - b[i]) > CONTACT && f(b[i + 3] - a[i]) > CONTACT;
const intersect = (a, b) => overlap(a, b, 0) && overlap(a, b, 1) && overlap(a, b, 2);
/** Whether no block intersects a box. */
export const free = (b, world) => !world.boxes(b).some((other) => intersect(b, other));

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

/**
 * Moves a box by a vector, along y, then x, then z, until it touches a block. step: the maximum height of obstacles that the box
 * climbs if it stands on the ground or lands, 0 for none. Returns the vector by which it has moved.
 */
export function move(from, want, { step, onGround }, world) {
  const boxes = world.boxes(swept(from, ...want));
  const y = clip(from, boxes, 1, want[1]);
  let b = along(from, 1, y);
  const x = clip(b, boxes, 0, want[0]);
  b = along(b, 0, x);
  const z = clip(b, boxes, 2, want[2]);
  const landed = y !== want[1] && want[1] < 0;
  if (step === 0 || !(onGround || landed) || (x === want[0] && z === want[2])) return [x, y, z];
  return climb(from, want, [x, y, z], step, world);
}

/** Tries to step up an obstacle instead of stopping at it. Returns the movement that leads farther; flat is the one without a step. */
function climb(from, want, flat, step, world) {
  const boxes = world.boxes(swept(from, want[0], step, want[2]));
  const up = clip(from, boxes, 1, step);
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
