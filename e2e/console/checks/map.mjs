// The live map: which actors it shows, and how it draws them while they walk.
import { judgeMotion, recordMotion } from '../motion.mjs';
import { worldUnits } from '../../lib/adapters.mjs';
import { must } from '../../lib/assert.mjs';
import { Oracle } from '../../lib/oracle.mjs';
import { playerPositions } from '../../lib/truth.mjs';
import { sleep } from '../../lib/wait.mjs';

const WATCH_MS = 2500;
const TRIES = 12; // maximum number of recordings, because a busy machine draws too few frames in some
const MAX_SPEED = 30; // maximum speed in units/s: greater than that of any player here
const MIN_DISTANCE = 6; // units in WATCH_MS
const MIN_FPS = 50; // of 60 frames/s
const FULL_FPS = 58; // minimum frame rate for a page at 60 frames/s, as measured over one second
const FULL_MS = 5000; // additional time in which a page that has reached MIN_FPS may reach FULL_FPS
const API_SLACK = 0.2; // tolerance in units between positions on the map and in the API
const doors = { Ann: 'rcce', Bob: 'rs', Cid: 'bedrock' };

/** How many pixels around a drawn actor have the colour of a door; NaN if the actor is not drawn. Runs in the page. */
function pixelsOfDoor([name, door]) {
  const actor = window.__truestep?.where(window.__truestep.named(name));
  if (!actor) return NaN;
  const probe = document.createElement('i');
  probe.style.color = `var(--door-${door})`;
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
  probe.remove();
  const { left, top } = actor;
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
      const { id } = await screen.until(() => screen.drawnAt(name), Boolean, `${name} on the map`);
      let wrong;
      for (let n = 0; n < TRIES; n++) {
        wrong = judgeMotion(await screen.atFullRate(() => screen.page.evaluate(recordMotion, [id, WATCH_MS])), { maxSpeed: MAX_SPEED, minDistance: MIN_DISTANCE });
        if (wrong === '') return;
      }
      must(false, wrong);
    });
    await report.check(`${name} (${doors[name]}) is drawn in the colour of its door where the map reports it`, async () => {
      const look = () => screen.page.evaluate(pixelsOfDoor, [name, doors[name]]);
      await screen.until(look, (n) => n >= 20, 'pixels of that colour'); // wait, because another actor may cover this one for a moment
    });
  }
  await rateCheck({ report, screen }, 'the embedded world');
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
  await pictureChecks({ report, screen, server });
}

const PATCH = 5; // edge length in pixels of an examined square
const TILE_SLACK = 60; // tolerance between the canvas and the tile, which is scaled: sum of the differences of red, green and blue
const GRID = [0.1, 0.3, 0.5, 0.7, 0.9]; // examined positions along each axis of the water, as shares of its size
const MOST = 15; // how many of the 25 places must agree
const WATER_APART = 40; // minimum difference between water and ground: sum of the differences of red, green and blue

/**
 * The mean colours at places of the world, on the canvas and on the tile of the whole area: {canvas: [[r, g, b], ...], tile: ...};
 * runs in the page.
 */
async function colours({ area, theme, places, patch }) {
  const picture = await createImageBitmap(await (await fetch(`/api/v1/ground?area=${area.id}&theme=${theme}&level=0&x=0&z=0`)).blob());
  const tile = new OffscreenCanvas(picture.width, picture.height);
  tile.getContext('2d').drawImage(picture, 0, 0);
  const canvas = document.querySelector('[data-testid=map]');
  const density = canvas.width / canvas.clientWidth;
  const drawn = window.__truestep.ids().map(window.__truestep.where).filter(Boolean).sort((a, b) => a.x - b.x);
  const [a, b] = [drawn[0], drawn.at(-1)]; // the outermost two actors, which give the scale and the offset
  const scale = (b.left - a.left) / (b.x - a.x);
  const mean = (from, x, y) => {
    const { data } = from.getContext('2d').getImageData(Math.round(x) - (patch >> 1), Math.round(y) - (patch >> 1), patch, patch);
    return [0, 1, 2].map((c) => Math.round(data.reduce((sum, v, i) => sum + (i % 4 === c ? v : 0), 0) / (patch * patch)));
  };
  const { ground } = area;
  return {
    canvas: places.map(({ x, z }) => mean(canvas, (a.left + (x - a.x) * scale) * density, (a.top - (z - a.z) * scale) * density)),
    tile: places.map(({ x, z }) => mean(tile, ((x - ground.x) / ground.size) * tile.width, (1 - (z - ground.z) / ground.size) * tile.height)),
  };
}

