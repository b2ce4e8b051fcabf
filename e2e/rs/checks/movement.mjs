// Walking, running, and pathfinding around obstacles.
import { say } from '../packets.mjs';
import { distance, fountain, green, house } from '../world.mjs';
import { arrive, show, trip } from './trip.mjs';
import { equal, must } from '../../lib/assert.mjs';

export async function sightChecks(t, A) {
  const B = t.client('Bob');
  await t.report.check('two clients show each other by name on the right tile', async () => {
    equal(await B.login(), 2, 'code');
    await A.until(() => A.view.find('Bob'), 'sight of Bob');
    await B.until(() => B.view.find('Ada'), 'sight of Ada');
    await B.cycles(1);
    equal(A.view.tile(A.view.find('Bob')), B.tile, 'tile of Bob as Ada shows it');
    equal(B.view.tile(B.view.find('Ada')), A.tile, 'tile of Ada as Bob shows it');
    must(B.view.speeds[B.view.find('Ada')] === 1, 'no speed in the block that added Ada');
  });
  return B;
}

export async function movementChecks(t, A, B) {
  const { report } = t;
  const { x, z } = green;
  await report.check('a walk moves one tile per cycle, as the other client shows too', async () => {
    const seen = [];
    const stop = B.watch((changes) => changes.get(B.view.find('Ada')) && seen.push(changes.get(B.view.find('Ada')).how));
    const { steps } = await arrive(A, x + 5, z + 3);
    const walks = () => seen.filter((how) => how === 'walk').length;
    await B.until(() => walks() >= steps, 'last step of Ada');
    await B.cycles(1);
    stop();
    equal(walks(), steps, 'walk steps that Bob received');
  });
  await report.check('a run moves two tiles per cycle, and an odd last step has TEMP_SPEED 1', async () => {
    A.send(say.command('run'));
    const { changes, steps } = await arrive(A, x - 4, z + 3, { run: true });
    equal(steps, 9, 'steps');
    equal(changes.map((c) => c.how), ['run', 'run', 'run', 'run', 'walk'], 'kinds of movement');
    equal(changes.map((c) => c.speed), [2, 2, 2, 2, 1], 'speeds');
    equal(changes[0].blocks.SPEED, 2, 'SPEED of the first step');
    equal(changes.at(-1).blocks.TEMP_SPEED, 1, 'TEMP_SPEED of the last');
    equal(A.view.speeds[A.index], 2, 'remembered speed');
  });
  await report.check('a click with the control key walks once while run is set', async () => {
    await arrive(A, x, z + 1, { packet: say.walk(x, z + 1, true) });
    await arrive(A, x + 3, z + 1, { run: true });
  });
  await report.check('a click on the minimap moves the player', () => arrive(A, x, z, { run: true, packet: say.minimap(x, z) }));
  await report.check('the run button, IF_BUTTON1 on 750:1, toggles the pace and varp 173', async () => {
    A.send(say.button(750, 1));
    await A.until(() => A.run === 0, 'varp 173 = 0', 3000);
    await arrive(A, x + 4, z);
    A.send(say.button(750, 1));
    await A.until(() => A.run === 1, 'varp 173 = 1', 3000);
    await arrive(A, x, z, { run: true });
    A.send(say.command('walk'));
    await A.until(() => A.run === 0, 'varp 173 = 0 after the command', 3000);
  });
  await report.check('a new click replaces the current path', async () => {
    A.send(say.walk(x + 15, z));
    await A.until(() => A.tile.x > x + 1, 'second step');
    const { tiles } = await trip(A, say.walk(x, z + 2));
    const turn = tiles.reduce((east, at, i) => (at.x > tiles[east].x ? i : east), 0); // easternmost tile, where the click arrived
    must(tiles[turn].x < x + 15, `turned only at ${show(tiles[turn])}`);
    equal([A.tile.x, A.tile.z], [x, z + 2], 'end of the path');
    equal(tiles.length - 1 - turn, distance(tiles[turn], { x, z: z + 2 }), `cycles back from ${show(tiles[turn])}`);
  });
  await report.check('FACE_SQUARE turns the player', async () => {
    const turned = A.when((changes) => changes.get(A.index)?.blocks.TURN !== undefined, 'TURN', 3000);
    A.send(say.face(A.tile.x - 5, A.tile.z));
    await turned;
    equal(A.view.turns[A.index], 4096, 'angle for west');
  });
  await pathChecks(t, A);
}

async function pathChecks(t, A) {
  const { report } = t;
  const { x, z } = fountain;
  await report.check('a path leads around the fountain', async () => {
    await arrive(A, x - 1, z);
    const { steps } = await arrive(A, x + 1, z);
    equal(steps, 4, 'steps');
  });
  await report.check('a click on the fountain leads to a tile beside it', async () => {
    await arrive(A, x + 4, z + 2);
    await trip(A, say.walk(x, z));
    equal(Math.max(Math.abs(A.tile.x - x), Math.abs(A.tile.z - z)), 1, `distance from it, at ${show(A.tile)}`);
  });
  await report.check('paths into and out of the house lead through its door', async () => {
    A.send(say.command('run'));
    const inside = { x: house.west, z: house.north };
    await arrive(A, house.west + 1, house.north + 1, { run: true });
    const { tiles, steps } = await arrive(A, inside.x, inside.z, { run: true });
    must(steps > 8, `only ${steps} steps, through a wall`);
    const indoors = (at) => at.x >= house.west && at.x <= house.east && at.z >= house.south && at.z <= house.north;
    must(tiles.every((at) => !indoors(at) || distance(at, inside) <= 4), 'through a wall');
    await arrive(A, house.east + 2, house.door, { run: true });
  });
  await report.check('a click beyond the world does not move the player', async () => {
    const { tile } = A;
    A.send(say.walk(60000, 60000));
    await A.cycles(3);
    equal(A.tile, tile, 'tile');
  });
}
