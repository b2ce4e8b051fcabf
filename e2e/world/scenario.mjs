// The order of the checks: one player of each door joins, they see each other, play the parts, and leave. The checks are in checks/.
import { equal, must } from '../lib/assert.mjs';
import { BedrockPlayer } from './bedrock_player.mjs';
import { actionChecks } from './checks/actions.mjs';
import { combatChecks } from './checks/combat.mjs';
import { groundChecks } from './checks/ground.mjs';
import { npcChecks } from './checks/npcs.mjs';
import { lineUp, sightChecks, truthChecks, walkChecks } from './checks/sight.mjs';
import { speechChecks } from './checks/speech.mjs';
import { travelChecks } from './checks/travel.mjs';
import { RccePlayer } from './rcce_player.mjs';
import { RsPlayer } from './rs_player.mjs';

export const parts = ['speech', 'walk', 'ground', 'combat', 'npcs', 'actions', 'travel'];

/** Plays on a started server. wanted(part) tells which parts are played; joining, sight and leaving always are. */
export async function play({ report, server, wanted }) {
  const players = [
    new RccePlayer({ name: 'Ann', server }),
    new RsPlayer({ name: 'Bob', server }),
    new BedrockPlayer({ name: 'Cid', server }),
  ];
  const t = { report, server };
  try {
    for (const p of players) await report.check(`${p.door} client joins`, () => p.join());
    if (!players.every((p) => p.online)) return;
    await lineUp(players);
    await sightChecks(t, players);
    await truthChecks(t, players, 'at the start');
    if (wanted('speech')) await speechChecks(t, players);
    if (wanted('walk')) await walkChecks(t, players);
    if (wanted('ground')) await groundChecks(t, players);
    if (wanted('combat')) await combatChecks(t, players);
    if (wanted('npcs')) await npcChecks(t, players);
    if (wanted('actions')) await actionChecks(t, players);
    if (wanted('travel')) await travelChecks(t, players);
    await leaveChecks(t, players);
  } finally {
    await Promise.all(players.map((p) => p.close().catch(() => {})));
  }
}

// Bad packets that correct clients cause too, with the count that is allowed: early inputs and claims sent between two areas,
// before the client has learned of the new one, and what the transports resolve themselves, such as late datagrams of a
// connection that has ended.
const allowances = ([rcce]) => [
  [/door="bedrock",kind="early_input"/, Infinity],
  [/door="rcce",kind="untimely"/, rcce.claimsBetweenAreas],
  [/kind="(enet|raknet)_/, Infinity],
];
const allowed = (players, line) => allowances(players).find(([pattern]) => pattern.test(line))?.[1] ?? 0;

async function leaveChecks({ report, server }, players) {
  await report.check('server counted no bad packet at any door', async () => {
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
