// The live map: who is there, and how he is drawn while he walks.
import { judge, record } from '../motion.mjs';
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const WATCH_MS = 2500;
const TRIES = 12; // a machine that other work keeps from drawing for a moment proves nothing
const FASTEST = 30; // units/s; nobody here walks faster
const LEAST = 6;
const FRAMES = 50; // per second, of sixty
const SIXTY = 58; // as a second's window measures it
const doors = { Ann: 'rcce', Bob: 'rs', Cid: 'bedrock' };

/** How many pixels around a drawn actor have the colour of a door. */
function inked([name, door]) {
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

export async function moveChecks({ report, screen, server, players }) {
  await report.check('the map has as many actors as the server', async () => {
    await screen.until(async () => {
      const shown = (await screen.text('actors')).replace(/\D/g, '');
      const apart = new Set(await screen.page.evaluate(() => window.__truestep.ids())).size;
      return [(await server.api.area(0)).actors, await screen.truth('actors'), Number(shown), apart];
    }, ([a, ...others]) => others.every((b) => a === b), 'actors of the API, the map and its status line, and those apart');
  });
  await report.check('the legend counts one player of each door', async () => {
    const rows = () => screen.get('legend').locator('.legend-row').evaluateAll((list) => list.map((r) => r.innerText.replace(/\s+/g, ' ').trim()));
    await screen.until(rows, (list) => ['RealmCrafter CE 1', 'RuneScape 667 1', 'Minecraft: Bedrock 1'].every((r) => list.includes(r)), 'the rows');
  });
  const stops = players.map((p) => p.pace());
  for (const { name } of players) {
    await report.check(`${name} (${doors[name]}) is seen to walk smoothly`, async () => {
      const { id } = must(await screen.where(name), `${name} is not on the map`);
      let wrong;
      for (let n = 0; n < TRIES; n++) {
        wrong = judge(await screen.page.evaluate(record, [id, WATCH_MS]), { fastest: FASTEST, least: LEAST });
        if (wrong === '') return;
      }
      must(false, wrong);
    });
    await report.check(`and drawn in the colour of ${doors[name]} where he is said to be`, async () => {
      const look = () => screen.page.evaluate(inked, [name, doors[name]]);
      await screen.until(look, (n) => n >= 20, 'pixels of that colour'); // others may walk before him
    });
  }
  await rateCheck({ report, screen }, 'the embedded world');
  await screen.shot('map-light');
  await Promise.all(stops.map((stop) => stop()));
  await report.check('who stands is drawn where the server says that he is', async () => {
    await sleep(500);
    for (const p of players) {
      const { entity } = must(await server.api.player(p.name), `${p.name} is not in the world`);
      await screen.until(async () => {
        const { pos } = await server.api.get(`/players/${entity}`);
        const at = await screen.where(p.name);
        return Math.hypot(at.x - pos.x, at.z - pos.z);
      }, (far) => far < 0.2, `units between ${p.name} on the map and in the API`);
    }
  });
}

/** Asks the page itself how many frames it draws; a busy machine may need some time to show what it can. */
export async function rateCheck({ report, screen }, what, { least = FRAMES, script = Infinity, ms = 60000 } = {}) {
  let best = { fps: 0, scriptMs: Infinity };
  await report.check(`${what} is drawn at ${least} frames a second or more`, async () => {
    for (const end = performance.now() + ms; best.fps < SIXTY && performance.now() < end; await sleep(500)) {
      const now = await screen.page.evaluate(() => ({ fps: window.__truestep.fps, scriptMs: window.__truestep.scriptMs, drawn: window.__truestep.drawn }));
      const fits = (one) => one.fps >= least && one.scriptMs <= script;
      if (fits(now) === fits(best) ? now.fps > best.fps : fits(now)) best = now;
    }
    must(best.fps >= least, `${best.fps} at best within ${ms} ms, with ${best.scriptMs} ms of script in each`);
    must(best.scriptMs <= script, `${best.scriptMs} ms of script in each frame, of at most ${script}`);
  });
  report.note(`${what}: ${best.fps} frames/s, ${best.scriptMs} ms of script in each, ${best.drawn} actors drawn`);
}
