// One Bedrock player. Connection and packets are those of the npm client; prediction, history and physics are implemented in
// this folder.
import { createRequire } from 'node:module';
import { sleep, Turns } from '../lib/wait.mjs';
import { Chunks } from './chunks.mjs';
import { SelfPackets } from './self_packets.mjs';
import { Others } from './others.mjs';
import { Mounts } from './mounts.mjs';
import { atRest, predicted } from './physics.mjs';
import { skipHoles } from './raknet_native.mjs';
import { array, attack, authInput, chat, eyes, feet, releaseItem, respawn, useItem } from './packets.mjs';
import { Rewind } from './rewind.mjs';

const load = createRequire(import.meta.url);
compileOnce(load('bedrock-protocol/src/transforms/serializer'));
skipHoles(load('raknet-native').Client);
const { createClient } = load('bedrock-protocol'); // load it only now: compileOnce has patched the package

const FRAME_MS = 50;
// Time limits of waits, long enough for a busy machine. A wait ends as soon as its condition is met, so long limits do not make
// the test slower.
const CONNECT_MS = 30000;
const JOIN_MS = 60000;
const joins = new Turns(2); // all clients of a process share one thread, and the server disconnects clients whose login takes 10 s
const WAIT_MS = 60000; // limit for a busy machine; a wait ends as soon as its condition holds
const f = Math.fround;

// The compiled packets are cached by version. Without the cache, the package compiles all packets twice for each client, which
// blocks this process for a third of a second, and many times longer on a busy machine.
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

/** Errors of a closed client must not end the process. */
const ignoreErrors = (client) => client.on('error', () => {});

// The native RakNet crashes on a second close, and when it is garbage-collected while its thread runs. The package closes
// twice. So every connection is kept referenced, and only the first close is passed on.
const connections = [];
function closeOnce({ connection }) {
  const raknet = connection?.raknet;
  if (!raknet) return;
  connections.push(raknet);
  const close = raknet.close.bind(raknet);
  let closed = false;
  raknet.close = (...args) => {
    if (!closed) close(...args);
    closed = true;
  };
}

// The package parses a batch only after the event that delivered the batch. If the disconnect arrives in the same event, the
// package removes its listeners first, and the last packets are lost. So the disconnect is delayed until the batch has been
// parsed.
function delayDisconnect({ connection }) {
  const raknet = connection?.raknet;
  if (!raknet?.emit) return;
  const emit = raknet.emit.bind(raknet);
  raknet.emit = (name, ...args) => (name === 'disconnect' ? Boolean(setImmediate(emit, name, ...args)) : emit(name, ...args));
}

export class Bot {
  /** o: {port, name, version, backend, up, down}: up and down are the delays in frames of sent and received packets. */
  constructor({ port, name, version = '1.26.45', backend = 'raknet-native', up = 0, down = 0, host = '127.0.0.1' }) {
    Object.assign(this, { host, port, name, version, backend, up, down });
    this.world = new Chunks();
    this.others = new Others();
    this.mounts = new Mounts(this);
    this.violations = []; // errors, and packets that could not be read
    this.texts = [];
    this.events = []; // packets entity_event and animate
    this.attributes = new Map(); // attributes of this player: name -> current value
    this.sent = new Map(); // sent inputs: tick -> {at, state, flags, packet}
    this.statuses = [];
    this.packets = new Map(); // packet name -> number of received packets
    this.order = []; // names of the packets about death, teleports and riders, in order of arrival
    this.controls = { move: [0, 0], yaw: 0, pitch: 0 };
    this.pressed = new Set();
    this.sneakKey = false;
    this.outbox = [];
    this.waiting = new Set();
  }

  /** Connects. Resolves when the player has spawned and the chunk below it has arrived; rejects if the server refuses the login. */
  join(ms = JOIN_MS) {
    return joins.run(async () => {
      this.connect();
      await this.until(() => this.spawned && this.grounded, 'spawn', ms);
      return this;
    });
  }

