// One player: the npm client's connection and packets, our own history and physics on top.
import { createRequire } from 'node:module';
import { sleep } from '../lib/wait.mjs';
import { Chunks } from './chunks.mjs';
import { Carriers } from './carriers.mjs';
import { Others } from './others.mjs';
import { atRest, EYES } from './physics.mjs';
import { array, attack, authInput, chat, eyes, feet, respawn } from './packets.mjs';
import { Rewind } from './rewind.mjs';

const load = createRequire(import.meta.url);
compileOnce(load('bedrock-protocol/src/transforms/serializer'));
const { createClient } = load('bedrock-protocol'); // after that

const FRAME_MS = 50;
// Bounds of what a busy machine may take. What works is waited for much shorter, so they cost nothing.
const CONNECT_MS = 30000;
const JOIN_MS = 60000;
const WAIT_MS = 20000;
const f = Math.fround;

// The package compiles all packets anew for each client, twice. That takes a third of a second, in which nobody else in
// this process plays, and many times that on a busy machine.
function compileOnce(codec) {
  for (const name of ['createSerializer', 'createDeserializer']) {
    const [create, made] = [codec[name], new Map()];
    codec[name] = (version) => {
      if (!made.has(version)) made.set(version, create(version));
      const { constructor: Stream, proto } = made.get(version);
      return new Stream(proto, 'mcpe_packet');
    };
  }
}

/** Errors of a client that is closed already must not end the process. */
const quiet = (client) => client.on('error', () => {});

// The native RakNet frees what a second close uses, and what its thread uses when nobody holds it any more. The package
// closes twice; so we hold everything, and let only the first close through.
const held = [];
function closeOnce({ connection }) {
  const raknet = connection?.raknet;
  if (!raknet) return;
  held.push(raknet);
  const close = raknet.close.bind(raknet);
  let closed = false;
  raknet.close = (...args) => {
    if (!closed) close(...args);
    closed = true;
  };
}

// The package reads what came only after the function that it came in, and by then it has heard that the connection is
// at its end, if that came at once with the last words, and has forgotten all listeners. So the end waits for them.
function lastWordsFirst({ connection }) {
  const raknet = connection?.raknet;
  if (!raknet?.emit) return;
  const emit = raknet.emit.bind(raknet);
  raknet.emit = (name, ...args) => (name === 'disconnect' ? Boolean(setImmediate(emit, name, ...args)) : emit(name, ...args));
}

export class Bot {
  /** o: {port, name, version, backend, up, down}: up and down are frames by which packets are held back. */
  constructor({ port, name, version = '1.26.45', backend = 'raknet-native', up = 0, down = 0, host = '127.0.0.1' }) {
    Object.assign(this, { host, port, name, version, backend, up, down });
    this.world = new Chunks();
    this.others = new Others();
    this.violations = []; // what could not be read
    this.texts = [];
    this.events = []; // entity_event, animate
    this.attributes = new Map(); // name: current, of ourselves
    this.sent = new Map(); // tick: {at, state, flags}
    this.statuses = [];
    this.packets = new Map(); // name: how many came
    this.hands = { move: [0, 0], yaw: 0, pitch: 0 };
    this.pressed = new Set();
    this.sneakKey = false;
    this.outbox = [];
    this.waiting = new Set();
  }

  /** Connects. Resolves when the server spawned us and sent the ground below; rejects when it refuses. */
  async join(ms = JOIN_MS) {
    this.connect();
    await this.until(() => this.spawned && this.grounded, 'to spawn', ms);
    return this;
  }

  connect({ protocol } = {}) {
    const { host, port, name, version, backend } = this;
    this.client = createClient({
      host, port, version, username: name, offline: true, skipPing: true, raknetBackend: backend, useRaknetWorkers: false, conLog: null,
      connectTimeout: CONNECT_MS,
    });
    closeOnce(this.client);
    lastWordsFirst(this.client);
    if (protocol) this.client.options.protocolVersion = protocol;
    this.#listen();
    return this;
  }

