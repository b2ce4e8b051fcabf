// The blocks of an area, as the server serves them (docs/wire/web.md, Ground).

/** The properties of a kind of block on which movement depends. */
export interface Kind {
  word: string;
  boxes: Float32Array; // collision boxes, six numbers each: minimum x, y, z, maximum x, y, z, within 0..1
  slip: number;
  speed: number;
  liquid: number; // 0 none, 1 water, 2 lava
  depth: number; // level of a liquid: 0 a source, 1..7 flowing, 8 falling
  bubbles: number; // 0 none, 1 rising, 2 dragging
  bounce: number; // 0 none, 1 slime, 2 bed
  climbable: boolean;
  platform: boolean;
  sticky: boolean;
  slow: Float32Array; // factor by which the block slows movement on each axis; 0: it does not
}

export const MIN_Y = -64;
export const MAX_Y = 319;
const SECTIONS = 24;
const CELLS = 4096;
const MAX_CHUNKS = 1 << 16;

/** Ground contains the blocks of an area for collisions. Outside of the area's rectangle all columns equal the ground column. */
export class Ground {
  kinds: Kind[] = [];
  /** The kind of the block at whole coordinates. */
  at: (x: number, y: number, z: number) => Kind;

  /** Reads a ground file. It throws a RangeError if the file is malformed. */
  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength); // its methods throw a RangeError beyond the end
    const kinds = this.kinds;
    let at = 0;
    const check = (ok: unknown): void => {
      if (!ok) throw new RangeError(`malformed ground file, byte ${at}`);
    };
    const u8 = (): number => view.getUint8(at++);
    const i32 = (): number => view.getInt32((at += 4) - 4, true);
    const floats = (n: number): Float32Array => Float32Array.from({ length: n }, () => view.getFloat32((at += 4) - 4, true));
    const varint = (): number => {
      for (let v = 0, scale = 1; ; scale *= 128) {
        const c = u8();
        v += (c & 127) * scale;
        if (c < 128) return v;
      }
    };
    check(i32() === 0x31475354); // TSG1
    for (let n = u8(); n > 0; n--) {
      const length = u8(), word = new TextDecoder().decode(file.subarray(at, (at += length)));
      const boxes = floats(6 * u8()), [slip, speed] = floats(2) as unknown as [number, number];
      const liquid = u8(), depth = u8(), bubbles = u8(), bounce = u8(), bits = u8();
      const bit = (mask: number): boolean => (bits & mask) > 0;
      kinds.push({ word, boxes, slip, speed, liquid, depth, bubbles, bounce, climbable: bit(1), platform: bit(2), sticky: bit(4), slow: floats(3) });
    }
    const minX = i32(), minZ = i32(), width = varint(), depth = varint();
    check(width * depth <= MAX_CHUNKS);
    const sections: Uint8Array[] = []; // kinds of blocks in the order x, z, y
    for (let n = varint(); n > 0; n--) {
      const cells = new Uint8Array(CELLS);
      for (let i = 0; i < CELLS; ) {
        const kind = u8(), end = i + varint() + 1;
        check(kinds[kind] && end <= CELLS);
        cells.fill(kind, i, end);
        i = end;
      }
      sections.push(cells);
    }
    // Sections of the ground column, then of each chunk, rows from north to south.
    const columns = Array.from({ length: SECTIONS * (1 + width * depth) }, () => {
      const s = sections[varint()];
      check(s);
      return s!;
    });
    check(at === file.length);
    this.at = (x, y, z) => {
      const cx = (x >> 4) - minX, cz = (z >> 4) - minZ;
      const column = cx >= 0 && cx < width && cz >= 0 && cz < depth ? 1 + cz * width + cx : 0;
      const inside = y >= MIN_Y && y <= MAX_Y;
      return kinds[inside ? columns[column * SECTIONS + ((y - MIN_Y) >> 4)]![((x & 15) << 8) | ((z & 15) << 4) | (y & 15)]! : 0]!;
    };
  }

  /** The height of the top of the highest solid block of a column; MIN_Y if it has none. */
  surface(x: number, z: number): number {
    let y = MAX_Y + 1;
    while (y > MIN_Y && !this.at(x, y - 1, z).boxes.length) y--;
    return y;
  }
}
