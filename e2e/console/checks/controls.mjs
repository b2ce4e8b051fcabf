// Controls of the map by mouse and keyboard: zoom, pan, follow, areas, layers, search.
import { select } from './panel.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const REST_MS = 100; // interval of two samples; if they hardly differ, the camera, which moves smoothly, rests
const REST_PIXELS = 0.2; // maximum movement of a player on the canvas, in pixels, between two samples of a resting camera

/** Pixels per unit and where the world's origin is drawn, from two standing players, once the camera rests. */
async function restingCamera(screen) {
  for (let before = []; ; await sleep(REST_MS)) {
    await screen.waitFrames(2);
    const [a, b] = await screen.page.evaluate(() => ['Ann', 'Bob'].map((name) => window.__truestep.where(window.__truestep.named(name))));
    if (!a || !b) continue; // the map does not draw them yet
    const places = [a.left, a.top, b.left, b.top];
    const rests = before.length > 0 && places.every((v, i) => difference(v, before[i]) < REST_PIXELS);
    before = places;
    if (!rests) continue;
    const scale = Math.hypot(a.left - b.left, a.top - b.top) / Math.hypot(a.x - b.x, a.z - b.z);
    return { scale, left: a.left - a.x * scale, top: a.top + a.z * scale };
  }
}

const difference = (a, b) => Math.abs(a - b);

export async function controlChecks({ report, screen, server, ann }) {
  const { page } = screen;
  await report.check('keys, buttons and the wheel zoom the map', async () => {
    await screen.press('Escape', '0');
    const whole = await restingCamera(screen);
    await screen.press('+');
    const near = await restingCamera(screen);
    must(difference(near.scale / whole.scale, 1.4) < 0.02, `the plus key zooms ${near.scale / whole.scale} times`);
    await screen.press('-', '-');
    must((await restingCamera(screen)).scale < whole.scale * 0.75, 'the minus key does not zoom out');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const again = await restingCamera(screen);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    must((await restingCamera(screen)).scale < again.scale * 0.7, 'the button does not zoom out');
    const box = await screen.get('map').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -400);
    must((await restingCamera(screen)).scale > again.scale * 0.7 * 1.1, 'the wheel does not zoom in');
    await page.getByRole('button', { name: 'Show the whole area' }).click();
    must(difference((await restingCamera(screen)).scale, whole.scale) < 0.01, 'the whole area has another scale than before');
  });
  await report.check('the mouse and the arrow keys move the map', async () => {
    await screen.press('+', '+');
    const before = await restingCamera(screen);
    const box = await screen.get('map').boundingBox();
    const [x, y] = [box.x + box.width * 0.6, box.y + 150];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 40, { steps: 6 });
    await page.mouse.move(x - 120, y + 80, { steps: 6 });
    await page.mouse.up();
    const dragged = await restingCamera(screen);
    must(difference(dragged.left - before.left, -120) < 3 && difference(dragged.top - before.top, 80) < 3, `the drag moved the map by ${dragged.left - before.left}, ${dragged.top - before.top}`);
    equal(await screen.mapField('selected'), null, 'selection after a drag');
    await screen.press('ArrowLeft');
    const stepped = await restingCamera(screen);
    must(difference(stepped.left - dragged.left, 90) < 3, `the arrow key moved the map by ${stepped.left - dragged.left}`);
    await screen.press('0');
    await restingCamera(screen);
  });
  await report.check('a followed player stays in the middle while it walks', async () => {
    await ann.toTheGreen(server.api);
    await screen.until(() => screen.drawnAt('Ann'), (at) => at && Math.hypot(at.x, at.z) < 5, 'Ann at the middle of the area');
    await select(screen, 'Ann');
    await screen.press('+', '+', '+');
    await screen.get('panel-follow').click();
    await screen.until(() => screen.mapField('following'), Boolean, 'following');
    const stop = ann.patrol();
    await sleep(1500);
    const box = await screen.get('map').boundingBox();
    const seen = [];
    const walked = () => seen.slice(1).reduce((sum, at, i) => sum + Math.hypot(at.x - seen[i].x, at.z - seen[i].z), 0);
    for (let i = 0; i < 5 || (walked() <= 5 && i < 50); i++, await sleep(300)) seen.push(await screen.until(() => screen.drawnAt('Ann'), Boolean, 'Ann on the map'));
    await stop();
    must(walked() > 5, `walked only ${walked().toFixed(1)} units`);
    const off = Math.max(...seen.map((at) => Math.hypot(at.left - box.width / 2, at.top - box.height / 2)));
    must(off < 60, `drawn ${Math.round(off)} pixels off the middle`);
    await screen.screenshot('map-follow');
    await screen.press('f');
    await screen.until(() => screen.mapField('following'), (f) => f === false, 'no longer following');
  });
  await report.check('the area of interest of the selected player is drawn around it', async () => {
    // Rings in the colour of the player's door, at the radii that the API gives.
    await screen.press('0');
    await restingCamera(screen);
    await screen.press('-', '-', '-');
    const { scale } = await restingCamera(screen);
    const door = (await server.api.get('/world')).doors.find((d) => d.name === 'rcce');
    must(door.bands.length >= 1 && door.bands[0].radii[0] > 0, 'the API has no bands of that door');
    const { id } = await screen.until(() => screen.drawnAt('Ann'), Boolean, 'Ann on the map');
    await screen.until(() => page.evaluate(ring, [id, door.bands[0].radii[0] * scale]), (share) => share > 0.25, 'drawn share of the ring');
    await screen.screenshot('map-sight');
  });
  await report.check('keys choose the area, the player, names and the grid', async () => {
    await screen.press('Escape');
    await screen.until(() => screen.mapField('selected'), (s) => s === null, 'selection');
    await screen.press('2');
    await screen.until(() => screen.page.locator('[data-testid=area-tab][aria-selected=true]').getAttribute('data-area'), (a) => a === '1', 'second area');
    await screen.until(async () => [await screen.mapField('actors'), (await server.api.area(1)).actors], ([a, b]) => a === b && a > 0, 'actors of the second area');
    await screen.until(() => screen.drawnAt('Ann'), (at) => at === null, 'Ann on the map of the other area');
    await screen.page.locator('[data-testid=area-tab][data-area="0"]').click();
    await screen.until(() => screen.drawnAt('Ann'), Boolean, 'Ann');
    await screen.press('n');
    await screen.until(() => screen.text('player-name'), (t) => ['Ann', 'Bob', 'Cid'].includes(t), 'next player');
    const first = await screen.text('player-name');
    await screen.press('n');
    await screen.until(() => screen.text('player-name'), (t) => t !== first, 'another player');
    const chip = (name) => page.locator('.chip', { hasText: name }).getAttribute('aria-pressed');
    equal([await chip('Names'), await chip('Grid')], ['true', 'true'], 'layers before');
    await screen.press('l', 'k');
    await screen.until(async () => [await chip('Names'), await chip('Grid')], (v) => v.every((x) => x === 'false'), 'layers off');
    await screen.press('l', 'k');
  });
  await report.check('the search finds a player by a part of its name', async () => {
    await screen.press('/');
    await screen.waitFocus('search-field');
    await page.keyboard.type('bo');
    await screen.until(() => screen.text('found').catch(() => ''), (t) => t.startsWith('Bob'), 'first result');
    await screen.press('Enter');
    await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === 'Bob', 'name in the panel');
    await screen.until(() => screen.mapField('following'), Boolean, 'following');
    await screen.press('Escape');
  });
}

