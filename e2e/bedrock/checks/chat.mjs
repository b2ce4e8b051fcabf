// Chat reaches everybody once, with the name that the server knows.
import { chat } from '../packets.mjs';
import { equal, must } from '../../lib/assert.mjs';

const heard = (bot, from, message) => bot.texts.slice(from).filter((x) => x.type === 'chat' && x.message === message);

export async function chatChecks(t, bots) {
  const { report } = t;
  const [A, B] = bots;
  await report.check('the greeting came', () => A.until(() => A.texts.some(({ message }) => message?.includes('Mind the gate.')), 'the greeting'));
  for (const bot of bots) {
    await report.check(`what ${bot.name} says reaches everybody, once`, async () => {
      const marks = bots.map((b) => b.texts.length);
      const message = `good morning from ${bot.name} \u00e9\u00df`;
      bot.say(message);
      for (const [i, other] of bots.entries()) {
        await other.until(() => heard(other, marks[i], message).length > 0, `${other.name} hearing it`);
      }
      await A.frames(5);
      for (const [i, other] of bots.entries()) {
        equal(heard(other, marks[i], message).map((x) => x.source_name), [bot.name], `as ${other.name} heard it`);
      }
    });
  }
  await report.check('nobody speaks with another name, or in colours', async () => {
    const mark = B.texts.length;
    A.client.write('text', { ...chat('Bob', '\u00a74a lie'), type: 'chat' });
    await B.until(() => B.texts.slice(mark).some(({ message }) => message?.includes('a lie')), 'it to be said at all').catch(() => {});
    for (const x of B.texts.slice(mark)) {
      must(x.source_name !== 'Bob', 'said as Bob');
      must(!x.message?.includes('\u00a7'), 'said in colours');
    }
  });
}
