// Measures how much open maps of the recorded past slow down the running world. While a mixed swarm plays, phases with and
// without such maps alternate. node e2e/console/past_load.mjs --server BIN
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Server } from '../lib/server.mjs';
import { must } from '../lib/assert.mjs';
import { sleep, waitUntil } from '../lib/wait.mjs';
import { MapSocket } from './map_socket.mjs';

const usage = `node past_load.mjs --server BIN [--maps 8] [--speed 16] [--seconds 30] [--rounds 3] [--rcce 100] [--rs 100] [--bedrock 50]`;
const { values: o } = parseArgs({
  options: Object.fromEntries([
    ['server'], ['maps', '8'], ['speed', '16'], ['seconds', '30'], ['rounds', '3'], ['rcce', '100'], ['rs', '100'], ['bedrock', '50'],
  ].map(([name, value]) => [name, { type: 'string', default: value }])),
});
if (!o.server) {
  console.error(usage);
  process.exit(2);
}
const MAPS_PER_OPERATOR = 3;
const players = ['rcce', 'rs', 'bedrock'].reduce((n, door) => n + Number(o[door]), 0);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'past-load-'));
const server = new Server({ bin: o.server, dir, doors: ['rcce', 'rs', 'bedrock'], console: true });
await server.start();
const swarm = spawn(server.bin, [
  'swarm', 'mixed', '--rcce', o.rcce, '--rs', o.rs, '--bedrock', o.bedrock, '--no-check', '--duration', '0', '--console', server.consoleURL,
  '--rcce-addr', `127.0.0.1:${server.ports.rcce}`, '--rs-addr', `127.0.0.1:${server.ports.rs}`, '--bedrock-addr', `127.0.0.1:${server.ports.bedrock}`,
  '--public-key', path.join(server.data, 'rs-public.txt'),
], { stdio: 'ignore' });

try {
  const busiest = async () => (await server.api.get('/overview')).areas.sort((a, b) => b.players - a.players)[0];
  await waitUntil(async () => (await busiest()).players, { ms: 120000, every: 500, accept: (n) => n >= players * 0.9, what: 'players in one area' });
  const area = await busiest();
  await sleep(Number(o.seconds) * 1000); // record a past that the maps can play
  const tokens = await Promise.all(Array.from({ length: Math.ceil(Number(o.maps) / MAPS_PER_OPERATOR) }, (_, i) => server.cli('token add', `Op${i}`, '--role', 'viewer')));
  await sleep(2500); // time in which the server reads the token file again
  for (let round = 1; round <= Number(o.rounds); round++) {
    print(`round ${round}, no maps`, await measure(area));
    const from = Date.now() - Number(o.seconds) * 1000;
    const maps = await Promise.all(Array.from({ length: Number(o.maps) }, async (_, i) => {
      const { status, socket } = await MapSocket.open(server, `/past?area=${area.id}&at=${from}&rate=10`, { token: tokens[Math.floor(i / MAPS_PER_OPERATOR)].trim() });
      must(status === 101, `map ${i}: status ${status}`);
      await socket.next('state');
      return socket;
    }));
    const restart = () => maps.forEach((m) => (m.ask({ do: 'seek', at: from }), m.ask({ do: 'play', speed: Number(o.speed) })));
    restart();
    const timer = setInterval(restart, (Number(o.seconds) * 1000) / Number(o.speed)); // before the maps reach the end of the tape
    const figures = await measure(area);
    clearInterval(timer);
    const frames = maps.map((m) => m.messages.filter((x) => x.type === 'frame').length / Number(o.seconds));
    const played = maps.map((m) => playedTicks(m.messages) / Number(o.seconds));
    print(`round ${round}, ${o.maps} maps`, figures);
    console.log(`  a map: ${mean(frames).toFixed(1)} frames/s, ${mean(played).toFixed(0)} ticks/s`);
    for (const m of maps) m.close();
    await sleep(2000);
  }
} finally {
  swarm.kill('SIGINT');
  await sleep(3000);
  await server.stop().catch(() => server.killNow());
  fs.rmSync(dir, { recursive: true, force: true });
}

/** Ticks that a map has played, from the frames between two jumps. */
function playedTicks(messages) {
  let [last, sum] = [undefined, 0];
  for (const m of messages) {
    if (m.type === 'reset') last = undefined;
    if (m.type !== 'frame') continue;
    sum += last === undefined ? 0 : m.tick - last;
    last = m.tick;
  }
  return sum;
}

function mean(list) {
  return list.reduce((sum, v) => sum + v, 0) / list.length;
}

/** Measures the duration of the area's ticks and the CPU use of the server during a phase. */
async function measure(area) {
  const label = `area="${area.name}"`;
  const read = async () => {
    const all = await server.counters('truestep_');
    const of = (name) => Object.entries(all).filter(([k]) => k.startsWith(name) && k.includes(label));
    const stat = fs.readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return {
      buckets: of('truestep_tick_seconds_bucket').map(([k, v]) => [Number(/le="([^"]+)"/.exec(k)[1].replace('+Inf', 'Infinity')), v]),
      count: of('truestep_tick_seconds_count')[0][1], sum: of('truestep_tick_seconds_sum')[0][1],
      skipped: of('truestep_ticks_skipped_total').reduce((n, [, v]) => n + v, 0), cpu: (Number(stat[11]) + Number(stat[12])) / 100,
    };
  };
  const [a, began] = [await read(), performance.now()];
  await sleep(Number(o.seconds) * 1000);
  const [b, seconds] = [await read(), (performance.now() - began) / 1000];
  const n = b.count - a.count;
  const below = b.buckets.map(([le, v], i) => [le, (v - a.buckets[i][1]) / n]).sort((x, y) => x[0] - y[0]);
  const quantile = (q) => below.find(([, share]) => share >= q)[0] * 1000;
  return { rate: n / seconds, mean: ((b.sum - a.sum) * 1000) / n, p50: quantile(0.5), p99: quantile(0.99), skipped: b.skipped - a.skipped, cpu: (b.cpu - a.cpu) / seconds };
}

function print(what, f) {
  console.log(`${what}: ${f.rate.toFixed(1)} ticks/s, mean ${f.mean.toFixed(2)} ms, 50 % up to ${f.p50} ms, 99 % up to ${f.p99} ms, ${f.skipped} skipped, ${f.cpu.toFixed(2)} CPUs`);
}
