// Portals: a teleport is acknowledged by flag 37, and until then positions are ignored.
import { door, gate, wayOut } from '../lanes.mjs';
import { drained } from './correct.mjs';
import { agree, find } from './join.mjs';
import { correctionText } from './walk.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const to = ({ params: { position: p } }) => [p.x, p.y - 1.62, p.z];
const teleports = (bot, mark) => bot.selfPackets.since(mark, 'teleport').filter(({ params }) => params.mode === 'teleport');

/** Walks into a portal; resolves with the teleport packet. */
async function enter(bot, [x, z]) {
  const mark = bot.selfPackets.log.length;
  const walk = bot.walkTo(x, z, { reach: 0.1 }).catch(() => {});
  await bot.until(() => teleports(bot, mark).length > 0, 'teleport', 40000);
  bot.stopWalking();
  await walk;
  return teleports(bot, mark)[0];
}

export async function teleportChecks(t, A, B) {
  const { report } = t;
  await report.check('a portal teleports the player, and flag 37 acknowledges it', async () => {
    await agree(A, B, 0.02);
    const packet = await enter(A, gate.at);
    near(to(packet), gate.to, 1, 'target');
    must(packet.tick > 0, 'the teleport has no tick');
    const mark = A.selfPackets.log.length;
    await A.until(() => [...A.sent.values()].some(({ flags }) => flags.has('handled_teleport')), 'flag 37');
    await A.frames(10);
    near(A.pos, gate.to, 1, 'position');
    equal(A.selfPackets.since(mark, 'correction').filter((p) => p.tick > A.tick - 5), [], 'later corrections');
    equal(teleports(A, mark).length, 0, 'repeated teleports');
    await A.until(() => A.world.has(A.pos[0], A.pos[2]), 'chunk at the target');
  });
  await report.check('the teleported player walks without corrections and back into view of others', async () => {
    await drained(A);
    const mark = A.selfPackets.log.length;
    await A.walkTo(A.pos[0] - 6, A.pos[2]);
    equal(A.selfPackets.since(mark, 'correction').map((p) => ({ tick: p.tick, arrived: p.at, ...correctionText(A, p) })), [], 'corrections');
    await A.walkTo(25.5, 2.5, { ms: 60000 }); // around the door
    await A.walkTo(0.5, 0.5, { ms: 60000 });
    await find(B, A.name);
    await agree(A, B, 0.02);
  });
  await report.check('a player that changes areas is removed for others and shown again on return', async () => {
    const gone = B.others.gone.length;
    await enter(A, door.at);
    await A.frames(10);
    near(A.pos, door.to, 1, 'position');
    await B.until(() => B.others.gone.slice(gone).includes(A.name), `removal of ${A.name}`);
    await A.until(() => !A.others.find(B.name), `removal of ${B.name}`);
    await A.until(() => A.world.block(3, 69, -4).name === 'minecraft:stone', 'stone floor of the cellar');
    await report.check('NPCs arrive as entities of their kind or as players with equipment', () => checkCellar(A));
    await A.frames(45); // the portal lock
    await enter(A, wayOut.at);
    await A.frames(10);
    near(A.pos, wayOut.to, 1, 'position in the yard');
    await find(B, A.name);
    await find(A, B.name);
    await A.until(() => A.world.block(3, 63, -4).name === 'minecraft:grass_block', 'grass of the yard');
    await agree(A, B, 0.5); // after the teleport only the client, not the server, replays the client's last steps from the target on
  });
}

/** The NPCs of the cellar, as in the world file. */
async function checkCellar(A) {
  const hen = await find(A, 'Hen');
  equal([hen.type, hen.scale, hen.pos[1]], ['minecraft:chicken', 1.5, 70], 'kind, scale and height of the hen');
  equal(hen.attributes.map((a) => [a.name, a.value, a.max]), [['minecraft:health', 20, 20]], 'health of the hen');
  const keeper = await find(A, 'Keeper');
  const named = (id) => A.others.items.get(id)?.replace('minecraft:', '');
  await A.until(() => keeper.helmet && keeper.offHand, 'equipment of the keeper');
  equal([keeper.type, named(keeper.held), named(keeper.helmet), named(keeper.offHand)], [undefined, 'iron_sword', 'iron_helmet', 'shield'], 'equipment of the keeper');
  must(A.others.kinds?.includes('minecraft:chicken'), `the client knows the kinds ${A.others.kinds}`);
  must(![...A.others.listed.values()].includes('Keeper'), 'the keeper is in the player list');
}

/** A client that never acknowledges a teleport is sent the teleport again, cannot move, and is disconnected in the end. */
export async function unansweredTeleportCheck(t, D, B) {
  await t.report.check('an unacknowledged teleport is sent again, the client\'s positions are ignored, and at last it is disconnected', async () => {
    D.ignoresTeleports = true;
    const mark = D.selfPackets.log.length;
    const first = await enter(D, gate.at);
    D.script = () => ({ move: [0, 1], yaw: 0 });
    D.ignores = ({ name }) => name === 'teleport' || name === 'correction';
    await D.until(() => teleports(D, mark).length >= 2, 'second teleport');
    const seen = B.others.find(D.name);
    if (seen) near(seen.pos, gate.to, 1, 'position as others show it');
    await D.until(() => D.closed, 'disconnect', 60000).catch(() => {});
    must(D.closed, 'not dropped');
    const all = teleports(D, mark);
    must(all.length >= 2 && all.length <= 4, `${all.length} teleports`);
    for (const packet of all) near(to(packet), to(first), 1e-3, 'target of each');
    equal(D.selfPackets.since(mark, 'correction').filter((p) => p.at > first.at + 2).length, 0, 'corrections before the acknowledgement');
    await B.until(() => !B.others.find(D.name), `removal of ${D.name}`);
  });
}
