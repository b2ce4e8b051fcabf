// The mesh of the ground around the player: the tops of the block columns, and their visible sides. It consists of chunks, of which
// those that are out of sight are not drawn, and which are built once while the player is near.

import * as THREE from 'three';
import type { Ground } from '../../../../client/ts/src/blocks/ground.ts';
import { illuminate, illuminated } from './light.ts';

const RADIUS = 60; // distance in blocks up to which there is ground: everything beyond is covered by haze
const CHUNK = 8; // width of a chunk in blocks
const STEP = 4; // distance in blocks that the player walks before missing chunks are built

const COLOURS: Record<string, number> = {
  grass_block: 0x6f9a4a, dirt: 0x8a6344, stone: 0x8d8a92, cobblestone: 0x7d7a80, stone_bricks: 0x85838c, brick_block: 0x9c5746, sand: 0xd9c48b, gravel: 0x8b8582,
  oak_planks: 0xb08a57, oak_log: 0x6e5233, smooth_stone_slab: 0xa3a1a6, smooth_stone_slab_top: 0xa3a1a6, ice: 0x9cc6e6, packed_ice: 0x8ab4dc, blue_ice: 0x74a5e0,
  bed: 0xb0413e, bed_head: 0xd8d2c6, honey: 0xe2a23b, slime: 0x79c26a, soul_sand: 0x54443a, barrier: 0x5c6470, bedrock: 0x4a484d, glass: 0xbfd9de,
};
const WATER = 0x3f7fb5;
const UP = new THREE.Vector3(0, 1, 0), SOUTH = new THREE.Vector3(0, 0, 1), NORTH = new THREE.Vector3(0, 0, -1), EAST = new THREE.Vector3(1, 0, 0), WEST = new THREE.Vector3(-1, 0, 0);

interface Top { y: number; colour: THREE.Color; water: number }

/** Quads with a colour each. */
class Quads {
  private position: number[] = [];
  private colour: number[] = [];
  private index: number[] = [];

  /** Adds the quad a, a+v, a+u+v, a+u; c is in sRGB. */
  add(ax: number, ay: number, az: number, u: THREE.Vector3, v: THREE.Vector3, c: THREE.Color): void {
    const n = this.position.length / 3;
    this.position.push(ax, ay, az, ax + v.x, ay + v.y, az + v.z, ax + u.x + v.x, ay + u.y + v.y, az + u.z + v.z, ax + u.x, ay + u.y, az + u.z);
    for (let i = 0; i < 4; i++) this.colour.push(255 * c.r, 255 * c.g, 255 * c.b, 255);
    this.index.push(n, n + 1, n + 2, n, n + 2, n + 3);
  }

  mesh(material: THREE.Material): THREE.Mesh | undefined {
    if (!this.index.length) return undefined;
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.Float32BufferAttribute(this.position, 3));
    g.setAttribute('color', new THREE.BufferAttribute(Uint8ClampedArray.from(this.colour), 4, true));
    g.setIndex(this.index);
    return new THREE.Mesh(g, material);
  }
}

export class Terrain {
  readonly group = new THREE.Group();
  private at = { x: Infinity, z: Infinity };
  private ground: Ground | undefined;
  private chunks = new Map<string, THREE.Mesh[]>();
  private solid = illuminated();
  private water = illuminated(0.7);

  /** Shows the ground of another area. */
  load(ground: Ground): void {
    this.ground = ground;
    this.at = { x: Infinity, z: Infinity };
    for (const key of this.chunks.keys()) this.drop(key);
  }

