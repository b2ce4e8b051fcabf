// A server in memory for the tests of World: it answers requests and connections, and can stop at any step of an entry.
import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import type { Body } from '../src/blocks/index.js';
import type { Field, Schema } from '../src/snapshot.js';
import type { Options } from '../src/api.js';
import { connect, type World } from '../src/world.js';

const vectors: { name: string; hex: string }[] = JSON.parse(readFileSync(new URL('vectors/messages.json', import.meta.url), 'utf8'));
export const vector = (name: string): Buffer => Buffer.from(vectors.find((v) => v.name === name)!.hex, 'hex');

const OWN = 5; // handle of the own player in the test vector of the message Welcome
const place = (name: string): Field => ({ name, derived: true, step: 1 / 64 });
const fields = [place('x'), place('y'), place('z'), { name: 'yaw', wrap: 256, step: 1 / 256 }, { name: 'health', step: 1 / 255 }, { name: 'flags', step: 1 }];

/** The schema of the server, which is that of the vectors of snapshots. */
export const schema: Schema = { kinds: [{ name: 'player', fields }, { name: 'npc', fields }] };

/** Enter of an actor whose fields of snapshots are zero, without slow fields. */
export const enter = (handle: number, kind = 0): Buffer => Buffer.of(0x43, handle, 0, kind, 6, ...new Array(24).fill(0), 0);

/** A snapshot of no actors. */
export const snapshot = (seq: number, run = 1): Buffer => Buffer.of(0x80 | run << 4, seq, seq >> 8, 0, seq, seq >> 8, 0, 0);

/** Bye after which the client may resume or not. */
export const bye = (text: string, resume = false): Buffer => Buffer.of(0x4a, 1, Number(resume), text.length, 0, ...Buffer.from(text));

/** A body that does not move on a ground of nothing. */
const still = { keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 };
export const body = { ground: () => ({}), keys: () => ({ entry: () => ({ ...still }), peek: () => still }), step: () => {}, height: () => 1.8 } as unknown as Body;

/** A step of an entry into the world: a request, the opening of a connection, or the answer to its Hello. */
export type Step = 'ticket' | 'schema' | 'reasons' | 'ground' | 'open' | 'hello';

/** The end of the client of a WebSocket connection, with what the server does at the other end. */
export class Socket {
  readyState = 0;
  closed = false;
  sent: Uint8Array[] = []; // messages that the client has sent
  onopen?: () => void;
  onclose?: () => void;
  onmessage?: (e: { data: ArrayBuffer }) => void;

  constructor(private server: Server) {
    server.sockets.push(this);
    void server.step('open').then(() => {
      if (this.closed) return;
      this.readyState = 1;
      this.onopen?.();
    });
  }

  send(b: Uint8Array): void {
    this.sent.push(b);
    if (b[0] === 2) void this.server.step('hello').then(() => this.server.answer(this));
  }

  /** Closes the connection, as the client or the server does. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.readyState = 3;
    queueMicrotask(() => this.onclose?.());
  }

  /** Sends a message to the client. */
  deliver(b: Uint8Array): void {
    if (!this.closed) this.onmessage?.({ data: Uint8Array.from(b).buffer });
  }
}

export class Server {
  sockets: Socket[] = [];
  steps: Step[] = [];
  hold?: Step; // step at which the server waits for release
  ticket: object = { ticket: 't', ws: 'ws://server', schema: '0800000000000000' };
  status = 200; // HTTP status of the answer to a request for a ticket
  asked: string[] = []; // hosts that were asked for tickets
  nodes: string[] = []; // hosts of the nodes, of which an answer with a ticket names the others; empty if there is no cluster
  gone: string[] = []; // hosts that refuse connections
  delay: Record<string, number> = {}; // time that a host needs for each answer, ms; Infinity if it hangs
  others: number[] = []; // handles of other players
  ground = (_: AbortSignal): Response => new Response(new Uint8Array(8));
  private waiting: (() => void)[] = [];

  constructor() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
    vi.advanceTimersByTime(1000); // begin after time 0, which World uses for "never"
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const c = new AbortController();
      setTimeout(() => c.abort(new DOMException('the request timed out', 'TimeoutError')), ms);
      return c.signal;
    });
    vi.stubGlobal('fetch', async (url: URL, o?: RequestInit) => {
      const name = url.pathname.split('/')[3] as Step;
      if (name === 'ticket') this.asked.push(url.host);
      if (this.gone.includes(url.host)) throw new TypeError('fetch failed');
      const aborted = new Promise<never>((_, reject) => o?.signal?.addEventListener('abort', () => reject(o.signal!.reason)));
      const delay = this.delay[url.host] ?? 0;
      if (delay) await Promise.race([aborted, new Promise<void>((go) => delay < Infinity && setTimeout(go, delay))]);
      await Promise.race([aborted, this.step(name)]);
      if (name === 'ground') return this.ground(o!.signal!);
      return this.respond(name, url.host);
    });
  }

  private respond(name: Step, host: string): Response {
    const nodes = this.nodes.filter((n) => n !== host).map((n) => `http://${n}`);
    const ticket = nodes.length ? { ...this.ticket, nodes } : this.ticket;
    return new Response(JSON.stringify({ ticket, schema, reasons: [] }[name as 'ticket']), { status: name === 'ticket' ? this.status : 200 });
  }

  async step(name: Step): Promise<void> {
    this.steps.push(name);
    if (this.hold === name) await new Promise<void>((go) => this.waiting.push(go));
  }

  /** Lets the server go on with the step at which it waits. */
  release(): void {
    this.hold = undefined;
    for (const go of this.waiting.splice(0)) go();
  }

  /** Answers a Hello: the player enters, and the client is shown the other players. */
  answer(s: Socket): void {
    s.deliver(vector('welcome'));
    this.show(s);
  }

  /** Shows the client its own player and the other players. */
  show(s: Socket): void {
    for (const handle of [OWN, ...this.others]) s.deliver(enter(handle));
  }

  get last(): Socket { return this.sockets.at(-1)!; }

  connect(o: Partial<Options> = {}): Promise<World> {
    const server = this;
    const make = function () { return new Socket(server); } as unknown as typeof WebSocket;
    const entry = connect('http://server', { body, WebSocket: make, ...o });
    entry.catch(() => {}); // a rejection must not end the process before the test awaits the promise
    return entry;
  }
}

/** Lets time pass, in ms. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Ends what a Server has replaced in the environment. */
export function restore(): void {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}
