// Two honest players near the hostile clients: A walks in circles, B watches A. Hostile input must not affect them.
import { checkPath } from './join.mjs';
import { drained, settled } from './correct.mjs';
import { equal, must } from '../../lib/assert.mjs';

const MAX_PROBE_MS = 100; // two frames; a longer time between two probes is a pause of this process, not of the server
const MAX_SILENCE_MS = 3000; // maximum time in which B receives no update about A; a busy machine delays the server by less
const UPDATES = 4; // number of further updates about A that check() waits for
const LAG_TICKS = 100; // maximum age of a position at which B shows A, also on a busy machine
const DRAIN_MS = 800; // time in which the server can process inputs of A that it has queued in a check: there are few in so short a time
const CENTRE = [10.5, 0.5]; // centre of the circle, out of attack range and within view of players at the start
const RADIUS = 2; // radius of the circle in blocks

/** The yaw that leads A onto the circle and around it. It depends on A's position, because turning by time alone would drift away. */
function circleYaw([x, , z]) {
  const [dx, dz] = [x - CENTRE[0], z - CENTRE[1]];
  const off = Math.max(-1, Math.min(1, Math.hypot(dx, dz) / RADIUS - 1));
  return (((Math.atan2(dz, dx) + (Math.PI / 2) * (off - 1)) * 180) / Math.PI + 450) % 360;
}

/**
 * Makes A walk in circles and B watch it. Resolves with {check, end}. check() waits until B has received further updates about A, and throws if A or B
 * was affected since the last call. end() does the same and then stops A.
 */
export async function watchBystanders(A, B) {
  await settled(A, B);
  let mark; // length of A's log of packets about A at the last reset
  let marks; // number of violations of A and B at the last reset
  let tick; // A's tick at the last reset
  let gap; // longest time since the last reset, in ms, in which B received no update about A
  let unseen; // ms since B's last update about A, without the pauses of this process
  const reset = () => {
    mark = A.selfPackets.log.length;
    marks = [A, B].map((bot) => bot.violations.length);
    [tick, gap, unseen] = [A.tick, 0, 0];
  };
  reset();
  let last = performance.now(); // time of the last probe
  A.script = () => ({ move: [0, 1], yaw: circleYaw(A.pos) });
  const path = () => B.others.find(A.name)?.path ?? [];
  let moves = path().length;
  B.onFrame = () => {
    const now = performance.now();
    unseen += Math.min(now - last, MAX_PROBE_MS);
    last = now;
    if (path().length > moves) unseen = 0;
    moves = path().length;
    gap = Math.max(gap, unseen);
  };
  const verdict = (from) => {
    for (const bot of [A, B]) must(bot.online, `${bot.name}: ${bot.closeReason()}`);
    equal(A.selfPackets.since(mark, 'correction').map((p) => p.tick), [], 'corrections of the bystander');
    equal([A, B].flatMap((bot, i) => bot.violations.slice(marks[i])), [], 'violations of the bystanders');
    must(gap < MAX_SILENCE_MS, `no update of the bystander for ${Math.round(gap)} ms`);
    checkPath(path().slice(from), A, tick - LAG_TICKS);
  };
  const check = async () => {
    const from = path().length;
    try {
      await B.until(() => {
        must(A.online, `${A.name}: ${A.closeReason()}`);
        return path().length >= from + UPDATES;
      }, `${UPDATES} updates of ${A.name}`);
      verdict(from);
      await drained(A, DRAIN_MS);
    } finally {
      reset(); // clear the faults, so that the next check does not fail because of them
    }
  };
  const end = async () => {
    try {
      await check();
    } finally {
      A.script = B.onFrame = undefined;
    }
    const from = path().length;
    await settled(A, B);
    verdict(from);
  };
  return { check, end };
}
