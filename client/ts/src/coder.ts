// The decoder of snapshots: a binary range coder with adaptive contexts (docs/wire/web.md, Snapshots). It reads zeros beyond the end
// of its input.

const COUNTED = 62; // maximum number of decisions that a context counts; beyond it the probability adapts at a constant rate

// Adaptation rates in 1/32768, by the number of decisions that a context has counted: the share of the distance between the
// probability and the decoded decision by which the probability moves toward that decision.
const adaptation = Int32Array.from({ length: COUNTED + 1 }, (_, n) => ((65536 + n + 1) / (2 * n + 3)) | 0);

/** A context: the probability of a 0 in 1/32768, and the number of decisions that this probability is based on. */
export const context = (probability: number, count: number): number => (probability << 8) | count;

/**
 * Number of contexts of one number: 1 for whether it is zero, 1 for its sign, 32 for its length in unary, 33 for the bit below
 * the highest.
 */
export const NUMBER = 67;

export class Decoder {
  at = 0;
  private b: Uint8Array = new Uint8Array(0);
  private range = 0;
  private code = 0;

  begin(b: Uint8Array): void {
    this.b = b;
    this.at = 0;
    this.range = 0xffffffff;
    this.code = 0;
    for (let i = 0; i < 4; i++) this.code = ((this.code << 8) | this.next()) >>> 0;
  }

  private next(): number {
    return this.b[this.at++] ?? 0;
  }

  /** Decodes a decision with the context p[i]. */
  bit(p: Uint32Array, i: number): number {
    const v = p[i]! >> 8, n = p[i]! & 255;
    const by = adaptation[n]!, next = Math.min(n + 1, COUNTED);
    const bound = (this.range >>> 15) * v;
    let bit = 0;
    if (this.code < bound) {
      this.range = bound;
      p[i] = context(Math.min(v + (((32768 - v) * by) >> 15), 32736), next);
    } else {
      this.code = (this.code - bound) >>> 0;
      this.range = (this.range - bound) >>> 0;
      p[i] = context(Math.max(v - ((v * by) >> 15), 32), next);
      bit = 1;
    }
    this.refill();
    return bit;
  }

  private refill(): void {
    while (this.range < 0x1000000) {
      this.range = (this.range << 8) >>> 0;
      this.code = ((this.code << 8) | this.next()) >>> 0;
    }
  }

  /** Decodes n bits without contexts. */
  direct(n: number): number {
    let v = 0;
    for (; n > 0; n--) {
      this.range >>>= 1;
      let bit = 0;
      if (this.code >= this.range) {
        this.code = (this.code - this.range) >>> 0;
        bit = 1;
      }
      v = v * 2 + bit;
      this.refill();
    }
    return v;
  }

  /** Decodes a signed number with the contexts from p[i] on. */
  number(p: Uint32Array, i: number): number {
    if (this.bit(p, i) === 0) return 0;
    const negative = this.bit(p, i + 1) === 1;
    let n = 1;
    while (n < 32 && this.bit(p, i + 1 + n) === 1) n++;
    let m = 1;
    if (n > 1) {
      m = 2 + this.bit(p, i + 34 + n);
      m = m * 2 ** (n - 2) + this.direct(n - 2);
    }
    return (negative ? -m : m) | 0;
  }
}
