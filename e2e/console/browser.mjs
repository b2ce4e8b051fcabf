// The system's Chromium, driven by playwright-core, and its screens: pages that record every fault, such as a script error.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { needChromium } from '../lib/chromium.mjs';
import { must } from '../lib/assert.mjs';
import { waitUntil } from '../lib/wait.mjs';

const WAIT_MS = 90000; // time limit of a wait on a busy machine; a wait ends as soon as its condition holds
const LAUNCH_MS = 180000;
// Chromium draws in software here. Without a limit, the maps of the open pages would take all processors of a machine with two.
const FRAMES = 5; // animation frames per second of a page, unless it is at its full rate
const flags = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export class Browser {
  /** shots: a folder for screenshots, or undefined. */
  constructor({ shots } = {}) {
    this.shots = shots;
    this.screens = [];
    if (shots) fs.mkdirSync(shots, { recursive: true });
  }

  /** Each launch has a new, empty user data folder, which playwright-core removes. Returns the version of Chromium. */
  async launch() {
    const root = process.getuid?.() === 0; // Chromium's sandbox does not run as root
    const start = async (chromiumSandbox) => chromium.launch({ executablePath: await needChromium(), headless: true, chromiumSandbox, args: flags, timeout: LAUNCH_MS });
    this.chromium = await start(!root).catch((e) => {
      if (root || !/sandbox/i.test(e.message)) throw e;
      return start(false); // many containers forbid the namespaces that the sandbox needs
    });
    return this.chromium.version();
  }

  /** A new screen with cookies and storage of its own. zone: name of its time zone; undefined for that of this machine. */
  async screen({ label, base, width = 1280, height = 800, dark = false, phone = false, zone }) {
    const context = await this.chromium.newContext({
      viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', timezoneId: zone, ...(phone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
    });
    const screen = new Screen({ browser: this, context, label, base });
    this.screens.push(screen);
    await screen.openPage();
    return screen;
  }

  async close() {
    await this.chromium?.close();
  }
}

/** A page and its faults. Faults that a check provokes on purpose are announced with expectFaults() beforehand. */
export class Screen {
  constructor({ browser, context, label, base }) {
    Object.assign(this, { browser, context, label, base });
    this.faults = [];
    // Patterns of faults that do not count. The browser opens connections in advance, and the server closes them after five
    // idle seconds. If the browser uses one at just that moment, it reports ERR_SOCKET_NOT_CONNECTED.
    this.expected = [/net::ERR_SOCKET_NOT_CONNECTED/];
    this.requests = 0;
  }

