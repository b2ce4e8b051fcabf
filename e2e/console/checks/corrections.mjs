// Corrections: one that a client provokes is drawn, listed, found and explained, on the page and by `truestep why`.
import { select } from './panel.mjs';
import { equal, must } from '../../lib/assert.mjs';

const CLAIM_UNITS = 500; // distance of the claimed position, east of the true one
const CLAIM_MS = 2500;
const DRAW_MS = 10000; // time limit for the map to draw the arrow of a claim; after it the claim is repeated
const OPEN_MS = 10000; // time limit for a click to open a page; after it the click is repeated

/**
 * The share of a line to the right of an actor that has the colour of the reason too_fast; NaN if the actor is not drawn. Runs in the page.
 */
function arrowShare([id, pixels]) {
  const actor = window.__truestep?.where(id);
  if (!actor) return NaN;
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--reason-suspicious-1)';
  const colours = [getComputedStyle(probe).color.match(/\d+/g).map(Number)];
  probe.remove();
  const { left, top } = actor;
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

/**
 * A distance in pixels to the right of an actor at which no other actor is near, so that a click there hits the arrow; runs in
 * the page.
 */
function clearOffset(id) {
  const { ids, where } = window.__truestep;
  const me = where(id);
  if (!me) return undefined;
  const others = ids().filter((i) => i !== id).map(where).filter(Boolean);
  for (let dx = 50; dx < 320; dx += 10) if (others.every((o) => Math.hypot(o.left - me.left - dx, o.top - me.top) > 30)) return dx;
  return undefined;
}

const ARROW_PIXELS = 120; // length of the part of the arrow whose pixels are examined

