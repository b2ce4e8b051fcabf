// End-to-end test of the operator console in a real browser. node e2e/console/run.mjs --server BIN
import path from 'node:path';
import './setup.mjs';
import '../bedrock/setup.mjs';
import { writeLingering } from '../lib/linger.mjs';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';

const { Browser } = await import('./browser.mjs'); // imported after setup.mjs, because they import the installed packages
const { parts, play } = await import('./scenario.mjs');

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts: ${parts.join(', ')}
  --except LIST      all parts but these
  --shots DIR        save screenshots of the page there
  --keep             keep the server's folder
  --server-arg ARG   one more argument for the server; may be repeated
Each check prints a line; the last line is "e2e-console: N passed, M failed". Exit status 1 when a check failed.`;

const defaultWorld = new URL('../../content/default.toml', import.meta.url);

const o = parseOptions(usage, { parts, options: { shots: { type: 'string' } } });

await runSuite('e2e-console', o, async ({ report, dir }) => {
  const world = writeLingering(path.join(dir, 'world.toml'), defaultWorld); // a copy, which checks can change and let the server reload
  const server = new Server({ bin: o.server, dir, world, doors: ['rcce', 'rs', 'bedrock', 'web'], console: true, extra: o.serverArgs });
  const browser = new Browser({ shots: o.shots });
  await withServer(report, server, async () => {
    const version = await report.check('Chromium starts', () => browser.launch());
    if (!version) return;
    report.note(`Chromium ${version}`);
    await play({ report, server, browser, dir, wanted: o.wanted });
  });
  await browser.close().catch(() => {});
});
