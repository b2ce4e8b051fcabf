// Timed bans, mutes, the whitelist, announcements and planned restarts through the page, and what players receive.
import fs from 'node:fs';
import { equal, must } from '../../lib/assert.mjs';
import { axeViolations } from '../axe.mjs';
import { Guest } from '../web_guest.mjs';
import { confirm, openPanel } from './actions.mjs';

const NETWORK = '198.51.100.0/24'; // a network without clients
const zoned = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+/; // a time with its zone
const DAY_MS = 86_400_000;
const elsewhere = { id: 1, x: 0, z: -195 }; // a place in another area than that in which players start

/** Opens a tab of the view Admin. */
async function openTab(screen, tab) {
  await screen.goTo(`#/audit?tab=${tab}`);
  await screen.until(() => screen.get(`tab-${tab}`).getAttribute('aria-checked').catch(() => ''), (v) => v === 'true', `tab ${tab}`);
}

/** Brings back each player that was kicked, with a new client, which is added to players. Resolves with the players in the world. */
async function gather(server, players) {
  const online = new Map(players.filter((p) => p.online && !p.disconnected).map((p) => [p.name, p]));
  for (const p of players.filter((q) => !online.has(q.name))) {
    const again = new p.constructor(server);
    players.push(again);
    await again.comeBack();
    online.set(p.name, again);
  }
  return [...online.values()];
}

/** Announcements to all players and to those of one area, read by clients of all four doors. */
async function announcementChecks({ report, screen, server, players }) {
  const recipients = await report.check('players who were kicked come back, and a guest joins through the web door', async () => {
    const others = await gather(server, players);
    const guest = new Guest(server, 'Gus');
    players.push(guest);
    await guest.join();
    const all = [...others, guest];
    equal(all.map((p) => p.door).sort(), ['bedrock', 'rcce', 'rs', 'web'], 'doors');
    const ann = all.find((p) => p.name === 'Ann');
    const { handle } = ann.client.area;
    const { entity } = await server.api.player('Ann');
    equal((await server.api.call('POST', `/players/${entity}/teleport`, { areaId: elsewhere.id, x: elsewhere.x, y: null, z: elsewhere.z })).status, 200, 'status of the teleport of Ann');
    await screen.until(async () => (await server.api.get('/players')).players.filter((p) => p.areaId === elsewhere.id).map((p) => p.name), (names) => names.join() === 'Ann', 'players in the other area');
    // Ann's door learns of the new area a moment later than the API. Messages that are sent between these times do not reach Ann.
    await ann.until(() => ann.client.area.handle !== handle, 'change of areas at the client of Ann');
    return all;
  });
  if (!recipients) return;
  const announce = async (text, area, told) => {
    await screen.get('announce-text').fill(text);
    await screen.get('announce-area').selectOption(area);
    await screen.get('announce-send').click();
    await screen.page.getByTestId('toast').filter({ hasText: told }).last().waitFor();
  };
  await report.check('an announcement reaches the clients of all four doors, and one to an area only those in it', async () => {
    await openTab(screen, 'server');
    await screen.waitVisible('announce-text');
    await announce('Market at noon', '', `Announced to ${recipients.length} players.`);
    await Promise.all(recipients.map((p) => p.until(() => p.hasReceived('Market at noon'), `announcement at ${p.name} (${p.door})`)));
    await announce('Storm on the moor', String(elsewhere.id), 'Announced to 1 player.');
    await announce('Market is over', '', `Announced to ${recipients.length} players.`); // arrives later than the storm warning
    await Promise.all(recipients.map((p) => p.until(() => p.hasReceived('Market is over'), `last announcement at ${p.name} (${p.door})`)));
    equal(recipients.filter((p) => p.hasReceived('Storm on the moor')).map((p) => p.name), ['Ann'], 'players who were told of the storm');
    const { entity } = await server.api.player('Ann');
    equal((await server.api.call('POST', `/players/${entity}/teleport`, { areaId: 0, x: 0, y: null, z: 0 })).status, 200, 'status of the teleport back');
  });
  await recipients.find((p) => p.door === 'web').close(); // later checks count the players of the other doors only
}

