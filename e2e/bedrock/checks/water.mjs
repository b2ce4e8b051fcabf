// Water and lava: the positions of client and server agree in each tick, with a tolerance of 0.01 blocks.
import fs from 'node:fs';
import { feet } from '../packets.mjs';
import { drained } from './correct.mjs';
import { agree, find } from './join.mjs';
import { correctionText } from './walk.mjs';
import { equal, formatPosition, must, near } from '../../lib/assert.mjs';

const tables = JSON.parse(fs.readFileSync(new URL('../testdata/vehicle_trajectories.json', import.meta.url), 'utf8'));
const still = { move: [0, 0] };
const dive = { move: [0, 1], flags: ['start_sprinting', 'start_swimming'] };

/** The last row of a trajectory. */
const end = (name) => tables[name].rows.at(-1).moved;

/**
 * The distance that the present vertical speed adds in 20 ticks, if each tick retains the share kept of it. It is added because
 * the trajectories begin at rest.
 */
const carried = ({ vel }, kept) => vel[1] * ((1 - kept ** 20) / (1 - kept));

/** Check functions, one for each kind of movement in a liquid. Each plays with one client. */
export const waterChecks = (t, watcher) => [
  wading(t, watcher), swimming(t, watcher), lava(t, watcher), climbing(t, watcher), stream(t, watcher), bubbles(t, watcher), speed(t, watcher),
];

/** A check that fails if the client is corrected, or if the watcher does not show the client at its position. */
const check = (t, watcher, name, play) => (bot) => t.report.check(`${name}, ${bot.version}`, async () => {
  await play(bot);
  const { log } = bot.selfPackets;
  equal(log.filter((p) => p.name === 'correction').map((p) => ({ tick: p.tick, ...correctionText(bot, p) })), [], 'corrections');
  bot.script = undefined;
  bot.stop();
  await agree(bot, watcher);
});

/** Plays an input for a number of ticks. Returns the client's displacement and its state before. */
async function hold(bot, ticks, input) {
  const first = bot.tick + 1;
  const before = bot.sent.get(bot.tick).state;
  bot.script = (tick) => ({ yaw: 0, ...input, flags: (input.flags ?? []).filter((f) => f === 'jumping' || tick === first) });
  await bot.frames(ticks);
  const after = bot.sent.get(first + ticks - 1).state;
  bot.script = () => ({ ...still, yaw: 0 });
  return { moved: after.pos.map((v, i) => v - before.pos[i]), before, after };
}

/** Walks to the shore and waits there until the server has processed all inputs. */
async function toShore(bot, x, z) {
  await bot.walkTo(x, z, { reach: 0.2, ms: 60000 });
  await drained(bot);
}

/** Walks over the shore into the liquid, at a distance from other clients, and waits until the client has no horizontal speed. */
async function enter(bot, x, z, yaw) {
  await toShore(bot, beside(bot, x), 0.5);
  bot.script = () => ({ move: [0, Math.abs(bot.pos[2]) < z ? 1 : 0], yaw, flags: bot.pos[1] < 60 ? ['jumping'] : [] });
  await bot.until(() => Math.abs(bot.pos[2]) >= z, 'the middle');
  bot.script = undefined;
  await hold(bot, 30, still);
}

const beside = (bot, x) => (bot.version === '1.26.51' ? x + 1.5 : x);

const wading = (t, watcher) => check(t, watcher, 'a player in water walks, rises and sinks as in the trajectories', async (bot) => {
  await enter(bot, -10.5, 10, 0);
  const rows = [['water_walk', { move: [0, 1] }], ['water_up', { ...still, flags: ['jumping'] }], ['water_sink', still], ['water_walk', { move: [0, 1] }]];
  for (const [name, input] of rows) {
    await hold(bot, 30, still);
    const { moved, before } = await hold(bot, 20, input);
    const [x, y, z] = end(name);
    near(moved, [x, y + carried(before, 0.8), z], 0.002, `${name}: moved`);
  }
});

