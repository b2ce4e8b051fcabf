// A client of the console's WebSockets GET /live and GET /past, which have the same messages: RFC 6455 as far as this server uses it.
import crypto from 'node:crypto';
import http from 'node:http';
import { must } from '../lib/assert.mjs';
import { waitUntil } from '../lib/wait.mjs';

const WAIT_MS = 30000;
const HEADER = 24; // bytes of a binary message before its actors
const ROW = 24; // bytes of an actor
const op = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** Decodes a binary message. */
export function parseFrame(b) {
  const actors = new Map();
  for (let i = HEADER; i < b.length; i += ROW) {
    actors.set(Number(b.readBigUInt64LE(i)), { x: b.readFloatLE(i + 8), y: b.readFloatLE(i + 12), z: b.readFloatLE(i + 16), health: b[i + 22] });
  }
  must(b[0] === 1 && b.length === HEADER + ROW * b.readUInt32LE(4) && actors.size === b.readUInt32LE(4), `binary message of ${b.length} bytes: ${b.subarray(0, HEADER).toString('hex')}`);
  return { area: b.readUInt16LE(2), tick: Number(b.readBigUInt64LE(8)), at: b.readDoubleLE(16), actors };
}

export class MapSocket {
  /** Opens path, such as /live?area=0. Resolves with {status} if the server refuses, otherwise with {status: 101, socket}. */
  static open(server, path, { token, origin } = {}) {
    const headers = {
      Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': crypto.randomBytes(16).toString('base64'),
      ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(origin ? { Origin: origin } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = http.get(`${server.consoleBase}/api/v1${path}`, { headers, timeout: WAIT_MS, agent: false });
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`${path}: no answer in ${WAIT_MS} ms`)));
      request.on('response', (res) => res.resume().on('end', () => resolve({ status: res.statusCode })));
      request.on('upgrade', (res, stream, head) => resolve({ status: res.statusCode, socket: new MapSocket(stream, head) }));
    });
  }

  constructor(stream, head) {
    this.stream = stream;
    this.messages = []; // JSON messages, and {type: 'frame', ...parseFrame} for binary ones
    this.names = new Map(); // name -> id, of the actors that were added and not removed
    this.closed = undefined; // close code; 0 if the connection ended without one
    this.rest = Buffer.alloc(0);
    stream.setNoDelay(true);
    stream.on('data', (b) => this.#read(b));
    stream.on('close', () => (this.closed ??= 0));
    stream.on('error', () => {});
    this.#read(head);
  }

  #read(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (let m = this.#takeMessage(); m; m = this.#takeMessage()) this.#receive(m.code, m.body);
  }

  #takeMessage() {
    const b = this.rest;
    if (b.length < 2) return undefined;
    let [length, at] = [b[1] & 127, 2];
    if (length > 125) {
      const size = length === 126 ? 2 : 8;
      if (b.length < 2 + size) return undefined;
      [length, at] = [size === 2 ? b.readUInt16BE(2) : Number(b.readBigUInt64BE(2)), 2 + size];
    }
    if (b.length < at + length) return undefined;
    this.rest = b.subarray(at + length);
    return { code: b[0] & 15, body: b.subarray(at, at + length) };
  }

  #receive(code, body) {
    if (code === op.ping) this.#send(op.pong, body);
    if (code === op.close) {
      this.closed ??= body.length < 2 ? 0 : body.readUInt16BE(0);
      this.#send(op.close, body.subarray(0, 2));
      this.stream.end();
    }
    if (code === op.binary) this.messages.push({ type: 'frame', ...parseFrame(Buffer.from(body)) });
    if (code !== op.text) return;
    const message = JSON.parse(body.toString());
    this.messages.push(message);
    if (message.type === 'reset') this.names.clear();
    if (message.type !== 'actors') return;
    for (const [name, id] of this.names) if (message.remove.includes(id)) this.names.delete(name);
    for (const { id, name } of message.add) this.names.set(name, id);
  }

  #send(code, body) {
    if (this.stream.destroyed) return;
    const mask = crypto.randomBytes(4);
    const length = body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255];
    this.stream.write(Buffer.concat([Buffer.from([0x80 | code, ...length]), mask, body.map((v, i) => v ^ mask[i % 4])]));
  }

  /** Sends a command of GET /past. */
  ask(command) {
    this.#send(op.text, Buffer.from(typeof command === 'string' ? command : JSON.stringify(command)));
  }

  /** The next message from index `from` on that is of a type and accepted. */
  next(type, { from = 0, accept = () => true, ms = WAIT_MS } = {}) {
    const find = () => this.messages.slice(from).find((m) => m.type === type && accept(m));
    return waitUntil(async () => find() ?? (this.closed === undefined ? undefined : must(false, `closed with ${this.closed} before a message "${type}"`)), { ms, every: 10, what: `message "${type}"` });
  }

  /** The number of messages so far, for the option from of next(). */
  mark() {
    return this.messages.length;
  }

  /** The newest frame. */
  get frame() {
    return this.messages.findLast((m) => m.type === 'frame');
  }

  close() {
    this.stream.destroy();
  }
}
