// Riding, jumping and shooting: some doors only can do them, all show them as far as their clients can.
import { worldUnits } from '../../lib/adapters.mjs';
import { must } from '../../lib/assert.mjs';
import { agreement } from '../../lib/oracle.mjs';
import { sleep } from '../../lib/wait.mjs';
import { distance, start, UNIT } from '../places.mjs';
import { agree, lineUp } from './sight.mjs';

const STABLE = { x: -5.25, z: 8.75 }; // beside the pony
const RANGE = { x: -36.75, z: 1.75 };
const BOW_SLOT = 14; // in the backpack
const WEAPON_SLOT = 0;
const RETRY_MS = 2500; // a server that was held up drops inputs that came meanwhile

export async function actionChecks(t, players) {
  const [rcce, rs, bedrock] = players;
  await lineUp(players);
  await rideChecks(t, rcce, rs, bedrock);
  await jumpChecks(t, rcce, rs, bedrock);
  await shotChecks(t, players);
}

/** RuneScape clients show the mount on the tile behind its rider; Bedrock clients show the rider on it. */
async function rideChecks({ report }, rcce, rs, bedrock) {
  const mark = bedrock.mark();
  await report.check('rcce player mounts the pony and rides', async () => {
    await rcce.walk(STABLE);
    rcce.ride('Pony');
    await rcce.until(() => rcce.mount === 'Pony', 'mount');
    await rcce.walk({ x: STABLE.x, z: STABLE.z - 35 });
    must(rcce.mount === 'Pony', 'no longer mounted');
    await sleep(1300);
  });
  await report.check('rs client shows the pony on the tile behind its rider', async () => {
    await agree(rs, rcce);
    const tiles = () => distance(rs.positionOf(rcce.name), rs.positionOf('Pony')) / UNIT;
    await rs.until(() => tiles() > 0.9 && tiles() < 1.5, `pony behind its rider, but ${tiles().toFixed(1)} tiles away,`);
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
