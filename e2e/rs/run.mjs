// End-to-end test of the RuneScape door. node e2e/rs/run.mjs --server BIN
import path from 'node:path';
import { writeLingering } from '../lib/linger.mjs';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';
import { GRACE_S } from './checks/keep.mjs';
import { games, parts, play } from './scenario.mjs';
import { swarm } from './swarm.mjs';

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --only LIST        only these parts, without the swarm: ${parts.join(', ')}
                     (duel, keep and hostile need travel); or only the swarm: swarm
  --clients N        players of the swarm (default 100)
  --cycles N         cycles that the swarm plays (default 200)
  --seed N           seed of the swarm's decisions (default 1)
  --keep             keep the folder with accounts and records
  --server-arg ARG   one more argument for all servers; may be repeated
Each check prints a line; the last line is "e2e-rs: N passed, M failed". Exit status 1 when a check failed.`;

const defaultWorld = new URL('../../content/default.toml', import.meta.url);
const COMBAT_S = 120; // how long a player without a socket stays in a fight; in the default 20 s a busy machine may not show it a hit

const number = (text) => ({ type: 'string', default: text });
const o = parseOptions(usage, { parts: [...parts, 'swarm'], options: { clients: number('100'), cycles: number('200'), seed: number('1') } });

await runSuite('e2e-rs', o, async ({ report, dir }) => {
  const withGame = (name, run) => {
    const folder = path.join(dir, name);
    const world = writeLingering(path.join(folder, 'world.toml'), defaultWorld, { time: GRACE_S, combat: COMBAT_S });
    const server = new Server({ bin: o.server, dir: folder, doors: ['rs'], world, recordRs: true, extra: o.serverArgs });
    return withServer(report.of(name), server, run);
  };
  const size = { clients: Number(o.clients), cycles: Number(o.cycles), seed: Number(o.seed) };
  const played = Object.keys(games).filter((name) => games[name].parts.some(o.wanted)).map((name) => (
    withGame(name, (server) => play(games[name], { report: report.of(name), server, wanted: o.wanted }))));
  if (o.wanted('swarm')) played.push(withGame('swarm', (server) => swarm({ report: report.of('swarm'), server, ...size })));
  await Promise.all(played);
});