  async openPage() {
    this.context.setDefaultTimeout(WAIT_MS);
    await this.context.exposeFunction('noteViolation', (what) => this.#fault(`content policy violated: ${what}`));
    await this.context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (e) => window.noteViolation(`${e.violatedDirective} ${e.blockedURI}`));
    });
    await this.context.addInitScript(limitFrames, 1000 / FRAMES);
    this.page = await this.context.newPage();
    this.page.on('console', (m) => m.type() === 'error' && this.#fault(`console: ${m.text()} ${m.location().url ?? ''}`));
    this.page.on('pageerror', (e) => this.#fault(`script: ${e.message}`));
    this.page.on('websocket', (s) => this.#countRequest(s.url()));
    this.context.on('request', (r) => this.#countRequest(r.url()));
  }

  #fault(what) {
    if (!this.expected.some((e) => e.test(what))) this.faults.push(`${this.label}: ${what}`);
  }

  #countRequest(url) {
    this.requests++;
    const { protocol, host } = new URL(url);
    const own = host === new URL(this.base).host && ['http:', 'ws:'].includes(protocol);
    if (!own && !['data:', 'blob:', 'about:'].includes(protocol)) this.#fault(`request to ${url}`);
  }

  expectFaults(...patterns) {
    this.expected.push(...patterns);
  }

  /** Opens an address of the console. Another hash of the same address does not load the page again. */
  async open(hash = '') {
    await this.page.goto(`${this.base}/${hash}`);
  }

  /** Goes to a hash of the page without loading the page again, as a link of it does. */
  async goTo(hash) {
    await this.page.evaluate((to) => (location.hash = to), hash);
  }

  async logIn(token) {
    await this.open(`#token=${token}`);
    await this.waitVisible('shell').catch(async () => must(false, `${this.label}: login refused, the page shows: ${(await this.page.innerText('body')).slice(0, 200)}`));
  }

  get(testid) {
    return this.page.getByTestId(testid);
  }

  async waitVisible(testid, ms = WAIT_MS) {
    await this.get(testid).first().waitFor({ state: 'visible', timeout: ms });
    return this.get(testid).first();
  }

  /** Resolves once that field, link or button has the focus. */
  async waitFocus(testid) {
    const at = () => this.page.evaluate(() => document.activeElement?.dataset?.testid ?? '');
    await this.until(at, (id) => id === testid, 'focused element');
  }

  /** Resolves when the page has drawn that many more frames, as fast as the browser can. They then show the current state. */
  async waitFrames(frames = 3) {
    await this.page.evaluate((n) => window.__drawFrames(n), frames);
  }

  /** Calls f while the page draws as often as the browser can, for checks of the rate of frames and of motion. */
  async atFullRate(f) {
    await this.page.evaluate(() => window.__setFullRate(true));
    try {
      return await f();
    } finally {
      await this.page.evaluate(() => window.__setFullRate(false));
    }
  }

  /** The position at which the map draws a standing actor, once the camera rests and the position no longer changes. */
  async restingPosition(name) {
    let before = '';
    return this.until(async () => {
      await this.waitFrames();
      const at = await this.drawnAt(name);
      const now = at ? JSON.stringify([at.left, at.top].map((v) => Math.round(v * 10))) : '';
      const same = now !== '' && now === before;
      before = now;
      return same ? at : null;
    }, Boolean, `place where ${name} is drawn`);
  }

  async text(testid) {
    return (await this.get(testid).first().innerText()).replace(/\s+/g, ' ').trim();
  }

  /** The texts of all elements with a test id, such as the rows of a list. */
  texts(testid) {
    return this.get(testid).evaluateAll((all) => all.map((e) => e.innerText.replace(/\s+/g, ' ').trim()));
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** Presses keys without waiting between them, so that a slow machine does not split a two-key shortcut. */
  chord(...keys) {
    return Promise.all(keys.map((key) => this.page.keyboard.press(key)));
  }

  /** Opens a view by its link, and waits for an element of it. */
  async openView(name, testid) {
    await this.get(`nav-${name}`).click();
    return testid && this.waitVisible(testid);
  }

  /** A field of window.__truestep, undefined while the map is not shown. */
  mapField(field) {
    return this.page.evaluate((f) => window.__truestep?.[f], field);
  }

  /** The position at which the map draws the actor with a name: {id, x, y, z, left, top}; null if it does not draw it. */
  drawnAt(name) {
    return this.page.evaluate((n) => {
      const id = window.__truestep?.named(n) ?? null;
      const at = id === null ? null : window.__truestep.where(id);
      return at && { id, ...at };
    }, name);
  }

  /** Calls probe until accept(value) holds, and returns that value. */
  until(probe, accept, what, ms = WAIT_MS) {
    return waitUntil(probe, { ms, accept, what });
  }

  /** Waits until the live map has actors. */
  async waitLive(ms = WAIT_MS) {
    await this.until(() => this.page.evaluate(() => Boolean(window.__truestep?.connected) && window.__truestep.actors > 0), Boolean, `${this.label}: live map`, ms);
  }

  async screenshot(name) {
    if (this.browser.shots) await this.page.screenshot({ path: path.join(this.browser.shots, `${name}.png`) });
  }
}

/**
 * Lets the page draw one frame per interval (ms), unless a check calls window.__setFullRate(true) or waits for __drawFrames(count).
 * Runs in the page before its scripts.
 */
function limitFrames(interval) {
  const [request, cancel] = [window.requestAnimationFrame.bind(window), window.cancelAnimationFrame.bind(window)];
  const waiting = new Map(); // drawing requests of the page for its next frame: request id -> {draw, stop}
  let [last, fast] = [0, 0]; // last: the last request id; fast: number of callers that want the full rate
  const schedule = (id, entry) => {
    const run = (now) => {
      waiting.delete(id);
      entry.draw(now);
    };
    if (fast > 0) {
      const frame = request(run);
      entry.stop = () => cancel(frame);
    } else {
      const timer = setTimeout(() => run(performance.now()), interval);
      entry.stop = () => clearTimeout(timer);
    }
  };
  window.requestAnimationFrame = (draw) => {
    const entry = { draw };
    waiting.set(++last, entry);
    schedule(last, entry);
    return last;
  };
  window.cancelAnimationFrame = (id) => {
    waiting.get(id)?.stop();
    waiting.delete(id);
  };
  window.__setFullRate = (on) => {
    fast = Math.max(0, fast + (on ? 1 : -1)); // a reload between on and off resets fast to 0; then off must not make it negative
    for (const [id, entry] of waiting) {
      entry.stop();
      schedule(id, entry);
    }
  };
  window.__drawFrames = (count) => new Promise((done) => {
    window.__setFullRate(true);
    const frame = () => {
      if (count-- > 0) return window.requestAnimationFrame(frame);
      window.__setFullRate(false);
      done();
    };
    frame();
  });
}
