// The world that a client has received: LevelChunk payloads, decoded as docs/wire/bedrock.md, chunks, describes.
import { AIR, blockOf } from './blocks.mjs';
import { boxesOf } from './flat.mjs';

const LOWEST = -64;
const SECTIONS = 24; // number of biome storages of a column

class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  u8() {
    if (this.at >= this.bytes.length) throw new Error(`chunk ends at byte ${this.at}`);
    return this.bytes[this.at++];
  }

  u32() {
    return (this.u8() | (this.u8() << 8) | (this.u8() << 16) | (this.u8() << 24)) >>> 0;
  }

  /** A 32-bit zigzag varint. */
  varint() {
    let v = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const b = this.u8();
      v |= (b & 127) << shift;
      if (b < 128) return (v >>> 1) ^ -(v & 1);
    }
    throw new Error(`the varint at byte ${this.at} of the chunk is longer than five bytes`);
  }
}

/**
 * Reads a palette storage of 4096 values. Returns undefined for a copy of the previous storage, one value if all are equal, or
 * an array in the order x, z, y (y changes fastest).
 */
function storage(c) {
  const head = c.u8();
  if (head === 255) return undefined;
  if ((head & 1) === 0) throw new Error(`a palette storage has the head byte ${head}, which does not mean the network format`);
  const bits = head >> 1;
  if (bits === 0) return c.varint();
  if (![1, 2, 3, 4, 5, 6, 8, 16].includes(bits)) throw new Error(`a palette storage has ${bits} bits per block, which the format does not allow`);
  const perWord = Math.floor(32 / bits);
  const words = Array.from({ length: Math.ceil(4096 / perWord) }, () => c.u32());
  const palette = Array.from({ length: c.varint() }, () => c.varint());
  return Array.from({ length: 4096 }, (_, i) => {
    const index = (words[Math.floor(i / perWord)] >>> ((i % perWord) * bits)) & (2 ** bits - 1);
    if (index >= palette.length) throw new Error(`a block has the palette index ${index}, but the palette has ${palette.length} entries`);
    return palette[index];
  });
}

/** Decodes a chunk column. Returns the block layers of its sections, by y / 16. Throws if the payload is malformed. */
export function readColumn(count, payload) {
  const c = new Cursor(payload);
  const sections = new Map();
  for (let n = 0; n < count; n++) {
    const version = c.u8();
    if (version !== 9) throw new Error(`a sub-chunk has version ${version}, want 9`);
    const layers = c.u8();
    const y = (c.u8() << 24) >> 24;
    if (y !== LOWEST / 16 + n) throw new Error(`sub-chunk ${n} has index ${y}`);
    const all = Array.from({ length: layers }, () => storage(c));
    sections.set(y, all);
  }
  for (let n = 0; n < SECTIONS; n++) {
    if (storage(c) === undefined && n === 0) throw new Error('the first biome storage copies a previous one');
  }
  if (c.u8() !== 0) throw new Error('the chunk has border blocks, which the server never sends');
  if (c.at !== payload.length) throw new Error(`the chunk has ${payload.length - c.at} trailing bytes`);
  return sections;
}

/** The blocks of the world for the physics. Columns that have not arrived count as air; has() returns whether one has arrived. */
export class Chunks {
  constructor() {
    this.columns = new Map();
    this.problems = [];
  }

  /** Adds the column of a level_chunk packet. */
  addChunk({ x, z, sub_chunk_count: count, payload }) {
    try {
      this.columns.set(`${x},${z}`, readColumn(count, payload));
    } catch (e) {
      this.problems.push(`chunk ${x},${z}: ${e.message}`);
    }
  }

  has(x, z) {
    return this.columns.has(`${Math.floor(x) >> 4},${Math.floor(z) >> 4}`);
  }

  /** The block at a position, including the water of a waterlogged block. */
  block(x, y, z) {
    const layers = this.columns.get(`${x >> 4},${z >> 4}`)?.get(y >> 4);
    if (layers === undefined) return AIR;
    const [kind, inside = AIR] = layers.map((section) => this.#kind(section, [x, y, z]));
    return inside.liquid && !kind.liquid ? { ...kind, liquid: inside.liquid, depth: inside.depth } : kind;
  }

  #kind(section, [x, y, z]) {
    const hash = typeof section === 'number' ? section : section[((x & 15) << 8) | ((z & 15) << 4) | (y & 15)];
    const kind = blockOf(hash);
    if (kind) return kind;
    this.problems.push(`unknown block id ${hash} at ${x},${y},${z}`);
    return AIR;
  }

  boxes(b) {
    return boxesOf((x, y, z) => this.block(x, y, z), b);
  }
}
