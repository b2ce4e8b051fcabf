// The world of one player: the connection, the actors, the own player and the requests to the server.

import type { Body, Ground, Keys } from './blocks/index.js';
import { newAvatar } from './blocks/avatar.js';
import { Clock, Pace } from './clock.js';
import { AnyGame, BUILTIN, extrasOf, Fields, GameData, setFields, stepsOf, valueOf } from './game.js';
import { area, Guest } from './guest.js';
import { Impair, impaired, openWebSocket, openWebTransport, Ticket, Transport, WebSocketClass } from './link.js';
import { act, ActFields, appendAck, Body as BodyFields, hello, input, Message, NO_HANDLE, parse, Verb } from './message.js';
import { Motion } from './motion.js';
import { Prediction } from './rewind.js';
import { ArgSchema, Field, Kind, Reader, Schema } from './snapshot.js';

const WT_FAILED = 'truestep.webtransport-failed'; // in the browser's storage, when the last attempt failed
const TICK = 50; // ms between two inputs
const CHECK = 100; // ms between two checks of whether the page still draws and the server still sends
const SILENCE = 50; // number of consecutive checks without a message after which the connection counts as lost: 5 s, longer in a hidden page
const ANSWER = 10_000; // timeout of a request to the server, ms
const PATIENCE = 15_000; // time limit for the Welcome, for each part of a ground, and for the own player after it, ms
const HANDLED_TELEPORT = 16384;
const DEAD = 16;
const LINGERING = 32;
const AXES = ['x', 'y', 'z'] as const;
const TONES = ['system', 'warning', 'combat', 'announcement'] as const; // by number on the wire

export interface Options {
  /** Name of a new guest's player, or with `secret` of the account. */
  name?: string;
  /** Secret of the account `name`. The server accepts it only over HTTPS or from its own machine. */
  secret?: string;
  /** With `secret`: create the account if there is none of that name. */
  create?: boolean;
  /** With `secret`: a new secret, which replaces `secret` after the login. */
  newSecret?: string;
  /** Gets a token (JWT) from the game's own backend, which names the player. Called for each connection, a resumed one too. */
  token?: () => Promise<string>;
  /** Identity of an earlier guest. By default the browser stores it, and a second tab becomes another guest. */
  guest?: string;
  /** Gets a ticket in another way than from the server of the URL, such as through a lobby. */
  ticket?: () => Promise<Ticket>;
  transport?: 'auto' | 'wt' | 'ws';
  /** The WebSocket class, for programs without one. */
  WebSocket?: WebSocketClass;
  /** How the own player moves: `body` of @truestep/client/blocks. */
  body: Body;
  impair?: Impair;
  signal?: AbortSignal;
}

export interface Answer { ok: boolean; reason: string; sentence: string; asked: number; allowed: number }

/** An actor in the player's view. Its fields change with each call of World.frame. Lengths in blocks, yaw in degrees, health 0..1. */
export interface Actor<G extends GameData = AnyGame> {
  readonly id: number;
  readonly kind: string;
  readonly door: string; // door through which a player came, empty for others
  readonly name: string;
  readonly level: number;
  readonly height: number;
  readonly x: number; readonly y: number; readonly z: number;
  readonly yaw: number;
  readonly health: number;
  readonly dead: boolean;
  readonly lingering: boolean; // a player whose connection is lost
  /** Fields of the game: numbers in units, or words. Fields that this client may not see are missing. */
  readonly fields: Readonly<Partial<G['player'] & G['npc']>>;
}

/** The own player: the position at which it is drawn, and the position that the server has last sent. */
export interface Self<G extends GameData = AnyGame> extends Actor<G> {
  readonly truth: { readonly x: number; readonly y: number; readonly z: number };
}

export interface Corrected { reason: string; sentence: string; distance: number }

export interface Events<G extends GameData = AnyGame> {
  enter: Actor<G>;
  leave: { actor: Actor<G>; why: 'sight' | 'gone' | 'dead' };
  struck: { attacker?: Actor<G>; victim?: Actor<G>; damage: number; missed: boolean };
  shot: { attacker?: Actor<G>; target?: Actor<G> };
  died: { actor?: Actor<G>; name: string; killer?: Actor<G> };
  respawned: { actor?: Actor<G> };
  jumped: { actor?: Actor<G> };
  said: { actor?: Actor<G>; text: string };
  told: { tone: 'system' | 'warning' | 'combat' | 'announcement'; text: string };
  experience: { points: number };
  corrected: Corrected;
  area: { name: string; ground: Ground };
  state: Link;
  /** The fields of the area have changed. */
  fields: Readonly<G['area']>;
}

