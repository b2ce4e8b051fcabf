// Combat: docs/wire/rcce.md 3.4 (18, 19, 22, 32) and section 6.
import { distance } from '../client.mjs';
import { type, encode } from '../wire.mjs';
import { travel } from './travel.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const NO_XP_LIMIT = 1 << 30;

/** Messages to c about fights with rid, in order, with their kind: H, Y, O, S (health of rid), D (death), X (experience). */
function fightMessages(c, rid, from) {
  const kindOf = (m) => {
    if (m.type === type.attack && m.rid === rid) return m.sub;
    if (m.type === type.attack && m.sub === 'O' && m.victim === rid) return 'O';
    if (m.type === type.statUpdate && m.sub === 'A' && m.attribute === c.healthStat && m.rid === rid) return 'S';
    if (m.type === type.actorDead && m.rid === rid) return 'D';
    if (m.type === type.xpUpdate && m.sub === 'M') return 'X';
    return null;
  };
  return c.history.slice(from).map((m) => ({ m, kind: kindOf(m) })).filter((e) => e.kind);
}

/** Checks that each hit is followed, before the next one, by the victim's health, which is lower by exactly the damage. */
function checkHealthAfterHits(messages, health) {
  let hp = health;
  messages.forEach(({ m, kind }, i) => {
    if (kind === 'S') hp = m.value;
    if (kind !== 'H' || m.damage < 1) return;
    const next = messages.slice(i + 1).find((e) => e.kind === 'S' || e.kind === 'H' || e.kind === 'D');
    must(next?.kind === 'S', `hit for ${m.damage} is followed by ${next?.kind ?? 'nothing'}, not by StatUpdate`);
    equal(next.m.value, Math.max(0, hp - m.damage), `health after a hit for ${m.damage} at ${hp}`);
  });
}

function checkSwingDelay(c, messages, delay) {
  const swings = messages.filter((e) => e.kind === 'H').map((e) => e.m);
  for (let i = 1; i < swings.length; i++) {
    const [gap, late] = [swings[i].t - swings[i - 1].t, silenceBefore(c, swings[i - 1])];
    must(gap > delay - 120 - late, `two swings within ${gap} ms, the delay is ${delay}, and the first was at most ${late} ms late`);
  }
}

// Returns the longest time without any message just before m, in ms: m cannot have been delayed for longer, because a delay affects
// all messages. Without a delay it is at most 200 ms, the interval of updates, so this cannot hide two swings within one combat
// delay.
function silenceBefore(c, m) {
  let longest = 0;
  for (let i = c.history.indexOf(m); i > 0 && m.t - c.history[i].t < 150; i--) {
    longest = Math.max(longest, c.history[i].t - c.history[i - 1].t);
  }
  return longest;
}

export async function preyChecks(t) {
  const { report, A, B, world } = t;
  const { prey } = world;
  if (world.areas[world.start.area].pvp === false) {
    await report.check('players cannot fight outside a PvP area', () => noPvp(A, B));
  }
  await report.check('an attack out of range has no effect', () => outOfRange(A, prey));
  let target;
  await report.check('the server walks a player to its destination, the nearest NPC to attack', async () => {
    if (distance(A.me, prey.near) > 60) await A.goTo(prey.near, { style: 'claim', step: t.step(A), within: 25, timeout: 30000 });
    target = must(await A.until(() => A.nearest((a) => a.template === prey.template), 15000), `no prey in sight of ${A.me.x}, ${A.me.z}`);
    const where = () => A.actors.get(target.rid);
    must(await A.goTo(where, { style: 'echo', running: 0, within: 4, timeout: 25000 }), `prey at distance ${where() ? distance(A.me, where()).toFixed(1) : 'gone'}`);
  });
  if (!target) return;
  const [fromA, fromB, health] = [A.mark(), B.mark(), A.actors.get(target.rid)?.hp];
  await report.check('an AttackActor of 3 bytes is dropped', async () => {
    A.send(Buffer.concat([encode.attack(target.rid), Buffer.from([0])]));
    A.send(encode.attack(target.rid).subarray(0, 2));
    await sleep(500);
    equal(A.all((m) => m.type === type.attack && m.sub === 'H', fromA).length, 0, 'swings');
  });
  await report.check('a fight to the death sends H, StatUpdate, ActorDead, XPUpdate in order', () => toTheDeath(A, target, fromA, health, world));
  await report.check('an observer receives O and StatUpdate, never H', () => observed(A, B, target, fromA, fromB));
  if (prey.fightsBack) await report.check('an NPC that hits back is reported by Y and the player\'s health', () => strikesBack(A, target, fromA));
  await report.check('a new NPC replaces the dead one', async () => {
    const spawned = await B.waitFor((m) => m.type === type.newActor && m.template === prey.template, { from: fromB, timeout: (prey.respawnSeconds + 30) * 1000 });
    must(spawned, `no NPC within ${prey.respawnSeconds + 30} s`);
  });
}

