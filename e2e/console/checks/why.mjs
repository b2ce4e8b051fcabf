// Why was I pulled back? A correction that a client provokes is seen, found and explained, on the page and in the terminal.
import { select } from './panel.mjs';
import { equal, must } from '../../lib/assert.mjs';

const BOAST = 500; // units that Ann claims to be away
const BOAST_MS = 2500;

/** How much of a line to the right of an actor has the colour of holds or corrections; runs in the page. */
function arrow([id, pixels]) {
  const probe = document.body.appendChild(document.createElement('i'));
  const colours = ['--warn', '--danger'].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color.match(/\d+/g).map(Number);
  });
  probe.remove();
  const { left, top } = window.__truestep.where(id);
  const canvas = document.querySelector('[data-testid=map]');
  const density = canvas.width / canvas.clientWidth;
  let n = 0;
  for (let dx = 30; dx < 30 + pixels; dx++) {
    const { data } = canvas.getContext('2d').getImageData((left + dx) * density, (top - 4) * density, 1, 8 * density);
    for (let i = 0; i < data.length; i += 4) {
      if (colours.some((wanted) => wanted.every((w, c) => Math.abs(w - data[i + c]) < 45))) {
        n++;
        break;
      }
    }
  }
  return n / pixels;
}

/** How far right of an actor nobody else is near, in pixels: a click there is meant for the arrow; runs in the page. */
function clear(id) {
  const { ids, where } = window.__truestep;
  const me = where(id);
  const others = ids().filter((i) => i !== id).map(where);
  for (let dx = 50; dx < 320; dx += 10) if (others.every((o) => Math.hypot(o.left - me.left - dx, o.top - me.top) > 30)) return dx;
  return undefined;
}

const SPAN = 120; // pixels of the arrow that are looked at

