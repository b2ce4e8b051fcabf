// Starts, kills and stops the server under test, with all its doors and the console open.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { sleep } from '../bedrock/report.mjs';
import { publicKey } from '../rs/crypto.mjs';
import { Api } from './api.mjs';

const START_MS = 20000;
const STOP_MS = 5000;
const doors = { rcce: /^\s*rcce\s+127\.0\.0\.1:(\d+)\/udp/, rs: /^\s*rs\s+127\.0\.0\.1:(\d+)\/tcp/, bedrock: /^\s*bedrock\s+127\.0\.0\.1:(\d+)\/udp/ };

export class Server {
  /** o: {bin, dir, world, doors, extra}. dir is made; world is a file, the embedded one if left out; doors: false shuts them. */
  constructor({ bin, dir, world, doors: open = true, extra = [] }) {
    Object.assign(this, { bin, dir, world, open, extra });
    this.data = path.join(dir, 'data');
    this.lines = [];
    this.consolePort = 0; // any; a server that comes back takes the one it had
  }

  /** Resolves once the server says that it is ready. Then there are: url (with the token), base, token, api, ports, key. */
  async start() {
    const from = this.lines.length;
    this.exit = undefined;
    const child = (this.child = spawn(this.bin, this.#arguments(), { stdio: ['ignore', 'pipe', 'pipe'], env: foreign() }));
    child.on('error', (e) => this.#ended(child, { code: -1, error: e.message }));
    child.on('exit', (code, signal) => this.#ended(child, { code, signal }));
    this.#read(child.stdout);
    this.#read(child.stderr);
    const own = () => this.lines.slice(from);
    for (const end = performance.now() + START_MS; !own().some((l) => l.startsWith('ready')); await sleep(20)) {
      if (this.exit) throw new Error(`server ended at start (${JSON.stringify(this.exit)}): ${this.tail()}`);
      if (performance.now() > end) throw new Error(`no line "ready" in ${START_MS} ms: ${this.tail()}`);
    }
    this.#learn(own());
    return true;
  }

  #arguments() {
    const each = Object.keys(doors).flatMap((d) => [`--${d}`, this.open ? '127.0.0.1:0' : 'off']);
    const world = this.world ? ['--world', this.world] : [];
    return ['serve', '--data-dir', this.data, ...world, ...each, '--console', `127.0.0.1:${this.consolePort}`,
      '--metrics', 'off', '--no-status', '--log-format', 'json', ...this.extra];
  }

  #learn(lines) {
    const find = (pattern) => {
      for (const l of lines) {
        const m = pattern.exec(l);
        if (m) return m[1];
      }
      throw new Error(`nothing like ${pattern} in what the server printed: ${this.tail(20)}`);
    };
    this.url = find(/^\s*console\s+(http:\S+)/);
    const { origin, hash, port } = new URL(this.url);
    this.base = origin;
    this.consolePort = Number(port);
    this.token = hash.replace('#token=', '');
    this.api = new Api(this.base, this.token);
    if (!this.open) return;
    this.ports = Object.fromEntries(Object.entries(doors).map(([door, pattern]) => [door, Number(find(pattern))]));
    this.key = publicKey(fs.readFileSync(path.join(this.data, 'rs-public.txt'), 'utf8'));
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

  /** What another program of the binary prints about this server's data: cli('why', 'Ann', '--json'). */
  cli(command, ...args) {
    return new Promise((done, no) => {
      execFile(this.bin, [...command.split(' '), ...args, '--data-dir', this.data], { timeout: 15000, env: foreign() }, (e, out, err) => {
        if (e) no(new Error(`truestep ${command} ${args.join(' ')}: ${err.trim() || e.message}`));
        else done(out);
      });
    });
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
    this.child.kill('SIGKILL');
    while (!this.exit) await sleep(10);
  }

  /** SIGTERM. Resolves with the exit; who does not end in time is killed, and killed is set. */
  async stop() {
    if (!this.child || this.exit) return { ...this.exit };
    this.child.kill('SIGTERM');
    for (const end = performance.now() + STOP_MS; !this.exit && performance.now() < end; await sleep(10));
    if (this.exit) return this.exit;
    this.child.kill('SIGKILL');
    return { killed: true };
  }

  /** For the end of this process, which cannot wait. */
  killNow() {
    if (this.child && !this.exit) this.child.kill('SIGKILL');
  }
}

// The environment without TRUESTEP_*: settings of another server would change what is under test.
function foreign() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRUESTEP_')));
}
