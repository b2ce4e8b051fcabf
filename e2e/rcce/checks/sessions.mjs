// Sessions: the state of players after a reconnect, a lost client, and a restart of the server.
import { distance } from '../client.mjs';
import { type } from '../wire.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const sheetOf = ({ level, xp, gold, faction, max }) => ({ level, xp, gold, faction, max });

export async function reloginChecks(t) {
  const { report, A, B } = t;
  await report.check('a login 300 ms after a disconnect keeps the position', async () => {
    const [at, area, rid, from] = [{ ...A.me }, A.area.name, A.rid, B.mark()];
    const near = B.area.name === area;
    must((await A.disconnect()) >= 0, 'DISCONNECT not acknowledged');
    if (near) {
      const gone = must(await B.waitFor((m) => m.type === type.actorGone && m.rid === rid, { from, timeout: 15000 }), 'B got no ActorGone');
      must(!gone.wide, 'ActorGone of a logout has 4 bytes');
    }
    await sleep(300);
    await A.enter();
    equal(A.area.name, area, 'area');
    must(distance(A.me, at) < 3, `was at ${at.x}, ${at.z}, is at ${A.me.x}, ${A.me.z}`);
    if (near) must(await B.until(() => B.actors.has(A.rid), 15000), 'B got no NewActor');
  });
}

/** t.vanished: a client whose socket was closed without a DISCONNECT, and when. ENet times such a peer out after 5 to 30 s. */
export async function timeoutChecks({ report, vanished: { c, since } }) {
  await report.check('the account of a client that timed out can log in again', async () => {
    for (;;) {
      await c.connect();
      const { status } = await c.verify();
      await c.disconnect();
      if (status === 'Y') return;
      equal(status, 'L', 'status');
      must(Date.now() - since < 90000, 'still online after 90 s');
      await sleep(1500);
    }
  });
}

export async function restartChecks(t) {
  const { report, server, A, B } = t;
  const before = new Map();
  await report.check('SIGTERM ends the server in time with exit status 0', async () => {
    for (const c of [A, B]) {
      c.claimAt({ x: c.me.x, z: c.me.z });
      c.settle();
    }
    await sleep(500);
    for (const c of [A, B]) await c.echoed();
    for (const c of [A, B]) before.set(c, { at: { ...c.me }, area: c.area.name, name: c.character.name, sheet: null });
    const { ms, code, signal, killed } = await server.stop();
    await sleep(100);
    for (const c of [A, B]) c.abort();
    must(!killed, `the server was still running after ${ms} ms`);
    must(code === 0, `exit status ${code} ${signal ?? ''}: ${server.tail()}`);
  });
  await report.check('the server starts again on the same data', async () => {
    await server.kill();
    await server.start();
    for (const c of [A, B]) c.port = server.ports.rcce;
  });
  for (const c of [A, B]) {
    await report.check(`${c.label}: position, level and experience survive the restart`, async () => {
      const was = must(before.get(c), 'no state from before the restart');
      const old = must(c.sheet, 'no character sheet');
      const gained = c.xpSinceSheet ?? 0;
      await c.enter();
      equal(c.area.name, was.area, 'area');
      must(distance(c.me, was.at) < 1.5, `was at ${was.at.x}, ${was.at.z}, is at ${c.me.x}, ${c.me.z}`);
      const now = sheetOf(c.sheet);
      equal(now.level, old.level, 'level');
      must(Math.abs(now.xp - old.xp - gained) <= 1, `xp ${old.xp} + ${gained} became ${now.xp}`);
      equal(now.faction, old.faction, 'faction');
      equal(String(now.max), String(old.max), 'maxima');
    });
  }
}
