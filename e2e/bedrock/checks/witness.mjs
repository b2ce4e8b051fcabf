// Two honest players, one walking in circles: while others are rude, nothing may happen to them.
import { equal, must } from '../report.mjs';
import { agree } from './join.mjs';
import { settled } from './correct.mjs';

const STALL_MS = 100; // two frames: what lies between two looks counts up to this

/** Begins to watch. The function that it resolves with ends it, and throws if anything was disturbed. */
export async function witness(A, B) {
  A.script = B.onFrame = undefined; // of one that was never ended
  await settled(A, B);
  const mark = A.carriers.log.length;
  const marks = [A, B].map((bot) => bot.violations.length);
  let tick = A.tick;
  let last = performance.now(); // when this process last looked
  let unseen = 0; // ms; what this process itself slept through, busy with its floods, is not the server's fault
  let gap = 0;
  A.script = () => ({ move: [0, 1], yaw: ((A.tick - tick) * 6) % 360 });
  let moves = B.others.find(A.name).path.length;
  B.onFrame = () => {
    const now = performance.now();
    unseen += Math.min(now - last, STALL_MS);
    last = now;
    if (B.others.find(A.name)?.path.length > moves) {
      moves = B.others.find(A.name).path.length;
      unseen = 0;
    }
    gap = Math.max(gap, unseen);
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
