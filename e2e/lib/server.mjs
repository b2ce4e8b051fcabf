// The server under test: `truestep serve` as a child process. Server starts it on free ports of 127.0.0.1, reads the addresses
// from its start screen, retains its output, and stops it.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ConsoleApi } from './console_api.mjs';
import { freePorts } from './ports.mjs';
import { residentMiB, schedulerDelayMs } from './process_stats.mjs';
import { sleep } from './wait.mjs';

const START_LIMIT_MS = 60000;
const STOP_LIMIT_MS = 15000; // the server itself takes less than 3 s on an idle machine
const CLI_LIMIT_MS = 60000;
const ANY_PORT = '127.0.0.1:0';

/** The line of the start screen with the address of each door. */
const doorLines = {
  rcce: /^\s*rcce\s+127\.0\.0\.1:(\d+)\/udp/,
  rs: /^\s*rs\s+127\.0\.0\.1:(\d+)\/tcp/,
  bedrock: /^\s*bedrock\s+127\.0\.0\.1:(\d+)\/udp/,
  web: /^\s*web\s+127\.0\.0\.1:(\d+)\/tcp/,
};

export class Server {
  /**
   * dir: folder that is created; dir/data is the data folder, dir/record-n has the player info recorded in the n-th start. doors:
   * the doors that listen; the others are off. world: path of a world file; without it the embedded world. extra: more arguments.
   * start() sets ports {door: port}, metricsURL, records, and with console also consoleURL, consoleBase, consoleToken and api.
   */
  constructor({ bin, dir, doors = [], world, console = false, metrics = true, recordRs = false, extra = [] }) {
    Object.assign(this, { bin: path.resolve(bin), dir, doors, world, console, metrics, recordRs, extra: [...extra] });
    this.data = path.join(dir, 'data');
    this.lines = []; // lines of output: {t, stream, text}; t in ms of performance.now()
    this.starts = 0;
    // Ports of the console and of the web door; the first start chooses those that are 0. A restart uses them again, so that an open
    // page can reconnect.
    this.consolePort = 0;
    this.webPort = 0;
  }

  #arguments() {
    const args = ['serve', '--data-dir', this.data, '--no-status', '--log-format', 'json'];
    for (const door of Object.keys(doorLines)) args.push(`--${door}`, this.doors.includes(door) ? this.#address(door) : 'off');
    args.push('--console', this.console ? `127.0.0.1:${this.consolePort}` : 'off', '--metrics', this.metrics ? ANY_PORT : 'off');
    if (this.world) args.push('--world', this.world);
    if (this.recordRs) args.push('--rs-record', this.records);
    return [...args, ...this.extra];
  }

