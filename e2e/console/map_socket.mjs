// A client of the console's WebSockets GET /live and GET /past, which have the same messages.
import { must } from '../lib/assert.mjs';
import { waitUntil } from '../lib/wait.mjs';
import { WebSocketClient } from './websocket.mjs';

const WAIT_MS = 30000;
const HEADER = 24; // number of bytes before the actors in a binary message
const ROW = 24; // bytes of an actor

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
  static async open(server, path, { token, origin } = {}) {
    const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(origin ? { Origin: origin } : {}) };
    const { status, socket } = await WebSocketClient.open(`${server.consoleBase}/api/v1${path}`, headers);
    return { status, socket: socket && new MapSocket(socket) };
  }

  constructor(socket) {
    this.socket = socket;
    this.messages = []; // received messages: JSON objects, and {type: 'frame', ...parseFrame} for binary ones
    this.names = new Map(); // name -> id of each actor that was added and not removed
    socket.listen({ text: (text) => this.#receive(JSON.parse(text)), binary: (bytes) => this.messages.push({ type: 'frame', ...parseFrame(bytes) }) });
  }

  /** The close code; 0 if the connection ended without one, undefined while it is open. */
  get closed() {
    return this.socket.closed;
  }

  #receive(message) {
    this.messages.push(message);
    if (message.type === 'reset') this.names.clear();
    if (message.type !== 'actors') return;
    for (const [name, id] of this.names) if (message.remove.includes(id)) this.names.delete(name);
    for (const { id, name } of message.add) this.names.set(name, id);
  }

  /** Sends a command of GET /past. */
  ask(command) {
    this.socket.send(typeof command === 'string' ? command : JSON.stringify(command));
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
    this.socket.close();
  }
}
