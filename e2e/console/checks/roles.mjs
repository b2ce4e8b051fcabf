// Roles: the page disables and the API refuses actions that a token does not allow, and a session ends with its token.
import { ConsoleApi } from '../../lib/console_api.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const RELOAD_MS = 1100; // time until a running server has read the token file again; an earlier request counts as a wrong token
const EXPIRY = '80s'; // lifetime of the token that expires during the checks; on a busy machine, the page takes 10 s and more to log in with it
const EXPIRED_MS = 150000;

const tokens = { Vic: ['--role', 'viewer'], Mo: ['--role', 'moderator'], Eve: ['--role', 'admin', '--expires', EXPIRY] };

/** Creates the tokens, and waits until the server accepts them. Resolves with {name: {text, api}}. */
async function createTokens(server) {
  const created = {};
  for (const [name, args] of Object.entries(tokens)) {
    const text = (await server.cli('token add', name, ...args)).trim();
    created[name] = { text, api: new ConsoleApi(server.consoleBase, text) };
  }
  await sleep(RELOAD_MS);
  for (const [name, { api }] of Object.entries(created)) {
    for (let tries = 1; ; tries++) {
      const { status } = await api.call('GET', '/session');
      if (status === 200) break;
      must(tries < 4, `status ${status} for the token of ${name} after ${tries} requests`);
      await sleep(RELOAD_MS * tries);
    }
  }
  return created;
}

/** Creates tokens, and opens a page with the one that expires. Its session ends while other checks run, before roleChecks. */
export async function startRoles({ browser, server }) {
  const tokens = await createTokens(server);
  const eve = await browser.screen({ label: 'expiring token', base: server.consoleBase });
  eve.expectFaults(/status of 401/, /WebSocket/);
  await eve.logIn(tokens.Eve.text);
  await eve.openView('audit', 'tab-bans'); // a view without a map
  return { tokens, eve };
}

/** started: what startRoles resolved with. */
export async function roleChecks({ report, browser, server }, { tokens: { Vic: vic, Mo: mod, Eve: expiring }, eve }) {
  const bob = must(await server.api.player('Bob'), 'Bob is not in the world');
  await viewerChecks({ report, browser, server, vic }, bob);
  await report.check('a moderator may kick and mute but not ban, switch the whitelist or stop the server', async () => {
    const screen = await browser.screen({ label: 'moderator', base: server.consoleBase });
    await screen.logIn(mod.text);
    await screen.goTo(`#/players?player=${bob.entity}`);
    await screen.waitVisible('act-ban');
    equal([await screen.get('act-kick').getAttribute('aria-disabled'), await screen.get('act-ban').getAttribute('aria-disabled')], [null, 'true'], 'disabled');
    equal(await screen.get('act-ban').getAttribute('title'), 'Only an administrator can ban.', 'tooltip');
    equal(await screen.get('act-mute').getAttribute('aria-disabled'), null, 'mute disabled');
    for (const [tab, button, reason] of [
      ['bans', 'ban-network', 'Only an administrator can ban and pardon.'],
      ['whitelist', 'whitelist-switch', 'Only an administrator can switch the whitelist.'],
      ['server', 'plan-submit', 'Only an administrator can stop the server.'],
    ]) {
      await screen.goTo(`#/audit?tab=${tab}`);
      await screen.waitVisible(button);
      equal([await screen.get(button).getAttribute('aria-disabled'), await screen.get(button).getAttribute('title')], ['true', reason], button);
      await screen.get(button).click({ force: true });
      must(!(await screen.get('action-dialog').count()), `${button} opens a dialog`);
    }
    equal((await mod.api.call('POST', '/bans', { account: bob.account, reason: '' })).status, 403, 'a ban by the API');
    await screen.context.close();
  });
  await report.check('a session ends when its token expires, and the page says so', async () => {
    await eve.waitVisible('login', EXPIRED_MS);
    equal(await eve.text('login-note'), 'Your session has ended. Log in again to go on where you were.', 'note');
    await eve.get('login-token').fill(expiring.text);
    await eve.get('login-submit').click();
    await eve.until(() => eve.text('login-note'), (t) => /token has expired/.test(t), 'sentence');
    await eve.context.close();
  });
}

async function viewerChecks({ report, browser, server, vic }, bob) {
  const screen = await browser.screen({ label: 'viewer', base: server.consoleBase });
  screen.expectFaults(/status of 40[13]/, /WebSocket/);
  await screen.logIn(vic.text);
  const actions = ['message', 'teleport', 'freeze', 'kick', 'mute', 'ban'];
  await report.check('a viewer sees all actions disabled, with the reason', async () => {
    await screen.goTo(`#/map?player=${bob.entity}`);
    await screen.waitVisible('act-kick');
    for (const a of actions) {
      equal(await screen.get(`act-${a}`).getAttribute('aria-disabled'), 'true', a);
      await screen.get(`act-${a}`).click({ force: true });
      must(!(await screen.get('action-dialog').count()), `${a} opens a dialog`);
    }
    must((await screen.text('player-panel')).includes("Your token is a viewer's."), 'the panel gives no reason');
    must(!(await screen.get('nav-audit').count()), 'the audit is offered');
    await screen.goTo('#/audit');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => t.includes('This is for moderators and administrators'), 'sentence');
  });
  await report.check('the API refuses actions of a viewer, and the audit lists the attempt', async () => {
    const kick = await vic.api.call('POST', `/players/${bob.entity}/kick`, { reason: 'I may not' });
    equal([kick.status, kick.body.error.code], [403, 'forbidden'], 'a kick');
    equal((await vic.api.call('GET', '/audit')).status, 403, 'status of GET /audit');
    const byPage = await screen.page.evaluate(async (id) => {
      const res = await fetch(`/api/v1/players/${id}/freeze`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"frozen":true}' });
      return res.status;
    }, bob.entity);
    equal(byPage, 403, 'a freeze with the cookie of the page');
    const { entries } = await server.api.get('/audit?limit=5');
    const attempt = must(entries.find((e) => e.operator === 'Vic (api)' && e.action === 'kick'), `the audit has ${JSON.stringify(entries)}`);
    must(attempt.result !== 'ok', 'the result of the attempt is ok');
    must((await server.api.player('Bob')).frozen === false, 'Bob is frozen');
  });
  await report.check('revoking a token logs its page out', async () => {
    await screen.goTo('#/map');
    await server.cli('token revoke', 'Vic');
    await screen.waitVisible('login');
    must((await screen.text('login-note')).length > 10, 'the note gives no reason');
  });
  await screen.context.close();
}
