// When this process itself stood still, as on a busy machine: what the others sent meanwhile came at once, and what it
// should have sent itself left at once.

const LOOK_MS = 20;
const LONG_MS = 100; // between two looks; less is the usual unrest

const pauses = []; // {at: the end, ms}
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  if (now - last > LONG_MS) pauses.push({ at: now, ms: now - last });
  last = now;
}, LOOK_MS).unref();

/** How many ms of pauses ended between two moments of performance.now(). */
export const paused = (from, to) => pauses.filter((p) => p.at >= from && p.at <= to).reduce((sum, p) => sum + p.ms, 0);