const swimming = (t, watcher) => check(t, watcher, 'a player swims level, down and up as in the trajectories', async (bot) => {
  await enter(bot, -3.5, 9, 0);
  await hold(bot, 20, { ...still, flags: ['jumping'] });
  for (const [name, pitch] of [['swim_down30', 30], ['swim_level', 0], ['swim_up30', -30]]) {
    await hold(bot, 40, still);
    await hold(bot, 1, { ...dive, pitch: 0 });
    await hold(bot, 25, { ...still, pitch: 0 }); // until it has no horizontal speed; standing still ends the sprint, as in real clients
    must(!bot.state.swimming, `${name}: still swimming`);
    const { moved, after } = await hold(bot, 20, { ...dive, pitch });
    must(after.swimming && after.sprinting, `${name}: swims ${after.swimming}, sprints ${after.sprinting}`);
    near([moved[2]], [end(name)[2]], 0.002, `${name}: forward`);
    near([moved[1]], [end(name)[1]], 0.2, `${name}: height`);
  }
});

const lava = (t, watcher) => check(t, watcher, 'a player in lava walks and rises as in the trajectories', async (bot) => {
  await enter(bot, 3.5, 14, 180);
  const walk = await hold(bot, 20, { move: [0, 1], yaw: 180 });
  near([-walk.moved[2]], [end('lava_walk')[2]], 0.002, 'forward');
  await hold(bot, 20, still);
  const up = await hold(bot, 20, { ...still, flags: ['jumping'] });
  near([up.moved[1]], [end('lava_up')[1] + carried(up.before, 0.5)], 0.002, 'upward');
});

const climbing = (t, watcher) => check(t, watcher, 'a player climbs out of the water at a shore', async (bot) => {
  await enter(bot, 8.5, 8, 0);
  bot.script = () => ({ move: [0, 1], yaw: 180, flags: ['jumping'] });
  const first = bot.tick;
  await bot.until(() => bot.state.onGround && bot.pos[1] === 64 && bot.pos[2] < 5.6, 'the shore');
  bot.script = () => ({ ...still, yaw: 180 });
  const lifts = [...bot.sent].filter(([tick, { state }]) => tick > first && state.vel[1] === Math.fround(0.3)).length;
  must(lifts >= 1, 'no tick with a vertical speed of 0.3');
  await bot.frames(20);
});

const stream = (t, watcher) => check(t, watcher, 'a stream moves a standing player by 0.07 blocks a tick', async (bot) => {
  await toShore(bot, 27.5, 0.5);
  bot.script = () => ({ move: [0, bot.pos[2] < 2.6 ? 1 : 0], yaw: 0 });
  await bot.until(() => bot.pos[2] >= 2.6, 'the stream');
  await hold(bot, 30, still);
  const { moved } = await hold(bot, 20, still);
  near(moved, [0, 0, 20 * 0.07], 0.01, 'moved in 20 ticks');
});

const bubbles = (t, watcher) => check(t, watcher, 'a column of bubbles lifts a player out of the water', async (bot) => {
  await toShore(bot, 36.5, -2.5);
  bot.script = () => ({ move: [0, bot.pos[2] < 1.5 ? 1 : 0], yaw: 0 });
  await bot.until(() => bot.pos[2] >= 1.8, 'the column');
  bot.script = () => ({ ...still, yaw: 0 });
  let highest = 0;
  const first = bot.tick;
  await bot.frames(60);
  for (const [tick, { state }] of bot.sent) if (tick > first) highest = Math.max(highest, state.pos[1]);
  must(highest > 64.3, `rises to ${highest}`);
});

/** A cheating client: it claims to move half a block per tick, and ignores corrections. */
const speed = (t, watcher) => (bot) => t.report.check(`${'a false speed in water is corrected and gains at most a tenth of a block a second'}, ${bot.version}`, async () => {
  await enter(bot, 13.5, 10, 0);
  const from = [...bot.pos];
  const mark = bot.selfPackets.log.length;
  const first = bot.tick + 1;
  bot.ignores = ({ name }) => name === 'correction';
  bot.tamper = (p, tick) => ({ ...p, position: { ...p.position, z: p.position.z + 0.5 * (tick - first + 1) } });
  bot.script = () => ({ ...still, yaw: 0 });
  await bot.frames(40);
  bot.tamper = bot.ignores = undefined;
  const corrections = bot.selfPackets.since(mark, 'correction');
  must(corrections.length >= 2, `${corrections.length} corrections`);
  for (const { params: { position: p } } of corrections) must(Math.abs(feet([p.x, p.y, p.z])[2] - from[2]) <= 0.5 + 0.1 * 2, `server at ${formatPosition([p.x, p.y, p.z])}, began at ${formatPosition(from)}`);
  await bot.frames(20);
  bot.stop();
  await find(watcher, bot.name);
  await agree(bot, watcher, 0.02);
  near([bot.pos[2]], [from[2]], 0.5 + 0.1 * 2, 'position at the end');
});
