// The map by mouse and by keyboard: zoom, pan, follow, areas, layers, search.
import { select } from './panel.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const STILL_MS = 150; // the camera glides; by then it has moved if it still does, and if anything was drawn

/** Pixels per unit and where the world's origin is drawn, from two players who stand apart, once the camera is still. */
async function camera(screen) {
  for (let before = ''; ; await sleep(STILL_MS)) {
    await screen.drawn();
    const [a, b] = [await screen.where('Ann'), await screen.where('Bob')];
    const scale = (a.left - b.left) / (a.x - b.x);
    const now = { scale, left: a.left - a.x * scale, top: a.top + a.z * scale };
    const text = JSON.stringify(Object.values(now).map((v) => Math.round(v * 100)));
    if (text === before) return now;
    before = text;
  }
}

const apart = (a, b) => Math.abs(a - b);

export async function controlChecks({ report, screen, server, ann }) {
  const { page } = screen;
  await report.check('it is zoomed by keys, buttons and the wheel', async () => {
    await screen.press('Escape', '0');
    const whole = await camera(screen);
    await screen.press('+');
    const near = await camera(screen);
    must(apart(near.scale / whole.scale, 1.4) < 0.02, `plus: ${near.scale / whole.scale} times`);
    await screen.press('-', '-');
    must((await camera(screen)).scale < whole.scale * 0.75, 'minus does not show more');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const again = await camera(screen);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    must((await camera(screen)).scale < again.scale * 0.7, 'the button does not show more');
    const box = await screen.get('map').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -400);
    must((await camera(screen)).scale > again.scale * 0.7 * 1.1, 'the wheel does not show less');
    await page.getByRole('button', { name: 'Show the whole area' }).click();
    must(apart((await camera(screen)).scale, whole.scale) < 0.01, 'the whole area is another one now');
  });
  await report.check('it is moved by the mouse and by the arrow keys', async () => {
    await screen.press('+', '+');
    const before = await camera(screen);
    const box = await screen.get('map').boundingBox();
    const [x, y] = [box.x + box.width * 0.6, box.y + 150];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 40, { steps: 6 });
    await page.mouse.move(x - 120, y + 80, { steps: 6 });
    await page.mouse.up();
    const dragged = await camera(screen);
    must(apart(dragged.left - before.left, -120) < 3 && apart(dragged.top - before.top, 80) < 3, `it moved by ${dragged.left - before.left}, ${dragged.top - before.top}`);
    equal(await screen.truth('selected'), null, 'a drag selects nobody');
    await screen.press('ArrowLeft');
    const stepped = await camera(screen);
    must(apart(stepped.left - dragged.left, 90) < 3, `the arrow moved it by ${stepped.left - dragged.left}`);
    await screen.press('0');
    await camera(screen);
  });
  await report.check('a followed player stays in the middle while he walks', async () => {
    await select(screen, 'Ann');
    await screen.press('+', '+', '+');
    await screen.get('panel-follow').click();
    await screen.until(() => screen.truth('following'), Boolean, 'following');
    const stop = ann.pace();
    await sleep(1500);
    const box = await screen.get('map').boundingBox();
    const seen = [];
    const far = () => seen.slice(1).reduce((sum, at, i) => sum + Math.hypot(at.x - seen[i].x, at.z - seen[i].z), 0);
    for (let i = 0; i < 5 || (far() <= 5 && i < 50); i++, await sleep(300)) seen.push(await screen.where('Ann'));
    await stop();
    must(far() > 5, `she walked ${far().toFixed(1)} units only`);
    const off = Math.max(...seen.map((at) => Math.hypot(at.left - box.width / 2, at.top - box.height / 2)));
    must(off < 60, `she is drawn ${Math.round(off)} pixels off the middle`);
    await screen.shot('map-follow');
    await screen.press('f');
    await screen.until(() => screen.truth('following'), (f) => f === false, 'no longer following');
  });
  await report.check('the sight of the selected viewer is drawn around her', async () => {
    // Bands are drawn in the colour of her door, far from her own mark: on the rings of the API's radii.
    await screen.press('0');
    await camera(screen);
    await screen.press('-', '-', '-');
    const { scale } = await camera(screen);
    const door = (await server.api.get('/world')).doors.find((d) => d.name === 'rcce');
    must(door.bands.length >= 1 && door.bands[0].radii[0] > 0, 'the API has no bands of that door');
    const share = await page.evaluate(ring, [(await screen.where('Ann')).id, door.bands[0].radii[0] * scale]);
    await screen.shot('map-sight');
    must(share > 0.25, `${Math.round(share * 100)} % of the ring is there`);
  });
  await report.check('keys choose areas, players, names and the grid', async () => {
    await screen.press('Escape');
    await screen.until(() => screen.truth('selected'), (s) => s === null, 'nobody selected');
    await screen.press('2');
    await screen.until(() => screen.page.locator('[data-testid=area-tab][aria-selected=true]').getAttribute('data-area'), (a) => a === '1', 'the second area');
    await screen.until(async () => [await screen.truth('actors'), (await server.api.area(1)).actors], ([a, b]) => a === b && a > 0, 'its actors');
    equal(await screen.where('Ann'), null, 'who is in the other area');
    await screen.page.locator('[data-testid=area-tab][data-area="0"]').click();
    await screen.until(() => screen.where('Ann'), Boolean, 'Ann');
    await screen.press('n');
    await screen.until(() => screen.text('player-name'), (t) => ['Ann', 'Bob', 'Cid'].includes(t), 'the next player');
    const first = await screen.text('player-name');
    await screen.press('n');
    await screen.until(() => screen.text('player-name'), (t) => t !== first, 'another player');
    const chip = (name) => page.locator('.chip', { hasText: name }).getAttribute('aria-pressed');
    equal([await chip('Names'), await chip('Grid')], ['true', 'true'], 'layers at first');
    await screen.press('l', 'k');
    await screen.until(async () => [await chip('Names'), await chip('Grid')], (v) => v.every((x) => x === 'false'), 'layers off');
    await screen.press('l', 'k');
  });
  await report.check('the search finds a player by a part of his name', async () => {
    await screen.press('/');
    await screen.focused('search-field');
    await page.keyboard.type('bo');
    await screen.until(() => screen.text('found').catch(() => ''), (t) => t.startsWith('Bob'), 'the first that was found');
    await screen.press('Enter');
    await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === 'Bob', 'his panel');
    await screen.until(() => screen.truth('following'), Boolean, 'following');
    await screen.press('Escape');
  });
}

/** The share of a ring of pixels around an actor, as far as it is in the picture, that has the colour of its door. */
function ring([id, radius]) {
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
  const { left, top } = window.__truestep.where(id);
  let [seen, inside] = [0, 0];
  for (let a = 0; a < 360; a++) {
    const at = (r) => [left + Math.cos((a * Math.PI) / 180) * r, top + Math.sin((a * Math.PI) / 180) * r].map((v) => Math.round(v * density));
    const [x, y] = at(radius);
    if (x < 3 || y < 3 || x >= canvas.width - 3 || y >= canvas.height - 3) continue;
    inside++;
    // Some part of the colour within two pixels: the line is thin and blended with what lies below.
    const far = (p) => wanted.reduce((sum, w, c) => sum + Math.abs(w - p[c]), 0);
    const off = far(ground(...at(radius - 8)));
    seen += [-2, -1, 0, 1, 2].some((d) => far(ground(...at(radius + d))) < off - 60) ? 1 : 0;
  }
  return inside === 0 ? 0 : seen / inside;
}
