// End-to-end test of one world behind all doors. node e2e/world/run.mjs --server BIN
import '../bedrock/setup.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from '../bedrock/report.mjs';
import { Server } from './server.mjs';

const { parts, play } = await import('./scenario.mjs'); // after the setup, as it needs the packages

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts: ${parts.join(', ')}
  --keep             leave the server's folder
  --server-arg ARG   one more argument for the server; may be repeated
Each check prints a line; the last line is "e2e-world: N passed, M failed". Exit status 1 when a check failed.`;

const BOUND_MS = 900000;

class WorldReport extends Report {
  summary() {
    this.out(`e2e-world: ${this.passed} passed, ${this.failed} failed`);
  }
}

function options() {
  const { values: o } = parseArgs({
    options: {
      server: { type: 'string' }, only: { type: 'string' }, keep: { type: 'boolean' },
      'server-arg': { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' },
    },
  });
  if (o.help || !o.server) {
    console.log(usage);
    process.exit(o.help ? 0 : 2);
  }
  return o;
}

async function main() {
  const o = options();
  const report = new WorldReport();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'e2e-world-'));
  const server = new Server({ bin: o.server, dir, extra: o['server-arg'] });
  process.on('exit', () => server.killNow());
  const bound = setTimeout(() => {
    console.log(`FAIL the whole test: not done in ${BOUND_MS} ms`);
    report.failed++;
    report.summary();
    process.exit(1);
  }, BOUND_MS);
  process.on('unhandledRejection', () => {}); // the packages leave some promises to nobody
  const only = o.only?.split(',');
  try {
    if (await report.check('the server says ready, and where its doors are', () => server.start())) {
      await play({ report, server, wanted: (part) => !only || only.includes(part) });
    }
  } catch (e) {
    await report.check('scenario', async () => {
      throw e;
    });
  }
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

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130)); // the exit hook kills the server
await main();
