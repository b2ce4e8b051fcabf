// Blocks by the id that the server sends, a hash of name and states. Names, states and shapes are those of minecraft-data;
// effects on movement are from docs/wire/bedrock.md, physics.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const data = load('minecraft-data')('bedrock_1.26.45');

const EFFECTS = {
  ice: { slipperiness: 0.98 }, packed_ice: { slipperiness: 0.98 }, frosted_ice: { slipperiness: 0.98 },
  blue_ice: { slipperiness: 0.99 }, slime: { slipperiness: 0.8, bounce: 'slime' }, bed: { bounce: 'bed' }, soul_sand: { speedFactor: 0.543 },
  ladder: { climbable: true }, vine: { climbable: true }, web: { web: true },
  water: { liquid: 'water' }, flowing_water: { liquid: 'water' }, lava: { liquid: 'lava' }, flowing_lava: { liquid: 'lava' },
};

const short = (n) => [n & 255, n >> 8];
const text = (s) => [...short(Buffer.byteLength(s)), ...Buffer.from(s)];
const TAGS = { byte: 1, int: 3, string: 8 };

function tag(name, { type, value }) {
  const body = { byte: () => [value & 255], int: () => [...Buffer.from(Int32Array.of(value).buffer)], string: () => text(value) }[type]();
  return [TAGS[type], ...text(name), ...body];
}

/** FNV-1a over the block's compound tag in little-endian NBT, as a signed 32-bit number. */
export function hashOf(name, states = {}) {
  const listed = Object.keys(states).sort().flatMap((key) => tag(key, states[key]));
  const bytes = [10, 0, 0, 8, ...text('name'), ...text(name), 10, ...text('states'), ...listed, 0, 0];
  let h = 0x811c9dc5;
  for (const b of bytes) h = Math.imul(h ^ b, 0x01000193);
  return h | 0;
}

const kinds = new Map();
let counts = {}; // states seen so far, by name
for (const { name, states } of data.blockStates) {
  const nth = (counts[name] = (counts[name] ?? -1) + 1);
  const shapes = data.blockCollisionShapes.blocks[name] ?? [0];
  const boxes = data.blockCollisionShapes.shapes[shapes[nth] ?? shapes[0]] ?? [];
  const full = `minecraft:${name}`;
  kinds.set(hashOf(full, states), { name: full, states, boxes, ...EFFECTS[name] });
}
counts = undefined;

export const AIR = kinds.get(hashOf('minecraft:air'));

/** The block with an id, undefined if this version has none. */
export const blockOf = (hash) => kinds.get(hash | 0);
