// The decoder of snapshots on the client. It retains the received states of each actor as baselines for later snapshots
// (docs/wire/web.md, Snapshots).

import { context, Decoder, NUMBER } from './coder.js';
import { ageOf, expect, type KindLayout, layoutOf, State, turn } from './expect.js';
import { classOf, contextsOf, GAP, MORE } from './prior.js';

export interface Field {
  name: string;
  derived?: boolean;
  wrap?: number;
  step: number;
  min?: number; max?: number; words?: string[]; // only for a field of the game
  to?: 'party' | 'self'; // clients that receive the value; all of them if missing
}
export interface Kind { name: string; fields: Field[]; slow?: Field[] }
export interface ArgSchema { name: string; type: 'number' | 'actor' | 'text'; min?: number; max?: number; step?: number; words?: string[] }
export interface CommandSchema { name: string; help?: string; args?: ArgSchema[] }
export interface Schema { kinds: Kind[]; area?: Field[]; commands?: CommandSchema[]; events?: CommandSchema[] }

export interface Header { run: number; refresh: number; seq: number; back: number; tick: number; input: number; waits: number }

/** Thrown if a message of the server violates the protocol. */
export class ProtocolError extends Error {}

const MAX_HANDLES = 1 << 14;


class Actor {
  kind = 0;
  present = false;
  blind = 0; // newest snapshot that contained the actor in a form that could not be decoded
  known = 0; // number of received states; states[0..known-1] holds them, oldest first
  states: State[] = [];
  constructor(readonly entered: State) {}
}

// The fields whose contexts have trained probabilities. A schema's field is among them if one of these fields has the same name and form.
const BUILTIN = [
  ...['x', 'y', 'z'].map((name) => [name, true, 0, 1 / 64]), ['yaw', false, 256, 1 / 256], ['health', false, 0, 1 / 255], ['flags', false, 0, 1],
].map((form) => JSON.stringify(form));

export class Reader {
  run = 0;
  newest = 0;
  tick = 0;
  every = 1; // ticks between two successive snapshots, lost ones included
  begun = false;
  mask = 0n; // bit i: snapshot newest-1-i was decoded
  private missing = 0;
  private actors: (Actor | undefined)[] = [];
  private kinds: KindLayout[] = [];
  private fields = 0;
  private more = new Uint32Array(2);
  private gap = new Uint32Array(NUMBER);
  private contexts: [Uint32Array, Uint32Array];
  private starts: Uint32Array[] = []; // initial values of all contexts, by the result of classOf
  private d = new Decoder();
  private told: number[] = []; // for each actor: handle, 0 or 1 (coded against base or last state), differences of its fields
  private before?: State; // see base
  private expected: Int32Array;
  private values: Int32Array;
  readonly header: Header = { run: 0, refresh: 0, seq: 0, back: 0, tick: 0, input: 0, waits: 0 };

  constructor(schema: Schema) {
    const known: string[] = [];
    for (const k of schema.kinds) {
      this.fields = Math.max(this.fields, k.fields.length);
      this.kinds.push(layoutOf(k.fields, (f) => {
        const form = [!!f.derived, f.wrap ?? 0, f.step];
        let id = JSON.stringify([f.name, ...form]);
        if ((f.derived || f.wrap) && !BUILTIN.includes(id)) id = JSON.stringify(form); // coordinates of equal form share their contexts, and so do angles
        if (!known.includes(id)) known.push(id);
        return known.indexOf(id);
      }));
    }
    this.expected = new Int32Array(this.fields);
    this.values = new Int32Array(this.fields);
    for (let cls = 0; cls < 6; cls++) {
      const start = new Uint32Array(NUMBER * known.length).fill(context(1 << 14, 0));
      known.forEach((id, i) => {
        if (BUILTIN.includes(id)) start.set(contextsOf(BUILTIN.indexOf(id), cls), NUMBER * i);
      });
      this.starts.push(start);
    }
    this.contexts = [new Uint32Array(NUMBER * known.length), new Uint32Array(NUMBER * known.length)];
  }

  enter(handle: number, kind: number, values: ArrayLike<number>): void {
    const fields = this.kinds[kind]?.fields;
    if (handle >= MAX_HANDLES || values.length !== fields?.length) throw new ProtocolError(`actor ${handle} of kind ${kind} cannot enter`);
    const a = (this.actors[handle] ??= new Actor(new State(this.fields)));
    a.entered.values.fill(0).set(values);
    a.kind = kind;
    a.present = true;
    a.known = a.blind = 0;
  }

  leave(handle: number): void {
    const a = this.actors[handle];
    if (a) a.present = false; // the kind is kept for earlier snapshots that arrive later and still contain the actor
  }

  /** Removes all actors, after an Area or Welcome message. From now on snapshots of earlier runs are dropped. */
  reset(run: number): void {
    for (const a of this.actors) if (a) a.present = false;
    if (!this.begun || (run !== this.run && ((run - this.run) & 7) < 4)) this.beginRun(run);
  }

  private beginRun(run: number): void {
    this.run = run;
    this.newest = this.missing = 0;
    this.mask = 0n;
    this.begun = true;
    for (const a of this.actors) if (a) a.known = a.blind = 0;
  }

