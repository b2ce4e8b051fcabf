// Four clients of two versions over two RakNet implementations join and show each other.
import { createRequire } from 'node:module';
import { start } from '../lanes.mjs';
import { Raw, ping } from '../raknet.mjs';
import { blocks } from '../../lib/adapters.mjs';
import { equal, must, near } from '../../lib/assert.mjs';
import { agreement, Oracle } from '../../lib/oracle.mjs';

const { fromServerName } = createRequire(import.meta.url)('bedrock-protocol/src/server/advertisement');

export const crew = [
  { name: 'Ada', version: '1.26.45', backend: 'raknet-native' },
  { name: 'Bob', version: '1.26.51', backend: 'jsp-raknet' },
  { name: 'Cyd', version: '1.26.45', backend: 'jsp-raknet' },
  { name: 'Dan', version: '1.26.51', backend: 'raknet-native' },
];

export async function joinChecks(t) {
  const { report, server } = t;
  await report.check('a ping is answered with version and player counts', async () => {
    const raw = new Raw(server.ports.bedrock);
    raw.send(ping(7));
    const pong = must(await raw.next(0x1c), 'no answer');
    raw.close();
    const ad = fromServerName(pong.subarray(33).toString());
    equal(Number(ad.protocol), 2169, 'protocol');
    equal(ad.version, '1.26.45', 'version');
    equal([ad.gamemode, ad.playersOnline], ['Survival', 0], 'mode and players');
    must(ad.motd.length > 0 && ad.playersMax > 0, JSON.stringify(ad));
  });
  const bots = [];
  for (const one of crew) {
    const bot = t.bot(one.name, one);
    await report.check(`a client with ${one.version} over ${one.backend} joins`, async () => {
      await bot.join();
      bot.run();
      await bot.frames(5);
      near(bot.pos, start, 3, 'start');
      equal(bot.violations, [], 'violations');
    });
    bots.push(bot);
  }
  await report.check('StartGame announces rewind history and hashed block ids', async () => {
    for (const { game } of bots) {
      equal([game.rewind_history_size, game.block_network_ids_are_hashes, game.server_authoritative_block_breaking], [40, true, true], 'fields');
    }
  });
  await report.check('chunks contain the blocks of the world file', async () => {
    const names = [[0, 63, 0], [0, 64, 0], [-7, 65, 12], [-5, 64, 10], [3, 66, 11], [-3, 63, 10], [8, 62, 9]];
    for (const bot of bots) {
      const got = names.map((at) => bot.world.block(...at).name.replace('minecraft:', ''));
      equal(got, ['grass_block', 'air', 'stone', 'smooth_stone_slab', 'ladder', 'packed_ice', 'water'], `blocks for ${bot.name}`);
      equal(bot.world.problems, [], `chunks of ${bot.name}`);
    }
  });
  await report.check('each client shows the three others once, by name at their positions', async () => {
    for (const bot of bots) {
      for (const other of bots.filter((o) => o !== bot)) {
        await find(bot, other.name);
        await agree(other, bot);
      }
      equal([...bot.others.near.values()].map((o) => o.name).sort(), bots.filter((o) => o !== bot).map((o) => o.name), `actors in view of ${bot.name}`);
      equal([...bot.others.listed.values()].sort(), bots.map((o) => o.name), `player list of ${bot.name}`);
      equal(bot.others.unknownActorPackets, 0, `packets to ${bot.name} about unknown actors`);
    }
  });
  await report.check('health and speed are sent after the spawn', async () => {
    for (const bot of bots) {
      await bot.until(() => bot.attributes.has('minecraft:health') && bot.attributes.has('minecraft:movement'), 'its health and speed');
      equal(bot.attributes.get('minecraft:health'), 20, `health of ${bot.name}`);
      equal(Math.fround(0.1), bot.attributes.get('minecraft:movement'), `speed of ${bot.name}`);
    }
  });
  return bots;
}

/** Resolves with bot's state of the actor with a name, once the actor is in view. */
export async function find(bot, name, ms) {
  await bot.until(() => bot.others.find(name), `sight of ${name}`, ms);
  return bot.others.find(name);
}

/** Waits until watcher shows bot within slack blocks of the position that bot itself has. */
export async function agree(bot, watcher, slack = 0.01, ms) {
  const see = () => watcher.others.find(bot.name)?.pos;
  await agreement(blocks(slack), { viewer: watcher, subject: bot.name, see, truth: () => bot.pos, ms });
}

/** Throws unless each position in shown, at which a watcher has shown bot, is one that bot itself had after tick. */
export function checkPath(shown, bot, tick) {
  const oracle = new Oracle();
  const truth = [...bot.sent].filter(([sent]) => sent > tick).map(([, { state }]) => state.pos);
  oracle.path(blocks(0.01), bot.name, shown, truth);
  oracle.verdict();
}
