// Portals: a teleport is acknowledged by flag 37, and until then nothing that is said counts.
import { door, gate, wayOut } from '../lanes.mjs';
import { agree, find } from './join.mjs';
import { diff } from './walk.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const to = ({ params: { position: p } }) => [p.x, p.y - 1.62, p.z];
const teleports = (bot, mark) => bot.carriers.since(mark, 'teleport').filter(({ params }) => params.mode === 'teleport');

/** Walks into an entrance; resolves with the teleport packet. */
async function enter(bot, [x, z]) {
  const mark = bot.carriers.log.length;
  const walk = bot.walkTo(x, z, { reach: 0.1 }).catch(() => {});
  await bot.until(() => teleports(bot, mark).length > 0, 'a teleport', 40000);
  bot.abandon();
  await walk;
  return teleports(bot, mark)[0];
}

export async function teleportChecks(t, A, B) {
  const { report } = t;
  await report.check('a portal teleports, and flag 37 answers it', async () => {
    await agree(A, B, 0.02);
    const packet = await enter(A, gate.at);
    near(to(packet), gate.to, 1, 'target');
    must(packet.tick > 0, 'the teleport names no tick');
    const mark = A.carriers.log.length;
    await A.until(() => [...A.sent.values()].some(({ flags }) => flags.has('handled_teleport')), 'flag 37 to be sent');
    await A.frames(10);
    near(A.pos, gate.to, 1, 'where it is');
    equal(A.carriers.since(mark, 'correction').filter((p) => p.tick > A.tick - 5), [], 'corrections that still come');
    equal(teleports(A, mark).length, 0, 'teleports sent again');
    await A.until(() => A.world.has(A.pos[0], A.pos[2]), 'the ground of the target');
  });
  await report.check('walking goes on there, and back by foot the others see it come', async () => {
    const mark = A.carriers.log.length;
    await A.walkTo(A.pos[0] - 6, A.pos[2]);
    equal(A.carriers.since(mark, 'correction').map((p) => ({ tick: p.tick, came: p.at, ...diff(A, p) })), [], 'corrections');
    await A.walkTo(25.5, 2.5, { ms: 60000 }); // not through the door
    await A.walkTo(0.5, 0.5, { ms: 60000 });
    await find(B, A.name);
    await agree(A, B, 0.02);
  });
  await report.check('another area: those who stayed see it go, and come back', async () => {
    const gone = B.others.gone.length;
    await enter(A, door.at);
    await A.frames(10);
    near(A.pos, door.to, 1, 'where it is');
    await B.until(() => B.others.gone.slice(gone).includes(A.name), `${A.name} to vanish`);
    await A.until(() => !A.others.find(B.name), `${B.name} out of its sight`);
    await A.until(() => A.world.block(3, 69, -4).name === 'minecraft:stone', 'the stone floor of the cellar');
    await report.check('a beast arrives as an entity of its kind, and a keeper with what he holds and wears', () => cellar(A));
    await A.frames(45); // the portal lock
    await enter(A, wayOut.at);
    await A.frames(10);
    near(A.pos, wayOut.to, 1, 'back in the yard');
    await find(B, A.name);
    await find(A, B.name);
    await A.until(() => A.world.block(3, 63, -4).name === 'minecraft:grass_block', 'the grass of the yard');
    await agree(A, B, 0.5); // the client replays its last steps from the target on, the server does not know them
  });
}

/** Who lives in the cellar, as the world file says. */
async function cellar(A) {
  const hen = await find(A, 'Hen');
  equal([hen.type, hen.scale, hen.pos[1]], ['minecraft:chicken', 1.5, 70], 'kind, scale and height of the hen');
  equal(hen.attributes.map((a) => [a.name, a.value, a.max]), [['minecraft:health', 20, 20]], 'health of the hen');
  const keeper = await find(A, 'Keeper');
  const named = (id) => A.others.items.get(id)?.replace('minecraft:', '');
  await A.until(() => keeper.helmet && keeper.offHand, 'what the keeper wears');
  equal([keeper.type, named(keeper.held), named(keeper.helmet), named(keeper.offHand)], [undefined, 'iron_sword', 'iron_helmet', 'shield'], 'what the keeper wears');
  must(A.others.kinds?.includes('minecraft:chicken'), `kinds: ${A.others.kinds}`);
  must(![...A.others.listed.values()].includes('Keeper'), 'the keeper is on the list of players');
}

/** Who never answers a teleport is told again, moves nobody, and is dropped in the end. */
export async function deafChecks(t, D, B) {
  await t.report.check('a teleport that is not answered is sent again, positions are ignored, then the end', async () => {
    D.deaf = true;
    const mark = D.carriers.log.length;
    const first = await enter(D, gate.at);
    D.script = () => ({ move: [0, 1], yaw: 0 });
    D.stubborn = ({ name }) => name === 'teleport' || name === 'correction';
    await D.until(() => teleports(D, mark).length >= 2, 'the second');
    const seen = B.others.find(D.name);
    if (seen) near(seen.pos, gate.to, 1, 'where the others see it');
    await D.until(() => D.closed, 'the end', 60000).catch(() => {});
    must(D.closed, 'never dropped');
    const all = teleports(D, mark);
    must(all.length >= 2 && all.length <= 4, `${all.length} teleports`);
    for (const packet of all) near(to(packet), to(first), 1e-3, 'target of each');
    equal(D.carriers.since(mark, 'correction').filter((p) => p.at > first.at + 2).length, 0, 'corrections meanwhile');
    await B.until(() => !B.others.find(D.name), `${D.name} gone`);
  });
}
