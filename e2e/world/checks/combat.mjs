// Blows and deaths between the doors. The rule of the world is four points of damage for each blow, of twenty.
import { agree, lineUp, pairs } from './see.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const FULL = 20;
const BLOW = 4;

export async function combatChecks(t, players) {
  for (const [a, b] of pairs(players)) await duel(t, a, b, players.find((p) => p !== a && p !== b));
}

/**
 * a kills b while c looks on. a strikes for as long as he himself sees a reason to: by the time that b's client has heard
 * of it, b may live again. Blows that are under way then do not reach the well.
 */
async function duel(t, a, b, c) {
  const { report } = t;
  await lineUp(players3(a, b, c));
  const marks = new Map([a, b, c].map((p) => [p, p.mark()]));
  const blows = (p, test) => p.blows(marks.get(p)).filter(test);
  await report.check(`${a.door} strikes ${b.door}: his health goes down, and all see the blow`, async () => {
    equal(b.health, FULL, 'health before');
    await a.fight(b.name, () => blows(a, (x) => x.on === b.name).length > 0);
    await b.until(() => b.health < FULL, `a blow that costs health, not ${b.health} points`);
    must((FULL - b.health) % BLOW === 0, `${b.name} has ${b.health} points`);
    for (const p of [a, b, c]) await p.until(() => blows(p, (x) => x.on === b.name).length > 0, `a blow on ${b.name}`);
    for (const p of [a, b, c]) must(blows(p, (x) => x.on === b.name).every((x) => x.damage === undefined || x.damage === BLOW), `blows as ${p.door} saw them`);
    for (const p of [a, c]) {
      await p.until(() => Math.abs((p.seesHealth(b.name) ?? 1) - b.health / FULL) < 0.3, `${b.name}'s health, not ${p.seesHealth(b.name)}`);
    }
  });
  await report.check(`${a.door} kills ${b.door}, and all see him die`, async () => {
    await a.fight(b.name, () => a.sawDead(b.name, marks.get(a)));
    await b.until(() => b.died(marks.get(b)), `his death, not ${b.health} points`);
    for (const p of [a, c]) await p.until(() => p.sawDead(b.name, marks.get(p)), `${b.name} dead`);
  });
  await report.check(`${b.door} lives again at the well, and all see him there`, async () => {
    await sleep(2200);
    b.wake();
    await b.until(() => b.health === FULL, 'health again');
    await sleep(1300);
    for (const p of [a, c]) await agree(p, b);
  });
}

// The one in the middle is the one who is struck: both others are beside him.
const players3 = (a, b, c) => [a, b, c];
