// End-to-end test of one world behind all doors. node e2e/world/run.mjs --server BIN
import '../bedrock/setup.mjs';
import { fileURLToPath } from 'node:url';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';

const { parts, play } = await import('./scenario.mjs'); // after setup.mjs: it imports the installed packages

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts: ${parts.join(', ')}
  --keep             keep the server's folder
  --server-arg ARG   one more argument for the server; may be repeated
Each check prints a line; the last line is "e2e-world: N passed, M failed". Exit status 1 when a check failed.`;

const o = parseOptions(usage, { parts });
const world = fileURLToPath(new URL('common.toml', import.meta.url));

await runSuite('e2e-world', o, async ({ report, dir }) => {
  const server = new Server({ bin: o.server, dir, world, doors: ['rcce', 'rs', 'bedrock'], console: true, extra: o.serverArgs });
  await withServer(report, server, () => play({ report, server, wanted: o.wanted }));
});
