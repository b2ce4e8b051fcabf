// One area with two thousand actors that roam.
import fs from 'node:fs';
import path from 'node:path';
import { crowdWorld } from '../crowd.mjs';
import { judge, record } from '../motion.mjs';
import { Server } from '../../lib/server.mjs';
import { rateCheck } from './move.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const ACTORS = 2000;
// Far below the sixty frames that it is to reach on a machine of its own: what two busy cores still do when the page is right.
const FRAMES = 30;
const SCRIPT_MS = 12; // in each frame, of 16.7
const FULL_MS = 60000;
const COST = 5; // percent of a core that the server may spend on one who looks
const COST_MS = 5000;
const TRIES = 4; // what else is done on the machine makes one of two looks cost more

export async function crowdChecks({ report, browser, server, dir }) {
  const world = path.join(dir, 'crowd.toml');
  fs.writeFileSync(world, crowdWorld(ACTORS));
  const pasture = new Server({ bin: server.bin, dir: path.join(dir, 'crowd'), world, console: true });
  process.on('exit', () => pasture.killNow());
  try {
    if (!(await report.check(`a server with ${ACTORS} actors starts`, () => pasture.start()))) return;
    await full(pasture);
    let unseen = await spent(pasture);
    const screen = await browser.screen({ label: 'crowd', base: pasture.consoleBase });
    await report.check(`the map has all ${ACTORS}`, async () => {
      await screen.logIn(pasture.consoleToken);
      await screen.until(() => screen.truth('actors'), (n) => n === ACTORS, 'actors', FULL_MS);
      equal((await pasture.api.area(0)).actors, ACTORS, 'actors of the API');
    });
    await rateCheck({ report, screen }, `a crowd of ${ACTORS}`, { least: FRAMES, script: SCRIPT_MS });
    await report.check('and moves smoothly', () => smooth(screen));
    let seen = await spent(pasture);
    for (let n = 1; n < TRIES && seen - unseen >= COST / 100; n++) {
      await screen.view('audit', 'tab-bans'); // where there is no map
      unseen = await spent(pasture);
      await screen.view('map', 'map');
      await screen.live();
      seen = await spent(pasture);
    }
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    await report.check(`the server spends less than ${COST} % of a core on the map`, async () => {
      must(seen - unseen < COST / 100, `${percent(seen)} of a core while somebody looks, ${percent(unseen)} before`);
    });
    report.note(`the server with ${ACTORS} actors: ${percent(unseen)} of a core while nobody looks, ${percent(seen)} with the map open`);
    await screen.shot('crowd');
    await screen.context.close();
  } finally {
    await pasture.stop();
  }
  await report.check('that server never broke', async () => equal(pasture.faults().slice(0, 3), [], 'lines'));
}

/** Waits until everybody has come. */
async function full(server) {
  for (const end = performance.now() + FULL_MS; (await server.api.area(0)).actors < ACTORS && performance.now() < end; await sleep(200));
}

/** The share of a core that a server uses for a while, by its own account. */
async function spent(server) {
  const seconds = async () => Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await fetch(server.metricsURL)).text())[1]);
  const [before, from] = [await seconds(), performance.now()];
  await sleep(COST_MS);
  return ((await seconds() - before) * 1000) / (performance.now() - from);
}

/** Watches some of those who walk; one that is smooth is enough, as a busy machine may be late for some. */
async function smooth(screen) {
  const wrong = [];
  const where = () => screen.page.evaluate(() => Object.fromEntries(window.__truestep.ids().map((id) => [id, window.__truestep.where(id)])));
  const before = await where();
  await sleep(300);
  const walkers = Object.entries(await where()).filter(([id, at]) => before[id] && Math.hypot(at.x - before[id].x, at.z - before[id].z) > 1);
  for (const [id] of walkers.slice(0, 12)) {
    const said = judge(await screen.page.evaluate(record, [Number(id), 1500]), { fastest: 30, least: 1 });
    if (said === '') return;
    wrong.push(said);
  }
  must(false, wrong[0] ?? 'nobody walks');
}
