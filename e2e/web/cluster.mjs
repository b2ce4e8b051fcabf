// The page in a cluster of three nodes. Its player goes to an area that another node than that of its door leads. Then the node of its
// door is killed, and the page goes on through another node.
import { equal, must } from '../lib/assert.mjs';
import { Cluster } from '../lib/cluster.mjs';
import { waitUntil } from '../lib/wait.mjs';
import { WAIT_MS } from './browser.mjs';
import { agreed, distance, losesConnection, player, walk, walkToMeadow } from './scenario.mjs';

const FIELD = 0, MEADOW = 1; // ids of the areas of world.toml

export async function playCluster({ report, browser, bin, dir, world }) {
  const cluster = new Cluster({ bin, dir, doors: ['web'], world });
  const killNow = () => cluster.killNow();
  process.on('exit', killNow);
  const check = (name, f) => report.check(`cluster: ${name}`, f);
  try {
    const leads = { [FIELD]: 'c', [MEADOW]: 'a' };
    const started = await check('three nodes start, of which one leads the first area and another one the second', async () => {
      await cluster.start();
      await lead(cluster.nodes, leads);
      return true;
    });
    if (started) await play({ report, check, browser, nodes: cluster.nodes });
  } finally {
    await cluster.stop();
    process.off('exit', killNow);
  }
}

/** Makes the node of the given name lead each area. */
async function lead({ a }, wanted) {
  for (const [area, node] of Object.entries(wanted)) {
    const move = async () => (await a.api.call('POST', '/cluster/move', { area, node })).status; // 409 while the areas are dealt out
    await waitUntil(move, { ms: WAIT_MS, accept: (status) => status === 200, what: `status of the move of area ${area}` });
  }
  const leads = async () => Object.fromEntries((await a.api.get('/cluster')).areas.map((area) => [area.id, area.lead]));
  await waitUntil(leads, { ms: WAIT_MS, accept: (now) => Object.entries(wanted).every(([area, node]) => now[area] === node), what: 'leads of the areas' });
}

async function play({ report, check, browser, nodes: { a, b, c } }) {
  // The nodes learn of each other's players a moment after the page.
  const row = (accept = Boolean) => waitUntil(() => a.api.player('Ann'), { ms: WAIT_MS, accept: (r) => r && accept(r), what: 'row of Ann' });
  const shows = (area) => ann.until(`the area ${area}`, (name) => document.getElementById('area').textContent === name, area);
  let ann;
  if (!(await check('the page of a node shows the area that this node leads', async () => {
    ann = await browser.open(c.ports.web, { name: 'Ann', pictures: 1, label: 'Ann' });
    await shows('Field');
    return true;
  }))) return;
  if (!(await check('the player goes through a portal into the area that another node leads, which the page shows, and walks there', async () => {
    const { entity } = await row();
    equal((await a.api.call('POST', `/players/${entity}/teleport`, { areaId: FIELD, x: 52, y: null, z: 0 })).status, 200, 'status of the teleport');
    await ann.until('the place before the portal', () => world.self.x > 25);
    await walkToMeadow(ann);
    await walkAway(ann);
    await row(({ areaId, node }) => areaId === MEADOW && node === 'c');
    return true;
  }))) return;
  let before, actor;
  await check('after kill -9 of the node of its door, the page resumes by itself through another node, with the same actor at the same place', async () => {
    [before, actor] = [await player(ann), await row()];
    const killed = performance.now();
    await losesConnection(ann, () => c.kill());
    await ann.until('the connection is open again', () => world.link.state === 'open' && document.getElementById('state').hidden);
    report.note(`the page was back ${Math.round(performance.now() - killed)} ms after the kill, over ${await ann.get(() => world.link.transport)}`);
    const isBack = (now) => now.name === 'Ann' && distance(before, now) < 0.1;
    await waitUntil(() => player(ann), { ms: WAIT_MS, accept: isBack, what: `Ann at ${before.x.toFixed(2)}, ${before.z.toFixed(2)}` });
    for (const n of [a, b]) {
      const { entity, areaId, node, health } = await waitUntil(() => n.api.player('Ann'), { ms: WAIT_MS, accept: (r) => r && r.node !== 'c', what: 'the player and the node of its door' });
      must(node === 'a' || node === 'b', `the player's node is ${node}`);
      equal([entity, areaId, health], [actor.entity, MEADOW, actor.health], 'actor, area and health');
    }
    await shows('Meadow');
  });
  await check('the player walks on, without a correction since it entered the area', async () => {
    await walkAway(ann);
    equal((await player(ann)).corrections, before.corrections, 'corrections');
  });
  await ann.shot('cluster');
  await check('no fault in the page', () => must(ann.faults.length === 0, ann.faults.join(' | ')));
  await ann.close();
  await check('the other nodes stop with exit status 0 and have logged no fault', async () => {
    const stops = await Promise.all([a, b].map((n) => n.stop()));
    equal(stops.map((s) => s.code), [0, 0], 'exit statuses');
    equal([a, b].flatMap((n) => n.faults()).slice(0, 3), [], 'faults');
  });
}

/** Walks two blocks, until the server has the player at the same place. */
async function walkAway(screen) {
  const { x, z } = await player(screen);
  await walk(screen, x, z - 2);
  await screen.until('the server has it at the same place', agreed);
}