/** How many pixels where the name of an actor is have the colour of a text; NaN if the actor is not drawn. Runs in the page. */
function namePixels([name, drop]) {
  const actor = window.__truestep?.where(window.__truestep.named(name));
  if (!actor) return NaN;
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--text)';
  const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
  probe.remove();
  const { left, top } = actor;
  const canvas = document.querySelector('[data-testid=map]');
  const density = canvas.width / canvas.clientWidth;
  const { data } = canvas.getContext('2d').getImageData((left - 12) * density, (top + drop - 6) * density, 24 * density, 12 * density);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) n += wanted.every((w, c) => Math.abs(w - data[i + c]) < 40) ? 1 : 0;
  return n;
}

const LABEL_DROP = 17; // distance in pixels from an actor down to its name

/** The picture of the map in both themes: the ground of the tiles with its water, and names of players. */
async function pictureChecks({ report, screen, server }) {
  const area = (await server.api.get('/world')).areas.find((a) => a.id === 0);
  const [water] = area.waters;
  const inWater = GRID.flatMap((x) => GRID.map((z) => ({ x: water.x + x * water.width, z: water.z + z * water.depth })));
  const places = [...inWater, ...inWater.map(({ x, z }) => ({ x: x - 1.2 * water.width, z }))]; // then as many places on the ground
  const median = (list) => [0, 1, 2].map((c) => list.map((colour) => colour[c]).sort((a, b) => a - b)[list.length >> 1]);
  const halves = (list) => [list.slice(0, inWater.length), list.slice(inWater.length)];
  const apart = (p, q) => p.reduce((sum, v, i) => sum + Math.abs(v - q[i]), 0);
  for (const theme of ['dark', 'light']) {
    await report.check(`the map in ${theme} has the water and the ground of the tiles, and draws names`, async () => {
      await screen.page.emulateMedia({ colorScheme: theme });
      const { entity } = await server.api.player('Bob'); // a player gets a new entity id at each login
      await screen.goTo(`#/map?area=0&player=${entity}`); // the name of a selected player is always drawn
      await screen.press('0');
      await screen.restingPosition('Bob');
      const look = () => screen.page.evaluate(colours, { area, theme, places, patch: PATCH });
      // Actors, their names and the name of the water cover some places. So only most of those in the water and on the ground must agree.
      const agree = ({ canvas, tile }) => halves(canvas.map((c, i) => apart(c, tile[i]) <= TILE_SLACK)).every((half) => half.filter(Boolean).length >= MOST);
      const { canvas } = await screen.until(look, agree, 'colours of water and ground');
      const [wet, dry] = halves(canvas).map(median);
      must(apart(wet, dry) >= WATER_APART, `water is ${wet}, ground is ${dry}`);
      const name = () => screen.page.evaluate(namePixels, ['Bob', LABEL_DROP]);
      await screen.waitVisible('player-panel');
      await screen.until(name, (n) => n > 12, 'pixels of the name').catch(async (e) => {
        const state = await screen.page.evaluate(() => JSON.stringify([location.hash, window.__truestep.where(window.__truestep.named('Bob')), innerWidth, innerHeight]));
        throw new Error(`${e.message}; ${state}`);
      });
      await screen.screenshot(`map-${theme}`);
      await screen.press('l', 'Escape');
      await screen.until(name, (n) => n < 4, 'pixels of the name while names are off and no player is selected');
      await screen.press('l');
    });
  }
}

/** Checks the frame rate and the script time that the page itself measures, for up to ms. The best window counts, as the machine may
 *  be busy. */
export async function rateCheck({ report, screen }, what, { least = MIN_FPS, script = Infinity, ms = 60000 } = {}) {
  let best = { fps: 0, scriptMs: Infinity };
  await report.check(`${what} is drawn at ${least} frames/s or more`, () => screen.atFullRate(async () => {
    const start = performance.now();
    const fits = (one) => one.fps >= least && one.scriptMs <= script;
    const limit = () => start + (fits(best) ? FULL_MS : ms);
    for (; best.fps < FULL_FPS && performance.now() < limit(); await sleep(500)) {
      const now = await screen.page.evaluate(() => ({ fps: window.__truestep.fps, scriptMs: window.__truestep.scriptMs, drawn: window.__truestep.drawn }));
      if (fits(now) === fits(best) ? now.fps > best.fps : fits(now)) best = now;
    }
    must(best.fps >= least, `at best ${best.fps} frames/s within ${ms} ms, with ${best.scriptMs} ms of script in each`);
    must(best.scriptMs <= script, `${best.scriptMs} ms of script in each frame, limit ${script}`);
  }));
  report.note(`${what}: ${best.fps} frames/s, ${best.scriptMs} ms of script in each, ${best.drawn} actors drawn`);
}
