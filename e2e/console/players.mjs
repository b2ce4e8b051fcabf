// Players of three doors that patrol the green of the embedded world: the clients of e2e/world, extended by actions in that
// world.
import { must } from '../lib/assert.mjs';
import { sleep, waitUntil } from '../lib/wait.mjs';
import { worlds } from '../rcce/worlds.mjs';
import { say } from '../rs/packets.mjs';
import { BedrockPlayer } from '../world/bedrock_player.mjs';
import { RccePlayer } from '../world/rcce_player.mjs';
import { RsPlayer } from '../world/rs_player.mjs';

const LEG_MS = 12000; // time limit of a walk in one direction
const STOP_MS = 10000; // time limit for a player to stand still
const TELEPORT_MS = 60000;
const GREEN = worlds.embedded.start.area;

/** Walks between two places until the returned function is called, which resolves when the player stands. */
function patrol(walkLeg) {
  let active = true;
  const walking = (async () => {
    for (let i = 0; active; i++) {
      await walkLeg(i % 2, () => !active).catch(() => {});
      await sleep(20);
    }
  })();
  return async () => {
    active = false;
    await walking;
  };
}

export class Ann extends RccePlayer {
  constructor(server) {
    super({ name: 'Ann', server });
    this.client.world = worlds.embedded;
  }

  patrol(from = { x: 0, z: 0 }, to = { x: 30, z: 30 }) {
    return patrol((back, done) => this.client.goTo(back ? from : to, { style: 'echo', running: 0, within: 1, timeout: LEG_MS, done }));
  }

  /** For ms, claims positions that are `units` further east than the server's echo. */
  async claimFarAway(units, ms) {
    const c = this.client;
    c.pilot = () => ({ x: c.me.x + units, z: c.me.z, destX: c.me.x + units, destZ: c.me.z, running: 0 });
    await sleep(ms);
    c.pilot = () => ({ x: c.me.x, z: c.me.z, destX: c.me.x, destZ: c.me.z, running: 0 });
    // The server refuses claims while a warp is not confirmed; without a stop the player would walk on, through the portal in the east.
    const end = performance.now() + STOP_MS;
    for (let last, since = performance.now(); performance.now() - since < 300 && performance.now() < end; await sleep(50)) {
      if (c.me.x !== last) [last, since] = [c.me.x, performance.now()];
    }
    c.pilot = null;
  }

  /**
   * Fights one rat of the green after another until done, as some die before they hit back. The last one dies, too, because it would go
   * on biting.
   */
  async hunt(done, ms) {
    const c = this.client;
    for (const end = performance.now() + ms; !done() && performance.now() < end; await sleep(50)) {
      const rat = c.nearest((a) => a.template === worlds.embedded.prey.template && a.hp > 0);
      if (rat) await c.fight(rat.rid, { timeout: end - performance.now(), done: () => !(c.actors.get(rat.rid)?.hp > 0) });
    }
  }

  /**
   * Lets an operator move this player to the middle of the embedded world's first area, from where the way to the north-east is free:
   * fights and false claims may have led it behind a wall or into another area. Resolves once the client is there.
   */
  async toTheGreen(api) {
    const { entity } = must(await api.player(this.name), `${this.name} is not in the world`);
    const { status } = await api.call('POST', `/players/${entity}/teleport`, { areaId: 0, x: 0, y: null, z: 0 });
    must(status === 200, `the teleport of ${this.name} is answered with status ${status}`);
    await waitUntil(async () => ({ area: this.area, ...this.position }), {
      ms: TELEPORT_MS, accept: ({ area, x, z }) => area === GREEN && Math.hypot(x, z) < 3, what: `place of ${this.name} after a teleport to 0, 0`,
    });
  }

  hasReceived(text) {
    return this.client.history.some((m) => m.text?.includes(text));
  }

  get disconnected() {
    return Boolean(this.client.ended);
  }

  /** Enters the world with the account and the character of an earlier join. */
  async comeBack() {
    await this.client.enter();
  }
}

export class Bob extends RsPlayer {
  constructor(server, name = 'Bob') {
    super({ name, server });
  }

  patrol() {
    const { x, z } = this.client.tile;
    return patrol(async (back, done) => {
      const to = back ? x : x - 5;
      this.client.send(say.walk(to, z));
      await this.client.until(() => done() || this.client.at(to, z), 'end of the path', LEG_MS);
    });
  }

  hasReceived(text) {
    return this.client.lines.some((l) => l.kind === 'game' && l.text.includes(text));
  }

  get disconnected() {
    return this.client.loggedOut || Boolean(this.client.closed);
  }

  comeBack() {
    return this.join();
  }

  async close() {
    if (this.online) await super.close();
  }
}

export class Cid extends BedrockPlayer {
  constructor(server) {
    super({ name: 'Cid', server });
  }

  patrol() {
    const [x, , z] = this.bot.pos;
    const stop = patrol((back, done) => (done() ? sleep(0) : this.bot.walkTo(x, back ? z : z + 8, { reach: 0.4, ms: LEG_MS })));
    return () => {
      const ended = stop();
      this.bot.stopWalking();
      return ended;
    };
  }

  hasReceived(text) {
    return this.bot.texts.some((t) => t.message?.includes(text)) || Boolean(this.bot.kicked?.message?.includes(text));
  }

  get disconnected() {
    return Boolean(this.bot.closed);
  }

  comeBack() {
    return this.join();
  }
}
