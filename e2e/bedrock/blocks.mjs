// Blocks by the id that the server sends, a hash of name and states. Names, states and collision shapes come from the package
// minecraft-data, effects on movement from docs/wire/bedrock.md, physics.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const data = load('minecraft-data')('bedrock_1.26.45');

const EFFECTS = {
  ice: { slipperiness: 0.98 }, packed_ice: { slipperiness: 0.98 }, frosted_ice: { slipperiness: 0.98 },
  blue_ice: { slipperiness: 0.989 }, slime: { slipperiness: 0.8, bounce: 'slime' }, bed: { bounce: 'bed' },
  honey_block: { slipperiness: 0.8, honey: true }, soul_sand: { speedFactor: 0.544 },
  ladder: { climbable: true }, vine: { climbable: true },
  web: { slow: [0.25, 0.05, 0.25] }, powder_snow: { slow: [0.9, 1.5, 0.9] }, sweet_berry_bush: { slow: [0.8, 0.75, 0.8] },
  water: { liquid: 'water' }, flowing_water: { liquid: 'water' }, lava: { liquid: 'lava' }, flowing_lava: { liquid: 'lava' },
  bubble_column: { liquid: 'water' },
};

/** The effects of a block's states on movement: liquids, bubbles. */
function stateEffects(name, { liquid_depth: depth, drag_down: down } = {}) {
  if (name === 'bubble_column') return { bubbles: down.value ? 'down' : 'up' };
  return depth === undefined ? {} : { depth: depth.value };
}

const TAGS = { byte: 1, int: 3, string: 8 };

/** Continues the FNV-1a hash h with further bytes. */
function fold(h, bytes) {
  let hash = h;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash;
}

const texts = new Map(); // string: its length as u16 LE, then its bytes; cached, because the 16,000 states have few names
function text(s) {
  if (!texts.has(s)) texts.set(s, Buffer.from([Buffer.byteLength(s) & 255, Buffer.byteLength(s) >> 8, ...Buffer.from(s)]));
  return texts.get(s);
}

function foldTag(h, name, { type, value }) {
  const head = fold(fold(h, [TAGS[type]]), text(name));
  if (type === 'string') return fold(head, text(value));
  return fold(head, type === 'byte' ? [value & 255] : [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]);
}

/** FNV-1a over the block's compound tag in little-endian NBT, as a signed 32-bit number. */
export function hashOf(name, states = {}) {
  let h = fold(fold(fold(0x811c9dc5, [10, 0, 0, 8]), text('name')), text(name));
  h = fold(fold(h, [10]), text('states'));
  for (const key of Object.keys(states).sort()) h = foldTag(h, key, states[key]);
  return fold(h, [0, 0]) | 0;
}

const kinds = new Map();
let counts = {}; // states seen so far, by name
for (const { name, states } of data.blockStates) {
  const nth = (counts[name] = (counts[name] ?? -1) + 1);
  const shapes = data.blockCollisionShapes.blocks[name] ?? [0];
  const boxes = data.blockCollisionShapes.shapes[shapes[nth] ?? shapes[0]] ?? [];
  const full = `minecraft:${name}`;
  kinds.set(hashOf(full, states), { name: full, states, boxes, ...EFFECTS[name], ...stateEffects(name, states) });
}
counts = undefined;

export const AIR = kinds.get(hashOf('minecraft:air'));

/** The block with an id; undefined if minecraft-data's version has no such block. */
export const blockOf = (hash) => kinds.get(hash | 0);
