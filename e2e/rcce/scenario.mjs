// The games of the suite. In each game two players log in, enter the world, go through the parts of the game, and disconnect.
import { equal, must } from '../lib/assert.mjs';
import { Client } from './client.mjs';
import { loginChecks, onlineChecks, quickJoinCheck } from './checks/login.mjs';
import { entryChecks, movementChecks, speechChecks } from './checks/world.mjs';
import { departChecks, returnChecks, skyChecks } from './checks/travel.mjs';
import { duelChecks, preyChecks } from './checks/combat.mjs';
import { reloginChecks, restartChecks, timeoutChecks } from './checks/sessions.mjs';
import { hostileChecks } from './checks/hostile.mjs';
import { lossChecks } from './checks/loss.mjs';

const TICK_CLAIM_MS = 140;
const CLIENT_REPLY_MS = 1000; // response time after which real clients give up
const REPLY_MS = 10000; // maximum response time on a busy machine

/** The games of a world, each played on a server of its own. */
export const games = {
  entry: { parts: ['movement', 'speech'], join: joinChecks, play: entryGame },
  journey: { parts: ['prey', 'portal', 'duel', 'relogin', 'restart'], join: quickJoinCheck, play: journeyGame },
  stress: { parts: ['hostile', 'loss'], join: quickJoinCheck, play: stressGame },
};

/** The parts of all games, after login and entry. */
export const parts = Object.values(games).flatMap((game) => game.parts);

/** Plays a game on a started server. wanted(part) returns whether to play that part of it. */
export async function play(game, { report, server, world, log, wanted }) {
  const clients = [];
  const client = (label, account) => {
    const limits = { replyLimit: REPLY_MS, waited: () => server.schedulerDelayMs() };
    const c = new Client({ host: '127.0.0.1', port: server.ports.rcce, label, account, world, log, ...limits });
    clients.push(c);
    return c;
  };
  const A = client('A', { user: 'rustbot', password: 'rustpass', email: 'rust@bot.com' });
  const B = client('B', { user: 'rustbot2', password: 'rustpass', email: 'rust2@bot.com' });
  const t = { report, server, world, client, A, B, host: '127.0.0.1', step };

  await game.join(t);
  if (A.inWorld && B.inWorld) await game.play(t, wanted);
  for (const c of [A, B]) if (c.connected) await c.disconnect();
  await report.check('the server sent no message that a real client would reject or misread', async () => {
    const all = clients.flatMap((c) => c.allViolations());
    equal([...new Set(all)].slice(0, 6).join(' | '), '', `${all.length} violations`);
  });
  await report.check('three of four responses arrive before real clients would give up', async () => {
    const all = clients.filter((c) => c.replyLimit === REPLY_MS).flatMap((c) => c.replies).sort((x, y) => x - y);
    const late = all.filter((ms) => ms > CLIENT_REPLY_MS).length;
    must(all.length > 0 && late <= all.length / 4, `${late} of ${all.length} were late: ${all.slice(-8).join(', ')} ms`);
  });
  for (const c of clients) {
    for (const [text, count] of c.notes) report.note(`${c.label}: ${text} (${count} times)`);
    c.abort();
  }
}

async function joinChecks(t) {
  if (await loginChecks(t)) await entryChecks(t);
}

async function entryGame(t, wanted) {
  await onlineChecks(t);
  await skyChecks(t);
  if (wanted('movement')) await movementChecks(t);
  if (wanted('speech')) await speechChecks(t);
}

async function journeyGame(t, wanted) {
  const { world } = t;
  const duelElsewhere = world.duel.area !== world.start.area;
  if (wanted('prey')) await preyChecks(t);
  if (wanted('portal')) await departChecks(t);
  if (wanted('duel') && duelElsewhere) await duelChecks(t);
  if (wanted('portal')) await returnChecks(t);
  if (wanted('duel') && !duelElsewhere) await duelChecks(t);
  if (wanted('relogin')) await reloginChecks(t);
  if (wanted('restart')) await restartChecks(t);
}

async function stressGame(t, wanted) {
  if (wanted('hostile')) await hostileChecks(t);
  if (wanted('loss')) await lossChecks(t);
  if (t.vanished) await timeoutChecks(t);
}

/** Units per update that the speed rule accepts with certainty: 60 % of its bound. */
function step(c) {
  const i = c.world.speedStat;
  const ratio = c.sheet?.max[i] > 0 ? c.sheet.value[i] / c.sheet.max[i] : 1;
  return 0.6 * 0.15 * (ratio + 0.5) * TICK_CLAIM_MS;
}
