// The world of one player: the actors, the own player, the events of the server, and the requests to the server.

import { Shown } from './actor.js';
import type { Actor, Answer, Options, Self } from './api.js';
import type { Body, Ground, Keys } from './blocks/index.js';
import { newAvatar } from './blocks/avatar.js';
import { Clock, Pace } from './clock.js';
import { Connection, Reason, RefusedError } from './connection.js';
import { AnyGame, BUILTIN, Fields, GameData, setFields, stepsOf, valueOf } from './game.js';
import type { Impair, Transport } from './link.js';
import { appendAck, input, Message, NO_HANDLE, parse, Verb } from './message.js';
import { Prediction } from './rewind.js';
import type { ArgSchema, Schema } from './snapshot.js';

const TICK = 50; // ms between two inputs
const HANDLED_TELEPORT = 16384;
const AXES = ['x', 'y', 'z'] as const;
const RELEASED = { forward: 0, strafe: 0, jump: false, sneak: false, sprint: false, glide: false };
const TONES = ['system', 'warning', 'combat', 'announcement'] as const; // tones of a line; the index is the number on the wire

/** Connects to a server and resolves when the player is in the world. */
export async function connect<G extends GameData = AnyGame>(url: string | URL, o: Options): Promise<World<G>> {
  const world = new World<G>(new URL(url), o);
  await world.open();
  return world;
}

export class World<G extends GameData = AnyGame> extends Connection<G> {
  readonly actors: ReadonlyMap<number, Actor<G>>;
  /** The area in which the player is. */
  area = { name: '', ground: undefined as unknown as Ground, fields: {} as Readonly<G['area']> };
  /** Time between two ticks of the server, ms. */
  tickTime = 50;

  private shown = new Map<number, Shown>();
  private own = NO_HANDLE;
  private me: Shown | undefined;
  private teleport = false;
  private processed = 0;
  private keys: Keys = { ...RELEASED, yaw: 0, pitch: 0 };
  private keyState: ReturnType<Body['keys']>;
  private prediction: Prediction;
  private ahead = newAvatar();
  private smooth = { x: 0, y: 0, z: 0 };
  private clock = new Clock();
  private pace = new Pace();
  private due = 0;
  private last = 0;
  private begun = false; // a tick was simulated since the Welcome
  private drawTick = 0;
  private sentAt = new Map<number, number>();
  private actNumber = 0;
  private taken = 0;
  private expected = 0;
  private lastSeq = 0;

  /** @internal */
  constructor(url: URL | string, o: Options) {
    super(url, o);
    this.actors = this.shown as unknown as ReadonlyMap<number, Actor<G>>;
    this.keyState = o.body.keys();
    this.prediction = new Prediction(o.body);
  }

  /** The own player. */
  get self(): Self<G> {
    if (!this.me) throw new Error('the player is not in the world');
    return this.me as unknown as Self<G>;
  }

  /** Sets keys, sticks and view. They apply until they are set again. */
  input(k: Partial<Keys>): void {
    Object.assign(this.keys, k);
  }

  /** The schema of the server: its kinds of actors with their fields, and the commands and events of its game. */
  get gameSchema(): Readonly<Schema> { return this.schema; }

  /** Sends a command of the game. Throws a TypeError for an unknown command and for arguments that do not match its schema. */
  command<K extends keyof G['commands'] & string>(name: K, args: G['commands'][K]): Promise<Answer> {
    const id = this.schema.commands?.findIndex((c) => c.name === name) ?? -1;
    if (id < 0) throw new TypeError(`the game has no command ${name}`);
    let handle = NO_HANDLE, text = '';
    const numbers = (this.schema.commands![id]!.args ?? []).map((a: ArgSchema) => {
      const v = (args as Record<string, unknown>)[a.name];
      if (v === undefined) throw new TypeError(`command ${name}: ${a.name} is missing`);
      if (a.type === 'number') return stepsOf(a, v);
      if (a.type === 'actor') handle = (v as Actor).id;
      else text = String(v);
      return 0;
    });
    return this.request(Verb.command, handle, text, id, numbers);
  }

  attack(a: Pick<Actor, 'id'>): Promise<Answer> { return this.request(Verb.attack, a.id, ''); }
  say(text: string): Promise<Answer> { return this.request(Verb.say, NO_HANDLE, text); }
  wake(): Promise<Answer> { return this.request(Verb.wake, NO_HANDLE, ''); }

