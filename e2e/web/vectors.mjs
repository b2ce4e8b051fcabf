// Test vectors that the server makes, read by the npm package in the browser, as client/ts/test reads them in Node.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { must } from '../lib/assert.mjs';

const run = promisify(execFile);
const client = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../client/ts');

/** Reads streams of snapshots that the binary makes, and the physics vectors of client/ts/test/vectors, in the browser. */
export async function readVectors({ report, bin, browser }) {
  let page;
  const built = await report.check('the decoder of the package is built for the browser', async () => {
    const { stdout } = await run(path.join(client, 'node_modules/.bin/esbuild'), ['test/runs.ts', '--bundle', '--format=iife', '--global-name=vectors', '--target=es2022'], { cwd: client });
    page = await browser.chromium.newPage();
    await page.addScriptTag({ content: stdout });
    return true;
  });
  if (!built) return;
  for (const [what, args] of Object.entries({
    'a line without loss': ['--scene', 'vale', '--ticks', '60'], 'a line with loss': ['--scene', 'wander', '--rtt', '100ms', '--loss', '0.05', '--ticks', '300'],
    'actors that turn up and down': ['--scene', 'stinkysteak', '--rtt', '100ms', '--loss', '0.05', '--ticks', '60'],
    'a line with much loss': ['--scene', 'asteroids', '--rtt', '200ms', '--loss', '0.3', '--ticks', '150'],
  })) {
    await report.check(`Chromium decodes snapshots of ${what} to the last bit`, async () => {
      const { stdout } = await run(bin, ['vectors', 'web', ...args], { maxBuffer: 1 << 28 });
      const n = await page.evaluate((text) => vectors.decode(text), stdout);
      must(n > 1000, `${n} states`);
    });
  }
  await report.check('Chromium moves a player like the server to the last bit', async () => {
    const runs = JSON.parse(fs.readFileSync(path.join(client, 'test/vectors/physics.json'), 'utf8'));
    must((await page.evaluate((list) => list.reduce((n, r) => n + vectors.move(r), 0), runs)) > 1000, 'few ticks');
  });
  await page.close();
}
