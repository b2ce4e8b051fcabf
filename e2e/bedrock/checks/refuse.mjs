// Refused logins have a reason, and a player that leaves is removed.
import { equal, must } from '../../lib/assert.mjs';

/** Connects a client that must be refused; resolves with statuses, reason and message. */
async function refused(t, name, { protocol, ...more } = {}) {
  const bot = t.bot(name, more);
  bot.connect({ protocol });
  await bot.until(() => bot.closed, 'refusal', 40000).catch((e) => {
    if (!bot.closed) throw e;
  });
  must(!bot.spawned, 'the client spawned');
  return { statuses: bot.statuses, reason: bot.kicked?.reason, message: bot.kicked?.message };
}

export async function refuseChecks(t, bots) {
  const { report } = t;
  const [A] = bots;
  await report.check('a client with an older protocol is refused with failed_client', async () => {
    equal((await refused(t, 'Old', { protocol: 1001 })).statuses.at(-1) ?? null, 'failed_client', 'status');
  });
  await report.check('a client with a newer protocol is refused with failed_spawn', async () => {
    equal((await refused(t, 'New', { protocol: 9999 })).statuses.at(-1) ?? null, 'failed_spawn', 'status');
  });
  await report.check('a second login with the same name is refused with a reason, and the first client stays connected', async () => {
    for (const name of [A.name, A.name.toUpperCase()]) {
      const { reason, message } = await refused(t, name);
      must(reason && message, `as ${name}: reason ${reason}, message ${message}`);
    }
    await A.frames(5);
    must(A.online, A.closeReason());
  });
  for (const [what, name] of [['of blanks', '   '], ['with colour codes', '\u00a74Eve'], ['of 17 letters', 'E'.repeat(17)], ['with a newline', 'E\nve']]) {
    await report.check(`a name ${what} is refused`, async () => {
      const { reason } = await refused(t, name);
      must(reason, 'no reason');
    });
  }
  await report.check('a player that leaves is removed for others and rejoins at its position', async () => {
    const E = t.bot('Eve');
    await E.join();
    E.run();
    await E.walkTo(-2.5, 3.5);
    await E.frames(10);
    const at = [...E.pos];
    await A.until(() => A.others.find('Eve'), 'sight of Eve');
    await E.close();
    await A.until(() => !A.others.find('Eve') && ![...A.others.listed.values()].includes('Eve'), 'removal of Eve');
    const again = t.bot('Eve', { version: '1.26.51' });
    await again.join();
    must(Math.hypot(again.pos[0] - at[0], again.pos[2] - at[2]) < 0.1, `at ${again.pos}, was at ${at}`);
    await again.close();
    await A.until(() => !A.others.find('Eve'), 'second removal of Eve');
  });
}

/** A server with room for two players. */
export async function fullChecks(t) {
  const { report, server } = t;
  await report.check('a full server refuses with failed_server_full', async () => {
    const bots = [t.bot('Ada'), t.bot('Bob')];
    for (const bot of bots) (await bot.join()).run();
    await bots[0].until(() => bots[0].others.find('Bob'), 'sight of Bob');
    const late = t.bot('Cyd');
    late.connect();
    await late.until(() => late.closed || late.statuses.length > 0, 'answer', 40000).catch(() => {});
    equal([late.spawned ?? false, late.statuses.at(-1)], [false, 'failed_server_full'], 'spawned, and status');
    await late.close();
    for (const bot of bots) must(bot.online, bot.closeReason());
    await bots[1].close();
    await bots[0].until(() => !bots[0].others.find('Bob'), 'removal of Bob');
    const next = t.bot('Dan');
    await next.join();
    must(next.online, 'the free place was refused');
  });
}
