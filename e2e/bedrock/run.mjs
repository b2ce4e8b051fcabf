// End-to-end test of the Bedrock door. node e2e/bedrock/run.mjs --server BIN
import './setup.mjs';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from './report.mjs';
import { Server } from './server.mjs';

const { games, play } = await import('./scenario.mjs'); // after the setup, as it needs the packages

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --games LIST       only these: ${Object.keys(games).join(', ')}
  --only LIST        only these parts of the games: lone, chat, refuse, walk, correct, frames, rate, teleport, combat, deaf,
                     stop, transport, hostile, lag, lanes
  --keep             leave the folders of the servers
  --server-arg ARG   one more argument for all servers; may be repeated
Each check prints a line; the last line is "e2e-bedrock: N passed, M failed". Exit status 1 when a check failed.`;

const BOUND_MS = 900000;

function options() {
  const { values: o } = parseArgs({
    options: {
      server: { type: 'string' }, games: { type: 'string' }, only: { type: 'string' }, keep: { type: 'boolean' },
      'server-arg': { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' },
    },
  });
  if (o.help || !o.server) {
    console.log(usage);
    process.exit(o.help ? 0 : 2);
  }
  return o;
}

/** Starts a server, plays the game on it, and stops it whatever happens. */
async function on(name, o, dir, all) {
  const game = games[name];
  const report = all.of(name);
  const server = new Server({ bin: o.server, dir: path.join(dir, name), prediction: game.prediction, extra: [...game.extra, ...o['server-arg']] });
  const emergency = () => server.kill();
  process.on('exit', emergency);
  try {
    if (await report.check('the server says ready, and where its door is', () => server.start())) {
      await play(game, { report, server, parts: o.only?.split(',') });
    }
  } catch (e) {
    await report.check('scenario', async () => {
      throw e;
    });
  } finally {
    const { killed, code } = await server.stop();
    await report.check('the server ended cleanly and never broke', async () => {
      if (server.broken().length > 0) throw new Error(server.broken().slice(0, 3).join(' | '));
      if (killed || code !== 0) throw new Error(`exit ${code}${killed ? ', killed' : ''}: ${server.tail()}`);
    });
    server.kill();
    process.off('exit', emergency);
  }
}

/** Games that are played beside each other: they wait more than they work. The rude ones have the machine for themselves. */
const ROUNDS = [['crew', 'strict'], ['rude'], ['blind', 'full']];

/** Plays a game in a process of its own, passes its lines on, and resolves with what it counted. */
function apart(name, argv) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [new URL(import.meta.url).pathname, ...argv, '--games', name], { stdio: ['ignore', 'pipe', 'inherit'] });
    const stop = () => child.kill('SIGTERM');
    process.on('exit', stop);
    let rest = '';
    let counted = null;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const sum = /^e2e-bedrock: (\d+) passed, (\d+) failed$/.exec(line);
        if (sum) counted = { passed: Number(sum[1]), failed: Number(sum[2]) };
        else console.log(line);
      }
    });
    child.on('close', (code) => {
      process.off('exit', stop);
      if (!counted) console.log(`FAIL ${name}: it ended with status ${code} and counted nothing`);
      resolve(counted ?? { passed: 0, failed: 1 });
    });
  });
}

/** All games, in rounds. */
async function rounds(argv) {
  let passed = 0;
  let failed = 0;
  for (const round of ROUNDS) {
    for (const sum of await Promise.all(round.map((name) => apart(name, argv)))) {
      passed += sum.passed;
      failed += sum.failed;
    }
  }
  console.log(`e2e-bedrock: ${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

async function main() {
  const report = new Report();
  const o = options();
  if (!o.games) return rounds(process.argv.slice(2));
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'e2e-bedrock-'));
  const bound = setTimeout(() => {
    console.log(`FAIL the whole test: not done in ${BOUND_MS} ms`);
    report.failed++;
    report.summary();
    process.exit(1);
  }, BOUND_MS);
  const unheard = []; // the packages leave some promises to nobody; what they say must not end the test
  process.on('unhandledRejection', (e) => unheard.push(String(e?.message ?? e)));
  for (const name of o.games.split(',')) await on(name, o, dir, report);
  clearTimeout(bound);
  if (unheard.length > 0) report.note(`promises of the packages that failed: ${[...new Set(unheard)].slice(0, 3).join(' | ')}`);
  if (o.keep) report.note(`the servers' folders are in ${dir}`);
  else fs.rmSync(dir, { recursive: true, force: true });
  report.summary();
  process.exit(report.failed > 0 ? 1 : 0);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130)); // the exit hook kills the servers
await main();
