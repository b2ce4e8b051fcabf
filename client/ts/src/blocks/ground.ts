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
  traits: number;
}

export const TOUCH = 1;
export const FLOW = 2;
export const BUBBLES = 4;
export const PLATFORM = 8;

export const MIN_Y = -64;
export const MAX_Y = 319;
const SECTIONS = 24;
const CELLS = 4096;
const MAX_CHUNKS = 1 << 16;

/** Ground contains the blocks of an area for collisions. Outside of the area's rectangle all columns equal the ground column. */
export class Ground {
  kinds: Kind[] = [];
  minX = 0;
  minZ = 0;
  width = 0;
  depth = 0;
  traits = 0;
  private sections: (Uint8Array | number)[] = []; // block kinds in the order x, z, y, or one number if all blocks are of that kind
  private sectionTraits: number[] = [];
  private columns = new Uint32Array(0); // sections of the ground column, then of each chunk, rows from north to south

  /** Reads a ground file. It throws a RangeError if the file is malformed. */
  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    let at = 0;
    const need = (n: number): number => {
      at += n;
      if (at > file.length) throw new RangeError('the ground file ends early');
      return at - n;
    };
    const u8 = (): number => view.getUint8(need(1));
    const i32 = (): number => view.getInt32(need(4), true);
    const f32 = (): number => view.getFloat32(need(4), true);
    const varint = (): number => {
      let v = 0;
      for (let shift = 0; ; shift += 7) {
        const c = u8();
        v += (c & 127) * 2 ** shift;
        if (c < 128) return v;
        if (shift > 28) throw new RangeError('the ground file has a number that is too long');
      }
    };
    if (i32() !== 0x31475354) throw new RangeError('this is no ground file of version 1');
    for (let n = u8(); n > 0; n--) {
      const length = u8();
      const from = need(length);
      const word = new TextDecoder().decode(file.subarray(from, from + length));
      const boxes = new Float32Array(6 * u8());
      for (let i = 0; i < boxes.length; i++) boxes[i] = f32();
      const slip = f32();
      const speed = f32();
      const liquid = u8();
      const depth = u8();
      const bubbles = u8();
      const bounce = u8();
      const bits = u8();
      const slow = Float32Array.of(f32(), f32(), f32());
      const kind: Kind = {
        word, boxes, slip, speed, liquid, depth, bubbles, bounce,
        climbable: (bits & 1) > 0, platform: (bits & 2) > 0, sticky: (bits & 4) > 0, slow, traits: 0,
      };
      if (liquid || kind.sticky || slow[0]) kind.traits |= TOUCH;
      if (liquid && depth) kind.traits |= FLOW;
      if (bubbles) kind.traits |= BUBBLES;
      if (kind.platform) kind.traits |= PLATFORM;
      this.kinds.push(kind);
    }
    this.minX = i32();
    this.minZ = i32();
    this.width = varint();
    this.depth = varint();
    if (this.width * this.depth > MAX_CHUNKS) throw new RangeError('the ground is too large');
    for (let n = varint(); n > 0; n--) {
      let cells: Uint8Array | number = -1;
      let traits = 0;
      for (let i = 0; i < CELLS; ) {
        const kind = u8();
        const run = varint() + 1;
        const k = this.kinds[kind];
        if (!k || run > CELLS - i) throw new RangeError('the ground file has a run of blocks that is too long');
        traits |= k.traits;
        if (run === CELLS) cells = kind;
        else {
          if (typeof cells === 'number') cells = new Uint8Array(CELLS);
          cells.fill(kind, i, i + run);
        }
        i += run;
      }
      this.sections.push(cells);
      this.sectionTraits.push(traits);
    }
    this.columns = new Uint32Array(SECTIONS * (1 + this.width * this.depth));
    for (let i = 0; i < this.columns.length; i++) {
      const s = varint();
      if (s >= this.sections.length) throw new RangeError('the ground file names a section that it does not have');
      this.columns[i] = s;
      this.traits |= this.sectionTraits[s]!;
    }
    if (at !== file.length) throw new RangeError('the ground file has bytes after its end');
  }

  private column(cx: number, cz: number): number {
    const x = cx - this.minX;
    const z = cz - this.minZ;
    return x >= 0 && x < this.width && z >= 0 && z < this.depth ? (1 + z * this.width + x) * SECTIONS : 0;
  }

  /** The kind of the block at whole coordinates. */
  at(x: number, y: number, z: number): Kind {
    if (y < MIN_Y || y > MAX_Y) return this.kinds[0]!;
    const s = this.sections[this.columns[this.column(x >> 4, z >> 4) + ((y - MIN_Y) >> 4)]!]!;
    return this.kinds[typeof s === 'number' ? s : s[((x & 15) << 8) | ((z & 15) << 4) | (y & 15)]!]!;
  }

  /** Whether a block within these whole coordinates may have a trait. */
  mayHave(traits: number, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): boolean {
    if (!(this.traits & traits)) return false;
    y0 = Math.max(y0, MIN_Y);
    y1 = Math.min(y1, MAX_Y);
    for (let x = x0 >> 4; x <= x1 >> 4; x++) {
      for (let z = z0 >> 4; z <= z1 >> 4; z++) {
        for (let s = (y0 - MIN_Y) >> 4; y0 <= y1 && s <= (y1 - MIN_Y) >> 4; s++) {
          if (this.sectionTraits[this.columns[this.column(x, z) + s]!]! & traits) return true;
        }
      }
    }
    return false;
  }

  /** The height of the top of the highest solid block of a column; MIN_Y if it has none. */
  surface(x: number, z: number): number {
    for (let y = MAX_Y; y >= MIN_Y; y--) if (this.at(x, y, z).boxes.length) return y + 1;
    return MIN_Y;
  }
}