/** An event of the game: its arguments, and the actor that it is about, if it is shown. */
export type GameEvent<G extends GameData, K extends keyof G['events']> = G['events'][K] & { who?: Actor<G> };

export interface Link {
  readonly transport: 'wt' | 'ws';
  readonly state: 'open' | 'resuming' | 'closed';
  readonly rtt: number; // ms
  readonly loss: number; // share of snapshots that did not arrive
  readonly delay: number; // ms by which other actors are drawn behind the server's time
  readonly waits: number; // number of inputs that wait at the server
  readonly bytes: number; // number of bytes received on this connection
  readonly corrections: number;
  readonly sentence: string; // why the connection was closed, as a sentence for the player
}

class Shown implements Self {
  x = 0; y = 0; z = 0; yaw = 0; health = 1; flags = 0;
  door = ''; name = ''; level = 0; height = 1.8;
  readonly truth = { x: 0, y: 0, z: 0 };
  readonly fields: Fields = {};
  readonly extra: Float64Array; // the fields of the game in snapshots, as drawn
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
  draw(tick: number, newest: number): void {
    this.motion.draw(tick, newest, this);
    this.setExtras(this.extra, 0);
  }
  /** Sets the fields of the game in snapshots; from is the index of the first in values. */
  setExtras(values: ArrayLike<number>, from: number): void {
    for (let i = 0; i < this.extras.length; i++) {
      const f = this.extras[i]!;
      if (this.knows(f)) this.fields[f.name] = valueOf(f, f.words ? Math.round(values[from + i]!) : values[from + i]!);
    }
  }
  get dead(): boolean { return (this.flags & DEAD) !== 0; }
  get lingering(): boolean { return (this.flags & LINGERING) !== 0; }
  apply(b: BodyFields): void {
    if (b.mask & 1) this.door = b.door;
    if (b.mask & 2) this.level = b.level;
    if (b.mask & 8) this.height = b.height / 16;
    if (b.mask & 16) this.name = b.name;
    if (b.mask & 32) setFields(this.fields, this.slow, b.fields, this.knows);
  }
}

/** The error if the server refuses the player. */
export class RefusedError extends Error {
  constructor(readonly reason: number, readonly seconds: number, text: string) {
    super(text);
  }
}

interface Reason { name: string; sentence: string }

/** Connects to a server and resolves when the player is in the world. */
export async function connect<G extends GameData = AnyGame>(url: string | URL, o: Options): Promise<World<G>> {
  const world = new World<G>(new URL(url), o);
  await world.open();
  return world;
}

export class World<G extends GameData = AnyGame> {
  readonly actors: ReadonlyMap<number, Actor<G>>;
  readonly link: Link & { transport: 'wt' | 'ws'; state: Link['state']; rtt: number; loss: number; delay: number; waits: number; bytes: number; corrections: number; sentence: string };
  /** The area in which the player is. */
  area = { name: '', ground: undefined as unknown as Ground, fields: {} as Readonly<G['area']> };
  /** Time between two ticks of the server, ms. */
  tickTime = 50;

  private shown = new Map<number, Shown>();
  private own = NO_HANDLE;
  private me: Shown | undefined;
  private reader!: Reader;
  private schema: Schema = { kinds: [] };
  private schemaHash = '';
  private reasons: Reason[] = [];
  private nodes: string[] | undefined; // addresses of the other nodes of the server's cluster
  private t: Transport | undefined;
  private guest: Guest;
  private token: Uint8Array | undefined;
  private heard = 0;
  private barrier = 0;
  private teleport = false;
  private processed = 0;
  private keys: Keys = { forward: 0, strafe: 0, yaw: 0, pitch: 0, jump: false, sneak: false, sprint: false, glide: false };
  private keyState: ReturnType<Body['keys']>;
  private prediction: Prediction;
  private ahead = newAvatar();
  private smooth = { x: 0, y: 0, z: 0 };
  private clock = new Clock();
  private pace = new Pace();
  private due = 0;
  private last = 0;
  private drawTick = 0;
  private sentAt = new Map<number, number>();
  private acts = new Map<number, { fields: ActFields; done: (a: Answer) => void }>();
  private actNumber = 0;
  private listeners: Record<string, Set<(e: never) => void>> = {}; // by name; those of the game's events by "game " and the name
  private late: { at: number; play: () => void }[] = []; // events that are emitted at a time of performance.now
  private queue: Uint8Array[] = []; // messages that wait for the ground of a new area
  private loading?: Transport; // connection for whose new area the ground is downloaded
  private download?: AbortController; // of that ground
  private waiting: ReturnType<typeof setTimeout> | undefined; // see wait
  private entered: ((e?: Error) => void) | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private silent = 0; // number of checks since the last message
  private taken = 0;
  private expected = 0;
  private lastRun = -1;
  private lastSeq = 0;
  private closing = false;