  #listen() {
    const { client } = this;
    client.on('error', (e) => this.violations.push(e.message));
    client.on('close', () => {
      this.closed ??= 'closed';
      this.stop();
      setImmediate(quiet, client); // the client forgets all listeners when it closes
      this.#wake();
    });
    client.on('kick', (p) => (this.closed = this.kicked = p));
    client.on('join', () => client.removeAllListeners('network_stack_latency'));
    client.on('packet', ({ data, fullBuffer, metadata }) => {
      this.packets.set(data.name, (this.packets.get(data.name) ?? 0) + 1);
      if (metadata.size !== fullBuffer.length) this.violations.push(`${data.name}: ${fullBuffer.length - metadata.size} bytes left`);
      setImmediate(() => this.#wake());
    });
    client.on('play_status', ({ status }) => this.statuses.push(status));
    client.on('start_game', (p) => this.#start(p));
    client.on('spawn', () => (this.spawned = true));
    client.on('level_chunk', (p) => this.world.take(p));
    client.on('text', (p) => this.texts.push(p));
    client.on('respawn', (p) => (this.respawnSeen = p));
    client.on('packet_violation_warning', (p) => this.violations.push(JSON.stringify(p)));
    for (const name of ['entity_event', 'animate', 'death_info']) client.on(name, (p) => this.events.push({ name, ...p }));
    this.others.listen(client);
  }

  #start(p) {
    this.game = p;
    this.runtimeId = p.runtime_entity_id;
    this.uniqueId = p.entity_id;
    this.others.self = p.runtime_entity_id;
    const state = atRest(feet(array(p.player_position)));
    this.hands.yaw = p.rotation.z;
    this.rewind = new Rewind({ state, world: this.world, tick: this.firstTick ?? 100, size: p.rewind_history_size });
    this.carriers = new Carriers(this);
    this.carriers.listen(this.client);
  }

  get grounded() {
    return this.world.has(this.state.pos[0], this.state.pos[2]);
  }

  get state() {
    return this.rewind.state;
  }

  get tick() {
    return this.rewind.tick;
  }

  get pos() {
    return this.state.pos;
  }

  get online() {
    return Boolean(this.spawned) && !this.closed;
  }

  /** Plays a frame every 50 ms, or every ms, with its drift corrected. */
  run(ms = FRAME_MS) {
    this.stop();
    let next = performance.now();
    const beat = () => {
      next += ms;
      if (performance.now() - next > 20 * ms) next = performance.now(); // the machine slept
      this.frame();
      this.timer = setTimeout(beat, Math.max(0, next - performance.now()));
    };
    beat();
    return this;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** One frame: news that is due, the input, the step, and what is due to be sent. */
  frame() {
    if (this.closed) return;
    const n = this.rewind.tick + 1;
    this.carriers.deliver(n);
    const input = this.#input(n);
    const { tick, state } = this.rewind.advance(input);
    this.#send(tick, state, input);
    this.flush(n);
    this.onFrame?.(tick, state);
    this.#wake();
  }

  /** What the player does in tick n: script's word if there is a script, else where hands and keys are. */
  #input(n) {
    const { move, yaw, pitch = 0, flags = [] } = this.script?.(n) ?? { ...this.hands, flags: [...this.pressed] };
    if (!this.script) this.pressed.clear();
    const set = new Set(flags);
    if (move[1] <= 0 && (this.state.sprinting || set.has('start_sprinting'))) set.add('stop_sprinting'); // as clients do
    if (move[1] > 0) set.add('up');
    if (move[1] < 0) set.add('down');
    if (set.has('start_sneaking')) this.sneakKey = true;
    if (set.has('stop_sneaking')) this.sneakKey = false;
    if (this.sneakKey) set.add('sneak_down');
    if (set.has('jumping')) set.add('jump_down');
    if (this.carriers.teleported && !this.deaf) set.add('handled_teleport');
    return { move: move.map(f), yaw: f(yaw ?? this.hands.yaw), pitch, flags: set };
  }