  /**
   * Builds the chunks around x, z that are missing, and removes those that are far away, if the player has walked far enough. Returns whether
   * it did so.
   */
  follow(x: number, z: number): boolean {
    if (!this.ground || Math.hypot(x - this.at.x, z - this.at.z) < STEP) return false;
    this.at = { x, z };
    const near = (cx: number, cz: number, radius: number): boolean =>
      Math.hypot(Math.max(cx * CHUNK - x, 0, x - (cx + 1) * CHUNK), Math.max(cz * CHUNK - z, 0, z - (cz + 1) * CHUNK)) < radius;
    for (const key of this.chunks.keys()) {
      const [cx, cz] = key.split(' ').map(Number) as [number, number];
      if (!near(cx, cz, RADIUS + 2 * CHUNK)) this.drop(key);
    }
    const first = (v: number): number => Math.floor((v - RADIUS) / CHUNK), last = (v: number): number => Math.floor((v + RADIUS) / CHUNK);
    for (let cz = first(z); cz <= last(z); cz++) {
      for (let cx = first(x); cx <= last(x); cx++) {
        const key = `${cx} ${cz}`;
        if (this.chunks.has(key) || !near(cx, cz, RADIUS)) continue;
        const meshes = this.build(this.ground, cx * CHUNK, cz * CHUNK);
        this.chunks.set(key, meshes);
        if (meshes.length) this.group.add(...meshes);
      }
    }
    return true;
  }

  private drop(key: string): void {
    for (const m of this.chunks.get(key)!) {
      m.geometry.dispose();
      m.removeFromParent();
    }
    this.chunks.delete(key);
  }

  private top(g: Ground, x: number, z: number): Top {
    let water = -Infinity;
    for (let y = Math.min(g.surface(x, z) + 8, 319); y >= -64; y--) {
      const k = g.at(x, y, z);
      if (k.liquid && water === -Infinity) water = y + 0.9;
      if (!k.boxes.length) continue;
      let h = 0;
      for (let i = 4; i < k.boxes.length; i += 6) h = Math.max(h, k.boxes[i]!);
      const tone = 0.9 + ((Math.imul(x, 73856093) ^ Math.imul(z, 19349663)) & 15) / 100;
      return { y: y + h, colour: new THREE.Color(COLOURS[k.word] ?? 0x9a8f80).multiplyScalar(tone), water };
    }
    return { y: -64, colour: new THREE.Color(0), water };
  }

  /** The meshes of the chunk whose first column is at x0, z0. */
  private build(g: Ground, x0: number, z0: number): THREE.Mesh[] {
    const n = CHUNK + 2; // with a border of columns of the neighbours
    const tops: Top[] = [];
    for (let z = -1; z <= CHUNK; z++) for (let x = -1; x <= CHUNK; x++) tops.push(this.top(g, x0 + x, z0 + z));
    const at = (x: number, z: number): Top => tops[(z + 1) * n + x + 1]!;
    const ground = new Quads(), surface = new Quads();
    const c = new THREE.Color(), depth = new THREE.Vector3();
    const wet = illuminate(new THREE.Color(WATER), UP);
    for (let z = 0; z < CHUNK; z++) {
      for (let x = 0; x < CHUNK; x++) {
        const t = at(x, z), wx = x0 + x, wz = z0 + z;
        ground.add(wx, t.y, wz, EAST, SOUTH, illuminate(c.copy(t.colour), UP));
        if (t.water > t.y) surface.add(wx, t.water, wz, EAST, SOUTH, wet);
        const side = (lower: number, ax: number, az: number, u: THREE.Vector3, normal: THREE.Vector3): void => {
          if (lower < t.y) ground.add(ax, t.y, az, u, depth.set(0, lower - t.y, 0), illuminate(c.copy(t.colour).multiplyScalar(0.78), normal));
        };
        side(at(x, z + 1).y, wx, wz + 1, EAST, SOUTH);
        side(at(x, z - 1).y, wx + 1, wz, WEST, NORTH);
        side(at(x + 1, z).y, wx + 1, wz + 1, NORTH, EAST);
        side(at(x - 1, z).y, wx, wz, SOUTH, WEST);
      }
    }
    return [ground.mesh(this.solid), surface.mesh(this.water)].filter((m) => m !== undefined);
  }
}
