// A PostgreSQL server for a suite: in a temporary folder, on a free port of 127.0.0.1, without syncing to disk.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePorts } from './ports.mjs';
import { sleep } from './wait.mjs';

const START_LIMIT_MS = 60000;
const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', 'autovacuum=off', 'dynamic_shared_memory_type=mmap'];

/** The folder of the programs: that of initdb in PATH, or else the newest version that Debian's packages have installed. */
export function findPrograms() {
  const inPath = (process.env.PATH ?? '').split(path.delimiter).filter((dir) => dir && fs.existsSync(path.join(dir, 'initdb')));
  if (inPath.length > 0) return path.dirname(fs.realpathSync(path.join(inPath[0], 'initdb')));
  const root = '/usr/lib/postgresql';
  const versions = fs.existsSync(root) ? fs.readdirSync(root).filter((v) => fs.existsSync(path.join(root, v, 'bin/initdb'))) : [];
  if (versions.length === 0) throw new Error('the suite needs PostgreSQL: install it, on Debian with apt-get install postgresql');
  return path.join(root, versions.sort((a, b) => b - a)[0], 'bin');
}

/** The user and group as which PostgreSQL runs if this process is root, because initdb refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const users = fs.readFileSync('/etc/passwd', 'utf8').split('\n').map((l) => l.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? ['', '', 65534, 65534];
  return { uid: Number(uid), gid: Number(gid) };
}

export class Postgres {
  /** Sets url, the address of an empty database. */
  async start() {
    const bin = findPrograms();
    const user = unprivileged();
    this.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'truestep-postgres-'));
    if (user.uid) fs.chownSync(this.dir, user.uid, user.gid);
    const data = path.join(this.dir, 'data');
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }; // without variables such as PGPORT
    execFileSync(path.join(bin, 'initdb'), ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions'], { ...user, env, cwd: this.dir, stdio: 'pipe' });
    const [port] = await freePorts(1);
    const log = fs.openSync(path.join(this.dir, 'log'), 'a');
    this.child = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])], { ...user, env, cwd: this.dir, stdio: ['ignore', log, log] });
    this.child.on('error', (e) => (this.failed = e));
    const pidFile = path.join(data, 'postmaster.pid');
    for (const end = performance.now() + START_LIMIT_MS; !/\nready/.test(fs.existsSync(pidFile) ? fs.readFileSync(pidFile, 'utf8') : ''); await sleep(50)) {
      if (this.failed || this.child.exitCode !== null || performance.now() > end) {
        throw new Error(`PostgreSQL does not start: ${this.failed?.message ?? fs.readFileSync(path.join(this.dir, 'log'), 'utf8').trim().split('\n').at(-1)}`);
      }
    }
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
  }

  /** Ends the server at once, for the exit hook of this process. SIGQUIT makes PostgreSQL end all of its processes. */
  killNow() {
    if (this.#running) this.child.kill('SIGQUIT');
  }

  get #running() {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Ends the server and removes its folder. */
  async stop() {
    if (this.#running) {
      const ended = new Promise((done) => this.child.once('exit', done));
      this.killNow();
      await ended;
    }
    if (this.dir) fs.rmSync(this.dir, { recursive: true, force: true });
  }
}
