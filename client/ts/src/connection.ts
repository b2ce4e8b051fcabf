// The connection of a world to the server: gets a ticket, opens a transport and, after its loss, resumes the session over a new one.

import type { Answer, Link, Options } from './api.js';
import type { GameData } from './game.js';
import { area, Guest } from './guest.js';
import { impaired, openWebSocket, openWebTransport, Ticket, Transport } from './link.js';
import { Listeners } from './listeners.js';
import { act, ActFields, hello, NO_HANDLE, Verb } from './message.js';
import { Reader, Schema } from './snapshot.js';

const WT_FAILED = 'truestep.webtransport-failed'; // key in the browser's storage of the time at which WebTransport last failed
const CHECK = 100; // ms between two checks of whether the page still draws and the server still sends
const SILENCE = 5000; // time without a message after which the connection counts as lost, ms; longer in a page that is hidden for minutes
const ANSWER = 10_000; // timeout of a request to the server, ms
const HEAD = 2000; // part of the timeout of the request whether a node answers, ms; the other part grows from 250 ms to 5 s, for slow lines
const GRACE = 1000; // ms by which the node whose turn it is may answer later than another one
const PATIENCE = 15_000; // time limit for the Welcome, for each part of a ground, and for the own player's Enter after the ground, ms

/** The error if the server refuses the player. */
export class RefusedError extends Error {
  constructor(readonly reason: number, readonly seconds: number, text: string) {
    super(text);
  }
}

const pause = (ms: number): Promise<void> => new Promise((r) => setTimeout(r, ms));

export interface Reason { name: string; sentence: string }

export abstract class Connection<G extends GameData> extends Listeners<G> {
  readonly link: Link & { transport: 'wt' | 'ws'; state: Link['state']; rtt: number; loss: number; delay: number; waits: number; bytes: number; corrections: number; sentence: string };

  protected reader!: Reader;
  protected schema: Schema = { kinds: [] };
  private schemaHash = '';
  protected reasons: Reason[] = [];
  private nodes: string[] | undefined; // addresses of the other nodes of the server's cluster
  protected t: Transport | undefined;
  private guest: Guest;
  protected token: Uint8Array | undefined;
  protected heard = 0;
  protected barrier = 0;
  // Requests without an answer, in the order of their numbers.
  protected acts = new Map<number, { fields: ActFields; done: (a: Answer) => void; sent: boolean }>();
  private admitted: Transport | undefined; // the connection t, if its Welcome was handled
  protected queue: Uint8Array[] = []; // messages that wait for the ground of a new area
  protected loading?: Transport; // connection with a new area, whose ground is downloaded; undefined if none is
  protected download?: AbortController; // aborts the download of that ground
  protected waiting: ReturnType<typeof setTimeout> | undefined; // timer of the method wait
  protected entered: ((e?: Error) => void) | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  protected silent = 0; // time since the last message in ms, of which at most a second counts between two checks
  protected lastRun = -1;
  protected closing = false;

  /** @internal */
  constructor(private url: URL | string, protected o: Options) {
    super();
    if (!o.body) throw new TypeError('connect needs the option body: that of @truestep/client/blocks');
    this.link = { transport: 'ws', state: 'resuming', rtt: 0, loss: 0, delay: 0, waits: 0, bytes: 0, corrections: 0, sentence: '' };
    this.guest = new Guest(`truestep.guest:${(url as URL).origin}`);
  }

  // Handles a message.
  protected abstract deliver(b: Uint8Array, t: Transport): void;
  // Keeps the player in the world if the page does not draw.
  protected abstract keepUp(): void;

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
    let last = performance.now();
    this.timer = setInterval(() => {
      this.keepUp();
      const now = performance.now();
      // TCP and QUIC may report the loss only minutes later.
      if (this.link.state === 'open' && !this.loads && (this.silent += Math.min(now - last, 1000)) > SILENCE) this.lost();
      last = now;
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
    if (a.status === 403 && guest) a = await ask({ name }); // the server has a new key and no longer accepts the guest: become a new one
    const t = await a.json();
    const error = t.error ?? `the server answers ${a.status}`;
    if (!a.ok) throw a.status === 403 && !token ? new RefusedError(1, 0, error) : new Error(error); // not final: the backend may issue a better token
    if (newSecret) [this.o.secret, this.o.newSecret] = [newSecret, undefined];
    if (t.guest) await this.guest.keep(t.guest);
    return t;
  }

  // Throws if the world was closed while a connection was being made. It then closes what this attempt has opened.
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
    const entry = new Promise<Error | void>((resolve) => (this.entered = resolve));
    this.t = await this.transport(t);
    this.check();
    this.link.transport = this.t.kind;
    this.t.control(hello(this.token, t.schema, t.ticket));
    this.wait();
    const failed = (await entry) ?? (this.t ? undefined : new Error('the connection was lost')); // after the own player's Enter
    this.entered = undefined;
    if (failed) this.drop();
    this.check();
    if (failed) throw failed;
    this.silent = 0;
    this.setState('open', '');
  }

