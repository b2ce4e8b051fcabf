// Layout of every page and dialog at desktop and phone width, in light and dark: nothing is cut off or covered, all text has enough
// contrast, times have their zone, and axe-core finds no violation.
import { equal, must } from '../../lib/assert.mjs';
import { oneLine } from '../../lib/report.mjs';
import { axeViolations, settle } from '../axe.mjs';
import { clearPages, leavePage, pages, preparePages } from '../pages.mjs';

export const phone = { width: 390, height: 844, phone: true };
const views = ['map', 'players', 'corrections', 'charts', 'held', 'accounts', 'audit'];
const ZONE = { id: 'Asia/Kolkata', name: 'GMT+5:30' }; // time zone of the browser on the desktop

/** Elements that reach beyond the window or scroll sideways; the tabs of the areas may. Runs in the page. */
export function cutOff() {
  const wide = document.documentElement.clientWidth;
  const out = [];
  for (const e of document.querySelectorAll('#app *')) {
    const sideways = /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1;
    if (sideways && e.dataset.testid !== 'areas') out.push(`${e.className} is ${e.scrollWidth} px wide in ${e.clientWidth}`);
  }
  if (document.scrollingElement.scrollWidth > wide) out.push(`the page is ${document.scrollingElement.scrollWidth} px wide in ${wide}`);
  for (const e of document.querySelectorAll('#app button, #app a, #app h1, #app h2, #app input, #app select')) {
    const box = e.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(e).visibility === 'hidden' || e.classList.contains('skip')) continue;
    let scrolls = false;
    for (let p = e.parentElement; p && !scrolls; p = p.parentElement) scrolls = /auto|scroll/.test(getComputedStyle(p).overflowX);
    if (!scrolls && (box.right > wide + 1 || box.left < -1)) out.push(`${e.tagName} "${e.innerText?.slice(0, 20) ?? ''}" from ${Math.round(box.left)} to ${Math.round(box.right)}`);
  }
  return out;
}

/** Text whose contrast with its background is below WCAG 2 AA; runs in the page. */
export function faint() {
  // "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", and "color(srgb 0.1 0.2 0.3 / 0.5)" of color-mix()
  const parse = (c) => (c.match(/[\d.]+/g) ?? []).map((v, i) => Number(v) * (c.startsWith('color(') && i < 3 ? 255 : 1));
  const blend = ([r, g, b, a = 1], below) => [r, g, b].map((v, i) => v * a + below[i] * (1 - a));
  const luminance = (c) => c.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const backgroundOf = (e) => {
    const chain = [];
    for (let p = e; p; p = p.parentElement) chain.unshift(parse(getComputedStyle(p).backgroundColor));
    return chain.reduce((below, c) => (c.length === 0 ? below : blend(c, below)), matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]);
  };
  const out = new Set();
  for (const e of document.querySelectorAll('#app *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    if (!own || box.width === 0 || style.visibility === 'hidden' || e.closest('svg, [aria-disabled=true], :disabled, .skip')) continue;
    const background = backgroundOf(e);
    const [a, b] = [luminance(blend(parse(style.color), background)), luminance(background)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const big = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (big ? 3 : 4.5)) out.add(`"${e.innerText?.trim().slice(0, 24)}" has a contrast of ${contrast.toFixed(2)}`);
  }
  return [...out];
}

/** The brightness of the page's background, 0 to 765. */
const brightness = (screen) => screen.page.evaluate(() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--bg)';
  const sum = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).reduce((n, v) => n + Number(v), 0);
  probe.remove();
  return sum;
});

async function checkInWindow(screen, testid) {
  const box = must(await screen.get(testid).first().boundingBox(), `${testid} is not visible`);
  const { width, height } = screen.page.viewportSize();
  must(box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, `${testid} is at ${JSON.stringify(box)}`);
}

/** Controls that another element covers, also after they were scrolled into view; runs in the page. */
function covered() {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  const root = dialog ?? document.querySelector('details[open] .menu') ?? document.getElementById('app');
  const name = (e) => e.dataset.testid ?? (e.getAttribute('aria-label') || e.innerText?.trim().slice(0, 20) || e.tagName);
  const other = (e) => {
    const box = e.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return 'the edge of the window';
    const top = document.elementFromPoint(x, y);
    return top === null || e.contains(top) || top.contains(e) || e.labels?.[0]?.contains(top) ? null : name(top);
  };
  const out = [];
  for (const e of root.querySelectorAll('button, a, input, select, textarea, summary')) {
    if (!e.checkVisibility({ visibilityProperty: true }) || e.closest('.skip, .toasts, .uplot')) continue;
    if (other(e) === null) continue;
    e.scrollIntoView({ block: 'center', inline: 'center' });
    const by = other(e);
    if (by !== null) out.push(`${name(e)} by ${by}`);
  }
  return out;
}

