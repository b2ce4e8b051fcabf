// Adapters of the oracle: the value that clients of each protocol show for a true position, and its rounding error.

const horizontal = (a, b) => Math.hypot(a.x - b.x, a.z - b.z);
const formatXZ = ({ x, z }) => `${x.toFixed(2)}, ${z.toFixed(2)}`;

/** {x, z} in world units: RealmCrafter clients, the console's map, and Bedrock positions converted to world units. */
export const worldUnits = (slack) => ({ show: (truth) => truth, off: horizontal, slack, format: formatXZ });

/** {x, z} in world units of clients that show tiles: the centre of the tile with the true position. toCentre(truth) returns it. */
export const tileCentres = (toCentre, slack) => ({ show: toCentre, off: horizontal, slack, format: formatXZ });

/** [x, y, z] in blocks: Bedrock clients. */
export const blocks = (slack) => ({
  show: (truth) => truth,
  off: (a, b) => Math.hypot(...a.map((v, i) => v - b[i])),
  slack,
  format: (position) => position.map((v) => Number(v.toFixed(4))).join(','),
});

const exact = (a, b) => (a === b ? 0 : Infinity);

/** Packed tiles of the RuneScape client, plane << 28 | x << 14 | z; the truth is [x, z, plane]. */
export const rsTile = {
  show: ([x, z, plane]) => (plane << 28) | (x << 14) | z,
  off: exact,
  slack: 0,
  format: (v) => `${(v >> 14) & 16383},${v & 16383},${v >>> 28}`,
};

/** Packed 64x64-tile squares of players beyond view, plane << 16 | x << 8 | z; the truth is [plane, x, z]. */
export const rsSquare = {
  show: ([plane, x, z]) => (plane << 16) | (x << 8) | z,
  off: exact,
  slack: 0,
  format: (v) => `square ${v >> 16},${(v >> 8) & 255},${v & 255}`,
};
