// Lost connections: a network that breaks or falls silent, and a server that is killed and restarted.
import { axeViolations } from '../axe.mjs';
import { checkLayout } from './layout.mjs';
import { LINGER_S } from '../../lib/linger.mjs';
import { Proxy } from '../proxy.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const LOST_MS = 40000; // time limit for the page to notice a lost connection: 6 s of silence, and delays of a busy machine
const RECONNECT_MS = 60000; // attempts are at most 10 s apart

const state = (screen) => screen.get('connection').getAttribute('data-state');
const waitLost = (screen) => screen.until(() => state(screen), (s) => s === 'reconnecting', 'state of the connection', LOST_MS);

/** Waits until the page is live again and its map has passed a tick. */
async function waitReconnected(screen, tick) {
  await screen.until(() => state(screen), (s) => s === 'live', 'state of the connection', RECONNECT_MS);
  const shown = async () => `${screen.page.url()}: ${(await screen.page.innerText('body')).replace(/\s+/g, ' ').slice(0, 300)}`;
  await screen.until(() => screen.mapField('serverTick'), (t) => t > tick, `tick beyond ${tick}`, RECONNECT_MS).catch(async (e) => must(false, `${e.message} at ${await shown()}`));
}

// A mark in the page that a reload would erase.
const markPage = (screen) => screen.page.evaluate(() => (window.marked = true));
const notReloaded = (screen) => screen.page.evaluate(() => window.marked === true);

export async function networkChecks({ report, browser, server }) {
  const proxy = new Proxy(server.consolePort);
  const screen = await browser.screen({ label: 'bad network', base: await proxy.start() });
  screen.expectFaults(/net::ERR_/, /WebSocket connection/);
  try {
    await screen.logIn(server.consoleToken);
    await screen.waitLive();
    await markPage(screen);
    await report.check('the page notices a broken network and reconnects by itself', async () => {
      const tick = await screen.mapField('serverTick');
      proxy.cut();
      await waitLost(screen);
      equal(await screen.text('connection'), 'Reconnecting', 'shown state');
      await screen.screenshot('reconnecting');
      const actors = await screen.mapField('actors');
      must(actors > 0, `the map has ${actors} actors`);
      await screen.openView('players');
      await screen.until(() => screen.text('failure').catch(() => ''), (t) => /cannot be reached.*tries again by itself/.test(t), 'sentence of a view');
      await screen.openView('charts', 'fault'); // their code is loaded on demand
      equal(await screen.get('fault').getAttribute('data-cause'), 'unreachable', 'cause');
      for (const colorScheme of ['light', 'dark']) {
        await screen.page.emulateMedia({ colorScheme });
        await checkLayout(screen, `charts that could not be loaded, in ${colorScheme}`);
      }
      must(!/updated/.test(await screen.page.innerText('body')), 'the page blames an update');
      proxy.restore();
      await screen.waitVisible('charts', RECONNECT_MS);
      await screen.openView('map', 'map');
      await waitReconnected(screen, tick);
      must(await notReloaded(screen), 'the page was reloaded');
    }, 240000);
    await lostViewChecks({ report, screen, proxy });
    await screen.openView('map', 'map');
    await screen.waitLive();
    await report.check('the page notices a silent network and reconnects by itself', async () => {
      const tick = await screen.mapField('serverTick');
      proxy.silence();
      await waitLost(screen);
      proxy.restore();
      await waitReconnected(screen, tick);
      must(await notReloaded(screen), 'the page was reloaded');
      must(!(await screen.get('login').count()), 'the page asks for a login');
    }, 240000);
  } finally {
    await screen.context.close();
    proxy.close();
  }
}

/** Views with their buttons, which are disabled while the server cannot be reached. */
const lostViews = {
  '#/audit?tab=bans': ['ban-account', 'ban-network'],
  '#/audit?tab=mutes': ['mute-account'],
  '#/audit?tab=whitelist': ['whitelist-switch', 'whitelist-add'],
  '#/audit?tab=server': ['announce-send', 'plan-submit', 'reload'],
};

/** Breaks the network while a view is open, calls lost, restores the network, and waits until the page has found the server. */
async function whileLost(screen, proxy, lost) {
  proxy.cut();
  await screen.waitVisible('lost');
  await lost();
  await screen.until(() => screen.get('online').count(), (n) => n === 0, 'counts of players online');
  proxy.restore();
  await screen.until(() => screen.get('lost').count(), (n) => n === 0, 'banners of a lost server', RECONNECT_MS);
}

