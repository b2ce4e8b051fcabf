// One RuneScape player: socket, login, packets in both directions, and the client's state of the world.
import net from 'node:net';
import { Reader, Violation } from './bytes.mjs';
import { Isaac } from './crypto.mjs';
import { FrameReader, clientFrame } from './framing.mjs';
import { PLACEMENT_BYTES, View } from './info.mjs';
import { ANSWER, loginRequest, newKeys, readRebuild, readWelcome, seeds } from './login.mjs';
import { readPacket, say } from './packets.mjs';
import { S, serverSizes } from './tables.mjs';

const WAIT_MS = 30000; // limit of every wait, for a busy machine
const LOGIN_MS = 60000; // the server hashes passwords one after the other
const KEEP_ALIVE_MS = 1000;
const MAX_LINES = 200; // maximum number of chat lines that are retained

export const clock = () => performance.now();

/** Fields of the client after login() or reconnect():
 *  view (info.mjs), welcome, map, energy, run (of varp 173), life, options, lines [{kind, text, name, index, t}],
 *  closed (why the connection ended, "" while it is open), loggedOut, violations, packets (counts by opcode). */
export class Client {
  /** o: {host, port, key, user, password, onCycle(client, changes), record} */
  constructor(o) {
    Object.assign(this, { host: '127.0.0.1', onCycle: () => {} }, o);
    this.name = this.user;
    this.violations = [];
    this.sessions = []; // for each login: the packets and the client's state after each, for the comparison with the server's records
    this.waiters = new Set();
    this.lines = [];
    this.packets = new Map();
    this.options = {};
    this.life = undefined;
  }

  // ------------------------------------------------------------------------------------------------- connection

  #connect() {
    this.closed = '';
    this.loggedOut = this.online = this.broken = false;
    this.#buf = Buffer.alloc(0);
    this.state = 'greeting';
    this.answer = undefined;
    const socket = (this.socket = net.connect({ host: this.host, port: this.port, noDelay: true }));
    socket.on('data', (b) => socket === this.socket && this.#data(b));
    socket.on('error', (e) => this.#ended(socket, e.code ?? e.message));
    socket.on('close', () => this.#ended(socket, 'closed'));
    return new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  }

  #buf;

  #ended(socket, why) {
    if (socket !== this.socket || this.closed) return;
    this.closed = why;
    this.online = false;
    clearInterval(this.alive);
    this.#wake();
  }

  /** Logs in; resolves with the answer's code. */
  async login(o = {}) {
    return this.#enter({ reconnect: false, ...o });
  }

  /** Reconnects to a session whose socket died; resolves with the answer's code. */
  async reconnect() {
    return this.#enter({ reconnect: true });
  }

  async #enter(o) {
    await this.#connect();
    this.keys = newKeys();
    const [out, inward] = seeds(this.keys);
    this.out = new Isaac(out);
    this.frames = new FrameReader(new Isaac(inward));
    this.request = loginRequest({ key: this.key, keys: this.keys, user: this.user, password: this.password, ...o });
    this.reconnecting = o.reconnect;
    this.socket.write(Buffer.from([14]));
    const code = await this.until(() => this.answer ?? (this.closed ? -1 : undefined), 'answer to the login', LOGIN_MS);
    if (code !== ANSWER.OK && code !== ANSWER.RECONNECTED) {
      this.socket.destroy();
      return code;
    }
    await this.until(() => this.view || this.closed, 'first map', LOGIN_MS);
    return code;
  }

  send([op, body]) {
    if (!this.online) throw new Error(`${this.user} is not online (${this.closed})`);
    this.socket.write(clientFrame(this.out, op, body));
  }

