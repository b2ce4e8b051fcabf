// RakNet datagrams for hostile clients. Written from docs/wire/bedrock.md, RakNet.
import crypto from 'node:crypto';
import dgram from 'node:dgram';

export const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex');
const RELIABLE_ORDERED = 3;
const ANSWER_MS = 10000; // time limit of an answer, for a busy machine
const RETRY_MS = 1000; // interval of repeated requests, because the socket of the door may be full after a flood

export const u8 = (v) => Buffer.from([v & 255]);
export const u16 = (v) => Buffer.from([(v >> 8) & 255, v & 255]);
export const u24 = (v) => Buffer.from([v & 255, (v >> 8) & 255, (v >> 16) & 255]);
export const u32 = (v) => Buffer.from([v >>> 24, (v >> 16) & 255, (v >> 8) & 255, v & 255]);
export const u64 = (v) => {
  const b = Buffer.alloc(8);
  b.writeBigUInt64BE(BigInt.asUintN(64, BigInt(v)));
  return b;
};
const address = (port) => Buffer.concat([u8(4), Buffer.from([127, 0, 0, 1].map((n) => ~n & 255)), u16(port)]);

/** Encodes a RakNet frame. split: {count, id, index} of a split message; bits: the length in the header, which may be false. */
export function frame(body, { message, order, split, reliability = RELIABLE_ORDERED, channel = 0, bits = body.length * 8 }) {
  const parts = [u8((reliability << 5) | (split ? 16 : 0)), u16(bits)];
  if ([2, 3, 4].includes(reliability)) parts.push(u24(message));
  if ([1, 4].includes(reliability)) parts.push(u24(message));
  if ([1, 3, 4].includes(reliability)) parts.push(u24(order), u8(channel));
  if (split) parts.push(u32(split.count), u16(split.id), u32(split.index));
  return Buffer.concat([...parts, body]);
}

export const datagram = (number, ...frames) => Buffer.concat([u8(0x84), u24(number), ...frames]);
export const acknowledge = (head, ...records) => Buffer.concat([u8(head), u16(records.length), ...records]);
export const range = (from, to) => Buffer.concat([u8(0), u24(from), u24(to)]);

export const ping = (time = 0) => Buffer.concat([u8(1), u64(time), MAGIC, u64(7)]);
/** Open connection request 1 as a datagram of size bytes. */
export const request1 = (protocol = 11, size = 1464) => Buffer.concat([u8(5), MAGIC, u8(protocol), Buffer.alloc(size - 18)]);
export function request2({ port, cookie, mtu = 1492, guid = crypto.randomBytes(8) }) {
  const security = cookie === undefined ? Buffer.alloc(0) : Buffer.concat([u32(cookie), u8(0)]);
  return Buffer.concat([u8(7), MAGIC, security, address(port), u16(mtu), guid]);
}

/** A UDP socket that exchanges datagrams with the door. */
export class Raw {
  constructor(port) {
    this.port = port;
    this.socket = dgram.createSocket('udp4');
    this.got = [];
    this.number = 0;
    this.message = 0;
    this.order = 0;
    this.waiting = new Set();
    this.socket.on('error', () => {});
    this.socket.on('message', (b) => {
      this.got.push(b);
      for (const one of [...this.waiting]) one();
    });
  }

  send(...datagrams) {
    for (const d of datagrams) this.socket.send(d, this.port, '127.0.0.1');
  }

  /** The next datagram with a first byte of id, undefined after ms. */
  async next(id, ms = ANSWER_MS) {
    const end = performance.now() + ms;
    for (;;) {
      const i = this.got.findIndex((b) => b[0] === id);
      if (i >= 0) return this.got.splice(i, 1)[0];
      const left = end - performance.now();
      if (left <= 0) return undefined;
      await new Promise((done) => {
        const one = () => { this.waiting.delete(one); clearTimeout(timer); done(); };
        const timer = setTimeout(one, left);
        this.waiting.add(one);
      });
    }
  }

  // Sends a datagram every second, as clients do. Resolves with the first reply whose first byte is id, or undefined after ms without one.
  async #request(request, id, ms = ANSWER_MS) {
    for (let left = ms; left > 0; left -= RETRY_MS) {
      this.send(request);
      const reply = await this.next(id, Math.min(left, RETRY_MS));
      if (reply) return reply;
    }
    return undefined;
  }

  /** Sends open connection requests 1 and 2. Resolves with {mtu, cookie}, or undefined if the door does not answer within ms. */
  async open({ protocol = 11, size = 1464, mtu = 1492, ms } = {}) {
    const reply = await this.#request(request1(protocol, size), 6, ms);
    if (!reply) return undefined;
    const cookie = reply[25] ? reply.readUInt32BE(26) : undefined;
    const offered = reply.readUInt16BE(cookie === undefined ? 26 : 30);
    const second = await this.#request(request2({ port: this.port, cookie, mtu: Math.min(mtu, offered) }), 8, ms);
    return second && { mtu: offered, cookie };
  }

  /** Sends a message in one datagram, which it returns. */
  sendMessage(body) {
    const d = datagram(this.number++, frame(body, { message: this.message++, order: this.order++ }));
    this.send(d);
    return d;
  }

  /** Performs the whole RakNet handshake, after which game messages can be sent. */
  async connect(options) {
    const opened = await this.open(options);
    if (!opened) return undefined;
    const request = this.sendMessage(Buffer.concat([u8(9), u64(7), u64(0), u8(0)]));
    const accepted = await this.#message(0x10, request);
    if (!accepted) return undefined;
    const own = Buffer.concat(Array.from({ length: 20 }, () => address(0)));
    this.sendMessage(Buffer.concat([u8(0x13), address(this.port), own, u64(0), u64(0)]));
    return opened;
  }

  // Waits for a datagram that contains a message with an id, and acknowledges every datagram. Until the message arrives, the request
  // is repeated.
  async #message(id, request, ms = ANSWER_MS) {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      const d = await this.next(0x84, Math.min(RETRY_MS, end - performance.now()));
      if (!d) this.send(request);
      if (!d || d.length < 5) continue;
      this.send(acknowledge(0xc0, Buffer.concat([u8(1), d.subarray(1, 4)])));
      if (d.includes(Buffer.from([id]), 7)) return d;
    }
    return undefined;
  }

  close() {
    this.socket.close();
  }
}
