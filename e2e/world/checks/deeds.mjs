// What only some doors let their players do, and all see as far as their clients can: riding, jumping, shooting.
import { distance, start, UNIT } from '../places.mjs';
import { agree, lineUp } from './see.mjs';
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const STABLE = { x: -5.25, z: 8.75 }; // beside the pony
const RANGE = { x: -36.75, z: 1.75 };
const BACKPACK = 14; // where the bow is
const WEAPON = 0;
const AGAIN_MS = 2500; // a server that stood still leaves out what was asked of it meanwhile

export async function deedChecks(t, players) {
  const [rcce, rs, bedrock] = players;
  await lineUp(players);
  await rideChecks(t, rcce, rs, bedrock);
  await jumpChecks(t, rcce, rs, bedrock);
  await shotChecks(t, players);
}

/** He rides along; on tiles the pony is seen on the tile behind him, and among blocks he sits on it. */
async function rideChecks({ report }, rcce, rs, bedrock) {
  const mark = bedrock.mark();
  await report.check('rcce mounts the pony and rides', async () => {
    await rcce.walk(STABLE);
    rcce.ride('Pony');
    await rcce.until(() => rcce.mount === 'Pony', 'the saddle');
    await rcce.walk({ x: STABLE.x, z: STABLE.z - 35 });
    must(rcce.mount === 'Pony', 'he was thrown off');
    await sleep(1300);
  });
  await report.check('rs sees the pony on the tile behind its rider', async () => {
    await agree(rs, rcce);
    const apart = () => distance(rs.sees(rcce.name), rs.sees('Pony')) / UNIT;
    await rs.until(() => apart() > 0.9 && apart() < 1.5, `the pony behind him, not ${apart().toFixed(1)} tiles apart,`);
  });
  await report.check('bedrock sees him sit on the pony, and the pony where he is', async () => {
    await bedrock.until(() => bedrock.seesRide(rcce.name, 'Pony', mark), 'a link between the two');
    const apart = () => distance(bedrock.sees('Pony'), rcce.place);
    await bedrock.until(() => apart() < 0.1, `the pony where he is, not ${apart().toFixed(2)} units away,`);
  });
  await report.check('rcce dismounts, and bedrock sees him stand', async () => {
    rcce.dismount();
    await rcce.until(() => rcce.mount === undefined, 'the ground');
    await bedrock.until(() => !bedrock.seesRide(rcce.name, 'Pony', mark), 'the two apart');
    await rcce.walk(start);
    for (const p of [rs, bedrock]) await agree(p, rcce);
  });
}

async function jumpChecks({ report }, rcce, rs, bedrock) {
  for (const [a, b] of [[rcce, bedrock], [bedrock, rcce]]) {
    await report.check(`${a.door} jumps: ${b.door} sees it, and rs sees him stay where he is`, async () => {
      const mark = b.mark();
      a.jump();
      const again = setInterval(() => a.jump(), AGAIN_MS);
      await b.until(() => b.sawJump(a.name, mark), 'a jump').finally(() => clearInterval(again));
      await sleep(1300);
      await agree(rs, a);
      await agree(b, a);
    });
  }
}

async function shotChecks({ report }, players) {
  const [archer, victim] = players;
  const marks = players.map((p) => p.mark());
  await report.check('rcce shoots rs from afar: a projectile, an arrow, an effect and a mark', async () => {
    await archer.walk(RANGE);
    archer.swap(BACKPACK, WEAPON);
    const full = victim.health;
    must(await archer.fight(victim.name, () => victim.health < full, undefined, { follow: false }), `${victim.name} is well`);
    must(distance(archer.place, victim.place) > 6 * UNIT, `shot over ${distance(archer.place, victim.place).toFixed(1)} units`);
    for (const [i, p] of players.entries()) {
      await p.until(() => p.shots(marks[i]).some((s) => s.by === archer.name), `${archer.name} shooting`);
      await p.until(() => p.shots(marks[i]).some((s) => s.on === victim.name), `a shot that comes to ${victim.name}`);
    }
  });
  archer.swap(WEAPON, BACKPACK);
}
