// The page Cluster, over three nodes and PostgreSQL: nodes and leaders, moves, a drain, players of another node, a player between areas while
// two nodes stand still, a killed node and its return.
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';
import { Cluster } from '../../lib/cluster.mjs';
import { MapSocket } from '../map_socket.mjs';
import { Bob } from '../players.mjs';
import { checkLayout, phone } from './layout.mjs';
import { confirm, openPanel } from './actions.mjs';

const CLICK_MS = 2000;
const BEFORE_KILL_MS = 500; // how long before the kill of a node the time is that the time bars are asked for
const LEAVE_MS = 120000; // time limit of the attempts of leaveTowardsPausedNode

/** The rows of the nodes as {name: state}, and of the areas as {name: name of the node that leads it}. */
const states = (screen) => screen.get('node-row').evaluateAll((rows) => Object.fromEntries(rows.map((r) => [r.dataset.node, r.dataset.state])));
const leads = (screen) => screen.get('led-area').evaluateAll((rows) => Object.fromEntries(rows.map((r) => [r.dataset.area, r.dataset.lead])));

const transfers = (screen) => screen.get('transfer').evaluateAll((rows) => rows.map((r) => ({ ...r.dataset, text: r.innerText.replace(/\s+/g, ' ') })));

const allUp = (of) => Object.keys(of).length === 3 && Object.values(of).every((s) => s === 'up');
const allLed = (of) => Object.keys(of).length > 0 && Object.values(of).every((name) => name !== '');

/** The area that a node leads, once the page shows one. */
async function areaOf(screen, node) {
  const of = await screen.until(() => leads(screen), (all) => Object.values(all).includes(node), `leads, of which node ${node} has none,`);
  return Object.keys(of).find((area) => of[area] === node);
}

/** Waits until nothing keeps areas from being placed by load. */
const awaitPlacement = (screen, node) => screen.until(async () => (await node.api.get('/cluster')).paused, (why) => why === '', 'what keeps areas from being placed');

/**
 * Confirms the open dialog again until the order is not refused, as it is while the area is just being handed over, and waits for the toast
 * that reports the result.
 */
async function confirmOrder(screen, message) {
  const toast = screen.page.getByTestId('toast').filter({ hasText: message }).last().waitFor(); // before the click: a toast soon disappears
  const confirmed = async () => {
    if (await screen.get('action-dialog').count() === 0) return 'done';
    await screen.get('action-confirm').click({ timeout: CLICK_MS }).catch(() => {}); // the button is disabled until the answer arrives
    return await screen.get('action-error').count() > 0 ? screen.text('action-error').catch(() => '') : '';
  };
  await screen.until(confirmed, (answer) => answer === 'done', 'answer to the order');
  await toast;
}

/** Sends an order about an area until it is not refused because the area is just being handed over or a node knows no leader yet. */
async function order(screen, node, path, body) {
  const answer = () => node.api.call('POST', path, body);
  const { status, body: why } = await screen.until(answer, (a) => a.status !== 409, `answer to ${path} ${JSON.stringify(body)}`);
  equal(status, 200, `status of ${path} ${JSON.stringify(body)}: ${why?.error?.message}`);
}

/** Waits until the audit of a node has an entry with the wanted fields. */
async function awaitAudit(screen, node, want, what) {
  const entries = async () => (await node.api.get('/audit?limit=50')).entries.map(({ action, player, detail, result }) => ({ action, player, detail, result }));
  await screen.until(entries, (all) => all.some((e) => Object.entries(want).every(([key, value]) => e[key] === value)), what);
}

async function openCluster(browser, node, name, size = {}) {
  const screen = await browser.screen({ label: `node ${name}`, base: node.consoleBase, ...size });
  await screen.logIn(node.consoleToken);
  await screen.openView('cluster', 'node-row');
  return screen;
}

export async function clusterChecks({ report, browser, bin, dir }) {
  const cluster = new Cluster({ bin, dir, doors: ['rs'] });
  const killNow = () => cluster.killNow();
  process.on('exit', killNow);
  try {
    const started = await report.check('three nodes of a cluster start', async () => {
      await cluster.start();
      return true;
    });
    if (started) await play({ report, browser }, cluster.nodes);
  } finally {
    await cluster.stop();
    process.off('exit', killNow);
  }
}

