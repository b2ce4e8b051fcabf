// Control messages, inputs and acknowledgements (docs/wire/web.md).

import { Avatar, readAvatar } from './blocks/avatar.js';
import { ProtocolError, Reader } from './snapshot.js';

export const NO_HANDLE = 0xffff;
const FEATURES = 1; // version of the snapshot encoding, which server and client must share
const KNOWN_ACTS = 2; // the server knows which requests of the resumed session were executed

export interface AreaInfo { area: number; ground: string; run: number; own: number; name: string }
export interface Body { handle: number; mask: number; door: string; level: number; healthMax: number; height: number; name: string; fields: number[] }

export type Message =
  | { code: 0x41; run: number; known: boolean; ticks: number; tick: number; own: number; area: AreaInfo; resume: Uint8Array; schema: string; avatar: Avatar }
  | { code: 0x42; reason: number; seconds: number; text: string }
  | { code: 0x43; handle: number; kind: number; state: Int32Array; body: Body }
  | { code: 0x44; handle: number; reason: number }
  | { code: 0x45; body: Body }
  | { code: 0x46; tick: number; kind: number; who: number; other: number; value: number; text: string }
  | { code: 0x47; tick: number; serial: number; reason: number; what: number; avatar: Avatar }
  | { code: 0x48; area: AreaInfo }
  | { code: 0x49; number: number; reason: number; asked: number; allowed: number; text: string }
  | { code: 0x4a; reason: number; resume: boolean; text: string }
  | { code: 0x4b; tick: number; event: number; who: number; other: number; args: number[]; text: string }
  | { code: 0x4c; values: number[] };

const utf8 = new TextDecoder();

/** Reads numbers and texts of a message. */
export class Cursor {
  at = 0;
  readonly view: DataView;
  constructor(private b: Uint8Array) {
    this.view = new DataView(b.buffer, b.byteOffset, b.byteLength);
  }
  take(n: number): number {
    this.at += n;
    if (this.at > this.b.length) throw new ProtocolError('a message is too short');
    return this.at - n;
  }
  u8(): number { return this.view.getUint8(this.take(1)); }
  u16(): number { return this.view.getUint16(this.take(2), true); }
  u32(): number { return this.view.getUint32(this.take(4), true); }
  i32(): number { return this.view.getInt32(this.take(4), true); }
  f32(): number { return this.view.getFloat32(this.take(4), true); }
  u64(): number { return this.u32() + this.u32() * 2 ** 32; }
  bytes(n: number): Uint8Array { const at = this.take(n); return this.b.slice(at, at + n); }
  text(n: number): string { const at = this.take(n); return utf8.decode(this.b.subarray(at, at + n)); }
  str8(): string { return this.text(this.u8()); }
  str16(): string { return this.text(this.u16()); }
  hex(n: number): string { return Array.from(this.bytes(n), (c) => c.toString(16).padStart(2, '0')).join(''); }
  numbers(): number[] { return Array.from({ length: this.u8() }, () => this.i32()); }
  area(): AreaInfo { return { area: this.u16(), ground: this.hex(8), run: this.u8() & 7, own: this.u16(), name: this.str8() }; }
  body(handle: number): Body {
    const mask = this.u8();
    return {
      handle, mask, door: mask & 1 ? this.str8() : '', level: mask & 2 ? this.u16() : 0, healthMax: mask & 4 ? this.i32() : 0,
      height: mask & 8 ? this.u8() : 0, name: mask & 16 ? this.str8() : '',
      fields: mask & 32 ? this.numbers() : [],
    };
  }
}

/**
 * Parses a control message of the server. It returns undefined for a code that it does not know, and throws a ProtocolError for
 * a malformed message.
 */