/** Bob (rs) must be in the world, and the actions of an administrator allowed. */
export async function moderationChecks({ report, browser, screen, server, players }) {
  const [, bob] = players;
  screen.expectFaults(/status of 400 .*\/bans$/); // the server refuses a ban of this network
  await report.check('a network ban with reason and end is listed and can be lifted', async () => {
    await openTab(screen, 'bans');
    for (const network of [NETWORK, '203.0.113.7']) {
      await (await screen.waitVisible('ban-network')).click();
      await screen.get('rule-target').fill(network);
      await screen.get('period').selectOption('1d');
      await screen.get('action-reason').fill('selling gold');
      await confirm(screen, 'is banned');
    }
    const list = await screen.until(() => screen.texts('bans-row'), (all) => all.length === 2 && all.some((r) => r.includes(NETWORK)), 'two bans');
    const row = list.find((r) => r.includes(NETWORK));
    must(row.includes('selling gold') && row.includes('(console)') && row.match(new RegExp(zoned, 'g'))?.length === 2, `the row is ${row}`);
    const { bans } = await server.api.get('/bans');
    const { since, until } = must(bans.find((b) => b.network === NETWORK), `the API has no ban of ${NETWORK}`);
    equal(Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS), 1, 'days of the ban');
    await screen.get('bans-row').filter({ hasText: NETWORK }).getByTestId('pardon').click();
    await confirm(screen, `from ${NETWORK} again`);
    await screen.until(() => screen.texts('bans-row'), (all) => all.length === 1 && !all[0].includes(NETWORK), 'one ban');
    equal((await server.api.call('DELETE', '/bans/203.0.113.7')).status, 200, 'the ban of an address is lifted by the API');
  });
  await report.check('a ban of an invalid network is refused with an explanation', async () => {
    await screen.get('ban-network').click();
    await screen.get('rule-target').fill('192.0.2.0/99');
    await screen.get('action-confirm').click();
    await screen.until(() => screen.text('action-error').catch(() => ''), (t) => /nor a network such as/.test(t), 'error');
    await screen.press('Escape');
  });
  await report.check('a mute from the panel of a player is shown, told to the player, and can be lifted', async () => {
    await openPanel(screen, server, 'Bob');
    await screen.get('act-mute').click();
    await screen.get('period').selectOption('other');
    await screen.get('period-typed').fill('90m');
    await screen.get('action-reason').fill('shouting');
    await confirm(screen, 'is muted');
    await bob.until(() => bob.hasReceived('shouting'), 'mute notice');
    await screen.until(() => screen.text('muted').catch(() => ''), (t) => /shouting/.test(t) && zoned.test(t), 'mute in the panel');
    await openTab(screen, 'mutes');
    await screen.until(() => screen.texts('mutes-row'), (all) => all.length === 1 && all[0].includes('shouting') && zoned.test(all[0]), 'a mute');
    await screen.get('unmute').click();
    await confirm(screen, 'can talk again');
    await bob.until(() => bob.hasReceived('You can talk again.'), 'notice');
  });
  await report.check('the whitelist is filled, switched on and off, and emptied', async () => {
    await openTab(screen, 'whitelist');
    await (await screen.waitVisible('whitelist-account')).fill('friend of the house');
    await screen.get('whitelist-add').click();
    await screen.until(() => screen.texts('whitelist-row'), (all) => all.length === 1 && all[0].includes('friend of the house'), 'the account');
    for (const state of ['on', 'off']) {
      await screen.get('whitelist-switch').click();
      await confirm(screen, `The whitelist is ${state}`);
      await screen.until(() => screen.text('whitelist-state'), (t) => t === state, `state ${state}`);
      equal((await server.api.get('/whitelist')).on, state === 'on', 'whitelist of the API');
    }
    await screen.get('remove').click();
    await confirm(screen, 'no longer on the whitelist');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => /whitelist is empty/.test(t), 'empty list');
  });
  await announcementChecks({ report, screen, server, players });
  await report.check('the chat log finds lines of players, withheld lines and lines of operators, and the searches are in the audit log', async () => {
    const { players: inWorld } = await server.api.get('/players');
    const { account } = must(inWorld.find((p) => p.name === 'Bob'), 'Bob is not in the world');
    bob.say('selling a blue sword');
    await screen.until(() => server.api.get('/chat?q=sword&who=Bob'), (b) => b.lines.length === 1, 'the line is stored');
    equal((await server.api.call('POST', '/mutes', { account })).status, 200, 'mute');
    bob.say('nobody hears of my sword');
    await screen.until(() => server.api.get('/chat?q=sword&who=Bob'), (b) => b.lines.length === 2, 'both lines are stored');
    equal((await server.api.call('DELETE', `/mutes/${encodeURIComponent(account)}`)).status, 200, 'the mute is lifted');
    await openPanel(screen, server, 'Bob');
    await screen.get('panel-chat').click();
    const isMine = (rows) => rows.length >= 2 && rows.every((r) => r.includes('Bob')) && zoned.test(rows[0]);
    await screen.until(() => screen.texts('chat-row').catch(() => []), isMine, 'the lines of the player');
    await screen.get('chat-who').fill('');
    await screen.get('chat-words').fill('BLUE sw');
    await screen.get('chat-search').click();
    await screen.until(() => screen.texts('chat-row').catch(() => []), (all) => all.length === 1 && all[0].includes('selling a blue sword'), 'the line with the words');
    await screen.get('chat-words').fill('');
    await screen.get('chat-withheld').selectOption('true');
    await screen.get('chat-search').click();
    await screen.until(() => screen.texts('chat-row').catch(() => []), (all) => all[0]?.includes('withheld: muted') && all[0].includes('nobody hears'), 'the withheld line');
    await screen.get('chat-withheld').selectOption('');
    await screen.get('chat-channel').selectOption('announcement');
    await screen.get('chat-search').click();
    await screen.until(() => screen.texts('chat-row').catch(() => []), (all) => all.some((r) => r.includes('Market at noon') && r.includes('everywhere')), 'the announcement');
    equal(await axeViolations(screen), [], 'axe');
    const { entries } = await server.api.get('/audit?limit=20');
    must(entries.some((e) => e.action === 'search_chat' && e.detail.includes('BLUE sw') && e.operator.includes('(console)')), `the audit has ${JSON.stringify(entries)}`);
  });
  await report.check('a changed world file is reloaded while players stay, and what needs a restart is named', async () => {
    const change = (from, to) => {
      const text = fs.readFileSync(server.world, 'utf8');
      must(text.includes(from), `the world file has no ${from}`);
      fs.writeFileSync(server.world, text.replace(from, to));
    };
    const reload = async () => {
      await (await screen.waitVisible('reload')).click();
      await confirm(screen, 'were read again');
      await screen.waitVisible('reload-result');
    };
    await openTab(screen, 'server');
    change('leash = 150', 'leash = 90');
    await reload();
    await screen.until(() => screen.text('reload-world'), (t) => t.includes('rules.LeashUnits: 90, was 150'), 'changes that the dialog lists');
    equal(await axeViolations(screen), [], 'axe');
    await screen.get('reload-close').click();
    change('max_actors = 2000', 'max_actors = 1000');
    await reload();
    await screen.until(() => screen.text('reload-kept'), (t) => /maximum of actors per area: doors lay out/.test(t) && /applied as a whole/.test(t), 'what the dialog lists');
    await screen.get('reload-close').click();
    change('max_actors = 1000', 'max_actors = 2000');
    await reload();
    await screen.until(() => screen.text('reload-result'), (t) => /Nothing has changed/.test(t), 'result of a reload of the world file that is in force');
    await screen.get('reload-close').click();
    must(await server.api.player('Bob'), 'Bob has left the world');
    const { entries } = await server.api.get('/audit?limit=10');
    must(entries.some((e) => e.action === 'reload' && e.detail.includes('rules.LeashUnits: 90')), `the audit has ${JSON.stringify(entries)}`);
  });
  await report.check('the countdown of a restart is shown to other operators and can be cancelled in the top bar', async () => {
    const other = await browser.screen({ label: 'second operator', base: server.consoleBase, width: 390, height: 844, phone: true });
    await other.logIn(server.consoleToken);
    await other.openView('audit', 'tab-bans'); // a view without a map
    await openTab(screen, 'server');
    await screen.get('stop-in').selectOption('15m');
    await screen.get('action-reason').fill('update');
    await screen.get('plan-submit').click();
    await confirm(screen, 'The restart is planned');
    for (const s of [screen, other]) await s.until(() => s.text('planned-stop').catch(() => ''), (t) => /^Restart in 14 min \d+ s/.test(t), 'countdown');
    const first = await other.text('planned-stop');
    await other.until(() => other.text('planned-stop'), (t) => t !== first, 'another second');
    await bob.until(() => bob.hasReceived('The server restarts in 15 minutes: update'), 'countdown in the game');
    await screen.get('top-stop-cancel').click();
    await confirm(screen, 'The restart is cancelled');
    for (const s of [screen, other]) await s.until(() => s.get('planned-stop').count(), (n) => n === 0, 'no countdown');
    equal((await server.api.get('/stop')).planned, null, 'planned');
    await other.context.close();
  });
}
