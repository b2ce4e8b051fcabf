// A player at the RealmCrafter door, with the words that the checks use for players of all doors.
import { Client } from '../rcce/client.mjs';
import { clock } from '../rcce/udp.mjs';
import { encode, type } from '../rcce/wire.mjs';
import { distance, fromTile, WAIT_MS, WALK_MS } from './places.mjs';
import { must } from '../lib/assert.mjs';

const ATTACK_MS = 250;
const CLAIM_MS = 140;
const PACE = 0.0135; // units/ms of somebody with a speed of 30 of 100, who walks
const ASTRAY = 40; // units between what it claims and what it is told, after which it goes on from there
const REPLY_MS = 30000; // who answers how soon is for the test of that door, which has the machine for less at once

export class RcceActor {
  door = 'rcce';
  slack = 0.01; // units: floats on the wire, and a client that claims what it is

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
    must((await c.createAccount()) === 'Y', 'no account');
    must((await c.verify()).status === 'Y', 'no login');
    must((await c.tryCharacter({ actor: 0, name: this.name })) === 'Y', 'no character');
    await c.disconnect();
    await c.enter();
  }

  get online() {
    return this.client.inWorld;
  }

  get area() {
    return this.client.area?.name;
  }

  get place() {
    const { x, z } = this.client.me;
    return { x, z };
  }

  get health() {
    return this.client.me.hp;
  }

  #find(name) {
    return [...this.client.actors.values()].find((a) => a.name === name);
  }

  /** Where this player sees somebody, in world units; undefined if not at all. */
  sees(name) {
    const a = this.#find(name);
    return a && { x: a.x, z: a.z };
  }

  seesHealth(name) {
    const a = this.#find(name);
    return a && a.hp / a.healthMax;
  }

  /** Was somebody seen without health since a mark? He may live again by now. */
  sawDead(name, mark) {
    return this.client.all((m) => m.type === type.statUpdate && m.value === 0 && this.#isHealth(m), mark).some((m) => this.#name(m.rid) === name);
  }

  /** Was this player without health since a mark? */
  died(mark) {
    return this.sawDead(this.name, mark);
  }

  #isHealth(m) {
    return m.sub === 'A' && m.attribute === this.client.healthStat;
  }

  /** How many claims may have reached the server while this player was on the way from one area to another, in all. */
  get strays() {
    const { history, rid } = this.client;
    let heard = 0; // when the server last had him in an area
    let n = 0;
    for (const m of history) {
      if (m.type === type.standardUpdate && m.rid === rid) heard = m.t;
      if (m.type === type.changeArea && heard > 0) n += 2 + Math.ceil((m.t - heard) / CLAIM_MS);
    }
    return n;
  }

  /** Whom this player rides, as his own updates have it. */
  get mount() {
    const own = this.client.history.findLast((m) => m.type === type.standardUpdate && m.rid === this.client.rid);
    return this.client.actors.get(own?.mount)?.name;
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
    return this.client.all(type.jump, mark).some((m) => this.#name(m.rid) === name);
  }

  /** Swaps what is in two slots of the inventory. */
  swap(from, to) {
    this.client.send(encode.swap(this.client.rid, from, to));
  }

  shots(mark) {
    return this.client.all(type.projectile, mark).map((m) => ({ by: this.#name(m.source), on: this.#name(m.target) }));
  }

  sawFall(name, mark) {
    return this.client.all(type.actorDead, mark).some((m) => this.#name(m.rid) === name);
  }

  gained(mark) {
    return this.client.all((m) => m.type === type.xpUpdate && m.sub === 'M', mark).reduce((sum, m) => sum + m.gained, 0);
  }

  /** Also of those who are dead or gone. */
  #name(rid) {
    if (rid === this.client.rid) return this.name;
    return this.client.history.findLast((m) => m.type === type.newActor && m.rid === rid)?.name;
  }

  /** What tells one of that name from another. */
  which(name) {
    return this.#find(name)?.rid;
  }

  /** Watches where somebody is seen; the function that it returns ends that, and gives the places in order. */
  follow(name) {
    const rid = this.#find(name).rid;
    const from = this.client.mark();
    const began = performance.now() - clock(); // of the client's own time
    return () => this.client.all((m) => m.type === type.standardUpdate && m.rid === rid, from).map(({ x, z, t }) => ({ x, z, t: t + began }));
  }

  mark() {
    return this.client.mark();
  }

  say(text) {
    this.client.say(text);
  }

  heard(name, text, mark) {
    return this.client.all((m) => m.type === type.chat && m.text?.includes(text) && m.text.includes(name), mark).length;
  }

  /**
   * Walks as clients do, who claim where they are by their own clock. Who claims what the server said last is led back again
   * and again on a busy machine, where that is long past.
   */
  async walk(to, { within = 0.5, ms = WALK_MS, done = () => false } = {}) {
    const c = this.client;
    const at = { x: c.me.x, z: c.me.z };
    let last = performance.now();
    c.pilot = () => {
      if (distance(at, c.me) > ASTRAY) Object.assign(at, { x: c.me.x, z: c.me.z });
      const now = performance.now();
      const part = Math.min(1, (PACE * (now - last)) / Math.max(distance(at, to), 0.001));
      last = now;
      at.x += (to.x - at.x) * part;
      at.z += (to.z - at.z) * part;
      return { x: at.x, z: at.z, destX: to.x, destZ: to.z, running: 0 };
    };
    const ok = await c.until(() => done() || distance(c.me, to) <= within, ms);
    c.pilot = null;
    return ok;
  }

  /** Claims to be further and further toward a place, whatever the server says. */
  async push(to, ms) {
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

  /** Strikes at somebody until done, and goes after him, or shoots from where he stands. */
  async fight(name, done, ms = WALK_MS, { follow = true } = {}) {
    const c = this.client;
    const timer = setInterval(() => {
      const a = this.#find(name);
      if (a && c.inWorld) c.send(encode.attack(a.rid));
    }, ATTACK_MS);
    const after = () => {
      const a = this.#find(name);
      return a && { x: c.me.x, z: c.me.z, destX: a.x, destZ: a.z, running: 0 };
    };
    c.pilot = follow ? after : null;
    const ok = await c.until(done, ms);
    clearInterval(timer);
    c.pilot = null;
    return ok;
  }

  /** Blows that this client was shown since a mark: {by, on, damage}, in names; damage only of its own. */
  blows(mark) {
    const name = (rid) => this.#name(rid);
    return this.client.all(type.attack, mark).map((m) => {
      if (m.sub === 'H') return { by: this.name, on: name(m.rid), damage: m.damage };
      if (m.sub === 'Y') return { by: name(m.rid), on: this.name, damage: m.damage };
      return { by: name(m.attacker), on: name(m.victim) };
    });
  }

  wake() {}

  until(ok, what, ms = WAIT_MS) {
    return this.client.until(ok, ms).then((v) => must(v, `${this.name} waits for ${what} after ${ms} ms`));
  }

  /** Where somebody who stands on a tile is to be seen. */
  expects(other) {
    return other.door === 'rs' ? fromTile(other.area, other.tile) : other.place;
  }

  violations() {
    return this.client.allViolations();
  }

  async close() {
    await this.client.disconnect();
  }
}
