// A planned restart: players of all doors read the countdown, the server saves them and ends with exit status 3, and after its next
// start they and the page are back.
import { equal, must } from '../../lib/assert.mjs';
import { Ann, Bob, Cid } from '../players.mjs';
import { Guest, STOPPING } from '../web_guest.mjs';
import { confirm } from './actions.mjs';

const RESTART = 3; // exit status after which a service manager starts the server again
const SECONDS = 6; // length of the countdown
const REASON = 'a new version';
const STOP_MS = 30000; // after the countdown
const SLACK = 0.1; // tolerance in units between the stored position and that after the restart
const LOAVES = 3; // number of loaves that each player gets before the restart

/** A client of each door. guest: the identity of a guest. */
function clients(server, guest) {
  return [new Ann(server), new Bob(server), new Cid(server), new Guest(server, 'Gil', guest)];
}

/** What must survive the restart, for each of the players. */
async function records(api, players) {
  const out = [];
  for (const { name } of players) {
    const { entity } = must(await api.player(name), `${name} is not in the world`);
    const { account, door, level, xp, gold, area, pos, inventory } = await api.get(`/players/${entity}`);
    out.push({ name, account, door, level, xp, gold, area, pos, inventory: inventory.map((i) => [i.item, i.amount, i.worn]) });
  }
  return out;
}

/** The server must have started anew, so that no client of this suite is connected. */
export async function plannedRestartChecks({ report, screen, server, players }) {
  screen.expectFaults(/net::ERR_/, /WebSocket connection/, /status of 409/);
  let before;
  const all = clients(server);
  players.push(...all); // the caller counts their violations and closes them at the end
  const joined = await report.check('clients of all four doors come back to the server', async () => {
    for (const p of all) await (p.comeBack?.() ?? p.join());
    for (const { name } of all) {
      const { entity } = await server.api.player(name);
      equal((await server.api.call('POST', `/players/${entity}/give`, { item: 'Bread', amount: LOAVES })).status, 200, `status of the loaves for ${name}`);
    }
    before = await records(server.api, all);
    return true;
  });
  if (!joined) return;
  const planned = await report.check('clients of all four doors and the page show the countdown of a planned restart, and the server ends with exit status 3', async () => {
    await screen.goTo('#/audit?tab=server');
    await (await screen.waitVisible('stop-in')).selectOption('other');
    await screen.get('stop-in-typed').fill(`${SECONDS}s`);
    await screen.get('action-reason').fill(REASON);
    await screen.get('plan-submit').click();
    // Awaited before the click: on a busy machine much of the countdown is over before the dialog has closed.
    const shown = screen.until(() => screen.texts('planned-stop'), ([t]) => /^Restart in \d s/.test(t ?? ''), 'countdown on the page');
    await Promise.all([shown, confirm(screen, 'The restart is planned')]);
    for (const left of [`${SECONDS} seconds`, '3 seconds', '1 second']) {
      await Promise.all(all.map((p) => p.until(() => p.hasReceived(`The server restarts in ${left}: ${REASON}`), `countdown of ${left} at ${p.name} (${p.door})`)));
    }
    await screen.until(async () => server.exit, Boolean, 'exit of the server', STOP_MS);
    equal([server.exit.code, server.exit.signal], [RESTART, null], 'exit status and signal');
    for (const p of all) await screen.until(async () => p.disconnected, Boolean, `end of the connection of ${p.name}`);
    const guest = all.find((p) => p.door === 'web');
    equal(guest.bye?.reason, STOPPING, `reason of the Bye of the web door, ${guest.bye?.text},`);
    return guest;
  });
  if (!planned) return;
  await report.check('while the server is away, the actions of an administrator are disabled', async () => {
    await screen.waitVisible('lost');
    for (const id of ['announce-send', 'plan-submit', 'reload']) {
      await screen.until(() => screen.get(id).evaluate((e) => [e.getAttribute('aria-disabled'), e.title]), ([disabled, why]) => disabled === 'true' && why === 'The server cannot be reached.', id);
    }
    await screen.get('reload').click({ force: true });
    equal(await screen.get('action-dialog').count(), 0, 'dialogs');
    equal(await screen.get('top-stop-cancel').count(), 0, 'buttons to cancel the restart');
  });
  await report.check('after the restart the page is live again, and every player has what was stored', async () => {
    await server.start();
    const again = clients(server, planned.guest);
    players.push(...again);
    for (const p of again) await (p.comeBack?.() ?? p.join());
    const after = await records(server.api, again);
    for (const [i, want] of before.entries()) {
      const got = after[i];
      must(Math.hypot(got.pos.x - want.pos.x, got.pos.z - want.pos.z) <= SLACK, `${got.name} is at ${JSON.stringify(got.pos)}, was at ${JSON.stringify(want.pos)}`);
      equal({ ...got, pos: 0 }, { ...want, pos: 0 }, `record of ${got.name}`);
      must(got.inventory.some(([item, amount]) => item === 'Bread' && amount >= LOAVES), `${got.name} has ${JSON.stringify(got.inventory)}`);
    }
    await screen.until(() => screen.get('lost').count(), (n) => n === 0, 'banners of a lost server');
    await screen.until(() => screen.get('reload').getAttribute('aria-disabled'), (v) => v === null, 'disabled buttons');
    await screen.until(() => screen.get('planned-stop').count(), (n) => n === 0, 'countdowns'); // end with the new run's first status
    await screen.until(() => screen.text('online').catch(() => ''), (t) => t === `${again.length} players online`, 'players online');
  });
}
