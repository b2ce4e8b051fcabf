// Chat between the doors.
import { equal } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

export async function speechChecks({ report }, players) {
  for (const speaker of players) {
    await report.check(`a line of the ${speaker.door} player arrives at every other door once, with its name`, async () => {
      const text = `gr\u00fc\u00df dich, sagt ${speaker.door}`; // each door encodes these letters in another way
      const listeners = players.filter((p) => p !== speaker);
      const marks = listeners.map((p) => p.mark());
      speaker.say(text);
      for (const [i, p] of listeners.entries()) await p.until(() => p.linesHeard(speaker.name, text, marks[i]) > 0, `line "${text}"`);
      await sleep(700);
      for (const [i, p] of listeners.entries()) equal(p.linesHeard(speaker.name, text, marks[i]), 1, `lines at ${p.door}`);
    });
  }
}
