// Packed text: a prefix code over Windows-1252, which the code lengths define.
import { BitReader, Violation, Writer } from './bytes.mjs';

const MAX_TEXT = 100; // characters of a line

const runs = `22x6 21 22x2 20 22x3 21 22x18 3 8 22 16 22 16 17 7 13x3 16 7 10 6 16 10 11 12x4 13x2 14x2 11 14 19 15 17 8 11
  9 10x4 11 10 9 7 12 11 10x2 9 10x2 12 10 9 8 12x2 9 14 8 12 17 16 17 22 13 21 4 7 6 5 3 6x2 5 4 10 7 5 6 4x2 6 10 5 4x2 5 7
  6 10 6 10 22 19 22 14 22x120 21 22 21 22x3 21 22x2`;

const lengths = runs.trim().split(/\s+/).flatMap((run) => {
  const [value, count = '1'] = run.split('x');
  return Array(Number(count)).fill(Number(value));
});

// Each value gets the leftmost free subtree of its depth. free holds subtrees as {depth, code}, left to right.
function firstFit() {
  const free = [{ depth: 0, code: 0 }];
  return lengths.map((length) => {
    const i = free.findIndex((f) => f.depth <= length);
    const { depth, code } = free[i];
    const rest = [];
    for (let d = length; d > depth; d--) rest.push({ depth: d, code: ((code << (d - depth)) | 1) >>> 0 });
    free.splice(i, 1, ...rest);
    return { length, code: (code << (length - depth)) >>> 0 };
  });
}

const codes = firstFit();
const values = new Map(codes.map(({ length, code }, value) => [length * 0x1000000 + code, value]));

/** Code of a byte value as a string of 0 and 1. */
export function codeOf(value) {
  return codes[value].code.toString(2).padStart(codes[value].length, '0');
}

export function pack(text) {
  const bytes = Buffer.from(text, 'latin1');
  const bits = [...bytes].map(codeOf).join('');
  const out = new Writer().smart(bytes.length);
  for (let i = 0; i < bits.length; i += 8) out.u8(parseInt(bits.slice(i, i + 8).padEnd(8, '0'), 2));
  return out.take();
}

/** Reads a packed text from a Reader and advances it past the text. */
export function unpack(r) {
  const n = r.smart();
  if (n > MAX_TEXT) throw new Violation(`packed text of ${n} characters`);
  const bits = new BitReader(r.buf, r.at);
  const out = Buffer.alloc(n);
  for (let i = 0; i < n; i++) {
    let code = 0;
    let length = 0;
    let value;
    do {
      code = (code << 1) | bits.get(1);
      length++;
      value = values.get(length * 0x1000000 + code);
    } while (value === undefined);
    out[i] = value;
  }
  bits.align();
  r.at = bits.byte;
  return out.toString('latin1');
}