async function play({ report, browser }, nodes) {
  const { a, b, c } = nodes;
  const screen = await openCluster(browser, a, 'a');
  screen.expectFaults(/status of 409/); // the area of a move or drain is just being handed over
  screen.expectFaults(/status of 404 .*\/players\/\d+$/); // the panel of a player who has left still asks for that player
  let other;
  await report.check('the page of every node lists all nodes and which node leads each area', async () => {
    other = await openCluster(browser, b, 'b');
    for (const s of [screen, other]) await s.until(() => states(s), allUp, 'states of the nodes');
    const both = () => Promise.all([leads(screen), leads(other)]);
    const [led] = await screen.until(both, ([x, y]) => allLed(x) && JSON.stringify(x) === JSON.stringify(y), 'the same leads on both pages');
    const { areas } = await a.api.get('/cluster');
    equal(Object.keys(led).length, areas.length, 'areas');
    await screen.until(() => screen.get('cluster-stopped').count(), (n) => n === 0, 'areas that stand still');
  });
  for (const [title, size] of [['a phone', phone], ['a desktop', {}]]) {
    await report.check(`the page is complete and legible on ${title} in light and dark`, async () => {
      for (const dark of [false, true]) {
        const s = await openCluster(browser, a, 'a', { ...size, dark });
        await checkLayout(s, 'cluster');
        await s.screenshot(`cluster-${title.replace('a ', '')}-${dark ? 'dark' : 'light'}`);
        await s.context.close();
      }
    });
  }
  await report.check('an area is moved to another node, which the pages of both show', async () => {
    const area = await areaOf(screen, 'a');
    const row = screen.page.locator(`[data-testid=led-area][data-area="${area}"]`);
    await row.getByTestId('move').click();
    await screen.get('move-node').selectOption('b');
    await confirmOrder(screen, 'Node b leads');
    for (const s of [screen, other]) await s.until(() => leads(s), (of) => of[area] === 'b', `lead of area ${area}`);
    await screen.until(() => row.innerText(), (t) => /moved to b/.test(t), 'preference');
    await screen.until(() => screen.texts('lead-change'), (all) => all.some((t) => /a → b moved by an operator$/.test(t)), 'changes of leads');
    await awaitAudit(screen, a, { action: 'cluster_move', result: 'ok' }, 'audit of node a');
  });
  await report.check('an area is moved on the page of a node that does not lead it', async () => {
    const area = await areaOf(screen, 'b');
    await screen.page.locator(`[data-testid=led-area][data-area="${area}"]`).getByTestId('move').click();
    await screen.get('move-node').selectOption('a');
    await confirmOrder(screen, 'Node a leads');
    for (const s of [screen, other]) await s.until(() => leads(s), (of) => of[area] === 'a', `lead of area ${area}`);
  });
  await report.check('a player of another node is listed with that node, shown, and kicked on the page of this node', async () => {
    const bob = new Bob(b);
    try {
      await bob.join();
      await screen.until(() => a.api.player('Bob'), (p) => p?.account !== '' && p?.node === 'b', 'row of the API');
      await screen.openView('players', 'player-row');
      await screen.until(() => screen.text('player-node'), (t) => t === 'b', 'node in the list');
      await screen.screenshot('cluster-players');
      await openPanel(screen, a, 'Bob');
      await screen.until(() => screen.text('player-panel'), (t) => /node b/.test(t), 'panel without the node');
      await screen.get('act-kick').click();
      await screen.get('action-reason').fill('Kicked from another node.');
      await confirm(screen, 'Bob was kicked');
      await screen.until(async () => bob.disconnected, Boolean, 'disconnect of the client');
      await screen.until(() => a.api.player('Bob'), (row) => row === undefined, 'row of the API');
      for (const [node, detail] of [[a, 'node b: Kicked from another node.'], [b, 'from node a: Kicked from another node.']]) {
        await awaitAudit(screen, node, { action: 'kick', player: 'Bob', detail, result: 'ok' }, `audit, which lacks "${detail}"`);
      }
    } finally {
      await bob.close();
    }
    await screen.openView('cluster', 'node-row');
  });
  await report.check('a node is drained on the page of another node, and leads no area until it is undrained', async () => {
    const row = screen.page.locator('[data-testid=node-row][data-node=b]');
    await row.getByTestId('drain').click();
    await confirmOrder(screen, 'Node b leads no area');
    await screen.until(() => states(screen), (of) => of.b === 'draining', 'state of b');
    for (const [node, detail] of [[a, 'node b'], [b, 'from node a: node b']]) {
      await awaitAudit(screen, node, { action: 'cluster_drain', detail, result: 'ok' }, `audit, which lacks "${detail}"`);
    }
    await screen.until(() => leads(screen), (of) => allLed(of) && !Object.values(of).includes('b'), 'leads without b');
    await other.get('undrain').click();
    await confirmOrder(other, 'Node b leads areas again');
    await awaitAudit(screen, b, { action: 'cluster_undrain', detail: 'node b', result: 'ok' }, 'audit of node b');
    await screen.until(() => states(screen), allUp, 'states of the nodes');
  });
  await report.check('a player between two areas is shown, as late and with the reason while two nodes stand still, until it arrives', () => crossPausedNodes(screen, other, nodes), 2 * LEAVE_MS);
  const bob = new Bob(b);
  let stopPatrol = async () => {}, killed; // killed: time of the kill
  const barsOf = Object.entries({ a, c }); // the nodes whose time bars are checked
  const seen = {}; // name: a frame of that node's live map before the kill; each node gives a tick its own time
  await report.check('a killed node is shown as down, its areas have another leader, and it is shown as up after its return', async () => {
    await bob.join();
    stopPatrol = bob.patrol();
    await order(screen, a, '/cluster/move', { area: '0', node: 'c' });
    await screen.until(() => leads(screen), (of) => allLed(of) && of[0] === 'c', 'the area of Bob, which c leads');
    await sleep(1000); // record Bob for a second before the kill
    for (const [name, node] of barsOf) {
      const { socket: live } = await MapSocket.open(node, '/live?area=0&rate=20', { token: node.consoleToken });
      const opened = Date.now();
      seen[name] = await live.next('frame', { accept: (f) => f.at > opened });
      live.close();
    }
    await sleep(BEFORE_KILL_MS);
    killed = Date.now();
    await c.kill();
    await screen.until(() => states(screen), (of) => of.c === 'down', 'state of c');
    await screen.until(() => leads(screen), (of) => allLed(of) && !Object.values(of).includes('c'), 'leads without c');
    await screen.until(() => screen.texts('lead-change'), (all) => all.some((t) => /c → [ab] fail-over no connection to c/.test(t)), 'changes of leads');
    await screen.screenshot('cluster-node-down');
    await c.start();
    for (const s of [screen, other]) await s.until(() => states(s), allUp, 'states of the nodes');
  });
  await report.check('the time bars of the killed node and of another node play the time of the kill without a gap', async () => {
    await stopPatrol();
    await bob.close();
    for (const [name, node] of barsOf) {
      const over = (spans) => spans.some(({ from, to }) => Date.parse(from) < seen[name].at && Date.parse(to) > killed + 3000);
      await screen.until(async () => (await node.api.get('/tape?area=0')).spans, over, `recorded periods of node ${name}`);
      const s = await openCluster(browser, node, name);
      const at = Math.floor(seen[name].at);
      await s.open(`#/map?area=0&at=${at}`);
      const shown = async () => ({ at: await s.mapField('shownTime'), tick: await s.mapField('serverTick') });
      // The newest tick at that time: that of the node's live map, or a later one, if it had recorded it but not sent it yet.
      await s.until(shown, (now) => now.at <= at && now.tick >= seen[name].tick, `time and tick before the kill, ${at} and ${seen[name].tick},`);
      const before = await s.until(() => s.drawnAt('Bob'), Boolean, 'Bob on the map');
      await s.get('play').click();
      await s.until(shown, (now) => now.at > killed + 2000, `time after the kill, ${killed + 2000},`);
      await s.until(() => s.drawnAt('Bob'), (drawn) => drawn && drawn.x !== before.x, `Bob, who walks from x ${before.x}`); // at times Bob is there again
      await s.screenshot(`cluster-past-${name}`);
      await s.context.close();
    }
  });
  await report.check('the nodes stop with exit status 0 and have logged no fault', async () => {
    for (const s of [screen, other]) await s.context.close();
    const stops = await Promise.all(Object.values(nodes).map((n) => n.stop()));
    equal(stops.map((s) => s.code), [0, 0, 0], 'exit statuses');
    equal(Object.values(nodes).flatMap((n) => n.faults()).slice(0, 3), [], 'faults');
  });
}