/**
 * The share of a ring of pixels around an actor, as far as it is visible, that has the colour of its door; NaN if the actor is not drawn.
 * Runs in the page.
 */
function ring([id, radius]) {
  const actor = window.__truestep?.where(id);
  if (!actor) return NaN;
  const probe = document.createElement('i');
  probe.style.color = 'var(--door-rcce)';
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
  probe.remove();
  const canvas = document.querySelector('[data-testid=map]');
  const density = canvas.width / canvas.clientWidth;
  const g = canvas.getContext('2d');
  const { data } = g.getImageData(0, 0, canvas.width, canvas.height);
  const ground = (x, y) => [0, 1, 2].map((c) => data[(y * canvas.width + x) * 4 + c]);
  const { left, top } = actor;
  let [seen, inside] = [0, 0];
  for (let a = 0; a < 360; a++) {
    const at = (r) => [left + Math.cos((a * Math.PI) / 180) * r, top + Math.sin((a * Math.PI) / 180) * r].map((v) => Math.round(v * density));
    const [x, y] = at(radius);
    if (x < 3 || y < 3 || x >= canvas.width - 3 || y >= canvas.height - 3) continue;
    inside++;
    // A pixel at most 2 pixels from the ring must be closer to the wanted colour than the pixel 8 pixels inside. The colours are not equal,
    // because the line is thin and blended with the ground.
    const colourDistance = (p) => wanted.reduce((sum, w, c) => sum + Math.abs(w - p[c]), 0);
    const off = colourDistance(ground(...at(radius - 8)));
    seen += [-2, -1, 0, 1, 2].some((d) => colourDistance(ground(...at(radius + d))) < off - 60) ? 1 : 0;
  }
  return inside === 0 ? 0 : seen / inside;
}
