// Cursors over bytes and bits, with the transforms of the protocol. Suffixes as in docs/wire/rs.md: A adds 128,
// N negates, S subtracts from 128, L is little-endian, M2 and M3 are the two middle orders.

const latin = new TextDecoder('windows-1252');

export class Violation extends Error {}

/** Reads numbers from bytes. Throws a Violation if bytes are missing. */
export class Reader {
  constructor(buf, at = 0) {
    this.buf = buf;
    this.at = at;
  }

  get left() {
    return this.buf.length - this.at;
  }

  #advance(n) {
    if (this.left < n) throw new Violation(`${n} bytes wanted at ${this.at} of ${this.buf.length}`);
    this.at += n;
    return this.at - n;
  }

  u8() { return this.buf[this.#advance(1)]; }
  u8A() { return (this.u8() - 128) & 255; }
  u8N() { return -this.u8() & 255; }
  u8S() { return (128 - this.u8()) & 255; }
  s8() { return (this.u8() << 24) >> 24; }
  s8A() { return (this.u8A() << 24) >> 24; }
  s8N() { return (this.u8N() << 24) >> 24; }
  s8S() { return (this.u8S() << 24) >> 24; }
  u16() { return this.buf.readUInt16BE(this.#advance(2)); }
  u16L() { return this.buf.readUInt16LE(this.#advance(2)); }
  u16A() { const hi = this.u8(); return (hi << 8) | this.u8A(); }
  u16LA() { const lo = this.u8A(); return lo | (this.u8() << 8); }
  s16() { return this.buf.readInt16BE(this.#advance(2)); }
  s24() { return this.buf.readIntBE(this.#advance(3), 3); }
  u32() { return this.buf.readUInt32BE(this.#advance(4)); }
  u32L() { return this.buf.readUInt32LE(this.#advance(4)); }
  u32M2() { const lo = this.u16L(); return (this.u16L() * 65536 + lo) >>> 0; }
  u32M3() { const hi = this.u16L(); return (hi * 65536 + this.u16L()) >>> 0; }

  smart() {
    if (this.left === 0) throw new Violation('a smart at the end');
    return this.buf[this.at] < 128 ? this.u8() : this.u16() - 32768;
  }

  /** A model id, -1 for none. */
  smart2or4() {
    if (this.left > 0 && this.buf[this.at] >= 128) return this.u32() & 0x7fffffff;
    const v = this.u16();
    return v === 32767 ? -1 : v;
  }

  cstr() {
    const end = this.buf.indexOf(0, this.at);
    if (end < 0) throw new Violation(`unterminated text at ${this.at}`);
    const text = latin.decode(this.buf.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }

  bytes(n) {
    const at = this.#advance(n);
    return this.buf.subarray(at, at + n);
  }

  done(what) {
    if (this.left !== 0) throw new Violation(`${what}: ${this.left} bytes too many`);
  }
}

/** Reads bits, most significant first, from byte `at` on. */
export class BitReader {
  constructor(buf, at = 0) {
    this.buf = buf;
    this.pos = at * 8;
  }

  get(n) {
    if (this.pos + n > this.buf.length * 8) throw new Violation(`${n} bits wanted at bit ${this.pos} of ${this.buf.length * 8}`);
    let v = 0;
    while (n > 0) {
      const room = 8 - (this.pos & 7);
      const take = Math.min(room, n);
      v = (v << take) | ((this.buf[this.pos >> 3] >> (room - take)) & ((1 << take) - 1));
      this.pos += take;
      n -= take;
    }
    return v >>> 0;
  }

  align() {
    this.pos = (this.pos + 7) & ~7;
  }

  /** The current byte, after align. */
  get byte() {
    return this.pos >> 3;
  }
}

/** Writes bytes. */
export class Writer {
  #parts = [];

  u8(...v) { this.#parts.push(Buffer.from(v.map((b) => b & 255))); return this; }
  u8A(v) { return this.u8(v + 128); }
  u16(v) { return this.u8(v >> 8, v); }
  u16L(v) { return this.u8(v, v >> 8); }
  u16A(v) { return this.u8(v >> 8, v + 128); }
  u16LA(v) { return this.u8(v + 128, v >> 8); }
  u32(v) { return this.u8(v >>> 24, v >>> 16, v >>> 8, v); }
  u32M3(v) { return this.u8(v >>> 16, v >>> 24, v, v >>> 8); }
  smart(v) { return v < 128 ? this.u8(v) : this.u16(v + 32768); }
  cstr(s) { return this.bytes(Buffer.from(s, 'latin1')).u8(0); }
  bytes(b) { this.#parts.push(Buffer.from(b)); return this; }

  take() {
    return Buffer.concat(this.#parts);
  }
}
