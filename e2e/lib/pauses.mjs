// Measures pauses in which this process does not run on a busy machine. During a pause, packets from the server wait to be
// read, and the clients' packets are late. Checks that measure time allow for the pauses.

const PROBE_MS = 20;
const PAUSE_MS = 100; // between two probes; less is ordinary timer jitter

const pauses = []; // {end: performance.now() at the end of the pause, ms}
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  if (now - last > PAUSE_MS) pauses.push({ end: now, ms: now - last });
  last = now;
}, PROBE_MS).unref();

/** Total length in ms of the pauses that ended between two moments of performance.now(). */
export const pausedMs = (from, to) => pauses.filter((p) => p.end >= from && p.end <= to).reduce((sum, p) => sum + p.ms, 0);
