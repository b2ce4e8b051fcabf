// Two honest players, one walking in circles: while others are rude, nothing may happen to them.
import { equal, must } from '../report.mjs';
import { agree } from './join.mjs';
import { settled } from './correct.mjs';

/** Begins to watch. The function that it resolves with ends it, and throws if anything was disturbed. */
export async function witness(A, B) {
  A.script = B.onFrame = undefined; // of one that was never ended
  await settled(A, B);
  const mark = A.carriers.log.length;
  const marks = [A, B].map((bot) => bot.violations.length);
  let tick = A.tick;
  let last = performance.now();
  let gap = 0;
  A.script = () => ({ move: [0, 1], yaw: ((A.tick - tick) * 6) % 360 });
  let moves = B.others.find(A.name).path.length;
  B.onFrame = () => {
    const now = performance.now();
    if (B.others.find(A.name)?.path.length > moves) {
      moves = B.others.find(A.name).path.length;
      last = now;
    }
    gap = Math.max(gap, now - last);
  };
  return async () => {
    A.script = undefined;
    B.onFrame = undefined;
    for (const bot of [A, B]) must(bot.online, `${bot.name}: ${bot.ending()}`);
    await A.frames(15);
    equal(A.carriers.since(mark, 'correction').map((p) => p.tick), [], 'corrections of the honest');
    equal([A, B].flatMap((bot, i) => bot.violations.slice(marks[i])), [], 'what the honest could not read');
    must(gap < 1500, `nothing seen of the honest for ${Math.round(gap)} ms`);
    await agree(A, B);
  };
}
