// Combat, death and respawn.
import { packTile } from '../info.mjs';
import { say } from '../packets.mjs';
import { green, ringGate, sand } from '../world.mjs';
import { equal, must } from '../../lib/assert.mjs';

/** Records the blocks of an index in every cycle until stop() is called. */
function recordBlocks(c, index) {
  const seen = { targets: [], anims: [], hits: [], says: [] };
  seen.stop = c.watch((changes) => {
    const b = changes.get(index)?.blocks ?? {};
    if (b.TARGET !== undefined) seen.targets.push(b.TARGET);
    if (b.ANIM) seen.anims.push(b.ANIM.seq[0]);
    if (b.HITS) seen.hits.push(...b.HITS);
  });
  return seen;
}

/** The nearest actor with a name that c shows, and that another client shows on the same tile. */
function nearest(c, name, other) {
  const away = (i) => Math.max(Math.abs(c.view.tile(i).x - c.tile.x), Math.abs(c.view.tile(i).z - c.tile.z));
  const named = (p) => p.view.locals.filter((i) => p.view.name(i) === name);
  const shared = new Set(named(other).map((i) => other.view.tiles[i]));
  return named(c).filter((i) => shared.has(c.view.tiles[i])).sort((a, b) => away(a) - away(b))[0];
}

export async function preyChecks(t, A, B) {
  const { report } = t;
  A.send(say.walk(green.x, green.z));
  B.send(say.walk(green.x + 1, green.z + 2));
  await A.until(() => A.at(green.x, green.z), 'arrival at the green', 20000);
  await B.until(() => B.at(green.x + 1, green.z + 2), 'arrival at the green', 20000);
  await A.until(() => nearest(A, 'Rat', B), 'sight of a rat', 15000);
  const rat = nearest(A, 'Rat', B);
  const [self, other] = [recordBlocks(A, A.index), recordBlocks(A, rat)];
  const asBob = recordBlocks(B, B.view.find('Ada'));
  let gone = false;
  const stop = A.watch((changes) => (gone ||= changes.get(rat)?.how === 'remove'));
  await report.check('an attack on a rat is shown at once as TARGET to both clients', async () => {
    A.send(say.attack(rat));
    await A.until(() => self.targets.includes(rat + 32768), 'TARGET', 5000);
    await B.until(() => asBob.targets.some((v) => v > 32768), 'TARGET for Bob', 3000);
    const target = asBob.targets.find((v) => v > 32768) - 32768;
    equal(B.view.name(target), 'Rat', 'target as Bob shows it');
  });
  await report.check('hits are an ANIM of the attacker and HITS with a health ratio', async () => {
    await A.until(() => other.hits.length >= 1 && self.anims.length >= 1, 'hit', 15000);
    const wounds = other.hits.filter((h) => h.amount > 0); // hits with damage, because after a miss the victim may have full health
    must(wounds.every((h) => h.hp < 255), `ratios ${wounds.map((h) => h.hp)}`);
    await B.until(() => asBob.anims.length >= 1, 'ANIM for Bob', 2000);
  });
  await report.check('the rat dies with ratio 0 and is removed', async () => {
    await A.until(() => other.hits.at(-1)?.hp === 0, 'last hit', 40000);
    await A.until(() => gone, 'removal of the rat', 6000);
  });
  await report.check('TARGET is cleared after the death of the rat', async () => {
    await A.until(() => self.targets.at(-1) === 65535, 'TARGET 65535', 4000);
  });
  for (const f of [self, other, asBob]) f.stop();
  stop();
  await report.check('an attack on a player outside the Ring is refused with a message', async () => {
    A.send(say.walk(green.x, green.z)); // the rat may have led Ada away
    await A.until(() => A.at(green.x, green.z) && A.view.find('Bob'), 'sight of Bob from the green');
    const from = A.lines.length;
    A.send(say.attack(A.view.find('Bob')));
    await A.until(() => A.lines.slice(from).some((l) => l.kind === 'game' && /cannot attack each other/.test(l.text)), 'message');
  });
}

/** The player's own change if it is a jump, undefined otherwise. */
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
  await Promise.all(players.map((p) => p.until(() => inRing(p), 'arrival in the Ring', 25000)));
}

const FULL_HEALTH = 120;
const REGENERATED = 10; // maximum regeneration, in points of health, between the last hit and the reconnect

/** Ends a player's attacks. */
const stopAttacking = (c) => c.send(say.walk(c.tile.x, c.tile.z));