/** Views that are open when the network breaks: their actions are disabled, and no old value is shown as a present one. */
async function lostViewChecks({ report, screen, proxy }) {
  await report.check('the charts of a lost server say when they end', async () => {
    await screen.openView('charts', 'charts');
    await whileLost(screen, proxy, async () => {
      must(/^No data since \d\d:\d\d:\d\d \S+: the charts end there\.$/.test(await screen.text('charts-lost')), await screen.text('charts-lost'));
      await screen.until(async () => [...new Set(await screen.page.locator('.tile dd').allInnerTexts())], (values) => values.join() === '–', 'values of a lost server');
      equal(await axeViolations(screen), [], 'axe');
    });
    await screen.until(() => screen.get('charts-lost').count(), (n) => n === 0, 'sentence of charts that end');
  });
  await report.check('the list of players counts none while the server is lost', async () => {
    await screen.openView('players', 'player-row');
    const total = () => screen.get('player-total').innerText();
    await screen.until(total, (t) => /online/.test(t), 'count of players');
    await whileLost(screen, proxy, () => screen.until(total, (t) => t === '', 'count of players of a lost server'));
    await screen.until(total, (t) => /online/.test(t), 'count of players that were found');
  });
  const reasons = (ids) => Promise.all(ids.map((id) => screen.get(id).evaluate((e) => e.getAttribute('aria-disabled') && e.title)));
  for (const [hash, buttons] of Object.entries(lostViews)) {
    await report.check(`the actions of ${hash} are disabled while the server is lost, and enabled when it is found`, async () => {
      await screen.goTo(hash);
      for (const id of buttons) await screen.waitVisible(id);
      await screen.until(() => reasons(buttons), (all) => all.every((why) => why === null), 'reasons against the actions before');
      await whileLost(screen, proxy, async () => {
        await screen.until(() => reasons(buttons), (all) => all.every((why) => why === 'The server cannot be reached.'), 'reasons against the actions');
        for (const id of buttons) await screen.get(id).click({ force: true });
        equal(await screen.get('action-dialog').count(), 0, 'dialogs');
      });
      await screen.until(() => reasons(buttons), (all) => all.every((why) => why === null), 'reasons against the actions after');
    });
  }
}

/** The connection of a player that stays in the world. */
export async function lostChecks({ report, screen, server, players }) {
  const bob = players.find((p) => p.name === 'Bob');
  await screen.openView('players', 'players');
  const mark = screen.get('player-row').filter({ hasText: 'Bob' }).getByTestId('connection-lost');
  await report.check('a player whose connection is lost is listed with the time until it leaves', async () => {
    await screen.until(() => mark.count(), (n) => n === 0, 'marks before');
    bob.client.kill();
    const [, shown] = await screen.until(async () => /^connection lost, (\d+) s$/.exec((await mark.count()) ? await mark.innerText() : ''), Boolean, 'mark');
    const { lingering, lingersUntil } = must(await server.api.player('Bob'), 'Bob has left the world');
    const left = (Date.parse(lingersUntil) - Date.now()) / 1000;
    must(lingering && left > 0 && left <= LINGER_S && shown <= LINGER_S, `lingering ${lingering}, ${left} s by the API, ${shown} s on the page`);
    await screen.screenshot('connection-lost');
  });
  await report.check('a player that reconnects in time is listed as before', async () => {
    equal(await bob.client.reconnect(), 15, 'code of the login');
    await screen.until(() => mark.count(), (n) => n === 0, 'marks');
    const { lingering, lingersUntil } = await server.api.player('Bob');
    equal([lingering, lingersUntil], [false, null], 'row of the API');
  });
  await screen.openView('map', 'map');
  await screen.waitLive();
}

/**
 * Checks the page of a killed server: it shows since when the server is lost, dims the map, and shows no outdated values as
 * present ones.
 */
async function lostPageChecks({ screen }) {
  await screen.until(() => screen.text('lost').catch(() => ''), (t) => /cannot be reached since \d\d:\d\d:\d\d \S+ \(\d+ s\)\. .*tries again by itself/.test(t), 'banner');
  const actions = ['message', 'teleport', 'freeze', 'kick', 'mute', 'ban', 'give', 'take', 'attribute'];
  const look = async () => ({
    filter: await screen.get('map').evaluate((map) => getComputedStyle(map).filter), online: await screen.get('online').count(), actors: await screen.text('actors'),
    enabled: (await Promise.all(actions.map(async (a) => [a, await screen.get(`act-${a}`).getAttribute('aria-disabled')]))).filter(([, v]) => v !== 'true'),
    areaCounts: await screen.page.locator('.area-count').count(), legend: [...new Set(await screen.page.locator('.legend-count').allInnerTexts())],
  });
  const isLost = (s) => /brightness/.test(s.filter) && s.online === 0 && s.actors === '– actors' && s.enabled.length === 0 && s.areaCounts === 0 && s.legend.join() === '–';
  await screen.until(look, isLost, 'page of a lost server: dimmed map, counts, and actions that are enabled');
  equal(await axeViolations(screen), [], 'axe');
}

