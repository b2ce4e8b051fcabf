// End-to-end test of the Bedrock door. node e2e/bedrock/run.mjs --server BIN
import './setup.mjs';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseClosingLine } from '../lib/report.mjs';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';
import { writeYard } from './yard.mjs';

const { games, parts, play } = await import('./scenario.mjs'); // imported after setup.mjs, because it imports the installed packages

const NAME = 'e2e-bedrock';
const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --games LIST       only these games: ${Object.keys(games).join(', ')}
  --only LIST        only these parts of the games: ${parts.join(', ')}
  --keep             keep the folders of the servers
  --server-arg ARG   one more argument for all servers; may be repeated
Each check prints a line; the last line is "${NAME}: N passed, M failed". Exit status 1 when a check failed.`;

const o = parseOptions(usage, { parts, options: { games: { type: 'string' } } });

/** Plays one game on a server of its own. */
async function playGame(name, report, dir) {
  const game = games[name];
  const folder = path.join(dir, name);
  const world = writeYard(folder, game);
  const server = new Server({ bin: o.server, dir: folder, doors: ['bedrock'], world, extra: [...game.extra, ...o.serverArgs] });
  await withServer(report, server, () => play(game, { report, server, wanted: o.wanted }));
}

/** The games of each process. The processes run at the same time, because they mostly wait, and take about equally long. */
const shares = ['strict,correct', 'crew,rate', 'hostile,transport,accept,full', 'waters,effects,bow', 'stables,riders,lost'];

const isWanted = (name) => games[name].parts.some(o.wanted);

/** Plays games one after the other in a child process, prints its lines, and resolves with the counts of its closing line. */
function playInProcess(names) {
  return new Promise((resolve) => {
    const argv = [new URL(import.meta.url).pathname, ...process.argv.slice(2), '--games', names];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    const stop = () => child.kill('SIGTERM');
    process.on('exit', stop);
    let rest = '';
    let counts;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const closing = parseClosingLine(NAME, line);
        if (closing) counts = closing;
        else console.log(line);
      }
    });
    child.on('close', (status) => {
      process.off('exit', stop);
      if (!counts) console.log(`FAIL ${names}: exit status ${status} without a closing line`);
      resolve(counts ?? { passed: 0, failed: 1 });
    });
  });
}

await runSuite(NAME, { keep: o.keep, limit: o.games ? undefined : 2700000 }, async ({ report, dir }) => {
  if (o.games) {
    for (const name of o.games.split(',').filter(isWanted)) await playGame(name, report.of(name), dir);
    return;
  }
  const played = shares.filter((names) => names.split(',').some(isWanted));
  for (const counts of await Promise.all(played.map(playInProcess))) report.add(counts);
});
