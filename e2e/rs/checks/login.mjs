// Login: the first packets of a session, and refusals.
import crypto from 'node:crypto';
import { S } from '../tables.mjs';
import { green } from '../world.mjs';
import { equal, must } from '../../lib/assert.mjs';

export async function loginChecks(t) {
  const { report, server } = t;
  const A = t.client('Ada');
  await report.check('login answers code 2 and the welcome fields', async () => {
    equal(await A.login(), 2, 'code');
    const w = A.welcome;
    equal([w.staff, w.underage, w.parentalChat, w.quickChat, w.member], [0, 0, 0, 0, 1], 'welcome');
  });
  await report.check('the first map has the placement, 104 tiles and a key for each square', async () => {
    const first = A.sessions[0];
    equal(first.placement.length, 4608, 'bytes of placement');
    const { size, baseX, baseZ, keys } = A.map;
    equal([size, baseX, baseZ, keys], [104, 3168, 3168, 9], 'map');
    equal([A.tile.x, A.tile.z, A.tile.plane], [green.x, green.z, 0], 'own tile');
  });
  await report.check('the first player info has the own appearance and speed', async () => {
    await A.until(() => A.view.cycle >= 1, 'player info');
    const appearance = A.view.appearances[A.index];
    must(appearance, 'no appearance');
    equal([appearance.name, appearance.npc, appearance.combat], ['Ada', undefined, 3], 'appearance');
    must(appearance.worn.some((v) => v >= 256), 'no worn object');
    must(A.view.speeds[A.index] === 1, `remembered speed ${A.view.speeds[A.index]}`);
  });
  await report.check('the first packets set top interface, attack option, health, energy and run', async () => {
    await A.until(() => A.run !== undefined && A.packets.get(S.SERVER_TICK_END) >= 1, 'run setting and the end of a tick');
    equal([A.top, A.options[1], A.reduced, A.energy, A.run, A.life], [746, 'Attack', 0, 100, 0, 120], 'values');
  });
  await report.check('NPCs are players with an npc form, or with identity kits', async () => {
    for (const name of ['Merchant', 'Villager', 'Rat']) await A.until(() => A.view.find(name), `sight of a ${name}`);
    const form = (name) => A.view.appearances[A.view.find(name)]?.npc;
    equal([form('Merchant'), form('Villager'), form('Rat')], [1, 1, undefined], 'npc forms');
  });
  await refusalChecks(t, server);
  return A;
}

async function refusalChecks(t) {
  const { report } = t;
  const refused = (name, want, user, o = {}, more = {}) => report.check(name, async () => {
    const c = t.client(user, more);
    equal(await c.login(o), want, 'code');
    await c.until(() => c.closed, 'the end of the connection', 3000);
  });
  await refused('a wrong password is refused with code 3', 3, 'Ada', { password: 'wrong' });
  await refused('another revision is refused with code 6', 6, 'Ada', { build: 666 });
  await refused('an account that is online is refused with code 5', 5, 'Ada');
  await refused('an invalid name is refused with code 3', 3, 'no*name');
  await refused('a name of 13 letters is refused with code 3', 3, 'thirteenchars');
  await refused('a reconnect to an unknown account is refused with code 3', 3, 'Nobody', { reconnect: true });
  await refused('a login encrypted with another key is refused with code 10', 10, 'Ada', {}, { key: otherKey() });
}

function otherKey() {
  const { publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const big = (s) => BigInt(`0x${Buffer.from(s, 'base64url').toString('hex')}`);
  return { modulus: big(n), exponent: big(e) };
}

export async function greetingCheck(t, A) {
  await t.report.check('a new player receives the greeting of the world', async () => {
    const texts = A.lines.map((l) => l.text);
    must(texts.some((text) => text.startsWith('Welcome to Truestep Vale')), `the player received the lines: ${texts.join(' | ') || 'none'}`);
  });
}
