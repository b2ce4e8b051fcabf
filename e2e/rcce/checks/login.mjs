// Accounts and characters, before world entry: docs/wire/rcce.md 3.2 and steps 1-12 of section 4.
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

/** Resolves with false when no connection could be made. */
export async function loginChecks(t) {
  const { report, A, B } = t;
  await report.check('the ENet 1.1 handshake completes', () => A.connect());
  if (!A.connected) return false; // without a connection no other check can run
  await report.check('a new account is created with Y', async () => equal(await A.createAccount(), 'Y', 'status'));
  await report.check('an existing account is refused with N', async () => equal(await A.createAccount(), 'N', 'status'));
  await report.check('an existing account in another case is refused with N', async () =>
    equal(await A.createAccount({ ...A.account, user: A.account.user.toUpperCase() }), 'N', 'status'));
  await report.check('an account name with a blank is refused with N', async () =>
    equal(await A.createAccount({ ...A.account, user: 'rust bot' }), 'N', 'status'));
  await report.check('a wrong password is refused with P', async () =>
    equal((await A.verify({ ...A.account, password: 'guess' })).status, 'P', 'status'));
  await report.check('an unknown user is refused with P', async () =>
    equal((await A.verify({ ...A.account, user: 'nobody' })).status, 'P', 'status'));
  await report.check('a login is answered with Y and an empty roster', async () => {
    const m = await A.verify();
    equal(m.status, 'Y', 'status');
    equal(m.characters.length, 0, 'characters');
  });
  await report.check('StartGame without a character is refused', async () => must(!(await A.startGame()), 'entered the world'));
  await createCharacters(t);
  await report.check('the roster and the sheet show the new character', () => roster(t));
  await report.check('a disconnect is acknowledged', async () => {
    A.settle();
    const ms = await A.disconnect();
    must(ms >= 0, 'no ack of DISCONNECT');
    must((await B.disconnect()) >= 0, 'no ack of DISCONNECT for B');
    await sleep(300);
  });
  return true;
}

async function createCharacters(t) {
  const { report, A, B } = t;
  await report.check('a character is created with a template id in 0..20', async () => {
    A.character = must(await A.createCharacter('Rustaroo'), 'no template was accepted');
  });
  await report.check('a second account is created', async () => {
    await B.connect();
    equal(await B.createAccount(), 'Y', 'account');
    equal((await B.verify()).status, 'Y', 'login');
  });
  await report.check('a taken character name is refused with I, also in another case', async () => {
    const actor = A.character?.actor ?? 0;
    equal(await B.tryCharacter({ actor, name: 'Rustaroo' }), 'I', 'same name');
    equal(await B.tryCharacter({ actor, name: 'rustAROO' }), 'I', 'other case');
  });
  await report.check('a character name of 33 bytes is refused with I', async () =>
    equal(await B.tryCharacter({ actor: A.character?.actor ?? 0, name: 'x'.repeat(33) }), 'I', 'status'));
  await report.check('a second character is created', async () => {
    B.character = must(await B.createCharacter('Rustabel'), 'no template was accepted');
  });
}

async function roster({ A, world }) {
  const { characters } = await A.verify();
  equal(characters?.length, 1, 'characters');
  equal(characters[0].name, A.character.name, 'name');
  equal(characters[0].actor, A.character.actor, 'template');
  const sheet = must(await A.fetchCharacter(0), 'no C1 followed by F');
  must(sheet.level >= 1, `level ${sheet.level}`);
  const [hp, max] = [sheet.value[world.healthStat], sheet.max[world.healthStat]];
  must(hp > 0 && hp <= max, `health ${hp} of ${max}`);
  equal(sheet.parts.at(-1).sub, 'F', 'last part');
  must(!(await A.fetchCharacter(7)), 'the empty slot 7 was answered with a sheet');
}

/** Both players get an account and a character, and enter the world. */
export async function quickJoinCheck({ report, A, B }) {
  await report.check('two players enter the world', async () => {
    for (const [c, name] of [[A, 'Rustaroo'], [B, 'Rustabel']]) await joinAs(c, name);
    must(await A.until(() => A.actors.has(B.rid), 15000), `A shows ${[...A.actors.keys()]}, not B, ${B.rid}`);
    must(await B.until(() => B.actors.has(A.rid), 15000), `B shows ${[...B.actors.keys()]}, not A, ${A.rid}`);
  });
}

/** Creates the account and a character of that name, and enters the world. */
export async function joinAs(c, name) {
  await c.connect();
  equal(await c.createAccount(), 'Y', 'account');
  equal((await c.verify()).status, 'Y', 'login');
  c.character = must(await c.createCharacter(name), 'no template was accepted');
  await c.disconnect();
  await sleep(300);
  await c.enter();
}

/** One account, one session. A is in the world. */
export async function onlineChecks({ report, A, client }) {
  await report.check('a login to an account in the world is refused with L, or P with a wrong password', async () => {
    const other = client('A2', A.account);
    await other.connect();
    equal((await other.verify()).status, 'L', 'right password');
    equal((await other.verify({ ...A.account, password: 'guess' })).status, 'P', 'wrong password');
    await other.disconnect();
  });
}