  // Handles the requests without an answer when the server has admitted the player. Those that were sent over a lost connection may have
  // been executed: they are repeated only if the server knows which were. The others are sent now.
  protected admit(token: Uint8Array, known: boolean): void {
    this.token = token;
    this.admitted = this.t;
    for (const [number, a] of this.acts) {
      if (known || !a.sent) {
        a.sent = true;
        this.t!.control(act({ ...a.fields, seen: 0, handle: NO_HANDLE })); // the tick and the handle were those of an earlier connection
      } else {
        this.acts.delete(number);
        a.done(this.refusal('unknown', 'the connection was lost'));
      }
    }
  }

  // Sends a request. While no server has admitted the player, the request waits for the next one that does.
  protected ask(fields: ActFields): Promise<Answer> {
    return new Promise((done) => {
      this.acts.set(fields.number, { fields, done, sent: !!this.admitted });
      this.admitted?.control(act(fields));
    });
  }

  private fetch(path: string, o?: RequestInit, at = this.url): Promise<Response> {
    return fetch(new URL(`/play/v1/${path}`, at), { signal: AbortSignal.timeout(ANSWER), ...o });
  }

  protected async file(path: string, o?: RequestInit, at?: URL | string): Promise<Response> {
    const a = await this.fetch(path, o, at);
    if (!a.ok) throw new Error(`${path}: the server answers ${a.status}`);
    return a;
  }

  private async transport(t: Ticket): Promise<Transport> {
    let i: ReturnType<typeof impaired> | undefined; // set before the first message arrives: the server sends none before the Hello
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

  // Whether the ground of a new area is being downloaded.
  protected get loads(): boolean | undefined {
    return this.t && this.t === this.loading;
  }

  private drop(): void {
    clearTimeout(this.waiting);
    this.download?.abort();
    const t = this.t;
    this.t = this.admitted = undefined;
    t?.close();
  }

  // Starts the time limit in which the server must take the next step of the player's entry into an area.
  protected wait(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.lost('the server does not answer'), PATIENCE);
  }

  // Handles the loss of the connection by resuming the session over another one.
  protected lost(why = 'the connection was lost'): void {
    if (this.closing) return;
    this.entered?.(new Error(why));
    this.drop();
    if (this.link.state === 'open') void this.resume();
  }

  private async resume(): Promise<void> {
    this.setState('resuming', '');
    const nodes = [this.url, ...(this.nodes ?? [])];
    for (let wait = 250, n = 0; !this.closing; wait = Math.min(2 * wait, 5000), n++) {
      try {
        // Resume through the node whose turn it is or, if it does not answer, the first of the others that does. Its own node has every second
        // turn. A request for a ticket to a node that hangs would take ANSWER, and the body is in the world for a few seconds only.
        if (nodes[1]) {
          const answers = nodes.map((at) => this.file('reasons', { method: 'HEAD', signal: AbortSignal.timeout(HEAD + wait) }, at).then(() => at));
          const first = await Promise.any(answers);
          this.url = (await Promise.race([answers[n % 2 && 1 + (n >> 1) % (nodes.length - 1)], pause(GRACE)]).catch(() => {})) ?? first;
        }
        this.check();
        await this.dial();
        return;
      } catch (e) {
        const { seconds = wait / 1000 } = e as { seconds?: number }; // only a RefusedError has it
        if (!seconds) return this.end((e as Error).message);
        await pause(Math.max(wait, 1000 * Math.min(seconds, 10)));
      }
    }
  }

  protected end(sentence: string): void {
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

  protected refusal(reason = 'closed', sentence = this.link.sentence): Answer {
    return { ok: false, reason, sentence, asked: 0, allowed: 0 };
  }

  /** Leaves the world and closes the connection. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    this.t?.control(act({ number: 0, verb: Verb.leave, tick: 0, seen: 0, handle: NO_HANDLE, text: '' }));
    await pause(50);
    this.end('');
  }
}
