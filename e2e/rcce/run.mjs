// End-to-end test of the RealmCrafter door. node e2e/rcce/run.mjs --server BIN [--worlds embedded,project] [--project DIR]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { play } from './scenario.mjs';
import { Report } from './report.mjs';
import { Server } from './server.mjs';
import { worlds } from './worlds.mjs';

const usage = `node run.mjs --server BIN [options]
  --server BIN       the truestep binary
  --worlds LIST      embedded, project, or both separated by a comma (default: embedded; with --project: project)
  --world NAME       the same for one world
  --project DIR      a RealmCrafter project, for the world "project"
  --only LIST        after login and entry only these parts: movement, speech, prey, portal, duel, relogin, restart,
                     hostile, loss
  --log DIR          write every message of every client and the server's output there
  --minutes N        time for each world (default 15)
  --server-arg ARG   one more argument for the server; may be repeated
Each check prints a line; the last line is "e2e-rcce: N passed, M failed". Exit status 1 when a check failed.`;

function options() {
  const { values: o } = parseArgs({
    options: {
      server: { type: 'string' }, worlds: { type: 'string' }, world: { type: 'string' }, project: { type: 'string' },
      only: { type: 'string' }, log: { type: 'string' }, minutes: { type: 'string', default: '15' },
      'server-arg': { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' },
    },
  });
  if (o.help || !o.server) {
    console.log(usage);
    process.exit(o.help ? 0 : 2);
  }
  o.list = (o.worlds ?? o.world ?? (o.project ? 'project' : 'embedded')).split(',');
  for (const name of o.list) if (!worlds[name]) throw new Error(`unknown world ${name}, want ${Object.keys(worlds)}`);
  return o;
}

function logger(dir, name) {
  if (!dir) return { log: () => {}, close: () => {} };
  fs.mkdirSync(dir, { recursive: true });
  const file = fs.createWriteStream(path.join(dir, `${name}.log`));
  return { log: (line) => file.write(`${line}\n`), close: () => file.end() };
}

async function playWorld(name, o, report) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), `e2e-rcce-${name}-`));
  const server = new Server({ bin: o.server, dataDir, project: name === 'project' ? o.project : undefined, extra: o['server-arg'] });
  const { log, close } = logger(o.log, name);
  const emergency = () => server.kill();
  process.on('exit', emergency);
  report.prefix = o.list.length > 1 ? `${name}: ` : '';
  let timer;
  const bound = new Promise((_, no) => {
    timer = setTimeout(no, Number(o.minutes) * 60000, new Error(`not done in ${o.minutes} minutes`));
  });
  try {
    if (await report.check('server says ready and names its rcce port', () => server.start())) {
      await Promise.race([play({ report, server, world: worlds[name], log, parts: o.only?.split(',') }), bound]);
    }
  } catch (e) {
    await report.check('scenario', async () => {
      throw e;
    });
  } finally {
    clearTimeout(timer);
    await report.check('server ends cleanly and never broke', async () => {
      const { killed, ms, code } = await server.stop();
      if (server.broken().length > 0) throw new Error(server.broken().slice(0, 3).join(' | '));
      if (killed) throw new Error(`still running after ${ms} ms`);
      if (code !== 0) throw new Error(`exit ${code}: ${server.tail()}`);
    });
    server.kill();
    process.off('exit', emergency);
    for (const l of server.lines) log(`server ${l.from} ${l.t} ${l.text}`);
    close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function main() {
  const report = new Report();
  const o = options();
  const played = [];
  for (const name of o.list) {
    if (name === 'project' && !(o.project && fs.existsSync(o.project))) {
      console.log(`note no RealmCrafter project at ${o.project ?? '(no --project given)'}: the world "project" is not played`);
      if (o.list.length === 1) await report.check('project directory', async () => { throw new Error('missing'); });
      continue;
    }
    await playWorld(name, o, report);
    played.push(name);
  }
  console.log(`worlds played: ${played.join(', ') || 'none'} of ${o.list.join(', ')}`);
  report.summary();
  process.exit(report.failed > 0 ? 1 : 0);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130)); // the exit hook kills the server
await main();
