// Blows, deaths, and waking up.
import { packTile } from '../info.mjs';
import { say } from '../packets.mjs';
import { green, ringGate, sand } from '../world.mjs';
import { equal, must } from '../../lib/assert.mjs';

/** Notes the blocks of an index in every cycle until stopped. */
function follow(c, index) {
  const seen = { targets: [], anims: [], hits: [], says: [] };
  seen.stop = c.watch((changes) => {
    const b = changes.get(index)?.blocks ?? {};
    if (b.TARGET !== undefined) seen.targets.push(b.TARGET);
    if (b.ANIM) seen.anims.push(b.ANIM.seq[0]);
    if (b.HITS) seen.hits.push(...b.HITS);
  });
  return seen;
}

function nearest(c, name) {
  const away = (i) => Math.max(Math.abs(c.view.tile(i).x - c.tile.x), Math.abs(c.view.tile(i).z - c.tile.z));
  return c.view.locals.filter((i) => c.view.name(i) === name).sort((a, b) => away(a) - away(b))[0];
}

export async function preyChecks(t, A, B) {
  const { report } = t;
  A.send(say.walk(green.x, green.z));
  B.send(say.walk(green.x + 1, green.z + 2));
  await A.until(() => A.at(green.x, green.z), 'the green', 20000);
  await A.until(() => nearest(A, 'Rat'), 'a rat', 15000);
  const rat = nearest(A, 'Rat');
  const [self, other] = [follow(A, A.index), follow(A, rat)];
  const asBob = follow(B, B.view.find('Ada'));
  let gone = false;
  const stop = A.watch((changes) => (gone ||= changes.get(rat)?.how === 'remove'));
  await report.check('attack a rat: TARGET at once, for both clients', async () => {
    A.send(say.attack(rat));
    await A.until(() => self.targets.includes(rat + 32768), 'TARGET', 5000);
    await B.until(() => asBob.targets.some((v) => v > 32768), 'TARGET for Bob', 3000);
    const his = asBob.targets.find((v) => v > 32768) - 32768;
    equal(B.view.name(his), 'Rat', 'whom Bob sees attacked');
  });
  await report.check('blows: ANIM of the attacker, HITS with a ratio', async () => {
    await A.until(() => other.hits.length >= 1 && self.anims.length >= 1, 'a blow', 15000);
    const wounds = other.hits.filter((h) => h.amount > 0); // it heals a little between them
    must(wounds.every((h) => h.hp < 255), `ratios ${wounds.map((h) => h.hp)}`);
    await B.until(() => asBob.anims.length >= 1, 'ANIM for Bob', 2000);
  });
  await report.check('the rat dies with ratio 0 and is taken away', async () => {
    await A.until(() => other.hits.at(-1)?.hp === 0, 'the last blow', 40000);
    await A.until(() => gone, 'its removal', 6000);
  });
  await report.check('TARGET is cleared when the rat is dead', async () => {
    await A.until(() => self.targets.at(-1) === 65535, 'TARGET 65535', 4000);
  });
  for (const f of [self, other, asBob]) f.stop();
  stop();
  await report.check('an attack on a player is refused outside of the Ring', async () => {
    A.send(say.attack(A.view.find('Bob')));
    const words = await A.until(() => A.lines.find((l) => l.kind === 'game' && /player|fight|attack/i.test(l.text)), 'words', 4000);
    must(words, 'no words');
  });
}

/** The change of a player who is somewhere else at once, or undefined. */
export function jumpOf(c, changes) {
  const own = changes.get(c.index);
  return own?.how === 'near' || own?.how === 'far' ? own : undefined;
}

/** Sends players through the Ring gate. */
export async function enterRing(t, players) {
  for (const p of players) {
    p.send(say.command('run'));
    p.send(say.walk(ringGate.x, ringGate.z));
  }
  const inRing = (p) => Math.abs(p.tile.x - sand.x) <= 3 && Math.abs(p.tile.z - sand.z) <= 3;
  await Promise.all(players.map((p) => p.until(() => inRing(p), 'the Ring', 25000)));
}

export async function duelChecks(t, A, B) {
  const { report } = t;
  await B.until(() => B.view.find('Ada'), 'Ada');
  await A.until(() => A.view.find('Bob'), 'Bob');
  const index = A.view.find('Bob');
  const [mine, his, own] = [follow(A, index), follow(B, B.index), follow(A, A.index)];
  await report.check('PvP in the Ring: both clients see the same blows', async () => {
    A.send(say.attack(index));
    await A.until(() => mine.hits.length >= 3, 'three blows', 20000);
    await B.until(() => his.hits.length >= 3, 'three blows', 3000);
    const line = (hits) => hits.slice(0, 3).map((h) => [h.type, h.amount, h.hp]);
    equal(line(his.hits), line(mine.hits), 'blows');
    must(own.targets.includes(index + 32768), 'no TARGET');
    await B.until(() => B.life < 120, 'less life', 30000); // all three may have missed
  });
  // What follows the death comes by itself, seconds later: it is watched for from now on.
  let dead = false;
  const fallen = B.watch(() => (dead ||= B.life === 0));
  const jump = B.when((changes) => jumpOf(B, changes), 'the jump', 150000);
  jump.catch(() => {}); // told below
  await report.check('death: ratio 0, an ANIM, the words, life 0', async () => {
    await B.until(() => his.hits.some((h) => h.hp === 0), 'death', 120000);
    await B.until(() => B.lines.some((l) => l.text === 'Oh dear, you are dead!'), 'the words', 3000);
    await B.until(() => dead, 'life 0', 3000);
    await B.until(() => his.anims.includes(836), 'the animation of his death', 2000);
    await A.until(() => mine.anims.includes(836), 'the same for Ada', 2000);
  });
  await report.check('respawn: on the green in one jump, with life; the other loses him', async () => {
    const c = await jump;
    equal(c.to, packTile(green.x, green.z, 0), 'where he woke');
    equal(c.speed, 127, 'speed of the jump');
    await A.until(() => !A.view.find('Bob'), 'his removal for Ada', 4000);
    await B.until(() => B.life > 0, 'life', 3000);
  });
  for (const f of [mine, his, own]) f.stop();
  fallen();
}