  connect({ protocol } = {}) {
    const { host, port, name, version, backend } = this;
    this.client = createClient({
      host, port, version, username: name, offline: true, skipPing: true, raknetBackend: backend, useRaknetWorkers: false, conLog: null,
      connectTimeout: CONNECT_MS,
    });
    closeOnce(this.client);
    delayDisconnect(this.client);
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
      setImmediate(ignoreErrors, client); // the client removes all its listeners when it closes, so errors would be uncaught
      this.#checkWaiters();
    });
    client.on('kick', (p) => (this.closed = this.kicked = p));
    client.on('join', () => client.removeAllListeners('network_stack_latency'));
    client.on('packet', ({ data, fullBuffer, metadata }) => {
      this.packets.set(data.name, (this.packets.get(data.name) ?? 0) + 1);
      if (metadata.size !== fullBuffer.length) this.violations.push(`${data.name}: ${fullBuffer.length - metadata.size} trailing bytes`);
      setImmediate(() => this.#checkWaiters());
    });
    client.on('play_status', ({ status }) => this.statuses.push(status));
    client.on('start_game', (p) => this.#start(p));
    client.on('spawn', () => (this.spawned = true));
    client.on('level_chunk', (p) => this.world.addChunk(p));
    client.on('text', (p) => this.texts.push(p));
    client.on('respawn', (p) => (this.respawnSeen = p));
    client.on('packet_violation_warning', (p) => this.violations.push(JSON.stringify(p)));
    for (const name of ['entity_event', 'animate', 'death_info']) client.on(name, (p) => this.events.push({ name, ...p }));
    for (const name of ['set_entity_link', 'move_player', 'respawn', 'death_info']) client.on(name, () => this.order.push(name));
    this.others.listen(client);
    this.mounts.listen(client);
  }

  #start(p) {
    this.game = p;
    this.runtimeId = p.runtime_entity_id;
    this.uniqueId = p.entity_id;
    this.others.self = p.runtime_entity_id;
    const state = atRest(feet(array(p.player_position)));
    this.controls.yaw = p.rotation.z;
    this.rewind = new Rewind({ state, world: this.world, tick: this.firstTick ?? 100, size: p.rewind_history_size });
    this.selfPackets = new SelfPackets(this);
    this.selfPackets.listen(this.client);
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

  /**
   * Plays a frame every ms milliseconds, 50 by default, without drift. If waitsFor is set, frame n is played once waitsFor(n) is true.
   */
  run(ms = FRAME_MS) {
    this.stop();
    let next = performance.now();
    const tick = () => {
      if (this.waitsFor && !this.waitsFor(this.rewind.tick + 1)) { // no frame yet: the clock of the frames waits
        next = performance.now();
        this.timer = setTimeout(tick, 5);
        return;
      }
      next += ms;
      if (performance.now() - next > 20 * ms) next = performance.now(); // after a pause of the machine, skip the missed frames
      this.frame();
      this.timer = setTimeout(tick, Math.max(0, next - performance.now()));
    };
    tick();
    return this;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Plays one frame: handles the packets that are due, simulates the input of the tick, and sends the packets that are due. */
  frame() {
    if (this.closed) return;
    const n = this.rewind.tick + 1;
    this.selfPackets.deliver(n);
    const input = this.#input(n);
    const { tick, state } = this.rewind.advance(input);
    this.#send(tick, state, input);
    this.flush(n);
    this.onFrame?.(tick, state);
    this.#checkWaiters();
  }

  /** The input of tick n: script(n) if a script is set, otherwise the input of controls and pressed flags. */
  #input(n) {
    const { move, yaw, pitch = 0, flags = [], use } = this.script?.(n) ?? { ...this.controls, flags: [...this.pressed] };
    if (!this.script) this.pressed.clear();
    const set = new Set(flags);
    if (move[1] <= 0 && (this.state.sprinting || set.has('start_sprinting'))) set.add('stop_sprinting'); // as real clients do
    if (move[1] <= 0 && this.state.swimming) set.add('stop_swimming');
    if (move[1] > 0) set.add('up');
    if (move[1] < 0) set.add('down');
    if (set.has('start_sneaking')) this.sneakKey = true;
    if (set.has('stop_sneaking')) this.sneakKey = false;
    if (this.sneakKey) set.add('sneak_down');
    if (set.has('jumping')) set.add('jump_down');
    if (this.selfPackets.teleported && !this.ignoresTeleports) set.add('handled_teleport');
    if (use) set.add('start_using_item');
    return { move: move.map(f), yaw: f(yaw ?? this.controls.yaw), pitch, flags: set, use };
  }

  #send(tick, state, input) {
    const flags = new Set(input.flags);
    if (state.sneaking) flags.add('sneaking');
    if (state.sprinting) flags.add('sprinting');
    if (state.vehicle) flags.add('client_predicted_vehicle');
    else {
      if (state.onGround) flags.add('vertical_collision');
      if (state.collided[0] || state.collided[2]) flags.add('horizontal_collision');
    }
    if (flags.has('handled_teleport')) this.selfPackets.teleported = false;
    const { at, delta } = predicted(state);
    const vehicle = state.vehicle && { id: this.mounts.ridden.uniqueId, yaw: state.vehicle.yaw };
    const packet = authInput({ tick, at, delta, move: input.move, yaw: input.yaw, pitch: input.pitch, flags, vehicle });
    this.sent.set(tick, { at, state, flags, packet });
    this.sent.delete(tick - 2000);
    if (input.use !== undefined) this.post('inventory_transaction', (input.use ? useItem : releaseItem)(eyes(state.pos)));
    const altered = this.tamper ? this.tamper(packet, tick) : packet; // tamper returns one packet, several, or none
    for (const p of [altered ?? []].flat()) this.post('player_auth_input', p);
  }

  /** Sends a packet after the delay. Packets of one frame are sent in one batch. */
  post(name, params) {
    this.outbox.push({ due: this.rewind.tick + this.up, name, params });
  }

  flush(n) {
    while (this.outbox.length > 0 && this.outbox[0].due <= n) {
      const { name, params } = this.outbox.shift();
      this.client.queue(name, params);
    }
    if (!this.holding) this.client._tick();
  }

  /** Collects all packets from now on, until releaseOutput sends them in one batch. */
  holdOutput() {
    this.holding = true;
    clearInterval(this.client.loop);
  }

  releaseOutput() {
    this.holding = false;
    this.client._tick();
    this.client.startQueue();
  }

  /** Sets flags of the next input only. */
  press(...flags) {
    for (const flag of flags) this.pressed.add(flag);
  }

  say(message) {
    this.client.write('text', chat(this.name, message));
  }

  attack(runtimeId) {
    this.post('inventory_transaction', attack(runtimeId, eyes(this.pos)));
  }

  requestRespawn() {
    this.client.write('respawn', respawn(this.runtimeId, eyes(this.pos)));
  }

  /** Walks toward a point until the point is within reach blocks, then stands still. Rejects after ms. */
  async walkTo(x, z, { reach = 0.3, ms = 40000 } = {}) {
    const mine = (this.walking = {});
    const steer = () => {
      if (this.walking !== mine) return true;
      const [dx, dz] = [x - this.pos[0], z - this.pos[2]];
      const left = Math.hypot(dx, dz);
      this.controls.yaw = (Math.atan2(-dx, dz) * 180) / Math.PI;
      this.controls.move = [0, left > 1 ? 1 : Math.max(0.15, left)];
      if (left > 4 && !this.state.sprinting) this.press('start_sprinting');
      if (left < 3 && this.state.sprinting) this.press('stop_sprinting');
      return left <= reach;
    };
    try {
      await this.until(steer, `arrival at ${x}, ${z} from ${this.pos}`, ms);
    } finally {
      this.controls.move = [0, 0];
      if (this.state.sprinting) this.press('stop_sprinting');
    }
  }

  /** Ends a walk early. */
  stopWalking() {
    this.walking = undefined;
    this.controls.move = [0, 0];
  }

  async frames(n, ms = n * FRAME_MS * 5 + WAIT_MS) {
    const end = this.rewind.tick + n;
    await this.until(() => this.rewind.tick >= end, `${n} frames`, ms);
  }

  /** Resolves when ok() returns true; it is called after each packet and frame. Rejects after ms with an error that names what. */
  until(ok, what, ms = WAIT_MS) {
    if (ok()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const check = () => {
        let fine;
        try {
          fine = ok();
        } catch (e) {
          end(() => reject(e));
          return;
        }
        if (fine) end(resolve);
        else if (this.closed) end(() => reject(new Error(`${this.name}: no ${what}: ${this.closeReason()}`)));
      };
      const timer = setTimeout(() => end(() => reject(new Error(`${this.name}: no ${what} within ${ms} ms${this.lastViolation()}`))), ms);
      const end = (fn) => {
        clearTimeout(timer);
        this.waiting.delete(check);
        fn();
      };
      this.waiting.add(check);
      if (this.closed) check();
    });
  }

  #checkWaiters() {
    for (const check of [...this.waiting]) check();
  }

  closeReason() {
    return this.kicked ? `kicked, ${this.kicked.reason}: ${this.kicked.message}` : `connection closed${this.lastViolation()}`;
  }

  lastViolation() {
    const last = this.violations.at(-1);
    return last ? ` (${last.split('\n')[0]})` : '';
  }

  /** Simulates a client whose computer loses its network: nothing more is sent or received. Only for the backend jsp-raknet. */
  destroySocket() {
    const { raknet } = this.client.connection;
    this.stop();
    this.closed ??= 'lost';
    clearInterval(raknet.int);
    clearInterval(this.client.loop);
    raknet.socket.close();
  }

  /** Disconnects as a real client does. */
  async close() {
    this.stop();
    this.closed ??= 'left';
    try {
      this.client?.close();
    } catch (e) {
      this.violations.push(`close: ${e.message}`);
    }
    await sleep(60); // the raknet package closes its socket after 40 ms
  }
}
