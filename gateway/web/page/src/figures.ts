// Figures of people and animals: one for each actor, in the shape and colour of its player's door, as on the operator's map.
// All figures are drawn with one draw call for each shape, however many figures there are.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Actor } from '../../../../client/ts/src/api.ts';
import { matt, shadow } from './light.ts';

type Shape = 'robe' | 'round' | 'block' | 'slim';

const LOOKS: Record<string, { colour: number; shape: Shape }> = {
  rcce: { colour: 0xe0a34a, shape: 'robe' }, rs: { colour: 0x6cb4e8, shape: 'round' }, bedrock: { colour: 0x86c36a, shape: 'block' }, web: { colour: 0xd98bd0, shape: 'slim' },
};
const SKIN = 0xf0cfa8;
const TEXELS = 4; // texels of a thing in the texture of its batch: the rows of its matrix, and its colour
const REACH = 2.2; // radius in blocks of a sphere around the middle of a figure that contains all of it, standing or lying

/**
 * All things of one shape, drawn with one call. Its geometry has a copy of the shape for each thing, and a texture has their matrices
 * and colours: instanced drawing costs more, above all where a processor draws the pictures.
 */
class Batch {
  readonly mesh: THREE.Mesh;
  private count = 0;
  private before = 0; // things in the previous picture
  private moved = false; // a thing differs from that of the previous picture
  private room = 0;
  private colour = new THREE.Color();
  private values = new Float32Array();
  private thing = new Float32Array(4 * TEXELS);
  private texture: THREE.DataTexture | undefined;
  private copies = new Map<THREE.BufferGeometry, THREE.BufferGeometry>();

  /** shapes: the geometry in full detail, and a coarse one with fewer triangles. */
  constructor(private shapes: [fine: THREE.BufferGeometry, coarse: THREE.BufferGeometry], private material: THREE.ShaderMaterial) {
    this.mesh = new THREE.Mesh(undefined, material);
    this.mesh.frustumCulled = false; // Figures.update omits the figures that are not in view
    this.grow();
  }

  private grow(): void {
    this.room = Math.max(64, 2 * this.room);
    const values = new Float32Array(this.room * 4 * TEXELS);
    values.set(this.values);
    this.values = values;
    this.texture?.dispose();
    this.moved = true;
    this.texture = new THREE.DataTexture(values, TEXELS, this.room, THREE.RGBAFormat, THREE.FloatType);
    this.material.uniforms.things!.value = this.texture;
    for (const g of this.copies.values()) g.dispose();
    this.copies.clear();
  }

  /** The geometry with room copies of a shape. The attribute thing is the number of the copy. */
  private copy(shape: THREE.BufferGeometry): THREE.BufferGeometry {
    let g = this.copies.get(shape);
    if (g) return g;
    this.copies.set(shape, (g = new THREE.BufferGeometry()));
    const vertices = shape.getAttribute('position').count, index = shape.index!.array;
    for (const name of ['position', 'normal', 'skin']) {
      const { array, itemSize } = shape.getAttribute(name) as THREE.BufferAttribute;
      const all = new Float32Array(array.length * this.room);
      for (let i = 0; i < this.room; i++) all.set(array, i * array.length);
      g.setAttribute(name, new THREE.BufferAttribute(all, itemSize));
    }
    g.setAttribute('thing', new THREE.BufferAttribute(Float32Array.from({ length: vertices * this.room }, (_, i) => Math.floor(i / vertices)), 1));
    g.setIndex(new THREE.BufferAttribute(Uint32Array.from({ length: index.length * this.room }, (_, i) => index[i % index.length]! + vertices * Math.floor(i / index.length)), 1));
    return g;
  }

  /** Begins a picture: removes all things of the previous one. */
  begin(): void {
    this.before = this.count;
    this.count = 0;
    this.moved = false;
  }

  add(at: THREE.Matrix4, colour = 0): void {
    if (this.count === this.room) this.grow();
    const m = at.elements, first = this.count++ * 4 * TEXELS;
    const { r, g, b } = this.colour.setHex(colour);
    this.thing.set([m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14], r, g, b]);
    for (let i = 0; i < this.thing.length; i++) this.moved ||= this.values[first + i] !== this.thing[i];
    this.values.set(this.thing, first);
  }

  /** Ends a picture: uploads the things that were added. Returns whether they differ from those of the previous picture. */
  end(coarse: boolean): boolean {
    const moved = this.moved || this.count !== this.before;
    this.mesh.visible = this.count > 0;
    if (!this.count) return moved;
    const shape = this.shapes[coarse ? 1 : 0];
    this.mesh.geometry = this.copy(shape);
    this.mesh.geometry.setDrawRange(0, this.count * shape.index!.count);
    if (moved) this.texture!.needsUpdate = true;
    return moved;
  }
}

/** Merges the parts of a shape. Those of skin have the colour SKIN, the others that of the thing. */
function shape(parts: THREE.BufferGeometry[], skins: THREE.BufferGeometry[] = []): THREE.BufferGeometry {
  return mergeGeometries([...parts, ...skins].map((g) => {
    const { count } = g.getAttribute('position');
    return g.deleteAttribute('uv').setAttribute('skin', new THREE.BufferAttribute(new Float32Array(count).fill(skins.includes(g) ? 1 : 0), 1));
  }));
}

/** The state of a figure that is retained between pictures. */
class Figure {
  walked = Math.random() * 9;
  lastX = NaN;
  lastZ = NaN;
  strike = 0;
  constructor(readonly actor: Actor) {}
}