  #address(door) {
    return door === 'web' ? `127.0.0.1:${this.webPort}` : ANY_PORT;
  }

  /** Resolves with true once the server has printed "ready". A server that a failed check has left running is killed before. */
  async start() {
    await this.kill();
    if (this.console && this.consolePort === 0) [this.consolePort] = await freePorts(1);
    if (this.doors.includes('web') && this.webPort === 0) [this.webPort] = await freePorts(1);
    this.starts++;
    this.startedMs = Date.now();
    this.records = path.join(this.dir, `record-${this.starts}`);
    fs.mkdirSync(this.recordRs ? this.records : this.dir, { recursive: true });
    this.exit = undefined;
    this.firstLine = this.lines.length;
    const child = (this.child = spawn(this.bin, this.#arguments(), { stdio: ['ignore', 'pipe', 'pipe'], env: cleanEnvironment() }));
    child.on('error', (e) => this.#ended(child, { code: -1, error: e.message }));
    child.on('exit', (code, signal) => this.#ended(child, { code, signal }));
    this.#collect(child.stdout, 'out');
    this.#collect(child.stderr, 'err');
    const end = performance.now() + START_LIMIT_MS;
    while (!this.#ownLines().some(({ text }) => text.startsWith('ready'))) {
      if (this.exit) throw new Error(`the server exited during its start (${JSON.stringify(this.exit)}): ${this.tail()}`);
      if (performance.now() > end) {
        this.killNow();
        throw new Error(`the server has not printed "ready" within ${START_LIMIT_MS} ms: ${this.tail()}`);
      }
      await sleep(20);
    }
    this.#readAddresses();
    return true;
  }

  #readAddresses() {
    this.ports = Object.fromEntries(this.doors.map((door) => [door, Number(this.find(doorLines[door]))]));
    this.webPort = this.ports.web ?? 0;
    if (this.metrics) this.metricsURL = this.find(/^\s*metrics\s+(http:\S+)/);
    if (!this.console) return;
    this.consoleURL = this.find(/^\s*console\s+(http:\S+)/);
    const { origin, hash, port } = new URL(this.consoleURL);
    this.consoleBase = origin;
    this.consolePort = Number(port);
    this.consoleToken = hash.replace('#token=', '');
    this.api = new ConsoleApi(origin, this.consoleToken);
  }

  #ended(child, exit) {
    if (child === this.child) this.exit = exit;
  }

  #collect(stream, name) {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (s) => {
      const parts = (rest + s).split('\n');
      rest = parts.pop();
      for (const text of parts) this.lines.push({ t: performance.now(), stream: name, text });
    });
  }

  /** The lines that the server has printed since the last start. */
  #ownLines() {
    return this.lines.slice(this.firstLine);
  }

  /** The first capture group of pattern in the first matching line since the last start. Throws if no line matches. */
  find(pattern) {
    for (const { text } of this.#ownLines()) {
      const m = pattern.exec(text);
      if (m) return m[1];
    }
    throw new Error(`no line matches ${pattern} in the server's output: ${this.tail(20)}`);
  }

  /** The last n lines of output. */
  tail(n = 5) {
    return this.lines.slice(-n).map(({ text }) => text).join(' | ');
  }

  /** The lines that only a faulty server prints: panics, data races, log lines of level ERROR. */
  faults() {
    const texts = this.lines.map(({ text }) => text);
    return texts.filter((l) => /^panic:|^fatal error:|DATA RACE|^goroutine \d+ \[|"level":"ERROR"/.test(l));
  }

  /** Metrics whose line begins with prefix: {name with labels: value}. */
  async counters(prefix) {
    const body = await (await fetch(this.metricsURL)).text();
    const rows = body.split('\n').filter((l) => l.startsWith(prefix));
    return Object.fromEntries(rows.map((l) => [l.slice(0, l.lastIndexOf(' ')), Number(l.slice(l.lastIndexOf(' ') + 1))]));
  }

  /** The greatest number of ticks that an area has skipped since the start, because the machine was busy. */
  async skippedTicks() {
    return Math.max(0, ...Object.values(await this.counters('truestep_ticks_skipped_total')));
  }

  /** The text of a file in the data folder. */
  dataFile(name) {
    return fs.readFileSync(path.join(this.data, name), 'utf8');
  }

  /** Output of another command of the binary on the same data folder: cli('why', 'Ann', '--json'). */
  cli(command, ...args) {
    const argv = [...command.split(' '), ...args, '--data-dir', this.data];
    return new Promise((resolve, reject) => {
      execFile(this.bin, argv, { timeout: CLI_LIMIT_MS, env: cleanEnvironment() }, (e, out, err) => {
        if (e) reject(new Error(`truestep ${command} ${args.join(' ')}: ${err.trim() || e.message}`));
        else resolve(out);
      });
    });
  }

  /** Resident memory in MiB, 0 when unknown. */
  memoryMiB() {
    return residentMiB(this.child?.pid);
  }

  /** Milliseconds that threads of the server and of this process have waited for a CPU. */
  schedulerDelayMs() {
    return schedulerDelayMs(this.child?.pid) + schedulerDelayMs('self');
  }

  get running() {
    return Boolean(this.child) && !this.exit;
  }

  /** Sends SIGTERM. Resolves with {ms, code, signal, killed}; killed: the server exceeded the limit and got SIGKILL. */
  async stop() {
    if (!this.running) return { ms: 0, ...this.exit };
    const start = performance.now();
    this.child.kill('SIGTERM');
    while (!this.exit && performance.now() - start < STOP_LIMIT_MS) await sleep(10);
    const ms = Math.round(performance.now() - start);
    if (this.exit) return { ms, ...this.exit };
    await this.kill();
    return { ms, killed: true };
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  async kill() {
    this.killNow();
    while (this.running) await sleep(10);
  }

  /** Sends SIGKILL without waiting, for the exit hook of this process. */
  killNow() {
    if (this.running) this.child.kill('SIGKILL');
  }
}

// The environment without TRUESTEP_*, which would configure the server under test.
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRUESTEP_')));
}
