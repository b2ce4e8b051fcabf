// The end of the server, and what is there after it.
import { equal, must } from '../../lib/assert.mjs';

export async function stopChecks(t, online) {
  const { report, server } = t;
  const before = new Map();
  await report.check('SIGTERM: every client is told so, the process ends by itself', async () => {
    for (const bot of online) {
      bot.hands.move = [0, 0];
      await bot.frames(10);
      before.set(bot.name, [...bot.pos]);
    }
    const { code, ms, killed } = await server.stop();
    must(!killed && code === 0, `exit ${code} after ${ms} ms`);
    await Promise.all(online.map((bot) => bot.until(() => bot.closed, 'the end').catch((e) => must(bot.closed, e.message))));
    const hearing = online.filter((bot) => bot.backend === 'raknet-native'); // jsp closes before it hands on what came last
    for (const bot of hearing) must(bot.kicked?.message, `${bot.name} is told nothing`);
    equal(server.faults(), [], 'fault lines in the log');
  });
  await report.check('restart: everybody is where he was', async () => {
    await server.start();
    for (const { name, version, backend } of online) {
      const bot = t.bot(name, { version, backend });
      await bot.join();
      const was = before.get(name);
      must(Math.hypot(bot.pos[0] - was[0], bot.pos[2] - was[2]) < 0.1, `${name} at ${bot.pos}, was at ${was}`);
      await bot.close();
    }
  });
}
