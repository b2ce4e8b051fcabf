// A headless RealmCrafter client: one connection, one account, the state that a real client would show, and a timestamped
// record of every message. Messages that a real client would drop or misread are recorded in violations.
import { sleep } from '../lib/wait.mjs';
import { EnetSocket, clock } from './udp.mjs';
import { decode, encode, LayoutError, nameOf, type } from './wire.mjs';

const RELIABLE = 1;
const UNRELIABLE = 2;
const UPDATE_MS = 140;
const ATTACK_MS = 250;
const ACK_LIMIT = 15000; // ms
const WAIT_LIMIT = 15000; // ms, for a busy machine
const REPLY_LIMIT = 1000; // time limit of a reply in ms; the Rust client waits little longer

export const distance = (a, b) => Math.hypot(a.x - b.x, a.z - b.z);

export class Client {
  /**
   * @param {object} o
   * @param {string} o.label       for messages, "A"
   * @param {{user: string, password: string, email: string}} o.account
   * @param {object} [o.world]     healthStat; flies(templateId), gendered(templateId): facts from the client's own files
   * @param {number} [o.replyLimit] ms within which the server must answer before world entry
   * @param {() => number} [o.waited] ms that both sides have waited for a CPU so far, which do not count as the server's response time
   * @param {boolean} [o.sendAcks] acknowledge messages 9 and 49, which real clients do not
   * @param {(line: string) => void} [o.log]
   */
  constructor({ host, port, label, account, world = {}, replyLimit = REPLY_LIMIT, waited = () => 0, sendAcks = false, log = () => {} }) {
    Object.assign(this, { host, port, label, account, world, replyLimit, waited, sendAcks, log });
    this.healthStat = world.healthStat ?? 0;
    this.violations = [];
    this.replies = []; // response times before world entry in ms, without time waited for a CPU
    this.notes = new Map(); // unusual messages that every client reads right: text -> count
    this.history = [];
    this.waiters = new Set();
    this.inWorld = false;
    this.#clearWorld();
  }

