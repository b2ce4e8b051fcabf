// Portals: each player goes through the gate into the other area and back, watched by the players that are still there.
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';
import { distance, gate, gateExit, stairs, WALK_MS } from '../places.mjs';
import { reunionChecks, truthChecks } from './sight.mjs';

const RETRY_MS = 1000; // time in which the server moves a player through the gate, or pulls it back; then try again
const LOCK_MS = 2500; // time until the portal lock of 2 s has ended
const ARRIVAL = 8; // maximum distance of an arrived player from the arrival point, in units

export async function travelChecks(t, players) {
  await passGate(t, players, { from: 'Green', to: 'Cellar', at: stairs });
  await reunionChecks(t, players);
  await truthChecks(t, players, 'in the cellar');
  await passGate(t, players, { from: 'Cellar', to: 'Green', at: gateExit });
  await reunionChecks(t, players);
}

async function passGate({ report }, players, { from, to, at }) {
  await Promise.all(players.map((p) => p.walk({ x: gate.x, z: gate.z - 10 })));
  const away = []; // running walks of arrived players away from the arrival point
  for (const p of players) {
    const watchers = players.filter((q) => q !== p && q.area === from);
    const there = () => hasArrived(p, to, at);
    await report.check(`${p.door} player walks through the gate from ${from} to ${to}`, async () => {
      await enterGate(p, there);
      await p.until(there, `arrival in ${to}`);
      if (p.door === 'bedrock') p.area = to;
      must(distance(p.position, at) < ARRIVAL, `it is at ${JSON.stringify(p.position)}`);
    }, 180000);
    for (const q of watchers) {
      await report.check(`${q.door} client, still in ${from}, no longer shows the ${p.door} player`, () => q.until(() => !q.positionOf(p.name), `removal of ${p.name}`));
    }
    away.push(p.walk({ x: at.x + (players.indexOf(p) - 1) * 7, z: at.z + 3.5 }));
  }
  await Promise.all(away);
  await sleep(LOCK_MS);
}

/** Walks into the gate. Repeats the walk if the server has pulled the player back, which may happen after a pause of the server. */
async function enterGate(p, there) {
  for (const end = performance.now() + WALK_MS; performance.now() < end; await sleep(RETRY_MS)) {
    if (there()) return;
    await p.walk(gate, { done: there }).catch(() => {});
    if (there()) return;
  }
}

/** Whether a player is where the gate leads. The Bedrock protocol does not name areas, but they are far apart in its coordinates. */
function hasArrived(p, to, at) {
  if (p.door !== 'bedrock') return p.area === to && distance(p.position, at) < ARRIVAL;
  const was = p.area;
  p.area = to;
  const off = distance(p.position, at);
  p.area = was;
  return off < ARRIVAL;
}