  /** @internal */
  constructor(private url: URL | string, private o: Options) {
    if (!o.body) throw new TypeError('connect needs the option body: that of @truestep/client/blocks');
    this.actors = this.shown as unknown as ReadonlyMap<number, Actor<G>>;
    this.link = { transport: 'ws', state: 'resuming', rtt: 0, loss: 0, delay: 0, waits: 0, bytes: 0, corrections: 0, sentence: '' };
    this.keyState = o.body.keys();
    this.prediction = new Prediction(o.body);
    this.guest = new Guest(`truestep.guest:${(url as URL).origin}`);
  }

  /** The own player. */
  get self(): Self<G> {
    if (!this.me) throw new Error('the player is not in the world');
    return this.me as unknown as Self<G>;
  }

  /** @internal */
  async open(): Promise<void> {
    const { signal } = this.o;
    signal?.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => {
      reject(signal.reason);
      void this.close();
    }));
    try {
      await Promise.race([aborted, this.enter()]);
    } catch (e) {
      this.guest.free();
      throw e;
    }
    this.timer = setInterval(() => {
      this.keepUp();
      if (this.link.state === 'open' && !this.loads && ++this.silent > SILENCE) this.lost(); // TCP and QUIC may report the loss only minutes later
    }, CHECK);
  }

  private async enter(): Promise<void> {
    const { guest, ticket, token, secret } = this.o;
    this.guest.id = guest;
    if (!guest && !ticket && !token && !secret) await this.guest.choose();
    this.check();
    await this.dial();
  }

  private async ticket(): Promise<Ticket> {
    if (this.o.ticket) return this.o.ticket();
    const { name, secret, create, newSecret, token } = this.o;
    const ask = (who: object): Promise<Response> => this.fetch('ticket', { method: 'POST', body: JSON.stringify(who) });
    const guest = token || secret ? undefined : this.guest.id;
    let a = await ask(token ? { token: await token() } : { name, secret, create, new: newSecret, guest });
    if (a.status === 403 && guest) a = await ask({ name }); // the server has another key now: become a new guest
    const t = await a.json();
    const error = t.error ?? `the server answers ${a.status}`;
    if (!a.ok) throw a.status === 403 && !token ? new RefusedError(1, 0, error) : new Error(error); // a backend may issue a better token
    if (newSecret) [this.o.secret, this.o.newSecret] = [newSecret, undefined];
    if (t.guest) await this.guest.keep(t.guest);
    return t;
  }

  // Throws if the world was closed while it made a connection, and releases what it has taken since.
  private check(): void {
    if (!this.closing) return;
    this.end('');
    throw new Error(this.link.sentence);
  }

  private async dial(): Promise<void> {
    const t = await this.ticket();
    this.check();
    if (t.schema !== this.schemaHash) {
      [this.schema, this.reasons] = await Promise.all(['schema', 'reasons'].map(async (name) => (await this.file(name)).json())) as [Schema, Reason[]];
      this.schemaHash = t.schema;
    }
    this.nodes = t.nodes;
    this.reader = new Reader(this.schema);
    this.lastRun = -1;
    this.queue = [];
    this.heard = this.barrier = 0;
    const welcome = new Promise<void>((resolve, reject) => {
      this.entered = (e) => (e ? reject(e) : resolve());
    });
    welcome.catch(() => {});
    this.t = await this.transport(t);
    this.check();
    this.link.transport = this.t.kind;
    this.t.control(hello(this.token, t.schema, t.ticket));
    this.wait();
    try {
      await welcome;
      if (!this.t) throw new Error('the connection was lost'); // directly after the own player's Enter
    } catch (e) {
      this.drop();
      throw e;
    } finally {
      this.entered = undefined;
      this.check();
    }
    this.silent = 0;
    this.setState('open', '');
    for (const a of this.acts.values()) this.t.control(act({ ...a.fields, seen: 0 })); // the tick that the player saw is too long ago to send
  }

  private fetch(path: string, o?: RequestInit): Promise<Response> {
    return fetch(new URL(`/play/v1/${path}`, this.url), { signal: AbortSignal.timeout(ANSWER), ...o });
  }

  private async file(path: string, o?: RequestInit): Promise<Response> {
    const a = await this.fetch(path, o);
    if (!a.ok) throw new Error(`${path}: the server answers ${a.status}`);
    return a;
  }

  private async transport(t: Ticket): Promise<Transport> {
    let i: ReturnType<typeof impaired> | undefined; // set before a message arrives: the server sends none before the Hello
    const handlers = {
      message: (b: Uint8Array) => i?.receive(b),
      closed: () => {
        if (this.t === i?.transport) this.lost();
      },
    };
    const open = async (): Promise<Transport> => {
      const how = this.o.transport ?? 'auto';
      if (how !== 'ws' && t.wt && 'WebTransport' in globalThis && (how === 'wt' || !(Date.now() - Number(area('localStorage')?.getItem(WT_FAILED)) < 600_000))) {
        try {
          return await openWebTransport(t.wt, handlers, 2000);
        } catch (e) {
          if (how === 'wt') throw e;
          area('localStorage')?.setItem(WT_FAILED, String(Date.now()));
        }
      }
      const make = this.o.WebSocket ?? globalThis.WebSocket;
      if (!make) throw new Error('connect needs the option WebSocket: that of the package ws');
      return openWebSocket(t.ws, make, handlers, ANSWER);
    };
    const { transport } = (i = impaired(await open(), (this.o.impair ??= {}), (b) => {
      this.link.bytes += b.length;
      this.deliver(b, transport);
    }));
    return transport;
  }

  private setState(state: Link['state'], sentence: string): void {
    this.link.state = state;
    this.link.sentence = sentence;
    this.emit('state', this.link);
  }

  // Whether the ground of a new area is downloaded.
  private get loads(): boolean | undefined {
    return this.t && this.t === this.loading;
  }

  private drop(): void {
    clearTimeout(this.waiting);
    this.download?.abort();
    const t = this.t;
    this.t = undefined;
    t?.close();
  }

  // Gives the server time for its next step on the player's way into an area.
  private wait(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.lost('the server does not answer'), PATIENCE);
  }

  // Handles the loss of the connection by resuming the session over another one.
  private lost(why = 'the connection was lost'): void {
    if (this.closing) return;
    this.entered?.(new Error(why));
    this.drop();
    if (this.link.state === 'open') void this.resume();
  }

  private async resume(): Promise<void> {
    this.setState('resuming', '');
    const home = this.url;
    for (let wait = 250, n = 0; !this.closing; wait = Math.min(2 * wait, 5000), n++) {
      try {
        await this.dial();
        return;
      } catch (e) {
        const seconds = e instanceof RefusedError ? e.seconds : wait / 1000;
        if (!seconds) return this.end((e as Error).message);
        this.url = this.nodes?.[n / 2 % this.nodes.length] ?? home; // for odd n home
        await new Promise((r) => setTimeout(r, Math.max(wait, 1000 * Math.min(seconds, 10))));
      }
    }
  }

  private end(sentence: string): void {
    this.closing = true;
    this.drop();
    this.late = [];
    this.entered?.();
    this.guest.free();
    clearInterval(this.timer);
    if (this.link.state !== 'closed') this.setState('closed', sentence);
    for (const a of this.acts.values()) a.done(this.refusal());
    this.acts.clear();
  }

  private refusal(): Answer {
    return { ok: false, reason: 'closed', sentence: this.link.sentence, asked: 0, allowed: 0 };
  }

  /** Leaves the world and closes the connection. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    this.t?.control(act({ number: 0, verb: Verb.leave, tick: 0, seen: 0, handle: NO_HANDLE, text: '' }));
    await new Promise((r) => setTimeout(r, 50));
    this.end('');
  }

  /** Calls f with each event of a name. For the event enter it first calls f with each actor that is shown already. */
  on<K extends keyof Events>(name: K, f: (e: Events<G>[K]) => void): () => void {
    if (name === 'enter') this.actors.forEach((a) => call(f as (a: Actor<G>) => void, a));
    return this.listen(name, f);
  }

  /** Calls f with each event of the game of a name. */
  onGame<K extends keyof G['events'] & string>(name: K, f: (e: GameEvent<G, K>) => void): () => void {
    return this.listen(`game ${name}`, f);
  }

  private listen(name: string, f: (e: never) => void): () => void {
    const all = (this.listeners[name] ??= new Set());
    all.add(f);
    return () => void all.delete(f);
  }

  // Events refer to the actors in this.shown, whose fields have the types of no particular game.
  private emit<K extends keyof Events>(name: K, e: Events[K]): void {
    const all = this.listeners[name] ?? new Set();
    for (const f of [...all]) if (all.has(f)) call(f, e as never); // without listeners that one of them adds or removes
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
    const fields = { number: this.actNumber, verb, tick: this.prediction.tick, seen: Math.floor(this.drawTick * 256), handle, text, command, args };
    return new Promise((done) => {
      this.acts.set(fields.number, { fields, done });
      this.t?.control(act(fields));
    });
  }

  /** Impairs the connection from now on, to test how a game feels. */
  impair(i: Impair): void { Object.assign((this.o.impair ??= {}), i); }

  private deliver(b: Uint8Array, t: Transport): void {
    if (t !== this.t) return; // of a connection that was given up
    this.silent = 0;
    try {
      const snapshot = b[0]! & 128;
      if (this.loads && b[0] !== 0x4a && !(snapshot && t.kind === 'wt')) {
        this.queue.push(b); // over WebSocket snapshots too: they tell actors whose Enter is before them; no Bye, which ends the connection
        if (snapshot) t.datagram(appendAck(this.reader)); // a client that loads sends nothing else
      } else if (snapshot) this.snapshot(b);
      else this.control(b);
      this.keepUp(); // browsers limit the timers of a hidden page to one call a minute
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
        this.token = m.resume;
        this.tickTime = 1000 / m.ticks;
        this.prediction.reset(m.tick, m.avatar);
        this.processed = m.tick & 255;
        this.keyState = this.o.body.keys();
        this.clock.reset();
        this.due = 0;
        this.last = performance.now();
        this.smooth = { x: 0, y: 0, z: 0 };
      }
      this.emit('area', this.area);
      const waiting = this.queue;
      this.queue = [];
      for (const b of waiting) this.deliver(b, t);
    } catch (e) {
      if (t !== this.t) return; // there was another connection meanwhile
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
    const play = (): void => { // an actor may not be shown any more, or another one with its handle
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
    const ahead = ((m.tick - tick) * 256) << 8 >> 8; // in 1/256 ticks; the client knows the low bits of ticks
    this.late.push({ at: now + Math.min((ahead / 256) * this.tickTime, this.clock.delay), play });
    this.playLate(now);
  }

  // Emits the events whose time has come, in the order in which they came.
  private playLate(now: number): void {
    for (let e; (e = this.late[0]) && e.at <= now; e.play()) this.late.shift();
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
    if (!this.me?.dead) return this.keys;
    return { ...this.keys, forward: 0, strafe: 0, jump: false, sneak: false, sprint: false, glide: false };
  }

  // Simulates the ticks that are due and sends their inputs.
  private ticks(now: number): void {
    const passed = Math.min(now - this.last, 1000);
    this.last = now;
    if (this.link.state !== 'open' || !this.me || this.loads) return;
    this.due += passed * this.pace.rate;
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

  // Keeps the player in the world if the page does not draw: simulates the ticks and emits the events that frame has not.
  private keepUp(): void {
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
    const newest = this.reader.tick;
    for (const a of this.shown.values()) {
      if (a === this.me || this.link.state !== 'open') continue; // actors of a lost connection stand still until the next one has an area
      a.draw(this.drawTick, newest);
    }
    this.playLate(now);
    const me = this.me;
    if (!me) return;
    const p = this.prediction, u = this.due / TICK;
    p.ahead(this.ahead, this.keyState.peek(this.heldKeys(), p.state), this.area.ground);
    for (const axis of AXES) me[axis] = p.state[axis] + (this.ahead[axis] - p.state[axis]) * u + (this.smooth[axis] *= 0.5 ** (passed / 60));
    me.yaw = this.keys.yaw;
    me.height = this.o.body.height(p.state);
  }
}

// Calls a listener. What it throws is reported as the DOM does: it must not end the connection.
function call<E>(f: (e: E) => void, e: E): void {
  try {
    f(e);
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}
