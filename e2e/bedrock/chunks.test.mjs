import assert from 'node:assert/strict';
import test from 'node:test';
import { AIR, blockOf, hashOf } from './blocks.mjs';
import { Chunks, readColumn } from './chunks.mjs';

const BIOMES = `0102${'ff'.repeat(23)}00`; // plains everywhere, no border blocks
const dirt = Array.from({ length: 8 }, (_, n) => `0901${Buffer.from([n - 4]).toString('hex')}01f3c188db0f`).join('');
const bytes = (hex) => Buffer.from(hex, 'hex');

test('block ids are hashes of name and states', () => {
  const known = { air: -604749536, stone: -2144268767, grass_block: -567203660, dirt: -2108756090 };
  for (const [name, hash] of Object.entries(known)) assert.equal(hashOf(`minecraft:${name}`), hash, name);
  assert.equal(hashOf('minecraft:bedrock', { infiniburn_bit: { type: 'byte', value: 0 } }), -173245189);
  assert.deepEqual(blockOf(hashOf('minecraft:smooth_stone_slab', { 'minecraft:vertical_half': { type: 'string', value: 'top' } })).boxes, [[0, 0.5, 0, 1, 1, 1]]);
});

test('an empty column and a column of dirt up to y 63 are decoded', () => {
  assert.equal(readColumn(0, bytes(BIOMES)).size, 0);
  const world = new Chunks();
  world.addChunk({ x: 0, z: -1, sub_chunk_count: 8, payload: bytes(dirt + BIOMES) });
  assert.deepEqual(world.problems, []);
  assert.equal(world.block(3, 63, -5).name, 'minecraft:dirt');
  assert.equal(world.block(3, 64, -5), AIR);
  assert.ok(world.has(3.5, -0.1) && !world.has(3.5, 0));
  assert.equal(world.boxes([3.2, 63.5, -4.8, 3.8, 66, -4.2]).length, 1);
});

test('a storage with a palette of two and one bit per block is decoded', () => {
  const cells = Buffer.alloc(512);
  const at = (x, y, z) => (x << 8) | (z << 4) | y;
  cells[at(2, 5, 7) >> 3] |= 1 << (at(2, 5, 7) & 7);
  const varint = (n) => {
    const out = [];
    for (let v = ((n << 1) ^ (n >> 31)) >>> 0; ; v >>>= 7) {
      if (v < 128) return Buffer.from([...out, v]);
      out.push((v & 127) | 128);
    }
  };
  const one = Buffer.concat([bytes('0901fc03'), cells, varint(2), varint(hashOf('minecraft:air')), varint(hashOf('minecraft:stone'))]);
  const world = new Chunks();
  world.addChunk({ x: 0, z: 0, sub_chunk_count: 1, payload: Buffer.concat([one, bytes(BIOMES)]) });
  assert.deepEqual(world.problems, []);
  assert.equal(world.block(2, -59, 7).name, 'minecraft:stone');
  assert.equal(world.block(2, -59, 8), AIR);
});

test('a truncated chunk and a chunk with trailing bytes are refused', () => {
  const whole = bytes(dirt + BIOMES);
  for (let n = 0; n < whole.length; n++) assert.throws(() => readColumn(8, whole.subarray(0, n)), `${n} bytes`);
  assert.throws(() => readColumn(8, Buffer.concat([whole, Buffer.alloc(1)])));
});
