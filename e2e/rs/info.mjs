// A client's state of all players, which player info packets update: four passes of bits, then blocks of extended info.
import { BitReader, Reader, Violation } from './bytes.mjs';
import { readAppearance, readBlocks } from './blocks.mjs';

export const MAX_PLAYERS = 2047; // index 0 is never used
export const PLACEMENT_BYTES = 4608;

const SKIPPED = 1; // flag: the player was skipped in the last cycle
const SKIPPED_NOW = 2; // flag: the player was skipped in this cycle; becomes SKIPPED at the end of the cycle
const ABSENT = -1; // tile of a player that is not local
const WALK = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
const RUN = [
  [-2, -2], [-1, -2], [0, -2], [1, -2], [2, -2], [-2, -1], [2, -1], [-2, 0],
  [2, 0], [-2, 1], [2, 1], [-2, 2], [-1, 2], [0, 2], [1, 2], [2, 2],
];
const RUN_BITS = [0, 5, 8, 11];

/** Packs an absolute tile into 30 bits. */
export const packTile = (x, z, plane) => (plane << 28) | (x << 14) | z;
export const unpackTile = (t) => ({ x: (t >> 14) & 16383, z: t & 16383, plane: t >>> 28 });

/** Packs a map square of 64x64 tiles into 18 bits. */
export const packSquare = (plane, sx, sz) => (plane << 16) | (sx << 8) | sz;
export const squareOf = (t) => packSquare(t >>> 28, (t >> 20) & 255, (t >> 6) & 255);
export const unpackSquare = (s) => ({ plane: s >> 16, sx: (s >> 8) & 255, sz: s & 255 });

const moved = (t, dplane, dx, dz) => {
  const { x, z, plane } = unpackTile(t);
  return packTile((x + dx) & 16383, (z + dz) & 16383, (plane + dplane) & 3);
};

const signed5 = (v) => (v << 27) >> 27;

/** The tables of players of one client. For a reconnect pass the old view as `known`, because appearances and speeds survive it. */
export class View {
  constructor(self, placement, known) {
    this.self = self;
    this.tiles = new Int32Array(MAX_PLAYERS + 1).fill(ABSENT); // tiles of the players in view (locals)
    this.squares = new Int32Array(MAX_PLAYERS + 1); // map squares of all other players (externals)
    this.flags = new Uint8Array(MAX_PLAYERS + 1);
    this.speeds = known?.speeds ?? new Int8Array(MAX_PLAYERS + 1);
    this.appearances = known?.appearances ?? []; // parsed, by index
    this.targets = [];
    this.turns = [];
    this.cycle = 0; // packets applied
    this.#readPlacement(placement);
    this.#updateLists();
  }

