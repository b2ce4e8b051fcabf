// The map of one area with two thousand wandering actors.
import fs from 'node:fs';
import path from 'node:path';
import { crowdWorld } from '../crowd_world.mjs';
import { judgeMotion, recordMotion } from '../motion.mjs';
import { Server } from '../../lib/server.mjs';
import { rateCheck } from './map.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep, waitUntil } from '../../lib/wait.mjs';

const ACTORS = 2000;
const MIN_FPS = 30; // minimum frame rate on two busy cores; the aim on an idle machine is 60
const MAX_SCRIPT_MS = 12; // maximum script time per frame; at 60 frames/s a frame lasts 16.7 ms
const SPAWN_MS = 60000;
const MAX_COST = 5; // percent of a core that the server may spend on one open map
const COST_MS = 5000; // period over which CPU use is measured
const TRIES = 4; // maximum number of measurements, because other work on the machine disturbs them

/** Starts the server of the crowd. Resolves with {crowded, idle} once all actors have spawned: the server, and the share of a core
 *  that it uses without an open map. */
export async function startCrowd({ report, server, dir }) {
  const world = path.join(dir, 'crowd.toml');
  fs.writeFileSync(world, crowdWorld(ACTORS));
  const crowded = new Server({ bin: server.bin, dir: path.join(dir, 'crowd'), world, console: true });
  process.on('exit', () => crowded.killNow());
  if (!(await report.check(`a server with ${ACTORS} actors starts`, () => crowded.start()))) return { crowded };
  await waitSpawned(crowded);
  return { crowded, idle: await cpuShare(crowded) };
}

/** crowd: what startCrowd resolved with. */
export async function crowdChecks({ report, browser }, { crowded, idle }) {
  try {
    if (idle === undefined) return;
    const screen = await browser.screen({ label: 'crowd', base: crowded.consoleBase });
    await report.check(`the map has all ${ACTORS} actors of the API`, async () => {
      await screen.logIn(crowded.consoleToken);
      await screen.until(() => screen.mapField('actors'), (n) => n === ACTORS, 'actors', SPAWN_MS);
      equal((await crowded.api.area(0)).actors, ACTORS, 'actors of the API');
    });
    await rateCheck({ report, screen }, `a crowd of ${ACTORS}`, { least: MIN_FPS, script: MAX_SCRIPT_MS });
    await report.check(`a crowd of ${ACTORS} moves smoothly`, () => screen.atFullRate(() => smoothMotion(screen)));
    let watched = await cpuShare(crowded);
    for (let n = 1; n < TRIES && watched - idle >= MAX_COST / 100; n++) {
      await screen.openView('audit', 'tab-bans'); // a view without the map
      idle = await cpuShare(crowded);
      await screen.openView('map', 'map');
      await screen.waitLive();
      watched = await cpuShare(crowded);
    }
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    await report.check(`the server spends less than ${MAX_COST} % of a core on an open map`, async () => {
      must(watched - idle < MAX_COST / 100, `${percent(watched)} of a core with the map open, ${percent(idle)} without`);
    });
    report.note(`the server with ${ACTORS} actors: ${percent(idle)} of a core without an open map, ${percent(watched)} with one`);
    await screen.screenshot('crowd');
    await screen.context.close();
  } finally {
    await crowded.stop();
  }
  await report.check('the server of the crowd has logged no fault', async () => equal(crowded.faults().slice(0, 3), [], 'faults'));
}

/** Waits until all actors have spawned. */
async function waitSpawned(server) {
  const actors = async () => (await server.api.area(0)).actors;
  await waitUntil(actors, { ms: SPAWN_MS, every: 200, accept: (n) => n >= ACTORS, what: 'actors' });
}

/** The share of a core that a server uses over COST_MS, by its own metrics. */
async function cpuShare(server) {
  const seconds = async () => Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await fetch(server.metricsURL)).text())[1]);
  const [before, from] = [await seconds(), performance.now()];
  await sleep(COST_MS);
  return ((await seconds() - before) * 1000) / (performance.now() - from);
}

/** Throws unless at least one of several walking actors moves smoothly, because a busy machine may disturb the recording of the others. */
async function smoothMotion(screen) {
  const wrong = [];
  const positions = () => screen.page.evaluate(() => Object.fromEntries(window.__truestep.ids().map((id) => [id, window.__truestep.where(id)])));
  const before = await positions();
  await sleep(300);
  const walkers = Object.entries(await positions()).filter(([id, at]) => before[id] && Math.hypot(at.x - before[id].x, at.z - before[id].z) > 1);
  for (const [id] of walkers.slice(0, 12)) {
    const fault = judgeMotion(await screen.page.evaluate(recordMotion, [Number(id), 1500]), { maxSpeed: 30, minDistance: 1 });
    if (fault === '') return;
    wrong.push(fault);
  }
  must(false, wrong[0] ?? 'no actor walks');
}
