// One terrain: the walls of the keep stop a claim, a path and an input alike.
import { beforeKeep, inKeep, keep } from '../places.mjs';
import { agree } from './see.mjs';
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const PUSH_MS = 6000;

export async function groundChecks(t, players) {
  for (const p of players) {
    const others = players.filter((q) => q !== p);
    await t.report.check(`${p.door} cannot enter the keep through its wall`, async () => {
      must(await p.walk(beforeKeep), 'he did not get to it');
      let seen; // anybody who sees him inside
      const watch = setInterval(() => {
        for (const q of others) if (q.sees(p.name) && inKeep(q.sees(p.name))) seen = q;
      }, 50);
      await p.push(keep, PUSH_MS);
      await sleep(1000);
      clearInterval(watch);
      must(!seen, `${seen?.door} saw him inside`);
      must(!inKeep(p.place), `he is at ${JSON.stringify(p.place)}`);
      for (const q of others) await agree(q, p, 4);
    });
    await p.walk({ x: 1.75, z: 1.75 });
  }
}
