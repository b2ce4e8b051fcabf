// End-to-end test of the RuneScape door. node e2e/rs/run.mjs --server BIN
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from './report.mjs';
import { play } from './scenario.mjs';
import { Server } from './server.mjs';
import { swarm } from './swarm.mjs';

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        of the small scenarios only these parts, without the swarm: movement, speech, prey, travel, duel,
                     keep, hostile, restart (duel, keep and hostile need travel), or none; or swarm, which is that alone
  --clients N        players of the swarm (default 100)
  --cycles N         cycles that they play (default 200)
  --seed N           of what they do (default 1)
  --keep             leave the folder with accounts and records
  --server-arg ARG   one more argument for both servers; may be repeated
Each check prints a line; the last line is "e2e-rs: N passed, M failed". Exit status 1 when a check failed.`;

const BOUND_MS = 900000; // three times what it takes, and more

function options() {
  const { values: o } = parseArgs({
    options: {
      server: { type: 'string' }, only: { type: 'string' }, clients: { type: 'string', default: '100' },
      cycles: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' }, keep: { type: 'boolean' },
      'server-arg': { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' },
    },
  });
  if (o.help || !o.server) {
    console.log(usage);
    process.exit(o.help ? 0 : 2);
  }
  return o;
}

/** Starts a server, lets fn play on it, and stops it whatever happens. */
async function on(name, o, dir, report, fn) {
  const server = new Server({ bin: o.server, dir: path.join(dir, name), extra: [...o['server-arg']] });
  const emergency = () => server.kill();
  process.on('exit', emergency);
  try {
    if (await report.check(`${name}: the server says ready, and where its doors are`, () => server.start())) await fn(server);
  } catch (e) {
    await report.check(`${name}: scenario`, async () => {
      throw e;
    });
  } finally {
    const { killed, code } = await server.stop();
    await report.check(`${name}: the server ended cleanly and never broke`, async () => {
      if (server.broken().length > 0) throw new Error(server.broken().slice(0, 3).join(' | '));
      if (killed || code !== 0) throw new Error(`exit ${code}${killed ? ', killed' : ''}: ${server.tail()}`);
    });
    server.kill();
    process.off('exit', emergency);
  }
}

async function main() {
  const report = new Report();
  const o = options();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'e2e-rs-'));
  const parts = o.only?.split(',');
  const games = [];
  if (!parts || parts.includes('swarm')) {
    const figures = { clients: Number(o.clients), cycles: Number(o.cycles), seed: Number(o.seed) };
    games.push(on('swarm', o, dir, report, (server) => swarm({ report, server, ...figures })));
  }
  if (!parts?.includes('swarm')) games.push(on('small', o, dir, report, (server) => play({ report, server, parts })));
  const bound = setTimeout(() => {
    console.log(`FAIL the whole test: not done in ${BOUND_MS} ms`);
    report.failed++;
    report.summary();
    process.exit(1);
  }, BOUND_MS);
  await Promise.all(games);
  clearTimeout(bound);
  if (o.keep) report.note(`records are in ${dir}`);
  else fs.rmSync(dir, { recursive: true, force: true });
  report.summary();
  process.exit(report.failed > 0 ? 1 : 0);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130)); // the exit hook kills the servers
await main();
