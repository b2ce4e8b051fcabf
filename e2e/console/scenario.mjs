// One day of an operator, in order. Each part is in checks/.
import { controlChecks } from './checks/controls.mjs';
import { crowdChecks } from './checks/crowd.mjs';
import { deedChecks } from './checks/deeds.mjs';
import { doorChecks } from './checks/door.mjs';
import { keyChecks } from './checks/keys.mjs';
import { lookChecks } from './checks/looks.mjs';
import { networkChecks, restartChecks } from './checks/loss.mjs';
import { moveChecks } from './checks/move.mjs';
import { panelChecks } from './checks/panel.mjs';
import { roleChecks } from './checks/roles.mjs';
import { emptyChecks, viewChecks } from './checks/views.mjs';
import { whyChecks } from './checks/why.mjs';
import { Ann, Bob, Cid } from './players.mjs';
import { equal } from '../lib/assert.mjs';

export const parts = ['login', 'move', 'panel', 'controls', 'why', 'deeds', 'roles', 'looks', 'keys', 'network', 'crowd', 'restart'];

/** Plays on a started server and a started browser. wanted(part) tells what. */
export async function play({ report, server, browser, dir, wanted }) {
  if (wanted('login')) await doorChecks({ report, browser, server });
  const players = [new Ann(server), new Bob(server), new Cid(server)];
  const [ann] = players;
  try {
    const screen = await browser.screen({ label: 'operator', base: server.consoleBase });
    await screen.logIn(server.consoleToken);
    if (wanted('login')) await emptyChecks({ report, screen });
    for (const p of players) await report.check(`a ${p.door} client comes in`, () => p.join());
    if (!players.every((p) => p.online)) return;
    const t = { report, browser, screen, server, players, ann, dir };
    if (wanted('login')) await viewChecks(t);
    else await screen.live();
    if (wanted('move')) await moveChecks(t);
    if (wanted('panel')) await panelChecks(t);
    if (wanted('controls')) await controlChecks(t);
    if (wanted('why')) await whyChecks(t);
    if (wanted('deeds')) await deedChecks(t);
    if (wanted('looks')) await lookChecks(t);
    if (wanted('keys')) await keyChecks(t);
    // Both wait most of the time: for files to be read again and times to end, and for silence to be noticed.
    await Promise.all([wanted('roles') && roleChecks(t), wanted('network') && networkChecks(t)]);
    if (wanted('crowd')) await crowdChecks(t);
    if (wanted('restart')) await restartChecks({ ...t, kept: wanted('why') && wanted('deeds') });
    await faultChecks(t);
  } finally {
    await Promise.all(players.map((p) => p.close().catch(() => {})));
  }
}

async function faultChecks({ report, browser, players }) {
  await report.check('no page met a script error, a violation of its content policy, or asked anybody else', async () => {
    equal(browser.screens.flatMap((s) => s.complaints).slice(0, 5), [], 'complaints');
  });
  report.note(`${browser.screens.length} screens made ${browser.screens.reduce((n, s) => n + s.requests, 0)} requests`);
  await report.check('nothing that a client could not read', async () => {
    equal(players.flatMap((p) => p.violations()).slice(0, 4), [], 'violations');
  });
}