/**
 * Makes Dora leave an area that node a leads for one that node c leads, and stops c and then b. The result has the ids of both areas, the
 * name of the second one, and the status of the cluster before. On a busy machine the answer to the teleport can take so long that b leads
 * the second area first, in which Dora then arrives: it is made to leave again, for at most LEAVE_MS.
 */
async function leaveTowardsPausedNode(screen, { a, b, c }) {
  for (const end = performance.now() + LEAVE_MS; ;) {
    const { entity, areaId: from } = await screen.until(() => a.api.player('Dora'), Boolean, 'row of the API');
    const before = await a.api.get('/cluster');
    const { id: to, name } = before.areas.find((x) => x.id !== from);
    for (const [area, node] of [[from, 'a'], [to, 'c']]) await order(screen, a, '/cluster/move', { area: String(area), node });
    await screen.until(() => leads(screen), (of) => of[from] === 'a' && of[to] === 'c', 'leads of both areas');
    await screen.waitVisible('transfers-none');
    c.child.kill('SIGSTOP');
    const { status } = await a.api.call('POST', `/players/${entity}/teleport`, { areaId: to, x: 0, y: null, z: 0 });
    b.child.kill('SIGSTOP');
    equal(status, 200, 'status of the teleport');
    if ((await a.api.get('/cluster')).transfers.some((t) => t.arrived === 0)) return { from, to, name, before };
    must(performance.now() < end, 'in each attempt node b led the area before Dora had left for it');
    for (const node of [b, c]) node.child.kill('SIGCONT');
    await screen.until(() => a.api.player('Dora'), (p) => p?.areaId === to, 'area of Dora');
    await screen.until(() => states(screen), allUp, 'states of the nodes');
    await awaitPlacement(screen, a);
  }
}

