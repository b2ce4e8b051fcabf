// A RealmCrafter player, with the interface that the checks use for players of all doors. Positions are in world units.
import { worldUnits } from '../lib/adapters.mjs';
import { equal, must } from '../lib/assert.mjs';
import { Client } from '../rcce/client.mjs';
import { clock } from '../rcce/udp.mjs';
import { encode, type } from '../rcce/wire.mjs';
import { distance, WAIT_MS, WALK_MS } from './places.mjs';

const ATTACK_MS = 250;
const CLAIM_MS = 140;
const WALK_SPEED = 0.0135; // units/ms with a speed attribute of 30 of 100
const MAX_LEAD = 40; // units between the claimed and the echoed position; beyond it claims continue from the echo
const REPLY_MS = 30000; // time limit of a response: long, because more runs on this machine here; e2e/rcce checks response times

export class RccePlayer {
  door = 'rcce';
  adapter = worldUnits(0.01); // floats on the wire

  constructor({ name, server }) {
    this.name = name;
    this.client = new Client({
      host: '127.0.0.1', port: server.ports.rcce, label: name, replyLimit: REPLY_MS, account: { user: name, password: 'secret', email: 'a@b.cd' },
      world: { healthStat: 0, speedStat: 4, gendered: () => true, flies: () => false },
    });
  }

  async join() {
    const c = this.client;
    await c.connect();
    equal(await c.createAccount(), 'Y', 'account');
    equal((await c.verify()).status, 'Y', 'login');
    equal(await c.tryCharacter({ actor: 0, name: this.name }), 'Y', 'character');
    await c.disconnect();
    await c.enter();
  }

  get online() {
    return this.client.inWorld;
  }

  get area() {
    return this.client.area?.name;
  }

  /** The position of this player in the server's last echo. */
  get position() {
    const { x, z } = this.client.me;
    return { x, z };
  }

  get health() {
    return this.client.me.hp;
  }