/** Pairs of overlays of the map that overlap; runs in the page. */
function overlapping() {
  const all = ['.legend', '.controls', '.area-tabs', '.time-bar', '.side'].map((s) => [s, document.querySelector(s)?.getBoundingClientRect()]).filter(([, b]) => b && b.width > 0);
  const out = [];
  all.forEach(([a, x], i) => all.slice(i + 1).forEach(([b, y]) => {
    if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1) out.push(`${a} and ${b}`);
  }));
  return out;
}

/** Elements with a time of day and without its zone, in their row, their tooltip, or in the head of the page; runs in the page. */
function unzoned(zone) {
  const out = new Set();
  for (const e of document.querySelectorAll('#app *')) {
    const own = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.textContent).join(' ');
    if (!/\b\d\d:\d\d(:\d\d)?\b/.test(own) || !e.checkVisibility()) continue;
    const around = e.closest('tr, li, p, label, header, .time-bar, .detail') ?? e;
    const head = document.querySelector('.page-sub')?.innerText ?? '';
    if (![around.innerText, head, e.closest('[title]')?.title ?? ''].some((t) => t.includes(zone))) out.add(own.trim().slice(0, 30));
  }
  return [...out];
}

/** Controls of every page that are not wholly in the window; runs in the page. */
function outside(ids) {
  return ids.filter((id) => {
    const box = document.querySelector(`[data-testid=${id}]`)?.getBoundingClientRect();
    return !box || box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  });
}

const always = [...views.map((v) => `nav-${v}`), 'connection'];
const ofMap = ['map', 'areas', 'toggle-panel', 'time-bar'];

/**
 * Calls rules, a list of [function of the page, its argument], in one request, until none finds anything or SETTLE_MS have passed.
 * Resolves with what they find at last.
 */
async function findings(screen, rules) {
  const source = rules.map(([rule, value]) => `(${rule})(${JSON.stringify(value) ?? ''})`).join(', ');
  const look = async () => {
    await settle(screen);
    return screen.page.evaluate(`[${source}].flat()`);
  };
  for (const end = performance.now() + SETTLE_MS; ; await screen.waitFrames(6)) {
    const found = await look();
    if (found.length === 0 || performance.now() > end) return found;
  }
}

const SETTLE_MS = 20000; // time limit on a busy machine: an answer of the server may arrive late, and a toast disappears by itself

/** Rules of the layout, which depend on the size of the window and not on the theme. */
const layoutRules = (name) => [[cutOff], [covered], [outside, name === 'map' ? [...always, ...ofMap] : always], ...(name === 'map' ? [[overlapping]] : [])];

/** Checks the page as it is shown now, also with axe-core. */
export async function checkLayout(screen, name) {
  const found = await findings(screen, [...layoutRules(name), [faint]]);
  equal([...found, ...(await axeViolations(screen))], [], name);
}

/**
 * Checks the page that is shown: its layout at all sizes, the contrast of its texts in both themes, and all else that axe-core checks, in
 * dark. Resolves with the defects. The window has the first size before and after.
 */
async function checkPage(screen, name, { sizes, axe, zone }) {
  const defects = [];
  const note = (where, found) => defects.push(...found.map((f) => `${name} ${where}: ${f}`));
  const [[width, height], ...smaller] = sizes;
  await screen.page.emulateMedia({ colorScheme: 'dark' });
  note('in dark', await findings(screen, [[faint]]));
  if (axe) note('in dark, axe-core', await axeViolations(screen, { contrast: false })); // faint has checked it
  await screen.page.emulateMedia({ colorScheme: 'light' });
  note(`at ${width}`, await findings(screen, [...layoutRules(name), [faint], ...(zone ? [[unzoned, zone]] : [])]));
  for (const [w, h] of smaller) {
    await screen.page.setViewportSize({ width: w, height: h });
    note(`at ${w} x ${h}`, await findings(screen, layoutRules(name)));
    await screen.screenshot(`${name}-${w}`);
  }
  if (smaller.length > 0) await screen.page.setViewportSize({ width, height });
  return defects;
}

