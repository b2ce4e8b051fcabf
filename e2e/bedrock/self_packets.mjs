// Packets of the server about the player's own movement, and the frame in which each is handled (CL-2, CL-5).
import { correctVehicle, vehicleAttributes } from './mounts.mjs';
import { array, feet } from './packets.mjs';

const f = Math.fround;
const LATENCY = 'network_stack_latency';

export class SelfPackets {
  constructor(bot) {
    this.bot = bot;
    this.inbox = [];
    this.log = []; // packets about this player: {name, tick, about: the tick that the server sent, at: own tick on arrival, params}
    this.teleported = false;
  }

  listen(client) {
    client.on('correct_player_move_prediction', (p) => {
      this.#receive('correction', p.tick, p, (s) => (p.prediction_type === 'vehicle' ? correctVehicle : correct)(s, p));
    });
    client.on('move_player', (p) => {
      if (BigInt(p.runtime_id) === this.bot.runtimeId) this.#receive('teleport', p.tick, p, (s) => this.#teleport(s, p));
    });
    client.on('set_entity_data', (p) => this.#own(p) && this.#receive('data', p.tick, p, (s) => metadata(s, p)));
    client.on('update_attributes', (p) => {
      if (this.bot.mounts.drives(p.runtime_entity_id)) this.#receive('vehicle_attributes', p.tick, p, (s) => vehicleAttributes(s, p));
      if (!this.#own(p)) return;
      for (const { name, current } of p.attributes) this.bot.attributes.set(name, current);
      this.#receive('attributes', p.tick, p, (s) => attributes(s, p));
    });
    client.on('set_entity_motion', (p) => this.#own(p) && this.#receive('motion', p.tick, p, (s) => (s.vel = array(p.velocity).map(f))));
    client.on('mob_effect', (p) => this.#own(p) && this.#receive('effect', p.tick, p, (s) => effect(s, p)));
    client.on('movement_effect', (p) => BigInt(p.runtime_id) === this.bot.runtimeId && this.#receive('movement_effect', p.tick, p, (s) => boost(s, p)));
    client.on(LATENCY, (p) => p.needs_response && this.#receive(LATENCY, 0n, p, () => this.#echo(p)));
  }

  #own(p) {
    return p.runtime_entity_id === this.bot.runtimeId;
  }

  /**
   * Queues a received packet. If delays are set, it is handled in the frame of its tick plus both delays, as if the server had
   * answered in the frame in which it handled the input. Frames are thus exact, although the timing of sockets and of the server is
   * not: a check that expects a packet sets the bot's waitsFor, so that the frame that handles the packet waits for it.
   */
  #receive(name, tick, params, change) {
    const { bot } = this;
    const packet = { name, tick: Number(tick), about: Number(tick), at: bot.tick, params, change };
    const { up, down } = bot;
    let due = up + down === 0 ? 0 : packet.tick > 0 ? packet.tick + up + down : bot.tick + 1 + down;
    due = bot.holdUntil?.(packet) ?? due;
    packet.due = Math.max(due, this.inbox.at(-1)?.due ?? 0);
    this.log.push(packet);
    bot.onSelfPacket?.(packet);
    this.inbox.push(packet);
    if (up + down === 0 || !bot.timer) this.deliver(bot.tick + 1);
  }

  /** Handles packets that are due before frame n is played. */
  deliver(n) {
    while (this.inbox.length > 0 && this.inbox[0].due <= n) {
      const packet = this.inbox.shift();
      packet.handled = n;
      if (packet.name === LATENCY) packet.change();
      else if (!this.bot.ignores?.(packet)) packet.how = this.bot.rewind.file(packet.tick, packet.change);
      if (packet.name === 'teleport' && packet.params.mode === 'teleport') this.teleported = true;
    }
  }

  #echo({ timestamp }) {
    this.bot.post(LATENCY, { timestamp, needs_response: 0 });
    if (this.bot.up === 0) this.bot.flush(this.bot.tick);
  }

  #teleport(s, p) {
    s.pos = feet(array(p.position));
    s.vel = [0, 0, 0];
    s.onGround = p.on_ground;
    this.bot.controls.yaw = p.yaw;
  }

  /** The packets of a kind that arrived since the index mark of the log. */
  since(mark, name) {
    return this.log.slice(mark).filter((p) => p.name === name);
  }
}

function correct(s, p) {
  s.pos = feet(array(p.position));
  s.vel = array(p.delta).map(f);
  s.onGround = p.on_ground;
}

function metadata(s, p) {
  const flags = p.metadata.find(({ key }) => key === 'flags')?.value;
  if (!flags) return; // other metadata does not affect movement
  s.sneaking = Boolean(flags.sneaking);
  s.sprinting = Boolean(flags.sprinting);
  s.using = Boolean(flags.action);
  s.immobile = Boolean(flags.no_ai);
  s.swimming = Boolean(flags.swimming);
  s.gliding = Boolean(flags.gliding);
}

function attributes(s, p) {
  const told = (name) => p.attributes.find((a) => a.name === `minecraft:${name}`);
  if (told('underwater_movement')) s.underwater = f(told('underwater_movement').current);
  if (told('lava_movement')) s.lava = f(told('lava_movement').current);
  if (!told('movement')) return;
  s.speed = f(told('movement').current);
  if (!s.sprinting) s.base = s.speed;
}

const EFFECTS = { 8: 'jumpBoost', 24: 'levitation' };

function effect(s, p) {
  const level = p.event_id === 'remove' ? 0 : p.amplifier + 1;
  if (EFFECTS[p.effect_id]) s[EFFECTS[p.effect_id]] = level;
  if (p.effect_id === 27) s.slowFalling = level > 0;
}

/** Applies the thrust of a firework to a gliding player, for effect_duration ticks. */
function boost(s, { effect_duration: ticks }) {
  s.fireworks = ticks;
}