  #send(tick, state, input) {
    const flags = new Set(input.flags);
    if (state.sneaking) flags.add('sneaking');
    if (state.sprinting) flags.add('sprinting');
    if (state.onGround) flags.add('vertical_collision');
    if (state.collided[0] || state.collided[2]) flags.add('horizontal_collision');
    if (flags.has('handled_teleport')) this.carriers.teleported = false;
    const at = [state.pos[0], f(state.pos[1] + EYES), state.pos[2]];
    const packet = authInput({ tick, at, delta: state.vel, move: input.move, yaw: input.yaw, pitch: input.pitch, flags });
    this.sent.set(tick, { at, state, flags, packet });
    this.sent.delete(tick - 2000);
    const told = this.tamper ? this.tamper(packet, tick) : packet; // one packet, several, or none
    for (const p of [told ?? []].flat()) this.post('player_auth_input', p);
  }

  /** Sends a packet, after the delay. Those of one frame leave in one batch. */
  post(name, params) {
    this.outbox.push({ due: this.rewind.tick + this.up, name, params });
  }

  flush(n) {
    while (this.outbox.length > 0 && this.outbox[0].due <= n) {
      const { name, params } = this.outbox.shift();
      this.client.queue(name, params);
    }
    if (!this.hoarding) this.client._tick();
  }

  /** What is done from now on is sent at once, in one batch, when release is called. */
  hoard() {
    this.hoarding = true;
    clearInterval(this.client.loop);
  }

  release() {
    this.hoarding = false;
    this.client._tick();
    this.client.startQueue();
  }

  /** Sets flags of the next input alone. */
  press(...flags) {
    for (const flag of flags) this.pressed.add(flag);
  }

  say(message) {
    this.client.write('text', chat(this.name, message));
  }

  attack(runtimeId) {
    this.post('inventory_transaction', attack(runtimeId, eyes(this.pos)));
  }

  wishToLive() {
    this.client.write('respawn', respawn(this.runtimeId, eyes(this.pos)));
  }

  /** Turns towards a point and walks until it is within reach of it, then stands. */
  async walkTo(x, z, { reach = 0.3, ms = 40000 } = {}) {
    const mine = (this.walking = {});
    const steer = () => {
      if (this.walking !== mine) return true;
      const [dx, dz] = [x - this.pos[0], z - this.pos[2]];
      const far = Math.hypot(dx, dz);
      this.hands.yaw = (Math.atan2(-dx, dz) * 180) / Math.PI;
      this.hands.move = [0, far > 1 ? 1 : Math.max(0.15, far)];
      if (far > 4 && !this.state.sprinting) this.press('start_sprinting');
      if (far < 3 && this.state.sprinting) this.press('stop_sprinting');
      return far <= reach;
    };
    try {
      await this.until(steer, `to walk to ${x}, ${z} from ${this.pos}`, ms);
    } finally {
      this.hands.move = [0, 0];
      if (this.state.sprinting) this.press('stop_sprinting');
    }
  }

  /** Ends a walk where it is. */
  abandon() {
    this.walking = undefined;
    this.hands.move = [0, 0];
  }

  async frames(n, ms = n * FRAME_MS * 5 + WAIT_MS) {
    const end = this.rewind.tick + n;
    await this.until(() => this.rewind.tick >= end, `${n} frames`, ms);
  }

  /** Resolves when ok() holds, which is asked after each packet and frame. */
  until(ok, what, ms = WAIT_MS) {
    if (ok()) return Promise.resolve();
    return new Promise((done, no) => {
      const one = () => {
        let fine;
        try {
          fine = ok();
        } catch (e) {
          end(() => no(e));
          return;
        }
        if (fine) end(done);
        else if (this.closed) end(() => no(new Error(`${this.name} waits for ${what}: ${this.ending()}`)));
      };
      const timer = setTimeout(() => end(() => no(new Error(`${this.name} waits for ${what} after ${ms} ms${this.clue()}`))), ms);
      const end = (fn) => {
        clearTimeout(timer);
        this.waiting.delete(one);
        fn();
      };
      this.waiting.add(one);
      if (this.closed) one();
    });
  }

  #wake() {
    for (const one of [...this.waiting]) one();
  }

  ending() {
    return this.kicked ? `kicked, ${this.kicked.reason}: ${this.kicked.message}` : `connection closed${this.clue()}`;
  }

  clue() {
    const last = this.violations.at(-1);
    return last ? ` (${last.split('\n')[0]})` : '';
  }

  /** Leaves as players do. */
  async close() {
    this.stop();
    this.closed ??= 'left';
    try {
      this.client?.close();
    } catch (e) {
      this.violations.push(`close: ${e.message}`);
    }
    await sleep(60); // the package waits 40 ms before it closes its socket
  }
}