export function parse(b: Uint8Array): Message | undefined {
  const c = new Cursor(b);
  const code = c.u8();
  let m: Message | undefined;
  switch (code) {
    case 0x41: {
      const run = c.u8() & 7, features = c.u32();
      if (!(features & FEATURES)) throw new ProtocolError('the server is older than this client');
      m = { code, run, known: (features & KNOWN_ACTS) > 0, ticks: c.u8(), tick: c.u64(), own: c.u16(), area: c.area(), resume: c.bytes(16), schema: c.hex(8), avatar: readAvatar(c) };
      break;
    }
    case 0x42: m = { code, reason: c.u8(), seconds: c.u16(), text: c.str16() }; break;
    case 0x43: {
      const handle = c.u16(), kind = c.u8();
      const state = Int32Array.from(c.numbers());
      m = { code, handle, kind, state, body: c.body(handle) };
      break;
    }
    case 0x44: m = { code, handle: c.u16(), reason: c.u8() }; break;
    case 0x45: m = { code, body: c.body(c.u16()) }; break;
    case 0x46: m = { code, tick: c.u32(), kind: c.u8(), who: c.u16(), other: c.u16(), value: c.i32(), text: c.str16() }; break;
    case 0x47: m = { code, tick: c.u32(), serial: c.u16(), reason: c.u8(), what: c.u8(), avatar: readAvatar(c) }; break;
    case 0x48: m = { code, area: c.area() }; break;
    case 0x49: m = { code, number: c.u16(), reason: c.u8(), asked: c.f32(), allowed: c.f32(), text: c.str8() }; break;
    case 0x4a: m = { code, reason: c.u8(), resume: c.u8() === 1, text: c.str16() }; break;
    case 0x4b: m = { code, tick: c.u32(), event: c.u8(), who: c.u16(), other: c.u16(), args: c.numbers(), text: c.str16() }; break;
    case 0x4c: m = { code, values: c.numbers() }; break;
    default: return undefined;
  }
  if (c.at !== b.length) throw new ProtocolError('a message is too long');
  return m;
}

const float = new DataView(new ArrayBuffer(4));

class Writer {
  private b: number[] = []; // only the low eight bits of each number are sent, see done
  u8(x: number): this { this.b.push(x); return this; }
  u16(x: number): this { return this.u8(x).u8(x >> 8); }
  u24(x: number): this { return this.u16(x).u8(x >> 16); }
  u32(x: number): this { return this.u16(x).u16(x >> 16); }
  u64(x: bigint): this { return this.u32(Number(x & 0xffffffffn)).u32(Number(x >> 32n)); }
  f32(x: number): this { float.setFloat32(0, x); return this.u32(float.getInt32(0)); }
  bytes(b: Iterable<number>): this { for (const x of b) this.b.push(x); return this; }
  str16(s: string): this { const b = new TextEncoder().encode(s); return this.u16(b.length).bytes(b); }
  received(r: Reader): this { return this.u8(r.run).u16(r.newest).u64(r.mask); }
  done(): Uint8Array<ArrayBuffer> { return new Uint8Array(this.b); }
}

export function hello(resume: Uint8Array | undefined, schema: string, ticket: string): Uint8Array<ArrayBuffer> {
  const hash = schema.match(/../g)!.map((digits) => parseInt(digits, 16));
  return new Writer().u8(2).bytes([0x54, 0x53, 0x57, 0x31]).u32(FEATURES).bytes(hash).bytes(resume ?? new Uint8Array(16)).str16(ticket).done();
}

export interface ActFields { number: number; verb: number; tick: number; seen: number; handle: number; text: string; command?: number; args?: number[] }

export const enum Verb { attack = 1, say, wake, use, leave, command }

export function act(a: ActFields): Uint8Array<ArrayBuffer> {
  const w = new Writer().u8(3).u16(a.number).u8(a.verb).u32(a.tick).u24(a.seen).u16(a.handle).str16(a.text);
  if (a.verb === Verb.command) {
    w.u8(a.command!).u8(a.args!.length);
    for (const v of a.args!) w.u32(v);
  }
  return w.done();
}

export function appendAck(r: Reader): Uint8Array<ArrayBuffer> {
  return new Writer().u8(5).received(r).done();
}

export interface EntryFields { keys: number; yaw: number; pitch: number; strafe: number; forward: number }

export interface InputFields { heard: number; barrier: number; seen: number; tick: number; avatar: Avatar; entries: EntryFields[] }

export function input(r: Reader, p: InputFields): Uint8Array<ArrayBuffer> {
  const w = new Writer().u8(1).received(r).u16(p.heard).u16(p.barrier).u24(p.seen).u32(p.tick).u8(p.entries.length);
  const a = p.avatar;
  for (const v of [a.x, a.y, a.z, a.vx, a.vy, a.vz]) w.f32(v);
  for (const e of p.entries) w.u16(e.keys).u16(e.yaw).u8(e.pitch).u8(e.strafe).u8(e.forward);
  return w.done();
}
