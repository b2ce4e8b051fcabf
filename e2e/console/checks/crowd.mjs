// One area with two thousand actors that roam.
import fs from 'node:fs';
import path from 'node:path';
import { crowdWorld } from '../crowd.mjs';
import { judge, record } from '../motion.mjs';
import { Server } from '../server.mjs';
import { rateCheck } from './move.mjs';
import { equal, must } from '../../bedrock/report.mjs';

const ACTORS = 2000;
// Far below the sixty frames that it is to reach on a machine of its own: what two busy cores still do when the page is right.
const FRAMES = 30;
const SCRIPT_MS = 12; // in each frame, of 16.7
const FULL_MS = 15000;

export async function crowdChecks({ report, browser, server, dir }) {
  const world = path.join(dir, 'crowd.toml');
  fs.writeFileSync(world, crowdWorld(ACTORS));
  const pasture = new Server({ bin: server.bin, dir: path.join(dir, 'crowd'), world, doors: false });
  process.on('exit', () => pasture.killNow());
  fs.mkdirSync(pasture.dir);
  try {
    if (!(await report.check(`a server with ${ACTORS} actors starts`, () => pasture.start()))) return;
    const screen = await browser.screen({ label: 'crowd', base: pasture.base });
    await report.check(`the map has all ${ACTORS}`, async () => {
      await screen.logIn(pasture.token);
      await screen.until(() => screen.truth('actors'), (n) => n === ACTORS, 'actors', FULL_MS);
      equal((await pasture.api.area(0)).actors, ACTORS, 'actors of the API');
    });
    await rateCheck({ report, screen }, `a crowd of ${ACTORS}`, { least: FRAMES, script: SCRIPT_MS });
    await report.check('and moves smoothly', async () => {
      const wrong = [];
      for (const id of (await screen.page.evaluate(() => window.__truestep.ids())).slice(0, 400)) {
        if (wrong.length >= 4) break;
        const [a, b] = [await screen.page.evaluate((i) => window.__truestep.where(i), id), null];
        await screen.page.evaluate(() => new Promise((done) => setTimeout(done, 120)));
        const c = await screen.page.evaluate((i) => window.__truestep.where(i), id);
        if (Math.hypot(c.x - a.x, c.z - a.z) < 0.2) continue; // it rests
        const said = judge(await screen.page.evaluate(record, [id, 1200]), { fastest: 30, least: 1 });
        if (said === '') return;
        wrong.push(said);
      }
      must(false, wrong[0] ?? 'nobody moved');
    });
    await screen.shot('crowd');
    await screen.context.close();
  } finally {
    await pasture.stop();
  }
  await report.check('that server never broke', async () => equal(pasture.broken().slice(0, 3), [], 'lines'));
}
