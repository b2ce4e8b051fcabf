// Chat: above the head, and in the box.
import { say } from '../packets.mjs';
import { equal, must } from '../../lib/assert.mjs';

export async function speechChecks(t, A, B) {
  const said = (c, who, changes) => changes.get(c.view.find(who))?.blocks.CHAT;
  const heard = (c, who, text) => c.when((changes) => said(c, who, changes) === text, `CHAT "${text}" of ${who}`, 4000);
  await t.report.check('chat: the CHAT block for everybody who sees the speaker, the speaker too', async () => {
    const all = Promise.all([heard(A, 'Ada', 'Hello, world!'), heard(B, 'Ada', 'Hello, world!')]);
    A.send(say.chat('Hello, world!'));
    await all;
  });
  await t.report.check('chat: MESSAGE_PUBLIC with the index of the speaker, not to himself', async () => {
    const mine = (l) => l.kind === 'public' && l.text === 'Hello, world!';
    await B.until(() => B.lines.some(mine), 'the packet', 3000);
    const l = B.lines.find(mine);
    equal([l.index, l.name], [B.view.find('Ada'), 'Ada'], 'speaker');
    must(!A.lines.some(mine), 'the speaker was sent her own line');
  });
  await t.report.check('chat: what has no use is dropped, and a slash is a command', async () => {
    A.send(say.chat('   '));
    A.send(say.chat('/help'));
    await A.until(() => A.lines.some((l) => l.text.startsWith('Commands:')), 'help', 3000);
    await B.cycles(2);
    must(!B.lines.some((l) => l.text.includes('help') || l.text.trim() === ''), 'Bob heard a command');
  });
}
