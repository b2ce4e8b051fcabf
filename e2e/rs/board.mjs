// Compares clients with each other, without the server's word: what each says of himself against what all others say of
// him in the same cycle. Nothing in the protocol numbers cycles, so packets belong together that came together.

const TOGETHER_MS = 300; // packets of one cycle; the next comes 600 ms later
const SETTLED_MS = 3000;
const MISSED_MS = 1000; // between two packets of one client: a worker that is far behind leaves a cycle out
const RUN = 2; // tiles in a cycle
const NEAR = 3; // cycles by which packets of two clients may lie apart on a busy machine

export class Board {
  /** lag: ms around a packet in which the same client may have no other, or it is not clear to which cycle it belongs. */
  constructor(lag = 330) {
    this.lag = lag;
    this.waiting = [];
    this.members = new Set();
    this.compared = 0;
    this.unclear = 0;
    this.shifted = 0; // sights of where somebody was NEAR the compared cycle: one of the two packets came late
    this.differences = [];
  }

  /** For Client.onCycle. */
  put = (client, changes, t) => {
    this.members.add(client.name);
    const view = client.view;
    const others = [];
    for (const i of view.locals) {
      const name = i === view.self ? undefined : view.name(i);
      if (name !== undefined && this.members.has(name)) others.push(name, view.tiles[i]);
    }
    this.waiting.push({ client, t, self: view.tiles[view.self], name: view.name(view.self), others });
    if (t - this.waiting[0].t > 2 * SETTLED_MS) this.settle(t - SETTLED_MS);
  };

  /** Compares all packets that came before t. */
  settle(t = Infinity) {
    this.waiting.sort((a, b) => a.t - b.t);
    for (;;) {
      const first = this.waiting[0]?.t;
      if (first === undefined || first + TOGETHER_MS >= t) return;
      const n = this.waiting.findIndex((p) => p.t > first + TOGETHER_MS);
      this.#compare(this.waiting.splice(0, n < 0 ? this.waiting.length : n));
    }
  }

  #compare(packets) {
    const clear = packets.filter((p) => {
      const before = p.client.lastOnBoard ?? -Infinity;
      const ok = p.t - before >= this.lag && packets.filter((q) => q.client === p.client).length === 1;
      p.client.lastOnBoard = p.t;
      if (!ok) this.unclear++;
      return ok;
    });
    const selves = new Map(clear.map((p) => [p.name, p]));
    for (const { name, others } of clear) {
      for (let k = 0; k < others.length; k += 2) {
        const other = selves.get(others[k]);
        if (other === undefined) continue;
        if (other.self !== others[k + 1] && this.#maySoBe(other, others[k + 1])) {
          this.shifted++;
          continue;
        }
        this.compared++;
        if (other.self === others[k + 1]) continue;
        this.differences.push(`${name} sees ${others[k]} at ${tile(others[k + 1])}, who is at ${tile(other.self)}`);
      }
    }
    for (const p of packets) p.client.onBoard = [...(p.client.onBoard ?? []), p].slice(-NEAR);
  }

  // Was the client of a packet near that tile in the packets before it or after it, or was it not told of a cycle between
  // them? Near, because areas have no common clock: of its last step before a portal it may be told nothing itself.
  #maySoBe(p, at) {
    const next = this.waiting.filter(({ client }) => client === p.client).slice(0, NEAR);
    const around = [...(p.client.onBoard ?? []), p, ...next];
    return around.some((q, i) => away(q.self, at) <= RUN || (i > 0 && q.t - around[i - 1].t > MISSED_MS));
  }
}

/** Tiles between two places on one plane, the longer way of the two axes. */
const away = (a, b) => (a ^ b) >>> 28 ? Infinity : Math.max(Math.abs(((a >> 14) & 16383) - ((b >> 14) & 16383)), Math.abs((a & 16383) - (b & 16383)));

const tile = (t) => `${(t >> 14) & 16383},${t & 16383},${t >>> 28}`;