export async function correctionChecks({ report, screen, server, ann }) {
  const { page } = screen;
  let id;
  let entry;
  let around;
  await report.check('a claim far away is held, and the map draws an arrow to the claimed place', async () => {
    await screen.openView('map', 'map');
    await ann.toTheGreen(server.api);
    await screen.press('0', 'Escape');
    await screen.waitLive();
    ({ id } = await screen.restingPosition('Ann'));
    const share = () => page.evaluate(arrowShare, [id, ARROW_PIXELS]);
    const isDrawn = (part) => part > 0.35;
    await screen.until(share, (part) => part < 0.05, 'share of the line that has that colour before the claim');
    const claim = async () => { // repeated: an arrow fades, and on a busy machine a page can be slower than that
      await ann.claimFarAway(CLAIM_UNITS, CLAIM_MS);
      return screen.until(share, isDrawn, 'drawn share of the arrow', DRAW_MS).catch(share);
    };
    await screen.until(claim, isDrawn, 'drawn share of the arrow');
    await screen.screenshot('map-arrow');
  });
  await report.check('the hold is in the list beside the map', async () => {
    await screen.until(() => screen.text('recent').catch(() => ''), (t) => /Ann .*held: too fast/.test(t), 'row');
  });
  await report.check('the list counts repeated holds as the journal does', async () => {
    const rows = () => screen.get('recent').locator('a').evaluateAll((list) => list.map((a) => [Number(a.hash.split('/').pop()), Number((/× ([\d,]+)/.exec(a.innerText)?.[1] ?? '1').replaceAll(',', ''))]));
    const journal = async () => (await server.api.get(`/corrections/groups?entity=${id}&verdict=held&reason=too_fast`)).groups.map((g) => [g.last.id, g.times]);
    // Both are read again and again, because the journal is written with a delay.
    await screen.until(async () => ({ groups: await journal(), rows: await rows() }), ({ groups, rows: list }) =>
      groups.length === 1 && groups[0][1] > 1 && list.some((r) => r.join() === groups[0].join()), 'id and holds of the groups of the journal, and of the rows of the list');
  });
  await report.check('a click on the arrow opens the correction', async () => {
    const clickArrow = async () => {
      if (/#\/corrections\/\d+/.test(page.url())) return (await screen.waitVisible('detail')) && 'opened';
      const at = await screen.restingPosition('Ann');
      const dx = await page.evaluate(clearOffset, id);
      if (dx === undefined) return 'Ann is not drawn, or actors cover every part of the arrow';
      await screen.get('map').click({ position: { x: at.left + dx, y: at.top } });
      const opened = await screen.waitVisible('detail', OPEN_MS).then(() => true, () => false);
      if (opened) return 'opened';
      // An actor has come between, or the arrow, which fades out within 20 s, is gone.
      await screen.press('Escape');
      await ann.claimFarAway(CLAIM_UNITS, CLAIM_MS / 2);
      return 'the click has opened nothing';
    };
    await screen.until(clickArrow, (result) => result === 'opened', 'result of a click');
    must(/#\/corrections\/\d+/.test(page.url()), `the address is ${page.url()}`);
  });
  await report.check('the panel counts holds by their reason', async () => {
    await screen.openView('map', 'map');
    await screen.waitLive();
    await select(screen, 'Ann');
    await screen.until(() => screen.text('counts').catch(() => ''), (t) => /too fast held \d+/.test(t), 'bar of the reason');
    const counted = async () => (await server.api.get(`/players/${id}`)).counts.find((c) => c.reason === 'too_fast' && c.verdict === 'held').n;
    await screen.until(async () => [await screen.text('counts'), await counted()], ([text, n]) => text.includes(`too fast held ${n}`), 'counts of the panel, and holds of the API');
  });
  await report.check('the search filters corrections by player, reason and time', async () => {
    await screen.get('panel-why').click();
    await screen.until(() => screen.get('why-player').inputValue(), (v) => v === 'Ann', 'name in the search');
    const rows = () => screen.get('correction').evaluateAll((list) => list.map((r) => r.dataset.reason));
    await screen.until(rows, (list) => list.length > 0 && list.includes('too_fast'), 'rows for Ann');
    await screen.get('why-reason').selectOption('too_fast');
    await screen.until(rows, (list) => list.length > 0 && list.every((r) => r === 'too_fast'), 'rows of that reason');
    await screen.get('why-player').fill('Nobody');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => t.includes('Nothing matches this search'), 'empty list');
    await screen.get('why-player').fill('ann'); // the search ignores case
    await screen.until(rows, (list) => list.length > 0, 'rows for ann');
    await screen.get('why-reason').selectOption('mispredicted');
    await screen.until(rows, (list) => list.length === 0, 'rows of another reason');
    await screen.get('why-reason').selectOption('too_fast');
    await screen.get('why-span').selectOption({ index: 1 });
    await screen.until(rows, (list) => list.length > 0, 'rows of the last minutes');
  });
  await report.check('the list has one row for each player and reason, which expands to all entries in the order of their times', async () => {
    await screen.get('why-span').selectOption({ index: 0 });
    await ann.claimFarAway(CLAIM_UNITS, CLAIM_MS);
    const { groups } = await screen.until(() => server.api.get('/corrections/groups?player=Ann&reason=too_fast'), (b) => b.groups[0]?.entries > 1, 'entries of the group');
    equal(groups.length, 1, 'groups of the API');
    const group = screen.get('correction-group').filter({ hasText: 'Ann' });
    await screen.until(() => group.count(), (n) => n === 1, 'rows of the player and reason');
    await (await screen.waitVisible('expand')).click();
    const members = () => screen.get('member').evaluateAll((list) => list.map((a) => Number(a.dataset.id)));
    const entries = async () => (await server.api.get('/corrections?player=Ann&reason=too_fast')).entries.map((e) => e.id);
    await screen.until(async () => [await members(), await entries()], ([shown, all]) => shown.join() === all.join() && all.length > 1, 'members, and entries of the API');
    const times = await screen.get('member').locator('time').allInnerTexts();
    equal(times, [...times].sort().reverse(), 'times in the list');
    await screen.get('expand').click();
  });
  await report.check('harmless reasons are shown on demand, and a reason has one colour in lists, charts and on the map', async () => {
    const rows = () => screen.get('correction').evaluateAll((list) => list.map((r) => r.dataset.reason));
    await screen.goTo('#/corrections');
    const { reasons } = await server.api.get('/world');
    const weight = new Map(reasons.map((r) => [r.name, r.weight]));
    await screen.until(rows, (list) => list.length > 0 && list.every((r) => ['unusual', 'suspicious'].includes(weight.get(r))), 'rows by default');
    await screen.get('why-weight').selectOption('harmless');
    await screen.until(rows, (list) => list.every((r) => weight.get(r) === 'harmless'), 'rows of harmless reasons');
    await screen.get('why-weight').selectOption('');
    await screen.until(rows, (list) => list.includes('too_fast'), 'rows by default again');
    const colour = (selector) => page.locator(selector).first().evaluate((e) => getComputedStyle(e).fill);
    const listed = await colour('[data-reason=too_fast] .reason-dot');
    await screen.openView('charts', 'charts');
    const key = page.locator('.chart-key', { hasText: 'too fast' });
    await key.first().waitFor();
    equal(await key.first().locator('rect').evaluate((e) => getComputedStyle(e).fill), listed, 'colour of the chart');
    await screen.goTo('#/corrections?player=ann&reason=too_fast');
    await screen.until(rows, (list) => list.length === 1, 'row of Ann');
  });
  await report.check('the detail view shows the asked and the allowed distance and the reason', async () => {
    const answer = page.waitForResponse((r) => /\/api\/v1\/corrections\/\d+$/.test(r.url()) && r.ok());
    await screen.get('correction').first().click();
    await screen.waitVisible('detail');
    const shown = Number(await screen.get('detail').getAttribute('data-id'));
    ({ entry } = await server.api.get(`/corrections/${shown}`));
    const detail = await (await answer).json(); // the answer that the page shows; a second request could return more entries
    equal(detail.entry.id, shown, 'id of the shown entry');
    around = detail.around;
    equal([entry.player, entry.door, entry.verdict, entry.reason], ['Ann', 'rcce', 'held', 'too_fast'], 'entry');
    must(Math.abs(entry.asked - CLAIM_UNITS) < CLAIM_UNITS * 0.1 && entry.allowed > 0 && entry.allowed < entry.asked, `asked ${entry.asked}, allowed ${entry.allowed}`);
    const number = async (testid) => Number((await screen.text(testid)).replaceAll(',', '').split(' ')[0]);
    must(Math.abs((await number('detail-asked')) - entry.asked) <= 0.5, `${await screen.text('detail-asked')} for ${entry.asked}`);
    must(Math.abs((await number('detail-allowed')) - entry.allowed) <= 0.5, `${await screen.text('detail-allowed')} for ${entry.allowed}`);
    equal((await screen.text('detail-sentence')).toLowerCase().replace(/\.$/, ''), entry.sentence.toLowerCase(), 'sentence');
    equal(await screen.text('detail-explanation'), detail.explanation.replace(/\s+/g, ' ').trim(), 'explanation');
    must(detail.explanation.includes('Ann'), detail.explanation);
    const facts = (await page.locator('.detail .facts').innerText()).replace(/\s+/g, ' ');
    must(/Pulled back by (50|49)\d units to the west/.test(facts), `the claim was to the east; facts: ${facts}`);
    must(/^\d+ ms$|not known/.test(await screen.text('detail-rtt')), `round trip: ${await screen.text('detail-rtt')}`);
  });
  await report.check('the drawing leads from the asked to the held place', async () => {
    const [asked, held, line] = await screen.get('drawing').evaluate((svg) => ['.drawing-asked circle', '.drawing-held circle', '.drawing-pull line'].map((s) => {
      const e = svg.querySelector(s);
      return e && Object.fromEntries([...e.attributes].map((a) => [a.name, Number(a.value)]));
    }));
    must(asked && held && line, 'the drawing lacks a place or the line');
    must(asked.cx - held.cx > 100 && Math.abs(asked.cy - held.cy) < 2, `asked at ${asked.cx}, ${asked.cy}, held at ${held.cx}, ${held.cy}: the claim was to the east`);
    must(Math.abs(line.x1 - asked.cx) < 1 && line.x2 > held.cx, 'the line does not join the two places');
    const text = await screen.get('drawing').evaluate((svg) => svg.textContent);
    must(/(50|49)\d units/.test(text), `text of the drawing: ${text}`);
  });
  await report.check('events around the correction are listed in order of time', async () => {
    const rows = await screen.get('around').locator('li').evaluateAll((list) => list.map((l) => l.innerText.replace(/\s+/g, ' ').trim()));
    must(rows.some((r) => /\(this one\)/.test(r)), `the correction itself is not listed: ${rows.join(' | ')}`);
    equal(rows.length, around.length, 'rows');
    must(around.every((a, i) => i === 0 || Date.parse(a.at) >= Date.parse(around[i - 1].at)), 'order of the events');
    await screen.screenshot('correction');
  });
  await report.check('truestep why prints the same correction', async () => {
    const lines = (await server.cli('why', 'Ann', '--since', '10m', '--json')).trim().split('\n').map((l) => JSON.parse(l));
    const same = must(lines.find((l) => l.id === entry.id), `entry ${entry.id} is not among ${lines.length}`);
    const figures = (e) => [e.player, e.door, e.reason, e.verdict, Math.round(e.asked * 10), Math.round(e.allowed * 10), e.tick];
    equal(figures(same), figures(entry), 'figures');
    const text = await server.cli('why', '--id', String(entry.id));
    must(/Ann/.test(text) && /too far|too fast|farther/.test(text), text.slice(0, 200));
  });
  await report.check('a link shows the correction on the map', async () => {
    await screen.get('detail-map').click();
    await screen.waitVisible('map');
    must(page.url().includes(`mark=${entry.id}`), `the address is ${page.url()}`);
    await screen.waitLive();
    await screen.until(() => page.evaluate(arrowShare, [id, ARROW_PIXELS]), (share) => share > 0.35, 'drawn share of the arrow');
    await screen.press('0');
  });
}
