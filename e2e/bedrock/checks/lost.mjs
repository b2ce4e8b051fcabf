// A player loses its connection during a fight: its actor lingers in the world and can be attacked. The reconnecting client
// takes over the same actor.
import { agree, find } from './join.mjs';
import { equal, must, near } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const FULL_HEALTH = 20;
const DAMAGE = 4; // health points that each hit costs
const SLIDE = 0.01; // maximum distance in blocks that a player still slides after its last input
const LOST_MS = 25000; // time limit for the server to notice a lost connection, on a busy machine
const RETRY_MS = 1000;

const health = (bot) => bot.attributes.get('minecraft:health');

/** The last value of another player's health that a client has received. */
const shown = (bot, name) => bot.others.find(name)?.told.get('minecraft:health')?.value;

/** A and B fight each other; the socket of B dies. */
export async function lostChecks(t, A, B) {
  const { report } = t;
  let at;
  let unique;
  await report.check('a fighting player that loses its socket lingers in the world and can be hit', async () => {
    await approach(B, A);
    await strike(B, A);
    await strike(A, B);
    await B.until(() => health(B) === FULL_HEALTH - DAMAGE, 'loss of health');
    await approach(B, A);
    [at, unique] = [[...B.pos], (await find(A, B.name)).uniqueId];
    B.destroySocket();
    await strike(A, B);
    await A.until(() => shown(A, B.name) === FULL_HEALTH - 2 * DAMAGE, 'loss of health as the other client shows it');
  });
  await report.check('the player joins again and takes over the same actor', async () => {
    const again = await comeBack(t, B);
    again.run();
    near(again.pos, at, SLIDE, 'position');
    await again.until(() => health(again) !== undefined, 'its health');
    equal(health(again), FULL_HEALTH - 2 * DAMAGE, 'health');
    const seen = await find(A, B.name);
    equal([seen.uniqueId, A.others.gone.includes(B.name)], [unique, false], 'actor, and whether it was removed');
    await agree(again, A);
    await approach(again, A);
    await strike(A, again);
    await again.until(() => health(again) === FULL_HEALTH - 3 * DAMAGE, 'loss of health');
    await approach(again, A);
    await strike(again, A);
    must(again.online, again.closeReason());
  });
}

/** After the knockback of the last hit and the combat delay have ended, walks beside a player and waits until both stand still. */
async function approach(bot, other) {
  await bot.frames(20);
  const { pos } = await find(bot, other.name);
  await bot.walkTo(pos[0] + 1.2, pos[2], { reach: 0.4 });
  await bot.frames(15);
  await agree(bot, other);
}

async function strike(by, who) {
  const target = await find(by, who.name);
  const events = by.events.length;
  by.attack(target.runtimeId);
  await by.until(() => by.events.slice(events).some((e) => e.event_id === 'hurt_animation' && e.runtime_entity_id === target.runtimeId), `hit on ${who.name}`);
}

/** Joins again as soon as the server has noticed the loss of the last connection. Until then the server refuses the name. */
async function comeBack(t, { name, version, backend }) {
  for (const end = performance.now() + LOST_MS; ; await sleep(RETRY_MS)) {
    const bot = t.bot(name, { version, backend });
    try {
      return await bot.join();
    } catch (e) {
      must(bot.closed && !bot.spawned && performance.now() < end, e.message);
    }
  }
}
