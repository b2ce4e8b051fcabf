// Riding, jumping and shooting: not all protocols have these actions, but every client shows them as far as its protocol can.
import { worldUnits } from '../../lib/adapters.mjs';
import { drained } from '../../bedrock/checks/correct.mjs';
import { describe, mount } from '../../bedrock/checks/ride.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { agreement } from '../../lib/oracle.mjs';
import { sleep, waitUntil } from '../../lib/wait.mjs';
import { distance, fromBlocks, start, UNIT, WAIT_MS } from '../places.mjs';
import { agree, lineUp } from './sight.mjs';

const STABLE = { x: -5.25, z: 8.75 }; // beside the pony
const RANGE = { x: -36.75, z: 1.75 };
const BOW_SLOT = 14; // backpack slot of the bow
const WEAPON_SLOT = 0;
const RETRY_MS = 2500; // interval at which an action is repeated, because a delayed server drops the inputs of the delay

export async function actionChecks(t, players) {
  const [rcce, rs, bedrock] = players;
  await lineUp(players);
  await rideChecks(t, rcce, rs, bedrock);
  await tiedHorseChecks(t, rcce, rs, bedrock);
  await jumpChecks(t, rcce, rs, bedrock);
  await shotChecks(t, players);
}

/** A RealmCrafter player rides a pony. RuneScape clients show the rider alone, Bedrock clients on its mount. */
async function rideChecks({ report }, rcce, rs, bedrock) {
  const mark = bedrock.mark();
  await report.check('rcce player mounts the pony and rides', async () => {
    must(await rcce.walk(STABLE), `stands at ${JSON.stringify(rcce.position)}`);
    await rcce.until(() => rcce.positionOf('Pony'), 'sight of the pony');
    rcce.ride('Pony');
    await rcce.until(() => rcce.mount === 'Pony', 'mount');
    must(await rcce.walk({ x: STABLE.x, z: STABLE.z - 35 }), `rode to ${JSON.stringify(rcce.position)}`);
    must(rcce.mount === 'Pony', `the rcce player rides ${rcce.mount}`);
    await sleep(1300);
  });
  await report.check('rs client shows the rider without the pony', async () => {
    await agree(rs, rcce);
    await rs.until(() => rs.positionOf('Pony') === undefined, 'removal of the ridden pony');
  });
  await report.check('bedrock client shows the rider on the pony, and the pony where the rider is', async () => {
    await bedrock.until(() => bedrock.seesRiding(rcce.name, 'Pony', mark), 'link between the two');
    await agreement(worldUnits(0.1), { viewer: bedrock, subject: 'Pony', see: () => bedrock.positionOf('Pony'), truth: () => rcce.position });
  });
  await report.check('rcce player dismounts, and the bedrock client shows it standing', async () => {
    rcce.dismount();
    await rcce.until(() => rcce.mount === undefined, 'dismount');
    await bedrock.until(() => !bedrock.seesRiding(rcce.name, 'Pony', mark), 'end of the link');
    await rcce.walk(start);
    for (const p of [rs, bedrock]) await agree(p, rcce);
    await rs.until(() => rs.positionOf('Pony') !== undefined, 'pony without a rider');
  });
}

/** Tolerance in units between a Bedrock player's vehicle, its rider, and the positions at which other clients show the two. */
const RIDE_SLACK = 0.05 * UNIT;

