// Commands, limits and sequence numbers of ENet 1.1. Facts: docs/wire/rcce.md section 1.

export const NO_PEER = 0x7fff;
export const HAS_TIME = 0x8000;
export const CONTROL = 0xff; // channel id of connection-level commands

export const limits = {
  mtu: 1400,
  window: 32768,
  channels: 254,
  throttle: [5000, 2, 2],
  commandsPerDatagram: 32, // maximum number of commands that a C sender puts in a datagram; a C receiver has no such limit
  fragmentOverhead: 32, // bytes of a datagram header (8) and a fragment command (24)
  initialRtt: 500,
  deadAfter: 30000,
  deadAfterBackoff: 5000,
  pingAfter: 500,
  gapLimit: 10000, // maximum time in ms that a gap in a reliable stream may last
  aheadLimit: 4096, // by how many sequence numbers a sender can plausibly be ahead
};

export const cmd = {
  ack: 1, connect: 2, verify: 3, disconnect: 4, ping: 5, reliable: 6,
  unreliable: 7, fragment: 8, unsequenced: 9, bandwidth: 10, throttle: 11,
};

// For each command: the size of its fixed part in bytes, and the possible values of the byte with which the original ENet library
// (in C) begins it.
const shapes = new Map([
  [cmd.ack, { size: 8, first: [0x01] }],
  [cmd.connect, { size: 40, first: [0x82] }],
  [cmd.verify, { size: 36, first: [0x83] }],
  [cmd.disconnect, { size: 8, first: [0x84, 0x44] }],
  [cmd.ping, { size: 4, first: [0x85] }],
  [cmd.reliable, { size: 6, first: [0x86] }],
  [cmd.unreliable, { size: 8, first: [0x07] }],
  [cmd.fragment, { size: 24, first: [0x88] }],
  [cmd.unsequenced, { size: 8, first: [0x49] }],
  [cmd.bandwidth, { size: 12, first: [0x8a] }],
  [cmd.throttle, { size: 16, first: [0x8b] }],
]);

export const key = (channel, seq) => (channel << 16) | seq;
export const ahead = (seq, of) => (seq - of) & 0xffff; // by how much seq is after of, modulo 65536

/** Whole length n of the command at pos, or what is wrong with it. */
export function commandLength(b, pos) {
  if (pos + 4 > b.length) return { wrong: 'command header cut off' };
  const id = b[pos] & 0x0f;
  const shape = shapes.get(id);
  if (!shape) return { wrong: `unknown command ${id}` };
  if (!shape.first.includes(b[pos])) return { wrong: `command byte 0x${b[pos].toString(16)}: wrong flags` };
  if (pos + shape.size > b.length) return { wrong: `command ${id} cut off` };
  let n = shape.size;
  if (id === cmd.reliable) n += b.readUInt16BE(pos + 4);
  if (id === cmd.unreliable || id === cmd.fragment || id === cmd.unsequenced) n += b.readUInt16BE(pos + 6);
  if (pos + n > b.length) return { wrong: `data of command ${id} runs ${pos + n - b.length} bytes past the datagram` };
  return { n };
}

/** Incoming reliable stream of one channel: order, holes, duplicates, fragments. */
export class InStream {
  constructor() {
    this.delivered = 0; // last sequence number that was passed to the application
    this.held = new Map(); // seq -> entry that waits until the gap before it is filled
    this.recent = new Map(); // seq -> bytes, for comparison if the command is sent again
    this.holeSince = 0;
    this.lastUnreliable = 0;
    this.heldUnreliable = [];
    this.assembly = null;
  }

  remember(seq, bytes) {
    this.recent.set(seq, bytes);
    if (this.recent.size > 512) this.recent.delete(this.recent.keys().next().value);
  }
}
