// Plays the page on a bad line, which the sliders of F3 simulate, and prints what its player and another one see. It has no checks.
// node e2e/web/bad_line.mjs --server BIN [--round-trip 200] [--loss 5] [--transport wt] [--pictures 5] [--shots DIR]
import './setup.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Server } from '../lib/server.mjs';
import { sleep } from '../lib/wait.mjs';

const { Browser } = await import('./browser.mjs'); // after setup.mjs: it imports the installed package
const { own } = await import('./scenario.mjs');
const usage = `node bad_line.mjs --server BIN [--round-trip 200] [--loss 5] [--transport wt] [--pictures 5] [--shots DIR]
plays the embedded world beside bots: walks, fights, talks and takes a portal with the sliders of F3 at that round trip in ms and that loss in
percent each way, and prints what the page shows and what a page with a good line shows of its player; --pictures limits the pictures that
the page draws per second, because software rendering would take all of the machine`;
const { values: o } = parseArgs({ options: {
  server: { type: 'string' }, 'round-trip': { type: 'string', default: '200' }, loss: { type: 'string', default: '5' },
  transport: { type: 'string', default: 'wt' }, pictures: { type: 'string', default: '5' }, shots: { type: 'string' },
} });
if (!o.server) {
  console.log(usage);
  process.exit(2);
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'web-bad-line-'));
const server = new Server({ bin: o.server, dir, doors: ['rcce', 'web'], console: true, extra: ['--demo', '--demo-bots', '2'] });
await server.start();
process.on('exit', () => server.killNow());
const browser = new Browser({ shots: o.shots });
const version = await browser.launch();
const bob = await browser.open(server.ports.web, { name: 'Bob', pictures: 2, label: 'Bob' });
const ann = await browser.open(server.ports.web, { name: 'Ann', transport: o.transport, pictures: Number(o.pictures), label: 'Ann' });
await ann.page.setViewportSize({ width: 960, height: 600 });

/** Records where each picture of the page shows the player Ann, and what happens to the own player. Runs in the page. */
function record() {
  Object.assign(globalThis, { path: [], corrected: [], struck: [], pictures: 0 });
  world.on('corrected', (c) => corrected.push(`${c.distance.toFixed(2)} blocks (${c.reason})`));
  world.on('struck', (e) => { if (e.attacker === world.self) struck.push(`${e.victim?.name} ${e.missed ? 'missed' : e.damage}`); });
  const sample = () => {
    requestAnimationFrame(sample);
    pictures++;
    try {
      const a = [...world.actors.values()].find((x) => x.name === 'Ann');
      if (a) path.push([performance.timeOrigin + performance.now(), a.x, a.z]);
    } catch {} // between two areas
  };
  sample();
}
for (const s of [ann, bob]) await s.get(record);

await ann.page.keyboard.press('F3');
const slide = async (values) => { for (const [id, value] of Object.entries(values)) await ann.page.locator(`#${id}`).fill(String(value)); };
const take = (screen) => screen.get(() => ({ path: path.splice(0), corrected: corrected.splice(0), struck: struck.splice(0) }));
const panel = () => ann.get(() => Object.fromEntries([...document.querySelectorAll('#numbers tr')].map((r) => [...r.cells].map((c) => c.textContent))));

/** By how many ms the other page shows the player later than its own, and by how many blocks it is beside the way, mean and most. */
function compare(mine, theirs) {
  const at = (t) => {
    const i = mine.findIndex((p) => p[0] > t);
    if (i < 1) return undefined;
    const [a, b] = [mine[i - 1], mine[i]], f = (t - a[0]) / (b[0] - a[0]);
    return [a[1] + f * (b[1] - a[1]), a[2] + f * (b[2] - a[2])];
  };
  let best = { mean: Infinity };
  for (let late = 0; late <= 800; late += 10) {
    const off = theirs.map(([t, x, z]) => { const p = at(t - late); return p && Math.hypot(p[0] - x, p[1] - z); }).filter((d) => d !== undefined).sort((a, b) => a - b);
    const mean = off.reduce((s, d) => s + d, 0) / off.length;
    if (mean < best.mean) best = { late, mean, p99: off[Math.floor(off.length * 0.99)], most: off.at(-1), samples: off.length };
  }
  return best;
}

/** The longest step of the shown player between two pictures, beyond what it can run in that time, in blocks. */
function jump(shown) {
  let most = 0;
  for (let i = 1; i < shown.length; i++) {
    const [a, b] = [shown[i - 1], shown[i]];
    most = Math.max(most, Math.hypot(b[1] - a[1], b[2] - a[2]) - (6 * (b[0] - a[0])) / 1000);
  }
  return most;
}

async function phase(name, act) {
  for (const s of [ann, bob]) await take(s);
  const [began, pictures] = [performance.now(), await ann.get(() => globalThis.pictures)];
  const said = await act();
  const seconds = (performance.now() - began) / 1000, drawn = (await ann.get(() => globalThis.pictures)) - pictures;
  const shown = await panel();
  const [a, b] = [await take(ann), await take(bob)];
  const c = compare(a.path, b.path);
  console.log(`${name} (${seconds.toFixed(1)} s): ${said ?? ''}
  the page: round trip ${shown['round trip']}, ${shown['inputs waiting']} inputs waiting, ${shown.lost} lost, others ${shown['others drawn']}, ${(drawn / seconds).toFixed(1)} pictures/s, ${a.corrected.length} corrections ${a.corrected.slice(0, 6).join(', ')}; blows: ${a.struck.slice(0, 8).join(', ') || 'none'}`);
  if (c.samples > 5) console.log(`  the other page: Ann ${c.late} ms after her own page, ${c.mean.toFixed(2)} blocks beside in the mean, ${c.p99.toFixed(2)} in 99 %, ${c.most.toFixed(2)} at most; longest jump ${jump(b.path).toFixed(2)} blocks (own page ${jump(a.path).toFixed(2)})`);
  await ann.shot(`${o.transport}-${name}`);
  await bob.shot(`${o.transport}-${name}-seen-by-bob`);
}

