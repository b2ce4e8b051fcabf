// Blows, death and life after it.
import { start } from '../lanes.mjs';
import { respawnAction } from '../packets.mjs';
import { agree, find } from './join.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const health = (bot) => bot.attributes.get('minecraft:health');

export async function combatChecks(t, A, B, C) {
  const { report } = t;
  await report.check('a blow costs health, and everybody near sees it', async () => {
    await B.walkTo(A.pos[0] + 1.2, A.pos[2], { reach: 0.4 });
    await agree(B, A, 0.05);
    const me = await find(B, A.name);
    const had = health(A);
    const [a, c] = [A.events.length, C.events.length];
    const seen = (await find(C, A.name)).runtimeId;
    B.attack(me.runtimeId);
    await A.until(() => health(A) < had, 'less health');
    equal(health(A), had - 4, 'health');
    await C.until(() => C.events.slice(c).some((e) => e.event_id === 'hurt_animation' && e.runtime_entity_id === seen), 'the others to see it hurt');
    await A.until(() => A.events.slice(a).some((e) => e.event_id === 'hurt_animation' && e.runtime_entity_id === A.runtimeId), 'to see itself hurt');
  });
  await report.check('a blow from too far away does nothing', async () => {
    await B.walkTo(A.pos[0] + 9, A.pos[2]);
    const had = health(A);
    B.attack((await find(B, A.name)).runtimeId);
    B.attack(987654321n);
    B.attack(B.runtimeId);
    await B.frames(20);
    equal(health(A), had, 'health');
    equal(health(B), 20, 'health of the attacker');
  });
  await report.check('too many blows at once count as the rules allow', async () => {
    await B.walkTo(A.pos[0] + 1.2, A.pos[2], { reach: 0.4 });
    await agree(B, A, 0.05);
    const had = health(A);
    const me = await find(B, A.name);
    for (let i = 0; i < 10; i++) B.attack(me.runtimeId);
    await B.frames(6);
    must(health(A) >= had - 4, `${had - health(A)} points at once`);
  });
  await report.check('at no health it dies, and everybody near sees it', async () => {
    const c = C.events.length;
    const seen = (await find(C, A.name)).runtimeId;
    for (let i = 0; i < 20 && health(A) > 0; i++) {
      const me = await find(B, A.name);
      if (Math.hypot(me.pos[0] - B.pos[0], me.pos[2] - B.pos[2]) > 2) await B.walkTo(me.pos[0], me.pos[2], { reach: 1.2 });
      B.attack(me.runtimeId);
      await B.frames(11);
    }
    equal(health(A), 0, 'health');
    await C.until(() => C.events.slice(c).some((e) => e.event_id === 'death_animation' && e.runtime_entity_id === seen), 'the others to see it die');
  });
  await report.check('the dead do not walk', async () => {
    const from = [...A.pos];
    A.hands.move = [0, 1];
    await A.frames(20);
    A.hands.move = [0, 0];
    const seen = B.others.find(A.name);
    if (seen) near([seen.pos[0], seen.pos[2]], [from[0], from[2]], 1.5, 'where the others see it');
  });
  await report.check('at the wish it lives again, at the start, and is seen there', async () => {
    const mark = A.carriers.log.length;
    A.wishToLive();
    A.client.write('player_action', respawnAction(A.runtimeId));
    await A.until(() => health(A) === 20, 'health again');
    await A.until(() => A.carriers.since(mark, 'teleport').length > 0, 'to be put at the start');
    await A.frames(20);
    near(A.pos, start, 1.5, 'where it is');
    await find(C, A.name);
    await agree(A, C, 0.02);
    const news = A.carriers.log.length;
    await A.walkTo(A.pos[0], A.pos[2] + 3);
    equal(A.carriers.since(news, 'correction').length, 0, 'corrections of the first walk');
    await agree(A, C, 0.02);
  });
  await report.check('the wish of the living does nothing', async () => {
    await A.frames(20);
    const from = [...A.pos];
    A.client.write('respawn', { position: { x: 90, y: 90, z: 90 }, state: 2, runtime_entity_id: A.runtimeId });
    A.client.write('player_action', respawnAction(A.runtimeId));
    await A.frames(15);
    near(A.pos, from, 0.01, 'where it is');
    equal(health(A), 20, 'health');
    must(A.online, 'it is gone');
  });
}
