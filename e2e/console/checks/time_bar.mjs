// The time bar under the map: dragged, played, stepped, by keys and on a phone; "Watch it" and "Follow back".
import { select } from './panel.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const SHOWN_MS = 45000; // maximum length of time that the time bar shows after zoomTo
const PLAY_MS = 1500; // how long a check plays the recording
const SLACK = 0.2; // tolerance in units between the map of the past and the position that the API returned at that time
const PHONE = { width: 360, height: 720 };

const state = (screen) => screen.get('time-bar').getAttribute('data-state');
const shown = (screen) => screen.mapField('shownTime');
const playing = async (screen) => await screen.get('play').getAttribute('data-playing') === 'true';

/** Waits until the map shows a time near at, and rests there or is past it. */
const untilShown = (screen, accept, what) => screen.until(() => shown(screen), (at) => Number.isFinite(at) && accept(at), what);

/** Where a time is on the bar, in pixels of the page. */
async function placeOf(screen, at) {
  const { box, from, to } = await screen.get('strip').evaluate((strip) => { // in one call, because the bar moves on with the present
    const { x, y, width } = strip.getBoundingClientRect();
    return { box: { x, y, width }, from: Number(strip.dataset.from), to: Number(strip.dataset.to) };
  });
  return { x: box.x + box.width * (at - from) / (to - from), y: box.y + 16, step: (to - from) / box.width };
}

/** Zooms with the wheel, at the present, until the bar shows at most ms: places that are seconds apart are then many pixels apart. */
async function zoomTo(screen, ms) {
  const strip = screen.get('strip');
  const width = async () => Number(await strip.getAttribute('data-to')) - Number(await strip.getAttribute('data-from'));
  const box = await strip.boundingBox();
  await screen.page.mouse.move(box.x + box.width - 2, box.y + 16);
  await screen.until(async () => {
    await screen.page.mouse.wheel(0, -200);
    await screen.waitFrames();
    return width();
  }, (shown) => shown <= ms, 'ms that the time bar shows');
}

async function pause(screen) {
  if (await playing(screen)) await screen.press('Space');
  await screen.until(() => playing(screen), (on) => !on, 'playing');
}

/** The time that a paused map shows, once it no longer changes. */
function restingTime(screen) {
  let before;
  return screen.until(async () => {
    await sleep(500);
    const now = await shown(screen);
    const same = now === before;
    before = now;
    return same ? now : undefined;
  }, Boolean, 'time of a paused map');
}

async function goLive(screen) {
  await screen.press('End');
  await screen.until(() => state(screen), (s) => s === 'live', 'state of the time bar');
  await screen.waitLive();
}

