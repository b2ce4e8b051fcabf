// Two bystanders, one of which walks in circles: hostile input of others must not affect them.
import { agree } from './join.mjs';
import { settled } from './correct.mjs';
import { equal, must } from '../../lib/assert.mjs';

const MAX_PROBE_MS = 100; // two frames; a longer time between two probes is a pause of this process, not of the server
const MAX_SILENCE_MS = 3000; // without an update of the walker; longer than a busy machine holds the server up
const CENTRE = [10.5, 0.5]; // of the circle: out of reach and within view of players at the start
const RADIUS = 2; // blocks

/** The yaw that leads onto the circle and around it. It depends on the position, as a turn by time alone would drift out of view. */
function circleYaw([x, , z]) {
  const [dx, dz] = [x - CENTRE[0], z - CENTRE[1]];
  const off = Math.max(-1, Math.min(1, Math.hypot(dx, dz) / RADIUS - 1));
  return (((Math.atan2(dz, dx) + (Math.PI / 2) * (off - 1)) * 180) / Math.PI + 450) % 360;
}

/** Starts to watch. Resolves with a function that ends it and throws if A or B was affected. */
export async function watchBystanders(A, B) {
  A.script = B.onFrame = undefined; // of a watch that was not ended
  await settled(A, B);
  const mark = A.selfPackets.log.length;
  const marks = [A, B].map((bot) => bot.violations.length);
  let last = performance.now(); // time of the last probe
  let unseen = 0; // ms without an update, without the pauses of this process
  let gap = 0;
  A.script = () => ({ move: [0, 1], yaw: circleYaw(A.pos) });
  let moves = B.others.find(A.name).path.length;
  B.onFrame = () => {
    const now = performance.now();
    unseen += Math.min(now - last, MAX_PROBE_MS);
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
    for (const bot of [A, B]) must(bot.online, `${bot.name}: ${bot.closeReason()}`);
    await A.frames(15);
    equal(A.selfPackets.since(mark, 'correction').map((p) => p.tick), [], 'corrections of the bystander');
    equal([A, B].flatMap((bot, i) => bot.violations.slice(marks[i])), [], 'violations of the bystanders');
    must(gap < MAX_SILENCE_MS, `no update of the bystander for ${Math.round(gap)} ms`);
    await agree(A, B);
  };
}
