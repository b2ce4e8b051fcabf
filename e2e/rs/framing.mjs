// Frames consist of an opcode masked by ISAAC, a length if the packet's size varies, and a body.
import { Violation } from './bytes.mjs';
import { VAR_BYTE, VAR_SHORT, clientSizes, serverSizes } from './tables.mjs';

/** The longest body that fits the client's receive buffer. */
export const MAX_BODY = 15000;

/** Splits the server's stream into frames. An incomplete frame is buffered until feed() has added the rest. */
export class FrameReader {
  #buf = Buffer.alloc(0);
  #op = -1; // opcode of a frame whose body is incomplete, otherwise -1

  constructor(isaac) {
    this.isaac = isaac;
  }

  /** Bytes of an incomplete frame. */
  get pending() {
    return this.#buf.length;
  }

  feed(bytes) {
    this.#buf = this.#buf.length ? Buffer.concat([this.#buf, bytes]) : bytes;
  }

  /** The next complete frame {op, body}, or null. */
  next() {
    if (this.#op < 0 && !this.#opcode()) return null;
    const size = serverSizes[this.#op];
    const head = size === VAR_BYTE ? 1 : size === VAR_SHORT ? 2 : 0;
    if (this.#buf.length < head) return null;
    const n = head === 0 ? size : this.#buf.readUIntBE(0, head);
    if (n > MAX_BODY) throw new Violation(`packet ${this.#op} of ${n} bytes exceeds the client's buffer`);
    if (this.#buf.length < head + n) return null;
    const frame = { op: this.#op, body: this.#buf.subarray(head, head + n) };
    this.#buf = this.#buf.subarray(head + n);
    this.#op = -1;
    return frame;
  }

  // One byte, or two if the first is 128 or more when unmasked.
  #opcode() {
    if (this.#buf.length < 1) return false;
    let op = (this.#buf[0] - this.isaac.peek()) & 255;
    const wide = op >= 128;
    if (wide && this.#buf.length < 2) return false;
    this.isaac.next();
    if (wide) op = ((op - 128) << 8) | ((this.#buf[1] - this.isaac.next()) & 255);
    if (serverSizes[op] === undefined) throw new Violation(`the server sent opcode ${op}, which does not exist`);
    this.#buf = this.#buf.subarray(wide ? 2 : 1);
    this.#op = op;
    return true;
  }
}

/** A frame of the client. */
export function clientFrame(isaac, op, body = Buffer.alloc(0)) {
  const size = clientSizes[op];
  const head = [(op + isaac.next()) & 255];
  if (size === VAR_BYTE) head.push(body.length);
  else if (size === VAR_SHORT) head.push(body.length >> 8, body.length & 255);
  else if (size !== body.length) throw new Error(`packet ${op} has ${size} bytes, not ${body.length}`);
  return Buffer.concat([Buffer.from(head), body]);
}
