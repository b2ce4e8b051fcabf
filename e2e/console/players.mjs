// Real players, one of each door, who walk to and fro on the green of the embedded world: the clients of e2e/world, with
// what they know of that world.
import { BedrockActor } from '../world/bedrock.mjs';
import { RcceActor } from '../world/rcce.mjs';
import { RsActor } from '../world/rs.mjs';
import { say } from '../rs/packets.mjs';
import { worlds } from '../rcce/worlds.mjs';
import { sleep } from '../lib/wait.mjs';

const LEG_MS = 12000;

/** Walks between two places until the returned function is called, which resolves when he stands. */
function toAndFro(leg) {
  let on = true;
  const walking = (async () => {
    for (let i = 0; on; i++) {
      await leg(i % 2, () => !on).catch(() => {});
      await sleep(20);
    }
  })();
  return async () => {
    on = false;
    await walking;
  };
}

export class Ann extends RcceActor {
  constructor(server) {
    super({ name: 'Ann', server });
    this.client.world = worlds.embedded;
  }

  pace(from = { x: 0, z: 0 }, to = { x: 30, z: 30 }) {
    return toAndFro((back, done) => this.client.goTo(back ? from : to, { style: 'echo', running: 0, within: 1, timeout: LEG_MS, done }));
  }

  /** Claims again and again to be far away, whatever the server says. */
  async boast(units, ms) {
    const c = this.client;
    c.pilot = () => ({ x: c.me.x + units, z: c.me.z, destX: c.me.x + units, destZ: c.me.z, running: 0 });
    await sleep(ms);
    c.pilot = () => ({ x: c.me.x, z: c.me.z, destX: c.me.x, destZ: c.me.z, running: 0 });
    await sleep(300);
    c.pilot = null;
  }

  /** Fights one rat of the green after the other until done: some die before they have struck back. */
  async hunt(done, ms) {
    const c = this.client;
    for (const end = performance.now() + ms; !done() && performance.now() < end; await sleep(50)) {
      const rat = c.nearest((a) => a.template === worlds.embedded.prey.template && a.hp > 0);
      if (rat) await c.fight(rat.rid, { timeout: end - performance.now(), done: () => done() || !(c.actors.get(rat.rid)?.hp > 0) });
    }
  }

  read(text) {
    return this.client.history.some((m) => m.text?.includes(text));
  }

  get gone() {
    return Boolean(this.client.ended);
  }
}

export class Bob extends RsActor {
  constructor(server, name = 'Bob') {
    super({ name, server });
  }

  pace() {
    const { x, z } = this.client.tile;
    return toAndFro(async (back, done) => {
      const to = back ? x : x - 5;
      this.client.send(say.walk(to, z));
      await this.client.until(() => done() || this.client.at(to, z), 'the end of the way', LEG_MS);
    });
  }

  read(text) {
    return this.client.lines.some((l) => l.kind === 'game' && l.text.includes(text));
  }

  get gone() {
    return this.client.loggedOut || Boolean(this.client.closed);
  }

  async close() {
    if (this.online) await super.close();
  }
}

export class Cid extends BedrockActor {
  constructor(server) {
    super({ name: 'Cid', server });
  }

  pace() {
    const [x, , z] = this.bot.pos;
    const stop = toAndFro((back, done) => (done() ? sleep(0) : this.bot.walkTo(x, back ? z : z + 8, { reach: 0.4, ms: LEG_MS })));
    return () => {
      const ended = stop();
      this.bot.abandon();
      return ended;
    };
  }

  read(text) {
    return this.bot.texts.some((t) => t.message?.includes(text)) || Boolean(this.bot.kicked?.message?.includes(text));
  }

  get gone() {
    return Boolean(this.bot.closed);
  }
}
