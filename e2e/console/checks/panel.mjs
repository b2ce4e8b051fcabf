// The panel of one player shows what the API answers, and follows changes.
import { equal, must } from '../../lib/assert.mjs';

const HUNT_MS = 60000; // limit for the wait until a rat has hurt the player; long, because rats miss and some die before they hit back
const scales = { B: 1, KB: 1e3, MB: 1e6 };

/** The number in "1.4 KB/s", "41 ms", "12,345 actors"; NaN if there is none. */
function amount(text) {
  const m = /(-?[\d,.]+)\s*([A-Za-z]*)/.exec(text);
  return m ? Number(m[1].replaceAll(',', '')) * (scales[m[2]] ?? 1) : NaN;
}

const isNear = (text, want) => Math.abs(amount(text) - want) <= Math.max(0.6, Math.abs(want) * 0.06);

/** The next answer of the API about a player, and what the panel shows after it. */
async function apiAndPanel(screen, entity) {
  const answer = await screen.page.waitForResponse((r) => r.url().endsWith(`/players/${entity}`) && r.ok());
  const api = await answer.json();
  await screen.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { api, panel: await screen.page.evaluate(() => {
    const text = (id) => document.querySelector(`[data-testid=${id}]`)?.innerText.replace(/\s+/g, ' ').trim() ?? '';
    const ids = ['player-name', 'rtt', 'bytes-in', 'bytes-out', 'packets-in', 'packets-out', 'in-view', 'loss', 'address', 'place', 'pulled'];
    return { ...Object.fromEntries(ids.map((id) => [id, text(id)])), about: document.querySelector('.panel-sub').innerText, health: document.querySelector('.meter-text').innerText };
  }) };
}

const rates = { 'bytes-in': 'bytesInPerS', 'bytes-out': 'bytesOutPerS', 'packets-in': 'packetsInPerS', 'packets-out': 'packetsOutPerS' };

/** Rows of the panel that differ from the answer of the API. */
function differences({ api, panel }) {
  const place = `${api.pos.x.toFixed(1)}, ${api.pos.z.toFixed(1)}`;
  const agrees = {
    about: panel.about.includes('RealmCrafter CE'), 'player-name': panel['player-name'] === api.name, address: panel.address === api.addr,
    health: panel.health === `${api.health} / ${api.healthMax}`, rtt: panel.rtt === `${api.rttMs} ms`, 'in-view': panel['in-view'] === `${api.inView} actors`,
    place: panel.place.startsWith(place), pulled: amount(panel.pulled) === api.held + api.corrected,
    ...Object.fromEntries(Object.entries(rates).map(([row, key]) => [row, isNear(panel[row], api[key])])),
  };
  return Object.keys(agrees).filter((row) => !agrees[row]).map((row) => `${row}: "${panel[row]}", API ${JSON.stringify({ ...api, inventory: undefined })}`);
}

/** Names of the sparklines, and the fields of lastMinute that they show. */
const lines = { 'Bytes in': 'bytesIn', 'Bytes out': 'bytesOut', 'Packets in': 'packetsIn', 'Packets out': 'packetsOut' };

/** The heights of the points of each sparkline: {name: [pixels from the top]}. */
function sparklines(screen) {
  return screen.page.locator('.spark').evaluateAll((all) => Object.fromEntries(all.map((s) => [
    s.getAttribute('aria-label').replace(' over the last minute', ''), s.querySelector('polyline').getAttribute('points').split(' ').map((p) => Number(p.split(',')[1])),
  ])));
}

/** Whether heights are those of values: as many, and the highest point is the largest value. */
function isDrawn(heights, values) {
  return heights?.length === values.length && heights[values.indexOf(Math.max(...values))] === Math.min(...heights);
}

/** Selects a standing player with a click on the map; returns its entity id. */
export async function select(screen, name) {
  const at = await screen.restingPosition(name);
  await screen.get('map').click({ position: { x: at.left, y: at.top } });
  await screen.until(() => screen.text('player-name'), (t) => t === name, 'name in the panel');
  return at.id;
}

export async function panelChecks({ report, screen, ann, server }) {
  let id;
  await report.check('a click on a player opens its panel', async () => {
    id = await select(screen, 'Ann');
    equal(await screen.mapField('selected'), id, 'selected on the map');
    equal(id, (await server.api.player('Ann')).entity, 'entity');
  });
  await report.check('the panel shows what the API answers', async () => {
    // A busy page may still show the previous answer, or already the next one.
    await screen.until(async () => differences(await apiAndPanel(screen, id)), (list) => list.length === 0, 'rows that differ from the API');
    const figures = async () => { // repeated: a busy server may send nothing within the second of an answer
      const { rttMs, inView, bytesOutPerS, packetsOutPerS } = (await apiAndPanel(screen, id)).api;
      return { rttMs, inView, bytesOutPerS, packetsOutPerS };
    };
    await screen.until(figures, (f) => f.bytesOutPerS > 0 && f.packetsOutPerS > 0 && f.rttMs >= 0 && f.inView > 5, 'figures of the player');
  });
  await report.check('the panel lists the inventory of the API', async () => {
    const { inventory } = await server.api.get(`/players/${id}`);
    must(inventory.length > 0, 'the inventory is empty');
    const items = () => screen.get('inventory').locator('li').allInnerTexts();
    const want = inventory.map((i) => (i.amount > 1 ? `${i.item} \u00d7 ${i.amount}` : i.item));
    await screen.until(async () => (await items()).map((t) => t.replace(/\s+/g, ' ').trim()), (list) => list.join() === want.join(), `items ${want}`);
  });
  await report.check('the panel follows changes of position, traffic and health', async () => {
    const before = await apiAndPanel(screen, id);
    const seen = [];
    const { healthMax } = before.api;
    const unchanged = () => ['health', 'place', 'bytes-in'].filter((key) => !seen.some((s) => s.panel[key] !== before.panel[key]));
    const hunting = ann.hunt(() => unchanged().length === 0 && seen.some((s) => s.api.health < healthMax), HUNT_MS);
    const look = async () => {
      seen.push(await apiAndPanel(screen, id));
      return unchanged();
    };
    await screen.until(look, (rows) => rows.length === 0, 'rows of the panel that have not changed', HUNT_MS);
    await hunting;
    await screen.until(() => screen.text('hits'), (t) => /by Rat/.test(t), 'hits of the rat');
  });
  await report.check('the sparklines of a panel that was just opened have the last minute', async () => {
    await screen.press('Escape');
    await screen.until(() => screen.get('player-panel').count(), (n) => n === 0, 'open panels');
    await screen.goTo(`#/map?area=0&player=${id}`);
    const first = await screen.until(() => sparklines(screen), (all) => Object.keys(lines).every((name) => all[name]), 'sparklines');
    for (const name of Object.keys(lines)) must(first[name].length > 5, `${name} has ${first[name].length} points`); // the panel adds one a second
    await screen.until(async () => {
      const answer = await screen.page.waitForResponse((r) => r.url().endsWith(`/players/${id}`) && r.ok());
      const { lastMinute } = await answer.json();
      await screen.waitFrames(2);
      const drawn = await sparklines(screen);
      return Object.entries(lines).filter(([name, key]) => !isDrawn(drawn[name], lastMinute[key])).map(([name]) => name);
    }, (wrong) => wrong.length === 0, 'sparklines that differ from the API');
  });
}
