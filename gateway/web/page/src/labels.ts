// Names, health bars, speech bubbles and damage numbers above the actors' heads.

import * as THREE from 'three';
import type { Actor } from '../../../../client/ts/src/api.ts';

const MOST = 60; // maximum number of labels; only the nearest actors have labels
const SAID = 6000; // ms for which a speech bubble is shown
const MOST_HITS = 40; // maximum number of damage numbers
const RISE = 900; // ms for which a damage number is shown; equal to the duration of its animation in page.css

interface Label { el: HTMLElement; name: HTMLElement; text: string; at: string; health: number; tint: string; said?: { el: HTMLElement; until: number } }

const TINTS: Record<string, string> = { red: '#ff8a80', blue: '#8ab4ff', green: '#9be15d', yellow: '#ffe066', purple: '#d0a0ff', orange: '#ffb066' };

/** The colour of an actor's name: the value of the first field of the game that is a colour word, such as the field team. */
function tintOf(a: Actor): string {
  for (const name in a.fields) {
    const tint = TINTS[a.fields[name] as string];
    if (tint) return tint;
  }
  return '';
}

export class Labels {
  private by = new Map<number, Label>();
  private v = new THREE.Vector3();
  private hits = 0; // number of damage numbers

  constructor(private root: HTMLElement) {}

  clear(): void {
    for (const l of this.by.values()) l.el.remove();
    this.by.clear();
  }

  remove(a: Actor): void {
    this.by.get(a.id)?.el.remove();
    this.by.delete(a.id);
  }

  private label(a: Actor): Label {
    let l = this.by.get(a.id);
    if (!l) {
      const el = document.createElement('div');
      el.className = a.kind === 'player' ? 'label' : 'label foe';
      const name = el.appendChild(document.createElement('b'));
      el.appendChild(document.createElement('i'));
      this.root.append(el);
      this.by.set(a.id, (l = { el, name, text: '', at: '', health: -1, tint: '' }));
    }
    return l;
  }

  /** Shows a chat line of an actor in a speech bubble. */
  say(a: Actor, text: string): void {
    const l = this.label(a);
    l.said?.el.remove();
    const el = document.createElement('q');
    el.textContent = text;
    l.el.prepend(el);
    l.said = { el, until: performance.now() + SAID };
  }

  /** Shows the damage of a hit above an actor. */
  hit(a: Actor, text: string, camera: THREE.Camera): void {
    if (document.hidden || this.hits >= MOST_HITS) return;
    const p = this.project(a, camera, 1.2);
    if (!p) return;
    const el = document.createElement('div');
    el.className = 'hit';
    el.textContent = text;
    el.style.transform = `translate(${p.x}px, ${p.y}px)`;
    this.root.append(el);
    this.hits++;
    setTimeout(() => { // remove the number by a timer, because its animation does not end in a hidden page
      el.remove();
      this.hits--;
    }, RISE);
  }

  /** The screen position of a point that is above blocks over an actor's feet; undefined if it is outside of the screen. */
  project(a: Actor, camera: THREE.Camera, above: number): { x: number; y: number } | undefined {
    this.v.set(a.x, a.y + above, a.z).project(camera);
    if (this.v.z > 1 || Math.abs(this.v.x) > 1.2 || Math.abs(this.v.y) > 1.2) return undefined;
    return { x: (this.v.x + 1) * 0.5 * innerWidth, y: (1 - this.v.y) * 0.5 * innerHeight };
  }

  update(actors: Iterable<Actor>, self: Actor, camera: THREE.Camera): void {
    const near = [...actors].map((a) => ({ a, d: Math.hypot(a.x - self.x, a.z - self.z) })).sort((p, q) => p.d - q.d).slice(0, MOST);
    const shown = new Set<number>();
    const now = performance.now();
    for (const { a } of near) {
      const p = this.project(a, camera, a.height + 0.35);
      if (!p) continue;
      shown.add(a.id);
      const l = this.label(a);
      const text = a.level > 0 ? `${a.name} · ${a.level}` : a.name;
      if (l.text !== text) l.name.textContent = l.text = text;
      if (l.health !== a.health) l.el.style.setProperty('--health', String((l.health = a.health)));
      const tint = tintOf(a);
      if (l.tint !== tint) l.name.style.color = l.tint = tint;
      if (l.said && l.said.until < now) {
        l.said.el.remove();
        delete l.said;
      }
      const at = `translate(${p.x.toFixed(1)}px, ${p.y.toFixed(1)}px) translate(-50%, -100%)`;
      if (l.at !== at) l.el.style.transform = l.at = at;
    }
    for (const [id, l] of this.by) {
      if (shown.has(id)) continue;
      l.el.remove();
      this.by.delete(id);
    }
  }
}
