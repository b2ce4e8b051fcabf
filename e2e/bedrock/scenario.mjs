// The games of the Bedrock suite. Each game is a list of checks (in checks/) that run on one server.
import { equal } from '../lib/assert.mjs';
import { Bot } from './bot.mjs';
import { chatChecks } from './checks/chat.mjs';
import { combatChecks } from './checks/combat.mjs';
import { correctChecks } from './checks/correct.mjs';
import { effectChecks } from './checks/effects.mjs';
import { frameChecks } from './checks/frames.mjs';
import { bowCheck } from './checks/items.mjs';
import { hostileChecks } from './checks/hostile.mjs';
import { joinChecks } from './checks/join.mjs';
import { lostChecks } from './checks/lost.mjs';
import { raknetNodeCheck } from './checks/raknet_node.mjs';
import { acceptChecks, lagChecks, rateChecks } from './checks/rate.mjs';
import { fullChecks, refuseChecks } from './checks/refuse.mjs';
import {
  boatCourse, delayCourse, horseCourse, hostileRiders, iceCourse, passengerCourse, refusedMounts, struckCourse, unseatedCourse,
} from './checks/ride.mjs';
import { stopChecks } from './checks/stop.mjs';
import { unansweredTeleportCheck, teleportChecks } from './checks/teleport.mjs';
import { transportChecks } from './checks/transport.mjs';
import { laneChecks, walkChecks } from './checks/walk.mjs';
import { waterChecks } from './checks/water.mjs';

const noCookies = ['--bedrock-cookies=false']; // jsp-raknet and raknet-node do not support cookies

// A game's clients share one process. On a busy machine each sends fewer inputs a second than the server expects, and the server
// would disconnect it as frozen. The games are not about that, so kick_frozen_after is raised.
const patient = { kick_frozen_after: 60 };
const strictRules = { ...patient, 'player-position-acceptance-threshold': 0.01, strict_threshold: 0.01 };

export const games = {
  /** Four clients over three RakNet implementations: joins, chat, refused logins, combat, unacknowledged teleports, shutdown. */
  crew: { extra: noCookies, prediction: patient, parts: ['raknet-node', 'chat', 'refuse', 'combat', 'unanswered', 'stop'], play: crew },
  /** False positions of clients, and the frame tables of Mojang's PlayerMovementOverview. */
  correct: { extra: [], prediction: patient, parts: ['walk', 'correct', 'frames'], play: correct },
  /** Unusual input rates, and portals. */
  rate: { extra: [], prediction: patient, parts: ['rate', 'teleport'], play: rate },
  /** A correction threshold so small that an error of one frame shows. */
  strict: { extra: [], prediction: strictRules, parts: ['lag', 'lanes', 'frames'], play: strict },
  /** Players with a bow. */
  bow: { extra: [], prediction: strictRules, kit: ['Bow'], parts: ['bow'], play: bow },
  /** Water and lava. */
  waters: { extra: [], prediction: strictRules, areas: 'waters.toml', parts: ['water'], play: waters },
  /** Effects of the world's zones, such as levitation, and gliding with a firework. */
  effects: { extra: [], prediction: strictRules, areas: 'effects.toml', kit: ['Wings', 'Rocket'], parts: ['effects'], play: effects },
  /** Horses and boats. */
  stables: { extra: [], prediction: strictRules, areas: 'stables.toml', parts: ['horses', 'boats', 'delays'], play: stables },
  /** Refused requests to mount, hostile riders, and riders that the server unseats. */
  riders: { extra: [], prediction: strictRules, areas: 'stables.toml', parts: ['riders', 'seats'], play: riders },
  /** Hostile clients within a session. Each check waits until the disconnected player has left the world. */
  hostile: { extra: [], prediction: patient, linger: { time: 1, combat: 1 }, parts: ['hostile'], play: hostile },
  /** Hostile datagrams. */
  transport: { extra: [], prediction: patient, parts: ['transport'], play: transport },
  /** Client positions are accepted. */
  accept: { extra: [], prediction: { ...patient, movement: 'accept' }, parts: ['accept'], play: accept },
  /** A client whose socket dies in a fight. Only the sockets of jsp-raknet can be destroyed. */
  lost: { extra: noCookies, parts: ['lost'], play: lost },
  /** A door with room for two players. */
  full: { extra: ['--bedrock-max-players=2'], parts: ['full'], play: fullChecks },
};

