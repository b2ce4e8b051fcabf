// Combat, death and respawn.
import { start } from '../lanes.mjs';
import { respawnAction } from '../packets.mjs';
import { drained } from './correct.mjs';
import { agree, find } from './join.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const health = (bot) => bot.attributes.get('minecraft:health');

export async function combatChecks(t, A, B, C) {
  const { report } = t;
  await report.check('a hit reduces health, and clients nearby show it', async () => {
    await B.walkTo(A.pos[0] + 1.2, A.pos[2], { reach: 0.4 });
    await agree(B, A, 0.05);
    const target = await find(B, A.name);
    const had = health(A);
    const [a, c] = [A.events.length, C.events.length];
    const seen = (await find(C, A.name)).runtimeId;
    B.attack(target.runtimeId);
    await A.until(() => health(A) < had, 'loss of health');
    equal(health(A), had - 4, 'health');
    await C.until(() => C.events.slice(c).some((e) => e.event_id === 'hurt_animation' && e.runtime_entity_id === seen), 'hurt animation for others');
    await A.until(() => A.events.slice(a).some((e) => e.event_id === 'hurt_animation' && e.runtime_entity_id === A.runtimeId), 'own hurt animation');
  });
  await report.check('a hit out of range has no effect', async () => {
    await B.walkTo(A.pos[0] + 9, A.pos[2]);
    const had = health(A);
    B.attack((await find(B, A.name)).runtimeId);
    B.attack(987654321n);
    B.attack(B.runtimeId);
    await B.frames(20);
    equal(health(A), had, 'health');
    equal(health(B), 20, 'health of the attacker');
  });
  await report.check('a burst of hits is limited by the combat delay', async () => {
    await B.walkTo(A.pos[0] + 1.2, A.pos[2], { reach: 0.4 });
    await agree(B, A, 0.05);
    const had = health(A);
    const target = await find(B, A.name);
    for (let i = 0; i < 10; i++) B.attack(target.runtimeId);
    await B.frames(6);
    must(health(A) >= had - 4, `lost ${had - health(A)} points at once`);
  });
  await report.check('a player without health dies, and clients nearby show it', async () => {
    const c = C.events.length;
    const seen = (await find(C, A.name)).runtimeId;
    for (let i = 0; i < 20 && health(A) > 0; i++) {
      const target = await find(B, A.name);
      if (Math.hypot(target.pos[0] - B.pos[0], target.pos[2] - B.pos[2]) > 2) await B.walkTo(target.pos[0], target.pos[2], { reach: 1.2 });
      B.attack(target.runtimeId);
      await B.frames(11);
    }
    equal(health(A), 0, 'health');
    await C.until(() => C.events.slice(c).some((e) => e.event_id === 'death_animation' && e.runtime_entity_id === seen), 'death animation for others');
  });
  await report.check('a dead player does not move', async () => {
    const from = [...A.pos];
    A.controls.move = [0, 1];
    await A.frames(20);
    A.controls.move = [0, 0];
    const seen = B.others.find(A.name);
    if (seen) near([seen.pos[0], seen.pos[2]], [from[0], from[2]], 1.5, 'position as others show it');
  });
  await report.check('a respawn request revives the player at the start for all', async () => {
    const mark = A.selfPackets.log.length;
    A.requestRespawn();
    A.client.write('player_action', respawnAction(A.runtimeId));
    await A.until(() => health(A) === 20, 'full health');
    await A.until(() => A.selfPackets.since(mark, 'teleport').length > 0, 'teleport to the start');
    await A.frames(20);
    near(A.pos, start, 1.5, 'position');
    await find(C, A.name);
    await agree(A, C, 0.02);
    await drained(A);
    const mark2 = A.selfPackets.log.length;
    await A.walkTo(A.pos[0], A.pos[2] + 3);
    equal(A.selfPackets.since(mark2, 'correction').length, 0, 'corrections of the first walk');
    await agree(A, C, 0.02);
  });
  await report.check('a respawn request of a living player has no effect', async () => {
    await A.frames(20);
    const from = [...A.pos];
    A.client.write('respawn', { position: { x: 90, y: 90, z: 90 }, state: 2, runtime_entity_id: A.runtimeId });
    A.client.write('player_action', respawnAction(A.runtimeId));
    await A.frames(15);
    near(A.pos, from, 0.01, 'position');
    equal(health(A), 20, 'health');
    must(A.online, 'disconnected');
  });
}
