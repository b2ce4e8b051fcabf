// The small scenarios: three players, in order. Each part is in checks/.
import { Board } from './board.mjs';
import { Client } from './client.mjs';
import { serverKey } from './crypto.mjs';
import { duelChecks, preyChecks } from './checks/combat.mjs';
import { graceChecks, logoutChecks, reconnectChecks, slowChecks } from './checks/keep.mjs';
import { hostileChecks } from './checks/hostile.mjs';
import { greetingCheck, loginChecks } from './checks/login.mjs';
import { movementChecks, sightChecks } from './checks/movement.mjs';
import { departChecks, regionChecks, returnChecks } from './checks/regions.mjs';
import { speechChecks } from './checks/speech.mjs';
import { js5RefusedCheck, restartChecks } from './checks/stop.mjs';
import { compare } from './truth.mjs';
import { equal, must } from '../lib/assert.mjs';

/** The parts besides login and sight. */
export const parts = ['movement', 'speech', 'prey', 'travel', 'duel', 'keep', 'hostile', 'restart'];

/** Plays the small scenario on a started server. wanted(part) tells which parts are played. */
export async function play({ report, server, wanted }) {
  const clients = [];
  const board = new Board();
  const client = (user, more = {}) => {
    const c = new Client({ port: server.ports.rs, key: serverKey(server), user, password: 'secret', onCycle: board.put, ...more });
    clients.push(c);
    return c;
  };
  const compared = { cycles: 0, positions: 0, differences: [] };
  const compareAll = () => {
    for (const c of clients.filter(({ sessions }) => sessions.length > 0)) {
      const one = compare(c, server.records);
      compared.cycles += one.cycles;
      compared.positions += one.positions;
      compared.differences.push(...one.differences);
      c.sessions = [];
    }
  };
  const t = { report, server, client, compareAll };
  const online = await evening(t, wanted);
  if (online && wanted('restart')) await restartChecks(t, online);
  else compareAll();
  board.settle();
  await report.check('clients agree with each other, without the word of the server', async () => {
    must(board.compared > 0, `${board.compared} sights compared`);
    equal(board.differences.slice(0, 4), [], `${board.differences.length} differences in ${board.compared} sights`);
    must(board.shifted < board.compared / 10, `${board.shifted} sights of another cycle beside ${board.compared}`);
  });
  await report.check('every table of every client was the truth in every cycle', async () => {
    must(compared.cycles > 0, `${compared.cycles} cycles compared`);
    equal(compared.differences.slice(0, 4), [], `${compared.differences.length} differences in ${compared.cycles} cycles`);
  });
  await report.check('nothing that a client could not read', async () => {
    equal(clients.flatMap((c) => c.violations).slice(0, 4), [], 'violations');
  });
  const { cycles, positions } = compared;
  report.note(`small: ${cycles} cycles, ${positions} positions compared with the truth, ${board.compared} sights between clients`);
  for (const c of clients) c.socket?.destroy();
}

async function evening(t, wanted) {
  const A = await loginChecks(t);
  if (!A.online) return undefined;
  await greetingCheck(t, A);
  await js5RefusedCheck(t);
  const B = await sightChecks(t, A);
  if (!B.online) return undefined;
  if (wanted('movement')) await movementChecks(t, A, B);
  if (wanted('speech')) await speechChecks(t, A, B);
  if (wanted('prey')) await preyChecks(t, A, B);
  if (!wanted('travel')) return [A, B];
  const C = await regionChecks(t, A, B);
  await departChecks(t, A, B, C);
  if (wanted('duel')) await duelChecks(t, A, B);
  await returnChecks(t, A, C);
  if (wanted('keep')) {
    await reconnectChecks(t, A, C);
    await logoutChecks(t, A, C);
    await Promise.all([graceChecks(t, A, C), slowChecks(t, B, [C])]);
  }
  if (wanted('hostile')) await hostileChecks(t, B, C);
  return [B, C];
}
