// Combat between the doors. By the rules of common.toml each hit costs 4 of 20 points of health.
import { equal, must } from '../../lib/assert.mjs';
import { distance, well } from '../places.mjs';
import { agree, lineUp, pairs } from './sight.mjs';

const FULL_HEALTH = 20;
const DAMAGE = 4; // health points that each hit costs
const AT_WELL = 4; // maximum distance from the well of a player that has respawned there, in units

export async function combatChecks(t, players) {
  for (const [a, b] of pairs(players)) await duel(t, a, b, players.find((p) => p !== a && p !== b));
}

/**
 * a kills b while c watches. a attacks until its own client shows b dead. When b's client shows the death, b may already have respawned;
 * an attack that a has sent before does not reach the respawn position.
 */
async function duel({ report }, a, b, c) {
  await lineUp([a, b, c]); // b in the middle, beside both
  const marks = new Map([a, b, c].map((p) => [p, p.mark()]));
  const hitsOnB = (p) => p.hits(marks.get(p)).filter((h) => h.on === b.name);
  await report.check(`${a.door} hits ${b.door}: its health drops, and all clients show the hit`, async () => {
    equal(b.health, FULL_HEALTH, 'health before');
    await a.fight(b.name, () => hitsOnB(a).length > 0);
    await b.until(() => b.health < FULL_HEALTH, `drop of its health, which is ${b.health}`);
    must((FULL_HEALTH - b.health) % DAMAGE === 0, `${b.name} has ${b.health} points`);
    for (const p of [a, b, c]) await p.until(() => hitsOnB(p).length > 0, `hit on ${b.name}`);
    for (const p of [a, b, c]) must(hitsOnB(p).every((h) => h.damage === undefined || h.damage === DAMAGE), `damage as the ${p.door} client shows it`);
    for (const p of [a, c]) {
      const off = () => Math.abs((p.healthOf(b.name) ?? 1) - b.health / FULL_HEALTH);
      await p.until(() => off() < 0.3, `health of ${b.name}, but ${p.healthOf(b.name)}`);
    }
  });
  await report.check(`${a.door} kills ${b.door}, and all clients show the death`, async () => {
    await a.fight(b.name, () => a.sawZeroHealth(b.name, marks.get(a)));
    await b.until(() => b.died(marks.get(b)), `own death, but ${b.health} points`);
    for (const p of [a, c]) await p.until(() => p.sawZeroHealth(b.name, marks.get(p)), `death of ${b.name}`);
  });
  await report.check(`${b.door} respawns at the well, and all clients show it there`, async () => {
    b.requestRespawn(); // it takes effect when the 2 s of the respawn rule have passed
    await b.until(() => b.health === FULL_HEALTH, 'full health');
    await b.until(() => distance(b.position, well) < AT_WELL, 'arrival at the well');
    for (const p of [a, c]) await agree(p, b);
  });
}
