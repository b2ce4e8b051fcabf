// Actions of an operator through the page, and their effect on the players' clients.
import { userInfo } from 'node:os';

import { equal, must } from '../../lib/assert.mjs';

const KICKED = 'Kicked for a test, no hard feelings.';
const BANNED = 'Banned for a test.';
const destination = { x: -40, z: 12 };

/** Opens the panel of a player on the map by its address. */
export async function openPanel(screen, server, name) {
  const p = must(await server.api.player(name), `${name} is not in the world`);
  await screen.goTo(`#/map?area=${p.areaId}&player=${p.entity}`);
  await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === name, 'name in the panel');
  return p;
}

/** Confirms the open dialog, and waits until it has closed and a toast has reported the result. */
export async function confirm(screen, message) {
  const toast = screen.page.getByTestId('toast').filter({ hasText: message }).last().waitFor(); // before the click: a toast soon disappears
  await screen.get('action-confirm').click();
  await screen.until(() => screen.get('action-dialog').count(), (n) => n === 0, 'open dialogs');
  await toast;
}

export async function actionChecks({ report, screen, server, players }) {
  const [ann, bob, cid] = players;
  screen.expectFaults(/status of 409 .*\/give$/); // the inventory has no room for the given items
  screen.expectFaults(/status of 404 .*\/players\/\d+$/); // the panel of a player who has left still asks for that player
  for (const p of players) {
    await report.check(`a message reaches ${p.name} (${p.door}) and no other player`, async () => {
      await openPanel(screen, server, p.name);
      await screen.get('act-message').click();
      await screen.get('action-text').fill(`Dinner is ready, ${p.name}`);
      await confirm(screen, `Message sent to ${p.name}`);
      await p.until(() => p.hasReceived(`Dinner is ready, ${p.name}`), 'message');
      must(!players.some((q) => q !== p && q.hasReceived(`Dinner is ready, ${p.name}`)), 'another player received the message');
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
    await screen.until(() => screen.drawnAt('Ann'), (at) => at && Math.hypot(at.x - destination.x, at.z - destination.z) < 1, 'Ann on the map');
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
    const picked = async () => [Number(await screen.get('teleport-x').inputValue()), Number(await screen.get('teleport-z').inputValue())];
    const [x, z] = await screen.until(picked, ([px, pz]) => px > destination.x + 10 && pz > destination.z + 10, 'picked place, want one north-east of Ann,');
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
  await itemChecks({ report, screen, server, ann });
  for (const p of [cid, ann]) {
    await report.check(`a kick disconnects ${p.name} (${p.door}) with the reason`, async () => {
      await openPanel(screen, server, p.name);
      await screen.get('act-kick').click();
      await screen.get('action-reason').fill(KICKED);
      await confirm(screen, `${p.name} was kicked`);
      await screen.until(async () => p.disconnected, Boolean, 'disconnect of the client');
      await screen.until(async () => p.hasReceived(KICKED), Boolean, 'whether the client has received the reason');
      await screen.until(() => screen.text('player-panel'), (t) => /not in the world/.test(t), 'panel of a player who has left');
      await screen.until(() => server.api.player(p.name), (row) => row === undefined, 'row of the API');
    });
  }
  await banChecks({ report, screen, server }, bob);
  await auditChecks({ report, screen, server });
}

async function itemChecks({ report, screen, server, ann }) {
  const has = async (item) => (await server.api.get(`/players/${(await server.api.player('Ann')).entity}`)).inventory.filter((i) => i.item === item).reduce((n, i) => n + i.amount, 0);
  await report.check('given items are in the inventory, and taken ones are not', async () => {
    await openPanel(screen, server, 'Ann');
    const before = await has('Bread');
    await screen.get('act-give').click();
    await screen.get('item-name').fill('bread');
    await screen.get('item-amount').fill('0');
    must(await screen.get('action-confirm').isDisabled(), 'no items can be given');
    await screen.get('item-amount').fill('3');
    await screen.screenshot('give');
    await confirm(screen, 'Ann has 3 more of bread');
    equal(await has('Bread'), before + 3, 'loaves');
    await ann.until(() => ann.hasReceived('An operator has given you 3'), 'line of the gift');
    await screen.until(() => screen.text('inventory'), (t) => t.includes('Bread'), 'bread in the panel');
    const { inventory } = await server.api.get(`/players/${(await server.api.player('Ann')).entity}`);
    await screen.get('act-take').click();
    await screen.get('item-slot').selectOption(String(inventory.find((i) => i.item === 'Bread').slot));
    await screen.get('item-amount').fill('2');
    await confirm(screen, '2 of Bread were taken from Ann');
    equal(await has('Bread'), before + 1, 'loaves');
    await screen.get('act-give').click();
    await screen.get('item-name').fill('Short Sword');
    await screen.get('item-amount').fill('60');
    await screen.get('action-confirm').click();
    await screen.until(() => screen.text('action-error').catch(() => ''), (t) => /no room/.test(t), 'refusal');
    await screen.press('Escape');
  });
  await report.check('an attribute is set within its range', async () => {
    await screen.get('act-attribute').click();
    await screen.get('attribute-name').selectOption({ label: 'Strength' });
    await screen.get('attribute-max').fill('20');
    await screen.get('attribute-value').fill('21');
    must(await screen.get('action-confirm').isDisabled(), 'a value above the maximum can be set');
    await screen.screenshot('attribute');
    await screen.get('attribute-value').fill('19');
    await confirm(screen, 'Ann has Strength 19 of 20');
    const { attributes } = await server.api.get(`/players/${(await server.api.player('Ann')).entity}`);
    const { value, max } = attributes.find((a) => a.name === 'Strength');
    equal([value, max], [19, 20], 'strength');
  });
  await report.check('an NPC is spawned, marked as such, and removed', async () => {
    await screen.goTo('#/map?area=0');
    await screen.waitVisible('area-panel');
    await screen.get('spawn').click();
    await screen.get('spawn-template').selectOption({ label: 'Sheep' });
    await screen.get('spawn-x').fill('31');
    await screen.get('spawn-z').fill('-12');
    await screen.screenshot('spawn');
    await confirm(screen, 'Sheep is at 31, -12');
    const { npcs } = await server.api.get('/npcs?spawned=true');
    equal(npcs.map((n) => [n.name, n.areaId]), [['Sheep', 0]], 'spawned NPCs');
    must(Math.hypot(npcs[0].pos.x - 31, npcs[0].pos.z + 12) < 15, `at ${npcs[0].pos.x}, ${npcs[0].pos.z}`);
    await screen.goTo(`#/map?area=0&npc=${npcs[0].entity}`);
    await screen.until(() => screen.text('npc-spawned').catch(() => ''), (t) => /spawned by an operator/.test(t), 'mark of the NPC');
    await screen.screenshot('spawned');
    await screen.get('npc-remove').click();
    await confirm(screen, 'Sheep was removed');
    equal((await server.api.get('/npcs?spawned=true')).npcs, [], 'spawned NPCs after the removal');
  });
}

async function banChecks({ report, screen, server }, bob) {
  await report.check('a ban disconnects the client and refuses its next login', async () => {
    const { account } = await openPanel(screen, server, 'Bob');
    await screen.get('act-ban').click();
    await screen.get('action-reason').fill(BANNED);
    await confirm(screen, `The account ${account} is banned`);
    await screen.until(async () => bob.disconnected, Boolean, 'disconnect of the client');
    await screen.until(async () => bob.hasReceived(BANNED), Boolean, 'whether the client has received the reason');
    bob.client.forget();
    const code = await bob.client.login();
    must(code !== 2, `the login was accepted with code ${code}`);
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

const actions = ['message', 'teleport', 'freeze', 'give', 'take', 'attribute', 'spawn', 'remove', 'kick', 'ban', 'pardon'];

async function auditChecks({ report, screen, server }) {
  await report.check('the audit lists every action with operator and reason', async () => {
    await screen.goTo('#/audit');
    let all, entries;
    const missing = (list) => actions.filter((a) => !list.some((r) => r.includes(` ${a} `)));
    const both = async () => ({ rows: await screen.texts('audit-row'), ...(await server.api.get('/audit')) });
    const counts = async () => { // the page shows a new entry a moment later than the API
      ({ rows: all, entries } = await both());
      return { missing: missing(all), rows: all.length, entries: entries.length };
    };
    await screen.until(counts, (n) => n.missing.length === 0 && n.rows === n.entries, 'actions without a row, rows, and entries of the API');
    const byTest = (e) => e.action === 'teleport' && e.operator === `${userInfo().username} (api)`; // Ann.toTheGreen
    equal([...new Set(entries.filter((e) => !byTest(e)).map((e) => e.operator))], [`${userInfo().username} (console)`], 'operators');
    const bad = entries.filter((e) => e.result !== 'ok').map((e) => `${e.action}: ${e.result}`);
    equal(bad, ['give: the inventory has no room for the items'], 'actions that were refused');
    must(entries.some((e) => e.action === 'kick' && e.player === 'Cid' && e.detail.includes(KICKED)), 'no kick of Cid with its reason');
    must(all.some((r) => r.includes('kick Cid') && r.includes(KICKED)), 'the page has no kick of Cid with its reason');
    equal(entries.filter((e) => e.action === 'freeze').length, 2, 'freezes and thaws');
    await screen.screenshot('audit');
  });
}
