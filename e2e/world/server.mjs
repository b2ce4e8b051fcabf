// Starts, kills and stops the server under test, with all its doors open.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep } from '../bedrock/report.mjs';
import { publicKey } from '../rs/crypto.mjs';

const START_MS = 60000;
const STOP_MS = 15000; // it takes less than three seconds on a machine of its own
const ANY = '127.0.0.1:0';
const common = fileURLToPath(new URL('common.toml', import.meta.url));
const doors = { rcce: /^\s*rcce\s+127\.0\.0\.1:(\d+)\/udp/, rs: /^\s*rs\s+127\.0\.0\.1:(\d+)\/tcp/, bedrock: /^\s*bedrock\s+127\.0\.0\.1:(\d+)\/udp/ };

export class Server {
  metricsAt = ANY;
  consoleAt = 'off';

  /** o: {bin, dir, world, doors, extra}. dir is made; accounts are in dir/data. world is a file, null the embedded one; doors: false shuts them. */
  constructor({ bin, dir, world = common, doors: open = true, extra = [] }) {
    Object.assign(this, { bin, dir, world, open, extra });
    this.data = path.join(dir, 'data');
    this.lines = [];
  }

  /** Resolves once the server says that it is ready. ports has the port of each door, key the RuneScape door's. */
  async start() {
    this.from = this.lines.length;
    this.exit = undefined;
    const child = (this.child = spawn(this.bin, this.#arguments(), { stdio: ['ignore', 'pipe', 'pipe'], env: foreign() }));
    child.on('error', (e) => this.#ended(child, { code: -1, error: e.message }));
    child.on('exit', (code, signal) => this.#ended(child, { code, signal }));
    this.#read(child.stdout);
    this.#read(child.stderr);
    for (const end = performance.now() + START_MS; !this.#own().some((l) => l.startsWith('ready')); await sleep(20)) {
      if (this.exit) throw new Error(`server ended at start (${JSON.stringify(this.exit)}): ${this.tail()}`);
      if (performance.now() > end) throw new Error(`no line "ready" in ${START_MS} ms: ${this.tail()}`);
    }
    if (this.metricsAt !== 'off') this.metrics = this.find(/^\s*metrics\s+(http:\S+)/);
    if (this.open) {
      this.ports = Object.fromEntries(Object.entries(doors).map(([door, pattern]) => [door, Number(this.find(pattern))]));
      this.key = publicKey(fs.readFileSync(path.join(this.data, 'rs-public.txt'), 'utf8'));
    }
    return true;
  }

  #arguments() {
    const each = Object.keys(doors).flatMap((d) => [`--${d}`, this.open ? ANY : 'off']);
    const world = this.world ? ['--world', this.world] : [];
    return ['serve', '--data-dir', this.data, ...world, ...each, '--console', this.consoleAt, '--metrics', this.metricsAt,
      '--no-status', '--log-format', 'json', ...this.extra];
  }

  /** What has been printed since the last start. */
  #own() {
    return this.lines.slice(this.from);
  }

  find(pattern) {
    for (const l of this.#own()) {
      const m = pattern.exec(l);
      if (m) return m[1];
    }
    throw new Error(`nothing like ${pattern} in what the server printed: ${this.tail(20)}`);
  }

  #ended(child, exit) {
    if (child === this.child) this.exit = exit;
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
    const text = await (await fetch(this.metrics)).text();
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

  /** SIGKILL; resolves when the process is gone. */
  async kill() {
    if (!this.child || this.exit) return;
    this.killNow();
    while (!this.exit) await sleep(10);
  }

  /** SIGTERM. Resolves with the exit; who does not end in time is killed, and killed is set. */
  async stop() {
    if (!this.child || this.exit) return { ...this.exit };
    this.child.kill('SIGTERM');
    for (const end = performance.now() + STOP_MS; !this.exit && performance.now() < end; await sleep(10));
    if (this.exit) return this.exit;
    this.killNow();
    return { killed: true };
  }

  /** For the end of this process, which cannot wait. */
  killNow() {
    if (this.child && !this.exit) this.child.kill('SIGKILL');
  }
}

// The environment without TRUESTEP_*: settings of another server would change what is under test.
export function foreign() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRUESTEP_')));
}
