// A hundred players for two hundred cycles: they wander, run, talk, hunt, travel and fight, and some lose their sockets.
import { Board } from './board.mjs';
import { Client } from './client.mjs';
import { serverKey } from './crypto.mjs';
import { say } from './packets.mjs';
import { compare } from './truth.mjs';
import { green, northRoad, ringGate, sand, wayOut } from './world.mjs';
import { equal, must } from '../lib/assert.mjs';
import { sleep } from '../lib/wait.mjs';

const CYCLE_MS = 600;
const AT_ONCE = 4; // logins; the server hashes the passwords of one or two at a time, and waits ten seconds for what a client says before
const LOST = 5; // sockets that die

/** Where a jump leads: the areas are told by nothing else. */
const arrivals = [
  { at: green, area: 'vale' }, { at: { x: 3222, z: 3198 }, area: 'vale' }, { at: { x: 3222, z: 3250 }, area: 'vale' },
  { at: sand, area: 'ring' }, { at: { x: 3200, z: 3172 }, area: 'moor' },
];
const exits = { ring: wayOut, moor: { x: 3200, z: 3168 } };
const roles = ['wanderer', 'wanderer', 'runner', 'hunter', 'wanderer', 'duelist', 'talker', 'traveller', 'runner', 'hunter'];
const prey = ['Rat', 'Hen', 'Horse', 'Deer'];
const lines = ['Hello!', 'Anybody for the Ring?', 'Mind the rats.', 'Nice weather today', 'abc ABC 123 ~!@ %', 'x'];

/** Random numbers from a seed: mulberry32. */
function dice(seed) {
  let s = seed;
  const next = () => {
    s = (s + 0x6d2b79f5) | 0;
    let v = Math.imul(s ^ (s >>> 15), 1 | s);
    v = (v + Math.imul(v ^ (v >>> 7), 61 | v)) ^ v;
    return ((v ^ (v >>> 14)) >>> 0) / 4294967296;
  };
  return { below: (n) => Math.floor(next() * n), chance: (p) => next() < p };
}

class Bot {
  constructor(i, seed, swarm) {
    Object.assign(this, { role: roles[i % roles.length], dice: dice(seed * 1000 + i), swarm, area: 'vale', since: 0 });
  }

  /** One decision at most in a cycle. */
  act(c, changes) {
    this.#notice(c, changes);
    if (!c.online || this.since++ < 2) return;
    const d = this.dice;
    if (d.chance(this.role === 'talker' ? 0.15 : 0.02)) c.send(say.chat(lines[d.below(lines.length)], d.below(12), d.below(6)));
    if (d.chance(0.02) || (this.role === 'runner' && d.chance(0.05))) c.send(say.button(750, 1));
    if (d.chance(0.75)) return;
    const to = this.#goal(c);
    if (to) c.send(d.chance(0.2) ? say.minimap(to.x, to.z, d.chance(0.1)) : say.walk(to.x, to.z, d.chance(0.1)));
  }

  #notice(c, changes) {
    const { count } = this.swarm;
    for (const [i, ch] of changes) {
      count.changes[ch.how] = (count.changes[ch.how] ?? 0) + 1;
      for (const name of Object.keys(ch.blocks)) count.blocks[name] = (count.blocks[name] ?? 0) + 1;
      if (i !== c.index || (ch.how !== 'far' && ch.how !== 'near')) continue;
      const { x, z } = c.tile;
      const there = arrivals.find(({ at }) => Math.abs(at.x - x) <= 2 && Math.abs(at.z - z) <= 2);
      if (there && there.area !== this.area) count.travels++;
      if (there) Object.assign(this, { area: there.area, since: 0 });
    }
  }

  #goal(c) {
    const d = this.dice;
    const roam = (at, r) => ({ x: at.x - r + d.below(2 * r + 1), z: at.z - r + d.below(2 * r + 1) });
    const abroad = this.area !== 'vale';
    if (this.role === 'hunter' && d.chance(0.6)) return this.#attack(c, (name) => prey.includes(name));
    if (this.area === 'ring' && this.role === 'duelist' && d.chance(0.7)) return this.#attack(c, (name) => this.swarm.names.has(name));
    if (abroad && d.chance(0.15)) return exits[this.area];
    if (abroad) return roam(c.tile, 6);
    if (this.role === 'duelist' || (this.role === 'traveller' && d.chance(0.3))) return ringGate;
    if (this.role === 'traveller' && d.chance(0.5)) return northRoad;
    return roam(d.chance(0.5) ? green : c.tile, this.role === 'runner' ? 40 : 15);
  }

  #attack(c, fits) {
    const all = c.view.locals.filter((i) => i !== c.index && fits(c.view.name(i)));
    if (all.length > 0) c.send(say.attack(all[this.dice.below(all.length)]));
    return undefined;
  }
}

