// Two honest players, one walking in circles around a place: while others are rude, nothing may happen to them.
import { agree } from './join.mjs';
import { settled } from './correct.mjs';
import { equal, must } from '../../lib/assert.mjs';

const STALL_MS = 100; // two frames: what lies between two looks counts up to this
const UNSEEN_MS = 3000; // more than a busy machine keeps the server from its work
const MIDDLE = [10.5, 0.5]; // of the circles: out of reach of who stands at the start, and in sight from there
const AROUND = 2; // blocks

/**
 * The yaw that leads around the middle, and onto the circle from wherever one is: whoever turns by the clock alone is,
 * after many games of any length, out of everybody's sight.
 */
function circling([x, , z]) {
  const [dx, dz] = [x - MIDDLE[0], z - MIDDLE[1]];
  const off = Math.max(-1, Math.min(1, Math.hypot(dx, dz) / AROUND - 1));
  return (((Math.atan2(dz, dx) + (Math.PI / 2) * (off - 1)) * 180) / Math.PI + 450) % 360;
}

/** Begins to watch. The function that it resolves with ends it, and throws if anything was disturbed. */
export async function witness(A, B) {
  A.script = B.onFrame = undefined; // of one that was never ended
  await settled(A, B);
  const mark = A.carriers.log.length;
  const marks = [A, B].map((bot) => bot.violations.length);
  let last = performance.now(); // when this process last looked
  let unseen = 0; // ms; what this process itself slept through, busy with its floods, is not the server's fault
  let gap = 0;
  A.script = () => ({ move: [0, 1], yaw: circling(A.pos) });
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
    must(gap < UNSEEN_MS, `nothing seen of the honest for ${Math.round(gap)} ms`);
    await agree(A, B);
  };
}
