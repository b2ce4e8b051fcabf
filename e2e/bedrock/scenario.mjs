// The games, each of which is played on a server of its own. The checks are in checks/.
import { equal } from '../lib/assert.mjs';
import { Bot } from './bot.mjs';
import { chatChecks } from './checks/chat.mjs';
import { combatChecks } from './checks/combat.mjs';
import { correctChecks } from './checks/correct.mjs';
import { frameChecks } from './checks/frames.mjs';
import { hostileChecks } from './checks/hostile.mjs';
import { joinChecks } from './checks/join.mjs';
import { raknetNodeCheck } from './checks/raknet_node.mjs';
import { acceptChecks, lagChecks, rateChecks } from './checks/rate.mjs';
import { fullChecks, refuseChecks } from './checks/refuse.mjs';
import { stopChecks } from './checks/stop.mjs';
import { unansweredTeleportCheck, teleportChecks } from './checks/teleport.mjs';
import { transportChecks } from './checks/transport.mjs';
import { laneChecks, walkChecks } from './checks/walk.mjs';

const noCookies = ['--bedrock-cookies=false']; // jsp-raknet and raknet-node do not support cookies

export const games = {
  /** Four clients: everything that players do with each other. */
  crew: { extra: noCookies, play: crew },
  /** Default settings, with cookies: hostile clients. */
  hostile: { extra: [], play: hostile },
  /** A correction threshold so small that an error of one frame shows. */
  strict: { extra: [], prediction: { 'player-position-acceptance-threshold': 0.01, strict_threshold: 0.01 }, play: strict },
  /** Client positions are accepted. */
  accept: { extra: [], prediction: { movement: 'accept' }, play: accept },
  /** A door with room for two players. */
  full: { extra: ['--bedrock-max-players=2'], play: fullChecks },
};

/** The parts of all games. */
export const parts = [
  'raknet-node', 'chat', 'refuse', 'walk', 'correct', 'frames', 'rate', 'teleport', 'combat', 'unanswered', 'stop', 'transport', 'hostile', 'lag', 'lanes',
];

/** Plays a game on a started server. wanted(part) tells which of its parts are played. */
export async function play(game, { report, server, wanted }) {
  const bots = [];
  const t = {
    report, server, wanted,
    bot: (name, more = {}) => {
      const bot = new Bot({ port: server.ports.bedrock, ...more, name });
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
  if (t.wanted('raknet-node')) await raknetNodeCheck(t, A);
  if (t.wanted('chat')) await chatChecks(t, bots);
  if (t.wanted('refuse')) await refuseChecks(t, bots);
  if (t.wanted('walk')) await walkChecks(t, A, B);
  if (t.wanted('correct')) await correctChecks(t, A, B);
  if (t.wanted('frames')) await frameChecks(t, A, B);
  if (t.wanted('rate')) await rateChecks(t, A, B);
  if (t.wanted('teleport')) await teleportChecks(t, A, B);
  if (t.wanted('combat')) await combatChecks(t, A, B, C);
  if (t.wanted('unanswered')) await unansweredTeleportCheck(t, D, B);
  if (t.wanted('stop')) await stopChecks(t, bots.filter((b) => b.online));
}

/** Two clients that have joined and stand at the start. */
async function joinPair(t) {
  const pair = [t.bot('Ada'), t.bot('Bob', { version: '1.26.51' })];
  await t.report.check('two clients with both versions join', async () => {
    for (const bot of pair) (await bot.join()).run();
    await pair[0].until(() => pair[0].others.find('Bob'), 'sight of Bob');
    await pair[1].until(() => pair[1].others.find('Ada'), 'sight of Ada');
  });
  return pair;
}

async function hostile(t) {
  const [A, B] = await joinPair(t);
  if (!A.online || !B.online) return;
  if (t.wanted('transport')) await transportChecks(t, A, B, { cookies: true });
  if (t.wanted('hostile')) await hostileChecks(t, A, B);
}

async function strict(t) {
  const [A, B] = await joinPair(t);
  if (!A.online || !B.online) return;
  if (t.wanted('lag')) await lagChecks(t, A, B);
  if (t.wanted('lanes')) {
    const more = [t.bot('Cyd'), t.bot('Dan', { version: '1.26.51' })];
    for (const bot of more) (await bot.join()).run();
    await laneChecks(t, [A, ...more], B);
    for (const bot of more) await bot.close();
  }
  if (t.wanted('frames')) await frameChecks(t, A, B, { strict: true });
}

async function accept(t) {
  const [A, B] = await joinPair(t);
  if (A.online && B.online) await acceptChecks(t, A, B);
}