/** The parts of all games. */
export const parts = [...new Set(Object.values(games).flatMap((game) => game.parts))];

/** Plays a game on a started server. wanted(part) returns whether to play that part of it. */
export async function play(game, { report, server, wanted }) {
  const bots = [];
  const t = {
    report, server, wanted,
    bot: (name, more = {}) => {
      const bot = new Bot({ port: server.ports.bedrock, ...more, name });
      bot.refusals = () => server.counters('truestep_wishes_refused_total');
      bots.push(bot);
      return bot;
    },
  };
  try {
    await game.play(t);
    await report.check('no client received a packet that it could not read', async () => {
      equal(bots.flatMap((b) => b.violations.map((v) => `${b.name}: ${v.split('\n')[0]}`)).slice(0, 4), [], 'violations');
      equal(bots.flatMap((b) => b.world.problems).slice(0, 4), [], 'chunks');
    });
  } finally {
    await Promise.all(bots.map((b) => b.close().catch(() => {})));
  }
}

async function crew(t) {
  const bots = await joinChecks(t);
  const [A, B, C, D] = bots;
  if (bots.some((b) => !b.online)) return;
  const refusals = async () => {
    if (t.wanted('chat')) await chatChecks(t, bots);
    if (t.wanted('refuse')) await refuseChecks(t, bots);
  };
  await Promise.all([t.wanted('raknet-node') && raknetNodeCheck(t, A), refusals()]);
  await Promise.all([t.wanted('combat') && combatChecks(t, A, B, C), t.wanted('unanswered') && unansweredTeleportCheck(t, D, B)]);
  if (t.wanted('stop')) await stopChecks(t, bots.filter((b) => b.online));
}

/** Two clients that have joined and stand at the start. */
async function joinPair(t, names = ['Ada', 'Bob']) {
  const pair = [t.bot(names[0]), t.bot(names[1], { version: '1.26.51' })];
  await t.report.check('two clients with both versions join', async () => {
    for (const bot of pair) (await bot.join()).run();
    await pair[0].until(() => pair[0].others.find(names[1]), `sight of ${names[1]}`);
    await pair[1].until(() => pair[1].others.find(names[0]), `sight of ${names[0]}`);
  });
  return pair;
}

async function correct(t) {
  const [A, B] = await joinPair(t);
  if (!A.online || !B.online) return;
  if (t.wanted('walk')) await walkChecks(t, A, B);
  if (t.wanted('correct')) await correctChecks(t, A, B);
  if (t.wanted('frames')) await frameChecks(t, A, B);
}

async function rate(t) {
  const [A, B] = await joinPair(t);
  const [C, D] = await joinPair(t, ['Cyd', 'Dan']);
  if (![A, B, C, D].every((bot) => bot.online)) return;
  await Promise.all([t.wanted('rate') && rateChecks(t, A, B), t.wanted('teleport') && teleportChecks(t, C, D)]);
}

async function lost(t) {
  const pair = [t.bot('Ada'), t.bot('Bob', { backend: 'jsp-raknet' })];
  await t.report.check('two clients join', () => Promise.all(pair.map(async (bot) => (await bot.join()).run())));
  if (pair.every((bot) => bot.online)) await lostChecks(t, ...pair);
}

async function bow(t) {
  const [A, B] = await joinPair(t);
  if (A.online && B.online) await bowCheck(t, A, B);
}

async function waters(t) {
  await watched(t, waterChecks);
}

async function effects(t) {
  await watched(t, effectChecks);
}