export async function timeBarChecks({ report, browser, screen, server, ann }) {
  const { page } = screen;
  const stood = await report.check('the time bar shows what is recorded', async () => {
    await ann.toTheGreen(server.api);
    const { entity } = await server.api.player('Ann');
    await screen.openView('map', 'map');
    await screen.press('Escape', '0');
    await screen.waitLive();
    await sleep(1500);
    const { pos } = await server.api.get(`/players/${entity}`);
    const at = Date.now() - 500;
    await screen.waitVisible('strip-span');
    await screen.until(() => state(screen), (s) => s === 'live', 'state of the time bar');
    await zoomTo(screen, SHOWN_MS);
    must(await ann.walk({ x: pos.x + 8, z: pos.z + 8 }, { within: 2 }), `Ann is at ${JSON.stringify(ann.position)} and cannot walk`);
    await sleep(1500);
    return { at, pos };
  });
  if (!stood) return;
  await report.check('a drag on the time bar shows players where they were', async () => {
    const to = await placeOf(screen, stood.at);
    await page.mouse.move(to.x - 60, to.y);
    await page.mouse.down();
    try {
      await screen.until(() => state(screen), (s) => s === 'past', 'state of the time bar');
      let place;
      await screen.until(async () => { // repeated, because the bar moves on with the present, and so does the place of the time on it
        place = await placeOf(screen, stood.at);
        await page.mouse.move(place.x, place.y, { steps: 5 });
        await sleep(100);
        return shown(screen);
      }, (at) => Math.abs(at - stood.at) <= 2 * place.step + 100, `time, want ${stood.at},`);
      const off = async () => { // undefined at first: a name may arrive later than the frame
        const drawn = await screen.drawnAt('Ann');
        return drawn ? Math.hypot(drawn.x - stood.pos.x, drawn.z - stood.pos.z) : undefined;
      };
      await screen.until(off, (units) => units <= SLACK || (units !== undefined && place.step > 400), 'units from where Ann stood to where it is drawn');
    } finally {
      await page.mouse.up();
    }
    await screen.waitVisible('past-badge');
    await screen.until(() => screen.get('past-area-panel').count(), (n) => n === 1, 'panels of the past');
  });
  await report.check('the past plays at the chosen speed, and keys pause and step it', async () => {
    await pause(screen);
    await screen.get('speed').selectOption('4');
    await screen.press('Home');
    const start = Date.parse((await server.api.get('/tape?area=0')).from);
    await untilShown(screen, (at) => at < start + 2000, 'time at the start');
    const before = await shown(screen);
    const began = performance.now(); // before the press: on a busy machine the page plays before this process knows of the press
    await screen.press('Space');
    await screen.until(() => playing(screen), Boolean, 'playing');
    await sleep(PLAY_MS);
    const speed = async () => (await shown(screen) - before) / (performance.now() - began);
    const played = await screen.until(speed, (times) => times > 1, 'speed since the start'); // a busy page draws the first frames late
    must(played < 6, `played at ${played.toFixed(1)} times`);
    await pause(screen);
    const paused = await restingTime(screen); // between two ticks
    await screen.press(']');
    const tick = await untilShown(screen, (at) => at > paused && at < paused + 200, `one tick after ${paused},`);
    await screen.press(']');
    await untilShown(screen, (at) => at > tick + 25 && at < tick + 200, `one tick after ${tick},`);
    await screen.press('[');
    await untilShown(screen, (at) => Math.abs(at - tick) < 25, `time ${tick} again,`);
    await screen.screenshot('map-past');
  });
  await report.check('actions are disabled while the map shows the past, and Live returns to the present', async () => {
    await screen.open(`#/map?area=0&at=${stood.at}`);
    await untilShown(screen, (at) => Math.abs(at - stood.at) < 300, `time ${stood.at},`);
    await select(screen, 'Ann');
    await screen.waitVisible('past-player-panel');
    equal(await screen.get('past-player-panel').locator('button[aria-disabled="true"], button[disabled]').count() > 0, true, 'actions are disabled');
    await screen.get('live').click();
    await screen.until(() => state(screen), (s) => s === 'live', 'state of the time bar');
    await screen.waitLive();
    await screen.until(async () => page.url(), (url) => !url.includes('at='), 'address');
  });
  await report.check('a selected player is followed back into the past', async () => {
    await goLive(screen);
    await select(screen, 'Ann');
    await screen.get('follow-back').click();
    await screen.until(() => state(screen), (s) => s === 'past', 'state of the time bar');
    await untilShown(screen, (at) => at < Date.now() - 2000, 'time of the past');
    await screen.until(() => screen.mapField('following'), Boolean, 'following');
    await goLive(screen);
  });
  await report.check('"Watch it" plays a hold with the asked and the allowed distance, and pauses five seconds after the hold', async () => {
    await screen.press('Escape');
    const held = (await server.api.get('/corrections?verdict=held')).entries.find((e) => e.player === 'Ann');
    must(held, 'the journal has no hold of Ann');
    await screen.open(`#/corrections/${held.id}`);
    await (await screen.waitVisible('detail')).getByTestId('watch-it').click();
    await screen.waitVisible('watching');
    equal(await screen.get('watching').getAttribute('data-id'), String(held.id), 'watched correction');
    must(/asked .*allowed /.test(await screen.text('watching')), `the page says ${await screen.text('watching')}`);
    await screen.until(() => screen.text('watch-time'), (t) => /^\+[0-9]/.test(t), 'time since the hold');
    await screen.screenshot('map-watch');
    await screen.until(() => playing(screen), (on) => !on, 'playing'); // it is played for ten seconds and then pauses
    const after = await shown(screen) - Date.parse(held.at);
    must(after > 4500 && after < 7000, `paused ${after} ms after the hold`);
    await goLive(screen);
  });
  await report.check('the time bar fits on a phone', async () => {
    const phone = await browser.screen({ label: 'phone with time bar', base: server.consoleBase, phone: true, ...PHONE });
    await phone.logIn(server.consoleToken);
    await phone.waitLive();
    await phone.get('play').click();
    await phone.until(() => state(phone), (s) => s === 'past', 'state of the time bar');
    equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, 'width of the page');
    for (const id of ['strip', 'play', 'step', 'speed', 'live']) {
      const box = must(await phone.get(id).boundingBox(), `${id} is not shown`);
      must(box.x >= 0 && box.x + box.width <= PHONE.width, `${id} reaches from ${box.x} to ${box.x + box.width}`);
    }
    await phone.screenshot('phone-past');
    await phone.get('live').click();
    await phone.until(() => state(phone), (s) => s === 'live', 'state of the time bar');
    await phone.context.close();
  });
}
