// Actions of an operator through the page, and their effect on the players' clients.
import { userInfo } from 'node:os';

import { equal, must } from '../../lib/assert.mjs';

const KICKED = 'Kicked for a test, no hard feelings.';
const BANNED = 'Banned for a test.';
const destination = { x: -40, z: 12 };

/** Opens the panel of a player on the map by its address. */
export async function openPanel(screen, server, name) {
  const p = must(await server.api.player(name), `${name} is not in the world`);
  await screen.page.evaluate((hash) => (location.hash = hash), `#/map?area=${p.areaId}&player=${p.entity}`);
  await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === name, 'name in the panel');
  return p;
}

/** Confirms the open dialog, and waits until it has closed and a toast has reported the result. */
export async function confirm(screen, message) {
  const toast = screen.page.getByTestId('toast').filter({ hasText: message }).last().waitFor(); // from before the click on: it disappears by itself
  await screen.get('action-confirm').click();
  await screen.until(() => screen.get('action-dialog').count(), (n) => n === 0, 'open dialogs');
  await toast;
}

export async function actionChecks({ report, screen, server, players }) {
  const [ann, bob, cid] = players;
  screen.expectFaults(/status of 404 .*\/players\/\d+$/); // the panel of a player who has left keeps asking
  for (const p of players) {
    await report.check(`a message reaches ${p.name} (${p.door}) and no other player`, async () => {
      await openPanel(screen, server, p.name);
      await screen.get('act-message').click();
      await screen.get('action-text').fill(`Dinner is ready, ${p.name}`);
      await confirm(screen, `Message sent to ${p.name}`);
      await p.until(() => p.hasReceived(`Dinner is ready, ${p.name}`), 'message');
      must(!players.some((q) => q !== p && q.hasReceived(`Dinner is ready, ${p.name}`)), 'another player received it');
    });
  }
  await report.check('a teleport to typed coordinates moves the client', async () => {
    await openPanel(screen, server, 'Ann');
    await screen.get('act-teleport').click();
    await screen.get('teleport-x').fill('far');
    must(await screen.get('action-confirm').isDisabled(), 'a teleport to x = far can be confirmed');
    await screen.get('teleport-x').fill(String(destination.x));
    await screen.get('teleport-z').fill(String(destination.z));
    await confirm(screen, 'Ann was teleported');
    await ann.until(() => Math.hypot(ann.position.x - destination.x, ann.position.z - destination.z) < 1, 'new place');
    await screen.until(() => screen.drawnAt('Ann'), (at) => Math.hypot(at.x - destination.x, at.z - destination.z) < 1, 'Ann on the map');
  });
  await report.check('a teleport to a place picked on the map moves the client', async () => {
    await screen.press('0');
    await screen.restingPosition('Ann');
    await openPanel(screen, server, 'Ann');
    const at = await screen.restingPosition('Ann');
    await screen.get('act-teleport').click();
    await screen.get('teleport-pick').click();
    await screen.waitVisible('pick-banner');
    await screen.get('map').click({ position: { x: at.left + 40, y: at.top - 40 } });
    const [x, z] = [Number(await screen.get('teleport-x').inputValue()), Number(await screen.get('teleport-z').inputValue())];
    must(x > destination.x + 10 && z > destination.z + 10, `${x}, ${z} is not north-east of Ann`);
    await confirm(screen, 'Ann was teleported');
    await ann.until(() => Math.hypot(ann.position.x - x, ann.position.z - z) < 1, 'new place');
  });
  await report.check('a frozen player cannot move, and can after the thaw', async () => {
    await openPanel(screen, server, 'Ann');
    await screen.get('act-freeze').click();
    await confirm(screen, 'Ann is frozen');
    await screen.until(() => screen.page.locator('.panel-sub').innerText(), (t) => /frozen/.test(t), 'word in the panel');
    const from = { ...ann.position };
    const to = { x: from.x + 15, z: from.z };
    await ann.client.goTo(to, { style: 'echo', running: 0, within: 1, timeout: 1500 });
    const { pos } = await server.api.get(`/players/${(await server.api.player('Ann')).entity}`);
    must(Math.hypot(pos.x - from.x, pos.z - from.z) < 1, `moved ${Math.hypot(pos.x - from.x, pos.z - from.z).toFixed(1)} units`);
    await screen.get('act-freeze').click();
    await confirm(screen, 'Ann can move again');
    must(await ann.walk(to, { within: 1.5, ms: 30000 }), 'cannot walk after the thaw');
  });
  for (const p of [cid, ann]) {
    await report.check(`a kick disconnects ${p.name} (${p.door}) with the reason`, async () => {
      await openPanel(screen, server, p.name);
      await screen.get('act-kick').click();
      await screen.get('action-reason').fill(KICKED);
      await confirm(screen, `${p.name} was kicked`);
      await screen.until(async () => p.disconnected, Boolean, 'disconnect of the client');
      must(p.hasReceived(KICKED), 'the client did not receive the reason');
      await screen.until(() => screen.text('player-panel'), (t) => /not in the world/.test(t), 'panel of a player who has left');
      await screen.until(() => server.api.player(p.name), (row) => row === undefined, 'row of the API');
    });
  }
  await banChecks({ report, screen, server }, bob);
  await auditChecks({ report, screen, server });
}

