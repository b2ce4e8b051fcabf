// A client's state of other actors: identity, position, equipment, flags.
import { array, feet } from './packets.mjs';

const value = (p, key) => p.metadata.find((m) => m.key === key)?.value;

export class Others {
  constructor() {
    this.near = new Map(); // actors in view: runtime id -> {name, type, uniqueId, pos, path: [[x, y, z]], flags}; positions are of the feet
    this.gone = [];
    this.listed = new Map(); // uuid: name
    this.unknownActorPackets = 0; // packets about actors that are not in view
    this.items = new Map(); // network id: name
    this.kinds = undefined; // entity identifiers that the server has listed
    this.links = [];
  }

  listen(client) {
    client.on('player_list', ({ records }) => this.#list(records));
    client.on('add_player', (p) => this.#add(p, { name: p.username, held: p.held_item.network_id }));
    client.on('add_entity', (p) => this.#add(p, { name: value(p, 'nametag'), type: p.entity_type, attributes: p.attributes }));
    client.on('item_registry', ({ itemstates }) => itemstates.forEach((i) => this.items.set(i.runtime_id, i.name)));
    client.on('available_entity_identifiers', ({ nbt }) => (this.kinds = nbt.value.idlist?.value.value.map((k) => k.id.value) ?? []));
    client.on('mob_equipment', (p) => this.#equip(p.runtime_entity_id, { [p.window_id === 'offhand' ? 'offHand' : 'held']: p.item.network_id }));
    client.on('mob_armor_equipment', (p) => this.#equip(p.runtime_entity_id, { helmet: p.helmet.network_id }));
    client.on('set_entity_link', ({ link }) => this.links.push(link));
    client.on('remove_entity', ({ entity_id_self: id }) => this.#remove(id));
    client.on('move_entity', (p) => {
      this.#move(p.runtime_entity_id, this.#feet(p.runtime_entity_id, array(p.position)));
      const actor = this.near.get(p.runtime_entity_id);
      if (actor) actor.yaw = p.rotation.head_yaw; // the package swaps the names of the other two angles
    });
    client.on('move_entity_delta', (p) => this.#moveByDelta(p));
    client.on('move_player', (p) => BigInt(p.runtime_id) !== this.self && this.#move(BigInt(p.runtime_id), feet(array(p.position))));
    client.on('set_entity_data', (p) => {
      const actor = this.near.get(p.runtime_entity_id);
      if (!actor) return;
      for (const { key, value: v } of p.metadata) actor.data.set(key, v);
      actor.flags = actor.data.get('flags');
    });
    client.on('update_attributes', (p) => {
      const actor = this.near.get(p.runtime_entity_id);
      for (const { name, current } of actor ? p.attributes : []) actor.told.set(name, { value: current, tick: Number(p.tick) });
    });
  }

  #list(records) {
    const all = Array.isArray(records) ? records : records.records;
    for (const r of all) {
      const kind = r.type ?? records.type;
      if (kind === 'add') this.listed.set(r.uuid, r.username);
      else this.listed.delete(r.uuid);
    }
  }

  /** Adds an actor. Positions of players are those of their eyes, positions of entities those of their feet. */
  #add(p, more) {
    const pos = array(p.position);
    const actor = {
      runtimeId: p.runtime_id, uniqueId: BigInt(p.unique_id), pos, path: [pos], flags: value(p, 'flags'), scale: value(p, 'scale'), yaw: p.yaw ?? 0,
      data: new Map(p.metadata.map((m) => [m.key, m.value])), told: new Map(), ...more,
    };
    this.near.set(p.runtime_id, actor);
  }

  #equip(runtimeId, what) {
    const actor = this.near.get(runtimeId);
    if (actor) Object.assign(actor, what);
    else if (runtimeId !== this.self) this.unknownActorPackets++;
  }

  #feet(runtimeId, pos) {
    return this.near.get(runtimeId)?.type ? pos : feet(pos);
  }

  #remove(uniqueId) {
    for (const [id, actor] of this.near) {
      if (actor.uniqueId !== uniqueId) continue;
      this.near.delete(id);
      this.gone.push(actor.name);
    }
  }

  #move(runtimeId, pos) {
    const actor = this.near.get(runtimeId);
    if (!actor) {
      if (runtimeId !== this.self) this.unknownActorPackets++;
      return;
    }
    actor.pos = pos;
    actor.path.push(pos);
  }

  #moveByDelta(p) {
    const actor = this.near.get(p.runtime_entity_id);
    const [x, y, z] = actor?.pos ?? [0, 0, 0];
    const eye = (v) => this.#feet(p.runtime_entity_id, [0, v, 0])[1];
    this.#move(p.runtime_entity_id, [p.x ?? x, p.y == null ? y : eye(p.y), p.z ?? z]);
  }

  find(name) {
    return [...this.near.values()].find((actor) => actor.name === name);
  }
}