/**
 * The socket of B is lost while both players attack each other. hits: the hits on B that A is shown. A pauses its attacks while B strikes and
 * while B logs in, because B, with the health of eight hits, would die first on a busy machine.
 */
async function lostCheck(t, A, B, { hits }) {
  await t.report.check('a player whose socket is lost in a duel can be hit meanwhile, and its reconnect takes over the same actor', async () => {
    await strike(B, 'Ada');
    const [index, inView, tile, before] = [B.index, A.view.find('Bob'), B.tile, hits.length];
    let missing = 0;
    const stop = A.watch(() => (missing += A.view.find('Bob') !== inView));
    A.send(say.attack(inView));
    B.kill();
    await A.until(() => hits.slice(before + 1).some((h) => h.amount > 0), 'hit on the body', 60000);
    stopAttacking(A);
    equal(await B.reconnect(), 15, 'code');
    await B.cycles(1);
    stop();
    equal(missing, 0, 'cycles in which Ada did not see Bob');
    equal([B.index, B.tile, A.view.tile(inView)], [index, tile, tile], 'index, tile, and tile as Ada shows it');
    // If Bob is hit in the cycle of its login, the health that Bob is sent contains the hit a cycle before Ada is sent the hit.
    const shown = () => (hits.at(-1).hp * FULL_HEALTH) / 255;
    await A.until(() => Math.abs(B.life - shown()) <= REGENERATED, 'the same health as Bob has', 5000)
      .catch(() => must(false, `${B.life} points of health, Ada was shown ${shown().toFixed(0)}`));
    await strike(B, 'Ada');
    stopAttacking(B); // Ada wins the duel
    const taken = hits.length;
    A.send(say.attack(inView));
    await A.until(() => hits.length > taken, 'next hit on Bob', 10000);
  });
}

/** Attacks a player until a hit is shown. */
async function strike(c, name) {
  const index = c.view.find(name);
  const hit = c.when((changes) => changes.get(index)?.blocks.HITS, `hit on ${name}`, 10000);
  c.send(say.attack(index));
  await hit;
}

export async function duelChecks(t, A, B) {
  const { report } = t;
  await B.until(() => B.view.find('Ada'), 'sight of Ada');
  await A.until(() => A.view.find('Bob'), 'sight of Bob');
  const index = A.view.find('Bob');
  const [onAda, onBob, own] = [recordBlocks(A, index), recordBlocks(B, B.index), recordBlocks(A, A.index)];
  await report.check('a duel in the Ring shows the same hits to both clients', async () => {
    A.send(say.attack(index));
    await A.until(() => onAda.hits.length >= 3, 'three hits', 20000);
    await B.until(() => onBob.hits.length >= 3, 'three hits', 3000);
    const line = (hits) => hits.slice(0, 3).map((h) => [h.type, h.amount, h.hp]);
    equal(line(onBob.hits), line(onAda.hits), 'hits');
    must(own.targets.includes(index + 32768), 'no TARGET');
    await B.until(() => B.life < 120, 'loss of health', 30000); // all three hits may have missed
    stopAttacking(A);
  });
  await lostCheck(t, A, B, onAda);
  // Death and respawn follow without further input, so they are watched for from now on.
  let dead = false;
  const stopWatching = B.watch(() => (dead ||= B.life === 0));
  const jump = B.when((changes) => jumpOf(B, changes), 'jump', 150000);
  jump.catch(() => {}); // awaited below
  await report.check('a death is shown as health ratio 0, an ANIM, a message and health 0', async () => {
    await B.until(() => onBob.hits.some((h) => h.hp === 0), 'death', 120000);
    await B.until(() => B.lines.some((l) => l.text === 'Oh dear, you are dead!'), 'message', 3000);
    await B.until(() => dead, 'health 0', 3000);
    await B.until(() => onBob.anims.includes(836), 'death animation', 2000);
    await A.until(() => onAda.anims.includes(836), 'death animation for Ada', 2000);
  });
  await report.check('a respawn is one jump to the green with new health, and the other client removes the player', async () => {
    const c = await jump;
    equal(c.to, packTile(green.x, green.z, 0), 'respawn tile');
    equal(c.speed, 127, 'speed of the jump');
    await A.until(() => !A.view.find('Bob'), 'removal of Bob for Ada', 4000);
    await B.until(() => B.life > 0, 'health', 3000);
  });
  for (const f of [onAda, onBob, own]) f.stop();
  stopWatching();
}
