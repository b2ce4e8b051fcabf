// A player at the Bedrock door, with the words that the checks use for players of all doors.
import { Bot } from '../bedrock/bot.mjs';
import { respawnAction } from '../bedrock/packets.mjs';
import { distance, fromBlocks, toBlocks } from './places.mjs';
import { must, sleep } from '../bedrock/report.mjs';

const BLOW_MS = 300;

export class BedrockActor {
  door = 'bedrock';
  slack = 0.02;

  constructor({ name, server, version = '1.26.51' }) {
    this.name = name;
    this.area = 'Green';
    this.healths = new Map(); // runtime id: share
    this.bot = new Bot({ name, port: server.ports.bedrock, version });
    this.stamps = []; // {t, id, pos} of others
  }

  async join() {
    await this.bot.join();
    this.bot.run();
    const { client } = this.bot;
    client.on('update_attributes', (p) => {
      const h = p.attributes.find((a) => a.name === 'minecraft:health');
      if (h) this.healths.set(p.runtime_entity_id, h.current / h.max);
    });
    for (const kind of ['move_player', 'move_entity', 'move_entity_delta']) {
      client.on(kind, (p) => setImmediate(() => this.#stamp(BigInt(p.runtime_id ?? p.runtime_entity_id))));
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

  seesHealth(name) {
    const one = this.#find(name);
    return one && this.healths.get(one.runtimeId);
  }

  seesDead(name) {
    const one = this.#find(name);
    return Boolean(one) && this.bot.events.findLast((e) => e.runtime_entity_id === one.runtimeId)?.event_id === 'death_animation';
  }

  follow(name) {
    const one = this.#find(name);
    const from = this.stamps.length;
    const first = { ...this.sees(name), t: performance.now() };
    return () => [first, ...this.stamps.slice(from).filter((s) => s.id === one.runtimeId)];
  }

  mark() {
    return { texts: this.bot.texts.length, events: this.bot.events.length };
  }

  say(text) {
    this.bot.say(text);
  }

  heard(name, text, mark) {
    return this.bot.texts.slice(mark.texts).filter((x) => x.type === 'chat' && x.message.includes(text) && x.source_name === name).length;
  }

  async walk(to, { ms = 25000, done = () => false } = {}) {
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

  async fight(name, done, ms = 20000) {
    const { bot } = this;
    for (const end = performance.now() + ms; performance.now() < end && bot.online; await sleep(BLOW_MS)) {
      if (done()) return true;
      const one = this.#find(name);
      if (!one) continue;
      const at = fromBlocks(this.area, one.pos);
      if (distance(at, this.place) > 5) await bot.walkTo(one.pos[0], one.pos[2], { reach: 1.2, ms: 6000 }).catch(() => {});
      bot.attack(one.runtimeId);
    }
    return done();
  }

  blows(mark) {
    const name = (id) => (id === this.bot.runtimeId ? this.name : this.bot.others.near.get(id)?.name);
    return this.bot.events.slice(mark.events).filter((e) => e.event_id === 'hurt_animation').map((e) => ({ on: name(e.runtime_entity_id) }));
  }

  wake() {
    this.bot.wishToLive();
    this.bot.client.write('player_action', respawnAction(this.bot.runtimeId));
  }

  until(ok, what, ms = 8000) {
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
