// The system's Chromium, driven by playwright-core, and one screen of it: a page that notes everything it should not do.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { needChromium } from '../lib/chromium.mjs';
import { must } from '../lib/assert.mjs';
import { sleep } from '../lib/wait.mjs';

const WAIT_MS = 30000; // what a busy machine may take; what works is waited for much shorter
const LAUNCH_MS = 180000;
const flags = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export class Browser {
  /** shots: a folder for pictures, or undefined. */
  constructor({ shots } = {}) {
    this.shots = shots;
    this.screens = [];
    if (shots) fs.mkdirSync(shots, { recursive: true });
  }

  /** Every launch has a new, empty user data folder, which playwright-core removes. */
  async launch() {
    const root = process.getuid?.() === 0; // whom Chromium's sandbox refuses
    const start = (chromiumSandbox) => chromium.launch({ executablePath: needChromium(), headless: true, chromiumSandbox, args: flags, timeout: LAUNCH_MS });
    this.chromium = await start(!root).catch((e) => {
      if (root || !/sandbox/i.test(e.message)) throw e;
      return start(false); // many containers let nobody make the namespaces that it needs
    });
    return this.chromium.version();
  }

  /** A new visitor: own cookies, own storage. o: {label, base, width, height, dark, phone}. */
  async screen({ label, base, width = 1280, height = 800, dark = false, phone = false }) {
    const context = await this.chromium.newContext({
      viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', ...(phone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
    });
    const screen = new Screen({ browser: this, context, label, base });
    this.screens.push(screen);
    await screen.begin();
    return screen;
  }

  async close() {
    await this.chromium?.close();
  }
}

/** A page and what it did wrong. What a check provokes on purpose is named in excused before it happens. */
export class Screen {
  constructor({ browser, context, label, base }) {
    Object.assign(this, { browser, context, label, base });
    this.complaints = [];
    this.excused = [];
    this.requests = 0;
  }

  async begin() {
    this.context.setDefaultTimeout(WAIT_MS);
    await this.context.exposeFunction('noteViolation', (what) => this.#complain(`the content policy was violated: ${what}`));
    await this.context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (e) => window.noteViolation(`${e.violatedDirective} ${e.blockedURI}`));
    });
    this.page = await this.context.newPage();
    this.page.on('console', (m) => m.type() === 'error' && this.#complain(`console: ${m.text()} ${m.location().url ?? ''}`));
    this.page.on('pageerror', (e) => this.#complain(`script: ${e.message}`));
    this.page.on('websocket', (s) => this.#visited(s.url()));
    this.context.on('request', (r) => this.#visited(r.url()));
  }

  #complain(what) {
    if (!this.excused.some((e) => e.test(what))) this.complaints.push(`${this.label}: ${what}`);
  }

  #visited(url) {
    this.requests++;
    const { protocol, host } = new URL(url);
    const own = host === new URL(this.base).host && ['http:', 'ws:'].includes(protocol);
    if (!own && !['data:', 'blob:', 'about:'].includes(protocol)) this.#complain(`a request to ${url}`);
  }

  excuse(...patterns) {
    this.excused.push(...patterns);
  }

  /** Opens an address of the console; a hash alone is opened in the page that is there. */
  async open(hash = '') {
    await this.page.goto(`${this.base}/${hash}`);
  }

  async logIn(token) {
    await this.open(`#token=${token}`);
    await this.shown('shell').catch(async () => must(false, `${this.label} is not let in, but sees: ${(await this.page.innerText('body')).slice(0, 200)}`));
  }

  get(testid) {
    return this.page.getByTestId(testid);
  }

  async shown(testid, ms = WAIT_MS) {
    await this.get(testid).first().waitFor({ state: 'visible', timeout: ms });
    return this.get(testid).first();
  }

  /** Resolves once that field, link or button has the focus. */
  async focused(testid) {
    const at = () => this.page.evaluate(() => document.activeElement?.dataset?.testid ?? '');
    await this.until(at, (id) => id === testid, 'what has the focus');
  }

  /** Resolves when the page has drawn that many frames more: what is asked of the picture is in it by then. */
  async drawn(frames = 3) {
    await this.page.evaluate((n) => new Promise((done) => {
      const frame = () => (n-- > 0 ? requestAnimationFrame(frame) : done());
      frame();
    }), frames);
  }

  /** Where the map draws somebody who stands, once it draws him at one place: the camera glides. */
  async still(name) {
    let before = '';
    return this.until(async () => {
      await this.drawn();
      const at = await this.where(name);
      const now = at ? JSON.stringify([at.left, at.top].map((v) => Math.round(v * 10))) : '';
      const same = now !== '' && now === before;
      before = now;
      return same ? at : null;
    }, Boolean, `where ${name} is drawn`);
  }

  async text(testid) {
    return (await this.get(testid).first().innerText()).replace(/\s+/g, ' ').trim();
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** Two keys one after the other, as near in time as on a keyboard whatever the machine does. */
  chord(...keys) {
    return Promise.all(keys.map((key) => this.page.keyboard.press(key)));
  }

  /** Goes to a view by its link, and waits for what belongs to it. */
  async view(name, testid) {
    await this.get(`nav-${name}`).click();
    return testid && this.shown(testid);
  }

  /** A field of window.__truestep, undefined while the map is not shown. */
  truth(field) {
    return this.page.evaluate((f) => window.__truestep?.[f], field);
  }

  /** Where the map draws the actor of that name: {id, x, y, z, left, top}, null if it does not. */
  where(name) {
    return this.page.evaluate((n) => {
      const id = window.__truestep?.named(n) ?? null;
      const at = id === null ? null : window.__truestep.where(id);
      return at && { id, ...at };
    }, name);
  }

  /** Looks until ok(value) holds, and returns the value. Who waits in vain is told the last one. */
  async until(look, ok, what, ms = WAIT_MS) {
    let last;
    for (const end = performance.now() + ms; ; await sleep(100)) {
      last = await look();
      if (ok(last)) return last;
      must(performance.now() < end, `${what}: still ${JSON.stringify(last)} after ${ms} ms`);
    }
  }

  /** Waits until the live map has actors. */
  async live(ms = WAIT_MS) {
    await this.until(() => this.page.evaluate(() => Boolean(window.__truestep?.connected) && window.__truestep.actors > 0), Boolean, `${this.label}: a live map`, ms);
  }

  async shot(name) {
    if (this.browser.shots) await this.page.screenshot({ path: path.join(this.browser.shots, `${name}.png`) });
  }
}
