// Effects of the world: the positions of client and server agree in each tick, with a tolerance of 0.01 blocks.
import fs from 'node:fs';
import { drained } from './correct.mjs';
import { agree } from './join.mjs';
import { correctionText } from './walk.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const tables = JSON.parse(fs.readFileSync(new URL('../testdata/vehicle_trajectories.json', import.meta.url), 'utf8'));
const f = Math.fround;
const still = { move: [0, 0], yaw: 0 };

/** Check functions, one for each effect. Each plays with one client. */
export const effectChecks = (t, watcher) => [lifted(t, watcher), gliding(t, watcher)];

const check = (t, watcher, name, play, { far = false } = {}) => (bot) => t.report.check(`${name}, ${bot.version}`, async () => {
  await play(bot);
  equal(bot.selfPackets.since(bot.mark ?? 0, 'correction').map((p) => ({ tick: p.tick, ...correctionText(bot, p) })), [], 'corrections');
  bot.script = undefined;
  bot.stop();
  if (!far) await agree(bot, watcher);
});

const states = (bot, first) => [...bot.sent].filter(([tick]) => tick >= first).map(([, { state }]) => state);

const lifted = (t, watcher) => check(t, watcher, 'a zone makes a player levitate, and another makes it fall slowly', async (bot) => {
  await drained(bot);
  await bot.walkTo(10, 10, { reach: 0.3, ms: 30000 });
  const first = bot.tick;
  bot.script = () => still;
  await bot.until(() => bot.pos[1] > 69, 'levitation', 30000);
  await bot.until(() => states(bot, first).some((s, i, all) => i > 0 && all[i - 1].levitation > 0 && s.levitation === 0), 'the end of levitation', 30000);
  const turn = bot.tick;
  const falling = () => states(bot, turn).filter((s) => s.levitation === 0 && !s.onGround && s.vel[1] < -0.1);
  await bot.until(() => falling().length > 10, 'slow falling', 30000);
  bot.script = () => ({ move: [0, 1], yaw: -90 }); // out of both zones
  await bot.until(() => bot.state.onGround, 'the ground', 30000);
  const up = states(bot, first).filter((s) => s.levitation > 0);
  near([Math.max(...up.map((s) => s.vel[1]))], [tables.levitation_1.rows.at(-1).vy], 0.001, 'vertical speed of levitation');
  const down = falling().slice(0, 10);
  must(down.every((s) => s.slowFalling), 'falls fast');
  near([down[1].vel[1]], [f(f(down[0].vel[1] - 0.01) * 0.98)], 1e-6, 'vertical speed of slow falling');
  await bot.frames(10);
});

const gliding = (t, watcher) => check(t, watcher, 'a player glides with a firework as in the trajectory', async (bot) => {
  bot.state.mayGlide = true;
  const walk = bot.walkTo(-10.5, 10.5, { reach: 0.1 }).catch(() => {});
  await bot.until(() => bot.pos[1] > 100, 'the tower', 40000);
  bot.stopWalking();
  await walk;
  await bot.frames(20);
  await drained(bot);
  bot.mark = bot.selfPackets.log.length; // ignores earlier corrections: one may follow a teleport
  bot.script = () => ({ move: [0, 1], yaw: 0 });
  await bot.until(() => !bot.state.onGround && bot.state.vel[1] < -0.2, 'the edge', 30000);
  const first = bot.tick + 1;
  bot.script = (tick) => ({ ...still, flags: tick === first ? ['start_gliding'] : [] });
  await bot.frames(8);
  must(bot.state.gliding, 'does not glide');
  const lit = bot.tick + 1;
  bot.script = (tick) => ({ ...still, use: tick === lit ? 'firework' : undefined });
  await bot.until(() => bot.selfPackets.since(bot.mark, 'movement_effect').length > 0, 'movement effect');
  const [{ tick, params }] = bot.selfPackets.since(bot.mark, 'movement_effect');
  must(tick > 0 && params.effect_duration > 10, `tick ${tick}, duration ${params.effect_duration}`);
  await bot.frames(30);
  const fastest = Math.max(...states(bot, lit).map((s) => Math.hypot(s.vel[0], s.vel[2])));
  near([fastest], [tables.glide_firework.rows[19].vel[2]], 0.02, 'greatest speed');
  await bot.until(() => bot.state.onGround, 'the landing', 30000);
  await bot.frames(10);
}, { far: true }); // far: the glide ends out of the watcher's view