export class Figures {
  private by = new Map<number, Figure>();
  coarse = false; // the figures have fewer triangles
  private batches: Record<Shape | 'animal' | 'shadow', Batch>;
  private all: Batch[];
  private frustum = new THREE.Frustum();
  private sphere = new THREE.Sphere(undefined, REACH);
  private view = new THREE.Matrix4();
  private feet = new THREE.Matrix4();
  private at = new THREE.Matrix4();
  private tilt = new THREE.Matrix4();
  private position = new THREE.Vector3();
  private scale = new THREE.Vector3();
  private turn = new THREE.Quaternion();
  private up = new THREE.Vector3(0, 1, 0);

  constructor(scene: THREE.Object3D) {
    const head = (...segments: [number, number]): THREE.BufferGeometry[] =>
      [new THREE.SphereGeometry(0.24, ...segments).translate(0, 1.52, 0), new THREE.BoxGeometry(0.1, 0.08, 0.14).translate(0, 1.5, 0.24)];
    const person = (fine: THREE.BufferGeometry, coarse: THREE.BufferGeometry): Batch => new Batch([shape([fine.translate(0, 0.65, 0)], head(10, 8)), shape([coarse.translate(0, 0.65, 0)], head(6, 5))], matt(SKIN));
    const animal = (around: number, along: number): THREE.BufferGeometry => shape([
      new THREE.CapsuleGeometry(0.28, 0.5, along, around).rotateX(Math.PI / 2).translate(0, 0.5, 0), // body
      new THREE.SphereGeometry(0.2, around, 2 * along + 2).translate(0, 0.72, 0.5), // muzzle
    ]);
    const disc = (segments: number): THREE.BufferGeometry => shape([new THREE.CircleGeometry(0.42, segments).rotateX(-Math.PI / 2).translate(0, 0.03, 0)]);
    const block = (): THREE.BufferGeometry => new THREE.BoxGeometry(0.5, 1.3, 0.32);
    const round = (along: number, around: number): THREE.BufferGeometry => new THREE.CapsuleGeometry(0.27, 0.75, along, around).translate(0, 0.03, 0);
    this.batches = {
      robe: person(new THREE.ConeGeometry(0.36, 1.3, 10), new THREE.ConeGeometry(0.36, 1.3, 7, 1, true)),
      round: person(round(3, 10), round(1, 7)),
      block: person(block(), block()),
      slim: person(new THREE.CylinderGeometry(0.2, 0.3, 1.3, 12), new THREE.CylinderGeometry(0.2, 0.3, 1.3, 7, 1, true)),
      animal: new Batch([animal(10, 3), animal(7, 1)], matt()),
      shadow: new Batch([disc(16), disc(9)], shadow(0.28)),
    };
    this.all = Object.values(this.batches);
    scene.add(...this.all.map((b) => b.mesh));
  }

  enter(a: Actor): void { this.by.set(a.id, new Figure(a)); }
  leave(a: Actor): void {
    if (this.by.get(a.id)?.actor === a) this.by.delete(a.id); // another actor may already have the same id
  }
  clear(): void { this.by.clear(); }

  /** Starts the attack animation of an actor. */
  strikes(a: Actor): void {
    const f = this.by.get(a.id);
    if (f?.actor === a) f.strike = 1; // another actor may already have the same id
  }

  /**
   * Moves all figures to the drawn positions of their actors, dt seconds after the previous picture. Returns whether any that is in view
   * has moved.
   */
  update(camera: THREE.Camera, now: number, dt: number): boolean {
    camera.updateMatrixWorld();
    this.frustum.setFromProjectionMatrix(this.view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    for (const b of this.all) b.begin();
    for (const f of this.by.values()) this.draw(f, now, dt);
    let moved = false;
    for (const b of this.all) moved = b.end(this.coarse) || moved;
    return moved;
  }

  private draw(f: Figure, now: number, dt: number): void {
    const a = f.actor;
    const way = Number.isNaN(f.lastX) ? 0 : Math.min(Math.hypot(a.x - f.lastX, a.z - f.lastZ), 1);
    f.lastX = a.x;
    f.lastZ = a.z;
    f.walked += way * 4;
    f.strike = Math.max(0, f.strike - dt * 4);
    this.sphere.center.set(a.x, a.y + 0.9, a.z);
    if (!this.frustum.intersectsSphere(this.sphere)) return;
    this.turn.setFromAxisAngle(this.up, (-a.yaw * Math.PI) / 180);
    this.feet.compose(this.position.set(a.x, a.y, a.z), this.turn, this.scale.set(1, 1, 1));
    this.batches.shadow.add(this.feet);
    if (a.lingering && Math.floor(now / 400) % 2 === 1) return; // the figure of a lingering player blinks
    this.tilt.makeRotationX(a.dead ? -Math.PI / 2 : Math.sin(f.strike * Math.PI) * 0.5);
    this.tilt.setPosition(0, way > 0.002 ? Math.abs(Math.sin(f.walked)) * 0.07 : 0, 0);
    this.at.multiplyMatrices(this.feet, this.tilt).scale(this.scale.set(1, Math.max(0.4, a.height / 1.8), 1));
    const look = LOOKS[a.door];
    if (look || a.kind === 'player') this.batches[look?.shape ?? 'slim'].add(this.at, look?.colour ?? 0xbdb6c9);
    else this.batches.animal.add(this.at, 0xc9b79a);
  }
}
