// Portals, and the messages to both areas: docs/wire/rcce.md 5.6, rcce-data.md section 11.
import { distance } from '../client.mjs';
import { clock } from '../udp.mjs';
import { type } from '../wire.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

/** The shortest list of exits from one area to another; null if the table has none. */
export function route(world, from, to) {
  const queue = [[from, []]];
  const seen = new Set([from]);
  for (const [area, exits] of queue) {
    if (area === to) return exits;
    for (const exit of world.areas[area]?.exits ?? []) {
      if (seen.has(exit.to)) continue;
      seen.add(exit.to);
      queue.push([exit.to, [...exits, exit]]);
    }
  }
  return null;
}

/** Walks c through one exit; resolves with the ChangeArea. */
export async function useExit(t, c, exit) {
  const from = c.mark();
  const arrived = () => c.area?.name === exit.to;
  for (const p of exit.via ?? []) must(await c.goTo(p, { style: 'claim', step: t.step(c), within: 4 }), `${c.label} stopped at ${c.me.x}, ${c.me.z} on the way`);
  await c.goTo(exit.at, { style: 'claim', step: t.step(c), within: 0.5, timeout: 20000, done: arrived });
  await c.until(arrived, 15000);
  const m = c.all((x) => x.type === type.changeArea && x.name === exit.to, from)[0];
  return must(m, `${c.label} stands at ${c.me.x.toFixed(1)}, ${c.me.y.toFixed(1)}, ${c.me.z.toFixed(1)} of ${c.area?.name}, no ChangeArea to ${exit.to}`);
}

/** Walks c to an area through as many exits as needed. */
export async function travel(t, c, area) {
  const exits = must(route(t.world, c.area.name, area), `no route from ${c.area.name} to ${area} in the table`);
  for (const exit of exits) {
    await useExit(t, c, exit);
    await sleep(700); // the server drops claims for 500 ms after a warp
  }
}

/** A takes the first exit of the start area, B follows. */
export async function departChecks(t) {
  const { report, A, B, world } = t;
  const exit = world.areas[world.start.area].exits[0];
  const fromB = B.mark();
  const old = A.area?.handle;
  await report.check(`a portal to ${exit.to} sends ChangeArea at the arrival point`, async () => {
    const m = await useExit(t, A, exit);
    must(distance(m, exit.arrive) < 3, `arrived at ${m.x}, ${m.z}`);
    must(m.area !== old, 'the area handle stayed');
  });
  await report.check('claims from before a warp do not move the player back', () => staleClaims(t, A, exit));
  await report.check('clients in the area that was left receive ActorGone of 4 bytes', async () => {
    const m = must(await B.waitFor((x) => x.type === type.actorGone && x.rid === A.rid, { from: fromB }), 'no ActorGone');
    must(m.wide, 'ActorGone has 2 bytes');
  });
  await report.check('the arrival point does not warp the player again', async () => {
    const from = A.mark();
    await sleep(2000);
    equal(A.all(type.changeArea, from).length, 0, 'ChangeArea messages');
  });
  await report.check('no update of an actor of another area arrives', () => onlyKnownActors(A));
  await report.check('two players that enter an area one after the other are shown to each other', async () => {
    const fromA = A.mark();
    await useExit(t, B, exit);
    must(await A.waitFor((m) => m.type === type.newActor && m.rid === B.rid, { from: fromA }), 'A got no NewActor');
    must(await B.until(() => B.actors.has(A.rid), 15000), 'B got no NewActor');
    equal(A.area.handle, B.area.handle, 'area handle');
    await sleep(700);
  });
}

/** Brings both players back to the start area. */
export async function returnChecks(t) {
  const { report, A, B, world } = t;
  await report.check(`both players return to ${world.start.area}`, async () => {
    for (const c of [A, B]) await travel(t, c, world.start.area);
    must(await A.until(() => A.actors.has(B.rid), 15000), 'A does not show B');
    must(await B.until(() => B.actors.has(A.rid), 15000), 'B does not show A');
  });
}

/** Checks that updates of flying actors contain Y, in a world with a flying actor. The decoder checks that updates of others do not. */
export async function skyChecks({ report, A, world }) {
  if (!world.hasFliers) return;
  await report.check('updates of flying actors carry Y', async () => {
    const flier = must(await A.until(() => A.nearest((a) => world.flies(a.template)), 15000), 'no flying actor in sight');
    const from = A.mark();
    const m = must(await A.waitFor((x) => x.type === type.standardUpdate && x.rid === flier.rid, { from, timeout: 15000 }), 'no update of the flying actor');
    equal(m.size, 26, 'payload bytes');
  });
}

// Sends claims of the old position after a warp, as a client does until it has read ChangeArea. The server refuses claims for 500 ms and
// counts them, so it must have refused all of these, unless this process or the server was late. A claim that arrives later counts as a
// walk back, too slow to reach the next portal. So the player may have moved only if the server refused fewer claims than were sent.
async function staleClaims({ server }, A, exit) {
  const refused = async () => (await server.counters('truestep_wishes_refused_total'))['truestep_wishes_refused_total{reason="warping"}'] ?? 0;
  const moved = A.all((m) => m.type === type.changeArea && m.name === exit.to).at(-1);
  const before = await refused();
  for (let i = 0; i < STALE_CLAIMS; i++) {
    A.claimAt({ x: exit.at.x, z: exit.at.z, y: exit.at.y });
    await sleep(15);
  }
  const sent = clock();
  const displaced = await A.until(() => distance(A.me, exit.arrive) >= 6, 900);
  const late = sent - moved.t + longestSilence(A, moved.t - 1000);
  const n = (await refused()) - before;
  const what = `stands at ${A.me.x}, ${A.me.z}; the server has refused ${n} of ${STALE_CLAIMS} claims, which were at most ${late.toFixed(0)} ms late`;
  must(n >= STALE_CLAIMS ? !displaced : late >= LATE_MS, what);
  if (!displaced) return;
  A.claimAt({ x: A.me.x, z: A.me.z });
  for (const dx of [60, 0]) await A.goTo({ x: exit.arrive.x + dx, z: exit.arrive.z }, { style: 'echo', within: 4, timeout: 30000 }); // avoids the portal
}

const STALE_CLAIMS = 4;
const LATE_MS = 450; // minimum delay for a late claim: the server's 500 ms less a tick

/** The longest time without a message since a moment, in ms. */
function longestSilence(c, since) {
  let [longest, last] = [0, since];
  for (const m of c.history) {
    if (m.t < since) continue;
    longest = Math.max(longest, m.t - last);
    last = m.t;
  }
  return Math.max(longest, clock() - last);
}

async function onlyKnownActors(A) {
  await sleep(300);
  const from = A.mark();
  await sleep(1200);
  const left = new Set(A.all((m) => m.type === type.actorGone || m.type === type.actorDead, from).map((m) => m.rid));
  const known = (rid) => rid === A.rid || A.actors.has(rid) || left.has(rid);
  const unknown = A.all((m) => m.type === type.standardUpdate && !known(m.rid), from);
  equal(unknown.length, 0, `updates of ${[...new Set(unknown.map((m) => m.rid))]}`);
}
