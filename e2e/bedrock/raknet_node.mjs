// One player in a separate process, because raknet-node's native library corrupts the heap of a long-lived process. The player
// joins, walks a little, and prints the result as JSON. node raknet_node.mjs PORT NAME VERSION BACKEND
import { Bot } from './bot.mjs';

const [port, name, version, backend] = process.argv.slice(2);
const bot = new Bot({ port: Number(port), name, version, backend });
await bot.join();
bot.run();
await bot.frames(5);
bot.script = () => ({ move: [0, 1], yaw: 180 });
await bot.frames(20);
bot.script = undefined;
await bot.frames(20);
const corrections = bot.selfPackets.since(0, 'correction').length;
const { violations } = bot;
const result = { pos: bot.pos, corrections, violations, sees: [...bot.others.near.values()].map((o) => o.name).sort() };
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.kill(process.pid, 'SIGKILL')); // a regular exit may crash
