// End-to-end test of the operator's console in a real browser. node e2e/console/run.mjs --server BIN
import './setup.mjs';
import '../bedrock/setup.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from '../bedrock/report.mjs';
import { Server } from './server.mjs';

const { Browser } = await import('./browser.mjs'); // after the setup, as they need the packages
const { parts, play } = await import('./scenario.mjs');

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts: ${parts.join(', ')}
  --shots DIR        save pictures of the page there
  --keep             leave the server's folder
Each check prints a line; the last line is "e2e-console: N passed, M failed". Exit status 1 when a check failed.`;

const BOUND_MS = 900000;

class ConsoleReport extends Report {
  summary() {
    this.out(`e2e-console: ${this.passed} passed, ${this.failed} failed`);
  }
}

function options() {
  const { values: o } = parseArgs({
    options: { server: { type: 'string' }, only: { type: 'string' }, shots: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (o.help || !o.server) {
    console.log(usage);
    process.exit(o.help ? 0 : 2);
  }
  return o;
}

async function main() {
  const o = options();
  const report = new ConsoleReport();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'e2e-console-'));
  const server = new Server({ bin: path.resolve(o.server), dir });
  const browser = new Browser({ shots: o.shots });
  process.on('exit', () => server.killNow()); // playwright-core ends the browser
  const bound = setTimeout(() => {
    console.log(`FAIL the whole test: not done in ${BOUND_MS} ms`);
    report.failed++;
    report.summary();
    process.exit(1);
  }, BOUND_MS);
  process.on('unhandledRejection', () => {}); // the packages leave some promises to nobody
  const only = o.only?.split(',');
  try {
    const up = await report.check('the server says ready, and where its console is', () => server.start());
    const version = up && (await report.check('Chromium starts', () => browser.launch()));
    if (version) {
      report.note(`Chromium ${version}`);
      await play({ report, server, browser, dir, wanted: (part) => !only || only.includes(part) });
    }
  } catch (e) {
    await report.check('scenario', async () => {
      throw e;
    });
  }
  await browser.close().catch(() => {});
  const { killed, code } = await server.stop();
  await report.check('the server ended cleanly and never broke', async () => {
    if (server.broken().length > 0) throw new Error(server.broken().slice(0, 3).join(' | '));
    if (killed || code !== 0) throw new Error(`exit ${code}${killed ? ', killed' : ''}: ${server.tail()}`);
  });
  clearTimeout(bound);
  if (o.keep) report.note(`the server's folder is ${dir}`);
  else fs.rmSync(dir, { recursive: true, force: true });
  report.summary();
  process.exit(report.failed > 0 ? 1 : 0);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130)); // the exit hooks end what was started
await main();