async function banChecks({ report, screen, server }, bob) {
  await report.check('a ban disconnects the client and refuses its next login', async () => {
    const { account } = await openPanel(screen, server, 'Bob');
    await screen.get('act-ban').click();
    await screen.get('action-reason').fill(BANNED);
    await confirm(screen, `The account ${account} is banned`);
    await screen.until(async () => bob.disconnected, Boolean, 'disconnect of the client');
    must(bob.hasReceived(BANNED), 'the client did not receive the reason');
    bob.client.forget();
    const code = await bob.client.login();
    must(code !== 2, 'the login was accepted');
  });
  await report.check('a pardoned account can log in again', async () => {
    await screen.openView('audit', 'tab-bans');
    await screen.get('tab-bans').click();
    await screen.until(() => screen.text('bans').catch(() => ''), (t) => /\bbob\b/i.test(t), 'row of the account');
    await screen.get('pardon').click();
    await confirm(screen, 'may log in again');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => /Nobody is banned/.test(t), 'empty list');
    bob.client.forget();
    await bob.join();
    must(bob.online, 'the login was refused');
  });
}

const actions = ['message', 'teleport', 'freeze', 'kick', 'ban', 'pardon'];

async function auditChecks({ report, screen, server }) {
  await report.check('the audit lists every action with operator and reason', async () => {
    await screen.page.evaluate(() => (location.hash = '#/audit'));
    const rows = () => screen.get('audit-row').evaluateAll((list) => list.map((r) => r.innerText.replace(/\s+/g, ' ').trim()));
    const all = await screen.until(rows, (list) => actions.every((a) => list.some((r) => r.includes(` ${a} `))), 'a row for each action');
    const { entries } = await server.api.get('/audit');
    equal(all.length, entries.length, 'rows');
    equal([...new Set(entries.map((e) => e.operator))], [`${userInfo().username} (console)`], 'operators');
    must(entries.every((e) => e.result === 'ok'), `an action ended with ${entries.find((e) => e.result !== 'ok')?.result}`);
    must(entries.some((e) => e.action === 'kick' && e.player === 'Cid' && e.detail.includes(KICKED)), 'no kick of Cid with its reason');
    must(all.some((r) => r.includes('kick Cid') && r.includes(KICKED)), 'the page has no kick of Cid with its reason');
    equal(entries.filter((e) => e.action === 'freeze').length, 2, 'freezes and thaws');
    await screen.screenshot('audit');
  });
}
