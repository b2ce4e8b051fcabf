// NPCs: every door shows their wounds, their death and their respawn.
import { must } from '../../lib/assert.mjs';

const NPC = 'Sheep';
const BESIDE = { x: -12.25, z: -12.25 };
const RESPAWN_MS = 60000; // time limit for a new NPC to be shown; the spawn creates it after three seconds

export async function npcChecks({ report }, players) {
  for (const killer of players) {
    const [marks, ids] = [new Map(), new Map()];
    await report.check(`${killer.door} player kills the sheep, and all clients show its wounds and its death`, async () => {
      await killer.walk(BESIDE);
      for (const p of players) await p.until(() => p.idOf(NPC), `sight of the ${NPC}`);
      for (const p of players) marks.set(p, p.mark());
      for (const p of players) ids.set(p, p.idOf(NPC));
      must(await killer.fight(NPC, () => killer.sawDeath(NPC, marks.get(killer))), `${killer.healthOf(NPC)} of its health is left`);
      for (const p of players) {
        await p.until(() => p.sawDeath(NPC, marks.get(p)), `death of the ${NPC}`);
        must(p.hits(marks.get(p)).some((h) => h.on === NPC), `the ${p.door} client showed no hit`);
      }
    });
    await report.check(`only the ${killer.door} player gains experience for its kill`, async () => {
      await killer.until(() => killer.experience(marks.get(killer)) > 0, 'experience');
      for (const p of players) must(p === killer || p.experience(marks.get(p)) === 0, `${p.door} gained ${p.experience(marks.get(p))} as well`);
    });
    const back = killer.walk({ x: 1.75 + 7 * players.indexOf(killer), z: 1.75 });
    await report.check(`all clients show another sheep after the kill of the ${killer.door} player`, async () => {
      await Promise.all(players.map((p) => p.until(() => p.positionOf(NPC) && p.idOf(NPC) !== ids.get(p), `another ${NPC}`, RESPAWN_MS)));
    });
    await back;
  }
}
