// Through the gate into another area and back, one after the other, watched by those who stay.
import { distance, back, gate, stairs, WALK_MS } from '../places.mjs';
import { meetChecks } from './see.mjs';
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const AGAIN_MS = 1000; // in which who came to the gate is taken through it, or taken back

export async function travelChecks(t, players) {
  await pass(t, players, { from: 'Green', to: 'Cellar', at: stairs });
  await meetChecks(t, players);
  await pass(t, players, { from: 'Cellar', to: 'Green', at: back });
  await meetChecks(t, players);
}

async function pass(t, players, { from, to, at }) {
  for (const p of players) {
    const stay = players.filter((q) => q !== p && where(q) === from);
    const there = () => arrived(p, to, at);
    await t.report.check(`${p.door} walks through the gate from ${from} to ${to}`, async () => {
      await p.walk({ x: gate.x, z: gate.z - 10 });
      await through(p, there);
      await p.until(there, `the arrival in ${to}`);
      if (p.door === 'bedrock') p.area = to;
      must(distance(p.place, at) < 8, `he is at ${JSON.stringify(p.place)}`);
    }, 180000);
    for (const q of stay) {
      await t.report.check(`${q.door}, who stays, sees ${p.door} go`, () => q.until(() => !q.sees(p.name), `${p.name} gone`));
    }
    await p.walk({ x: at.x + (players.indexOf(p) - 1) * 7, z: at.z + 3.5 }); // room for the next
  }
  await sleep(2500); // the lock of the portal
}

/** Walks into the gate. Whom the server takes back on the way, as it must after a pause of its own, goes on. */
async function through(p, there) {
  for (const end = performance.now() + WALK_MS; performance.now() < end; await sleep(AGAIN_MS)) {
    if (there()) return;
    await p.walk(gate, { done: there }).catch(() => {});
    if (there()) return;
  }
}

const where = (p) => p.area;

/** Is he where the gate leads? A Bedrock player is told a place so far off that it can be no other. */
function arrived(p, to, at) {
  if (p.door !== 'bedrock') return p.area === to && distance(p.place, at) < 8;
  const was = p.area;
  p.area = to;
  const far = distance(p.place, at);
  p.area = was;
  return far < 8;
}
