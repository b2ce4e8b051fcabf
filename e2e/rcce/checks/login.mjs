// Accounts and characters, before the world: docs/wire/rcce.md 3.2 and steps 1-12 of section 4.
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

/** Resolves false when there is no connection at all. */
export async function loginChecks(t) {
  const { report, A, B } = t;
  await report.check('ENet 1.1 handshake', () => A.connect());
  if (!A.connected) return false; // nothing else can pass
  await report.check('account created', async () => equal(await A.createAccount(), 'Y', 'status'));
  await report.check('account exists', async () => equal(await A.createAccount(), 'N', 'status'));
  await report.check('account with another case of the name exists', async () =>
    equal(await A.createAccount({ ...A.account, user: A.account.user.toUpperCase() }), 'N', 'status'));
  await report.check('account name with a blank is refused', async () =>
    equal(await A.createAccount({ ...A.account, user: 'rust bot' }), 'N', 'status'));
  await report.check('wrong password is P', async () =>
    equal((await A.verify({ ...A.account, password: 'guess' })).status, 'P', 'status'));
  await report.check('unknown user is P', async () =>
    equal((await A.verify({ ...A.account, user: 'nobody' })).status, 'P', 'status'));
  await report.check('login answers Y and an empty roster', async () => {
    const m = await A.verify();
    equal(m.status, 'Y', 'status');
    equal(m.characters.length, 0, 'characters');
  });
  await report.check('StartGame without a character is refused', async () => must(!(await A.startGame()), 'entered the world'));
  await createCharacters(t);
  await report.check('roster and sheet', () => roster(t));
  await report.check('disconnect is acknowledged', async () => {
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
  await report.check('character created with a template id in 0..20', async () => {
    A.character = must(await A.createCharacter('Rustaroo'), 'no template accepted');
  });
  await report.check('second account', async () => {
    await B.connect();
    equal(await B.createAccount(), 'Y', 'account');
    equal((await B.verify()).status, 'Y', 'login');
  });
  await report.check('a taken name is I, also in another case', async () => {
    const actor = A.character?.actor ?? 0;
    equal(await B.tryCharacter({ actor, name: 'Rustaroo' }), 'I', 'same name');
    equal(await B.tryCharacter({ actor, name: 'rustAROO' }), 'I', 'other case');
  });
  await report.check('a name of 33 bytes is I', async () =>
    equal(await B.tryCharacter({ actor: A.character?.actor ?? 0, name: 'x'.repeat(33) }), 'I', 'status'));
  await report.check('second character', async () => {
    B.character = must(await B.createCharacter('Rustabel'), 'no template accepted');
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
  must(!(await A.fetchCharacter(7)), 'slot 7 is empty but was sent');
}

/** One account, one session. A is in the world. */
export async function onlineChecks({ report, A, client }) {
  await report.check('an account in the world is L for others, P with a wrong password', async () => {
    const other = client('A2', A.account);
    await other.connect();
    equal((await other.verify()).status, 'L', 'right password');
    equal((await other.verify({ ...A.account, password: 'guess' })).status, 'P', 'wrong password');
    await other.disconnect();
  });
}