/** Opens and checks pages. Throws with the defects of all of them. */
async function visit(screen, ctx, names, o) {
  const defects = [];
  for (const name of names) {
    await pages[name](screen, ctx).then(async () => defects.push(...(await checkPage(screen, name, o)))).catch((e) => defects.push(`${name}: ${oneLine(e)}`));
    await leavePage(screen);
  }
  equal(defects, [], 'defects');
}

/** Bob must be in the world. */
export async function layoutChecks(t) {
  const { report, server, ann } = t;
  const ctx = await report.check('every page has something to show', async () => {
    if ((await server.api.get('/corrections?verdict=held&limit=1')).entries.length === 0) await ann.claimFarAway(500, 1500);
    equal((await server.api.call('POST', '/restart', { in: '6d', reason: 'a new version' })).status, 200, 'status of the plan');
    return preparePages(server.api, 'Bob');
  });
  if (!ctx) return;
  const names = Object.keys(pages);
  const isOdd = (_, i) => i % 2 === 1;
  await Promise.all([
    desktopChecks(t, ctx, names.filter(isOdd)),
    desktopChecks(t, ctx, names.filter((n, i) => !isOdd(n, i))).then(() => phoneChecks(t, ctx)),
  ]);
  await clearPages(ctx);
  equal((await server.api.call('DELETE', '/stop')).status, 200, 'status of the cancellation');
}

async function desktopChecks({ report, browser, server }, ctx, names) {
  const screen = await browser.screen({ label: `desktop, ${names[0]} and others`, base: server.consoleBase, dark: true, width: 1440, height: 900, zone: ZONE.id });
  await screen.logIn(server.consoleToken);
  await report.check(`${names.length} pages and dialogs (${names.join(', ')}) are complete and legible at four sizes of the window, in light and dark`, () =>
    visit(screen, ctx, names, { sizes: [[1440, 900], [1024, 768], [844, 390], [390, 844]], axe: true, zone: ZONE.name }), LIMIT_MS);
  if (names.includes('players')) await themeCheck({ report, screen });
  await screen.context.close();
}

const LIMIT_MS = 900000; // time limit of a check of many pages; on a busy machine each takes several seconds

/** Views on an emulated phone, which has another idea of the width of a page than a small window. */
async function phoneChecks({ report, browser, server }, ctx) {
  const screen = await browser.screen({ label: 'phone', base: server.consoleBase, ...phone });
  await screen.logIn(server.consoleToken);
  await report.check('every view on a phone, upright and on its side, is complete and legible in light and dark', () =>
    visit(screen, ctx, views, { sizes: [[390, 844], [844, 390]] }));
  await tapChecks({ report, screen });
  await screen.context.close();
}

async function tapChecks({ report, screen }) {
  await report.check('a tap on a player on a phone opens its panel, which can be closed', async () => {
    await screen.openView('map', 'map');
    await screen.waitLive();
    for (const control of ['map', 'areas', 'toggle-panel', 'actors']) await checkInWindow(screen, control);
    const at = await screen.restingPosition('Bob');
    await screen.get('map').tap({ position: { x: at.left, y: at.top } });
    await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === 'Bob', 'name in the panel');
    await checkInWindow(screen, 'close-panel');
    equal(await screen.page.evaluate(cutOff), [], 'elements cut off');
    await screen.screenshot('phone-player');
    await screen.get('close-panel').tap();
    await screen.until(() => screen.get('player-panel').count(), (n) => n === 0, 'open panels');
  });
}

async function themeCheck({ report, screen }) {
  await report.check('the theme button changes from dark to light, and a reload keeps the choice', async () => {
    await screen.page.emulateMedia({ colorScheme: 'dark' });
    await screen.until(() => brightness(screen), (v) => v < 150, 'brightness of the background in dark');
    await screen.get('theme').click(); // the button goes from system to light to dark
    await screen.until(() => brightness(screen), (v) => v > 600, 'brightness of the background after the change to light');
    await screen.page.reload();
    await screen.waitVisible('shell');
    await screen.until(() => brightness(screen), (v) => v > 600, 'brightness of the background after a reload');
  });
}
