// A client's state of vehicles: requests to mount and to leave, links between riders and vehicles, and packets about the
// vehicle that the player drives.
import { array, eyes, leaveVehicle, useEntity } from './packets.mjs';
import { fromWire, kinds, onWire, standsOnGround, vehicleAt } from './riding.mjs';

const f = Math.fround;
const FREE = 0; // types of links
const DRIVER = 1;
const MOVEMENT = 'minecraft:movement';
const JUMP_STRENGTH = 'minecraft:horse.jump_strength';

/** The vehicle kind of an actor; undefined if the actor is not a vehicle. */
export const kindOf = ({ type = '' }) => (kinds[type.replace('minecraft:', '')] ? type.replace('minecraft:', '') : undefined);

export class Mounts {
  constructor(bot) {
    this.bot = bot;
    this.links = []; // received links: {type, ridden, rider, at: own tick on arrival}
    this.ridden = undefined; // actor that the player rides
    this.ownMoves = []; // names of packets that moved the vehicle while the player drove it
  }

  listen(client) {
    client.on('set_entity_link', ({ link }) => this.#link(link));
    for (const name of ['move_entity', 'move_entity_delta', 'set_entity_motion']) {
      client.on(name, (p) => this.drives(p.runtime_entity_id) && this.ownMoves.push(name));
    }
  }

  /** Clicks on an actor to mount it. */
  request(actor) {
    const { bot } = this;
    bot.post('inventory_transaction', useEntity(actor.runtimeId, eyes(bot.pos)));
  }

  /** Leaves the vehicle and stands at a position at once, without waiting for the server, as clients do. */
  leave(at) {
    const { bot, ridden } = this;
    bot.post('interact', leaveVehicle(ridden.runtimeId, at));
    this.#letGo();
    this.#now((s) => standAt(s, at));
  }

  /** Leaves the vehicle. If this client drives, it leaves the vehicle where it has predicted it: the server does not send its position. */
  #letGo() {
    const { vehicle } = this.bot.state;
    if (vehicle) Object.assign(this.ridden, { pos: onWire(vehicle), yaw: vehicle.yaw });
    this.ridden = undefined;
  }

  /** The links that arrived since the index mark for a rider, given by its unique id. */
  since(mark, rider = this.bot.uniqueId) {
    return this.links.slice(mark).filter((l) => l.rider === BigInt(rider));
  }

  /** The vehicle of another player. */
  riddenBy(name) {
    const { others } = this.bot;
    const link = this.links.findLast((l) => l.rider === others.find(name)?.uniqueId);
    return link?.type > FREE ? [...others.near.values()].find((a) => a.uniqueId === link.ridden) : undefined;
  }

  #link({ ridden_entity_id: ridden, rider_entity_id: rider, type }) {
    const { bot } = this;
    this.links.push({ type, ridden: BigInt(ridden), rider: BigInt(rider), at: bot.tick });
    if (BigInt(rider) !== BigInt(bot.uniqueId)) return;
    const actor = [...bot.others.near.values()].find((a) => a.uniqueId === BigInt(ridden));
    if (type === FREE || !actor) {
      if (!this.ridden) return;
      this.#letGo();
      this.#now((s) => standAt(s, s.pos));
      return;
    }
    this.ridden = actor;
    this.#now((s) => {
      s.vehicle = type === DRIVER ? this.#vehicle(actor) : null;
      s.carrier = type === DRIVER ? null : actor;
      s.sprinting = s.sneaking = false;
    });
  }

  /** The state of a vehicle as the server has last sent it. */
  #vehicle(actor) {
    const kind = kindOf(actor);
    const told = (name) => f(actor.told.get(name)?.value ?? 0);
    const pos = fromWire(kind, actor.pos);
    return vehicleAt(kind, pos, actor.yaw, {
      movement: told(MOVEMENT), jumpStrength: told(JUMP_STRENGTH), canPowerJump: Boolean(actor.flags?.can_power_jump),
      onGround: standsOnGround(kind, pos, this.bot.world),
    });
  }

  /** Applies a change to the state after the present tick, and records it, so that a later replay applies it again. */
  #now(change) {
    const { rewind } = this.bot;
    rewind.file(rewind.tick, change);
    rewind.replay();
  }

  /** Whether a packet is about the vehicle that the player drives. */
  drives(runtimeId) {
    return Boolean(this.bot.state?.vehicle) && this.ridden?.runtimeId === runtimeId;
  }
}

/** Moves a player that was riding to a position, standing at rest. */
function standAt(s, at) {
  s.vehicle = s.carrier = null;
  s.pos = at.map(f);
  s.vel = [0, f(-0.0784), 0];
  s.onGround = true;
  s.jumpDelay = 0;
}

/** Replaces the vehicle's state by the state in a correction. */
export function correctVehicle(s, p) {
  const v = s.vehicle;
  if (!v) return;
  v.pos = fromWire(v.kind, array(p.position));
  v.vel = array(p.delta).map(f);
  v.yaw = f(p.rotation.z);
  if (p.angular_velocity !== undefined && p.angular_velocity !== null) v.angular = f(p.angular_velocity);
  v.onGround = p.on_ground;
}

/** Applies an attributes packet to the vehicle. */
export function vehicleAttributes(s, p) {
  for (const { name, current } of s.vehicle ? p.attributes : []) {
    if (name === MOVEMENT) s.vehicle.movement = f(current);
    if (name === JUMP_STRENGTH) s.vehicle.jumpStrength = f(current);
  }
}
