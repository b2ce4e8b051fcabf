// Walking on every kind of ground: the positions of client and server agree in each tick, and other clients show them.
import { lanes, script } from '../lanes.mjs';
import { drained } from './correct.mjs';
import { agree, checkPath } from './join.mjs';
import { equal, formatPosition, must } from '../../lib/assert.mjs';

const SLIDE = 40; // number of ticks before the walk from which others may still show a position, because they show the player with a delay
const MANY_SKIPPED = 25; // skipped ticks during a walk of 40 ticks; the server then shows too few positions
const WALKS = 4; // maximum number of walks, if the server skips that many ticks in each
const MIN_STEP = 0.1; // minimum distance in blocks between two shown positions, except where the player comes to rest
const MAX_STEP = 0.6; // maximum distance in blocks between two shown positions: less than three ticks of 0.2159; more after a pause

export async function walkChecks(t, A, B) {
  const { report, server } = t;
  await report.check('a walk is shown to others at true positions', async () => {
    let seen, first, moves;
    for (let tries = 1; ; tries++) {
      const skipped = await server.skippedTicks();
      [seen, first] = await shownWalk(A, B);
      const steps = seen.slice(1).map((pos, i) => Math.hypot(...pos.map((v, k) => v - seen[i][k])));
      moves = steps.filter((way) => way > MIN_STEP).sort((a, b) => a - b);
      const more = (await server.skippedTicks()) - skipped;
      if (moves.length >= 5 || more < MANY_SKIPPED || tries === WALKS) break;
      report.note(`${seen.length} positions shown, while the server skipped ${more} ticks: the walk is repeated`);
    }
    must(moves.length >= 5, `${seen.length} positions shown in 40 ticks`);
    must(moves[moves.length >> 1] < MAX_STEP, `the median step is ${moves[moves.length >> 1]}`);
    checkPath(seen, A, first - SLIDE);
    for (let i = 1; i < seen.length; i++) must(seen[i][2] >= seen[i - 1][2] - 1e-4, `backward from ${formatPosition(seen[i - 1])} to ${formatPosition(seen[i])}`);
  });
}

/** A walks 40 ticks. Resolves with the positions at which B shows A, and the first tick of the walk. */
async function shownWalk(A, B) {
  await A.walkTo(0.5, 2.5);
  await drained(A);
  await agree(A, B);
  const { path } = B.others.find(A.name);
  const from = path.length;
  const first = A.tick + 1;
  A.script = script([[40, { move: [0, 1] }]], first);
  await A.frames(45);
  A.script = undefined;
  await agree(A, B);
  return [path.slice(from), first];
}

/** One check function for each lane: a client walks on it while a watcher stands. */
export const laneChecks = (t, watcher) => lanes.map((lane) => (bot) => (
  t.report.check(`${lane.name}, without corrections and as others show it`, () => play(bot, watcher, lane))
));

async function play(bot, watcher, lane) {
  const { selfPackets } = bot;
  if (bot.pos[2] > 6) await bot.walkTo(bot.pos[0], 5.5);
  await bot.walkTo(lane.x, 5.5, { reach: 0.15 });
  await bot.frames(10);
  await drained(bot);
  const mark = selfPackets.log.length;
  const first = bot.tick + 1;
  bot.script = script(lane.plan, first);
  const { end } = bot.script;
  await bot.frames(end - first + 3);
  bot.script = undefined;
  const { pos } = bot.sent.get(end - 1).state;
  equal(selfPackets.since(mark, 'correction').map((p) => ({ tick: p.tick - first, ...correctionText(bot, p) })), [], 'corrections');
  must(lane.end(pos), `ends at ${formatPosition(pos)}`);
  await agree(bot, watcher);
}

/** Describes a correction: the position that the client sent for its tick, and the server's position. */
export function correctionText(A, { tick, params }) {
  const sent = A.sent.get(tick)?.at ?? [NaN, NaN, NaN];
  return { sent: formatPosition(sent), server: formatPosition([params.position.x, params.position.y, params.position.z]) };
}
