// The page in a cluster of three nodes. Its player goes to an area that another node than that of its door leads. Then the node of its
// door is killed, and the page goes on through another node. That one is stopped with SIGSTOP when the killed node is back: the kernel
// still accepts connections for it, and nothing answers.
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

async function play({ report, check, browser, nodes }) {
  const { a, b, c } = nodes;
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
    await sayUnanswered(ann, c);
    const killed = performance.now();
    await losesConnection(ann, () => c.kill());
    await isBack(killed, 'the kill', [a, b]);
  });
  await check('what the player had said when its node was killed is not said again by the page, whose promise says that it is unknown', async () => {
    await ann.get(() => delete world.deliver);
    equal((await ann.get(() => world.say('Said later'))).reason, 'none', 'reason of a line that is said now');
    await waitUntil(() => said(a, 'Said later'), { ms: WAIT_MS, what: 'a line that was said afterwards' });
    equal(await said(a, UNANSWERED), 0, 'lines that were said again');
    equal(await ann.until('the result', () => globalThis.result), 'unknown', 'reason');
  });
  await check('the player walks on, without a correction since it entered the area', async () => {
    await walkAway(ann);
    equal((await player(ann)).corrections, before.corrections, 'corrections');
  });
  await check('after SIGSTOP of the node of its door, the page resumes by itself through another node, with the same actor at the same place', async () => {
    await c.start();
    const states = async () => (await a.api.get('/cluster')).nodes.map((n) => n.state);
    await waitUntil(states, { ms: WAIT_MS, accept: (all) => all.every((s) => s === 'up'), what: 'states of the nodes' });
    [before, actor] = [await player(ann), await row()];
    const hung = nodes[actor.node], others = Object.values(nodes).filter((n) => n !== hung);
    try {
      const stopped = performance.now();
      await losesConnection(ann, () => hung.child.kill('SIGSTOP'));
      report.note(`the page noticed ${Math.round(performance.now() - stopped)} ms after SIGSTOP that its node is silent`);
      await isBack(stopped, 'SIGSTOP', others);
    } finally {
      await hung.kill(); // ends a stopped process, too
    }
    await walkAway(ann);
  });
  await ann.shot('cluster');
  await check('no fault in the page', () => must(ann.faults.length === 0, ann.faults.join(' | ')));
  await ann.close();
  await check('the nodes that run stop with exit status 0, and no node has logged a fault', async () => {
    const stops = await Promise.all(Object.values(nodes).filter((n) => n.running).map((n) => n.stop()));
    equal(stops.map((s) => s.code), [0, 0], 'exit statuses');
    equal([a, b, c].flatMap((n) => n.faults()).slice(0, 3), [], 'faults');
  });

  /** Waits until the page plays the same actor at the same place as before. Each of the nodes must show that through which it does. */
  async function isBack(since, what, others) {
    await ann.until('the connection is open again', () => world.link.state === 'open' && document.getElementById('state').hidden);
    report.note(`the page was back ${Math.round(performance.now() - since)} ms after ${what}, over ${await ann.get(() => world.link.transport)}`);
    const atPlace = (now) => now.name === 'Ann' && distance(before, now) < 0.1;
    await waitUntil(() => player(ann), { ms: WAIT_MS, accept: atPlace, what: `Ann at ${before.x.toFixed(2)}, ${before.z.toFixed(2)}` });
    for (const n of others) {
      const through = ({ node }) => others.includes(nodes[node]);
      const { entity, areaId, health } = await waitUntil(() => n.api.player('Ann'), { ms: WAIT_MS, accept: (r) => r && through(r), what: 'the player and the node of its door' });
      equal([entity, areaId, health], [actor.entity, MEADOW, actor.health], 'actor, area and health');
    }
    await shows('Meadow');
  }
}

const UNANSWERED = 'Said but not answered';

/** Number of lines with a text in the chat of the nodes that run. */
const said = async (node, text) => (await node.api.get(`/chat?q=${encodeURIComponent(`"${text}"`)}`)).lines.length;

/** Says a line. No answer reaches the page, as if the node had died before it, until world.deliver is deleted. globalThis.result becomes the result. */
async function sayUnanswered(screen, node) {
  await screen.get((line) => {
    const { deliver } = world;
    world.deliver = (b, t) => deliver.call(world, b[0] === 0x49 ? Uint8Array.of(0x7f) : b, t); // in place of an answer a message that clients skip
    void world.say(line).then((a) => (globalThis.result = a.reason));
  }, UNANSWERED);
  await waitUntil(() => said(node, UNANSWERED), { ms: WAIT_MS, accept: (n) => n === 1, what: 'lines that were said' });
  equal(await screen.get(() => globalThis.result), undefined, 'result before the kill');
}

/** Walks two blocks, until the server has the player at the same place. */
async function walkAway(screen) {
  const { x, z } = await player(screen);
  await walk(screen, x, z - 2);
  await screen.until('the server has it at the same place', agreed);
}