/** Plays checks while another client, the watcher, stands in view and shows the players. */
async function watched(t, checks) {
  const watcher = t.bot('Watcher', { version: '1.26.51' });
  await t.report.check('the client that watches the others joins', async () => (await watcher.join()).run());
  if (watcher.online) await playEach(t, checks(t, watcher));
}

const VERSIONS = ['1.26.45', '1.26.51'];

/** Plays all checks at the same time, each with one client of each version. */
const playEach = (t, checks) => Promise.all(checks.flatMap((check, i) => VERSIONS.map(async (version, j) => {
  const bot = t.bot(`Player${VERSIONS.length * i + j}`, { version });
  (await bot.join()).run();
  await check(bot);
  await bot.close();
})));

// Round-trip time in ms, and the delay of sent and received packets in frames.
const DELAYS = [[0, 0, 0], [100, 1, 1], [300, 3, 3]];

async function stables(t) {
  await playCourses(t, (watcher, j) => [
    t.wanted('horses') && horseCourse(t, watcher, j),
    ...(t.wanted('delays') ? DELAYS.map((delay, i) => delayCourse(t, watcher, 2 + 3 * j + i, delay)) : []),
    t.wanted('boats') && boatCourse(t, watcher, j),
    t.wanted('boats') && iceCourse(t, watcher, j),
    t.wanted('boats') && passengerCourse(t, watcher, 2 + j),
  ]);
}

async function riders(t) {
  await playCourses(t, (watcher, j) => [
    t.wanted('riders') && hostileRiders(t, watcher, 8 + j),
    t.wanted('riders') && struckCourse(t, watcher, 10 + j),
    t.wanted('seats') && refusedMounts(t, watcher, 2 + j),
    t.wanted('seats') && unseatedCourse(t, watcher, 4 + j),
  ]);
}

/** Plays all courses at the same time, each with one client of each version. Every client has a lane of its own. */
async function playCourses(t, courses) {
  const watcher = t.bot('Watcher', { version: '1.26.51' });
  await t.report.check('the client that watches the others joins', async () => (await watcher.join()).run());
  if (!watcher.online) return;
  const all = VERSIONS.flatMap((version, j) => courses(watcher, j).filter(Boolean).map((course) => ({ course, version })));
  await Promise.all(all.map(({ course, version }, i) => playOne(t, `Player${i}`, version, course)));
}

async function playOne(t, name, version, course) {
  const bot = t.bot(name, { version });
  (await bot.join()).run();
  await course(bot);
  await bot.close();
}

async function hostile(t) {
  const [A, B] = await joinPair(t);
  if (A.online && B.online) await hostileChecks(t, A, B);
}

async function transport(t) {
  const [A, B] = await joinPair(t);
  if (A.online && B.online) await transportChecks(t, A, B, { cookies: true });
}

async function strict(t) {
  const [A, B] = await joinPair(t);
  if (!A.online || !B.online) return;
  const checks = [...(t.wanted('lag') ? lagChecks(t, B) : []), ...(t.wanted('lanes') ? laneChecks(t, B) : [])];
  await shareAmongWalkers(t, checks);
  if (t.wanted('frames')) await frameChecks(t, A, B, { strict: true });
}

const WALKERS = 5;

/** Plays checks that need one client each, several at the same time: each client plays the next check until none is left. */
async function shareAmongWalkers(t, checks) {
  const waiting = [...checks];
  await Promise.all(Array.from({ length: Math.min(WALKERS, checks.length) }, async (_, i) => {
    const bot = t.bot(`Walker${i}`, { version: i % 2 ? '1.26.51' : '1.26.45' });
    (await bot.join()).run();
    for (let check = waiting.shift(); check; check = waiting.shift()) await check(bot);
    await bot.close();
  }));
}

async function accept(t) {
  const [A, B] = await joinPair(t);
  if (A.online && B.online) await acceptChecks(t, A, B);
}
