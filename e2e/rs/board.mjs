// Compares clients with each other, without the server's records: each client's tile of its own player must be the tile at which every
// other client shows that player in the same cycle. The protocol does not number cycles; packets that arrive at about the same time count
// as packets of one cycle.
import { rsTile } from '../lib/adapters.mjs';
import { must } from '../lib/assert.mjs';
import { Oracle } from '../lib/oracle.mjs';
import { unpackTile } from './info.mjs';

const SAME_CYCLE_MS = 300; // packets that arrive within this time count as the same cycle; the next cycle is 600 ms later
const SETTLE_MS = 3000; // a packet is compared when it is this old
const MISSED_MS = 1000; // a longer gap between two packets of one client means that it missed a cycle
const RUN_TILES = 2; // tiles that a running player moves in a cycle
const NEAR_CYCLES = 3; // maximum number of cycles between packets of two clients for the same cycle, on a busy machine

const identity = { ...rsTile, show: (tile) => tile };

export class Board {
  /** minGap: ms. A packet that arrives less than this after the client's last one is not compared, because its cycle is uncertain. */
  constructor(minGap = 330) {
    this.minGap = minGap;
    this.waiting = []; // packets not yet compared: {client, t, self, name, others: [name, tile, ...]}
    this.members = new Set();
    this.oracle = new Oracle();
    this.unclear = 0; // number of packets whose cycle is uncertain
    this.shifted = 0; // number of sightings that agree only with a cycle near the compared one, because one of the two packets was late
  }

  /** Records what a client shows after a player info packet. For Client.onCycle. */
  record = (client, changes, t) => {
    this.members.add(client.name);
    const { view } = client;
    const others = [];
    for (const i of view.locals) {
      const name = i === view.self ? undefined : view.name(i);
      if (name !== undefined && this.members.has(name)) others.push(name, view.tiles[i]);
    }
    this.waiting.push({ client, t, self: view.tiles[view.self], name: view.name(view.self), others });
    if (t - this.waiting[0].t > 2 * SETTLE_MS) this.compareUntil(t - SETTLE_MS);
  };

  /** Compares all packets that arrived before t. */
  compareUntil(t = Infinity) {
    this.waiting.sort((a, b) => a.t - b.t);
    for (;;) {
      const first = this.waiting[0]?.t;
      if (first === undefined || first + SAME_CYCLE_MS >= t) return;
      const n = this.waiting.findIndex((p) => p.t > first + SAME_CYCLE_MS);
      this.#compareCycle(this.waiting.splice(0, n < 0 ? this.waiting.length : n));
    }
  }

  /** Throws unless at least `least` sightings were compared, all agree, and at most a tenth of them agree only with another cycle. */
  verdict(least) {
    const { oracle, shifted, unclear } = this;
    must(oracle.compared >= least, `${oracle.compared} sightings compared, ${unclear} packets of no certain cycle`);
    oracle.verdict(least);
    must(shifted < oracle.compared / 10, `${shifted} sightings fit another cycle only, ${oracle.compared} were compared`);
  }

  #compareCycle(packets) {
    const clear = packets.filter((p) => {
      const before = p.client.lastOnBoard ?? -Infinity;
      const ok = p.t - before >= this.minGap && packets.filter((q) => q.client === p.client).length === 1;
      p.client.lastOnBoard = p.t;
      if (!ok) this.unclear++;
      return ok;
    });
    const byName = new Map(clear.map((p) => [p.name, p]));
    for (const { name, others } of clear) {
      for (let k = 0; k < others.length; k += 2) {
        const other = byName.get(others[k]);
        if (other !== undefined) this.#compareSighting(name, other, others[k + 1]);
      }
    }
    for (const p of packets) p.client.onBoard = [...(p.client.onBoard ?? []), p].slice(-NEAR_CYCLES);
  }

  #compareSighting(viewer, other, seen) {
    if (other.self !== seen && this.#fitsNearbyCycle(other, seen)) {
      this.shifted++;
      return;
    }
    this.oracle.value(identity, `${viewer} sees ${other.name}`, seen, other.self);
  }

  // Whether the client of packet p was within a run step of a tile in one of the packets around p, or missed a cycle between them. It
  // need not be on the tile: areas have no common clock, so a client may not be told of its last step before a portal.
  #fitsNearbyCycle(p, seen) {
    const next = this.waiting.filter(({ client }) => client === p.client).slice(0, NEAR_CYCLES);
    const around = [...(p.client.onBoard ?? []), p, ...next];
    return around.some((q, i) => tilesApart(q.self, seen) <= RUN_TILES || (i > 0 && q.t - around[i - 1].t > MISSED_MS));
  }
}

/** Tiles between two packed positions along the longer axis; Infinity on different planes. */
function tilesApart(a, b) {
  const [p, q] = [unpackTile(a), unpackTile(b)];
  return p.plane === q.plane ? Math.max(Math.abs(p.x - q.x), Math.abs(p.z - q.z)) : Infinity;
}
