// The swarm: a hundred players for two hundred cycles. They wander, run, talk, hunt, travel and fight, and some lose their
// sockets. At the end every cycle of every client is compared with the server's records.
import { equal, must } from '../lib/assert.mjs';
import { sleep } from '../lib/wait.mjs';
import { Board } from './board.mjs';
import { Client } from './client.mjs';
import { serverKey } from './crypto.mjs';
import { say } from './packets.mjs';
import { RecordOracle } from './truth.mjs';
import { green, northRoad, ringGate, sand, wayOut } from './world.mjs';

const CYCLE_MS = 600;
const PARALLEL_LOGINS = 4; // the server hashes one or two passwords at a time, and drops a connection after 10 s without a login
const LOST_SOCKETS = 5;
const WARM_UP_CYCLES = 2; // number of cycles for which a bot stays passive after it has arrived in an area
const MISSED_CYCLES = 10; // number of cycles that a client may miss because of area changes and a lost socket

/** Positions at which portals end. A client recognizes its area by them, because the protocol does not name areas. */
const arrivals = [
  { at: green, area: 'vale' }, { at: { x: 3222, z: 3198 }, area: 'vale' }, { at: { x: 3222, z: 3250 }, area: 'vale' },
  { at: sand, area: 'ring' }, { at: { x: 3200, z: 3172 }, area: 'moor' },
];
const exits = { ring: wayOut, moor: { x: 3200, z: 3168 } };
const roles = ['wanderer', 'wanderer', 'runner', 'hunter', 'wanderer', 'duelist', 'talker', 'traveller', 'runner', 'hunter'];
const prey = ['Rat', 'Hen', 'Horse', 'Deer'];
const lines = ['Hello!', 'Anybody for the Ring?', 'Mind the rats.', 'Nice weather today', 'abc ABC 123 ~!@ %', 'x'];

/** Random numbers from a seed: mulberry32. */
function randomStream(seed) {
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
    Object.assign(this, { role: roles[i % roles.length], random: randomStream(seed * 1000 + i), swarm, area: 'vale', cyclesHere: 0 });
  }

  /** Makes at most one movement decision in a cycle. */
  act(c, changes) {
    this.#count(c, changes);
    if (!c.online || this.cyclesHere++ < WARM_UP_CYCLES) return;
    const r = this.random;
    if (r.chance(this.role === 'talker' ? 0.15 : 0.02)) c.send(say.chat(lines[r.below(lines.length)], r.below(12), r.below(6)));
    if (r.chance(0.02) || (this.role === 'runner' && r.chance(0.05))) c.send(say.button(750, 1));
    if (r.chance(0.75)) return;
    const to = this.#chooseTarget(c);
    if (to) c.send(r.chance(0.2) ? say.minimap(to.x, to.z, r.chance(0.1)) : say.walk(to.x, to.z, r.chance(0.1)));
  }

  #count(c, changes) {
    const { count } = this.swarm;
    for (const [i, ch] of changes) {
      count.changes[ch.how] = (count.changes[ch.how] ?? 0) + 1;
      for (const name of Object.keys(ch.blocks)) count.blocks[name] = (count.blocks[name] ?? 0) + 1;
      if (i !== c.index || (ch.how !== 'far' && ch.how !== 'near')) continue;
      const { x, z } = c.tile;
      const arrival = arrivals.find(({ at }) => Math.abs(at.x - x) <= 2 && Math.abs(at.z - z) <= 2);
      if (arrival && arrival.area !== this.area) count.travels++;
      if (arrival) Object.assign(this, { area: arrival.area, cyclesHere: 0 });
    }
  }

  // The tile to walk to; undefined when the bot attacks instead.
  #chooseTarget(c) {
    const r = this.random;
    const roam = (at, radius) => ({ x: at.x - radius + r.below(2 * radius + 1), z: at.z - radius + r.below(2 * radius + 1) });
    const abroad = this.area !== 'vale';
    if (this.role === 'hunter' && r.chance(0.6)) return this.#attack(c, (name) => prey.includes(name));
    if (this.area === 'ring' && this.role === 'duelist' && r.chance(0.7)) return this.#attack(c, (name) => this.swarm.names.has(name));
    if (abroad && r.chance(0.15)) return exits[this.area];
    if (abroad) return roam(c.tile, 6);
    if (this.role === 'duelist' || (this.role === 'traveller' && r.chance(0.3))) return ringGate;
    if (this.role === 'traveller' && r.chance(0.5)) return northRoad;
    return roam(r.chance(0.5) ? green : c.tile, this.role === 'runner' ? 40 : 15);
  }

  #attack(c, isTarget) {
    const all = c.view.locals.filter((i) => i !== c.index && isTarget(c.view.name(i)));
    if (all.length > 0) c.send(say.attack(all[this.random.below(all.length)]));
    return undefined;
  }
}

/** Plays on a started server. o: {report, server, clients, cycles, seed}. */
export async function swarm({ report, server, clients: players, cycles, seed }) {
  const board = new Board();
  const s = { names: new Set(), count: { changes: {}, blocks: {}, travels: 0 }, reconnects: [], clients: [] };
  const key = serverKey(server);
  let playing = false;
  for (let i = 0; i < players; i++) {
    const user = `Bot${String(i).padStart(3, '0')}`;
    s.names.add(user);
    const c = new Client({ port: server.ports.rs, key, user, password: `password of ${i}` });
    const bot = new Bot(i, seed, s);
    c.onCycle = (client, changes, t) => {
      board.record(client, changes, t);
      if (playing) bot.act(client, changes);
    };
    s.clients.push(c);
  }
  const all = await report.check(`${players} clients log in`, () => loginAll(s.clients), 400000);
  if (!all) return;
  playing = true;
  const from = new Map(s.clients.map((c) => [c, cyclesOf(c)]));
  const end = performance.now() + cycles * CYCLE_MS;
  const losses = loseSockets(s, cycles);
  const fewest = () => Math.min(...s.clients.map((c) => cyclesOf(c) - from.get(c)));
  while (performance.now() < end || (fewest() < cycles && performance.now() < end + cycles * CYCLE_MS)) await sleep(100);
  playing = false;
  await losses;
  await sleep(CYCLE_MS);
  await verdictChecks({ report, server, s, board, cycles, fewest });
}

