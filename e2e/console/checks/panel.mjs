// The panel of one player agrees with the API, and changes when he does.
import { equal, must } from '../../lib/assert.mjs';

const HUNT_MS = 60000; // rats miss, and some die before they have struck
const scales = { B: 1, KB: 1e3, MB: 1e6 };

/** The number in "1.4 KB/s", "41 ms", "12,345 actors"; NaN if there is none. */
function amount(text) {
  const m = /(-?[\d,.]+)\s*([A-Za-z]*)/.exec(text);
  return m ? Number(m[1].replaceAll(',', '')) * (scales[m[2]] ?? 1) : NaN;
}

const near = (text, want) => Math.abs(amount(text) - want) <= Math.max(0.6, Math.abs(want) * 0.06);

/** What the panel shows, and the answer that it shows. */
async function both(screen, entity) {
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

/** What the panel of a player says that is not in the answer. */
function differences({ api, panel }) {
  const place = `${api.pos.x.toFixed(1)}, ${api.pos.z.toFixed(1)}`;
  const agrees = {
    about: panel.about.includes('RealmCrafter CE'), 'player-name': panel['player-name'] === api.name, address: panel.address === api.addr,
    health: panel.health === `${api.health} / ${api.healthMax}`, rtt: panel.rtt === `${api.rttMs} ms`, 'in-view': panel['in-view'] === `${api.inView} actors`,
    place: panel.place.startsWith(place), pulled: amount(panel.pulled) === api.held + api.corrected,
    ...Object.fromEntries(Object.entries(rates).map(([row, key]) => [row, near(panel[row], api[key])])),
  };
  return Object.keys(agrees).filter((row) => !agrees[row]).map((row) => `${row}: "${panel[row]}", of ${JSON.stringify({ ...api, inventory: undefined })}`);
}

/** Clicks on somebody who stands. */
export async function select(screen, name) {
  const at = await screen.still(name);
  await screen.get('map').click({ position: { x: at.left, y: at.top } });
  await screen.until(() => screen.text('player-name'), (t) => t === name, 'the name in the panel');
  return at.id;
}

export async function panelChecks({ report, screen, ann, server }) {
  let id;
  await report.check('a click on a player opens his panel', async () => {
    id = await select(screen, 'Ann');
    equal(await screen.truth('selected'), id, 'selected on the map');
    equal(id, (await server.api.player('Ann')).entity, 'the entity');
  });
  await report.check('the panel says what the API says', async () => {
    // A busy page may still show the answer before, or the one after.
    await screen.until(async () => differences(await both(screen, id)), (list) => list.length === 0, 'what the panel says otherwise');
    const { api } = await both(screen, id);
    must(api.bytesOutPerS > 0 && api.packetsOutPerS > 0, 'nothing was sent to her');
    must(api.rttMs >= 0 && api.inView > 5, `a round trip of ${api.rttMs} ms, ${api.inView} in view`);
  });
  await report.check('and shows what she carries', async () => {
    const { inventory } = await server.api.get(`/players/${id}`);
    must(inventory.length > 0, 'she carries nothing');
    const items = () => screen.get('inventory').locator('li').allInnerTexts();
    const want = inventory.map((i) => (i.amount > 1 ? `${i.item} \u00d7 ${i.amount}` : i.item));
    await screen.until(async () => (await items()).map((t) => t.replace(/\s+/g, ' ').trim()), (list) => list.join() === want.join(), `the items ${want}`);
  });
  await report.check('her figures change when she walks and is struck', async () => {
    const before = await both(screen, id);
    const seen = [];
    const full = before.api.healthMax;
    const hunting = ann.hunt(() => seen.some((s) => s.api.health < full), HUNT_MS);
    await screen.until(async () => seen[seen.push(await both(screen, id)) - 1].panel.health, (h) => h !== before.panel.health, 'her health', HUNT_MS);
    await hunting;
    const differs = (key) => seen.some((s) => s.panel[key] !== before.panel[key]);
    must(differs('place') && differs('bytes-in'), `place ${differs('place')}, bytes in ${differs('bytes-in')} changed`);
    await screen.until(() => screen.text('hits'), (t) => /by Rat/.test(t), 'the blows of the rat');
    must(await screen.page.locator('.spark polyline').count() >= 4, 'no small lines of what was');
  });
}
