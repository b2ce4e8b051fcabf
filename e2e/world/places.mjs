// Positions in common.toml, and conversions between the units of each door and world units. A tile and a block are 3.5 units.

export const UNIT = 3.5; // world units in a tile or a block
export const start = { x: 1.75, z: 1.75 };
export const gate = { x: 1.75, z: 36.75 }; // position of the gate, the same in both areas
export const gateExit = { x: 1.75, z: 15.75 }; // position of the portal "Back" of Green
export const stairs = { x: 1.75, z: 1.75 }; // position of the stairs in Cellar
export const well = { x: 1.75, z: -22.75 }; // position at which dead players respawn in Green
export const keep = { x: 61.25, z: 33.25, from: { x: 49, z: 21 }, to: { x: 73.5, z: 45.5 } }; // centre, and outer walls
export const beforeKeep = { x: 40.25, z: 33.25 };

// Time limits of waits, long enough for a busy machine. A wait ends as soon as its condition is met, so long limits do not make
// the test slower.
export const WAIT_MS = 20000;
export const WALK_MS = 60000;

const areas = {
  Green: { base: { x: 3200, z: 3200 }, origin: { x: 0, y: 64, z: 0 } },
  Cellar: { base: { x: 6400, z: 3200 }, origin: { x: 2000, y: 70, z: 0 } },
};

/** The centre of a tile, in world units. */
export const fromTile = (area, { x, z }) => ({ x: (x - areas[area].base.x + 0.5) * UNIT, z: (z - areas[area].base.z + 0.5) * UNIT });
export const toTile = (area, { x, z }) => ({ x: Math.floor(x / UNIT) + areas[area].base.x, z: Math.floor(z / UNIT) + areas[area].base.z });

/** A position in blocks, whose z axis points south while the world's points north. */
export const fromBlocks = (area, [x, y, z]) => {
  const o = areas[area].origin;
  return { x: (x - o.x) * UNIT, y: (y - o.y) * UNIT, z: -(z - o.z) * UNIT };
};
export const toBlocks = (area, { x, z }) => [x / UNIT + areas[area].origin.x, -z / UNIT + areas[area].origin.z];

/** The sum of the experience points in chat lines such as "You gain 5 points of experience." */
export const experienceIn = (lines) => lines.reduce((sum, l) => sum + Number(/^You gain (\d+) points of experience\.$/.exec(l)?.[1] ?? 0), 0);

export const distance = (a, b) => Math.hypot(a.x - b.x, a.z - b.z);
export const inKeep = ({ x, z }) => x > keep.from.x + 0.5 && x < keep.to.x - 0.5 && z > keep.from.z + 0.5 && z < keep.to.z - 0.5;
