// Shutdown and restart of the server.
import { equal, must } from '../../lib/assert.mjs';

export async function stopChecks(t, online) {
  const { report, server } = t;
  const before = new Map();
  await report.check('SIGTERM disconnects every client with a message and ends the process', async () => {
    for (const bot of online) {
      bot.controls.move = [0, 0];
      await bot.frames(10);
      before.set(bot.name, [...bot.pos]);
    }
    const { code, ms, killed } = await server.stop();
    must(!killed && code === 0, `exit status ${code} after ${ms} ms`);
    await Promise.all(online.map((bot) => bot.until(() => bot.closed, 'disconnect').catch((e) => must(bot.closed, e.message))));
    const informed = online.filter((bot) => bot.backend === 'raknet-native'); // jsp-raknet closes too early and loses the last packets
    for (const bot of informed) must(bot.kicked?.message, `${bot.name} received no message`);
    equal(server.faults(), [], 'fault lines in the log');
  });
  await report.check('players are at the same position after a restart of the server', async () => {
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
