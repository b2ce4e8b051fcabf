// The blocks of an area, as the server serves them (docs/wire/web.md, Ground).

/** The properties of a kind of block on which movement depends. */
export interface Kind {
  word: string;
  boxes: Float32Array; // collision boxes, six numbers each: minimum x, y, z, maximum x, y, z, within 0..1
  slip: number;
  speed: number;
  liquid: number; // kind of liquid: 0 none, 1 water, 2 lava
  depth: number; // depth of a liquid: 0 a source, 1..7 flowing, 8 falling
  bubbles: number; // bubble column: 0 none, 1 rising, 2 dragging down
  bounce: number; // how an actor bounces on the block: 0 not, 1 as on slime, 2 as on a bed
  climbable: boolean;
  platform: boolean;
  sticky: boolean;
  slow: Float32Array; // factor by which the block slows movement, by axis; 0: no slowing
}

export const MIN_Y = -64;
export const MAX_Y = 319;
const SECTIONS = 24;
const CELLS = 4096;

/** Ground contains the blocks of an area for collisions. Outside of the area's rectangle all columns equal the ground column. */
export class Ground {
  readonly kinds: Kind[] = [];
  /** The kind of the block at whole coordinates. */
  readonly at: (x: number, y: number, z: number) => Kind;

  /** Reads a ground file. It throws a RangeError if the file is none or has another length than its content. */
  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset), { kinds } = this; // a read beyond the end of the file throws a RangeError
    let at = 0;
    const u8 = (): number => view.getUint8(at++);
    const i32 = (): number => view.getInt32((at += 4) - 4, true);
    const f32 = (): number => view.getFloat32((at += 4) - 4, true);
    const floats = (length: number): Float32Array => Float32Array.from({ length }, f32);
    const varint = (): number => {
      const c = u8();
      return c < 128 ? c : c - 128 + 128 * varint();
    };
    const magic = i32();
    for (let n = u8(); n > 0; n--) {
      let bits = u8();
      kinds.push({
        word: new TextDecoder().decode(file.subarray(at, (at += bits))), boxes: floats(6 * u8()), slip: f32(), speed: f32(),
        liquid: u8(), depth: u8(), bubbles: u8(), bounce: u8(),
        climbable: ((bits = u8()) & 1) > 0, platform: (bits & 2) > 0, sticky: (bits & 4) > 0, slow: floats(3),
      });
    }
    const minX = i32(), minZ = i32(), width = varint(), depth = varint();
    const sections = Array.from({ length: varint() }, () => { // kind of each block of a section, in the order x, z, y (y changes fastest)
      const cells = new Uint8Array(CELLS);
      for (let i = 0; i < CELLS; ) cells.fill(u8(), i, (i += varint() + 1));
      return cells;
    });
    // The sections of each column: first of the column for all places outside the chunks, then of each chunk, in rows from north to south.
    const columns = Array.from({ length: 1 + width * depth }, () => Array.from({ length: SECTIONS }, () => sections[varint()]));
    if (magic !== 0x31475354 || at !== file.length) throw new RangeError('malformed ground file'); // TSG1
    this.at = (x, y, z) => {
      const cx = ((x >> 4) - minX) >>> 0, cz = ((z >> 4) - minZ) >>> 0;
      return kinds[columns[cx < width && cz < depth ? 1 + cz * width + cx : 0]![(y - MIN_Y) >> 4]?.[((x & 15) << 8) | ((z & 15) << 4) | (y & 15)] ?? 0]!;
    };
  }

  /** The height of the top of the highest solid block of a column; MIN_Y if it has none. */
  surface(x: number, z: number): number {
    let y = MAX_Y + 1;
    while (y > MIN_Y && !this.at(x, y - 1, z).boxes.length) y--;
    return y;
  }
}
