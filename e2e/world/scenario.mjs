// The games: in each, one player of each door joins, plays the parts of the game with the others, and leaves. The checks are in
// checks/.
import { equal, must } from '../lib/assert.mjs';
import { BedrockPlayer } from './bedrock_player.mjs';
import { actionChecks } from './checks/actions.mjs';
import { combatChecks } from './checks/combat.mjs';
import { groundChecks } from './checks/ground.mjs';
import { lostChecks } from './checks/lost.mjs';
import { npcChecks } from './checks/npcs.mjs';
import { lineUp, pairs, sightChecks, truthChecks, walkChecks } from './checks/sight.mjs';
import { speechChecks } from './checks/speech.mjs';
import { travelChecks } from './checks/travel.mjs';
import { RccePlayer } from './rcce_player.mjs';
import { RsPlayer } from './rs_player.mjs';

/** The games. Each is played on a server of its own by one player of each door, and all at the same time. */
export const games = {
  sight: { parts: ['sight', 'speech', 'walk', 'ground'], play: sightGame },
  combat: { parts: ['combat'], play: combatChecks },
  actions: { parts: ['npcs', 'actions'], play: actionGame },
  travel: { parts: ['travel'], play: travelChecks },
  lost: { parts: ['lost'], play: lostChecks },
};

/** The parts of all games. */
export const parts = Object.values(games).flatMap((game) => game.parts);

/** Plays a game on a started server. wanted(part) tells which of its parts are played; joining and leaving always are. */
export async function play(game, { report, server, wanted }) {
  const players = [
    new RccePlayer({ name: 'Ann', server }),
    new RsPlayer({ name: 'Bob', server }),
    new BedrockPlayer({ name: 'Cid', server }),
  ];
  const t = { report, server, wanted };
  try {
    for (const p of players) await report.check(`${p.door} client joins`, () => p.join());
    if (!players.every((p) => p.online)) return;
    await lineUp(players);
    for (const [a, b] of pairs(players)) await a.until(() => a.positionOf(b.name), `sight of ${b.name}`);
    await game.play(t, players);
    await leaveChecks(t, players);
  } finally {
    await Promise.all(players.map((p) => p.close().catch(() => {})));
  }
}

async function sightGame(t, players) {
  if (t.wanted('sight')) await sightChecks(t, players);
  if (t.wanted('sight')) await truthChecks(t, players, 'at the start');
  if (t.wanted('speech')) await speechChecks(t, players);
  if (t.wanted('walk')) await walkChecks(t, players);
  if (t.wanted('ground')) await groundChecks(t, players);
}

async function actionGame(t, players) {
  if (t.wanted('npcs')) await npcChecks(t, players);
  if (t.wanted('actions')) await actionChecks(t, players);
}

// Allowed numbers of bad packets that correct clients cause, too: early inputs, claims that a client sends before it has
// received its new area, and datagrams that the transports handle, such as late ones of a connection that has ended.
const allowances = ([rcce]) => [
  [/door="bedrock",kind="early_input"/, Infinity],
  [/door="rcce",kind="untimely"/, rcce.claimsBetweenAreas],
  [/kind="(enet|raknet)_/, Infinity],
];
const allowed = (players, line) => allowances(players).find(([pattern]) => pattern.test(line))?.[1] ?? 0;

async function leaveChecks({ report, server }, players) {
  await report.check('the server counted no bad packets at any door, except those that correct clients cause', async () => {
    const counters = Object.entries(await server.counters('truestep_bad_packets_total'));
    equal(counters.filter(([line, n]) => n > allowed(players, line)), [], 'counters');
  });
  await report.check('no client received a packet that it could not read', async () => {
    equal(players.flatMap((p) => p.violations()).slice(0, 4), [], 'violations');
  });
  const left = [...players];
  while (left.length > 1) {
    const p = left.shift();
    await report.check(`${p.door} player leaves and disappears for the others`, async () => {
      must(p.online, 'was no longer online');
      await p.close();
      for (const q of left) await q.until(() => !q.positionOf(p.name), `removal of ${p.name}`);
    });
  }
}
