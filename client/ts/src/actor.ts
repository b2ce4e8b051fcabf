// An actor that is shown to the player.

import type { Self } from './api.js';
import { extrasOf, Fields, setFields, valueOf } from './game.js';
import type { Body } from './message.js';
import { Motion } from './motion.js';
import type { Field, Kind } from './snapshot.js';

const DEAD = 16;
const LINGERING = 32;

export class Shown implements Self {
  x = 0; y = 0; z = 0; yaw = 0; health = 1; flags = 0;
  door = ''; name = ''; level = 0; height = 1.8;
  readonly truth = { x: 0, y: 0, z: 0 };
  readonly fields: Fields = {};
  readonly extra: Float64Array; // drawn values of the fields that the game declares and snapshots contain
  readonly motion: Motion;
  private extras: Field[];
  private slow: Field[] | undefined;
  constructor(readonly id: number, kind: Kind | undefined, private readonly own: boolean) {
    this.kind = kind?.name ?? '';
    const e = extrasOf(kind);
    this.extras = e.fields;
    this.slow = kind?.slow;
    this.motion = new Motion(e.fields.length, e.lines);
    this.extra = new Float64Array(e.fields.length);
  }
  readonly kind: string;
  private knows = (f: Field): boolean => this.own || f.to !== 'self';
  /** Moves the actor to where it is drawn at a tick (Motion.draw). */
  draw(tick: number, until: number): void {
    this.motion.draw(tick, until, this);
    this.setExtras(this.extra, 0);
  }
  /** Sets the fields of the game from the values of a snapshot; from is the index of the first of these fields. */
  setExtras(values: ArrayLike<number>, from: number): void {
    for (let i = 0; i < this.extras.length; i++) {
      const f = this.extras[i]!;
      if (this.knows(f)) this.fields[f.name] = valueOf(f, f.words ? Math.round(values[from + i]!) : values[from + i]!);
    }
  }
  get dead(): boolean { return (this.flags & DEAD) !== 0; }
  get lingering(): boolean { return (this.flags & LINGERING) !== 0; }
  apply(b: Body): void {
    if (b.mask & 1) this.door = b.door;
    if (b.mask & 2) this.level = b.level;
    if (b.mask & 8) this.height = b.height / 16;
    if (b.mask & 16) this.name = b.name;
    if (b.mask & 32) setFields(this.fields, this.slow, b.fields, this.knows);
  }
}
