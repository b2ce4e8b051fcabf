// The order of the checks of the operator's page. The checks are in checks/.
import { equal } from '../lib/assert.mjs';
import { accountChecks } from './checks/accounts.mjs';
import { actionChecks } from './checks/actions.mjs';
import { lostChecks, networkChecks, restartChecks } from './checks/connection.mjs';
import { controlChecks } from './checks/controls.mjs';
import { correctionChecks } from './checks/corrections.mjs';
import { crowdChecks, startCrowd } from './checks/crowd.mjs';
import { heldBackAlarm, heldBackChecks } from './checks/held_back.mjs';
import { historyChecks } from './checks/history.mjs';
import { keyboardChecks } from './checks/keyboard.mjs';
import { layoutChecks } from './checks/layout.mjs';
import { loginChecks } from './checks/login.mjs';
import { mapChecks } from './checks/map.mjs';
import { moderationChecks } from './checks/moderation.mjs';
import { panelChecks } from './checks/panel.mjs';
import { pastChecks } from './checks/past.mjs';
import { plannedRestartChecks } from './checks/planned_restart.mjs';
import { roleChecks, startRoles } from './checks/roles.mjs';
import { timeBarChecks } from './checks/time_bar.mjs';
import { emptyChecks, viewChecks } from './checks/views.mjs';
import { Ann, Bob, Cid } from './players.mjs';

export const parts = ['login', 'map', 'panel', 'past', 'lost', 'controls', 'corrections', 'time', 'actions', 'moderation', 'accounts', 'roles', 'layout', 'held', 'keyboard', 'network', 'crowd', 'restart'];

/** Plays on a started server and a started browser. wanted(part) tells which parts are played. */
export async function play({ report, server, browser, dir, wanted }) {
  if (wanted('login')) await loginChecks({ report, browser, server });
  const players = [new Ann(server), new Bob(server), new Cid(server)];
  const [ann] = players;
  try {
    const screen = await browser.screen({ label: 'operator', base: server.consoleBase });
    await screen.logIn(server.consoleToken);
    if (wanted('login')) await emptyChecks({ report, screen });
    for (const p of players) await report.check(`${p.door} client joins`, () => p.join());
    if (!players.every((p) => p.online)) return;
    const t = { report, browser, screen, server, players, ann, dir };
    if (wanted('login')) await viewChecks(t);
    else await screen.waitLive();
    if (wanted('map')) await mapChecks(t);
    if (wanted('panel')) await panelChecks(t);
    if (wanted('past')) await pastChecks(t);
    if (wanted('lost')) await lostChecks(t);
    if (wanted('controls')) await controlChecks(t);
    if (wanted('corrections')) await correctionChecks(t);
    if (wanted('time')) await timeBarChecks(t);
    if (wanted('held')) await heldBackAlarm(t);
    if (wanted('actions')) await actionChecks(t);
    const roles = wanted('roles') && await startRoles(t); // started here, because the token of Eve expires during the next checks
    if (wanted('moderation')) await moderationChecks(t);
    if (wanted('accounts')) await accountChecks(t);
    if (wanted('keyboard')) await keyboardChecks(t);
    // The following checks mostly wait: for drawn pages, the list of what was held back, timeouts, and a crowd. So they run
    // concurrently, but in two groups, because each open page draws its map many times a second.
    await screen.openView('audit', 'tab-bans'); // a view without a map
    await Promise.all([wanted('layout') && layoutChecks(t), wanted('held') && heldBackChecks(t), wanted('network') && networkChecks(t)]);
    const [crowd] = await Promise.all([wanted('crowd') && startCrowd(t), wanted('roles') && roleChecks(t, roles)]);
    if (wanted('crowd')) await crowdChecks(t, crowd);
    if (wanted('restart')) {
      await restartChecks({ ...t, hasHistory: wanted('corrections') && wanted('actions') });
      await plannedRestartChecks(t);
      if (wanted('corrections') && wanted('actions')) await historyChecks(t);
    }
    await pageFaultCheck(t);
    await clientFaultCheck(t);
  } finally {
    await Promise.all(players.map((p) => p.close().catch(() => {})));
  }
}

/** Checks that no page has recorded a fault. */
export async function pageFaultCheck({ report, browser }) {
  await report.check('no page had a script error, violated its content policy, or sent a request to another host', async () => {
    equal(browser.screens.flatMap((s) => s.faults).slice(0, 5), [], 'faults');
  });
  report.note(`${browser.screens.length} screens made ${browser.screens.reduce((n, s) => n + s.requests, 0)} requests`);
}

async function clientFaultCheck({ report, players }) {
  await report.check('no client received a packet that it could not read', async () => {
    equal(players.flatMap((p) => p.violations()).slice(0, 4), [], 'violations');
  });
}
