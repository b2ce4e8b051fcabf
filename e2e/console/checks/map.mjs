// The live map: which actors it shows, and how it draws them while they walk.
import { judgeMotion, recordMotion } from '../motion.mjs';
import { worldUnits } from '../../lib/adapters.mjs';
import { must } from '../../lib/assert.mjs';
import { Oracle } from '../../lib/oracle.mjs';
import { playerPositions } from '../../lib/truth.mjs';
import { sleep } from '../../lib/wait.mjs';

const WATCH_MS = 2500;
const TRIES = 12; // maximum number of recordings, because a busy machine draws too few frames in some
const MAX_SPEED = 30; // units/s; faster than any player here
const MIN_DISTANCE = 6; // units in WATCH_MS
const MIN_FPS = 50; // of sixty
const FULL_FPS = 58; // sixty, as a window of one second measures it
const FULL_MS = 5000; // further time in which a page that has reached MIN_FPS may still reach FULL_FPS
const API_SLACK = 0.2; // units between the map and the API
const doors = { Ann: 'rcce', Bob: 'rs', Cid: 'bedrock' };

/** How many pixels around a drawn actor have the colour of a door; runs in the page. */
function pixelsOfDoor([name, door]) {
  const probe = document.createElement('i');
  probe.style.color = `var(--door-${door})`;
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
  probe.remove();
  const { left, top } = window.__truestep.where(window.__truestep.named(name));
  const canvas = document.querySelector('[data-testid=map]');
  const density = canvas.width / canvas.clientWidth;
  const { data } = canvas.getContext('2d').getImageData((left - 6) * density, (top - 6) * density, 12 * density, 12 * density);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) n += wanted.every((w, c) => Math.abs(w - data[i + c]) < 12) ? 1 : 0;
  return n;
}

export async function mapChecks({ report, screen, server, players }) {
  await report.check('the map, its status line and the API have the same number of actors', async () => {
    await screen.until(async () => {
      const shown = (await screen.text('actors')).replace(/\D/g, '');
      const distinct = new Set(await screen.page.evaluate(() => window.__truestep.ids())).size;
      return [(await server.api.area(0)).actors, await screen.mapField('actors'), Number(shown), distinct];
    }, ([a, ...others]) => others.every((b) => a === b), 'actors of the API, the map, its status line, and distinct ids');
  });
  await report.check('the legend counts one player of each door', async () => {
    const rows = () => screen.get('legend').locator('.legend-row').evaluateAll((list) => list.map((r) => r.innerText.replace(/\s+/g, ' ').trim()));
    await screen.until(rows, (list) => ['RealmCrafter CE 1', 'RuneScape 667 1', 'Minecraft: Bedrock 1'].every((r) => list.includes(r)), 'rows');
  });
  const stops = players.map((p) => p.patrol());
  for (const { name } of players) {
    await report.check(`${name} (${doors[name]}) moves smoothly on the map`, async () => {
      const { id } = must(await screen.drawnAt(name), `${name} is not on the map`);
      let wrong;
      for (let n = 0; n < TRIES; n++) {
        wrong = judgeMotion(await screen.page.evaluate(recordMotion, [id, WATCH_MS]), { maxSpeed: MAX_SPEED, minDistance: MIN_DISTANCE });
        if (wrong === '') return;
      }
      must(false, wrong);
    });
    await report.check(`${name} (${doors[name]}) is drawn in the colour of its door where the map reports it`, async () => {
      const look = () => screen.page.evaluate(pixelsOfDoor, [name, doors[name]]);
      await screen.until(look, (n) => n >= 20, 'pixels of that colour'); // another actor may cover it for a moment
    });
  }
  await rateCheck({ report, screen }, 'the embedded world');
  await screen.screenshot('map-light');
  await Promise.all(stops.map((stop) => stop()));
  await report.check('a standing player is drawn where the API has it', async () => {
    await sleep(500);
    await screen.until(async () => {
      const oracle = new Oracle();
      const drawn = await Promise.all(players.map(async ({ name }) => [name, await screen.drawnAt(name) ?? undefined]));
      oracle.table(worldUnits(API_SLACK), 'map', drawn, await playerPositions(server.api));
      return oracle.differences;
    }, (differences) => differences.length === 0, 'differences between the map and the API');
  });
}

/** Checks the frame rate and the script time that the page itself measures, for up to ms. The best window counts, as the machine may
 *  be busy. */
export async function rateCheck({ report, screen }, what, { least = MIN_FPS, script = Infinity, ms = 60000 } = {}) {
  let best = { fps: 0, scriptMs: Infinity };
  await report.check(`${what} is drawn at ${least} frames/s or more`, async () => {
    const start = performance.now();
    const fits = (one) => one.fps >= least && one.scriptMs <= script;
    const limit = () => start + (fits(best) ? FULL_MS : ms);
    for (; best.fps < FULL_FPS && performance.now() < limit(); await sleep(500)) {
      const now = await screen.page.evaluate(() => ({ fps: window.__truestep.fps, scriptMs: window.__truestep.scriptMs, drawn: window.__truestep.drawn }));
      if (fits(now) === fits(best) ? now.fps > best.fps : fits(now)) best = now;
    }
    must(best.fps >= least, `at best ${best.fps} frames/s within ${ms} ms, with ${best.scriptMs} ms of script in each`);
    must(best.scriptMs <= script, `${best.scriptMs} ms of script in each frame, limit ${script}`);
  });
  report.note(`${what}: ${best.fps} frames/s, ${best.scriptMs} ms of script in each, ${best.drawn} actors drawn`);
}