  #find(name) {
    return [...this.client.actors.values()].find((a) => a.name === name);
  }

  /** The position at which this client shows an actor; undefined if it does not show it. */
  positionOf(name) {
    const a = this.#find(name);
    return a && { x: a.x, z: a.z };
  }

  /** The share of its health that this client shows for an actor, 0 to 1; undefined if unknown. */
  healthOf(name) {
    const a = this.#find(name);
    return a && a.hp / a.healthMax;
  }

  /** Whether an actor's health was shown as 0 since a mark. It may have respawned by now. */
  sawZeroHealth(name, mark) {
    return this.client.all((m) => m.type === type.statUpdate && m.value === 0 && this.#isHealth(m), mark).some((m) => this.#nameOf(m.rid) === name);
  }

  /** Whether this player's own health was 0 since a mark. */
  died(mark) {
    return this.sawZeroHealth(this.name, mark);
  }

  #isHealth(m) {
    return m.sub === 'A' && m.attribute === this.client.healthStat;
  }

  /** The maximum number of claims that can have reached the server while this player changed areas, over all changes. */
  get claimsBetweenAreas() {
    const { history, rid } = this.client;
    let lastEcho = 0; // time at which the server last echoed a position in an area
    let n = 0;
    for (const m of history) {
      if (m.type === type.standardUpdate && m.rid === rid) lastEcho = m.t;
      if (m.type === type.changeArea && lastEcho > 0) n += 2 + Math.ceil((m.t - lastEcho) / CLAIM_MS);
    }
    return n;
  }

  /** The name of the actor that this player rides, by its own updates. */
  get mount() {
    const own = this.client.history.findLast((m) => m.type === type.standardUpdate && m.rid === this.client.rid);
    return this.client.actors.get(own?.mount)?.name;
  }

  /** The name of the actor that another player rides, as this client shows it. */
  mountOf(name) {
    const rid = this.#find(name)?.rid;
    const last = this.client.history.findLast((m) => m.type === type.standardUpdate && m.rid === rid);
    return this.client.actors.get(last?.mount)?.name;
  }

  ride(name) {
    this.client.send(encode.rightClick(this.#find(name).rid));
  }

  dismount() {
    this.client.send(encode.dismount());
  }

  jump() {
    this.client.jump();
  }

  sawJump(name, mark) {
    return this.client.all(type.jump, mark).some((m) => this.#nameOf(m.rid) === name);
  }

  /** Swaps the contents of two inventory slots. */
  swapSlots(from, to) {
    this.client.send(encode.swap(this.client.rid, from, to));
  }

  /** Projectiles shown since a mark: {by, on} in names. */
  shots(mark) {
    return this.client.all(type.projectile, mark).map((m) => ({ by: this.#nameOf(m.source), on: this.#nameOf(m.target) }));
  }

  sawDeath(name, mark) {
    return this.client.all(type.actorDead, mark).some((m) => this.#nameOf(m.rid) === name);
  }

  /** Experience points gained since a mark. */
  experience(mark) {
    return this.client.all((m) => m.type === type.xpUpdate && m.sub === 'M', mark).reduce((sum, m) => sum + m.gained, 0);
  }

  /** The name of an actor, also of one that is dead or gone. */
  #nameOf(rid) {
    if (rid === this.client.rid) return this.name;
    return this.client.history.findLast((m) => m.type === type.newActor && m.rid === rid)?.name;
  }

  /** An id of the actor with a name that distinguishes it from later actors with the same name. */
  idOf(name) {
    return this.#find(name)?.rid;
  }

  /** Starts to record where an actor is shown; the returned function ends that and returns [{x, z, t}]. */
  trackPositions(name) {
    const rid = this.#find(name).rid;
    const from = this.client.mark();
    const epoch = performance.now() - clock(); // offset from the client's clock to performance.now()
    return () => this.client.all((m) => m.type === type.standardUpdate && m.rid === rid, from).map(({ x, z, t }) => ({ x, z, t: t + epoch }));
  }

  /** The present position in this client's log of received messages, for the methods with a parameter mark. */
  mark() {
    return this.client.mark();
  }

  say(text) {
    this.client.say(text);
  }

  /** How often a line of a speaker arrived since a mark. */
  linesHeard(name, text, mark) {
    return this.client.all((m) => m.type === type.chat && m.text?.includes(text) && m.text.includes(name), mark).length;
  }

  /**
   * Walks as real clients do: it claims positions by its own clock. A client that continues from the last echo instead would be pulled
   * back repeatedly on a busy machine, where echoes are late.
   */
  async walk(to, { within = 0.5, ms = WALK_MS, done = () => false } = {}) {
    const c = this.client;
    const at = { x: c.me.x, z: c.me.z };
    let last = performance.now();
    c.pilot = () => {
      if (distance(at, c.me) > MAX_LEAD) Object.assign(at, { x: c.me.x, z: c.me.z });
      const now = performance.now();
      const part = Math.min(1, (WALK_SPEED * (now - last)) / Math.max(distance(at, to), 0.001));
      last = now;
      at.x += (to.x - at.x) * part;
      at.z += (to.z - at.z) * part;
      return { x: at.x, z: at.z, destX: to.x, destZ: to.z, running: 0 };
    };
    const ok = await c.until(() => done() || distance(c.me, to) <= within, ms);
    c.pilot = null;
    return ok;
  }

  /** For ms, claims positions that approach a point, regardless of the server's echoes. */
  async pushToward(to, ms) {
    const c = this.client;
    const at = { ...c.me };
    c.pilot = () => {
      const left = Math.max(distance(at, to), 0.001);
      const part = Math.min(1, 2 / left);
      at.x += (to.x - at.x) * part;
      at.z += (to.z - at.z) * part;
      return { x: at.x, z: at.z, destX: to.x, destZ: to.z, running: 0 };
    };
    await c.until(() => false, ms);
    c.pilot = null;
  }

  /** Attacks an actor until done, and follows it; with follow false it attacks from where it stands. */
  async fight(name, done, ms = WALK_MS, { follow = true } = {}) {
    const c = this.client;
    const timer = setInterval(() => {
      const a = this.#find(name);
      if (a && c.inWorld) c.send(encode.attack(a.rid));
    }, ATTACK_MS);
    const towardTarget = () => {
      const a = this.#find(name);
      return a && { x: c.me.x, z: c.me.z, destX: a.x, destZ: a.z, running: 0 };
    };
    c.pilot = follow ? towardTarget : null;
    const ok = await c.until(done, ms);
    clearInterval(timer);
    c.pilot = null;
    return ok;
  }

  /** Hits shown since a mark: {by, on, damage} in names; damage only of own hits and hits on oneself. */
  hits(mark) {
    const name = (rid) => this.#nameOf(rid);
    return this.client.all(type.attack, mark).map((m) => {
      if (m.sub === 'H') return { by: this.name, on: name(m.rid), damage: m.damage };
      if (m.sub === 'Y') return { by: name(m.rid), on: this.name, damage: m.damage };
      return { by: name(m.attacker), on: name(m.victim) };
    });
  }

  /** Players of this door respawn without a request. */
  requestRespawn() {}

  until(condition, what, ms = WAIT_MS) {
    return this.client.until(condition, ms).then((v) => must(v, `${this.name}: no ${typeof what === 'function' ? what() : what} within ${ms} ms`));
  }

  violations() {
    return this.client.allViolations();
  }

  async close() {
    await this.client.disconnect();
  }
}
