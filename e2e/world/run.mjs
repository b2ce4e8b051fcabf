// End-to-end test of one world behind all doors. node e2e/world/run.mjs --server BIN
import '../bedrock/setup.mjs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';

const { games, parts, play } = await import('./scenario.mjs'); // imported after setup.mjs, because it imports the installed packages

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts: ${parts.join(', ')}
  --keep             keep the folders of the servers
  --server-arg ARG   one more argument for all servers; may be repeated
Each check prints a line; the last line is "e2e-world: N passed, M failed". Exit status 1 when a check failed.`;

const o = parseOptions(usage, { parts });
const world = fileURLToPath(new URL('common.toml', import.meta.url));

/** Plays one game on a server of its own. */
async function playGame(name, report, dir) {
  const server = new Server({ bin: o.server, dir, world, doors: ['rcce', 'rs', 'bedrock'], console: true, extra: o.serverArgs });
  await withServer(report, server, () => play(games[name], { report, server, wanted: o.wanted }));
}

await runSuite('e2e-world', o, async ({ report, dir }) => {
  const played = Object.keys(games).filter((name) => games[name].parts.some(o.wanted));
  await Promise.all(played.map((name) => playGame(name, report.of(name), path.join(dir, name)))); // they mostly wait
});
