// Figures of people and animals: one for each actor, in the shape and colour of its player's door, as on the operator's map.
// All figures are drawn with one draw call for each kind of part, however many figures there are.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Actor } from '../../../../client/ts/src/api.ts';

type Shape = 'robe' | 'round' | 'block' | 'slim';

const LOOKS: Record<string, { colour: number; shape: Shape }> = {
  rcce: { colour: 0xe0a34a, shape: 'robe' }, rs: { colour: 0x6cb4e8, shape: 'round' }, bedrock: { colour: 0x86c36a, shape: 'block' }, web: { colour: 0xd98bd0, shape: 'slim' },
};
const SKIN = 0xf0cfa8;
const REACH = 2.2; // radius in blocks of a sphere around the middle of a figure that contains all of it, standing or lying

/** The parts of one kind, such as heads, of all figures. */
class Part {
  readonly mesh: THREE.InstancedMesh;
  private room = 0;
  private colour = new THREE.Color();

  constructor(private scene: THREE.Object3D, private geometry: THREE.BufferGeometry, private material: THREE.Material) {
    this.mesh = this.make(64);
  }

  private make(room: number): THREE.InstancedMesh {
    const m = new THREE.InstancedMesh(this.geometry, this.material, room);
    m.frustumCulled = false; // Figures.update omits the figures that are not in view
    m.count = 0;
    m.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.room = room;
    this.scene.add(m);
    return m;
  }

  /** Begins a picture: removes all parts of the previous one. */
  begin(): void { this.mesh.count = 0; }

  add(at: THREE.Matrix4, colour?: number): void {
    const m = this.mesh;
    if (m.count === this.room) this.grow();
    m.setMatrixAt(m.count, at);
    if (colour !== undefined) m.setColorAt(m.count, this.colour.setHex(colour));
    m.count++;
  }

  private grow(): void {
    const m = this.mesh, room = (this.room *= 2);
    const matrices = new Float32Array(16 * room);
    matrices.set(m.instanceMatrix.array);
    m.dispose();
    m.instanceMatrix = new THREE.InstancedBufferAttribute(matrices, 16).setUsage(THREE.DynamicDrawUsage);
    if (m.instanceColor) {
      const colours = new Float32Array(3 * room);
      colours.set(m.instanceColor.array);
      m.instanceColor = new THREE.InstancedBufferAttribute(colours, 3);
    }
  }

  /** Ends a picture: uploads the parts that were added. */
  end(): void {
    const m = this.mesh;
    m.visible = m.count > 0;
    for (const a of [m.instanceMatrix, m.instanceColor]) {
      if (!a) continue;
      a.clearUpdateRanges();
      a.addUpdateRange(0, m.count * a.itemSize);
      a.needsUpdate = true;
    }
  }
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
  private parts: Record<Shape | 'animal' | 'head' | 'shadow', Part>;
  private all: Part[];
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
    const lit = new THREE.MeshLambertMaterial(), skin = new THREE.MeshLambertMaterial({ color: SKIN });
    const shade = new THREE.MeshBasicMaterial({ color: 0, transparent: true, opacity: 0.28, depthWrite: false });
    const part = (geometry: THREE.BufferGeometry, material: THREE.Material = lit): Part => new Part(scene, geometry, material);
    this.parts = {
      robe: part(new THREE.ConeGeometry(0.36, 1.3, 10).translate(0, 0.65, 0)),
      round: part(new THREE.CapsuleGeometry(0.27, 0.75, 3, 10).translate(0, 0.68, 0)),
      block: part(new THREE.BoxGeometry(0.5, 1.3, 0.32).translate(0, 0.65, 0)),
      slim: part(new THREE.CylinderGeometry(0.2, 0.3, 1.3, 12).translate(0, 0.65, 0)),
      animal: part(mergeGeometries([
        new THREE.CapsuleGeometry(0.28, 0.5, 3, 10).rotateX(Math.PI / 2).translate(0, 0.5, 0), // body
        new THREE.SphereGeometry(0.2, 10, 8).translate(0, 0.72, 0.5), // muzzle
      ])),
      head: part(mergeGeometries([new THREE.SphereGeometry(0.24, 10, 8).translate(0, 1.52, 0), new THREE.BoxGeometry(0.1, 0.08, 0.14).translate(0, 1.5, 0.24)]), skin),
      shadow: part(new THREE.CircleGeometry(0.42, 16).rotateX(-Math.PI / 2).translate(0, 0.03, 0), shade),
    };
    this.all = Object.values(this.parts);
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

  /** Moves all figures to the drawn positions of their actors, dt seconds after the previous picture. */
  update(camera: THREE.Camera, now: number, dt: number): void {
    camera.updateMatrixWorld();
    this.frustum.setFromProjectionMatrix(this.view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    for (const p of this.all) p.begin();
    for (const f of this.by.values()) this.draw(f, now, dt);
    for (const p of this.all) p.end();
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
    this.parts.shadow.add(this.feet);
    if (a.lingering && Math.floor(now / 400) % 2 === 1) return; // the figure of a lingering player blinks
    this.tilt.makeRotationX(a.dead ? -Math.PI / 2 : Math.sin(f.strike * Math.PI) * 0.5);
    this.tilt.setPosition(0, way > 0.002 ? Math.abs(Math.sin(f.walked)) * 0.07 : 0, 0);
    this.at.multiplyMatrices(this.feet, this.tilt).scale(this.scale.set(1, Math.max(0.4, a.height / 1.8), 1));
    const look = LOOKS[a.door];
    if (look || a.kind === 'player') {
      this.parts[look?.shape ?? 'slim'].add(this.at, look?.colour ?? 0xbdb6c9);
      this.parts.head.add(this.at);
    } else this.parts.animal.add(this.at, 0xc9b79a);
  }
}
