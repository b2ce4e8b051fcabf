// Measures pauses in which this process does not run because the machine is busy. During a pause the clients read no packets and
// send none. Checks that measure time subtract the pauses.

const PROBE_MS = 20;
const PAUSE_MS = 100; // minimum time between two timer events that counts as a pause; less is ordinary jitter

const pauses = []; // {end: performance.now() at the end of the pause, ms}
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  if (now - last > PAUSE_MS) pauses.push({ end: now, ms: now - last });
  last = now;
}, PROBE_MS).unref();

/** Total length in ms of the pauses that ended between two moments of performance.now(). */
export const pausedMs = (from, to) => pauses.filter((p) => p.end >= from && p.end <= to).reduce((sum, p) => sum + p.ms, 0);
