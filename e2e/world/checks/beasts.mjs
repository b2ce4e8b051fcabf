// Nobody's player: who is seen through all doors to be struck, to die, and to be there again.
import { must } from '../../lib/assert.mjs';

const BEAST = 'Sheep';
const BESIDE = { x: -12.25, z: -12.25 };
const BACK = 60000; // ms within which there is another, which comes after three seconds

export async function beastChecks({ report }, players) {
  for (const a of players) {
    const [marks, beasts] = [new Map(), new Map()];
    await report.check(`${a.door} kills the sheep, and all see its wounds and its end`, async () => {
      await a.walk(BESIDE);
      for (const p of players) marks.set(p, p.mark());
      for (const p of players) beasts.set(p, p.which(BEAST));
      must(await a.fight(BEAST, () => a.sawFall(BEAST, marks.get(a))), 'it lives');
      for (const p of players) {
        await p.until(() => p.sawFall(BEAST, marks.get(p)), `a dead ${BEAST}`);
        must(p.blows(marks.get(p)).some((b) => b.on === BEAST), `${p.door} saw no blow`);
      }
    });
    await report.check(`${a.door} is told what it was worth, and nobody else`, async () => {
      await a.until(() => a.gained(marks.get(a)) > 0, 'experience');
      for (const p of players) must(p === a || p.gained(marks.get(p)) === 0, `${p.door} gained as well`);
    });
    await report.check(`all see another sheep after ${a.door}`, async () => {
      await Promise.all(players.map((p) => p.until(() => p.sees(BEAST) && p.which(BEAST) !== beasts.get(p), `another ${BEAST}`, BACK)));
    });
    await a.walk({ x: 1.75 + 7 * players.indexOf(a), z: 1.75 });
  }
}
