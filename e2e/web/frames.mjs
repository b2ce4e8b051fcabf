// Measures the pictures per second of the page with a crowd in view and WebGL in software.
// node e2e/web/frames.mjs --server BIN [--players 300] [--seconds 15]
import './setup.mjs';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Server } from '../lib/server.mjs';
import { sleep } from '../lib/wait.mjs';

const { Browser } = await import('./browser.mjs'); // imported after setup.mjs, because it imports the installed package
const { values: o } = parseArgs({ options: { server: { type: 'string' }, players: { type: 'string', default: '300' }, seconds: { type: 'string', default: '15' }, shots: { type: 'string' } } });
const [players, seconds] = [Number(o.players), Number(o.seconds)];
if (!o.server || !(players > 0) || !(seconds > 0)) {
  console.log('node frames.mjs --server BIN [--players 300] [--seconds 15] [--shots DIR]\nprints the pictures per second that the page draws at 1280x800 while so many players walk in its sight, once it has adapted its detail, and what a picture costs: draw calls, triangles, time of the page\'s scripts, and on Linux CPU time of the browser');
  process.exit(2);
}

/** Counts pictures, draw calls and triangles; runs in the page. Draw calls and triangles do not depend on the machine. */
function count() {
  const drawn = (globalThis.drawn = { pictures: 0, calls: 0, triangles: 0, script: [] });
  const gl = WebGL2RenderingContext.prototype;
  const of = (mode, n) => (mode === gl.TRIANGLES ? n / 3 : 0);
  for (const [name, triangles] of Object.entries({
    drawArrays: (mode, _, n) => of(mode, n), drawElements: (mode, n) => of(mode, n), drawArraysInstanced: (mode, _, n, times) => of(mode, n) * times,
    drawElementsInstanced: (mode, n, _, __, times) => of(mode, n) * times,
  })) {
    const draw = gl[name];
    gl[name] = function (...args) {
      drawn.calls++;
      drawn.triangles += triangles(...args);
      return draw.apply(this, args);
    };
  }
  const request = requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (picture) => request((now) => {
    const began = performance.now(), calls = drawn.calls;
    picture(now);
    if (drawn.calls === calls) return; // not a frame of the game: it has drawn nothing
    drawn.pictures++;
    drawn.script.push(performance.now() - began);
  });
}

/** CPU time in ms of the browser's processes, which are those below this one, by kind; undefined where there is no /proc. */
function browserTime() {
  if (!fs.existsSync('/proc/self/stat')) return undefined;
  const all = new Map();
  for (const pid of fs.readdirSync('/proc').filter((d) => /^\d+$/.test(d))) {
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' '); // state, parent, ...
      all.set(Number(pid), { parent: Number(stat[1]), ms: (Number(stat[11]) + Number(stat[12])) * 10, command: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') });
    } catch {} // the process has ended
  }
  const mine = (pid) => pid === process.pid || (all.has(pid) && mine(all.get(pid).parent));
  const time = { gpu: 0, renderer: 0, other: 0 };
  for (const [pid, { ms, command }] of all) {
    if (!mine(pid) || !/chrom/i.test(command)) continue;
    time[command.includes('--type=gpu-process') ? 'gpu' : command.includes('--type=renderer') ? 'renderer' : 'other'] += ms;
  }
  return time;
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'web-frames-'));
const server = new Server({ bin: o.server, dir, doors: ['web'] });
await server.start();
const swarm = spawn(o.server, ['swarm', 'web', '--addr', `127.0.0.1:${server.ports.web}`, '-n', String(players), '-d', '0', '--walk', '--in-sight'], { stdio: 'ignore' });
process.on('exit', () => {
  swarm.kill('SIGKILL');
  server.killNow();
});
const browser = new Browser({ shots: o.shots });
const version = await browser.launch();
const screen = await browser.open(server.ports.web, { label: 'page', pictures: 0, script: count });
await screen.page.setViewportSize({ width: 1280, height: 800 });
await screen.until(`${players} actors`, (n) => world.actors.size >= n, players).catch((e) => console.error(`${e.message}: measured with those that are there`));
await sleep(8000); // the page adapts its detail step by step
const before = browserTime();
const r = await screen.get((s) => new Promise((done) => {
  const gaps = [];
  Object.assign(drawn, { pictures: 0, calls: 0, triangles: 0, script: [] });
  const began = performance.now();
  let last = began;
  const tick = (now) => {
    gaps.push(now - last);
    last = now;
    if (now - began < 1000 * s) requestAnimationFrame(tick);
    else {
      gaps.sort((a, b) => a - b);
      drawn.script.sort((a, b) => a - b);
      done({ pictures: gaps.length / ((now - began) / 1000), median: gaps[gaps.length >> 1], p95: gaps[Math.floor(gaps.length * 0.95)], actors: world.actors.size, labels: document.querySelectorAll('.label').length, width: document.getElementById('view').width, drawn: drawn.pictures,
        calls: drawn.calls / drawn.pictures, triangles: drawn.triangles / drawn.pictures, script: drawn.script[drawn.script.length >> 1] });
    }
  };
  requestAnimationFrame(tick);
}), seconds);
const after = browserTime();
await screen.shot('frames');
console.log(`${r.calls.toFixed(0)} draw calls, ${r.triangles.toFixed(0)} triangles and ${r.script.toFixed(1)} ms of scripts a picture`);
console.log(`${r.pictures.toFixed(1)} pictures a second, ${r.median.toFixed(0)} ms between two (median), ${r.p95.toFixed(0)} ms (p95); ${r.actors} actors, ${r.labels} labels, 1280x800 of which ${r.width} columns are drawn; ` +
  `Chromium ${version}, ${os.cpus().length} cores of ${os.cpus()[0].model}, load ${os.loadavg()[0].toFixed(1)}`);
if (after) console.log(`CPU time a picture: ${Object.keys(after).map((kind) => `${((after[kind] - before[kind]) / r.drawn).toFixed(1)} ms ${kind}`).join(', ')}`);
swarm.kill('SIGINT');
await browser.close();
await server.stop();
fs.rmSync(dir, { recursive: true, force: true });
process.exit(0);
