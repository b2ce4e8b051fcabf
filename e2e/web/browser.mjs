// Debian's Chromium with the page of the web door: WebGL in software, QUIC allowed.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { needChromium } from '../lib/chromium.mjs';

export const WAIT_MS = 60000; // time limit of a wait on a busy machine; a wait ends as soon as its condition holds
const flags = [
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-renderer-backgrounding', '--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows',
];

export class Browser {
  /** shots: a folder for screenshots, or undefined. */
  constructor({ shots } = {}) {
    this.shots = shots;
    if (shots) fs.mkdirSync(shots, { recursive: true });
  }

  async launch() {
    const root = process.getuid?.() === 0; // Chromium's sandbox does not run as root
    const start = async (chromiumSandbox) => chromium.launch({ executablePath: await needChromium(), headless: true, chromiumSandbox, args: flags, timeout: 180000 });
    this.chromium = await start(!root).catch((e) => {
      if (root || !/sandbox/i.test(e.message)) throw e;
      return start(false); // many containers forbid the namespaces that the sandbox needs
    });
    return this.chromium.version();
  }

  /** Opens the page as a new guest. pictures: the number of pictures that it draws per second; software rendering needs 50 ms for each. */
  async open(port, { transport = 'auto', name = '', phone = false, pictures = 2, label, beside, script }) {
    const screen = await this.openURL(`http://127.0.0.1:${port}/?${new URLSearchParams({ transport, name, fps: String(pictures) })}`, label, { phone, beside, script });
    await screen.until('the player is in the world', () => globalThis.world?.link.state === 'open');
    return screen;
  }

  /**
   * Opens a page of any origin, in a browser of its own or in a tab beside another screen. framesPerSecond limits its animation
   * frames; 0 means no limit. script runs before those of the page.
   */
  async openURL(url, label, { phone = false, framesPerSecond = 0, script, beside } = {}) {
    const context = beside?.context ?? await this.chromium.newContext({ viewport: phone ? { width: 360, height: 640 } : { width: 480, height: 320 }, ...(phone ? { isMobile: true, hasTouch: true } : {}) });
    const page = await context.newPage();
    if (framesPerSecond) {
      await page.addInitScript((interval) => {
        window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), interval);
        window.cancelAnimationFrame = clearTimeout;
      }, 1000 / framesPerSecond);
    }
    if (script) await page.addInitScript(script);
    const screen = new Screen(this, context, page, label);
    page.on('pageerror', (e) => screen.faults.push(e.message));
    page.on('console', (m) => m.type() === 'error' && !/ERR_CONNECTION_REFUSED|Failed to load resource|WebSocket connection|Opening handshake/.test(m.text()) && screen.faults.push(m.text()));
    await page.goto(url);
    return screen;
  }

  async close() {
    await this.chromium?.close();
  }
}

/** The function f, but with the result undefined where f throws. It runs in the page, so it is made from the text of f. */
const ifReady = (f) => new Function('arg', `const f = ${f}; globalThis.notReady = ''; try { return f(arg); } catch (e) { globalThis.notReady = String(e); }`);

/** What a page shows, for the message of a failed check; runs in the page. */
function pageState() {
  const { world: w, notReady } = globalThis;
  const text = (id) => document.getElementById(id)?.innerText.trim().slice(-120) || undefined;
  let self;
  try {
    const { name, x, z, truth, health, dead } = w.self;
    self = { name, x, z, truth: truth && { x: truth.x, z: truth.z }, health, dead };
  } catch {} // no own player
  const link = w && { state: w.link.state, transport: w.link.transport, rtt: w.link.rtt, corrections: w.link.corrections, sentence: w.link.sentence };
  return { link, self, actors: w?.actors.size, state: text('state'), log: text('log'), notReady: notReady || undefined };
}

/** A page and its faults. */
export class Screen {
  constructor(browser, context, page, label) {
    Object.assign(this, { browser, context, page, label });
    this.faults = [];
  }

  /**
   * Waits until f returns a true value in the page, and returns it. An f that throws counts as not true: the world has no own player
   * while it connects and between two areas. The error has the state of the page.
   */
  async until(what, f, arg) {
    try {
      const handle = await this.page.waitForFunction(ifReady(f), arg, { timeout: WAIT_MS, polling: 100 });
      return await handle.jsonValue();
    } catch (e) {
      const state = await this.page.evaluate(pageState).catch((x) => x.message);
      throw new Error(`${this.label}: not within ${WAIT_MS / 1000} s: ${what} (${e.message.split('\n')[0]}; the page: ${JSON.stringify(state)})`);
    }
  }

  get(f, arg) {
    return this.page.evaluate(f, arg);
  }

  async shot(name) {
    if (this.browser.shots) await this.page.screenshot({ path: path.join(this.browser.shots, `${name}.png`) });
  }

  async close() {
    await this.context.close();
  }
}