/**
 * Dora goes from an area that node a leads to one that node c leads, which stands still. Node b would lead that area after 0.6 s, so it is
 * stopped as soon as Dora has left. Node a alone can commit nothing, and Dora is between the areas until the others go on.
 */
async function crossPausedNodes(screen, other, { a, b, c }) {
  const player = new Bob(a, 'Dora');
  try {
    await player.join();
    const { from, to, name, before } = await leaveTowardsPausedNode(screen, { a, b, c });
    const rowsOf = (rows) => rows.filter((r) => r.late === 'true' && r.text.includes(`${name} has no leader`));
    const [row] = rowsOf(await screen.until(() => transfers(screen), (rows) => rowsOf(rows).length > 0, `players between areas, late because ${name} has no leader,`));
    equal([row.from, row.to], [String(from), String(to)], 'areas');
    await screen.until(() => screen.text('transfers-late'), (t) => /1 player is between areas/.test(t), 'line about the player');
    const { transfers: [t] } = await a.api.get('/cluster');
    must(t.underWay === 1 && t.arrived === 0 && t.oldestMs > 1000, `the API has ${JSON.stringify(t)}`);
    const printed = await a.cli('cluster status');
    must(new RegExp(`${name} +1 +0 +[1-9][0-9.]* s +\\d+ +${name} has no leader`).test(printed), `the command prints ${printed}`);
    for (const [width, height] of [[390, 844], [1280, 800]]) {
      await screen.page.setViewportSize({ width, height });
      await checkLayout(screen, `cluster at ${width}`);
      await screen.get('transfer').first().scrollIntoViewIfNeeded();
      await screen.screenshot(`cluster-transfer-${width}`);
    }
    for (const node of [b, c]) node.child.kill('SIGCONT');
    await screen.until(() => a.api.player('Dora'), (p) => p?.areaId === to, 'area of Dora');
    const settled = async (node) => (await node.api.get('/cluster')).areas.find((x) => x.id === from).settled;
    const want = before.areas.find((x) => x.id === from).settled + 1;
    for (const node of [a, b, c]) await screen.until(() => settled(node), (n) => n === want, 'players who have arrived');
    for (const s of [screen, other]) await s.waitVisible('transfers-none');
    await screen.until(() => states(screen), allUp, 'states of the nodes');
    for (const area of [from, to]) await order(screen, a, '/cluster/release', { area: String(area) });
    await awaitAudit(screen, a, { action: 'cluster_release', result: 'ok' }, 'audit of node a');
    await awaitPlacement(screen, a);
  } finally {
    for (const node of [b, c]) node.child.kill('SIGCONT');
    await player.close();
  }
}
