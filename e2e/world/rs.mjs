// A player at the RuneScape door, with the words that the checks use for players of all doors.
import { Client } from '../rs/client.mjs';
import { serverKey } from '../rs/crypto.mjs';
import { say } from '../rs/packets.mjs';
import { fromTile, gained, toTile, WAIT_MS, WALK_MS } from './places.mjs';
import { must } from '../lib/assert.mjs';

const CYCLE_MS = 600;
const LOOSED = 19; // the effect of the bow in common.toml
const SHOT = 1; // a hit mark

export class RsActor {
  door = 'rs';
  slack = 0.01;

  constructor({ name, server }) {
    this.name = name;
    this.changes = []; // {t, index, ...} of every cycle
    this.lives = []; // his own health, as he had heard of it by each cycle
    this.client = new Client({
      port: server.ports.rs, key: serverKey(server), user: name, password: 'secret',
      onCycle: (_, changes, t) => this.#note(changes, t),
    });
  }

  #note(changes, t) {
    this.lives.push(this.client.life);
    for (const [index, c] of changes) this.changes.push({ t, index, name: this.client.view.name(index) ?? this.names?.get(index), ...c });
    this.names = new Map(this.client.view.locals.map((i) => [i, this.client.view.name(i)]));
  }

  async join() {
    const code = await this.client.login();
    must(code === 2, `login answered ${code}`);
    await this.client.until(() => this.client.life !== undefined, 'its life');
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

  get place() {
    return fromTile(this.area, this.tile);
  }

  get health() {
    return this.client.life;
  }

  sees(name) {
    const i = this.client.view.find(name);
    return i ? fromTile(this.area, this.client.view.tile(i)) : undefined;
  }

  which(name) {
    return this.client.view.find(name) || undefined;
  }

  #hits(name) {
    return this.changes.filter((c) => c.name === name && c.blocks.HITS).flatMap((c) => c.blocks.HITS);
  }

  /** As the bar above his head has it, which is shown with a blow. */
  seesHealth(name) {
    const hp = this.#hits(name).at(-1)?.hp;
    return hp === undefined ? undefined : hp / 255;
  }

  sawDead(name, mark) {
    return this.sawFall(name, mark);
  }

  died(mark) {
    return this.lives.slice(mark.lives).includes(0) || this.client.life === 0;
  }

  follow(name) {
    const i = this.client.view.find(name);
    const places = [{ ...this.sees(name), t: performance.now() }];
    const stop = this.client.watch((changes, t) => {
      const c = changes.get(i);
      const at = this.sees(name);
      if (c && at) places.push({ ...at, t, how: c.how, exact: Boolean(c.blocks.EXACT_MOVE) });
    });
    return () => {
      stop();
      return places;
    };
  }

  mark() {
    return { lines: this.client.lines.length, changes: this.changes.length, lives: this.lives.length };
  }

  say(text) {
    this.client.send(say.chat(text));
  }

  heard(name, text, mark) {
    return this.client.lines.slice(mark.lines).filter((l) => l.kind === 'public' && l.text.includes(text) && l.name === name).length;
  }

  async walk(to, { ms = WALK_MS, done = () => false } = {}) {
    const t = toTile(this.area, to);
    this.client.send(say.walk(t.x, t.z));
    await this.client.until(() => done() || this.client.at(t.x, t.z), `tile ${t.x},${t.z}`, ms);
    return true;
  }

  async push(to, ms) {
    const t = toTile(this.area, to);
    for (let left = ms; left > 0; left -= 2 * CYCLE_MS) {
      this.client.send(say.walk(t.x, t.z));
      await this.client.cycles(2);
    }
  }

  async fight(name, done, ms = WALK_MS) {
    const strike = () => {
      const i = this.client.view.find(name);
      if (i) this.client.send(say.attack(i));
    };
    strike();
    const timer = setInterval(strike, 5 * CYCLE_MS); // the victim may have been out of sight
    try {
      return await this.client.until(done, `the end of a fight with ${name}`, ms);
    } catch {
      return null;
    } finally {
      clearInterval(timer);
      if (this.online) this.client.send(say.walk(this.tile.x, this.tile.z));
    }
  }

  blows(mark) {
    return this.changes.slice(mark.changes).filter((c) => c.blocks.HITS).flatMap((c) => c.blocks.HITS.map((h) => ({ on: c.name, damage: h.amount })));
  }

  /** Who was seen to shoot, and who was seen to be hit by a shot, each in an entry of its own. */
  shots(mark) {
    return this.changes.slice(mark.changes).flatMap((c) => {
      const seen = [];
      if (c.blocks.GFX0?.id === LOOSED) seen.push({ by: c.name });
      if (c.blocks.HITS?.some((h) => h.type === SHOT)) seen.push({ on: c.name });
      return seen;
    });
  }

  sawFall(name, mark) {
    return this.changes.slice(mark.changes).some((c) => c.name === name && c.blocks.HITS?.at(-1).hp === 0);
  }

  gained(mark) {
    return gained(this.client.lines.slice(mark.lines).map((l) => l.text));
  }

  wake() {}

  until(ok, what, ms = WAIT_MS) {
    return this.client.until(ok, what, ms);
  }

  /** The tile on which somebody stands, of whatever door. */
  expects(other) {
    return fromTile(other.area, toTile(other.area, other.place));
  }

  violations() {
    return this.client.violations;
  }

  async close() {
    await this.client.logout();
  }
}
