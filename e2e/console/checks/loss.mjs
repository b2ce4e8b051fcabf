// The connection is lost and comes back: the network's, and the server's.
import { Proxy } from '../proxy.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const LOST_MS = 40000; // 6 s of silence are lost, and the page looks every second, if the machine lets it
const BACK_MS = 60000; // attempts are 10 s apart at most

const state = (screen) => screen.get('connection').getAttribute('data-state');
const lost = (screen) => screen.until(() => state(screen), (s) => s === 'reconnecting', 'the state of the connection', LOST_MS);

/** Waits until the page says that it is live and the map moves on from a tick. */
async function back(screen, tick) {
  await screen.until(() => state(screen), (s) => s === 'live', 'the state of the connection', BACK_MS);
  const seen = async () => `${screen.page.url()}: ${(await screen.page.innerText('body')).replace(/\s+/g, ' ').slice(0, 300)}`;
  await screen.until(() => screen.truth('serverTick'), (t) => t > tick, `the tick, after ${tick}`, BACK_MS).catch(async (e) => must(false, `${e.message} at ${await seen()}`));
}

// Kept by the page for as long as nobody loads it again.
const mark = (screen) => screen.page.evaluate(() => (window.stayed = true));
const stayed = (screen) => screen.page.evaluate(() => window.stayed === true);

export async function networkChecks({ report, browser, server }) {
  const proxy = new Proxy(server.consolePort);
  const screen = await browser.screen({ label: 'bad network', base: await proxy.start() });
  screen.excuse(/net::ERR_/, /WebSocket connection/);
  try {
    await screen.logIn(server.consoleToken);
    await screen.live();
    await mark(screen);
    await report.check('a network that breaks is noticed, and the page comes back by itself', async () => {
      const tick = await screen.truth('serverTick');
      proxy.cut();
      await lost(screen);
      equal(await screen.text('connection'), 'Reconnecting', 'what it says');
      await screen.shot('reconnecting');
      must((await screen.truth('actors')) > 0, 'the picture is gone');
      await screen.view('players');
      await screen.until(() => screen.text('failure').catch(() => ''), (t) => /cannot be reached.*tries again by itself/.test(t), 'the sentence of a view');
      proxy.mend();
      await screen.shown('players', BACK_MS);
      await screen.view('map', 'map');
      await back(screen, tick);
      must(await stayed(screen), 'the page was loaded again');
    }, 240000);
    await report.check('so does one that falls silent', async () => {
      const tick = await screen.truth('serverTick');
      proxy.silence();
      await lost(screen);
      proxy.mend();
      await back(screen, tick);
      must(await stayed(screen), 'the page was loaded again');
      must(!(await screen.get('login').count()), 'it asks to log in');
    }, 240000);
  } finally {
    await screen.context.close();
    proxy.close();
  }
}

/** Kills the server under the page, and starts it again on the same port and data folder; kept: there was something to keep. */
export async function restartChecks({ report, browser, screen, server, kept }) {
  screen.excuse(/net::ERR_/, /WebSocket connection/, /status of 409/); // of whoever has the number of a player of the run before
  const old = server.consoleToken;
  const others = await Promise.all(['left', 'revoked'].map((label) => browser.screen({ label, base: server.consoleBase })));
  const [left, revoked] = others;
  for (const other of others) other.excuse(/net::ERR_/, /WebSocket connection/, /status of 401/);
  await left.logIn(old);
  const [cookie] = await left.context.cookies();
  await left.get('operator').click();
  await left.get('log-out').click();
  await left.shown('login');
  await revoked.logIn((await server.cli('token add', 'Rev', '--role', 'viewer')).trim());
  await report.check('a server that dies is noticed', async () => {
    const [{ entity }] = (await server.api.get('/players')).players;
    await screen.page.evaluate((id) => (location.hash = `#/map?area=1&player=${id}`), entity);
    await screen.shown('player-panel');
    await screen.live();
    await mark(screen);
    await server.kill();
    await lost(screen);
    equal(await screen.text('connection'), 'Reconnecting', 'what it says');
  });
  await report.check('when it is back the page goes on by itself where it was, logged in, with nobody of the run before', async () => {
    await server.cli('token revoke', 'Rev');
    await sleep(500);
    await server.start();
    must(old !== server.consoleToken, 'both runs have one token');
    await back(screen, 0);
    await screen.until(async () => screen.page.url(), (url) => !url.includes('player='), 'the address');
    await screen.live();
    await back(screen, await screen.truth('serverTick'));
    must(await stayed(screen), 'the page was loaded again');
    must(!(await screen.get('login').count()), 'it asks to log in');
    equal(await screen.page.locator('[data-testid=area-tab][aria-selected=true]').getAttribute('data-area'), '1', 'the area');
    await screen.until(async () => [await screen.truth('actors'), (await server.api.area(1)).actors], ([a, b]) => a === b, 'actors');
    await screen.shot('goes-on');
  });
  await report.check('who was revoked meanwhile must log in, and who had logged out stays out', async () => {
    await revoked.shown('login', BACK_MS);
    equal(await revoked.text('login-note'), 'Your session has ended. Log in again to go on where you were.', 'the note');
    await left.context.addCookies([cookie]);
    await left.page.reload();
    await left.shown('login');
  });
  await report.check('the token of the last run is refused, the new one logs in', async () => {
    await left.get('login-token').fill(old);
    await left.get('login-submit').click();
    await left.until(() => left.text('login-note'), (t) => /good for one run only/.test(t), 'the sentence');
    await left.get('login-token').fill(server.consoleToken);
    await left.get('login-submit').click();
    await left.shown('map');
    await left.live();
    for (const other of others) await other.context.close();
  });
  if (!kept) return;
  await report.check('what was kept before is still there', async () => {
    await screen.page.evaluate(() => (location.hash = '#/corrections?player=Ann'));
    await screen.until(() => screen.get('correction').count(), (n) => n > 0, 'corrections of the run before');
    await screen.page.evaluate(() => (location.hash = '#/audit'));
    await screen.until(() => screen.get('deed-row').count(), (n) => n > 5, 'deeds of the run before');
  });
}