const cyclesOf = (c) => c.sessions.reduce((n, { cycles }) => n + cycles.length, 0);

async function loginAll(clients) {
  const codes = {};
  const waiting = [...clients];
  await Promise.all(Array.from({ length: PARALLEL_LOGINS }, async () => {
    for (let c = waiting.shift(); c; c = waiting.shift()) {
      const code = await c.login();
      codes[code] = (codes[code] ?? 0) + 1;
    }
  }));
  equal(codes, { 2: clients.length }, 'codes');
  return true;
}

/**
 * Resolves when this process runs its timers on time again, after 30 s at most. The server ends a login that takes 10 s, and the session of a
 * player that is away for 10 s: a busy machine can delay 100 clients in one process by more than that.
 */
async function keepsUp() {
  for (const end = performance.now() + 30000; performance.now() < end;) {
    const began = performance.now();
    await sleep(100);
    if (performance.now() - began < 600) return;
  }
}

// Kills five sockets, each at another moment of a cycle, and reconnects each after one to three seconds.
async function loseSockets(s, cycles) {
  for (let k = 0; k < LOST_SOCKETS; k++) {
    await sleep((cycles * CYCLE_MS) / (LOST_SOCKETS + 2) + k * 110);
    const c = s.clients[(k * 17 + 3) % s.clients.length];
    await keepsUp();
    c.kill();
    await sleep(1000 + k * 450);
    s.reconnects.push(await c.reconnect().catch((e) => e.message));
  }
}

async function verdictChecks({ report, server, s, board, cycles, fewest }) {
  const { count, clients } = s;
  await report.check(`every client receives ${cycles} cycles`, async () => {
    const got = fewest();
    must(got >= cycles - MISSED_CYCLES, `only ${got} for one of them`);
    equal(clients.filter((c) => !c.online).map((c) => `${c.user} ${c.closed}`), [], 'clients that are no longer online');
  });
  await report.check(`${LOST_SOCKETS} clients whose sockets died reconnect with code 15`, async () => {
    equal(s.reconnects, Array(LOST_SOCKETS).fill(15), 'codes');
  });
  await report.check('players walk, run, talk, fight, die and travel', async () => {
    for (const how of ['walk', 'run', 'far', 'add', 'remove']) must(count.changes[how] > 0, `no ${how}`);
    const expected = ['APPEARANCE', 'CHAT', 'ANIM', 'HITS', 'TARGET', 'TURN', 'SPEED', 'TEMP_SPEED'];
    for (const name of expected) must(count.blocks[name] > 0, `no block ${name}`);
    must(count.travels >= 4, `${count.travels} travels`);
    must(clients.some((c) => c.lines.some((l) => l.text.startsWith('Oh dear'))), 'no player died');
  });
  const badPackets = await server.counters('truestep_bad_packets_total{door="rs"');
  await report.check('SIGTERM logs every client out and ends the process', async () => {
    const { code, killed, ms } = await server.stop();
    must(!killed && code === 0, `exit status ${code} after ${ms} ms`);
    await Promise.all(clients.map((c) => c.until(() => c.closed, 'the end of the connection', 3000)));
    equal(clients.filter((c) => !c.loggedOut).map((c) => c.user).slice(0, 5), [], 'clients without a logout packet');
    equal(server.faults().slice(0, 2), [], 'faults in the log');
  });
  await report.check('no client received a packet that it could not read', async () => {
    equal(clients.flatMap((c) => c.violations).slice(0, 4), [], 'violations');
  });
  const records = new RecordOracle();
  await report.check('every table of every client equals the recorded truth in every cycle', async () => {
    for (const c of clients) {
      records.client(c, server.records);
      await sleep(0); // let the server run, because in the small scenario it is in the same process
    }
    must(records.cycles >= clients.length * (cycles - MISSED_CYCLES), `${records.cycles} cycles compared`);
    records.verdict();
  });
  board.compareUntil();
  await report.check('each client shows the others on the tiles that their own clients have', async () => board.verdict(records.cycles));
  noteFigures(report, { s, board, records, badPackets });
}

function noteFigures(report, { s: { count, clients }, board, records, badPackets }) {
  const cycles = clients.flatMap((c) => c.sessions.flatMap((session) => session.cycles));
  const bytes = cycles.reduce((n, { payload }) => n + payload.length, 0);
  report.note(`${records.cycles} cycles, ${records.compared} positions compared with the truth, ${board.oracle.compared} sightings between`
    + ` clients (${board.unclear} packets of no certain cycle, ${board.shifted} sightings that fit a nearby cycle)`);
  report.note(`${(bytes / records.cycles).toFixed(1)} bytes of player info per cycle; ${JSON.stringify(count.changes)}`);
  const bad = Object.entries(badPackets).filter(([, v]) => v > 0).map(([name, v]) => `${name} ${v}`);
  report.note(`blocks ${JSON.stringify(count.blocks)}; ${count.travels} travels; bad packets counted by the server: ${bad.join(', ') || 'none'}`);
}
