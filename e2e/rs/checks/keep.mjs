// Sessions: log-out, lost connections, reconnects, and a client that reads slowly.
import { ANSWER } from '../login.mjs';
import { say } from '../packets.mjs';
import { RecordOracle } from '../truth.mjs';
import { arrive } from './trip.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep, waitUntil } from '../../lib/wait.mjs';

const LOST_MS = 30000; // time limit for the server to notice that a socket is lost; until then the account is online
export const GRACE_S = 10; // time of [rules.linger] for a player at peace
const GRACE_MS = GRACE_S * 1000;
const SWEEP_MS = 12000; // time limit of the removal after GRACE_MS: a cycle, and delays of a busy machine

/** Waits until C shows index i on A's own tile: one of the two may receive a step earlier. */
async function agree(A, C, i) {
  const same = () => A.view.tiles[A.index] === C.view.tiles[i];
  for (let k = 0; k < 500 && !same(); k++) await sleep(20);
  equal(A.view.tile(), C.view.tile(i), 'tile of Ada');
}

/** The socket of A is lost in the middle of a cycle and of a walk; C watches. */
export async function reconnectChecks(t, A, C) {
  const { report } = t;
  await report.check('a reconnect after a socket was lost gets code 15 and the same tile, and others never remove the player', async () => {
    const seen = C.view.find('Ada');
    let missing = 0;
    const stop = C.watch(() => (missing += C.view.find('Ada') !== seen));
    A.send(say.command('walk'));
    A.send(say.walk(A.tile.x + 6, A.tile.z));
    await A.cycles(2);
    await sleep(300);
    A.kill();
    await sleep(1500);
    const appearances = A.old.appearances.filter(Boolean).length;
    equal(await A.reconnect(), 15, 'code');
    await A.cycles(1);
    await agree(A, C, seen);
    await A.until(() => A.view.find('Cleo'), 'sight of Cleo');
    must(A.view.appearances.filter(Boolean).length >= appearances, 'appearances were lost');
    await A.cycles(5);
    stop();
    equal(missing, 0, 'cycles in which Cleo did not see Ada');
    await agree(A, C, seen);
    must(A.life > 0, 'health is 0');
  });
  await report.check('the reconnected player can walk', () => arrive(A, A.tile.x + 2, A.tile.z + 1));
  await report.check('a login takes over the session of a lost socket', async () => {
    const { tile } = A;
    const seen = C.view.find('Ada');
    let missing = 0;
    const stop = C.watch(() => (missing += C.view.find('Ada') !== seen));
    A.kill();
    await sleep(500);
    A.forget();
    equal(await waitUntil(() => A.login(), { ms: LOST_MS, accept: (code) => code !== ANSWER.ONLINE, what: 'code' }), ANSWER.OK, 'code');
    equal(A.tile, tile, 'tile');
    await A.until(() => A.view.find('Cleo'), 'sight of Cleo');
    stop();
    equal(missing, 0, 'cycles in which Cleo did not see Ada');
  });
}

/** A logs out and logs in again; C watches. */
export async function logoutChecks(t, A, C) {
  const { report } = t;
  const { tile } = A;
  await report.check('IF_BUTTON1 on 182:13 logs out, and others see the removal', async () => {
    const i = C.view.find('Ada');
    const removed = C.when((changes) => changes.get(i)?.how === 'remove', 'removal of Ada', 4000);
    await A.logout();
    must(A.loggedOut, 'no logout packet');
    await removed;
  });
  await report.check('reconnect after a logout is refused with code 10', async () => {
    equal(await A.reconnect(), 10, 'code');
  });
  await report.check('login after a logout is at the same tile', async () => {
    A.forget();
    equal(await A.login(), 2, 'code');
    equal(A.tile, tile, 'tile');
    await C.until(() => C.view.find('Ada'), 'sight of Ada', 4000);
  });
}

/** The socket of A dies and A does not reconnect. Resolves when C has seen the removal. */
export async function graceChecks(t, A, C) {
  await t.report.check('a player whose socket is lost lingers for 10 s and is then removed', async () => {
    const i = C.view.find('Ada');
    const at = performance.now();
    A.kill();
    await C.when((changes) => changes.get(i)?.how === 'remove', 'removal of Ada', GRACE_MS + SWEEP_MS + 2000);
    const ms = performance.now() - at;
    must(ms >= GRACE_MS - 700 && ms <= GRACE_MS + SWEEP_MS, `removed after ${Math.round(ms)} ms`);
  });
}

/** B reads nothing for five seconds while others move. */
export async function slowChecks(t, B, walkers) {
  await t.report.check('a client that has not read for 5 s then has exactly the recorded state again', async () => {
    B.socket.pause();
    const began = B.view.cycle;
    for (const w of walkers) w.send(say.walk(w.tile.x - 5, w.tile.z - 2));
    await sleep(5000);
    equal(B.view.cycle, began, 'cycles applied while not reading');
    B.socket.resume();
    await B.cycles(10);
    for (const w of walkers) {
      const i = B.view.find(w.user);
      if (i) equal(B.view.tile(i), w.tile, `${w.user} as Bob shows it`);
    }
    const sessions = B.sessions.map(({ placement, cycles }) => ({ placement, cycles: [...cycles] }));
    await B.cycles(1); // the server records each packet when it sends it
    const records = new RecordOracle();
    records.client({ user: B.user, sessions }, t.server.records);
    must(records.cycles > 10, `${records.cycles} cycles compared`);
    records.verdict();
  });
}