async function noPvp(A, B) {
  await A.goTo(() => A.actors.get(B.rid), { style: 'echo', within: 4, timeout: 8000, running: 0 });
  const [fromA, fromB] = [A.mark(), B.mark()];
  for (let i = 0; i < 6; i++) {
    A.send(encode.attack(B.rid));
    await sleep(250);
  }
  equal(A.all((m) => m.type === type.attack && m.sub === 'H' && m.rid === B.rid, fromA).length, 0, 'H at A');
  equal(B.all((m) => m.type === type.attack && m.sub === 'Y' && m.rid === A.rid, fromB).length, 0, 'Y at B');
}

// Each attack is on an NPC that is out of range at that moment, because NPCs roam.
async function outOfRange(A, prey) {
  const from = A.mark();
  const far = () => A.nearest((a) => a.template === prey.template && distance(a, A.me) > 14);
  for (let i = 0; i < 5; i++) {
    A.send(encode.attack(must(await A.until(far, 15000), 'no NPC out of range').rid));
    await sleep(200);
  }
  equal(A.all((m) => m.type === type.attack && m.sub === 'H', from).map((m) => [m.rid, m.damage]), [], 'swings: NPC, damage');
}

async function toTheDeath(A, target, from, health, world) {
  const dead = () => A.all((m) => m.type === type.actorDead && m.rid === target.rid, from)[0];
  const end = must(await A.fight(target.rid, { timeout: 90000, done: dead }), `alive after 90 s with ${A.actors.get(target.rid)?.hp} of ${target.healthMax}`);
  equal(end.killer, A.rid, 'killer');
  const xp = await A.waitFor((m) => m.type === type.xpUpdate && m.sub === 'M', { from, timeout: 15000 });
  must(xp || world.prey.leastXP === 0, 'no XPUpdate M');
  must(!xp || (xp.gained >= Math.max(1, world.prey.leastXP) && xp.gained < NO_XP_LIMIT), `gained ${xp?.gained}`);
  const messages = fightMessages(A, target.rid, from);
  const line = messages.map((e) => e.kind).filter((k) => k !== 'Y').join('');
  must((xp ? /^[HS]*HSDX$/ : /^[HS]*HSD$/).test(line), `order ${line}, want ...HSD${xp ? 'X' : ''}`);
  checkHealthAfterHits(messages.filter((e) => e.kind !== 'Y'), health);
  equal(messages.filter((e) => e.kind === 'S').at(-1).m.value, 0, 'last health');
  checkSwingDelay(A, messages, world.combatDelay);
}

async function observed(A, B, target, fromA, fromB) {
  await B.until(() => B.all((m) => m.type === type.actorDead && m.rid === target.rid, fromB).length > 0, 15000);
  await sleep(300);
  const count = (c, from, test) => c.all(test, from).length;
  const swings = count(A, fromA, (m) => m.type === type.attack && m.sub === 'H' && m.rid === target.rid);
  equal(count(B, fromB, (m) => m.type === type.attack && m.sub === 'O' && m.attacker === A.rid && m.victim === target.rid), swings, 'O at B');
  equal(count(B, fromB, (m) => m.type === type.attack && m.sub === 'H'), 0, 'H at B');
  equal(count(B, fromB, (m) => m.type === type.attack && m.sub === 'Y' && m.rid === target.rid), 0, 'Y at B');
  const health = (c, from) => fightMessages(c, target.rid, from).filter((e) => e.kind === 'S').map((e) => e.m.value).join();
  equal(health(B, fromB), health(A, fromA), 'health values');
  must(B.all((m) => m.type === type.actorDead && m.rid === target.rid, fromB).length === 1, 'B did not receive ActorDead once');
}

