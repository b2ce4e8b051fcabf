// Positions in the embedded world, and pathfinding around the solids of its green, as in content/default.toml.

export const green = { x: 3222, z: 3218 };
export const fountain = { x: 3225, z: 3215 };
export const house = { west: 3215, east: 3218, south: 3209, north: 3211, door: 3210 };
export const ringGate = { x: 3222, z: 3195 };
export const northRoad = { x: 3221, z: 3253 };
export const sand = { x: 3200, z: 3200 }; // place to which the Ring gate leads
export const wayOut = { x: 3200, z: 3191 }; // portal from the Ring back
export const squareBorder = 3200; // z of the southernmost row of the map square that contains the green

const key = (x, z) => x * 16384 + z;

/** Whether there is a wall between two tiles that share an edge. */
function hasWall(x, z, dx, dz) {
  const h = house;
  if (dz !== 0) {
    const [below, above] = dz > 0 ? [z, z + 1] : [z - 1, z];
    const along = x >= h.west && x <= h.east;
    return along && ((below === h.south - 1 && above === h.south) || (below === h.north && above === h.north + 1));
  }
  const [left, right] = dx > 0 ? [x, x + 1] : [x - 1, x];
  const along = z >= h.south && z <= h.north;
  return along && ((left === h.west - 1 && right === h.west) || (left === h.east && right === h.east + 1 && z !== h.door));
}

const solid = (x, z) => x === fountain.x && z === fountain.z;

const open = (x, z, dx, dz) => !solid(x + dx, z + dz) && !hasWall(x, z, dx, dz);

/** Whether a step from x, z by dx, dz is legal. A diagonal step needs both corners free. */
export function mayStep(x, z, dx, dz) {
  if (dx === 0 || dz === 0) return open(x, z, dx, dz);
  return open(x, z, dx, 0) && open(x + dx, z, 0, dz) && open(x, z, 0, dz) && open(x, z + dz, dx, 0);
}

const STEPS = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];

/** Steps of a shortest path between two tiles that are at most 40 apart. */
export function distance(from, to) {
  const steps = new Map([[key(from.x, from.z), 0]]);
  const queue = [from];
  for (const at of queue) {
    const d = steps.get(key(at.x, at.z));
    if (at.x === to.x && at.z === to.z) return d;
    for (const [dx, dz] of STEPS) {
      const [x, z] = [at.x + dx, at.z + dz];
      if (steps.has(key(x, z)) || Math.abs(x - from.x) > 60 || Math.abs(z - from.z) > 60 || !mayStep(at.x, at.z, dx, dz)) continue;
      steps.set(key(x, z), d + 1);
      queue.push({ x, z });
    }
  }
  return Infinity;
}

/** Whether a tile can be reached from another in at most that many steps. */
export function within(from, to, steps) {
  const d = Math.max(Math.abs(from.x - to.x), Math.abs(from.z - to.z));
  return d <= steps && distance(from, to) <= steps;
}
