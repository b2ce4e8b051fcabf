// Walking on every kind of ground: the server's steps are the client's, and the others see them.
import { lanes, script } from '../lanes.mjs';
import { agree, checkPath } from './join.mjs';
import { equal, formatPosition, must } from '../../lib/assert.mjs';

const SLIDE = 40; // ticks before a walk in which it may still come to rest, as others see it late
const STOOD = 0.1; // blocks; who comes to rest moves less
const MOST = 0.6; // blocks between two sights of a walk: two ticks of 0.2159, and not three. A stall makes few that are longer

export async function walkChecks(t, A, B) {
  const { report } = t;
  await report.check('a walk is seen by the others at the right places', async () => {
    await A.walkTo(0.5, 2.5);
    await agree(A, B);
    const path = B.others.find('Ada').path;
    const from = path.length;
    const first = A.tick + 1;
    A.script = script([[40, { move: [0, 1] }]], first);
    await A.frames(45);
    A.script = undefined;
    await agree(A, B);
    const seen = path.slice(from);
    const steps = seen.slice(1).map((pos, i) => Math.hypot(...pos.map((v, k) => v - seen[i][k])));
    const often = steps.filter((way) => way > STOOD).sort((a, b) => a - b);
    must(often.length >= 5, `${seen.length} moves seen of 40 ticks`);
    must(often[often.length >> 1] < MOST, `half of the steps seen are longer than ${often[often.length >> 1]}`);
    checkPath(seen, A, first - SLIDE);
    for (let i = 1; i < seen.length; i++) must(seen[i][2] >= seen[i - 1][2] - 1e-4, `backwards from ${formatPosition(seen[i - 1])} to ${formatPosition(seen[i])}`);
  });
}

/** Every kind of ground, played by several at once while one watches. */
export async function laneChecks(t, walkers, watcher) {
  const { report } = t;
  const turns = walkers.map((bot, i) => ({ bot, mine: lanes.filter((_, n) => n % walkers.length === i) }));
  await Promise.all(turns.map(async ({ bot, mine }) => {
    for (const lane of mine) await report.check(`${lane.name}: no correction, and the others see it`, () => play(bot, watcher, lane));
  }));
}

async function play(bot, watcher, lane) {
  const { carriers } = bot;
  if (bot.pos[2] > 6) await bot.walkTo(bot.pos[0], 5.5);
  await bot.walkTo(lane.x, 5.5, { reach: 0.15 });
  await bot.frames(10);
  const mark = carriers.log.length;
  const first = bot.tick + 1;
  bot.script = script(lane.plan, first);
  const { end } = bot.script;
  await bot.frames(end - first + 3);
  bot.script = undefined;
  const { pos } = bot.sent.get(end - 1).state;
  equal(carriers.since(mark, 'correction').map((p) => ({ tick: p.tick - first, ...diff(bot, p) })), [], 'corrections');
  must(lane.end(pos), `ends at ${formatPosition(pos)}`);
  await agree(bot, watcher);
}

/** What the server had instead of what was said, of a correction. */
export function diff(A, { tick, params }) {
  const said = A.sent.get(tick)?.at ?? [NaN, NaN, NaN];
  return { said: formatPosition(said), server: formatPosition([params.position.x, params.position.y, params.position.z]) };
}
