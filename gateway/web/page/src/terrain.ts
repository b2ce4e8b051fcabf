// The mesh of the ground around the player: the tops of the block columns, and their visible sides.

import * as THREE from 'three';
import type { Ground } from '../../../../client/ts/src/blocks/ground.ts';

const RADIUS = 56; // radius of the mesh in blocks
const REBUILD = 12; // distance in blocks that the player walks before the mesh is rebuilt

const COLOURS: Record<string, number> = {
  grass_block: 0x6f9a4a, dirt: 0x8a6344, stone: 0x8d8a92, cobblestone: 0x7d7a80, stone_bricks: 0x85838c, brick_block: 0x9c5746, sand: 0xd9c48b, gravel: 0x8b8582,
  oak_planks: 0xb08a57, oak_log: 0x6e5233, smooth_stone_slab: 0xa3a1a6, smooth_stone_slab_top: 0xa3a1a6, ice: 0x9cc6e6, packed_ice: 0x8ab4dc, blue_ice: 0x74a5e0,
  bed: 0xb0413e, bed_head: 0xd8d2c6, honey: 0xe2a23b, slime: 0x79c26a, soul_sand: 0x54443a, barrier: 0x5c6470, bedrock: 0x4a484d, glass: 0xbfd9de,
};

interface Top { y: number; colour: number; water: number }

export class Terrain {
  readonly group = new THREE.Group();
  private at = { x: Infinity, z: Infinity };
  private ground: Ground | undefined;
  private solid = new THREE.MeshLambertMaterial({ vertexColors: true });
  private water = new THREE.MeshLambertMaterial({ color: 0x3f7fb5, transparent: true, opacity: 0.7 });

  /** Shows the ground of another area. */
  load(ground: Ground): void {
    this.ground = ground;
    this.at = { x: Infinity, z: Infinity };
  }

  /** Rebuilds the mesh around x, z if the player has walked far enough. */
  follow(x: number, z: number): void {
    if (!this.ground || Math.hypot(x - this.at.x, z - this.at.z) < REBUILD) return;
    this.at = { x, z };
    this.build(this.ground, Math.floor(x), Math.floor(z));
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
      const c = new THREE.Color(COLOURS[k.word] ?? 0x9a8f80).multiplyScalar(tone);
      return { y: y + h, colour: c.getHex(), water };
    }
    return { y: -64, colour: 0, water };
  }

  private build(g: Ground, cx: number, cz: number): void {
    for (const m of this.group.children as THREE.Mesh[]) m.geometry.dispose();
    this.group.clear();
    const n = 2 * RADIUS + 2;
    const tops: Top[] = [];
    for (let z = 0; z < n; z++) for (let x = 0; x < n; x++) tops.push(this.top(g, cx - RADIUS + x, cz - RADIUS + z));
    const at = (x: number, z: number): Top => tops[z * n + x]!;
    const pos: number[] = [], normal: number[] = [], colour: number[] = [], wet: number[] = [];
    const c = new THREE.Color();
    const quad = (list: number[], a: number[], u: number[], v: number[]): void => {
      const p = (s: number, t: number): number[] => [0, 1, 2].map((i) => a[i]! + u[i]! * s + v[i]! * t);
      list.push(...p(0, 0), ...p(0, 1), ...p(1, 1), ...p(0, 0), ...p(1, 1), ...p(1, 0));
    };
    const paint = (hex: number, by: number, nx: number, ny: number, nz: number): void => {
      c.setHex(hex).multiplyScalar(by);
      for (let i = 0; i < 6; i++) {
        colour.push(c.r, c.g, c.b);
        normal.push(nx, ny, nz);
      }
    };
    for (let z = 1; z < n - 1; z++) {
      for (let x = 1; x < n - 1; x++) {
        const t = at(x, z), wx = cx - RADIUS + x, wz = cz - RADIUS + z;
        quad(pos, [wx, t.y, wz], [1, 0, 0], [0, 0, 1]);
        paint(t.colour, 1, 0, 1, 0);
        if (t.water > t.y) quad(wet, [wx, t.water, wz], [1, 0, 0], [0, 0, 1]);
        const side = (lower: number, a: number[], u: number[], nx: number, nz: number): void => {
          if (lower >= t.y) return;
          quad(pos, [a[0]!, t.y, a[2]!], u, [0, lower - t.y, 0]);
          paint(t.colour, 0.78, nx, 0, nz);
        };
        side(at(x, z + 1).y, [wx, 0, wz + 1], [1, 0, 0], 0, 1);
        side(at(x, z - 1).y, [wx + 1, 0, wz], [-1, 0, 0], 0, -1);
        side(at(x + 1, z).y, [wx + 1, 0, wz + 1], [0, 0, -1], 1, 0);
        side(at(x - 1, z).y, [wx, 0, wz], [0, 0, 1], -1, 0);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(pos, 3));
    geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colour, 3));
    const mesh = new THREE.Mesh(geometry, this.solid);
    this.group.add(mesh);
    if (wet.length) {
      const w = new THREE.BufferGeometry();
      w.setAttribute('position', new THREE.Float32BufferAttribute(wet, 3));
      w.computeVertexNormals();
      this.group.add(new THREE.Mesh(w, this.water));
    }
  }
}
