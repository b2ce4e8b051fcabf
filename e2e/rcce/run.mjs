// End-to-end test of the RealmCrafter door. node e2e/rcce/run.mjs --server BIN [--worlds embedded,project] [--project DIR]
import fs from 'node:fs';
import path from 'node:path';
import { Server } from '../lib/server.mjs';
import { parseOptions, runSuite, withServer } from '../lib/suite.mjs';
import { withTimeout } from '../lib/wait.mjs';
import { games, parts, play } from './scenario.mjs';
import { worlds } from './worlds.mjs';

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --worlds LIST      embedded, project, or both separated by a comma (default: embedded; with --project: project)
  --world NAME       the same for one world
  --project DIR      a RealmCrafter project, for the world "project"
  --only LIST        only these parts after login and entry: ${parts.join(', ')}
  --log DIR          write every message of every client and the server's output there
  --minutes N        limit for each world (default 15)
  --keep             keep the server's folders
  --server-arg ARG   one more argument for the server; may be repeated
Each check prints a line; the last line is "e2e-rcce: N passed, M failed". Exit status 1 when a check failed.`;

const string = { type: 'string' };
const o = parseOptions(usage, { parts, options: { worlds: string, world: string, project: string, log: string, minutes: { ...string, default: '15' } } });
const names = (o.worlds ?? o.world ?? (o.project ? 'project' : 'embedded')).split(',');
for (const name of names) if (!worlds[name]) throw new Error(`unknown world ${name}, want ${Object.keys(worlds)}`);

function openLog(name) {
  if (!o.log) return { log: () => {}, close: () => {} };
  fs.mkdirSync(o.log, { recursive: true });
  const file = fs.createWriteStream(path.join(o.log, `${name}.log`));
  return { log: (line) => file.write(`${line}\n`), close: () => file.end() };
}

/** Plays one game of a world on a server of its own. */
async function playGame(game, name, report, dir) {
  const extra = [...(name === 'project' ? ['--rcce-project', o.project] : []), ...o.serverArgs];
  const server = new Server({ bin: o.server, dir: path.join(dir, name, game), doors: ['rcce'], extra });
  const { log, close } = openLog(`${name}-${game}`);
  const limit = Number(o.minutes) * 60000;
  await withServer(report, server, () => withTimeout(play(games[game], { report, server, world: worlds[name], log, wanted: o.wanted }), limit));
  for (const { t, stream, text } of server.lines) log(`server ${stream} ${Math.round(t)} ${text}`);
  close();
}

const limit = (Number(o.minutes) + 1) * 60000;
await runSuite('e2e-rcce', { keep: o.keep, limit }, async ({ report, dir }) => {
  const played = names.filter((name) => name !== 'project' || (o.project && fs.existsSync(o.project)));
  if (played.length < names.length) {
    report.note(`no RealmCrafter project at ${o.project ?? '(no --project given)'}: the world "project" is skipped`);
    if (names.length === 1) report.fail('project directory', 'missing');
  }
  const wanted = Object.keys(games).filter((game) => games[game].parts.some(o.wanted));
  const all = played.flatMap((name) => wanted.map((game) => playGame(game, name, report.of(`${name} ${game}`), dir)));
  await Promise.all(all); // they mostly wait
  console.log(`worlds played: ${played.join(', ') || 'none'} of ${names.join(', ')}`);
});
