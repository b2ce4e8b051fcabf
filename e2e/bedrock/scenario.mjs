// What is played on which server. Each part is in checks/.
import { Bot } from './bot.mjs';
import { chatChecks } from './checks/chat.mjs';
import { combatChecks } from './checks/combat.mjs';
import { correctChecks } from './checks/correct.mjs';
import { frameChecks } from './checks/frames.mjs';
import { hostileChecks } from './checks/hostile.mjs';
import { joinChecks } from './checks/join.mjs';
import { loneCheck } from './checks/lone.mjs';
import { blindChecks, lagChecks, rateChecks } from './checks/rate.mjs';
import { fullChecks, refuseChecks } from './checks/refuse.mjs';
import { stopChecks } from './checks/stop.mjs';
import { deafChecks, teleportChecks } from './checks/teleport.mjs';
import { transportChecks } from './checks/transport.mjs';
import { laneChecks, walkChecks } from './checks/walk.mjs';
import { equal } from '../lib/assert.mjs';

const plain = ['--bedrock-cookies=false']; // those two implementations of RakNet do not know cookies

export const games = {
  /** Four clients, and everything that they do with each other. */
  crew: { extra: plain, play: crew },
  /** The usual settings, with cookies: rude clients. */
  rude: { extra: [], play: rude },
  /** A threshold so small that a mistake of one frame shows. */
  strict: { extra: [], prediction: { 'player-position-acceptance-threshold': 0.01, strict_threshold: 0.01 }, play: strict },
  /** Positions are accepted as they are told. */
  blind: { extra: [], prediction: { movement: 'accept' }, play: blind },
  /** A door with two places. */
  full: { extra: ['--bedrock-max-players=2'], play: fullChecks },
};

/** The parts of all games. */
export const parts = [
  'lone', 'chat', 'refuse', 'walk', 'correct', 'frames', 'rate', 'teleport', 'combat', 'deaf', 'stop', 'transport', 'hostile', 'lag', 'lanes',
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
    await report.check('nothing that a client could not read', async () => {
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
  if (t.wanted('lone')) await loneCheck(t, A);
  if (t.wanted('chat')) await chatChecks(t, bots);
  if (t.wanted('refuse')) await refuseChecks(t, bots);
  if (t.wanted('walk')) await walkChecks(t, A, B);
  if (t.wanted('correct')) await correctChecks(t, A, B);
  if (t.wanted('frames')) await frameChecks(t, A, B);
  if (t.wanted('rate')) await rateChecks(t, A, B);
  if (t.wanted('teleport')) await teleportChecks(t, A, B);
  if (t.wanted('combat')) await combatChecks(t, A, B, C);
  if (t.wanted('deaf')) await deafChecks(t, D, B);
  if (t.wanted('stop')) await stopChecks(t, bots.filter((b) => b.online));
}

/** Two who came in and stand at the start. */
async function pair(t) {
  const pair = [t.bot('Ada'), t.bot('Bob', { version: '1.26.51' })];
  await t.report.check('two come in, with both versions', async () => {
    for (const bot of pair) (await bot.join()).run();
    await pair[0].until(() => pair[0].others.find('Bob'), 'Bob near Ada');
    await pair[1].until(() => pair[1].others.find('Ada'), 'Ada near Bob');
  });
  return pair;
}

async function rude(t) {
  const [A, B] = await pair(t);
  if (!A.online || !B.online) return;
  if (t.wanted('transport')) await transportChecks(t, A, B, { cookies: true });
  if (t.wanted('hostile')) await hostileChecks(t, A, B);
}

async function strict(t) {
  const [A, B] = await pair(t);
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

async function blind(t) {
  const [A, B] = await pair(t);
  if (A.online && B.online) await blindChecks(t, A, B);
}
