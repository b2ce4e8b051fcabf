// Leaving, losing the connection, and coming back.
import { say } from '../packets.mjs';
import { compare } from '../truth.mjs';
import { arrive } from './trip.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const GRACE_MS = 15000;
const SWEEP_MS = 12000; // a second between two looks, a cycle, and a slow machine

/** Waits for a moment in which C has the same tile for an index as A for herself: one of them may hear of a step first. */
async function agree(A, C, i) {
  const same = () => A.view.tiles[A.index] === C.view.tiles[i];
  for (let k = 0; k < 500 && !same(); k++) await sleep(20);
  equal(A.view.tile(), C.view.tile(i), 'her tile for both');
}

/** The socket of A dies in the middle of a cycle and of a walk; C looks on. */
export async function reconnectChecks(t, A, C) {
  const { report } = t;
  await report.check('kill a socket mid-cycle and reconnect: code 15, same place, nobody saw him leave', async () => {
    const seen = C.view.find('Ada');
    let gone = 0;
    const stop = C.watch(() => (gone += C.view.find('Ada') !== seen));
    A.send(say.command('walk'));
    A.send(say.walk(A.tile.x + 6, A.tile.z));
    await A.cycles(2);
    await sleep(300);
    A.kill();
    await sleep(1500);
    const looks = A.old.looks.filter(Boolean).length;
    equal(await A.reconnect(), 15, 'code');
    await A.cycles(1);
    await agree(A, C, seen);
    must(A.view.find('Cleo') > 0, 'she does not see Cleo');
    must(A.view.looks.filter(Boolean).length >= looks, 'looks were lost');
    await A.cycles(5);
    stop();
    equal(gone, 0, 'cycles in which Cleo did not see her');
    await agree(A, C, seen);
    must(A.life > 0, 'no life');
  });
  await report.check('she goes on playing after that', () => arrive(A, A.tile.x + 2, A.tile.z + 1));
  await report.check('a plain login takes over a lost session', async () => {
    const { tile } = A;
    A.kill();
    await sleep(500);
    A.forget();
    equal(await A.login(), 2, 'code');
    equal(A.tile, tile, 'where she stands');
    await A.cycles(1);
    must(A.view.find('Cleo') > 0, 'she does not see Cleo');
  });
}

/** A logs out and comes back; C looks on. */
export async function logoutChecks(t, A, C) {
  const { report } = t;
  const { tile } = A;
  await report.check('logout: IF_BUTTON1 on 182:13 is answered by a logout, and others see the removal', async () => {
    const i = C.view.find('Ada');
    const removed = C.when((changes) => changes.get(i)?.how === 'remove', 'her removal', 4000);
    await A.logout();
    must(A.loggedOut, 'no logout packet');
    await removed;
  });
  await report.check('reconnect after a logout: 10', async () => {
    equal(await A.reconnect(), 10, 'code');
  });
  await report.check('login again: at the same tile', async () => {
    A.forget();
    equal(await A.login(), 2, 'code');
    equal(A.tile, tile, 'where she stands');
    await C.until(() => C.view.find('Ada'), 'her return', 4000);
  });
}

/** A's socket dies for good. Resolves when C has seen her leave. */
export async function graceChecks(t, A, C) {
  await t.report.check('kill without return: stands for 15 s, then is removed', async () => {
    const i = C.view.find('Ada');
    const at = performance.now();
    A.kill();
    await C.when((changes) => changes.get(i)?.how === 'remove', 'her removal', GRACE_MS + SWEEP_MS + 2000);
    const ms = performance.now() - at;
    must(ms >= GRACE_MS - 700 && ms <= GRACE_MS + SWEEP_MS, `gone after ${Math.round(ms)} ms`);
  });
}

/** B reads nothing for five seconds, while others move around him. */
export async function slowChecks(t, B, walkers) {
  await t.report.check('slow reader: 5 s without reading, then exact again', async () => {
    B.socket.pause();
    const began = B.view.cycle;
    for (const w of walkers) w.send(say.walk(w.tile.x - 5, w.tile.z - 2));
    await sleep(5000);
    equal(B.view.cycle, began, 'cycles while nothing was read');
    B.socket.resume();
    await B.cycles(10);
    for (const w of walkers) {
      const i = B.view.find(w.user);
      if (i) equal(B.view.tile(i), w.tile, `${w.user} as Bob sees them`);
    }
    const told = B.sessions.map(({ placement, cycles }) => ({ placement, cycles: [...cycles] }));
    await B.cycles(1); // a packet is recorded when it is sent, and before the next one is made
    const { differences, cycles } = compare(B, t.server.records, told);
    must(cycles > 10, `${cycles} cycles compared`);
    equal(differences.slice(0, 3), [], 'differences from the truth');
  });
}
