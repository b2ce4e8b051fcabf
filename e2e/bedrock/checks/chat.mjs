// Chat reaches all players once, with the name of the account.
import { chat } from '../packets.mjs';
import { equal, must } from '../../lib/assert.mjs';

const linesOf = (bot, from, message) => bot.texts.slice(from).filter((x) => x.type === 'chat' && x.message === message);

export async function chatChecks(t, bots) {
  const { report } = t;
  const [A, B] = bots;
  await report.check('a player receives the greeting of the world', () => A.until(() => A.texts.some(({ message }) => message?.includes('Mind the gate.')), 'greeting'));
  for (const bot of bots) {
    await report.check(`a line of ${bot.name} reaches all players once`, async () => {
      const marks = bots.map((b) => b.texts.length);
      const message = `good morning from ${bot.name} \u00e9\u00df`;
      bot.say(message);
      for (const [i, other] of bots.entries()) {
        await other.until(() => linesOf(other, marks[i], message).length > 0, `line at ${other.name}`);
      }
      await A.frames(5);
      for (const [i, other] of bots.entries()) {
        equal(linesOf(other, marks[i], message).map((x) => x.source_name), [bot.name], `names at ${other.name}`);
      }
    });
  }
  await report.check('chat with a forged name or colour codes is sanitized', async () => {
    const mark = B.texts.length;
    A.client.write('text', { ...chat('Bob', '\u00a74a lie'), type: 'chat' });
    await B.until(() => B.texts.slice(mark).some(({ message }) => message?.includes('a lie')), 'line').catch(() => {});
    for (const x of B.texts.slice(mark)) {
      must(x.source_name !== 'Bob', 'a line has the name Bob');
      must(!x.message?.includes('\u00a7'), 'a line has colour codes');
    }
  });
}
