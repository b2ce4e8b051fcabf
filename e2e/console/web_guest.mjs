// A guest of the web door, written from docs/wire/web.md: it enters over WebSocket and reads what the server tells its player. It sends no
// inputs, but acknowledges snapshots, because the server ends a connection on which nothing arrives for half a minute.
import { must } from '../lib/assert.mjs';
import { waitUntil } from '../lib/wait.mjs';
import { WebSocketClient } from './websocket.mjs';

const WAIT_MS = 60000;
const ACK_MS = 5000;
const code = { hello: 2, ack: 5, welcome: 0x41, refused: 0x42, event: 0x46, bye: 0x4a, snapshot: 0x80 };
const TOLD = 5; // kind of the event with which the server tells the player a text
export const ANNOUNCEMENT = 3; // tone of an announcement, a text for many players
export const STOPPING = 1; // reason in a Bye message: the server stops

const str16 = (b, at) => b.toString('utf8', at + 2, at + 2 + b.readUInt16LE(at));

export class Guest {
  door = 'web';

  /** guest: what an earlier Guest got as its identity; undefined for a new guest. */
  constructor(server, name, guest) {
    Object.assign(this, { name, guest, origin: `http://127.0.0.1:${server.ports.web}`, told: [], bye: undefined, welcome: false });
  }

  async join() {
    const res = await fetch(`${this.origin}/play/v1/ticket`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name: this.name, guest: this.guest }), signal: AbortSignal.timeout(WAIT_MS) });
    const answer = await res.json();
    must(res.status === 200, `the ticket is answered with status ${res.status}: ${answer.error}`);
    this.guest = answer.guest;
    const { status, socket } = await WebSocketClient.open(answer.ws);
    must(status === 101, `the WebSocket is answered with status ${status}`);
    this.socket = socket;
    socket.listen({ binary: (b) => this.#receive(b) });
    const ticket = Buffer.from(answer.ticket);
    const hello = Buffer.alloc(35 + ticket.length); // zero bytes: any schema, and no token of an earlier connection
    hello.writeUInt8(code.hello, 0);
    hello.write('TSW1', 1);
    hello.writeUInt32LE(1, 5); // features: bit 0 is the coding of snapshots
    hello.writeUInt16LE(ticket.length, 33);
    ticket.copy(hello, 35);
    socket.send(hello);
    this.timer = setInterval(() => this.#acknowledge(), ACK_MS);
    this.timer.unref();
    await this.until(() => this.welcome, 'Welcome');
  }

  /** Acknowledges the newest snapshot. */
  #acknowledge() {
    if (!this.snapshot || this.disconnected) return;
    const ack = Buffer.alloc(12); // zero bytes: no earlier snapshot
    ack.writeUInt8(code.ack, 0);
    ack.writeUInt8((this.snapshot[0] >> 4) & 7, 1); // the run
    this.snapshot.copy(ack, 2, 1, 3); // the number in the run
    this.socket.send(ack);
  }

  #receive(b) {
    if (b[0] >= code.snapshot) this.snapshot = b;
    switch (b[0]) {
      case code.welcome: this.welcome = true; break;
      case code.refused: this.refused = str16(b, 4); break;
      case code.event:
        if (b[5] === TOLD) this.told.push({ tone: b.readInt32LE(10), text: str16(b, 14) });
        break;
      case code.bye: this.bye = { reason: b[1], text: str16(b, 3) }; break;
      default: // snapshots and messages about the world are ignored
    }
  }

  get online() {
    return this.welcome && !this.disconnected;
  }

  get disconnected() {
    return this.socket?.closed !== undefined;
  }

  /** Whether the player was shown an announcement with that text. */
  hasReceived(text) {
    return this.told.some((t) => t.tone === ANNOUNCEMENT && t.text.includes(text));
  }

  until(condition, what) {
    return waitUntil(async () => {
      must(!this.refused, `${this.name} was refused: ${this.refused}`);
      return condition();
    }, { ms: WAIT_MS, every: 20, what });
  }

  violations() {
    return [];
  }

  async close() {
    clearInterval(this.timer);
    this.socket?.close();
  }
}
