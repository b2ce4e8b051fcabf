// What one says at his door, everybody hears at theirs.
import { equal } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

export async function speechChecks(t, players) {
  for (const speaker of players) {
    await t.report.check(`what ${speaker.door} says is heard at every door, once and by his name`, async () => {
      const text = `gr\u00fc\u00df dich, sagt ${speaker.door}`; // letters that each door writes in its own way
      const listeners = players.filter((p) => p !== speaker);
      const marks = listeners.map((p) => p.mark());
      speaker.say(text);
      for (const [i, p] of listeners.entries()) await p.until(() => p.heard(speaker.name, text, marks[i]) > 0, `hearing "${text}"`);
      await sleep(700);
      for (const [i, p] of listeners.entries()) equal(p.heard(speaker.name, text, marks[i]), 1, `times that ${p.door} heard it`);
    });
  }
}