  private request(verb: number, handle: number, text: string, command = 0, args: number[] = []): Promise<Answer> {
    if (this.closing) return Promise.resolve(this.refusal());
    this.actNumber = (this.actNumber % 0xffff) + 1;
    return this.ask({ number: this.actNumber, verb, tick: this.prediction.tick, seen: Math.floor(this.drawTick * 256), handle, text, command, args });
  }

  /** Impairs the connection from now on, to test how a game feels. */
  impair(i: Impair): void { Object.assign((this.o.impair ??= {}), i); }

  protected deliver(b: Uint8Array, t: Transport): void {
    if (t !== this.t) return; // the message belongs to a connection that was given up
    this.silent = 0;
    try {
      const snapshot = b[0]! & 128;
      if (this.loads && b[0] !== 0x4a && !(snapshot && t.kind === 'wt')) {
        this.queue.push(b); // snapshots over WebSocket wait, too, because the Enters of their actors do; a Bye does not
        if (snapshot) t.datagram(appendAck(this.reader)); // while the ground loads, the client sends nothing else
      } else if (snapshot) this.snapshot(b);
      else this.control(b);
      this.keepUp(); // browsers run the timers of a hidden page only once a minute
    } catch (e) {
      console.warn('truestep:', e);
      this.lost();
    }
  }

  private snapshot(b: Uint8Array): void {
    const r = this.reader;
    const taken = r.read(b, (handle, values, speeds) => {
      const a = this.shown.get(handle);
      if (!a) return;
      a.motion.add(r.header.tick, values, speeds);
      if (a === this.me) {
        a.truth.x = values[0]! / 64; a.truth.y = values[1]! / 64; a.truth.z = values[2]! / 64;
        a.health = values[4]! / 255;
        a.flags = values[5]!;
        a.setExtras(values, BUILTIN);
      }
    });
    if (!taken) return;
    const now = performance.now();
    const h = r.header;
    if (h.run === this.lastRun) this.expected += (r.newest - this.lastSeq);
    this.lastRun = h.run;
    this.lastSeq = r.newest;
    this.taken++;
    if (this.taken >= 100) {
      this.link.loss = Math.max(0, 1 - this.taken / Math.max(this.expected, this.taken));
      this.taken = this.expected = 0;
    }
    this.clock.arrived(now, h.tick * this.tickTime, Math.round((h.refresh + 1) * r.every * this.tickTime));
    this.pace.heard(h.waits);
    this.link.waits = h.waits;
    this.processed = h.input;
    for (const [tick, at] of this.sentAt) {
      if ((tick & 255) === h.input) this.link.rtt = this.link.rtt ? this.link.rtt + (now - at - this.link.rtt) / 8 : now - at;
      if (((h.input - tick) & 255) < 128) this.sentAt.delete(tick);
    }
    if (this.t?.kind === 'wt') this.t.datagram(appendAck(r));
  }

  private control(b: Uint8Array): void {
    const m = parse(b);
    this.heard = (this.heard + 1) & 0xffff;
    if (m) this.apply(m);
  }

  // Enters another area: downloads its ground first, and queues the messages that arrive meanwhile.
  private async enterArea(m: Message & { code: 0x41 | 0x48 }): Promise<void> {
    const t = this.loading = this.t!;
    const { signal } = (this.download = new AbortController());
    this.wait();
    try {
      const a = await this.file(`ground/${m.area.ground}`, { signal });
      const reader = a.body!.getReader(), parts: Uint8Array<ArrayBuffer>[] = [];
      for (let p; !(p = await reader.read()).done; parts.push(p.value)) this.wait();
      const ground = this.o.body.ground(new Uint8Array(await new Blob(parts).arrayBuffer()));
      if (t !== this.t) return;
      this.loading = undefined;
      this.reader.reset(m.area.run);
      for (const a of [...this.shown.values()]) this.emit('leave', { actor: a, why: 'gone' });
      this.shown.clear();
      this.late = [];
      this.me = undefined;
      this.own = m.area.own;
      this.area = { name: m.area.name, ground, fields: {} as G['area'] };
      if (m.code === 0x41) {
        this.admit(m.resume, m.known);
        this.tickTime = 1000 / m.ticks;
        this.prediction.reset(m.tick, m.avatar);
        this.processed = m.tick & 255;
        this.keyState = this.o.body.keys();
        this.clock.reset();
        this.due = 0;
        this.begun = false;
        this.last = performance.now();
        this.smooth = { x: 0, y: 0, z: 0 };
      }
      this.emit('area', this.area);
      const waiting = this.queue;
      this.queue = [];
      for (const b of waiting) this.deliver(b, t);
    } catch (e) {
      if (t !== this.t) return; // another connection has replaced the connection t meanwhile
      console.warn('truestep:', e);
      this.lost((e as Error).message);
    }
  }

