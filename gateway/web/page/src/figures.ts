// People and animals: a figure for each actor, in the shape and colour of the door through which its player came, as on the operator's map.

import * as THREE from 'three';
import type { Actor } from '../../../../client/ts/src/world.ts';

const LOOKS: Record<string, { colour: number; shape: 'robe' | 'round' | 'block' | 'slim' }> = {
  rcce: { colour: 0xe0a34a, shape: 'robe' }, rs: { colour: 0x6cb4e8, shape: 'round' }, bedrock: { colour: 0x86c36a, shape: 'block' }, web: { colour: 0xd98bd0, shape: 'slim' },
};

const shapes = {
  robe: new THREE.ConeGeometry(0.36, 1.3, 10).translate(0, 0.65, 0),
  round: new THREE.CapsuleGeometry(0.27, 0.75, 4, 12).translate(0, 0.68, 0),
  block: new THREE.BoxGeometry(0.5, 1.3, 0.32).translate(0, 0.65, 0),
  slim: new THREE.CylinderGeometry(0.2, 0.3, 1.3, 12).translate(0, 0.65, 0),
  animal: new THREE.CapsuleGeometry(0.28, 0.5, 4, 10).rotateX(Math.PI / 2).translate(0, 0.5, 0),
};
const head = new THREE.SphereGeometry(0.24, 14, 10).translate(0, 1.52, 0);
const muzzle = new THREE.SphereGeometry(0.2, 10, 8).translate(0, 0.72, 0.5);
const nose = new THREE.BoxGeometry(0.1, 0.08, 0.14).translate(0, 1.5, 0.24);
const shadow = new THREE.CircleGeometry(0.42, 20).rotateX(-Math.PI / 2).translate(0, 0.03, 0);
const shade = new THREE.MeshBasicMaterial({ color: 0, transparent: true, opacity: 0.28, depthWrite: false });
const skin = new THREE.MeshLambertMaterial({ color: 0xf0cfa8 });
const materials = new Map<number, THREE.MeshLambertMaterial>();

function material(colour: number): THREE.MeshLambertMaterial {
  let m = materials.get(colour);
  if (!m) materials.set(colour, (m = new THREE.MeshLambertMaterial({ color: colour })));
  return m;
}

export class Figure {
  readonly group = new THREE.Group();
  private inner = new THREE.Group();
  private walked = Math.random() * 9;
  private last = { x: NaN, z: NaN };
  private strike = 0;

  constructor(readonly actor: Actor) {
    const look = LOOKS[actor.door];
    const person = look !== undefined || actor.kind === 'player';
    const colour = look?.colour ?? (person ? 0xbdb6c9 : 0xc9b79a);
    this.inner.add(new THREE.Mesh(person ? shapes[look?.shape ?? 'slim'] : shapes.animal, material(colour)));
    if (person) this.inner.add(new THREE.Mesh(head, skin), new THREE.Mesh(nose, skin));
    else this.inner.add(new THREE.Mesh(muzzle, material(colour)));
    this.group.add(this.inner, new THREE.Mesh(shadow, shade));
  }

  /** The actor strikes. */
  strikes(): void { this.strike = 1; }

  /** Moves the figure to where its actor is drawn. */
  update(dt: number): void {
    const a = this.actor, g = this.group;
    g.position.set(a.x, a.y, a.z);
    g.rotation.y = (-a.yaw * Math.PI) / 180;
    const way = Number.isNaN(this.last.x) ? 0 : Math.min(Math.hypot(a.x - this.last.x, a.z - this.last.z), 1);
    this.last = { x: a.x, z: a.z };
    this.walked += way * 4;
    this.strike = Math.max(0, this.strike - dt * 4);
    this.inner.position.y = way > 0.002 ? Math.abs(Math.sin(this.walked)) * 0.07 : 0;
    this.inner.rotation.x = a.dead ? -Math.PI / 2 : Math.sin(this.strike * Math.PI) * 0.5;
    this.inner.scale.y = Math.max(0.4, a.height / 1.8);
    this.inner.visible = !a.lingering || Math.floor(performance.now() / 400) % 2 === 0;
  }
}
