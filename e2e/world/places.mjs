// Places of common.toml, and the way from each door's own units to the world's: a tile and a block are 3.5 units long.

export const UNIT = 3.5;
export const start = { x: 1.75, z: 1.75 };
export const gate = { x: 1.75, z: 36.75 }; // in both areas
export const back = { x: 1.75, z: 15.75 };
export const stairs = { x: 1.75, z: 1.75 };
export const keep = { x: 61.25, z: 33.25, from: { x: 49, z: 21 }, to: { x: 73.5, z: 45.5 } }; // its middle and its outside
export const beforeKeep = { x: 40.25, z: 33.25 };
export const MELEE = 7; // units, beside both bodies

// Bounds of what a busy machine may take. What works is waited for much shorter, so they cost nothing.
export const WAIT_MS = 20000;
export const WALK_MS = 60000;

const areas = {
  Green: { base: { x: 3200, z: 3200 }, origin: { x: 0, y: 64, z: 0 } },
  Cellar: { base: { x: 6400, z: 3200 }, origin: { x: 2000, y: 70, z: 0 } },
};

/** The middle of a tile, in world units. */
export const fromTile = (area, { x, z }) => ({ x: (x - areas[area].base.x + 0.5) * UNIT, z: (z - areas[area].base.z + 0.5) * UNIT });
export const toTile = (area, { x, z }) => ({ x: Math.floor(x / UNIT) + areas[area].base.x, z: Math.floor(z / UNIT) + areas[area].base.z });

/** A place among blocks, whose z points south while the world's points north. */
export const fromBlocks = (area, [x, y, z]) => {
  const o = areas[area].origin;
  return { x: (x - o.x) * UNIT, y: (y - o.y) * UNIT, z: -(z - o.z) * UNIT };
};
export const toBlocks = (area, { x, z }) => [x / UNIT + areas[area].origin.x, -z / UNIT + areas[area].origin.z];

/** Points of experience in lines that say so. */
export const gained = (lines) => lines.reduce((sum, l) => sum + Number(/^You gain (\d+) points of experience\.$/.exec(l)?.[1] ?? 0), 0);

export const distance = (a, b) => Math.hypot(a.x - b.x, a.z - b.z);
export const inKeep = ({ x, z }) => x > keep.from.x + 0.5 && x < keep.to.x - 0.5 && z > keep.from.z + 0.5 && z < keep.to.z - 0.5;
