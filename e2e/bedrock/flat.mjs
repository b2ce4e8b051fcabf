// Worlds for unit tests: flat ground with boxes on it.
const AIR = { name: 'minecraft:air', boxes: [] };
const GRASS = { name: 'minecraft:grass_block', boxes: [[0, 0, 0, 1, 1, 1]] };

/** Flat ground whose top is at y = level. blocks: {'x,y,z': kind}. */
export function flat(level = 64, blocks = {}) {
  const block = (x, y, z) => blocks[`${x},${y},${z}`] ?? (y < level ? GRASS : AIR);
  return { block, boxes: (b) => boxesOf(block, b) };
}

/** Collision boxes of the blocks that b touches, faces included. */
export function boxesOf(block, b) {
  const found = [];
  for (let x = Math.floor(b[0]) - 1; x <= Math.floor(b[3]) + 1; x++) {
    for (let z = Math.floor(b[2]) - 1; z <= Math.floor(b[5]) + 1; z++) {
      for (let y = Math.floor(b[1]) - 1; y <= Math.floor(b[4]) + 1; y++) {
        for (const o of block(x, y, z).boxes) {
          const at = [x, y, z, x, y, z].map((v, i) => Math.fround(v + o[i]));
          if (touch(at, b)) found.push(at);
        }
      }
    }
  }
  return found;
}

const touch = (a, b) => [0, 1, 2].every((i) => a[i] <= b[i + 3] && b[i] <= a[i + 3]);