  #clearWorld() {
    this.rid = 0;
    this.area = null; // area in which the client is: {handle, name, pvp, ...}
    this.actors = new Map(); // rid -> fields of the actor's NewActor message, updated by later messages
    this.me = { x: 0, y: 0, z: 0, destX: 0, destZ: 0, hp: NaN, echoes: 0 };
    this.pilot = null;
  }

  violation(what) {
    this.violations.push(`${this.label}: ${what}`);
    this.log(`${this.label} VIOLATION ${what}`);
  }

  note(what) {
    this.notes.set(what, (this.notes.get(what) ?? 0) + 1);
  }

  /** All violations, those of the transport included. */
  allViolations() {
    if (this.socket) this.#collectTransport();
    return this.violations;
  }

  #collectTransport() {
    for (const v of this.socket.peer.violations.splice(0)) this.violation(`enet: ${v.what} [${v.hex}]`);
  }

  // ---- connection -----------------------------------------------------------

  /** Resolves when connected; the announcement (type 0) shares the datagram with the ack of VERIFY_CONNECT. */
  async connect(timeout = this.#timeout(5000)) {
    this.history = [];
    this.connected = false;
    this.ended = null;
    await new Promise((done, failed) => {
      const timer = setTimeout(() => {
        this.socket.close();
        failed(new Error(`${this.label}: no ENet connection in ${timeout} ms`));
      }, timeout);
      const socket = new EnetSocket({
        host: this.host,
        port: this.port,
        onEvent: (e) => {
          if (this.socket !== socket) return; // an event of an older connection
          if (e.type === 'connect') {
            clearTimeout(timer);
            this.connected = true;
            this.send(encode.newClient());
            done();
          } else if (e.type === 'disconnect') {
            this.connected = false;
            this.#onEnd(e);
          } else {
            this.receive(e);
          }
        },
      });
      this.socket = socket;
    });
    this.updates = setInterval(() => this.#sendUpdate(), UPDATE_MS);
    return this;
  }

  #onEnd(e) {
    this.ended = { ...e, t: clock() };
    clearInterval(this.updates);
    this.inWorld = false;
    this.log(`${this.label} end by ${e.by} ${e.what ?? ''}`);
    for (const w of [...this.waiters]) w();
  }

  /** Disconnects gracefully. Resolves with the ms until the server's ack, -1 when none came within ACK_LIMIT. */
  async disconnect() {
    if (!this.connected) return 0;
    clearInterval(this.updates);
    this.pilot = null;
    this.#collectTransport();
    this.inWorld = false;
    const t = clock();
    this.socket.disconnect();
    while (!this.ended && clock() - t < ACK_LIMIT) await sleep(5);
    const took = this.ended ? clock() - t : -1;
    this.#collectTransport();
    this.connected = false;
    this.socket.close();
    this.#clearWorld();
    return took;
  }

  /** Closes the socket without a DISCONNECT, as a crashed client does. */
  abort() {
    clearInterval(this.updates);
    this.connected = false;
    this.inWorld = false;
    this.#collectTransport();
    this.socket?.close();
    this.#clearWorld();
  }

  /** Ends the checks of a connection without packet loss: all acks and sequence numbers must have arrived. */
  settle() {
    this.socket.peer.finish(clock());
    this.#collectTransport();
  }

  send(message, reliable = true) {
    if (!this.connected) return;
    this.log(`${clock()} ${this.label} > ${nameOf(message[0])} ${message.subarray(1, 65).toString('hex')}`);
    this.socket.send(reliable ? RELIABLE : UNRELIABLE, message, reliable);
  }

  // ---- incoming -------------------------------------------------------------

  /** Handles one message that ENet delivered. */
  receive({ channel, reliable, data }) {
    if (data.length === 0) return this.note('empty message');
    let m;
    try {
      m = decode(data, { self: this.rid || undefined, energy: this.world.energy, flies: (rid) => this.#flies(rid) });
    } catch (e) {
      if (!(e instanceof LayoutError)) throw e;
      return this.violation(`${e.message} [${data.subarray(0, 80).toString('hex')}]`);
    }
    m.t = clock();
    m.size = data.length - 1;
    m.reliable = reliable;
    if (m.raw) this.note(`${m.packet}: layout not in the wire document`);
    if (reliable ? channel !== RELIABLE : channel !== UNRELIABLE) this.violation(`${m.packet} ${reliable ? '' : 'un'}reliable on channel ${channel}`);
    if (reliable === (m.type === type.standardUpdate)) this.violation(`${m.packet} sent ${reliable ? '' : 'un'}reliable`);
    if (!this.inWorld && m.type > 5) this.violation(`${m.packet} before StartGame`);
    const { raw, ...shown } = m;
    this.log(`${m.t} ${this.label} < ${JSON.stringify(shown)}`);
    this.history.push(m);
    this.#apply(m);
    for (const w of [...this.waiters]) w();
  }

  #flies(rid) {
    const template = this.actors.get(rid)?.template;
    return template === undefined ? undefined : this.world.flies?.(template);
  }

  #apply(m) {
    switch (m.type) {
      case type.startGame: if (m.rid) this.#applyRid(m.rid); break;
      case type.changeArea: this.#applyArea(m); break;
      case type.newActor: this.#applyNewActor(m); break;
      case type.actorGone:
        if (!this.actors.delete(m.rid)) this.note(`ActorGone for ${m.rid === this.rid ? 'myself' : 'an actor never announced'}`);
        break;
      case type.standardUpdate: this.#applyUpdate(m); break;
      case type.statUpdate: this.#applyStat(m); break;
      case type.actorDead:
        if (m.rid === this.rid) this.violation('ActorDead names the recipient: its client would remove its own model');
        if (!this.actors.delete(m.rid)) this.note('ActorDead for an actor never announced');
        break;
      case type.reposition: this.#applyReposition(m); break;
      case type.fetchCharacter: if (m.sub === 'C1') this.#applySheet(m); break;
      case type.xpUpdate: if (m.sub === 'M') this.xpSinceSheet += m.gained; break;
    }
  }

  #applySheet(m) {
    this.sheet = m;
    this.xpSinceSheet = 0;
  }

  #applyRid(rid) {
    if (this.rid && this.rid !== rid) this.violation(`runtime id changed from ${this.rid} to ${rid}`);
    this.rid = rid;
    if (this.actors.delete(rid)) this.violation('NewActor for myself');
  }

  #applyArea(m) {
    if (this.area?.handle !== m.area) this.actors.clear();
    this.area = { handle: m.area, name: m.name, pvp: m.pvp === 1, gravity: m.gravity, weather: m.weather };
    Object.assign(this.me, { x: m.x, y: m.y, z: m.z, destX: m.x, destZ: m.z });
    if (this.claim) this.claim = { ...this.me };
    if (this.sendAcks) this.send(encode.changeAreaDone());
  }

  #applyNewActor(m) {
    if (!this.area) this.violation(`NewActor ${m.rid} before ChangeArea`);
    else if (m.area !== this.area.handle) this.violation(`NewActor ${m.rid} for area ${m.area}, the client is in ${this.area.handle} and drops it`);
    if (m.rid === this.rid) return this.violation('NewActor for myself');
    if (this.actors.has(m.rid)) this.note('NewActor for an actor already known');
    const gendered = this.world.gendered?.(m.template);
    if (gendered !== undefined && gendered !== (m.gender !== null)) this.violation(`NewActor ${m.rid}: gender byte ${m.gender === null ? 'missing' : 'present'} for template ${m.template}`);
    this.actors.set(m.rid, { ...m, hp: m.health, updates: 0 });
  }

  #applyUpdate(m) {
    if (m.rid === this.rid) {
      Object.assign(this.me, { x: m.x, z: m.z, destX: m.destX, destZ: m.destZ });
      this.me.echoes++;
      return;
    }
    const a = this.actors.get(m.rid);
    if (!a) return this.note('StandardUpdate for an actor not announced (yet)');
    Object.assign(a, { x: m.x, z: m.z, destX: m.destX, destZ: m.destZ, running: m.running, backward: m.backward });
    if (m.y !== undefined) a.y = m.y;
    a.updates++;
  }

  #applyStat(m) {
    if (m.sub !== 'A' || m.attribute !== this.healthStat) return;
    if (m.rid === this.rid) this.me.hp = m.value;
    else if (this.actors.has(m.rid)) this.actors.get(m.rid).hp = m.value;
  }

  #applyReposition(m) {
    if (m.sub !== 'M') return;
    const a = m.rid === this.rid ? this.me : this.actors.get(m.rid);
    if (a) Object.assign(a, { x: m.x, y: m.y, z: m.z });
    if (m.rid !== this.rid) return;
    if (this.claim) this.claim = { ...this.me };
    if (this.sendAcks) this.send(encode.repositionDone());
  }

  // ---- waiting --------------------------------------------------------------

  /** The current end of history; pass it as from to consider later messages only. */
  mark() {
    return this.history.length;
  }

  all(want, from = 0) {
    const test = typeof want === 'function' ? want : (m) => m.type === want;
    return this.history.slice(from).filter(test);
  }

  /** Resolves with the first matching message since from; null on timeout or when the connection ends. */
  waitFor(want, { from = this.mark(), timeout = WAIT_LIMIT } = {}) {
    const test = typeof want === 'function' ? want : (m) => m.type === want;
    let at = from;
    return this.until(() => {
      for (; at < this.history.length; at++) if (test(this.history[at])) return this.history[at];
      return null;
    }, timeout);
  }

  /** Resolves with the first truthy value of probe, checked after each message and every 50 ms; null on timeout. */
  until(probe, timeout) {
    return new Promise((done) => {
      const check = (last) => {
        const v = probe();
        if (!v && !last && !this.ended) return;
        this.waiters.delete(check);
        clearInterval(poll);
        clearTimeout(timer);
        done(v || null);
      };
      const poll = setInterval(check, 50, false);
      const timer = setTimeout(check, timeout, true);
      this.waiters.add(check);
      check(false);
    });
  }

  /** The timeout in ms of a request before world entry: at least least, and at least a finite replyLimit. */
  #timeout(least) {
    return Number.isFinite(this.replyLimit) ? Math.max(least, this.replyLimit) : least;
  }

  async #request(message, timeout = this.#timeout(3000)) {
    const [t, waited] = [clock(), this.waited()];
    const from = this.mark();
    this.send(message);
    const m = await this.waitFor((r) => r.type === message[0], { from, timeout });
    if (!m) throw new Error(`client ${this.label}: the server has not answered ${nameOf(message[0])} within ${timeout} ms`);
    const took = m.t - t;
    this.replies.push(Math.max(0, Math.round(took - Math.max(0, this.waited() - waited))));
    if (took > this.replyLimit) this.violation(`${m.packet} answered after ${took} ms`);
    return m;
  }

  // ---- account and character ------------------------------------------------

  async createAccount(account = this.account) {
    return (await this.#request(encode.createAccount(account))).status;
  }

  /** @returns {Promise<{status: string, characters?: object[]}>} */
  async verify(account = this.account) {
    return this.#request(encode.verifyAccount(account));
  }

  async tryCharacter(character) {
    return (await this.#request(encode.createCharacter(this.account, character))).status;
  }

  /** Tries actor ids 0..20 with three names each, as the Rust client does. Returns {actor, name} or null. */
  async createCharacter(base) {
    for (let actor = 0; actor <= 20; actor++) {
      for (const name of [base, `${base}1`, `${base}2`]) {
        const status = await this.tryCharacter({ actor, name });
        if (status === 'Y') return { actor, name };
        if (status === 'N') break;
      }
    }
    return null;
  }

  /** Returns the sheet (C1) with all messages of the stream in parts; null without the final F. */
  async fetchCharacter(slot = 0) {
    const from = this.mark();
    this.sheet = null;
    this.send(encode.fetchCharacter(this.account, slot));
    const last = await this.waitFor((m) => m.type === type.fetchCharacter && (m.sub === 'F' || m.sub === 'N'), { from, timeout: this.#timeout(3000) });
    if (last?.sub !== 'F' || !this.sheet) return null;
    return { ...this.sheet, parts: this.all(type.fetchCharacter, from) };
  }

  /** Enters the world: resolves with all messages up to the 13th StartGame, null when refused. */
  async startGame(slot = 0, timeout = this.#timeout(5000)) {
    const from = this.mark();
    this.inWorld = true;
    this.send(encode.startGame(this.account, slot));
    let count = 0;
    const last = await this.waitFor((m) => m.type === type.startGame && (m.status === 'N' || ++count === 13), { from, timeout });
    if (!last || last.status === 'N' || this.rid === 0) {
      this.inWorld = false;
      return null;
    }
    this.claim = null;
    this.me.hp = this.sheet?.value[this.healthStat] ?? NaN;
    return this.history.slice(from);
  }

  /** Enters the world: connect, verify, fetch, new connection, startGame (section 4 of the wire document). */
  async enter({ slot = 0, reconnect = true } = {}) {
    await this.connect();
    const { status } = await this.verify();
    if (status !== 'Y') throw new Error(`client ${this.label}: the login was answered with status ${status}, want Y`);
    if (!(await this.fetchCharacter(slot))) throw new Error(`client ${this.label}: the server sent no character sheet`);
    if (reconnect) {
      await this.disconnect();
      await sleep(300);
      await this.connect();
    }
    const burst = await this.startGame(slot);
    if (!burst) throw new Error(`client ${this.label}: StartGame was refused or incomplete (runtime id ${this.rid})`);
    return burst;
  }

  // ---- play -----------------------------------------------------------------

  #sendUpdate() {
    if (!this.pilot || !this.inWorld || this.rid === 0) return;
    const u = this.pilot();
    if (u) this.send(encode.standardUpdate({ y: this.me.y, running: 0, backward: 0, ...u }), false);
  }

  /** Sends one StandardUpdate now. */
  claimAt(u) {
    this.send(encode.standardUpdate({ y: this.me.y, destX: u.x, destZ: u.z, ...u }), false);
  }

  /** Claims steps of dx units in X with a destination 15 units ahead, as the Rust client's move_test does. */
  async walkSteps(steps, dx = 1.6, running = 1) {
    let left = steps;
    const at = { x: this.me.x, z: this.me.z };
    await new Promise((done) => {
      this.pilot = () => {
        if (left-- <= 0) {
          this.pilot = null;
          done();
          return null;
        }
        at.x += dx;
        return { x: at.x, z: at.z, destX: at.x + 15 * Math.sign(dx), destZ: at.z, running };
      };
      setTimeout(done, (steps + 5) * UPDATE_MS * 2);
    });
    return at;
  }

  /**
   * Walks to target or target() until the echo is within `within` units of it. Style "echo": claims the echoed position, so
   * that the server walks the player (combat_test). Style "claim": claims step units per update. Resolves with true on
   * arrival; done() ends the walk earlier.
   */
  async goTo(target, { within = 3, timeout = 60000, style = 'echo', step = 8, running = 1, done = () => false } = {}) {
    const where = () => (typeof target === 'function' ? target() : target);
    const mine = this.me;
    this.claim = { x: mine.x, y: mine.y, z: mine.z };
    const startY = mine.y;
    const first = where();
    const total = Math.max(1, first ? distance(mine, first) : 1);
    this.pilot = () => {
      const to = where();
      if (!to) return null;
      const left = distance(this.claim, to);
      if (to.y !== undefined) mine.y = startY + (to.y - startY) * Math.max(0, Math.min(1, 1 - left / total));
      if (style === 'echo') {
        Object.assign(this.claim, { x: mine.x, z: mine.z });
      } else if (distance(this.claim, mine) < 6 * step) { // stop claiming while the claim is too far ahead of the echo
        const part = Math.min(1, step / Math.max(left, 1e-6));
        this.claim.x += (to.x - this.claim.x) * part;
        this.claim.z += (to.z - this.claim.z) * part;
      }
      return { x: this.claim.x, z: this.claim.z, destX: to.x, destZ: to.z, y: mine.y, running };
    };
    const arrived = await this.until(() => done() || !where() || distance(mine, where()) <= within, timeout);
    this.pilot = null;
    this.claim = null;
    return Boolean(arrived);
  }

  /** Attacks rid every 250 ms until done() or timeout, following it when follow is set. */
  async fight(rid, { timeout = 30000, follow = true, done }) {
    if (follow) {
      this.pilot = () => {
        const a = this.actors.get(rid);
        if (!a) return null;
        return { x: this.me.x, z: this.me.z, destX: a.x, destZ: a.z, running: 0, y: this.me.y };
      };
    }
    const timer = setInterval(() => this.inWorld && this.send(encode.attack(rid)), ATTACK_MS);
    this.send(encode.attack(rid));
    const result = await this.until(done, timeout);
    clearInterval(timer);
    this.pilot = null;
    return result;
  }

  say(text) {
    this.send(encode.chat(text));
  }

  jump() {
    this.send(encode.jump());
  }

  /** Resolves after three more echoes. By then the server has handled all earlier claims. */
  async echoed() {
    const { echoes } = this.me;
    await this.until(() => this.me.echoes >= echoes + 3, WAIT_LIMIT);
  }

  /** The nearest other actor that matches. */
  nearest(matches = () => true) {
    return [...this.actors.values()].filter(matches).sort((a, b) => distance(a, this.me) - distance(b, this.me))[0];
  }
}
