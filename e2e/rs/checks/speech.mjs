// Chat: the CHAT block above the head, and MESSAGE_PUBLIC in the chat box.
import { say } from '../packets.mjs';
import { equal, must } from '../../lib/assert.mjs';

export async function speechChecks(t, A, B) {
  const chatOf = (c, who, changes) => changes.get(c.view.find(who))?.blocks.CHAT;
  const chatArrives = (c, who, text) => c.when((changes) => chatOf(c, who, changes) === text, `CHAT "${text}" of ${who}`, 4000);
  await t.report.check('a line of chat is a CHAT block for all viewers and the speaker', async () => {
    const all = Promise.all([chatArrives(A, 'Ada', 'Hello, world!'), chatArrives(B, 'Ada', 'Hello, world!')]);
    A.send(say.chat('Hello, world!'));
    await all;
  });
  await t.report.check('a line of chat is MESSAGE_PUBLIC for others, with the index of the speaker', async () => {
    const isLine = (l) => l.kind === 'public' && l.text === 'Hello, world!';
    await B.until(() => B.lines.some(isLine), 'MESSAGE_PUBLIC', 3000);
    const l = B.lines.find(isLine);
    equal([l.index, l.name], [B.view.find('Ada'), 'Ada'], 'speaker');
    must(!A.lines.some(isLine), 'the speaker received its own line');
  });
  await t.report.check('blank lines are dropped, and a line with a slash is a command', async () => {
    A.send(say.chat('   '));
    A.send(say.chat('/help'));
    await A.until(() => A.lines.some((l) => l.text.startsWith('Commands:')), 'answer to /help', 3000);
    await B.cycles(2);
    must(!B.lines.some((l) => l.text.includes('help') || l.text.trim() === ''), 'Bob received the command');
  });
}
