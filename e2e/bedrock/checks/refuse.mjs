// Who may not come in is told why, and who goes is missed.
import { equal, must } from '../../lib/assert.mjs';

/** Connects somebody; resolves with how it was refused. */
async function refused(t, name, { protocol, ...more } = {}) {
  const bot = t.bot(name, more);
  bot.connect({ protocol });
  await bot.until(() => bot.closed, 'a refusal', 40000).catch((e) => {
    if (!bot.closed) throw e;
  });
  must(!bot.spawned, 'it spawned');
  return { statuses: bot.statuses, reason: bot.kicked?.reason, message: bot.kicked?.message };
}

export async function refuseChecks(t, bots) {
  const { report } = t;
  const [A] = bots;
  await report.check('a client that is too old is told so', async () => {
    equal((await refused(t, 'Old', { protocol: 1001 })).statuses.at(-1) ?? null, 'failed_client', 'status');
  });
  await report.check('a client that is too new is told so', async () => {
    equal((await refused(t, 'New', { protocol: 9999 })).statuses.at(-1) ?? null, 'failed_spawn', 'status');
  });
  await report.check('the second login of a name is refused with a reason, and the first plays on', async () => {
    for (const name of [A.name, A.name.toUpperCase()]) {
      const { reason, message } = await refused(t, name);
      must(reason && message, `as ${name}: reason ${reason}, message ${message}`);
    }
    await A.frames(5);
    must(A.online, A.ending());
  });
  for (const [what, name] of [['without letters', '   '], ['in colours', '\u00a74Eve'], ['longer than 16 letters', 'E'.repeat(17)], ['with a newline', 'E\nve']]) {
    await report.check(`a name ${what} is refused`, async () => {
      const { reason } = await refused(t, name);
      must(reason, 'no reason');
    });
  }
  await report.check('who leaves vanishes for the others, and comes back where it was', async () => {
    const E = t.bot('Eve');
    await E.join();
    E.run();
    await E.walkTo(-2.5, 3.5);
    await E.frames(10);
    const at = [...E.pos];
    await A.until(() => A.others.find('Eve'), 'Eve near it');
    await E.close();
    await A.until(() => !A.others.find('Eve') && ![...A.others.listed.values()].includes('Eve'), 'Eve gone');
    const again = t.bot('Eve', { version: '1.26.51' });
    await again.join();
    must(Math.hypot(again.pos[0] - at[0], again.pos[2] - at[2]) < 0.1, `at ${again.pos}, was at ${at}`);
    await again.close();
    await A.until(() => !A.others.find('Eve'), 'Eve gone again');
  });
}

/** A server with two places. */
export async function fullChecks(t) {
  const { report, server } = t;
  await report.check('a full server says so', async () => {
    const bots = [t.bot('Ada'), t.bot('Bob')];
    for (const bot of bots) (await bot.join()).run();
    await bots[0].until(() => bots[0].others.find('Bob'), 'Bob near it');
    const late = t.bot('Cyd');
    late.connect();
    await late.until(() => late.closed || late.statuses.length > 0, 'an answer', 40000).catch(() => {});
    equal([late.spawned ?? false, late.statuses.at(-1)], [false, 'failed_server_full'], 'spawned, and status');
    await late.close();
    for (const bot of bots) must(bot.online, bot.ending());
    await bots[1].close();
    await bots[0].until(() => !bots[0].others.find('Bob'), 'Bob gone');
    const next = t.bot('Dan');
    await next.join();
    must(next.online, 'the free place is not given away');
  });
}
