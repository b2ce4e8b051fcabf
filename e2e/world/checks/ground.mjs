// Terrain: the walls of the keep stop players of every movement authority (claims, paths and inputs).
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';
import { beforeKeep, inKeep, keep } from '../places.mjs';
import { agree } from './sight.mjs';

const PUSH_MS = 6000;
const WALL_SLACK = 4; // units by which a client that pushes against a wall may show itself inside: it predicts ahead of the server

/** All players push against the wall at the same time, each watched by the others. */
export async function groundChecks({ report }, players) {
  await Promise.all(players.map(async (p) => {
    const others = players.filter((q) => q !== p);
    await report.check(`${p.door} player cannot enter the keep through its wall`, async () => {
      must(await p.walk(beforeKeep), 'did not reach the keep');
      let witness; // a client that shows player p inside the keep
      const watch = setInterval(() => {
        for (const q of others) if (q.positionOf(p.name) && inKeep(q.positionOf(p.name))) witness = q;
      }, 50);
      await p.pushToward(keep, PUSH_MS);
      await sleep(1000);
      clearInterval(watch);
      must(!witness, `the ${witness?.door} client showed it inside`);
      must(!inKeep(p.position), `it is at ${JSON.stringify(p.position)}`);
      for (const q of others) await agree(q, p, WALL_SLACK);
    });
  }));
}
