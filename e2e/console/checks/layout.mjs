// Layout at phone and desktop width, in light and dark: nothing is cut off, and all text has enough contrast.
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';
import { axeViolations } from '../axe.mjs';

export const phone = { width: 390, height: 844, phone: true };
const views = { map: 'map', players: 'player-row', corrections: 'why-player', charts: 'charts', held: 'held-door', accounts: 'account-row', audit: 'tab-bans' };
const LOAD_MS = 400; // until the first answers are drawn

/** Throws if an element is cut off or text is too faint, once the view has loaded and all finite animations have ended. */
export async function checkLayout(screen, name) {
  await sleep(LOAD_MS);
  await screen.page.evaluate(() => Promise.allSettled(document.getAnimations()
    .filter((a) => Number.isFinite(a.effect.getComputedTiming().endTime)).map((a) => a.finished)));
  await screen.waitFrames();
  await screen.until(() => screen.page.evaluate(cutOff), (list) => list.length === 0, `${name}: elements cut off`);
  await screen.until(() => screen.page.evaluate(faint), (list) => list.length === 0, `${name}: text with too little contrast`);
  equal(await axeViolations(screen), [], `${name}: violations found by axe-core`);
}

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

export async function layoutChecks(t) {
  await Promise.all([phoneChecks(t), desktopChecks(t).then(() => sideChecks(t))]);
}

/** Checks the layout on a phone in landscape and on a small laptop, whose windows have the least height. */
async function sideChecks({ report, browser, server }) {
  for (const [width, height, isPhone] of [[844, 390, true], [1024, 768, false]]) {
    const screen = await browser.screen({ label: `${width} x ${height}`, base: server.consoleBase, width, height, phone: isPhone });
    await screen.logIn(server.consoleToken);
    await report.check(`every view at ${width} x ${height} is complete, and its controls do not cover each other`, async () => {
      await screen.waitLive();
      for (const [name, has] of Object.entries(views)) {
        await screen.openView(name, has);
        await checkLayout(screen, name);
        for (const v of Object.keys(views)) await checkInWindow(screen, `nav-${v}`);
        await checkInWindow(screen, 'connection');
        if (name !== 'map') continue;
        for (const control of ['map', 'areas', 'legend', 'toggle-panel', 'time-bar']) await checkInWindow(screen, control);
        equal(await screen.page.evaluate(covered), [], 'controls of the map that cover each other');
      }
      await checkChat(screen);
    });
    await screen.context.close();
  }
}

/** The tab of the chat log, with the lines of a search. */
async function checkChat(screen) {
  await screen.goTo('#/audit?tab=chat&channel=announcement');
  await screen.waitVisible('chat-form');
  await checkLayout(screen, 'chat');
}

/** Pairs of overlays of the map that overlap; runs in the page. */
function covered() {
  const all = ['.legend', '.controls', '.area-tabs', '.time-bar', '.side'].map((s) => [s, document.querySelector(s)?.getBoundingClientRect()]).filter(([, b]) => b && b.width > 0);
  const out = [];
  all.forEach(([a, x], i) => all.slice(i + 1).forEach(([b, y]) => {
    if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1) out.push(`${a} and ${b}`);
  }));
  return out;
}

async function phoneChecks({ report, browser, server }) {
  for (const dark of [false, true]) {
    const theme = dark ? 'dark' : 'light';
    const screen = await browser.screen({ label: `phone, ${theme}`, base: server.consoleBase, dark, ...phone });
    await screen.logIn(server.consoleToken);
    await report.check(`every view on a phone in ${theme} is complete and legible`, async () => {
      must((await brightness(screen)) > 600 !== dark, `the background has a brightness of ${await brightness(screen)} of 765`);
      for (const [name, has] of Object.entries(views)) {
        await screen.openView(name, has);
        await checkLayout(screen, name);
        for (const v of Object.keys(views)) await checkInWindow(screen, `nav-${v}`);
        await checkInWindow(screen, 'connection');
        await screen.screenshot(`phone-${name}-${theme}`);
      }
      await checkChat(screen);
      await screen.screenshot(`phone-chat-${theme}`);
    });
    if (!dark) await tapChecks({ report, screen });
    await screen.context.close();
  }
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

async function desktopChecks({ report, browser, server }) {
  for (const theme of ['light', 'dark']) {
    const screen = await browser.screen({ label: `desktop, ${theme}`, base: server.consoleBase, dark: theme === 'dark' });
    await screen.logIn(server.consoleToken);
    await report.check(`every view on a desktop in ${theme} is complete and legible`, async () => {
      await screen.waitLive();
      for (const [name, has] of Object.entries(views)) {
        await screen.openView(name, has);
        await checkLayout(screen, name);
        await screen.screenshot(`${name}-${theme}`);
      }
    });
    if (theme === 'dark') await themeCheck({ report, screen });
    await screen.context.close();
  }
}

async function themeCheck({ report, screen }) {
  await report.check('the theme button changes from dark to light, and a reload keeps the choice', async () => {
    const dark = await brightness(screen);
    must(dark < 150, `the background has a brightness of ${dark} of 765`);
    await screen.get('theme').click(); // the button goes from system to light to dark
    await screen.until(() => brightness(screen), (v) => v > 600, 'brightness of the background after the change to light');
    await screen.page.reload();
    await screen.waitVisible('shell');
    await screen.until(() => brightness(screen), (v) => v > 600, 'brightness of the background after a reload');
  });
}