  #data(bytes) {
    if (this.broken) return;
    try {
      if (this.state === 'playing') {
        this.frames.feed(bytes);
        this.#play();
      } else {
        this.#buf = Buffer.concat([this.#buf, bytes]);
        this.#greet();
      }
    } catch (e) {
      this.broken = true;
      this.violate(e);
      this.socket.destroy();
    }
    this.#wake();
  }

  violate(e) {
    this.violations.push(`${this.user}, packet ${this.view?.cycle ?? 0}: ${e.message}`);
    if (!(e instanceof Violation) && process.env.E2E_STACK) console.error(e.stack);
  }

  // Handles the bytes before the first frame, and removes them from #buf.
  #greet() {
    const b = this.#buf;
    if (this.state === 'greeting' && b.length >= 1) {
      if (b[0] !== 0) {
        this.answer = b[0];
        this.state = 'refused';
        return;
      }
      this.#buf = b.subarray(1);
      this.state = 'asked';
      this.socket.write(this.request);
      return;
    }
    if (this.state === 'refused') throw new Violation(`${b.length - 1} bytes after a refusal`);
    if (this.state !== 'asked' || b.length < 1) return;
    if (b[0] === ANSWER.OK) this.#welcome(b);
    else if (b[0] === ANSWER.RECONNECTED) this.#reconnected(b);
    else {
      this.answer = b[0];
      this.state = 'refused';
    }
  }

  #welcome(b) {
    if (b.length < 2 || b.length < 2 + b[1]) return;
    this.welcome = readWelcome(b.subarray(2, 2 + b[1]));
    if (this.reconnecting) throw new Violation('a reconnect was answered as a login');
    this.index = this.welcome.index;
    this.old = undefined; // forget all appearances: after a login the client has none; only a reconnect retains them
    this.#playing(b.subarray(2 + b[1]));
  }

  #reconnected(b) {
    if (b.length < 3) return;
    const n = b.readUInt16BE(1);
    if (n !== PLACEMENT_BYTES) throw new Violation(`a reconnect answer of ${n} bytes`);
    if (b.length < 3 + n) return;
    this.#begin(Buffer.from(b.subarray(3, 3 + n)), this.old);
    this.#playing(b.subarray(3 + n));
  }

  #playing(rest) {
    this.answer = this.#buf[0];
    this.state = 'playing';
    this.online = true;
    this.alive = setInterval(() => this.online && this.send(say.stillHere()), KEEP_ALIVE_MS);
    this.send(say.window(2, 1024, 768));
    this.frames.feed(rest);
    this.#play();
  }

  // Starts a new set of tables, and a new session for the comparison.
  #begin(placement, known) {
    this.view = new View(this.index, placement, known);
    this.session = { placement, cycles: [], began: clock() };
    this.sessions.push(this.session);
  }

  #play() {
    for (let f = this.frames.next(); f; f = this.frames.next()) {
      this.packets.set(f.op, (this.packets.get(f.op) ?? 0) + 1);
      this.#packet(f.op, f.body);
      if (this.loggedOut) return;
    }
  }

  // ------------------------------------------------------------------------------------------------- packets

  #packet(op, body) {
    if (!this.view && serverSizes[op] !== -2) throw new Violation(`packet ${op} before the first map`);
    switch (op) {
      case S.REBUILD_NORMAL: return this.#rebuild(new Reader(body));
      case S.PLAYER_INFO: return this.#info(Buffer.from(body));
      case S.SEND_PING: return this.send(say.pong(Buffer.from(body)));
      case S.LOGOUT: case S.LOGOUT_FULL: return this.#logout();
      case S.SERVER_TICK_END: return undefined;
      default:
    }
    const p = readPacket(op, body);
    if (p === undefined) throw new Violation(`packet ${op} is not used by this world`);
    this.#store(op, p);
    return undefined;
  }

  #store(op, p) {
    switch (op) {
      case S.SET_PLAYER_OP: this.options[p.slot] = p.text; break;
      case S.UPDATE_RUNENERGY: this.energy = p.percent; break;
      case S.VARP_SMALL: if (p.id === 173) this.run = p.value; break;
      case S.VARBIT_LARGE: if (p.id === 7198) this.life = p.value; break;
      case S.IF_OPENTOP: this.top = p.iface; break;
      case S.UPDATE_STAT: (this.stats ??= {})[p.skill] = p.level; break;
      case S.SET_MAP_FLAG: this.flags = (this.flags ?? 0) + 1; break;
      case S.REDUCE_ATTACK_PRIORITY: this.reduced = p.value; break;
      case S.MESSAGE_GAME: this.#line({ kind: 'game', text: p.text }); break;
      case S.MESSAGE_PUBLIC: this.#public(p); break;
      default:
    }
  }

  #public(p) {
    if (!this.view.isLocal(p.index)) throw new Violation(`MESSAGE_PUBLIC of ${p.index}, which is not in view`);
    if (!this.view.appearances[p.index]) throw new Violation(`MESSAGE_PUBLIC of ${p.index}, which has no appearance yet`);
    this.#line({ kind: 'public', text: p.text, index: p.index, name: this.view.name(p.index) });
  }

  #line(l) {
    this.lines.push({ ...l, t: clock() });
    if (this.lines.length > MAX_LINES) this.lines.shift();
  }

  // The first REBUILD_NORMAL contains the placement of all players, later ones only the map.
  #rebuild(r) {
    if (!this.view || this.state !== 'playing' || !this.session) {
      this.#begin(Buffer.from(r.bytes(PLACEMENT_BYTES)));
    }
    this.map = readRebuild(r);
    this.maps = (this.maps ?? 0) + 1;
    this.send(say.mapBuilt());
  }

  #info(payload) {
    const changes = this.view.apply(payload);
    const { local, low } = this.view.snapshot();
    const t = clock();
    this.session.cycles.push({ payload, local, low, t });
    this.changes = changes;
    for (const [i] of changes) {
      if (this.view.isLocal(i) && !this.view.appearances[i]) throw new Violation(`${i} is in view without an appearance`);
    }
    this.#checkInMap();
    this.onCycle(this, changes, t);
    for (const w of this.watchers ?? []) w(changes, t);
  }

  // Fails if the player is outside the loaded map, where clients do not draw it, or so near its edge (15 tiles) that the view is cut off.
  #checkInMap() {
    if (!this.map) return;
    const { x, z } = this.view.tile();
    const dx = x - this.map.baseX;
    const dz = z - this.map.baseZ;
    if (Math.min(dx, dz, this.map.size - 1 - dx, this.map.size - 1 - dz) < 15) {
      throw new Violation(`at ${x},${z}, too close to the edge of the map from ${this.map.baseX},${this.map.baseZ}`);
    }
  }

  #logout() {
    this.loggedOut = true;
    this.online = false;
    clearInterval(this.alive);
    this.socket.end();
  }

  // ------------------------------------------------------------------------------------------------- for tests

  /** Resets the socket without a logout. Appearances are kept for a reconnect. */
  kill() {
    this.old = this.view;
    this.view = undefined;
    this.session = undefined;
    this.broken = true;
    this.online = false;
    clearInterval(this.alive);
    this.socket.resetAndDestroy();
    this.closed = 'killed';
  }

  /** Drops the state of the last login before a new one. */
  forget() {
    this.view = this.session = this.map = this.old = undefined;
    this.options = {};
  }

  logout() {
    this.send(say.button(182, 13));
    return this.until(() => this.closed, 'end of the connection', 5000);
  }

  get tile() {
    return this.view.tile();
  }

  /**
   * Resolves with the value of cond() once it is truthy; cond is called after each input. Rejects after a time limit with an
   * error that names what.
   */
  until(cond, what, least = WAIT_MS) {
    const ms = Math.max(least, WAIT_MS);
    return new Promise((resolve, reject) => {
      const w = { cond, done: (v) => { clearTimeout(timer); this.waiters.delete(w); resolve(v); } };
      const timer = setTimeout(() => {
        this.waiters.delete(w);
        const why = [this.closed, ...this.violations.slice(0, 1)].filter(Boolean).join('; ');
        reject(new Error(`${this.user}: ${what} did not come within ${ms} ms${why && ` (${why})`}`));
      }, ms);
      this.waiters.add(w);
      this.#wake();
    });
  }

  #wake() {
    for (const w of [...this.waiters]) {
      const v = w.cond();
      if (v) w.done(v);
    }
  }

  /** The changes of each of the next n cycles, as {changes, tile, t}. */
  async cycles(n, ms = n * 600 + WAIT_MS) {
    const seen = [];
    const stop = this.watch((changes, t) => seen.push({ changes, tile: this.view.tile(), t }));
    try {
      await this.until(() => seen.length >= n, `${n} cycles`, ms);
    } finally {
      stop();
    }
    return seen.slice(0, n);
  }

  /** Calls fn with the changes of every cycle until the returned function is called. */
  watch(fn) {
    (this.watchers ??= new Set()).add(fn);
    return () => this.watchers.delete(fn);
  }

  /** Resolves with the first truthy value that fn returns for the changes of a cycle. */
  async when(fn, what, ms = WAIT_MS) {
    let got;
    const stop = this.watch((changes, t) => (got ??= fn(changes, t) || undefined));
    try {
      return await this.until(() => got, what, ms);
    } finally {
      stop();
    }
  }

  at(x, z) {
    return this.view && this.tile.x === x && this.tile.z === z;
  }
}