/** Kills the server and starts it again on the same port and data folder. hasHistory: corrections and actions were made before. */
export async function restartChecks({ report, browser, screen, server, hasHistory }) {
  screen.expectFaults(/net::ERR_/, /WebSocket connection/, /status of 409/); // 409: requests about an entity id of the previous run
  const old = server.consoleToken;
  const others = await Promise.all(['logged out', 'revoked'].map((label) => browser.screen({ label, base: server.consoleBase })));
  const [loggedOut, revoked] = others;
  for (const other of others) other.expectFaults(/net::ERR_/, /WebSocket connection/, /status of 401/);
  await loggedOut.logIn(old);
  const [cookie] = await loggedOut.context.cookies();
  await loggedOut.get('operator').click();
  await loggedOut.get('log-out').click();
  await loggedOut.waitVisible('login');
  await revoked.logIn((await server.cli('token add', 'Rev', '--role', 'viewer')).trim());
  let online = []; // players in the world when the server was killed
  let restored = []; // players in the world after the server's restart
  await report.check('the page notices that the server was killed', async () => {
    online = (await server.api.get('/players')).players;
    const [{ entity }] = online;
    equal((await server.api.call('POST', `/players/${entity}/freeze`, { frozen: true })).status, 200, 'status of the freeze');
    await screen.goTo(`#/map?area=1&player=${entity}`);
    await screen.waitVisible('player-panel');
    await screen.waitLive();
    await markPage(screen);
    await server.kill();
    await waitLost(screen);
    equal(await screen.text('connection'), 'Reconnecting', 'shown state');
    await lostPageChecks({ report, screen });
  });
  await report.check('after a restart the page reconnects in the same view, logged in, without players of the previous run', async () => {
    await server.cli('token revoke', 'Rev');
    await sleep(500);
    await server.start();
    restored = (await server.api.get('/players')).players;
    must(old !== server.consoleToken, 'both runs have the same token');
    await waitReconnected(screen, 0);
    await screen.until(async () => screen.page.url(), (url) => !url.includes('player='), 'address');
    await screen.waitLive();
    await waitReconnected(screen, await screen.mapField('serverTick'));
    must(await notReloaded(screen), 'the page was reloaded');
    must(!(await screen.get('login').count()), 'the page asks for a login');
    equal(await screen.page.locator('[data-testid=area-tab][aria-selected=true]').getAttribute('data-area'), '1', 'area');
    await screen.until(async () => [await screen.mapField('actors'), (await server.api.area(1)).actors], ([a, b]) => a === b, 'actors');
    await screen.screenshot('reconnected');
  });
  await report.check('players that the restarted server has restored are listed with their accounts and as without a connection', async () => {
    const rows = (list) => list.map((p) => [p.entity, p.name, p.account, p.area]);
    equal(rows(restored), rows(online), 'id, name, account and area of the players');
    equal(restored.map((p) => p.lingering), restored.map(() => true), 'lingering');
    equal(await screen.get('lost').count(), 0, 'banners of a lost server');
  });
  await report.check('a freeze survives the restart, and the page shows it', async () => {
    equal(restored.map((p) => [p.name, p.frozen]), online.map((p, i) => [p.name, p.frozen || i === 0]), 'frozen players');
    await screen.openView('players', 'players');
    const frozen = screen.get('player-row').filter({ hasText: online[0].name });
    await screen.until(() => frozen.first().innerText(), (t) => /frozen/.test(t), 'row of the frozen player');
    await screen.goTo(`#/players?player=${restored[0].entity}`);
    await screen.until(() => screen.text('act-freeze').catch(() => ''), (t) => t === 'Unfreeze', 'button of the panel');
  });
  await report.check('after the restart a revoked session must log in again, and a page that was logged out stays logged out', async () => {
    await revoked.waitVisible('login', RECONNECT_MS);
    equal(await revoked.text('login-note'), 'Your session has ended. Log in again to go on where you were.', 'note');
    await loggedOut.context.addCookies([cookie]);
    await loggedOut.page.reload();
    await loggedOut.waitVisible('login');
  });
  await report.check('the token of the previous run is refused, the new one logs in', async () => {
    await loggedOut.get('login-token').fill(old);
    await loggedOut.get('login-submit').click();
    await loggedOut.until(() => loggedOut.text('login-note'), (t) => /good for one run only/.test(t), 'sentence');
    await loggedOut.get('login-token').fill(server.consoleToken);
    await loggedOut.get('login-submit').click();
    await loggedOut.waitVisible('map');
    await loggedOut.waitLive();
    for (const other of others) await other.context.close();
  });
  if (!hasHistory) return;
  await report.check('corrections and actions of the previous run are still listed', async () => {
    await screen.goTo('#/corrections?player=Ann');
    await screen.until(() => screen.get('correction').count(), (n) => n > 0, 'corrections of the previous run');
    await screen.goTo('#/audit');
    await screen.until(() => screen.get('audit-row').count(), (n) => n > 5, 'actions of the previous run');
  });
}
