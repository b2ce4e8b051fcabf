// The examples of the npm package, built as their READMEs say and opened in a browser, each on an origin of its own.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { must } from '../lib/assert.mjs';
import { INSTALL_MS, npmCI } from '../lib/packages.mjs';
import { playerPositions } from '../lib/truth.mjs';
import { sleep } from '../lib/wait.mjs';
import { WAIT_MS } from './browser.mjs';
import { serveFolder } from './folder.mjs';

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.join(here, '../../client/ts/examples');

/** Each example with the name under which its player enters. */
export const examples = { canvas: 'Dot', pixi: 'Pixie', three: 'Trey' };

/** Serves the folder of each example on a free port. Resolves with {origins: {name: origin}, close}. */
export async function serveExamples() {
  const servers = [];
  const origins = {};
  for (const name of Object.keys(examples)) {
    const s = await serveFolder(path.join(folder, name));
    servers.push(s);
    origins[name] = s.origin;
  }
  return { origins, close: () => servers.forEach((s) => s.close()) };
}

/** The folder whose packages build an example. The example canvas has no engine, so the tools of the npm package build it. */
const toolsOf = (name) => (name === 'canvas' ? path.join(folder, '..') : path.join(folder, name));

async function install(name) {
  if (!fs.existsSync(path.join(toolsOf(name), 'node_modules/.bin/esbuild'))) await npmCI(toolsOf(name));
}

async function build(name) {
  const cwd = path.join(folder, name);
  if (name === 'canvas') {
    await run(path.join(toolsOf(name), 'node_modules/.bin/esbuild'), ['main.ts', '--bundle', '--format=esm', '--target=es2022', '--outdir=dist'], { cwd });
    return;
  }
  await run('npm', ['run', 'check'], { cwd });
  await run('npm', ['run', 'build'], { cwd });
}

/**
 * Checks that each example draws its player and others, and that a key moves its player. One page is open at a time: WebGL in
 * software needs a whole core.
 */
export async function playExamples({ report, server, browser, origins }) {
  for (const [name, player] of Object.entries(examples)) {
    const check = (what, f) => report.check(`${name}: ${what}`, f);
    if (!(await check('its packages are installed', async () => { await install(name); return true; }, INSTALL_MS))) continue;
    if (!(await check('it is type-checked and built', async () => { await build(name); return true; }))) continue;
    let screen;
    const at = async () => (await playerPositions(server.api)).get(player);
    await check('its player enters', async () => {
      screen = await browser.openURL(`${origins[name]}/?server=http://127.0.0.1:${server.ports.web}`, name, { framesPerSecond: 2 });
      await until(at, () => `no player ${player}; ${screen.faults.join(' | ')}`);
    });
    if (!screen) continue;
    await check('a key makes its player walk, and the picture changes', async () => {
      const picture = () => screen.page.screenshot({ timeout: WAIT_MS });
      const [from, before] = [await at(), await picture()];
      let walked = 0;
      await screen.page.keyboard.down('KeyW');
      await until(async () => {
        const now = await at();
        if (now) walked = Math.hypot(now.x - from.x, now.z - from.z); // undefined while it changes areas
        return walked > 3;
      }, () => `it walked ${walked.toFixed(2)} units`);
      await screen.page.keyboard.up('KeyW');
      await until(async () => !before.equals(await picture()), () => 'the picture is the same');
    });
    await screen.shot(`example-${name}`);
    await check('no fault in the page', () => must(screen.faults.length === 0, screen.faults.join(' | ')));
    await screen.close();
  }
}

/** Waits until f returns a true value. After WAIT_MS it throws the text that sentence() returns. */
async function until(f, sentence) {
  for (const end = performance.now() + WAIT_MS; !(await f()); await sleep(100)) must(performance.now() < end, sentence());
}