  private apply(m: Message): void {
    switch (m.code) {
      case 0x41:
      case 0x48: void this.enterArea(m); break;
      case 0x42:
        this.entered?.(new RefusedError(m.reason, m.seconds, m.text));
        break;
      case 0x43: {
        this.reader.enter(m.handle, m.kind, m.state);
        const a = new Shown(m.handle, this.schema.kinds[m.kind], m.handle === this.own);
        a.apply(m.body);
        a.motion.add(this.reader.tick, m.state);
        a.draw(this.reader.tick, this.reader.tick);
        this.shown.set(m.handle, a);
        if (m.handle === this.own) {
          this.me = a;
          for (const axis of AXES) a.truth[axis] = a[axis];
          clearTimeout(this.waiting);
          this.entered?.();
        }
        this.emit('enter', a);
        break;
      }
      case 0x44: {
        const a = this.shown.get(m.handle);
        this.reader.leave(m.handle);
        this.shown.delete(m.handle);
        if (a) this.emit('leave', { actor: a, why: m.reason === 1 ? 'sight' : m.reason === 3 ? 'dead' : 'gone' });
        break;
      }
      case 0x45: this.shown.get(m.body.handle)?.apply(m.body); break;
      case 0x46: this.event(m); break;
      case 0x47: this.ownState(m); break;
      case 0x49: {
        const a = this.acts.get(m.number);
        this.acts.delete(m.number);
        const why = this.why(m.reason);
        a?.done({ ok: m.reason === 0, reason: why.name, sentence: m.text || why.sentence, asked: m.asked, allowed: m.allowed });
        break;
      }
      case 0x4b: this.gameEvent(m); break;
      case 0x4c:
        setFields(this.area.fields as Fields, this.schema.area, m.values, () => true);
        this.emit('fields', this.area.fields as AnyGame['area']);
        break;
      case 0x4a:
        if (!m.resume) this.end(m.text);
        else this.lost();
        break;
    }
  }

  private gameEvent(m: Message & { code: 0x4b }): void {
    const def = this.schema.events?.[m.event];
    if (!def) return;
    const e: Record<string, unknown> = { who: this.shown.get(m.who) };
    def.args?.forEach((a, i) => {
      e[a.name] = a.type === 'actor' ? this.shown.get(m.other) : a.type === 'text' ? m.text : valueOf(a, m.args[i] ?? 0);
    });
    this.emit(`game ${def.name}` as never, e as never);
  }

  private event(m: Message & { code: 0x46 }): void {
    const actor = this.shown.get(m.who), second = this.shown.get(m.other);
    const play = (): void => { // called later: the actor may be gone then, and its handle may belong to another actor
      const who = this.shown.get(m.who) === actor ? actor : undefined, other = this.shown.get(m.other) === second ? second : undefined;
      switch (m.kind) {
        case 1: this.emit('struck', { attacker: who, victim: other, damage: Math.max(m.value, 0), missed: m.value < 0 }); break;
        case 2: this.emit('shot', { attacker: who, target: other }); break;
        case 3: this.emit('died', { actor: who, name: m.text, killer: other }); break;
        case 4: this.emit('said', { actor: who, text: m.text }); break;
        case 5: this.emit('told', { tone: TONES[m.value] ?? 'system', text: m.text }); break;
        case 6: this.emit('jumped', { actor: who }); break;
        case 7: this.emit('experience', { points: m.value }); break;
        case 8: this.emit('respawned', { actor: who }); break;
      }
    };
    // Events between other actors are emitted when their tick is drawn. Events of the own player are emitted immediately.
    if (m.kind > 3 || actor === this.me || second === this.me) return play();
    const now = performance.now(), tick = this.clock.drawAt(now) / this.tickTime;
    const ahead = ((m.tick - tick) * 256) << 8 >> 8; // 1/256 ticks until the event; the client knows only the low bits of ticks
    this.late.push({ at: now + Math.min((ahead / 256) * this.tickTime, this.clock.delay), play });
    this.playLate(now);
  }

