// One evening of three players, one of each door, in order. Each part is in checks/.
import { BedrockActor } from './bedrock.mjs';
import { RcceActor } from './rcce.mjs';
import { RsActor } from './rs.mjs';
import { beastChecks } from './checks/beasts.mjs';
import { combatChecks } from './checks/combat.mjs';
import { deedChecks } from './checks/deeds.mjs';
import { groundChecks } from './checks/ground.mjs';
import { lineUp, seeChecks, walkChecks } from './checks/see.mjs';
import { speechChecks } from './checks/speech.mjs';
import { travelChecks } from './checks/travel.mjs';
import { equal, must } from '../lib/assert.mjs';

export const parts = ['speech', 'walk', 'ground', 'combat', 'beasts', 'deeds', 'travel'];

// What honest clients send, too, and how much of it: on the way between two areas, before they hear that they are elsewhere,
// inputs, and as many claims as the time of the two passages holds; and what the transports sort out for themselves, such
// as stragglers of a connection that has ended.
const mayBe = ([rcce]) => [
  [/door="bedrock",kind="early_input"/, Infinity],
  [/door="rcce",kind="untimely"/, rcce.strays],
  [/kind="(enet|raknet)_/, Infinity],
];
const honest = (players) => ([line, n]) => n <= (mayBe(players).find(([pattern]) => pattern.test(line))?.[1] ?? 0);

/** Plays on a started server. wanted(part) tells what besides coming, seeing and leaving. */
export async function play({ report, server, wanted }) {
  const players = [
    new RcceActor({ name: 'Ann', server }),
    new RsActor({ name: 'Bob', server }),
    new BedrockActor({ name: 'Cid', server }),
  ];
  const t = { report, server };
  try {
    for (const p of players) await report.check(`a ${p.door} client comes in`, () => p.join());
    if (!players.every((p) => p.online)) return;
    await lineUp(players);
    await seeChecks(t, players);
    if (wanted('speech')) await speechChecks(t, players);
    if (wanted('walk')) await walkChecks(t, players);
    if (wanted('ground')) await groundChecks(t, players);
    if (wanted('combat')) await combatChecks(t, players);
    if (wanted('beasts')) await beastChecks(t, players);
    if (wanted('deeds')) await deedChecks(t, players);
    if (wanted('travel')) await travelChecks(t, players);
    await leaveChecks(t, players);
  } finally {
    await Promise.all(players.map((p) => p.close().catch(() => {})));
  }
}

async function leaveChecks({ report, server }, players) {
  await report.check('no bad packet was counted at any door', async () => {
    const bad = Object.entries(await server.counters('truestep_bad_packets_total')).filter((counter) => !honest(players)(counter));
    equal(bad, [], 'counters');
  });
  await report.check('nothing that a client could not read', async () => {
    equal(players.flatMap((p) => p.violations()).slice(0, 4), [], 'violations');
  });
  const left = [...players];
  while (left.length > 1) {
    const p = left.shift();
    await report.check(`${p.door} leaves, and the others see him go`, async () => {
      must(p.online, 'he was gone already');
      await p.close();
      for (const q of left) await q.until(() => !q.sees(p.name), `${p.name} gone`);
    });
  }
}
