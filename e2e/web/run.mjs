// End-to-end test of the web door: its page in Debian's Chromium, over WebTransport and WebSocket. node e2e/web/run.mjs --server BIN
import './setup.mjs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLingering } from '../lib/linger.mjs';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';

const { Browser } = await import('./browser.mjs'); // imported after setup.mjs, because it imports the installed package
const { playField, playVale } = await import('./scenario.mjs');
const { playGame } = await import('./game.mjs');
const { playWithoutGuests } = await import('./guests.mjs');
const { playExamples, serveExamples } = await import('./examples.mjs');
const { playPackage } = await import('./package.mjs');
const { serveFolder } = await import('./folder.mjs');
const { playCluster } = await import('./cluster.mjs');
const { readVectors } = await import('./vectors.mjs');

const parts = ['package', 'vectors', 'examples', 'game', 'guests', 'vale', 'wt', 'ws', 'cluster'];

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts: ${parts.join(', ')}
  --shots DIR        save screenshots of the page there
  --keep             keep the server's folder
  --server-arg ARG   one more argument for the server; may be repeated
Each check prints a line; the last line is "e2e-web: N passed, M failed". Exit status 1 when a check failed.`;

const o = parseOptions(usage, { parts, options: { shots: { type: 'string' } } });
const here = path.dirname(fileURLToPath(import.meta.url));

await runSuite('e2e-web', o, async ({ report, dir }) => {
  const browser = new Browser({ shots: o.shots });
  const version = await report.check('Chromium starts', () => browser.launch());
  if (version) report.note(`Chromium ${version}`);
  if (o.wanted('package')) {
    const { origin, close } = await serveFolder(path.join(dir, 'project'));
    const extra = ['--web-origins', origin, ...o.serverArgs];
    const server = new Server({ bin: o.server, dir: path.join(dir, 'package'), doors: ['web'], world: path.join(here, 'world.toml'), extra });
    await withServer(report, server, () => playPackage({ report, server, dir, origin, browser: version && browser }));
    close();
  }
  if (!version) return;
  if (o.wanted('vectors')) await readVectors({ report, bin: path.resolve(o.server), browser });
  if (o.wanted('examples')) {
    const { origins, close } = await serveExamples();
    const extra = ['--demo', '--demo-bots', '2', '--web-origins', Object.values(origins).join(','), ...o.serverArgs];
    const server = new Server({ bin: o.server, dir: path.join(dir, 'examples'), doors: ['rcce', 'web'], console: true, extra });
    await withServer(report, server, () => playExamples({ report, server, browser, origins }));
    close();
  }
  if (o.wanted('game')) await playGame({ report, dir, browser });
  if (o.wanted('guests')) {
    const server = new Server({ bin: o.server, dir: path.join(dir, 'guests'), doors: ['web'], world: path.join(here, 'world.toml'), extra: ['--no-web-guests', ...o.serverArgs] });
    await withServer(report, server, () => playWithoutGuests({ report, server, browser }));
  }
  if (o.wanted('vale')) {
    const server = new Server({ bin: o.server, dir: path.join(dir, 'vale'), doors: ['rcce', 'rs', 'bedrock', 'web'], console: true, extra: ['--demo', ...o.serverArgs] });
    await withServer(report, server, () => playVale({ report, server, browser }));
  }
  for (const transport of ['wt', 'ws']) {
    if (!o.wanted(transport)) continue;
    const server = new Server({ bin: o.server, dir: path.join(dir, transport), doors: ['rcce', 'rs', 'bedrock', 'web'], console: true, world: path.join(here, 'world.toml'), extra: o.serverArgs });
    await withServer(report, server, () => playField({ report, server, browser, transport }));
  }
  if (o.wanted('cluster')) {
    const world = writeLingering(path.join(dir, 'cluster.toml'), path.join(here, 'world.toml')); // the body must still be there when the page is back
    await playCluster({ report, browser, bin: o.server, dir: path.join(dir, 'cluster'), world });
  }
  await browser.close().catch(() => {});
});