  #readPlacement(placement) {
    if (placement.length !== PLACEMENT_BYTES) throw new Violation(`placement of ${placement.length} bytes`);
    const bits = new BitReader(placement);
    this.tiles[this.self] = bits.get(30);
    for (let i = 1; i <= MAX_PLAYERS; i++) if (i !== this.self) this.squares[i] = bits.get(18);
  }

  #updateLists() {
    this.locals = [];
    this.externals = [];
    for (let i = 1; i <= MAX_PLAYERS; i++) (this.tiles[i] === ABSENT ? this.externals : this.locals).push(i);
  }

  isLocal(i) {
    return this.tiles[i] !== ABSENT;
  }

  /** {x, z, plane} of a local, or of the own player. */
  tile(i = this.self) {
    return unpackTile(this.tiles[i]);
  }

  name(i) {
    return this.appearances[i]?.name;
  }

  /** Index of a local of that name, 0 if there is none. */
  find(name) {
    return this.locals.find((i) => this.appearances[i]?.name === name) ?? 0;
  }

  /**
   * Reads one packet. Returns what it changed: a Map by index of {from, to, how, upd, blocks, speed}, in the order of the
   * packet. how is idle, walk, run, near, far, add, remove, replace or square.
   */
  apply(payload) {
    this.changes = new Map();
    this.queue = [];
    const bits = new BitReader(payload);
    this.#pass(0, bits, this.locals, 0, (i) => this.#changeLocal(i, bits));
    this.#pass(1, bits, this.locals, SKIPPED, (i) => this.#changeLocal(i, bits));
    this.#pass(2, bits, this.externals, SKIPPED, (i) => this.#changeExternal(i, bits));
    this.#pass(3, bits, this.externals, 0, (i) => this.#changeExternal(i, bits));
    const r = new Reader(payload, bits.byte);
    for (const i of this.queue) this.#readBlocksOf(i, r);
    if (r.left !== 0) throw new Violation(`gpi1 pos:${r.at} psize:${payload.length}`);
    for (let i = 1; i <= MAX_PLAYERS; i++) this.flags[i] >>= 1;
    this.#updateLists();
    this.cycle++;
    return this.changes;
  }

  #pass(number, bits, list, flag, change) {
    let run = 0;
    for (const i of list) {
      if ((this.flags[i] & SKIPPED) !== flag) continue;
      if (run > 0) {
        run--;
        this.flags[i] |= SKIPPED_NOW;
      } else if (bits.get(1)) {
        change(i);
      } else {
        run = bits.get(RUN_BITS[bits.get(2)]);
        this.flags[i] |= SKIPPED_NOW;
      }
    }
    if (run !== 0) throw new Violation(`nsn${number}`);
    bits.align();
  }

  // Reads the change of a local player.
  #changeLocal(i, bits) {
    const upd = bits.get(1);
    const from = this.tiles[i];
    const type = bits.get(2);
    if (type === 0 && !upd) {
      this.#remove(i, bits);
      return;
    }
    let to = from;
    let how = 'idle';
    if (type === 1) {
      to = moved(from, 0, ...WALK[bits.get(3)]);
      how = 'walk';
    } else if (type === 2) {
      to = moved(from, 0, ...RUN[bits.get(4)]);
      how = 'run';
    } else if (type === 3 && bits.get(1) === 0) {
      to = moved(from, bits.get(2), signed5(bits.get(5)), signed5(bits.get(5)));
      how = 'near';
    } else if (type === 3) {
      to = moved(from, bits.get(2), bits.get(14), bits.get(14));
      how = 'far';
    }
    if (upd) this.queue.push(i);
    else this.tiles[i] = to; // players in the queue get their new tile after their blocks have been read
    this.changes.set(i, { from, to, how, upd, blocks: {}, speed: this.speeds[i] });
  }

  #remove(i, bits) {
    if (i === this.self) throw new Violation('s:lr');
    const from = this.tiles[i];
    this.squares[i] = squareOf(from);
    this.tiles[i] = ABSENT;
    this.targets[i] = this.turns[i] = undefined;
    this.changes.set(i, { from, to: ABSENT, how: 'remove', upd: 0, blocks: {} });
    if (bits.get(1)) this.#changeSquare(i, bits, false);
  }

  // Reads the change of an external player. If the player becomes local by the change, it counts as skipped in this packet.
  #changeExternal(i, bits) {
    if (this.#changeSquare(i, bits, false)) this.flags[i] |= SKIPPED_NOW;
  }

  // Reads a change of a player's map square. Returns true if the change also adds the player to the local players.
  #changeSquare(i, bits, nested) {
    const was = unpackSquare(this.squares[i]);
    const type = bits.get(2);
    if (type === 0) {
      this.#add(i, bits, nested);
      return true;
    }
    const plane = (was.plane + bits.get(2)) & 3;
    let { sx, sz } = was;
    if (type === 2) {
      const [dx, dz] = WALK[bits.get(3)];
      sx += dx;
      sz += dz;
      if (sx < 0 || sz < 0 || sx > 255 || sz > 255) throw new Violation(`square of ${i} wraps around, which corrupts the table of a real client`);
    } else if (type === 3) {
      sx = (sx + bits.get(8)) & 255;
      sz = (sz + bits.get(8)) & 255;
    }
    this.squares[i] = packSquare(plane, sx, sz);
    if (!this.changes.has(i)) this.changes.set(i, { from: ABSENT, to: ABSENT, how: 'square', upd: 0, blocks: {} });
    return false;
  }

  #add(i, bits, nested) {
    if (nested) throw new Violation('hr:lr');
    if (bits.get(1)) this.#changeSquare(i, bits, true);
    const { plane, sx, sz } = unpackSquare(this.squares[i]);
    const x = bits.get(6);
    const to = packTile(sx * 64 + x, sz * 64 + bits.get(6), plane);
    const upd = bits.get(1);
    const how = this.changes.get(i)?.how === 'remove' ? 'replace' : 'add';
    this.tiles[i] = to;
    this.changes.set(i, { from: ABSENT, to, how, upd, blocks: {}, speed: this.speeds[i] });
    if (upd) this.queue.push(i);
  }

  #readBlocksOf(i, r) {
    const change = this.changes.get(i);
    const blocks = (change.blocks = readBlocks(r));
    if (blocks.APPEARANCE) {
      this.appearances[i] = readAppearance(blocks.APPEARANCE);
    }
    if (blocks.SPEED !== undefined) {
      if (blocks.SPEED < 0 || blocks.SPEED > 2) throw new Violation(`remembered speed ${blocks.SPEED}`);
      this.speeds[i] = blocks.SPEED;
    }
    if (blocks.TARGET !== undefined) this.targets[i] = blocks.TARGET;
    if (blocks.TURN !== undefined) this.turns[i] = blocks.TURN;
    change.speed = blocks.TEMP_SPEED ?? this.speeds[i];
    this.tiles[i] = change.to;
  }

  /**
   * Copies all positions into two flat arrays: index and tile of each local player, index and map square (if not 0) of each
   * external one.
   */
  snapshot() {
    const local = new Int32Array(this.locals.length * 2);
    this.locals.forEach((i, k) => local.set([i, this.tiles[i]], 2 * k));
    const far = this.externals.filter((i) => this.squares[i] !== 0);
    const low = new Int32Array(far.length * 2);
    far.forEach((i, k) => low.set([i, this.squares[i]], 2 * k));
    return { local, low };
  }
}