async function strikesBack(A, target, from) {
  const hits = A.all((m) => m.type === type.attack && m.sub === 'Y' && m.rid === target.rid, from);
  const own = A.all((m) => m.type === type.statUpdate && m.sub === 'A' && m.rid === A.rid && m.attribute === A.healthStat, from);
  if (hits.length === 0) {
    // prey that dies at the first or second swing may never hit back
    const swings = A.all((m) => m.type === type.attack && m.sub === 'H' && m.rid === target.rid, from).length;
    must(swings <= 2, `no Y in ${swings} swings`);
    return;
  }
  if (hits.some((m) => m.damage > 0)) must(own.length > 0, 'damage without a StatUpdate of the own health');
}

/** A kills B where players may fight; B respawns. */
export async function duelChecks(t) {
  const { report, A, B, world } = t;
  const { duel } = world;
  let fromA;
  let fromB;
  await report.check('both players walk to a PvP area', async () => {
    for (const c of [A, B]) {
      if (c.area.name !== duel.area) await travel(t, c, duel.area);
      must(c.area.pvp, `${c.area.name} is not a PvP area`);
      must(await c.goTo({ ...duel.at, x: duel.at.x + (c === B ? 2 : 0) }, { style: 'claim', step: t.step(c), within: 3 }), `${c.label} at ${c.me.x}, ${c.me.z}`);
    }
    must(await A.until(() => A.actors.has(B.rid), 15000), 'A does not show B');
    [fromA, fromB] = [A.mark(), B.mark()];
  });
  await report.check('a duel sends H to the attacker and Y to the victim with the same damage', () => duelToDeath(A, B, fromA, fromB));
  await report.check('a dead player cannot attack', () => attackWhileDead(A, B));
  await report.check('a dead player respawns at the respawn place', () => respawns(t, A, B, fromB));
}

async function duelToDeath(A, B, fromA, fromB) {
  const ridB = B.rid;
  const health = A.actors.get(ridB)?.hp;
  const dead = await A.fight(ridB, { timeout: 150000, follow: false, done: () => B.me.hp === 0 });
  must(dead, `B is alive with ${B.me.hp} health`);
  // B's client may receive its health before A's client receives the last hit.
  const isDeath = (m) => m.type === type.statUpdate && m.sub === 'A' && m.attribute === A.healthStat && m.rid === ridB && m.value === 0;
  must(await A.waitFor(isDeath, { from: fromA }), `A got no StatUpdate of B's death, and shows ${A.actors.get(ridB)?.hp} health`);
  const given = A.all((m) => m.type === type.attack && m.sub === 'H' && m.rid === ridB, fromA).map((m) => m.damage);
  const taken = B.all((m) => m.type === type.attack && m.sub === 'Y' && m.rid === A.rid, fromB).map((m) => m.damage);
  must(given.length > 0, 'no H');
  must(taken.join().startsWith(given.join()) || given.join().startsWith(taken.join()), `H ${given}; Y ${taken}`);
  checkHealthAfterHits(fightMessages(A, ridB, fromA), health);
  const selfDead = B.all((m) => m.type === type.actorDead && m.rid === ridB, fromB).length;
  equal(selfDead, 0, 'ActorDead sent to the dead player');
}

async function attackWhileDead(A, B) {
  if (B.me.hp !== 0) return; // respawned already
  const from = B.mark();
  for (let i = 0; i < 3 && B.me.hp === 0; i++) {
    B.send(encode.attack(A.rid));
    await sleep(150);
  }
  equal(B.all((m) => m.type === type.attack && m.sub === 'H', from).length, 0, 'swings of a dead player');
}

async function respawns(t, A, B, fromB) {
  const { respawn } = t.world.duel;
  must(await B.until(() => B.me.hp > 0, 45000), 'health stays 0');
  await B.until(() => B.area.name === respawn.area && distance(B.me, respawn) < 10, 15000);
  equal(B.area.name, respawn.area, 'area');
  must(distance(B.me, respawn) < 10, `at ${B.me.x}, ${B.me.z}`);
  const moved = B.all((m) => m.type === type.changeArea || (m.type === type.reposition && m.rid === B.rid), fromB);
  must(moved.length > 0, 'neither ChangeArea nor RepositionActor');
  if (A.area.name !== respawn.area) {
    must(await A.until(() => !A.actors.has(B.rid), 15000), 'A still shows B');
    return;
  }
  const seen = must(await A.until(() => A.actors.get(B.rid), 15000), 'A does not show B');
  must(await A.until(() => seen.hp > 0 && distance(A.actors.get(B.rid), respawn) < 10, 15000), `A shows B at ${seen.x}, ${seen.z} with ${seen.hp} health`);
}
