// Map squares and areas: crossing a border, reaching the edge of the loaded map, and leaving the view of others.
import { squareOf, packSquare } from '../info.mjs';
import { say } from '../packets.mjs';
import { green, sand, squareBorder, wayOut } from '../world.mjs';
import { enterRing, jumpOf } from './combat.mjs';
import { arrive } from './trip.mjs';
import { equal, must } from '../../lib/assert.mjs';

const RESTED = 92; // minimum energy in percent: a running cycle costs 6, and a player without energy walks
const start = { x: green.x + 8, z: green.z - 10 };
const far = { x: green.x + 8, z: squareBorder - 19 }; // within 16 tiles of the edge of the first map
const near = { x: green.x + 8, z: squareBorder - 8 };

/** A and B walk south over the border; C stays on the green and follows later. */
export async function regionChecks(t, A, B) {
  const { report } = t;
  const C = t.client('Cleo');
  const lost = new Map(); // name -> map square of that player's last tile that C received
  await report.check('a third client shows both players', async () => {
    equal(await C.login(), 2, 'code');
    await C.until(() => C.view.find('Ada') && C.view.find('Bob'), 'sight of both', 5000);
  });
  for (const p of [A, B]) {
    p.send(say.command('run'));
    p.send(say.walk(start.x, start.z));
  }
  const rested = (p) => p.at(start.x, start.z) && p.energy >= RESTED;
  await Promise.all([A, B].map((p) => p.until(() => rested(p), 'start of the run, with energy for it', 60000)));
  const names = new Map([['Ada', C.view.find('Ada')], ['Bob', C.view.find('Bob')]]);
  const stop = C.watch((changes) => {
    for (const [name, i] of names) if (changes.get(i)?.how === 'remove') lost.set(name, squareOf(changes.get(i).from));
  });
  await report.check('two players cross the border of a map square together and always show each other', async () => {
    let apart = 0;
    const together = [A.watch(() => (apart += !A.view.find('Bob'))), B.watch(() => (apart += !B.view.find('Ada')))];
    await Promise.all([arrive(A, far.x, far.z, { run: true }), arrive(B, far.x, far.z, { run: true })]);
    together.forEach((end) => end());
    equal(apart, 0, 'cycles without the other player');
    equal(A.tile.z >> 6, (squareBorder >> 6) - 1, 'square row');
  });
  await report.check('REBUILD_NORMAL arrives near the edge of the map, before the step', async () => {
    for (const p of [A, B]) {
      equal(p.maps, 2, `maps of ${p.user}`);
      must(Math.abs(p.map.zoneZ * 8 - far.z) <= 8, `map around zone ${p.map.zoneX},${p.map.zoneZ}`);
    }
  });
  await report.check('a client that stays behind removes both players and has the map squares of their last tiles', async () => {
    await C.until(() => lost.size === 2, 'two removals', 3000);
    const want = packSquare(0, start.x >> 6, squareBorder >> 6);
    for (const [name, i] of names) {
      equal(lost.get(name), want, `last square of ${name}`);
      equal(C.view.squares[i], want, `square of ${name} now`);
    }
  });
  stop();
  await report.check('a client that follows over the border shows both again', async () => {
    C.send(say.command('run'));
    await arrive(C, start.x, start.z, { run: true }); // a detour, because the direct path would lead through the Ring gate
    await arrive(C, near.x, near.z, { run: true });
    for (const p of [A, B]) {
      await C.until(() => C.view.find(p.user), `sight of ${p.user}`);
      equal(C.view.tile(C.view.find(p.user)), p.tile, `${p.user} as Cleo shows it`);
    }
  });
  return C;
}

/** A and B leave through the Ring gate; C stays and watches. */
export async function departChecks(t, A, B, C) {
  await t.report.check('players leave through the Ring gate and are removed for a client that stays', async () => {
    const jumps = Promise.all([A, B].map((p) => p.when((changes) => jumpOf(p, changes), 'jump', 25000)));
    await enterRing(t, [A, B]);
    for (const c of await jumps) equal(c.speed, 127, 'speed of the jump');
    equal([A.tile.x, A.tile.z], [sand.x, sand.z], 'arrival tile of Ada');
    await C.until(() => !C.view.find('Ada') && !C.view.find('Bob'), 'removal of both', 4000);
    must(!A.view.find('Cleo') && !A.view.find('Rat'), 'Ada still shows actors of the vale');
    await A.until(() => A.view.find('Training Dummy'), 'sight of an actor of the Ring');
  });
}

/** A walks out of the Ring into the view of C. */
export async function returnChecks(t, A, C) {
  await t.report.check('a player returns from the Ring and is shown again to a client that stayed', async () => {
    A.send(say.walk(wayOut.x, wayOut.z));
    await A.until(() => A.at(green.x, green.z - 20), 'arrival in the vale', 15000);
    await C.until(() => C.view.find('Ada'), 'sight of Ada');
    await A.until(() => A.view.find('Cleo'), 'sight of Cleo');
    await A.cycles(2);
    equal(C.view.tile(C.view.find('Ada')), A.tile, 'tile of Ada as Cleo shows it');
    equal(A.view.tile(A.view.find('Cleo')), C.tile, 'tile of Cleo as Ada shows it');
  });
}
