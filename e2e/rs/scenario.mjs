// The games of two or three players at the RuneScape door, in order. The checks are in checks/.
import { equal } from '../lib/assert.mjs';
import { Board } from './board.mjs';
import { Client } from './client.mjs';
import { serverKey } from './crypto.mjs';
import { duelChecks, preyChecks } from './checks/combat.mjs';
import { hostileChecks } from './checks/hostile.mjs';
import { graceChecks, logoutChecks, reconnectChecks, slowChecks } from './checks/keep.mjs';
import { greetingCheck, loginChecks } from './checks/login.mjs';
import { movementChecks, sightChecks } from './checks/movement.mjs';
import { departChecks, regionChecks, returnChecks } from './checks/regions.mjs';
import { speechChecks } from './checks/speech.mjs';
import { js5RefusedCheck, restartChecks } from './checks/stop.mjs';
import { RecordOracle } from './truth.mjs';

const STOP_MS = 5000; // time limit for clients to notice that the server has stopped

/** The games, each played on a server of its own. */
export const games = {
  green: { parts: ['movement', 'speech', 'prey'], play: green },
  road: { parts: ['travel', 'duel', 'keep', 'hostile', 'restart'], play: road },
};

/** The parts of all games, besides login and sight. */
export const parts = Object.values(games).flatMap((game) => game.parts);

/** Plays a game on a started server. wanted(part) returns whether to play that part of it. */
export async function play(game, { report, server, wanted }) {
  const clients = [];
  const board = new Board();
  const records = new RecordOracle();
  const client = (user, more = {}) => {
    const c = new Client({ port: server.ports.rs, key: serverKey(server), user, password: 'secret', onCycle: board.record, ...more });
    clients.push(c);
    return c;
  };
  const compareAll = () => {
    for (const c of clients.filter(({ sessions }) => sessions.length > 0)) {
      records.client(c, server.records);
      c.sessions = [];
    }
  };
  const t = { report, server, client, compareAll };
  await game.play(t, wanted);
  await server.stop(); // after the stop the records are complete
  await Promise.all(clients.filter((c) => c.online).map((c) => c.until(() => c.closed, 'end of the connection', STOP_MS)));
  compareAll();
  board.compareUntil();
  await report.check('each client shows the others on the tiles that their own clients have', async () => board.verdict(1));
  await report.check('every table of every client equals the recorded truth in every cycle', async () => records.verdict());
  await report.check('no client received a packet that it could not read', async () => {
    equal(clients.flatMap((c) => c.violations).slice(0, 4), [], 'violations');
  });
  report.note(`${records.cycles} cycles, ${records.compared} positions compared with the truth, ${board.oracle.compared} sightings between clients`);
  for (const c of clients) c.socket?.destroy();
}

/** The game of two players on the green: login, movement, combat, chat. */
async function green(t, wanted) {
  const A = await loginChecks(t);
  if (!A.online) return;
  await greetingCheck(t, A);
  await js5RefusedCheck(t);
  const B = await sightChecks(t, A);
  if (!B.online) return;
  if (wanted('movement')) await movementChecks(t, A, B);
  if (wanted('speech')) await speechChecks(t, A, B);
  if (wanted('prey')) await preyChecks(t, A, B);
}

/** The game of three players on the road to the Ring and in it: map squares, areas, duels, lost connections. */
async function road(t, wanted) {
  const A = t.client('Ada');
  await t.report.check('a client logs in', async () => equal(await A.login(), 2, 'code'));
  if (!A.online) return;
  const B = await sightChecks(t, A);
  if (!B.online) return;
  const online = wanted('travel') ? await travel(t, wanted, A, B) : [A, B];
  if (wanted('restart')) await restartChecks(t, online);
}

async function travel(t, wanted, A, B) {
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