/** Plays on a started server. o: {report, server, clients, cycles, seed}. */
export async function swarm({ report, server, clients: many, cycles, seed }) {
  const board = new Board();
  const s = { names: new Set(), count: { changes: {}, blocks: {}, travels: 0 }, back: [], clients: [] };
  const key = serverKey(server);
  let playing = false;
  for (let i = 0; i < many; i++) {
    const user = `Bot${String(i).padStart(3, '0')}`;
    s.names.add(user);
    const c = new Client({ port: server.ports.rs, key, user, password: `password of ${i}` });
    const bot = new Bot(i, seed, s);
    c.onCycle = (client, changes, t) => {
      board.put(client, changes, t);
      if (playing) bot.act(client, changes);
    };
    s.clients.push(c);
  }
  const all = await report.check(`${many} clients log in`, () => loginAll(s.clients), 400000);
  if (!all) return;
  playing = true;
  const from = new Map(s.clients.map((c) => [c, cyclesOf(c)]));
  const end = performance.now() + cycles * CYCLE_MS;
  const losses = lose(s, cycles);
  const least = () => Math.min(...s.clients.map((c) => cyclesOf(c) - from.get(c)));
  while (performance.now() < end || (least() < cycles && performance.now() < end + cycles * CYCLE_MS)) await sleep(100);
  playing = false;
  await losses;
  await sleep(CYCLE_MS);
  await judge({ report, server, s, board, cycles, least });
}

const cyclesOf = (c) => c.sessions.reduce((n, { cycles }) => n + cycles.length, 0);

async function loginAll(clients) {
  const codes = {};
  const waiting = [...clients];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let c = waiting.shift(); c; c = waiting.shift()) {
      const code = await c.login();
      codes[code] = (codes[code] ?? 0) + 1;
    }
  }));
  equal(codes, { 2: clients.length }, 'codes');
  return true;
}

// At five moments a socket dies somewhere in a cycle, and comes back one to three seconds later.
async function lose(s, cycles) {
  for (let k = 0; k < LOST; k++) {
    await sleep((cycles * CYCLE_MS) / (LOST + 2) + k * 110);
    const c = s.clients[(k * 17 + 3) % s.clients.length];
    c.kill();
    await sleep(1000 + k * 450);
    s.back.push(await c.reconnect().catch((e) => e.message));
  }
}

async function judge({ report, server, s, board, cycles, least }) {
  const { count, clients } = s;
  await report.check(`every client was told of ${cycles} cycles`, async () => {
    const got = least();
    must(got >= cycles - 10, `only ${got} for one of them`); // a journey and a lost socket cost some
    equal(clients.filter((c) => !c.online).map((c) => `${c.user} ${c.closed}`), [], 'not online any more');
  });
  await report.check(`${LOST} sockets died and came back`, async () => equal(s.back, Array(LOST).fill(15), 'codes'));
  await report.check('they walked, ran, talked, fought, died and travelled', async () => {
    for (const how of ['walk', 'run', 'far', 'add', 'remove']) must(count.changes[how] > 0, `no ${how}`);
    const told = ['APPEARANCE', 'CHAT', 'ANIM', 'HITS', 'TARGET', 'TURN', 'SPEED', 'TEMP_SPEED'];
    for (const name of told) must(count.blocks[name] > 0, `no ${name}`);
    must(count.travels >= 4, `${count.travels} journeys`);
    must(clients.some((c) => c.lines.some((l) => l.text.startsWith('Oh dear'))), 'nobody died');
  });
  const before = await server.counters('truestep_bad_packets_total{door="rs"');
  await report.check('SIGTERM logs everybody out', async () => {
    const { code, killed, ms } = await server.stop();
    must(!killed && code === 0, `exit ${code} after ${ms} ms`);
    await Promise.all(clients.map((c) => c.until(() => c.closed, 'the end', 3000)));
    equal(clients.filter((c) => !c.loggedOut).map((c) => c.user).slice(0, 5), [], 'without a logout packet');
    equal(server.faults().slice(0, 2), [], 'lines of a broken server');
  });
  await report.check('no client failed to read a packet', async () => {
    equal(clients.flatMap((c) => c.violations).slice(0, 4), [], 'violations');
  });
  const sum = { cycles: 0, positions: 0 };
  await report.check('every table of every client was the truth in every cycle', async () => {
    const differences = [];
    for (const c of clients) {
      const one = compare(c, server.records);
      sum.cycles += one.cycles;
      sum.positions += one.positions;
      differences.push(...one.differences);
      await sleep(0); // the small scenarios go on meanwhile
    }
    must(sum.cycles >= clients.length * (cycles - 10), `${sum.cycles} cycles compared`);
    equal(differences.slice(0, 4), [], `${differences.length} differences in ${sum.cycles} cycles`);
  });
  board.settle();
  await report.check('clients agree with each other, without the word of the server', async () => {
    must(board.compared > sum.cycles, `${board.compared} sights compared, ${board.unclear} packets without a clear cycle`);
    equal(board.differences.slice(0, 4), [], `${board.differences.length} differences in ${board.compared} sights`);
    must(board.shifted < board.compared / 10, `${board.shifted} sights of another cycle beside ${board.compared}`);
  });
  const sent = clients.flatMap((c) => c.sessions.flatMap((login) => login.cycles));
  const bytes = sent.reduce((n, { payload }) => n + payload.length, 0);
  report.note(`${sum.cycles} cycles, ${sum.positions} positions compared with the truth, ${board.compared} sights between`
    + ` clients (${board.unclear} packets unclear, ${board.shifted} sights of a cycle beside)`);
  report.note(`${(bytes / sum.cycles).toFixed(1)} bytes of player info per cycle; ${JSON.stringify(count.changes)}`);
  report.note(`blocks ${JSON.stringify(count.blocks)}; ${count.travels} journeys; ${badOf(before)}`);
}

const badOf = (metrics) => {
  const bad = Object.entries(metrics).filter(([, v]) => v > 0).map(([name, v]) => `${name} ${v}`);
  return `counted by the server as bad: ${bad.join(', ') || 'nothing'}`;
};
