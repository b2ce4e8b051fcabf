// A Bedrock player, with the interface of RccePlayer. Its client uses blocks; this class converts positions to world units.
import { worldUnits } from '../lib/adapters.mjs';
import { sleep } from '../lib/wait.mjs';
import { Bot } from '../bedrock/bot.mjs';
import { respawnAction } from '../bedrock/packets.mjs';
import { distance, experienceIn, fromBlocks, toBlocks, UNIT, WAIT_MS, WALK_MS } from './places.mjs';

const ATTACK_MS = 300;
const ARROW_TICK = 1.6; // blocks that an arrow flies in a tick: its last shown position is up to this far from its target
const JUMP_HEIGHT = 1; // minimum height of a jump in blocks

export class BedrockPlayer {
  door = 'bedrock';
  adapter = worldUnits(0.02);

  constructor({ name, server, version = '1.26.51' }) {
    this.name = name;
    this.area = 'Green'; // name of the player's area; set by travelChecks, because the protocol does not name areas
    this.shares = new Map(); // runtime id: share of health, 0 to 1
    this.bot = new Bot({ name, port: server.ports.bedrock, version });
    this.moves = []; // {t, id, x, y, z} of other actors
    this.healths = []; // own health, each time that it was received
    this.seen = new Map(); // runtime id: {name, type, path} of all actors that the client has ever received
  }

  async join() {
    await this.bot.join();
    this.bot.run();
    const { client } = this.bot;
    for (const kind of ['add_player', 'add_entity']) {
      // The bot's own listener has run before this one.
      client.on(kind, ({ runtime_id: id }) => this.seen.set(id, this.bot.others.near.get(id) ?? this.seen.get(id)));
    }
    for (const [id, actor] of this.bot.others.near) this.seen.set(id, actor);
    client.on('update_attributes', (p) => {
      const h = p.attributes.find((a) => a.name === 'minecraft:health');
      if (h) this.shares.set(p.runtime_entity_id, h.current / h.max);
      if (h && p.runtime_entity_id === this.bot.runtimeId) this.healths.push(h.current);
    });
    for (const kind of ['move_player', 'move_entity', 'move_entity_delta']) {
      client.on(kind, (p) => this.#recordMove(BigInt(p.runtime_id ?? p.runtime_entity_id)));
    }
    await this.bot.until(() => this.health !== undefined, 'its health');
  }

  #recordMove(id) {
    const actor = this.bot.others.near.get(id);
    if (actor) this.moves.push({ t: performance.now(), id, ...fromBlocks(this.area, actor.pos) });
  }

  get online() {
    return this.bot.online;
  }

  get position() {
    return fromBlocks(this.area, this.bot.pos);
  }

  get health() {
    return this.bot.attributes.get('minecraft:health');
  }

