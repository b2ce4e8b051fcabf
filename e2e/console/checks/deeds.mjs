// What an operator does through the page, and that the players' own clients feel it.
import { equal, must } from '../../lib/assert.mjs';

const KICKED = 'Kicked for a test, no hard feelings.';
const BANNED = 'Banned for a test.';
const here = { x: -40, z: 12 };

/** Opens the panel of a player on the map, as a link from elsewhere does. */
async function openPanel(screen, server, name) {
  const p = must(await server.api.player(name), `${name} is not in the world`);
  await screen.page.evaluate((hash) => (location.hash = hash), `#/map?area=${p.areaId}&player=${p.entity}`);
  await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === name, 'the name in the panel');
  return p;
}

/** Confirms the dialog that is open, and waits until it closes with the word that it is done. */
async function confirm(screen, said) {
  const toast = screen.page.getByTestId('toast').filter({ hasText: said }).last().waitFor(); // it goes by itself
  await screen.get('deed-confirm').click();
  await screen.until(() => screen.get('deed').count(), (n) => n === 0, 'open dialogs');
  await toast;
}

export async function deedChecks({ report, screen, server, players }) {
  const [ann, bob, cid] = players;
  screen.excuse(/status of 404 .*\/players\/\d+$/); // the panel of who has left asks whether he is back
  for (const p of players) {
    await report.check(`a message reaches ${p.name} (${p.door})`, async () => {
      await openPanel(screen, server, p.name);
      await screen.get('act-message').click();
      await screen.get('deed-text').fill(`Dinner is ready, ${p.name}`);
      await confirm(screen, `${p.name} was told`);
      await p.until(() => p.read(`Dinner is ready, ${p.name}`), 'the message');
      must(!players.some((q) => q !== p && q.read(`Dinner is ready, ${p.name}`)), 'somebody else heard it');
    });
  }
  await report.check('a teleport moves the client, by figures', async () => {
    await openPanel(screen, server, 'Ann');
    await screen.get('act-teleport').click();
    await screen.get('teleport-x').fill('far');
    must(await screen.get('deed-confirm').isDisabled(), 'a teleport to x = far can be confirmed');
    await screen.get('teleport-x').fill(String(here.x));
    await screen.get('teleport-z').fill(String(here.z));
    await confirm(screen, 'Ann was teleported');
    await ann.until(() => Math.hypot(ann.place.x - here.x, ann.place.z - here.z) < 1, 'the new place');
    await screen.until(() => screen.where('Ann'), (at) => Math.hypot(at.x - here.x, at.z - here.z) < 1, 'Ann on the map');
  });
  await report.check('and to a place that is picked on the map', async () => {
    await screen.press('0');
    await screen.still('Ann');
    await openPanel(screen, server, 'Ann');
    const at = await screen.still('Ann');
    await screen.get('act-teleport').click();
    await screen.get('teleport-pick').click();
    await screen.shown('pick-banner');
    await screen.get('map').click({ position: { x: at.left + 40, y: at.top - 40 } });
    const [x, z] = [Number(await screen.get('teleport-x').inputValue()), Number(await screen.get('teleport-z').inputValue())];
    must(x > here.x + 10 && z > here.z + 10, `${x}, ${z} is not north-east of her`);
    await confirm(screen, 'Ann was teleported');
    await ann.until(() => Math.hypot(ann.place.x - x, ann.place.z - z) < 1, 'the new place');
  });
  await report.check('who is frozen does not move, and moves again afterwards', async () => {
    await openPanel(screen, server, 'Ann');
    await screen.get('act-freeze').click();
    await confirm(screen, 'Ann is frozen');
    await screen.until(() => screen.page.locator('.panel-sub').innerText(), (t) => /frozen/.test(t), 'the word in the panel');
    const from = { ...ann.place };
    const to = { x: from.x + 15, z: from.z };
    await ann.client.goTo(to, { style: 'echo', running: 0, within: 1, timeout: 1500 });
    const { pos } = await server.api.get(`/players/${(await server.api.player('Ann')).entity}`);
    must(Math.hypot(pos.x - from.x, pos.z - from.z) < 1, `she went ${Math.hypot(pos.x - from.x, pos.z - from.z).toFixed(1)} units`);
    await screen.get('act-freeze').click();
    await confirm(screen, 'Ann can move again');
    must(await ann.walk(to, { within: 1.5, ms: 30000 }), 'she cannot walk');
  });
  for (const p of [cid, ann]) {
    await report.check(`a kick ends the client of ${p.name} (${p.door}) with the reason`, async () => {
      await openPanel(screen, server, p.name);
      await screen.get('act-kick').click();
      await screen.get('deed-reason').fill(KICKED);
      await confirm(screen, `${p.name} was kicked`);
      await screen.until(async () => p.gone, Boolean, 'the end of the client');
      must(p.read(KICKED), 'the client was not told the reason');
      await screen.until(() => screen.text('player-panel'), (t) => /not in the world/.test(t), 'the panel of who has left');
      await screen.until(() => server.api.player(p.name), (row) => row === undefined, 'the row of the API');
    });
  }
  await banChecks({ report, screen, server }, bob);
  await auditChecks({ report, screen, server });
}

async function banChecks({ report, screen, server }, bob) {
  await report.check('a ban ends the client and keeps the account out', async () => {
    const { account } = await openPanel(screen, server, 'Bob');
    await screen.get('act-ban').click();
    await screen.get('deed-reason').fill(BANNED);
    await confirm(screen, `The account ${account} is banned`);
    await screen.until(async () => bob.gone, Boolean, 'the end of the client');
    must(bob.read(BANNED), 'the client was not told the reason');
    bob.client.forget();
    const code = await bob.client.login();
    must(code !== 2, 'he is let in again');
  });
  await report.check('a pardon lets him in again', async () => {
    await screen.view('audit', 'tab-bans');
    await screen.get('tab-bans').click();
    await screen.until(() => screen.text('bans').catch(() => ''), (t) => /\bbob\b/i.test(t), 'his row');
    await screen.get('pardon').click();
    await confirm(screen, 'may log in again');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => /Nobody is banned/.test(t), 'the empty list');
    bob.client.forget();
    await bob.join();
    must(bob.online, 'he is not let in');
  });
}

const deeds = ['message', 'teleport', 'freeze', 'kick', 'ban', 'pardon'];

async function auditChecks({ report, screen, server }) {
  await report.check('the audit has all of it, with who did it and what for', async () => {
    await screen.page.evaluate(() => (location.hash = '#/audit'));
    const rows = () => screen.get('deed-row').evaluateAll((list) => list.map((r) => r.innerText.replace(/\s+/g, ' ').trim()));
    const all = await screen.until(rows, (list) => deeds.every((d) => list.some((r) => r.includes(` ${d} `))), 'a row for each deed');
    const { entries } = await server.api.get('/audit');
    equal(all.length, entries.length, 'rows');
    equal([...new Set(entries.map((e) => e.operator))], ['serve'], 'who did it');
    must(entries.every((e) => e.result === 'ok'), `a deed ended with ${entries.find((e) => e.result !== 'ok')?.result}`);
    must(entries.some((e) => e.action === 'kick' && e.player === 'Cid' && e.detail.includes(KICKED)), 'no kick of Cid with its reason');
    must(all.some((r) => r.includes('kick Cid') && r.includes(KICKED)), 'the page has no kick of Cid with its reason');
    equal(entries.filter((e) => e.action === 'freeze').length, 2, 'freezes and thaws');
    await screen.shot('audit');
  });
}