export async function whyChecks({ report, screen, server, ann }) {
  const { page } = screen;
  let id;
  let entry;
  let around;
  await report.check('a client that claims to be far away is held, and an arrow shows it', async () => {
    await screen.view('map', 'map');
    await screen.press('0', 'Escape');
    await screen.live();
    ({ id } = await screen.still('Ann'));
    const before = await page.evaluate(arrow, [id, SPAN]);
    must(before < 0.05, `${before} of the colour there before anything happened`);
    await ann.boast(BOAST, BOAST_MS);
    await screen.until(() => page.evaluate(arrow, [id, SPAN]), (share) => share > 0.35, 'the share of the arrow that is drawn');
    await screen.shot('map-arrow');
  });
  await report.check('it is in the list beside the map', async () => {
    await screen.until(() => screen.text('recent').catch(() => ''), (t) => /Ann .*held: too fast/.test(t), 'the row');
  });
  await report.check('and counted there, as it happens, as often as in the journal', async () => {
    const rows = () => screen.get('recent').locator('a').evaluateAll((list) => list.map((a) => [Number(a.hash.split('/').pop()), Number((/× ([\d,]+)/.exec(a.innerText)?.[1] ?? '1').replaceAll(',', ''))]));
    const { entries } = await server.api.get(`/corrections?entity=${id}&verdict=held`);
    const kept = entries.map((e) => [e.id, e.times]);
    must(kept.some(([, times]) => times > 1), `none of ${JSON.stringify(kept)} was repeated`);
    await screen.until(rows, (list) => kept.every(([n, times]) => list.some((r) => r[0] === n && r[1] === times)), `the rows, of which the journal has ${JSON.stringify(kept)},`);
  });
  await report.check('a click on the arrow opens it', async () => {
    const at = await screen.still('Ann');
    const dx = must(await page.evaluate(clear, id), 'somebody stands on every part of the arrow');
    await screen.get('map').click({ position: { x: at.left + dx, y: at.top } });
    await screen.shown('detail');
    must(/#\/corrections\/\d+/.test(page.url()), `the address is ${page.url()}`);
  });
  await report.check('the panel counts it by its reason', async () => {
    await screen.view('map', 'map');
    await screen.live();
    await select(screen, 'Ann');
    await screen.until(() => screen.text('counts').catch(() => ''), (t) => /too fast held \d+/.test(t), 'the bar');
    const player = await server.api.get(`/players/${id}`);
    const { n } = player.counts.find((c) => c.reason === 'too_fast' && c.verdict === 'held');
    must((await screen.text('counts')).includes(`too fast held ${n}`), `${await screen.text('counts')} for ${n}`);
  });
  await report.check('it is found by player and by reason, and not by another', async () => {
    await screen.get('panel-why').click();
    await screen.until(() => screen.get('why-player').inputValue(), (v) => v === 'Ann', 'the name in the search');
    const rows = () => screen.get('correction').evaluateAll((list) => list.map((r) => r.dataset.reason));
    await screen.until(rows, (list) => list.length > 0 && list.includes('too_fast'), 'rows for Ann');
    await screen.get('why-reason').selectOption('too_fast');
    await screen.until(rows, (list) => list.length > 0 && list.every((r) => r === 'too_fast'), 'rows of that reason');
    await screen.get('why-player').fill('Nobody');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => t.includes('Nothing matches this search'), 'the empty list');
    await screen.get('why-player').fill('ann'); // letters' case aside
    await screen.until(rows, (list) => list.length > 0, 'rows for ann');
    await screen.get('why-reason').selectOption('mispredicted');
    await screen.until(rows, (list) => list.length === 0, 'rows of another reason');
    await screen.get('why-reason').selectOption('too_fast');
    await screen.get('why-span').selectOption({ index: 1 });
    await screen.until(rows, (list) => list.length > 0, 'rows of the last minutes');
  });
  await report.check('opened it says what was asked, what was allowed, and why', async () => {
    const told = page.waitForResponse((r) => /\/api\/v1\/corrections\/\d+$/.test(r.url()) && r.ok());
    await screen.get('correction').first().click();
    await screen.shown('detail');
    const shown = Number(await screen.get('detail').getAttribute('data-id'));
    ({ entry } = await server.api.get(`/corrections/${shown}`));
    const detail = await (await told).json(); // what it is made of: more may happen around it until somebody else asks
    equal(detail.entry.id, shown, 'what it asked for');
    around = detail.around;
    equal([entry.player, entry.door, entry.verdict, entry.reason], ['Ann', 'rcce', 'held', 'too_fast'], 'the entry');
    must(Math.abs(entry.asked - BOAST) < BOAST * 0.1 && entry.allowed > 0 && entry.allowed < entry.asked, `asked ${entry.asked}, allowed ${entry.allowed}`);
    const number = async (testid) => Number((await screen.text(testid)).replaceAll(',', '').split(' ')[0]);
    must(Math.abs((await number('detail-asked')) - entry.asked) <= 0.5, `${await screen.text('detail-asked')} for ${entry.asked}`);
    must(Math.abs((await number('detail-allowed')) - entry.allowed) <= 0.5, `${await screen.text('detail-allowed')} for ${entry.allowed}`);
    equal((await screen.text('detail-sentence')).toLowerCase().replace(/\.$/, ''), entry.sentence.toLowerCase(), 'the sentence');
    equal(await screen.text('detail-explanation'), detail.explanation.replace(/\s+/g, ' ').trim(), 'the explanation');
    must(detail.explanation.includes('Ann'), detail.explanation);
    const facts = (await page.locator('.detail .facts').innerText()).replace(/\s+/g, ' ');
    must(/Pulled back by (50|49)\d units to the west/.test(facts), `she claimed to be east; the facts: ${facts}`);
    must(/^\d+ ms$|not known/.test(await screen.text('detail-rtt')), `a round trip of ${await screen.text('detail-rtt')}`);
  });
  await report.check('it is drawn from the asked place to the held one', async () => {
    const [asked, held, line] = await screen.get('drawing').evaluate((svg) => ['.drawing-asked circle', '.drawing-held circle', '.drawing-pull line'].map((s) => {
      const e = svg.querySelector(s);
      return e && Object.fromEntries([...e.attributes].map((a) => [a.name, Number(a.value)]));
    }));
    must(asked && held && line, 'the drawing lacks a place or the line');
    must(asked.cx - held.cx > 100 && Math.abs(asked.cy - held.cy) < 2, `asked at ${asked.cx}, ${asked.cy}, held at ${held.cx}, ${held.cy}: she claimed to be east`);
    must(Math.abs(line.x1 - asked.cx) < 1 && line.x2 > held.cx, 'the line does not lead from one to the other');
    const said = await screen.get('drawing').evaluate((svg) => svg.textContent);
    must(/(50|49)\d units/.test(said), `the drawing says ${said}`);
  });
  await report.check('what happened around it is told in order of time', async () => {
    const rows = await screen.get('around').locator('li').evaluateAll((list) => list.map((l) => l.innerText.replace(/\s+/g, ' ').trim()));
    must(rows.some((r) => /\(this one\)/.test(r)), `it is not in its own story: ${rows.join(' | ')}`);
    equal(rows.length, around.length, 'rows');
    must(around.every((a, i) => i === 0 || Date.parse(a.at) >= Date.parse(around[i - 1].at)), 'the order');
    await screen.shot('correction');
  });
  await report.check('truestep why tells the same of it', async () => {
    const lines = (await server.cli('why', 'Ann', '--since', '10m', '--json')).trim().split('\n').map((l) => JSON.parse(l));
    const same = must(lines.find((l) => l.id === entry.id), `entry ${entry.id} is not among ${lines.length}`);
    const figures = (e) => [e.player, e.door, e.reason, e.verdict, Math.round(e.asked * 10), Math.round(e.allowed * 10), e.tick];
    equal(figures(same), figures(entry), 'its figures');
    const spoken = await server.cli('why', '--id', String(entry.id));
    must(/Ann/.test(spoken) && /too far|too fast|farther/.test(spoken), spoken.slice(0, 200));
  });
  await report.check('its place is shown on the map', async () => {
    await screen.get('detail-map').click();
    await screen.shown('map');
    must(page.url().includes(`mark=${entry.id}`), `the address is ${page.url()}`);
    await screen.live();
    await screen.until(() => page.evaluate(arrow, [id, SPAN]), (share) => share > 0.35, 'the share of the arrow that is drawn');
    await screen.press('0');
  });
}
