// A RuneScape player, with the interface of RccePlayer. Its client receives tiles; positions are the centres of tiles.
import { tileCentres } from '../lib/adapters.mjs';
import { must } from '../lib/assert.mjs';
import { Client } from '../rs/client.mjs';
import { serverKey } from '../rs/crypto.mjs';
import { say } from '../rs/packets.mjs';
import { experienceIn, fromTile, toTile, WAIT_MS, WALK_MS } from './places.mjs';

const CYCLE_MS = 600;
const STOP_MS = 50;
const BOW_EFFECT = 19; // effect of the bow in common.toml
const SHOT_MARK = 1; // type of the hit mark of a projectile

export class RsPlayer {
  door = 'rs';
  adapter = tileCentres((position) => fromTile(this.area, toTile(this.area, position)), 0.01);

  constructor({ name, server }) {
    this.name = name;
    this.changes = []; // changes of all cycles: {t, index, ...}
    this.healths = []; // own health in each cycle, as the client knows it
    this.client = new Client({
      port: server.ports.rs, key: serverKey(server), user: name, password: 'secret',
      onCycle: (_, changes, t) => this.#record(changes, t),
    });
  }

  #record(changes, t) {
    this.healths.push(this.client.life);
    for (const [index, c] of changes) this.changes.push({ t, index, name: this.client.view.name(index) ?? this.names?.get(index), ...c });
    this.names = new Map(this.client.view.locals.map((i) => [i, this.client.view.name(i)])); // names of players that the next cycle removes
  }

  async join() {
    const code = await this.client.login();
    must(code === 2, `login answered ${code}`);
    await this.client.until(() => this.client.life !== undefined, 'its health');
  }

  get online() {
    return this.client.online;
  }

  get area() {
    return this.tile.x > 4800 ? 'Cellar' : 'Green';
  }

  get tile() {
    return this.client.tile;
  }

  get position() {
    return fromTile(this.area, this.tile);
  }

  get health() {
    return this.client.life;
  }

  positionOf(name) {
    const i = this.client.view.find(name);
    return i ? fromTile(this.area, this.client.view.tile(i)) : undefined;
  }

  idOf(name) {
    return this.client.view.find(name) || undefined;
  }

  #hitMarks(name) {
    return this.changes.filter((c) => c.name === name && c.blocks.HITS).flatMap((c) => c.blocks.HITS);
  }

  /** The share in the actor's health bar, which the client receives with each hit. */
  healthOf(name) {
    const hp = this.#hitMarks(name).at(-1)?.hp;
    return hp === undefined ? undefined : hp / 255;
  }

  sawZeroHealth(name, mark) {
    return this.sawDeath(name, mark);
  }

  died(mark) {
    return this.healths.slice(mark.healths).includes(0) || this.client.life === 0;
  }

  trackPositions(name) {
    const i = this.client.view.find(name);
    const positions = [{ ...this.positionOf(name), t: performance.now() }];
    const stop = this.client.watch((changes, t) => {
      const c = changes.get(i);
      const at = this.positionOf(name);
      if (c && at) positions.push({ ...at, t });
    });
    return () => {
      stop();
      return positions;
    };
  }

  mark() {
    return { lines: this.client.lines.length, changes: this.changes.length, healths: this.healths.length };
  }

  say(text) {
    this.client.send(say.chat(text));
  }

  linesHeard(name, text, mark) {
    return this.client.lines.slice(mark.lines).filter((l) => l.kind === 'public' && l.text.includes(text) && l.name === name).length;
  }

  async walk(to, { ms = WALK_MS, done = () => false } = {}) {
    const t = toTile(this.area, to);
    this.client.send(say.walk(t.x, t.z));
    await this.client.until(() => done() || this.client.at(t.x, t.z), `tile ${t.x},${t.z}`, ms);
    return true;
  }

  async pushToward(to, ms) {
    const t = toTile(this.area, to);
    for (let left = ms; left > 0; left -= 2 * CYCLE_MS) {
      this.client.send(say.walk(t.x, t.z));
      await this.client.cycles(2);
    }
  }

  async fight(name, done, ms = WALK_MS) {
    const attack = () => {
      const i = this.client.view.find(name);
      if (i) this.client.send(say.attack(i));
    };
    const stop = () => {
      for (const t of timers) clearInterval(t);
      if (this.online) this.client.send(say.walk(this.tile.x, this.tile.z));
    };
    attack();
    const timers = [
      setInterval(attack, 5 * CYCLE_MS), // repeat: the target may have been out of view
      setInterval(() => done() && stop(), STOP_MS), // another client may know of the end before this one receives its next packet
    ];
    try {
      return await this.client.until(done, `the end of a fight with ${name}`, ms);
    } catch {
      return null;
    } finally {
      stop();
    }
  }

  hits(mark) {
    return this.changes.slice(mark.changes).filter((c) => c.blocks.HITS).flatMap((c) => c.blocks.HITS.map((h) => ({ on: c.name, damage: h.amount })));
  }

  /** Shots since a mark. The shooter and the target of a shot are in separate blocks, so each is an entry of its own. */
  shots(mark) {
    return this.changes.slice(mark.changes).flatMap((c) => {
      const seen = [];
      if (c.blocks.GFX0?.id === BOW_EFFECT) seen.push({ by: c.name });
      if (c.blocks.HITS?.some((h) => h.type === SHOT_MARK)) seen.push({ on: c.name });
      return seen;
    });
  }

  sawDeath(name, mark) {
    return this.changes.slice(mark.changes).some((c) => c.name === name && c.blocks.HITS?.at(-1).hp === 0);
  }

  experience(mark) {
    return experienceIn(this.client.lines.slice(mark.lines).map((l) => l.text));
  }

  /** Players of this door respawn without a request. */
  requestRespawn() {}

  until(condition, what, ms = WAIT_MS) {
    return this.client.until(condition, what, ms);
  }

  violations() {
    return this.client.violations;
  }

  async close() {
    await this.client.logout();
  }
}