const keys = async (list) => {
  for (const [held, ms] of list) {
    for (const k of held) await ann.page.keyboard.down(k);
    await sleep(ms);
    for (const k of held) await ann.page.keyboard.up(k);
  }
};
const walk = [[['KeyW'], 2000], [['KeyA'], 1500], [['KeyS', 'ShiftLeft'], 2000], [['KeyD', 'Space'], 1500], [['KeyW', 'KeyD'], 1500], [['KeyS'], 400], [['KeyW'], 400], [['KeyA'], 400], [['KeyS', 'KeyA', 'ShiftLeft'], 1500]];

/** Sends a line from one page; resolves with the ms until the other page shows it above the head. */
async function say(from, to, text) {
  await from.page.keyboard.press('Enter');
  await from.page.keyboard.type(text);
  const began = performance.now();
  await from.page.keyboard.press('Enter');
  await to.page.waitForFunction((t) => [...document.querySelectorAll('.label q')].some((q) => q.textContent === t), text, { polling: 20, timeout: 30000 });
  return `${Math.round(performance.now() - began)} ms`;
}

/** Clicks on the nearest living animal, which the page then walks to and strikes, until it is dead or the time is over. */
async function fight(ms) {
  const began = performance.now();
  let first, dead = false;
  await ann.get(() => { globalThis.killed = 0; world.on('died', (e) => { if (e.killer === world.self) killed++; }); });
  for (let next = 0; !dead && performance.now() - began < ms; await sleep(50)) {
    first ??= (await ann.get(() => struck.length)) > 0 ? performance.now() - began : undefined;
    dead = (await ann.get(() => killed)) > 0;
    if (performance.now() < next) continue;
    next = performance.now() + 2500;
    const at = await ann.get(() => {
      const near = [...world.actors.values()].filter((a) => a !== world.self && a.kind !== 'player' && !a.dead).sort((a, b) => Math.hypot(a.x - world.self.x, a.z - world.self.z) - Math.hypot(b.x - world.self.x, b.z - world.self.z));
      for (const a of near) {
        const label = [...document.querySelectorAll('.label')].find((l) => l.querySelector('b').textContent.startsWith(a.name) && l.style.display !== 'none');
        const r = label?.getBoundingClientRect();
        if (r && r.x > 0 && r.bottom > 0 && r.x < innerWidth - 300 && r.bottom + 15 < innerHeight) return { x: r.x + r.width / 2, y: r.bottom + 15 };
      }
      return undefined;
    });
    if (at) await ann.page.mouse.click(at.x, at.y);
  }
  return `the first blow after ${first === undefined ? 'none' : `${(first / 1000).toFixed(1)} s`}, ${dead ? 'a victim is dead' : 'no victim is dead'}`;
}

/** Walks to the portal in the north of the vale. Resolves with the ms from the last picture in the vale to the first one behind the portal. */
async function portal() {
  await ann.get(() => {
    globalThis.left = globalThis.came = 0;
    globalThis.going = setInterval(() => {
      try {
        if (world.area.name === 'Truestep Vale') {
          globalThis.left = performance.now();
          world.input({ forward: 1, sprint: true, yaw: (Math.atan2(world.self.x, -71.4 - world.self.z) * 180) / Math.PI });
        } else if (world.self.name === 'Ann') globalThis.came ||= performance.now();
      } catch {}
    }, 20);
  });
  await ann.page.waitForFunction(() => globalThis.came > 0, undefined, { timeout: 60000, polling: 50 });
  await ann.shot(`${o.transport}-portal-arrival`);
  const ms = await ann.get(() => { clearInterval(going); world.input({ forward: 0, sprint: false }); return came - left; });
  await keys([[['KeyW'], 2000], [['KeyD'], 1000]]);
  return `${Math.round(ms)} ms without a world; ${JSON.stringify((await ann.get(own)).name)} walks in ${await ann.get(() => world.area.name)}`;
}

/** Moves Ann to a place in the vale, in units, as an operator does. */
async function teleport(x, z) {
  const { entity, areaId } = await server.api.player('Ann');
  await server.api.call('POST', `/players/${entity}/teleport`, { areaId, x, y: null, z });
  await sleep(1500);
}

console.log(`Chromium ${version}, ${os.cpus().length} cores of ${os.cpus()[0].model}, load ${os.loadavg()[0].toFixed(1)}; ${o.transport}, ${o['round-trip']} ms round trip, ${o.loss} % loss each way by the sliders`);
await sleep(3000);
await phase('good line', () => keys(walk));
await slide({ latency: Number(o['round-trip']) / 2, loss: Number(o.loss) });
await sleep(4000);
await phase('walk', () => keys(walk));
await teleport(0, 0);
await phase('fight', async () => {
  await ann.page.keyboard.press('F3'); // the panel would cover victims
  const said = await fight(25000);
  await ann.page.keyboard.press('F3');
  await sleep(1000);
  return said;
});
await phase('chat', async () => `${await say(ann, bob, 'Hello, Bob')} to the other page, ${await say(bob, ann, 'Hello, Ann')} back`);
await teleport(0, 215);
await phase('portal', portal);
console.log(`faults: ${[...ann.faults, ...bob.faults].join(' | ') || 'none'}`);
await browser.close();
await server.stop();
fs.rmSync(dir, { recursive: true, force: true });
process.exit(0);
