// At phone width and at a desk, light and dark: nothing is cut off, and everything can be read.
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const phone = { width: 390, height: 844, phone: true };
const views = { map: 'map', players: 'player-row', corrections: 'why-player', charts: 'charts', audit: 'tab-bans' };
const DRAWN_MS = 400; // what comes with the first answers

/** Looks whether nothing is cut off or faint, once what comes has come and what moves is where it belongs. */
async function whole(screen, name) {
  await sleep(DRAWN_MS);
  await screen.page.evaluate(() => Promise.allSettled(document.getAnimations()
    .filter((a) => Number.isFinite(a.effect.getComputedTiming().endTime)).map((a) => a.finished)));
  await screen.drawn();
  await screen.until(() => screen.page.evaluate(cutOff), (list) => list.length === 0, `${name}: cut off`);
  await screen.until(() => screen.page.evaluate(faint), (list) => list.length === 0, `${name}: too faint`);
}

/** What reaches beyond the right edge of the window, or has to be scrolled sideways, areas aside; runs in the page. */
function cutOff() {
  const wide = document.documentElement.clientWidth;
  const out = [];
  for (const e of document.querySelectorAll('#app *')) {
    const sideways = /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1;
    if (sideways && e.dataset.testid !== 'areas') out.push(`${e.className} is ${e.scrollWidth} wide of ${e.clientWidth}`);
  }
  if (document.scrollingElement.scrollWidth > wide) out.push(`the page is ${document.scrollingElement.scrollWidth} wide of ${wide}`);
  for (const e of document.querySelectorAll('#app button, #app a, #app h1, #app h2, #app input, #app select')) {
    const box = e.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(e).visibility === 'hidden' || e.classList.contains('skip')) continue;
    let scrolls = false;
    for (let p = e.parentElement; p && !scrolls; p = p.parentElement) scrolls = /auto|scroll/.test(getComputedStyle(p).overflowX);
    if (!scrolls && (box.right > wide + 1 || box.left < -1)) out.push(`${e.tagName} "${e.innerText?.slice(0, 20) ?? ''}" from ${Math.round(box.left)} to ${Math.round(box.right)}`);
  }
  return out;
}

/** Words whose contrast with what is behind them is too low to read (WCAG 2, AA); runs in the page. */
function faint() {
  // "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", and "color(srgb 0.1 0.2 0.3 / 0.5)" of mixed colours
  const read = (c) => (c.match(/[\d.]+/g) ?? []).map((v, i) => Number(v) * (c.startsWith('color(') && i < 3 ? 255 : 1));
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((v, i) => v * a + below[i] * (1 - a));
  const light = (c) => c.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    const chain = [];
    for (let p = e; p; p = p.parentElement) chain.unshift(read(getComputedStyle(p).backgroundColor));
    return chain.reduce((below, c) => (c.length === 0 ? below : over(c, below)), matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]);
  };
  const out = new Set();
  for (const e of document.querySelectorAll('#app *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    if (!own || box.width === 0 || style.visibility === 'hidden' || e.closest('svg, [aria-disabled=true], :disabled, .skip')) continue;
    const ground = behind(e);
    const [a, b] = [light(over(read(style.color), ground)), light(ground)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const big = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (big ? 3 : 4.5)) out.add(`"${e.innerText?.trim().slice(0, 24)}" has ${contrast.toFixed(2)}`);
  }
  return [...out];
}

const ground = (screen) => screen.page.evaluate(() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--bg)';
  const sum = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).reduce((n, v) => n + Number(v), 0);
  probe.remove();
  return sum;
});

async function inWindow(screen, testid) {
  const box = must(await screen.get(testid).first().boundingBox(), `${testid} is not shown`);
  const { width, height } = screen.page.viewportSize();
  must(box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, `${testid} is at ${JSON.stringify(box)}`);
}

export async function lookChecks({ report, browser, server }) {
  for (const dark of [false, true]) {
    const theme = dark ? 'dark' : 'light';
    const screen = await browser.screen({ label: `phone, ${theme}`, base: server.consoleBase, dark, ...phone });
    await screen.logIn(server.consoleToken);
    await report.check(`a phone in ${theme} shows every view whole`, async () => {
      must((await ground(screen)) > 600 !== dark, `the ground has a brightness of ${await ground(screen)} of 765`);
      for (const [name, has] of Object.entries(views)) {
        await screen.view(name, has);
        await whole(screen, name);
        for (const v of Object.keys(views)) await inWindow(screen, `nav-${v}`);
        await inWindow(screen, 'connection');
        await screen.shot(`phone-${name}-${theme}`);
      }
    });
    if (!dark) await tapChecks({ report, screen });
    await screen.context.close();
  }
  await deskChecks({ report, browser, server });
}

async function tapChecks({ report, screen }) {
  await report.check('on a phone a tap on a player opens his panel, and it can be closed', async () => {
    await screen.view('map', 'map');
    await screen.live();
    for (const control of ['map', 'areas', 'toggle-panel', 'actors']) await inWindow(screen, control);
    const at = await screen.still('Bob');
    await screen.get('map').tap({ position: { x: at.left, y: at.top } });
    await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === 'Bob', 'the name in the panel');
    await inWindow(screen, 'close-panel');
    equal(await screen.page.evaluate(cutOff), [], 'cut off');
    await screen.shot('phone-player');
    await screen.get('close-panel').tap();
    await screen.until(() => screen.get('player-panel').count(), (n) => n === 0, 'panels');
  });
}

async function deskChecks({ report, browser, server }) {
  for (const theme of ['light', 'dark']) {
    const screen = await browser.screen({ label: `desk, ${theme}`, base: server.consoleBase, dark: theme === 'dark' });
    await screen.logIn(server.consoleToken);
    await report.check(`a desk in ${theme} shows every view whole`, async () => {
      await screen.live();
      for (const [name, has] of Object.entries(views)) {
        await screen.view(name, has);
        await whole(screen, name);
        await screen.shot(`${name}-${theme}`);
      }
    });
    if (theme === 'dark') await themeCheck({ report, screen });
    await screen.context.close();
  }
}

async function themeCheck({ report, screen }) {
  await report.check('the button changes light and dark, and a reload keeps it', async () => {
    const dark = await ground(screen);
    must(dark < 150, `the ground has a brightness of ${dark} of 765`);
    await screen.get('theme').click(); // as the system, light, dark
    await screen.until(() => ground(screen), (v) => v > 600, 'the brightness of the ground, which is to be light');
    await screen.page.reload();
    await screen.shown('shell');
    await screen.until(() => ground(screen), (v) => v > 600, 'the brightness of the ground after a reload');
  });
}
