// Starts and stops the server under test.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { publicKey } from './crypto.mjs';

const START_MS = 60000;
const STOP_MS = 15000; // it gives itself less than three seconds, and says so when they are over

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export class Server {
  /** o: {bin, dir, extra}. dir is made; accounts are in dir/data, records of the n-th start in dir/record-n. */
  constructor({ bin, dir, extra = [] }) {
    Object.assign(this, { bin, dir, extra });
    this.lines = [];
    this.starts = 0;
  }

  #arguments() {
    this.records = path.join(this.dir, `record-${this.starts}`);
    fs.mkdirSync(this.records, { recursive: true });
    return [
      'serve', '--data-dir', path.join(this.dir, 'data'), '--rcce', 'off', '--rs', '127.0.0.1:0', '--bedrock', 'off', '--metrics', '127.0.0.1:0',
      '--console', 'off', '--no-status', '--rs-record', this.records, '--log-format', 'json', ...this.extra,
    ];
  }

  /** Resolves with the rs port once the server says that it is ready. */
  async start() {
    this.starts++;
    this.args = this.#arguments();
    this.exit = null;
    const from = this.lines.length;
    this.child = spawn(this.bin, this.args, { stdio: ['ignore', 'pipe', 'pipe'], env: foreign() });
    this.child.on('error', (e) => (this.exit = { code: -1, signal: null, error: e.message }));
    this.child.on('exit', (code, signal) => (this.exit = { code, signal }));
    this.#read(this.child.stdout);
    this.#read(this.child.stderr);
    const t = performance.now();
    while (!this.lines.slice(from).some((l) => l.startsWith('ready'))) {
      if (this.exit) throw new Error(`server ended at start (${JSON.stringify(this.exit)}): ${this.tail()}`);
      if (performance.now() - t > START_MS) {
        this.kill();
        throw new Error(`no line "ready" in ${START_MS} ms: ${this.tail()}`);
      }
      await sleep(20);
    }
    this.port = this.#find(from, /^\s*rs\s+127\.0\.0\.1:(\d+)\/tcp/);
    this.metrics = this.#find(from, /^\s*metrics\s+http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
    this.key = publicKey(fs.readFileSync(path.join(this.dir, 'data', 'rs-public.txt'), 'utf8'));
    return this.port;
  }

  #find(from, pattern) {
    for (const l of this.lines.slice(from)) {
      const m = pattern.exec(l);
      if (m) return Number(m[1]);
    }
    throw new Error(`nothing like ${pattern} in what the server printed: ${this.tail(12)}`);
  }

  #read(stream) {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (s) => {
      const parts = (rest + s).split('\n');
      rest = parts.pop();
      this.lines.push(...parts);
    });
  }

  /** Values of the metrics whose line begins with that text: {line: value}. */
  async counted(prefix) {
    const text = await (await fetch(`http://127.0.0.1:${this.metrics}/metrics`)).text();
    const rows = text.split('\n').filter((l) => l.startsWith(prefix));
    return Object.fromEntries(rows.map((l) => [l.slice(0, l.lastIndexOf(' ')), Number(l.slice(l.lastIndexOf(' ') + 1))]));
  }

  tail(n = 5) {
    return this.lines.slice(-n).join(' | ');
  }

  /** Lines that only a broken server writes. */
  broken() {
    return this.lines.filter((l) => /^panic:|^fatal error:|DATA RACE|^goroutine \d+ \[|"level":"ERROR"/.test(l));
  }

  get running() {
    return Boolean(this.child) && !this.exit;
  }

  /** SIGTERM. Resolves with {ms, code, signal}; who does not end in time is killed, and killed is set. */
  async stop() {
    if (!this.running) return { ms: 0, ...this.exit };
    const t = performance.now();
    this.child.kill('SIGTERM');
    while (!this.exit && performance.now() - t < STOP_MS) await sleep(10);
    const ms = Math.round(performance.now() - t);
    if (this.exit) return { ms, ...this.exit };
    this.kill();
    return { ms, killed: true };
  }

  kill() {
    if (this.running) this.child.kill('SIGKILL');
  }
}

// The environment without TRUESTEP_*: settings of another server would change what is under test.
function foreign() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRUESTEP_')));
}