  #find(name) {
    return this.bot.others.find(name);
  }

  positionOf(name) {
    const actor = this.#find(name);
    return actor && fromBlocks(this.area, actor.pos);
  }

  idOf(name) {
    return this.#find(name)?.runtimeId;
  }

  healthOf(name) {
    const actor = this.#find(name);
    return actor && this.shares.get(actor.runtimeId);
  }

  sawZeroHealth(name, mark) {
    return this.sawDeath(name, mark);
  }

  died(mark) {
    return this.healths.slice(mark.healths).includes(0);
  }

  trackPositions(name) {
    const actor = this.#find(name);
    const from = this.moves.length;
    const first = { ...this.positionOf(name), t: performance.now() };
    return () => [first, ...this.moves.slice(from).filter((m) => m.id === actor.runtimeId)];
  }

  mark() {
    const { texts, events, others } = this.bot;
    const own = { moves: this.moves.length, seen: this.seen.size, healths: this.healths.length };
    return { texts: texts.length, events: events.length, links: others.links.length, ...own };
  }

  say(text) {
    this.bot.say(text);
  }

  linesHeard(name, text, mark) {
    return this.bot.texts.slice(mark.texts).filter((x) => x.type === 'chat' && x.message.includes(text) && x.source_name === name).length;
  }

  async walk(to, { ms = WALK_MS, done = () => false } = {}) {
    const [x, z] = toBlocks(this.area, to);
    const walk = this.bot.walkTo(x, z, { reach: 0.15, ms }).then(() => true, () => false);
    const stop = setInterval(() => done() && this.bot.stopWalking(), 20);
    const ok = await walk;
    clearInterval(stop);
    return ok || done();
  }

  async pushToward(to, ms) {
    const [x, z] = toBlocks(this.area, to);
    await this.bot.walkTo(x, z, { reach: 0.15, ms }).catch(() => {});
    this.bot.stopWalking();
  }

  async fight(name, done, ms = WALK_MS) {
    const { bot } = this;
    for (const end = performance.now() + ms; performance.now() < end && bot.online; await sleep(ATTACK_MS)) {
      if (done()) return true;
      const target = this.#find(name);
      if (!target) continue;
      const at = fromBlocks(this.area, target.pos);
      if (distance(at, this.position) > 5) await bot.walkTo(target.pos[0], target.pos[2], { reach: 1.2, ms: 6000 }).catch(() => {});
      if (!done()) bot.attack(target.runtimeId);
    }
    return done();
  }

  hits(mark) {
    const name = (id) => (id === this.bot.runtimeId ? this.name : this.seen.get(id)?.name); // seen also has actors that are gone
    return this.bot.events.slice(mark.events).filter((e) => e.event_id === 'hurt_animation').map((e) => ({ on: name(e.runtime_entity_id) }));
  }

  jump() {
    this.bot.press('start_jumping', 'jumping');
  }

  sawJump(name, mark) {
    const { runtimeId } = this.#find(name);
    const ys = this.moves.slice(mark.moves).filter((m) => m.id === runtimeId).map((m) => m.y);
    return Math.max(...ys) - Math.min(...ys) > JUMP_HEIGHT * UNIT;
  }

  /** Whether the newest entity link of a rider since a mark says that it rides mount. */
  seesRiding(rider, mount, mark) {
    const [r, m] = [this.#find(rider), this.#find(mount)];
    const link = this.bot.others.links.slice(mark.links).findLast((l) => l.rider_entity_id === r?.uniqueId);
    return link !== undefined && link.type !== 0 && link.ridden_entity_id === m?.uniqueId;
  }

  /** Arrows shown since a mark: by and on are the actors nearest to where the flight began and ended. */
  shots(mark) {
    return [...this.seen.values()].slice(mark.seen).filter((o) => o?.type === 'minecraft:arrow')
      .map(({ path }) => ({ by: this.#nearest(path[0], 1), on: this.#nearest(path.at(-1), ARROW_TICK) }));
  }

  #nearest([x, , z], within) {
    const off = (o) => Math.hypot(o.pos[0] - x, o.pos[2] - z);
    const all = [...this.bot.others.near.values()].filter((o) => o.name && off(o) < within);
    return all.sort((a, b) => off(a) - off(b))[0]?.name;
  }

  sawDeath(name, mark) {
    return this.bot.events.slice(mark.events).some((e) => e.event_id === 'death_animation' && this.seen.get(e.runtime_entity_id)?.name === name);
  }

  experience(mark) {
    return experienceIn(this.bot.texts.slice(mark.texts).map((t) => t.message));
  }

  requestRespawn() {
    this.bot.requestRespawn();
    this.bot.client.write('player_action', respawnAction(this.bot.runtimeId));
  }

  until(condition, what, ms = WAIT_MS) {
    return this.bot.until(condition, what, ms).then(() => condition());
  }

  violations() {
    return [...this.bot.violations.map((v) => `${this.name}: ${v.split('\n')[0]}`), ...this.bot.world.problems];
  }

  async close() {
    await this.bot.close();
  }
}
