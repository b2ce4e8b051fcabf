// Starts and stops the server under test.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { clock } from './udp.mjs';

const START_MS = 60000;
const STOP_MS = 15000; // it gives itself less than three seconds, and its exit status tells when they were not enough
const OTHER_DOORS = ['--rs', '--bedrock', '--web', '--console', '--metrics'];

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export class Server {
  /** @param {{bin: string, dataDir: string, project?: string, extra?: string[]}} o */
  constructor({ bin, dataDir, project, extra = [] }) {
    Object.assign(this, { bin, dataDir, project, extra });
    this.lines = [];
    this.help = spawnSync(bin, ['serve', '--help'], { encoding: 'utf8', timeout: START_MS });
  }

  #arguments() {
    const args = ['serve', '--data-dir', this.dataDir, '--rcce', '127.0.0.1:0', '--rs', 'off'];
    if (this.project) args.push('--rcce-project', this.project);
    const text = `${this.help.stdout}${this.help.stderr}`;
    for (const door of OTHER_DOORS) {
      if (new RegExp(`(^|[\\s,])${door}([=\\s]|$)`, 'm').test(text)) args.push(`${door}=off`);
    }
    return [...args, ...this.extra];
  }

  /** Resolves with the rcce port once the server says that it is ready. */
  async start() {
    this.args = this.#arguments();
    this.exit = null;
    const from = this.lines.length;
    this.child = spawn(this.bin, this.args, { stdio: ['ignore', 'pipe', 'pipe'], env: foreign() });
    this.child.on('error', (e) => (this.exit = { code: -1, signal: null, error: e.message }));
    this.child.on('exit', (code, signal) => (this.exit = { code, signal }));
    this.#read(this.child.stdout, 'out');
    this.#read(this.child.stderr, 'err');
    const t = clock();
    for (;;) {
      const own = this.lines.slice(from);
      if (own.some((l) => l.from === 'out' && l.text.startsWith('ready'))) {
        const port = this.#port(own);
        if (port) return (this.port = port);
      }
      if (this.exit) throw new Error(`server ended at start (${JSON.stringify(this.exit)}): ${this.tail()}`);
      if (clock() - t > START_MS) {
        this.kill();
        throw new Error(`no "ready" line with an rcce address in ${START_MS} ms: ${this.tail()}`);
      }
      await sleep(20);
    }
  }

  #read(stream, from) {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (s) => {
      const parts = (rest + s).split('\n');
      rest = parts.pop();
      for (const text of parts) this.lines.push({ t: clock(), from, text });
    });
  }

  #port(lines) {
    for (const { text } of lines) {
      const m = /127\.0\.0\.1:(\d+)/.exec(text);
      if (/rcce/i.test(text) && m && m[1] !== '0') return Number(m[1]);
    }
    return 0;
  }

  tail(n = 5) {
    return this.lines.slice(-n).map((l) => l.text).join(' | ');
  }

  /** Lines that only a broken server writes. */
  broken() {
    return this.lines.filter((l) => /^panic:|^fatal error:|DATA RACE|^goroutine \d+ \[/.test(l.text)).map((l) => l.text);
  }

  /** Resident memory in MiB, 0 when unknown. */
  memory() {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1]) / 1024;
    } catch {
      return 0;
    }
  }

  /** Milliseconds that threads of the server and of this process have waited for a CPU, all together; 0 when unknown. */
  waited() {
    return waitedFor(this.child?.pid) + waitedFor('self');
  }

  get running() {
    return Boolean(this.child) && !this.exit;
  }

  /** SIGTERM. Resolves with {ms, code, signal}; one that does not end is killed, and killed is set. */
  async stop() {
    if (!this.running) return { ms: 0, ...this.exit };
    const t = clock();
    this.child.kill('SIGTERM');
    while (!this.exit && clock() - t < STOP_MS) await sleep(10);
    const ms = clock() - t;
    if (this.exit) return { ms, ...this.exit };
    this.kill();
    return { ms, killed: true };
  }

  kill() {
    if (this.running) this.child.kill('SIGKILL');
  }
}

function waitedFor(pid) {
  const read = (fn) => {
    try {
      return fn();
    } catch {
      return undefined; // another system, or a thread that has ended
    }
  };
  const threads = read(() => fs.readdirSync(`/proc/${pid}/task`)) ?? [];
  const delays = threads.map((id) => read(() => fs.readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[1]));
  return delays.reduce((sum, ns) => sum + Number(ns ?? 0) / 1e6, 0);
}

// The environment without TRUESTEP_*: settings of another server would change what is under test.
function foreign() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRUESTEP_')));
}