  private why(reason: number): Reason {
    return this.reasons[reason] ?? { name: 'unknown', sentence: '' };
  }

  private ownState(m: Message & { code: 0x47 }): void {
    const p = this.prediction;
    const from = { ...p.state };
    if (m.what === 3) {
      this.teleport = true;
      p.teleport(m.avatar, this.area.ground);
    } else p.correct(p.tick + ((m.tick - p.tick) | 0), m.avatar, this.area.ground);
    if (m.serial) this.barrier = m.serial;
    if (m.what === 1) {
      this.link.corrections++;
      const why = this.why(m.reason);
      this.emit('corrected', { reason: why.name, sentence: why.sentence, distance: p.moved });
    }
    for (const axis of AXES) this.smooth[axis] = m.what === 3 || p.moved > 2 ? 0 : this.smooth[axis] + from[axis] - p.state[axis];
  }

  // Returns the keys that take effect. A dead player can only turn its view: the server neither moves nor corrects it.
  private heldKeys(): Keys {
    return this.me?.dead ? { ...this.keys, ...RELEASED } : this.keys;
  }

  // Simulates the ticks that are due and sends their inputs.
  private ticks(now: number): void {
    const passed = Math.min(now - this.last, 1000);
    this.last = now;
    if (this.link.state !== 'open' || !this.me || this.loads) return;
    // At first one input is due, not those of the time before: the server takes 20 a second from the first one on, so more of
    // them would wait there for good.
    this.due += this.begun ? passed * this.pace.rate : TICK;
    this.begun = true;
    for (; this.due >= TICK; this.due -= TICK) {
      const p = this.prediction;
      const e = this.keyState.entry(p.tick + 1, this.heldKeys(), p.state, this.area.ground);
      if (this.teleport) e.keys |= HANDLED_TELEPORT;
      this.teleport = false;
      p.step(e, this.area.ground);
      const unanswered = (p.tick - this.processed) & 255;
      const entries = p.last(Math.min(Math.max(unanswered, 3), 8));
      this.sentAt.set(p.tick, now);
      this.t?.datagram(input(this.reader, { heard: this.heard, barrier: this.barrier, seen: Math.floor(this.drawTick * 256), tick: p.tick, avatar: p.state, entries }));
    }
  }

  // Keeps the player in the world while the page does not call frame: simulates the ticks that are due and emits the delayed events.
  protected keepUp(): void {
    const now = performance.now();
    this.playLate(now);
    if (now - this.last > 200) this.ticks(now);
  }

  /**
   * Advances the world to the time now: simulates the player's ticks that are due and moves all actors. Call it once for each
   * drawn picture.
   */
  frame(now = performance.now()): void {
    const passed = Math.max(0, Math.min(now - this.last, 1000));
    this.ticks(now);
    this.link.delay = this.clock.delay;
    this.drawTick = this.clock.drawAt(now) / this.tickTime;
    const until = this.reader.tick + 250 / this.tickTime; // actors without news are predicted for 250 ms, then stand still
    for (const a of this.shown.values()) {
      if (a === this.me || this.link.state !== 'open') continue; // actors of a lost connection stand still until the next one has an area
      a.draw(this.drawTick, until);
    }
    this.playLate(now);
    const me = this.me;
    if (!me) return;
    const p = this.prediction, u = this.due / TICK, rest = 0.5 ** (passed / 60); // rest: the part of a difference that is still shown
    p.ahead(this.ahead, this.keyState.peek(this.heldKeys(), p.state), this.area.ground);
    for (const axis of AXES) {
      this.smooth[axis] *= rest;
      // The server stops the body of a player that dies. The client has predicted some more ticks until it is told.
      me[axis] = me.dead ? me.truth[axis] + (me[axis] - me.truth[axis]) * rest : p.state[axis] + (this.ahead[axis] - p.state[axis]) * u + this.smooth[axis];
    }
    me.yaw = this.keys.yaw;
    me.height = this.o.body.height(p.state);
  }
}