/** The Bedrock player rides the horse that the rcce player has left, and leaves it to the rcce player again. */
async function tiedHorseChecks({ report }, rcce, rs, bedrock) {
  const { bot } = bedrock;
  const feet = () => fromBlocks(bedrock.area, bot.state.vehicle?.pos ?? bot.pos);
  const marks = { log: bot.selfPackets.log.length, rcce: rcce.mark() };
  await report.check('bedrock player rides the pony that the rcce player has left', async () => {
    const tied = { x: STABLE.x, z: STABLE.z - 35 };
    await bedrock.until(() => bedrock.positionOf('Pony'), 'sight of the pony');
    const horse = bedrock.positionOf('Pony');
    must(distance(horse, tied) < 2 * UNIT, `the pony is ${distance(horse, tied)} units from where it was left`);
    await bedrock.walk({ x: horse.x + 2 * UNIT, z: horse.z });
    await drained(bot);
    await mount(bot, bot.others.find('Pony'));
    bot.script = () => ({ move: [0, 1], yaw: 180 });
    await bot.frames(40);
    bot.script = () => ({ move: [0, 0], yaw: 180 });
    await bot.frames(40);
    must(distance(feet(), horse) > 10 * UNIT, `rode ${distance(feet(), horse)} units`);
    equal(bot.selfPackets.since(marks.log, 'correction').map(describe(bot)), [], 'corrections');
  });
  await report.check('rcce client shows rider and pony where the bedrock player has the vehicle', async () => {
    for (const subject of [bedrock.name, 'Pony']) {
      await agreement(worldUnits(RIDE_SLACK), { viewer: rcce, subject, see: () => rcce.positionOf(subject), truth: feet });
    }
    await waitUntil(() => rcce.mountOf(bedrock.name) ?? 'no mount', { ms: WAIT_MS, accept: (name) => name === 'Pony', what: `mount of ${bedrock.name} for the rcce client` });
  });
  await report.check('rs client shows the rider on its tile', () => agree(rs, bedrock));
  await report.check('bedrock player leaves the pony, and the rcce player mounts it', async () => {
    await drained(bot);
    const { pos } = must(bot.state.vehicle, 'rides nothing');
    bot.mounts.leave([pos[0] + 1.6, Math.round(pos[1]), pos[2]]);
    await bot.until(() => bot.mounts.links.at(-1).type === 0, 'link of type 0');
    bot.script = undefined;
    await rcce.until(() => rcce.mountOf(bedrock.name) === undefined, 'end of the ride');
    await bot.frames(20);
    for (const p of [rcce, rs]) await agree(p, bedrock);
    for (const p of [rcce, bedrock]) await p.until(() => p.positionOf('Pony'), 'sight of the pony');
    await rcce.walk(bedrock.positionOf('Pony'), { within: 2 * UNIT });
    rcce.ride('Pony');
    await rcce.until(() => rcce.mount === 'Pony', 'mount');
    rcce.dismount();
    await rcce.until(() => rcce.mount === undefined, 'dismount');
    equal(bot.selfPackets.since(marks.log, 'correction').map(describe(bot)), [], 'corrections');
  });
}

async function jumpChecks({ report }, rcce, rs, bedrock) {
  for (const [a, b] of [[rcce, bedrock], [bedrock, rcce]]) {
    await report.check(`${a.door} player jumps: the ${b.door} client shows it, the rs client shows no movement`, async () => {
      const mark = b.mark();
      a.jump();
      const retry = setInterval(() => a.jump(), RETRY_MS);
      await b.until(() => b.sawJump(a.name, mark), 'jump').finally(() => clearInterval(retry));
      await sleep(1300);
      await agree(rs, a);
      await agree(b, a);
    });
  }
}

async function shotChecks({ report }, players) {
  const [archer, victim] = players;
  const marks = players.map((p) => p.mark());
  await report.check('rcce player shoots the rs player from afar: clients show projectile, arrow, effect and hit mark', async () => {
    await archer.walk(RANGE);
    archer.swapSlots(BOW_SLOT, WEAPON_SLOT);
    const full = victim.health;
    must(await archer.fight(victim.name, () => victim.health < full, undefined, { follow: false }), `${victim.name} lost no health`);
    must(distance(archer.position, victim.position) > 6 * UNIT, `shot over ${distance(archer.position, victim.position).toFixed(1)} units`);
    for (const [i, p] of players.entries()) {
      await p.until(() => p.shots(marks[i]).some((s) => s.by === archer.name), `shot of ${archer.name}`);
      await p.until(() => p.shots(marks[i]).some((s) => s.on === victim.name), `shot that reaches ${victim.name}`);
    }
  });
  archer.swapSlots(WEAPON_SLOT, BOW_SLOT);
}
