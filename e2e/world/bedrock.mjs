// A player at the Bedrock door, with the words that the checks use for players of all doors.
import { Bot } from '../bedrock/bot.mjs';
import { respawnAction } from '../bedrock/packets.mjs';
import { distance, fromBlocks, gained, toBlocks, UNIT, WAIT_MS, WALK_MS } from './places.mjs';
import { must } from '../lib/assert.mjs';
import { sleep } from '../lib/wait.mjs';

const BLOW_MS = 300;
const TICK_OF_ARROW = 1.6; // blocks: it vanishes where it hits, and was last seen a tick before
const HOP = 1; // blocks that somebody who jumps is above the ground, at least

export class BedrockActor {
  door = 'bedrock';
  slack = 0.02;

  constructor({ name, server, version = '1.26.51' }) {
    this.name = name;
    this.area = 'Green';
    this.healths = new Map(); // runtime id: share
    this.bot = new Bot({ name, port: server.ports.bedrock, version });
    this.stamps = []; // {t, id, x, y, z} of others
    this.lives = []; // his own health, each time that he heard of it
    this.met = new Map(); // runtime id: {name, type, path} of all who were ever seen
  }

  async join() {
    await this.bot.join();
    this.bot.run();
    const { client } = this.bot;
    for (const kind of ['add_player', 'add_entity']) {
      client.on(kind, ({ runtime_id: id }) => this.met.set(id, this.bot.others.near.get(id) ?? this.met.get(id))); // the bot heard it first
    }
    for (const [id, one] of this.bot.others.near) this.met.set(id, one);
    client.on('update_attributes', (p) => {
      const h = p.attributes.find((a) => a.name === 'minecraft:health');
      if (h) this.healths.set(p.runtime_entity_id, h.current / h.max);
      if (h && p.runtime_entity_id === this.bot.runtimeId) this.lives.push(h.current);
    });
    for (const kind of ['move_player', 'move_entity', 'move_entity_delta']) {
      client.on(kind, (p) => this.#stamp(BigInt(p.runtime_id ?? p.runtime_entity_id)));
    }
    await this.bot.until(() => this.health !== undefined, 'its health');
  }

  #stamp(id) {
    const one = this.bot.others.near.get(id);
    if (one) this.stamps.push({ t: performance.now(), id, ...fromBlocks(this.area, one.pos) });
  }

  get online() {
    return this.bot.online;
  }

  get place() {
    return fromBlocks(this.area, this.bot.pos);
  }

  get health() {
    return this.bot.attributes.get('minecraft:health');
  }

  #find(name) {
    return this.bot.others.find(name);
  }

  sees(name) {
    const one = this.#find(name);
    return one && fromBlocks(this.area, one.pos);
  }

  which(name) {
    return this.#find(name)?.runtimeId;
  }

  seesHealth(name) {
    const one = this.#find(name);
    return one && this.healths.get(one.runtimeId);
  }

  sawDead(name, mark) {
    return this.sawFall(name, mark);
  }

  died(mark) {
    return this.lives.slice(mark.lives).includes(0);
  }

  follow(name) {
    const one = this.#find(name);
    const from = this.stamps.length;
    const first = { ...this.sees(name), t: performance.now() };
    return () => [first, ...this.stamps.slice(from).filter((s) => s.id === one.runtimeId)];
  }

  mark() {
    const { texts, events, others } = this.bot;
    return { texts: texts.length, events: events.length, links: others.links.length, stamps: this.stamps.length, met: this.met.size, lives: this.lives.length };
  }

  say(text) {
    this.bot.say(text);
  }

  heard(name, text, mark) {
    return this.bot.texts.slice(mark.texts).filter((x) => x.type === 'chat' && x.message.includes(text) && x.source_name === name).length;
  }

  async walk(to, { ms = WALK_MS, done = () => false } = {}) {
    const [x, z] = toBlocks(this.area, to);
    const walk = this.bot.walkTo(x, z, { reach: 0.15, ms }).then(() => true, () => false);
    const stop = setInterval(() => done() && this.bot.abandon(), 20);
    const ok = await walk;
    clearInterval(stop);
    return ok || done();
  }

  async push(to, ms) {
    const [x, z] = toBlocks(this.area, to);
    await this.bot.walkTo(x, z, { reach: 0.15, ms }).catch(() => {});
    this.bot.abandon();
  }

  async fight(name, done, ms = WALK_MS) {
    const { bot } = this;
    for (const end = performance.now() + ms; performance.now() < end && bot.online; await sleep(BLOW_MS)) {
      if (done()) return true;
      const one = this.#find(name);
      if (!one) continue;
      const at = fromBlocks(this.area, one.pos);
      if (distance(at, this.place) > 5) await bot.walkTo(one.pos[0], one.pos[2], { reach: 1.2, ms: 6000 }).catch(() => {});
      if (!done()) bot.attack(one.runtimeId);
    }
    return done();
  }

  blows(mark) {
    const name = (id) => (id === this.bot.runtimeId ? this.name : this.met.get(id)?.name); // also of those who are gone
    return this.bot.events.slice(mark.events).filter((e) => e.event_id === 'hurt_animation').map((e) => ({ on: name(e.runtime_entity_id) }));
  }

  jump() {
    this.bot.press('start_jumping', 'jumping');
  }

  sawJump(name, mark) {
    const { runtimeId } = this.#find(name);
    const ys = this.stamps.slice(mark.stamps).filter((s) => s.id === runtimeId).map((s) => s.y);
    return Math.max(...ys) - Math.min(...ys) > HOP * UNIT;
  }

  /** Whether the last that was told of one rider is that he sits on that mount. */
  seesRide(rider, mount, mark) {
    const [r, m] = [this.#find(rider), this.#find(mount)];
    const link = this.bot.others.links.slice(mark.links).findLast((l) => l.rider_entity_id === r?.uniqueId);
    return link !== undefined && link.type !== 0 && link.ridden_entity_id === m?.uniqueId;
  }

  /** Arrows that were seen to fly, from whom to whom: those who stand where the way begins and ends. */
  shots(mark) {
    return [...this.met.values()].slice(mark.met).filter((o) => o?.type === 'minecraft:arrow')
      .map(({ path }) => ({ by: this.#at(path[0], 1), on: this.#at(path.at(-1), TICK_OF_ARROW) }));
  }

  #at([x, , z], within) {
    const far = (o) => Math.hypot(o.pos[0] - x, o.pos[2] - z);
    const all = [...this.bot.others.near.values()].filter((o) => o.name && far(o) < within);
    return all.sort((a, b) => far(a) - far(b))[0]?.name;
  }

  sawFall(name, mark) {
    return this.bot.events.slice(mark.events).some((e) => e.event_id === 'death_animation' && this.met.get(e.runtime_entity_id)?.name === name);
  }

  gained(mark) {
    return gained(this.bot.texts.slice(mark.texts).map((t) => t.message));
  }

  wake() {
    this.bot.wishToLive();
    this.bot.client.write('player_action', respawnAction(this.bot.runtimeId));
  }

  until(ok, what, ms = WAIT_MS) {
    return this.bot.until(ok, what, ms).then(() => ok());
  }

  expects(other) {
    return other.place;
  }

  violations() {
    return [...this.bot.violations.map((v) => `${this.name}: ${v.split('\n')[0]}`), ...this.bot.world.problems];
  }

  async close() {
    await this.bot.close();
  }
}
