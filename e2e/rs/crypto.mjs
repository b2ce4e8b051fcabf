// Ciphers: ISAAC for opcodes, XTEA and RSA for the login.

const GOLDEN = 0x9e3779b9;
const WORDS = 256;

/** ISAAC-256, seeded with up to 256 words. next() returns 32-bit results, those of each round in reverse order. */
export class Isaac {
  #mem = new Uint32Array(WORDS);
  #results = new Uint32Array(WORDS);
  #left = 0;
  #a = 0;
  #b = 0;
  #c = 0;

  constructor(seed) {
    for (let i = 0; i < seed.length; i++) this.#results[i] = seed[i];
    const s = new Uint32Array(8).fill(GOLDEN);
    for (let i = 0; i < 4; i++) mix(s);
    this.#fold(s, this.#results);
    this.#fold(s, this.#mem);
    this.#round();
  }

  #fold(s, from) {
    for (let i = 0; i < WORDS; i += 8) {
      for (let j = 0; j < 8; j++) s[j] += from[i + j];
      mix(s);
      this.#mem.set(s, i);
    }
  }

  #round() {
    const m = this.#mem;
    let a = this.#a;
    this.#c = (this.#c + 1) >>> 0;
    let b = (this.#b + this.#c) >>> 0;
    for (let i = 0; i < WORDS; i++) {
      const x = m[i];
      switch (i & 3) {
        case 0: a ^= a << 13; break;
        case 1: a ^= a >>> 6; break;
        case 2: a ^= a << 2; break;
        default: a ^= a >>> 16;
      }
      a = (a + m[(i + 128) & 255]) >>> 0;
      const y = (m[(x >>> 2) & 255] + a + b) >>> 0;
      m[i] = y;
      b = (m[(y >>> 10) & 255] + x) >>> 0;
      this.#results[i] = b;
    }
    this.#a = a;
    this.#b = b;
    this.#left = WORDS;
  }

  next() {
    if (this.#left === 0) this.#round();
    return this.#results[--this.#left];
  }

  /** The next result, without consuming it. */
  peek() {
    if (this.#left === 0) this.#round();
    return this.#results[this.#left - 1];
  }
}

function mix(s) {
  s[0] ^= s[1] << 11; s[3] += s[0]; s[1] += s[2];
  s[1] ^= s[2] >>> 2; s[4] += s[1]; s[2] += s[3];
  s[2] ^= s[3] << 8; s[5] += s[2]; s[3] += s[4];
  s[3] ^= s[4] >>> 16; s[6] += s[3]; s[4] += s[5];
  s[4] ^= s[5] << 10; s[7] += s[4]; s[5] += s[6];
  s[5] ^= s[6] >>> 4; s[0] += s[5]; s[6] += s[7];
  s[6] ^= s[7] << 8; s[1] += s[6]; s[7] += s[0];
  s[7] ^= s[0] >>> 9; s[2] += s[7]; s[0] += s[1];
}

/** XTEA in place over each whole block of 8 bytes; a shorter tail stays unencrypted. key: four words. */
export function xteaEncrypt(key, buf) {
  for (let at = 0; at + 8 <= buf.length; at += 8) {
    let a = buf.readUInt32BE(at);
    let b = buf.readUInt32BE(at + 4);
    let sum = 0;
    for (let i = 0; i < 32; i++) {
      a = (a + ((((b << 4) ^ (b >>> 5)) + b) ^ (sum + key[sum & 3]))) >>> 0;
      sum = (sum + GOLDEN) >>> 0;
      b = (b + ((((a << 4) ^ (a >>> 5)) + a) ^ (sum + key[(sum >>> 11) & 3]))) >>> 0;
    }
    buf.writeUInt32BE(a, at);
    buf.writeUInt32BE(b, at + 4);
  }
  return buf;
}

/** base^exponent mod modulus of big integers. */
export function modPow(base, exponent, modulus) {
  let out = 1n;
  for (let b = base % modulus, e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) out = (out * b) % modulus;
    b = (b * b) % modulus;
  }
  return out;
}

/** Encrypts a block as clients send it: as a signed big integer, with a byte 00 in front if its top bit is set. */
export function rsaEncrypt(key, block) {
  const m = BigInt(`0x${block.toString('hex')}`);
  if (m >= key.modulus) throw new Error(`a block of ${block.length} bytes is too long for the key`);
  let hex = modPow(m, key.exponent, key.modulus).toString(16);
  if (hex.length % 2) hex = `0${hex}`;
  if (parseInt(hex[0], 16) >= 8) hex = `00${hex}`;
  return Buffer.from(hex, 'hex');
}

/** The key in the text of rs-public.txt: lines "exponent N" and "modulus N", decimal. */
export function publicKey(text) {
  const of = (name) => {
    const m = new RegExp(`^${name}\\s+(\\d+)\\s*$`, 'm').exec(text);
    if (!m) throw new Error(`no line "${name} N" in the public key`);
    return BigInt(m[1]);
  };
  return { exponent: of('exponent'), modulus: of('modulus') };
}

/** The public key that a running server has written into its data folder. */
export const serverKey = (server) => publicKey(server.dataFile('rs-public.txt'));