  /**
   * Reads a snapshot. It returns false if an equal or newer one was read before. It throws a ProtocolError, and changes
   * nothing, if it is malformed.
   */
  read(b: Uint8Array, visit: (handle: number, values: Int32Array, speeds: Int32Array) => void): boolean {
    const h = this.header;
    h.run = (b[0]! >> 4) & 7;
    h.refresh = b[0]! & 7;
    h.seq = b[1]! | (b[2]! << 8);
    h.back = b[3]!;
    const low = b[4]! | (b[5]! << 8);
    h.input = b[6]!;
    h.waits = b[7]! >> 4;
    if (b.length < 8 || !(b[0]! & 128) || b[0]! & 8 || h.back > 64) throw new ProtocolError('a snapshot has a wrong header');
    const newRun = !this.begun || h.run !== this.run;
    if (this.begun && newRun && ((h.run - this.run) & 7) >= 4) return false;
    let next = h.seq;
    if (!newRun) {
      const ahead = ((h.seq - this.newest) << 16) >> 16;
      if (ahead <= 0) return false;
      next = this.newest + ahead;
    }
    if (h.back > next || (h.refresh !== 0 && h.back !== 0 && h.back >= next)) throw new ProtocolError('a snapshot has a base before its run');
    h.tick = this.begun ? this.tick + (((low - this.tick) << 16) >> 16) : low;
    this.parse(b.subarray(8), h);
    // The snapshot is valid: the following changes the reader and cannot fail.
    if (newRun) this.beginRun(h.run);
    const gap = next - this.newest;
    if (this.newest) this.every = (h.tick - this.tick) / gap;
    if (gap > 1) this.missing = next - 1;
    this.mask = this.newest && gap <= 64 ? BigInt.asUintN(64, ((this.mask << 1n) | 1n) << BigInt(gap - 1)) : 0n;
    this.newest = next;
    this.tick = h.tick;
    this.apply(h.back ? next - h.back : 0, h, visit);
    return true;
  }

  // Decodes the differences of each actor in the snapshot into told.
  private parse(body: Uint8Array, h: Header): void {
    const d = this.d, told = this.told;
    told.length = 0;
    d.begin(body);
    this.more.set(MORE);
    this.gap.set(GAP);
    this.contexts[0].set(this.starts[classOf(h.back)]!);
    this.contexts[1].set(this.starts[0]!);
    let last = -1;
    for (let after = 0; d.bit(this.more, after) === 1; after = 1) {
      const gap = d.number(this.gap, 0);
      const a = gap < 0 ? undefined : this.actors[(last += gap + 1)];
      if (!a) throw new ProtocolError(`a snapshot has the actor ${last}, which has not entered`);
      const against = h.refresh > 1 && (h.seq + last) % h.refresh !== 0 ? 1 : 0;
      told.push(last, against);
      for (const f of this.kinds[a.kind]!.fields) told.push(d.number(this.contexts[against]!, NUMBER * f.context));
      if (d.at > body.length + 1180) throw new ProtocolError('a snapshot ends early');
    }
  }

  // Returns the baseline from which the server predicted an actor, or undefined if the client does not have it. Stores the
  // state before the baseline in this.before.
  private base(a: Actor, against: number, base: number, ordered: boolean): State | undefined {
    this.before = undefined;
    if (against) {
      const k = a.known ? a.states[a.known - 1]!.seq : 0;
      const unknown = Math.max(this.missing, a.blind);
      if (unknown > base && unknown > k) return undefined;
      if (k > base) return a.states[a.known - 1];
    }
    while (a.known > 2 && a.states[2]!.seq <= base) this.forget(a); // keep the two newest states up to the base
    let i = a.known && (ordered || a.states[0]!.seq <= base) ? 0 : -1;
    if (i === 0 && a.known > 1 && a.states[1]!.seq <= base) i = 1;
    if (i > 0 && !against) this.before = a.states[0];
    return i < 0 ? a.entered : a.states[i];
  }

  // Removes the oldest received state and keeps its memory for reuse.
  private forget(a: Actor): void {
    const old = a.states[0]!;
    for (let i = 1; i < a.known; i++) a.states[i - 1] = a.states[i]!;
    a.states[--a.known] = old;
  }

  private apply(base: number, h: Header, visit: (handle: number, values: Int32Array, speeds: Int32Array) => void): void {
    const told = this.told, ordered = h.refresh === 0, { expected, values } = this;
    for (let at = 0; at < told.length; ) {
      const handle = told[at++]!, against = told[at++]!;
      const a = this.actors[handle]!;
      const kind = this.kinds[a.kind]!, fields = kind.fields;
      const from = this.base(a, against, base, ordered);
      const first = at;
      at += fields.length;
      if (!from) a.blind = this.newest;
      if (!from || !a.present) continue;
      const age = ageOf(from, h.tick);
      expect(expected, kind, from, this.before, age);
      for (let i = 0; i < fields.length; i++) if (fields[i]!.wrap) values[i] = (expected[i]! + told[first + i]!) & (fields[i]!.wrap - 1);
      if (from.fit >= 0) turn(expected, kind, from, age, values);
      for (let i = 0; i < fields.length; i++) if (!fields[i]!.wrap) values[i] = expected[i]! + told[first + i]!;
      const to = (a.states[a.known] ??= new State(this.fields));
      to.follow(kind, from, values, age, expected);
      to.seq = this.newest;
      to.tick = h.tick & 0xffff;
      a.known++;
      if (ordered) while (a.known > 1) this.forget(a);
      visit(handle, to.values, to.speeds);
    }
  }
}
