// What all suites share: command line options, a temporary folder, a time limit of the whole run, a server for each game, and the
// exit status.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { oneLine, Report } from './report.mjs';

const SUITE_LIMIT_MS = 900000; // about three times the duration of the longest suite

/** Options that every suite has. */
const common = {
  server: { type: 'string' }, only: { type: 'string' }, except: { type: 'string' }, keep: { type: 'boolean' },
  'server-arg': { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' },
};

/**
 * Parses the command line. With --help, or without --server, prints usage and exits. The result also has serverArgs, and
 * wanted(part), which returns whether to play that part: --only is absent or names it, and --except does not. parts: the names
 * that --only and --except accept.
 */
export function parseOptions(usage, { options = {}, parts = [] } = {}) {
  const { values: o } = parseArgs({ options: { ...common, ...options } });
  if (o.help || !o.server) {
    console.log(usage);
    process.exit(o.help ? 0 : 2);
  }
  for (const option of ['only', 'except']) {
    o[option] = o[option]?.split(',');
    const unknown = o[option]?.find((part) => !parts.includes(part));
    if (unknown === undefined) continue;
    console.error(`--${option} ${unknown}: no such part, want some of ${parts.join(', ')}`);
    process.exit(2);
  }
  const wanted = (part) => (!o.only || o.only.includes(part)) && !o.except?.includes(part);
  return { ...o, serverArgs: o['server-arg'], wanted };
}

/** Runs play({report, dir}) and exits with the status of the report. keep: the temporary folder is not removed. */
export async function runSuite(name, { keep = false, limit = SUITE_LIMIT_MS }, play) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130)); // exit hooks kill the servers
  const rejections = []; // rejected promises that the npm packages do not handle; they must not end the suite
  process.on('unhandledRejection', (e) => rejections.push(String(e?.message ?? e)));
  const report = new Report(name);
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  const timer = setTimeout(() => {
    report.fail('whole suite', `not done in ${limit} ms`);
    process.exit(report.close());
  }, limit);
  await play({ report, dir });
  clearTimeout(timer);
  if (rejections.length > 0) report.note(`unhandled rejections: ${[...new Set(rejections)].slice(0, 3).join(' | ')}`);
  if (keep) report.note(`files of the servers are in ${dir}`);
  else fs.rmSync(dir, { recursive: true, force: true });
  process.exit(report.close());
}

/**
 * Starts a server, runs play, and stops the server, also if play throws, which counts as a failed check. Checks that the server
 * starts, exits with status 0, and has printed no faults.
 */
export async function withServer(report, server, play) {
  const killServer = () => server.killNow();
  process.on('exit', killServer);
  try {
    if (await report.check('server starts and prints its addresses', () => server.start())) await play(server);
  } catch (e) {
    report.fail('scenario', oneLine(e));
    if (process.env.E2E_STACK) console.error(e.stack);
  } finally {
    await report.check('server stops with exit status 0 and has logged no fault', () => stopCleanly(server));
    process.off('exit', killServer);
  }
}

async function stopCleanly(server) {
  const { killed, code, ms } = await server.stop();
  if (server.faults().length > 0) throw new Error(server.faults().slice(0, 3).join(' | '));
  if (killed) throw new Error(`the server was still running ${ms} ms after SIGTERM and was killed: ${server.tail()}`);
  if (code !== 0) throw new Error(`the server ended with exit status ${code}: ${server.tail()}`);
}
